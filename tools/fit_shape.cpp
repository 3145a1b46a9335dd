// Fits spherical harmonics to a mesh: how the tables of geometry/builtin_*.inc were made.
//
//   fit_shape MESH UNIT NAME DEGREE X Y Z > builtin_NAME.inc
//
// UNIT: length of one unit of the file in m. X Y Z: from where the surface is seen, in m from its centre of mass; a place that sees all of
// it gives the better fit. Errors go to stderr: of the coefficients as written, meshed with 200,000 facets. The commands are in
// docs/theory/shapes.md.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <exception>
#include <numbers>
#include <string>

#include "asperity/assets/mesh_file.h"
#include "asperity/geometry/builtin_shapes.h"
#include "asperity/geometry/closed_check.h"
#include "asperity/geometry/mass_properties.h"
#include "asperity/geometry/principal_axes.h"
#include "asperity/geometry/surface_distance.h"
#include "asperity/gravity/polyhedron.h"

namespace {

using namespace asperity;

struct Request {
    std::string file;
    double unit = 1;
    std::string name;
    int degree = 0;
    Vec3 centre;
};

double number(const char* text) {
    double value = 0;
    const std::string word = text;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end != word.data() + word.size()) throw InputError(fmt::format("`{}` is not a number", word));
    return value;
}

// Largest and rms difference of two attractions, relative to the first.
void tell_gravity(const char* where, const std::vector<Vec3>& points, const gravity::PolyhedronGravity& want,
                  const gravity::PolyhedronGravity& got) {
    std::vector<gravity::FieldValue> a(points.size()), b(points.size());
    want.evaluate_many(points, a);
    got.evaluate_many(points, b);
    double largest = 0, squares = 0;
    for (std::size_t k = 0; k < points.size(); ++k) {
        const double off = norm(b[k].acceleration - a[k].acceleration) / norm(a[k].acceleration);
        largest = std::max(largest, off);
        squares += off * off / static_cast<double>(points.size());
    }
    fmt::print(stderr, "gravity, {:<20} rms {:.2e}, largest {:.2e}, at {} points\n", where, std::sqrt(squares), largest, points.size());
}

void tell_errors(const geometry::SurfaceMesh& source, const geometry::SurfaceMesh& fit) {
    const auto a = geometry::principal_axes(source), b = geometry::principal_axes(fit);
    fmt::print(stderr, "moments, relative      {:.2e} {:.2e} {:.2e}\n", b.moments[0] / a.moments[0] - 1, b.moments[1] / a.moments[1] - 1,
               b.moments[2] / a.moments[2] - 1);
    for (std::size_t k = 0; k < 3; ++k)
        fmt::print(stderr, "axis {} turned by       {:.4f} degrees\n", k + 1,
                   std::asin(std::min(1.0, norm(cross(a.axes[k], b.axes[k])))) * 180 / std::numbers::pi);
    const gravity::PolyhedronGravity want(source), got(fit);
    constexpr std::size_t samples = 512;
    for (const double height : {1.0, 10.0}) {
        std::vector<Vec3> points;
        for (std::size_t f = 0; f < source.facets.size(); f += 1 + source.facets.size() / samples) {
            Vec3 middle;
            for (const std::int32_t v : source.facets[f].vertex) middle += source.vertices[static_cast<std::size_t>(v)] / 3;
            points.push_back(middle + height * source.facets[f].normal);
        }
        tell_gravity(fmt::format("{} m above", height).c_str(), points, want, got);
    }
    const double far = norm(source.upper - source.lower);
    std::vector<Vec3> points;
    for (int k = 0; k < 64; ++k)
        points.push_back({0.8 * far * std::cos(k * std::numbers::pi / 32), 0.8 * far * std::sin(k * std::numbers::pi / 32), 0});
    tell_gravity(fmt::format("{:.0f} m away", 0.8 * far).c_str(), points, want, got);
}

void write_fit(const Request& request, const geometry::BuiltinShape& shape) {
    fmt::print("// Written by tools/fit_shape; the command is in docs/theory/shapes.md.\n");
    fmt::print("constexpr Fit {}_fit = {{.degree = {}, .axes = {{{}, {}, {}}}, .volume = {:.10g}, .rms = {:.3g}, .largest = {:.3g}}};\n",
               request.name, shape.degree, shape.axes.x, shape.axes.y, shape.axes.z, shape.volume, shape.fit_rms, shape.fit_largest);
    fmt::print("constexpr std::int32_t {}_millionths[] = {{", request.name);
    std::string line;
    for (const std::int32_t c : shape.millionths) {
        const std::string word = fmt::format("{},", c);
        if (line.empty() || line.size() + word.size() > 138) {
            fmt::print("{}\n", line);
            line = "   ";
        }
        line += " " + word;
    }
    fmt::print("{}\n}};\n", line);
}

int fit(const Request& request) {
    const geometry::SurfaceMesh source = geometry::make_closed_surface(geometry::recentred(assets::read_mesh(request.file, request.unit)));
    const geometry::HarmonicShape sum = geometry::fit_harmonics(source, request.centre, request.degree, 256);
    std::vector<std::int32_t> millionths;
    for (const double c : sum.coefficients) millionths.push_back(static_cast<std::int32_t>(std::lround(1e6 * c)));
    geometry::BuiltinShape shape{.name = request.name,
                                 .degree = request.degree,
                                 .axes = sum.axes,
                                 .volume = geometry::mass_properties(source).volume,
                                 .millionths = millionths};
    const geometry::SurfaceMesh mesh = geometry::make_closed_surface(geometry::builtin_shape(shape, geometry::highest_builtin_facets));
    const auto there = geometry::surface_distance(source, mesh), back = geometry::surface_distance(mesh, source);
    fmt::print(stderr, "volume                 {:.10g} m^3\ncoefficients           {}\n", shape.volume, millionths.size());
    fmt::print(stderr, "source to fit          rms {:.3f} m, largest {:.2f} m\nfit to source          rms {:.3f} m, largest {:.2f} m\n",
               there.rms, there.largest, back.rms, back.largest);
    shape.fit_rms = std::max(there.rms, back.rms);
    shape.fit_largest = std::max(there.largest, back.largest);
    tell_errors(source, mesh);
    write_fit(request, shape);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 8) {
        fmt::print(stderr, "fit_shape MESH UNIT NAME DEGREE X Y Z > builtin_NAME.inc\n");
        return 2;
    }
    try {
        return fit({.file = argv[1],
                    .unit = number(argv[2]),
                    .name = argv[3],
                    .degree = static_cast<int>(number(argv[4])),
                    .centre = {number(argv[5]), number(argv[6]), number(argv[7])}});
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 2;
    }
}
