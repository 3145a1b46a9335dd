#include "asperity/analysis/resting_face.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>

#include "asperity/core/errors.h"
#include "asperity/geometry/hull.h"

namespace asperity::analysis {
namespace {

constexpr int rim_points = 16;
constexpr double same_axis = 1e-9;  // 1 - cosine

struct Points {
    std::vector<Vec3> all;   // own axes of the body
    std::vector<Vec3> axis;  // of the cylinder or cone whose rim they are; zero: of none
    std::vector<bool> is_on_rim;

    void add(const Vec3& p, const Vec3& of_rim = {}) {
        all.push_back(p);
        axis.push_back(of_rim);
        is_on_rim.push_back(of_rim != Vec3{});
    }
};

struct Gather {
    const Pose& pose;
    Points& out;

    void add(const Vec3& p) const { out.add(pose * p); }
    void add_rim(double radius, double z) const {
        const Vec3 axis = rotate(pose.q, {0, 0, 1});
        for (int k = 0; k < rim_points; ++k) {
            const double angle = 6.283185307179586477 * k / rim_points;
            out.add(pose * Vec3{radius * std::cos(angle), radius * std::sin(angle), z}, axis);
        }
    }
    void operator()(const model::Sphere&) const { add({}); }
    void operator()(const model::Ellipsoid&) const { add({}); }
    void operator()(const model::Markers& m) const {
        for (const Vec3& p : m.points) add(p);
    }
    void operator()(const model::HalfSpace&) const {}
    void operator()(const model::MeshShape&) const {}
    void operator()(const model::Box& b) const {
        for (int k = 0; k < 8; ++k) add({k & 1 ? b.half.x : -b.half.x, k & 2 ? b.half.y : -b.half.y, k & 4 ? b.half.z : -b.half.z});
    }
    void operator()(const model::Cylinder& c) const { add_rim(c.radius, -c.half_height), add_rim(c.radius, c.half_height); }
    void operator()(const model::Cone& c) const {
        add_rim(c.radius, -0.25 * c.height), out.add(pose * Vec3{0, 0, 0.75 * c.height}, {1, 0, 0});
    }
    void operator()(const model::Capsule& c) const { add({0, 0, -c.half_length}), add({0, 0, c.half_length}); }
    void operator()(const model::Hull& h) const {
        for (const Vec3& p : h.vertices) add(p);
    }
};

std::string name_of(const Vec3& n) {
    const std::array<double, 3> parts{n.x, n.y, n.z};
    for (std::size_t k = 0; k < 3; ++k)
        if (1 - std::fabs(parts[k]) <= same_axis) return std::string(parts[k] > 0 ? "+" : "-") + "xyz"[k];
    const auto rounded = [](double x) { return std::round(1000 * x) / 1000 + 0.0; };  // no -0
    return fmt::format("({} {} {})", rounded(n.x), rounded(n.y), rounded(n.z));
}

// None where the points bound no solid.
std::optional<geometry::Hull> hull_of(const std::vector<Vec3>& points) {
    try {
        return geometry::make_hull(points);
    } catch (const InputError&) {
        return {};
    }
}

}  // namespace

Faces::Faces(const model::BodyKind& body) {
    const bool is_one_hull = body.colliders.size() == 1 && std::holds_alternative<model::Hull>(body.colliders[0].shape);
    Points points;
    std::optional<geometry::Hull> made;
    if (is_one_hull) {  // it is made already
        made = std::get<model::Hull>(body.colliders[0].shape);
        for (Vec3& p : made->vertices) p = body.colliders[0].pose * p;
        for (Vec3& n : made->normals) n = rotate(body.colliders[0].pose.q, n);
        points.is_on_rim.assign(made->vertices.size(), false);
    } else {
        for (const model::Collider& collider : body.colliders) std::visit(Gather{collider.pose, points}, collider.shape);
        if (points.all.size() >= 4) made = hull_of(points.all);
    }
    if (!made) return;
    const bool has_rim = std::ranges::find(points.is_on_rim, true) != points.is_on_rim.end();
    const auto lies_across_rims = [&](const Vec3& n) {
        return std::ranges::any_of(points.axis, [&](const Vec3& axis) { return 1 - std::fabs(dot(axis, n)) <= same_axis; });
    };
    for (std::size_t f = 0; f < made->faces(); ++f) {
        const Vec3& n = made->normals[f];
        bool is_side = has_rim && !lies_across_rims(n);
        const Vec3& first = made->vertices[static_cast<std::size_t>(made->corners[static_cast<std::size_t>(made->face_begin[f])])];
        for (std::int32_t k = made->face_begin[f]; is_side && k < made->face_begin[f + 1]; ++k) {
            const Vec3& p = made->vertices[static_cast<std::size_t>(made->corners[static_cast<std::size_t>(k)])];
            const auto at = std::ranges::find(points.all, p);
            is_side = at != points.all.end() && points.is_on_rim[static_cast<std::size_t>(at - points.all.begin())];
        }
        normals_.push_back(n);
        heights_.push_back(dot(n, first));
        names_.push_back(is_side ? "side" : name_of(rotate(body.principal.q, n)));
    }
}

std::size_t Faces::down(const Vec3& d) const {
    std::size_t best = 0;
    double most = -HUGE_VAL;
    for (std::size_t f = 0; f < normals_.size(); ++f) {
        const double along = dot(normals_[f], d), value = heights_[f] > 0 ? along / heights_[f] : along > 0 ? HUGE_VAL : -HUGE_VAL;
        if (value > most) most = value, best = f;
    }
    return best;
}

}  // namespace asperity::analysis
