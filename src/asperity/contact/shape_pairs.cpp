#include "asperity/contact/shape_pairs.h"

#include <array>
#include <cmath>
#include <limits>

#include "asperity/geometry/manifold.h"
#include "asperity/geometry/pairs/convex_half_space.h"
#include "asperity/geometry/pairs/convex_mesh.h"
#include "asperity/geometry/pairs/ellipsoid_ellipsoid.h"
#include "asperity/geometry/pairs/marker_mesh.h"
#include "asperity/geometry/pairs/marker_sphere.h"
#include "asperity/geometry/pairs/sphere_sphere.h"

namespace asperity::contact {
namespace {

using geometry::TouchPoint;
using model::Ellipsoid;
using model::HalfSpace;
using model::Markers;
using model::MeshShape;
using model::Sphere;

int one_below(double margin, const TouchPoint& touch, TouchPoint* out) {
    if (!(touch.gap < margin)) return 0;
    *out = touch;
    return 1;
}

int sphere_sphere(const ShapePair& p, TouchPoint* out) {
    return one_below(p.margin, geometry::touch(std::get<Sphere>(p.a), p.pose_a.p, std::get<Sphere>(p.b), p.pose_b.p), out);
}

Vec3 semi_axes_of(const model::Shape& shape) {
    if (const auto* sphere = std::get_if<Sphere>(&shape)) return {sphere->radius, sphere->radius, sphere->radius};
    return std::get<Ellipsoid>(shape).semi_axes;
}

int ellipsoids(const ShapePair& p, TouchPoint* out) {
    const geometry::EllipsoidGap gap =
        geometry::ellipsoid_gap({p.pose_a.p, semi_axes_of(p.a), p.pose_a.q}, {p.pose_b.p, semi_axes_of(p.b), p.pose_b.q}, {});
    TouchPoint touch;
    touch.gap = gap.gap;
    touch.normal = gap.normal;
    touch.point = 0.5 * (gap.on_first + gap.on_second);
    return one_below(p.margin, touch, out);
}

int sphere_half_space(const ShapePair& p, TouchPoint* out) {
    return one_below(p.margin, geometry::touch(std::get<Sphere>(p.a), p.pose_a.p, HalfSpace{}, p.pose_b), out);
}

int ellipsoid_half_space(const ShapePair& p, TouchPoint* out) {
    return one_below(p.margin, geometry::touch(std::get<Ellipsoid>(p.a), p.pose_a, HalfSpace{}, p.pose_b), out);
}

int sphere_mesh(const ShapePair& p, TouchPoint* out) { return geometry::touch(std::get<Sphere>(p.a), p.pose_a.p, *p.mesh, p.margin, out); }

// Each marker is a part of its own.
template <class Touch>
int markers(const ShapePair& p, TouchPoint* out, const Touch& touch) {
    const std::vector<Vec3>& points = std::get<Markers>(p.a).points;
    int count = 0;
    for (std::size_t k = 0; k < points.size() && count < most_touches; ++k) {
        const int found = touch(p.pose_a * points[k], out + count);
        if (found > 0) out[count].part = static_cast<std::uint32_t>(k);
        count += found;
    }
    return count;
}

int markers_sphere(const ShapePair& p, TouchPoint* out) {
    return markers(p, out, [&](const Vec3& point, TouchPoint* to) {
        return one_below(p.margin, geometry::touch(geometry::Marker{}, point, std::get<Sphere>(p.b), p.pose_b.p), to);
    });
}

int markers_half_space(const ShapePair& p, TouchPoint* out) {
    return markers(p, out, [&](const Vec3& point, TouchPoint* to) {
        return one_below(p.margin, geometry::touch(geometry::Marker{}, point, HalfSpace{}, p.pose_b), to);
    });
}

int markers_mesh(const ShapePair& p, TouchPoint* out) {
    const double depth = model::reach_of({.shape = p.a, .pose = {}, .material = 0});
    return markers(p, out, [&](const Vec3& point, TouchPoint* to) {
        return geometry::touch(geometry::Marker{}, point, *p.mesh, p.margin, depth, to);
    });
}

// Spheres, boxes, cylinders, cones, capsules and hulls.
geometry::Convex convex_of(const model::Shape& shape, const Pose& pose) {
    const auto of_shape = [&](const auto& s) -> geometry::Convex {
        if constexpr (requires { geometry::convex(s, pose); }) return geometry::convex(s, pose);
        return {};
    };
    return std::visit(of_shape, shape);
}

int convexes(const ShapePair& p, TouchPoint* out) {
    return geometry::manifold(convex_of(p.a, p.pose_a), convex_of(p.b, p.pose_b), p.margin, out);
}

int convex_half_space(const ShapePair& p, TouchPoint* out) {
    return geometry::manifold_over_plane(convex_of(p.a, p.pose_a), geometry::normal_of(HalfSpace{}, p.pose_b), p.pose_b.p, p.margin, out);
}

int convex_mesh(const ShapePair& p, TouchPoint* out) { return geometry::touch(convex_of(p.a, p.pose_a), *p.mesh, p.margin, out); }

int markers_convex(const ShapePair& p, TouchPoint* out) {
    const geometry::Convex body = convex_of(p.b, p.pose_b);
    return markers(p, out, [&](const Vec3& point, TouchPoint* to) {
        TouchPoint found[geometry::most_in_manifold];
        if (geometry::manifold(geometry::convex(Sphere{}, {point, {}}), body, p.margin, found) == 0) return 0;
        *to = found[0];
        to->point = point;
        return 1;
    });
}

using Touches = int (*)(const ShapePair&, TouchPoint*);
constexpr std::size_t shapes = std::variant_size_v<model::Shape>;

// clang-format off
constexpr std::array<std::array<Touches, shapes>, shapes> table{{
    // a \ b        sphere           ellipsoid     markers   half-space             mesh          box             cylinder        cone            capsule         hull
    /* sphere    */ {sphere_sphere,  ellipsoids,   nullptr,  sphere_half_space,     sphere_mesh,  convexes,       convexes,       convexes,       convexes,       convexes},
    /* ellipsoid */ {ellipsoids,     ellipsoids,   nullptr,  ellipsoid_half_space,  nullptr,      nullptr,        nullptr,        nullptr,        nullptr,        nullptr},
    /* markers   */ {markers_sphere, nullptr,      nullptr,  markers_half_space,    markers_mesh, markers_convex, markers_convex, markers_convex, markers_convex, markers_convex},
    /* half-space*/ {nullptr,        nullptr,      nullptr,  nullptr,               nullptr,      nullptr,        nullptr,        nullptr,        nullptr,        nullptr},
    /* mesh      */ {nullptr,        nullptr,      nullptr,  nullptr,               nullptr,      nullptr,        nullptr,        nullptr,        nullptr,        nullptr},
    /* box       */ {nullptr,        nullptr,      nullptr,  convex_half_space,     convex_mesh,  convexes,       convexes,       convexes,       convexes,       convexes},
    /* cylinder  */ {nullptr,        nullptr,      nullptr,  convex_half_space,     convex_mesh,  nullptr,        convexes,       convexes,       convexes,       convexes},
    /* cone      */ {nullptr,        nullptr,      nullptr,  convex_half_space,     convex_mesh,  nullptr,        nullptr,        convexes,       convexes,       convexes},
    /* capsule   */ {nullptr,        nullptr,      nullptr,  convex_half_space,     convex_mesh,  nullptr,        nullptr,        nullptr,        convexes,       convexes},
    /* hull      */ {nullptr,        nullptr,      nullptr,  convex_half_space,     convex_mesh,  nullptr,        nullptr,        nullptr,        nullptr,        convexes},
}};
// clang-format on

}  // namespace

bool has_narrow_phase(const model::Shape& a, const model::Shape& b) {
    return table[a.index()][b.index()] != nullptr || table[b.index()][a.index()] != nullptr;
}

namespace {

// A mesh is searched in its own axes.
int touches_in_axes_of_mesh(const ShapePair& pair, TouchPoint* out) {
    const Pose& axes = pair.pose_b;
    const Quat back = conjugate(axes.q);
    const Pose seen{rotate(back, pair.pose_a.p - axes.p), back * pair.pose_a.q};
    const int count = touches({pair.a, seen, pair.b, {}, pair.mesh, pair.margin}, out);
    for (int k = 0; k < count; ++k) {
        out[k].normal = rotate(axes.q, out[k].normal);
        out[k].point = axes * out[k].point;
    }
    return count;
}

}  // namespace

int touches(const ShapePair& pair, TouchPoint* out) {
    if (std::holds_alternative<MeshShape>(pair.b) && pair.pose_b != Pose{}) return touches_in_axes_of_mesh(pair, out);
    if (const Touches in_order = table[pair.a.index()][pair.b.index()]) return in_order(pair, out);
    const ShapePair turned{pair.b, pair.pose_b, pair.a, pair.pose_a, pair.mesh, pair.margin};
    const int count = table[turned.a.index()][turned.b.index()](turned, out);
    for (int k = 0; k < count; ++k) out[k].normal = -out[k].normal;
    return count;
}

double contact_radius(const model::Shape& shape) {
    if (const auto* sphere = std::get_if<Sphere>(&shape)) return sphere->radius;
    if (const auto* ellipsoid = std::get_if<Ellipsoid>(&shape))
        return std::cbrt(ellipsoid->semi_axes.x * ellipsoid->semi_axes.y * ellipsoid->semi_axes.z);
    if (const auto* cylinder = std::get_if<model::Cylinder>(&shape)) return cylinder->radius;
    if (const auto* cone = std::get_if<model::Cone>(&shape)) return cone->radius;
    if (const auto* capsule = std::get_if<model::Capsule>(&shape)) return capsule->radius;
    return std::holds_alternative<Markers>(shape) ? 0 : std::numeric_limits<double>::infinity();
}

const char* name(const model::Shape& shape) {
    constexpr std::array<const char*, shapes> names{"sphere", "ellipsoid", "markers", "half-space", "mesh",
                                                    "box",    "cylinder",  "cone",    "capsule",    "hull"};
    return names[shape.index()];
}

}  // namespace asperity::contact
