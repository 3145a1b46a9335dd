// A rod that strikes a plane, by the drawing of Routh (Dynamics of a System of Rigid Bodies, 1905, 187 to 198) as Wang and Mason (J. Appl.
// Mech. 59 (1992) 635) put it into formulas: P_x along the plane, P_y across it; S = S0 + B1 P_x - B3 P_y slips, C = C0 - B3 P_x + B2 P_y
// parts; the point moves along the line of friction to that of sticking (S = 0), on it or along the other line of friction, and past that
// of greatest compression (C = 0). Written for tests, from the book, not from single_impact.h.
#pragma once
#include <cmath>

#include "asperity/laws/contact/pair_law.h"

namespace asperity::dynamics {

enum class RouthCase { slides, sticks_in_compression, sticks_in_restitution, reverses_in_compression, reverses_in_restitution };

struct PlanarImpact {
    RouthCase kind = RouthCase::slides;
    double px = 0, py = 0;               // N s
    double slip = 0, parting = 0;        // m/s, after
    double work = 0;                     // J, of all impulses on the rod
    double restitution_of_energy = 0;    // square root of the work of P_y in restitution over that in compression
    double restitution_of_impulse = 0;   // P_y of restitution over that of compression
    double restitution_of_velocity = 0;  // -C / C0
};

struct Rod {
    double m = 1, inertia = 1;  // kg, kg m^2
    double x = 0, y = 0;        // m, of the point that strikes, from the centre of mass
    double b1() const { return 1 / m + y * y / inertia; }
    double b2() const { return 1 / m + x * x / inertia; }
    double b3() const { return x * y / inertia; }
};

inline PlanarImpact routh(const Rod& rod, double s0, double c0, double f, double e, laws::RestitutionLaw law) {
    const double b1 = rod.b1(), b2 = rod.b2(), b3 = rod.b3(), sign = s0 < 0 ? -1 : 1;
    PlanarImpact out;
    // The line of friction P_x = -sign f P_y meets S = 0 at P_stop; after it sticking, or slip the other way.
    const double falls = f * b1 + sign * b3;  // of |S| for each P_y
    const double p_stop = falls > 0 ? std::fabs(s0) / falls : HUGE_VAL;
    const double first = b2 + sign * f * b3;  // dC/dP_y before it
    const bool holds = f * b1 >= std::fabs(b3);
    // along S = 0, P_x = (B3 P_y - S0) / B1; else the friction is that of the slip which B3 drives
    const double drawn = b3 > 0 ? 1 : -1;  // of that friction
    const double second = holds ? b2 - b3 * b3 / b1 : b2 - f * drawn * b3;
    const double c_stop = std::isfinite(p_stop) ? c0 + first * p_stop : HUGE_VAL;
    const bool stops_in_compression = c_stop < 0 || (first <= 0);
    const double p_c = stops_in_compression ? p_stop - c_stop / second : -c0 / first;
    const double work_c = stops_in_compression ? -p_stop * (c0 + c_stop) / 2 + c_stop * c_stop / (2 * second) : c0 * c0 / (2 * first);
    const double rate = stops_in_compression ? second : first;          // at first in restitution
    const double way = stops_in_compression ? HUGE_VAL : p_stop - p_c;  // to the bend of C
    double left = 0;
    if (law == laws::RestitutionLaw::newton) {
        left = e * -c0 / rate;
        if (left > way) left = way + (e * -c0 - rate * way) / second;
    } else if (law == laws::RestitutionLaw::poisson) {
        left = e * p_c;
    } else {
        left = std::sqrt(2 * e * e * work_c / rate);
        if (left > way) {
            const double c1 = rate * way, wanted = e * e * work_c - 0.5 * c1 * way;
            left = way + (-c1 + std::sqrt(c1 * c1 + 2 * second * wanted)) / second;
        }
    }
    out.py = p_c + left;
    const bool has_stopped = out.py > p_stop;
    if (!has_stopped)
        out.px = -sign * f * out.py;
    else
        out.px = -sign * f * p_stop + (holds ? b3 / b1 : f * drawn) * (out.py - p_stop);
    out.kind = !has_stopped           ? RouthCase::slides
               : stops_in_compression ? (holds ? RouthCase::sticks_in_compression : RouthCase::reverses_in_compression)
                                      : (holds ? RouthCase::sticks_in_restitution : RouthCase::reverses_in_restitution);
    out.slip = s0 + b1 * out.px - b3 * out.py;
    out.parting = c0 - b3 * out.px + b2 * out.py;
    out.work = 0.5 * (out.px * (s0 + out.slip) + out.py * (c0 + out.parting));
    const double bent = std::fmin(left, way), c_bent = rate * bent;
    const double work_r = 0.5 * c_bent * bent + (left - bent) * 0.5 * (c_bent + out.parting);
    out.restitution_of_energy = std::sqrt(work_r / work_c);
    out.restitution_of_impulse = left / p_c;
    out.restitution_of_velocity = -out.parting / c0;
    return out;
}

}  // namespace asperity::dynamics
