// Soft contact of two bodies (penalty method): a linear or Hertz spring with a damper along the normal, which push and never pull, Coulomb
// friction, rolling and spinning resistance.
//
//   f   = max(0, k x + c x')              x overlap, x' = -u . n;  0 where x <= 0: law hooke                               (1)
//   f   = max(0, k x^(3/2) + c x^(1/4) x'),   k = (4/3) E* sqrt(R): law hertz, damped as Tsuji et al. (1992)                 (1h)
//   F_t = -mu f u_t / max(|u_t|, V)       friction, at the contact point: falls to zero linearly below the slip speed V   (2)
//   mu  = mu_s up to |u_t| = V, falling linearly to mu_k at V_k, mu_k beyond: stick and slip; mu_k everywhere if no mu_s is given  (2a)
//   L   = -C R f W_t / max(|W_t|, V / R) - C_s R f (W . n) n / max(|W . n|, V / R)                                       (3)
//                                         rolling and spinning resistance: a torque on the first body, its opposite on the second
//   heat:  (f - k x) x' of the damper,  -F_t . u_t of friction,  -L . W of (3);  k x^2 / 2 is stored, (2/5) k x^(5/2) under hertz (4)
//
// (2) with (2a) is the piecewise linear "classical" friction of 2-touchdown (its V1, V2), after Haessig and Friedland, J. Dyn. Sys. Meas.
// Control 113 (1991) 354. Between both angles of friction it has two steady answers: what creeps keeps creeping, what slides slides on.
// n unit, from the second body to the first; u velocity of the first relative to the second where they touch, W spin of the first relative
// to the second, W_t its part across n; R effective radius R1 R2 / (R1 + R2). Every term of (4) is >= 0: where f is cut off in (1) the
// spring's energy is lost as heat while the bodies part. 3-ternary 3.37-3.38 let the damper pull on parting; its static states and first
// contacts do not depend on it.
//
// Restitution. With m effective mass of the pair, 1 / (1/m_1 + 1/m_2) for spheres, w0^2 = k/m, b = c/(2m), z = b/w0 the bodies part when f
// comes to zero, at w t = 2 atan(w / b):
//   e = exp(-2 z acos(z) / sqrt(1 - z^2)),    z > 1:  e = exp(-2 z acosh(z) / sqrt(z^2 - 1))                               (5)
// It falls monotonically from 1 at z = 0 over exp(-2) at z = 1 to 1 / (4 z^2) for strong damping: no finite damper has e = 0. A smaller e
// than `least_restitution` gets the damper of that one, z = 9.95: more would only make the contact stiffer, its fastest rate is 2 z w0.
// With the pull, until x = 0, it is exp(-pi b / w), w^2 = w0^2 - b^2: 3-ternary 3.41 with b = c / (2 m) (errata)                (6)
// Under (1h) the substitution y = x^(5/4) turns m v dv/dx into the linear oscillator of (1) with damping ratio z = c / sqrt(5 m k), pushed
// and released alike, so that (5) holds at every speed with c = z sqrt(5 m k) (Antypov and Elliott, EPL 94 (2011) 50004, for the pull). (7)
// Source of (5): Schwager and Poeschel, Granular Matter 9 (2007) 465. docs/theory/ternary.md
#pragma once
#include <cmath>

#include "asperity/core/host_device.h"
#include "asperity/core/vec3.h"

namespace asperity::laws {

// Two bodies that touch, at one instant.
struct SoftTouch {
    Vec3 normal;         // n
    double overlap = 0;  // x, m
    Vec3 velocity;       // u, m/s
    Vec3 spin;           // W, rad/s
    double radius = 0;   // R, m
    double turning = 0;  // rad/s, mean spin of both about n: the axes across n turn with it
};

struct SoftResponse {
    double normal = 0;          // f, N
    double pressed = 0;         // N, what (1) says; `normal` has the other laws' forces along n too
    double elastic = 0;         // N, part of `normal` that is stored
    double reserve = HUGE_VAL;  // J^(1/2), sliding_springs.h (6)
    Vec3 force;                 // N, on the first body at the contact point; the second feels its opposite
    Vec3 torque;                // N m, on the first body besides; the second feels its opposite
    double heat_impact = 0;     // W, as all heat here
    double heat_friction = 0;   // W
    double heat_rolling = 0;    // W, of rolling and spinning resistance
};

struct SoftContact {
    double stiffness = 0;            // k, N/m; hertz: N/m^(3/2)
    double damping = 0;              // c, N s/m; hertz: N s/m^(5/4)
    double friction = 0;             // mu_k
    double static_friction = 0;      // mu_s; (2a) acts where it is above mu_k
    double kinetic_speed = 0;        // V_k, m/s; above V
    double rolling_resistance = 0;   // C
    double spinning_resistance = 0;  // C_s
    double slip_speed = 0;           // V, m/s; > 0 where (2) and (3) act
    bool is_hertz = false;           // (1h) in the place of (1)
    bool has_slip_speed = true;      // (2) and (3) act; else another law takes the coefficients (sliding_springs.h)

    // mu at this slip speed, (2a).
    ASPERITY_HD double friction_at(double speed) const {
        if (!(static_friction > friction) || speed >= kinetic_speed) return friction;
        if (speed <= slip_speed) return static_friction;
        return static_friction - (static_friction - friction) * (speed - slip_speed) / (kinetic_speed - slip_speed);
    }
    // k x + c x': what (1) cuts off below zero.
    ASPERITY_HD double pressure(const SoftTouch& touch) const {
        if (!is_hertz) return stiffness * touch.overlap - damping * dot(touch.velocity, touch.normal);
        const double root = std::sqrt(std::fabs(touch.overlap));
        return stiffness * touch.overlap * root - damping * std::sqrt(root) * dot(touch.velocity, touch.normal);
    }
    ASPERITY_HD double elastic_force(double overlap) const {
        return is_hertz ? (overlap > 0 ? stiffness * overlap * std::sqrt(overlap) : 0) : stiffness * overlap;
    }
    ASPERITY_HD double elastic_energy(double overlap) const {
        if (!(overlap > 0)) return 0;
        return is_hertz ? 0.4 * stiffness * overlap * overlap * std::sqrt(overlap) : 0.5 * stiffness * overlap * overlap;
    }

    // Of the spring and the damper along the normal, at this overlap.
    ASPERITY_HD double stiffness_at(double overlap) const { return is_hertz ? 1.5 * stiffness * std::sqrt(overlap) : stiffness; }
    ASPERITY_HD double damping_at(double overlap) const { return is_hertz ? damping * std::sqrt(std::sqrt(overlap)) : damping; }

    // (1) to (4) for overlapping bodies whose normal force is `normal`: pressure(), or zero where that is negative.
    ASPERITY_HD SoftResponse response(const SoftTouch& touch, double normal) const {
        const double approach = -dot(touch.velocity, touch.normal);
        SoftResponse out{
            .normal = normal, .pressed = normal, .elastic = elastic_force(touch.overlap), .force = normal * touch.normal, .torque = {}};
        out.heat_impact = (normal - out.elastic) * approach;
        if (!has_slip_speed) return out;
        if (friction > 0) {
            const Vec3 slip = touch.velocity + approach * touch.normal;
            const double speed = norm(slip);
            const Vec3 rubbed = (-friction_at(speed) * normal / std::fmax(speed, slip_speed)) * slip;
            out.force += rubbed;
            out.heat_friction = -dot(rubbed, slip);
        }
        if (rolling_resistance > 0 || spinning_resistance > 0) {
            const double about = dot(touch.spin, touch.normal), ramp = slip_speed / touch.radius, lever = touch.radius * normal;
            const Vec3 across = touch.spin - about * touch.normal;
            out.torque = (-rolling_resistance * lever / std::fmax(norm(across), ramp)) * across -
                         (spinning_resistance * lever * about / std::fmax(std::fabs(about), ramp)) * touch.normal;
            out.heat_rolling = -dot(out.torque, touch.spin);
        }
        return out;
    }

    ASPERITY_HD SoftResponse operator()(const SoftTouch& touch) const {
        if (!(touch.overlap > 0)) return {};
        return response(touch, std::fmax(0.0, pressure(touch)));
    }
};

inline constexpr double least_restitution = 0.0025;

// The damping ratio z of a restitution, the inverse of (5): z = cos(a) with 2 a / tan(a) = -ln e, or cosh(a) with 2 a / tanh(a) = -ln e, by
// bisection of a.
ASPERITY_HD inline double damping_ratio_of_restitution(double restitution) {
    if (restitution >= 1) return 0;
    const double loss = -std::log(std::fmax(restitution, least_restitution));
    const bool is_under = loss < 2;
    double low = 0, high = is_under ? 1.5707963267948966 : loss;  // 2 a / tanh(a) > 2 a: the root is below loss / 2
    for (int k = 0; k < 200; ++k) {
        const double middle = 0.5 * (low + high);
        if (!(middle > low && middle < high)) break;
        const bool is_past = is_under ? 2 * middle / std::tan(middle) < loss : 2 * middle / std::tanh(middle) > loss;
        (is_past ? high : low) = middle;
    }
    return is_under ? std::cos(low) : std::cosh(low);
}

// c, N s/m, of a contact with this effective mass.
ASPERITY_HD inline double damping_of_ratio(double ratio, double stiffness, double effective_mass) {
    return 2 * ratio * std::sqrt(stiffness * effective_mass);
}

}  // namespace asperity::laws
