// Exact gravity of a polyhedron: time a point on one core, one point at a time and many, with an error and the hash of the values.
//
//   asperity_bench_gravity [SHAPE.obj]      default: a cube of 64 x 64 cells a side cast onto an ellipsoid, 49,152 facets
//
// Processor time, the best of many short measurements: on a shared machine the others' share does not count.
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "asperity/assets/mesh_obj.h"
#include "asperity/core/hash.h"
#include "asperity/core/parallel.h"
#include "asperity/gravity/polyhedron.h"

namespace {

using namespace asperity;

double processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

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

}  // namespace

int main(int count, char** arguments) {
    const geometry::SurfaceMesh mesh = geometry::make_surface(count > 1 ? assets::read_obj(arguments[1]) : ellipsoid(64));
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
    fmt::print("  tables {:.0f} ms; Laplacian outside {:.1e}; hash {}\n", 1e3 * build, worst, hex_text(hash.value()).substr(0, 12));
    return 0;
}
