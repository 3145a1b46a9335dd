// Distance of two convex cores by the method of Gilbert, Johnson and Keerthi: the point v of A - B that is nearest to the origin.
//
//   w = support of A - B against v,   v . w / |v| <= distance <= |v|                                                       (1)
//   v <- nearest point of the simplex (v's and w) to the origin                                                            (2)
//
// A - B is the set of all differences a - b. (2) is solved feature by feature: a triangle gives v along its normal, from the height of the
// origin over its plane, an edge from its nearer end, so that v keeps its direction where the simplex is flat or the distance is small
// beside it; that is what sub-distances by determinants lose. The search ends where (1) closes to `gap_tolerance`, where w adds nothing,
// or where a tetrahedron holds the origin: the cores overlap (expansion.h). Polytopes end after finitely many steps, exact to rounding.
// Sources: Gilbert, Johnson, Keerthi, IEEE J. Robotics and Automation 4 (1988) 193; van den Bergen (2003) 4.3; on rounding of (2):
// Montanari, Petrinic, Barbieri, ACM Trans. Graphics 36 (2017) 30.
#pragma once
#include <array>

#include "asperity/geometry/convex.h"

namespace asperity::geometry {

// A point of A - B, and where it comes from.
struct Difference {
    Vec3 w;     // m, a - b
    Vec3 on_a;  // m
    Vec3 on_b;  // m
};

Difference difference(const Convex& a, const Convex& b, const Vec3& direction);  // the support of A - B

struct Simplex {
    int count = 0;
    std::array<Difference, 4> point;
    std::array<double, 4> weight{};  // of the nearest point
};

struct Nearest {
    bool overlaps = false;  // the simplex holds the origin, or is as near to it as rounding
    Vec3 apart;             // m, v
    double size = 0;        // m, of the coordinates: what rounding is measured by
    Simplex simplex;        // that v lies in
};

inline constexpr double gap_tolerance = 1e-9;  // relative; where a rim is near, Newton's method goes on from there (convex_gap.h)

Nearest nearest_of_cores(const Convex& a, const Convex& b);

}  // namespace asperity::geometry
