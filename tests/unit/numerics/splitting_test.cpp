#include "asperity/numerics/splitting.h"

#include <gtest/gtest.h>

#include <cmath>

namespace asperity::numerics::test::splitting_test {
namespace {

// A planet about a sun, GM = 1, semi-major axis 1, perihelion 0.7, moved by velocity Verlet: symmetric, of order 2.
struct Orbit {
    Vec3 position{0.7, 0, 0}, velocity{0, std::sqrt(2 / 0.7 - 1), 0};

    void verlet(double h) {
        const auto kick = [&] { velocity += -0.5 * h / std::pow(norm(position), 3) * position; };
        kick();
        position += h * velocity;
        kick();
    }
    void step(double h) {
        suzuki_step([this](double part) { verlet(part); }, h);
    }
};

// Half a turn ends at the aphelion, (-1.3, 0, 0).
TEST(Suzuki, ComposesAStepOfOrderTwoIntoOneOfOrderFour) {
    const auto error = [](int steps, auto step) {
        Orbit orbit;
        for (int k = 0; k < steps; ++k) step(orbit, M_PI / steps);
        return norm(orbit.position - Vec3{-1.3, 0, 0});
    };
    const auto single = [](Orbit& orbit, double h) { orbit.verlet(h); };
    const auto composed = [](Orbit& orbit, double h) { orbit.step(h); };
    EXPECT_NEAR(std::log2(error(100, single) / error(200, single)), 2, 0.05);
    EXPECT_NEAR(std::log2(error(100, composed) / error(200, composed)), 4, 0.1);
}

TEST(Suzuki, RunsBackwardsToWhereItCameFrom) {
    Orbit orbit;
    for (int k = 0; k < 500; ++k) orbit.step(0.01);
    EXPECT_GT(norm(orbit.position - Vec3{0.7, 0, 0}), 0.1);
    for (int k = 0; k < 500; ++k) orbit.step(-0.01);
    EXPECT_LT(norm(orbit.position - Vec3{0.7, 0, 0}), 1e-12);  // rounding of 5000 steps
}

// A tenth is not a binary number: ten million of them are a million within two units of its last place, where a plain sum is off by 1e-4.
TEST(CompensatedSum, OfManySmallStepsHasTheErrorOfOne) {
    Vec3 plain, sum, rest;
    const Vec3 step{0.1, 0.1, 0.1};
    for (int k = 0; k < 10000000; ++k) {
        plain += step;
        add_compensated(sum, step, rest);
    }
    EXPECT_GT(std::fabs(plain.x - 1e6), 1e-5);
    EXPECT_NEAR(sum.x, 1e6, 2.4e-10);
}

}  // namespace
}  // namespace asperity::numerics::test::splitting_test
