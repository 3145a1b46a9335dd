// The impulses of all contacts of a step, by projected Gauss-Seidel on the Delassus operator (contact/contact_system.h), with the laws of
// held_contact.h.
//
// One sweep visits all contacts in turn, alternately forwards and backwards: (2) and (3) exactly on their block (coulomb_block.h), then
// (4). What a visit changes is the residual of the natural map in the metric of that block; the solve has converged where all visits of a
// sweep change the velocity at their contact by less than the tolerance times |u| + |u + h J a| + |W_kk p_k| + |h a| of both bodies. The
// first guess are the impulses of the last step. Where contacts outnumber what holds them, impulses drift along a stress that moves
// nothing, by the same little at each sweep, until one of them opens or slips: every 20 sweeps they go on along their last change, as far
// as a geometric series says and no farther than to the first bound; no more where that has not helped. What has not converged after 100
// sweeps, or as many as cost the same, contracts slowly: an interior-point method on all contacts (interior_point.h) finds the impulses
// from nowhere, and sweeps go on from what it has found. It is tried again after twice as many. After 5000 sweeps visits go half of their
// way, since whole ones can chase each other. Cost of a sweep: O(contacts).
//
// Source: Jean, CMAME 177 (1999) 235; Acary and Brogliato, Numerical Methods for Nonsmooth Dynamical Systems (2008), 13.7.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "asperity/dynamics/held_contacts.h"
#include "asperity/dynamics/interior_point.h"
#include "asperity/dynamics/rigid_steps.h"

namespace asperity::dynamics {

class ContactSolve {
public:
    // Changes the velocities, which are those after the forces of the step and the first guess.
    Solved solve(const StepTask& task, HeldContacts& held_contacts, model::Bodies& bodies);

private:
    int first_interior(std::span<const HeldContact> contacts, const JointHold& joints, const model::Bodies& bodies);
    void leap(bool is_due, std::span<HeldContact> contacts, model::Bodies& bodies);

    InteriorPoint interior_;
    std::array<std::vector<Vec3>, 3> trail_;  // impulses and torques after sweeps, the last one at the end
    std::vector<Vec3> leap_;
};

}  // namespace asperity::dynamics
