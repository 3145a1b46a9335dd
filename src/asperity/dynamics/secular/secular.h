// Method secular: the slow evolution of bodies in contact, or in orbit, under tides and sunlight (YORP), to tidal lock.
//
//   K times stronger tides and sunlight over a K times shorter time do the same, as long as they change little in a turn               (1)
//   K = 2^k <= a I w^2 / Gamma,   w^2 = G (m_i + m_j) / (R_i + R_j)^3,  Gamma / I the largest tidal acceleration of a touching pair (2)
//
// Averaging by a change of scale: what is fast (turns, librations, rolling) runs as under `constraint`, with its steps; what is slow runs K
// times as fast, and the clock with it. The error is of order K Gamma / (I w^2) = a; `speed_up` sets K itself, and a result that is
// converged in K is that of the tides as they are. A power of two, so that clocks scale without rounding.
// The law constant-angle switches where a body is synchronous: it follows a libration of amplitude below K Gamma / (I w^2), so that a
// libration is not damped below that.
//
// Ends as `locked` where every spin is within 1e-3 of the rate of the ground state, and the energy within 1e-3 of its own; under sunlight,
// which goes on for ever, it does not. The spin of a body that comes there is an event of kind lock. Begin it after the last collision:
// touches are carried, but at the wrong time.
// Source: averaging, Sanders, Verhulst, Murdock (2007), 2.8; 3-ternary 5.3. docs/theory/ternary.md
#pragma once
#include "asperity/dynamics/method.h"

namespace asperity::dynamics {

extern const MethodEntry secular;

// K of (2), or the power of two next to phase.speed_up where that is given.
double secular_speed_up(const model::Parameters& world, const model::Phase& phase);

}  // namespace asperity::dynamics
