#include "asperity/geometry/principal_axes.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace asperity::geometry {
namespace {

using Matrix = std::array<std::array<double, 3>, 3>;

Matrix second_moments(const SurfaceMesh& mesh, const Vec3& centre) {
    Matrix sum{};
    for (const Facet& facet : mesh.facets) {
        const auto corner = [&](int k) { return mesh.vertices[static_cast<std::size_t>(facet.vertex[k])] - centre; };
        const Vec3 a = corner(0), b = corner(1), c = corner(2);
        const double weight = dot(a, cross(b, c)) / 120;
        for (const Vec3& v : {a, b, c, a + b + c}) {
            const double x[3] = {v.x, v.y, v.z};
            for (std::size_t i = 0; i < 3; ++i)
                for (std::size_t j = 0; j < 3; ++j) sum[i][j] += weight * x[i] * x[j];  // (1)
        }
    }
    return sum;
}

// Turns `a` and the columns of `axes` in the plane (p, q) so that a[p][q] is 0.
void rotate(std::size_t p, std::size_t q, Matrix& a, Matrix& axes) {
    if (a[p][q] == 0) return;
    const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    const double t = std::copysign(1.0, theta) / (std::abs(theta) + std::hypot(theta, 1.0));
    const double c = 1 / std::hypot(t, 1.0), s = t * c;
    for (std::size_t k = 0; k < 3; ++k) {
        const double x = a[k][p], y = a[k][q];
        a[k][p] = c * x - s * y;
        a[k][q] = s * x + c * y;
    }
    for (std::size_t k = 0; k < 3; ++k) {
        const double x = a[p][k], y = a[q][k];
        a[p][k] = c * x - s * y;
        a[q][k] = s * x + c * y;
        const double u = axes[k][p], v = axes[k][q];
        axes[k][p] = c * u - s * v;
        axes[k][q] = s * u + c * v;
    }
    a[p][q] = a[q][p] = 0;
}

Vec3 with_positive_lead(const Vec3& v) {
    const double x = std::abs(v.x), y = std::abs(v.y), z = std::abs(v.z);
    const double lead = x >= y && x >= z ? v.x : y >= z ? v.y : v.z;
    return lead < 0 ? -v : v;
}

RawMesh with_vertices(const RawMesh& mesh, const Vec3& centre, const std::array<Vec3, 3>& axes) {
    RawMesh moved = mesh;
    for (Vec3& v : moved.vertices) v = {dot(axes[0], v - centre), dot(axes[1], v - centre), dot(axes[2], v - centre)};
    return moved;
}

}  // namespace

PrincipalAxes principal_axes(const SurfaceMesh& mesh) {
    const Vec3 centre = mass_properties(mesh).centre;
    Matrix p = second_moments(mesh, centre);
    const double trace = p[0][0] + p[1][1] + p[2][2];
    Matrix axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    // Converges quadratically: six sweeps are more than doubles can tell apart; a matrix that is diagonal is left as it is.
    for (int sweep = 0; sweep < 12; ++sweep) {
        rotate(0, 1, p, axes);
        rotate(0, 2, p, axes);
        rotate(1, 2, p, axes);
    }
    std::array<std::size_t, 3> order{0, 1, 2};
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p[a][a] > p[b][b]; });
    const auto column = [&](std::size_t k) { return Vec3{axes[0][k], axes[1][k], axes[2][k]}; };
    PrincipalAxes result;
    for (std::size_t k = 0; k < 3; ++k) result.moments[k] = trace - p[order[k]][order[k]];  // (2)
    result.axes[0] = with_positive_lead(column(order[0]));
    result.axes[2] = with_positive_lead(column(order[2]));
    result.axes[1] = cross(result.axes[2], result.axes[0]);
    return result;
}

RawMesh recentred(const RawMesh& mesh) {
    return with_vertices(mesh, mass_properties(make_surface(mesh)).centre, {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}});
}

RawMesh in_principal_axes(const RawMesh& mesh) {
    const SurfaceMesh surface = make_surface(mesh);
    return with_vertices(mesh, mass_properties(surface).centre, principal_axes(surface).axes);
}

}  // namespace asperity::geometry
