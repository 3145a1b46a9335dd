#include "asperity/geometry/mass_properties.h"

#include <algorithm>

namespace asperity::geometry {
namespace {

struct Moments {
    double volume = 0;
    Vec3 first;  // volume times centre
};

Moments moments(const Vec3& a, const Vec3& b, const Vec3& c) {
    const double volume = dot(a, cross(b, c)) / 6;
    return {volume, 0.25 * volume * (a + b + c)};
}

}  // namespace

double area(const SurfaceMesh& mesh) {
    double sum = 0;
    for (const Facet& facet : mesh.facets) {
        const Vec3& a = mesh.vertices[static_cast<std::size_t>(facet.vertex[0])];
        const Vec3& b = mesh.vertices[static_cast<std::size_t>(facet.vertex[1])];
        const Vec3& c = mesh.vertices[static_cast<std::size_t>(facet.vertex[2])];
        sum += 0.5 * norm(cross(b - a, c - a));
    }
    return sum;
}

Vec3 mean_normal(const SurfaceMesh& mesh) {
    Vec3 sum;
    for (const Facet& facet : mesh.facets) {
        const Vec3& a = mesh.vertices[static_cast<std::size_t>(facet.vertex[0])];
        const Vec3& b = mesh.vertices[static_cast<std::size_t>(facet.vertex[1])];
        const Vec3& c = mesh.vertices[static_cast<std::size_t>(facet.vertex[2])];
        sum += 0.5 * cross(b - a, c - a);
    }
    return sum / area(mesh);
}

MassProperties mass_properties(const SurfaceMesh& mesh) {
    if (!mesh.is_closed) {
        const auto rim = std::count_if(mesh.edges.begin(), mesh.edges.end(), [](const Edge& edge) { return edge.facet[1] < 0; });
        throw InputError(
            fmt::format("the surface is open and bounds no volume: {} of its {} edges have one facet", rim, mesh.edges.size()));
    }
    const Vec3 middle = 0.5 * mesh.lower + 0.5 * mesh.upper;
    Moments sum;
    for (const Facet& facet : mesh.facets) {
        const auto corner = [&](int k) { return mesh.vertices[static_cast<std::size_t>(facet.vertex[k])] - middle; };
        const Moments part = moments(corner(0), corner(1), corner(2));
        sum.volume += part.volume;
        sum.first += part.first;
    }
    return {.area = area(mesh), .volume = sum.volume, .centre = middle + sum.first / sum.volume};
}

double signed_volume(const std::vector<Vec3>& vertices, const std::vector<Corners>& facets) {
    if (facets.empty()) return 0;
    const Vec3 origin = vertices[static_cast<std::size_t>(facets.front()[0])];
    double sum = 0;
    for (const Corners& facet : facets) {
        const auto corner = [&](std::size_t k) { return vertices[static_cast<std::size_t>(facet[k])] - origin; };
        sum += moments(corner(0), corner(1), corner(2)).volume;
    }
    return sum;
}

}  // namespace asperity::geometry
