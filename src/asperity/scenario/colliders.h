// Converts the shape and colliders of a body to those of the model.
#pragma once
#include <cstdint>

#include "asperity/geometry/solid.h"
#include "asperity/model/shape.h"
#include "asperity/scenario/body.h"

namespace asperity::scenario {

// The pose of a half-space through the origin with that outward normal.
Quat attitude_of(const HalfSpaceShape& half_space);

// A shape without facets, of a body or of a collider, at a place of the body.
template <class AnyShape>
model::Collider collider_of(const AnyShape& shape, const Pose& place, std::uint16_t material) {
    model::Collider out{.shape = model::HalfSpace{}, .pose = place, .material = material};
    if (const auto* sphere = shape.template get<SphereShape>()) out.shape = model::Sphere{sphere->radius};
    if (const auto* ellipsoid = shape.template get<EllipsoidShape>()) out.shape = model::Ellipsoid{ellipsoid->semi_axes};
    if (const auto* markers = shape.template get<MarkersShape>()) out.shape = model::Markers{markers->points};
    if (const auto* box = shape.template get<BoxShape>()) out.shape = model::Box{0.5 * box->edges};
    if (const auto* cylinder = shape.template get<CylinderShape>())
        out.shape = model::Cylinder{cylinder->size.radius, 0.5 * cylinder->size.height};
    if (const auto* cone = shape.template get<ConeShape>()) out.shape = model::Cone{cone->size.radius, cone->size.height};
    if (const auto* capsule = shape.template get<CapsuleShape>())
        out.shape = model::Capsule{capsule->size.radius, 0.5 * capsule->size.length};
    if (const auto* hull = shape.template get<HullShape>()) out.shape = geometry::make_hull(hull->points);
    if (const auto* plane = shape.template get<HalfSpaceShape>()) out.pose = place * Pose{{}, attitude_of(*plane)};
    return out;
}

// The homogeneous solid that a body is: of its shape, else of its colliders together. Needs Body::is_solid.
geometry::Solid solid_of(const Body& body);

// Calls add(shape, pose, material by name) for all that touches of a body but for facets.
template <class Add>
void for_each_collider(const Body& body, const Add& add) {
    if (body.colliders.empty() && body.shape && !body.has_facets()) add(*body.shape, Pose{}, body.surface_material());
    for (const Collider& c : body.colliders) add(c.shape, Pose{c.position, rotation(c.attitude)}, body.material_of(c));
}

}  // namespace asperity::scenario
