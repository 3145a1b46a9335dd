// Gravity of a polyhedron in 50 digits, facet by facet: another way to the same numbers than the code that it checks.
//
// With I = integral of dS / r over a facet = sum_k s_k L_k - h w, for G rho = 1:
//   U = 1/2 sum h I,   grad U = -sum n I,   grad^2 U = -sum n (n w - sum_k m_k L_k),   lap U = -sum w               (1)
// m_k: unit, in the facet, across its side k, outwards; s_k = m_k . (corner - p). From vertices alone, no table, no shared edge.
// In the plane of a facet w = 0; on the line of a side, between its ends, L = 0.
#pragma once
#include <boost/multiprecision/cpp_bin_float.hpp>

#include <array>
#include <vector>

#include "asperity/core/vec3.h"
#include "asperity/geometry/raw_mesh.h"

namespace asperity::gravity::test {

using Digits = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<50>, boost::multiprecision::et_off>;
using Digits3 = std::array<Digits, 3>;

inline Digits3 operator-(const Digits3& a, const Digits3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Digits3 operator*(const Digits& s, const Digits3& a) { return {s * a[0], s * a[1], s * a[2]}; }
inline Digits dot(const Digits3& a, const Digits3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Digits3 cross(const Digits3& a, const Digits3& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline Digits norm(const Digits3& a) { return sqrt(dot(a, a)); }
inline Digits3 digits(const Vec3& a) { return {a.x, a.y, a.z}; }

struct ReferenceValue {
    Digits potential = 0;
    Digits3 acceleration{};
    std::array<Digits3, 3> gradient{};
    Digits laplacian = 0;
};

// ln((a + b + l) / (a + b - l)) of a side.
inline Digits reference_log(const Digits3& a, const Digits3& b) {
    const Digits size_a = norm(a), size_b = norm(b), l = norm(b - a);
    const Digits3 outer = cross(a, b);
    if (dot(a, b) <= 0 && dot(outer, outer) == 0) return 0;
    const Digits inner = dot(a, b);
    const Digits gap = inner > 0 ? size_a * size_b + inner : dot(outer, outer) / (size_a * size_b - inner);
    const Digits sum = size_a + size_b + l;
    return log(sum * sum / (2 * gap));
}

inline Digits reference_angle(const Digits3& a, const Digits3& b, const Digits3& c) {
    const Digits triple = dot(a, cross(b, c));
    if (triple == 0) return 0;
    const Digits size_a = norm(a), size_b = norm(b), size_c = norm(c);
    return 2 * atan2(triple, size_a * size_b * size_c + size_a * dot(b, c) + size_b * dot(c, a) + size_c * dot(a, b));
}

inline void add_reference(const std::array<Digits3, 3>& corner, ReferenceValue& value) {
    const Digits3 area = cross(corner[1] - corner[0], corner[2] - corner[0]);
    const Digits3 n = (1 / norm(area)) * area;
    const Digits h = dot(n, corner[0]);
    const Digits w = reference_angle(corner[0], corner[1], corner[2]);
    Digits integral = -h * w;
    Digits3 row = w * n;
    for (std::size_t k = 0; k < 3; ++k) {
        const Digits3& a = corner[k];
        const Digits3& b = corner[(k + 1) % 3];
        const Digits3 m = (1 / norm(b - a)) * cross(b - a, n);
        const Digits log = reference_log(a, b);
        integral += dot(m, a) * log;
        row = row - log * m;
    }
    value.potential += h * integral / 2;
    value.laplacian -= w;
    for (std::size_t i = 0; i < 3; ++i) {
        value.acceleration[i] -= n[i] * integral;
        for (std::size_t j = 0; j < 3; ++j) value.gradient[i][j] -= n[i] * row[j];
    }
}

inline ReferenceValue reference(const geometry::RawMesh& mesh, const Vec3& p) {
    ReferenceValue value;
    for (const geometry::Corners& facet : mesh.facets) {
        std::array<Digits3, 3> corner;
        for (std::size_t k = 0; k < 3; ++k) corner[k] = digits(mesh.vertices[static_cast<std::size_t>(facet[k])]) - digits(p);
        add_reference(corner, value);
    }
    return value;
}

}  // namespace asperity::gravity::test
