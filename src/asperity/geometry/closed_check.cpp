#include "asperity/geometry/closed_check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

#include "asperity/core/index.h"
#include "asperity/geometry/bvh.h"
#include "asperity/geometry/exact_sign.h"
#include "asperity/geometry/mass_properties.h"

namespace asperity::geometry {
namespace {

constexpr std::size_t shown = 10;
constexpr const char* repair_hint = "`asperity shape repair` can mend this";

// The first ten, and how many there are.
struct Names {
    std::vector<std::string> first;
    std::size_t count = 0;

    template <class Name>
    void add(Name&& name) {
        if (count++ < shown) first.push_back(name());
    }
    std::string text() const {
        return count <= shown ? fmt::format("{}", fmt::join(first, ", "))
                              : fmt::format("{}, ... ({} in all)", fmt::join(first, ", "), count);
    }
};

void tell(const Names& names, const char* what, const char* hint, std::vector<Problem>& problems) {
    if (names.count > 0) problems.push_back({.what = fmt::format("{}: {}", what, names.text()), .hint = hint});
}

// "facet 3" or "line 3".
std::string full_name(const RawMesh& mesh, std::int32_t facet) {
    return mesh.lines.empty() ? fmt::format("facet {}", facet + 1) : facet_name(mesh, facet);
}

void check_facets(const RawMesh& mesh, std::vector<Problem>& problems) {
    Names degenerate, repeated;
    for (std::size_t f = 0; f < mesh.facets.size(); ++f)
        if (facet_normal(mesh.vertices, mesh.facets[f]) == Vec3{})
            degenerate.add([&] { return full_name(mesh, static_cast<std::int32_t>(f)); });
    for (const std::int32_t f : repeated_facets(mesh.facets)) repeated.add([&] { return full_name(mesh, f); });
    tell(degenerate, "facets without area", repair_hint, problems);
    tell(repeated, "facets that repeat the corners of another", repair_hint, problems);
}

void check_edges(const RawMesh& mesh, const std::vector<EdgeUse>& uses, std::vector<Problem>& problems) {
    Names open, crowded, opposed;
    for (std::size_t begin = 0, end = 0; begin < uses.size(); begin = end) {
        end = end_of_edge(uses, begin);
        const EdgeUse& a = uses[begin];
        const EdgeUse& b = uses[end - 1];
        const auto name = [&](std::string facets) { return fmt::format("vertices {}-{} ({})", a.low + 1, a.high + 1, facets); };
        if (end - begin == 1)
            open.add([&] { return name(full_name(mesh, a.facet)); });
        else if (end - begin > 2)
            crowded.add([&] {
                return name(fmt::format("{} facets, from {} to {}", end - begin, full_name(mesh, a.facet), full_name(mesh, b.facet)));
            });
        else if (a.forward == b.forward)
            opposed.add([&] { return name(fmt::format("{} and {}", full_name(mesh, a.facet), full_name(mesh, b.facet))); });
    }
    tell(open, "the surface is open: edges with one facet", "an asteroid's has no holes: close them in a modeller", problems);
    tell(crowded, "edges with more than two facets", "a surface has one facet on each side of an edge; remove the others", problems);
    tell(opposed, "neighbours that wind against each other", repair_hint, problems);
}

void check_places(const RawMesh& mesh, std::vector<Problem>& problems) {
    std::vector<bool> is_used(mesh.vertices.size(), false);
    for (const Corners& facet : mesh.facets)
        for (const std::int32_t v : facet) is_used[at(v)] = true;
    std::vector<std::int32_t> order;
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
        if (is_used[v]) order.push_back(static_cast<std::int32_t>(v));
    const auto key = [&](std::int32_t v) { return std::tie(mesh.vertices[at(v)].x, mesh.vertices[at(v)].y, mesh.vertices[at(v)].z); };
    std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) { return key(a) != key(b) ? key(a) < key(b) : a < b; });
    std::vector<std::pair<std::int32_t, std::int32_t>> pairs;
    for (std::size_t k = 1; k < order.size(); ++k)
        if (key(order[k]) == key(order[k - 1])) pairs.emplace_back(order[k - 1], order[k]);
    std::sort(pairs.begin(), pairs.end());
    Names same;
    for (const auto& [a, b] : pairs) same.add([a = a, b = b] { return fmt::format("{} and {}", a + 1, b + 1); });
    tell(same, "vertices at the same place", "`asperity shape repair` makes one of them", problems);
}

// Groups of facets, joined again and again.
struct Groups {
    std::vector<std::int32_t> parent;
    explicit Groups(std::size_t count) : parent(count) { std::iota(parent.begin(), parent.end(), 0); }
    std::int32_t root(std::int32_t k) {
        while (parent[at(k)] != k) k = parent[at(k)] = parent[at(parent[at(k)])];
        return k;
    }
    void join(std::int32_t a, std::int32_t b) {
        a = root(a);
        b = root(b);
        if (a != b) parent[at(std::max(a, b))] = std::min(a, b);
    }
};

// Corners (facet, slot) of the same vertex, joined across the edges that leave it: more than one group is more than one fan.
void check_fans(const RawMesh& mesh, const std::vector<EdgeUse>& uses, std::vector<Problem>& problems) {
    Groups corners(3 * mesh.facets.size());
    const auto corner = [&](const EdgeUse& use, std::int32_t vertex) {
        const bool is_first = mesh.facets[at(use.facet)][at(use.slot)] == vertex;
        return 3 * use.facet + (is_first ? use.slot : (use.slot + 1) % 3);
    };
    for (std::size_t k = 0; k + 1 < uses.size(); k += 2)
        for (const std::int32_t v : {uses[k].low, uses[k].high}) corners.join(corner(uses[k], v), corner(uses[k + 1], v));
    std::vector<std::int32_t> fan(mesh.vertices.size(), -1);
    std::vector<bool> is_pinched(mesh.vertices.size(), false);
    for (std::size_t c = 0; c < 3 * mesh.facets.size(); ++c) {
        const std::size_t v = at(mesh.facets[c / 3][c % 3]);
        const std::int32_t root = corners.root(static_cast<std::int32_t>(c));
        if (fan[v] < 0) fan[v] = root;
        is_pinched[v] = is_pinched[v] || fan[v] != root;
    }
    Names pinched;
    for (std::size_t v = 0; v < is_pinched.size(); ++v)
        if (is_pinched[v]) pinched.add([&] { return fmt::format("{}", v + 1); });
    tell(pinched, "vertices at which the surface only touches itself",
         "the facets at a vertex form one fan: move the parts from each other", problems);
}

void check_shells(const RawMesh& mesh, const std::vector<EdgeUse>& uses, std::vector<Problem>& problems) {
    Groups facets(mesh.facets.size());
    for (std::size_t k = 0; k + 1 < uses.size(); k += 2) facets.join(uses[k].facet, uses[k + 1].facet);
    std::vector<std::int32_t> count(mesh.facets.size(), 0);
    for (std::size_t f = 0; f < mesh.facets.size(); ++f) ++count[at(facets.root(static_cast<std::int32_t>(f)))];
    Names shells;
    for (std::size_t f = 0; f < count.size(); ++f)
        if (count[f] > 0)
            shells.add([&] { return fmt::format("{} facets with {}", count[f], full_name(mesh, static_cast<std::int32_t>(f))); });
    if (shells.count > 1)
        problems.push_back({.what = fmt::format("the surface is {} separate shells: {}", shells.count, shells.text()),
                            .hint = "a solid has one, cavities are not supported: write each body to a file of its own"});
}

BoundingBox box_of(const std::vector<Vec3>& vertices, const Corners& facet) {
    const Vec3 &a = vertices[at(facet[0])], &b = vertices[at(facet[1])], &c = vertices[at(facet[2])];
    return {{std::min({a.x, b.x, c.x}), std::min({a.y, b.y, c.y}), std::min({a.z, b.z, c.z})},
            {std::max({a.x, b.x, c.x}), std::max({a.y, b.y, c.y}), std::max({a.z, b.z, c.z})}};
}

double diagonal(const RawMesh& mesh) {
    BoundingBox all = box_of(mesh.vertices, mesh.facets.front());
    for (const Corners& facet : mesh.facets) {
        const BoundingBox box = box_of(mesh.vertices, facet);
        all.lower = {std::min(all.lower.x, box.lower.x), std::min(all.lower.y, box.lower.y), std::min(all.lower.z, box.lower.z)};
        all.upper = {std::max(all.upper.x, box.upper.x), std::max(all.upper.y, box.upper.y), std::max(all.upper.z, box.upper.z)};
    }
    const Vec3 size = all.upper - all.lower;
    return std::hypot(size.x, size.y, size.z);
}

void check_volume(const RawMesh& mesh, std::vector<Problem>& problems) {
    const double volume = signed_volume(mesh.vertices, mesh.facets);
    const double size = diagonal(mesh);
    if (!(std::abs(volume) > 0x1p-40 * size * size * size))  // (1)
        problems.push_back({.what = "the closed surface bounds no volume", .hint = "its two sides lie on each other: is it a sheet?"});
    else if (volume < 0)
        problems.push_back(
            {.what = fmt::format("the closed surface is inside out: its volume is {:.6g} m^3", volume), .hint = repair_hint});
}

// ---- contact

using Triangle = Vec3[3];

bool overlap(const BoundingBox& a, const BoundingBox& b) {
    return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y && b.lower.y <= a.upper.y && a.lower.z <= b.upper.z &&
           b.lower.z <= a.upper.z;
}

bool overlaps_child(const BvhNode& node, int child, const BoundingBox& box) {
    const double lower[3] = {box.lower.x, box.lower.y, box.lower.z};
    const double upper[3] = {box.upper.x, box.upper.y, box.upper.z};
    for (int k = 0; k < 3; ++k)
        if (lower[k] > static_cast<double>(node.upper[child][k]) || upper[k] < static_cast<double>(node.lower[child][k])) return false;
    return true;
}

// Whether two facets have more in common than the vertices that they share.
class Contact {
public:
    Contact(const RawMesh& mesh, std::int32_t a, std::int32_t b) : mesh_(mesh), a_(mesh.facets[at(a)]), b_(mesh.facets[at(b)]) {}

    bool is_wrong() const {
        Triangle a, b;
        for (std::size_t k = 0; k < 3; ++k) {
            a[k] = place(a_[k]);
            b[k] = place(b_[k]);
        }
        int shared = 0;
        std::size_t own_a = 0, own_b = 0;  // with one shared vertex: its corner; with two: the corner that is not shared
        for (std::size_t k = 0; k < 3; ++k) shared += std::find(b_.begin(), b_.end(), a_[k]) != b_.end();
        for (std::size_t k = 0; k < 3; ++k) {
            if ((std::find(b_.begin(), b_.end(), a_[k]) != b_.end()) == (shared == 1)) own_a = k;
            if ((std::find(a_.begin(), a_.end(), b_[k]) != a_.end()) == (shared == 1)) own_b = k;
        }
        if (shared >= 2) return is_folded(a, b[own_b], own_a);
        // Two triangles with one common vertex that have another common point have one on a side that is opposite to it.
        if (shared == 1) return meets(a[(own_a + 1) % 3], a[(own_a + 2) % 3], b) || meets(b[(own_b + 1) % 3], b[(own_b + 2) % 3], a);
        for (std::size_t k = 0; k < 3; ++k)
            if (meets(a[k], a[(k + 1) % 3], b) || meets(b[k], b[(k + 1) % 3], a)) return true;
        return false;
    }

private:
    const Vec3& place(std::int32_t v) const { return mesh_.vertices[at(v)]; }

    // Neighbours across an edge lie on each other where they are in one plane and on one side of the edge.
    static bool is_folded(const Triangle& a, const Vec3& other, std::size_t own) {
        if (side(a[0], a[1], a[2], other) != 0) return false;
        const Vec3 &p = a[(own + 1) % 3], &q = a[(own + 2) % 3];
        const Vec3 normal = cross(q - p, a[own] - p);
        const double x = std::abs(normal.x), y = std::abs(normal.y), z = std::abs(normal.z);
        const auto seen = [&](const Vec3& v) { return x >= y && x >= z ? Vec2{v.y, v.z} : y >= z ? Vec2{v.z, v.x} : Vec2{v.x, v.y}; };
        return turn(seen(p), seen(q), seen(a[own])) == turn(seen(p), seen(q), seen(other));
    }

    const RawMesh& mesh_;
    const Corners &a_, &b_;
};

template <class Visit>
void for_each_overlap(const Bvh& bvh, const BoundingBox& box, Visit&& visit) {
    std::array<std::int32_t, bvh_stack_size> stack{};
    int size = 1;
    while (size > 0) {
        const BvhNode& node = bvh.nodes[at(stack[at(--size)])];
        for (int child = 0; child < 2; ++child) {
            if (!overlaps_child(node, child, box)) continue;
            if (node.count[child] == 0)
                stack[at(size++)] = node.first[child];
            else
                for (std::int32_t k = node.first[child]; k < node.first[child] + node.count[child]; ++k) visit(bvh.order[at(k)]);
        }
    }
}

void check_contact(const RawMesh& mesh, std::vector<Problem>& problems) {
    std::vector<BoundingBox> boxes;
    boxes.reserve(mesh.facets.size());
    for (const Corners& facet : mesh.facets) boxes.push_back(box_of(mesh.vertices, facet));
    const Bvh bvh = build_bvh(boxes);
    Names pairs;
    for (std::int32_t f = 0; at(f) < mesh.facets.size() && pairs.count < shown; ++f) {
        std::vector<std::int32_t> met;
        for_each_overlap(bvh, boxes[at(f)], [&](std::int32_t g) {
            if (g > f && overlap(boxes[at(f)], boxes[at(g)]) && Contact(mesh, f, g).is_wrong()) met.push_back(g);
        });
        std::sort(met.begin(), met.end());
        for (const std::int32_t g : met)
            if (pairs.count < shown) pairs.add([&] { return fmt::format("{} and {}", full_name(mesh, f), full_name(mesh, g)); });
    }
    if (pairs.count > 0)
        problems.push_back(
            {.what = fmt::format("facets that cut or touch each other: {}{}", pairs.text(), pairs.count == shown ? ", ..." : ""),
             .hint = "neighbours have an edge or a vertex in common, others nothing: move them apart in a modeller"});
}

}  // namespace

std::string unit_hint(const RawMesh& mesh) {
    if (!unusable_parts(mesh).empty()) return {};
    const double size = diagonal(mesh);
    if (size < 50) return fmt::format("the shape is {:.3g} m across: are these kilometres?", size);
    if (size > 1e7) return fmt::format("the shape is {:.3g} m across: are these metres?", size);
    return {};
}

std::vector<Problem> closed_problems(const RawMesh& mesh) {
    std::vector<Problem> problems = unusable_parts(mesh);
    if (!problems.empty()) return problems;
    check_facets(mesh, problems);
    const std::vector<EdgeUse> uses = sorted_edge_uses(mesh.facets);
    check_edges(mesh, uses, problems);
    check_places(mesh, problems);
    // From here on every edge has two uses, which stand next to each other.
    if (problems.empty()) {
        check_fans(mesh, uses, problems);
        check_shells(mesh, uses, problems);
    }
    if (problems.empty()) check_volume(mesh, problems);
    if (problems.empty()) check_contact(mesh, problems);
    if (!problems.empty()) problems.back().note = unit_hint(mesh);
    return problems;
}

SurfaceMesh make_closed_surface(RawMesh mesh) {
    std::vector<Problem> problems = closed_problems(mesh);
    if (!problems.empty()) throw InputError(std::move(problems));
    return make_surface(std::move(mesh));
}

}  // namespace asperity::geometry
