// Tidal torque on a body whose bulge, raised by a companion, lags or leads the line to it, and the reaction on the companion.
//
//   W  = w_t - n x v / r            spin relative to the orbit of the pair, its part across n                             (1)
//   T  = -Gamma W / |W|             on the body;   F = -T x n / r on the companion's centre, -F on the body's              (2)
//   Gamma = (3/2) k2 G m^2 R^5 / r^6 sin(2 eps)       constant angle: switches where W = 0                               (3)
//   Gamma = 3 k2 G m^2 R^5 / r^6 t |W|                constant time lag: smooth there, T is linear in W                  (4)
//   P  = T . W <= 0                 what the pair's mechanical energy gains; -P heats the body                           (5)
//   sin(2 eps) = 1 / sqrt(1 + Q^2)                    from Q = 1 / tan(2 eps)                                             (6)
//   k2 = (3/2) / (1 + b),   b = 19 mu / (2 rho g R) = 57 mu / (8 pi G rho^2 R^2)                                         (7)
//
// r n, v: from the body's centre to the companion's, and its rate; w spin of the body, w_t its part across n; R its radius, k2 its Love
// number, eps the angle by which the bulge is carried off n (along W x n), t the time by which it lags; m mass of the companion; Q quality
// factor; mu rigidity, b effective rigidity, g surface gravity.
// The bulge lies along n + eps W x n / |W|, so the torque is across n and along -W, in the plane and out of it. T is formed from F
// (T = F x r n): T + r n x F = 0 to the bit, and linear and angular momentum of the pair do not change.
//
// Limits: homogeneous sphere, first term of the companion's field, r >> R (a touching pair is outside it, and used so in 3-ternary);
// the radial part of the bulge's pull is left out, so eccentric orbits heat a body only through W.
// Source: Murray and Dermott, Solar System Dynamics (1999), 4.9 and 4.13; 3-ternary 3.9 with R^5 in place of R^6, 3.10 to 3.25; (4):
// Mignard, Moon and Planets 20 (1979); Hut, A&A 99 (1981). docs/theory/ternary.md
#pragma once
#include <cmath>

#include "asperity/core/host_device.h"
#include "asperity/core/vec3.h"

namespace asperity::laws {

// A body and the companion that raises the tide, at one instant. Every ordered pair of bodies is one.
struct TidalPair {
    Vec3 separation;                    // r n, m, from the body to the companion
    Vec3 velocity;                      // v, m/s, of the companion relative to the body
    Vec3 spin;                          // w, rad/s, of the body
    double companion_mass = 0;          // m, kg
    double gravitational_constant = 0;  // G, m^3/(kg s^2)
};

struct TidalResponse {
    Vec3 torque;              // T, N m, on the body
    Vec3 force_on_companion;  // F, N; the body feels its opposite
    double power = 0;         // P, W, never positive
};

// W of (1). Zero in a locked pair; it is the guard of law (3).
ASPERITY_HD inline Vec3 relative_rate(const TidalPair& pair) {
    const double r = norm(pair.separation);
    const Vec3 n = pair.separation / r;
    return tangential(pair.spin, n) - cross(n, pair.velocity) / r;
}

namespace detail {

// (2) and (5) of a torque of size Gamma = strength |along| against `along`, a multiple of W.
ASPERITY_HD inline TidalResponse against(const TidalPair& pair, const Vec3& along, const Vec3& rate, double strength) {
    TidalResponse out;
    out.force_on_companion = (strength / squared_norm(pair.separation)) * cross(along, pair.separation);
    out.torque = cross(out.force_on_companion, pair.separation);
    out.power = dot(out.torque, rate);
    return out;
}

// k2 G m^2 R^5 / r^6, N m
ASPERITY_HD inline double tidal_moment(const TidalPair& pair, double love_number, double radius) {
    const double r2 = squared_norm(pair.separation), ratio = radius * radius / r2;
    return love_number * pair.gravitational_constant * pair.companion_mass * pair.companion_mass * ratio * ratio * radius / r2;
}

}  // namespace detail

// (3): the law of 3-ternary. It is not smooth: near W = 0 a step must end at the zero, or it shakes about it.
struct ConstantAngleTide {
    double love_number = 0;     // k2
    double radius = 0;          // R, m
    double sin_double_lag = 0;  // sin(2 eps)

    ASPERITY_HD TidalResponse operator()(const TidalPair& pair) const {
        const Vec3 rate = relative_rate(pair);
        return detail::against(pair, unit(rate), rate, 1.5 * detail::tidal_moment(pair, love_number, radius) * sin_double_lag);
    }
};

// (4)
struct ConstantTimeLagTide {
    double love_number = 0;  // k2
    double radius = 0;       // R, m
    double time_lag = 0;     // t, s

    ASPERITY_HD TidalResponse operator()(const TidalPair& pair) const {
        const Vec3 rate = relative_rate(pair);
        return detail::against(pair, rate, rate, 3 * detail::tidal_moment(pair, love_number, radius) * time_lag);
    }
};

// (7)
ASPERITY_HD inline double love_number(double rigidity, double density, double radius, double gravitational_constant) {
    constexpr double pi = 3.14159265358979323846;
    const double own = 8 * pi * gravitational_constant * density * density * radius * radius;
    return 1.5 * own / (own + 57 * rigidity);
}

ASPERITY_HD inline double sin_double_lag_of_quality(double quality_factor) { return 1 / std::hypot(1.0, quality_factor); }  // (6)
ASPERITY_HD inline double sin_double_lag_of_angle(double lag_angle) { return std::sin(2 * lag_angle); }

}  // namespace asperity::laws
