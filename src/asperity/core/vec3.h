// Three-dimensional vectors: plain data, host and device, no alignment tricks.
// Eigen was rejected here: its reductions on maps depend on alignment, and a law must compile for a GPU thread as it is.
#pragma once
#include <cmath>

#include "asperity/core/host_device.h"

namespace asperity {

struct Vec3 {
    double x = 0;
    double y = 0;
    double z = 0;

    ASPERITY_ALWAYS_INLINE ASPERITY_HD constexpr Vec3& operator+=(const Vec3& b) {
        x += b.x;
        y += b.y;
        z += b.z;
        return *this;
    }
    ASPERITY_ALWAYS_INLINE ASPERITY_HD constexpr Vec3& operator-=(const Vec3& b) {
        x -= b.x;
        y -= b.y;
        z -= b.z;
        return *this;
    }
    ASPERITY_ALWAYS_INLINE ASPERITY_HD constexpr Vec3& operator*=(double s) {
        x *= s;
        y *= s;
        z *= s;
        return *this;
    }
    friend constexpr bool operator==(const Vec3&, const Vec3&) = default;
};

ASPERITY_ALWAYS_INLINE ASPERITY_HD constexpr Vec3 operator+(Vec3 a, const Vec3& b) { return a += b; }
ASPERITY_ALWAYS_INLINE ASPERITY_HD constexpr Vec3 operator-(Vec3 a, const Vec3& b) { return a -= b; }
ASPERITY_ALWAYS_INLINE ASPERITY_HD constexpr Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
ASPERITY_ALWAYS_INLINE ASPERITY_HD constexpr Vec3 operator*(double s, Vec3 a) { return a *= s; }
ASPERITY_ALWAYS_INLINE ASPERITY_HD constexpr Vec3 operator*(Vec3 a, double s) { return a *= s; }
ASPERITY_ALWAYS_INLINE ASPERITY_HD constexpr Vec3 operator/(Vec3 a, double s) { return a *= 1 / s; }

ASPERITY_ALWAYS_INLINE ASPERITY_HD constexpr double dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
ASPERITY_ALWAYS_INLINE ASPERITY_HD constexpr Vec3 cross(const Vec3& a, const Vec3& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
ASPERITY_ALWAYS_INLINE ASPERITY_HD constexpr double squared_norm(const Vec3& a) { return dot(a, a); }
ASPERITY_ALWAYS_INLINE ASPERITY_HD double norm(const Vec3& a) { return std::sqrt(dot(a, a)); }
// a / |a|; the zero vector stays zero.
ASPERITY_ALWAYS_INLINE ASPERITY_HD Vec3 unit(const Vec3& a) {
    const double length = norm(a);
    return length > 0 ? a / length : Vec3{};
}
// The part of a that is perpendicular to the unit vector n.
ASPERITY_ALWAYS_INLINE ASPERITY_HD constexpr Vec3 tangential(const Vec3& a, const Vec3& n) { return a - dot(a, n) * n; }
ASPERITY_ALWAYS_INLINE ASPERITY_HD bool is_finite(const Vec3& a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }

}  // namespace asperity
