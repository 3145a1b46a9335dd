// Closed forms of the published tables, from the numbers of a scenario: derived anew, in extended precision, without a line of the
// simulator, so that the two can be held against each other.
//
// Level ground z = 0, gravity g downwards; a straight track along the horizontal velocity, spin across it. r radius, j inertia / (m r^2),
// e restitution, f friction, C rolling resistance, v speed, q = r w speed of the rim (rolling: q = v), u = v - q slip; per unit mass.
//   fall         t = (vz + sqrt(vz^2 + 2 g (z - r))) / g,  impact at s = g t - vz,  then hops of 2 s / g at s = e s, e^2 s, ...       (1)
//   an impact    N = (1 + e) s;  friction J = u / (1 + 1/j), at most f N:  v -= J, q += J / j;  then rolling resistance of law
//                published  K = min(C N q / r, j q),   thesis  K = min(C N, j |q|) sign q:   v -= K / j, q -= K / j                   (2)
//                coupled    rolls, v = q = (v + j q -+ C N) / (1 + j), if that takes no more friction than f N; else it slips          (3)
//   completion   none; virtual: one impact with N = (1 + e) s / (1 - e), at once; series: all hops of (1)                              (4)
//   slide        v' = -f g sign u - D sign q,  q' = (f g sign u - C g sign q) / j,  D = 0 coupled, C g / j thesis, published           (5)
//                q = 0 and f <= C: q stays zero under a torque that is f, not C;  v' = -(f + f / j) g sign v thesis, published        (5a)
//   roll         v' = -C g / (1 + j) coupled, -C g / j thesis, published                                                              (6)
//   wall         approach at v, rolling:  an impact with N = (1 + e) v and slip v along the wall;  height r + vz^2 / (2 g)             (7)
//   edge, C = 0  y = v^2 / (g r) over the angle a from the top: roll y = y0 + 2 (1 - cos a) / (1 + j) until f (cos a - y) =
//                sin a j / (1 + j), slide y' = 2 (sin a - f cos a) + 2 f y until y = cos a;  limit y0 = 0, no slip: cos a = 2 / (3 + j) (8)
//   rest slope   min(f, C) coupled, min(f, C) (1 + 1 / j) thesis, published                                                           (9)
// Regularised scenarios get the closed form of the unregularised law: what theirs tends to.
// Source: 1-landers chapter 8, re-derived; docs/theory/contact.md, docs/theory/bounces.md.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "asperity/scenario/scenario.h"

namespace asperity::reproduce {

using Real = long double;

// A moment on the track.
struct Moment {
    Real time = 0;   // s
    Real way = 0;    // m, from the start
    Real speed = 0;  // v, m/s
    Real rim = 0;    // q, m/s
};

struct Bounce {
    Moment after;
    Real normal_out = 0;  // m/s
};

// A piece of contact motion with constant rates.
struct Stretch {
    Moment start;
    Real duration = 0;    // s
    Real speed_rate = 0;  // m/s^2
    Real rim_rate = 0;    // m/s^2
};

struct LevelRun {
    std::vector<Bounce> bounces;
    Moment settle;  // contact motion begins
    std::vector<Stretch> stretches;
    std::optional<Moment> sync;  // the slip is zero
    std::optional<Moment> stop;
};

// (1)-(6), for gravity along -z and ground at z = 0.
LevelRun level_run(const scenario::Scenario& scenario);

struct WallImpact {
    Real velocity_x = 0, velocity_z = 0;  // m/s, after
    Real spin_y = 0;                      // rad/s, after
    Real height_max = 0;                  // m
};

// (7), for a ball that rolls towards -x into a wall at the speed `approach`.
WallImpact wall_impact(const scenario::Scenario& scenario, Real approach);

// The quantity of a table (papers/README.md) in its unit there; nothing where the scenario has none in closed form.
std::optional<Real> closed_form(const scenario::Scenario& scenario, std::string_view quantity);

}  // namespace asperity::reproduce
