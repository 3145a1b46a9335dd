#include "asperity/scenario/drop.h"

#include <cmath>
#include <limits>

#include "asperity/geometry/closest.h"

namespace asperity::scenario {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

// A point on the line above the whole surface.
Vec3 start_of_fall(const geometry::SurfaceMesh& mesh, const Vec3& position, const Vec3& down, double radius) {
    const Vec3 centre = 0.5 * (mesh.lower + mesh.upper);
    const double reach = 0.5 * norm(mesh.upper - mesh.lower) + 2 * radius;
    return position + (dot(centre - position, down) - reach) * down;
}

// First distance along u at which a point that starts at `offset` from an axis of unit direction w comes within `radius` of it;
// w = 0: of a point.
double entry(const Vec3& offset, const Vec3& u, const Vec3& w, double radius) {
    const Vec3 p = tangential(offset, w);
    const Vec3 d = tangential(u, w);
    const double a = squared_norm(d);
    const double b = dot(p, d);
    const double discriminant = b * b - a * (squared_norm(p) - radius * radius);
    return a > 0 && discriminant >= 0 ? (-b - std::sqrt(discriminant)) / a : never;
}

double to_plane(const geometry::SurfaceMesh& mesh, const geometry::Facet& facet, const Vec3& from, const Vec3& down, double radius) {
    const Vec3& corner = mesh.vertices[static_cast<std::size_t>(facet.vertex[0])];
    const double closing = -dot(down, facet.normal);
    if (!(closing > 0)) return never;  // seen edge-on or from behind; an edge comes first
    const double t = (dot(from - corner, facet.normal) - radius) / closing;
    const Vec3 touch = from + t * down - radius * facet.normal;
    for (int k = 0; k < 3; ++k) {
        const Vec3& a = mesh.vertices[static_cast<std::size_t>(facet.vertex[k])];
        const Vec3& b = mesh.vertices[static_cast<std::size_t>(facet.vertex[(k + 1) % 3])];
        if (dot(cross(facet.normal, b - a), touch - a) < 0) return never;
    }
    return t;
}

}  // namespace

std::optional<Vec3> first_touch_by_facets(const geometry::SurfaceMesh& mesh, const Vec3& position, const Vec3& down, double radius) {
    return first_touch_below(mesh, start_of_fall(mesh, position, down, radius), down, radius);
}

std::optional<Vec3> first_touch_below(const geometry::SurfaceMesh& mesh, const Vec3& from, const Vec3& down, double radius) {
    double first = never;
    const auto take = [&](double t) {
        if (t >= 0 && t < first) first = t;
    };
    for (const geometry::Facet& facet : mesh.facets) take(to_plane(mesh, facet, from, down, radius));
    for (const geometry::Edge& edge : mesh.edges) {
        const Vec3 offset = from - mesh.vertices[static_cast<std::size_t>(edge.vertex[0])];
        const double t = entry(offset, down, edge.direction, radius);
        const double along = dot(offset + t * down, edge.direction);
        if (along >= 0 && along <= edge.length) take(t);
    }
    for (const Vec3& vertex : mesh.vertices) take(entry(from - vertex, down, Vec3{}, radius));
    if (first == never) return {};
    return from + first * down;
}

std::optional<Vec3> first_touch(const geometry::SurfaceMesh& mesh, const Vec3& position, const Vec3& down, double radius) {
    const geometry::SurfaceView view = mesh.view();
    Vec3 now = start_of_fall(mesh, position, down, radius);
    const double longest = norm(mesh.upper - mesh.lower) + 4 * radius;
    const double rounding = 16 * std::numeric_limits<double>::epsilon() * (norm(now) + longest);
    double travelled = 0;
    constexpr int most_steps = 100;
    for (int step = 0; step < most_steps; ++step) {
        const geometry::ClosestPoint found = geometry::nearest(view, now);
        if (!found.found() || travelled > longest) return {};
        const double clearance = found.distance - radius;
        if (clearance <= rounding) return now;
        now += clearance * down;
        travelled += clearance;
    }
    return first_touch_by_facets(mesh, position, down, radius);
}

}  // namespace asperity::scenario
