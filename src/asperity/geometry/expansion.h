// How deep two convex cores overlap: the shortest translation that parts them, by expanding a polytope inside A - B.
//
//   depth = min over unit n of h(n),   h(n) = max of n . x over A - B                                                      (1)
//   d_f <= depth <= h(n_f)   for the face f of a polytope inside A - B that is nearest to the origin                       (2)
//
// Faces whose support point lies beyond them are replaced by those over the rim of what that point sees, nearest face first. d_f is signed:
// the origin need not lie inside the polytope, nor inside A - B, so that cores that touch to rounding need no case of their own. Whatever
// rounding does to a sliver, the answer is the least h(n) of all n that were looked at: an upper bound of the depth always.
// Polytopes end where a face of A - B is found; round cores where (2) closes to `depth_tolerance`.
// Source: van den Bergen, Game Developers Conference (2001); (2003) 4.3.8. At least one core must have a volume.
#pragma once
#include "asperity/geometry/gjk.h"

namespace asperity::geometry {

struct Overlap {
    Vec3 outward;      // unit, n of (1): A - B ends there first
    double depth = 0;  // m, h(n); negative: the cores are apart
    Simplex face;      // of the polytope: three points, with the weights of the foot of the origin
};

inline constexpr double depth_tolerance = 1e-6;  // of the size of A - B; Newton's method goes on from there (convex_gap.h)

Overlap expand(const Convex& a, const Convex& b);

}  // namespace asperity::geometry
