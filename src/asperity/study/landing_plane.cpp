#include "asperity/study/landing_plane.h"

#include "asperity/geometry/closest.h"

namespace asperity::study {
namespace {

// East and north of n; at a pole x and y of the body.
void span_plane(const Vec3& n, LandingPlane& plane) {
    constexpr double nearly = 1e-6;  // rad off the pole: eastwards has no meaning there
    const Vec3 east = cross({0, 0, 1}, n);
    plane.x = norm(east) > nearly ? unit(east) : unit(Vec3{1, 0, 0} - dot(Vec3{1, 0, 0}, n) * n);
    plane.y = cross(n, plane.x);
}

}  // namespace

std::optional<LandingPlane> plane_on_body(const geometry::SurfaceMesh& surface, std::span<const Vec3> places) {
    constexpr double least = 0.5;
    if (places.empty()) return {};
    Vec3 sum, normals;
    for (const Vec3& place : places) {
        const geometry::ClosestPoint ground = geometry::nearest(surface.view(), place);
        if (!ground.found()) return {};
        sum += place;
        normals += surface.facets[static_cast<std::size_t>(ground.facet)].normal;
    }
    const auto count = static_cast<double>(places.size());
    LandingPlane plane{.origin = sum / count, .together = norm(normals) / count};
    if (plane.together < least) return {};
    span_plane(unit(normals), plane);
    return plane;
}

LandingPlane level_plane(const Vec3& gravity) {
    LandingPlane plane;
    if (gravity == Vec3{}) return plane;
    const Vec3 up = unit(-gravity);
    // x stays along the x of the world as far as it can
    const Vec3 along = Vec3{1, 0, 0} - up.x * up;
    plane.x = unit(norm(along) > 0.5 ? along : Vec3{0, 1, 0} - up.y * up);
    plane.y = cross(up, plane.x);
    return plane;
}

}  // namespace asperity::study
