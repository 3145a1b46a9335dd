// The facets of a body as a binary tree of patches, each with what it does at a distance: what the fast field is built from.
//
// A leaf has up to four facets; a patch of some size also has a multipole expansion about its centre o:
//
//   phi_f(p) = sum_lm (2 - d_m0) Re[conj(int_f R_lm(s - o) dS) I_lm(p - o)]                                        (1)
//   R_lm = r^l P_lm e^(i m f) / (l + m)!,   I_lm = (l - m)! P_lm e^(i m f) / r^(l+1)       solid harmonics, without (-1)^m
//   sum_f 1/2 h_f phi_f = 1/2 sum_lm Re[conj(M0 - (p - o) . M) I_lm],   M0 = sum_f n.(s - o) int R,  M = sum_f n int R     (2)
//   left out of (1) above order P:  at most A c^(P+1) / (d^(P+1) (d - c)),   A area, c radius of the patch, d distance from o   (3)
//
// Source: Greengard and Rokhlin, J. Comput. Phys. 73 (1987); recurrences: Wang and LeSar, J. Chem. Phys. 104 (1996).
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "asperity/core/vec3.h"
#include "asperity/geometry/bvh.h"
#include "asperity/geometry/mesh.h"
#include "asperity/gravity/facet_block.h"
#include "asperity/gravity/polyhedron.h"

namespace asperity::gravity {

struct SourceNode {
    geometry::BoundingBox box;  // m
    Vec3 centre;                // m, o
    double radius = 0;          // m, of the ball around o that holds the patch
    double area = 0;            // m^2
    // Sums over facets, for h_f(p) = n.(s - o) - n.(p - o): A h h, A h n, A n n.
    double hh = 0;
    Vec3 hn;
    Sym3 nn;
    std::int32_t first = 0;  // of its facets
    std::int32_t count = 0;
    std::int32_t child[2] = {-1, -1};
    std::int32_t moments = -1;  // index of the expansion, -1: none
};

struct SourceTree {
    static constexpr int order = 14;  // P of (3); the rule of triangle_rule is exact up to it
    static constexpr int terms = (order + 1) * (order + 2) / 2;
    struct Moment {
        double re[4], im[4];  // M0, Mx, My, Mz
    };

    std::vector<SourceNode> nodes;                     // nodes[0] is the root; parents before children
    std::vector<FacetRecord> facets;                   // patch by patch; behind the last one that stands for nothing
    std::vector<std::array<std::int32_t, 3>> corners;  // vertices of facets, numbers of the mesh
    std::vector<geometry::BoundingBox> boxes;          // of facets, m
    std::vector<double> areas;                         // of facets, m^2
    std::vector<Moment> moments;                       // `terms` for each expansion, times 2 - d_m0
};

// `poll` is called often, from any thread; what it throws ends the work.
SourceTree make_source_tree(
    const geometry::SurfaceMesh& mesh, const std::function<void()>& poll = [] {});

// Not below sum_f A_f |h_f(p)|, by the inequality of Schwarz.
double weighted_heights(const SourceNode& node, const Vec3& p);

// Sums over facets at four points; u = 1/2 h phi summed up is 1/2 (heights - (p - c) . normals).
struct SourceSums {
    Double4 heights{};  // sum h(c) phi, m^2
    Lanes3 normals{};   // sum n phi, m
};

// (1) in these sums at eight points, up to an order that is not above that of the tree; added to them.
void add_multipoles(const SourceTree& tree, const SourceNode& node, int order, const Vec3& c, const Lanes3 (&p)[2], SourceSums (&sums)[2]);

// The moments of (2) of the whole body about another centre.
std::vector<SourceTree::Moment> body_moments(const SourceTree& tree, const Vec3& centre);

// Solid harmonics R_lm up to the order, m >= 0, l by l.
struct Complex {
    double re = 0;
    double im = 0;
};
void regular_harmonics(const Vec3& s, int order, std::vector<Complex>& harmonics);

// Points and weights (sum 1/2) that integrate polynomials up to degree 15 over the triangle (0,0), (1,0), (0,1).
struct TriangleNode {
    double u, v, weight;
};
std::vector<TriangleNode> triangle_rule();

}  // namespace asperity::gravity
