// Newton's method for the impulses of several contacts at once: solves the equations of impact.h.
//
// The laws (4)-(6b) of impact.h say that the impulses z = (N_i n_i + F_i, L / r) are a fixed point of
//   N' = max(0, N - (n . v - target)),  F' = F - u / (1 + 1/j) clipped to f N',  L' = L - j r^2 w clipped to C r sum N'      (1)
// With one contact L' is clipped across n to C r N', and about n to C_s r N'.
// R(z) = z - z' is piecewise smooth; its derivative J is exact on each piece. The step comes from damped least squares,
//   (J^T J + m 1) d = -J^T R                                                                                             (2)
// since J is singular where two contacts hold: a stress along the line through both moves nothing. Steps that do not lower |R| are halved.
#pragma once
#include "asperity/laws/contact/touching.h"

namespace asperity::laws::detail {

inline constexpr int max_unknowns = 3 * max_touching + 3;

struct Unknowns {
    double at[max_unknowns] = {};
};

ASPERITY_HD inline Vec3 three_of(const Unknowns& z, int i) { return {z.at[3 * i], z.at[3 * i + 1], z.at[3 * i + 2]}; }
ASPERITY_HD inline void set_three_of(Unknowns& z, int i, const Vec3& a) {
    z.at[3 * i] = a.x;
    z.at[3 * i + 1] = a.y;
    z.at[3 * i + 2] = a.z;
}

// The derivative of clipped(a, limit).
ASPERITY_HD inline Vec3 clipped_rate(const Vec3& a, const Vec3& da, double limit, double dlimit) {
    const double length = norm(a);
    if (length <= limit) return da;
    const Vec3 along = a / length;
    return (limit / length) * tangential(da, along) + dlimit * along;
}

// The derivative of clipped_torque(a, touch, limits, reach).
ASPERITY_HD inline Vec3 clipped_torque_rate(const Vec3& a, const Vec3& da, const Touching& touch, const Limits& limits, double reach,
                                            double dreach) {
    const double limit = limits.rolling * reach, dlimit = limits.rolling * dreach;
    if (touch.count != 1) return clipped_rate(a, da, limit, dlimit);
    const Vec3& n = touch.normal[0];
    const Vec3 across = clipped_rate(tangential(a, n), tangential(da, n), limit, dlimit);
    if (limits.spinning == 0) return across;
    const double about = dot(a, n), limit_rate = (about > 0 ? 1 : -1) * limits.spinning * dreach;
    return across + (std::fabs(about) <= limits.spinning * reach ? dot(da, n) : limit_rate) * n;
}

struct ImpulseProblem {
    const Touching& touch;
    const Motion& free;
    const BallShape& ball;
    const Limits& limits;

    ASPERITY_HD Motion motion(const Unknowns& z) const {
        const double r = ball.radius, turning = 1 / (ball.inertia_factor * r * r);
        Motion m = free;
        for (int i = 0; i < touch.count; ++i) {
            m.v += three_of(z, i);
            m.w -= (r * turning) * cross(touch.normal[i], three_of(z, i));
        }
        m.w += (r * turning) * three_of(z, touch.count);
        return m;
    }

    // R of (1); returns |R|.
    ASPERITY_HD double residual(const Unknowns& z, Unknowns& out) const {
        const double r = ball.radius, give = 1 + 1 / ball.inertia_factor;
        const Motion m = motion(z);
        double sum = 0, square = 0;
        for (int i = 0; i < touch.count; ++i) {
            const Vec3& n = touch.normal[i];
            const Vec3 all = three_of(z, i);
            const double pressed = std::fmax(0.0, dot(n, all) - (dot(n, m.v) - touch.target[i]));
            const Vec3 rubbed = clipped(tangential(all - slip(m, n, r) / give, n), limits.friction * pressed);
            set_three_of(out, i, all - pressed * n - rubbed);
            sum += pressed;
        }
        const Vec3 rolling = three_of(z, touch.count);
        set_three_of(out, touch.count, rolling - clipped_torque(rolling - (ball.inertia_factor * r) * m.w, touch, limits, sum));
        for (int k = 0; k < 3 * touch.count + 3; ++k) square += out.at[k] * out.at[k];
        return std::sqrt(square);
    }

    // The derivative of R at z in the direction dz.
    ASPERITY_HD void residual_rate(const Unknowns& z, const Unknowns& dz, Unknowns& out) const {
        const double r = ball.radius, give = 1 + 1 / ball.inertia_factor;
        const Motion m = motion(z), moved = motion(dz), dm{moved.v - free.v, moved.w - free.w};  // motion() is affine in z
        double sum = 0, dsum = 0;
        for (int i = 0; i < touch.count; ++i) {
            const Vec3& n = touch.normal[i];
            const Vec3 all = three_of(z, i), dall = three_of(dz, i);
            const double wanted = dot(n, all) - (dot(n, m.v) - touch.target[i]);
            const double pressed = std::fmax(0.0, wanted), dpressed = wanted > 0 ? dot(n, dall) - dot(n, dm.v) : 0;
            const Vec3 drubbed = clipped_rate(tangential(all - slip(m, n, r) / give, n), tangential(dall - slip(dm, n, r) / give, n),
                                              limits.friction * pressed, limits.friction * dpressed);
            set_three_of(out, i, dall - dpressed * n - drubbed);
            sum += pressed;
            dsum += dpressed;
        }
        const double arm = ball.inertia_factor * r;
        const Vec3 rolling = three_of(z, touch.count), drolling = three_of(dz, touch.count);
        set_three_of(out, touch.count,
                     drolling - clipped_torque_rate(rolling - arm * m.w, drolling - arm * dm.w, touch, limits, sum, dsum));
    }
};

// Solves the symmetric positive system in place (Cholesky); b becomes the solution.
ASPERITY_HD inline void solve_positive(double (&a)[max_unknowns][max_unknowns], double* b, int n) {
    for (int k = 0; k < n; ++k) {
        for (int j = 0; j < k; ++j) a[k][k] -= a[k][j] * a[k][j];
        a[k][k] = std::sqrt(std::fmax(a[k][k], 1e-300));
        for (int i = k + 1; i < n; ++i) {
            for (int j = 0; j < k; ++j) a[i][k] -= a[i][j] * a[k][j];
            a[i][k] /= a[k][k];
        }
    }
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < i; ++j) b[i] -= a[i][j] * b[j];
        b[i] /= a[i][i];
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int j = i + 1; j < n; ++j) b[i] -= a[j][i] * b[j];
        b[i] /= a[i][i];
    }
}

// The step d of (2) at z.
ASPERITY_HD inline void newton_direction(const ImpulseProblem& problem, const Unknowns& z, Unknowns& step) {
    const int n = 3 * problem.touch.count + 3;
    Unknowns here, there;
    problem.residual(z, here);
    double jacobian[max_unknowns][max_unknowns], normal[max_unknowns][max_unknowns];
    for (int k = 0; k < n; ++k) {
        Unknowns direction;
        direction.at[k] = 1;
        problem.residual_rate(z, direction, there);
        for (int i = 0; i < n; ++i) jacobian[i][k] = there.at[i];
    }
    for (int i = 0; i < n; ++i) {
        step.at[i] = 0;
        for (int k = 0; k < n; ++k) step.at[i] -= jacobian[k][i] * here.at[k];
        for (int j = 0; j <= i; ++j) {
            normal[i][j] = i == j ? 1e-12 : 0.0;
            for (int k = 0; k < n; ++k) normal[i][j] += jacobian[k][i] * jacobian[k][j];
        }
    }
    solve_positive(normal, step.at, n);
}

ASPERITY_HD inline void add(const Unknowns& step, double part, int n, Unknowns& z) {
    for (int k = 0; k < n; ++k) z.at[k] += part * step.at[k];
}

// One step of (2) from z, with |R| = size; returns the new |R|, not larger.
ASPERITY_HD inline double newton_step(const ImpulseProblem& problem, double size, Unknowns& z) {
    const int n = 3 * problem.touch.count + 3;
    Unknowns step, there;
    newton_direction(problem, z, step);
    for (double part = 1; part > 1e-3; part *= 0.5) {
        Unknowns moved = z;
        add(step, part, n, moved);
        const double moved_size = problem.residual(moved, there);
        if (moved_size < size) {
            z = moved;
            return moved_size;
        }
    }
    return size;
}

// Leaves a place where no step lowers |R|: a few whole steps, whatever they do to it, then plain rounds of (1), shortened.
ASPERITY_HD inline void leave_valley(const ImpulseProblem& problem, int whole_steps, Unknowns& z) {
    const int n = 3 * problem.touch.count + 3;
    Unknowns step;
    for (int k = 0; k < whole_steps; ++k) {
        newton_direction(problem, z, step);
        add(step, 1, n, z);
    }
    for (int k = 0; k < 5; ++k) {
        problem.residual(z, step);
        add(step, -0.3, n, z);
    }
}

// Continues from the impulses in `out`; true when |R| is down to rounding. A stuck search goes on from a plain round of (1).
ASPERITY_HD inline bool solve_by_newton(const Touching& touch, const Motion& free, const BallShape& ball, const Limits& limits,
                                        double scale, Impulses& out, Motion& now) {
    const ImpulseProblem problem{touch, free, ball, limits};
    Unknowns z, rest;
    for (int i = 0; i < touch.count; ++i) set_three_of(z, i, out.normal[i] * touch.normal[i] + out.friction[i]);
    set_three_of(z, touch.count, out.rolling / ball.radius);
    double size = problem.residual(z, rest);
    int stuck = 0;
    for (int round = 0; round < 30 && size > 1e-14 * scale; ++round) {
        const double last = size;
        size = newton_step(problem, size, z);
        if (size > 0.9 * last) {
            if (size <= 1e-12 * scale) break;  // rounding
            leave_valley(problem, ++stuck % 5, z);
            size = problem.residual(z, rest);
        }
    }
    // clip to the laws what rounding left over
    double sum = 0;
    for (int i = 0; i < touch.count; ++i) {
        const Vec3& n = touch.normal[i];
        out.normal[i] = std::fmax(0.0, dot(n, three_of(z, i)));
        out.friction[i] = clipped(tangential(three_of(z, i), n), limits.friction * out.normal[i]);
        set_three_of(z, i, out.normal[i] * n + out.friction[i]);
        sum += out.normal[i];
    }
    out.rolling = clipped_torque(ball.radius * three_of(z, touch.count), touch, limits, ball.radius * sum);
    set_three_of(z, touch.count, out.rolling / ball.radius);
    now = problem.motion(z);
    return size <= 1e-12 * scale;
}

}  // namespace asperity::laws::detail
