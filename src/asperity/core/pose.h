// The pose of a rigid body: position of its origin and orientation of its axes.
#pragma once
#include "asperity/core/quat.h"
#include "asperity/core/vec3.h"

namespace asperity {

struct Pose {
    Vec3 p;  // m
    Quat q;  // from the body's axes to those of the frame

    friend constexpr bool operator==(const Pose&, const Pose&) = default;
};

ASPERITY_HD constexpr Vec3 operator*(const Pose& pose, const Vec3& point) { return pose.p + rotate(pose.q, point); }
ASPERITY_HD constexpr Pose operator*(const Pose& outer, const Pose& inner) { return {outer * inner.p, outer.q * inner.q}; }

ASPERITY_HD constexpr Pose inverse(const Pose& pose) {
    const Quat back = conjugate(pose.q);
    return {-rotate(back, pose.p), back};
}

}  // namespace asperity
