// Unit quaternions q = w + x i + y j + z k; q_WB takes components from B to W.
#pragma once
#include "asperity/core/vec3.h"

namespace asperity {

struct Quat {
    double w = 1;
    double x = 0;
    double y = 0;
    double z = 0;

    friend constexpr bool operator==(const Quat&, const Quat&) = default;
};

ASPERITY_HD constexpr Quat operator*(const Quat& a, const Quat& b) {
    return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

ASPERITY_HD constexpr Quat conjugate(const Quat& q) { return {q.w, -q.x, -q.y, -q.z}; }

ASPERITY_HD inline Quat unit(const Quat& q) {
    const double s = 1 / std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return {s * q.w, s * q.x, s * q.y, s * q.z};
}

ASPERITY_HD constexpr Vec3 rotate(const Quat& q, const Vec3& a) {
    const Vec3 u{q.x, q.y, q.z};
    const Vec3 t = 2.0 * cross(u, a);
    return a + q.w * t + cross(u, t);
}

// The rotation by |angle| about angle / |angle|. sin(x/2)/x is even and smooth, so small angles need no special case but zero.
ASPERITY_HD inline Quat rotation(const Vec3& angle) {
    const double a = norm(angle);
    const double s = a > 0 ? std::sin(0.5 * a) / a : 0.5;
    return {std::cos(0.5 * a), s * angle.x, s * angle.y, s * angle.z};
}

}  // namespace asperity
