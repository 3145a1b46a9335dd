// Narrow phase of a sphere and a triangle surface: the contact manifold has one point for each local minimum of the distance from its
// centre within reach.
//
//   gap = |p - q| - R,   n = (p - q) / |p - q|,   point = p - (R + gap / 2) n,      q nearest point of a facet, edge or vertex     (1)
//
// Interior edges give no contact of their own: an edge is a local minimum only where both its facets fall away from it, and minima with the
// same nearest point, as on the seam of coplanar facets, are one contact. Points behind the surface have none: a sphere whose centre has
// sunk below it is an overlap that no soft contact means, and ends the run (dynamics/watch.h).
// `part` is zero where there is one contact, else one more than the facet: it tells contacts of one instant apart.
#pragma once
#include <algorithm>
#include <cmath>
#include <span>

#include "asperity/geometry/closest.h"
#include "asperity/geometry/pairs/touch_point.h"
#include "asperity/geometry/primitives.h"

namespace asperity::geometry {

inline constexpr int most_touches_on_mesh = 8;

// Fills `out` with the contacts whose gap is below `margin`; returns how many, at most most_touches_on_mesh: the deepest ones.
inline int touch(const Sphere& sphere, const Vec3& centre, const SurfaceView& mesh, double margin, TouchPoint* out) {
    // nearest points closer together than this are one: rounding of coordinates is far below
    const double same = 1e-9 * sphere.radius;
    int count = 0;
    for_each_minimum_within(mesh, centre, sphere.radius + margin, [&](const ClosestPoint& near) {
        const bool is_rock = near.feature.kind == FeatureKind::rock;
        if (!(near.distance > 0) || (!is_rock && dot(near.offset, feature_normal(mesh, near.feature)) < 0)) return;
        for (int k = 0; k < count; ++k)
            if (squared_norm((centre - out[k].normal * (sphere.radius + out[k].gap)) - near.point) < same * same) return;
        TouchPoint found;
        found.gap = near.distance - sphere.radius;
        found.normal = near.offset / near.distance;
        found.point = centre - (sphere.radius + 0.5 * found.gap) * found.normal;
        found.facet = near.facet;
        found.part = static_cast<std::uint32_t>(near.facet) + 1;  // rocks are -2 and below: the highest numbers
        if (count < most_touches_on_mesh) {
            out[count++] = found;
        } else {
            TouchPoint* shallowest = std::max_element(out, out + count, [](const auto& a, const auto& b) { return a.gap < b.gap; });
            if (found.gap < shallowest->gap) *shallowest = found;
        }
    });
    std::sort(out, out + count, [](const TouchPoint& a, const TouchPoint& b) { return a.part < b.part; });
    if (count == 1) out[0].part = 0;
    return count;
}

}  // namespace asperity::geometry
