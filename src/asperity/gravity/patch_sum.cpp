#include "asperity/gravity/patch_sum.h"

#include <algorithm>

namespace asperity::gravity {
namespace {

std::size_t at_index(std::int32_t index) { return static_cast<std::size_t>(index); }

// Numbers equal keys alike, in rising order of keys.
struct Numbers {
    std::vector<std::int32_t> of;  // by place of the key
    std::size_t count = 0;
};

Numbers number(const std::vector<std::uint64_t>& keys) {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> order(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) order[i] = {keys[i], static_cast<std::uint32_t>(i)};
    std::sort(order.begin(), order.end());
    Numbers numbers{std::vector<std::int32_t>(keys.size())};
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (i == 0 || order[i].first != order[i - 1].first) ++numbers.count;
        numbers.of[order[i].second] = static_cast<std::int32_t>(numbers.count - 1);
    }
    return numbers;
}

Vec3 vector_of(const double (&v)[3]) { return {v[0], v[1], v[2]}; }

}  // namespace

PatchSum::PatchSum(const SourceTree& tree, std::span<const std::int32_t> facets, const Vec3& c) {
    std::vector<std::uint64_t> corners, sides;  // three of each facet
    for (const std::int32_t f : facets)
        for (std::size_t k = 0; k < 3; ++k) {
            const auto& v = tree.corners[at_index(f)];
            const auto [low, high] = std::minmax(v[k], v[(k + 1) % 3]);
            corners.push_back(static_cast<std::uint64_t>(v[k]));
            sides.push_back(static_cast<std::uint64_t>(low) << 32 | static_cast<std::uint64_t>(high));
        }
    const Numbers vertices = number(corners), edges = number(sides);
    places_.resize(3 * vertices.count);
    edges_.resize(edges.count);
    items_.resize(facets.size());
    radii_.resize(vertices.count);
    logs_.resize(edges.count);
    for (std::size_t i = 0; i < facets.size(); ++i) {
        const FacetRecord& facet = tree.facets[at_index(facets[i])];
        Item& item = items_[i];
        const Vec3 n = vector_of(facet.normal), first = vector_of(facet.corner[0]);
        item.height = {-n.x, -n.y, -n.z, dot(n, first)};
        item.centre_height = dot(n, first - c);
        item.four_areas = 2 * norm(cross(vector_of(facet.corner[1]) - first, vector_of(facet.corner[2]) - first));
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3 from = vector_of(facet.corner[k]), m = vector_of(facet.across[k]);
            item.vertex[k] = vertices.of[3 * i + k];
            item.edge[k] = edges.of[3 * i + k];
            item.across[k] = {-m.x, -m.y, -m.z, dot(m, from)};
            item.sides[(k + 2) % 3] = facet.length[k] * facet.length[k];
            std::copy(facet.corner[k], facet.corner[k] + 3, places_.begin() + 3 * item.vertex[k]);
        }
        for (std::size_t k = 0; k < 3; ++k) edges_[at_index(item.edge[k])] = {{item.vertex[k], item.vertex[(k + 1) % 3]}, facet.length[k]};
    }
}

void PatchSum::add(const Lanes3 (&p)[2], SourceSums (&sums)[2]) {
    for (std::size_t v = 0; v < radii_.size(); ++v) {
        const double* const place = places_.data() + 3 * v;
        for (int g = 0; g < 2; ++g) {
            const Lanes3 r{place[0] - p[g].x, place[1] - p[g].y, place[2] - p[g].z};
            radii_[v].of[g] = square_root(detail::dot(r, r));
        }
    }
    for (std::size_t e = 0; e < edges_.size(); ++e) {
        const Edge& edge = edges_[e];
        const Pair &a = radii_[at_index(edge.vertex[0])], &b = radii_[at_index(edge.vertex[1])];
        for (int g = 0; g < 2; ++g) logs_[e].of[g] = log_ratio(a.of[g] + b.of[g], splat(edge.length));
    }
    Double4 heights[2] = {}, normals[2][3] = {};  // of inner normals
    for (const Item& item : items_) {
        const Pair *const a = &radii_[at_index(item.vertex[0])], *const b = &radii_[at_index(item.vertex[1])],
                          *const c = &radii_[at_index(item.vertex[2])];
        const Pair *const la = &logs_[at_index(item.edge[0])], *const lb = &logs_[at_index(item.edge[1])],
                          *const lc = &logs_[at_index(item.edge[2])];
#pragma GCC unroll 2
        for (int g = 0; g < 2; ++g) {
            const auto at = [&](const Affine& f) {
                return fused(splat(f.x), p[g].x, fused(splat(f.y), p[g].y, fused(splat(f.z), p[g].z, splat(f.constant))));
            };
            const Double4 h = at(item.height);
            const Double4 product = (a->of[g] + b->of[g]) * (b->of[g] + c->of[g]) * (c->of[g] + a->of[g]);
            const Double4 taken = fused(a->of[g], splat(item.sides[0]), fused(b->of[g], splat(item.sides[1]), c->of[g] * item.sides[2]));
            Double4 phi = -2.0 * h * angle(item.four_areas * h, product - taken);
            phi = fused(at(item.across[0]), la->of[g], phi);
            phi = fused(at(item.across[1]), lb->of[g], phi);
            phi = fused(at(item.across[2]), lc->of[g], phi);
            heights[g] = fused(splat(item.centre_height), phi, heights[g]);
            normals[g][0] = fused(splat(item.height.x), phi, normals[g][0]);
            normals[g][1] = fused(splat(item.height.y), phi, normals[g][1]);
            normals[g][2] = fused(splat(item.height.z), phi, normals[g][2]);
        }
    }
    for (int g = 0; g < 2; ++g) {
        sums[g].heights += heights[g];
        sums[g].normals.x -= normals[g][0];
        sums[g].normals.y -= normals[g][1];
        sums[g].normals.z -= normals[g][2];
    }
}

}  // namespace asperity::gravity
