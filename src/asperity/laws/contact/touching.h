// The ball, its motion and the contacts that it has at one time: what the laws of this folder are functions of. Impulses and heat per unit
// mass.
#pragma once
#include <cmath>

#include "asperity/laws/contact/normals.h"

namespace asperity::contact {

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
};

struct Impulses {
    Motion after;
    double normal[max_touching] = {};  // N_i, m/s
    Vec3 friction[max_touching];       // F_i, m/s
    Vec3 rolling;                      // L, m^2/s
    double heat_impact = 0;            // J/kg
    double heat_friction = 0;          // J/kg
    double heat_rolling = 0;           // J/kg
    bool is_converged = true;

    ASPERITY_HD double heat() const { return heat_impact + heat_friction + heat_rolling; }
};

ASPERITY_HD inline Vec3 slip(const Motion& m, const Vec3& n, double radius) { return m.v - radius * cross(m.w, n); }

ASPERITY_HD inline Vec3 clipped(const Vec3& a, double limit) {
    const double length = norm(a);
    return length > limit ? (limit / length) * a : a;
}

ASPERITY_HD inline double kinetic(const Motion& m, const BallShape& b) {  // J/kg
    return 0.5 * squared_norm(m.v) + 0.5 * b.inertia_factor * b.radius * b.radius * squared_norm(m.w);
}

}  // namespace asperity::contact
