// Area, volume and centre of mass of a surface and of the homogeneous solid that a closed surface bounds.
//
//   A = sum |n_f| / 2,   V = sum a . (b x c) / 6,   c = sum (a . (b x c) / 6) (a + b + c) / 4 / V      (1)
//
// a, b, c: corners of facet f, taken from the middle of the bounding box, so that a body far from the origin loses no digits;
// n_f = (b - a) x (c - a). Source: divergence theorem.
#pragma once
#include <vector>

#include "asperity/core/vec3.h"
#include "asperity/geometry/mesh.h"

namespace asperity::geometry {

struct MassProperties {
    double area = 0;    // m^2
    double volume = 0;  // m^3
    Vec3 centre;        // m
};

double area(const SurfaceMesh& mesh);

// Of the facets, weighted by their area; shorter than one where they face different ways, zero for a closed surface.
Vec3 mean_normal(const SurfaceMesh& mesh);

// Throws InputError where the surface is open: it bounds no volume.
MassProperties mass_properties(const SurfaceMesh& mesh);

// The volume of (1) for closed parts of any mesh, negative where they are inside out.
double signed_volume(const std::vector<Vec3>& vertices, const std::vector<Corners>& facets);

}  // namespace asperity::geometry
