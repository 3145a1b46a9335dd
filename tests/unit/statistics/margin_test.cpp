#include "asperity/statistics/margin.h"

#include <boost/math/distributions/normal.hpp>
#include <gtest/gtest.h>

#include <cmath>

namespace asperity::statistics::margin_test {
namespace {

double normal_quantile(double p) { return boost::math::quantile(boost::math::normal(), p); }

// Errors z_i of a standard normal, its quantiles in equal parts; a run succeeds where |k z_i| <= limit.
Tried flown(double factor, double limit, std::uint64_t runs) {
    Tried tried{.factor = factor, .runs = runs};
    for (std::uint64_t i = 0; i < runs; ++i) {
        const double z = normal_quantile((static_cast<double>(i) + 0.5) / static_cast<double>(runs));
        tried.successes += std::fabs(factor * z) <= limit ? 1 : 0;
    }
    return tried;
}

std::vector<Tried> searched(double limit, std::uint64_t runs, const Requirement& requirement, const SearchOptions& options = {}) {
    std::vector<Tried> tried;
    while (const auto factor = next_factor(tried, requirement, options)) {
        tried.push_back(flown(*factor, limit, runs));
        if (tried.size() > 40) throw std::runtime_error("the search does not end");
    }
    return tried;
}

TEST(Margin, least_runs_is_the_first_that_can_be_sure) {
    EXPECT_EQ(least_runs({.success = 0.99, .confidence = 0.95}), 268u);  // 1.6449^2 * 99 = 267.85
    EXPECT_EQ(least_runs({.success = 0.9, .confidence = 0.95}), 25u);    // 24.35
    EXPECT_EQ(least_runs({.success = 0.5, .confidence = 0.95}), 3u);     // 2.71
}

TEST(Margin, falling_fit_pools_what_rises) {
    const std::vector<double> weights{1, 1, 1, 1, 2}, values{1.0, 0.6, 0.8, 0.7, 0.4};
    const std::vector<double> wanted{1.0, 0.7, 0.7, 0.7, 0.4};
    const std::vector<double> fit = falling_fit(values, weights);
    ASSERT_EQ(fit.size(), wanted.size());
    for (std::size_t i = 0; i < fit.size(); ++i) EXPECT_NEAR(fit[i], wanted[i], 1e-15) << i;
    const std::vector<double> heavy{1, 3};
    EXPECT_NEAR(falling_fit(std::vector{0.2, 0.6}, heavy)[0], 0.5, 1e-15);  // (0.2 + 3 * 0.6) / 4
}

// Success of normal errors beyond +-3: 2 Phi(3 / k) - 1, which is 0.95 at k = 3 / 1.95996.
TEST(Margin, finds_the_factor_of_a_closed_form) {
    const Requirement requirement{.success = 0.95, .confidence = 0.95};
    const std::uint64_t runs = 2000;
    const Margin margin = margin_of(searched(3, runs, requirement), requirement);
    std::uint64_t least = 0;  // successes that are sure, by the definition of the bound: (p - P)^2 = z^2 P (1 - P) / n with p = P + ...
    const double z = normal_quantile(0.95), n = static_cast<double>(runs), required = 0.95;
    for (std::uint64_t k = 0; k <= runs; ++k) {
        const double p = static_cast<double>(k) / n;
        if (p >= required && (p - required) * (p - required) >= z * z * required * (1 - required) / n) {
            least = k;
            break;
        }
    }
    const double exact = 3 / normal_quantile(0.5 + 0.5 * static_cast<double>(least) / n);
    ASSERT_TRUE(margin.sure);
    EXPECT_LE(*margin.sure, exact * 1.005);
    EXPECT_GE(*margin.sure, exact * 0.945);  // the search ends at 5 %
    EXPECT_NEAR(margin.crossing, 3 / 1.959964, 0.05);
    ASSERT_TRUE(margin.hopeless);
    EXPECT_GT(*margin.hopeless, margin.crossing);
    EXPECT_FALSE(margin.is_at_limit);
}

TEST(Margin, grows_shrinks_and_gives_up) {
    const Requirement requirement{.success = 0.95, .confidence = 0.95};
    EXPECT_NEAR(*margin_of(searched(30, 2000, requirement), requirement).sure, 15.3, 1.5);
    EXPECT_NEAR(*margin_of(searched(0.3, 2000, requirement), requirement).sure, 0.153, 0.015);
    const Margin endless = margin_of(searched(1e9, 200, requirement), requirement);
    EXPECT_TRUE(endless.is_at_limit);
    EXPECT_EQ(*endless.sure, 64);
    EXPECT_FALSE(endless.hopeless);
    // no run succeeds, errors or not
    std::vector<Tried> none;
    while (const auto factor = next_factor(none, requirement)) none.push_back({.factor = *factor, .successes = 0, .runs = 200});
    EXPECT_EQ(none.back().factor, 0);
    EXPECT_FALSE(margin_of(none, requirement).sure);
    // only without errors
    std::vector<Tried> still;
    while (const auto factor = next_factor(still, requirement))
        still.push_back({.factor = *factor, .successes = *factor == 0 ? 200u : 0u, .runs = 200});
    EXPECT_EQ(margin_of(still, requirement).sure, 0);
}

}  // namespace
}  // namespace asperity::statistics::margin_test
