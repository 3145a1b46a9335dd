#include "asperity/scenario/colliders.h"

#include <cmath>
#include <type_traits>

namespace asperity::scenario {

// The shortest turn of z to the normal.
Quat attitude_of(const HalfSpaceShape& half_space) {
    const Vec3 n = unit(half_space.normal), axis = cross(Vec3{0, 0, 1}, n);
    if (axis == Vec3{}) return n.z > 0 ? Quat{} : Quat{0, 1, 0, 0};
    return rotation(std::atan2(norm(axis), n.z) * unit(axis));
}

namespace {

geometry::Solid solid_of(const model::Collider& collider) {
    const auto of_shape = [](const auto& shape) -> geometry::Solid {
        if constexpr (requires { geometry::solid(shape); }) return geometry::solid(shape);
        return {};
    };
    return geometry::placed(std::visit(of_shape, collider.shape), collider.pose);
}

}  // namespace

geometry::Solid solid_of(const Body& body) {
    if (body.shape) return solid_of(collider_of(*body.shape, Pose{}, 0));
    geometry::Solid sum;
    for (const Collider& c : body.colliders) {
        const geometry::Solid part = solid_of(collider_of(c.shape, Pose{c.position, rotation(c.attitude)}, 0));
        sum = sum.volume > 0 ? geometry::together(sum, part) : part;
    }
    return sum;
}

}  // namespace asperity::scenario
