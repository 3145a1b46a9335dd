#include "asperity/statistics/circular.h"

#include <gtest/gtest.h>

#include <cmath>

#include "asperity/core/random.h"

namespace asperity::statistics::circular_test {
namespace {

// Thirty landers within 2.4 deg of 180: the mean is 180, not what the numbers 177.6 ... -177.6 have.
TEST(CircularStatistics, TheCutAtHalfATurnDoesNotMatter) {
    std::vector<double> plain, wrapped;
    for (int i = 0; i < 30; ++i) {
        const double x = -2.4 + 4.8 * i / 29;
        plain.push_back(x);
        wrapped.push_back(std::remainder(180 + x, 360.0));
    }
    const ColumnStatistics s = circular_statistics(column_of(wrapped)), t = circular_statistics(column_of(plain));
    EXPECT_NEAR(std::fabs(s.mean), 180, 1e-10);
    EXPECT_NEAR(t.mean, 0, 1e-10);
    EXPECT_NEAR(s.standard_deviation, t.standard_deviation, 1e-9);
    // of a narrow cloud the circular deviation is that of the line with n in place of n - 1, to the order of its square
    EXPECT_NEAR(t.standard_deviation, column_statistics(plain).standard_deviation * std::sqrt(29.0 / 30), 1e-3);
    EXPECT_NEAR(s.max - s.min, 4.8, 1e-10);
    EXPECT_NEAR(std::fabs(s.quantiles[2].value), 180, 1e-10);
    EXPECT_NEAR(s.mean_interval.high - s.mean, 1.96 * t.standard_deviation / std::sqrt(30.0), 1e-2);
    EXPECT_GT(s.mean_interval.high - s.mean_interval.low, 0.5);
    EXPECT_LT(s.mean_interval.high - s.mean_interval.low, 1.2);
}

// 0, 90 deg, twice each: C = S = 1/2, R = sqrt(1/2), deviation sqrt(ln 2) rad.
TEST(CircularStatistics, AreThoseOfAClosedForm) {
    const std::vector<double> x{0, 90, 0, 90, no_value, 0, 90, 0, 90};
    const ColumnStatistics s = circular_statistics(column_of(x));
    EXPECT_EQ(s.count, 8u);
    EXPECT_EQ(s.missing, 1u);
    EXPECT_NEAR(s.mean, 45, 1e-12);
    EXPECT_NEAR(s.resultant_length, std::sqrt(0.5), 1e-15);
    EXPECT_NEAR(s.standard_deviation, std::sqrt(std::log(2.0)) * 57.295779513082320877, 1e-10);
    EXPECT_NEAR(s.min, 0, 1e-12);
    EXPECT_NEAR(s.max, 90, 1e-12);
}

TEST(CircularStatistics, DirectionsAllAroundHaveNoMean) {
    std::vector<double> x;
    for (int i = 0; i < 36; ++i) x.push_back(-180 + 10 * i);
    const ColumnStatistics s = circular_statistics(column_of(x));
    EXPECT_TRUE(std::isnan(s.mean));
    EXPECT_TRUE(std::isnan(s.standard_deviation));
    EXPECT_NEAR(s.resultant_length, 0, 1e-12);
    EXPECT_TRUE(std::isnan(circular_statistics(column_of(std::vector<double>{})).mean));
    EXPECT_EQ(circular_statistics(column_of(std::vector{7.0})).mean, 7);
}

}  // namespace
}  // namespace asperity::statistics::circular_test
