#include "asperity/dynamics/penalty/penalty.h"

#include <cmath>

#include "asperity/contact/detector.h"

namespace asperity::dynamics {
namespace {

// Whether anything acts but gravity and contacts without memory, of spheres and ellipsoids on each other, or a signal asks for forces.
bool is_general(const model::Census& census) {
    return census.has_ground || census.has_field || !census.has_mutual_gravity || census.has_soft_forces || census.has_colliders ||
           census.has_cables || census.has_engines || census.has_joints || census.has_loads || census.wants_contact_force;
}

std::string penalty_carries(const model::Census& census, const model::Phase& phase) {
    using model::Integrator;
    if (census.has_named_rolling_law)
        return "penalty has the rolling law \"coupled\" alone: the laws of 1-landers are those of rigid contact";
    if (census.has_named_restitution_law)
        return "penalty follows the slip through an impact, and its damper takes work as restitution_law = \"stronge\" says: take impulse, "
               "dvi or "
               "constraint for the others";
    if (!census.has_stiffness) return "penalty needs a stiffness of its contacts above zero (`modulus` under normal_law = \"hertz\")";
    if (!census.has_slip_speed) return "penalty needs a slip speed above zero where there is friction, or sliding = \"spring\"";
    if (census.has_propellant && census.has_mutual_gravity)
        return "penalty carries engines that burn propellant where bodies do not attract each other";
    if (census.has_joint_limits) return "penalty carries no limits of joints, which are stops without a spring: take impulse or dvi";
    if (census.has_rate_motors)
        return "penalty carries no motors that bring a rate about: take impulse or dvi, or a motor with a torque or a force";
    if (census.has_joints && phase.integrator == Integrator::leapfrog)
        return "leapfrog sees no accelerations that depend on velocities, by which joints are held: take rk4 or dopri5";
    const bool has_fixed_step = std::isfinite(phase.step_max);
    if (census.has_groups && phase.integrator != Integrator::rk4 && phase.integrator != Integrator::leapfrog)
        return "more than 64 bodies of one name need leapfrog or rk4";
    switch (phase.integrator) {
        case Integrator::leapfrog:
            if (census.is_turning) return "leapfrog needs a frame that does not turn: take rk4 or dopri5";
            [[fallthrough]];
        case Integrator::rk4:
            if (!has_fixed_step) return "rk4 and leapfrog have a fixed step under penalty: set step_max";
            return {};
        case Integrator::symplectic4:
            if (!has_fixed_step) return "symplectic4 has a fixed step: set step_max";
            break;
        case Integrator::verlet:
            if (!has_fixed_step && !(phase.tolerance > 0)) return "verlet needs a tolerance, or a fixed step: set step_max";
            break;
        case Integrator::dopri5:
            if (is_general(census) && census.bodies > contact::Detector::most_in_all_pairs)
                return "dopri5 locates every contact, for up to 64 bodies: take leapfrog or rk4";
            return {};
    }
    if (census.has_soft_forces || census.has_static_friction)
        return "verlet and symplectic4 have a spring, and friction by slip speed, alone: take dopri5, rk4 or leapfrog";
    if (is_general(census))
        return "verlet and symplectic4 need bodies that attract each other, without ground, field, cables, loads and engines: take dopri5, "
               "rk4 or "
               "leapfrog";
    if (census.has_hertz) return "verlet and symplectic4 need normal_law = \"hooke\": take dopri5, rk4 or leapfrog";
    return {};
}

constexpr model::OutcomeKind penalty_recognises[] = {model::OutcomeKind::rest};

std::unique_ptr<Method> make_penalty(const model::Model& model, const model::Phase& phase) {
    switch (phase.integrator) {
        case model::Integrator::dopri5:
            return is_general(model::census_of(model)) ? make_penalty_by_general_dopri5(model, phase)
                                                       : make_penalty_by_dopri5(model, phase);
        case model::Integrator::rk4:
        case model::Integrator::leapfrog: return make_penalty_by_fixed_steps(model, phase);
        default: return make_penalty_by_splitting(model, phase);
    }
}

}  // namespace

const MethodEntry penalty{"penalty",
                          "Soft contact: a spring, a damper and regularised friction.",
                          model::Integrator::dopri5,
                          1e-9,
                          penalty_carries,
                          make_penalty,
                          true,
                          penalty_recognises,
                          true};

}  // namespace asperity::dynamics
