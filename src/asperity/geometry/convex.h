// Placed convex bodies as the narrow phase sees them: a core (point, segment, box, hull, cylinder, cone) and a rounding radius.
//
//   body = { x + y : x in core, |y| <= rounding },   h(d) = max of d . x over the core,  reached at the support point       (1)
//
// A sphere is a point with a rounding, a capsule a segment with one; for the others the rounding is zero. All below is of the core, in the
// axes in which the body is placed. `part` numbers what a point is of the body: a vertex, or a place on a rim; such numbers stay the same
// from step to step. Directions are unit vectors and point out of the body, unless said otherwise.
// Sources: van den Bergen, Collision Detection in Interactive 3D Environments (2003), 2.3; Ericson, Real-Time Collision Detection (2005).
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "asperity/core/pose.h"
#include "asperity/geometry/hull.h"
#include "asperity/geometry/primitives.h"

namespace asperity::geometry {

enum class CoreKind : std::uint8_t { point, segment, box, hull, cylinder, cone };

struct Convex {
    CoreKind kind = CoreKind::point;
    double rounding = 0;         // m
    Vec3 size;                   // m: half the edges; {radius, radius, half height}; {radius, radius, height}; {0, 0, half length}
    const Hull* hull = nullptr;  // valid as long as the shape stands where it is
    Vec3 centre;                 // m
    std::array<Vec3, 3> axis{};  // unit: its own x, y, z
    double reach = 0;            // m, no point is farther from the centre, rounding included

    Vec3 placed(const Vec3& local) const { return centre + local.x * axis[0] + local.y * axis[1] + local.z * axis[2]; }
    Vec3 seen(const Vec3& direction) const { return {dot(axis[0], direction), dot(axis[1], direction), dot(axis[2], direction)}; }
    bool has_rim() const { return kind == CoreKind::cylinder || kind == CoreKind::cone; }
    bool has_volume() const { return kind != CoreKind::point && kind != CoreKind::segment; }
};

Convex convex(const Sphere& sphere, const Pose& pose);
Convex convex(const Box& box, const Pose& pose);
Convex convex(const Cylinder& cylinder, const Pose& pose);
Convex convex(const Cone& cone, const Pose& pose);
Convex convex(const Capsule& capsule, const Pose& pose);
Convex convex(const Hull& hull, const Pose& pose);
Convex convex_segment(const Vec3& from, const Vec3& to);

// The same body with its centre elsewhere.
Convex moved(Convex body, const Vec3& centre);

// m, the heights of base and apex of a cone over its origin.
inline double base_of(const Convex& cone) { return -0.25 * cone.size.z; }
inline double apex_of(const Convex& cone) { return 0.75 * cone.size.z; }

// The support point in a direction of any length, not zero.
Vec3 support(const Convex& body, const Vec3& direction);

// How h bends there: its second derivative is bend t t^T, t unit and across the direction; nothing but on rims.
struct Bend {
    double bend = 0;  // m
    Vec3 across;
};
Bend bend_of(const Convex& body, const Vec3& direction);

// The face, cap or base whose normal is nearest to the direction; a zero vector where the core has none.
Vec3 nearest_flat(const Convex& body, const Vec3& direction);

// Directions n with u . n = k, in which a core touches planes along a line: the side of a cylinder or a cone. u zero: it has none.
struct NormalCircle {
    Vec3 u;
    double k = 0;
};
NormalCircle side_of(const Convex& body);

// A polygon, a segment or a point of the core.
struct FlatFeature {
    int count = 0;
    std::array<Vec3, most_hull_corners> point;  // polygons: anticlockwise seen from outside
    std::array<std::uint32_t, most_hull_corners> part{};

    void add(const Vec3& p, std::uint32_t which) {
        point[static_cast<std::size_t>(count)] = p, part[static_cast<std::size_t>(count++)] = which;
    }
};

inline constexpr int rim_points =
    16;  // a cap is this polygon, turned so that it has the point of the rim that is farthest along the direction

// What could lie flat against a plane with that normal: the face, cap, base or line of the side that is nearest to it, among those that
// have the support point.
FlatFeature lying_feature(const Convex& body, const Vec3& direction);
// The face, cap or base that nearest_flat names.
FlatFeature flat_feature(const Convex& body, const Vec3& direction);

// Where it could touch a plane with that normal: all vertices, four points of each rim with the farthest among them. Visits (point, part).
template <class Visit>
void for_each_low_point(const Convex& body, const Vec3& direction, const Visit& visit);

namespace detail {
// The unit vector across the axis z along which the rim is farthest; its own x where all of it is.
Vec3 rim_direction(const Convex& body, const Vec3& direction);
}  // namespace detail

template <class Visit>
void for_each_low_point(const Convex& body, const Vec3& direction, const Visit& visit) {
    const auto rim = [&](double z, std::uint32_t first) {
        const Vec3 e = body.size.x * detail::rim_direction(body, direction), f = cross(body.axis[2], e);
        const Vec3 middle = body.centre + z * body.axis[2];
        visit(middle + e, first), visit(middle + f, first + 1), visit(middle - e, first + 2), visit(middle - f, first + 3);
    };
    switch (body.kind) {
        case CoreKind::point: visit(body.centre, 0u); break;
        case CoreKind::segment:
            visit(body.centre - body.size.z * body.axis[2], 0u), visit(body.centre + body.size.z * body.axis[2], 1u);
            break;
        case CoreKind::box:
            for (std::uint32_t k = 0; k < 8; ++k)
                visit(body.placed(
                          {k & 1 ? body.size.x : -body.size.x, k & 2 ? body.size.y : -body.size.y, k & 4 ? body.size.z : -body.size.z}),
                      k);
            break;
        case CoreKind::hull:
            for (std::uint32_t k = 0; k < body.hull->vertices.size(); ++k) visit(body.placed(body.hull->vertices[k]), k);
            break;
        case CoreKind::cylinder: rim(-body.size.z, 0), rim(body.size.z, 4); break;
        case CoreKind::cone: rim(base_of(body), 0), visit(body.centre + apex_of(body) * body.axis[2], 4u); break;
    }
}

}  // namespace asperity::geometry
