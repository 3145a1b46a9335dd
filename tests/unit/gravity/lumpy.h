// Bodies and points that the tests of the fast field share.
#pragma once
#include <cmath>
#include <random>
#include <vector>

#include "asperity/geometry/icosphere.h"
#include "asperity/geometry/mesh.h"

namespace asperity::gravity::test {

// An icosphere with bumps and a longer axis, about 1 in radius, off the origin: 20 * 4^level facets.
inline geometry::SurfaceMesh lumpy(int level) {
    geometry::RawMesh raw = geometry::icosphere(level);
    for (Vec3& v : raw.vertices) {
        const double bump = 1 + 0.12 * std::sin(5 * v.x + 1) * std::sin(4 * v.y + 2) + 0.06 * std::sin(9 * v.z);
        v = bump * Vec3{1.3 * v.x, v.y, 0.8 * v.z} + Vec3{0.3, -0.2, 0.1};
    }
    return geometry::make_surface(std::move(raw));
}

struct PointDraw {
    const geometry::SurfaceMesh& mesh;
    std::mt19937_64 random{7};

    double uniform() { return std::uniform_real_distribution<double>(0, 1)(random); }

    // On a facet, a side or a corner (kind 0, 1, 2), then `height` along the normal of the facet.
    Vec3 near_surface(int kind, double height) {
        const geometry::Facet& facet = mesh.facets[random() % mesh.facets.size()];
        const auto corner = [&](int k) { return mesh.vertices[static_cast<std::size_t>(facet.vertex[k])]; };
        const double s = kind == 2 ? 0 : uniform(), t = kind > 0 ? 0 : (1 - s) * uniform();
        return corner(0) + s * (corner(1) - corner(0)) + t * (corner(2) - corner(0)) + height * facet.normal;
    }
};

// Where a lander may be: on facets, sides and corners, above them up to `highest` (log-uniform) and below them down to `deepest`.
inline std::vector<Vec3> points_around(const geometry::SurfaceMesh& mesh, int count, double highest, double deepest) {
    PointDraw draw{mesh};
    std::vector<Vec3> points;
    for (int i = 0; i < count; ++i) {
        const double heights[4] = {0, highest * std::pow(1e-6, draw.uniform()), -deepest * draw.uniform(), 1e-9 * highest};
        points.push_back(draw.near_surface(i % 3, heights[i / 3 % 4]));
    }
    return points;
}

}  // namespace asperity::gravity::test
