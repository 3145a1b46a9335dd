// Narrow phase of two spheres: one contact, on the line of centres.
//
//   gap = |p_1 - p_2| - R_1 - R_2,   n = (p_1 - p_2) / |p_1 - p_2|,   point = p_1 - (R_1 + gap / 2) n                    (1)
#pragma once
#include "asperity/geometry/pairs/touch_point.h"
#include "asperity/geometry/primitives.h"

namespace asperity::geometry {

ASPERITY_HD inline TouchPoint touch(const Sphere& first, const Vec3& p1, const Sphere& second, const Vec3& p2) {
    TouchPoint out;
    const Vec3 apart = p1 - p2;
    const double r = norm(apart);
    out.gap = r - (first.radius + second.radius);
    out.normal = apart / r;
    out.point = p1 - (first.radius + 0.5 * out.gap) * out.normal;
    return out;
}

}  // namespace asperity::geometry
