// Kicks by tides and sunlight: velocities and spins change over a time dt, positions stay.
//
//   tide of j on i:    T dt s,  F dt s,     s = min(1, |W| / (k |T| dt)),   k = t . J_i^-1 t + (1/m_i + 1/m_j) / r^2      (1)
//
// W, T, F of laws/tide.h, t = T / |T|. k is by how much W changes with the angular impulse, so that (1) ends at synchronism and never goes
// past it: the constant-angle law, which switches there, acts as dry friction does. Pairs act one after the other. Heat is -(T . W) dt s
// with W half-way through the kick: what kinetic energy loses, to rounding. Momenta do not change. Order: a kick is exact in position; half
// before and half after a step of other forces it is of order 2 in the time step, but for terms of second order in the tide itself, of
// order 1. Velocities and spins are summed with compensation where the motion has remainders: kicks are nearly the same from step to step,
// and so is what rounding takes of them; a kick of less than half an ulp would be lost for ever. Of H that is 1e-11 to 1e-10 in a million
// steps.
#pragma once
#include <cmath>

#include "asperity/dynamics/forces.h"

namespace asperity::dynamics {

inline void tide_kick(const model::Parameters& world, std::size_t i, std::size_t j, double dt, Motion& motion) {
    const model::BodyKind &body = world.bodies[i], &other = world.bodies[j];
    if (body.tidal.love_number == 0) return;
    const laws::TidalResponse tide = tide_of_pair(world, motion, i, j);
    const BodyMotion &a = motion.bodies[i], &b = motion.bodies[j];
    const laws::TidalPair pair{.separation = b.p - a.p, .velocity = b.v - a.v, .spin = a.w};
    const Vec3 rate = laws::relative_rate(pair);
    const double size = norm(rate), torque = norm(tide.torque);
    if (!(size > 0 && torque > 0)) return;
    const Vec3 axis = tide.torque / torque;
    const double mobility =
        dot(axis, inverse_inertia_times(body, a.q_WB, axis)) + (1 / body.mass + 1 / other.mass) / squared_norm(pair.separation);
    const double impulse = std::fmin(world.environment.tides.factor * torque * dt, size / mobility), part = impulse / torque;
    motion.heat[i].tide += impulse * (size - 0.5 * mobility * impulse) / body.mass;
    motion.turn(i, part * inverse_inertia_times(body, a.q_WB, tide.torque));
    motion.push(i, (-part / body.mass) * tide.force_on_companion);
    motion.push(j, (part / other.mass) * tide.force_on_companion);
}

inline void sun_kick(const model::Parameters& world, double dt, Motion& motion) {
    for (std::size_t i = 0; i < world.bodies.size(); ++i) {
        const model::BodyKind& body = world.bodies[i];
        if (body.yorp == Vec3{}) continue;
        const Vec3 change = dt * body.yorp;
        const BodyMotion &now = motion.bodies[i], half{.p = {}, .v = {}, .w = now.w + 0.5 * change, .q_WB = now.q_WB};
        motion.heat[i].work += dot(change, spin_momentum(body, half)) / body.mass;
        motion.turn(i, change);
    }
}

// All ordered pairs, then sunlight; `backwards`: the same the other way round, so that two half steps about another are symmetric.
inline void slow_kick(const model::Parameters& world, double dt, bool backwards, Motion& motion) {
    const std::size_t n = world.bodies.size();
    if (backwards) sun_kick(world, dt, motion);
    if (world.environment.tides.law != model::TideLaw::none)
        for (std::size_t k = 0; k < n * n; ++k) {
            const std::size_t at = backwards ? n * n - 1 - k : k;
            if (at / n != at % n) tide_kick(world, at / n, at % n, dt, motion);
        }
    if (!backwards) sun_kick(world, dt, motion);
}

inline bool has_slow_forces(const model::Parameters& world) {
    return world.environment.tides.law != model::TideLaw::none || world.bodies.has_sunlight();
}

}  // namespace asperity::dynamics
