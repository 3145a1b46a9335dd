// Inertia of the homogeneous solid that a closed surface bounds, its principal axes, and meshes moved into them.
//
//   P = sum V_f / 20 (s s^T + a a^T + b b^T + c c^T),   s = a + b + c,   V_f = a . (b x c) / 6         (1)
//   J = tr(P) 1 - P,   J = sum_k J_k e_k e_k^T,   J_1 <= J_2 <= J_3                                       (2)
//
// a, b, c: corners of facet f from the centre of mass, found first; P second moments, J inertia, both for unit density, in m^5.
// The axes e_k, found by Jacobi rotations, are right-handed: x along the smallest moment (the longest axis of the body), z along the
// largest. Signs: e_1 and e_3 have their largest component positive; e_2 = e_3 x e_1. Where two moments are equal to rounding the axes in
// their plane are arbitrary, but the same for the same mesh.
// Source: divergence theorem; Tonon, J. Math. Stat. 1 (2005).
#pragma once
#include <array>

#include "asperity/core/vec3.h"
#include "asperity/geometry/mass_properties.h"
#include "asperity/geometry/mesh.h"
#include "asperity/geometry/raw_mesh.h"

namespace asperity::geometry {

struct PrincipalAxes {
    std::array<double, 3> moments{};  // m^5, about the centre of mass, ascending; times the density: kg m^2
    std::array<Vec3, 3> axes{};       // unit, in the frame of the mesh
};

// Throws InputError where the surface is open.
PrincipalAxes principal_axes(const SurfaceMesh& mesh);

// The mesh with its centre of mass at the origin; for the second, its principal axes along x, y and z.
// Throws InputError where make_surface refuses the mesh or it is open.
RawMesh recentred(const RawMesh& mesh);
RawMesh in_principal_axes(const RawMesh& mesh);

}  // namespace asperity::geometry
