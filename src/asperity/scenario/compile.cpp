#include "asperity/scenario/compile.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>

#include "asperity/analysis/energy.h"
#include "asperity/contact/detector.h"
#include "asperity/dynamics/all.h"
#include "asperity/dynamics/penalty/penalty.h"
#include "asperity/dynamics/secular/secular.h"
#include "asperity/geometry/closest.h"
#include "asperity/geometry/mass_properties.h"
#include "asperity/geometry/mesh.h"
#include "asperity/model/first_state.h"
#include "asperity/scenario/drop.h"
#include "asperity/scenario/ground.h"
#include "asperity/scenario/guards.h"
#include "asperity/scenario/moving_bodies.h"
#include "asperity/scenario/roles.h"
#include "asperity/scenario/soft_contact_check.h"
#include "asperity/scenario/start_check.h"

namespace asperity::scenario {
namespace {

using geometry::ClosestPoint;

// Rounding of a distance to the surface: of the coordinates that it is the difference of.
double rounding_at(const Vec3& position, double radius) { return 16 * std::numeric_limits<double>::epsilon() * (norm(position) + radius); }

// The body that the ground is made for: the first that moves.
struct GroundStart {
    const BodyStart& given;
    std::string path;  // of its section
    double radius = 0;
    Vec3 position;
    Vec3 velocity;
    Vec3 spin;
};

void raise_above_surface(const Scenario& scenario, const geometry::SurfaceMesh& mesh, const model::Field& gravity, GroundStart& start) {
    if (!start.given.above_surface) return;
    const Vec3 down = unit(gravity::acceleration(gravity, start.position, {}, 0));
    const std::optional<Vec3> touch = first_touch(mesh, start.position, down, start.radius);
    if (!touch) {
        throw error_at(scenario.places, start.path + ".above_surface",
                       fmt::format("there is no surface below ({}, {}, {}) m", start.position.x, start.position.y, start.position.z),
                       "`above_surface` needs a `position` over the surface");
    }
    start.position = *touch - *start.given.above_surface * down;
}

// The nearest point of the surface, and which way is out there.
struct Ground {
    ClosestPoint closest;
    Vec3 normal;          // from the surface to the centre; outward where the centre lies inside or on it
    double distance = 0;  // m, negative inside
};

Ground ground_at(const Scenario& scenario, const geometry::SurfaceMesh& mesh, const GroundStart& start) {
    const geometry::SurfaceView view = mesh.view();
    Ground ground{.closest = geometry::nearest(view, start.position)};
    if (!ground.closest.found())
        throw error_at(scenario.places, start.path + ".position", "the body starts too far from the surface to compute the distance");
    const Vec3 outward = geometry::feature_normal(view, ground.closest.feature);
    const bool is_inside = dot(ground.closest.offset, outward) < 0;
    ground.distance = is_inside ? -ground.closest.distance : ground.closest.distance;
    ground.normal = ground.distance > 0 ? unit(ground.closest.offset) : outward;
    return ground;
}

// Whether an open mesh from a file shows its back to what is above it. A closed one was turned the right way or refused.
bool faces_down(const Scenario& scenario, const geometry::SurfaceMesh& mesh) {
    const Body* ground = roles_of(scenario).ground;
    return scenario.gravity.uniform && ground->as<MeshShape>() && !mesh.is_closed &&
           dot(geometry::mean_normal(mesh), *scenario.gravity.uniform) > 0;
}

void require_clearance(const Scenario& scenario, const geometry::SurfaceMesh& mesh, const GroundStart& start, std::uint64_t run) {
    const Ground ground = ground_at(scenario, mesh, start);
    const double radius = start.radius;
    if (ground.distance >= radius - rounding_at(start.position, radius)) return;
    const std::string where = run == 0 ? "" : fmt::format(" in run {}", run);
    const bool is_inside = ground.distance < 0;
    const std::string what =
        is_inside ? fmt::format("the body starts{} inside the surface: its centre is {:.6g} m below it", where, -ground.distance)
                  : fmt::format("the body starts{} overlapping the surface by {:.6g} m; its radius is {:.6g} m", where,
                                radius - ground.distance, radius);
    const char* hint = "move `position`, or use above_surface = \"...\" to say how far above the surface it starts";
    if (start.given.above_surface)
        hint = is_inside ? "along gravity, the line through `position` meets the back of the surface first: give `position` alone"
                         : "above_surface is measured along gravity, the surface is nearer sideways: move `position` or raise it";
    if (is_inside && faces_down(scenario, mesh))
        hint = "the facets face down, away from the body: turn them around with `asperity shape repair IN OUT --flip`";
    throw error_at(scenario.places, start.path + ".position", what, hint);
}

model::State state_on_ground(const GroundStart& start) {
    model::State state = model::first_state({start.position}, 1);
    state.bodies.velocity = {start.velocity};
    state.bodies.spin = {start.spin};
    return state;
}

model::State state_of(const StartRows& start, std::size_t groups) {
    model::State state = model::first_state(start.position, groups);
    state.bodies.velocity = start.velocity;
    state.bodies.spin = start.spin;
    state.bodies.orientation = start.orientation;
    return state;
}

// A body in contact neither comes nor goes: a velocity that does would lose that part, and its energy, without a word.
void require_tangential(const Scenario& scenario, const GroundStart& start, const Vec3& normal, std::uint64_t run) {
    const Vec3 velocity = start.given.given_velocity();
    const double away = dot(velocity, normal);
    if (std::abs(away) <= 1e-9 * norm(velocity)) return;
    const Vec3 along = tangential(velocity, normal);
    throw error_at(
        scenario.places, start.path + ".velocity",
        fmt::format("a body that starts in contact{} cannot move {} at {:.6g} m/s", run == 0 ? "" : fmt::format(", in run {},", run),
                    away < 0 ? "into the surface" : "away from the surface", std::abs(away)),
        fmt::format("write velocity = [\"{:.12g} m/s\", \"{:.12g} m/s\", \"{:.12g} m/s\"], or leave `in_contact` out", along.x, along.y,
                    along.z));
}

// A body that is put onto the ground from afar is hardly where it was meant to be.
void require_near(const Scenario& scenario, const GroundStart& start, const Ground& ground, std::uint64_t run) {
    constexpr double most = 10;  // radii
    const double radius = start.radius, away = std::abs(ground.distance);
    if (away <= most * radius) return;
    const Vec3 there = ground.closest.point + radius * ground.normal;
    throw error_at(
        scenario.places, start.path + ".position",
        fmt::format("a body that starts in contact{} is {:.6g} m {} the ground, {:.3g} of its radii; at most {:g} count as contact",
                    run == 0 ? "" : fmt::format(", in run {},", run), away, ground.distance < 0 ? "below" : "from", away / radius, most),
        fmt::format("write position = [\"{:.12g} m\", \"{:.12g} m\", \"{:.12g} m\"], where it touches the nearest ground, or leave "
                    "`in_contact` out",
                    there.x, there.y, there.z));
}

// The body touches the nearest feature; of the scatter of its velocity only the part along the surface stays.
model::State state_in_contact(const Scenario& scenario, const geometry::SurfaceMesh& mesh, GroundStart start, std::uint64_t run) {
    const double radius = start.radius;
    const Ground ground = ground_at(scenario, mesh, start);
    require_near(scenario, start, ground, run);
    require_tangential(scenario, start, ground.normal, run);
    start.position = ground.closest.point + radius * ground.normal;
    start.velocity = tangential(start.velocity, ground.normal);
    if (ground_at(scenario, mesh, start).distance < radius * (1 - 1e-9)) {
        throw error_at(scenario.places, start.path + ".in_contact",
                       "a body that touches the nearest point of the surface would overlap it elsewhere", "move `position`");
    }
    model::State state = state_on_ground(start);
    // the method finds out whether it rolls
    state.contacts.add(0, model::ground, model::contact_feature(ground.closest.feature), model::Mode::touching);
    return state;
}

// The surface at the scale of this run; none where that is one.
std::unique_ptr<geometry::SurfaceMesh> scaled_surface(double scale, const geometry::SurfaceMesh& unit) {
    return scale == 1 ? nullptr : std::make_unique<geometry::SurfaceMesh>(geometry::scaled(unit, scale));
}

// The energy against which soft contact holds its balance; rigid methods on ground hold theirs against the first state.
void set_first_energy(Compiled& compiled) {
    const auto is_soft = [](const model::Phase& phase) { return phase.method == dynamics::penalty.name; };
    if (std::ranges::any_of(compiled.model.parameters.phases, is_soft))
        compiled.state.balance.start = analysis::energies(compiled.model, compiled.state).mechanical();
}

// A body that starts inside a driven one would be thrown out by what no one paid for.
void require_off_driven(const Scenario& scenario, const Compiled& compiled, std::uint64_t run) {
    const model::Parameters& world = compiled.model.parameters;
    if (world.driven.empty()) return;
    model::Bodies bodies = compiled.state.bodies;
    model::place_driven(world.driven, world.bodies.size(), 0, bodies);
    contact::ContactList contacts;
    contact::Detector(compiled.model).detect(bodies.position, bodies.orientation, contacts);
    const std::vector<MovingRow> rows = moving_rows(scenario);
    const std::vector<const Body*> driven = driven_bodies(scenario);
    for (const contact::ContactPoint& c : contacts) {
        const auto a = static_cast<std::size_t>(c.a);
        if (c.b == model::ground || world.moves(c.b)) continue;
        const double reach = world.bodies[a].reach();
        if (c.gap >= -1e-9 * reach - rounding_at(bodies.position[a], reach)) continue;
        throw error_at(
            scenario.places, rows[a].path + ".position",
            fmt::format("`{}` starts{} overlapping `{}` by {:.6g} m", rows[a].name, run == 0 ? "" : fmt::format(" in run {}", run),
                        driven[static_cast<std::size_t>(c.b) - world.bodies.size()]->name, -c.gap),
            "move one of them");
    }
}

// Every phase has a method that can carry this world.
void require_carried(const Scenario& scenario, const model::Model& model) {
    for (std::size_t i = 0; i < model.parameters.phases.size(); ++i) {
        const model::Phase& phase = model.parameters.phases[i];
        const model::Census census = model::census_of(model, i);
        const dynamics::MethodEntry& method = *dynamics::find_method(phase.method);
        std::string refusal = method.carries(census, phase);
        if (refusal.empty() && (census.wants_contact_force || census.wants_joint_force) && !method.tells_contact_force)
            refusal = fmt::format("{} tells no {} force, which a signal is: take penalty or impulse", method.name,
                                  census.wants_contact_force ? "contact" : "joint");
        if (!refusal.empty()) throw error_at(scenario.places, fmt::format("phase.{}", i), refusal);
    }
    if (const std::string missing = contact::missing_pair(model); !missing.empty()) throw error_at(scenario.places, "body", missing);
}

// How many times the speed_up that `secular` would choose is told of: by then locks of the ternary study are off by per cents.
constexpr double much_speed_up = 64;

// Options of dvi that differ from what they are if not given. A warning, and no error: files that are written say every key.
std::vector<const char*> options_of_dvi(const model::Phase& phase) {
    const model::Phase usual;
    std::vector<const char*> out;
    if (phase.solver != usual.solver) out.push_back("solver");
    if (phase.scaling != usual.scaling) out.push_back("scaling");
    if (phase.iterations != usual.iterations) out.push_back("iterations");
    return out;
}

std::vector<std::string> phase_doubts(const model::Parameters& parameters) {
    std::vector<std::string> out;
    for (model::Phase phase : parameters.phases) {
        if (phase.method != "dvi")
            for (const char* option : options_of_dvi(phase))
                out.push_back(fmt::format("phase `{}`: method \"{}\" does not use `{}`", phase.name, phase.method, option));
        if (phase.method != "impulse" && phase.method != "dvi" && phase.flight_tolerance != model::Phase{}.flight_tolerance)
            out.push_back(fmt::format("phase `{}`: method \"{}\" does not use `flight_tolerance`", phase.name, phase.method));
        if (!(phase.speed_up > 0)) continue;
        if (phase.method != "secular") {
            out.push_back(fmt::format("phase `{}`: method \"{}\" does not use `speed_up`", phase.name, phase.method));
            continue;
        }
        const double asked = dynamics::secular_speed_up(parameters, phase);
        phase.speed_up = 0;
        const double chosen = dynamics::secular_speed_up(parameters, phase);
        if (asked > much_speed_up * chosen)
            out.push_back(
                fmt::format("phase `{}`: a speed_up of {:g} is {:g} times what is chosen if none is given; see whether a quarter of it "
                            "gives the same",
                            phase.name, asked, asked / chosen));
    }
    double begin = 0;
    for (std::size_t k = 0; k + 1 < parameters.phases.size() && parameters.phases[k].guards.empty(); ++k) {
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
        "spinning_resistance acts under rolling_law = \"coupled\" only: the torque of the law chosen here opposes all of the spin, "
        "that about the normal included"};
}

// A body that touches has what it touches below it, unless gravity pulls it off.
bool has_ground_below(const geometry::SurfaceMesh& mesh, const Vec3& position, double radius, const Vec3& down) {
    const geometry::ClosestPoint closest = geometry::nearest(mesh.view(), position);
    const bool is_touching = closest.found() && closest.distance <= radius * (1 + 1e-9);
    if (is_touching && dot(closest.offset, down) < 0) return true;
    return first_touch_below(mesh, position, down, radius).has_value();
}

std::vector<std::string> ground_doubts(const Compiled& compiled) {
    const model::Parameters& parameters = compiled.model.parameters;
    const geometry::SurfaceMesh& mesh = compiled.model.surface();
    if (mesh.facets.empty()) return {};
    const auto* uniform = std::get_if<gravity::Uniform>(&parameters.environment.field);
    if (uniform == nullptr || uniform->acceleration_vector == Vec3{}) return {};
    const Vec3 gravity = uniform->acceleration_vector;
    std::vector<std::string> out;
    for (const model::Group& group : parameters.bodies.groups) {
        if (group.count > 1) continue;  // of many, some may well fall off
        const std::size_t row = group.first;
        if (has_ground_below(mesh, compiled.state.bodies.position[row], parameters.bodies[row].radius(), unit(gravity))) continue;
        out.push_back(fmt::format(
            "nothing lies below {} along gravity, ({:g}, {:g}, {:g}) m/s^2: it will fall for ever, unless its velocity takes it "
            "over the surface",
            parameters.bodies.size() == 1 ? "the body" : fmt::format("body {}", row + 1), gravity.x, gravity.y, gravity.z));
    }
    return out;
}

}  // namespace

namespace {

// One kind of field where the methods know it as it is, else the sum.
void set_field(const Scenario& scenario, const model::Assets& assets, model::Parameters& parameters) {
    const Roles roles = roles_of(scenario);
    model::Sources sources;
    if (roles.has_attraction()) {
        parameters.linear_reach = roles.ground->attracts->linear_reach;
        sources.list.emplace_back(small_body_of(scenario, assets));
    }
    if (scenario.gravity.uniform) sources.list.emplace_back(gravity::Uniform{*scenario.gravity.uniform});
    for (const Body* body : roles.driven)
        if (body->attracts)
            sources.list.emplace_back(
                model::PointSource{.parameter = scenario.gravity.constant * mass_of(*body), .motion = given_motion(*body->motion)});
    model::Field& field = parameters.environment.field;
    if (sources.list.empty())
        field = gravity::Uniform{};
    else if (const auto* uniform = std::get_if<gravity::Uniform>(&sources.list[0]); uniform != nullptr && sources.list.size() == 1)
        field = *uniform;
    else if (const auto* bodies = std::get_if<gravity::SmallBody>(&sources.list[0]); bodies != nullptr && sources.list.size() == 1)
        field = *bodies;
    else
        field = std::move(sources);
}

}  // namespace

model::Assets load_assets(const Scenario& scenario, const gravity::FastField::Progress& progress) {
    const Body* ground = roles_of(scenario).ground;
    if (ground == nullptr) return {};
    model::Assets assets;
    assets.surface = ground_surface(scenario, *ground);
    const Vec3 &a = assets.surface.lower, &b = assets.surface.upper;
    for (const double coordinate : {a.x, a.y, a.z, b.x, b.y, b.z})
        if (!lengths.allows(coordinate))
            throw error_at(scenario.places, ground->path() + ".shape",
                           fmt::format("the surface reaches to {:.3g} m; lengths must be {}", coordinate, lengths.text("m")),
                           "is the unit right?");
    load_ground_assets(scenario, assets, progress);
    return assets;
}

Compiled compile(const Scenario& scenario, const model::Assets& assets, std::uint64_t run) {
    Compiled compiled;
    compiled.model.assets = &assets;
    model::Parameters& parameters = compiled.model.parameters;
    parameters.end_time = scenario.end.time;
    parameters.step_budget = scenario.end.step_budget;
    parameters.seed = static_cast<std::uint64_t>(scenario.seed);
    parameters.run = run;
    set_bodies(scenario, parameters);
    if (std::vector<Problem> problems; resolve_machinery(scenario, parameters, problems), !problems.empty())
        throw InputError(std::move(problems));
    const Roles roles = roles_of(scenario);
    set_field(scenario, assets, parameters);
    set_driven(scenario, parameters);
    set_laws(scenario, parameters);
    if (!roles.has_ground()) {
        compiled.state = state_of(start_rows(scenario, parameters, assets, run), parameters.bodies.groups.size());
        set_machinery(scenario, parameters, compiled.state);
        require_carried(scenario, compiled.model);
        require_apart(scenario, compiled);
        const double energy = analysis::energies(compiled.model, compiled.state).mechanical();
        compiled.state.settled.energy = compiled.state.balance.start = energy;
        require_off_driven(scenario, compiled, run);
        require_resolved_contacts(scenario, compiled);
        return compiled;
    }
    if (roles.ground == nullptr) {
        require_carried(scenario, compiled.model);
        compiled.state = state_of(start_rows(scenario, parameters, assets, run), parameters.bodies.groups.size());
        set_machinery(scenario, parameters, compiled.state);
        require_apart(scenario, compiled);
        require_off_driven(scenario, compiled, run);
        set_first_energy(compiled);
        return compiled;
    }
    parameters.rocks = stochastic_rocks(scenario);
    if (has_whole_ground(scenario)) compiled.scaled_surface = scaled_surface(ground_scale(scenario), assets.surface);
    if (roles.companion != nullptr) compiled.scaled_companion = scaled_surface(roles.companion->scale, assets.companion_surface);
    compiled.model.scaled_companion = compiled.scaled_companion.get();
    compiled.model.scaled_surface = compiled.scaled_surface.get();
    const geometry::SurfaceMesh& surface = compiled.model.surface();
    require_carried(scenario, compiled.model);
    StartRows rows = start_rows(scenario, parameters, assets, run);
    const std::vector<MovingRow> moving = moving_rows(scenario);
    static const BodyStart none;
    for (std::size_t i = 0; i < moving.size(); ++i) {
        GroundStart start{.given = moving[i].start != nullptr ? *moving[i].start : none,
                          .path = moving[i].path,
                          .radius = parameters.bodies[i].radius(),
                          .position = rows.position[i],
                          .velocity = rows.velocity[i],
                          .spin = rows.spin[i]};
        if (start.given.in_contact && moving.size() == 1) {
            compiled.state = state_in_contact(scenario, surface, start, run);
            set_machinery(scenario, parameters, compiled.state);
            set_first_energy(compiled);
            return compiled;
        }
        if (start.given.in_contact)
            throw error_at(scenario.places, start.path + ".in_contact", "a body starts in contact where it moves alone so far",
                           "give its `position` above the ground");
        raise_above_surface(scenario, surface, parameters.environment.field, start);
        if (start.given.velocity_in == VelocityFrame::inertial)
            start.velocity -= model::small_body(parameters.environment)->velocity_of_frame(start.position, 0);
        if (parameters.bodies[i].colliders.empty()) require_clearance(scenario, surface, start, run);
        rows.position[i] = start.position;
        rows.velocity[i] = start.velocity;
    }
    compiled.state = state_of(rows, parameters.bodies.groups.size());
    set_machinery(scenario, parameters, compiled.state);
    require_apart(scenario, compiled);
    require_off_driven(scenario, compiled, run);
    set_first_energy(compiled);
    return compiled;
}

std::vector<std::string> doubts(const Compiled& compiled) {
    const model::Parameters& parameters = compiled.model.parameters;
    std::vector<std::string> out = phase_doubts(parameters);
    for (std::string& doubt : contact_doubts(parameters)) out.push_back(std::move(doubt));
    for (std::string& doubt : model::census_of(compiled.model).has_ground ? ground_doubts(compiled) : body_doubts(parameters))
        out.push_back(std::move(doubt));
    for (std::string& doubt : soft_contact_doubts(compiled)) out.push_back(std::move(doubt));
    return out;
}

Scenario without_fast_fields(Scenario scenario) {
    const auto replace = [](gravity::FieldKind& kind) {
        if (kind == gravity::FieldKind::fast) kind = gravity::FieldKind::exact;
    };
    for (Body& body : scenario.bodies)
        if (body.attracts) replace(body.attracts->field);
    return scenario;
}

}  // namespace asperity::scenario
