// Primitive shapes, in their own axes: sphere, ellipsoid, box, cylinder, cone, capsule, half-space, marker. Convex hulls: hull.h.
#pragma once
#include "asperity/core/vec3.h"

namespace asperity::geometry {

struct Sphere {
    double radius = 0;  // m

    friend constexpr bool operator==(const Sphere&, const Sphere&) = default;
};

struct Ellipsoid {
    Vec3 semi_axes;  // m

    friend constexpr bool operator==(const Ellipsoid&, const Ellipsoid&) = default;
};

struct Box {
    Vec3 half;  // m, half the length of each edge

    friend constexpr bool operator==(const Box&, const Box&) = default;
};

// About z; the origin is in the middle.
struct Cylinder {
    double radius = 0;       // m
    double half_height = 0;  // m

    friend constexpr bool operator==(const Cylinder&, const Cylinder&) = default;
};

// About z, the apex above; the origin is the centre of mass, a quarter of the height above the base.
struct Cone {
    double radius = 0;  // m, of the base
    double height = 0;  // m

    friend constexpr bool operator==(const Cone&, const Cone&) = default;
};

// All points within `radius` of a segment along z, whose middle is the origin.
struct Capsule {
    double radius = 0;       // m
    double half_length = 0;  // m, of the segment; the capsule is longer by its radius at either end

    friend constexpr bool operator==(const Capsule&, const Capsule&) = default;
};

// Everything below the plane z = 0 of its own axes; the outward normal is z.
struct HalfSpace {
    friend constexpr bool operator==(const HalfSpace&, const HalfSpace&) = default;
};

// A single point of a body that may touch: a wheel, a leg, a foot.
struct Marker {
    friend constexpr bool operator==(const Marker&, const Marker&) = default;
};

}  // namespace asperity::geometry
