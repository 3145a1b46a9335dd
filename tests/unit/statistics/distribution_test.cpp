// Quantiles and moments against 100-digit arithmetic, drawn samples against cumulative distributions written down by hand.
#include "asperity/statistics/distribution.h"

#include <boost/math/special_functions/erf.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "asperity/core/random.h"

namespace asperity::statistics::distribution_test {
namespace {

using Real = boost::multiprecision::cpp_bin_float_100;

constexpr double eps = std::numeric_limits<double>::epsilon();

// Probability of [a, b] of the standard normal; below zero it is mirrored, since 1 - 1e-200 is 1 in 100 digits too.
Real mass(const Real& a, const Real& b) {
    const auto upper = [](const Real& z) { return Real(boost::math::erfc(z / sqrt(Real(2))) / 2); };
    return b < 0 ? upper(-b) - upper(-a) : upper(a) - upper(b);
}
Real density(const Real& z) { return exp(-z * z / 2) / sqrt(2 * boost::math::constants::pi<Real>()); }

Real exact_of(double bound) { return std::isinf(bound) ? (bound > 0 ? Real(1000) : Real(-1000)) : Real(bound); }

const std::vector<std::pair<double, double>> truncations{
    {-unbounded, unbounded}, {-1, unbounded}, {-unbounded, 0.5}, {-2, 5},       {8, 9},        {-9, -8},           {8, unbounded},
    {-unbounded, -20},       {30, 31},        {37, 37.25},       {-1e-6, 2e-6}, {5, 5.000001}, {-0.3, -0.2999999}, {-37, 37}};

const std::vector<double> probabilities{0x1p-53, 1e-12, 1e-5, 0.01, 0.2, 0.3, 0.5, 0.6, 0.75, 0.9, 0.999, 1 - 1e-9, 1 - 0x1p-53};

// How far the value is from where the 100-digit cumulative distribution reaches u, in sigmas.
double miss(double z, double low, double high, double u) {
    const Real whole = mass(exact_of(low), exact_of(high));
    const Real reached = mass(exact_of(low), z) / whole;
    return static_cast<double>((reached - u) * whole / density(Real(z)));
}

TEST(Distribution, normal_quantiles_hit_their_probability_to_rounding_in_the_middle_and_in_far_tails) {
    for (const auto& [low, high] : truncations) {
        for (const double u : probabilities) {
            const double z = quantile(Normal{.mean = 0, .sigma = 1, .low = low, .high = high}, u);
            EXPECT_GE(z, low);
            EXPECT_LE(z, high);
            // A few units of the last place of z; where z is near 0 but the interval is not, of the interval.
            const double scale = std::max(std::fabs(z), std::min({1.0, std::fabs(low), std::fabs(high)}));
            EXPECT_LE(std::fabs(miss(z, low, high, u)), 8 * eps * scale) << "[" << low << ", " << high << "], u = " << u << ", z = " << z;
        }
    }
}

TEST(Distribution, the_normal_has_the_quantiles_of_the_tables) {
    EXPECT_NEAR(quantile(Normal{}, 0.975), 1.959963984540054, 1e-15);  // Abramowitz and Stegun, table 26.5
    EXPECT_NEAR(quantile(Normal{}, 0.001), -3.090232306167814, 1e-15);
    EXPECT_EQ(quantile(Normal{.mean = 3, .sigma = 2}, 0.5), 3);
    EXPECT_NEAR(quantile(LogNormal{.median = 2, .sigma_log = 0.5}, 0.975), 2 * std::exp(0.5 * 1.959963984540054), 1e-14);
    EXPECT_NEAR(quantile(LogNormal{.median = 2, .sigma_log = 0.5, .low = 2}, 0.95), 2 * std::exp(0.5 * 1.959963984540054), 1e-14);
}

TEST(Distribution, quantiles_never_fall_and_are_finite_at_both_ends) {
    const std::vector<Distribution> all{Normal{.mean = 2, .sigma = 0.1},
                                        Normal{.mean = 0, .sigma = 1, .low = 8, .high = 9},
                                        Uniform{-1, 3},
                                        Uniform{-1e308, 1e308},
                                        LogNormal{.median = 1e-3, .sigma_log = 2},
                                        LogNormal{.median = 1, .sigma_log = 0.2, .low = 3, .high = 4},
                                        Choice{{1, 2, 5}, {1, 0, 2}},
                                        Table{{0, 1, 1, 4, 6}, {0, 0.25, 0.5, 0.5, 1}}};
    for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_TRUE(problems(all[i]).empty()) << i;
        double last = quantile(all[i], 0);
        EXPECT_TRUE(std::isfinite(last)) << i;
        for (int k = 1; k <= 10000; ++k) {
            const double value = quantile(all[i], k / 10000.0);
            EXPECT_GE(value, last) << i << " at " << k;
            last = value;
        }
        EXPECT_TRUE(std::isfinite(last)) << i;
    }
    EXPECT_EQ(quantile(Normal{}, 0), quantile(Normal{}, 0x1p-54));
    EXPECT_EQ(quantile(Normal{}, 1), quantile(Normal{}, 1 - 0x1p-53));
    EXPECT_LT(quantile(Normal{}, 1), 8.3);
    EXPECT_GT(quantile(Normal{}, 0), -8.4);
}

TEST(Distribution, truncated_normal_moments_are_the_closed_form) {
    const double mu = 3, sigma = 0.5;
    for (const auto& [low, high] : truncations) {
        // Johnson, Kotz, Balakrishnan 13.10.1; 100 digits survive its cancellation.
        const Real a = exact_of(low), b = exact_of(high), whole = mass(a, b);
        const Real first = (density(a) - density(b)) / whole;
        const Real second = 1 + (a * density(a) - b * density(b)) / whole - first * first;
        // Bounds whose distance from the mean is exact, so that the interval is the one meant.
        const Normal d{.mean = 0, .sigma = 1, .low = low, .high = high};
        const double spread = std::sqrt(variance(d));
        EXPECT_LE(std::fabs(static_cast<double>(mean(d) - first)), 1e-14 * spread + 2 * eps * std::fabs(mean(d))) << low << " " << high;
        EXPECT_NEAR(variance(d) / static_cast<double>(second), 1, 1e-13) << low << " " << high;
        const Normal moved{.mean = mu, .sigma = sigma, .low = mu + sigma * low, .high = mu + sigma * high};
        EXPECT_NEAR(mean(moved), mu + sigma * static_cast<double>(first), 1e-14 * mu + 1e-13 * std::fabs(low < -1e3 ? 0 : low)) << low;
    }
}

TEST(Distribution, truncated_log_normal_moments_are_the_closed_form) {
    for (const double s : {1e-3, 0.1, 1.0, 3.0, 8.0}) {
        for (const auto& [low, high] : truncations) {
            const LogNormal d{.median = 2,
                              .sigma_log = s,
                              .low = std::isinf(low) ? 0 : 2 * std::exp(s * low),
                              .high = std::isinf(high) ? unbounded : 2 * std::exp(s * high)};
            // E[x^k] = median^k exp(k^2 s^2 / 2) P[a - k s, b - k s] / P[a, b], with the bounds as rounded.
            const auto z = [&](double x) { return log(Real(x) / 2) / Real(s); };
            const Real a = d.low > 0 ? z(d.low) : Real(-1000), b = std::isinf(d.high) ? Real(1000) : z(d.high);
            const auto moment = [&](int k) {
                return pow(Real(2), k) * exp(Real(k) * k * s * s / 2) * mass(a - k * Real(s), b - k * Real(s)) / mass(a, b);
            };
            const Real m = moment(1), v = moment(2) - m * m;
            // The condition of the problem: an end of the interval is a number of sigmas rounded to eps / s.
            const double condition = 100 * eps * (1 + (std::isinf(low) ? 0 : std::fabs(low)) / s) / std::min(1.0, high - low);
            EXPECT_NEAR(mean(d) / static_cast<double>(m), 1, 1e-13) << s << " " << low << " " << high;
            EXPECT_NEAR(variance(d) / static_cast<double>(v), 1, 1e-12 + condition / std::min(1.0, s * (high - low)))
                << s << " " << low << " " << high;
        }
    }
}

TEST(Distribution, other_moments_are_the_closed_form) {
    EXPECT_EQ(mean(Uniform{-1, 3}), 1);
    EXPECT_NEAR(variance(Uniform{-1, 3}), 16.0 / 12, 1e-15);
    EXPECT_EQ(mean(Choice{{1, 2, 5}, {1, 0, 3}}), 4);
    EXPECT_EQ(variance(Choice{{1, 2, 5}, {1, 0, 3}}), 3);
    EXPECT_EQ(mean(Choice{{1, 3}, {}}), 2);
    EXPECT_NEAR(mean(LogNormal{.median = 2, .sigma_log = 0.5}), 2 * std::exp(0.125), 1e-15);
    EXPECT_NEAR(variance(LogNormal{.median = 2, .sigma_log = 0.5}), 4 * std::exp(0.25) * std::expm1(0.25), 1e-14);
    EXPECT_EQ(mean(Normal{.mean = 3, .sigma = 2}), 3);
    EXPECT_EQ(variance(Normal{.mean = 3, .sigma = 2}), 4);
    // Half uniform on [0, 1], a quarter at 1, a quarter uniform on [2, 4].
    const Table table{{0, 1, 1, 2, 4}, {0, 0.5, 0.75, 0.75, 1}};
    EXPECT_DOUBLE_EQ(mean(table), 0.25 + 0.25 + 0.75);
    EXPECT_DOUBLE_EQ(variance(table), 0.5 / 3 + 0.25 + 0.25 * (64.0 - 8.0) / 6 - 1.25 * 1.25);
    EXPECT_EQ(variance(Normal{.mean = 3, .sigma = 0}), 0);
    EXPECT_EQ(quantile(Normal{.mean = 3, .sigma = 0}, 0.9), 3);
    EXPECT_EQ(quantile(LogNormal{.median = 3, .sigma_log = 0}, 0.9), 3);
}

double phi(double z) { return 0.5 * std::erfc(-z / std::sqrt(2)); }

// Kolmogorov: sqrt(n) D exceeds 1.95 once in a thousand fixed seeds.
TEST(Distribution, drawn_samples_follow_the_cumulative_distribution) {
    struct Case {
        Distribution distribution;
        std::function<double(double)> cumulative;
    };
    const std::vector<Case> cases{
        {Normal{.mean = 2, .sigma = 3}, [](double x) { return phi((x - 2) / 3); }},
        {Normal{.mean = 2, .sigma = 3, .low = 1, .high = 4},
         [](double x) { return (phi((x - 2) / 3) - phi(-1.0 / 3)) / (phi(2.0 / 3) - phi(-1.0 / 3)); }},
        {Uniform{-1, 3}, [](double x) { return (x + 1) / 4; }},
        {LogNormal{.median = 2, .sigma_log = 0.7}, [](double x) { return phi(std::log(x / 2) / 0.7); }},
        {LogNormal{.median = 2, .sigma_log = 0.7, .low = 2, .high = 5},
         [](double x) { return (phi(std::log(x / 2) / 0.7) - 0.5) / (phi(std::log(2.5) / 0.7) - 0.5); }},
        {Table{{0, 1, 3}, {0, 0.8, 1}}, [](double x) { return x < 1 ? 0.8 * x : 0.8 + 0.1 * (x - 1); }},
    };
    const int n = 20000;
    for (std::size_t c = 0; c < cases.size(); ++c) {
        std::vector<double> sample;
        for (int i = 0; i < n; ++i) {
            sample.push_back(
                quantile(cases[c].distribution, random_uniform({.seed = 7, .run = static_cast<std::uint64_t>(i), .stream = c}, 0)));
        }
        std::sort(sample.begin(), sample.end());
        double distance = 0;
        for (int i = 0; i < n; ++i) {
            const double f = cases[c].cumulative(sample[static_cast<std::size_t>(i)]);
            distance = std::max({distance, f - static_cast<double>(i) / n, (i + 1.0) / n - f});
        }
        EXPECT_LT(std::sqrt(n) * distance, 1.95) << c;
        double sum = 0;
        for (const double x : sample) sum += x;
        EXPECT_NEAR(sum / n, mean(cases[c].distribution), 4 * std::sqrt(variance(cases[c].distribution) / n)) << c;
    }
}

TEST(Distribution, a_choice_takes_each_value_as_often_as_its_weight_says) {
    const Choice choice{{5, 1, 9, 2}, {1, 0, 2, 1}};
    for (int k = 0; k < 4000; ++k) {
        const double u = (k + 0.5) / 4000;
        EXPECT_EQ(quantile(choice, u), u < 0.25 ? 5 : u < 0.75 ? 9 : 2);
    }
    EXPECT_EQ(quantile(Choice{{1, 2, 3, 4}, {0, 1, 1, 0}}, 0), 2);
    EXPECT_EQ(quantile(Choice{{1, 2, 3, 4}, {0, 0.1, 0.7, 0}}, 1), 3);
    EXPECT_EQ(quantile(Choice{{1, 2, 3}, {}}, 0.5), 2);
    EXPECT_EQ(quantile(Choice{{1, 2, 3}, {0, 5e-324, 0}}, 0.9), 2);  // u times the sum rounds up to the sum
}

TEST(Distribution, a_table_of_samples_gives_them_back) {
    const std::vector<double> samples{3, -1, 2, 10, 2};
    const Table table = table_of_samples(samples);
    EXPECT_EQ(table.values, (std::vector<double>{-1, 2, 2, 3, 10}));
    EXPECT_EQ(table.cumulative, (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
    EXPECT_TRUE(problems(table).empty());
    EXPECT_EQ(quantile(table, 0.3), 2);
    EXPECT_EQ(quantile(table, 0.625), 2.5);  // type 7: 1 + 4 u = 3.5, halfway from the third to the fourth
    EXPECT_EQ(quantile(table, 0.875), 6.5);
    EXPECT_EQ(quantile(table_of_samples(std::vector<double>{4}), 0.3), 4);
    EXPECT_FALSE(problems(table_of_samples({})).empty());
    EXPECT_FALSE(problems(table_of_samples(std::vector<double>{1, std::nan(""), 2})).empty());
}

std::string only_problem(const Distribution& distribution) {
    const std::vector<std::string> list = problems(distribution);
    EXPECT_EQ(list.size(), 1u);
    return list.empty() ? "" : list.front();
}

TEST(Distribution, what_is_impossible_is_said_with_a_way_out) {
    EXPECT_EQ(only_problem(Normal{.sigma = -1}), "`sigma` = -1 is negative; a standard deviation is zero or more");
    EXPECT_EQ(only_problem(Normal{.mean = std::nan("")}), "`mean` is nan; give a finite number");
    EXPECT_EQ(only_problem(Normal{.low = 2, .high = 1}), "`low` = 2 is not below `high` = 1; exchange them, or move them apart");
    EXPECT_EQ(
        only_problem(Normal{.low = 50, .high = 60}),
        "no probability is left within [50, 60]: from 50 to 60 sigma off the mean; move the bounds nearer, or use a uniform distribution "
        "between them");
    EXPECT_EQ(only_problem(Normal{.low = std::nan("")}), "`low` or `high` is not a number; leave it out where there is no bound");
    EXPECT_EQ(only_problem(Normal{.mean = 5, .sigma = 0, .low = 0, .high = 1}),
              "without spread every value is the mean = 5, which is not within [0, 1]; move the mean or the bounds");
    EXPECT_EQ(only_problem(Normal{.mean = 1e308, .sigma = 1e308}), "values overflow; give a smaller `mean` and `sigma`");
    EXPECT_EQ(only_problem(Uniform{1, 1}), "`low` = 1 is not below `high` = 1; exchange them, or move them apart");
    EXPECT_EQ(only_problem(Uniform{0, unbounded}), "`high` is inf; give a finite number");
    EXPECT_EQ(only_problem(LogNormal{.median = 0}), "`median` = 0 is not positive; a log-normal value always is");
    EXPECT_EQ(only_problem(LogNormal{.sigma_log = -0.1}), "`sigma_log` = -0.1 is negative; a standard deviation is zero or more");
    EXPECT_EQ(only_problem(LogNormal{.low = -2, .high = -1}), "`high` = -1 is not positive; a log-normal value always is");
    EXPECT_EQ(only_problem(LogNormal{.sigma_log = 30}),
              "`sigma_log` = 30 makes the variance overflow; it is the standard deviation of ln(value), 0.1 for about 10 %");
    EXPECT_EQ(only_problem(Choice{}), "there is nothing to choose from; give at least one of `values`");
    EXPECT_EQ(only_problem(Choice{{1, 2}, {1}}), "1 `weights` for 2 `values`; give one for each, or none at all");
    EXPECT_EQ(only_problem(Choice{{1, 2}, {1, -1}}), "the weight -1 is negative; a weight is zero or more");
    EXPECT_EQ(only_problem(Choice{{1, 2}, {0, 0}}), "all `weights` are zero; at least one must be positive");
    EXPECT_EQ(only_problem(Choice{{1, 2}, {1e308, 1e308}}), "the sum of `weights` overflows; give smaller ones");
    EXPECT_EQ(only_problem(Table{{1, 2}, {0, 0.9}}), "`cumulative` goes from 0 to 0.9; it must go from 0 to 1");
    EXPECT_EQ(only_problem(Table{{1, 2, 3}, {0, 1}}), "3 `values` for 2 `cumulative`; give as many of both");
    EXPECT_EQ(only_problem(Table{{1}, {1}}), "a table needs at least two points, at `cumulative` 0 and 1");
    EXPECT_EQ(only_problem(Table{{1, 3, 2}, {0, 0.5, 1}}), "`values` falls from 3 to 2; put the points in rising order");
    EXPECT_EQ(only_problem(Table{{1, 2, 3, 4}, {0, 0.6, 0.5, 1}}),
              "`cumulative` falls from 0.6 to 0.5; it is the probability of a value up to this one, and can only rise");
}

}  // namespace
}  // namespace asperity::statistics::distribution_test
