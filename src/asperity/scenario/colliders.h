// Converts the shape and colliders of a body to those of the model.
#pragma once
#include <cstdint>

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
    if (const auto* plane = shape.template get<HalfSpaceShape>()) out.pose = place * Pose{{}, attitude_of(*plane)};
    return out;
}

// Calls add(shape, pose, material by name) for all that touches of a body but for facets.
template <class Add>
void for_each_collider(const Body& body, const Add& add) {
    if (body.colliders.empty() && body.shape && !body.has_facets()) add(*body.shape, Pose{}, body.surface_material());
    for (const Collider& c : body.colliders) add(c.shape, Pose{c.position, rotation(c.attitude)}, body.material_of(c));
}

}  // namespace asperity::scenario
