// Solid shapes of a body or of a collider, beside sphere and ellipsoid: box, cylinder, cone, capsule, convex hull.
#pragma once
#include <vector>

#include "asperity/core/describe.h"
#include "asperity/core/units.h"
#include "asperity/core/vec3.h"
#include "asperity/scenario/bounds.h"

namespace asperity::scenario {

struct BoxShape {
    Vec3 edges;  // m
};

// Radius and length along the axis, z.
struct Round {
    double radius = 0;  // m
    double height = 0;  // m
};

struct CylinderShape {
    Round size;
};

struct ConeShape {
    Round size;
};

struct Straight {
    double radius = 0;  // m
    double length = 0;  // m, between the centres of its round ends
};

struct CapsuleShape {
    Straight size;
};

struct HullShape {
    std::vector<Vec3> points;  // m
};

template <class Visitor>
void describe(Visitor& v, BoxShape& s) {
    v.required("box", s.edges, si::metre, above_up_to(0, 1e12),
               "Full lengths of the edges of a box along its own axes; the origin is its middle.");
}

template <class Visitor>
void describe(Visitor& v, Round& r) {
    v.required("radius", r.radius, si::metre, above_up_to(0, 1e12), "Radius; of a cone, that of its base.");
    v.required("height", r.height, si::metre, above_up_to(0, 1e12), "Full height, along z.");
}

template <class Visitor>
void describe(Visitor& v, CylinderShape& s) {
    v.section("cylinder", s.size, "A cylinder about its z-axis; the origin is its middle.");
}

template <class Visitor>
void describe(Visitor& v, ConeShape& s) {
    v.section("cone", s.size,
              "A cone about its z-axis, apex above; the origin is its centre of mass, a quarter of the height above the base.");
}

template <class Visitor>
void describe(Visitor& v, Straight& s) {
    v.required("radius", s.radius, si::metre, above_up_to(0, 1e12), "Radius of the cylinder and of its round ends.");
    v.required("length", s.length, si::metre, above_up_to(0, 1e12), "Length of the straight part; the capsule is longer by two radii.");
}

template <class Visitor>
void describe(Visitor& v, CapsuleShape& s) {
    v.section("capsule", s.size, "A cylinder about its z-axis with round ends; the origin is its middle.");
}

template <class Visitor>
void describe(Visitor& v, HullShape& s) {
    v.required("hull", s.points, si::metre, lengths, "Points whose convex hull is the shape: four or more that do not lie in one plane.");
}

}  // namespace asperity::scenario
