// Dormand-Prince 5(4)7M on a flat vector whose length is known at run time: y' = f(y). Coefficients, error estimate and dense output are
// those of Dopri5 in runge_kutta.h, which is for lengths known at compile time.
// The object is workspace: arrays keep their size until the next resize(). start() evaluates f(y0); trial(h) leaves y1 and the error
// estimate, and can be called again with another h.
#pragma once
#include <cmath>
#include <cstddef>
#include <vector>

namespace asperity::numerics {

class FlatDopri5 {
public:
    static constexpr int order = 5;

    explicit FlatDopri5(std::size_t size) { resize(size); }

    // To be called before y0 is set.
    void resize(std::size_t size) {
        for (auto* array : {&y0, &y1, &error, &stage_}) array->resize(size);
        for (auto& k : k_) k.resize(size);
    }

    std::vector<double> y0, y1, error;

    // f(y, slope) fills its second argument.
    template <class Rhs>
    void start(const Rhs& f) {
        f(y0, k_[0]);
    }

    // f(y0), of the last start; components that are known otherwise may be set.
    std::vector<double>& first_slope() { return k_[0]; }

    template <class Rhs>
    void trial(const Rhs& f, double h) {
        h_ = h;
        auto& [k1, k2, k3, k4, k5, k6, k7] = k_;
        const std::size_t n = y0.size();
        for (std::size_t i = 0; i < n; ++i) stage_[i] = y0[i] + h * (1.0 / 5 * k1[i]);
        f(stage_, k2);
        for (std::size_t i = 0; i < n; ++i) stage_[i] = y0[i] + h * (3.0 / 40 * k1[i] + 9.0 / 40 * k2[i]);
        f(stage_, k3);
        for (std::size_t i = 0; i < n; ++i) stage_[i] = y0[i] + h * (44.0 / 45 * k1[i] - 56.0 / 15 * k2[i] + 32.0 / 9 * k3[i]);
        f(stage_, k4);
        for (std::size_t i = 0; i < n; ++i)
            stage_[i] = y0[i] + h * (19372.0 / 6561 * k1[i] - 25360.0 / 2187 * k2[i] + 64448.0 / 6561 * k3[i] - 212.0 / 729 * k4[i]);
        f(stage_, k5);
        for (std::size_t i = 0; i < n; ++i)
            stage_[i] = y0[i] + h * (9017.0 / 3168 * k1[i] - 355.0 / 33 * k2[i] + 46732.0 / 5247 * k3[i] + 49.0 / 176 * k4[i] -
                                     5103.0 / 18656 * k5[i]);
        f(stage_, k6);
        for (std::size_t i = 0; i < n; ++i) y1[i] = y0[i] + increment(i);
        f(y1, k7);
        for (std::size_t i = 0; i < n; ++i)
            error[i] = h * (71.0 / 57600 * k1[i] - 71.0 / 16695 * k3[i] + 71.0 / 1920 * k4[i] - 17253.0 / 339200 * k5[i] +
                            22.0 / 525 * k6[i] - 1.0 / 40 * k7[i]);
    }

    double length() const { return h_; }  // of the last trial

    // Dense output over the last trial, s = (t - t0) / h: component i.
    double value(std::size_t i, double s) const {
        const auto& [k1, k2, k3, k4, k5, k6, k7] = k_;
        const double r2 = increment(i), r3 = h_ * k1[i] - r2, r4 = r2 - h_ * k7[i] - r3;
        const double r5 = fifth(i);
        return y0[i] + s * (r2 + (1 - s) * (r3 + s * (r4 + (1 - s) * r5)));
    }

    // A bound of |dy / ds| of component i over the last trial: |r2| + |r3| + |r4| + |r5| / 5, since s (1 - s), s^2 (1 - s) and
    // s^2 (1 - s)^2 change by no more than 1, 1 and 1/5 a unit of s.
    double way_bound(std::size_t i) const {
        const auto& [k1, k2, k3, k4, k5, k6, k7] = k_;
        const double r2 = increment(i), r3 = h_ * k1[i] - r2, r4 = r2 - h_ * k7[i] - r3;
        return std::fabs(r2) + std::fabs(r3) + std::fabs(r4) + 0.2 * std::fabs(fifth(i));
    }

private:
    // Of the last term of the dense output.
    double fifth(std::size_t i) const {
        const auto& [k1, k2, k3, k4, k5, k6, k7] = k_;
        return h_ * (-12715105075.0 / 11282082432.0 * k1[i] + 87487479700.0 / 32700410799.0 * k3[i] - 10690763975.0 / 1880347072.0 * k4[i] +
                     701980252875.0 / 199316789632.0 * k5[i] - 1453857185.0 / 822651844.0 * k6[i] + 69997945.0 / 29380423.0 * k7[i]);
    }
    double increment(std::size_t i) const {
        return h_ *
               (35.0 / 384 * k_[0][i] + 500.0 / 1113 * k_[2][i] + 125.0 / 192 * k_[3][i] - 2187.0 / 6784 * k_[4][i] + 11.0 / 84 * k_[5][i]);
    }

    std::vector<double> k_[7];
    std::vector<double> stage_;
    double h_ = 0;
};

}  // namespace asperity::numerics
