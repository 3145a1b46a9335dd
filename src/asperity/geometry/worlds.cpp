#include "asperity/geometry/worlds.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>
#include <vector>

#include "asperity/core/random.h"

namespace asperity::geometry {
namespace {

constexpr int most_cells = 4096;  // per side: 33 million facets

void require_positive(double value, std::string_view name) {
    if (!(value > 0) || !std::isfinite(value)) throw InputError(fmt::format("`{}` is {}, but must be positive", name, value));
}

void require_cells(double cells, std::string_view name) {
    if (!(cells >= 1 && cells <= most_cells))
        throw InputError(fmt::format("`{}` makes {} cells in a row, but must make 1 to {}", name, cells, most_cells));
}

// Points of a line from `from` to `to`, both included exactly, in `cells` equal parts; `points` may end with `from` already.
void append_line(double from, double to, int cells, std::vector<double>& points) {
    if (points.empty() || points.back() != from) points.push_back(from);
    for (int k = 1; k < cells; ++k) points.push_back(from + (to - from) * k / cells);
    points.push_back(to);
}

// The sheet of points place(column, row), two facets per cell, all diagonals alike. Normals point up where columns go with x and rows with
// y.
template <class Place>
RawMesh sheet(int columns, int rows, Place&& place) {
    RawMesh mesh;
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) mesh.vertices.push_back(place(column, row));
    const auto index = [&](int column, int row) { return static_cast<std::int32_t>(row * columns + column); };
    for (int row = 0; row + 1 < rows; ++row)
        for (int column = 0; column + 1 < columns; ++column) {
            mesh.facets.push_back({index(column, row), index(column + 1, row), index(column + 1, row + 1)});
            mesh.facets.push_back({index(column, row), index(column + 1, row + 1), index(column, row + 1)});
        }
    return mesh;
}

int size(const std::vector<double>& points) { return static_cast<int>(points.size()); }
double at(const std::vector<double>& points, int index) { return points[static_cast<std::size_t>(index)]; }

std::vector<double> grid_line(double side, int cells) {
    require_positive(side, "side");
    require_cells(cells, "cells");
    std::vector<double> line;
    append_line(-0.5 * side, 0.5 * side, cells, line);
    return line;
}

}  // namespace

RawMesh generate(const FlatWorld& world) {
    const std::vector<double> line = grid_line(world.side, world.cells);
    return sheet(size(line), size(line), [&](int column, int row) { return Vec3{at(line, column), at(line, row), 0}; });
}

RawMesh generate(const TableWorld& world) {
    const std::vector<double> rows = grid_line(world.side, world.cells);
    require_positive(world.height, "height");
    if (!(std::abs(world.wall) < 0.5 * world.side))
        throw InputError(fmt::format("`wall` is {}, but must lie between {} and {}", world.wall, -0.5 * world.side, 0.5 * world.side));

    // The profile in x and z, from the plateau down the wall and over the floor: extruded along y it is one sheet.
    const double cell = world.side / world.cells;
    const auto whole_cells = [&](double length) { return static_cast<int>(std::clamp(std::round(length / cell), 1.0, 1.0 * most_cells)); };
    std::vector<double> x;
    std::vector<double> z;
    append_line(-0.5 * world.side, world.wall, whole_cells(world.wall + 0.5 * world.side), x);
    z.assign(x.size(), world.height);
    append_line(world.height, 0, whole_cells(world.height), z);
    x.resize(z.size(), world.wall);
    append_line(world.wall, 0.5 * world.side, whole_cells(0.5 * world.side - world.wall), x);
    z.resize(x.size(), 0);
    return sheet(size(x), size(rows), [&](int column, int row) { return Vec3{at(x, column), at(rows, row), at(z, column)}; });
}

RawMesh generate(const GutterWorld& world) {
    require_positive(world.half_width, "half_width");
    require_positive(world.flat_length, "flat_length");
    require_positive(world.inclined_length, "inclined_length");
    require_positive(world.incline, "incline");
    require_positive(world.side_slope, "side_slope");
    require_positive(world.cell, "cell");
    require_positive(world.wall_height, "wall_height");
    const auto cells = [&](double length) {
        const double count = std::max(1.0, std::round(length / world.cell));
        require_cells(count, "cell");
        return static_cast<int>(count);
    };

    // One more row and column of points around the channel carries the top of the walls, a little outwards: a steep wall, not a vertical
    // one, so that the corners are facets as well.
    const double top = world.side_slope * world.half_width + world.incline * world.inclined_length + world.wall_height;
    const double run = 0.05 * world.wall_height;
    std::vector<double> x{-world.half_width - run};
    append_line(-world.half_width, 0, cells(world.half_width), x);
    append_line(0, world.half_width, cells(world.half_width), x);
    x.push_back(world.half_width + run);
    std::vector<double> y{-world.flat_length - run};
    append_line(-world.flat_length, 0, cells(world.flat_length), y);
    append_line(0, world.inclined_length, cells(world.inclined_length), y);
    y.push_back(world.inclined_length + run);
    return sheet(size(x), size(y), [&](int column, int row) {
        const double px = at(x, column);
        const double py = at(y, row);
        const bool is_wall = column == 0 || row == 0 || column + 1 == size(x) || row + 1 == size(y);
        return Vec3{px, py, is_wall ? top : world.side_slope * std::abs(px) + world.incline * std::max(py, 0.0)};
    });
}

RawMesh generate(const PitWorld& world) {
    require_positive(world.radius, "radius");
    require_positive(world.depth, "depth");
    require_positive(world.peak, "peak");
    if (!(world.rim > world.peak) || !std::isfinite(world.rim))
        throw InputError(fmt::format("`rim` is {}, but must be higher than `peak`, {}", world.rim, world.peak));

    // Rings of 1, 3, 6 and 12 points. Lip and peaks are irregular, so that no two sides of the pit are alike.
    constexpr double turn[3] = {0.0, 0.07, -0.05};                // of the lip's points out of a regular triangle, rad
    constexpr double lip[3] = {0.06, -0.04, 0.02};                // their heights, of the depth
    constexpr double peak[6] = {1.0, 0.55, 0.85, 0.6, 0.9, 0.5};  // heights of the peaks and of the saddles between them
    RawMesh mesh;
    mesh.vertices.push_back({0, 0, -world.depth});
    const auto add = [&](double radius, double angle, double z) {
        mesh.vertices.push_back({radius * std::cos(angle), radius * std::sin(angle), z});
    };
    constexpr double pi = std::numbers::pi;
    for (int k = 0; k < 3; ++k) add(world.radius, 2 * pi * k / 3 + turn[k], lip[k] * world.depth);
    for (int k = 0; k < 6; ++k) add(2 * world.radius, pi * k / 3, peak[k] * world.peak + lip[0] * world.depth);
    for (int k = 0; k < 12; ++k) add(3 * world.radius, pi * k / 6, world.rim + lip[0] * world.depth);

    for (int k = 0; k < 3; ++k) mesh.facets.push_back({0, 1 + k, 1 + (k + 1) % 3});
    // Between a ring of n points that starts at vertex `inner` and the next of 2 n, whose even points stand outside its own.
    const auto belt = [&](int inner, int outer, int n) {
        for (int k = 0; k < n; ++k) {
            const int here = inner + k;
            const int next = inner + (k + 1) % n;
            const int far = outer + (2 * k + 1) % (2 * n);
            mesh.facets.push_back({here, outer + 2 * k, far});
            mesh.facets.push_back({here, far, next});
            mesh.facets.push_back({next, far, outer + (2 * k + 2) % (2 * n)});
        }
    };
    belt(1, 4, 3);
    belt(4, 10, 6);
    return mesh;
}

RawMesh generate(const SpikeWorld& world) {
    const std::vector<double> line = grid_line(world.side, world.cells);
    require_positive(world.height, "height");
    if (!std::isfinite(world.rim)) throw InputError(fmt::format("`rim` is {}, but must be finite", world.rim));
    const DrawKey key{.seed = world.seed, .run = 0, .stream = world_stream};
    return sheet(size(line), size(line), [&](int column, int row) {
        const bool is_outer = column == 0 || row == 0 || column == world.cells || row == world.cells;
        const auto counter = static_cast<std::uint64_t>(row) * static_cast<std::uint64_t>(size(line)) + static_cast<std::uint64_t>(column);
        const double z = is_outer ? world.rim : world.height * (random_uniform(key, counter) - 0.5);
        return Vec3{at(line, column), at(line, row), z};
    });
}

}  // namespace asperity::geometry
