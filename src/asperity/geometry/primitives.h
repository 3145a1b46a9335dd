// Primitive shapes, in their own axes: sphere, ellipsoid, half-space, marker.
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

// Everything below the plane z = 0 of its own axes; the outward normal is z.
struct HalfSpace {
    friend constexpr bool operator==(const HalfSpace&, const HalfSpace&) = default;
};

// A single point of a body that may touch: a wheel, a leg, a foot.
struct Marker {
    friend constexpr bool operator==(const Marker&, const Marker&) = default;
};

}  // namespace asperity::geometry
