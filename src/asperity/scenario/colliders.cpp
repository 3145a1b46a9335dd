#include "asperity/scenario/colliders.h"

#include <cmath>

namespace asperity::scenario {

// The shortest turn of z to the normal.
Quat attitude_of(const HalfSpaceShape& half_space) {
    const Vec3 n = unit(half_space.normal), axis = cross(Vec3{0, 0, 1}, n);
    if (axis == Vec3{}) return n.z > 0 ? Quat{} : Quat{0, 1, 0, 0};
    return rotation(std::atan2(norm(axis), n.z) * unit(axis));
}

}  // namespace asperity::scenario
