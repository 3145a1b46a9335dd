// Method constraint: rigid bodies in empty space. Resting contacts are bilateral constraints of a symplectic integrator, and open where
// their force comes to zero (Signorini condition).
//
//   K(h/2) F(h/2) R(h) F*(h/2) K*(h/2)                                                                                 (1)
//
// R: RATTLE (rattle.h; with ellipsoids rigid_rattle.h), of order 2 (`verlet`) or, composed, 4 (`symplectic4`); pairs in touch stay so to
// rounding, and energy does not drift. K: tides and sunlight (kicks.h); K* is the same the other way round. F: friction and rolling
// resistance of the held contacts (collision.h), against the slip and with the contact forces of the state that F starts from; F* is its
// adjoint: against the slip and with the forces of the state that it leads to. Where a contact sticks F* leaves no slip, and F is the
// static friction, so that the slip is zero at both ends of the step and in its mean. (1) is symmetric, therefore of order 2 in friction
// whatever the order of R: with `symplectic4`, whose steps (2) follow the fourth root of the tolerance, the error of a slide falls with the
// square root of the tolerance. The step in which a slide ends errs by h^2 as well. F and K account for their heat to rounding, so that
// the energy error is that of R alone; F sets free and F* takes back some of it where a contact sticks. In tides (1) is of order 2 but for
// terms of second order in the tide itself (times tide over gravity: 1e-8 of a sphere's motion).
//
// A step that ends with an open pair overlapping, or with a held one pulled, is taken back and done again with the length at which the gap,
// or the force, is zero to rounding. A touch is an impulse (collision.h); a hop lower than bounce_end_height ends the bouncing. Which of
// the contacts at rest then hold is decided by the complementarity of their accelerations. Two touches closer in time than 1e-12 of the
// radii over the speed count as one.
//
// Overlaps that a phase of `penalty` before it leaves are taken out at its begin (hand_over.h). Checkpoints stand after every 64th step.
//
// Step: step_max where it is given, else (2); of N bodies the time t is that of the fastest pair in touch. Bodies that are all far apart
// have longer steps, by the motion that they have: 2^k h with the largest k >= 0 that (3) allows, a function of the state alone.
//   h = c t tolerance^(1/p),   t = sqrt((R_i + R_j)^3 / (G (m_i + m_j)))                                                 (2)
//   8 t 2^k <= sqrt(r^3 / (G (m_i + m_j))),  2 r / |v_i - v_j|  of all pairs,  1 / |w| of ellipsoids                       (3)
// c makes the energy error of the transitions of 3-ternary, over energy, about the tolerance. (3) begins at distances of six touching ones:
// nearer than that a constant step keeps energy without drift. Source: 3-ternary 3.3, 3.4; symmetric composition: Hairer, Lubich, Wanner,
// Geometric Numerical Integration (2006), II.3; contact search: Hairer, Norsett, Wanner, Solving ODEs I (1993), II.6.
// docs/theory/ternary.md
#pragma once
#include "asperity/dynamics/method.h"

namespace asperity::dynamics {

extern const MethodEntry constraint;

// h of (2), s: the step of bodies in touch.
double constraint_step(const model::Parameters& world, const model::Phase& phase);

}  // namespace asperity::dynamics
