#include "asperity/scenario/check_colliders.h"

#include <fmt/format.h>

#include "asperity/scenario/colliders.h"

namespace asperity::scenario {
namespace {

bool is_empty(const Body& body) { return !body.shape && body.colliders.empty(); }

void add_missing_shape(const Body& body, Checker& checker) {
    if (checker.are_usable({body.path()}))
        checker.add(body.path(), fmt::format("`{}` has no `shape`", body.name),
                    fmt::format("add for example shape = {{ sphere = \"1 m\" }}, or [[body.{}.collider]]", body.name));
}

// Calls look(shape, key path) for all that touches of a body but for facets.
template <class Look>
void for_each_shape(const Body& body, const Look& look) {
    if (body.shape && !body.has_facets()) look(*body.shape, body.path() + ".shape");
    for (std::size_t i = 0; i < body.colliders.size(); ++i)
        look(body.colliders[i].shape, fmt::format("{}.collider.{}.shape", body.path(), i));
}

// Principal moments of a body, whose sums of two are never below the third.
void check_moments(const Body& body, Checker& checker) {
    const Vec3 &d = *body.inertia, &p = body.products_of_inertia;
    const double half = 0.5 * (d.x + d.y + d.z);
    const geometry::Matrix3 second{{{half - d.x, -p.x, -p.y}, {-p.x, half - d.y, -p.z}, {-p.y, -p.z, half - d.z}}};
    const geometry::PrincipalFrame frame = geometry::principal_frame(second, {}, 0);
    const Vec3 j = p == Vec3{} ? d : frame.inertia();
    const bool are_positive = j.x > 0 && j.y > 0 && j.z > 0;
    if (are_positive && j.x + j.y > j.z && j.y + j.z > j.x && j.z + j.x > j.y) return;
    checker.add(body.path() + ".inertia", fmt::format("no body has the principal moments {:g}, {:g} and {:g} kg*m^2", j.x, j.y, j.z),
                are_positive ? "each must be less than the sum of the other two"
                             : "each must be above zero, and less than the sum of the other two");
}

void check_inertia(const Body& body, Checker& checker) {
    const std::string path = body.path();
    if (!checker.are_usable({path + ".inertia", path + ".mass", path + ".density"})) return;
    if (body.has_volume() && body.inertia)
        checker.add(path + ".inertia", "the moments of inertia of a sphere and of an ellipsoid follow from `shape`",
                    body.as<SphereShape>() ? "leave `inertia` out, or take `inertia_factor`" : "leave `inertia` out");
    if (!body.inertia && (body.products_of_inertia != Vec3{} || body.centre_of_mass))
        checker.add(path + (body.centre_of_mass ? ".centre_of_mass" : ".products_of_inertia"), "it says more about a given `inertia`",
                    "add for example inertia = [\"1 kg*m^2\", \"1 kg*m^2\", \"1 kg*m^2\"], or leave it out");
    if (body.has_volume() || (body.is_solid() && !body.inertia)) return;
    if (body.density)
        checker.add(
            path + ".density",
            body.is_solid() ? "`inertia` is that of a given `mass`" : "points and colliders have no volume that a `density` would fill",
            "give `mass` and `inertia`");
    if (body.mass && body.inertia) return check_moments(body, checker);
    checker.add(path, fmt::format("`{}` is missing: it does not follow from points and colliders", body.mass ? "inertia" : "mass"),
                body.mass ? "add for example inertia = [\"1 kg*m^2\", \"1 kg*m^2\", \"1 kg*m^2\"]" : "add for example mass = \"10 kg\"");
}

// Points that bound no solid.
template <class AnyShape>
void check_hull(const AnyShape& shape, const std::string& path, Checker& checker) {
    const auto* hull = shape.template get<HullShape>();
    if (hull == nullptr || !checker.are_usable({path + ".hull"})) return;
    try {
        geometry::make_hull(hull->points);
    } catch (const InputError& error) {
        checker.add(path + ".hull", error.problems.front().what, error.problems.front().hint);
    }
}

}  // namespace

void check_colliders_of_moving(const Body& body, Checker& checker) {
    if (is_empty(body)) return add_missing_shape(body, checker);
    for_each_shape(body, [&](const auto& shape, const std::string& path) {
        if (shape.template get<HalfSpaceShape>() && checker.are_usable({path}))
            checker.add(path, fmt::format("a half-space has no end, and `{}` would move", body.name), "write fixed = true for the ground");
        check_hull(shape, path, checker);
    });
    check_inertia(body, checker);
}

void check_colliders_of_fixed(const Body& body, Checker& checker) {
    if (is_empty(body)) return add_missing_shape(body, checker);
    for_each_shape(body, [&](const auto& shape, const std::string& path) {
        const auto* half_space = shape.template get<HalfSpaceShape>();
        if (half_space != nullptr && half_space->normal == Vec3{} && checker.are_usable({path + ".half_space"}))
            checker.add(path + ".half_space", "the normal of a half-space is not zero", "write for example half_space = [0, 0, 1]");
        if (shape.template get<MarkersShape>() && checker.are_usable({path}))
            checker.add(path, "points stand still, and nothing could touch them but what moves over them",
                        "take half-spaces, or solid shapes");
        check_hull(shape, path, checker);
    });
}

void check_fill(const BodyStart& start, const std::string& path, Checker& checker) {
    const auto key = [&](const char* name) { return path + "." + name; };
    if (!start.fill || !checker.are_usable({key("fill"), key("position"), key("at")})) return;
    const Vec3 &a = start.fill->lower, &b = start.fill->upper;
    if (!(a.x < b.x && a.y < b.y && a.z < b.z))
        checker.add(key("fill"), "`upper` must be above `lower` in each coordinate", "exchange them where it is not");
    if (start.position || !start.at.empty() || start.above_surface || start.in_contact)
        checker.add(key("fill"), "`fill` says where the bodies start: `position`, `at`, `above_surface` and `in_contact` exclude it",
                    "leave one of them out");
}

}  // namespace asperity::scenario
