#include "asperity/geometry/icosphere.h"

#include <cmath>
#include <utility>

namespace asperity::geometry {
namespace {

// A pole, five vertices at latitude atan(1/2), five below turned by half a step, the other pole.
RawMesh icosahedron() {
    constexpr double fifth = 1.2566370614359173;  // 2 pi / 5
    RawMesh mesh;
    mesh.vertices.push_back({0, 0, 1});
    for (int ring = 0; ring < 2; ++ring)
        for (int k = 0; k < 5; ++k) {
            const double angle = fifth * (k + 0.5 * ring);
            mesh.vertices.push_back(unit(Vec3{2 * std::cos(angle), 2 * std::sin(angle), ring == 0 ? 1.0 : -1.0}));
        }
    mesh.vertices.push_back({0, 0, -1});
    for (std::int32_t k = 0; k < 5; ++k) {
        const std::int32_t a = 1 + k, b = 1 + (k + 1) % 5, c = 6 + k, d = 6 + (k + 1) % 5;
        mesh.facets.insert(mesh.facets.end(), {Corners{0, a, b}, Corners{a, c, b}, Corners{b, c, d}, Corners{11, d, c}});
    }
    return mesh;
}

void refine(RawMesh& mesh) {
    // The vertex in the middle of each edge, numbered in the order of the edges.
    std::vector<std::array<std::int32_t, 3>> middle(mesh.facets.size());
    const std::vector<EdgeUse> uses = sorted_edge_uses(mesh.facets);
    for (std::size_t k = 0; k < uses.size(); k += 2) {
        const auto index = static_cast<std::int32_t>(mesh.vertices.size());
        for (const EdgeUse& use : {uses[k], uses[k + 1]})
            middle[static_cast<std::size_t>(use.facet)][static_cast<std::size_t>(use.slot)] = index;
        const Vec3 &a = mesh.vertices[static_cast<std::size_t>(uses[k].low)], &b = mesh.vertices[static_cast<std::size_t>(uses[k].high)];
        mesh.vertices.push_back(unit(a + b));
    }
    std::vector<Corners> facets;
    facets.reserve(4 * mesh.facets.size());
    for (std::size_t f = 0; f < mesh.facets.size(); ++f) {
        const auto [a, b, c] = mesh.facets[f];
        const auto [ab, bc, ca] = middle[f];
        facets.insert(facets.end(), {Corners{a, ab, ca}, Corners{ab, b, bc}, Corners{ca, bc, c}, Corners{ab, bc, ca}});
    }
    mesh.facets = std::move(facets);
}

}  // namespace

RawMesh icosphere(int level) {
    if (level < 0 || level > highest_icosphere_level)
        throw InputError(fmt::format("there is no icosphere of level {}", level),
                         fmt::format("levels go from 0 (20 facets) to {} (1310720 facets)", highest_icosphere_level));
    RawMesh mesh = icosahedron();
    for (int k = 0; k < level; ++k) refine(mesh);
    return mesh;
}

}  // namespace asperity::geometry
