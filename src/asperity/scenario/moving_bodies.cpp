#include "asperity/scenario/moving_bodies.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "asperity/gravity/mutual.h"
#include "asperity/laws/tide.h"
#include "asperity/scenario/colliders.h"
#include "asperity/scenario/roles.h"

namespace asperity::scenario {
namespace {

using std::numbers::pi;

Vec3 semi_axes_of(const Body& body) {
    const auto* ellipsoid = body.as<EllipsoidShape>();
    const double radius = radius_of(body);
    return ellipsoid != nullptr ? ellipsoid->semi_axes : Vec3{radius, radius, radius};
}

double volume_of(const Vec3& semi_axes) { return 4 * pi / 3 * semi_axes.x * semi_axes.y * semi_axes.z; }

// The homogeneous ellipsoid with that mass and those moments: what a body of points is drawn as, and how large it counts.
Vec3 semi_axes_of(double mass, const Vec3& j) {
    const auto axis = [&](double along, double one, double other) { return std::sqrt(2.5 * (one + other - along) / mass); };
    return {axis(j.x, j.y, j.z), axis(j.y, j.z, j.x), axis(j.z, j.x, j.y)};
}

// P = tr(J) / 2 - J
geometry::Matrix3 second_moments(const Vec3& j, const Vec3& products) {
    const double half = 0.5 * (j.x + j.y + j.z);
    return {{{half - j.x, -products.x, -products.y}, {-products.x, half - j.y, -products.z}, {-products.y, -products.z, half - j.z}}};
}

// A body of any shape: moments as given, else those of the homogeneous solid.
model::BodyKind kind_of_any(const Body& part) {
    model::BodyKind body;
    body.mass = mass_of(part);
    geometry::PrincipalFrame frame;
    if (part.inertia) {
        frame = geometry::principal_frame(second_moments(*part.inertia, part.products_of_inertia), part.centre_of_mass.value_or(Vec3{}), 0);
        body.inertia = frame.pose.q == Quat{} ? *part.inertia : frame.inertia();
    } else {
        const geometry::Solid solid = solid_of(part);
        frame = geometry::principal_frame(solid.second, solid.centre, std::cbrt(solid.volume));
        body.inertia = body.mass / solid.volume * frame.inertia();
    }
    body.principal = frame.pose;
    body.semi_axes = semi_axes_of(body.mass, body.inertia);
    body.yorp = part.yorp;
    return body;
}

model::BodyKind kind_of(const Body& part, double gravitational_constant) {
    if (!part.has_volume()) return kind_of_any(part);
    model::BodyKind body;
    const double radius = radius_of(part);
    body.semi_axes = semi_axes_of(part);
    const double volume = volume_of(body.semi_axes);
    body.mass = mass_of(part);
    if (part.inertia_factor)
        body = model::sphere_kind(radius, body.mass, *part.inertia_factor);
    else
        body.inertia = gravity::ellipsoid_inertia(body.mass, body.semi_axes);
    const Tide tide = part.tide.value_or(Tide{});
    if (tide.love_number) body.tidal.love_number = *tide.love_number;
    if (tide.rigidity)
        body.tidal.love_number = laws::love_number(*tide.rigidity, body.mass / volume, body.mean_radius(), gravitational_constant);
    if (tide.quality) body.tidal.sin_double_lag = laws::sin_double_lag_of_quality(*tide.quality);
    if (tide.lag_angle) body.tidal.sin_double_lag = laws::sin_double_lag_of_angle(*tide.lag_angle);
    body.tidal.time_lag = tide.time_lag.value_or(0);
    body.yorp = part.yorp;
    return body;
}

// Forces are divided by mass and inertia.
void require_weighable(const Scenario& scenario, const std::string& path, const model::BodyKind& body) {
    for (const double value : {body.mass, body.inertia.x, body.inertia.y, body.inertia.z})
        if (!std::isnormal(value) || !std::isnormal(1 / value))
            throw error_at(scenario.places, path,
                           fmt::format("a mass of {:g} kg with moments of inertia of {:g}, {:g}, {:g} kg m^2 is beyond what numbers hold",
                                       body.mass, body.inertia.x, body.inertia.y, body.inertia.z),
                           "look at the units of `shape`, `mass` and `density`");
}

}  // namespace

double mass_of(const Body& body) {
    if (body.mass) return *body.mass;
    return *body.density * (body.has_volume() ? volume_of(semi_axes_of(body)) : solid_of(body).volume);
}

void set_bodies(const Scenario& scenario, model::Parameters& parameters) {
    const Gravity& gravity = scenario.gravity;
    const bool is_second_order = gravity.mutual == MutualGravity::second_order;
    if (gravity.mutual != MutualGravity::none)
        parameters.environment.mutual = {.constant = gravity.constant,
                                         .law = is_second_order ? model::MutualLaw::second_order : model::MutualLaw::points};
    parameters.environment.acts_on_extent = gravity.gradient;
    parameters.environment.tides = {.law = gravity.tides.law, .factor = gravity.tides.factor};
    for (const Body* body : roles_of(scenario).moving) {
        const model::BodyKind kind = kind_of(*body, gravity.constant);
        require_weighable(scenario, body->path(), kind);
        parameters.bodies.add(kind, static_cast<std::size_t>(body->count));
    }
    parameters.names = told_bodies(scenario);
}

std::vector<std::string> body_doubts(const model::Parameters& world) {
    std::vector<std::string> out;
    const auto any = [&](auto is) { return std::ranges::any_of(world.bodies.kinds, is); };
    if (world.environment.tides.law == model::TideLaw::none && any([](const model::BodyKind& b) { return b.tidal.love_number > 0; }))
        out.emplace_back("bodies have a love_number or rigidity, but there are no tides: set gravity.tides.law");
    if (world.environment.mutual.law == model::MutualLaw::points && !world.bodies.has_only_spheres())
        out.emplace_back("ellipsoids attract each other as points, without torques: set gravity.mutual = \"second-order\"");
    return out;
}

}  // namespace asperity::scenario
