// Gravity of a polyhedron, exact and by the fast field: time a point on one core, with an error and the hash of the values.
//
//   asperity_bench_gravity [SHAPE.obj [UNIT]] [--rows FILE]      default: a cube of 64 x 64 cells a side cast onto an ellipsoid, 49,152
//   facets
//
// UNIT: the length in m of one unit of the file. The field, for a bound of 1e-6, comes from the cache; it is built where it is not there.
// Processor time, the best of many short measurements: on a shared machine the others' share does not count.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "asperity/assets/field_cache.h"
#include "asperity/assets/mesh_obj.h"
#include "asperity/core/hash.h"
#include "asperity/core/parallel.h"
#include "asperity/geometry/closest.h"
#include "asperity/gravity/polyhedron.h"
#include "bench_rows.h"

namespace {

using namespace asperity;
using bench::processor_seconds;

geometry::RawMesh ellipsoid(int cells) {
    geometry::RawMesh mesh;
    std::map<std::array<int, 3>, std::int32_t> known;
    const auto vertex = [&](const std::array<int, 3>& at) {
        const auto [found, is_new] = known.try_emplace(at, static_cast<std::int32_t>(mesh.vertices.size()));
        if (is_new) {
            const Vec3 u = unit(Vec3{at[0] - 0.5 * cells, at[1] - 0.5 * cells, at[2] - 0.5 * cells});
            mesh.vertices.push_back({270 * u.x, 150 * u.y, 110 * u.z});
        }
        return found->second;
    };
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (const int side : {0, cells})
            for (int i = 0; i < cells; ++i)
                for (int j = 0; j < cells; ++j) {
                    const auto corner = [&](int u, int v) {
                        std::array<int, 3> at{};
                        at[axis] = side;
                        at[(axis + 1) % 3] = side > 0 ? u : v;  // swapped on the lower side: outwards there too
                        at[(axis + 2) % 3] = side > 0 ? v : u;
                        return vertex(at);
                    };
                    const std::int32_t a = corner(i, j), b = corner(i + 1, j), c = corner(i + 1, j + 1), d = corner(i, j + 1);
                    mesh.facets.push_back({a, b, c});
                    mesh.facets.push_back({a, c, d});
                }
    return mesh;
}

// Heights log-uniform up to `highest`, from a millionth of it, over random places of the surface.
std::vector<Vec3> points_above(const geometry::SurfaceMesh& mesh, double highest, int count) {
    std::mt19937_64 random(1);
    const auto uniform = [&] { return std::uniform_real_distribution<double>(0, 1)(random); };
    std::vector<Vec3> points;
    while (static_cast<int>(points.size()) < count) {
        const geometry::Facet& facet = mesh.facets[random() % mesh.facets.size()];
        const auto corner = [&](int k) { return mesh.vertices[static_cast<std::size_t>(facet.vertex[k])]; };
        const double s = uniform(), t = (1 - s) * uniform();
        const Vec3 on = corner(0) + s * (corner(1) - corner(0)) + t * (corner(2) - corner(0));
        const Vec3 p = on + highest * std::pow(1e-6, uniform()) * facet.normal;
        if (geometry::signed_distance(mesh, p) >= 0) points.push_back(p);
    }
    return points;
}

struct Times {
    double exact, fast;  // s a point
    double error;        // of the attraction, relative, the largest
};

// Both at the same points, in turns, the best of several measurements. The exact sum takes every thousandth point, one after the other, so
// that its tables are as warm as they get.
Times measure(const gravity::PolyhedronGravity& exact, const gravity::FastFieldView& field, const std::vector<Vec3>& points, Hasher& hash) {
    Times times{HUGE_VAL, HUGE_VAL, 0};
    constexpr std::size_t stride = 1000;
    std::vector<gravity::FieldSample> samples(points.size());
    for (int repeat = 0; repeat < 10; ++repeat) {
        double begin = 0;
        for (int pass = 0; pass < 2; ++pass) {  // the first one brings back what the exact sum has driven from the caches
            begin = processor_seconds();
            for (std::size_t i = 0; i < points.size(); ++i) samples[i] = field.sample(points[i]);
        }
        times.fast = std::min(times.fast, (processor_seconds() - begin) / static_cast<double>(points.size()));
        begin = processor_seconds();
        for (std::size_t i = 0; i < points.size(); i += stride) {
            const gravity::FieldValue value = exact.evaluate(points[i]);
            times.error = std::max(times.error, norm(samples[i].acceleration - value.acceleration) / norm(value.acceleration));
        }
        times.exact =
            std::min(times.exact, (processor_seconds() - begin) * static_cast<double>(stride) / static_cast<double>(points.size()));
    }
    for (const gravity::FieldSample& sample : samples) hash.add(sample.potential).add(sample.acceleration.x);
    return times;
}

assets::LoadedField load_field(const geometry::SurfaceMesh& mesh) {
    const auto begin = std::chrono::steady_clock::now();
    assets::LoadedField field = assets::load_field(mesh, {.tolerance = 1e-6});
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    const gravity::FastFieldHeader& header = *field.field.view().header;
    fmt::print("fast field, bound {:.2g}: {} in {:.1f} s ({} threads), {:.1f} MiB, {} cells, {:.0f} facets near and {:.0f} terms a cell\n",
               header.bound, field.was_cached ? "loaded" : "built", took.count(), thread_count(),
               static_cast<double>(header.bytes) / 0x1p20, header.leaf_count, header.mean_near, header.mean_terms);
    return field;
}

void bench_field(const geometry::SurfaceMesh& mesh, const gravity::PolyhedronGravity& exact, const assets::LoadedField& field,
                 bench::Rows& rows) {
    const double size = 0.5 * norm(mesh.upper - mesh.lower);
    for (const double highest : {10 * size, 1.0}) {
        Hasher hash;
        const Times times = measure(exact, field.field.view(), points_above(mesh, highest, 20000), hash);
        fmt::print("  up to {:.4g} m above the surface: {:.0f} ns a point, exact {:.3f} ms, {:.0f} times; error {:.1e}; hash {}\n", highest,
                   1e9 * times.fast, 1e3 * times.exact, times.exact / times.fast, times.error, bench::short_text(hash.value()));
        rows.add("gravity", fmt::format("field up to {:.4g} m", highest), times.fast, times.error, hash.value());
    }
}

}  // namespace

int main(int count, char** arguments) {
    bench::Rows rows(count, arguments);
    const std::vector<std::string>& words = rows.words;
    const geometry::SurfaceMesh mesh =
        geometry::make_surface(words.empty() ? ellipsoid(64) : assets::read_obj(words[0], words.size() > 1 ? std::stod(words[1]) : 1));
    const assets::LoadedField field = load_field(mesh);
    const ThreadLimit one_core(1);
    double begin = processor_seconds();
    const gravity::PolyhedronGravity gravity(mesh);
    const double build = processor_seconds() - begin;

    const double size = 0.5 * norm(mesh.upper - mesh.lower);
    std::vector<Vec3> points;
    for (int i = 0; i < 16; ++i)
        points.push_back(1.1 * size * unit(Vec3{std::sin(1 + 0.7 * i), std::sin(2 + 1.3 * i), std::sin(3 + 2.1 * i)}));
    std::vector<gravity::FieldValue> values(points.size());
    double single = std::numeric_limits<double>::infinity(), many = single;
    for (int repeat = 0; repeat < 20; ++repeat) {
        begin = processor_seconds();
        gravity.evaluate_many(points, values);
        many = std::min(many, (processor_seconds() - begin) / static_cast<double>(points.size()));
        for (std::size_t i = 0; i < points.size(); ++i) {
            begin = processor_seconds();
            values[i] = gravity.evaluate(points[i]);
            single = std::min(single, processor_seconds() - begin);
        }
    }
    Hasher hash;
    double worst = 0;  // outside the Laplacian is zero
    for (const gravity::FieldValue& value : values) {
        hash.add(value.potential);
        hash.add(value.acceleration.x);
        hash.add(value.gradient.xy);
        worst = std::max(worst, std::fabs(value.laplacian));
    }
    fmt::print("exact gravity of {} facets, potential + attraction + gradient, one core: one point {:.3f} ms, many {:.3f} ms a point\n",
               mesh.facets.size(), 1e3 * single, 1e3 * many);
    fmt::print("  tables {:.0f} ms; Laplacian outside {:.1e}; hash {}\n", 1e3 * build, worst, bench::short_text(hash.value()));
    rows.add("gravity", "exact, one point", single, worst, hash.value());
    rows.add("gravity", "exact, many points", many, worst, hash.value());
    bench_field(mesh, gravity, field, rows);
    return 0;
}
