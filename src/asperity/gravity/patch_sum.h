// The sums of harmonic_fit.h over a set of facets, at many points: corners and edges that they share are computed once.
//
//   sum h(c) phi,   sum n phi,   phi = sum_k (m_k . r_k) L_k - h w,   m_k . r_k and h affine in the point       (1) of facet_block.h
//
// Per facet half a root and one and a half logarithms, where facet_block.h takes three each. For points at some distance: L and w are not
// mended close to edges.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "asperity/gravity/facet_block.h"
#include "asperity/gravity/source_tree.h"

namespace asperity::gravity {

class PatchSum {
public:
    // Heights h(c) are those over c.
    PatchSum(const SourceTree& tree, std::span<const std::int32_t> facets, const Vec3& c);

    // At eight points: two of everything at a time keep the pipelines full. Not const: it has scratch memory.
    void add(const Lanes3 (&p)[2], SourceSums (&sums)[2]);

private:
    struct Affine {
        double x, y, z, constant;  // (x, y, z) . p + constant
    };
    struct Edge {
        std::int32_t vertex[2];
        double length;
    };
    struct Item {
        std::int32_t vertex[3];
        std::int32_t edge[3];
        Affine height;
        Affine across[3];      // m_k . r_k
        double centre_height;  // h(c)
        double four_areas;
        double sides[3];  // squared length of the side opposite to vertex k
    };
    struct Pair {
        Double4 of[2];
    };

    std::vector<double> places_;  // of vertices, x y z
    std::vector<Edge> edges_;
    std::vector<Item> items_;
    std::vector<Pair> radii_, logs_;
};

}  // namespace asperity::gravity
