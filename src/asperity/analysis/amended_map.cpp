#include "asperity/analysis/amended_map.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <optional>
#include <utility>

#include "asperity/core/parallel.h"

namespace asperity::analysis {
namespace {

using std::numbers::pi;

// Where the radial acceleration along a ray goes from inwards to outwards, between two radii where it has these signs.
template <class F>
double crossing(double low, double high, const F& radial) {
    double below = radial(low), above = radial(high);
    for (int i = 0; i < 60 && high - low > 1e-9 * high; ++i) {
        // regula falsi, with every third step a halving so that neither end sticks
        const double part = i % 3 == 2 ? 0.5 : std::clamp(-below / (above - below), 0.05, 0.95);
        const double middle = low + part * (high - low), value = radial(middle);
        (value < 0 ? low : high) = middle;
        (value < 0 ? below : above) = value;
    }
    return 0.5 * (low + high);
}

}  // namespace

AmendedMap amended_map(const SteadyField& field, const IsInside& is_inside, double half_width, int side) {
    AmendedMap map{.half_width = half_width, .side = side, .values = {}};
    const auto count = static_cast<std::size_t>(side);
    map.values.resize(count * count);
    parallel_blocks(count, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row < end; ++row)
            for (std::size_t column = 0; column < count; ++column) {
                const auto at = [&](std::size_t k) { return half_width * (2 * static_cast<double>(k) / (side - 1) - 1); };
                const Vec3 p = field.from_orbit({at(column), at(row), 0});
                map.values[row * count + column] = is_inside(p) ? std::numeric_limits<double>::quiet_NaN() : field.potential(p);
            }
    });
    return map;
}

std::vector<Vec3> ridge_line(const SteadyField& field, const IsInside& is_inside, int longitudes) {
    std::vector<std::optional<Vec3>> found(static_cast<std::size_t>(longitudes));
    const double radius = field.synchronous_radius();
    parallel_blocks(found.size(), 1, [&](std::size_t k, std::size_t) {
        const double angle = 2 * pi * static_cast<double>(k) / longitudes;
        const Vec3 outward = field.to_orbit_axes({std::cos(angle), std::sin(angle), 0});
        const auto radial = [&](double r) {
            const Vec3 p = field.from_orbit(r * outward), a = field.acceleration(p);
            return dot(a, p - field.centre) / r;
        };
        double high = 2 * radius;
        while (!(radial(high) < 0)) {
            const double low = 0.9 * high;
            if (low < 0.2 * radius || is_inside(field.from_orbit(low * outward))) return;
            if (radial(low) < 0) {
                found[k] = crossing(low, high, radial) * outward;
                return;
            }
            high = low;
        }
    });
    std::vector<Vec3> line;
    for (const auto& point : found)
        if (point) line.push_back(*point);
    return line;
}

std::vector<std::vector<Vec3>> section(const geometry::SurfaceMesh& mesh) {
    using Edge = std::pair<std::int64_t, std::int64_t>;
    struct Piece {
        Edge next;
        Vec3 begin;
    };
    const auto is_above = [&](std::int64_t v) { return mesh.vertices[static_cast<std::size_t>(v)].z >= 0; };
    const auto place = [&](std::int64_t a, std::int64_t b) {
        const Vec3 &p = mesh.vertices[static_cast<std::size_t>(a)], &q = mesh.vertices[static_cast<std::size_t>(b)];
        return p + (p.z / (p.z - q.z)) * (q - p);
    };
    // A facet that meets the plane leads from the edge on which its border goes down to the one on which it comes up again.
    std::map<Edge, Piece> pieces;
    for (const geometry::Facet& facet : mesh.facets) {
        std::optional<Edge> down, up;
        for (std::size_t k = 0; k < 3; ++k) {
            const std::int64_t a = facet.vertex[k], b = facet.vertex[(k + 1) % 3];
            if (is_above(a) && !is_above(b)) down = Edge(std::min(a, b), std::max(a, b));
            if (!is_above(a) && is_above(b)) up = Edge(std::min(a, b), std::max(a, b));
        }
        if (down && up) pieces[*down] = {.next = *up, .begin = place(down->first, down->second)};
    }
    std::vector<std::vector<Vec3>> curves;
    while (!pieces.empty()) {
        std::vector<Vec3>& curve = curves.emplace_back();
        for (auto at = pieces.begin(); at != pieces.end();) {
            curve.push_back(at->second.begin);
            const Edge next = at->second.next;
            pieces.erase(at);
            at = pieces.find(next);
        }
    }
    return curves;
}

}  // namespace asperity::analysis
