// Narrow phase of a convex shape and a plane: one contact, at the support point of the shape.
//
//   gap = (c - o) . n - h(n),   point = c - (h(n) + gap / 2) n  for a sphere, in general  lowest point - gap / 2 n          (1)
//
// o a point of the plane, n its normal, c centre of the shape, h(n) how far it reaches from c against n: its radius R; for an ellipsoid
// with semi-axes S and axes R, h = |S R^T n|, reached at c - R S^2 R^T n / h; nothing for a marker, which is its contact point itself.
#pragma once
#include "asperity/core/pose.h"
#include "asperity/geometry/pairs/touch_point.h"
#include "asperity/geometry/primitives.h"

namespace asperity::geometry {

ASPERITY_HD inline Vec3 normal_of(const HalfSpace&, const Pose& plane) { return rotate(plane.q, {0, 0, 1}); }

namespace detail {

ASPERITY_HD inline TouchPoint above_plane(const Vec3& lowest, const Vec3& normal, const Vec3& origin) {
    TouchPoint out;
    out.normal = normal;
    out.gap = dot(lowest - origin, normal);
    out.point = lowest - (0.5 * out.gap) * normal;
    return out;
}

}  // namespace detail

ASPERITY_HD inline TouchPoint touch(const Sphere& sphere, const Vec3& centre, const HalfSpace& ground, const Pose& plane) {
    const Vec3 n = normal_of(ground, plane);
    TouchPoint out;
    out.normal = n;
    out.gap = dot(centre - plane.p, n) - sphere.radius;
    out.point = centre - (sphere.radius + 0.5 * out.gap) * n;
    return out;
}

ASPERITY_HD inline TouchPoint touch(const Ellipsoid& body, const Pose& pose, const HalfSpace& ground, const Pose& plane) {
    const Vec3 n = normal_of(ground, plane), m = rotate(conjugate(pose.q), n), &s = body.semi_axes;
    const Vec3 scaled{s.x * m.x, s.y * m.y, s.z * m.z};
    const double reach = norm(scaled);
    const Vec3 down{s.x * scaled.x / reach, s.y * scaled.y / reach, s.z * scaled.z / reach};
    return detail::above_plane(pose.p - rotate(pose.q, down), n, plane.p);
}

ASPERITY_HD inline TouchPoint touch(const Marker&, const Vec3& point, const HalfSpace& ground, const Pose& plane) {
    TouchPoint out = detail::above_plane(point, normal_of(ground, plane), plane.p);
    out.point = point;
    return out;
}

}  // namespace asperity::geometry
