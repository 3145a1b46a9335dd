#include "asperity/geometry/hull.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "asperity/core/errors.h"

namespace asperity::geometry {
namespace {

constexpr double flatness = 1e-9;   // of the size: flatter points bound no solid
constexpr double on_hull = 1e-12;   // of the size: nearer points lie on it
constexpr double coplanar = 1e-11;  // of the size: facets that are one face

std::size_t nth_of(std::int32_t index) { return static_cast<std::size_t>(index); }

struct Triangle {
    std::array<std::int32_t, 3> vertex{};
    Vec3 normal;
    bool is_alive = true;
};

struct HullBuilder {
    const std::vector<Vec3>& points;
    double size = 0;
    std::vector<Triangle> triangles;

    const Vec3& point(std::int32_t index) const { return points[nth_of(index)]; }
    double height(const Triangle& t, const Vec3& p) const { return dot(t.normal, p - point(t.vertex[0])); }

    void add(std::int32_t a, std::int32_t b, std::int32_t c) {
        triangles.push_back({{a, b, c}, unit(cross(point(b) - point(a), point(c) - point(a)))});
    }

    template <class Measure>
    std::int32_t largest(const Measure& measure) const {
        std::int32_t best = 0;
        for (std::int32_t k = 1; nth_of(k) < points.size(); ++k)
            if (measure(point(k)) > measure(point(best))) best = k;
        return best;
    }

    void start() {
        const std::int32_t a = largest([](const Vec3& p) { return -p.x; });
        const std::int32_t b = largest([&](const Vec3& p) { return squared_norm(p - point(a)); });
        size = norm(point(b) - point(a));
        const Vec3 along = unit(point(b) - point(a));
        const std::int32_t c = largest([&](const Vec3& p) { return squared_norm(cross(p - point(a), along)); });
        const Vec3 across = unit(cross(along, point(c) - point(a)));
        const std::int32_t d = largest([&](const Vec3& p) { return std::fabs(dot(p - point(a), across)); });
        const double wide = norm(cross(point(c) - point(a), along)), thick = dot(point(d) - point(a), across);
        if (!(size > 0) || !(wide > flatness * size) || !(std::fabs(thick) > flatness * size))
            throw InputError(fmt::format("the {} points of the hull lie in one plane{}: they bound no solid", points.size(),
                                         !(wide > flatness * size) ? ", even on one line" : ""),
                             "add points off that plane");
        const bool is_above = thick > 0;  // d, of the triangle a, b, c
        for (const auto& [p, q, r] : {std::array{a, b, c}, std::array{a, d, b}, std::array{b, d, c}, std::array{c, d, a}})
            is_above ? add(p, r, q) : add(p, q, r);
    }

    // Replaces the triangles that the point sees by those over the rim of what it sees.
    void include(std::int32_t index) {
        std::vector<std::size_t> seen;
        for (std::size_t k = 0; k < triangles.size(); ++k)
            if (triangles[k].is_alive && height(triangles[k], point(index)) > on_hull * size) seen.push_back(k);
        if (seen.empty()) return;
        std::map<std::pair<std::int32_t, std::int32_t>, bool> sides;  // directed
        for (const std::size_t k : seen) {
            triangles[k].is_alive = false;
            for (std::size_t i = 0; i < 3; ++i) sides[{triangles[k].vertex[i], triangles[k].vertex[(i + 1) % 3]}] = true;
        }
        for (const auto& [side, is_there] : sides)
            if (!sides.contains({side.second, side.first})) add(side.first, side.second, index);
        std::erase_if(triangles, [](const Triangle& t) { return !t.is_alive; });
    }
};

// Which face each triangle belongs to: triangles with a common side whose corners lie in one plane.
std::vector<std::size_t> faces_of(const HullBuilder& builder, std::map<std::pair<std::int32_t, std::int32_t>, std::size_t>& across) {
    const std::vector<Triangle>& t = builder.triangles;
    for (std::size_t k = 0; k < t.size(); ++k)
        for (std::size_t i = 0; i < 3; ++i) across[{t[k].vertex[i], t[k].vertex[(i + 1) % 3]}] = k;
    std::vector<std::size_t> face(t.size(), t.size());
    for (std::size_t first = 0; first < t.size(); ++first) {
        if (face[first] != t.size()) continue;
        std::vector<std::size_t> todo{first};
        face[first] = first;
        while (!todo.empty()) {
            const std::size_t now = todo.back();
            todo.pop_back();
            for (std::size_t i = 0; i < 3; ++i) {
                const std::size_t next = across.at({t[now].vertex[(i + 1) % 3], t[now].vertex[i]});
                if (face[next] != t.size() || !(dot(t[next].normal, t[first].normal) > 0)) continue;
                const bool is_flat = std::ranges::all_of(t[next].vertex, [&](std::int32_t v) {
                    return std::fabs(builder.height(t[first], builder.point(v))) <= coplanar * builder.size;
                });
                if (is_flat) face[next] = first, todo.push_back(next);
            }
        }
    }
    return face;
}

// The corners of a face, anticlockwise from its lowest vertex.
std::vector<std::int32_t> rim_of(const HullBuilder& builder, const std::vector<std::size_t>& face, std::size_t which,
                                 const std::map<std::pair<std::int32_t, std::int32_t>, std::size_t>& across) {
    std::map<std::int32_t, std::int32_t> next;
    for (std::size_t k = 0; k < face.size(); ++k)
        for (std::size_t i = 0; face[k] == which && i < 3; ++i) {
            const std::int32_t a = builder.triangles[k].vertex[i], b = builder.triangles[k].vertex[(i + 1) % 3];
            if (face[across.at({b, a})] != which) next[a] = b;
        }
    std::vector<std::int32_t> rim{next.begin()->first};
    for (std::int32_t v = next.begin()->second; v != rim.front(); v = next.at(v)) rim.push_back(v);
    return rim;
}

// Newell's normal: the mean over the whole rim, so that no sliver decides it.
Vec3 normal_of(const std::vector<Vec3>& points, const std::vector<std::int32_t>& rim) {
    Vec3 sum;
    for (std::size_t k = 1; k + 1 < rim.size(); ++k)
        sum += cross(points[nth_of(rim[k])] - points[nth_of(rim[0])], points[nth_of(rim[k + 1])] - points[nth_of(rim[0])]);
    return unit(sum);
}

// Points inside a face, or on an edge, are no corners of the hull.
void keep_corners(const std::vector<Vec3>& points, Hull& hull) {
    std::vector<std::int32_t> number(points.size(), -1);
    for (const std::int32_t v : hull.corners) number[nth_of(v)] = 0;
    for (std::size_t k = 0; k < points.size(); ++k)
        if (number[k] == 0) {
            number[k] = static_cast<std::int32_t>(hull.vertices.size());
            hull.vertices.push_back(points[k]);
        }
    for (std::int32_t& v : hull.corners) v = number[nth_of(v)];
}

void add_edges(Hull& hull) {
    std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> edge_of;
    for (std::size_t f = 0; f < hull.faces(); ++f)
        for (std::int32_t k = hull.face_begin[f]; k < hull.face_begin[f + 1]; ++k) {
            const std::int32_t a = hull.corners[nth_of(k)],
                               b = hull.corners[nth_of(k + 1 < hull.face_begin[f + 1] ? k + 1 : hull.face_begin[f])];
            const auto [found, is_new] = edge_of.try_emplace(std::minmax(a, b), static_cast<std::int32_t>(hull.edges.size()));
            if (is_new) hull.edges.push_back({{a, b}, {static_cast<std::int32_t>(f), -1}});
            if (!is_new) hull.edges[nth_of(found->second)].face[1] = static_cast<std::int32_t>(f);
            hull.corner_edge.push_back(found->second);
        }
}

}  // namespace

Hull make_hull(const std::vector<Vec3>& points) {
    if (points.size() < 4) throw InputError(fmt::format("a hull needs at least four points, not {}", points.size()));
    for (std::size_t k = 0; k < points.size(); ++k)
        if (!is_finite(points[k])) throw InputError(fmt::format("point {} of the hull is not finite", k + 1));
    HullBuilder builder{.points = points, .size = 0, .triangles = {}};
    builder.start();
    for (std::int32_t k = 0; nth_of(k) < points.size(); ++k) builder.include(k);
    std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> across;
    const std::vector<std::size_t> face = faces_of(builder, across);
    std::vector<std::vector<std::int32_t>> rims;
    std::vector<int> faces_at(points.size(), 0);
    for (std::size_t k = 0; k < face.size(); ++k) {
        if (face[k] != k) continue;
        rims.push_back(rim_of(builder, face, k, across));
        for (const std::int32_t v : rims.back()) ++faces_at[nth_of(v)];
    }
    Hull hull;
    hull.face_begin.push_back(0);
    for (std::vector<std::int32_t>& rim : rims) {
        std::erase_if(rim, [&](std::int32_t v) { return faces_at[nth_of(v)] < 3; });  // on an edge between two faces
        if (rim.size() > most_hull_corners)
            throw InputError(fmt::format("a face of the hull has {} corners, more than {}", rim.size(), most_hull_corners),
                             "leave points out; a round face is a cylinder or a cone");
        hull.corners.insert(hull.corners.end(), rim.begin(), rim.end());
        hull.face_begin.push_back(static_cast<std::int32_t>(hull.corners.size()));
        hull.normals.push_back(normal_of(points, rim));
    }
    keep_corners(points, hull);
    add_edges(hull);
    return hull;
}

}  // namespace asperity::geometry
