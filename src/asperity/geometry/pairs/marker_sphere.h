// Narrow phase of a marker, a single point of a body, and a sphere: a foot on a boulder.
//
//   gap = |q - p| - R,   n = (q - p) / |q - p|,   point = q                                                                (1)
//
// q the marker, p the centre and R the radius of the sphere.
#pragma once
#include "asperity/geometry/pairs/touch_point.h"
#include "asperity/geometry/primitives.h"

namespace asperity::geometry {

ASPERITY_HD inline TouchPoint touch(const Marker&, const Vec3& marker, const Sphere& sphere, const Vec3& centre) {
    TouchPoint out;
    const Vec3 apart = marker - centre;
    const double r = norm(apart);
    out.gap = r - sphere.radius;
    out.normal = apart / r;
    out.point = marker;
    return out;
}

}  // namespace asperity::geometry
