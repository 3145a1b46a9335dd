#include "asperity/cli/resting_equilibria.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "asperity/analysis/energy_bound.h"
#include "asperity/analysis/resting_changes.h"
#include "asperity/analysis/resting_configurations.h"
#include "asperity/cli/table.h"
#include "asperity/core/errors.h"
#include "asperity/core/tell.h"
#include "asperity/core/version.h"
#include "asperity/record/text_file.h"
#include "asperity/report/resting_page.h"
#include "asperity/scenario/compile.h"
#include "asperity/scenario/write.h"

namespace asperity::cli {
namespace {

using analysis::RestingEquilibrium;
using analysis::Sphere;

constexpr int sweep_points = 800;  // of the diagrams
const std::vector<std::string> heads = {"configuration", "bodies",       "stable",   "energy [J]",
                                        "E d / (G m^2)", "rate [rad/s]", "size [m]", "contact forces [N]"};

struct System {
    std::vector<Sphere> spheres;
    double g = 0;          // m^3/(kg s^2)
    double mass = 0;       // kg, mean
    double diameter = 0;   // m, mean
    double momentum2 = 0;  // H^2 / (G m^3 d), of the start

    double momentum2_unit() const { return g * mass * mass * mass * diameter; }
    double energy_unit() const { return g * mass * mass / diameter; }
    bool is_equal() const {
        return std::all_of(spheres.begin(), spheres.end(), [&](const Sphere& s) { return s.m == spheres[0].m && s.r == spheres[0].r; });
    }
    std::vector<RestingEquilibrium> at(double h2) const { return analysis::resting_equilibria(spheres, h2 * momentum2_unit(), g); }
};

System system_of(const scenario::Scenario& scenario) {
    const scenario::Compiled compiled = scenario::compile(scenario, {});
    const model::Parameters& world = compiled.model.parameters;
    if (world.bodies.size() < 2 || world.bodies.size() > 3 || !world.driven.empty())
        throw InputError("relative equilibria are known of two or three spheres that meet nothing else", "leave other bodies out");
    if (!world.bodies.has_only_spheres())
        throw InputError("relative equilibria are known of spheres only", "write shape = { sphere = \"...\" }");
    System system{.spheres = {}, .g = world.environment.mutual.constant};
    const auto n = static_cast<double>(world.bodies.size());
    for (const model::BodyKind& body : world.bodies.rows()) {
        system.spheres.push_back({body.mass, body.mean_radius()});
        system.mass += body.mass / n;
        system.diameter += 2 * body.mean_radius() / n;
    }
    const Vec3 h = analysis::energy_bound(analysis::moving_bodies(world, compiled.state.bodies), system.g).angular_momentum;
    system.momentum2 = squared_norm(h) / system.momentum2_unit();
    return system;
}

std::string forces_text(const RestingEquilibrium& e) {
    std::string text;
    for (const double f : e.contact_force)
        if (f > 0) text += fmt::format("{}{:.6g}", text.empty() ? "" : ", ", f);
    return text.empty() ? "none" : text;
}

std::vector<std::string> line_of(const System& system, const RestingEquilibrium& e, const RestingEquilibrium& ground) {
    return {name(e.configuration),
            analysis::bodies_text(e, system.spheres.size()),
            !e.is_stable                     ? "no"
            : analysis::is_ground(e, ground) ? "yes, least energy"
                                             : "yes",
            fmt::format("{:.9g}", e.energy),
            fmt::format("{:.9g}", e.energy / system.energy_unit()),
            fmt::format("{:.9g}", e.rate),
            e.size > 0 ? fmt::format("{:.6g}", e.size) : "-",
            forces_text(e)};
}

// Of three equal spheres closed forms, permutations once; of any others the sweep.
std::vector<report::RestingThreshold> thresholds_of(const System& system) {
    if (system.is_equal() && system.spheres.size() == 3) {
        const analysis::EqualSphereThresholds t = analysis::equal_sphere_thresholds();
        return {{"Euler Resting is stable above", t.euler_resting_stable},
                {"Lagrange Resting and Euler Resting have the same energy", t.lagrange_equals_euler},
                {"Transverse Mixed exists above", t.transverse_mixed},
                {"Lagrange Resting exists below", t.lagrange_resting_ends},
                {"Aligned Mixed exists above", t.aligned_mixed},
                {"Euler Resting and Aligned Mixed have the same energy", t.euler_equals_aligned},
                {"Euler Resting exists below", t.euler_resting_ends}};
    }
    std::vector<report::RestingThreshold> out;
    const double unit = system.momentum2_unit();
    for (const analysis::RestingChange& change : analysis::resting_changes(system.spheres, system.g))
        out.push_back({change.text, change.momentum2 / unit});
    return out;
}

// The lowest stable and the lowest unstable one of each configuration, over the momentum; of unequal bodies of each of their orders.
std::vector<report::RestingCurve> curves_of(const System& system, double highest) {
    std::map<std::tuple<int, std::string, bool>, report::RestingCurve> curves;
    for (int k = 1; k <= sweep_points; ++k) {
        const double h2 = highest * k / sweep_points;
        const std::vector<RestingEquilibrium> all = system.at(h2);
        const RestingEquilibrium& ground = analysis::ground_state(all);
        for (const RestingEquilibrium& e : all) {
            const std::string order = system.is_equal() ? "" : analysis::bodies_text(e, system.spheres.size());
            report::RestingCurve& curve = curves[{static_cast<int>(e.configuration), order, !e.is_stable}];
            curve.name = order.empty() ? name(e.configuration) : fmt::format("{} {}", name(e.configuration), order);
            curve.is_stable = e.is_stable;
            const double energy = e.energy / system.energy_unit();
            if (!curve.momentum2.empty() && curve.momentum2.back() == h2) {
                curve.energy.back() = std::min(curve.energy.back(), energy);
                continue;
            }
            curve.momentum2.push_back(h2);
            curve.energy.push_back(energy);
            curve.is_ground.push_back(analysis::is_ground(e, ground));
        }
    }
    std::vector<report::RestingCurve> out;
    for (auto& [key, curve] : curves) out.push_back(std::move(curve));
    return out;
}

std::string json_text(const scenario::Scenario& scenario, const System& system, const std::vector<RestingEquilibrium>& all,
                      const std::vector<report::RestingThreshold>& thresholds) {
    nlohmann::json out = {{"asperity", version()},
                          {"scenario", {{"name", scenario.name}, {"file", scenario.file}, {"hash", scenario::scenario_hash(scenario)}}},
                          {"momentum2", system.momentum2},
                          {"equilibria", nlohmann::json::array()},
                          {"thresholds", nlohmann::json::array()}};
    for (const RestingEquilibrium& e : all)
        out["equilibria"].push_back({{"configuration", name(e.configuration)},
                                     {"bodies", analysis::bodies_text(e, system.spheres.size())},
                                     {"stable", e.is_stable},
                                     {"energy", e.energy},
                                     {"rate", e.rate},
                                     {"size", e.size},
                                     {"distances", e.distances},
                                     {"contact_force", e.contact_force}});
    for (const report::RestingThreshold& threshold : thresholds)
        out["thresholds"].push_back({{"momentum2", threshold.momentum2}, {"text", threshold.text}});
    return out.dump(2) + "\n";
}

}  // namespace

void tell_resting_equilibria(const scenario::Scenario& scenario, const std::filesystem::path& folder) {
    const System system = system_of(scenario);
    const std::vector<RestingEquilibrium> all = system.at(system.momentum2);
    report::RestingPage page{.title = scenario.name + ": relative equilibria", .description = scenario.description, .heads = heads};
    page.facts = {fmt::format("{} spheres, mean mass {:.6g} kg, mean diameter {:.6g} m; H^2 / (G m^3 d) = {:.9g}", system.spheres.size(),
                              system.mass, system.diameter, system.momentum2),
                  fmt::format("ground state: {}", name(analysis::ground_state(all).configuration))};
    for (const RestingEquilibrium& e : all) page.lines.push_back(line_of(system, e, analysis::ground_state(all)));
    page.thresholds = thresholds_of(system);
    const double highest = std::max(1.2 * page.thresholds.back().momentum2, 1.25 * system.momentum2);
    page.curves = curves_of(system, highest);
    page.step = highest / sweep_points;
    page.momentum2 = system.momentum2;
    page.scenario = scenario::resolved_toml(scenario);
    record::write_text_file(folder / "equilibria.json", json_text(scenario, system, all, page.thresholds));
    record::write_text_file(folder / "equilibria.html", report::resting_page_text(page));
    fmt::print("{} ({})\n", scenario.name, scenario.file);
    for (const std::string& fact : page.facts) fmt::print("{}\n", fact);
    std::vector<std::vector<std::string>> lines{heads};
    lines.insert(lines.end(), page.lines.begin(), page.lines.end());
    fmt::print("\n");
    print_table(lines, 3);
    fmt::print("\n{:<18}what changes there\n", "H^2 / (G m^3 d)");
    for (const report::RestingThreshold& threshold : page.thresholds) fmt::print("{:<18.10g}{}\n", threshold.momentum2, threshold.text);
    tell("wrote {}/equilibria.json and equilibria.html\n", folder.string());
}

}  // namespace asperity::cli
