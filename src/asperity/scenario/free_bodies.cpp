#include "asperity/scenario/free_bodies.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "asperity/analysis/resting_changes.h"
#include "asperity/analysis/resting_configurations.h"
#include "asperity/core/random.h"
#include "asperity/geometry/pairs/ellipsoid_ellipsoid.h"
#include "asperity/gravity/mutual.h"
#include "asperity/laws/tide.h"
#include "asperity/scenario/scenario.h"

namespace asperity::scenario {
namespace {

using analysis::Configuration;
using analysis::RestingEquilibrium;

using std::numbers::pi;

// What a number is drawn for; apart from those of compile.cpp. Runs of a study must not change: append only.
enum Stream : std::uint64_t { position_stream = 200, velocity_stream, spin_stream };

model::BodyKind body_of(const FreeBodyPart& part, double gravitational_constant) {
    model::BodyKind body;
    body.semi_axes = part.semi_axes.value_or(Vec3{part.radius.value_or(0), part.radius.value_or(0), part.radius.value_or(0)});
    const double volume = 4 * pi / 3 * body.semi_axes.x * body.semi_axes.y * body.semi_axes.z;
    body.mass = part.mass ? *part.mass : *part.density * volume;
    body.inertia = gravity::ellipsoid_inertia(body.mass, body.semi_axes);
    if (part.love_number) body.tidal.love_number = *part.love_number;
    if (part.rigidity)
        body.tidal.love_number = laws::love_number(*part.rigidity, body.mass / volume, body.mean_radius(), gravitational_constant);
    if (part.quality) body.tidal.sin_double_lag = laws::sin_double_lag_of_quality(*part.quality);
    if (part.lag_angle) body.tidal.sin_double_lag = laws::sin_double_lag_of_angle(*part.lag_angle);
    body.tidal.time_lag = part.time_lag.value_or(0);
    body.yorp = part.yorp;
    return body;
}

// Forces are divided by mass and inertia.
void require_weighable(const Scenario& scenario, std::size_t row, const model::BodyKind& body) {
    for (const double value : {body.mass, body.inertia.x, body.inertia.y, body.inertia.z})
        if (!std::isnormal(value) || !std::isnormal(1 / value))
            throw error_at(scenario.places, fmt::format("body.{}", row),
                           fmt::format("a mass of {:g} kg with moments of inertia of {:g}, {:g}, {:g} kg m^2 is beyond what numbers hold",
                                       body.mass, body.inertia.x, body.inertia.y, body.inertia.z),
                           "look at the units of `radius`, `semi_axes`, `mass` and `density`");
}

// The pair that pulls hardest when it touches.
struct HardestPair {
    double pull = 0;      // N
    double distance = 0;  // m
    double mass = 0;      // kg, reduced
};

HardestPair hardest_pair(const model::Parameters& world) {
    HardestPair hardest;
    for (std::size_t i = 0; i < world.bodies.size(); ++i) {
        for (std::size_t j = i + 1; j < world.bodies.size(); ++j) {
            const model::BodyKind &a = world.bodies[i], &b = world.bodies[j];
            const double d = a.mean_radius() + b.mean_radius();
            const double pull = world.environment.mutual.constant * a.mass * b.mass / (d * d);
            if (pull > hardest.pull) hardest = {pull, d, a.mass * b.mass / (a.mass + b.mass)};
        }
    }
    return hardest;
}

// A spring that gravity presses in by a millionth of the distance.
laws::PairLaw contact_of(const Touch& touch, const model::Parameters& world) {
    const HardestPair hardest = hardest_pair(world);
    laws::PairLaw law{.restitution = touch.restitution,
                      .friction = touch.friction,
                      .rolling_resistance = touch.rolling_resistance,
                      .spinning_resistance = touch.spinning_resistance,
                      .bounce_end_height = touch.bounce_end_height,
                      .damping = touch.damping};
    law.stiffness = touch.stiffness.value_or(hardest.pull / (1e-6 * hardest.distance));
    law.slip_speed = touch.slip_speed.value_or(1e-4 * std::sqrt(hardest.pull * hardest.distance / hardest.mass));
    return law;
}

std::vector<analysis::Sphere> spheres_of(const model::Parameters& world) {
    std::vector<analysis::Sphere> spheres;
    for (const model::BodyKind& body : world.bodies.rows()) spheres.push_back({body.mass, body.mean_radius()});
    return spheres;
}

// G m^3 d with the mean mass and the mean diameter.
double momentum2_unit(const model::Parameters& world) {
    double m = 0, d = 0;
    const auto n = static_cast<double>(world.bodies.size());
    for (const model::BodyKind& body : world.bodies.rows()) m += body.mass / n, d += 2 * body.mean_radius() / n;
    return world.environment.mutual.constant * m * m * m * d;
}

Configuration configuration_of(StartConfiguration start) {
    switch (start) {
        case StartConfiguration::lagrange_resting: return Configuration::lagrange_resting;
        case StartConfiguration::euler_resting: return Configuration::euler_resting;
        case StartConfiguration::v_rest: return Configuration::v_rest;
        case StartConfiguration::aligned_mixed: return Configuration::aligned_mixed;
        case StartConfiguration::transverse_mixed: return Configuration::transverse_mixed;
        case StartConfiguration::lagrange_orbiting: return Configuration::lagrange_orbiting;
        case StartConfiguration::euler_orbiting: return Configuration::euler_orbiting;
        case StartConfiguration::resting_pair: return Configuration::resting_pair;
        default: return Configuration::orbiting_pair;
    }
}

std::size_t bodies_in(StartConfiguration start) {
    return start == StartConfiguration::resting_pair || start == StartConfiguration::orbiting_pair ? 2 : 3;
}

// Corners of a triangle with these sides: body 0 left, 2 right, 1 above.
std::vector<Vec3> triangle(double d01, double d12, double d20) {
    const double x = (d20 * d20 + d01 * d01 - d12 * d12) / (2 * d20);
    return {{0, 0, 0}, {x, std::sqrt(std::max(0.0, d01 * d01 - x * x)), 0}, {d20, 0, 0}};
}

// Whether an equilibrium has the bodies in the places that the names of the configurations say.
bool has_usual_order(const RestingEquilibrium& e) {
    switch (e.configuration) {
        case Configuration::euler_orbiting:
        case Configuration::v_rest: return e.order[1] == 0;
        case Configuration::aligned_mixed: return e.contact_force[0] > 0 && e.order[1] == 1;
        case Configuration::transverse_mixed: return e.contact_force[0] > 0;
        default: return true;
    }
}

struct Placed {
    std::vector<Vec3> position;  // m, common centre of mass in the origin
    double momentum2 = 0;        // (kg m^2/s)^2
};

void centre(const model::Parameters& world, std::vector<Vec3>& position) {
    Vec3 sum;
    double mass = 0;
    for (std::size_t i = 0; i < position.size(); ++i) sum += world.bodies[i].mass * position[i], mass += world.bodies[i].mass;
    for (Vec3& p : position) p -= sum / mass;
}

// Configurations whose shape is that of touching spheres, whatever the momentum.
std::vector<Vec3> touching(StartConfiguration start, const std::vector<analysis::Sphere>& s) {
    if (start == StartConfiguration::resting_pair) return {{0, 0, 0}, {s[0].r + s[1].r, 0, 0}};
    if (start == StartConfiguration::euler_resting) return {{0, 0, 0}, {s[0].r + s[1].r, 0, 0}, {-(s[0].r + s[2].r), 0, 0}};
    return triangle(s[0].r + s[1].r, s[1].r + s[2].r, s[2].r + s[0].r);
}

// The shape of three equal spheres of diameter d whose size is given (RestingEquilibrium::size), in d.
std::vector<Vec3> of_size(Configuration configuration, double size) {
    switch (configuration) {
        case Configuration::v_rest: return triangle(1, size, 1);
        case Configuration::aligned_mixed: return {{-0.5, 0, 0}, {0.5, 0, 0}, {size, 0, 0}};
        case Configuration::transverse_mixed: return {{-0.5, 0, 0}, {0.5, 0, 0}, {0, size, 0}};
        case Configuration::lagrange_orbiting: return triangle(size, size, size);
        default: return {{0, 0, 0}, {size, 0, 0}, {-size, 0, 0}};  // Euler Orbiting
    }
}

Placed of_size(const Scenario& scenario, const model::Parameters& world, const std::vector<analysis::Sphere>& spheres) {
    const Configuration wanted = configuration_of(scenario.start.configuration);
    const auto is_other = [&](const analysis::Sphere& s) { return s.m != spheres[0].m || s.r != spheres[0].r; };
    if (spheres.size() != 3 || std::any_of(spheres.begin(), spheres.end(), is_other))
        throw error_at(scenario.places, "start.size", "`size` needs three equal spheres", "give `momentum2`");
    Placed placed{.position = of_size(wanted, *scenario.start.size),
                  .momentum2 = analysis::equal_sphere_momentum2(wanted, *scenario.start.size) * momentum2_unit(world)};
    for (Vec3& p : placed.position) p *= 2 * spheres[0].r;
    return placed;
}

// "it exists above 5.32417": the momenta between which there is such a configuration, in any order of the bodies.
std::string where_it_exists(Configuration wanted, const model::Parameters& world, const std::vector<analysis::Sphere>& spheres) {
    double above = 0, below = 0;
    for (const analysis::RestingChange& change : analysis::resting_changes(spheres, world.environment.mutual.constant)) {
        if (change.configuration != wanted) continue;
        const double momentum2 = change.momentum2 / momentum2_unit(world);
        if (change.kind == analysis::ChangeKind::begins && above == 0) above = momentum2;
        if (change.kind == analysis::ChangeKind::ends) below = momentum2;
    }
    if (below == 0) return fmt::format("it exists above {:.6g}", above);
    return above == 0 ? fmt::format("it exists below {:.6g}", below) : fmt::format("it exists between {:.6g} and {:.6g}", above, below);
}

// The size follows from the momentum: the stable one, where there are two.
Placed of_momentum(const Scenario& scenario, const model::Parameters& world, const std::vector<analysis::Sphere>& spheres) {
    const Configuration wanted = configuration_of(scenario.start.configuration);
    const double momentum2 = *scenario.start.momentum2 * momentum2_unit(world);
    const RestingEquilibrium* best = nullptr;
    const std::vector<RestingEquilibrium> all = analysis::resting_equilibria(spheres, momentum2, world.environment.mutual.constant);
    for (const RestingEquilibrium& e : all)
        if (e.configuration == wanted && has_usual_order(e) && (best == nullptr || (e.is_stable && !best->is_stable))) best = &e;
    if (best == nullptr)
        throw error_at(scenario.places, "start.momentum2", fmt::format("there is no {} with this angular momentum", name(wanted)),
                       where_it_exists(wanted, world, spheres));
    const analysis::Distances& d = best->distances;
    if (spheres.size() == 2) return {{{0, 0, 0}, {d[0], 0, 0}}, momentum2};
    if (wanted == Configuration::euler_orbiting) return {{{0, 0, 0}, {d[0], 0, 0}, {-d[2], 0, 0}}, momentum2};
    if (wanted == Configuration::aligned_mixed) return {{{0, 0, 0}, {d[0], 0, 0}, {d[2], 0, 0}}, momentum2};
    return {triangle(d[0], d[1], d[2]), momentum2};
}

Placed placed(const Scenario& scenario, const model::Parameters& world) {
    const Start& start = scenario.start;
    const std::vector<analysis::Sphere> spheres = spheres_of(world);
    if (world.bodies.size() != bodies_in(start.configuration))
        throw error_at(
            scenario.places, "start.configuration",
            fmt::format("this configuration has {} bodies, the scenario has {}", bodies_in(start.configuration), world.bodies.size()),
            "change `count` of [[body]], or give positions and velocities");
    const bool is_resting = start.configuration == StartConfiguration::lagrange_resting ||
                            start.configuration == StartConfiguration::euler_resting ||
                            start.configuration == StartConfiguration::resting_pair;
    if (!is_resting && !start.size && !start.momentum2)
        throw error_at(scenario.places, "start", "this configuration needs `momentum2` or `size`", "add for example momentum2 = 6");
    if (is_resting && start.size)
        throw error_at(scenario.places, "start.size", "this configuration has no `size`: its bodies touch", "leave it out");
    if (is_resting && !start.momentum2)
        throw error_at(scenario.places, "start", "this configuration needs `momentum2`", "add for example momentum2 = 1");
    Placed out = is_resting   ? Placed{touching(start.configuration, spheres), *start.momentum2 * momentum2_unit(world)}
                 : start.size ? of_size(scenario, world, spheres)
                              : of_momentum(scenario, world, spheres);
    centre(world, out.position);
    return out;
}

FreeStart turning_as_one(const Scenario& scenario, const model::Parameters& world) {
    const Placed at = placed(scenario, world);
    double inertia = 0;
    for (std::size_t i = 0; i < at.position.size(); ++i)
        inertia += world.bodies[i].mass * squared_norm(at.position[i]) + world.bodies[i].inertia.z;
    const Vec3 rate{0, 0, scenario.start.rate_factor * std::sqrt(at.momentum2) / inertia};
    FreeStart start{.position = at.position, .velocity = {}, .spin = {}, .orientation = {}};
    for (const Vec3& p : at.position) start.velocity.push_back(cross(rate, p)), start.spin.push_back(rate);
    return start;
}

FreeStart as_given(const Scenario& scenario) {
    FreeStart start;
    for (std::size_t i = 0; i < scenario.bodies.size(); ++i) {
        const FreeBodyPart& part = scenario.bodies[i];
        if (!part.position || !part.velocity)
            throw error_at(scenario.places, fmt::format("body.{}", i),
                           fmt::format("missing key `{}`", part.position ? "velocity" : "position"),
                           "give `position` and `velocity`, or a [start] with a `configuration`");
        for (std::int64_t k = 0; k < part.count; ++k) {
            start.position.push_back(*part.position);
            start.velocity.push_back(*part.velocity);
            start.spin.push_back(part.spin.value_or(Vec3{}));
        }
    }
    return start;
}

Vec3 drawn(const DrawKey& key, std::size_t body, const Vec3& sigma) {
    const std::uint64_t first = 3 * body;
    return {sigma.x * random_normal(key, first), sigma.y * random_normal(key, first + 1), sigma.z * random_normal(key, first + 2)};
}

// Overlap that rounding alone does not explain.
void require_apart(const Scenario& scenario, const model::Parameters& world, const FreeStart& start) {
    for (std::size_t i = 0; i < world.bodies.size(); ++i) {
        for (std::size_t j = i + 1; j < world.bodies.size(); ++j) {
            const model::BodyKind &a = world.bodies[i], &b = world.bodies[j];
            const geometry::EllipsoidGap between = geometry::ellipsoid_gap({start.position[i], a.semi_axes, start.orientation[i]},
                                                                           {start.position[j], b.semi_axes, start.orientation[j]});
            if (between.gap >= -1e-9 * (a.mean_radius() + b.mean_radius())) continue;
            throw error_at(scenario.places, scenario.start.moved_body > 0 ? "start.moved" : "body",
                           fmt::format("bodies {} and {} start interpenetrated: their centres are {:.6g} m apart, they overlap by {:.6g} m",
                                       i + 1, j + 1, norm(start.position[j] - start.position[i]), -between.gap),
                           "move one of them");
        }
    }
}

}  // namespace

void describe_free_bodies(const Scenario& scenario, model::Parameters& parameters) {
    const auto& space = std::get<FreeWorld>(scenario.world.shape);
    parameters.environment = {.mutual = {.constant = space.gravitational_constant, .law = space.gravity},
                              .tides = {.law = scenario.tides.law, .factor = scenario.tides.factor}};
    for (std::size_t row = 0; row < scenario.bodies.size(); ++row) {
        const FreeBodyPart& part = scenario.bodies[row];
        const model::BodyKind body = body_of(part, space.gravitational_constant);
        require_weighable(scenario, row, body);
        parameters.bodies.add(body, static_cast<std::size_t>(part.count));
    }
    if (parameters.bodies.size() < 2)
        throw error_at(scenario.places, "body", "a world of kind \"free\" needs at least two bodies", "add a [[body]], or a `count`");
    parameters.laws.laws = {contact_of(scenario.touch, parameters)};
}

std::vector<std::string> free_doubts(const model::Parameters& world) {
    std::vector<std::string> out;
    const auto any = [&](auto is) { return std::ranges::any_of(world.bodies.kinds, is); };
    if (world.environment.tides.law == model::TideLaw::none && any([](const model::BodyKind& b) { return b.tidal.love_number > 0; }))
        out.emplace_back("bodies have a love_number or rigidity, but there are no tides: set tides.law");
    if (world.environment.mutual.law == model::MutualLaw::points && !world.bodies.has_only_spheres())
        out.emplace_back("ellipsoids attract each other as points, without torques: set world.gravity = \"second-order\"");
    return out;
}

FreeStart free_start_of(const Scenario& scenario, const model::Parameters& world, std::uint64_t run) {
    const bool is_given = scenario.start.configuration == StartConfiguration::given;
    if (is_given && (scenario.start.momentum2 || scenario.start.size || scenario.start.rate_factor != 1))
        throw error_at(scenario.places, "start", "`momentum2`, `size` and `rate_factor` belong to a configuration",
                       "add `configuration`, or leave them out: bodies start as [[body]] has them");
    for (const FreeBodyPart& part : scenario.bodies)
        if (!is_given && (part.position || part.velocity))
            throw error_at(scenario.places, "start.configuration",
                           "the configuration places the bodies: `position` and `velocity` of [[body]] are not used",
                           "leave them out, or the configuration; `moved_body` and `moved` move one");
    FreeStart start = is_given ? as_given(scenario) : turning_as_one(scenario, world);
    if (static_cast<std::size_t>(scenario.start.moved_body) > world.bodies.size())
        throw error_at(scenario.places, "start.moved_body", fmt::format("there are only {} bodies", world.bodies.size()),
                       "bodies count from 1; 0 moves none");
    if (scenario.start.moved_body == 0 && scenario.start.moved != Vec3{})
        throw error_at(scenario.places, "start.moved", "`moved` moves no body",
                       "say which with `moved_body`, bodies count from 1; or set it to zero");
    if (scenario.start.moved_body > 0) start.position[static_cast<std::size_t>(scenario.start.moved_body - 1)] += scenario.start.moved;
    const auto key = [&](Stream stream) {
        return DrawKey{.seed = static_cast<std::uint64_t>(scenario.seed), .run = run, .stream = stream};
    };
    std::size_t i = 0;
    for (const FreeBodyPart& part : scenario.bodies) {
        for (std::int64_t k = 0; k < part.count; ++k, ++i) {
            if (part.spin) start.spin[i] = *part.spin;
            start.position[i] += drawn(key(position_stream), i, part.position_sigma);
            start.velocity[i] += drawn(key(velocity_stream), i, part.velocity_sigma);
            start.spin[i] += drawn(key(spin_stream), i, part.spin_sigma);
            start.orientation.push_back(rotation(part.attitude));
        }
    }
    require_apart(scenario, world, start);
    return start;
}

}  // namespace asperity::scenario
