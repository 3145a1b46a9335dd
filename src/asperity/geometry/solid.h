// Homogeneous solids of simple shapes, and compounds of them: volume, centre of mass, second moments, principal axes.
//
//   P = integral of x x^T over the solid, about its centre of mass;   J = tr(P) 1 - P                                   (1)
//   V = sum V_k,   c = sum V_k c_k / V,   P = sum (R_k P_k R_k^T + V_k (c_k - c)(c_k - c)^T)                                  (2)
//
//   sphere, ellipsoid   V a_i^2 / 5                box                 V a_i^2 / 3, a_i half an edge
//   cylinder            V r^2 / 4, V h^2 / 3, h half the height        cone   V 3 r^2 / 20, V 3 h^2 / 80, h the height
//   capsule             cylinder and two half-spheres, whose centres of mass are 3 r / 8 from their flat sides
//   hull                tetrahedra over its faces, as in principal_axes.h
//
// Where solids of a compound overlap, their common part counts twice. Source: Goldstein, Classical Mechanics (2002), 5.3.
#pragma once
#include <array>

#include "asperity/core/pose.h"
#include "asperity/geometry/hull.h"
#include "asperity/geometry/primitives.h"

namespace asperity::geometry {

using Matrix3 = std::array<std::array<double, 3>, 3>;

struct Solid {
    double volume = 0;  // m^3
    Vec3 centre;        // m
    Matrix3 second{};   // m^5, P of (1)
};

Solid solid(const Sphere& sphere);
Solid solid(const Ellipsoid& ellipsoid);
Solid solid(const Box& box);
Solid solid(const Cylinder& cylinder);
Solid solid(const Cone& cone);
Solid solid(const Capsule& capsule);
Solid solid(const Hull& hull);

Solid placed(const Solid& solid, const Pose& pose);
Solid together(const Solid& one, const Solid& other);  // (2)

// The centre of mass and the principal axes of a matrix of second moments: the identity where they are those of the frame to 1e-12, so that
// a shape that is written down in its principal axes keeps them; else the axes that Jacobi's rotations end with, right-handed.
struct PrincipalFrame {
    Pose pose;    // from the principal axes to the frame
    Vec3 second;  // m^5, diagonal of P in these axes
    Vec3 inertia() const { return {second.y + second.z, second.z + second.x, second.x + second.y}; }  // m^5, of (1)
};
PrincipalFrame principal_frame(const Matrix3& second, const Vec3& centre, double size);

}  // namespace asperity::geometry
