// A cube of the fast field while it is built: its polynomial, the bound on what it leaves out, the facets that stay near.
//
//   near(cell):  facets that reach into the ball |x - c|_4 < D a,   a half-side, D >= 3                                            (1)
//   polynomial(child) = polynomial(parent) restricted + fit of the facets near the parent but not the child             (2)
//   bound(child) = bound(parent) + sum_f A_f / 2 (|h_f(c)| E0(D_f) / a^2 + E1(D_f) / a) + what a cut leaves out           (3)
//
// E0, E1: interpolation_error.h. Derivation: docs/theory/fast-field.md.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "asperity/core/vec3.h"
#include "asperity/geometry/mesh.h"
#include "asperity/gravity/cube_polynomial.h"
#include "asperity/gravity/harmonic_fit.h"
#include "asperity/gravity/source_tree.h"

namespace asperity::gravity {

// What is the same for all cells.
struct FieldPlan {
    const geometry::SurfaceMesh& mesh;
    const SourceTree& tree;
    HarmonicFits& fits;
    double tolerance;
    double depth_inside;                 // m
    double leaf_half;                    // m, about the half-side of cells at the surface
    double smallest_half;                // m, cells are not split below
    Vec3 centre;                         // m, of mass
    double series = 0;                   // m, the field ends so far from there
    double weakest = 0;                  // m, attraction of the body there
    double near_distance = 3;            // D of the smallest cells, half-sides
    std::size_t leaf_facets = 56;        // near a cell that is not split further
    std::function<void()> poll = [] {};  // called often, from any thread; what it throws ends the build
};

// D a of (1). Larger cells can afford a larger D, since few of them are leaves, and need it: they have more facets around.
inline double near_reach(const FieldPlan& plan, double half) {
    const double levels = std::clamp(std::log2(half / plan.leaf_half) - 2, 0.0, 5.0);
    return (plan.near_distance + 0.25 * levels) * half;
}

struct Cell {
    Vec3 centre;      // m
    double half = 0;  // m
    CubePolynomial far;
    double bound = 0;    // m, of the attraction
    double gravity = 0;  // m, smallest attraction at the corners and the centre, where they are not too deep inside
    std::vector<std::int32_t> near;
};

// The cell of all, with all facets near.
Cell root_cell(const FieldPlan& plan, const Vec3& centre, double half);

// One of the eight cells of half the side. `is_absent`: all of it is too deep inside or too far away, nothing else is set.
struct Child {
    Cell cell;
    bool is_absent = false;
};
Child child_of(const FieldPlan& plan, const Cell& parent, int octant);

inline bool is_leaf(const FieldPlan& plan, const Cell& cell) {
    return cell.near.size() <= plan.leaf_facets || cell.half < plan.smallest_half;
}

}  // namespace asperity::gravity
