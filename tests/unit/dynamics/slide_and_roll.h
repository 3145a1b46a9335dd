// A ball that is put on level ground at the speed v0 without spin: it slides, then it rolls to rest. Rates over g:
//
//   slide     v' = -S,  S = f coupled, f + C / j thesis;   r w' = (f - C) / j;   ends at t_s = v0 / (g (S + (f - C) / j))        (1)
//   roll      v' = -R,  R = C / (1 + j) coupled, C / j thesis;   lasts v_s / (R g),  v_s = v0 - S g t_s                          (2)
//   way       v0 t_s - S g t_s^2 / 2 + v_s^2 / (2 R g)                                                                           (3)
//
// All of it grows with v0, the way with its square. docs/theory/contact.md; the tables of print have a derivation of their own
// (reproduce/closed_form.h), which shares nothing with this one.
#pragma once
#include "asperity/laws/contact/pair_law.h"

namespace asperity::dynamics::test {

struct SlideAndRoll {
    double slide_time = 0;  // t_s, s
    double roll_speed = 0;  // v_s, m/s, where the roll begins
    double stop_time = 0;   // s
    double way = 0;         // m
};

inline SlideAndRoll slide_and_roll(double v0, double g, double j, double f, double C, laws::RollingLaw law = laws::RollingLaw::coupled) {
    const bool is_coupled = law == laws::RollingLaw::coupled;
    const double slide = is_coupled ? f : f + C / j, t_s = v0 / (g * (slide + (f - C) / j)), v_s = v0 - slide * g * t_s;  // (1)
    const double t_r = is_coupled ? v_s * (1 + j) / (C * g) : v_s * j / (C * g);                                          // (2)
    return {t_s, v_s, t_s + t_r, v0 * t_s - 0.5 * slide * g * t_s * t_s + 0.5 * v_s * t_r};                               // (3)
}

}  // namespace asperity::dynamics::test
