// Shapes and colliders: the geometry with which a body touches. The materials decide the contact law (model/pair_laws.h).
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <variant>
#include <vector>

#include "asperity/core/pose.h"
#include "asperity/geometry/hull.h"
#include "asperity/geometry/primitives.h"

namespace asperity::model {

using geometry::Box;
using geometry::Capsule;
using geometry::Cone;
using geometry::Cylinder;
using geometry::Ellipsoid;
using geometry::HalfSpace;
using geometry::Hull;
using geometry::Sphere;

// Points of a body that touch, each by itself: wheels, legs.
struct Markers {
    std::vector<Vec3> points;  // m, in the axes of the collider

    friend bool operator==(const Markers&, const Markers&) = default;
};

// A triangle surface of the model: that of the ground, with the rocks that stand on it, or that of the companion (Model::surface).
struct MeshShape {
    std::uint16_t surface = 0;

    friend bool operator==(const MeshShape&, const MeshShape&) = default;
};

using Shape = std::variant<Sphere, Ellipsoid, Markers, HalfSpace, MeshShape, Box, Cylinder, Cone, Capsule, Hull>;

struct Collider {
    Shape shape;
    Pose pose;                   // in the axes of the body, or of the frame for colliders of the ground
    std::uint16_t material = 0;  // of a mesh, the material of facets without a patch

    friend bool operator==(const Collider&, const Collider&) = default;
};

// No point of the collider is farther from the origin of its body; infinite for what has no end.
inline double reach_of(const Collider& collider) {
    struct Reach {
        double operator()(const Sphere& s) const { return s.radius; }
        double operator()(const Ellipsoid& e) const { return std::max({e.semi_axes.x, e.semi_axes.y, e.semi_axes.z}); }
        double operator()(const Markers& m) const {
            double most = 0;
            for (const Vec3& point : m.points) most = std::fmax(most, norm(point));
            return most;
        }
        double operator()(const HalfSpace&) const { return HUGE_VAL; }
        double operator()(const MeshShape&) const { return HUGE_VAL; }
        double operator()(const Box& b) const { return norm(b.half); }
        double operator()(const Cylinder& c) const { return std::hypot(c.radius, c.half_height); }
        double operator()(const Cone& c) const { return std::fmax(0.75 * c.height, std::hypot(c.radius, 0.25 * c.height)); }
        double operator()(const Capsule& c) const { return c.half_length + c.radius; }
        double operator()(const Hull& h) const {
            double most = 0;
            for (const Vec3& point : h.vertices) most = std::fmax(most, norm(point));
            return most;
        }
    };
    return norm(collider.pose.p) + std::visit(Reach{}, collider.shape);
}

}  // namespace asperity::model
