// The signed distance of a point from the ground.
#pragma once
#include <cmath>
#include <span>
#include <variant>

#include "asperity/core/vec3.h"
#include "asperity/geometry/closest.h"
#include "asperity/geometry/pairs/convex_half_space.h"
#include "asperity/model/shape.h"

namespace asperity::contact {

// m, at most `limit`; negative below the ground. surface_of(MeshShape) gives the view of a mesh.
template <class SurfaceOf>
double ground_height(std::span<const model::Collider> ground, const SurfaceOf& surface_of, const Vec3& point, double limit) {
    double least = limit;
    for (const model::Collider& collider : ground) {
        if (std::holds_alternative<model::HalfSpace>(collider.shape)) {
            least = std::fmin(least, geometry::touch(geometry::Marker{}, point, model::HalfSpace{}, collider.pose).gap);
            continue;
        }
        const auto* mesh = std::get_if<model::MeshShape>(&collider.shape);
        if (mesh == nullptr) {  // at least so high
            least = std::fmin(least, norm(point - collider.pose.p) - model::reach_of({collider.shape, {}, 0}));
            continue;
        }
        const geometry::SurfaceView& surface = surface_of(*mesh);
        const geometry::ClosestPoint near = geometry::nearest_within(surface, point, limit);
        if (!near.found()) continue;
        const bool is_below = dot(near.offset, geometry::feature_normal(surface, near.feature)) < 0;
        least = std::fmin(least, is_below ? -near.distance : near.distance);
    }
    return least;
}

}  // namespace asperity::contact
