// Real spherical harmonics, and star-shaped bodies that are a sum of them.
//
//   Y_n0 = Q_n0(z),   Y_nm = Q_nm(z) Re (x + i y)^m,   Y_n-m = Q_nm(z) Im (x + i y)^m,   m = 1..n                (1)
//   Q_00 = 1,   Q_11 = sqrt(3),   Q_mm = sqrt((2m + 1) / 2m) Q_m-1,m-1
//   Q_nm = sqrt((4n^2 - 1) / (n^2 - m^2)) z Q_n-1,m - sqrt((2n + 1) ((n - 1)^2 - m^2) / ((2n - 3) (n^2 - m^2))) Q_n-2,m
//   p(u) = A rho(u) u,   rho(u) = sum c_nm Y_nm(u)                                                               (2)
//
// u = (x, y, z) unit vector; the mean of Y^2 over the sphere is 1. A = diag(axes), in m: an ellipsoid is rho = 1, and only what an
// elongated body differs from it is left to the sum. Every direction has one point, so that the body is star-shaped about the origin. Order
// of coefficients: n^2 + 0 for m = 0, n^2 + 2m - 1 for Re, n^2 + 2m for Im. Source: Holmes and Featherstone, J. Geodesy 76 (2002), with (x
// + i y)^m in place of sin^m, cos and sin: no trigonometry, no poles.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "asperity/core/vec3.h"
#include "asperity/geometry/mesh.h"
#include "asperity/geometry/raw_mesh.h"

namespace asperity::geometry {

constexpr std::size_t harmonic_count(int degree) { return static_cast<std::size_t>((degree + 1) * (degree + 1)); }

class Harmonics {
public:
    explicit Harmonics(int degree);  // 0 to 200: beyond, Q leaves the range of doubles near the poles

    int degree() const { return degree_; }
    double sum(std::span<const double> coefficients, const Vec3& u) const;
    void values(const Vec3& u, std::span<double> y) const;  // harmonic_count(degree) of them

private:
    template <class Visit>
    void for_each(const Vec3& u, Visit&& visit) const;

    struct Step {
        double a, b;  // Q_nm = a z Q_n-1,m - b Q_n-2,m
    };
    int degree_;
    std::vector<double> start_;  // Q_mm
    std::vector<Step> steps_;    // for m = 0, 1, ...: n = m + 1, ..., degree
};

struct HarmonicShape {
    Vec3 axes;  // m
    int degree = 0;
    std::vector<double> coefficients;
};

// (2) at the vertices of an icosphere of that frequency.
RawMesh mesh_of(const HarmonicShape& shape, int frequency);

// The sum that is nearest, in the mean square over the sphere of u, to rho of the surface as seen from `centre`: coefficients by
// quadrature over `rows` latitudes (Gauss-Legendre) and 2 rows longitudes. A ray that meets the surface several times takes the
// farthest; a centre from which none does gives the better fit. Axes: half the size of the bounding box, up to whole metres.
// Throws InputError where a ray meets nothing (the centre lies outside).
HarmonicShape fit_harmonics(const SurfaceMesh& mesh, const Vec3& centre, int degree, int rows);

}  // namespace asperity::geometry
