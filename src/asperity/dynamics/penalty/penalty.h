// Method penalty (soft spheres, DEM): bodies that overlap a little push each other apart, by the soft contact of laws/contact/soft.h.
//
// Integrators:
//   verlet       split.h (1), order 2; steps of step_max, or, where that is infinite, of the half-step controller of 3-ternary 4.2.2:
//                D = largest difference between one step h and two steps h/2, r in radii, v in radii per TU;
//                D > tolerance: again;  h <- 0.9 h (tolerance / D)^0.1, at most 2 h, at least h / 10                         (1)
//                Steps end where a pair touches or parts, with symplectic4 too, which the thesis's did not
//   symplectic4  Suzuki's composition of it, order 4; steps of step_max
//   dopri5       error-controlled, tolerance in the same units; a step ends where a pair touches, stops pressing or parts. A touch is
//                located by whole steps until the spring's energy there is below the tolerance times that of the approach,
//                k gap^2 <= tolerance m gap'^2                                                                               (2)
//   rk4, leapfrog  fixed_steps.cpp: explicit steps of step_max for any number of bodies, with ground; changes of contact are not located
//   dopri5 with ground or a field besides mutual gravity: general_dopri5.cpp, up to 64 bodies
// With verlet and symplectic4 positions and velocities are summed with compensation. What sums cannot hold is dropped after every
// `block` steps, and checkpoints stand only there: a run that goes on from one has the same bits.
//
// A pair that overlaps at the first instant, or touches at rest, is a contact from there on and no impact (soft_pairs.h). An impact tells
// the speed of approach where the pair touches.
//
// Modes of a contact: touching, where it is pressed together; parting (dopri5 only), where it overlaps still, but without force.
#pragma once
#include <cstdint>
#include <memory>

#include "asperity/dynamics/method.h"

namespace asperity::dynamics {

inline constexpr std::int64_t penalty_block = 4096;  // steps

extern const MethodEntry penalty;

std::unique_ptr<Method> make_penalty_by_splitting(const model::Model& model, const model::Phase& phase);       // splitting.cpp
std::unique_ptr<Method> make_penalty_by_fixed_steps(const model::Model& model, const model::Phase& phase);     // fixed_steps.cpp
std::unique_ptr<Method> make_penalty_by_general_dopri5(const model::Model& model, const model::Phase& phase);  // general_dopri5.cpp
std::unique_ptr<Method> make_penalty_by_dopri5(const model::Model& model, const model::Phase& phase);          // dopri5.cpp

}  // namespace asperity::dynamics
