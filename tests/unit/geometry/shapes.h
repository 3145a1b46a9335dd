// Meshes that the tests of this folder share.
#pragma once
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <utility>

#include "asperity/geometry/mesh.h"
#include "asperity/geometry/worlds.h"

namespace asperity::geometry::test {

// The cube [-1, 1]^3.
inline RawMesh cube() {
    RawMesh mesh;
    for (int k = 0; k < 8; ++k) mesh.vertices.push_back({k & 1 ? 1.0 : -1.0, k & 2 ? 1.0 : -1.0, k & 4 ? 1.0 : -1.0});
    mesh.facets = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                   {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    return mesh;
}

// Corners at the origin and at distance 1 along the axes.
inline RawMesh tetrahedron() { return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}}; }

// An octahedron, refined `level` times, projected onto the sphere of the given radii.
inline RawMesh ball(int level, double inner = 1, double outer = 1, unsigned seed = 1) {
    RawMesh mesh{{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}},
                 {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}}};
    for (int k = 0; k < level; ++k) {
        std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> middles;
        const auto middle = [&](std::int32_t a, std::int32_t b) {
            const auto [found, is_new] = middles.try_emplace(std::minmax(a, b), static_cast<std::int32_t>(mesh.vertices.size()));
            if (is_new)
                mesh.vertices.push_back(unit(mesh.vertices[static_cast<std::size_t>(a)] + mesh.vertices[static_cast<std::size_t>(b)]));
            return found->second;
        };
        std::vector<Corners> facets;
        for (const auto& [a, b, c] : mesh.facets) {
            const std::int32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
            facets.insert(facets.end(), {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}});
        }
        mesh.facets = facets;
    }
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> radius(inner, std::nextafter(outer, 2 * outer));
    for (Vec3& v : mesh.vertices) v *= radius(random);
    return mesh;
}

inline Vec3 random_point(std::mt19937_64& random, const Vec3& lower, const Vec3& upper) {
    std::uniform_real_distribution<double> u(0, 1);
    const double x = u(random), y = u(random), z = u(random);
    return {lower.x + x * (upper.x - lower.x), lower.y + y * (upper.y - lower.y), lower.z + z * (upper.z - lower.z)};
}

// A file of the shared data, beside the repository or where ASPERITY_DATA says; empty where there is none.
inline std::string data_file(const std::string& name) {
    const char* folder = std::getenv("ASPERITY_DATA");
    const std::filesystem::path data = folder != nullptr ? folder : ASPERITY_SOURCE_DIR "/../shared/data";
    const std::filesystem::path path = data / name;
    return std::filesystem::exists(path) ? path.string() : std::string{};
}

}  // namespace asperity::geometry::test
