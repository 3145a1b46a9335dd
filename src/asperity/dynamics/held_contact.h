// One contact of a step of rigid contact (rigid_steps.h): its rows of the Delassus operator, its laws, its impulse, and these laws solved
// for it alone, all other impulses as they are.
//
//   u' = u + h J a + W p                                   u, u': relative velocities at the contacts before and after          (1)
//   0 <= p_n  _|_  u'_n + e u_n >= 0   where u_n < 0;      0 <= p_n  _|_  u'_n + u_n >= 0   where u_n >= 0                      (2)
//   |p_t| <= f p_n,   against u'_t where it slips; u'_t = 0 where it holds                                                     (3)
//   |L across n| <= C R p_n,  |L . n| <= C_s R p_n,   against the relative spin after, likewise                                (4)
//
// (2) is Newton's restitution of what approaches, and lets what parts fall back no faster than it parts. So -p_n (u_n + u'_n) / 2, the heat
// of a normal impulse, is (1 - e) p_n |u_n| / 2 or zero: it is never negative, contact by contact, for any number of them with any
// coefficients; and (2) always has a solution, u' = -u satisfies it. With u'_n >= 0 in the place of the second part both fail: a ball
// between two walls, one of which it leaves, could not move. (3) and (4) are the laws of impacts of laws/contact/impact.h (5), (6), (6a),
// so that the same keys mean the same physics.
//
// Friction can change the normal speed where the normal does not pass through the centres. An impact of two bodies that touch nothing else
// then follows its friction and ends by the law of restitution of the pair (single_impact.h), before the forces of the step act, whose
// normal part its impulse takes up too. Where a body touches at several points at once there is no such path, and (2) can make energy (Kane
// and Levinson, 1985). But under restitution_law = "newton" a contact then bounces no faster than leaves its own balance at zero,
//   u'_n <= |u_n| - E / p_n,   E = p_t . (u_t + u'_t) + L . (W + W')   what friction and resistance do to the motion, twice      (5)
// as much restitution as energy allows.
//
// Bounces with e < 1 last 2 e |u_n| / (b (1 - e)) together, b the acceleration that presses. Where that is less than the step they are over
// in it,
//   e = 0   where   2 e |u_n| < (1 - e) h b,   h b = u_n - (u'_n - W_nn p_n)   what all but the contact itself changes          (6)
// so that what rests does not tremble. An elastic contact has no end of its bounces. Normal speeds up to ten
// tolerances of W_nn p_n, p_n that of the step before, are what its solve has left, and are not sent back: (2) is u'_n >= 0 there.
//
// Source: Moreau, Unilateral contact and dry friction (1988); Jean, CMAME 177 (1999) 235.
#pragma once
#include <optional>

#include "asperity/contact/contact_system.h"
#include "asperity/core/vec3.h"
#include "asperity/dynamics/coulomb_block.h"
#include "asperity/laws/contact/pair_law.h"
#include "asperity/model/state.h"

namespace asperity::dynamics {

// An impact of two bodies that touch nothing else.
struct Strike {
    Vec3 impulse;     // N s, in n, y, z
    double heat = 0;  // J, of its normal part
};

struct HeldContact {
    contact::Side a, b;
    contact::Row normal, along_y, along_z;
    CoulombBlock block;
    Vec3 n, y, z;
    double gap = 0;                // m, where it is found
    Vec3 before, after;            // m/s, relative velocity, in n, y, z; before the forces of the step
    Vec3 spin_before, spin_after;  // rad/s
    double speed = 0;              // m/s, the scale of its residual without that of its impulse
    bool is_quiet = false;         // its normal speed before is no more than solves leave
    bool is_jointed = false;       // a joint passes on what it gives
    bool is_alone = false;         // its bodies touch nothing else, and have no joints
    laws::RestitutionLaw restitution_law = laws::RestitutionLaw::stronge;
    double restitution = 0, friction = 0;
    double rolling = 0, spinning = 0;  // m, resistance times effective radius
    double turning = 0;                // 1/(kg m^2), of a relative spin
    Vec3 impulse;                      // N s, in n, y, z
    Vec3 torque;                       // N m s, world axes
    double least = 0;                  // N s, its normal impulse is no less: expansion (several_impacts.h)
    std::optional<Strike> strike;      // what strike_of() has said of it in this step

    bool bounces() const { return !is_quiet && before.x < 0 && restitution > 0; }
    bool resists_turning() const { return rolling > 0 || spinning > 0; }
    // m, over which a change of spin is one of velocity in its residual.
    double arm() const;
    // |u| + |u + h J a| + |W_kk P_k| + |h a| of both bodies, m/s: what changes are compared with.
    double scale() const { return speed + norm(block.times(impulse)); }
};

// J v of one contact, in n, y, z; of bodies as they move now.
Vec3 relative_velocity(const HeldContact& held, const model::Bodies& bodies);
Vec3 relative_spin(const HeldContact& held, const model::Bodies& bodies);

// M^-1 J^T p of one contact; the impulse in n, y, z.
void apply(const HeldContact& held, const Vec3& impulse, const Vec3& torque, model::Bodies& bodies);

// `a`, made no longer than `bound`.
Vec3 clipped_to(const Vec3& a, double bound);
// What (4) allows of a torque where a normal impulse presses.
Vec3 within_bounds(const HeldContact& held, const Vec3& torque, double pressing);

// t of coulomb_block.h, by (2) and (5), with these velocities at the contact.
double target_of(const HeldContact& held, const Vec3& velocity, const Vec3& spin);

// Takes its impulse `part` of the way to (3), (4) and a normal speed of at least `target`; by which the whole way would change its
// velocity, of the scale of the contact.
double visit(HeldContact& held, double target, double part, model::Bodies& bodies);
// The same with (2) and (5); by which the whole way would change its velocity, of the scale of the contact.
double visit(HeldContact& held, double part, model::Bodies& bodies);

// An impact of two bodies that touch nothing else, by single_impact.h, with the forces of the step. None for lasting contacts
// (those that approach no faster than forces bring them together in a step, and have no bounce), but where slip drives them into each other
// (Painleve's paradox: an impact without collision); none for balls and with resistance to turning, which (2) to (5) solve for.
std::optional<Strike> strike_of(const HeldContact& held, const model::Bodies& bodies);

// (6) with the impulses as they are; whether that was news.
bool completes_bounces(HeldContact& held, const model::Bodies& bodies);

// What a contact takes from its bodies, J.
struct HeldHeat {
    double impact = 0, friction = 0, rolling = 0;
};
HeldHeat heat_of(const HeldContact& held);

}  // namespace asperity::dynamics
