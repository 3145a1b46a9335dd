// Ray casting: the nearest and the farthest intersection of a ray with a triangle surface.
//
//   p = o + t d,  t = a . (b x c) / (d . (a x b + b x c + c x a)),  t > 0                                  (1)
//
// a, b, c: corners of a facet from the origin o of the ray; d its direction, of any length. The three terms in the denominator are computed
// alike for both facets of an edge, so that no ray slips between two.
#pragma once
#include <cmath>

#include "asperity/core/vec3.h"
#include "asperity/geometry/mesh.h"

namespace asperity::geometry {

struct RayHits {
    double nearest = HUGE_VAL;  // t, in lengths of d
    double farthest = -1;       // negative: the ray meets nothing
};

RayHits cast_ray(const SurfaceMesh& mesh, const Vec3& origin, const Vec3& direction);

}  // namespace asperity::geometry
