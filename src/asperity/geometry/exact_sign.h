// Exact geometric predicates: signs of determinants of points, for all coordinates whose products neither overflow nor underflow.
//
//   side(a, b, c, d) = sign (a - d) . ((b - d) x (c - d))      > 0: anticlockwise, seen from the side without d      (1)
//   turn(a, b, c)    = sign ((a - c) x (b - c))_z              > 0: anticlockwise                                  (2)
//
// Computed in doubles first; where that could have the wrong sign, again with sums of doubles that hold every digit. "Touch" has a meaning
// with exact signs only. Source: Shewchuk, Adaptive precision floating-point arithmetic and fast robust geometric predicates,
// Discrete & Computational Geometry 18 (1997): error bounds A of orient3d and orient2d; expansions.
#pragma once
#include "asperity/core/vec3.h"

namespace asperity::geometry {

struct Vec2 {
    double x = 0;
    double y = 0;
};

int side(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);
int turn(const Vec2& a, const Vec2& b, const Vec2& c);

// Whether two closed sets have a point in common, exactly. The triangle must have an area.
bool meets(const Vec3& from, const Vec3& to, const Vec3 (&triangle)[3]);

}  // namespace asperity::geometry
