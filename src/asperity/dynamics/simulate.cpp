#include "asperity/dynamics/simulate.h"

#include <algorithm>

#include "asperity/core/errors.h"
#include "asperity/dynamics/all.h"

namespace asperity::dynamics {
namespace {

std::unique_ptr<Method> method_of(const model::Model& model, std::size_t phase) {
    const MethodEntry* entry = find_method(model.parameters.phases[phase].method);
    ASPERITY_REQUIRE(entry != nullptr, "phase {} names the method {}", phase, model.parameters.phases[phase].method);
    return entry->make(model, model.parameters.phases[phase]);
}

}  // namespace

model::Outcome simulate(const model::Model& model, model::State& state, model::Observer& observer) {
    const model::Parameters& parameters = model.parameters;
    while (true) {
        const auto phase = static_cast<std::size_t>(state.clock.phase);
        const double phase_end = state.clock.phase_start + parameters.phases[phase].duration;
        const Stop stop{.time = std::min(phase_end, parameters.end_time)};
        const Advance got = method_of(model, phase)->advance(state, stop, observer);
        if (got.ended) return *got.ended;
        if (stop.time >= parameters.end_time)
            return {.kind = model::OutcomeKind::timed_out,
                    .time = state.clock.time(),
                    .body = 0,
                    .message = "the end time of the scenario was reached"};
        state.clock = {.phase = state.clock.phase + 1, .phase_start = stop.time, .time_in_phase = 0, .steps = state.clock.steps};
        state.stepper = {};
        observer.event({.kind = model::EventKind::phase,
                        .time = stop.time,
                        .position = state.bodies.position[0],
                        .velocity = state.bodies.velocity[0],
                        .spin = state.bodies.spin[0],
                        .mode = static_cast<model::Mode>(state.contacts.mode[0])});
    }
}

}  // namespace asperity::dynamics
