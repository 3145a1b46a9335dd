#include "asperity/dynamics/control.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "asperity/analysis/signals.h"

namespace asperity::dynamics {
namespace {

const std::vector<model::Guard>& guards_of(const model::Model& model, const model::State& state) {
    return model.parameters.phases[static_cast<std::size_t>(state.clock.phase)].guards;
}

double tick_time(const model::Model& model, const model::State& state, std::size_t controller) {
    return state.clock.phase_start +
           static_cast<double>(state.controls.ticks[controller]) * model.parameters.controllers[controller].period;
}

void set_throttle(const model::Model& model, model::State& state, std::size_t engine, double throttle) {
    const double time = state.clock.time();
    model::Engines& engines = state.engines;
    engines.propellant[engine] = model::propellant_at(model.parameters.engines[engine], engines, engine, time);
    engines.throttle[engine] = throttle;
    engines.changed[engine] = time;
}

void reel(model::State& state, const model::Action& action) {
    model::Cables& cables = state.cables;
    const double time = state.clock.time();
    cables.length[action.target] = cables.rest_length(action.target, time);
    cables.target[action.target] = action.value;
    cables.rate[action.target] = cables.length[action.target] == action.value ? 0 : action.rate;
    cables.changed[action.target] = time;
}

// Ticks of a controller that starts inside a phase stay those of the phase.
void start_controller(const model::Model& model, model::State& state, std::size_t controller) {
    if (state.controls.is_running[controller] != 0) return;
    state.controls.is_running[controller] = 1;
    const double period = model.parameters.controllers[controller].period;
    state.controls.ticks[controller] = static_cast<std::int64_t>(std::ceil(state.clock.time_in_phase / period));
}

void act(const model::Model& model, model::State& state, const model::Action& action) {
    switch (action.kind) {
        case model::ActionKind::cut: state.cables.is_cut[action.target] = 1; break;
        case model::ActionKind::reel: reel(state, action); break;
        case model::ActionKind::throttle: set_throttle(model, state, action.target, action.value); break;
        case model::ActionKind::start_controller: start_controller(model, state, action.target); break;
        case model::ActionKind::stop_controller: state.controls.is_running[action.target] = 0; break;
        case model::ActionKind::start_motor: state.joints.is_running[action.target] = 1; break;
        case model::ActionKind::stop_motor: state.joints.is_running[action.target] = 0; break;
        case model::ActionKind::start_load:
            model::start(model.parameters.loads[action.target], state.loads, action.target, state.clock.time());
            break;
        case model::ActionKind::stop_load: state.loads.is_running[action.target] = 0; break;
    }
}

std::int64_t guards_in_all(const model::Model& model) {
    std::int64_t count = 0;
    for (const model::Phase& phase : model.parameters.phases) count += static_cast<std::int64_t>(phase.guards.size());
    return count;
}

// Whether guards fire each other on and on at one instant.
bool is_stalled(const model::Model& model, model::State& state) {
    model::Controls& controls = state.controls;
    controls.firings = controls.last_firing == state.clock.time() ? controls.firings + 1 : 1;
    controls.last_firing = state.clock.time();
    return controls.firings > guards_in_all(model);
}

struct Command {
    const model::Model& model;
    const model::State& state;
    const model::Controller& controller;
    double at;  // s, in the phase
    double& memory;

    double operator()(const model::Proportional& law) const {
        const analysis::Instant now{.time_in_phase = state.clock.time_in_phase, .bodies = state.bodies, .state = state};
        const double error = law.wanted - analysis::signal(model, law.signal, now), sum = memory + error * controller.period;
        const double wished = law.offset + law.gain * error + law.integral_gain * sum, throttle = std::clamp(wished, 0.0, 1.0);
        if (wished == throttle) memory = sum;
        return throttle;
    }
    double operator()(const model::Schedule& law) const {
        const auto passed = std::upper_bound(law.times.begin(), law.times.end(), at) - law.times.begin();
        return passed > 0 ? law.throttles[static_cast<std::size_t>(passed - 1)] : 0;
    }
};

}  // namespace

void begin_controls(const model::Model& model, model::State& state) {
    const model::Parameters& world = model.parameters;
    model::Controls& controls = state.controls;
    if (controls.since.size() != guards_of(model, state).size())
        controls.since.assign(guards_of(model, state).size(), model::guard_is_open);
    if (controls.ticks.size() == world.controllers.size()) return;
    controls.ticks.assign(world.controllers.size(), 0);
    controls.memory.assign(world.controllers.size(), 0);
    for (const model::Controller& controller : world.controllers) controls.is_running.push_back(controller.is_running ? 1 : 0);
    tick(model, state, state.clock.time());
}

void begin_phase(const model::Model& model, model::State& state, std::int64_t phase, double time, model::Observer& observer) {
    const auto number = static_cast<std::size_t>(phase), before = static_cast<std::size_t>(state.clock.phase);
    const std::vector<model::Phase>& phases = model.parameters.phases;
    if (phases[number].method != phases[before].method) state.stepper.slow_since = -1;
    state.clock = {.phase = phase, .phase_start = time, .time_in_phase = 0, .steps = state.clock.steps};
    state.stepper.next_step = 0;
    state.controls.since.assign(phases[number].guards.size(), model::guard_is_open);
    std::fill(state.controls.ticks.begin(), state.controls.ticks.end(), 0);
    constexpr std::size_t shown = 0;  // a phase is of all bodies; it is shown where the first row is
    observer.event({.kind = model::EventKind::phase,
                    .time = time,
                    .a = static_cast<std::int32_t>(shown),
                    .position = state.bodies.position[shown],
                    .velocity = state.bodies.velocity[shown],
                    .spin = state.bodies.spin[shown],
                    .mode = state.contacts.mode_of(static_cast<std::int32_t>(shown))});
    tick(model, state, time);
}

std::optional<model::Outcome> fire(const model::Model& model, model::State& state, std::int64_t number, model::Observer& observer) {
    const model::Guard& guard = guards_of(model, state)[static_cast<std::size_t>(number)];
    const std::string& phase = model.parameters.phases[static_cast<std::size_t>(state.clock.phase)].name;
    const double time = state.clock.time();
    if (is_stalled(model, state))
        return model::Outcome{
            .kind = model::OutcomeKind::stalled,
            .time = time,
            .body = 0,
            .message = fmt::format("more guards have fired at one instant than there are, the last of them in phase `{}`: "
                                   "phases follow each other without time going on",
                                   phase)};
    for (const model::Action& action : guard.actions) act(model, state, action);
    if (guard.next < 0)
        return model::Outcome{.kind = model::OutcomeKind::named,
                              .time = time,
                              .body = 0,
                              .message = fmt::format("guard {} of phase `{}`", number + 1, phase),
                              .given_name = guard.outcome};
    begin_phase(model, state, guard.next, time, observer);
    return std::nullopt;
}

double next_tick(const model::Model& model, const model::State& state) {
    double next = std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < state.controls.ticks.size(); ++c)
        if (state.controls.is_running[c] != 0) next = std::min(next, tick_time(model, state, c));
    return next;
}

void tick(const model::Model& model, model::State& state, double time) {
    for (std::size_t c = 0; c < state.controls.ticks.size(); ++c) {
        const model::Controller& controller = model.parameters.controllers[c];
        if (state.controls.is_running[c] == 0 || tick_time(model, state, c) > time) continue;
        const double at = static_cast<double>(state.controls.ticks[c]++) * controller.period;
        const double throttle = std::visit(Command{model, state, controller, at, state.controls.memory[c]}, controller.law);
        const model::Engine& engine = model.parameters.engines[controller.engine];
        const bool is_empty = engine.has_tank() && !(model::propellant_at(engine, state.engines, controller.engine, time) > 0);
        set_throttle(model, state, controller.engine, is_empty ? 0 : throttle);
    }
}

double next_change(const model::Model& model, const model::State& state) {
    double next = std::numeric_limits<double>::infinity();
    for (std::size_t e = 0; e < state.engines.size(); ++e)
        next = std::min(next, model::empty_at(model.parameters.engines[e], state.engines, e));
    for (std::size_t c = 0; c < state.cables.size(); ++c) next = std::min(next, state.cables.reeled_at(c));
    for (std::size_t l = 0; l < state.loads.size(); ++l)
        next = std::min(next, model::next_corner(model.parameters.loads[l], state.loads, l));
    return next;
}

void change_by_itself(const model::Model& model, model::State& state, double time) {
    for (std::size_t e = 0; e < state.engines.size(); ++e) {
        if (!(model::empty_at(model.parameters.engines[e], state.engines, e) <= time)) continue;
        state.engines.throttle[e] = state.engines.propellant[e] = 0;
        state.engines.changed[e] = time;
    }
    for (std::size_t c = 0; c < state.cables.size(); ++c) {
        if (!(state.cables.reeled_at(c) <= time)) continue;
        state.cables.length[c] = state.cables.target[c];
        state.cables.rate[c] = 0;
        state.cables.changed[c] = time;
    }
    for (std::size_t l = 0; l < state.loads.size(); ++l)
        while (model::next_corner(model.parameters.loads[l], state.loads, l) <= time) ++state.loads.corner[l];
}

}  // namespace asperity::dynamics
