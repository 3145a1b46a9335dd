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

// The vertices of one divided facet: point (i, j) stands i parts from corner a towards b and j towards c, i + j <= f.
class DividedFacets {
public:
    explicit DividedFacets(int frequency)
        : f_(frequency), base_(icosahedron()), mesh_{.vertices = base_.vertices, .facets = {}}, sides_(base_.facets.size()) {
        const std::vector<EdgeUse> uses = sorted_edge_uses(base_.facets);
        for (std::size_t k = 0; k < uses.size(); k += 2) {
            const auto first = static_cast<std::int32_t>(mesh_.vertices.size());
            for (const EdgeUse& use : {uses[k], uses[k + 1]})
                sides_[static_cast<std::size_t>(use.facet)][static_cast<std::size_t>(use.slot)] = {.first = first, .forward = use.forward};
            for (int i = 1; i < f_; ++i) add_point(f_ - i, corner(uses[k].low), i, corner(uses[k].high), 0, {});
        }
    }

    RawMesh made() {
        for (std::size_t facet = 0; facet < base_.facets.size(); ++facet) divide(facet);
        return std::move(mesh_);
    }

private:
    struct Side {
        std::int32_t first = 0;  // of f - 1 vertices, from the lower corner to the higher
        bool forward = true;
    };

    const Vec3& corner(std::int32_t index) const { return base_.vertices[static_cast<std::size_t>(index)]; }

    void add_point(int i, const Vec3& a, int j, const Vec3& b, int k, const Vec3& c) {
        mesh_.vertices.push_back(unit(static_cast<double>(i) * a + static_cast<double>(j) * b + static_cast<double>(k) * c));
    }

    // The vertex that is `steps` parts, 1 to f - 1, along a side as its facet walks it.
    std::int32_t on_side(const Side& side, int steps) const { return side.first + (side.forward ? steps : f_ - steps) - 1; }

    void divide(std::size_t facet) {
        const auto [a, b, c] = base_.facets[facet];
        const std::array<Side, 3>& side = sides_[facet];
        const auto inner = static_cast<std::int32_t>(mesh_.vertices.size());
        for (int j = 1; j < f_; ++j)
            for (int i = 1; i < f_ - j; ++i) add_point(f_ - i - j, corner(a), i, corner(b), j, corner(c));
        const auto vertex = [&](int i, int j) {
            if (i == 0 && j == 0) return a;
            if (i == f_) return b;
            if (j == f_) return c;
            if (j == 0) return on_side(side[0], i);
            if (i + j == f_) return on_side(side[1], j);
            if (i == 0) return on_side(side[2], f_ - j);
            const int before = (j - 1) * (f_ - 1) - (j - 1) * j / 2;  // inner points of the rows below: sum of f - 1 - row
            return inner + before + i - 1;
        };
        for (int j = 0; j < f_; ++j)
            for (int i = 0; i < f_ - j; ++i) {
                mesh_.facets.push_back({vertex(i, j), vertex(i + 1, j), vertex(i, j + 1)});
                if (i + j < f_ - 1) mesh_.facets.push_back({vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)});
            }
    }

    int f_;
    RawMesh base_;
    RawMesh mesh_;
    std::vector<std::array<Side, 3>> sides_;
};

}  // namespace

RawMesh divided_icosphere(int frequency) {
    if (frequency < 1 || frequency > highest_icosphere_frequency)
        throw InputError(fmt::format("there is no icosphere of frequency {}", frequency),
                         fmt::format("frequencies go from 1 (20 facets) to {} (1310720 facets)", highest_icosphere_frequency));
    return DividedFacets(frequency).made();
}

RawMesh icosphere(int level) {
    if (level < 0 || level > highest_icosphere_level)
        throw InputError(fmt::format("there is no icosphere of level {}", level),
                         fmt::format("levels go from 0 (20 facets) to {} (1310720 facets)", highest_icosphere_level));
    RawMesh mesh = icosahedron();
    for (int k = 0; k < level; ++k) refine(mesh);
    return mesh;
}

}  // namespace asperity::geometry
