// Method impulse: rigid contact by time stepping at the level of velocities (Moreau and Jean), for any number of bodies.
//
// A step of h = step_max, from p, v, with the contacts that overlap in its middle:
//   p_m = p + h/2 v                                     drift; bodies that are no spheres turn freely                        (1)
//   v'  = v + h a(p_m, v) + M^-1 J^T p                  forces and impulses at p_m; contact_solve.h                          (2)
//   p'  = p_m + h/2 v'                                  so that p' - p = h (v + v') / 2                                      (3)
//
// In flight (1) to (3) are the leapfrog, of order 2. An impact happens in the middle of the step in which the overlap is seen: its time is
// off by up to h, and the place by up to h v: order 1. Several impacts within a step are one. Because places move by the mean velocity,
// - the work of a uniform field is what its potential loses, and that of an impulse -p . (u + u') / 2: the ledger closes to rounding;
// - with impulses at one point for both bodies at p_m, momentum and angular momentum stay to rounding.
// In a frame that turns, the Coriolis acceleration is that of the mean of v and v + h a: the implicit midpoint rule, in closed form.
//
// Overlap. A contact is seen where its gap is negative at p_m, thus up to h v deep. What bounces leaves by itself. What stays is moved out:
// contacts that press and are deeper than twice h W_nn p_n / 2, the way of what their own impulse has just taken, h^2 a / 2 of a ball at
// rest, are brought to that depth by the least motion, without velocity (projection: Acary, CMAME 256 (2013) 224). What it costs is taken
// from the heat of impacts, which had it from the fall over that depth. So bodies at rest overlap by some h^2 a, and never lose contact by
// rounding.
//
// Rest. All bodies are slower than a hundredth of the velocity that their contacts take from them in a step, h a at rest, centre and
// surface, for a hundred steps, in which what a thousandth of a moves would pass that. A group of many by its root mean square. The spin of
// a ball about the normal of its only contact does not count where nothing ends it.
#pragma once
#include "asperity/dynamics/method.h"

namespace asperity::dynamics {

extern const MethodEntry impulse;

}  // namespace asperity::dynamics
