// The features of a model, counted once: methods decide by this alone what they carry, and the program which metrics there are.
#pragma once
#include "asperity/model/model.h"

namespace asperity::model {

struct Census {
    std::size_t bodies = 0;  // that move
    bool has_only_spheres = true;
    std::size_t driven = 0;                  // bodies that are moved along a given course, and can be touched
    bool has_groups = false;                 // groups of many bodies, whose heat is tallied together
    bool has_colliders = false;              // a body touches with something else than the sphere or ellipsoid that it is
    bool has_ground = false;                 // a collider stands still in the frame of the run, or is driven
    bool has_ground_mesh = false;            // the ground is one triangle surface
    bool is_turning = false;                 // the frame of the run turns
    bool has_friction = false;               // friction, rolling or spinning resistance acts between some two materials
    bool has_stiffness = false;              // every law has a spring
    bool has_hertz = false;                  // a law with a force that is not linear in the overlap
    bool has_static_friction = false;        // a law has two coefficients of friction, at rest and in motion
    bool has_named_rolling_law = false;      // a law is "thesis" or "published", which rigid contact alone has
    bool has_named_restitution_law = false;  // bodies that are no balls hit each other with friction by a law other than "stronge"
    bool has_slip_speed = false;             // every law that has friction has a slip speed, or springs in its place
    bool has_soft_forces = false;            // a law of laws/contact/soft_forces.h acts
    bool has_force_of_soft_contact = false;  // one of them is a force that rigid contact does not have
    bool has_field = false;                  // a field of gravity besides that of the bodies on each other
    bool has_sources = false;                // the field is the sum of several
    bool has_companion = false;              // the field is that of two bodies that orbit each other
    bool has_mutual_gravity = false;
    bool has_tides = false;
    bool has_sunlight = false;
    bool has_cables = false;
    bool has_joints = false;
    bool has_joint_limits = false;  // stops of what a joint leaves free
    bool has_rate_motors = false;   // a motor that brings a rate about
    bool has_loads = false;
    bool has_engines = false;
    bool has_propellant = false;       // an engine burns propellant
    bool wants_contact_force = false;  // a signal is the force of contacts on a body
    bool wants_joint_force = false;    // a signal is the force or torque of a joint
};

// Whether a name, a guard or a controller has such a signal.
bool has_signal(const Parameters& world, SignalKind kind);

inline Census census_of(const Model& model) {
    const Parameters& p = model.parameters;
    const gravity::SmallBody* small_body = model::small_body(p.environment);
    const auto every_law = [&](auto has) { return std::ranges::all_of(p.laws.laws, has); };
    return {
        .bodies = p.bodies.size(),
        .has_only_spheres = p.bodies.has_only_spheres(),
        .driven = p.driven.size(),
        .has_groups = p.bodies.has_groups(),
        .has_colliders = std::ranges::any_of(p.bodies.kinds, [](const BodyKind& body) { return !body.colliders.empty(); }),
        .has_ground = !p.ground.empty() || !p.driven.empty(),
        .has_ground_mesh = p.ground.size() == 1 && std::holds_alternative<MeshShape>(p.ground.front().shape),
        .is_turning = frame_rate(p.environment) != 0,
        .has_friction = p.laws.has_friction(),
        .has_stiffness = every_law([](const laws::PairLaw& law) { return law.has_stiffness(); }),
        .has_hertz = std::ranges::any_of(p.laws.laws, [](const laws::PairLaw& law) { return law.normal_law == laws::NormalLaw::hertz; }),
        .has_static_friction = std::ranges::any_of(p.laws.laws, &laws::PairLaw::sticks_more),
        .has_named_rolling_law = std::ranges::any_of(
            p.laws.laws, [](const laws::PairLaw& law) { return law.has_friction() && law.rolling_law != laws::RollingLaw::coupled; }),
        .has_named_restitution_law =
            std::ranges::any_of(p.bodies.kinds, [](const BodyKind& body) { return !body.is_sphere() || !body.colliders.empty(); }) &&
            std::ranges::any_of(p.laws.laws,
                                [](const laws::PairLaw& law) {
                                    return law.friction > 0 && law.restitution > 0 && law.restitution_law != laws::RestitutionLaw::stronge;
                                }),
        .has_slip_speed = every_law([](const laws::PairLaw& law) { return !law.has_friction() || law.slip_speed > 0 || law.holds(); }),
        .has_soft_forces = std::ranges::any_of(p.laws.laws, [](const laws::PairLaw& law) { return laws::any_acts(law.forces); }),
        .has_force_of_soft_contact =
            std::ranges::any_of(p.laws.laws, [](const laws::PairLaw& law) { return laws::any_is_soft_alone(law.forces); }),
        .has_field = has_field(p.environment),
        .has_sources = std::holds_alternative<Sources>(p.environment.field),
        .has_companion = small_body != nullptr && small_body->has_companion,
        .has_mutual_gravity = p.environment.mutual.constant > 0,
        .has_tides = p.environment.tides.law != TideLaw::none,
        .has_sunlight = p.bodies.has_sunlight(),
        .has_cables = !p.cables.empty(),
        .has_joints = !p.joints.empty(),
        .has_joint_limits =
            std::ranges::any_of(p.joints, [](const Joint& joint) { return joint.turn.is_limited() || joint.travel.is_limited(); }),
        .has_rate_motors = std::ranges::any_of(p.joints, [](const Joint& joint) { return joint.motor && joint.motor->rate; }),
        .has_loads = !p.loads.empty(),
        .has_engines = !p.engines.empty(),
        .has_propellant = std::ranges::any_of(p.engines, &Engine::has_tank),
        .wants_contact_force = has_signal(p, SignalKind::contact_force),
        .wants_joint_force = has_signal(p, SignalKind::joint_force) || has_signal(p, SignalKind::joint_torque)};
}

// The census of one phase: it has no cables if every way into the phase has cut all of them.
Census census_of(const Model& model, std::size_t phase);

}  // namespace asperity::model
