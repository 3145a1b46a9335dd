// The impulses of all contacts of a step, by projected Gauss-Seidel on the Delassus operator (contact/contact_system.h).
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
// so that the same keys mean the same physics. Friction can change the normal speed where the normal does not pass through the centres;
// Newton's law can then make energy (Kane and Levinson, 1985). A contact bounces no faster than leaves its own balance at zero,
//   u'_n <= |u_n| - E / p_n,   E = p_t . (u_t + u'_t) + L . (W + W')   what friction and resistance do to the motion, twice      (5)
// so that it does not: as much restitution as energy allows (in the spirit of Stronge, 1990, whose coefficient is that of the energy).
//
// Bounces with e < 1 last 2 e |u_n| / (b (1 - e)) together, b the acceleration that presses. Where that is less than the step they are over
// in it,
//   e = 0   where   2 e |u_n| < (1 - e) h b,   h b = u_n - (u'_n - W_nn p_n)   what all but the contact itself changes          (6)
// so that what rests does not tremble. An elastic contact has no end of its bounces. Normal speeds up to ten
// tolerances of W_nn p_n, p_n that of the step before, are what its solve has left, and are not sent back: (2) is u'_n >= 0 there.
//
// One sweep visits all contacts in turn, alternately forwards and backwards: (2) and (3) exactly on their block (coulomb_block.h), then
// (4). What a visit changes is the residual of the natural map in the metric of that block; the solve has converged where all visits of a
// sweep change the velocity at their contact by less than the tolerance times |u| + |u + h J a| + |W_kk p_k| + |h a| of both bodies. The
// first guess are the impulses of the last step. Where contacts outnumber what holds them, impulses drift along a stress that moves
// nothing, by the same little at each sweep, until one of them opens or slips: every 20 sweeps they go on along their last change, as far
// as a geometric series says and no farther than to the first bound; no more where that has not helped. After 5000 sweeps visits go half of
// their way, since whole ones can chase each other. Cost of a sweep: O(contacts).
//
// Source: Moreau, Unilateral contact and dry friction (1988); Jean, CMAME 177 (1999) 235; Acary and Brogliato, Numerical Methods for
// Nonsmooth Dynamical Systems (2008), 13.7.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "asperity/contact/contact_list.h"
#include "asperity/contact/contact_system.h"
#include "asperity/dynamics/impulse/coulomb_block.h"
#include "asperity/dynamics/smooth_world.h"
#include "asperity/laws/contact/pair_law.h"

namespace asperity::dynamics {

// What a contact is remembered by: the first guess of the next step.
struct LastImpulse {
    std::int32_t a = 0;
    std::int32_t b = 0;
    std::int64_t feature = 0;
    Vec3 linear;   // N s, on a
    Vec3 angular;  // N m s

    std::tuple<std::int32_t, std::int32_t, std::int64_t> key() const { return {a, b, feature}; }
};

class ContactSolve {
public:
    explicit ContactSolve(const model::Model& model);

    // The contacts of a step and their relative velocities before it, with the first guess. `bodies` is where they are found.
    void begin(const contact::ContactList& contacts, const SmoothWorld& smooth, const model::Bodies& bodies,
               const std::vector<LastImpulse>& last);
    // (1) to (5): changes the velocities, which are those after the forces of the step. What is left of the residual where it has not come
    // below the tolerance, relative.
    std::optional<double> solve(double h, double tolerance, const SmoothWorld& smooth, model::Bodies& bodies);

    // J/kg of each body, and the work of driven ones; between the velocities at begin() and now.
    void add_heat(const model::Bodies& bodies, std::vector<BodyHeat>& heat) const;
    void remember(std::vector<LastImpulse>& out) const;

    // Moves bodies apart without velocity where they overlap by more than a step makes good by itself. h: of the step. Returns whether
    // anything was moved.
    bool separate(double h, const SmoothWorld& smooth, model::Bodies& bodies, std::vector<BodyHeat>& heat);

    struct Met {
        double in = 0, out = 0;  // m/s, along the normal
        double heat = 0;         // J
    };
    Met met(std::size_t contact) const;
    const laws::PairLaw& law(const contact::ContactPoint& contact) const { return world_.laws.of(contact.material_a, contact.material_b); }

private:
    struct Held {
        contact::Side a, b;
        contact::Row normal, along_y, along_z;
        CoulombBlock block;
        Vec3 n, y, z;
        Vec3 before, after;            // m/s, relative velocity, in n, y, z; before the forces of the step
        Vec3 spin_before, spin_after;  // rad/s
        double speed = 0;              // m/s, the scale of its residual without that of its impulse
        bool is_quiet = false;         // its normal speed before is no more than solves leave
        double restitution = 0, friction = 0;
        double rolling = 0, spinning = 0;  // m, resistance times effective radius
        double turning = 0;                // 1/(kg m^2), of a relative spin
        Vec3 impulse;                      // N s, in n, y, z
        Vec3 torque;                       // N m s, world axes
    };
    struct Heat {
        double impact = 0, friction = 0, rolling = 0;  // J
    };

    laws::PairLaw law_of(const contact::ContactPoint& contact) const;
    contact::Side side_of(std::int32_t row, const contact::ContactPoint& contact, const SmoothWorld& smooth,
                          const model::Bodies& bodies) const;
    Held held_of(const contact::ContactPoint& contact, const SmoothWorld& smooth, const model::Bodies& bodies) const;
    static Vec3 relative_velocity(const Held& held, const model::Bodies& bodies);
    static Vec3 relative_spin(const Held& held, const model::Bodies& bodies);
    double target_of(const Held& held, const Vec3& velocity, const Vec3& spin) const;
    // One contact, `part` of the way to its laws; by which the whole way would change its
    // velocity, of the scale of the contact.
    double visit(Held& held, double part, model::Bodies& bodies) const;
    double resist(Held& held, double part, model::Bodies& bodies) const;
    bool complete_bounces(const model::Bodies& bodies);
    double way_to_bounds(std::span<const Vec3> d) const;
    void leap(bool is_due, model::Bodies& bodies);
    static void apply(const Held& held, const Vec3& impulse, const Vec3& torque, model::Bodies& bodies);
    // What (4) allows of a torque where a normal impulse presses.
    static Vec3 within_bounds(const Held& held, const Vec3& torque, double pressing);
    static Heat heat_of(const Held& held);
    // Impulses on places: kg m of each contact, with what they move and turn.
    struct Shift {
        std::vector<double> impulse;
        std::vector<Vec3> moved, turned;
    };
    bool find_shift(double h, std::size_t rows);
    void keep_angular_momentum(std::size_t k, const model::Bodies& before, const SmoothWorld& smooth, model::Bodies& bodies) const;

    const model::Parameters& world_;
    laws::FacetValues facet_values_;
    const contact::ContactList* contacts_ = nullptr;
    std::vector<Held> held_;
    Shift shift_;
    std::array<std::vector<Vec3>, 3> trail_;  // impulses and torques after sweeps, the last one at the end
    std::vector<Vec3> leap_;
};

}  // namespace asperity::dynamics
