#include "asperity/scenario/compile.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>

#include "asperity/analysis/energy.h"
#include "asperity/assets/mesh_file.h"
#include "asperity/core/random.h"
#include "asperity/dynamics/all.h"
#include "asperity/dynamics/secular/secular.h"
#include "asperity/geometry/closest.h"
#include "asperity/geometry/mass_properties.h"
#include "asperity/geometry/mesh.h"
#include "asperity/scenario/body.h"
#include "asperity/scenario/drop.h"
#include "asperity/scenario/equilibria.h"
#include "asperity/scenario/soft_contact_check.h"

namespace asperity::scenario {
namespace {

using geometry::ClosestPoint;

// What a number is drawn for. Stored nowhere, but runs of a study must not change: append only.
enum Stream : std::uint64_t {
    position_sigma_stream = 1,
    velocity_sigma_stream,
    spin_sigma_stream,
    position_spread_stream,
    velocity_spread_stream,
    speed_sigma_stream,
};

// Rounding of a distance to the surface: of the coordinates that it is the difference of.
double rounding_at(const Vec3& position, double radius) { return 16 * std::numeric_limits<double>::epsilon() * (norm(position) + radius); }

geometry::RawMesh generated(const Scenario& scenario, const World& world) {
    struct Generate {
        const Scenario& scenario;
        geometry::RawMesh operator()(const geometry::FlatWorld& w) const { return geometry::generate(w); }
        geometry::RawMesh operator()(const geometry::TableWorld& w) const { return geometry::generate(w); }
        geometry::RawMesh operator()(const geometry::GutterWorld& w) const { return geometry::generate(w); }
        geometry::RawMesh operator()(const geometry::PitWorld& w) const { return geometry::generate(w); }
        geometry::RawMesh operator()(const SpikeWorld& w) const {
            geometry::SpikeWorld shape = w.shape;
            shape.seed = static_cast<std::uint64_t>(w.seed.value_or(scenario.seed));
            return geometry::generate(shape);
        }
        geometry::RawMesh operator()(const MeshWorld& w) const {
            const std::filesystem::path path = std::filesystem::path(scenario.file).parent_path() / w.file;
            return assets::read_mesh(path.string(), length_of_unit(w.unit, path.string()));
        }
        geometry::RawMesh operator()(const BodyWorld&) const { return {}; }  // body_surface() makes it
        geometry::RawMesh operator()(const FreeWorld&) const { return {}; }
    };
    return std::visit(Generate{scenario}, world.shape);
}

Vec3 drawn(const DrawKey& key, const Vec3& scale, double (*draw)(const DrawKey&, std::uint64_t)) {
    return {scale.x * draw(key, 0), scale.y * draw(key, 1), scale.z * draw(key, 2)};
}

double symmetric_uniform(const DrawKey& key, std::uint64_t counter) { return 2 * random_uniform(key, counter) - 1; }

struct BallStart {
    Vec3 position;
    Vec3 velocity;
    Vec3 spin;
};

BallStart scattered_start(const Scenario& scenario, const Release& release, std::uint64_t run) {
    const auto key = [&](Stream stream) {
        return DrawKey{.seed = static_cast<std::uint64_t>(scenario.seed), .run = run, .stream = stream};
    };
    return {
        .position = release.position + drawn(key(position_sigma_stream), release.position_sigma, random_normal) +
                    drawn(key(position_spread_stream), release.position_spread, symmetric_uniform),
        .velocity = release.velocity + release.speed_sigma * random_normal(key(speed_sigma_stream), 0) * unit(release.velocity) +
                    drawn(key(velocity_sigma_stream), release.velocity_sigma, random_normal) +
                    drawn(key(velocity_spread_stream), release.velocity_spread, symmetric_uniform),
        .spin = release.spin + drawn(key(spin_sigma_stream), release.spin_sigma, random_normal),
    };
}

void raise_above_surface(const Scenario& scenario, const geometry::SurfaceMesh& mesh, const gravity::Gravity& gravity, BallStart& start) {
    if (!scenario.release.above_surface) return;
    const Vec3 down = unit(gravity::acceleration(gravity, start.position, {}, 0));
    const std::optional<Vec3> touch = first_touch(mesh, start.position, down, scenario.ball.radius);
    if (!touch) {
        throw error_at(scenario.places, "release.above_surface",
                       fmt::format("there is no surface below ({}, {}, {}) m", start.position.x, start.position.y, start.position.z),
                       "`above_surface` needs a `position` over the surface");
    }
    start.position = *touch - *scenario.release.above_surface * down;
}

// The nearest point of the surface, and which way is out there.
struct Ground {
    ClosestPoint closest;
    Vec3 normal;          // from the surface to the centre; outward where the centre lies inside or on it
    double distance = 0;  // m, negative inside
};

Ground ground_at(const Scenario& scenario, const geometry::SurfaceMesh& mesh, const Vec3& position) {
    const geometry::SurfaceView view = mesh.view();
    Ground ground{.closest = geometry::nearest(view, position)};
    if (!ground.closest.found())
        throw error_at(scenario.places, "release.position", "the ball starts too far from the surface to compute the distance");
    const Vec3 outward = geometry::feature_normal(view, ground.closest.feature);
    const bool is_inside = dot(ground.closest.offset, outward) < 0;
    ground.distance = is_inside ? -ground.closest.distance : ground.closest.distance;
    ground.normal = ground.distance > 0 ? unit(ground.closest.offset) : outward;
    return ground;
}

// Whether a mesh from a file shows its back to a ball above it. A closed one was turned the right way or refused.
bool faces_down(const Scenario& scenario, const geometry::SurfaceMesh& mesh) {
    const auto* gravity = std::get_if<gravity::Uniform>(&scenario.gravity.field);
    return gravity != nullptr && std::holds_alternative<MeshWorld>(scenario.world.shape) && !mesh.is_closed &&
           dot(geometry::mean_normal(mesh), gravity->acceleration_vector) > 0;
}

void require_clearance(const Scenario& scenario, const geometry::SurfaceMesh& mesh, const Vec3& position, std::uint64_t run) {
    const Ground ground = ground_at(scenario, mesh, position);
    const double radius = scenario.ball.radius;
    if (ground.distance >= radius - rounding_at(position, radius)) return;
    const std::string where = run == 0 ? "" : fmt::format(" in run {}", run);
    const bool is_inside = ground.distance < 0;
    const std::string what =
        is_inside ? fmt::format("the ball starts{} inside the surface: its centre is {:.6g} m below it", where, -ground.distance)
                  : fmt::format("the ball starts{} overlapping the surface by {:.6g} m; its radius is {:.6g} m", where,
                                radius - ground.distance, radius);
    const char* hint = "move `position`, or use above_surface = \"...\" to say how far above the surface it starts";
    if (scenario.release.above_surface)
        hint = is_inside ? "along gravity, the line through `position` meets the back of the surface first: give `position` alone"
                         : "above_surface is measured along gravity, the surface is nearer sideways: move `position` or raise it";
    if (is_inside && faces_down(scenario, mesh))
        hint = "the facets face down, away from the ball: turn them around with `asperity shape repair IN OUT --flip`";
    throw error_at(scenario.places, "release.position", what, hint);
}

// So many rows in every column of every block, whichever there are, but for contacts: nothing touches yet.
struct Rows {
    std::size_t count = 1;
    template <class Block>
    void block(const char*, Block& block) {
        if constexpr (!std::is_same_v<Block, model::Contacts>) describe(*this, block);
    }
    template <class T>
    void field(const char*, std::vector<T>& column, const char*, const char*) {
        column.assign(count, T{});
    }
    template <class T>
    void field(const char*, T&, const char*, const char*) {}
};

model::State state_of(const BallStart& start) {
    model::State state;
    Rows one_row;
    describe(one_row, state);
    state.bodies.position = {start.position};
    state.bodies.velocity = {start.velocity};
    state.bodies.spin = {start.spin};
    state.tallies.last_touch = {-1};
    return state;
}

model::State state_of(const FreeStart& start) {
    model::State state;
    Rows per_body{start.position.size()};
    describe(per_body, state);
    state.bodies.position = start.position;
    state.bodies.velocity = start.velocity;
    state.bodies.spin = start.spin;
    state.bodies.orientation = start.orientation;
    state.tallies.last_touch.assign(start.position.size(), -1);
    return state;
}

// A ball in contact neither comes nor goes: a velocity that does would lose that part, and its energy, without a word.
void require_tangential(const Scenario& scenario, const Vec3& normal, std::uint64_t run) {
    const Vec3 velocity = scenario.release.velocity;
    const double away = dot(velocity, normal);
    if (std::abs(away) <= 1e-9 * norm(velocity)) return;
    const Vec3 along = tangential(velocity, normal);
    throw error_at(
        scenario.places, "release.velocity",
        fmt::format("a ball that starts in contact{} cannot move {} at {:.6g} m/s", run == 0 ? "" : fmt::format(", in run {},", run),
                    away < 0 ? "into the surface" : "away from the surface", std::abs(away)),
        fmt::format("write velocity = [\"{:.12g} m/s\", \"{:.12g} m/s\", \"{:.12g} m/s\"], or leave `start_in_contact` out", along.x,
                    along.y, along.z));
}

// A ball that is put onto the ground from afar is hardly where it was meant to be.
void require_near(const Scenario& scenario, const Ground& ground, std::uint64_t run) {
    constexpr double most = 10;  // radii
    const double radius = scenario.ball.radius, away = std::abs(ground.distance);
    if (away <= most * radius) return;
    const Vec3 there = ground.closest.point + radius * ground.normal;
    throw error_at(
        scenario.places, "release.position",
        fmt::format("a ball that starts in contact{} is {:.6g} m {} the ground, {:.3g} of its radii; at most {:g} count as contact",
                    run == 0 ? "" : fmt::format(", in run {},", run), away, ground.distance < 0 ? "below" : "from", away / radius, most),
        fmt::format("write position = [\"{:.12g} m\", \"{:.12g} m\", \"{:.12g} m\"], where it touches the nearest ground, or leave "
                    "`start_in_contact` out",
                    there.x, there.y, there.z));
}

// The ball touches the nearest feature; of the scatter of its velocity only the part along the surface stays.
model::State state_in_contact(const Scenario& scenario, const geometry::SurfaceMesh& mesh, BallStart start, std::uint64_t run) {
    const double radius = scenario.ball.radius;
    const Ground ground = ground_at(scenario, mesh, start.position);
    require_near(scenario, ground, run);
    require_tangential(scenario, ground.normal, run);
    start.position = ground.closest.point + radius * ground.normal;
    start.velocity = tangential(start.velocity, ground.normal);
    if (ground_at(scenario, mesh, start.position).distance < radius * (1 - 1e-9)) {
        throw error_at(scenario.places, "release.start_in_contact",
                       "a ball that touches the nearest point of the surface would overlap it elsewhere", "move `position`");
    }
    model::State state = state_of(start);
    // the method finds out whether it rolls
    state.contacts.add(0, model::ground, model::contact_feature(ground.closest.feature), model::Mode::touching);
    return state;
}

// The surface at the scale of this run; none where that is one.
std::unique_ptr<geometry::SurfaceMesh> scaled_surface(const Scenario& scenario, const geometry::SurfaceMesh& unit) {
    const double scale = std::get<BodyWorld>(scenario.world.shape).scale;
    return scale == 1 ? nullptr : std::make_unique<geometry::SurfaceMesh>(geometry::scaled(unit, scale));
}

// Every phase has a method that can carry this world.
void require_carried(const Scenario& scenario, const model::Model& model) {
    const model::Census census = model::census_of(model);
    for (std::size_t i = 0; i < model.parameters.phases.size(); ++i) {
        const model::Phase& phase = model.parameters.phases[i];
        const std::string refusal = dynamics::find_method(phase.method)->carries(census, phase);
        if (!refusal.empty()) throw error_at(scenario.places, fmt::format("phase.{}", i), refusal);
    }
}

// How many times the acceleration that `secular` would choose is told of: by then locks of the ternary study are off by per cents.
constexpr double much_acceleration = 64;

std::vector<std::string> phase_doubts(const model::Parameters& parameters) {
    std::vector<std::string> out;
    for (model::Phase phase : parameters.phases) {
        if (!(phase.acceleration > 0)) continue;
        if (phase.method != "secular") {
            out.push_back(fmt::format("phase `{}`: method \"{}\" does not use `acceleration`", phase.name, phase.method));
            continue;
        }
        const double asked = dynamics::secular_acceleration(parameters, phase);
        phase.acceleration = 0;
        const double chosen = dynamics::secular_acceleration(parameters, phase);
        if (asked > much_acceleration * chosen)
            out.push_back(fmt::format(
                "phase `{}`: an acceleration of {:g} is {:g} times what is chosen if none is given; see whether a quarter of it "
                "gives the same",
                phase.name, asked, asked / chosen));
    }
    double begin = 0;
    for (std::size_t k = 0; k + 1 < parameters.phases.size(); ++k) {
        begin += parameters.phases[k].duration;
        if (begin < parameters.end_time) continue;
        out.push_back(fmt::format("phase `{}` never begins: those before it last {:g} s, and the run ends at {:g} s",
                                  parameters.phases[k + 1].name, begin, parameters.end_time));
        break;
    }
    return out;
}

std::vector<std::string> contact_doubts(const model::Parameters& parameters) {
    const auto is_unused = [](const laws::PairLaw& law) {
        return law.spinning_resistance > 0 && law.rolling_law != laws::RollingLaw::coupled;
    };
    if (std::ranges::none_of(parameters.laws.laws, is_unused)) return {};
    return {
        "contact.spinning_resistance acts under rolling_law = \"coupled\" only: the torque of the law chosen here opposes all of the spin, "
        "that about the normal included"};
}

std::vector<std::string> ball_doubts(const Compiled& compiled) {
    const model::Parameters& parameters = compiled.model.parameters;
    const geometry::SurfaceMesh& mesh = compiled.model.surface();
    const auto* uniform = std::get_if<gravity::Uniform>(&parameters.environment.field);
    if (uniform == nullptr || uniform->acceleration_vector == Vec3{}) return {};
    const Vec3 gravity = uniform->acceleration_vector;
    const Vec3 position = compiled.state.bodies.position[0];
    const Vec3 down = unit(gravity);
    // A ball that touches has what it touches below it, unless gravity pulls it off.
    const geometry::ClosestPoint closest = geometry::nearest(mesh.view(), position);
    const bool is_touching = closest.found() && closest.distance <= parameters.bodies[0].radius() * (1 + 1e-9);
    if (is_touching && dot(closest.offset, down) < 0) return {};
    if (first_touch_below(mesh, position, down, parameters.bodies[0].radius())) return {};
    return {fmt::format(
        "nothing lies below the ball along gravity, ({:g}, {:g}, {:g}) m/s^2: it will fall for ever, unless its velocity takes it "
        "over the surface",
        gravity.x, gravity.y, gravity.z)};
}

}  // namespace

Scenario without_scatter(Scenario scenario) {
    Release& release = scenario.release;
    release.position_sigma = release.velocity_sigma = release.spin_sigma = {};
    release.position_spread = release.velocity_spread = {};
    release.speed_sigma = 0;
    for (FreeBodyPart& body : scenario.bodies) body.position_sigma = body.velocity_sigma = body.spin_sigma = {};
    return scenario;
}

model::Assets load_assets(const Scenario& scenario, const gravity::FastField::Progress& progress) {
    if (scenario.world.is_free()) return {};
    try {
        model::Assets assets;
        const std::string folder = std::filesystem::path(scenario.file).parent_path().string();
        const auto* body = std::get_if<BodyWorld>(&scenario.world.shape);
        assets.surface = body != nullptr ? body_surface(*body, folder) : geometry::make_surface(generated(scenario, scenario.world));
        const Vec3 &a = assets.surface.lower, &b = assets.surface.upper;
        for (const double coordinate : {a.x, a.y, a.z, b.x, b.y, b.z})
            if (!lengths.allows(coordinate))
                throw InputError(fmt::format("the surface reaches to {:.3g} m; lengths must be {}", coordinate, lengths.text("m")),
                                 "is the unit right?");
        load_body_assets(scenario, folder, assets, progress);
        return assets;
    } catch (InputError& error) {
        // A generator and a mesh know nothing of the scenario: say where it asked for them.
        const char* place = std::holds_alternative<MeshWorld>(scenario.world.shape) ? "world.file"
                            : has_body(scenario)                                    ? "world.shape"
                                                                                    : "world";
        for (Problem& problem : error.problems) {
            if (problem.file.empty()) problem = problem_at(scenario.places, place, problem.what, problem.hint, problem.note);
        }
        throw InputError(error.problems);
    }
}

Compiled compile(const Scenario& scenario, const model::Assets& assets, std::uint64_t run) {
    Compiled compiled;
    compiled.model.assets = &assets;
    model::Parameters& parameters = compiled.model.parameters;
    parameters.phases = scenario.phases;
    parameters.end_time = scenario.end.time;
    parameters.step_budget = scenario.end.step_budget;
    parameters.seed = static_cast<std::uint64_t>(scenario.seed);
    parameters.run = run;
    if (scenario.world.is_free()) {
        describe_free_bodies(scenario, parameters);
        compiled.state = state_of(free_start_of(scenario, parameters, run));
        const double energy = analysis::energies(parameters, compiled.state.bodies, 0).mechanical();
        compiled.state.settled.energy = compiled.state.balance.start = energy;
        require_carried(scenario, compiled.model);
        require_resolved_contacts(scenario, compiled);
        return compiled;
    }
    parameters.bodies.add(model::sphere_kind(scenario.ball.radius, scenario.ball.mass, scenario.ball.inertia_factor));
    set_ground_laws(scenario, parameters);
    parameters.rocks = stochastic_rocks(scenario);
    if (has_body(scenario)) compiled.scaled_surface = scaled_surface(scenario, assets.surface);
    compiled.model.scaled_surface = compiled.scaled_surface.get();
    const geometry::SurfaceMesh& surface = compiled.model.surface();
    if (const auto* uniform = std::get_if<gravity::Uniform>(&scenario.gravity.field)) {
        parameters.environment.field = *uniform;
    } else {
        parameters.environment.field = small_body_of(scenario, assets);
        parameters.linear_reach = std::get<BodyGravity>(scenario.gravity.field).linear_reach;
    }

    require_carried(scenario, compiled.model);
    const PlacedRelease placed = placed_release(scenario, assets);
    BallStart start = scattered_start(scenario, placed.release, run);
    start.velocity += cross({0, 0, placed.turn_rate}, start.position);
    if (scenario.release.start_in_contact) {
        compiled.state = state_in_contact(scenario, surface, start, run);
        return compiled;
    }
    raise_above_surface(scenario, surface, parameters.environment.field, start);
    if (scenario.release.velocity_in == VelocityFrame::inertial)
        start.velocity -= std::get<gravity::SmallBody>(parameters.environment.field).velocity_of_frame(start.position, 0);
    require_clearance(scenario, surface, start.position, run);
    compiled.state = state_of(start);
    return compiled;
}

std::vector<std::string> doubts(const Compiled& compiled) {
    const model::Parameters& parameters = compiled.model.parameters;
    std::vector<std::string> out = phase_doubts(parameters);
    for (std::string& doubt : contact_doubts(parameters)) out.push_back(std::move(doubt));
    for (std::string& doubt : model::census_of(compiled.model).has_ground ? ball_doubts(compiled) : free_doubts(parameters))
        out.push_back(std::move(doubt));
    for (std::string& doubt : soft_contact_doubts(compiled)) out.push_back(std::move(doubt));
    return out;
}

Scenario without_fast_fields(Scenario scenario) {
    const auto replace = [](gravity::FieldKind& kind) {
        if (kind == gravity::FieldKind::fast) kind = gravity::FieldKind::exact;
    };
    if (auto* body = std::get_if<BodyGravity>(&scenario.gravity.field)) replace(body->field);
    if (scenario.companion) replace(scenario.companion->field);
    return scenario;
}

}  // namespace asperity::scenario
