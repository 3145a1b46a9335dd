#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <cmath>
#include <iterator>
#include <memory>

#include "asperity/assets/field_cache.h"
#include "asperity/assets/points_file.h"
#include "asperity/assets/shape.h"
#include "asperity/cli/verbs.h"
#include "asperity/core/constants.h"
#include "asperity/core/errors.h"
#include "asperity/core/tell.h"
#include "asperity/core/units.h"
#include "asperity/geometry/closed_check.h"
#include "asperity/geometry/mesh.h"
#include "asperity/gravity/polyhedron.h"
#include "asperity/scenario/compile.h"

namespace asperity::cli {
namespace {

struct GravityRequest {
    std::string shape, points;
    std::string unit = "m";
    double density = 0;  // kg/m^3
    bool gradient = false;
    bool field = false;
    double bound = 1e-6;
};

// A plain number is in kg/m^3; else it has a unit.
double density_of(const std::string& text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) {
        const auto parsed = parse_quantity_of(text, si::kilogram_per_cubic_metre, "--density");
        if (const auto* problem = std::get_if<QuantityProblem>(&parsed)) throw InputError(problem->what, problem->hint);
        value = std::get<double>(parsed);
    }
    if (!(value > 0) || !std::isfinite(value))
        throw InputError(fmt::format("`--density` must be positive, got {}", text),
                         "write for example --density 1900, or --density \"1.9 g/cm^3\"");
    return value;
}

geometry::SurfaceMesh body_of(const GravityRequest& request) {
    geometry::RawMesh raw = assets::read_shape(request.shape, {.unit = length_of(request.unit)});
    try {
        return geometry::make_closed_surface(std::move(raw));
    } catch (InputError& error) {
        for (Problem& problem : error.problems)
            if (problem.file.empty()) problem.file = request.shape;
        throw InputError(error.problems);
    }
}

// The potential as in records and equilibria: energy per mass, negative near a body; the attraction is minus its gradient. Theory and code
// of the polyhedron (polyhedron.h) have it positive.
void print_row(const Vec3& p, double positive_potential, const Vec3& a, std::string& out) {
    fmt::format_to(std::back_inserter(out), "{},{},{},{},{},{},{}", p.x, p.y, p.z, -positive_potential, a.x, a.y, a.z);
}

void exact_rows(const GravityRequest& request, const geometry::SurfaceMesh& mesh, const std::vector<Vec3>& points, std::string& out) {
    const gravity::PolyhedronGravity gravity(mesh);
    std::vector<gravity::FieldValue> values(points.size());
    gravity.evaluate_many(points, values);
    const double factor = gravitational_constant * request.density;
    for (std::size_t i = 0; i < points.size(); ++i) {
        print_row(points[i], factor * values[i].potential, factor * values[i].acceleration, out);
        const gravity::Sym3& g = values[i].gradient;
        if (request.gradient)
            fmt::format_to(std::back_inserter(out), ",{},{},{},{},{},{},{}", factor * g.xx, factor * g.yy, factor * g.zz, factor * g.xy,
                           factor * g.xz, factor * g.yz, factor * values[i].laplacian);
        out += '\n';
    }
}

void field_rows(const GravityRequest& request, const geometry::SurfaceMesh& mesh, const std::vector<Vec3>& points, std::string& out) {
    const bool is_seen = ::isatty(2) == 1;
    const auto progress = [is_seen](double fraction) {
        if (is_seen) tell("\rbuilding the field: {:3.0f} %{}", 100 * fraction, fraction < 1 ? "" : "\n");
    };
    const assets::LoadedField field = assets::load_field(mesh, {.tolerance = request.bound}, progress);
    for (const std::string& warning : field.warnings) tell("warning: {}\n", warning);
    tell("field: off by at most {:.3g} of local gravity, down to {:.3g} m below the surface ({})\n", field.field.view().header->bound,
         field.field.view().header->depth_inside, field.was_cached ? "from the cache" : "built");
    const double factor = gravitational_constant * request.density;
    for (const Vec3& p : points) {
        const gravity::FieldSample sample = field.field.view().sample(p);
        print_row(p, factor * sample.potential, factor * sample.acceleration, out);
        out += '\n';
    }
}

int gravity(const GravityRequest& request) {
    if (request.field && request.gradient)
        throw InputError("the field has no gradient of the attraction", "leave out --field: the exact sum has one");
    const std::vector<Vec3> points = assets::read_points(request.points);
    const geometry::SurfaceMesh mesh = body_of(request);
    std::string out = "x [m],y [m],z [m],potential [m^2/s^2],ax [m/s^2],ay [m/s^2],az [m/s^2]";
    if (request.gradient)
        for (const char* name : {"gxx", "gyy", "gzz", "gxy", "gxz", "gyz", "laplacian"}) out += fmt::format(",{} [1/s^2]", name);
    out += '\n';
    if (request.field)
        field_rows(request, mesh, points, out);
    else
        exact_rows(request, mesh, points, out);
    fmt::print("{}", out);
    return exit_done;
}

}  // namespace

void add_gravity(CLI::App& app, Action& chosen) {
    auto request = std::make_shared<GravityRequest>();
    CLI::App* verb = app.add_subcommand("gravity", "Gravity of a homogeneous body at points, as CSV in SI units");
    verb->add_option("SHAPE", request->shape, "Closed mesh: Wavefront OBJ, PLY, STL or PDS plate table")->required();
    auto density = std::make_shared<std::string>();
    verb->add_option("--density", *density, "Of the body: a number in kg/m^3, or with a unit (\"1.9 g/cm^3\")")->required();
    verb->add_option("--points", request->points, "Text file of points: x, y, z in m")->required();
    std::vector<std::string> units;
    for (const auto& choice : scenario::mesh_units) units.emplace_back(choice.name);
    verb->add_option("--unit", request->unit, "Length unit of the mesh file")->check(CLI::IsMember(units));
    verb->add_flag("--gradient", request->gradient, "The gradient of the attraction and its trace too");
    CLI::Option* field = verb->add_flag("--field", request->field, "Use the fast field, built once and kept in the cache");
    verb->add_option("--bound", request->bound, "Largest error of the fast field, of local gravity")
        ->check(CLI::Range(1e-10, 0.1))
        ->needs(field);
    verb->callback([request, density, &chosen] {
        chosen = [request, density] {
            request->density = density_of(*density);
            return gravity(*request);
        };
    });
}

}  // namespace asperity::cli
