#include "asperity/analysis/equilibria.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "asperity/analysis/amended_map.h"
#include "asperity/cli/resting_equilibria.h"
#include "asperity/cli/table.h"
#include "asperity/cli/verbs.h"
#include "asperity/core/parallel.h"
#include "asperity/core/tell.h"
#include "asperity/core/version.h"
#include "asperity/geometry/mesh.h"
#include "asperity/record/text_file.h"
#include "asperity/report/equilibria_page.h"
#include "asperity/scenario/compile.h"
#include "asperity/scenario/equilibria.h"
#include "asperity/scenario/ground.h"
#include "asperity/scenario/roles.h"
#include "asperity/scenario/write.h"
#include "asperity/study/progress.h"

namespace asperity::cli {
namespace {

using analysis::Equilibrium;
using analysis::SteadyField;

constexpr int map_side = 121;
constexpr int ridge_points = 180;
constexpr double beyond = 1.4;  // half the width of the map over the distance of the farthest equilibrium

const std::vector<std::string> columns = {"kind", "x [m]", "y [m]", "z [m]", "Phi [m^2/s^2]", "leaves e-fold in [h]", "stable", "manifold"};

// The cells of one line, as `columns` says; of a binary in the axes of the orbit.
std::vector<std::string> cells(const SteadyField& field, const Equilibrium& e) {
    const Vec3 p = e.orbit_position, m = field.to_orbit_axes(e.manifold);
    return {name(e.kind),
            fmt::format("{:.3f}", p.x),
            fmt::format("{:.3f}", p.y),
            fmt::format("{:.3f}", p.z),
            fmt::format("{:.9g}", e.energy),
            e.is_stable ? "-" : fmt::format("{:.4f}", 1 / e.growth_rate / 3600),
            e.is_stable ? "yes" : "no",
            e.has_manifold ? fmt::format("({:.4f}, {:.4f}, {:.4f})", m.x, m.y, m.z) : "-"};
}

std::vector<std::string> facts(const SteadyField& field) {
    constexpr double two_pi = 6.283185307179586476925;
    std::vector<std::string> lines = {fmt::format("the frame turns once in {:.6g} h; synchronous radius {:.6g} m",
                                                  two_pi / field.rate / 3600, field.synchronous_radius())};
    if (!field.is_binary) return lines;
    lines.push_back(
        fmt::format("x from the heavier body to the lighter, origin in the common centre of mass; {:.6g} m apart, mass fraction {:.6g}",
                    field.distance, field.lighter_share));
    const auto point = [](const gravity::Attractor& body) { return body.field.kind == gravity::FieldKind::point; };
    lines.push_back(fmt::format("field of the target: {}; of the companion: {}", point(field.body.target) ? "a point mass" : "its shape",
                                point(field.body.companion) ? "a point mass" : "its shape"));
    return lines;
}

void print(const scenario::Scenario& scenario, const SteadyField& field, const std::vector<Equilibrium>& list) {
    fmt::print("{} ({})\n", scenario.name, scenario.file);
    for (const std::string& fact : facts(field)) fmt::print("{}\n", fact);
    std::vector<std::vector<std::string>> lines{{"name"}};
    lines[0].insert(lines[0].end(), columns.begin(), columns.end());
    for (const Equilibrium& e : list) {
        lines.push_back({e.name});
        const auto more = cells(field, e);
        lines.back().insert(lines.back().end(), more.begin(), more.end());
    }
    fmt::print("\n");
    print_table(lines, 2);
    if (!field.is_binary) return;
    lines = {{"name", "", "x from the target [m]", "x from the companion [m]", "y [m]"}};
    for (const Equilibrium& e : list) {
        const Vec3 p = e.orbit_position;
        lines.push_back({e.name, "", fmt::format("{:.3f}", p.x - field.target().x), fmt::format("{:.3f}", p.x - field.companion().x),
                         fmt::format("{:.3f}", p.y)});
    }
    fmt::print("\n");
    print_table(lines, 2);
}

nlohmann::json list_of(const Vec3& v) { return {v.x, v.y, v.z}; }

std::string json_text(const scenario::Scenario& scenario, const SteadyField& field, const std::vector<Equilibrium>& list) {
    nlohmann::json out = {{"asperity", version()},
                          {"scenario", {{"name", scenario.name}, {"file", scenario.file}, {"hash", scenario::scenario_hash(scenario)}}},
                          {"rate", field.rate},
                          {"is_binary", field.is_binary},
                          {"equilibria", nlohmann::json::array()}};
    for (const Equilibrium& e : list) {
        nlohmann::json item = {{"name", e.name},
                               {"kind", name(e.kind)},
                               {"position", list_of(e.position)},
                               {"energy", e.energy},
                               {"residual", e.residual},
                               {"stable", e.is_stable},
                               {"growth_rate", e.growth_rate},
                               {"manifold", e.has_manifold ? list_of(e.manifold) : nlohmann::json()}};
        for (const auto& value : e.eigenvalues) item["eigenvalues"].push_back({value.real(), value.imag()});
        if (field.is_binary) {
            item["from_common_centre"] = list_of(e.orbit_position);
            item["from_target"] = list_of(e.orbit_position - field.target());
            item["from_companion"] = list_of(e.orbit_position - field.companion());
        }
        out["equilibria"].push_back(std::move(item));
    }
    return out.dump(2) + "\n";
}

report::MapPoint shown(const Vec3& p) { return {p.x, p.y}; }

void add_outline(const SteadyField& field, const geometry::SurfaceMesh& mesh, double scale, const gravity::Pose& pose,
                 report::EquilibriaPage& page) {
    for (const auto& curve : analysis::section(mesh)) {
        auto& points = page.bodies.emplace_back();
        for (const Vec3& p : curve) points.push_back(shown(field.to_orbit(pose.centre + pose.to_frame(scale * p))));
    }
}

report::EquilibriaPage page_of(const scenario::Scenario& scenario, const model::Assets& assets, const scenario::ScenarioEquilibria& all) {
    const SteadyField& field = all.field;
    const analysis::IsInside is_inside = scenario::inside_of(scenario, assets, field);
    report::EquilibriaPage page{
        .title = scenario.name + ": equilibria", .description = scenario.description, .facts = facts(field), .heads = columns};
    page.axes = field.is_binary ? "x, y from the common centre of mass, m" : "x, y in the axes of the body, m";
    page.scenario = scenario::resolved_toml(scenario);
    double farthest = all.list.empty() ? field.synchronous_radius() : 0;
    for (const Equilibrium& e : all.list) {
        page.equilibria.push_back({e.name, name(e.kind), shown(e.orbit_position), e.energy, cells(field, e)});
        farthest = std::max(farthest, norm(e.orbit_position));
    }
    const analysis::AmendedMap map = analysis::amended_map(field, is_inside, beyond * farthest, map_side);
    page.half_width = map.half_width;
    page.side = map.side;
    page.values = map.values;
    if (!field.is_binary)
        for (const Vec3& p : analysis::ridge_line(field, is_inside, ridge_points)) page.ridge.push_back(shown(p));
    add_outline(field, assets.surface, scenario::ground_scale(scenario), {}, page);
    if (field.is_binary)
        add_outline(field, assets.companion_surface, scenario::roles_of(scenario).companion->scale, field.body.companion_pose(0), page);
    return page;
}

int equilibria(const study::RunRequest& request) {
    const ThreadLimit limit(request.threads);
    const scenario::Scenario scenario = study::read_request(request);
    const std::filesystem::path folder =
        request.out.empty() ? std::filesystem::path("out") / (scenario.name + "-equilibria") : std::filesystem::path(request.out);
    if (scenario::roles_of(scenario).ground == nullptr) {
        tell_resting_equilibria(scenario, folder);
        return exit_done;
    }
    const model::Assets assets = study::load_assets(scenario, request.is_quiet);
    const scenario::ScenarioEquilibria all = scenario::equilibria_of(scenario, assets);
    record::write_text_file(folder / "equilibria.json", json_text(scenario, all.field, all.list));
    record::write_text_file(folder / "equilibria.html", report::equilibria_page_text(page_of(scenario, assets, all)));
    print(scenario, all.field, all.list);
    tell("wrote {}/equilibria.json and equilibria.html\n", folder.string());
    return exit_done;
}

}  // namespace

void add_equilibria(CLI::App& app, Action& chosen) {
    auto request = std::make_shared<study::RunRequest>();
    CLI::App* verb = app.add_subcommand(
        "equilibria", "Equilibria of the amended potential of a body, L1 to L5 of a binary, or configurations of free bodies, with a map");
    verb->add_option("FILE", request->file, "Scenario file")->required();
    verb->add_option("--set", request->sets, "Change a value: key=value; may be repeated")->allow_extra_args(false)->take_all();
    verb->add_option("--out", request->out, "Folder for equilibria.json and equilibria.html (out/NAME-equilibria)");
    verb->add_option("--threads", request->threads, "Number of threads (all cores)")->check(CLI::Range(1, 4096));
    verb->callback([request, &chosen] { chosen = [request] { return equilibria(*request); }; });
}

}  // namespace asperity::cli
