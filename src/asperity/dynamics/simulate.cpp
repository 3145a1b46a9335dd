#include "asperity/dynamics/simulate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "asperity/core/errors.h"
#include "asperity/dynamics/all.h"

namespace asperity::dynamics {
namespace {

std::unique_ptr<Method> method_of(const model::Model& model, std::size_t phase) {
    const MethodEntry* entry = find_method(model.parameters.phases[phase].method);
    ASPERITY_REQUIRE(entry != nullptr, "phase {} names the method {}", phase, model.parameters.phases[phase].method);
    return entry->make(model, model.parameters.phases[phase]);
}

// A body that moves alone, flies at the end, and has done so for longer than a rotation orbits. Else it would have needed more time.
model::Outcome at_end_time(const model::Model& model, const model::State& state) {
    const gravity::SmallBody* body = model::small_body(model.parameters.environment);
    const model::Census census = model::census_of(model);
    const double time = state.clock.time();
    if (!census.has_ground)
        return {.kind = model::OutcomeKind::completed, .time = time, .body = 0, .message = "the end time of the scenario was reached"};
    const bool flies = census.bodies == 1 && state.contacts.mode_of(0) == model::Mode::flight;
    const double last = flies ? state.tallies.last_touch[0] : time;
    const bool orbits = body != nullptr && flies && (last < 0 || (time - last) * std::fabs(body->target.spin_rate) > 6.283185307179586);
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

// The last sample is the end of the run, however it ended and whatever the interval of samples: a segment without length shows the state,
// on a copy, since looking changes nothing. A state that is no longer a number has nothing to show.
void show_end(const model::Model& model, model::State state, model::Observer& observer) {
    LastLook look(observer);
    method_of(model, static_cast<std::size_t>(state.clock.phase))->advance(state, {.time = -std::numeric_limits<double>::infinity()}, look);
}

model::Outcome run_phases(const model::Model& model, model::State& state, model::Observer& observer) {
    const model::Parameters& parameters = model.parameters;
    while (true) {
        const auto phase = static_cast<std::size_t>(state.clock.phase);
        const double phase_end = state.clock.phase_start + parameters.phases[phase].duration;
        const Stop stop{.time = std::min(phase_end, parameters.end_time)};
        const Advance got = method_of(model, phase)->advance(state, stop, observer);
        if (got.ended) return *got.ended;
        if (stop.time >= parameters.end_time) return at_end_time(model, state);
        state.clock = {.phase = state.clock.phase + 1, .phase_start = stop.time, .time_in_phase = 0, .steps = state.clock.steps};
        state.stepper.next_step = 0;
        // of all bodies; shown where the first one is
        observer.event({.kind = model::EventKind::phase,
                        .time = stop.time,
                        .position = state.bodies.position[0],
                        .velocity = state.bodies.velocity[0],
                        .spin = state.bodies.spin[0],
                        .mode = state.contacts.mode_of(0)});
    }
}

}  // namespace

model::Outcome simulate(const model::Model& model, model::State& state, model::Observer& observer) {
    SampleKeeper keeper(observer);
    const model::Outcome outcome = run_phases(model, state, keeper);
    const bool is_wanted = std::isfinite(observer.next_sample()) && keeper.last < state.clock.time();
    if (is_wanted && outcome.kind != model::OutcomeKind::non_finite) show_end(model, state, observer);
    return outcome;
}

}  // namespace asperity::dynamics
