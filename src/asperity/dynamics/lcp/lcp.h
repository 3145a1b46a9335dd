// Method lcp: rigid spheres in empty space; the forces of resting contacts come from Baraff's pivoting at every evaluation of the forces.
//
//   g'' = A f + b >= 0,   f >= 0,   f . g'' = 0          g: gaps of the pairs at rest on each other                       (1)
//
// This is the method that 3-ternary began with (3.4.1, appendix A), and left: its energy grows. Touches are impulses at located times and
// partings are decided as under `constraint`; what differs is that contacts are held by (1) alone. Nothing pulls g and g' back to zero:
// an error u of g' stays, g drifts as u t, and the contact force does the work f u on a pair that should do none; it goes on pushing across
// the gap that has opened, so that the gain grows faster than the square of time. LR -> ER of 3-ternary over 2e6 s, dopri5: gain over |E|
//   tolerance   1e-4: 0.59 (gaps 0.9 d)    1e-5: 0.040 (0.05 d)    1e-6: 3.4e-3 (4e-3 d)    1e-8: 1.1e-5    1e-10: 9e-9
// of which the work f u, summed over the steps, is 102, 103, 107, 125 and 230%: the rest is what dopri5 loses. With verlet it is all of it.
// Angular momentum errs by 0.005 at 1e-4: contact forces are central. The thesis's error, of the size of H itself, is not explained by (1);
// moving bodies back into touch after each step with velocities kept (it lists repositioning at collisions among its errors) makes 0.2 at
// 1e-4 and at 1e-5. That is not done here. The method is here to be compared with; `constraint` is the one to use.
//
// On the problems (1) of these runs the quadratic program of appendix A.1 (numerics::projection) gives the same forces to 4e-16. Three
// spheres: 1.8 pivots, 0.40 us, against 1.1 sweeps, 0.13 us; six that fall together, up to 12 contacts: 6 pivots, 3.5 us, against one
// sweep, 0.35 us. Contacts that all press are one linear solve for the one, and a solve for each of them for the other.
//
// Integrators: dopri5 (error over d and over the speed sqrt(G m / d), below the tolerance), and verlet with a fixed step (contact forces
// depend on velocity, so that it is neither symplectic nor of order 2 there). Refuses friction: the problem (1) has none.
// Source: Baraff, SIGGRAPH 1994; 3-ternary 4.2.1, Fig. 4.3, appendix A.
#pragma once
#include "asperity/dynamics/method.h"

namespace asperity::dynamics {

extern const MethodEntry lcp;

}  // namespace asperity::dynamics
