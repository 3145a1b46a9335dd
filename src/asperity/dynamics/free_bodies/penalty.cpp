#include "asperity/dynamics/free_bodies/penalty.h"

#include <cmath>

namespace asperity::dynamics::free_bodies {

std::string penalty_carries(const model::Model& model, const model::Phase& phase) {
    const model::FreeBodies& world = model.parameters.free;
    const model::FreeContact& contact = world.contact;
    if (world.is_empty()) return "penalty needs a world of free bodies";
    if (!(contact.stiffness > 0)) return "penalty needs a contact stiffness above zero";
    if (world.has_friction() && !(contact.slip_speed > 0)) return "penalty needs a slip speed above zero where there is friction";
    if (phase.integrator == model::Integrator::rk4) return "penalty needs dopri5, verlet or symplectic4";
    const bool has_fixed_step = std::isfinite(phase.step_max);
    if (phase.integrator == model::Integrator::symplectic4 && !has_fixed_step) return "symplectic4 has a fixed step: set step_max";
    if (phase.integrator == model::Integrator::verlet && !has_fixed_step && !(phase.tolerance > 0))
        return "verlet needs a tolerance, or a fixed step: set step_max";
    return {};
}

std::unique_ptr<Method> make_penalty(const model::Model& model, const model::Phase& phase) {
    if (phase.integrator == model::Integrator::dopri5) return make_penalty_by_dopri5(model, phase);
    return make_penalty_by_splitting(model, phase);
}

}  // namespace asperity::dynamics::free_bodies
