// Gap and normal of two convex bodies, apart or overlapping, spheres to hulls.
//
//   s(n) = n . (a(-n) - b(n)),   gap = max over unit n of s(n) - rounding_a - rounding_b                                    (1)
//
// a(d), b(d): support points of the cores. s(n) is the width of the slab across n that parts them; negative, the overlap along n. A search
// finds the region (gjk.h apart, expansion.h overlapping), then all directions that could be the maximum are compared by (1) itself:
//   - normals of the faces, caps and bases that are nearest, and of the triangle that the search ended with: exact for polytopes;
//   - for cylinders and cones the maximum of s over the sphere, over the circles of normals of a side or an edge, and where two such
//   circles
//     cross, by Newton's method:
//       (B_a + B_b + s 1) d = (a - b)_t,   B = bend t t^T of each rim                                                     (2)
//       s'(phi) = (a - b) . n',   s''(phi) = (a - b) . n'' - n' . (B_a + B_b) n'   on a circle n(phi)                     (3)
// s is stationary at its maximum: the gap is good to rounding of the coordinates, and the normal of a flat or an edge is that of the shape,
// to the last bit, also where the bodies only just touch. Apart, the maximum is unique; overlapping, -gap is the shortest translation that
// parts them; where two are equally long, one of them is taken.
// Source: Minkowski's support function, Schneider, Convex Bodies (2014), 1.7.
#pragma once
#include "asperity/geometry/convex.h"

namespace asperity::geometry {

enum class Reference : std::uint8_t { none, of_a, of_b };

struct ConvexGap {
    double gap = 0;                         // m
    Vec3 normal;                            // unit, from b to a
    Reference reference = Reference::none;  // whose face, cap or base has this normal
    Vec3 apart;  // m, what the search found for the nearest points of the cores, on_a - on_b: an upper bound of their distance
};

ConvexGap convex_gap(const Convex& a, const Convex& b);

}  // namespace asperity::geometry
