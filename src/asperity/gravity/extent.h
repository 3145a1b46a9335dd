// How a field acts on a rigid body of finite size: as on six points with its mass, centre of mass and moments of inertia.
//
//   x_k = +-sqrt(3 P_k / m) along the principal axis k, m/6 each;     P_k = tr(J) / 2 - J_k, second moment along k            (1)
//   F = (m/6) sum a(p + x_k),   T = (m/6) sum x_k x a(p + x_k),   U = (m/6) sum Phi(p + x_k)                                 (2)
//
// (1) has the same second moments as the body, so that (2) agrees with MacCullagh's formula,
//   U = m Phi + tr(P H) / 2,   T_i = -eps_ijk (J G)_jk         H: second derivatives of Phi, G = -H: gradient of a            (3)
// up to terms of relative order (size / distance)^2. F, T and U belong to one potential: energy and angular momentum are those of a
// system of points, exactly, whatever the field and its derivatives are. The face centres of a box are its six points.
// All functions give what is to be added to m a(p), m Phi(p). With t -> frames that turn by R: T is that of gravity alone, since Euler's
// equation has the rest (dynamics/smooth_world.h, 2); U has the centrifugal potential -R J R / 2 too.
// Limits: terms beyond the second order are those of the points, not of the body. Source: MacCullagh; Schaub and Junkins, Analytical
// Mechanics of Space Systems (2003), 4.4.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>

#include "asperity/gravity/mutual.h"
#include "asperity/gravity/uniform.h"

namespace asperity::gravity {

// Of (1), one of each pair, in the world.
inline std::array<Vec3, 3> points_of_extent(const MassiveBody& body) {
    const Vec3& j = body.inertia;
    const auto arm = [&](double along, double one, double other) { return std::sqrt(std::max(0.0, 1.5 * (one + other - along) / body.m)); };
    return {rotate(body.q_WB, Vec3{arm(j.x, j.y, j.z), 0, 0}), rotate(body.q_WB, Vec3{0, arm(j.y, j.z, j.x), 0}),
            rotate(body.q_WB, Vec3{0, 0, arm(j.z, j.x, j.y)})};
}

struct ExtentPull {
    Vec3 force;        // N
    Vec3 torque;       // N m
    double power = 0;  // W, of what moves in the frame
};

// `rate`: of the frame, rad/s.
template <class Field>
ExtentPull pull_on_extent(const Field& field, const MassiveBody& body, const Vec3& p, const Vec3& v, double time, const Vec3& rate) {
    const Drive centre = field.drive(p, v, time);
    ExtentPull sum;
    for (const Vec3& arm : points_of_extent(body))
        for (const Vec3& x : {arm, -arm}) {
            const Drive there = field.drive(p + x, v, time);
            const Vec3 more = body.m / 6 * (there.acceleration - centre.acceleration);
            sum.force += more;
            sum.torque += cross(x, more + body.m / 6 * cross(rate, cross(rate, x)));
            sum.power += body.m / 6 * (there.power - centre.power);
        }
    return sum;
}

// J.
template <class Field>
double energy_of_extent(const Field& field, const MassiveBody& body, const Vec3& p, double time) {
    const double centre = field.potential(p, time);
    double sum = 0;
    for (const Vec3& arm : points_of_extent(body))
        for (const Vec3& x : {arm, -arm}) sum += body.m / 6 * (field.potential(p + x, time) - centre);
    return sum;
}

}  // namespace asperity::gravity
