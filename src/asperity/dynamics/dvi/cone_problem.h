// The impulses of all contacts of a step as a cone complementarity problem: Anitescu's convex relaxation of Coulomb's law (5-anchoring
// V-VI; docs/theory/dvi.md).
//
//   K_k = { |p_t| <= f p_n,  |L across n| <= C R p_n,  |L . n| <= C_s R p_n },   x_k = (p, L),   g_k = (u'_n + b_k, u'_t, w')   (1)
//   x in K,   g = W x + r in K*,   x . g = 0;      the minimum of x . W x / 2 + r . x over K                                  (2)
//
// u', w': relative velocity and spin after the step; K: the product of the cones of all contacts, K* its dual. Where it presses and slips,
// (2) is u'_n + b = f |u'_t| + C R |w'_t| + C_s R |w'_n|: what slips is parted, by which Coulomb's law and (2) differ. b asks for
//   lasting contacts   b = max(s / h, u_n, D - h b_0, 0)       s: gap, where it is above zero                                 (3)
//   bounces            b = D - e |u_n|, e |u_n| no more than energy allows (held_contact.h, 5)                                (4)
// D: the right hand side of what slips; at first by the law of the contact alone with all other impulses as they are (of lasting contacts
// no more than before the step), then, where that changes b, as the solution has it, and (2) is solved for again (the fixed point of Acary,
// Cadoux, Lemarechal and Malick, ZAMM 91 (2011) 155); b_0: the acceleration of forces that presses. s / h is the stabilisation of the
// paper, and takes it to the gap h D; D - h b_0 is its bound: a contact that slips is parted no faster than forces bring together in a
// step; at a gap of h D it is not. u_n: what parts falls back no faster than it parts. A gap is taken where it can close within the step;
// what would bounce there waits for its overlap. An impact of two bodies that touch nothing else is no part of the programme: its impulse
// is that of held_contact.h, strike_of().
//
// Energy. x . g = 0 makes the work of impulses on what forces leave, p . (u + u') / 2, at most -sum p_n b, without restitution never above
// zero. With restitution a bounce that makes energy nevertheless loses it (e = 0), and the problem is solved for anew.
#pragma once
#include <span>
#include <vector>

#include "asperity/dynamics/rigid_steps.h"

namespace asperity::dynamics {

class ConeSolvers;

// x_k: an impulse in n, y, z, and a torque along the axes of the world.
struct ConeImpulse {
    Vec3 linear;   // N s
    Vec3 angular;  // N m s
};

// One contact of (2). metric: an upper bound of its block of W, diagonal, by kind of impulse.
struct Cone {
    double friction = 0, rolling = 0, spinning = 0;  // f; m, resistance times effective radius
    double of_normal = 0, of_tangent = 0;            // 1/kg
    double of_torque = 0;                            // 1/(kg m^2)
    double b = 0;                                    // m/s
    bool takes_part = true;                          // else its impulse is given: zero, or that of an impact alone

    // The nearest point of the cone, in its metric.
    ConeImpulse nearest(const ConeImpulse& x, const Vec3& n) const;
};

// The cone of a contact, with b = 0. An upper bound of its block, by Gershgorin where it is not diagonal; twice that bounds it together
// with the torque.
Cone cone_of(const HeldContact& held);

class ConeProblem {
public:
    // Changes impulses and velocities, which are those after the forces of the step and the first guess.
    Solved solve(const StepTask& task, HeldContacts& contacts, ConeSolvers& solvers, model::Bodies& bodies);

private:
    void prepare(const StepTask& task, HeldContact& held, Cone& cone, model::Bodies& bodies);
    // The contact with its two bodies alone, and no impulse yet.
    HeldContact alone(const HeldContact& held, const model::Bodies& bodies);
    bool hold(const StepTask& task, std::span<const HeldContact> contacts, model::Bodies& bodies);
    bool revise(const StepTask& task, HeldContact& held, Cone& cone, model::Bodies& bodies);

    std::vector<Cone> cones_;
    model::Bodies two_;     // of alone(), hold()
    model::Bodies loaded_;  // velocities after the forces of the step
};

}  // namespace asperity::dynamics
