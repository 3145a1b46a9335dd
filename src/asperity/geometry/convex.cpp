#include "asperity/geometry/convex.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace asperity::geometry {
namespace {

Convex placed_core(CoreKind kind, const Vec3& size, double rounding, double reach, const Pose& pose) {
    return {.kind = kind,
            .rounding = rounding,
            .size = size,
            .hull = nullptr,
            .centre = pose.p,
            .axis = {rotate(pose.q, {1, 0, 0}), rotate(pose.q, {0, 1, 0}), rotate(pose.q, {0, 0, 1})},
            .reach = reach};
}

double with_sign(double size, double direction) { return direction < 0 ? -size : size; }

// Corner k of the face of a box across its axis `along`, on the side `sign`, anticlockwise from outside.
Vec3 box_corner(const Convex& box, int along, double sign, int k) {
    const double s[3] = {box.size.x, box.size.y, box.size.z};
    const int u = (along + 1) % 3, v = (along + 2) % 3;
    double local[3];
    local[along] = sign * s[along];
    local[u] = (k == 1 || k == 2 ? 1 : -1) * s[u];
    local[v] = (k >= 2 ? 1 : -1) * sign * s[v];
    return {local[0], local[1], local[2]};
}

std::uint32_t box_part(const Vec3& corner) { return (corner.x > 0 ? 1u : 0u) | (corner.y > 0 ? 2u : 0u) | (corner.z > 0 ? 4u : 0u); }

int longest(const Vec3& d) {
    const double x = std::fabs(d.x), y = std::fabs(d.y), z = std::fabs(d.z);
    return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

std::size_t farthest_vertex(const Hull& hull, const Vec3& local) {
    std::size_t best = 0;
    double most = -HUGE_VAL;
    for (std::size_t k = 0; k < hull.vertices.size(); ++k)
        if (const double along = dot(hull.vertices[k], local); along > most) most = along, best = k;
    return best;
}

// Among all faces, or those that have a vertex.
std::size_t nearest_face(const Hull& hull, const Vec3& local, std::int32_t vertex = -1) {
    std::size_t best = 0;
    double most = -HUGE_VAL;
    for (std::size_t f = 0; f < hull.faces(); ++f) {
        const double along = dot(hull.normals[f], local);
        if (!(along > most)) continue;
        const auto begin = hull.corners.begin() + hull.face_begin[f], end = hull.corners.begin() + hull.face_begin[f + 1];
        if (vertex < 0 || std::find(begin, end, vertex) != end) most = along, best = f;
    }
    return best;
}

void add_face(const Convex& body, std::size_t f, FlatFeature& out) {
    for (std::int32_t k = body.hull->face_begin[f]; k < body.hull->face_begin[f + 1]; ++k) {
        const std::int32_t v = body.hull->corners[static_cast<std::size_t>(k)];
        out.add(body.placed(body.hull->vertices[static_cast<std::size_t>(v)]), static_cast<std::uint32_t>(v));
    }
}

Vec3 turned(const Convex& body, const Vec3& local) { return local.x * body.axis[0] + local.y * body.axis[1] + local.z * body.axis[2]; }

void add_rim(const Convex& body, const Vec3& direction, double z, std::uint32_t first, FlatFeature& out) {
    const Vec3 e = body.size.x * detail::rim_direction(body, direction);
    const bool is_above = dot(direction, body.axis[2]) > 0;
    const Vec3 f = is_above ? cross(body.axis[2], e) : cross(e, body.axis[2]);
    for (int k = 0; k < rim_points; ++k) {
        // to the bit at quarters: caps that are alike lie on each other point by point
        constexpr double step = 2 * std::numbers::pi / rim_points;
        const double c = k % 4 == 0 && k % 8 != 0 ? 0 : std::cos(k * step), s = k % 8 == 0 ? 0 : std::sin(k * step);
        out.add(body.centre + z * body.axis[2] + c * e + s * f, first + static_cast<std::uint32_t>(k));
    }
}

constexpr std::uint32_t line_parts = 64;  // ends of lines of a side; points of rims are below

}  // namespace

Convex convex(const Sphere& sphere, const Pose& pose) { return placed_core(CoreKind::point, {}, sphere.radius, sphere.radius, pose); }
Convex convex(const Box& box, const Pose& pose) { return placed_core(CoreKind::box, box.half, 0, norm(box.half), pose); }
Convex convex(const Cylinder& c, const Pose& pose) {
    return placed_core(CoreKind::cylinder, {c.radius, c.radius, c.half_height}, 0, std::hypot(c.radius, c.half_height), pose);
}
Convex convex(const Cone& c, const Pose& pose) {
    return placed_core(CoreKind::cone, {c.radius, c.radius, c.height}, 0, std::fmax(0.75 * c.height, std::hypot(c.radius, 0.25 * c.height)),
                       pose);
}
Convex convex(const Capsule& c, const Pose& pose) {
    return placed_core(CoreKind::segment, {0, 0, c.half_length}, c.radius, c.half_length + c.radius, pose);
}
Convex convex(const Hull& hull, const Pose& pose) {
    double most = 0;
    for (const Vec3& v : hull.vertices) most = std::fmax(most, squared_norm(v));
    Convex out = placed_core(CoreKind::hull, {}, 0, std::sqrt(most), pose);
    out.hull = &hull;
    return out;
}
Convex convex_segment(const Vec3& from, const Vec3& to) {
    Convex out;
    const Vec3 half = 0.5 * (to - from);
    out.kind = CoreKind::segment;
    out.size.z = out.reach = norm(half);
    out.centre = from + half;
    out.axis[2] = unit(half);
    return out;
}

Convex moved(Convex body, const Vec3& centre) {
    body.centre = centre;
    return body;
}

Vec3 detail::rim_direction(const Convex& body, const Vec3& direction) {
    // An axis that is upright to 1e-9 has no lowest point of its rim that rounding would not move about.
    const Vec3 across = tangential(direction, body.axis[2]);
    return squared_norm(across) > 1e-18 * squared_norm(direction) ? unit(across) : body.axis[0];
}

Vec3 support(const Convex& body, const Vec3& direction) {
    const Vec3 d = body.seen(direction);
    switch (body.kind) {
        case CoreKind::point: return body.centre;
        case CoreKind::segment: return body.centre + with_sign(body.size.z, d.z) * body.axis[2];
        case CoreKind::box: return body.placed({with_sign(body.size.x, d.x), with_sign(body.size.y, d.y), with_sign(body.size.z, d.z)});
        case CoreKind::hull: return body.placed(body.hull->vertices[farthest_vertex(*body.hull, d)]);
        case CoreKind::cylinder:
        case CoreKind::cone: break;
    }
    const double across = std::sqrt(d.x * d.x + d.y * d.y), r = body.size.x;
    const Vec3 out = across > 0 ? Vec3{r * d.x / across, r * d.y / across, 0} : Vec3{};
    if (body.kind == CoreKind::cylinder) return body.placed({out.x, out.y, with_sign(body.size.z, d.z)});
    const bool is_apex = body.size.z * d.z > r * across;
    return body.placed(is_apex ? Vec3{0, 0, apex_of(body)} : Vec3{out.x, out.y, base_of(body)});
}

Bend bend_of(const Convex& body, const Vec3& direction) {
    if (!body.has_rim()) return {};
    const Vec3 d = body.seen(direction);
    const double across = std::sqrt(d.x * d.x + d.y * d.y), r = body.size.x;
    if (!(across > 0) || (body.kind == CoreKind::cone && body.size.z * d.z > r * across)) return {};
    return {r / across, (d.x / across) * body.axis[1] - (d.y / across) * body.axis[0]};
}

Vec3 nearest_flat(const Convex& body, const Vec3& direction) {
    const Vec3 d = body.seen(direction);
    switch (body.kind) {
        case CoreKind::point:
        case CoreKind::segment: return {};
        case CoreKind::box: {
            const auto k = static_cast<std::size_t>(longest(d));
            const double along = k == 0 ? d.x : k == 1 ? d.y : d.z;
            return along < 0 ? -body.axis[k] : body.axis[k];
        }
        case CoreKind::hull: return turned(body, body.hull->normals[nearest_face(*body.hull, d)]);
        case CoreKind::cylinder: return d.z < 0 ? -body.axis[2] : body.axis[2];
        case CoreKind::cone: return -body.axis[2];
    }
    return {};
}

NormalCircle side_of(const Convex& body) {
    if (body.kind == CoreKind::cylinder || body.kind == CoreKind::segment) return {body.axis[2], 0};
    if (body.kind == CoreKind::cone) return {body.axis[2], body.size.x / std::hypot(body.size.x, body.size.z)};
    return {};
}

FlatFeature flat_feature(const Convex& body, const Vec3& direction) {
    if (body.kind != CoreKind::hull) return lying_feature(body, direction);
    FlatFeature out;
    add_face(body, nearest_face(*body.hull, body.seen(direction)), out);
    return out;
}

FlatFeature lying_feature(const Convex& body, const Vec3& direction) {
    const Vec3 d = body.seen(direction);
    FlatFeature out;
    if (body.kind == CoreKind::point) {
        out.add(body.centre, 0);
    } else if (body.kind == CoreKind::segment) {
        out.add(body.centre - body.size.z * body.axis[2], 0);
        out.add(body.centre + body.size.z * body.axis[2], 1);
    } else if (body.kind == CoreKind::box) {
        const int along = longest(d);
        const double sign = (along == 0 ? d.x : along == 1 ? d.y : d.z) < 0 ? -1 : 1;
        for (int k = 0; k < 4; ++k) {
            const Vec3 corner = box_corner(body, along, sign, k);
            out.add(body.placed(corner), box_part(corner));
        }
    } else if (body.kind == CoreKind::hull) {
        add_face(body, nearest_face(*body.hull, d, static_cast<std::int32_t>(farthest_vertex(*body.hull, d))), out);
    } else if (body.kind == CoreKind::cylinder && d.z * d.z > 0.5) {
        add_rim(body, direction, with_sign(body.size.z, d.z), d.z < 0 ? 0 : rim_points, out);
    } else if (body.kind == CoreKind::cone && d.z < 0 && d.z * d.z > 0.5) {
        add_rim(body, direction, base_of(body), 0, out);
    } else {
        const Vec3 e = body.size.x * detail::rim_direction(body, direction);
        const bool is_cone = body.kind == CoreKind::cone;
        out.add(body.centre + (is_cone ? base_of(body) : -body.size.z) * body.axis[2] + e, line_parts);
        out.add(body.centre + (is_cone ? apex_of(body) : body.size.z) * body.axis[2] + (is_cone ? Vec3{} : e), line_parts + 1);
    }
    return out;
}

}  // namespace asperity::geometry
