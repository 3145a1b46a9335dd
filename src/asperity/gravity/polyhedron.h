// Exact gravity of a homogeneous polyhedron: potential, attraction, gradient and Laplacian, everywhere, for G rho = 1.
//
//   U       =  1/2 sum_e r.E r L - 1/2 sum_f h^2 w            m^2                                     (1)
//   grad U  =     - sum_e E r L  +  sum_f h n w               m                                       (2)
//   grad^2 U =      sum_e E L    -  sum_f n n w               1                                       (3)
//   lap U   =                    -  sum_f w                   1: 0 outside, -4 pi inside              (4)
//   E = n m + n' m',   L = ln((a + b + l) / (a + b - l)),   tan(w / 2) = 4 A h / ((a+b)(b+c)(c+a) - a l_a^2 - b l_b^2 - c l_c^2)
//
//   r  from the point to the edge (any point of it), m       n, n'  outward normals of the edge's facets; m, m' across the edge in them
//   h  n . r, from the point to the plane of the facet, m    a, b, c  distances to the corners, m; l side opposite to a, b, c or the edge
//   w  solid angle of the facet, signed as h                 A  area of the facet, m^2
//
// Multiply by G rho; for a body k times as large evaluate at p / k and multiply by k^2, k, 1, 1.
// On the surface: (1) and (2) are continuous. A facet that the point lies in counts w = 0, so that (4) is minus the solid angle of the
// inside as seen from the point: -2 pi on a facet. (3) jumps across facets (given: the mean of the sides) and grows like a logarithm
// towards an edge; on an edge or corner its own L is left out, there (3) is finite but means nothing.
//
// Accuracy: 1e-12 of the value, also at any distance from facets, edges and corners, up to 10 radii (measured: docs/theory). Where a
// double would lose digits (close to an edge, or to the plane inside a facet) L and w are computed in 113 bits.
// Source: Werner and Scheeres, Celest. Mech. Dyn. Astron. 65 (1997); w in side lengths: from Van Oosterom and Strackee, IEEE TBME 30
// (1983).
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "asperity/core/vec3.h"
#include "asperity/geometry/mesh.h"
#include "asperity/gravity/simd_math.h"

namespace asperity::gravity {

// A symmetric matrix.
struct Sym3 {
    double xx = 0;
    double yy = 0;
    double zz = 0;
    double xy = 0;
    double xz = 0;
    double yz = 0;
};

// For G rho = 1.
struct FieldValue {
    double potential = 0;  // m^2, positive: the attraction is its gradient
    Vec3 acceleration;     // m
    Sym3 gradient;         // of the acceleration
    double laplacian = 0;
};

class PolyhedronGravity {
public:
    // Throws InputError where the surface is open: it bounds no solid.
    explicit PolyhedronGravity(const geometry::SurfaceMesh& mesh);

    // Four edges or facets at a time. The gradient comes almost free: nearly all the time goes into L and w.
    FieldValue evaluate(const Vec3& p) const;

    // Four points at a time, on all cores: the way for many points. A value depends on its point alone, not on its place among the
    // others nor on threads; it differs from that of `evaluate` by rounding, since the sums run in another order.
    void evaluate_many(std::span<const Vec3> points, std::span<FieldValue> values) const;

    // Four vertices, edges, facets side by side; the last block is filled up with ones that count nothing.
    struct VertexBlock {
        Double4 x, y, z;  // m
    };
    struct EdgeBlock {
        Double4 length;           // m
        Double4 coefficients[9];  // of L: E.xx yy xy xz yz (its trace is zero), E q, q.E q; q from the centre to the edge
        std::int32_t vertex[2][4];
    };
    struct FacetBlock {
        Double4 normal[3];
        Double4 corner[3];   // of vertex[0], m
        Double4 four_areas;  // m^2
        Double4 sides[3];    // squared length of the side opposite to vertex[k], m^2
        std::int32_t vertex[3][4];
    };

    // What the sums run over.
    struct Tables {
        Vec3 centre;  // m, of the bounding box: sums that are expanded about it lose no digits for a body far from the origin
        std::vector<VertexBlock> vertices;
        std::vector<EdgeBlock> edges;
        std::vector<FacetBlock> facets;
    };

private:
    Tables tables_;
};

}  // namespace asperity::gravity
