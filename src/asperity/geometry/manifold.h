// Contact manifolds of two convex bodies: up to four points that span the area in which they touch.
//
// Where the normal is that of a face, cap or base, that is the reference; what of the other body is nearest to lying flat on it (a face, a
// cap, a line of the side, a point) is the incident feature, clipped at the sides of the reference polygon. Each point that is left has its
// own gap over the reference plane. Lines that are parallel touch at both ends of what they share; everything else at one point.
// `part` names the corner of the incident feature, or the line and the side that cross: it stays the same from step to step.
// Reduction keeps the deepest point, the one farthest from it, and those that span the largest area on either side of both; ties go to the
// lowest part. A cap is a polygon of 16 corners: a point between it and the rim is still found, alone.
// Source: Gregorius, Game Developers Conference (2013, 2015); clipping: Sutherland and Hodgman, Comm. ACM 17 (1974) 32.
#pragma once
#include "asperity/geometry/convex_gap.h"
#include "asperity/geometry/pairs/touch_point.h"

namespace asperity::geometry {

inline constexpr int most_in_manifold = 4;
inline constexpr std::uint32_t single_part =
    0x0fffffff;  // of two bodies that touch at one point, in the middle of nothing that has a number
inline constexpr std::uint32_t part_of_second = 0x10000000;

// Fills out[0 .. 4) with points whose gap is below `margin`; returns how many. The normal is from b to a.
int manifold(const Convex& a, const Convex& b, double margin, TouchPoint* out);
int manifold(const Convex& a, const Convex& b, const ConvexGap& found, double margin, TouchPoint* out);

// Over the plane through `origin` with that outward unit normal: the low points (convex.h) whose gap is below `margin`.
int manifold_over_plane(const Convex& body, const Vec3& normal, const Vec3& origin, double margin, TouchPoint* out);

// Moves up to four of the points to the front; returns how many. All have about the same normal.
int reduced_manifold(TouchPoint* points, int count);

}  // namespace asperity::geometry
