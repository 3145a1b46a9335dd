#include "asperity/geometry/resample.h"

#include <meshoptimizer.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

#include "asperity/core/index.h"
#include "asperity/geometry/closed_check.h"
#include "asperity/geometry/icosphere.h"
#include "asperity/geometry/mass_properties.h"
#include "asperity/geometry/ray_cast.h"

namespace asperity::geometry {
namespace {

// (2)
void restore(const MassProperties& before, const ResampleOptions& options, Resampled& result) {
    const MassProperties now = mass_properties(make_surface(result.mesh));
    result.volume = now.volume;
    if (options.keep_volume) result.scale = std::cbrt(before.volume / now.volume);
    for (Vec3& v : result.mesh.vertices) v = before.centre + result.scale * (v - now.centre);
}

// Collapses may leave two facets on the same three corners, wound against each other: a flap without volume. Both go, and every edge keeps
// as many facets that walk it one way as the other.
void drop_flaps(std::vector<Corners>& facets) {
    const auto key = [](Corners corners) {
        std::sort(corners.begin(), corners.end());
        return corners;
    };
    const auto is_odd = [](const Corners& c) { return (c[0] < c[1]) + (c[1] < c[2]) + (c[2] < c[0]) == 1; };
    std::vector<std::size_t> order(facets.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(facets[a]) < key(facets[b]); });
    std::vector<bool> is_flap(facets.size(), false);
    for (std::size_t k = 1; k < order.size(); ++k) {
        const std::size_t a = order[k - 1], b = order[k];
        if (is_flap[a] || key(facets[a]) != key(facets[b]) || is_odd(facets[a]) == is_odd(facets[b])) continue;
        is_flap[a] = is_flap[b] = true;
    }
    std::size_t kept = 0;
    for (std::size_t f = 0; f < facets.size(); ++f)
        if (!is_flap[f]) facets[kept++] = facets[f];
    facets.resize(kept);
}

RawMesh without_unused(const std::vector<Vec3>& vertices, std::vector<Corners> facets) {
    std::vector<std::int32_t> number(vertices.size(), -1);
    for (const Corners& facet : facets)
        for (const std::int32_t v : facet) number[at(v)] = 0;
    RawMesh mesh;
    for (std::size_t v = 0; v < vertices.size(); ++v) {
        if (number[v] < 0) continue;
        number[v] = static_cast<std::int32_t>(mesh.vertices.size());
        mesh.vertices.push_back(vertices[v]);
    }
    for (Corners& facet : facets)
        for (std::int32_t& v : facet) v = number[at(v)];
    mesh.facets = std::move(facets);
    return mesh;
}

// The library takes floats, which only choose the edges to collapse: from the centre, so that they lose nothing that matters.
RawMesh collapsed(const SurfaceMesh& mesh, const Vec3& centre, std::size_t facets) {
    std::vector<unsigned> corners;
    for (const Facet& facet : mesh.facets)
        for (const std::int32_t v : facet.vertex) corners.push_back(static_cast<unsigned>(v));
    std::vector<float> places;
    for (const Vec3& v : mesh.vertices)
        for (const double x : {v.x - centre.x, v.y - centre.y, v.z - centre.z}) places.push_back(static_cast<float>(x));
    std::vector<unsigned> kept(corners.size());
    const float any_error = 1;  // of the extent: the number of facets decides
    kept.resize(meshopt_simplify(kept.data(), corners.data(), corners.size(), places.data(), mesh.vertices.size(), 3 * sizeof(float),
                                 3 * facets, any_error, 0, nullptr));
    std::vector<Corners> list(kept.size() / 3);
    for (std::size_t k = 0; k < kept.size(); ++k) list[k / 3][k % 3] = static_cast<std::int32_t>(kept[k]);
    drop_flaps(list);
    return without_unused(mesh.vertices, std::move(list));
}

}  // namespace

Resampled cast_icosphere(const SurfaceMesh& mesh, int level, const ResampleOptions& options) {
    const MassProperties before = mass_properties(mesh);
    Resampled result{.mesh = icosphere(level)};
    for (Vec3& v : result.mesh.vertices) {
        const RayHits hits = cast_ray(mesh, before.centre, v);
        if (hits.farthest < 0)
            throw InputError(fmt::format("a ray from the centre of mass along ({:.3g}, {:.3g}, {:.3g}) meets no facet", v.x, v.y, v.z),
                             "the centre lies outside the solid: use decimation");
        result.overhung_rays += hits.farthest - hits.nearest > 0x1p-40 * hits.farthest;
        v = before.centre + hits.farthest * v;
    }
    restore(before, options, result);
    return result;
}

Resampled decimate(const SurfaceMesh& mesh, std::int64_t facets, const ResampleOptions& options) {
    const MassProperties before = mass_properties(mesh);
    if (facets < 4) throw InputError(fmt::format("{} facets bound no solid", facets), "ask for 4 at least");
    // The library does not know of surfaces that cut themselves: a number a little higher or lower often avoids it.
    constexpr std::int64_t attempts = 16;
    Resampled result;
    std::vector<Problem> problems;
    for (std::int64_t k = 0; k < attempts; ++k) {
        const std::int64_t away = k % 2 == 1 ? (k + 1) / 2 : -k / 2;
        const std::int64_t wanted = std::max<std::int64_t>(4, facets + away * std::max<std::int64_t>(2, facets / 64));
        result.mesh = collapsed(mesh, before.centre, static_cast<std::size_t>(std::min<std::int64_t>(wanted, std::ssize(mesh.facets))));
        problems = closed_problems(result.mesh);
        if (problems.empty()) break;
    }
    if (!problems.empty())
        throw InputError(fmt::format("decimated to about {} facets, the surface no longer bounds a solid", facets),
                         "ask for another number, or cast an icosphere");
    restore(before, options, result);
    return result;
}

}  // namespace asperity::geometry
