#include "asperity/dynamics/event_driven/event_driven.h"

#include "asperity/dynamics/event_driven/event_driven_of.h"

namespace asperity::event_driven {
namespace {

std::string carries(const model::Census& census, const model::Phase& phase) {
    if (!census.has_ground && census.has_mutual_gravity)
        return "event-driven carries a ball on a surface, not free bodies: take constraint or penalty";
    if (phase.integrator != model::Integrator::dopri5 && phase.integrator != model::Integrator::rk4)
        return "event-driven needs dopri5 or rk4: friction depends on velocity, where splitting steps lose their order";
    if (phase.integrator == model::Integrator::rk4 && !std::isfinite(phase.step_max)) return "rk4 has a fixed step: set step_max";
    if (!census.has_ground) return "event-driven needs a surface";
    if (census.has_sources) return "event-driven carries one uniform field, or one or two bodies that attract: take penalty";
    if (census.driven > (census.has_companion ? 1 : 0))
        return "event-driven knows no contact with bodies whose motion is given: take penalty";
    if (!census.has_ground_mesh) return "event-driven needs ground that is one triangle surface: take penalty";
    if (census.bodies != 1) return fmt::format("event-driven carries one body that moves, the world has {}: take penalty", census.bodies);
    if (census.has_colliders) return "event-driven carries a sphere that touches as such: colliders need penalty";
    if (census.has_cables || census.has_engines) return "event-driven carries neither cables nor engines: take penalty";
    if (census.has_joints || census.has_loads) return "event-driven carries neither joints nor loads: take penalty, impulse or dvi";
    if (!census.has_only_spheres) return "event-driven carries a sphere: ellipsoids need penalty";
    if (census.has_static_friction)
        return "event-driven has one coefficient of friction, at rest and in motion: take penalty, or leave static_friction out";
    if (census.has_force_of_soft_contact) return "event-driven is rigid contact, without forces that act over an overlap: take penalty";
    return {};
}

constexpr model::OutcomeKind recognised[] = {model::OutcomeKind::rest, model::OutcomeKind::escaped, model::OutcomeKind::companion};

std::unique_ptr<Method> make(const model::Model& model, const model::Phase& phase) {
    if (std::holds_alternative<gravity::SmallBody>(model.parameters.environment.field)) return make_for_small_body(model, phase);
    return std::make_unique<EventDriven<gravity::Uniform>>(model, phase);
}

}  // namespace

const dynamics::MethodEntry method{
    "event-driven",
    "Rigid contact of a sphere with the ground: impacts, slips, stops and partings are located as events, to rounding.",
    model::Integrator::dopri5,
    1e-12,
    carries,
    make,
    false,
    recognised};

}  // namespace asperity::event_driven
