// Against published correlations, ranks by counting, and the closed form of the Ishigami function.
#include "asperity/statistics/sensitivity.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "asperity/core/errors.h"
#include "asperity/core/random.h"
#include "validation/interval_coverage.h"

namespace asperity::statistics::test::sensitivity_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Anscombe, Am. Stat. 27 (1973) 17, first and second set: the same r for both, 0.816; R gives 0.8164205 (p 0.002170) and 0.8162365.
TEST(Pearson, MeetsAnscombesQuartet) {
    const std::vector<double> x{10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5};
    const std::vector<double> y1{8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68};
    const std::vector<double> y2{9.14, 8.14, 8.74, 8.77, 9.26, 8.10, 6.13, 3.10, 9.13, 7.26, 4.74};
    const Correlation c = pearson(x, y1, 0.95);
    EXPECT_EQ(c.count, 11);
    EXPECT_NEAR(c.coefficient, 0.8164205163448399, 1e-14);
    EXPECT_NEAR(c.p_value, 0.002169629, 5e-10);
    // (2) without hyperbolic functions, z = 1.959964: (q - 1) / (q + 1), q = (1 + r) / (1 - r) exp(-+2 z / sqrt(8)).
    const double r = c.coefficient, odds = (1 + r) / (1 - r), low = odds * std::exp(-2 * 1.959963985 / std::sqrt(8.0)),
                 high = odds * std::exp(2 * 1.959963985 / std::sqrt(8.0));
    EXPECT_NEAR(c.interval.low, (low - 1) / (low + 1), 1e-9);
    EXPECT_NEAR(c.interval.high, (high - 1) / (high + 1), 1e-9);
    EXPECT_NEAR(pearson(x, y2, 0.95).coefficient, 0.8162365, 5e-8);
}

// The textbook example of intelligence and hours of television: rho = -29/165, p = 0.6272 by Student's t.
TEST(Spearman, MeetsThePublishedExample) {
    const std::vector<double> x{106, 100, 86, 101, 99, 103, 97, 113, 112, 110}, y{7, 27, 2, 50, 28, 29, 20, 12, 6, 17};
    const Correlation c = spearman(x, y, 0.95);
    EXPECT_NEAR(c.coefficient, -29.0 / 165, 1e-15);
    EXPECT_NEAR(c.p_value, 0.6272, 0.00005);
    const double half = 1.959963985 * std::sqrt((1 + c.coefficient * c.coefficient / 2) / 7);
    EXPECT_NEAR(c.interval.low, std::tanh(std::atanh(-29.0 / 165) - half), 1e-9);
    EXPECT_NEAR(c.interval.high, std::tanh(std::atanh(-29.0 / 165) + half), 1e-9);
}

// Mid-ranks by counting: values below, and half of the others that are equal. Then r of (1) in long double.
TEST(Spearman, SharesTheRanksOfTies) {
    std::vector<double> x, y;
    for (std::uint64_t i = 0; i < 500; ++i) {
        x.push_back(static_cast<double>(random_bits({.seed = 1}, i) % 20));
        y.push_back(x.back() * x.back() + 300 * random_normal({.seed = 2}, i));
        if (i % 9 == 0) (i % 2 == 0 ? x : y).back() = nan;
    }
    const auto rank = [&](const std::vector<double>& values, const std::vector<double>& others, std::size_t i) {
        long double below = 0, equal = 0;
        for (std::size_t k = 0; k < values.size(); ++k) {
            if (std::isnan(values[k]) || std::isnan(others[k])) continue;
            below += values[k] < values[i] ? 1 : 0;
            equal += values[k] == values[i] ? 1 : 0;
        }
        return below + (equal + 1) / 2;
    };
    long double n = 0, sx = 0, sy = 0, sxx = 0, syy = 0, sxy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (std::isnan(x[i]) || std::isnan(y[i])) continue;
        const long double a = rank(x, y, i), b = rank(y, x, i);
        n += 1, sx += a, sy += b, sxx += a * a, syy += b * b, sxy += a * b;
    }
    const Correlation c = spearman(x, y, 0.95);
    EXPECT_EQ(c.count, static_cast<std::uint64_t>(n));
    EXPECT_NEAR(c.coefficient, static_cast<double>((n * sxy - sx * sy) / std::sqrt((n * sxx - sx * sx) * (n * syy - sy * sy))), 1e-14);
    EXPECT_GT(c.coefficient, 0.1);
}

TEST(Correlation, SaysNothingThatItCannotKnow) {
    const std::vector<double> same{2, 2, 2, 2, 2}, rising{1, 2, 3, 4, 5}, falling{9, 7, 5, 3, 1};
    EXPECT_TRUE(std::isnan(spearman(same, rising, 0.95).coefficient));
    EXPECT_TRUE(std::isnan(pearson(same, rising, 0.95).p_value));
    EXPECT_EQ(pearson(same, rising, 0.95).interval.low, -1);
    EXPECT_EQ(spearman(rising, falling, 0.95).coefficient, -1);
    EXPECT_EQ(spearman(rising, falling, 0.95).p_value, 0);
    EXPECT_EQ(spearman({}, {}, 0.95).count, 0);
    const std::vector<double> three{1, 2, 3}, other{1, 3, 2};
    EXPECT_NEAR(pearson(three, other, 0.95).coefficient, 0.5, 1e-15);
    EXPECT_EQ(pearson(three, other, 0.95).interval.high, 1);  // no interval below four
    EXPECT_THROW(pearson(three, same, 0.95), Bug);
}

TEST(Correlation, DoesNotDependOnScaleOrOffset) {
    std::vector<double> x, y, far, large;
    for (std::uint64_t i = 0; i < 300; ++i) {
        x.push_back(std::round(random_normal({.seed = 4}, i) * 1024) / 1024);
        y.push_back(x.back() + random_normal({.seed = 5}, i));
        far.push_back(1e9 + x.back());  // exact
        large.push_back(x.back() * 0x1p1010);
    }
    const double r = pearson(x, y, 0.95).coefficient;
    EXPECT_NEAR(pearson(far, y, 0.95).coefficient, r, 1e-15);
    EXPECT_NEAR(pearson(large, y, 0.95).coefficient, r, 1e-15);
    EXPECT_EQ(spearman(far, y, 0.95).coefficient, spearman(x, y, 0.95).coefficient);
}

// Within the interval of 1 - 1e-6: sixteen claims, so that one run in 60000 seeds would miss.
TEST(Sobol, FindsTheIndicesOfIshigami) {
    const std::vector<double> y = Ishigami::column(1, 0, 20'000);
    const SobolIndices s = sobol_indices(column_of(y), 4, 1 - 1e-6);
    EXPECT_EQ(s.base_points, 20'000);
    EXPECT_NEAR(s.mean, Ishigami::a / 2, 5 * std::sqrt(Ishigami::v / 40'000));
    EXPECT_NEAR(s.variance, Ishigami::v, 0.05 * Ishigami::v);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_TRUE(holds(s.parameters[i].first_interval, Ishigami::first[i])) << i << ": " << s.parameters[i].first;
        EXPECT_TRUE(holds(s.parameters[i].total_interval, Ishigami::total[i])) << i << ": " << s.parameters[i].total;
        EXPECT_LT(s.parameters[i].first_interval.high - s.parameters[i].first_interval.low, 0.15);
        EXPECT_LT(s.parameters[i].total_interval.high - s.parameters[i].total_interval.low, 0.15);
    }
    EXPECT_EQ(s.parameters[3].first, 0);  // it does nothing
    EXPECT_EQ(s.parameters[3].total, 0);
    // The published values of the closed form (Saltelli et al. 2008), to the digits given.
    EXPECT_NEAR(Ishigami::first[0], 0.3139, 0.00005);
    EXPECT_NEAR(Ishigami::first[1], 0.4424, 0.00005);
    EXPECT_NEAR(Ishigami::total[0], 0.5576, 0.00005);
    EXPECT_NEAR(Ishigami::total[2], 0.2437, 0.00005);
}

// (4)-(6) by their definitions in long double: every index anew without each base point.
TEST(Sobol, IntervalsAreThoseOfTheJackknife) {
    constexpr std::size_t points = 25, width = 6;
    const std::vector<double> y = Ishigami::column(2, 0, points);
    long double mean = 0;
    for (std::size_t j = 0; j < points; ++j) mean += (y[j * width] + y[j * width + 1]) / (2.0L * points);
    struct Both {
        long double first, total;
    };
    const auto indices = [&](std::size_t without, std::size_t i) {
        long double n = 0, sum = 0, squares = 0, first = 0, total = 0;
        for (std::size_t j = 0; j < points; ++j) {
            if (j == without) continue;
            const long double a = y[j * width] - mean, b = y[j * width + 1] - mean, c = y[j * width + 2 + i] - mean;
            n += 1, sum += a + b, squares += a * a + b * b, first += b * (c - a), total += (c - a) * (c - a) / 2;
        }
        const long double variance = (squares - sum * sum / (2 * n)) / (2 * n - 1);
        return Both{first / n / variance, total / n / variance};
    };
    const SobolIndices s = sobol_indices(column_of(y), 4, 0.95);
    constexpr long double t = 2.063898561628021L;  // Student, 24 degrees, 0.975
    for (std::size_t i = 0; i < 4; ++i) {
        const Both all = indices(points, i);
        EXPECT_NEAR(s.parameters[i].first, static_cast<double>(all.first), 1e-13);
        EXPECT_NEAR(s.parameters[i].total, static_cast<double>(all.total), 1e-13);
        Both sum{0, 0}, squares{0, 0};
        for (std::size_t j = 0; j < points; ++j) {
            const Both without = indices(j, i);
            sum.first += without.first, sum.total += without.total;
            squares.first += without.first * without.first, squares.total += without.total * without.total;
        }
        const auto half = [&](long double s1, long double s2) {
            return static_cast<double>(t * std::sqrt((points - 1.0L) / points * std::max(s2 - s1 * s1 / points, 0.0L)));
        };
        EXPECT_NEAR(s.parameters[i].first_interval.high - s.parameters[i].first, half(sum.first, squares.first), 1e-8);
        EXPECT_NEAR(s.parameters[i].total - s.parameters[i].total_interval.low, half(sum.total, squares.total), 1e-8);
    }
}

TEST(Sobol, DoesNotDependOnOffsetOrScale) {
    const std::vector<double> y = Ishigami::column(3, 0, 200);
    const SobolIndices s = sobol_indices(column_of(y), 4, 0.95);
    std::vector<double> far = y, large = y;
    for (double& v : far) v += 1e8;
    for (double& v : large) v *= 0x1p700;
    const SobolIndices f = sobol_indices(column_of(far), 4, 0.95), l = sobol_indices(column_of(large), 4, 0.95);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_NEAR(f.parameters[i].first, s.parameters[i].first, 1e-7);  // y itself is rounded to 1.5e-8 there
        EXPECT_NEAR(f.parameters[i].total, s.parameters[i].total, 1e-7);
        EXPECT_EQ(l.parameters[i].first, s.parameters[i].first);
        EXPECT_EQ(l.parameters[i].total_interval.high, s.parameters[i].total_interval.high);
    }
}

TEST(Sobol, LeavesOutAndCountsBasePointsThatAreNotWhole) {
    const std::vector<double> y = Ishigami::column(4, 0, 100);
    std::vector<double> with_gaps = y, whole;
    with_gaps[5 * 6 + 3] = with_gaps[5 * 6] = with_gaps[70 * 6 + 5] = nan;
    with_gaps.resize(98 * 6 + 4);  // the campaign ended within a base point
    for (std::size_t j = 0; j < 98; ++j)
        if (j != 5 && j != 70) whole.insert(whole.end(), y.begin() + static_cast<int>(j) * 6, y.begin() + static_cast<int>(j) * 6 + 6);
    const ColumnSource in_sevens = [&](const BlockReader& reader) {
        for (std::span<const double> rest = with_gaps; !rest.empty(); rest = rest.subspan(std::min<std::size_t>(7, rest.size())))
            reader(rest.first(std::min<std::size_t>(7, rest.size())));
    };
    const SobolIndices a = sobol_indices(in_sevens, 4, 0.95), b = sobol_indices(column_of(whole), 4, 0.95);
    EXPECT_EQ(a.base_points, 96);
    EXPECT_EQ(a.left_out, 3);
    EXPECT_EQ(b.left_out, 0);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(std::bit_cast<std::uint64_t>(a.parameters[i].first), std::bit_cast<std::uint64_t>(b.parameters[i].first));
        EXPECT_EQ(std::bit_cast<std::uint64_t>(a.parameters[i].total_interval.low),
                  std::bit_cast<std::uint64_t>(b.parameters[i].total_interval.low));
    }
}

TEST(Sobol, SaysNothingThatItCannotKnow) {
    const SobolIndices none = sobol_indices(column_of({}), 2, 0.95);
    EXPECT_EQ(none.base_points, 0);
    EXPECT_TRUE(std::isnan(none.mean) && std::isnan(none.parameters.at(1).first));
    const std::vector<double> same(40, 3.5);
    const SobolIndices flat = sobol_indices(column_of(same), 2, 0.95);
    EXPECT_EQ(flat.base_points, 10);
    EXPECT_EQ(flat.variance, 0);
    EXPECT_TRUE(std::isnan(flat.parameters.at(0).total));
    EXPECT_EQ(flat.parameters.at(0).total_interval.high, unbounded);
}

TEST(Coverage, OfCorrelationsAndSobolIndicesIsAsStated) {
    expect_correlation_coverage(1000);
    expect_sobol_coverage(1000, 1000);
}

}  // namespace
}  // namespace asperity::statistics::test::sensitivity_test
