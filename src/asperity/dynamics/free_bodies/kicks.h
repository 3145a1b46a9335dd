// Tides and sunlight on free spheres as kicks: velocities and spins change in place, over a time dt.
//
//   tide of j on i:    T dt s,  F dt s,     s = min(1, |W| / (k |T| dt)),   k = 1/I_i + (1/m_i + 1/m_j) / r^2            (1)
//
// W, T, F of laws/tide.h. k is by how much W changes with the angular impulse, so that (1) ends at synchronism and never goes past it: the
// constant-angle law, which switches there, acts as dry friction does. Pairs act one after the other. Heat is -(T . W) dt s with W half-way
// through the kick: what kinetic energy loses, to rounding. Momenta do not change. Order: a kick is exact in position; half before and half
// after a step of other forces it is of order 2 in the time step, but for terms of second order in the tide itself, of order 1.
#pragma once
#include <cmath>

#include "asperity/dynamics/free_bodies/forces.h"

namespace asperity::dynamics::free_bodies {

inline void tide_kick(const model::FreeBodies& world, std::size_t i, std::size_t j, double dt, Motion& motion) {
    const model::FreeBody &body = world.bodies[i], &other = world.bodies[j];
    if (body.love_number == 0) return;
    const laws::TidalResponse tide = tide_of_pair(world, motion, i, j);
    BodyMotion &a = motion.bodies[i], &b = motion.bodies[j];
    const laws::TidalPair pair{.separation = b.p - a.p, .velocity = b.v - a.v, .spin = a.w};
    const Vec3 rate = laws::relative_rate(pair);
    const double size = norm(rate), torque = norm(tide.torque);
    if (!(size > 0 && torque > 0)) return;
    const double mobility = 1 / body.inertia.x + (1 / body.mass + 1 / other.mass) / squared_norm(pair.separation);
    const double impulse = std::fmin(world.tide_factor * torque * dt, size / mobility), part = impulse / torque;
    motion.heat[i].tide += impulse * (size - 0.5 * mobility * impulse) / body.mass;
    a.w += (part / body.inertia.x) * tide.torque;
    a.v -= (part / body.mass) * tide.force_on_companion;
    b.v += (part / other.mass) * tide.force_on_companion;
}

inline void sun_kick(const model::FreeBodies& world, double dt, Motion& motion) {
    for (std::size_t i = 0; i < world.bodies.size(); ++i) {
        const model::FreeBody& body = world.bodies[i];
        if (body.yorp == Vec3{}) continue;
        const Vec3 change = dt * body.yorp;
        motion.heat[i].work += (body.inertia.x / body.mass) * dot(change, motion.bodies[i].w + 0.5 * change);
        motion.bodies[i].w += change;
    }
}

// All ordered pairs, then sunlight; `backwards`: the same the other way round, so that two half steps about another are symmetric.
inline void slow_kick(const model::FreeBodies& world, double dt, bool backwards, Motion& motion) {
    const std::size_t n = world.bodies.size();
    if (backwards) sun_kick(world, dt, motion);
    if (world.tide != model::TideLaw::none)
        for (std::size_t k = 0; k < n * n; ++k) {
            const std::size_t at = backwards ? n * n - 1 - k : k;
            if (at / n != at % n) tide_kick(world, at / n, at % n, dt, motion);
        }
    if (!backwards) sun_kick(world, dt, motion);
}

inline bool has_slow_forces(const model::FreeBodies& world) {
    bool has = world.tide != model::TideLaw::none;
    for (const model::FreeBody& body : world.bodies) has = has || !(body.yorp == Vec3{});
    return has;
}

}  // namespace asperity::dynamics::free_bodies
