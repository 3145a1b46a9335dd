// Torque-free rotation of one rigid body over a time h, by symplectic splitting.
//
//   turns about the principal axes 1, 2, 3, 2, 1 by h/2, h/2, h, h/2, h/2 times (J w)_k / J_k                               (1)
//
// J w in the world stays. Symmetric, of order 2, symplectic. Source: Dullweber, Leimkuhler and McLachlan, J. Chem. Phys. 107 (1997) 5840.
#pragma once
#include "asperity/dynamics/motion.h"

namespace asperity::dynamics {

// rotation() of core/quat.h for the small rotations of a step, without sine and cosine.
inline Quat small_turn(const Vec3& angle) {
    const double x = 0.25 * squared_norm(angle);  // (a / 2)^2
    if (x > 2.5e-3) return rotation(angle);
    const double s = 0.5 * (1 - x / 6 * (1 - x / 20 * (1 - x / 42 * (1 - x / 72))));
    const double c = 1 - x / 2 * (1 - x / 12 * (1 - x / 30 * (1 - x / 56)));
    return {c, s * angle.x, s * angle.y, s * angle.z};
}

// Turns about the body's first, second, third, second, first axis, J w in the world fixed. What w cannot hold of it goes to `remainder`: q
// is a unit to rounding only, by nearly the same from step to step, which adds up.
inline void turn_freely(const model::BodyKind& body, BodyMotion& motion, Vec3& remainder, double h) {
    const Vec3 momentum = spin_momentum(body, motion);
    const Vec3 of_remainder = spin_momentum(body, {.p = {}, .v = {}, .w = remainder, .q_WB = motion.q_WB});
    const Vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double moments[3] = {body.inertia.x, body.inertia.y, body.inertia.z};
    constexpr int order[5] = {0, 1, 2, 1, 0};
    Quat q = motion.q_WB;
    for (const int k : order) {
        const Vec3 axis = rotate(q, axes[k]);
        const double rate = dot(axis, momentum) / moments[k];
        q = small_turn((k == 2 ? h : 0.5 * h) * rate * axis) * q;
    }
    motion.q_WB = unit(q);
    motion.w = inverse_inertia_times(body, motion.q_WB, momentum);
    remainder = inverse_inertia_times(body, motion.q_WB, (momentum - spin_momentum(body, motion)) + of_remainder);
}

}  // namespace asperity::dynamics
