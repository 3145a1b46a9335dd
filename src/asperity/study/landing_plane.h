// The plane in which landing sites are drawn and measured: landing ellipse and circular error probable lie in it.
//
//   at a body    through the mean m of the places at rest, across n = unit(sum n_i), n_i the normal of the facet nearest to each;      (1)
//                east = unit(z x n), north = n x east
//   elsewhere    across the vertical, opposite to gravity (z where there is none), through the origin                                  (2)
//
// Limits: (1) is for landers that lie on one side of the body: |sum n_i| / count must be 0.5 or more, else there is no plane. Distances in
// it are shorter than along the ground by a factor of that order.
#pragma once
#include <optional>
#include <span>

#include "asperity/core/vec3.h"
#include "asperity/geometry/mesh.h"

namespace asperity::study {

struct LandingPlane {
    Vec3 origin;                  // m
    Vec3 x{1, 0, 0}, y{0, 1, 0};  // unit; at a body eastwards and northwards
    double together = 1;          // |sum n_i| / count

    double along_x(const Vec3& place) const { return dot(place - origin, x); }
    double along_y(const Vec3& place) const { return dot(place - origin, y); }
};

// (1); none where there are no places, or they lie all around.
std::optional<LandingPlane> plane_on_body(const geometry::SurfaceMesh& surface, std::span<const Vec3> places);
// (2)
LandingPlane level_plane(const Vec3& gravity);

}  // namespace asperity::study
