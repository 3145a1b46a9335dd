#include "asperity/dynamics/simulate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <utility>

#include "asperity/core/errors.h"
#include "asperity/dynamics/all.h"
#include "asperity/dynamics/control.h"
#include "asperity/dynamics/guard_watch.h"
#include "asperity/dynamics/signal_watch.h"
#include "asperity/model/only_row.h"

namespace asperity::dynamics {
namespace {

bool is_in_orbit(const model::Parameters& world, const model::State& state, double spin_rate) {
    const std::size_t row = model::only_row(state);
    if (state.contacts.mode_of(static_cast<std::int32_t>(row)) != model::Mode::flight) return false;
    const double last = state.tallies.last_touch[world.bodies.group[row]];
    return last < 0 || (state.clock.time() - last) * std::fabs(spin_rate) > 6.283185307179586;
}

// Whether a single body is in flight at the end and has been for longer than a rotation: it orbits. Otherwise the run ended too early.
model::Outcome at_end_time(const model::Model& model, const model::State& state) {
    const gravity::SmallBody* body = model::small_body(model.parameters.environment);
    const model::Census census = model::census_of(model);
    const double time = state.clock.time();
    if (!census.has_ground)
        return {.kind = model::OutcomeKind::completed, .time = time, .body = 0, .message = "the end time of the scenario was reached"};
    const bool orbits = body != nullptr && census.bodies == 1 && is_in_orbit(model.parameters, state, body->target.spin_rate);
    return {.kind = orbits ? model::OutcomeKind::orbiting : model::OutcomeKind::timed_out,
            .time = time,
            .body = 0,
            .message = orbits ? "the end time of the scenario was reached in flight, longer than a rotation since the last contact"
                              : "the end time of the scenario was reached"};
}

// Passes everything on, and remembers when the last sample was taken.
class SampleKeeper final : public model::Observer {
public:
    explicit SampleKeeper(model::Observer& inner) : inner_(inner) {}

    double next_sample() const override { return inner_.next_sample(); }
    model::Wants wants() const override { return inner_.wants(); }
    void sample(const model::Look& look) override {
        last = look.time;
        inner_.sample(look);
    }
    void event(const model::Event& event) override { inner_.event(event); }
    double next_checkpoint() const override { return inner_.next_checkpoint(); }
    void checkpoint(const model::State& state) override { inner_.checkpoint(state); }

    double last = -std::numeric_limits<double>::infinity();  // s

private:
    model::Observer& inner_;
};

// Asks for one sample, at once, and passes on nothing else.
class LastLook final : public model::Observer {
public:
    explicit LastLook(model::Observer& inner) : inner_(inner) {}

    double next_sample() const override { return is_done_ ? infinity : -infinity; }
    model::Wants wants() const override { return inner_.wants(); }
    void sample(const model::Look& look) override {
        is_done_ = true;
        inner_.sample(look);
    }
    void event(const model::Event&) override {}
    double next_checkpoint() const override { return infinity; }
    void checkpoint(const model::State&) override {}

private:
    static constexpr double infinity = std::numeric_limits<double>::infinity();
    model::Observer& inner_;
    bool is_done_ = false;
};

// Methods by name and integrator, made once.
class Methods {
public:
    explicit Methods(const model::Model& model) : model_(model) {}

    Method& of(std::int64_t phase_number) {
        const model::Phase& phase = model_.parameters.phases[static_cast<std::size_t>(phase_number)];
        const MethodEntry* entry = find_method(phase.method);
        ASPERITY_REQUIRE(entry != nullptr, "phase {} names the method {}", phase_number, phase.method);
        Kept& kept = kept_[{entry, phase.integrator}];
        if (!kept.method) kept.method = entry->make(model_, phase);
        if (kept.phase != phase_number) kept.method->set_phase(phase);
        kept.phase = phase_number;
        return *kept.method;
    }

private:
    struct Kept {
        std::unique_ptr<Method> method;
        std::int64_t phase = -1;  // that it is set to
    };
    const model::Model& model_;
    std::map<std::pair<const MethodEntry*, model::Integrator>, Kept> kept_;
};

// The last sample is the end of the run, however it ended and whatever the interval of samples: a segment without length shows the state,
// on a copy, since looking changes nothing. Contacts, which may be many, are lent to the copy: what a method loads it stores again. A state
// that is no longer a number has nothing to show.
void show_end(Methods& methods, model::State& state, model::Observer& observer) {
    LastLook look(observer);
    model::Contacts contacts = std::exchange(state.contacts, {});
    model::State shown = state;
    shown.contacts = std::move(contacts);
    methods.of(state.clock.phase).advance(shown, {.time = -std::numeric_limits<double>::infinity()}, look);
    state.contacts = std::move(shown.contacts);
}

// Where the next segment ends: the phase, the run, a tick, or what changes an engine or a winch by itself.
double next_stop(const model::Model& model, const model::State& state) {
    const model::Phase& phase = model.parameters.phases[static_cast<std::size_t>(state.clock.phase)];
    const double phase_end = state.clock.phase_start + phase.duration;
    return std::min({phase_end, model.parameters.end_time, next_tick(model, state), next_change(model, state)});
}

// The outcome that the method recognised or that a guard of the phase gives; nothing if the run continues.
std::optional<model::Outcome> after_segment(const model::Model& model, model::State& state, const Advance& got, model::Observer& observer) {
    if (!got.ended) return fire(model, state, got.guard, observer);
    if (got.ended->is_trouble()) return got.ended;
    GuardWatch guards(model, state);
    if (!guards.look(state.clock.time_in_phase, state.bodies, got.ended->kind)) return got.ended;
    return fire(model, state, guards.fired(), observer);
}

model::Outcome run_phases(const model::Model& model, model::State& state, Methods& methods, model::Observer& observer) {
    const model::Parameters& parameters = model.parameters;
    SignalWatch signals(model, state);
    const auto look = [&] { signals.look(state.clock.time_in_phase, state.bodies); };
    if (signals.is_new()) look();
    while (true) {
        GuardWatch guards(model, state);
        if (!guards.is_empty() && guards.look(state.clock.time_in_phase, state.bodies)) {
            if (auto end = fire(model, state, guards.fired(), observer)) return *end;
            look();
            continue;
        }
        const double stop = next_stop(model, state);
        const Advance got = methods.of(state.clock.phase).advance(state, {.time = stop}, observer);
        if (got.ended || got.guard >= 0) {
            if (auto end = after_segment(model, state, got, observer)) return *end;
            look();
            continue;
        }
        if (stop >= parameters.end_time) return at_end_time(model, state);
        change_by_itself(model, state, stop);
        const auto phase = static_cast<std::size_t>(state.clock.phase);
        if (stop >= state.clock.phase_start + parameters.phases[phase].duration)
            begin_phase(model, state, state.clock.phase + 1, stop, observer);
        else
            tick(model, state, stop);
        look();
    }
}

}  // namespace

model::Outcome simulate(const model::Model& model, model::State& state, model::Observer& observer) {
    SampleKeeper keeper(observer);
    Methods methods(model);
    begin_controls(model, state);
    const model::Outcome outcome = run_phases(model, state, methods, keeper);
    SignalWatch(model, state).look(state.clock.time_in_phase, state.bodies);  // where an action or rest has changed it
    const bool is_wanted = std::isfinite(observer.next_sample()) && keeper.last < state.clock.time();
    if (is_wanted && outcome.kind != model::OutcomeKind::non_finite) show_end(methods, state, observer);
    return outcome;
}

}  // namespace asperity::dynamics
