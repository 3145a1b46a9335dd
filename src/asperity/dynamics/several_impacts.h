// Restitution where bodies touch at several points at once: Poisson's hypothesis, and the bound of energy.
//
// Poisson (Glocker and Pfeiffer): two problems, one after the other, each with Coulomb's cone for its own impulses, c and x,
//   compression   0 <= c_n        _|_  u_n >= 0                                                                              (1)
//   expansion     0 <= x_n - e c_n  _|_  u_n >= 0            u: after it; so much comes back as was pressed in               (2)
// The impact of two bodies that touch nothing else follows its slip (single_impact.h) within (1), and has no part in (2).
//
// Energy. What bodies that are linked by contacts lose together, -sum P . (u + u') / 2, may not be below zero but under
// restitution_law = "newton". Without restitution it never is, contact by contact or not, so that restitution of those that would gain is
// halved until they do not, and left out after a few times. (5) of held_contact.h, which holds contact by contact, nearly always does.
//
// Source: Glocker and Pfeiffer, Nonlinear Dynamics 7 (1995) 471.
#pragma once
#include <vector>

#include "asperity/dynamics/impulse/contact_solve.h"
#include "asperity/dynamics/rigid_steps.h"

namespace asperity::dynamics {

class SeveralImpacts {
public:
    // The impulses of a step, from contacts that have been begun and velocities after its forces; the contacts are settled.
    Solved solve(const RigidSolver& solver, const StepTask& task, HeldContacts& contacts, model::Bodies& bodies);

private:
    Solved by_poisson(const StepTask& task, HeldContacts& contacts, model::Bodies& bodies);
    bool lessen_restitution(double part, double tolerance, std::span<HeldContact> contacts, std::size_t rows);

    struct Guess {
        Vec3 impulse, torque;
    };
    ContactSolve sweeps_;
    std::vector<Vec3> velocity_, spin_;    // before the impulses
    std::vector<Guess> guess_;             // of each contact
    std::vector<HeldContact> compressed_;  // after (1)
    std::vector<std::size_t> linked_;      // of each row: the least one of those that it is linked with
    std::vector<double> lost_, scale_;     // J, of each row that is the least one
};

}  // namespace asperity::dynamics
