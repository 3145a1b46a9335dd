#include "asperity/dynamics/penalty/penalty.h"

#include <cmath>

namespace asperity::dynamics {
namespace {

std::string penalty_carries(const model::Census& census, const model::Phase& phase) {
    if (census.has_ground || !census.has_mutual_gravity) return "penalty needs a world of free bodies";
    if (!census.has_stiffness) return "penalty needs a contact stiffness above zero";
    if (!census.has_slip_speed) return "penalty needs a slip speed above zero where there is friction";
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

}  // namespace

const MethodEntry penalty{
    "penalty",   "Soft contact: a spring, a damper and regularised friction.", model::Integrator::dopri5, 1e-9, penalty_carries,
    make_penalty};

}  // namespace asperity::dynamics
