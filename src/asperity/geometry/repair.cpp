#include "asperity/geometry/repair.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "asperity/core/index.h"
#include "asperity/geometry/mass_properties.h"

namespace asperity::geometry {
namespace {

using Cell = std::array<std::int64_t, 3>;

// For each vertex, the lowest vertex that equals it.
std::vector<std::int32_t> equal_vertices(const std::vector<Vec3>& vertices) {
    std::vector<std::int32_t> order(vertices.size());
    std::iota(order.begin(), order.end(), 0);
    const auto key = [&](std::int32_t v) { return std::tie(vertices[at(v)].x, vertices[at(v)].y, vertices[at(v)].z); };
    std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) { return key(a) < key(b); });
    std::vector<std::int32_t> same(vertices.size());
    std::int32_t lowest = 0;
    for (std::size_t k = 0; k < order.size(); ++k) {
        if (k == 0 || key(order[k]) != key(order[k - 1])) lowest = order[k];
        same[at(order[k])] = lowest;
    }
    return same;
}

// For each vertex, the lowest kept vertex within the tolerance, or itself, which is then kept. Kept vertices are found through a grid of
// cells as large as the tolerance: only the cell of a vertex and its 26 neighbours can hold one near enough.
std::vector<std::int32_t> near_vertices(const std::vector<Vec3>& vertices, double tolerance, const Vec3& origin) {
    std::map<Cell, std::vector<std::int32_t>> kept;
    std::vector<std::int32_t> same(vertices.size());
    for (std::size_t v = 0; v < vertices.size(); ++v) {
        const Vec3 place = (vertices[v] - origin) / tolerance;
        const Cell cell{std::llround(place.x), std::llround(place.y), std::llround(place.z)};
        auto lowest = static_cast<std::int32_t>(v);
        for (int k = 0; k < 27; ++k) {
            const auto there = kept.find({cell[0] + k % 3 - 1, cell[1] + k / 3 % 3 - 1, cell[2] + k / 9 - 1});
            if (there == kept.end()) continue;
            for (const std::int32_t other : there->second)
                if (other < lowest && norm(vertices[at(other)] - vertices[v]) <= tolerance) lowest = other;
        }
        same[v] = lowest;
        if (at(lowest) == v) kept[cell].push_back(lowest);
    }
    return same;
}

void merge_vertices(const RepairOptions& options, RawMesh& mesh, RepairReport& report) {
    Vec3 lower = mesh.vertices.front();
    Vec3 upper = lower;
    for (const Vec3& v : mesh.vertices) {
        lower = {std::min(lower.x, v.x), std::min(lower.y, v.y), std::min(lower.z, v.z)};
        upper = {std::max(upper.x, v.x), std::max(upper.y, v.y), std::max(upper.z, v.z)};
    }
    const double tolerance = options.merge_tolerance * norm(upper - lower);
    const auto same = tolerance > 0 ? near_vertices(mesh.vertices, tolerance, lower) : equal_vertices(mesh.vertices);
    for (std::size_t v = 0; v < same.size(); ++v) report.merged_vertices += at(same[v]) != v;
    for (Corners& facet : mesh.facets)
        for (std::int32_t& v : facet) v = same[at(v)];
}

// `facets` ascend.
void drop(const std::vector<std::int32_t>& facets, RawMesh& mesh) {
    std::size_t kept = 0;
    std::size_t next = 0;
    for (std::size_t f = 0; f < mesh.facets.size(); ++f) {
        if (next < facets.size() && at(facets[next]) == f) {
            ++next;
            continue;
        }
        mesh.facets[kept] = mesh.facets[f];
        if (!mesh.lines.empty()) mesh.lines[kept] = mesh.lines[f];
        ++kept;
    }
    mesh.facets.resize(kept);
    if (!mesh.lines.empty()) mesh.lines.resize(kept);
}

void drop_facets(RawMesh& mesh, RepairReport& report) {
    const auto is_degenerate = [&](const Corners& facet) { return facet_normal(mesh.vertices, facet) == Vec3{}; };
    std::vector<std::int32_t> degenerate;
    for (std::size_t f = 0; f < mesh.facets.size(); ++f)
        if (is_degenerate(mesh.facets[f])) degenerate.push_back(static_cast<std::int32_t>(f));
    report.degenerate_facets = static_cast<std::int64_t>(degenerate.size());
    drop(degenerate, mesh);

    const std::vector<std::int32_t> repeated = repeated_facets(mesh.facets);
    report.repeated_facets = static_cast<std::int64_t>(repeated.size());
    drop(repeated, mesh);
}

// The facets beside each facet, across edges of exactly two facets.
struct Neighbour {
    std::int32_t facet = -1;
    bool winds_alike = true;
};
using Neighbours = std::vector<std::array<Neighbour, 3>>;

Neighbours find_neighbours(const std::vector<EdgeUse>& uses, std::size_t facets, RepairReport& report) {
    Neighbours neighbours(facets);
    for (std::size_t begin = 0, end = 0; begin < uses.size(); begin = end) {
        end = end_of_edge(uses, begin);
        if (end - begin > 2) ++report.crowded_edges;
        if (end - begin != 2) continue;
        const EdgeUse& a = uses[begin];
        const EdgeUse& b = uses[begin + 1];
        neighbours[at(a.facet)][at(a.slot)] = {b.facet, a.forward != b.forward};
        neighbours[at(b.facet)][at(b.slot)] = {a.facet, a.forward != b.forward};
    }
    return neighbours;
}

// The shell that holds `seed`, and which of its facets must turn to wind like the seed.
std::vector<std::int32_t> flood(const Neighbours& neighbours, std::int32_t seed, std::vector<int>& turn) {
    std::vector<std::int32_t> shell{seed};
    turn[at(seed)] = 0;
    for (std::size_t k = 0; k < shell.size(); ++k)
        for (const Neighbour& next : neighbours[at(shell[k])]) {
            if (next.facet < 0 || turn[at(next.facet)] >= 0) continue;
            turn[at(next.facet)] = next.winds_alike ? turn[at(shell[k])] : 1 - turn[at(shell[k])];
            shell.push_back(next.facet);
        }
    return shell;
}

void wind_shells(const RepairOptions& options, RawMesh& mesh, RepairReport& report) {
    const std::vector<EdgeUse> uses = sorted_edge_uses(mesh.facets);
    const Neighbours neighbours = find_neighbours(uses, mesh.facets.size(), report);
    std::vector<int> turn(mesh.facets.size(), -1);  // -1: not reached yet
    for (std::size_t seed = 0; seed < mesh.facets.size(); ++seed) {
        if (turn[seed] >= 0) continue;
        const std::vector<std::int32_t> shell = flood(neighbours, static_cast<std::int32_t>(seed), turn);
        bool is_closed = true;
        std::size_t turned = 0;
        for (const std::int32_t f : shell) {
            turned += static_cast<std::size_t>(turn[at(f)]);
            for (const Neighbour& next : neighbours[at(f)]) is_closed = is_closed && next.facet >= 0;
        }
        if (turned > shell.size() - turned)  // the majority is right
            for (const std::int32_t f : shell) turn[at(f)] = 1 - turn[at(f)];
        std::vector<Corners> facets;
        for (const std::int32_t f : shell) {
            if (turn[at(f)] == 1) std::swap(mesh.facets[at(f)][1], mesh.facets[at(f)][2]);
            facets.push_back(mesh.facets[at(f)]);
        }
        const bool must_turn = is_closed ? signed_volume(mesh.vertices, facets) < 0 : options.flip;
        if (must_turn)
            for (const std::int32_t f : shell) std::swap(mesh.facets[at(f)][1], mesh.facets[at(f)][2]);
        for (const std::int32_t f : shell) report.turned_facets += (turn[at(f)] == 1) != must_turn;
        report.flipped_shells += !is_closed && options.flip;
        ++report.shells;
        report.closed_shells += is_closed;
    }
    for (std::size_t f = 0; f < neighbours.size(); ++f)
        for (const Neighbour& next : neighbours[f]) {
            const bool is_first = next.facet > static_cast<std::int32_t>(f);
            if (is_first && (turn[f] == turn[at(next.facet)]) != next.winds_alike) ++report.one_sided_edges;
        }
}

void drop_unused_vertices(RawMesh& mesh, RepairReport& report) {
    std::vector<std::int32_t> number(mesh.vertices.size(), -1);
    for (const Corners& facet : mesh.facets)
        for (const std::int32_t v : facet) number[at(v)] = 0;
    std::vector<Vec3> kept;
    for (std::size_t v = 0; v < number.size(); ++v) {
        if (number[v] < 0) continue;
        number[v] = static_cast<std::int32_t>(kept.size());
        kept.push_back(mesh.vertices[v]);
    }
    for (Corners& facet : mesh.facets)
        for (std::int32_t& v : facet) v = number[at(v)];
    report.unused_vertices = static_cast<std::int64_t>(mesh.vertices.size() - kept.size()) - report.merged_vertices;
    mesh.vertices = std::move(kept);
}

}  // namespace

Repaired repair(const RawMesh& mesh, const RepairOptions& options) {
    if (const std::vector<Problem> problems = unusable_parts(mesh); !problems.empty()) throw InputError(problems);
    const double tolerance = options.merge_tolerance;
    if (tolerance != 0 && !(tolerance >= 1e-15 && tolerance <= 0.1))
        throw InputError(fmt::format("merge tolerance {} is out of range", tolerance), "give 0, or between 1e-15 and 0.1 of the diagonal");
    Repaired result{.mesh = mesh, .report = {}};
    merge_vertices(options, result.mesh, result.report);
    drop_facets(result.mesh, result.report);
    wind_shells(options, result.mesh, result.report);
    drop_unused_vertices(result.mesh, result.report);
    return result;
}

std::vector<std::string> lines(const RepairReport& report) {
    std::vector<std::string> list;
    const auto add = [&](std::int64_t count, const char* one, const char* many) {
        if (count > 0) list.push_back(fmt::format("{} {}", count, count == 1 ? one : many));
    };
    add(report.merged_vertices, "vertex merged into another", "vertices merged into others");
    add(report.degenerate_facets, "facet without area dropped", "facets without area dropped");
    add(report.repeated_facets, "repeated facet dropped", "repeated facets dropped");
    add(report.turned_facets, "facet turned", "facets turned");
    add(report.flipped_shells, "open shell faces the other way now", "open shells face the other way now");
    add(report.unused_vertices, "unused vertex dropped", "unused vertices dropped");
    if (!report.changed()) list.push_back("nothing to mend");
    list.push_back(fmt::format("{} shell{}, {} closed", report.shells, report.shells == 1 ? "" : "s", report.closed_shells));
    add(report.crowded_edges, "edge has more than two facets and was left", "edges have more than two facets and were left");
    add(report.one_sided_edges, "edge lies on a one-sided strip and was left", "edges lie on one-sided strips and were left");
    return list;
}

}  // namespace asperity::geometry
