#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "asperity/analysis/energy.h"
#include "asperity/cli/verbs.h"
#include "asperity/dynamics/all.h"
#include "asperity/dynamics/constraint/constraint.h"
#include "asperity/dynamics/event_driven/contact_tolerance.h"
#include "asperity/dynamics/event_driven/event_driven.h"
#include "asperity/dynamics/penalty/soft_pairs.h"
#include "asperity/dynamics/secular/secular.h"
#include "asperity/geometry/closest.h"
#include "asperity/laws/contact/rocks.h"
#include "asperity/scenario/compile.h"
#include "asperity/scenario/ground.h"
#include "asperity/scenario/ground_check.h"
#include "asperity/scenario/roles.h"
#include "asperity/scenario/study.h"
#include "asperity/scenario/write.h"
#include "asperity/study/plan.h"
#include "asperity/study/range_check.h"
#include "asperity/study/run.h"

namespace asperity::cli {
namespace {

void print_world(const scenario::Scenario& scenario, const model::Assets& assets) {
    const geometry::SurfaceMesh& mesh = assets.surface;
    fmt::print("{} ({})\n", scenario.name, scenario.file);
    fmt::print("  scenario hash   {}\n", scenario::scenario_hash(scenario));
    fmt::print("  surface         {} facets, {} edges, {} vertices, {}\n", mesh.facets.size(), mesh.edges.size(), mesh.vertices.size(),
               mesh.is_closed ? "closed" : "open");
    fmt::print("  from            ({:.6g}, {:.6g}, {:.6g}) m\n  to              ({:.6g}, {:.6g}, {:.6g}) m\n", mesh.lower.x, mesh.lower.y,
               mesh.lower.z, mesh.upper.x, mesh.upper.y, mesh.upper.z);
}

// Which way gravity points where a body starts, and whether the ground holds.
void print_gravity(const scenario::Compiled& compiled, const Vec3& at) {
    const model::Field& field = compiled.model.parameters.environment.field;
    const Vec3 g = gravity::acceleration(field, at, {}, 0);
    const Vec3 to_ground = geometry::nearest(compiled.model.surface().view(), at).point - at;
    const char* way = g == Vec3{} ? "none" : dot(g, to_ground) > 0 ? "towards the nearest ground" : "away from the nearest ground";
    fmt::print("  at the start    ({:.4g}, {:.4g}, {:.4g}) m/s^2, {}\n", g.x, g.y, g.z, way);
    if (const auto ground = scenario::ground_check(compiled); ground && !(ground->lifted_share > 0))
        fmt::print("  ground          {}\n", scenario::ground_text(*ground));
}

void print_rocks(const scenario::Scenario& scenario, double radius) {
    if (!scenario.rocks) return;
    const RockPopulation rocks = scenario::rock_population(*scenario.rocks);
    if (!(rocks.number_per_area > 0)) return;
    fmt::print("  rocks           cover {:.3g} of the ground, mean free path of the body {:.3g} m\n", rock_coverage(rocks),
               laws::mean_free_path(rocks, radius));
}

// What is possible, but hardly meant.
std::vector<std::string> world_doubts(const scenario::Scenario& scenario, const scenario::Compiled& compiled) {
    std::vector<std::string> out;
    const scenario::Body& ground = *scenario::roles_of(scenario).ground;
    double radius = 0;  // m, of the largest that moves
    for (const scenario::Body* body : scenario::roles_of(scenario).moving) radius = std::max(radius, scenario::radius_of(*body));
    if (const auto held = scenario::ground_check(compiled); held && held->lifted_share > 0) out.push_back(scenario::ground_text(*held));
    if (scenario.rocks) {
        double most = 1;
        for (const scenario::Patch& patch : ground.patches) most = std::max(most, patch.rock_density);
        const double coverage = most * rock_coverage(scenario::rock_population(*scenario.rocks));
        if (coverage > 1)
            out.push_back(
                fmt::format("rocks would cover {:.3g} of the ground{}: they cannot lie side by side; raise `smallest`, or take fewer",
                            coverage, most > 1 ? ", where a patch has most" : ""));
    }
    if (const auto* mesh = ground.as<scenario::MeshShape>(); mesh != nullptr && ground.is_whole()) {
        constexpr double few = 100;  // radii: a body that a lander could not be told from
        const Vec3 size = compiled.model.surface().upper - compiled.model.surface().lower;
        const double across = std::max({size.x, size.y, size.z});
        if (across < few * radius)
            out.push_back(fmt::format("the body is {:.3g} m across, {:.3g} radii of what moves: is its mesh file in another `unit`?",
                                      across, across / radius));
    }
    return out;
}

// The numbers that the method derives from what the scenario says, of the body of that row.
void print_derived(const scenario::Compiled& compiled, const scenario::Scenario& scenario, std::size_t row) {
    const model::Parameters& p = compiled.model.parameters;
    const laws::PairLaw& law = p.laws.of(p.bodies[row].material, p.ground_materials.front());
    const Vec3& at = compiled.state.bodies.position[row];
    // A start may be where gravity and rotation balance; the ball will roll on the ground.
    const gravity::SmallBody* body = model::small_body(p.environment);
    const bool is_on_body = body != nullptr && !body->is_inertial;
    const Vec3 ground = is_on_body ? geometry::nearest(compiled.model.surface().view(), at).point : at;
    const double g = norm(gravity::acceleration(p.environment.field, ground, {}, 0)), r = p.bodies[row].radius();
    fmt::print("  start           ({:.9g}, {:.9g}, {:.9g}) m, clearance {:.6g} m\n", at.x, at.y, at.z,
               geometry::signed_distance(compiled.model.surface(), at) - r);
    if (is_on_body) {
        const scenario::Attraction& wanted = *scenario::roles_of(scenario).ground->attracts;
        if (wanted.field == gravity::FieldKind::fast) fmt::print("  field           fast, within {:.3g} of local gravity\n", wanted.bound);
        fmt::print("  gravity         {:.6g} m/s^2        on the ground nearest to the start, rotation included\n", g);
    }
    print_gravity(compiled, at);
    print_rocks(scenario, r);
    if (g > 0) {
        fmt::print("  time of a size  {:.6g} s            sqrt(r / g)\n", std::sqrt(r / g));
        const double end = law.bounce_end_speed > 0 ? law.bounce_end_speed : std::sqrt(2 * g * law.bounce_end_height * r);
        fmt::print("  bounces end at  {:.6g} m/s          outgoing normal speed, on level ground\n", end);
    }
    const double c = law.rolling_resistance, f = law.friction, j = p.bodies[row].inertia_factor;
    const bool is_coupled = law.rolling_law == laws::RollingLaw::coupled;
    fmt::print("  rolling slows   {:.6g} m/s^2        {}\n", is_coupled ? c * g / (1 + j) : c * g / j,
               is_coupled ? "C g / (1 + j), level ground" : "C g / j, level ground");
    const double slope = std::min(f, c) * (is_coupled ? 1 : 1 + 1 / j);
    fmt::print("  rests up to     {:.6g} deg          {}\n", std::atan(slope) * 57.295779513082320877,
               is_coupled ? "atan(min(f, C))" : "atan(min(f, C) (1 + 1 / j))");
}

// A looser tolerance than contact motion takes.
std::string in_contact(const model::Phase& phase) {
    if (phase.method != event_driven::method.name) return {};
    const double taken = event_driven::contact_tolerance(phase.tolerance, false);
    return taken < phase.tolerance ? fmt::format(" in flight, {:g} in contact", taken) : "";
}

constexpr std::size_t most_told = 64;  // bodies

// Spring and damper between bodies.
void print_soft_pairs(const model::Parameters& world) {
    const laws::PairLaw& c = world.law(0, 1);
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (const dynamics::Pair& pair : dynamics::pairs_of(world)) {
        least = std::min(least, pair.contact.damping);
        most = std::max(most, pair.contact.damping);
    }
    fmt::print("  penalty         stiffness {:.6g} N/m, damping {} N*s/m, friction full above {:.6g} m/s of slip\n", c.stiffness,
               least == most ? fmt::format("{:.6g}", most) : fmt::format("{:.6g} to {:.6g}", least, most), c.slip_speed);
}

// Bodies and the numbers that methods derive.
void print_bodies(const scenario::Scenario& scenario, const scenario::Compiled& compiled) {
    const model::Parameters& world = compiled.model.parameters;
    fmt::print("{} ({})\n", scenario.name, scenario.file);
    fmt::print("  scenario hash   {}\n", scenario::scenario_hash(scenario));
    const std::size_t told = std::min(world.bodies.size(), most_told);
    for (std::size_t i = 0; i < told; ++i) {
        const model::BodyKind& b = world.bodies[i];
        const Vec3 &p = compiled.state.bodies.position[i], &v = compiled.state.bodies.velocity[i];
        fmt::print(
            "  body {:<10} {:.6g} kg, semi-axes {:.6g}, {:.6g}, {:.6g} m, at ({:.9g}, {:.9g}, {:.9g}) m, ({:.6g}, {:.6g}, {:.6g}) m/s\n",
            i + 1, b.mass, b.semi_axes.x, b.semi_axes.y, b.semi_axes.z, p.x, p.y, p.z, v.x, v.y, v.z);
        if (b.tidal.love_number > 0)
            fmt::print("                  k2 {:.6g}, sin(2 lag) {:.6g}, time lag {:.6g} s\n", b.tidal.love_number, b.tidal.sin_double_lag,
                       b.tidal.time_lag);
    }
    const std::vector<const scenario::Body*> driven = scenario::driven_bodies(scenario);
    for (std::size_t k = 0; k < world.driven.size(); ++k) {
        const model::GivenPlace place = model::place_at(world.driven[k].motion, 0);
        const Vec3 &p = place.pose.p, &v = place.velocity;
        fmt::print("  driven          {}, at ({:.9g}, {:.9g}, {:.9g}) m, ({:.6g}, {:.6g}, {:.6g}) m/s\n", driven[k]->name, p.x, p.y, p.z,
                   v.x, v.y, v.z);
    }
    fmt::print("  energy          {:.9g} J\n", analysis::energies(compiled.model, compiled.state).mechanical());
    if (told < world.bodies.size()) fmt::print("  bodies          {} in all; the first {} are told\n", world.bodies.size(), told);
    if (!world.ground.empty()) fmt::print("  ground          {} walls\n", world.ground.size());
    if (world.bodies.size() > 1 && told == world.bodies.size() && world.ground.empty()) print_soft_pairs(world);
    for (const model::Phase& phase : compiled.model.parameters.phases) {
        if (phase.method == "constraint")
            fmt::print("  constraint      steps of {:.6g} s where bodies are near\n", dynamics::constraint_step(world, phase));
        if (phase.method == "secular") fmt::print("  secular         {:g} times faster\n", dynamics::secular_speed_up(world, phase));
    }
}

// Runs that would not start, of the first few: the start may scatter into the ground. Returns what is doubtful about the first.
std::vector<std::string> build_runs(const study::Plan& plan) {
    constexpr std::uint64_t most = 16;
    const std::uint64_t count = std::min(plan.design.runs(), plan.varies_world ? 1 : most);
    std::vector<Problem> problems;
    std::vector<std::string> doubts;
    for (std::uint64_t run = 0; run < count; ++run) {
        try {
            scenario::Scenario scenario = scenario::without_fast_fields(*plan.scenario);
            study::set_parameters(plan, study::parameter_values(plan, run), scenario);
            const model::Assets own = plan.varies_world ? scenario::load_assets(scenario) : model::Assets{};
            const scenario::Compiled compiled = scenario::compile(scenario, plan.varies_world ? own : plan.assets, run);
            if (run > 0) continue;
            doubts = scenario::doubts(compiled);
            if (compiled.model.surface().facets.empty()) continue;
            for (std::string& doubt : world_doubts(scenario, compiled)) doubts.push_back(std::move(doubt));
        } catch (const InputError& error) {
            for (const Problem& problem : error.problems) {
                problems.push_back(problem);
                problems.back().what = fmt::format("run {} cannot start: {}", run, problem.what);
            }
        }
    }
    if (!problems.empty()) throw InputError(std::move(problems));
    fmt::print("  built           the first {} of them: {}\n", count, count == 1 ? "it can start" : "all can start");
    return doubts;
}

int check_study(const study::RunRequest& request) {
    const study::Plan plan = study::make_plan(request.file, {.sets = request.sets, .seed = request.seed, .runs = {}, .is_look_only = true});
    study::RangeCheck ranges = study::check_ranges(plan);
    if (!ranges.problems.empty()) throw InputError(std::move(ranges.problems));
    fmt::print("{} ({})\n", plan.study.name, plan.study.file);
    fmt::print("  study hash      {}\n", plan.identity());
    fmt::print("  runs            {}{}\n", plan.design.runs(), plan.study.until ? " at most" : "");
    std::vector<std::string> doubts = std::move(ranges.warnings);
    if (plan.scenario)
        for (std::string& doubt : build_runs(plan)) doubts.push_back(std::move(doubt));
    fmt::print("  scenario        {}\n", plan.scenario ? plan.scenario->file : "none");
    for (const study::Parameter& parameter : plan.parameters) {
        const auto* distribution = std::get_if<statistics::Distribution>(&parameter.value);
        const std::string unit = parameter.variable && !parameter.variable->unit.empty() ? " " + parameter.variable->unit : "";
        if (distribution == nullptr) {
            fmt::print("  derived         {}\n", parameter.name);
        } else {
            fmt::print("  drawn           {}: mean {:.6g}{}, standard deviation {:.6g}{}\n", parameter.name,
                       statistics::mean(*distribution), unit, std::sqrt(statistics::variance(*distribution)), unit);
        }
    }
    fmt::print("  columns         {}\n", plan.columns.size());
    for (const std::string& doubt : doubts) fmt::print("  warning         {}\n", doubt);
    fmt::print("nothing was run\n");
    return exit_done;
}

int check(const study::RunRequest& request) {
    if (scenario::is_study(request.file)) return check_study(request);
    const scenario::Scenario scenario = study::read_request(request);
    const scenario::Scenario quick = scenario::without_fast_fields(scenario);
    const model::Assets assets = scenario::load_assets(quick);
    const scenario::Compiled compiled = scenario::compile(quick, assets);
    const bool has_surface = !compiled.model.surface().facets.empty();
    if (has_surface) {
        print_world(scenario, assets);
        const std::vector<scenario::MovingRow> rows = scenario::moving_rows(scenario);
        for (std::size_t row = 0; row < std::min(rows.size(), most_told); ++row) {
            if (rows.size() > 1) fmt::print("  body            {}\n", rows[row].name);
            print_derived(compiled, scenario, row);
        }
    } else {
        print_bodies(scenario, compiled);
    }
    for (const model::Phase& phase : compiled.model.parameters.phases)
        fmt::print("  phase           {}: {}, {}, tolerance {:g}{}\n", phase.name, phase.method,
                   dynamics::all_integrators()[static_cast<std::size_t>(phase.integrator)].name, phase.tolerance, in_contact(phase));
    fmt::print("  until           {:.6g} s at most, {} steps at most\n", compiled.model.parameters.end_time,
               compiled.model.parameters.step_budget);
    fmt::print("  expectations    {}\n", scenario.expect.size());
    std::vector<std::string> doubts = scenario::doubts(compiled);
    if (has_surface)
        for (std::string& doubt : world_doubts(scenario, compiled)) doubts.push_back(std::move(doubt));
    for (const std::string& doubt : doubts) fmt::print("  warning         {}\n", doubt);
    fmt::print("nothing was run\n");
    return exit_done;
}

}  // namespace

void add_check(CLI::App& app, Action& chosen) {
    auto request = std::make_shared<study::RunRequest>();
    CLI::App* verb = app.add_subcommand("check", "Read and validate a scenario or a study, print what would run and the derived numbers");
    verb->add_option("FILE", request->file, "Scenario or study file")->required();
    verb->add_option("--set", request->sets, "Change a value: key=value; may be repeated")->allow_extra_args(false)->take_all();
    verb->add_option("--method", request->method, "Method for every phase");
    add_seed(*verb, request->seed);
    verb->callback([request, &chosen] { chosen = [request] { return check(*request); }; });
}

}  // namespace asperity::cli
