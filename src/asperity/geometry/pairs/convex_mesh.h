// Narrow phase of a convex body and a triangle surface, closed or open, convex or not: one merged contact manifold.
//
// Two kinds of contact, each found where it is exact:
//   low points of the body (convex.h) under a facet: the normal is that of the facet, the gap the height over its plane        (1)
//   edges and corners of the surface that stand out, against the body: normal and gap of convex_gap.h                      (2)
// A point below the surface belongs to the nearest facet that the body is not wholly behind of, so that none pushes it out sideways; one
// above it to the facets over which it stands. In a valley the nearest may be an edge: then the normal points from the point to it.
// Interior edges give no ghost contacts: an edge between facets that lie in one plane (to 1e-6 of a radian), or in a valley, is no edge of
// (2), and of those that stand out only normals count from which both facets fall away (to 1e-9 of a radian; for faces of the body that
// rock on them to 0.1). Where nothing else touches (sharp wedges that have just met), the edge that has the best normal of its own counts.
// The surface has one side: what has sunk in by more than its own reach is not seen. Rocks on the surface are spheres, and convex bodies.
// `part`: the low point's number; else edge or vertex of the surface. Points of one normal are reduced to four.
#pragma once
#include "asperity/geometry/closest.h"
#include "asperity/geometry/convex.h"
#include "asperity/geometry/pairs/touch_point.h"

namespace asperity::geometry {

inline constexpr int most_touches_of_convex_on_mesh = 16;

// Fills `out` with the contacts whose gap is below `margin`, the deepest ones if there are more than fit; returns how many.
int touch(const Convex& body, const SurfaceView& mesh, double margin, TouchPoint* out);

}  // namespace asperity::geometry
