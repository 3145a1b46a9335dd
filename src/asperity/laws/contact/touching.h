// The ball, its motion and its simultaneous contacts: the arguments of the laws in this folder. Impulses and heat are per unit mass.
#pragma once
#include <cmath>

#include "asperity/laws/contact/normals.h"

namespace asperity::laws {

// The parts of (1)-(6) of impact.h that stay fixed during one solve.
struct Touching {
    int count = 0;
    Vec3 normal[max_touching];
    double target[max_touching] = {};  // m/s
};

struct BallShape {
    double radius = 0;          // r, m
    double inertia_factor = 0;  // j
};

struct Motion {
    Vec3 v;  // m/s
    Vec3 w;  // rad/s
};

struct Limits {
    double friction = 0;  // f
    double rolling = 0;   // C
    double spinning = 0;  // C_s
};

struct Impulses {
    Motion after;
    double normal[max_touching] = {};  // N_i, m/s
    Vec3 friction[max_touching];       // F_i, m/s
    Vec3 rolling;                      // L, m^2/s, of rolling and spinning resistance
    double heat_impact = 0;            // J/kg
    double heat_friction = 0;          // J/kg
    double heat_rolling = 0;           // J/kg, of rolling and spinning resistance
    bool is_converged = true;

    ASPERITY_HD double heat() const { return heat_impact + heat_friction + heat_rolling; }
};

ASPERITY_HD inline Vec3 slip(const Motion& m, const Vec3& n, double radius) { return m.v - radius * cross(m.w, n); }

ASPERITY_HD inline Vec3 clipped(const Vec3& a, double limit) {
    const double length = norm(a);
    return length > limit ? (limit / length) * a : a;
}

// The torque within (6), (6a), or with several contacts (6b), of impact.h that comes closest to `wanted`. reach: r sum N.
ASPERITY_HD inline Vec3 clipped_torque(const Vec3& wanted, const Touching& touch, const Limits& limits, double reach) {
    if (touch.count != 1) return clipped(wanted, limits.rolling * reach);
    const Vec3& n = touch.normal[0];
    const Vec3 across = clipped(tangential(wanted, n), limits.rolling * reach);
    if (limits.spinning == 0) return across;
    const double most = limits.spinning * reach;
    return across + std::fmax(-most, std::fmin(most, dot(wanted, n))) * n;
}

ASPERITY_HD inline double kinetic(const Motion& m, const BallShape& b) {  // J/kg
    return 0.5 * squared_norm(m.v) + 0.5 * b.inertia_factor * b.radius * b.radius * squared_norm(m.w);
}

}  // namespace asperity::laws
