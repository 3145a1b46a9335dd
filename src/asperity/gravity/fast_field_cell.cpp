#include "asperity/gravity/fast_field_cell.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "asperity/core/index.h"
#include "asperity/geometry/closest.h"
#include "asperity/gravity/interpolation_error.h"
#include "asperity/gravity/patch_sum.h"

namespace asperity::gravity {
namespace {

// The distance of interpolation_error.h, (|x|^4 + |y|^4 + |z|^4)^(1/4).
double length4(double x, double y, double z) {
    const double xx = x * x, yy = y * y, zz = z * z;
    return std::sqrt(std::sqrt(xx * xx + yy * yy + zz * zz));
}

// From a point to the nearest of a box; 0 inside.
double distance_to(const geometry::BoundingBox& box, const Vec3& c) {
    return length4(std::max({0.0, box.lower.x - c.x, c.x - box.upper.x}), std::max({0.0, box.lower.y - c.y, c.y - box.upper.y}),
                   std::max({0.0, box.lower.z - c.z, c.z - box.upper.z}));
}

// To the farthest.
double reach_to(const geometry::BoundingBox& box, const Vec3& c) {
    return length4(std::max(box.upper.x - c.x, c.x - box.lower.x), std::max(box.upper.y - c.y, c.y - box.lower.y),
                   std::max(box.upper.z - c.z, c.z - box.lower.z));
}

// From a point to the nearest of the cube.
double distance_to_cube(const Vec3& p, const Vec3& c, double half) {
    const auto beyond = [&](double u) { return std::max(0.0, std::fabs(u) - half); };
    return norm(Vec3{beyond(p.x - c.x), beyond(p.y - c.y), beyond(p.z - c.z)});
}

struct Patch {
    std::int32_t node;
    int order;
};

// What a cell takes over into its polynomial, by distance: the farther, the lower the degree that it needs.
struct NewlyFar {
    std::vector<std::int32_t> facets;  // one by one
    std::vector<Patch> patches;        // by their multipoles
    double lost = 0;                   // what these leave out of the values, m^2
};
constexpr double shell_limits[] = {1.2, 1.5, 2};  // of the near distance
constexpr std::size_t shell_count = 4;

// What the expansion of a patch up to an order leaves out, (3) of source_tree.h: first t^(order + 1), m^2.
struct MultipoleError {
    double first = std::numeric_limits<double>::infinity();
    double ratio = 1;

    double of(int order) const { return first * std::pow(ratio, order + 1); }
};

MultipoleError multipole_error(const SourceNode& node, const Vec3& centre, double half) {
    const double d = distance_to_cube(node.centre, centre, half);
    if (!(d > 2 * node.radius)) return {};
    const double weight = 0.5 * (weighted_heights(node, centre) + std::sqrt(3.0) * half * node.area);
    return {weight / (d - node.radius), node.radius / d};
}

struct Collector {
    const FieldPlan& plan;
    const Cell& parent;
    Cell& cell;
    double multipole_share;  // m^2 a m^2 of patch
    double parent_reach = near_reach(plan, parent.half), reach = near_reach(plan, cell.half);
    NewlyFar far[shell_count];

    NewlyFar& shell_of(const geometry::BoundingBox& box) {
        const double distance = distance_to(box, cell.centre) / reach;
        std::size_t shell = 0;
        while (shell + 1 < shell_count && distance >= shell_limits[shell]) ++shell;
        return far[shell];
    }

    bool is_of_parent(const geometry::BoundingBox& box) const { return distance_to(box, parent.centre) >= parent_reach; }
    bool is_near(const geometry::BoundingBox& box) const { return distance_to(box, cell.centre) < reach; }

    void take_facets(const SourceNode& node) {
        for (std::int32_t f = node.first; f < node.first + node.count; ++f) {
            const geometry::BoundingBox& box = plan.tree.boxes[at(f)];
            if (is_of_parent(box)) continue;
            (is_near(box) ? cell.near : shell_of(box).facets).push_back(f);
        }
    }

    // By its multipoles, if these are good enough and not dearer than its facets.
    bool take_patch(std::int32_t index) {
        constexpr int terms_of_a_facet = 5;
        const SourceNode& node = plan.tree.nodes[at(index)];
        const MultipoleError error = multipole_error(node, cell.centre, cell.half);
        int order = 4;
        while (order <= SourceTree::order && error.of(order) > multipole_share * node.area) ++order;
        if (order > SourceTree::order || (order + 1) * (order + 2) / 2 > terms_of_a_facet * node.count) return false;
        NewlyFar& far_away = shell_of(node.box);
        far_away.lost += error.of(order);
        far_away.patches.push_back({index, order});
        return true;
    }

    void visit(std::int32_t index) {
        const SourceNode& node = plan.tree.nodes[at(index)];
        if (is_of_parent(node.box)) return;
        if (node.child[0] < 0) return take_facets(node);
        const bool is_whole = node.moments >= 0 && !is_near(node.box) && reach_to(node.box, parent.centre) < parent_reach;
        if (is_whole && take_patch(index)) return;
        for (const std::int32_t child : node.child) visit(child);
    }
};

// What (3) needs to know of the sources of a shell: sums by steps of distance.
struct ShellSums {
    double heights[distance_steps] = {};  // A |h|, m^3
    double areas[distance_steps] = {};    // A, m^2
    double lost = 0;                      // by multipoles, m^2
};

ShellSums sums_of(const FieldPlan& plan, const Cell& cell, const NewlyFar& far) {
    ShellSums sums{.lost = far.lost};
    const auto add = [&](const geometry::BoundingBox& box, double heights, double area) {
        const auto step = at(distance_step(distance_to(box, cell.centre) / cell.half));
        sums.heights[step] += heights;
        sums.areas[step] += area;
    };
    for (const std::int32_t f : far.facets) {
        const FacetRecord& facet = plan.tree.facets[at(f)];
        const Vec3 from{facet.corner[0][0] - cell.centre.x, facet.corner[0][1] - cell.centre.y, facet.corner[0][2] - cell.centre.z};
        const double height = std::fabs(dot(from, Vec3{facet.normal[0], facet.normal[1], facet.normal[2]}));
        add(plan.tree.boxes[at(f)], height * plan.tree.areas[at(f)], plan.tree.areas[at(f)]);
    }
    for (const Patch& patch : far.patches) {
        const SourceNode& node = plan.tree.nodes[at(patch.node)];
        add(node.box, weighted_heights(node, cell.centre), node.area);
    }
    return sums;
}

// (3), the sum.
double fit_bound(const ShellSums& sums, double half, int degree) {
    double sum = 0;
    for (int step = 0; step < distance_steps; ++step) {
        const FitError error = fit_error(degree, step);
        sum += sums.heights[at(step)] * error.source / (half * half) + sums.areas[at(step)] * error.moment / half;
    }
    return 0.5 * sum + sums.lost * value_amplification(degree) / half;
}

// Eight points.
struct Group {
    Lanes3 place[2];
    SourceSums sums[2];
};

CubePolynomial fit(const FieldPlan& plan, const Cell& cell, const NewlyFar& far, int degree) {
    const HarmonicFit& rule = plan.fits.of_degree(degree);
    const std::span<const Vec3> points = rule.points();
    std::vector<Group> groups((points.size() + 7) / 8);
    for (std::size_t q = 0; q < 8 * groups.size(); ++q) {
        const Vec3 p = cell.centre + cell.half * points[std::min(q, points.size() - 1)];
        Lanes3& place = groups[q / 8].place[q / 4 % 2];
        place.x[q % 4] = p.x;
        place.y[q % 4] = p.y;
        place.z[q % 4] = p.z;
    }
    PatchSum facets(plan.tree, far.facets, cell.centre);
    for (Group& group : groups) {
        plan.poll();  // a large cell has up to all facets to sum, at hundreds of points
        facets.add(group.place, group.sums);
    }
    for (const Patch& patch : far.patches) {
        const SourceNode& node = plan.tree.nodes[at(patch.node)];
        for (Group& group : groups) add_multipoles(plan.tree, node, patch.order, cell.centre, group.place, group.sums);
    }
    std::vector<Double4> values(points.size());
    for (std::size_t q = 0; q < points.size(); ++q) {
        const SourceSums& sums = groups[q / 8].sums[q / 4 % 2];
        const std::size_t lane = q % 4;
        values[q] = Double4{sums.heights[lane], cell.half * sums.normals.x[lane], cell.half * sums.normals.y[lane],
                            cell.half * sums.normals.z[lane]};
    }
    return rule.through(values);
}

// A degree for each shell, such that the bounds of all stay within the share; the highest there is, where none does. Always the one that
// is worst gets the next degree.
struct ShellFit {
    const NewlyFar* far;
    ShellSums sums;
    int degree;
    double bound;  // m
};

std::vector<ShellFit> fits_for(const FieldPlan& plan, const Cell& cell, const NewlyFar (&shells)[shell_count], double share) {
    std::vector<ShellFit> fits;
    double sum = 0;
    for (const NewlyFar& far : shells) {
        if (far.facets.empty() && far.patches.empty()) continue;
        const ShellSums sums = sums_of(plan, cell, far);
        fits.push_back({&far, sums, lowest_fit_degree, fit_bound(sums, cell.half, lowest_fit_degree)});
        sum += fits.back().bound;
    }
    while (sum > share) {
        const auto worst = std::max_element(fits.begin(), fits.end(), [](const ShellFit& a, const ShellFit& b) {
            return (a.degree < highest_fit_degree ? a.bound : -1) < (b.degree < highest_fit_degree ? b.bound : -1);
        });
        if (worst->degree == highest_fit_degree) break;
        worst->bound = fit_bound(worst->sums, cell.half, ++worst->degree);
        sum = 0;
        for (const ShellFit& fit : fits) sum += fit.bound;
    }
    return fits;
}

// Drops what is too small to matter.
void cut_small(double share, Cell& cell) {
    const std::vector<double> dropped = cell.far.dropped_gradients();
    int degree = cell.far.degree();
    while (degree > 0 && dropped[at(degree - 1)] / cell.half <= share) --degree;
    cell.bound += dropped[at(degree)] / cell.half;
    if (degree < cell.far.degree()) cell.far = cell.far.cut(degree);
}

// By what the parent knows.
Vec3 attraction(const FieldPlan& plan, const Cell& cell, const Vec3& p) {
    const Lanes3 lanes{splat(p.x), splat(p.y), splat(p.z)};
    Double4 potential{};
    Lanes3 sum{};
    for (std::size_t i = 0; i < cell.near.size(); i += 4) {
        const auto facet = [&](std::size_t k) -> const FacetRecord& {
            return i + k < cell.near.size() ? plan.tree.facets[at(cell.near[i + k])] : plan.tree.facets.back();
        };
        add_facets(side_by_side(facet(0), facet(1), facet(2), facet(3)), lanes, potential, sum);
    }
    const auto total = [](const Double4& v) { return (v[0] + v[1]) + (v[2] + v[3]); };
    return Vec3{total(sum.x), total(sum.y), total(sum.z)} + cell.far.gradient((p - cell.centre) / cell.half) / cell.half;
}

// At the corners and the centre of a cell, where they are not too deep inside; where all are, that of the parent.
double smallest_attraction(const FieldPlan& plan, const Cell& parent, const Cell& cell) {
    double smallest = std::numeric_limits<double>::infinity();
    for (int corner = 0; corner < 9; ++corner) {
        const auto side = [&](int bit) { return corner == 8 ? 0.0 : (corner & bit) != 0 ? cell.half : -cell.half; };
        const Vec3 p = cell.centre + Vec3{side(1), side(2), side(4)};
        if (norm(p - plan.centre) > plan.series) continue;
        if (!parent.near.empty() && geometry::signed_distance(plan.mesh, p) < -plan.depth_inside) continue;
        smallest = std::min(smallest, norm(attraction(plan, parent, p)));
    }
    return std::isfinite(smallest) ? smallest : parent.gravity;
}

// Whether no point of the cube is valid; looks at smaller cubes where it is not clear.
bool is_too_deep(const FieldPlan& plan, const Vec3& centre, double half, int levels) {
    const double height = geometry::signed_distance(plan.mesh, centre);
    if (height < -(plan.depth_inside + std::sqrt(3.0) * half)) return true;
    if (height > -plan.depth_inside || levels == 0) return false;
    for (int octant = 0; octant < 8; ++octant) {
        const auto side = [&](int axis) { return (octant >> axis & 1) != 0 ? 0.5 * half : -0.5 * half; };
        if (!is_too_deep(plan, centre + Vec3{side(0), side(1), side(2)}, 0.5 * half, levels - 1)) return false;
    }
    return true;
}

}  // namespace

Cell root_cell(const FieldPlan& plan, const Vec3& centre, double half) {
    Cell cell{.centre = centre, .half = half};
    for (std::size_t f = 0; f + 1 < plan.tree.facets.size(); ++f) cell.near.push_back(static_cast<std::int32_t>(f));
    cell.gravity = plan.weakest;
    return cell;
}

Child child_of(const FieldPlan& plan, const Cell& parent, int octant) {
    Child child;
    Cell& cell = child.cell;
    cell.half = 0.5 * parent.half;
    const auto side = [&](int axis) { return (octant >> axis & 1) != 0 ? cell.half : -cell.half; };
    cell.centre = parent.centre + Vec3{side(0), side(1), side(2)};
    const bool is_too_far = distance_to_cube(plan.centre, cell.centre, cell.half) > plan.series;
    if (is_too_far || is_too_deep(plan, cell.centre, cell.half, 2)) {
        child.is_absent = true;
        return child;
    }
    cell.gravity = smallest_attraction(plan, parent, cell);
    // A part of what is left, the smaller the larger the cell: cells of the finest size are the most.
    // Gravity may be weaker in some child: large cells leave it a reserve.
    const double reserve = cell.half > 1.5 * plan.leaf_half ? 0.85 : 0.95;
    const double left = std::max(0.0, reserve * plan.tolerance * cell.gravity - parent.bound);
    const double share = 0.65 * left * std::pow(std::min(1.0, plan.leaf_half / cell.half), 0.25);
    cell.far = parent.far.restricted(octant);
    cell.bound = parent.bound;
    constexpr int usual_degree = 9;
    double area = 0;  // of all that may become far
    for (const std::int32_t f : parent.near) area += plan.tree.areas[at(f)];
    const double multipole_share = 0.3 * share * cell.half / value_amplification(usual_degree) / area;
    Collector collector{.plan = plan, .parent = parent, .cell = cell, .multipole_share = multipole_share};
    collector.visit(0);
    for (const ShellFit& shell : fits_for(plan, cell, collector.far, share)) {
        cell.bound += shell.bound;
        cell.far.add(fit(plan, cell, *shell.far, shell.degree));
    }
    cut_small(0.05 * share, cell);
    return child;
}

}  // namespace asperity::gravity
