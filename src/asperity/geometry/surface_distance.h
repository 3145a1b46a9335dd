// The distance between two surfaces (one-sided rms and Hausdorff distance): a measure of a fit that does not depend on a parametrisation.
//
//   rms = (sum_f A_f (d_1^2 + d_2^2 + d_3^2) / 3 / sum_f A_f)^(1/2),   largest = max d                       (1)
//
// d: distance, from the middles of the three sides of each facet to the other surface (exact where d^2 is quadratic on the facet); for the
// largest also from the vertices. From one to the other and back are two different things: give both.
#pragma once
#include "asperity/geometry/mesh.h"

namespace asperity::geometry {

struct SurfaceDistance {
    double rms = 0;      // m
    double largest = 0;  // m
};

SurfaceDistance surface_distance(const SurfaceMesh& from, const SurfaceMesh& to);

}  // namespace asperity::geometry
