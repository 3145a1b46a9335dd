#include "asperity/geometry/mesh.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "asperity/core/index.h"
#include "asperity/geometry/mass_properties.h"

namespace asperity::geometry {
namespace {

Vec3 smaller(const Vec3& a, const Vec3& b) { return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)}; }
Vec3 larger(const Vec3& a, const Vec3& b) { return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)}; }

constexpr const char* repair_hint = "`asperity shape repair` can mend this";

void check_facets(const RawMesh& mesh, const std::vector<Vec3>& normals, std::vector<Problem>& problems) {
    std::vector<std::int32_t> degenerate;
    for (std::size_t f = 0; f < normals.size(); ++f)
        if (normals[f] == Vec3{}) degenerate.push_back(static_cast<std::int32_t>(f));
    if (!degenerate.empty())
        problems.push_back({.what = fmt::format("facets without area: {}", first_few(facet_names(mesh, degenerate))), .hint = repair_hint});

    const std::vector<std::int32_t> repeated = repeated_facets(mesh.facets);
    if (!repeated.empty())
        problems.push_back({.what = fmt::format("facets that repeat the corners of another: {}", first_few(facet_names(mesh, repeated))),
                            .hint = repair_hint});
}

void check_edges(const RawMesh& mesh, const std::vector<EdgeUse>& uses, std::vector<Problem>& problems) {
    const char* const facets = mesh.lines.empty() ? "facets " : "";

    std::vector<std::string> crowded;
    std::vector<std::string> opposed;
    for (std::size_t begin = 0, end = 0; begin < uses.size(); begin = end) {
        end = end_of_edge(uses, begin);
        const EdgeUse& first = uses[begin];
        const EdgeUse& last = uses[end - 1];
        if (end - begin > 2)
            crowded.push_back(fmt::format("vertices {}-{} ({} facets, from {} to {})", first.low + 1, first.high + 1, end - begin,
                                          facet_name(mesh, first.facet), facet_name(mesh, last.facet)));
        else if (end - begin == 2 && first.forward == last.forward)
            opposed.push_back(fmt::format("{}{} and {} at vertices {}-{}", facets, facet_name(mesh, first.facet),
                                          facet_name(mesh, last.facet), first.low + 1, first.high + 1));
    }
    if (!crowded.empty())
        problems.push_back({.what = fmt::format("edges with more than two facets: {}", first_few(crowded)),
                            .hint = "a surface has one facet on each side of an edge; remove the others"});
    if (!opposed.empty())
        problems.push_back({.what = fmt::format("neighbours that wind against each other: {}", first_few(opposed)), .hint = repair_hint});
}

void set_facets(const RawMesh& raw, const std::vector<Vec3>& normals, SurfaceMesh& mesh) {
    mesh.facets.resize(raw.facets.size());
    for (std::size_t f = 0; f < raw.facets.size(); ++f) {
        Facet& facet = mesh.facets[f];
        std::copy(raw.facets[f].begin(), raw.facets[f].end(), facet.vertex);
        std::fill_n(facet.neighbour, 3, -1);
        facet.normal = normals[f];
    }
}

void set_edges(const std::vector<EdgeUse>& uses, SurfaceMesh& mesh) {
    mesh.is_closed = true;
    for (std::size_t begin = 0, end = 0; begin < uses.size(); begin = end) {
        end = end_of_edge(uses, begin);
        const EdgeUse& a = uses[begin];
        const bool is_rim = end - begin == 1;
        const EdgeUse& b = is_rim ? a : uses[begin + 1];
        const auto index = static_cast<std::int32_t>(mesh.edges.size());
        const Vec3 span = mesh.vertices[at(a.high)] - mesh.vertices[at(a.low)];
        const double length = std::hypot(span.x, span.y, span.z);
        mesh.edges.push_back({.vertex = {a.low, a.high},
                              .facet = {a.facet, is_rim ? -1 : b.facet},
                              .direction = {span.x / length, span.y / length, span.z / length},
                              .length = length});
        mesh.facets[at(a.facet)].edge[a.slot] = index;
        mesh.facets[at(b.facet)].edge[b.slot] = index;
        mesh.is_closed = mesh.is_closed && !is_rim;
        if (is_rim) continue;
        mesh.facets[at(a.facet)].neighbour[a.slot] = b.facet;
        mesh.facets[at(b.facet)].neighbour[b.slot] = a.facet;
    }
}

void set_vertex_facets(SurfaceMesh& mesh) {
    mesh.vertex_facet_begin.assign(mesh.vertices.size() + 1, 0);
    for (const Facet& facet : mesh.facets)
        for (const std::int32_t v : facet.vertex) ++mesh.vertex_facet_begin[at(v) + 1];
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) mesh.vertex_facet_begin[v + 1] += mesh.vertex_facet_begin[v];
    std::vector<std::int32_t> next(mesh.vertex_facet_begin.begin(), mesh.vertex_facet_begin.end() - 1);
    mesh.vertex_facets.resize(3 * mesh.facets.size());
    for (std::size_t f = 0; f < mesh.facets.size(); ++f)
        for (const std::int32_t v : mesh.facets[f].vertex) mesh.vertex_facets[at(next[at(v)]++)] = static_cast<std::int32_t>(f);
}

void set_pseudo_normals(SurfaceMesh& mesh) {
    mesh.edge_normals.reserve(mesh.edges.size());
    for (const Edge& edge : mesh.edges) {
        const Vec3 other = edge.facet[1] < 0 ? Vec3{} : mesh.facets[at(edge.facet[1])].normal;
        mesh.edge_normals.push_back(unit(mesh.facets[at(edge.facet[0])].normal + other));
    }
    mesh.vertex_normals.assign(mesh.vertices.size(), {});
    for (const Facet& facet : mesh.facets)
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3& corner = mesh.vertices[at(facet.vertex[k])];
            const Vec3 next = unit(mesh.vertices[at(facet.vertex[(k + 1) % 3])] - corner);
            const Vec3 previous = unit(mesh.vertices[at(facet.vertex[(k + 2) % 3])] - corner);
            const double angle = std::atan2(norm(cross(next, previous)), dot(next, previous));
            mesh.vertex_normals[at(facet.vertex[k])] += angle * facet.normal;
        }
    for (Vec3& normal : mesh.vertex_normals) normal = unit(normal);
}

void set_boxes(SurfaceMesh& mesh) {
    std::vector<BoundingBox> boxes;
    boxes.reserve(mesh.facets.size());
    for (const Facet& facet : mesh.facets) {
        BoundingBox box{mesh.vertices[at(facet.vertex[0])], mesh.vertices[at(facet.vertex[0])]};
        for (const std::int32_t v : facet.vertex) {
            box.lower = smaller(box.lower, mesh.vertices[at(v)]);
            box.upper = larger(box.upper, mesh.vertices[at(v)]);
        }
        boxes.push_back(box);
    }
    mesh.lower = boxes.front().lower;
    mesh.upper = boxes.front().upper;
    for (const BoundingBox& box : boxes) {
        mesh.lower = smaller(mesh.lower, box.lower);
        mesh.upper = larger(mesh.upper, box.upper);
    }
    mesh.bvh = build_bvh(boxes);
}

}  // namespace

SurfaceView SurfaceMesh::view() const {
    return {.vertices = vertices.data(),
            .facets = facets.data(),
            .edges = edges.data(),
            .nodes = bvh.nodes.data(),
            .order = bvh.order.data(),
            .vertex_facet_begin = vertex_facet_begin.data(),
            .vertex_facets = vertex_facets.data(),
            .edge_normals = edge_normals.data(),
            .vertex_normals = vertex_normals.data(),
            .vertex_count = static_cast<std::int32_t>(vertices.size()),
            .facet_count = static_cast<std::int32_t>(facets.size()),
            .edge_count = static_cast<std::int32_t>(edges.size())};
}

SurfaceMesh make_surface(RawMesh raw) {
    std::vector<Problem> problems = unusable_parts(raw);
    if (!problems.empty()) throw InputError(std::move(problems));

    std::vector<Vec3> normals;
    normals.reserve(raw.facets.size());
    for (const Corners& facet : raw.facets) normals.push_back(facet_normal(raw.vertices, facet));
    const std::vector<EdgeUse> uses = sorted_edge_uses(raw.facets);
    check_facets(raw, normals, problems);
    check_edges(raw, uses, problems);
    if (!problems.empty()) throw InputError(std::move(problems));

    SurfaceMesh mesh;
    mesh.vertices = std::move(raw.vertices);
    set_facets(raw, normals, mesh);
    set_edges(uses, mesh);
    if (mesh.is_closed && signed_volume(mesh.vertices, raw.facets) < 0)
        throw InputError("the closed surface is inside out: its normals point inwards", repair_hint);
    set_vertex_facets(mesh);
    set_pseudo_normals(mesh);
    set_boxes(mesh);
    return mesh;
}

SurfaceMesh scaled(const SurfaceMesh& mesh, double k) {
    SurfaceMesh out = mesh;
    for (Vec3& vertex : out.vertices) vertex *= k;
    for (Edge& edge : out.edges) edge.length *= k;
    out.lower *= k;
    out.upper *= k;
    for (BvhNode& node : out.bvh.nodes)  // rounded outwards: a box must hold its facets
        for (int side = 0; side < 2; ++side)
            for (int axis = 0; axis < 3; ++axis) {
                float &low = node.lower[side][axis], &high = node.upper[side][axis];
                low = std::nextafter(static_cast<float>(k * static_cast<double>(low)), -std::numeric_limits<float>::infinity());
                high = std::nextafter(static_cast<float>(k * static_cast<double>(high)), std::numeric_limits<float>::infinity());
            }
    return out;
}

SurfaceMesh make_surface(std::vector<Vec3> vertices, std::vector<std::array<std::int32_t, 3>> facets) {
    return make_surface(RawMesh{std::move(vertices), std::move(facets)});
}

}  // namespace asperity::geometry
