// Splitting steps on arrays of bodies: kicks (velocity from force) and drifts (position from velocity).
//
// Velocity Verlet:  v += (h/2) a(p);  p += h v;  v += (h/2) a(p)                                                (1)
//
// Order 2, symplectic and reversible for a(p) from a potential: the energy error stays bounded. With a force that depends on velocity (1)
// is neither, and of order 1: methods that carry such forces refuse it.
// Source: Swope et al., J. Chem. Phys. 76 (1982) 637.
#pragma once
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

}  // namespace asperity::numerics
