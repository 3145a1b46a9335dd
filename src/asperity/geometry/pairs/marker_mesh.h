// Narrow phase of a marker, a single point of a body, and a triangle surface: one contact at the nearest point, with the depth below it as
// overlap.
//
//   gap = signed distance,   n outward at the nearest point,   point = q                                                       (1)
//
// q the marker: a point has nothing that could give way, so that the force acts on it, and not half an overlap above.
// A point outside has the direction from the surface as its normal; below it the opposite, and at the surface itself that of the feature.
#pragma once
#include "asperity/geometry/closest.h"
#include "asperity/geometry/pairs/touch_point.h"
#include "asperity/geometry/primitives.h"

namespace asperity::geometry {

// Returns 1 and fills `out` where the gap is below `margin`, else 0. `depth`: how far below the surface a marker still counts, m.
inline int touch(const Marker&, const Vec3& marker, const SurfaceView& mesh, double margin, double depth, TouchPoint* out) {
    const ClosestPoint near = nearest_within(mesh, marker, std::fmax(margin, depth));
    if (!near.found()) return 0;
    const Vec3 outward =
        near.feature.kind == FeatureKind::rock ? unit(marker - mesh.rocks.centres[near.feature.index]) : feature_normal(mesh, near.feature);
    const bool is_below = dot(near.offset, outward) < 0;
    out->gap = is_below ? -near.distance : near.distance;
    if (!(out->gap < margin)) return 0;
    out->normal = near.feature.kind == FeatureKind::facet || !(near.distance > 0) ? outward : (1 / out->gap) * near.offset;
    out->point = marker;
    out->facet = near.facet;
    return 1;
}

}  // namespace asperity::geometry
