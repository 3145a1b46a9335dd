// Triangle surfaces: vertices, edges and facets with adjacency, normals and a BVH; validated on construction, immutable afterwards.
//
// SurfaceMesh owns, SurfaceView points: the view is plain data, so that queries on it (closest.h) compile for a GPU thread.
// Facets are numbered as given. Edges are numbered by their vertex pairs (smaller index first, in lexicographic order).
//
// Pseudo-normals decide the side of a point whose nearest feature is an edge or a vertex: for an edge the mean of its facets'
// normals, for a vertex their mean weighted by the angle of each facet there.
// Source: Baerentzen and Aanaes, Signed distance computation using the angle weighted pseudonormal, IEEE TVCG 11 (2005).
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "asperity/core/vec3.h"
#include "asperity/geometry/bvh.h"
#include "asperity/geometry/raw_mesh.h"
#include "asperity/geometry/rock_view.h"

namespace asperity::geometry {

// Values are stored in records: append only.
enum class FeatureKind : std::int64_t { facet = 0, edge = 1, vertex = 2, rock = 3 };

struct Feature {
    FeatureKind kind = FeatureKind::facet;
    std::int32_t index = -1;

    friend constexpr bool operator==(const Feature&, const Feature&) = default;
};

struct Facet {
    std::int32_t vertex[3];
    std::int32_t edge[3];       // edge[k] joins vertex[k] and vertex[(k + 1) % 3]
    std::int32_t neighbour[3];  // the facet across edge[k], -1 at a rim
    Vec3 normal;                // unit, outward: vertices run anticlockwise seen from its tip
};

struct Edge {
    std::int32_t vertex[2];  // ascending
    std::int32_t facet[2];   // ascending; facet[1] = -1 at a rim
    Vec3 direction;          // unit, vertex[0] -> vertex[1]
    double length = 0;       // m
};

struct SurfaceView {
    const Vec3* vertices = nullptr;
    const Facet* facets = nullptr;
    const Edge* edges = nullptr;
    const BvhNode* nodes = nullptr;
    const std::int32_t* order = nullptr;               // facets, leaf by leaf
    const std::int32_t* vertex_facet_begin = nullptr;  // the facets at vertex v: vertex_facets[begin[v]] up to [begin[v + 1] - 1],
    const std::int32_t* vertex_facets = nullptr;       //   ascending
    const Vec3* edge_normals = nullptr;                // pseudo-normals, unit
    const Vec3* vertex_normals = nullptr;
    RockView rocks;  // that stand on it; none by default
    std::int32_t vertex_count = 0;
    std::int32_t facet_count = 0;
    std::int32_t edge_count = 0;
};

struct SurfaceMesh {
    std::vector<Vec3> vertices;  // m
    std::vector<Facet> facets;
    std::vector<Edge> edges;
    std::vector<std::int32_t> vertex_facet_begin;
    std::vector<std::int32_t> vertex_facets;
    std::vector<Vec3> edge_normals;
    std::vector<Vec3> vertex_normals;
    Bvh bvh;
    Vec3 lower;  // m, corners of the bounding box of all facets
    Vec3 upper;
    bool is_closed = false;  // no rim: it bounds a solid

    SurfaceView view() const;  // valid as long as the mesh stands where it is
};

// Throws InputError, with all that is wrong, for: no facets, indices out of range, vertices that are not finite, degenerate or repeated
// facets, edges with more than two facets, neighbours that wind against each other, a closed surface turned inside out.
SurfaceMesh make_surface(std::vector<Vec3> vertices, std::vector<std::array<std::int32_t, 3>> facets);
SurfaceMesh make_surface(RawMesh mesh);

// The same surface, k times as large.
SurfaceMesh scaled(const SurfaceMesh& mesh, double k);

}  // namespace asperity::geometry
