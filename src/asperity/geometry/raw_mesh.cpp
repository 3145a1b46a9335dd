#include "asperity/geometry/raw_mesh.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <numeric>
#include <tuple>

namespace asperity::geometry {
namespace {

// a b - c d with one rounding more than the exact value (Kahan's difference of products): slivers keep their normals.
double difference_of_products(double a, double b, double c, double d) {
    const double cd = c * d;
    return std::fma(a, b, -cd) + std::fma(-c, d, cd);
}

Vec3 accurate_cross(const Vec3& a, const Vec3& b) {
    return {difference_of_products(a.y, b.z, a.z, b.y), difference_of_products(a.z, b.x, a.x, b.z),
            difference_of_products(a.x, b.y, a.y, b.x)};
}

double length(const Vec3& a) { return std::hypot(a.x, a.y, a.z); }  // neither overflows nor underflows
// Divided, not multiplied by a reciprocal: the normal of a horizontal facet is exactly (0, 0, 1).
Vec3 divided(const Vec3& a, double s) { return {a.x / s, a.y / s, a.z / s}; }

double largest_coordinate(const Vec3& a) { return std::max({std::abs(a.x), std::abs(a.y), std::abs(a.z)}); }

}  // namespace

std::vector<EdgeUse> sorted_edge_uses(const std::vector<Corners>& facets) {
    std::vector<EdgeUse> uses;
    uses.reserve(3 * facets.size());
    for (std::size_t f = 0; f < facets.size(); ++f)
        for (std::size_t k = 0; k < 3; ++k) {
            const std::int32_t from = facets[f][k];
            const std::int32_t to = facets[f][(k + 1) % 3];
            uses.push_back({.low = std::min(from, to),
                            .high = std::max(from, to),
                            .facet = static_cast<std::int32_t>(f),
                            .slot = static_cast<std::int32_t>(k),
                            .forward = from < to});
        }
    std::sort(uses.begin(), uses.end(), [](const EdgeUse& a, const EdgeUse& b) {
        return std::tie(a.low, a.high, a.facet, a.slot) < std::tie(b.low, b.high, b.facet, b.slot);
    });
    return uses;
}

std::size_t end_of_edge(const std::vector<EdgeUse>& uses, std::size_t begin) {
    std::size_t end = begin;
    while (end < uses.size() && uses[end].low == uses[begin].low && uses[end].high == uses[begin].high) ++end;
    return end;
}

Vec3 facet_normal(const std::vector<Vec3>& vertices, const Corners& facet) {
    const auto corner = [&](std::size_t k) { return vertices[static_cast<std::size_t>(facet[k % 3])]; };
    // From the corner opposite the longest side: the two shorter sides lose least in the cross product.
    std::size_t longest = 0;
    double size = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        const double side = length(corner(k + 1) - corner(k));
        if (side > size) {
            size = side;
            longest = k;
        }
    }
    if (!(size > 0) || !std::isfinite(size)) return {};
    const Vec3 apex = corner(longest + 2);
    const Vec3 doubled_area = accurate_cross(divided(corner(longest) - apex, size), divided(corner(longest + 1) - apex, size));
    const double altitude = length(doubled_area);  // of the longest side, in units of that side
    const double coordinates = std::max({largest_coordinate(corner(0)), largest_coordinate(corner(1)), largest_coordinate(corner(2))});
    if (altitude <= std::max(0x1p-40, 16 * DBL_EPSILON * (coordinates / size))) return {};
    return divided(doubled_area, altitude);
}

std::vector<std::int32_t> repeated_facets(const std::vector<Corners>& facets) {
    std::vector<Corners> sorted = facets;
    for (Corners& corners : sorted) std::sort(corners.begin(), corners.end());
    std::vector<std::int32_t> order(facets.size());
    std::iota(order.begin(), order.end(), 0);
    const auto key = [&](std::int32_t f) -> const Corners& { return sorted[static_cast<std::size_t>(f)]; };
    std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) { return std::tie(key(a), a) < std::tie(key(b), b); });
    std::vector<std::int32_t> repeated;
    for (std::size_t k = 1; k < order.size(); ++k)
        if (key(order[k]) == key(order[k - 1])) repeated.push_back(order[k]);
    std::sort(repeated.begin(), repeated.end());
    return repeated;
}

std::vector<Problem> unusable_parts(const RawMesh& mesh) {
    std::vector<Problem> problems;
    if (mesh.facets.empty()) problems.push_back({.what = "the surface has no facets", .hint = "a surface needs at least one triangle"});

    constexpr std::size_t most = INT32_MAX / 4;  // three edge uses a facet must stay countable
    if (mesh.vertices.size() > most || mesh.facets.size() > most) {
        problems.push_back({.what = fmt::format("the surface has {} vertices and {} facets", mesh.vertices.size(), mesh.facets.size()),
                            .hint = fmt::format("at most {} of each can be numbered", most)});
        return problems;
    }

    std::vector<std::string> not_finite;
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
        if (!is_finite(mesh.vertices[v])) not_finite.push_back(fmt::format("{}", v + 1));
    if (!not_finite.empty())
        problems.push_back({.what = fmt::format("vertices that are not finite: {}", first_few(not_finite)),
                            .hint = "every coordinate must be a finite number"});

    std::vector<std::int32_t> out_of_range;
    for (std::size_t f = 0; f < mesh.facets.size(); ++f)
        for (const std::int32_t v : mesh.facets[f])
            if (v < 0 || static_cast<std::size_t>(v) >= mesh.vertices.size()) {
                out_of_range.push_back(static_cast<std::int32_t>(f));
                break;
            }
    if (!out_of_range.empty())
        problems.push_back(
            {.what = fmt::format("facets that name vertices which do not exist: {}", first_few(facet_names(mesh, out_of_range))),
             .hint = fmt::format("the surface has {} vertices, numbered from 1", mesh.vertices.size())});
    return problems;
}

std::string first_few(const std::vector<std::string>& names) {
    constexpr std::size_t shown = 5;
    if (names.size() <= shown) return fmt::format("{}", fmt::join(names, ", "));
    return fmt::format("{}, ... ({} in all)", fmt::join(names.begin(), names.begin() + shown, ", "), names.size());
}

std::string facet_name(const RawMesh& mesh, std::int32_t facet) {
    return mesh.lines.empty() ? fmt::format("{}", facet + 1) : fmt::format("line {}", mesh.lines[static_cast<std::size_t>(facet)]);
}

std::vector<std::string> facet_names(const RawMesh& mesh, const std::vector<std::int32_t>& facets) {
    std::vector<std::string> names;
    for (const std::int32_t facet : facets) names.push_back(facet_name(mesh, facet));
    return names;
}

}  // namespace asperity::geometry
