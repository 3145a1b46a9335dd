// The gap function of two bodies (narrow phase): gap, contact point, normal, and their rates.
//
//   spheres:      gap = |p_j - p_i| - R_i - R_j,   n = (p_i - p_j) / |p_i - p_j|,   point = p_i - (R_i + gap / 2) n        (1)
//   ellipsoids:   geometry/pairs/ellipsoid_ellipsoid.h
//   gap'   = n . u,      u velocity of the surface of i relative to that of j at the point                                 (2)
//   gap''  = n . (a_i - a_j) + |v_t|^2 / |p_i - p_j|  for spheres; for others the central difference of (2) over a time    (3)
//
// The point is the middle of the gap (of the overlap where it is negative): both bodies are acted on there, so that forces which are equal
// and opposite leave angular momentum alone. With it (2) is exact for ellipsoids too: points and normal that move along the surfaces do
// not change the gap, which is largest in n. A force n f at the point is therefore the gradient of the energy of the gap in all
// coordinates. The time of (3) is that in which the pair moves by 1e-5 of its size: good to 1e-10 of the terms.
#pragma once
#include <cmath>
#include <cstddef>
#include <limits>

#include "asperity/dynamics/motion.h"
#include "asperity/dynamics/pair_modes.h"
#include "asperity/geometry/pairs/ellipsoid_ellipsoid.h"

namespace asperity::dynamics {

struct PairGap {
    double gap = 0;  // m, negative: overlap
    Vec3 normal;     // unit, from body j towards body i
    Vec3 point;      // m
};

// `guess` is a warm start: the normal of the same pair at most a step away; the zero vector means none. What must follow from State alone
// must not depend on the normal of an earlier step.
inline PairGap gap_of(const model::BodyKind& first, const model::BodyKind& second, const BodyMotion& a, const BodyMotion& b,
                      const Vec3& guess = {}) {
    PairGap out;
    if (first.is_sphere() && second.is_sphere()) {
        const Vec3 apart = a.p - b.p;
        const double r = norm(apart), radius = first.semi_axes.x;
        out.gap = r - (radius + second.semi_axes.x);
        out.normal = apart / r;
        out.point = a.p - (radius + 0.5 * out.gap) * out.normal;
        return out;
    }
    const geometry::EllipsoidGap gap = geometry::ellipsoid_gap({a.p, first.semi_axes, a.q_WB}, {b.p, second.semi_axes, b.q_WB}, guess);
    return {.gap = gap.gap, .normal = gap.normal, .point = 0.5 * (gap.on_first + gap.on_second)};
}

inline PairGap pair_gap(const model::Parameters& world, std::size_t i, std::size_t j, const Motion& motion, const Vec3& guess = {}) {
    return gap_of(world.bodies[i], world.bodies[j], motion.bodies[i], motion.bodies[j], guess);
}

inline Vec3 slip_of_bodies(const BodyMotion& a, const BodyMotion& b, const Vec3& point) {
    return (a.v + cross(a.w, point - a.p)) - (b.v + cross(b.w, point - b.p));
}

// Velocity of body i relative to body j where they touch.
inline Vec3 slip_at(const Motion& motion, std::size_t i, std::size_t j, const Vec3& point) {
    return slip_of_bodies(motion.bodies[i], motion.bodies[j], point);
}

// (2), positive: parting.
inline double parting_speed(const Motion& motion, std::size_t i, std::size_t j, const PairGap& gap) {
    return dot(slip_at(motion, i, j, gap.point), gap.normal);
}

// The distance of the centres of a touching pair, the scale of small gaps: rounding of positions is far below 1e-12 of it.
inline double touch_distance(const model::Parameters& world, std::size_t i, std::size_t j) {
    return world.bodies[i].mean_radius() + world.bodies[j].mean_radius();
}
inline double touch_grace(const model::Parameters& world, std::size_t i, std::size_t j) { return 1e-12 * touch_distance(world, i, j); }

// The longest step, at most h, in which no open pair can touch and part, or go through one another, between two looks at its gap: in it
//   s h + G (m_i + m_j) h^2 / (2 r^2) <= a quarter of the sum of the least radii,   or   no more than 2/3 of the gap           (4)
// s is the speed of centres and of the farthest points, relative. Steps of ordinary encounters are far below it. is_open(i, j).
template <class IsOpen>
double safe_step(const model::Parameters& world, const Motion& motion, double h, const IsOpen& is_open) {
    const std::size_t n = world.bodies.size();
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i + 1; j < n; ++j) {
            const model::BodyKind &first = world.bodies[i], &second = world.bodies[j];
            const BodyMotion &a = motion.bodies[i], &b = motion.bodies[j];
            const double r2 = squared_norm(a.p - b.p), quarter = 0.25 * (first.least_radius() + second.least_radius());
            const double half_pull = 0.5 * world.environment.mutual.constant * (first.mass + second.mass) / r2;
            double speed = norm(a.v - b.v);
            if (!first.is_sphere()) speed += first.reach() * norm(a.w);
            if (!second.is_sphere()) speed += second.reach() * norm(b.w);
            if (!((speed + half_pull * h) * h > quarter) || !is_open(i, j)) continue;
            const double way = std::fmax(quarter, (std::sqrt(r2) - first.reach() - second.reach()) / 1.5);
            h = std::fmin(h, 2 * way / (speed + std::sqrt(speed * speed + 4 * half_pull * way)));  // s h + half_pull h^2 = way
        }
    return h;
}

struct BodyAcceleration {
    Vec3 linear;   // m/s^2
    Vec3 angular;  // rad/s^2, without the gyroscopic part of an ellipsoid
};

namespace detail {

// What w' is besides: -J^-1 (w x J w).
inline Vec3 gyroscopic(const model::BodyKind& body, const BodyMotion& motion) {
    if (body.is_sphere()) return {};
    return inverse_inertia_times(body, motion.q_WB, -cross(motion.w, spin_momentum(body, motion)));
}

inline BodyMotion moved(const BodyMotion& body, const Vec3& a, const Vec3& turn, double dt) {
    return {.p = body.p + dt * body.v + (0.5 * dt * dt) * a,
            .v = body.v + dt * a,
            .w = body.w + dt * turn,
            .q_WB = rotation(dt * body.w + (0.5 * dt * dt) * turn) * body.q_WB};
}

// The rate of value(slip, gap) while both bodies go on with their accelerations, by the central difference over the time of (3).
template <class Value>
auto rate_of_contact(const model::BodyKind& first, const model::BodyKind& second, const BodyMotion& a, const BodyMotion& b,
                     const BodyAcceleration& of_a, const BodyAcceleration& of_b, const Value& value) {
    const double r = norm(a.p - b.p);
    const Vec3 turn_a = of_a.angular + gyroscopic(first, a), turn_b = of_b.angular + gyroscopic(second, b);
    const double rate2 = squared_norm(a.v - b.v) / (r * r) + squared_norm(a.w) + squared_norm(b.w) + norm(turn_a) + norm(turn_b) +
                         norm(of_a.linear - of_b.linear) / r;
    const Vec3 normal = gap_of(first, second, a, b).normal;
    const auto after = [&](double t) {
        const BodyMotion x = moved(a, of_a.linear, turn_a, t), y = moved(b, of_b.linear, turn_b, t);
        const PairGap gap = gap_of(first, second, x, y, normal);
        return value(slip_of_bodies(x, y, gap.point), gap);
    };
    if (!(rate2 > 0)) return decltype(after(0)){};
    const double dt = 1e-5 / std::sqrt(rate2);
    return (after(dt) - after(-dt)) / (2 * dt);
}

}  // namespace detail

// (3)
inline double gap_acceleration(const model::Parameters& world, const Motion& motion, std::size_t i, std::size_t j,
                               const BodyAcceleration& of_i, const BodyAcceleration& of_j) {
    const model::BodyKind &first = world.bodies[i], &second = world.bodies[j];
    const BodyMotion &a = motion.bodies[i], &b = motion.bodies[j];
    const Vec3 apart = a.p - b.p;
    const double r = norm(apart);
    if (first.is_sphere() && second.is_sphere())
        return dot(apart / r, of_i.linear - of_j.linear) + squared_norm(tangential(a.v - b.v, apart / r)) / r;
    return detail::rate_of_contact(first, second, a, b, of_i, of_j,
                                   [](const Vec3& slip, const PairGap& gap) { return dot(slip, gap.normal); });
}

// The rate of the slip across the normal, of bodies in touch:
//   u' = a_i - a_j - (R_i w_i + R_j w_j) x n' - (R_i w_i' + R_j w_j') x n,   n' = (v_i - v_j)_t / r,   for spheres; for others as (3) (5)
inline Vec3 slip_acceleration(const model::Parameters& world, const Motion& motion, std::size_t i, std::size_t j,
                              const BodyAcceleration& of_i, const BodyAcceleration& of_j) {
    const model::BodyKind &first = world.bodies[i], &second = world.bodies[j];
    const BodyMotion &a = motion.bodies[i], &b = motion.bodies[j];
    if (!first.is_sphere() || !second.is_sphere())
        return detail::rate_of_contact(first, second, a, b, of_i, of_j,
                                       [](const Vec3& slip, const PairGap& gap) { return tangential(slip, gap.normal); });
    const Vec3 apart = a.p - b.p;
    const double r = norm(apart), ri = first.semi_axes.x, rj = second.semi_axes.x;
    const Vec3 n = apart / r, turning = tangential(a.v - b.v, n) / r;
    return tangential((of_i.linear - of_j.linear) - cross(ri * a.w + rj * b.w, turning) - cross(ri * of_i.angular + rj * of_j.angular, n),
                      n);
}

// The rate of the normal of bodies in touch, 1/s.
inline Vec3 normal_rate(const model::Parameters& world, const Motion& motion, std::size_t i, std::size_t j) {
    const model::BodyKind &first = world.bodies[i], &second = world.bodies[j];
    const BodyMotion &a = motion.bodies[i], &b = motion.bodies[j];
    if (!first.is_sphere() || !second.is_sphere())
        return detail::rate_of_contact(first, second, a, b, {}, {}, [](const Vec3&, const PairGap& gap) { return gap.normal; });
    const Vec3 apart = a.p - b.p;
    const double r = norm(apart);
    return tangential(a.v - b.v, apart / r) / r;
}

}  // namespace asperity::dynamics
