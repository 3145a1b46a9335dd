// Simultaneous collisions: the impulses between bodies that touch at one instant, with Newton's restitution and Coulomb friction. A is the
// Delassus operator.
//
//   u_k = n_k . (surface velocity of i - that of j),   u' = u + A f                                                     (1)
//   f >= 0,   u' + e_k min(u, 0) >= 0,   f . (u' + e min(u, 0)) = 0          all contacts at once                       (2)
//   A: the Delassus operator of the normals, contact/contact_system.h (1)                                               (3)
//   |t_k| <= mu f_k,   |q_k| <= C R_k f_k,   |s_k| <= C_s R_k f_k            friction; angular impulses across, about n  (4)
//
// (2) is Newton's law where a pair approaches, and keeps those that rest from being driven into each other. Friction t at the contact,
// rolling resistance q (of the relative spin across n; R = R_i R_j / (R_i + R_j)) and spinning resistance s (of that about n) are the ones
// of (4) that leave least kinetic energy, found by descent, one contact after the other: stick where (4) allows it, slip at the bound
// otherwise; energy cannot rise. Where a normal does not pass through both centres, friction changes the normal speed. Two bodies alone
// then follow the slip through the impact, which ends by restitution_law (single_impact.h). With several contacts (or resistance to
// turning) there is no such path: (2) and (4) are repeated in turn until both hold, unless Newton's law would so make energy (Kane, 1984),
// where the normal impulses are those without friction. Since friction of one contact can drive another pair together, (2) with e = 0 ends
// it. Impulses are equal and opposite at one point: linear and angular momentum do not change. Heat of an impulse is -impulse . (relative
// velocity before + after) / 2, which is what kinetic energy loses, to rounding; either body gets half.
//
// Limits: with friction and e = 1 a bounce still loses energy. At most 16 contacts at once. Source:
// 3-ternary 3.26 to 3.34; Moreau, Unilateral contact and dry friction (1988); Baraff (1994). docs/theory/ternary.md
#pragma once
#include <array>
#include <cstddef>
#include <span>

#include "asperity/contact/contact_system.h"
#include "asperity/dynamics/motion.h"
#include "asperity/numerics/complementarity.h"

namespace asperity::dynamics {

// A pair in touch: spheres or anything else with a common point and normal.
struct Contact {
    std::size_t i = 0;
    std::size_t j = 0;
    Vec3 normal;                  // unit, from j towards i
    Vec3 arm_i;                   // m, from the centre of i to the point
    Vec3 arm_j;                   // m
    double effective_radius = 0;  // m
};

Contact contact_of_spheres(const model::Parameters& world, const Motion& motion, std::size_t i, std::size_t j);
// The contact of two spheres or ellipsoids; `guess` is that of gap_of() in pair_gap.h.
Contact contact_of(const model::Parameters& world, const Motion& motion, std::size_t i, std::size_t j, const Vec3& guess = {});

// Velocity of the surface of i relative to that of j.
inline Vec3 slip_of(const Contact& c, const Motion& motion) {
    const BodyMotion &a = motion.bodies[c.i], &b = motion.bodies[c.j];
    return (a.v - b.v) + (cross(a.w, c.arm_i) - cross(b.w, c.arm_j));
}

// Relative normal velocity u of (1), positive where they separate; zero where it is only rounding error of the velocities.
double normal_speed(const Contact& contact, const Motion& motion);

// The rows of (3): along the normals, which pass through both centres of spheres.
void set_normals(const model::Parameters& world, std::span<const Contact> contacts, const Motion& motion, contact::ContactSystem& system);
inline contact::ContactSystem normal_system(const model::Parameters& world, std::span<const Contact> contacts, const Motion& motion) {
    contact::ContactSystem system;
    set_normals(world, contacts, motion, system);
    return system;
}

// The linear complementarity problem of these rows, with b left zero.
inline numerics::Complementarity normal_problem(const contact::ContactSystem& system) {
    return {.n = static_cast<int>(system.size()), .matrix = system.dense()};
}

struct Bounce {
    double speed_in = 0;      // m/s, -u before
    double speed_out = 0;     // m/s, u after
    double impulse = 0;       // N s, along the normal
    double heat = 0;          // J, of this contact, all causes
    bool is_resting = false;  // u = 0 after, and not by restitution
};
using Bounces = std::array<Bounce, numerics::most_contacts>;

// Resolves a simultaneous collision by (2) to (4), with one restitution e per contact. Changes velocities, spins and heat.
Bounces collide(const model::Parameters& world, std::span<const Contact> contacts, std::span<const double> restitution, Motion& motion);

// The slip and the relative spins that friction, rolling and spinning resistance of a held contact work against during a step.
struct Rubbing {
    Vec3 slip;       // unit; friction is at its bound against this slip. Zero: it brings slip and slip_lead to zero, as far as its bound
    Vec3 slip_lead;  // m/s
    Vec3 spin;       // unit; the same for rolling resistance and the relative spin across the normal
    Vec3 spin_lead;  // rad/s
    Vec3 drilling;   // unit; the same for spinning resistance and the relative spin about the normal
    Vec3 drilling_lead;  // rad/s
};
using Rubbings = std::array<Rubbing, numerics::most_contacts>;

// Applies friction, rolling and spinning resistance (4) to held contacts (u stays 0), within the Coulomb cones of these normal impulses;
// the normal impulse that one contact adds to another counts.
void rub(const model::Parameters& world, std::span<const Contact> contacts, std::span<const double> impulse, const Rubbings& aims,
         Motion& motion);

// The largest change of slip per tangential impulse, 1/kg (for spheres it is the same in every direction): an upper bound on the tangential
// block of the Delassus operator, with which descent along the slip converges in every direction.
double tangential_mobility(const model::Parameters& world, const Contact& contact);
// The same for the relative spin and an angular impulse, 1/(kg m^2).
double turning_mobility(const model::Parameters& world, const Contact& contact);

// Impulses, of either sign, that bring u of held contacts to zero; what kinetic energy loses is heat of that cause.
std::array<double, numerics::most_contacts> hold_speed(const model::Parameters& world, std::span<const Contact> contacts,
                                                       double BodyHeat::*cause, Motion& motion);

}  // namespace asperity::dynamics
