#include "asperity/dynamics/event_driven/event_driven.h"

#include "asperity/dynamics/event_driven/event_driven_of.h"

namespace asperity::dynamics::event_driven {

std::string carries(const model::Model& model, const model::Phase& phase) {
    if (!model.parameters.free.is_empty()) return "event-driven carries a ball on a surface, not free bodies: take constraint or penalty";
    if (phase.integrator == model::Integrator::verlet || phase.integrator == model::Integrator::symplectic4)
        return "event-driven needs dopri5 or rk4: friction depends on velocity, where splitting steps lose their order";
    if (phase.integrator == model::Integrator::rk4 && !std::isfinite(phase.step_max)) return "rk4 has a fixed step: set step_max";
    if (model.assets == nullptr || model.surface().facets.empty()) return "event-driven needs a surface";
    return {};
}

std::unique_ptr<Method> make(const model::Model& model, const model::Phase& phase) {
    if (std::holds_alternative<gravity::SmallBody>(model.parameters.gravity)) return make_for_small_body(model, phase);
    return std::make_unique<EventDriven<gravity::Uniform>>(model, phase);
}

}  // namespace asperity::dynamics::event_driven
