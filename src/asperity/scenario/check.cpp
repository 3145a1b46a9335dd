#include "asperity/scenario/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string_view>

#include "asperity/analysis/metrics.h"
#include "asperity/analysis/resting_configurations.h"
#include "asperity/core/suggest.h"

namespace asperity::scenario {
namespace {

constexpr double most_samples = 1e7;
constexpr double most_checkpoints = 1e5;
constexpr std::size_t most_phases = 1000;

class Checker {
public:
    Checker(const Scenario& scenario, const std::set<std::string, std::less<>>& failed) : scenario_(scenario), failed_(failed) {}

    // Whether all these keys hold what the file says; a failed section fails its keys.
    bool are_usable(std::initializer_list<std::string_view> paths) const {
        for (const std::string_view path : paths) {
            if (failed_.contains(path)) return false;
            for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.', dot + 1)) {
                if (failed_.contains(path.substr(0, dot))) return false;
            }
        }
        return true;
    }

    void add(std::string_view path, std::string what, std::string hint = {}) {
        problems.push_back(problem_at(scenario_.places, path, std::move(what), std::move(hint)));
    }

    std::vector<Problem> problems;

private:
    const Scenario& scenario_;
    const std::set<std::string, std::less<>>& failed_;
};

void check_contact(const laws::PairLaw& contact, Checker& checker) {
    if (checker.are_usable({"contact.restitution", "contact.completion"}) && contact.restitution == 1 &&
        contact.completion != laws::Completion::none) {
        checker.add("contact.restitution", "bounces with `restitution` = 1 never end, so that they cannot be completed",
                    "take a smaller one, or completion = \"none\"");
    }
    if (checker.are_usable({"contact.rest_below_speed", "contact.rest_below_slope"}) &&
        (contact.rest_below_speed > 0) != (contact.rest_below_slope > 0)) {
        const bool has_speed = contact.rest_below_speed > 0;
        checker.add(has_speed ? "contact.rest_below_speed" : "contact.rest_below_slope",
                    "`rest_below_speed` and `rest_below_slope` belong together: a slow ball on a slope may be turning round",
                    has_speed ? "add for example rest_below_slope = \"20 deg\"" : "add for example rest_below_speed = \"1e-5 m/s\"");
    }
    if (!checker.are_usable({"contact.regularisation_speed", "contact.regularised_end_speed"})) return;
    if (contact.regularisation_speed > 0 && !(contact.regularised_end_speed > 0)) {
        checker.add("contact.regularisation_speed",
                    "`regularisation_speed` needs `regularised_end_speed`: regularised motion never stops by itself",
                    "add for example regularised_end_speed = \"1e-9 m/s\"");
    }
}

// A release at an equilibrium, and which way it goes.
void check_equilibrium_release(const Scenario& scenario, Checker& checker) {
    const Release& release = scenario.release;
    const bool has_velocity = scenario.places.empty() || scenario.places.contains("release.velocity");  // runs of a study keep no places
    if (!checker.are_usable({"release.at", "release.velocity", "release.direction", "release.speed"})) return;
    if (release.direction == ReleaseDirection::velocity) {
        if (!has_velocity) checker.add("release", "missing key `velocity`", "add for example velocity = [\"0 m/s\", \"0 m/s\", \"0 m/s\"]");
        if (release.speed) checker.add("release.speed", "`speed` needs direction = \"manifold\"", "give `velocity`, or add `direction`");
    } else {
        if (release.at.empty())
            checker.add("release.direction", "direction \"manifold\" is that of an equilibrium", "add for example at = \"L2\"");
        if (release.velocity != Vec3{})
            checker.add("release.velocity", "`velocity` and direction = \"manifold\" exclude each other", "leave one of them out");
        if (!release.speed) checker.add("release.direction", "direction \"manifold\" needs `speed`", "add for example speed = \"3 cm/s\"");
    }
    if (release.at.empty() || !checker.are_usable({"gravity", "gravity.kind", "gravity.frame", "release.start_in_contact"})) return;
    const auto* gravity = std::get_if<BodyGravity>(&scenario.gravity.field);
    if (gravity == nullptr) {
        checker.add("release.at", "a release at an equilibrium needs gravity of kind \"body\"");
    } else if (gravity->frame != Frame::body) {
        checker.add("release.at", "a release at an equilibrium needs the frame of the body", "write frame = \"body\" in [gravity]");
    }
    if (release.start_in_contact || release.above_surface)
        checker.add("release.at", "equilibria lie off the surface: `above_surface` and `start_in_contact` exclude `at`");
}

// A velocity in the inertial frame is converted at the drawn position, so that nothing else may say what velocities are relative to.
void check_velocity_frame(const Scenario& scenario, Checker& checker) {
    const Release& release = scenario.release;
    if (!checker.are_usable({"release.velocity_in", "release.at", "release.start_in_contact"})) return;
    if (release.velocity_in == VelocityFrame::run) return;
    if (checker.are_usable({"gravity", "gravity.kind"}) && !std::holds_alternative<BodyGravity>(scenario.gravity.field))
        checker.add("release.velocity_in", "velocity_in = \"inertial\" needs gravity of kind \"body\": in a uniform field no frame turns",
                    "leave `velocity_in` out");
    if (!release.at.empty())
        checker.add("release.velocity_in",
                    "`at` and velocity_in = \"inertial\" exclude each other: at an equilibrium velocities count from rest in its frame",
                    "give the place as `position`, or leave `velocity_in` out");
    if (release.start_in_contact)
        checker.add(
            "release.velocity_in",
            "`start_in_contact` and velocity_in = \"inertial\" exclude each other: in contact velocities are relative to the surface",
            "leave one of them out");
}

void check_release(const Scenario& scenario, Checker& checker) {
    if (!checker.are_usable({"release.above_surface", "release.start_in_contact"}) || !scenario.release.above_surface) return;
    if (scenario.release.start_in_contact)
        checker.add("release.above_surface", "`above_surface` and `start_in_contact` exclude each other", "leave one of them out");
    const auto* uniform = std::get_if<gravity::Uniform>(&scenario.gravity.field);
    const bool is_weightless = uniform != nullptr && uniform->acceleration_vector == Vec3{};
    if (checker.are_usable({"gravity", "gravity.kind", "gravity.acceleration"}) && is_weightless) {
        checker.add("release.above_surface", "`above_surface` needs gravity: without it nothing is below", "give `position` instead");
    }
}

void check_world(const World& world, Checker& checker) {
    if (!checker.are_usable({"world.side", "world.cells", "world.cell", "world.height", "world.wall", "world.half_width",
                             "world.flat_length", "world.inclined_length", "world.peak", "world.rim"}))
        return;
    const double facets = facet_estimate(world);
    if (facets > most_facets) {
        checker.add("world", fmt::format("this world would have {:.0f} facets; at most {:.0f} are made", facets, most_facets),
                    "take larger cells, or a mesh from a file");
    }
    if (const auto* table = std::get_if<geometry::TableWorld>(&world.shape); table && std::abs(table->wall) >= 0.5 * table->side) {
        checker.add("world.wall",
                    fmt::format("`wall` must stand between {} and {} m, got {} m", -0.5 * table->side, 0.5 * table->side, table->wall));
    }
    if (const auto* pit = std::get_if<geometry::PitWorld>(&world.shape); pit && pit->rim <= pit->peak) {
        checker.add("world.rim", fmt::format("`rim` must be higher than `peak`, {} m, got {} m", pit->peak, pit->rim));
    }
}

// Exactly one of density and mass.
void check_mass(const std::optional<double>& density, const std::optional<double>& mass, const std::string& section, Checker& checker) {
    if (!checker.are_usable({section + ".density", section + ".mass"}) || density.has_value() != mass.has_value()) return;
    checker.add(section, density ? "both `density` and `mass` are given; each follows from the other" : "`density` or `mass` is missing",
                density ? "leave one of them out" : "add for example density = \"2 g/cm^3\"");
}

void check_body(const Scenario& scenario, Checker& checker) {
    if (!checker.are_usable({"world.kind", "gravity.kind"})) return;
    const auto* gravity = std::get_if<BodyGravity>(&scenario.gravity.field);
    const bool is_body = std::holds_alternative<BodyWorld>(scenario.world.shape);
    if (gravity != nullptr && !is_body)
        checker.add("gravity.kind", "gravity of kind \"body\" needs a world of kind \"body\", whose mass attracts");
    if (scenario.companion && gravity == nullptr) checker.add("companion", "a [companion] needs gravity of kind \"body\"");
    if (!scenario.patches.empty() && !is_body) checker.add("patch", "patches need a world of kind \"body\": they are places on a globe");
    if (gravity == nullptr || !is_body) return;
    check_mass(gravity->density, gravity->mass, "gravity", checker);
    if (scenario.companion) check_mass(scenario.companion->density, scenario.companion->mass, "companion", checker);
    const bool is_linear = gravity->field == gravity::FieldKind::linearised;
    if (is_linear && !(gravity->linear_reach > 0))
        checker.add("gravity.field", "a linearised field needs `linear_reach`", "1-landers 7.2: a hundredth of the radius of the body");
    if (scenario.companion && scenario.companion->field == gravity::FieldKind::linearised)
        checker.add("companion.field", "only the body of [world] can have a linearised field");
    if (scenario.rocks && scenario.rocks->smallest > scenario.rocks->largest)
        checker.add("rocks.smallest", "`smallest` must not exceed `largest`");
    if (scenario.patches.size() > 255) checker.add("patch", "more than 255 patches; give values of single facets instead");
    for (std::size_t i = 0; i < scenario.patches.size(); ++i)
        if (scenario.patches[i].latitude_from > scenario.patches[i].latitude_to)
            checker.add(fmt::format("patch.{}", i), "`latitude_from` must not exceed `latitude_to`");
}

// At most one of two keys of a section, or exactly one.
void check_either(bool has_first, bool has_second, const char* first, const char* second, bool is_needed, const std::string& section,
                  const std::string& example, Checker& checker) {
    if (!checker.are_usable({section + "." + first, section + "." + second})) return;
    if (has_first && has_second)
        checker.add(section, fmt::format("both `{}` and `{}` are given; they say the same thing", first, second), "leave one of them out");
    if (is_needed && !has_first && !has_second)
        checker.add(section, fmt::format("`{}` or `{}` is missing", first, second), fmt::format("add for example {}", example));
}

void check_free(const Scenario& scenario, Checker& checker) {
    if (scenario.bodies.empty() && checker.are_usable({"body"}))
        checker.add("body", "a world of kind \"free\" has no bodies", "add [[body]] with `radius` and `density`");
    const bool has_tides = scenario.tides.law != model::TideLaw::none;
    for (std::size_t i = 0; i < scenario.bodies.size(); ++i) {
        const FreeBodyPart& b = scenario.bodies[i];
        const std::string path = fmt::format("body.{}", i);
        const auto either = [&](bool has_first, bool has_second, const char* first, const char* second, bool is_needed,
                                const char* example) {
            check_either(has_first, has_second, first, second, is_needed, path, example, checker);
        };
        either(b.radius.has_value(), b.semi_axes.has_value(), "radius", "semi_axes", true, "radius = \"2 km\"");
        either(b.density.has_value(), b.mass.has_value(), "density", "mass", true, "density = \"2 g/cm^3\"");
        either(b.love_number.has_value(), b.rigidity.has_value(), "love_number", "rigidity", has_tides, "love_number = 1e-5");
        either(b.quality.has_value(), b.lag_angle.has_value(), "quality", "lag_angle", scenario.tides.law == model::TideLaw::constant_angle,
               "quality = 100");
        if (scenario.tides.law == model::TideLaw::constant_time_lag && !b.time_lag && checker.are_usable({path + ".time_lag"}))
            checker.add(path, "law \"constant-time-lag\" needs `time_lag`", "add for example time_lag = \"10 s\"");
    }
}

void check_phase(const model::Phase& phase, const std::string& path, bool is_last, Checker& checker) {
    const auto key = [&](const char* name) { return path + "." + name; };
    const bool is_splitting = phase.integrator == model::Integrator::verlet || phase.integrator == model::Integrator::symplectic4;
    const bool is_adaptive = phase.integrator == model::Integrator::dopri5 || is_splitting;
    if (checker.are_usable({key("integrator"), key("method")}) && is_splitting && phase.method == "event-driven") {
        checker.add(key("integrator"),
                    fmt::format("method \"{}\" cannot use integrator \"{}\"", phase.method,
                                phase.integrator == model::Integrator::verlet ? "verlet" : "symplectic4"),
                    "take \"dopri5\" or \"rk4\"");
    } else if (checker.are_usable({key("integrator"), key("step_max")}) && !is_adaptive && !std::isfinite(phase.step_max)) {
        checker.add(key("integrator"), "integrator \"rk4\" has a fixed step and needs `step_max`", "add for example step_max = \"1 s\"");
    }
    if (checker.are_usable({key("error_ratio_min"), key("error_ratio_max")}) && phase.error_ratio_min >= phase.error_ratio_max) {
        checker.add(key("error_ratio_min"), fmt::format("`error_ratio_min` must be below `error_ratio_max`, {}, got {}",
                                                        phase.error_ratio_max, phase.error_ratio_min));
    }
    if (checker.are_usable({key("step_min"), key("step_max")}) && phase.step_min > phase.step_max) {
        checker.add(key("step_min"), fmt::format("`step_min` must not exceed `step_max`, {} s, got {} s", phase.step_max, phase.step_min));
    }
    if (!checker.are_usable({key("duration")})) return;
    if (is_last && std::isfinite(phase.duration))
        checker.add(key("duration"), "the last phase goes on to the end and has no `duration`", "leave it out, or add another [[phase]]");
    if (!is_last && !std::isfinite(phase.duration))
        checker.add(path, "this phase has no `duration`, so that the next one would never begin", "add for example duration = \"1 h\"");
}

// The name becomes that of a folder: it must not lead elsewhere.
void check_name(const Scenario& scenario, Checker& checker) {
    if (!checker.are_usable({"name"})) return;
    const std::string& name = scenario.name;
    const bool has_odd = std::any_of(name.begin(), name.end(), [](char c) { return c == '/' || (c >= 0 && c < ' ') || c == '\x7f'; });
    if (has_odd || name == "." || name == "..")
        checker.add("name", "`name` names the folder of the results: it cannot hold `/` or control characters, nor be `.` or `..`");
}

constexpr std::string_view outcome_metric = "outcome";  // its words are known

bool is_text_metric(const std::string& name) {
    for (const analysis::MetricEntry& entry : analysis::all_metrics())
        if (entry.name == name) return entry.shape == analysis::MetricShape::text;
    return false;
}

// One list of demands on metrics, [expect] of a scenario or [success] of a study.
class DemandChecker {
public:
    DemandChecker(const Places& places, std::string section) : places_(places), section_(std::move(section)) {}

    std::vector<Problem> problems;

    // Metrics that are names: one of a few.
    void text(const Expectation& demand) {
        const bool is_outcome = demand.metric == outcome_metric;
        std::vector<std::string> names;
        if (is_outcome)
            for (int i = 0; i < model::outcome_kinds; ++i) names.emplace_back(name(static_cast<model::OutcomeKind>(i)));
        else
            for (int i = 0; i < model::configurations; ++i) names.emplace_back(name(static_cast<model::Configuration>(i)));
        if (!demand.text) {
            add(demand, fmt::format("`{}` is a word, got a number", demand.metric), fmt::format("write for example \"{}\"", names.front()));
        } else if (std::find(names.begin(), names.end(), *demand.text) == names.end()) {
            const std::string hint = did_you_mean(*demand.text, names);
            add(demand, fmt::format("no {} \"{}\"", is_outcome ? "run ends as" : "bodies are in a configuration", *demand.text),
                hint.empty() ? "known here: " + joined(names) : hint);
        }
    }
    void number(const Expectation& demand, const std::string& unit) {
        const auto parsed = parse_dimension(unit);
        const Dimension wanted = std::get<Dimension>(parsed);  // a test reads every unit of the list; make_plan() those of a study
        const std::string example = wanted == Dimension{} ? "write for example 5" : fmt::format("write for example \"5 {}\"", unit);
        if (demand.text) {
            add(demand, fmt::format("`{}` is {}, got text", demand.metric, with_article(wanted)), example);
        } else if (demands_number(demand) && dimension_of(demand) != wanted) {
            add(demand, fmt::format("`{}` is {}, got {}", demand.metric, with_article(wanted), with_article(dimension_of(demand))),
                example);
        }
    }
    void add(const Expectation& demand, std::string what, std::string hint) {
        problems.push_back(problem_at(places_, section_ + "." + demand.metric, std::move(what), std::move(hint)));
    }

private:
    const Places& places_;
    std::string section_;
};

void check_output(const Scenario& scenario, Checker& checker) {
    if (!checker.are_usable({"end.time", "output.sample_every", "output.checkpoint_every"})) return;
    const auto check = [&](const char* path, const char* name, const std::optional<double>& every, double most, const char* what) {
        if (!every || scenario.end.time / *every <= most) return;
        checker.add(path, fmt::format("`{}` would give {:.3g} {}; at most {:.0f} are kept", name, scenario.end.time / *every, what, most),
                    fmt::format("take at least \"{} s\"", scenario.end.time / most));
    };
    check("output.sample_every", "sample_every", scenario.output.sample_every, most_samples, "samples");
    check("output.checkpoint_every", "checkpoint_every", scenario.output.checkpoint_every, most_checkpoints, "checkpoints");
}

}  // namespace

double facet_estimate(const World& world) {
    struct Count {
        double operator()(const geometry::FlatWorld& w) const { return 2.0 * w.cells * w.cells; }
        double operator()(const geometry::TableWorld& w) const { return 2.0 * w.cells * (w.cells + 2 + w.height * w.cells / w.side); }
        double operator()(const geometry::GutterWorld& w) const {
            return 2 * (2 * w.half_width / w.cell + 4) * ((w.flat_length + w.inclined_length) / w.cell + 4);
        }
        double operator()(const geometry::PitWorld&) const { return 30; }
        double operator()(const SpikeWorld& w) const { return 2.0 * w.shape.cells * w.shape.cells; }
        double operator()(const MeshWorld&) const { return 0; }
        double operator()(const BodyWorld&) const { return 0; }
        double operator()(const FreeWorld&) const { return 0; }
    };
    return std::visit(Count{}, world.shape);
}

std::vector<Problem> cross_check(const Scenario& scenario, const std::set<std::string, std::less<>>& failed) {
    Checker checker(scenario, failed);
    if (scenario.world.is_free()) {
        check_free(scenario, checker);
    } else {
        check_world(scenario.world, checker);
        check_contact(scenario.contact, checker);
        check_release(scenario, checker);
        check_equilibrium_release(scenario, checker);
        check_velocity_frame(scenario, checker);
        check_body(scenario, checker);
    }
    if (scenario.phases.size() > most_phases) {
        checker.add("phase", fmt::format("{} phases; at most {} are run", scenario.phases.size(), most_phases));
    } else if (checker.are_usable({"phase"})) {
        for (std::size_t i = 0; i < scenario.phases.size(); ++i)
            check_phase(scenario.phases[i], fmt::format("phase.{}", i), i + 1 == scenario.phases.size(), checker);
    }
    check_output(scenario, checker);
    check_name(scenario, checker);
    std::vector<NamedUnit> metrics;
    for (const analysis::MetricEntry& entry : analysis::all_metrics())
        if (entry.is_of(census_of(scenario))) metrics.push_back({entry.name, entry.unit});
    for (Problem& problem : check_demands(scenario.expect, metrics, scenario.places, "expect"))
        checker.problems.push_back(std::move(problem));
    return std::move(checker.problems);
}

model::Census census_of(const Scenario& scenario) {
    if (!scenario.world.is_free()) return {.bodies = 1, .has_ground = true};
    std::int64_t count = 0;
    bool has_only_spheres = true;
    for (const FreeBodyPart& part : scenario.bodies) {
        count += part.count;
        has_only_spheres =
            has_only_spheres && (!part.semi_axes || *part.semi_axes == Vec3{part.semi_axes->x, part.semi_axes->x, part.semi_axes->x});
    }
    return {.bodies = static_cast<std::size_t>(count), .has_only_spheres = has_only_spheres};
}

std::vector<Problem> check_demands(const std::vector<Expectation>& demands, const std::vector<NamedUnit>& metrics, const Places& places,
                                   const std::string& section) {
    DemandChecker checker(places, section);
    std::set<std::string> told;  // several demands on one metric are one slip
    for (const Expectation& demand : demands) {
        const auto found = std::find_if(metrics.begin(), metrics.end(), [&](const NamedUnit& m) { return m.name == demand.metric; });
        if (found != metrics.end() && is_text_metric(demand.metric)) {
            checker.text(demand);
        } else if (found != metrics.end()) {
            checker.number(demand, found->unit);
        } else if (told.insert(demand.metric).second) {
            std::vector<std::string> known;
            for (const NamedUnit& metric : metrics) known.push_back(metric.name);
            const std::string hint = did_you_mean(demand.metric, known);
            checker.add(demand, fmt::format("there is no metric `{}`", demand.metric),
                        hint.empty() ? "asperity list metrics names all of them" : hint);
        }
    }
    return std::move(checker.problems);
}

}  // namespace asperity::scenario
