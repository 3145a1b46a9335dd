// The gap between two free bodies, and where they would touch.
//
//   spheres:   gap = |p_j - p_i| - R_i - R_j,   n = (p_i - p_j) / |p_i - p_j|,   point = p_i - (R_i + gap / 2) n           (1)
//
// The point is the middle of the gap (of the overlap where it is negative): both bodies are acted on there, so that forces which are equal
// and opposite leave angular momentum alone.
#pragma once
#include <cstddef>

#include "asperity/dynamics/free_bodies/motion.h"

namespace asperity::dynamics::free_bodies {

struct PairGap {
    double gap = 0;  // m, negative: overlap
    Vec3 normal;     // unit, from body j towards body i
    Vec3 point;      // m
};

inline PairGap pair_gap(const model::FreeBodies& world, std::size_t i, std::size_t j, const Motion& motion) {
    const Vec3 apart = motion.bodies[i].p - motion.bodies[j].p;
    const double r = norm(apart), radius = world.bodies[i].semi_axes.x;
    PairGap out;
    out.gap = r - (radius + world.bodies[j].semi_axes.x);
    out.normal = apart / r;
    out.point = motion.bodies[i].p - (radius + 0.5 * out.gap) * out.normal;
    return out;
}

// Velocity of body i relative to body j where they touch.
inline Vec3 slip_at(const Motion& motion, std::size_t i, std::size_t j, const Vec3& point) {
    const BodyMotion &a = motion.bodies[i], &b = motion.bodies[j];
    return (a.v + cross(a.w, point - a.p)) - (b.v + cross(b.w, point - b.p));
}

}  // namespace asperity::dynamics::free_bodies
