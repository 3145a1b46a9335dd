// Motion of a ball in contact with a fixed surface at one point: normal force, Coulomb friction, rolling and spinning resistance.
//
// All forces are per unit mass. r radius, j inertia / (m r^2), n normal (surface to centre), n' its rate, a outside acceleration,
// u = v - r w x n slip velocity of the contact point, w_t = w - (w . n) n spin across the normal, X^ = X / |X|. In a frame that turns, v
// and w are those relative to the frame, in which the surface is at rest.
//   N  = -a . n - v . n'                               n' = 0 on a facet, turning about an edge or vertex elsewhere       (1)
//   v' = a + N n + F + D                                                                                                (2)
//   w' = (-r n x F + L) / (j r^2) + s                  s = -W x w in a frame that turns with W                            (3)
//   slide: F = -f N u^                                                                                                  (4)
//   roll:  F (1 + 1/j) = (L x n) / (j r) - a_t - D + r (w x n' + s x n)_t,  which keeps u = 0;  holds while |F| <= f N     (5)
//   creep: F = f N F0^, F0 of (5), where |u| is small and |F0| > f N                                                      (4a)
//   L  = -C r N w_t^ - C_s r N sign(w . n) n           law coupled: rolling and spinning (pivoting) resistance           (6)
//   D  = 0                                             law coupled: friction carries what the torque asks for            (7)
//   L  = -C r N w^,  D = -((n x L) . v^) v^ / (j r)    laws thesis, published (1-landers 4.19-4.20, sign of the errata)  (8)
//   held: L_t = r n x F + j r^2 ((w . n) n' - s)_t,    which keeps w_t = 0;      holds while |L_t| <= C r N                 (9)
//         L . n = -j r^2 (s . n + w . n'),             which keeps w . n = 0;    holds while |L . n| <= C_s r N             (10)
//
// Law coupled on a level facet: roll, deceleration C N / (1 + j) = 5/7 C g, whatever the spin about n; that one falls by C_s g / (j r),
// and for ever stays where C_s = 0. Rest on slopes up to C (and f). Law thesis: 5/2 C g and 3.5 C; its torque opposes all of the spin, as
// 4.19 prints it; it leaves the friction cone by 2.5 C N and adds energy on backspin, where (8) pushes forwards. A slide with the spin
// held (f <= C) has L of (9), and so D = -(f / j) N v^ in (8): it slows by f (1 + 1/j) N.
// Directions w^, u^ at zero, and past zero inside one step, come from a reference: the continued law is smooth there, so that the zero is a
// simple root for event location. Heating: -F . u from friction, -(L . w + D . v) from rolling and spinning resistance.
// (4a) is the limit of (4) for small slips that grow: friction that can just not hold turns u towards -F0 at the rate f N (1 + 1/j) / |u|,
// which an explicit step would have to follow.
// Regularised (1-landers 4.4.4): u^, w^ and sign(w . n) are replaced by u / V, r w / V and r w . n / V where those are smaller; then there
// is no roll mode, and nothing is held.
// Limits: the contact is a point. Spin about n does not change the sliding friction (no Coulomb-Contensou coupling).
#pragma once
#include "asperity/laws/contact/impact.h"

namespace asperity::laws {

// Geometry of the contact at one instant.
struct Touch {
    Vec3 normal;       // n
    Vec3 normal_rate;  // n', 1/s
    Vec3 spin_rate;    // s, rad/s^2: of a free ball, in a frame that turns
};

// Directions of the start of the step; a direction past zero is continued.
struct Reference {
    Vec3 slip;              // unit, or zero
    Vec3 axis;              // unit, or zero
    double slip_floor = 0;  // m/s; smaller slips are rounding and have no direction of their own
    double spin_floor = 0;  // rad/s, likewise
    double creep = 0;       // m/s; slips up to it that friction cannot end follow (4a)
    double drilling = 0;    // sign of w . n, -1 or 1; 0: held by (10)
};

struct Response {
    Vec3 v_rate;               // m/s^2
    Vec3 w_rate;               // rad/s^2
    double normal = 0;         // N, m/s^2; not clamped: its sign is the separation event
    Vec3 friction;             // F, m/s^2
    double heat_friction = 0;  // W/kg
    double heat_rolling = 0;   // W/kg, of rolling and spinning resistance
};

// The unit vector of a, with the sign that continues `reference`; the reference itself where a is not above the floor.
ASPERITY_HD inline Vec3 continued(const Vec3& a, const Vec3& reference, double floor) {
    const double length = norm(a);
    if (length <= floor) return reference;
    return dot(a, reference) < 0 ? a / -length : a / length;
}

namespace detail {

// w^ or u^ of the regularised law: a / speed below it, the unit vector above.
ASPERITY_HD inline Vec3 ramped(const Vec3& a, double speed) {
    const double length = norm(a);
    return length < speed ? a / speed : a / length;
}

ASPERITY_HD inline Vec3 centre_force(const Vec3& torque, const Vec3& n, const Vec3& v, double reach) {  // (8), reach = 1 / (j r)
    const Vec3 push = cross(n, torque);
    const Vec3 v_t = tangential(v, n);
    const double speed2 = squared_norm(v_t);
    return speed2 > 0 ? (-reach * dot(push, v_t) / speed2) * v_t : -reach * push;
}

ASPERITY_HD inline void finish(const Motion& m, const Touch& touch, const BallShape& ball, const Vec3& a, const Vec3& torque,
                               const Vec3& centre, Response& out) {
    const double r = ball.radius, turning = 1 / (ball.inertia_factor * r * r);
    out.v_rate = a + out.normal * touch.normal + out.friction + centre;                         // (2)
    out.w_rate = turning * (torque - r * cross(touch.normal, out.friction)) + touch.spin_rate;  // (3)
    out.heat_friction = -dot(out.friction, slip(m, touch.normal, r));
    out.heat_rolling = -dot(torque, m.w) - dot(centre, m.v);
}

}  // namespace detail

struct SingleContact {
    BallShape ball;
    double friction = 0;        // f
    double rolling = 0;         // C
    double spinning = 0;        // C_s; law coupled
    bool is_coupled = true;     // law
    double regularisation = 0;  // V, m/s; 0: none

    ASPERITY_HD double normal_force(const Motion& m, const Touch& touch, const Vec3& a) const {
        return -dot(a, touch.normal) - dot(m.v, touch.normal_rate);  // (1)
    }

    // The spin that rolling resistance acts on.
    ASPERITY_HD Vec3 rolling_spin(const Vec3& w, const Vec3& n) const { return is_coupled ? tangential(w, n) : w; }

    // L_t of (9) with that friction, and whether rolling resistance reaches as far; 1e-12 is for f = C, where it just does.
    ASPERITY_HD Vec3 holding_torque(const Motion& m, const Touch& touch, const Vec3& force) const {
        const Vec3& n = touch.normal;
        return ball.radius * cross(n, force) + inertia() * tangential(dot(m.w, n) * touch.normal_rate - touch.spin_rate, n);
    }
    ASPERITY_HD double holding_margin(const Vec3& torque, double load) const {
        return (1 + 1e-12) * rolling * ball.radius * load - norm(torque);
    }
    // By how much a ball that does not turn about the normal begins to, rad/s^2; and how much spinning resistance can hold (10).
    ASPERITY_HD double drilling_drive(const Motion& m, const Touch& touch) const {
        return dot(touch.spin_rate, touch.normal) + dot(m.w, touch.normal_rate);
    }
    ASPERITY_HD double drilling_limit(double load) const { return spinning * reach() * load; }

    // spin_locked: rolling resistance keeps the spin across the normal at zero (in a slide possible where f <= C).
    ASPERITY_HD Response slide(const Motion& m, const Touch& touch, const Vec3& a, const Reference& reference, bool spin_locked) const {
        Response out;
        out.normal = normal_force(m, touch, a);
        const Vec3 u = slip(m, touch.normal, ball.radius);
        const bool is_smooth = regularisation > 0;
        const Vec3 u_dir = is_smooth ? detail::ramped(u, regularisation) : continued(u, reference.slip, reference.slip_floor);
        out.friction = (-friction * out.normal) * u_dir;  // (4)
        if (!is_smooth && !spin_locked && squared_norm(u) < reference.creep * reference.creep) {
            const Vec3 hold = roll(m, touch, a, reference).friction;
            if (norm(hold) > friction * out.normal && out.normal > 0) out.friction = (friction * out.normal) * unit(hold);  // (4a)
        }
        const Vec3 torque = resistance(m, touch, out.normal, out.friction, reference, spin_locked);
        const Vec3 centre = is_coupled ? Vec3{} : detail::centre_force(torque, touch.normal, m.v, reach());
        detail::finish(m, touch, ball, a, torque, centre, out);
        return out;
    }

    // spin_locked: the ball neither rolls nor slides; it spins about the normal on the spot.
    ASPERITY_HD Response roll(const Motion& m, const Touch& touch, const Vec3& a, const Reference& reference,
                              bool spin_locked = false) const {
        Response out;
        out.normal = normal_force(m, touch, a);
        if (spin_locked) {
            out.friction = -tangential(a, touch.normal);
            detail::finish(m, touch, ball, a, resistance(m, touch, out.normal, out.friction, reference, true), {}, out);
            return out;
        }
        const Vec3 torque = resistance(m, touch, out.normal, {}, reference, false);
        const Vec3 centre = is_coupled ? Vec3{} : detail::centre_force(torque, touch.normal, m.v, reach());
        const Vec3 gyro = ball.radius * (cross(m.w, touch.normal_rate) + cross(touch.spin_rate, touch.normal));
        const Vec3 need = reach() * cross(torque, touch.normal) - a - centre + gyro;
        out.friction = tangential(need, touch.normal) / (1 + 1 / ball.inertia_factor);  // (5)
        detail::finish(m, touch, ball, a, torque, centre, out);
        return out;
    }

    // The slope (tangential over normal load) up to which a ball without spin stays at rest.
    ASPERITY_HD double rest_slope() const {
        const double by_torque = std::fmin(friction, rolling);
        return is_coupled ? by_torque : by_torque * (1 + 1 / ball.inertia_factor);
    }

    // The tangential acceleration that would make a ball without v and w_t roll: where it spins about the normal in a frame that turns,
    // the gyroscopic torque adds to the slope.
    ASPERITY_HD Vec3 tilt(const Touch& touch, const Vec3& a) const {
        return tangential(a, touch.normal) + (ball.inertia_factor * ball.radius) * cross(touch.spin_rate, touch.normal);
    }
    // Whether its centre stays at rest, and it does not begin to roll.
    ASPERITY_HD bool stays(const Motion& m, const Touch& touch, const Vec3& a) const {
        const double load = normal_force(m, touch, a), pull = norm(tangential(a, touch.normal));
        return is_coupled ? pull <= friction * load && norm(tilt(touch, a)) <= rolling * load : pull <= rest_slope() * load;
    }

private:
    ASPERITY_HD double reach() const { return 1 / (ball.inertia_factor * ball.radius); }
    ASPERITY_HD double inertia() const { return ball.inertia_factor * ball.radius * ball.radius; }

    // L: (6), (8), or what (9) and (10) hold with.
    ASPERITY_HD Vec3 resistance(const Motion& m, const Touch& touch, double load, const Vec3& force, const Reference& reference,
                                bool spin_locked) const {
        const Vec3& n = touch.normal;
        const double lever = ball.radius * load;
        const Vec3 spin = rolling_spin(m.w, n);
        const bool is_smooth = regularisation > 0;
        Vec3 torque;
        if (spin_locked) {
            torque = holding_torque(m, touch, force);
        } else if (is_smooth) {
            torque = (-rolling * lever) * detail::ramped(ball.radius * spin, regularisation);
        } else {
            torque = (-rolling * lever) * continued(spin, reference.axis, reference.spin_floor);
        }
        if (spinning == 0) return torque;
        if (is_smooth) {
            const double ramp = ball.radius * dot(m.w, n) / regularisation;
            return torque - (std::fmax(-1.0, std::fmin(1.0, ramp)) * spinning * lever) * n;
        }
        const bool is_held = reference.drilling == 0;
        return torque - (is_held ? inertia() * drilling_drive(m, touch) : reference.drilling * spinning * lever) * n;
    }
};

}  // namespace asperity::laws
