// Impulses on a ball that touches a fixed surface at one or several points at once: Signorini condition with Newton's restitution (4),
// Coulomb friction cone (5), rolling and spinning resistance.
//
// All impulses are per unit mass. With radius r, inertia j m r^2, normals n_i (from the surface to the centre):
//   v+ = v + load + sum_i (N_i n_i + F_i)                                                                       (1)
//   w+ = w + (sum_i -r n_i x F_i + L) / (j r^2)                                                                 (2)
//   u_i = v - r w x n_i                      slip velocity of contact i                                         (3)
//   0 <= N_i  _|_  n_i . v+ - target_i >= 0  target: restitution times approach speed                           (4)
//   |F_i| <= f N_i, against u_i+ where it slips; u_i+ = 0 where it holds                                        (5)
//   law coupled, one contact:  |L across n| <= C r N,   against w+ across n where the ball rolls; zero where it holds  (6)
//                              |L . n|      <= C_s r N, against w+ . n where it spins about n, likewise            (6a)
//   law coupled, several:      |L| <= C r sum N_i,      against w+ where the ball turns; w+ = 0 where it holds     (6b)
//   law thesis:    after (1)-(5) with L = 0:  L = -min(j r^2 |w|, C r N) w/|w|,                                  (7)
//                  and on the centre  F = -min(|v_t|, (n x L . v_t/|v_t|) / (j r)) v_t/|v_t|                      (8)
//   law published: (7) with C r N |w| in the place of C r N (not sound dimensionally: |w| in rad/s)              (9)
//
// (4)-(6b) hold at the end of the impact, so no contact is left in a state that it would not hold; the loss of energy is never negative
// where target is zero, nor for a single contact. (6b): with several normals every spin rolls on one contact or another, and C_s has no
// say. (7), (8) follow 1-landers 4.26-4.27 with the sign of the errata, where the torque opposes all of the spin; (9) is its eq. 8.10. Heat
// by cause adds up to the loss exactly: the work of each impulse along the mean of the velocities before and after, or (10) below.
//
// Limits: rigid, instantaneous. Several contacts at once are solved with target = 0 only: with restitution a solution need not exist where
// friction can wedge the ball, and Newton's law can add energy there (Kane's paradox).
// Solved by block Gauss-Seidel: normals exactly (normals.h), then friction of each contact, then rolling, until nothing changes. With
// several contacts the iteration can cycle or converge slowly; after thirty rounds Newton's method takes over (newton.h).
#pragma once
#include <cmath>

#include "asperity/laws/contact/newton.h"
#include "asperity/laws/contact/pair_law.h"
#include "asperity/laws/contact/touching.h"

namespace asperity::laws {

// The bounds of (5) to (6b) under law coupled.
ASPERITY_HD inline Limits limits_of(const PairLaw& surface) {
    return {.friction = surface.friction, .rolling = surface.rolling_resistance, .spinning = surface.spinning_resistance};
}

namespace detail {

// One round over all blocks: (4) with friction as it stands, (5) one contact after the other, (6) to (6b). Returns the largest change of
// an impulse.
ASPERITY_HD inline double one_round(const Touching& touch, const Vec3& free_v, const BallShape& ball, const Limits& limits, double scale,
                                    Impulses& out, Motion& now) {
    const double r = ball.radius, turning = 1 / (ball.inertia_factor * r * r), give = 1 + 1 / ball.inertia_factor;
    double previous_sum = 0, sum = 0;
    Vec3 free = free_v;
    for (int i = 0; i < touch.count; ++i) {
        previous_sum += out.normal[i];
        free += out.friction[i];
    }
    project_on_normals(touch.normal, touch.target, touch.count, free, scale, out.normal);
    now.v = free;
    for (int i = 0; i < touch.count; ++i) {
        now.v += out.normal[i] * touch.normal[i];
        sum += out.normal[i];
    }
    double change = std::fabs(sum - previous_sum);
    for (int i = 0; i < touch.count && limits.friction > 0; ++i) {
        const Vec3& n = touch.normal[i];
        const Vec3 wanted = tangential(out.friction[i] - slip(now, n, r) / give, n);
        const Vec3 step = clipped(wanted, limits.friction * out.normal[i]) - out.friction[i];
        out.friction[i] += step;
        now.v += step;
        now.w -= (r * turning) * cross(n, step);
        change = std::fmax(change, norm(step));
    }
    if (limits.rolling > 0 || limits.spinning > 0) {
        const Vec3 step = clipped_torque(out.rolling - now.w / turning, touch, limits, r * sum) - out.rolling;
        out.rolling += step;
        now.w += turning * step;
        change = std::fmax(change, norm(step) / r);
    }
    return change;
}

// Sixty rounds that go only a part of their way: what chases round at full length spirals in.
ASPERITY_HD inline void relaxed_rounds(const Touching& touch, const Motion& free, const BallShape& ball, const Limits& limits, double scale,
                                       double part, Impulses& out) {
    const double r = ball.radius, turning = 1 / (ball.inertia_factor * r * r);
    for (int round = 0; round < 60; ++round) {
        const Impulses last = out;
        Motion now{free.v, free.w + turning * out.rolling};
        for (int i = 0; i < touch.count; ++i) now.w -= (r * turning) * cross(touch.normal[i], out.friction[i]);
        one_round(touch, free.v, ball, limits, scale, out, now);
        for (int i = 0; i < touch.count; ++i) {
            out.normal[i] = last.normal[i] + part * (out.normal[i] - last.normal[i]);
            out.friction[i] = last.friction[i] + part * (out.friction[i] - last.friction[i]);
        }
        out.rolling = last.rolling + part * (out.rolling - last.rolling);
    }
}

}  // namespace detail

// Solves (1)-(6b). `load` is an impulse of outside forces (a step of contact motion); zero in an impact.
ASPERITY_HD inline Impulses resolve(const Touching& touch, const Motion& before, const Vec3& load, const BallShape& ball,
                                    const Limits& limits) {
    const double r = ball.radius;
    Impulses out;
    Motion now{before.v + load, before.w};
    const double scale = norm(before.v) + norm(load) + r * norm(before.w);
    const int most = touch.count > 1 ? 30 : 1000;
    double change = HUGE_VAL;
    int round = 0;
    for (; round < most; ++round) {
        const double last_change = change;
        change = detail::one_round(touch, before.v + load, ball, limits, scale, out, now);
        const bool is_rounding = change <= 1e-14 * scale && change >= last_change;  // it only moves to and fro in the last digits
        if (change <= 1e-16 * scale || is_rounding) break;
    }
    out.is_converged = round < most;
    const Motion free{before.v + load, before.w};
    for (int attempt = 0; attempt < 20 && !out.is_converged;
         ++attempt) {  // each from another place: rounds that go ever shorter parts of their way
        if (attempt > 0) detail::relaxed_rounds(touch, free, ball, limits, scale, 1.0 / (1 + attempt), out);
        out.is_converged = detail::solve_by_newton(touch, free, ball, limits, scale, out, now);
    }
    out.after = now;
    const Vec3 mean_v = 0.5 * (before.v + now.v), mean_w = 0.5 * (before.w + now.w);
    for (int i = 0; i < touch.count; ++i) {
        out.heat_impact -= out.normal[i] * dot(touch.normal[i], mean_v);
        out.heat_friction -= dot(out.friction[i], mean_v - r * cross(mean_w, touch.normal[i]));
    }
    out.heat_rolling -= dot(out.rolling, mean_w);
    return out;
}

// Adds (7) and (8), or (9) and (8), to impulses that were resolved without rolling resistance.
ASPERITY_HD inline void add_sequential_rolling(const Touching& touch, const BallShape& ball, double coefficient, bool is_published,
                                               Impulses& out) {
    const double r = ball.radius, inertia = ball.inertia_factor * r * r;
    for (int i = 0; i < touch.count; ++i) {
        const double rate = norm(out.after.w);
        if (!(out.normal[i] > 0) || rate == 0) continue;
        const Vec3& n = touch.normal[i];
        const Motion before = out.after;
        const double torque = coefficient * r * out.normal[i] * (is_published ? rate : 1.0);
        const Vec3 turning = (-std::fmin(inertia * rate, torque) / rate) * before.w;  // (7), (9)
        const Vec3 along = unit(tangential(before.v, n));
        const double push = std::fmin(norm(tangential(before.v, n)), r / inertia * dot(cross(n, turning), along));  // (8)
        out.rolling += turning;
        out.after.w += turning / inertia;
        out.after.v -= push * along;
        out.heat_rolling -= 0.5 * dot(turning, before.w + out.after.w) - 0.5 * push * dot(along, before.v + out.after.v);
    }
}

// Heat by cause in an impact where friction and rolling resistance act at once, none of it negative. Along mean velocities (as resolve()
// books it, right for a constant force) one could seem to heat and the other to cool where the spin turns over. With W the mobilities,
//   friction: -F . u+ + R a,  rolling: -L . w+ + R (1 - a),  R = (sum F . (u+ - u) + L . (w+ - w)) / 2,  a = F W F / (F W F + L W L)   (10)
// has the same sum, and each term is not negative: (5) to (6b) hold at the end, and R is a quadratic form.
ASPERITY_HD inline void share_heat(const Touching& touch, const Motion& before, const BallShape& ball, Impulses& out) {
    const double r = ball.radius, turning = 1 / (ball.inertia_factor * r * r), give = 1 + 1 / ball.inertia_factor;
    double at_end = 0, remainder = 0.5 * dot(out.rolling, out.after.w - before.w), rubbed = 0;
    for (int i = 0; i < touch.count; ++i) {
        const Vec3 slip_end = slip(out.after, touch.normal[i], r);
        at_end -= dot(out.friction[i], slip_end);
        remainder += 0.5 * dot(out.friction[i], slip_end - slip(before, touch.normal[i], r));
        rubbed += give * squared_norm(out.friction[i]);
    }
    const double rolled = turning * squared_norm(out.rolling);
    if (!(remainder > 0) || !(rolled > 0)) return;
    const double share = rubbed / (rubbed + rolled);
    out.heat_friction = at_end + share * remainder;
    out.heat_rolling = -dot(out.rolling, out.after.w) + (1 - share) * remainder;
}

// The impact under a rolling law by name.
ASPERITY_HD inline Impulses resolve_impact(const Touching& touch, const Motion& before, const BallShape& ball, const PairLaw& surface) {
    const bool acts = surface.impact_friction;
    const bool is_coupled = surface.rolling_law == RollingLaw::coupled;
    const Limits limits = acts && is_coupled ? limits_of(surface) : Limits{.friction = acts ? surface.friction : 0};
    Impulses out = resolve(touch, before, {}, ball, limits);
    if (acts && is_coupled) share_heat(touch, before, ball, out);
    if (acts && !is_coupled)
        add_sequential_rolling(touch, ball, surface.rolling_resistance, surface.rolling_law == RollingLaw::published, out);
    return out;
}

}  // namespace asperity::laws
