#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "asperity/assets/mesh_obj.h"
#include "asperity/cli/verbs.h"
#include "asperity/core/errors.h"
#include "asperity/geometry/mass_properties.h"
#include "asperity/geometry/mesh.h"
#include "asperity/geometry/repair.h"
#include "asperity/scenario/compile.h"
#include "asperity/scenario/read.h"

namespace asperity::cli {
namespace {

struct ShapeRequest {
    std::string in, out;
    std::string unit = "m";
    double tolerance = 0;
    bool flip = false;
    bool force = false;
    std::vector<std::string> sets;
    std::optional<std::int64_t> seed;
};

std::vector<std::string> unit_names() {
    std::vector<std::string> names;
    for (const auto& choice : scenario::mesh_units) names.emplace_back(choice.name);
    return names;
}

double unit_of(const std::string& name) {
    for (const auto& choice : scenario::mesh_units)
        if (choice.name == name) return scenario::metres(choice.value);
    ASPERITY_REQUIRE(false, "the parser let the unit {} pass", name);
}

// What is wrong with a mesh is told with the name of its file.
geometry::SurfaceMesh surface_of(const geometry::RawMesh& mesh, const std::string& file) {
    try {
        return geometry::make_surface(mesh);
    } catch (InputError& error) {
        for (Problem& problem : error.problems)
            if (problem.file.empty()) problem.file = file;
        throw InputError(error.problems);
    }
}

int info(const ShapeRequest& request) {
    const geometry::SurfaceMesh mesh = surface_of(assets::read_obj(request.in, unit_of(request.unit)), request.in);
    const Vec3 size = mesh.upper - mesh.lower;
    fmt::print("{}\n  vertices  {}\n  edges     {}\n  facets    {}\n  size      {:.6g} x {:.6g} x {:.6g} m\n", request.in,
               mesh.vertices.size(), mesh.edges.size(), mesh.facets.size(), size.x, size.y, size.z);
    fmt::print("  area      {:.9g} m^2\n  surface   {}\n", geometry::area(mesh), mesh.is_closed ? "closed" : "open");
    if (!mesh.is_closed) {
        const Vec3 mean = geometry::mean_normal(mesh);
        fmt::print("  faces     ({:.3g}, {:.3g}, {:.3g}) on average: a ball must be on that side; shape repair --flip turns it around\n",
                   mean.x, mean.y, mean.z);
        return exit_done;
    }
    fmt::print("  faces     outwards\n");
    const auto mass = geometry::mass_properties(mesh);
    fmt::print("  volume    {:.9g} m^3\n  centre    ({:.6g}, {:.6g}, {:.6g}) m\n", mass.volume, mass.centre.x, mass.centre.y,
               mass.centre.z);
    return exit_done;
}

int repair(const ShapeRequest& request) {
    std::error_code error;
    if (!request.force && std::filesystem::equivalent(request.in, request.out, error))
        throw InputError(fmt::format("`{}` would be written over itself", request.in), "name another file to write, or add --force");
    const geometry::Repaired repaired =
        geometry::repair(assets::read_obj(request.in, unit_of(request.unit)), {.merge_tolerance = request.tolerance, .flip = request.flip});
    for (const std::string& line : geometry::lines(repaired.report)) fmt::print("{}\n", line);
    if (request.flip && repaired.report.flipped_shells == 0) fmt::print("nothing to flip: closed shells face outwards\n");
    surface_of(repaired.mesh, request.in);  // says what repair could not mend
    assets::write_obj(request.out, repaired.mesh);
    fmt::print("wrote {} (in metres)\n", request.out);
    return exit_done;
}

int generate(const ShapeRequest& request) {
    const scenario::Scenario scenario = scenario::read_scenario(request.in, {.sets = request.sets, .seed = request.seed});
    const geometry::SurfaceMesh mesh = scenario::load_assets(scenario).surface;
    geometry::RawMesh raw{.vertices = mesh.vertices, .facets = {}};
    for (const geometry::Facet& facet : mesh.facets) raw.facets.push_back({facet.vertex[0], facet.vertex[1], facet.vertex[2]});
    assets::write_obj(request.out, raw);
    fmt::print("wrote {} ({} facets)\n", request.out, raw.facets.size());
    return exit_done;
}

}  // namespace

void add_shape(CLI::App& app, Action& chosen) {
    CLI::App* verb = app.add_subcommand("shape", "Triangle meshes (Wavefront OBJ): info, repair, generate");
    verb->require_subcommand(1);
    const auto add = [&](const char* name, const char* text, const char* in_text, bool writes, int (*act)(const ShapeRequest&)) {
        auto request = std::make_shared<ShapeRequest>();
        CLI::App* sub = verb->add_subcommand(name, text);
        sub->add_option("IN", request->in, in_text)->required();
        if (writes) sub->add_option("OUT", request->out, "OBJ file to write")->required();
        if (act != generate) sub->add_option("--unit", request->unit, "Length unit of the file")->check(CLI::IsMember(unit_names()));
        if (act == generate) {
            sub->add_option("--set", request->sets, "Change a value: key=value; may be repeated")->allow_extra_args(false)->take_all();
            add_seed(*sub, request->seed);
        }
        if (act == repair) {
            sub->add_flag("--flip", request->flip, "Turn open surfaces around");
            sub->add_flag("--force", request->force, "Write over the file that was read");
            sub->add_option("--merge", request->tolerance, "Merge vertices nearer than this part of the size (0: equal ones only)")
                ->check(CLI::Range(0.0, 0.1));
        }
        sub->callback([request, act, &chosen] { chosen = [request, act] { return act(*request); }; });
    };
    add("info", "Counts, size, area, volume of a mesh, and which way it faces", "OBJ file", false, info);
    add("repair", "Cut polygons into triangles, make the winding consistent, drop what is degenerate, merge equal vertices", "OBJ file",
        true, repair);
    add("generate", "Write the surface of a scenario's world", "Scenario file", true, generate);
}

}  // namespace asperity::cli
