// Rigid contact by time stepping at the level of velocities (Moreau and Jean), for any number of bodies, whatever solves for the impulses
// of a step.
//
// A step of h = step_max, from p, v, with the contacts found in its middle:
//   p_m = p + h/2 v                                     drift; bodies that are no spheres turn freely                        (1)
//   v'  = v + h a(p_m, v) + M^-1 J^T p                  forces and impulses at p_m; the solver                               (2)
//   p'  = p_m + h/2 v'                                  so that p' - p = h (v + v') / 2                                      (3)
//
// Few bodies that touch nothing fly to their next touch instead (flight.h), and the impact there is one of that instant, without forces.
// Without flights (1) to (3) are the leapfrog, of order 2. Where contact lasts an impact happens in the middle of the step in which the
// overlap is seen: its time is off by up to h, and the place by up to h v: order 1. Several impacts within a step are one. Because places
// move by the mean velocity,
// - the work of a uniform field is what its potential loses, and that of an impulse -p . (u + u') / 2: the ledger closes to rounding;
// - with impulses at one point for both bodies at p_m, momentum and angular momentum stay to rounding.
// In a frame that turns, the Coriolis acceleration is that of the mean of v and v + h a: the implicit midpoint rule, in closed form. Bodies
// that are no spheres turn freely in inertial space.
//
// Overlap. A contact that is seen where its gap is negative at p_m is up to h v deep. What bounces leaves by itself. What stays is moved
// out by overlaps.h. So bodies at rest overlap by some h^2 a, and never lose contact by rounding. A solver that looks ahead takes contacts
// with gaps that can close within the step too.
//
// Joints are part of (2), joint_hold.h; they close after (3).
//
// Rest. All bodies are slower than a hundredth of the velocity that their contacts take from them in a step, h a at rest, centre and
// surface, for a hundred steps, in which what a thousandth of a moves would pass that. A group of many by its root mean square. The spin of
// a ball about the normal of its only contact does not count where nothing ends it. In worlds that fly the static problem must have a
// solution too, and bodies that are no balls may rock at up to 3 h a then.
#pragma once
#include <functional>
#include <memory>
#include <string>

#include "asperity/dynamics/held_contacts.h"
#include "asperity/dynamics/joint_hold.h"
#include "asperity/dynamics/method.h"

namespace asperity::dynamics {

// What a solver is asked for: the impulses of a step of h, to the tolerance of the phase, against these forces.
struct StepTask {
    double h = 0;  // s
    const model::Phase& phase;
    const SmoothWorld& smooth;
    JointHold& joints;
};

struct Solved {
    double residual = 0;  // relative; below the tolerance where it has converged
    bool has_converged = true;
    std::int64_t iterations = 0;  // that it took
};

struct RigidSolver {
    // Whether it takes contacts with a gap that can close within the step, beside those that overlap.
    bool looks_ahead = false;
    // Solves for the impulses of the contacts, and changes the velocities, which are those after the forces of the step.
    std::function<Solved(const StepTask& task, HeldContacts& contacts, model::Bodies& bodies)> solve;
    // The message of an end by a step that has not converged.
    std::function<std::string(std::size_t contacts, double residual, const model::Phase& phase)> why_stalled;
};

// What such steps do not carry, whatever solves for their impulses; empty: nothing. `name`: of the method.
std::string rigid_steps_refuse(const char* name, const model::Census& census, const model::Phase& phase);

std::unique_ptr<Method> rigid_steps(const model::Model& model, const model::Phase& phase, RigidSolver solver);

}  // namespace asperity::dynamics
