#include "asperity/dynamics/event_driven/event_driven.h"

#include "asperity/dynamics/event_driven/event_driven_of.h"

namespace asperity::event_driven {
namespace {

std::string carries(const model::Census& census, const model::Phase& phase) {
    if (!census.has_ground && census.has_mutual_gravity)
        return "event-driven carries a ball on a surface, not free bodies: take constraint or penalty";
    if (phase.integrator == model::Integrator::verlet || phase.integrator == model::Integrator::symplectic4)
        return "event-driven needs dopri5 or rk4: friction depends on velocity, where splitting steps lose their order";
    if (phase.integrator == model::Integrator::rk4 && !std::isfinite(phase.step_max)) return "rk4 has a fixed step: set step_max";
    if (!census.has_ground) return "event-driven needs a surface";
    return {};
}

std::unique_ptr<Method> make(const model::Model& model, const model::Phase& phase) {
    if (std::holds_alternative<gravity::SmallBody>(model.parameters.environment.field)) return make_for_small_body(model, phase);
    return std::make_unique<EventDriven<gravity::Uniform>>(model, phase);
}

}  // namespace

const dynamics::MethodEntry method{
    "event-driven", "smooth motion by dopri5 or rk4 with dense output; impacts, slips, stops and releases located to rounding", carries,
    make};

}  // namespace asperity::event_driven
