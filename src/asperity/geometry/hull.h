// Convex hulls of points: vertices, plane faces with outward unit normals, edges with their two faces; immutable once made.
//
// Built by the incremental method: a tetrahedron of extreme points, then point after point, each replacing the faces that it sees. A point
// that lies on the hull to within 1e-12 of its size changes nothing, and neighbouring facets whose vertices lie in one plane to within
// 1e-11 of the size are one face: a box written down with rounded corners has six faces. Vertices keep the order of the points.
// Cost: O(n f), for hulls that are written down. Source: Preparata and Shamos, Computational Geometry (1985), 3.4.
#pragma once
#include <cstdint>
#include <vector>

#include "asperity/core/vec3.h"

namespace asperity::geometry {

inline constexpr std::size_t most_hull_corners = 64;  // of a face: contact manifolds are clipped in arrays of this size

struct HullEdge {
    std::int32_t vertex[2] = {-1, -1};  // face[0] runs from the first to the second
    std::int32_t face[2] = {-1, -1};

    friend constexpr bool operator==(const HullEdge&, const HullEdge&) = default;
};

struct Hull {
    std::vector<Vec3> vertices;             // m
    std::vector<Vec3> normals;              // of the faces, unit, outward
    std::vector<std::int32_t> face_begin;   // corners of face f: corners[face_begin[f]] up to [face_begin[f + 1] - 1],
    std::vector<std::int32_t> corners;      //   anticlockwise seen from outside
    std::vector<std::int32_t> corner_edge;  // the edge from that corner to the next one
    std::vector<HullEdge> edges;

    std::size_t faces() const { return normals.size(); }
    friend bool operator==(const Hull&, const Hull&) = default;
};

// Throws InputError where there are fewer than four points, one is not finite, they lie in one plane (to within 1e-9 of their size), or a
// face has more than most_hull_corners corners.
Hull make_hull(const std::vector<Vec3>& points);

}  // namespace asperity::geometry
