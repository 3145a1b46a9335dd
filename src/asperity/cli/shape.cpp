#include "asperity/assets/shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <numbers>

#include "asperity/assets/mesh_file.h"
#include "asperity/cli/verbs.h"
#include "asperity/core/errors.h"
#include "asperity/geometry/closed_check.h"
#include "asperity/geometry/icosphere.h"
#include "asperity/geometry/mass_properties.h"
#include "asperity/geometry/mesh.h"
#include "asperity/geometry/principal_axes.h"
#include "asperity/geometry/repair.h"
#include "asperity/geometry/resample.h"
#include "asperity/scenario/compile.h"
#include "asperity/scenario/read.h"

namespace asperity::cli {
namespace {

struct ShapeRequest {
    std::string in, out;
    std::string unit = "m";
    double scale = 1;
    bool center = false;
    bool principal_axes = false;
    double tolerance = 0;
    bool flip = false;
    bool force = false;
    std::optional<int> level;
    std::optional<std::int64_t> facets;       // to decimate to
    std::optional<std::int64_t> mesh_facets;  // of a built-in shape
    bool keep_size = false;
    std::vector<std::string> sets;
    std::optional<std::int64_t> seed;
};

std::vector<std::string> unit_names() {
    std::vector<std::string> names;
    for (const auto& choice : scenario::mesh_units) names.emplace_back(choice.name);
    return names;
}

// What is wrong with a mesh is told with the name of its file.
template <class Make>
auto told_of(const std::string& file, Make&& make) {
    try {
        return make();
    } catch (InputError& error) {
        for (Problem& problem : error.problems)
            if (problem.file.empty()) problem.file = file;
        throw InputError(error.problems);
    }
}

geometry::SurfaceMesh surface_of(const geometry::RawMesh& mesh, const std::string& file) {
    return told_of(file, [&] { return geometry::make_surface(mesh); });
}

void refuse_to_overwrite(const ShapeRequest& request) {
    std::error_code error;
    if (!request.force && std::filesystem::equivalent(request.in, request.out, error))
        throw InputError(fmt::format("`{}` would be written over itself", request.in), "name another file to write, or add --force");
}

geometry::RawMesh mesh_read(const ShapeRequest& request) {
    return assets::read_shape(request.in, {.unit = length_of(request.unit), .facets = request.mesh_facets});
}

// The mesh of the file or of the built-in shape, moved and scaled as asked.
geometry::RawMesh placed_mesh(const ShapeRequest& request) {
    geometry::RawMesh mesh = mesh_read(request);
    if (request.scale != 1)
        for (Vec3& v : mesh.vertices) v *= request.scale;
    return told_of(request.in, [&] {
        return request.principal_axes ? geometry::in_principal_axes(mesh) : request.center ? geometry::recentred(mesh) : std::move(mesh);
    });
}

std::string text_of(const Vec3& v, int digits) { return fmt::format("({:.{}g}, {:.{}g}, {:.{}g})", v.x, digits, v.y, digits, v.z, digits); }

// A part of 1e-9 of a unit vector is rounding, and in the way.
Vec3 without_noise(const Vec3& v) {
    const auto rounded = [](double x) { return std::round(x * 1e9) / 1e9 + 0.0; };
    return {rounded(v.x), rounded(v.y), rounded(v.z)};
}

void print_solid(const geometry::SurfaceMesh& mesh) {
    const auto mass = geometry::mass_properties(mesh);
    const auto principal = geometry::principal_axes(mesh);
    fmt::print("  volume    {:.9g} m^3\n  radius    {:.6g} m, of a ball of that volume\n  centre    {} m\n", mass.volume,
               std::cbrt(mass.volume * 3 / (4 * std::numbers::pi)), text_of(mass.centre, 6));
    for (std::size_t k = 0; k < 3; ++k)
        fmt::print("  axis {}    {} with moment {:.6g} m^5 (times density: kg m^2)\n", k + 1, text_of(without_noise(principal.axes[k]), 6),
                   principal.moments[k]);
}

void print_soundness(const geometry::RawMesh& mesh) {
    const std::vector<Problem> problems = geometry::closed_problems(mesh);
    if (problems.empty()) fmt::print("  solid     sound: one shell, nowhere touching itself\n");
    for (const Problem& problem : problems) fmt::print("  solid     not sound: {}\n", problem.what);
    if (const std::string hint = geometry::unit_hint(mesh); !hint.empty()) fmt::print("  unit      {}\n", hint);
}

// What is known of a built-in shape and cannot be seen on its mesh.
void print_builtin(const geometry::BuiltinShape& shape) {
    fmt::print("  body      {}\n  source    {}\n", shape.text, shape.source);
    fmt::print("  fit       {} harmonics, off by {:.3g} m rms, {:.3g} m at most, at {} facets\n", shape.millionths.size(), shape.fit_rms,
               shape.fit_largest, geometry::highest_builtin_facets);
    fmt::print("  density   {:.6g} kg/m^3\n  mass      {:.6g} kg\n  period    {:.6g} h, of rotation about z\n", shape.density, shape.mass,
               shape.rotation_period / 3600);
}

int info(const ShapeRequest& request) {
    const geometry::RawMesh raw = placed_mesh(request);
    const geometry::SurfaceMesh mesh = surface_of(raw, request.in);
    const Vec3 size = mesh.upper - mesh.lower;
    double shortest = std::numeric_limits<double>::infinity(), longest = 0, sum = 0;
    for (const geometry::Edge& edge : mesh.edges) {
        shortest = std::min(shortest, edge.length);
        longest = std::max(longest, edge.length);
        sum += edge.length;
    }
    std::int64_t used = 0;  // vertices that no facet uses are no part of the surface
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) used += mesh.vertex_facet_begin[v + 1] > mesh.vertex_facet_begin[v];
    fmt::print("{}\n  vertices  {}\n  edges     {}\n  facets    {}\n  Euler     {} (vertices - edges + facets)\n", request.in,
               mesh.vertices.size(), mesh.edges.size(), mesh.facets.size(), used - std::ssize(mesh.edges) + std::ssize(mesh.facets));
    fmt::print("  size      {:.6g} x {:.6g} x {:.6g} m\n  box       {} to {} m\n", size.x, size.y, size.z, text_of(mesh.lower, 6),
               text_of(mesh.upper, 6));
    fmt::print("  lengths   {:.6g} to {:.6g} m, mean {:.6g} m, of edges\n", shortest, longest,
               sum / static_cast<double>(mesh.edges.size()));
    fmt::print("  area      {:.9g} m^2\n  surface   {}\n", geometry::area(mesh), mesh.is_closed ? "closed" : "open");
    if (!mesh.is_closed) {
        const Vec3 mean = geometry::mean_normal(mesh);
        fmt::print("  faces     ({:.3g}, {:.3g}, {:.3g}) on average: a ball must be on that side; shape repair --flip turns it around\n",
                   mean.x, mean.y, mean.z);
        return exit_done;
    }
    fmt::print("  faces     outwards\n");
    print_solid(mesh);
    print_soundness(raw);
    if (const geometry::BuiltinShape* shape = assets::builtin_meant(request.in)) print_builtin(*shape);
    return exit_done;
}

int convert(const ShapeRequest& request) {
    assets::check_mesh_name(request.out);
    refuse_to_overwrite(request);
    const geometry::RawMesh mesh = placed_mesh(request);
    surface_of(mesh, request.in);  // what no verb could use is not written either
    assets::write_mesh(request.out, mesh);
    fmt::print("wrote {} (in metres, {} facets)\n", request.out, mesh.facets.size());
    return exit_done;
}

int resample(const ShapeRequest& request) {
    if (request.level.has_value() == request.facets.has_value())
        throw InputError("how many facets?", "give --icosphere LEVEL (20 * 4^LEVEL facets) or --decimate FACETS");
    assets::check_mesh_name(request.out);
    refuse_to_overwrite(request);
    const geometry::RawMesh raw = placed_mesh(request);
    const geometry::SurfaceMesh mesh = told_of(request.in, [&] { return geometry::make_closed_surface(raw); });
    const geometry::ResampleOptions options{.keep_volume = !request.keep_size};
    const geometry::Resampled done = told_of(request.in, [&] {
        return request.level ? geometry::cast_icosphere(mesh, *request.level, options) : geometry::decimate(mesh, *request.facets, options);
    });
    assets::write_mesh(request.out, done.mesh);
    const double before = geometry::mass_properties(mesh).volume;
    fmt::print("{} facets became {}; the volume was {:.6g} of the original's", mesh.facets.size(), done.mesh.facets.size(),
               done.volume / before);
    if (request.keep_size)
        fmt::print(": the same mass needs {:.6g} times the density\n", before / done.volume);
    else
        fmt::print(", scaled by {:.9g} it is the same\n", done.scale);
    if (done.overhung_rays > 0)
        fmt::print("{} of {} rays met the surface more than once and took the farthest: overhangs are filled\n", done.overhung_rays,
                   done.mesh.vertices.size());
    fmt::print("wrote {} (in metres)\n", request.out);
    return exit_done;
}

int repair(const ShapeRequest& request) {
    assets::check_mesh_name(request.out);
    refuse_to_overwrite(request);
    const geometry::Repaired repaired = told_of(
        request.in, [&] { return geometry::repair(mesh_read(request), {.merge_tolerance = request.tolerance, .flip = request.flip}); });
    for (const std::string& line : geometry::lines(repaired.report)) fmt::print("{}\n", line);
    if (request.flip && repaired.report.flipped_shells == 0) fmt::print("nothing to flip: closed shells face outwards\n");
    surface_of(repaired.mesh, request.in);  // says what repair could not mend
    assets::write_mesh(request.out, repaired.mesh);
    fmt::print("wrote {} (in metres)\n", request.out);
    return exit_done;
}

int generate_builtin(const ShapeRequest& request) {
    if (!request.sets.empty() || request.seed)
        throw InputError(fmt::format("the built-in shape `{}` has no values to change", request.in), "leave out --set and --seed");
    const geometry::RawMesh mesh = mesh_read(request);
    assets::write_mesh(request.out, mesh);
    fmt::print("wrote {} (in metres, {} facets)\n", request.out, mesh.facets.size());
    return exit_done;
}

int generate(const ShapeRequest& request) {
    assets::check_mesh_name(request.out);
    if (assets::is_shape_name(request.in)) return generate_builtin(request);
    if (request.mesh_facets) throw InputError("--facets is for built-in shapes", "a scenario says how fine its world is");
    const scenario::Scenario scenario = scenario::read_scenario(request.in, {.sets = request.sets, .seed = request.seed});
    const geometry::SurfaceMesh mesh = scenario::load_assets(scenario).surface;
    geometry::RawMesh raw{.vertices = mesh.vertices, .facets = {}};
    for (const geometry::Facet& facet : mesh.facets) raw.facets.push_back({facet.vertex[0], facet.vertex[1], facet.vertex[2]});
    assets::write_mesh(request.out, raw);
    fmt::print("wrote {} ({} facets)\n", request.out, raw.facets.size());
    return exit_done;
}

constexpr const char* read_text = "Mesh: Wavefront OBJ, PLY, STL or PDS plate table; or a built-in shape (asperity list shapes)";

void add_placing(CLI::App& sub, ShapeRequest& request) {
    sub.add_option("--scale", request.scale, "Multiply lengths by this")->check(CLI::PositiveNumber);
    sub.add_flag("--center", request.center, "Put the centre of mass at the origin");
    sub.add_flag("--principal-axes", request.principal_axes, "That, and turn the principal axes to x (longest), y and z");
}

void add_options(CLI::App& sub, int (*act)(const ShapeRequest&), ShapeRequest& request) {
    if (act != generate) sub.add_option("--unit", request.unit, "Length unit of the file")->check(CLI::IsMember(unit_names()));
    sub.add_option("--facets", request.mesh_facets, "Of a built-in shape, about: 20 f^2, from 20 to 200000; without it 50000");
    if (act == generate) {
        sub.add_option("--set", request.sets, "Change a value: key=value; may be repeated")->allow_extra_args(false)->take_all();
        add_seed(sub, request.seed);
    }
    if (act == repair || act == convert || act == resample) sub.add_flag("--force", request.force, "Write over the file that was read");
    if (act == info || act == convert || act == resample) add_placing(sub, request);
    if (act == repair) {
        sub.add_flag("--flip", request.flip, "Turn open surfaces around");
        sub.add_option("--merge", request.tolerance, "Merge vertices nearer than this part of the size (0: equal ones only)")
            ->check(CLI::Range(0.0, 0.1));
    }
    if (act == resample) {
        sub.add_option("--icosphere", request.level, "Cast an icosphere onto the shape: 20 * 4^LEVEL facets")
            ->check(CLI::Range(0, geometry::highest_icosphere_level));
        sub.add_option("--decimate", request.facets, "Collapse edges until about so many facets are left");
        sub.add_flag("--keep-size", request.keep_size, "Do not scale to the volume of the original");
    }
}

}  // namespace

void add_shape(CLI::App& app, Action& chosen) {
    CLI::App* verb = app.add_subcommand("shape", "Triangle meshes (OBJ, PLY, STL, PDS): info, repair, generate, convert, resample");
    verb->require_subcommand(1);
    const auto add = [&](const char* name, const char* text, const char* in_text, int (*act)(const ShapeRequest&)) {
        auto request = std::make_shared<ShapeRequest>();
        CLI::App* sub = verb->add_subcommand(name, text);
        sub->add_option("IN", request->in, in_text)->required();
        if (act != info) sub->add_option("OUT", request->out, "Mesh to write: .obj, .ply or .stl")->required();
        add_options(*sub, act, *request);
        sub->callback([request, act, &chosen] { chosen = [request, act] { return act(*request); }; });
    };
    add("info", "Counts, size, area, volume, inertia of a mesh, which way it faces, whether it bounds a solid", read_text, info);
    add("repair", "Cut polygons into triangles, make the winding consistent, drop what is degenerate, merge equal vertices", read_text,
        repair);
    add("generate", "Write the surface of a scenario's world, or a built-in shape",
        "Scenario file, or a built-in shape (asperity list shapes)", generate);
    add("convert", "Write a mesh in another format, moved or scaled", read_text, convert);
    add("resample", "Write a solid with fewer facets and the same volume", read_text, resample);
}

}  // namespace asperity::cli
