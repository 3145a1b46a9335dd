// Mutual gravity of two bodies in space: as points, or to second order in their sizes. Forces and torques come from one potential.
//
//   U   = -G m1 m2 / r + (3/2) G (n . D n) / r^3,      D = m2 D1 + m1 D2,      D_i = J_i - (tr J_i / 3) 1             (1)
//   F2  = -grad U = -G m1 m2 n / r^2 - G (3 D n - (15/2) (n . D n) n) / r^4,   F1 = -F2                               (2)
//   T1  = 3 G m2 n x D1 n / r^3,                       T2 = 3 G m1 n x D2 n / r^3                                     (3)
//
// r n points from the first body's centre of mass to the second's; J inertia about the centre of mass, kg m^2; T_i about the centre of
// body i. (1) is MacCullagh's formula for both bodies: with (tr J - 3 n . J n) / 2 = -(3/2) n . D n it is 3-ternary 3.4, whose plane it
// leaves. Since (2) and (3) are derivatives of (1), F1 + F2 = 0 to the bit and r n x F2 + T1 + T2 = 0 to rounding.
// The traceless D_i is used, and formed from differences of moments: for a sphere it is zero to the bit, and (1) to (3) are those of
// points.
//
// Limits: the next terms, of order (size / r)^4 relative to the first, are left out (shapes without symmetry: (size / r)^3); of two bodies
// in touch that is percents. Exact for spheres. Source: MacCullagh; Murray and Dermott, Solar System Dynamics (1999), 5.2; 3-ternary 3.4
// to 3.6. docs/theory/ternary.md
#pragma once
#include <cmath>

#include "asperity/core/host_device.h"
#include "asperity/core/quat.h"
#include "asperity/core/vec3.h"

namespace asperity::gravity {

struct MassiveBody {
    double m = 0;    // kg
    Vec3 inertia;    // principal moments, kg m^2
    Quat q_WB = {};  // from the principal axes to the world
};

struct MutualPull {
    double potential = 0;   // U, J
    Vec3 force_on_second;   // N; the first feels its opposite
    Vec3 torque_on_first;   // N m
    Vec3 torque_on_second;  // N m
};

// Moments of a homogeneous ellipsoid, kg m^2.
ASPERITY_HD constexpr Vec3 ellipsoid_inertia(double m, const Vec3& semi_axes) {
    const Vec3 square{semi_axes.x * semi_axes.x, semi_axes.y * semi_axes.y, semi_axes.z * semi_axes.z};
    return (m / 5) * Vec3{square.y + square.z, square.x + square.z, square.x + square.y};
}

ASPERITY_HD inline MutualPull point_pull(double m1, double m2, const Vec3& from_first_to_second, double gravitational_constant) {
    const double r = norm(from_first_to_second), energy = gravitational_constant * m1 * m2 / r;
    return {
        .potential = -energy, .force_on_second = (-energy / (r * r)) * from_first_to_second, .torque_on_first = {}, .torque_on_second = {}};
}

namespace detail {

// D n of (1), in the world.
ASPERITY_HD inline Vec3 traceless_times(const MassiveBody& body, const Vec3& n) {
    const Vec3& j = body.inertia;
    const Vec3 along = rotate(Quat{body.q_WB.w, -body.q_WB.x, -body.q_WB.y, -body.q_WB.z}, n);
    const Vec3 d{((j.x - j.y) + (j.x - j.z)) / 3, ((j.y - j.x) + (j.y - j.z)) / 3, ((j.z - j.x) + (j.z - j.y)) / 3};
    return rotate(body.q_WB, {d.x * along.x, d.y * along.y, d.z * along.z});
}

}  // namespace detail

ASPERITY_HD inline MutualPull second_order_pull(const MassiveBody& first, const MassiveBody& second, const Vec3& from_first_to_second,
                                                double gravitational_constant) {
    MutualPull out = point_pull(first.m, second.m, from_first_to_second, gravitational_constant);
    const double r = norm(from_first_to_second), per_cube = gravitational_constant / (r * r * r);
    const Vec3 n = from_first_to_second / r;
    const Vec3 d1 = detail::traceless_times(first, n), d2 = detail::traceless_times(second, n);
    const Vec3 d = second.m * d1 + first.m * d2;
    const double along = dot(n, d);
    out.potential += 1.5 * per_cube * along;                              // (1)
    out.force_on_second -= (per_cube / r) * (3.0 * d - 7.5 * along * n);  // (2)
    out.torque_on_first = (3 * per_cube * second.m) * cross(n, d1);       // (3)
    out.torque_on_second = (3 * per_cube * first.m) * cross(n, d2);
    return out;
}

}  // namespace asperity::gravity
