#include "asperity/scenario/start.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "asperity/analysis/resting_changes.h"
#include "asperity/analysis/resting_configurations.h"
#include "asperity/core/random.h"
#include "asperity/core/suggest.h"
#include "asperity/scenario/equilibria.h"
#include "asperity/scenario/roles.h"
#include "asperity/scenario/scenario.h"

namespace asperity::scenario {
namespace {

using analysis::Configuration;
using analysis::RestingEquilibrium;

// The random streams of the starts. Runs of a study must not change: append only. Normal draws of bodies in empty space have their own
// streams.
enum Stream : std::uint64_t {
    position_sigma_stream = 1,
    velocity_sigma_stream,
    spin_sigma_stream,
    position_spread_stream,
    velocity_spread_stream,
    speed_sigma_stream,
    position_sigma_in_space_stream = 200,
    velocity_sigma_in_space_stream,
    spin_sigma_in_space_stream,
};

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
            "change `count` of a body, or give positions and velocities");
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

StartRows turning_as_one(const Scenario& scenario, const model::Parameters& world) {
    const Placed at = placed(scenario, world);
    double inertia = 0;
    for (std::size_t i = 0; i < at.position.size(); ++i)
        inertia += world.bodies[i].mass * squared_norm(at.position[i]) + world.bodies[i].inertia.z;
    const Vec3 rate{0, 0, scenario.start.rate_factor * std::sqrt(at.momentum2) / inertia};
    StartRows start{.position = at.position, .velocity = {}, .spin = {}, .orientation = {}};
    for (const Vec3& p : at.position) start.velocity.push_back(cross(rate, p)), start.spin.push_back(rate);
    return start;
}

// The middle of that cell of the lattice that fills a region.
Vec3 place_in(const Scenario& scenario, const MovingRow& row, const model::BodyKind& body, std::int64_t cell) {
    const Fill& fill = *row.start->fill;
    const Vec3& spread = row.start->position_spread;
    const double room = 2 * (body.touching_reach() + std::max({spread.x, spread.y, spread.z}));
    const double spacing = fill.spacing.value_or(room);
    if (spacing < room * (1 - 1e-12))
        throw error_at(scenario.places, row.path + ".fill.spacing",
                       fmt::format("cells of {:.6g} m are too small: the body with its `position_spread` needs {:.6g} m", spacing, room),
                       fmt::format("take spacing = \"{:.6g} m\", or leave it out", room));
    const auto cells = [&](double from, double to) { return static_cast<std::int64_t>((to - from) / spacing * (1 + 1e-12)); };
    const std::int64_t nx = cells(fill.lower.x, fill.upper.x), ny = cells(fill.lower.y, fill.upper.y),
                       nz = cells(fill.lower.z, fill.upper.z);
    if (cell >= nx * ny * nz)
        throw error_at(
            scenario.places, row.path + ".fill",
            fmt::format("the region has {} x {} x {} cells of {:.6g} m, and does not hold {} bodies", nx, ny, nz, spacing, row.body->count),
            "take a larger region, or a smaller `spacing`");
    const auto middle = [&](double from, std::int64_t k) { return from + (static_cast<double>(k) + 0.5) * spacing; };
    return {middle(fill.lower.x, cell % nx), middle(fill.lower.y, cell / nx % ny), middle(fill.lower.z, cell / (nx * ny))};
}

StartRows as_given(const Scenario& scenario, const std::vector<MovingRow>& rows, const model::Parameters& world) {
    static const BodyStart none;
    StartRows start;
    std::int64_t number = 0;  // among the bodies of one name
    for (const MovingRow& row : rows) {
        const BodyStart& given = row.start != nullptr ? *row.start : none;
        const std::size_t i = start.position.size();
        number = i > 0 && rows[i - 1].body == row.body ? number + 1 : 0;
        start.position.push_back(given.fill ? place_in(scenario, row, world.bodies[i], number) : given.given_position());
        start.velocity.push_back(given.given_velocity());
        start.spin.push_back(Vec3{});
    }
    return start;
}

Vec3 drawn(const DrawKey& key, std::size_t body, const Vec3& sigma) {
    const std::uint64_t first = 3 * body;
    return {sigma.x * random_normal(key, first), sigma.y * random_normal(key, first + 1), sigma.z * random_normal(key, first + 2)};
}

Vec3 drawn_uniform(const DrawKey& key, std::size_t body, const Vec3& spread) {
    const auto symmetric = [&](std::uint64_t k) { return 2 * random_uniform(key, 3 * body + k) - 1; };
    return {spread.x * symmetric(0), spread.y * symmetric(1), spread.z * symmetric(2)};
}

// Draws are added in this order, so that runs of a study stay what they are. What is zero is not added: it could turn a -0 into a 0.
void scatter(const Scenario& scenario, std::uint64_t run, const BodyStart& given, bool has_ground, std::size_t i, StartRows& start) {
    const auto key = [&](Stream stream) {
        return DrawKey{.seed = static_cast<std::uint64_t>(scenario.seed), .run = run, .stream = stream};
    };
    const Vec3 along = unit(start.velocity[i]);
    start.position[i] += drawn(key(has_ground ? position_sigma_stream : position_sigma_in_space_stream), i, given.position_sigma);
    if (given.position_spread != Vec3{}) start.position[i] += drawn_uniform(key(position_spread_stream), i, given.position_spread);
    if (given.speed_sigma != 0) start.velocity[i] += given.speed_sigma * random_normal(key(speed_sigma_stream), i) * along;
    start.velocity[i] += drawn(key(has_ground ? velocity_sigma_stream : velocity_sigma_in_space_stream), i, given.velocity_sigma);
    if (given.velocity_spread != Vec3{}) start.velocity[i] += drawn_uniform(key(velocity_spread_stream), i, given.velocity_spread);
    start.spin[i] += drawn(key(has_ground ? spin_sigma_stream : spin_sigma_in_space_stream), i, given.spin_sigma);
}

}  // namespace

StartRows start_rows(const Scenario& scenario, const model::Parameters& world, const model::Assets& assets, std::uint64_t run) {
    const bool is_given = scenario.start.configuration == StartConfiguration::given;
    const std::vector<MovingRow> rows = moving_rows(scenario);
    const bool has_ground = roles_of(scenario).has_ground();
    StartRows start = is_given ? as_given(scenario, rows, world) : turning_as_one(scenario, world);
    if (scenario.start.moved) {
        const auto moved =
            std::find_if(rows.begin(), rows.end(), [&](const MovingRow& row) { return row.name == scenario.start.moved->body; });
        if (moved == rows.end()) {
            std::vector<std::string> known;
            for (const MovingRow& row : rows) known.push_back(row.name);
            const std::string hint = did_you_mean(scenario.start.moved->body, known);
            throw error_at(scenario.places, "start.moved.body", fmt::format("there is no body `{}` that moves", scenario.start.moved->body),
                           hint.empty() ? "known here: " + joined(known) : hint);
        }
        start.position[static_cast<std::size_t>(moved - rows.begin())] += scenario.start.moved->by;
    }
    static const BodyStart none;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        BodyStart given = rows[i].start != nullptr ? *rows[i].start : none;
        double turn_rate = 0;
        if (!given.at.empty()) {
            turn_rate = place_at_equilibrium(scenario, assets, rows[i].path, given);
            start.position[i] = *given.position;
            start.velocity[i] = given.given_velocity();
        }
        if (given.spin) start.spin[i] = *given.spin;
        scatter(scenario, run, given, has_ground, i, start);
        if (turn_rate != 0) start.velocity[i] += cross({0, 0, turn_rate}, start.position[i]);
        start.orientation.push_back(given.given_orientation());
        const Pose& principal = world.bodies[i].principal;  // the file says where its own axes are
        if (principal == Pose{}) continue;
        if (is_given) start.position[i] += rotate(start.orientation[i], principal.p);
        start.orientation[i] = start.orientation[i] * principal.q;
    }
    return start;
}

}  // namespace asperity::scenario
