#include "asperity/geometry/surface_distance.h"

#include <algorithm>
#include <cmath>

#include "asperity/core/parallel.h"
#include "asperity/geometry/closest.h"

namespace asperity::geometry {
namespace {

struct Sums {
    double area = 0;
    double squares = 0;
    double largest = 0;
};
Sums operator+(const Sums& a, const Sums& b) { return {a.area + b.area, a.squares + b.squares, std::max(a.largest, b.largest)}; }

}  // namespace

SurfaceDistance surface_distance(const SurfaceMesh& from, const SurfaceMesh& to) {
    const SurfaceView view = to.view();
    const Sums sums = reduce_blocks(from.facets.size(), 256, Sums{}, [&](std::size_t begin, std::size_t end) {
        Sums part;
        for (std::size_t f = begin; f < end; ++f) {
            const auto corner = [&](int k) { return from.vertices[static_cast<std::size_t>(from.facets[f].vertex[k % 3])]; };
            const double area = 0.5 * norm(cross(corner(1) - corner(0), corner(2) - corner(0)));
            double squares = 0;
            for (int k = 0; k < 3; ++k) {
                const double middle = nearest(view, 0.5 * (corner(k) + corner(k + 1))).distance;
                squares += middle * middle / 3;
                part.largest = std::max({part.largest, middle, nearest(view, corner(k)).distance});
            }
            part.area += area;
            part.squares += area * squares;
        }
        return part;
    });
    return {.rms = std::sqrt(sums.squares / sums.area), .largest = sums.largest};
}

}  // namespace asperity::geometry
