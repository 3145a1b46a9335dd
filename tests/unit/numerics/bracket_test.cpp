#include "asperity/numerics/bracket.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace asperity::numerics::test::bracket_test {
namespace {

struct Hard {
    std::string name;
    std::function<double(double)> f;  // changes sign once between a and b
    double a = 0;
    double b = 0;
};

// Functions on which a secant method crawls, jumps out, or underflows. Several after Alefeld, Potra, Shi, ACM TOMS 21 (1995), table I.
std::vector<Hard> hard_functions() {
    return {
        {"line", [](double x) { return 3 * x - 1; }, 0, 1},
        {"falling line", [](double x) { return 1 - 3 * x; }, 0, 1},
        {"from right to left", [](double x) { return x * x - 2; }, 2, 0},
        {"parabola of a fall", [](double x) { return 20 - 0.023 * x - 0.5e-4 * x * x; }, 0, 1e4},
        {"triple root", [](double x) { return std::pow(x - 0.3, 3); }, 0, 1},
        {"ninth power", [](double x) { return std::pow(x - 0.7, 9); }, 0, 1},
        {"flat on one side", [](double x) { return x < 0.6 ? 1e-300 : 0.6 - x; }, 0, 1},
        {"step", [](double x) { return x < 1.0 / 3 ? -1.0 : 1e6; }, 0, 1},
        {"pole that changes sign", [](double x) { return 1 / (x - 1.0 / 7); }, 0, 1},
        {"square-root cusp", [](double x) { return x < 0.1 ? -std::sqrt(0.1 - x) : std::sqrt(x - 0.1); }, 0, 1},
        {"steep exponential", [](double x) { return std::exp(50 * x) - 1e10; }, 0, 1},
        {"nearly flat", [](double x) { return std::atan(1e8 * (x - 0.123)); }, 0, 1},
        {"tiny values", [](double x) { return 1e-305 * (x - 0.2); }, 0, 1},
        {"large values", [](double x) { return 1e300 * (x - 0.2); }, 0, 1},
        {"oscillating slope", [](double x) { return x - 0.4 + 0.1 * std::sin(9 * x); }, 0, 1},
        {"root close to a", [](double x) { return x - 1e-14; }, 0, 1},
        {"root close to b", [](double x) { return x - (1 - 1e-15); }, 0, 1},
    };
}

double towards(double x, double goal, int ulps) {
    for (int k = 0; k < ulps; ++k) x = std::nextafter(x, goal);
    return x;
}

// The bracket ends when half of it is below 2.3e-16 |b|: at most four spacings of double precision.
TEST(BracketedRoot, HardFunctionsAreSolvedToTheLastDigits) {
    for (const Hard& hard : hard_functions()) {
        SCOPED_TRACE(hard.name);
        const double fa = hard.f(hard.a), fb = hard.f(hard.b);
        ASSERT_LT(fa * std::copysign(1.0, fb), 0);
        const double x = bracketed_root(hard.f, hard.a, hard.b, fa, fb);
        const double fx = hard.f(x), beyond = hard.f(towards(x, hard.b, 4));
        EXPECT_TRUE(fx == 0 || (beyond > 0) != (fa > 0)) << "x = " << x << ", f = " << fx << ", four spacings on " << beyond;
    }
}

TEST(BracketedRoot, ThePointReturnedIsOnTheSideWhereItHasNotHappenedYet) {
    for (const Hard& hard : hard_functions()) {
        SCOPED_TRACE(hard.name);
        const double fa = hard.f(hard.a);
        const double fx = hard.f(bracketed_root(hard.f, hard.a, hard.b, fa, hard.f(hard.b)));
        EXPECT_TRUE(fx == 0 || (fx > 0) == (fa > 0)) << fx;
    }
}

// A root at zero has no relative rounding; here it must be found to the smallest part of the bracket that 200 halvings leave.
TEST(BracketedRoot, ARootAtZeroIsFoundFarBelowTheRoundingOfTheBracket) {
    const auto cubic = [](double x) { return x * x * x + x; };
    EXPECT_NEAR(bracketed_root(cubic, -0.4, 1, cubic(-0.4), cubic(1)), 0, 1e-50);
    const auto step = [](double x) { return x > 0 ? -1.0 : 1.0; };
    const double x = bracketed_root(step, -1, 1, 1, -1);
    EXPECT_LE(x, 0);
    EXPECT_GE(x, -1e-16);
}

TEST(BracketedRoot, AZeroAtAnEndIsThatEnd) {
    const auto f = [](double x) { return x - 0.25; };
    EXPECT_EQ(bracketed_root(f, 0.25, 1, 0, 0.75), 0.25);
    EXPECT_EQ(bracketed_root(f, -1, 0.25, -1.25, 0), 0.25);
}

// Brent's bound is the square of the number of halvings; in practice a root must not cost more than a few times bisection.
TEST(BracketedRoot, NoFunctionCostsMoreThanThreeTimesBisection) {
    for (const Hard& hard : hard_functions()) {
        SCOPED_TRACE(hard.name);
        int calls = 0;
        const auto counted = [&](double x) {
            ++calls;
            return hard.f(x);
        };
        bracketed_root(counted, hard.a, hard.b, hard.f(hard.a), hard.f(hard.b));
        EXPECT_LE(calls, 160);
    }
}

}  // namespace
}  // namespace asperity::numerics::test::bracket_test
