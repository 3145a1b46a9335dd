// Bounding-volume hierarchy over the facets of a surface: a flat array of 64-byte nodes, each with the boxes of its two children.
//
// Built by halving the facets at the median centroid along the longest axis, ties broken by facet index: the tree depends on the mesh
// only, and its depth is at most ceil(log2 n), so that a traversal needs a stack of fixed size (a surface-area heuristic gives no such
// bound). Boxes are in single precision, rounded outwards, and padded by 2^-44 of the largest coordinate: they may be too large, never too
// small, so that a query through the tree finds what a search over all facets would find, ties and rounding included.
#pragma once
#include <cfloat>
#include <cstdint>
#include <vector>

#include "asperity/core/host_device.h"
#include "asperity/core/vec3.h"

namespace asperity::geometry {

struct BvhNode {
    float lower[2][3];
    float upper[2][3];
    std::int32_t first[2];  // count > 0: first of the leaf's facets in `order`; count = 0: index of the child node
    std::int32_t count[2];
};
static_assert(sizeof(BvhNode) == 64);

struct Bvh {
    std::vector<BvhNode> nodes;       // nodes[0] is the root
    std::vector<std::int32_t> order;  // facet indices, leaf by leaf, ascending within a leaf
};

struct BoundingBox {
    Vec3 lower;
    Vec3 upper;
};

inline constexpr int bvh_leaf_size = 2;
inline constexpr int bvh_stack_size = 32;  // a depth of log2 of the largest index

// One box per facet; at least one.
Bvh build_bvh(const std::vector<BoundingBox>& boxes);

// Squared distance from p to the box of one child, 0 inside.
ASPERITY_HD inline double squared_distance(const BvhNode& node, int child, const Vec3& p) {
    const double coordinate[3] = {p.x, p.y, p.z};
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
        const double below = static_cast<double>(node.lower[child][k]) - coordinate[k];
        const double above = coordinate[k] - static_cast<double>(node.upper[child][k]);
        const double outside = below > above ? below : above;
        if (outside > 0) sum += outside * outside;
    }
    return sum;
}

// A limit on squared distances, widened so that rounding in the distance to a facet and to a box cannot hide the facet.
ASPERITY_HD inline double widened(double squared_limit) {
    const double limit = squared_limit * (1 + 0x1p-40);
    return limit < DBL_MAX ? limit : DBL_MAX;  // an absent child is at infinite distance, and stays out
}

// Visits the leaves whose boxes lie within sqrt(squared_limit()) of p, nearer children first. squared_limit is asked again at each
// node and may shrink; leaf(first, count) names a range of `order`. Returns how many nodes were visited.
template <class Limit, class Leaf>
ASPERITY_HD int visit_near(const BvhNode* nodes, const Vec3& p, Limit&& squared_limit, Leaf&& leaf) {
    struct Entry {
        double squared;
        std::int32_t node;
    };
    Entry stack[bvh_stack_size];
    int size = 0;
    int visited = 0;
    Entry now{0, 0};
    while (true) {
        if (now.squared <= widened(squared_limit())) {
            ++visited;
            const BvhNode& node = nodes[now.node];
            const double squared[2] = {squared_distance(node, 0, p), squared_distance(node, 1, p)};
            const int near = squared[1] < squared[0] ? 1 : 0;
            Entry next[2];
            int wanted = 0;
            for (int k = 0; k < 2; ++k) {
                const int child = k == 0 ? near : 1 - near;
                if (!(squared[child] <= widened(squared_limit()))) continue;
                if (node.count[child] > 0)
                    leaf(node.first[child], node.count[child]);
                else
                    next[wanted++] = {squared[child], node.first[child]};
            }
            if (wanted == 2) stack[size++] = next[1];
            if (wanted > 0) {
                now = next[0];
                continue;
            }
        }
        if (size == 0) return visited;
        now = stack[--size];
    }
}

}  // namespace asperity::geometry
