#include "asperity/numerics/runge_kutta.h"

#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace asperity::numerics::test::runge_kutta_test {
namespace {

constexpr unsigned seed = 20261115;

// A stiffly coupled, nonlinear right-hand side with no symmetry that could hide a wrong coefficient.
template <class State>
State tangled(const State& y) {
    State out;
    out[0] = y[1] * y[2] - 0.3 * y[0];
    out[1] = std::sin(y[2]) + y[3] * y[3] * y[0];
    out[2] = -y[0] + 0.1 * y[4] * y[1];
    out[3] = std::cos(y[1]) - 0.5 * y[3];
    out[4] = y[2] * y[3] + std::exp(-y[4] * y[4]);
    return out;
}

// Boost's stepper has the same published coefficients, typed by other hands. The sums run in another order: 1e-15 of the terms.
TEST(Dopri5, StepAndErrorAreThoseOfBoostOdeint) {
    using Flat = std::array<double, 5>;
    boost::numeric::odeint::runge_kutta_dopri5<Flat> reference;
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> draw(-2, 2);
    for (int round = 0; round < 200; ++round) {
        Flat y{}, slope{}, y1{}, slope1{}, error{};
        for (double& value : y) value = draw(random);
        const double h = std::exp2(2 * draw(random) - 4);
        slope = tangled(y);
        reference.do_step([](const Flat& at, Flat& out, double) { out = tangled(at); }, y, slope, 0.0, y1, slope1, h, error);

        Vector<5> ours;
        std::copy(y.begin(), y.end(), ours.at);
        const Step<5> step = Dopri5::step([](const Vector<5>& at) { return tangled(at); }, ours, tangled(ours), h);
        for (int i = 0; i < 5; ++i) {
            const auto k = static_cast<std::size_t>(i);
            const double scale = std::fabs(y[k]) + 40 * h;
            EXPECT_NEAR(step.y1[i], y1[k], 1e-15 * scale) << "seed " << seed << ", round " << round << ", entry " << i;
            EXPECT_NEAR(step.last_slope[i], slope1[k], 1e-13 * (1 + std::fabs(slope1[k])));
            EXPECT_NEAR(step.error[i], error[k], 1e-15 * scale);
        }
    }
}

template <class Integrator>
class RungeKutta : public testing::Test {};
using Integrators = testing::Types<Dopri5, Rk4>;
TYPED_TEST_SUITE(RungeKutta, Integrators);

TYPED_TEST(RungeKutta, TheDenseOutputMeetsBothEndsAndBothSlopes) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> draw(-2, 2);
    for (int round = 0; round < 100; ++round) {
        Vector<5> y;
        for (double& value : y.at) value = draw(random);
        const double h = 0.2;
        const Vector<5> slope = tangled(y);
        const Step<5> step = TypeParam::step([](const Vector<5>& at) { return tangled(at); }, y, slope, h);
        EXPECT_EQ(step.dense.h, h);
        for (int i = 0; i < 5; ++i) {
            EXPECT_EQ(step.dense.value(i, 0), y[i]);
            // five terms of size h |k|: rounding of their sum
            EXPECT_NEAR(step.dense.value(i, 1), step.y1[i], 5e-15);
            EXPECT_NEAR(step.dense.slope(i, 0), slope[i], 5e-14);
            EXPECT_NEAR(step.dense.slope(i, 1), step.last_slope[i], 5e-14);
            EXPECT_EQ(step.dense.value(0.5)[i], step.dense.value(i, 0.5));
        }
    }
}

// The free fall of a ball is of degree two: its contact is located to rounding because of this. Dense output of rk4 is a cubic.
TYPED_TEST(RungeKutta, PolynomialsUpToTheDegreeOfTheMethodAreExact) {
    constexpr bool is_dopri5 = std::is_same_v<TypeParam, Dopri5>;
    const double c[5] = {0.7, -1.1, 0.4, 2.3, -0.9};
    for (int degree = 0; degree <= 4; ++degree) {
        const auto value = [&](double t) {
            double sum = 0;
            for (int k = degree; k >= 0; --k) sum = sum * t + c[k];
            return sum;
        };
        const auto rhs = [&](const Vector<2>& y) {  // y = (t, polynomial)
            double sum = 0;
            for (int k = degree; k >= 1; --k) sum = sum * y[0] + k * c[k];
            return Vector<2>{{1, sum}};
        };
        const double t0 = 0.3, h = 1.7;
        const Vector<2> y{{t0, value(t0)}};
        const Step<2> step = TypeParam::step(rhs, y, rhs(y), h);
        const double rounding = 2e-14;  // values reach 20
        EXPECT_NEAR(step.y1[1], value(t0 + h), rounding) << degree;
        EXPECT_NEAR(step.error[1], 0, rounding);
        if (degree == 4 && !is_dopri5) continue;
        for (const double s : {0.1, 0.35, 0.5, 0.77})
            EXPECT_NEAR(step.dense.value(1, s), value(t0 + s * h), rounding) << degree << " at " << s;
    }
}

// One step from the exact solution of y'' = -y. Order p inside the step means an error of h^(p + 1): 5 for dopri5, 4 for a cubic.
TYPED_TEST(RungeKutta, TheDenseOutputHasItsOrderInsideTheStep) {
    constexpr double declared = std::is_same_v<TypeParam, Dopri5> ? 5 : 4;
    const auto rhs = [](const Vector<2>& y) { return Vector<2>{{y[1], -y[0]}}; };
    const auto worst = [&](double h) {
        const Vector<2> y{{std::sin(0.8), std::cos(0.8)}};
        const Step<2> step = TypeParam::step(rhs, y, rhs(y), h);
        double error = 0;
        for (double s = 0.05; s < 1; s += 0.05) error = std::fmax(error, std::fabs(step.dense.value(0, s) - std::sin(0.8 + s * h)));
        return error;
    };
    for (const double h : {0.1, 0.05}) EXPECT_NEAR(std::log2(worst(h) / worst(h / 2)), declared, 0.2) << h;
}

// y1 and the dense output come from the increment, not from y1 - y: a short step at a far place keeps its digits.
TEST(Dopri5, AShortStepFarFromTheOriginKeepsItsSlope) {
    const auto rhs = [](const Vector<2>& y) { return Vector<2>{{y[1], -1e-4}}; };
    const Vector<2> y{{80, 1e-2}};
    const Step<2> step = Dopri5::step(rhs, y, rhs(y), 1e-9);
    EXPECT_NEAR(step.dense.slope(0, 0.5), 1e-2 - 0.5e-13, 1e-17);
}

}  // namespace
}  // namespace asperity::numerics::test::runge_kutta_test
