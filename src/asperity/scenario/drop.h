// Sphere cast: the place where a ball that falls along a straight line, from above everything, first touches a surface.
#pragma once
#include <optional>

#include "asperity/core/vec3.h"
#include "asperity/geometry/mesh.h"

namespace asperity::scenario {

// The centre of the ball at the first touch, on the line through `position` along the unit vector `down`; nothing where it misses.
// Stepping by the clearance cannot pass through, since the distance is 1-Lipschitz, and takes a few steps on most surfaces.
// Along a steep wall it creeps; then every facet is asked instead (first_touch_by_facets).
std::optional<Vec3> first_touch(const geometry::SurfaceMesh& mesh, const Vec3& position, const Vec3& down, double radius);

// The same in closed form: the planes of the facets moved out by the radius, cylinders around the edges, spheres around the vertices.
std::optional<Vec3> first_touch_by_facets(const geometry::SurfaceMesh& mesh, const Vec3& position, const Vec3& down, double radius);

// The same for a ball that is let go at `from`: only what lies below it counts.
std::optional<Vec3> first_touch_below(const geometry::SurfaceMesh& mesh, const Vec3& from, const Vec3& down, double radius);

}  // namespace asperity::scenario
