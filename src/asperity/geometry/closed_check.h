// Checks whether a mesh bounds one solid, as the shape of an asteroid must: watertight, two-manifold, oriented outwards, without
// self-intersection.
//
//   edges      each has two facets, which walk it in opposite directions
//   vertices   the facets at each form one fan; no two vertices stand at the same place
//   shells     one
//   volume     positive, and not lost in the rounding of its own sum: V > 2^-40 D^3, with D the diagonal of the bounding box       (1)
//   contact    two facets have only what they share in common: nothing, a vertex or an edge                                         (2)
//
// (2) is decided exactly (exact_sign.h) for the pairs whose boxes overlap, found through a BVH. Cost: O(n log n + k) for n facets and k
// such pairs, about 10 n on a surface. Facets are named by line where the mesh comes from a text, by number from 1 otherwise; ten at most.
#pragma once
#include <string>
#include <vector>

#include "asperity/geometry/mesh.h"
#include "asperity/geometry/raw_mesh.h"

namespace asperity::geometry {

// All that is wrong, in the order above; volume and contact are looked at where the rest is right. Empty: the mesh bounds a solid.
// Where the size is odd for an asteroid, the last problem says so in its note: a wrong unit is a common cause.
std::vector<Problem> closed_problems(const RawMesh& mesh);

// make_surface for a mesh that must bound a solid. Throws InputError with closed_problems.
SurfaceMesh make_closed_surface(RawMesh mesh);

// "the shape is 0.594 m across: are these kilometres?"; empty for a diagonal between 50 m and 10,000 km.
std::string unit_hint(const RawMesh& mesh);

}  // namespace asperity::geometry
