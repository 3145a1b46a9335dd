// Explicit Runge-Kutta steps on a flat vector: y' = f(t, y).
//
//   k_i = f(t + c_i h, y + h sum_j a_ij k_j),   y1 = y + h sum_i b_i k_i,   error = h sum_i (b_i - bhat_i) k_i      (1)
//
// Dopri5: Dormand-Prince 5(4)7M, order 5, error of order 4, first stage same as last of the step before; dense output of order 4.
// Rk4:    the classical method, order 4, fixed step, no error estimate; dense output by a cubic through values and slopes.
//
// The dense output of both is one polynomial of degree four in s = (t - t0) / h,
//   y(s) = c0 + c1 s + c2 s^2 + c3 s^3 + c4 s^4                                                                     (2)
// with y(0) = y0, y(1) = y1, y'(0) = h k_1, y'(1) = h k_last. It is exact where the solution is a polynomial of degree <= 4 (Rk4: <= 3): a
// ball in uniform gravity is integrated and located to rounding. The order drops across a discontinuity of f: end the step there.
//
// Sources: Dormand and Prince, J. Comp. Appl. Math. 6 (1980) 19-26; Hairer, Norsett, Wanner, Solving ODEs I (1993), II.5-II.6.
// Boost.Odeint is the reference in the tests; it cannot run in a GPU thread, so the steps stand here.
#pragma once
#include "asperity/numerics/vector.h"

namespace asperity::numerics {

// The polynomial (2) over one step.
template <int N>
struct Dense {
    Vector<N> c0, c1, c2, c3, c4;
    double h = 0;  // length of the step; s = (t - t0) / h

    ASPERITY_HD double value(int i, double s) const { return c0[i] + s * (c1[i] + s * (c2[i] + s * (c3[i] + s * c4[i]))); }
    ASPERITY_HD double slope(int i, double s) const {  // d/dt, not d/ds
        return (c1[i] + s * (2 * c2[i] + s * (3 * c3[i] + s * 4 * c4[i]))) / h;
    }
    ASPERITY_HD Vector<N> value(double s) const {
        Vector<N> y;
        for (int i = 0; i < N; ++i) y[i] = value(i, s);
        return y;
    }
    ASPERITY_HD Vec3 three(int first, double s) const { return {value(first, s), value(first + 1, s), value(first + 2, s)}; }
    ASPERITY_HD Vec3 three_slope(int first, double s) const { return {slope(first, s), slope(first + 1, s), slope(first + 2, s)}; }
};

template <int N>
struct Step {
    Vector<N> y1;
    Vector<N> last_slope;  // f(t + h, y1)
    Vector<N> error;       // estimate of the error of y1; zero where the method has none
    Dense<N> dense;
};

struct Dopri5 {
    static constexpr int order = 5;
    static constexpr bool is_adaptive = true;

    template <int N, class Rhs>
    ASPERITY_HD static Step<N> step(const Rhs& f, const Vector<N>& y, const Vector<N>& k1, double h) {
        Vector<N> k2, k3, k4, k5, k6, stage;
        Step<N> out;
        for (int i = 0; i < N; ++i) stage[i] = y[i] + h * (1.0 / 5 * k1[i]);
        k2 = f(stage);
        for (int i = 0; i < N; ++i) stage[i] = y[i] + h * (3.0 / 40 * k1[i] + 9.0 / 40 * k2[i]);
        k3 = f(stage);
        for (int i = 0; i < N; ++i) stage[i] = y[i] + h * (44.0 / 45 * k1[i] - 56.0 / 15 * k2[i] + 32.0 / 9 * k3[i]);
        k4 = f(stage);
        for (int i = 0; i < N; ++i)
            stage[i] = y[i] + h * (19372.0 / 6561 * k1[i] - 25360.0 / 2187 * k2[i] + 64448.0 / 6561 * k3[i] - 212.0 / 729 * k4[i]);
        k5 = f(stage);
        for (int i = 0; i < N; ++i)
            stage[i] = y[i] + h * (9017.0 / 3168 * k1[i] - 355.0 / 33 * k2[i] + 46732.0 / 5247 * k3[i] + 49.0 / 176 * k4[i] -
                                   5103.0 / 18656 * k5[i]);
        k6 = f(stage);
        Vector<N> increment;  // y1 - y, without the cancellation: short steps keep their digits
        for (int i = 0; i < N; ++i) {
            increment[i] =
                h * (35.0 / 384 * k1[i] + 500.0 / 1113 * k3[i] + 125.0 / 192 * k4[i] - 2187.0 / 6784 * k5[i] + 11.0 / 84 * k6[i]);
            out.y1[i] = y[i] + increment[i];
        }
        out.last_slope = f(out.y1);
        const Vector<N>& k7 = out.last_slope;
        out.dense.h = h;
        for (int i = 0; i < N; ++i) {
            // b - bhat
            out.error[i] = h * (71.0 / 57600 * k1[i] - 71.0 / 16695 * k3[i] + 71.0 / 1920 * k4[i] - 17253.0 / 339200 * k5[i] +
                                22.0 / 525 * k6[i] - 1.0 / 40 * k7[i]);
            // Hairer's continuous extension r1 + s(r2 + (1-s)(r3 + s(r4 + (1-s) r5))), rewritten in powers of s
            const double r2 = increment[i];
            const double r3 = h * k1[i] - r2;
            const double r4 = r2 - h * k7[i] - r3;
            const double r5 =
                h * (-12715105075.0 / 11282082432.0 * k1[i] + 87487479700.0 / 32700410799.0 * k3[i] - 10690763975.0 / 1880347072.0 * k4[i] +
                     701980252875.0 / 199316789632.0 * k5[i] - 1453857185.0 / 822651844.0 * k6[i] + 69997945.0 / 29380423.0 * k7[i]);
            out.dense.c0[i] = y[i];
            out.dense.c1[i] = r2 + r3;
            out.dense.c2[i] = r4 + r5 - r3;
            out.dense.c3[i] = -r4 - 2 * r5;
            out.dense.c4[i] = r5;
        }
        return out;
    }
};

struct Rk4 {
    static constexpr int order = 4;
    static constexpr bool is_adaptive = false;

    template <int N, class Rhs>
    ASPERITY_HD static Step<N> step(const Rhs& f, const Vector<N>& y, const Vector<N>& k1, double h) {
        Vector<N> k2, k3, k4, stage;
        Step<N> out;
        for (int i = 0; i < N; ++i) stage[i] = y[i] + 0.5 * h * k1[i];
        k2 = f(stage);
        for (int i = 0; i < N; ++i) stage[i] = y[i] + 0.5 * h * k2[i];
        k3 = f(stage);
        for (int i = 0; i < N; ++i) stage[i] = y[i] + h * k3[i];
        k4 = f(stage);
        Vector<N> increment;
        for (int i = 0; i < N; ++i) {
            increment[i] = h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
            out.y1[i] = y[i] + increment[i];
        }
        out.last_slope = f(out.y1);
        out.dense.h = h;
        for (int i = 0; i < N; ++i) {  // cubic Hermite
            const double r2 = increment[i];
            const double r3 = h * k1[i] - r2;
            const double r4 = r2 - h * out.last_slope[i] - r3;
            out.dense.c0[i] = y[i];
            out.dense.c1[i] = r2 + r3;
            out.dense.c2[i] = r4 - r3;
            out.dense.c3[i] = -r4;
        }
        return out;
    }
};

}  // namespace asperity::numerics
