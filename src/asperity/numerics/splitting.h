// Splitting steps on arrays of bodies: kicks (velocity from force) and drifts (position from velocity).
//
// Velocity Verlet:  v += (h/2) a(p);  p += h v;  v += (h/2) a(p)                                                (1)
//
// Order 2, symplectic and reversible for a(p) from a potential: the energy error stays bounded. With a force that depends on velocity (1)
// is neither, and of order 1: methods that carry such forces refuse it, or make the kick an implicit one (dynamics/penalty/split.h).
// Source: Swope et al., J. Chem. Phys. 76 (1982) 637.
#pragma once
#include <initializer_list>
#include <span>

#include "asperity/core/vec3.h"

namespace asperity::numerics {

inline void kick(std::span<Vec3> velocity, std::span<const Vec3> acceleration, double h) {
    for (std::size_t i = 0; i < velocity.size(); ++i) velocity[i] += h * acceleration[i];
}

inline void drift(std::span<Vec3> position, std::span<const Vec3> velocity, double h) {
    for (std::size_t i = 0; i < position.size(); ++i) position[i] += h * velocity[i];
}

// One step; accelerations(position, acceleration) fills its second argument. On entry `acceleration` holds a(position), on return too.
template <class Accelerations>
void verlet_step(const Accelerations& accelerations, std::span<Vec3> position, std::span<Vec3> velocity, std::span<Vec3> acceleration,
                 double h) {
    kick(velocity, acceleration, 0.5 * h);
    drift(position, velocity, h);
    accelerations(std::span<const Vec3>(position), acceleration);
    kick(velocity, acceleration, 0.5 * h);
}

// Suzuki's composition: five steps S of a symmetric method of order 2 in the place of one,
//
//   S4(h) = S(p h) S(p h) S((1 - 4 p) h) S(p h) S(p h),   p = 1 / (4 - 4^(1/3))                                            (2)
//
// Order 4, symmetric, symplectic where S is; for every symmetric S, also of systems with forces that depend on velocity. Schemes for
// p'' = a(p) alone have smaller errors (Blanes and Moan, J. Comp. Appl. Math. 142 (2002) 313), but fall back to order 2 with such forces.
// One of the five steps goes backwards in time, as in every such scheme beyond order 2. Source: Suzuki, Phys. Lett. A 146 (1990) 319.
template <class Step>
void suzuki_step(const Step& step, double h) {
    constexpr double outer = 0.41449077179437573714;
    constexpr double inner = 1 - 4 * outer;
    for (const double part : {outer, outer, inner, outer, outer}) step(part * h);
}

// a += b, where `rest` carries what the sum before could not hold: a million small steps add up to rounding of one. Kahan (1965).
inline void add_compensated(Vec3& a, const Vec3& b, Vec3& rest) {
    const Vec3 add = b + rest, sum = a + add;
    rest = add - (sum - a);
    a = sum;
}

}  // namespace asperity::numerics
