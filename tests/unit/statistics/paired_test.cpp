// Intervals of paired runs: exact on small cases by hand, and the stated level under known truths, drawn with a fixed seed.
#include "asperity/statistics/paired.h"

#include <gtest/gtest.h>

#include <cmath>

#include "asperity/core/random.h"

namespace asperity::statistics::paired_test {
namespace {

// x and y share most of their scatter; the mean of x is `effect` larger.
struct Pairs {
    std::vector<double> x, y;
};
Pairs drawn_pairs(std::uint64_t trial, std::size_t n, double effect) {
    const DrawKey shared{.seed = 7, .run = trial, .stream = 1}, own{.seed = 7, .run = trial, .stream = 2};
    Pairs pairs;
    for (std::size_t i = 0; i < n; ++i) {
        const double common = 5 * random_normal(shared, i);
        pairs.x.push_back(common + effect + random_normal(own, 2 * i));
        pairs.y.push_back(common + random_normal(own, 2 * i + 1));
    }
    return pairs;
}

TEST(Paired, MeanByHand) {
    // differences 1, 2, 3: mean 2, deviation 1, t(0.975; 2) = 4.302652729749464
    const double x[] = {2, 9, no_value, 3, 4}, y[] = {1, 7, 5, 0, no_value};
    const PairedDifference got = paired_mean(x, y);
    EXPECT_EQ(got.pairs, 3u) << "the runs that have both";
    EXPECT_DOUBLE_EQ(got.difference.value, 2);
    EXPECT_NEAR(got.difference.interval.low, 2 - 4.302652729749464 / std::sqrt(3), 1e-12);
    EXPECT_NEAR(got.difference.interval.high, 2 + 4.302652729749464 / std::sqrt(3), 1e-12);
}

TEST(Paired, MeanFindsATrueEffectAndKeepsItsLevelUnderNone) {
    int found = 0, false_alarms = 0, unpaired = 0;
    for (std::uint64_t trial = 0; trial < 2000; ++trial) {
        const Pairs none = drawn_pairs(trial, 25, 0);
        const Estimate null = paired_mean(none.x, none.y).difference;
        false_alarms += null.is_above(0) || null.is_below(0) ? 1 : 0;
        const Pairs some = drawn_pairs(trial + 10000, 25, 1.2);
        found += paired_mean(some.x, some.y).difference.is_above(0) ? 1 : 0;
        // the same numbers without their pairing: the shared scatter hides the effect
        const Pairs others = drawn_pairs(trial + 20000, 25, 0);
        unpaired += paired_mean(some.x, others.y).difference.is_above(0) ? 1 : 0;
    }
    // 5 % of 2000 is 100 with a standard deviation of 9.7
    EXPECT_NEAR(false_alarms, 100, 39);
    EXPECT_GT(found, 1900);
    EXPECT_LT(unpaired, 600);
}

TEST(Paired, RateByHand) {
    // 20 runs: 6 succeed only in the first, 1 only in the second
    std::vector<double> x, y;
    for (int i = 0; i < 20; ++i) {
        x.push_back(i < 6 || i >= 10 ? 1 : 0);
        y.push_back(i == 7 || i >= 10 ? 1 : 0);
    }
    const PairedDifference got = paired_rate(x, y);
    EXPECT_EQ(got.pairs, 20u);
    EXPECT_DOUBLE_EQ(got.difference.value, 0.25);
    const double p = 7.0 / 22, q = 2.0 / 22, half = 1.959963984540054 * std::sqrt((p + q - (p - q) * (p - q)) / 22);
    EXPECT_NEAR(got.difference.interval.low, p - q - half, 1e-12);
    EXPECT_NEAR(got.difference.interval.high, p - q + half, 1e-12);
    EXPECT_EQ(paired_rate({}, {}).pairs, 0u);
}

TEST(Paired, RateCovers) {
    // success where a shared normal plus an own one stays below a limit; true rates from the normal distribution
    const auto rate = [](double limit) { return 0.5 * std::erfc(-limit / std::sqrt(2.0 * 2.0)); };
    const double truth = rate(1) - rate(0.4);
    int covered = 0;
    constexpr int trials = 2000;
    for (std::uint64_t trial = 0; trial < trials; ++trial) {
        const DrawKey key{.seed = 3, .run = trial, .stream = 0};
        std::vector<double> x, y;
        for (std::uint64_t i = 0; i < 60; ++i) {
            const double shared = random_normal(key, 3 * i);
            x.push_back(shared + random_normal(key, 3 * i + 1) < 1 ? 1 : 0);
            y.push_back(shared + random_normal(key, 3 * i + 2) < 0.4 ? 1 : 0);
        }
        const Interval i = paired_rate(x, y).difference.interval;
        covered += i.low <= truth && truth <= i.high ? 1 : 0;
    }
    EXPECT_NEAR(covered / double(trials), 0.95, 0.02);
}

TEST(Paired, DeviationCoversSkewedColumns) {
    // exponential: deviation 1, kurtosis 9, where the interval of a normal column covers three times of four
    int covered = 0, normal = 0;
    constexpr int trials = 1000;
    for (std::uint64_t trial = 0; trial < trials; ++trial) {
        std::vector<double> values;
        for (std::uint64_t i = 0; i < 400; ++i) values.push_back(-std::log(1 - random_uniform({.seed = 5, .run = trial, .stream = 0}, i)));
        const Interval i = deviation(values).interval, n = column_statistics(values).deviation_interval;
        covered += i.low <= 1 && 1 <= i.high ? 1 : 0;
        normal += n.low <= 1 && 1 <= n.high ? 1 : 0;
    }
    EXPECT_NEAR(covered / double(trials), 0.95, 0.04);
    EXPECT_LT(normal / double(trials), 0.8);
}

TEST(Paired, KneeIsWhereTheRateFallsThroughOneHalf) {
    // run i fails beyond u_i, uniform between 2 and 6: the rate is (6 - x) / 4, one half at 4
    const std::vector<double> places = {1, 2, 3, 5, 6};
    const auto found_in = [&](std::uint64_t trial) {
        std::vector<std::vector<double>> success(places.size());
        for (std::uint64_t i = 0; i < 100; ++i) {
            const double limit = 2 + 4 * random_uniform({.seed = 9, .run = trial, .stream = 0}, i);
            for (std::size_t k = 0; k < places.size(); ++k) success[k].push_back(places[k] < limit ? 1 : 0);
        }
        return knee(places, success, 0.5, 0.95, 300);
    };
    int covered = 0;
    for (std::uint64_t trial = 0; trial < 100; ++trial) {
        const auto got = found_in(trial);
        ASSERT_TRUE(got);
        EXPECT_EQ(got->existence, 1);
        covered += got->place.interval.low <= 4 && 4 <= got->place.interval.high ? 1 : 0;
    }
    EXPECT_NEAR(covered, 95, 6);
    const std::vector<std::vector<double>> always(places.size(), std::vector<double>(10, 1));
    EXPECT_FALSE(knee(places, always, 0.5));
}

}  // namespace
}  // namespace asperity::statistics::paired_test
