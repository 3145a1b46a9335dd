// Against certified and published numbers (NIST, Newcombe), and against sums in integers and in 50 digits.
#include "asperity/statistics/statistics.h"

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "asperity/core/errors.h"
#include "asperity/core/random.h"
#include "validation/interval_coverage.h"

namespace asperity::statistics::test::statistics_test {
namespace {

using Wide = boost::multiprecision::cpp_bin_float_50;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

std::vector<double> normals(std::uint64_t seed, std::size_t count) {
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i) values.push_back(random_normal({.seed = seed}, i));
    return values;
}

// The values in blocks of a size that changes.
ColumnSource in_blocks(const std::vector<double>& values) {
    return [&values](const BlockReader& reader) {
        std::span<const double> rest = values;
        for (std::size_t size = 1; !rest.empty(); size = size * 3 % 1009 + 1) {
            const std::size_t take = std::min(size, rest.size());
            reader(rest.first(take));
            rest = rest.subspan(take);
        }
    };
}

// NIST Statistical Reference Datasets, univariate: data and certified mean and deviation, itl.nist.gov/div898/strd.
struct Certified {
    std::string name;
    std::vector<double> values;
    double mean, deviation;
    double scale_of_input;  // the data as doubles are off by the rounding of the largest
};

std::vector<double> alternating(double first, double low, double high) {
    std::vector<double> values{first};
    for (int i = 0; i < 500; ++i) values.insert(values.end(), {low, high});
    return values;
}

std::vector<Certified> certified() {
    const std::vector<double> michelson = {
        850, 740, 900, 1070, 930, 850, 950, 980, 980, 880, 1000, 980, 930, 650, 760, 810, 1000, 1000, 960, 960, 960, 940, 960, 940, 880,
        800, 850, 880, 900,  840, 830, 790, 810, 880, 880, 830,  800, 790, 760, 800, 880, 880,  880,  860, 720, 720, 620, 860, 970, 950,
        880, 910, 850, 870,  840, 840, 850, 840, 840, 840, 890,  810, 810, 820, 800, 770, 760,  740,  750, 760, 910, 920, 890, 860, 880,
        720, 840, 850, 850,  780, 890, 840, 780, 810, 760, 810,  790, 810, 820, 850, 870, 870,  810,  740, 810, 940, 950, 800, 810, 870};
    std::vector<double> michelso;
    for (const double km : michelson) michelso.push_back((299000 + km) / 1000);
    return {{"NumAcc1", {10000001, 10000003, 10000002}, 10000002, 1, 0},
            {"NumAcc2", alternating(1.2, 1.1, 1.3), 1.2, 0.1, 1.3},
            {"NumAcc3", alternating(1000000.2, 1000000.1, 1000000.3), 1000000.2, 0.1, 1e6},
            {"NumAcc4", alternating(10000000.2, 10000000.1, 10000000.3), 10000000.2, 0.1, 1e7},
            {"Michelso", michelso, 299.852400000000, 0.0790105478190518, 300}};
}

TEST(ColumnStatistics, MeetsTheCertifiedValuesOfNist) {
    constexpr double rounding = std::numeric_limits<double>::epsilon();
    for (const Certified& set : certified()) {
        SCOPED_TRACE(set.name);
        const ColumnStatistics s = column_statistics(set.values);
        EXPECT_EQ(s.count, set.values.size());
        EXPECT_NEAR(s.mean, set.mean, rounding * set.mean);
        // The data are rounded to double before we see them; the certified digits end after 15.
        EXPECT_NEAR(s.standard_deviation, set.deviation, rounding * set.scale_of_input + 1e-15 * set.deviation + rounding * set.deviation);
        RunningMean running;
        for (const double x : set.values) running.add(x);
        EXPECT_NEAR(running.mean(), set.mean, rounding * set.mean);
        EXPECT_NEAR(std::sqrt(running.variance()), set.deviation, rounding * set.scale_of_input + 1e-13 * set.deviation);
    }
}

// 10^7 rows of 10^8 + k / 2^20, k < 2^20: exact as doubles, so that 64-bit integers give the true sums.
TEST(ColumnStatistics, KeepsEveryDigitOfTenMillionRowsFarFromZero) {
    constexpr std::uint64_t rows = 10'000'000;
    const auto k_of = [](std::uint64_t i) { return random_bits({.seed = 7}, i) >> 44; };
    const ColumnSource source = [&](const BlockReader& reader) {
        std::array<double, 1000> block{};
        for (std::uint64_t from = 0; from < rows; from += block.size()) {
            for (std::uint64_t i = 0; i < block.size(); ++i) block[i] = 1e8 + static_cast<double>(k_of(from + i)) * 0x1p-20;
            reader(block);
        }
    };
    std::uint64_t sum = 0, squares = 0;
    std::vector<std::uint32_t> times(1 << 20);
    RunningMean running;
    for (std::uint64_t i = 0; i < rows; ++i) {
        const std::uint64_t k = k_of(i);
        sum += k;
        squares += k * k;
        ++times[k];
        running.add(1e8 + static_cast<double>(k) * 0x1p-20);
    }
    const Wide n = rows, mean = 1e8 + Wide(sum) / n * Wide(0x1p-20);
    const Wide deviation = sqrt((Wide(squares) - Wide(sum) * Wide(sum) / n) / (n - 1)) * Wide(0x1p-20);

    const ColumnStatistics s = column_statistics(source, {.probabilities = {0.5, 0.999}});

    EXPECT_EQ(s.count, rows);
    EXPECT_EQ(s.mean, static_cast<double>(mean));
    EXPECT_NEAR(s.standard_deviation, static_cast<double>(deviation), 1e-15);
    EXPECT_NEAR(running.mean(), static_cast<double>(mean), 0x1p-26);  // one rounding of 1e8
    EXPECT_NEAR(running.variance(), static_cast<double>(deviation * deviation), 1e-12);
    const auto value_at = [&](std::uint64_t rank) {  // by counting the 2^20 values that there are
        std::size_t k = 0;
        for (std::uint64_t below = 0; below + times[k] <= rank; ++k) below += times[k];
        return 1e8 + static_cast<double>(k) * 0x1p-20;
    };
    EXPECT_EQ(s.quantiles[0].value, (value_at(rows / 2 - 1) + value_at(rows / 2)) / 2);
    EXPECT_NEAR(s.quantiles[1].value, value_at(9989999), 0x1p-20);
    EXPECT_LT(s.quantiles[0].interval.low, s.quantiles[0].value);
    EXPECT_GT(s.quantiles[0].interval.high, s.quantiles[0].value);
}

TEST(ColumnStatistics, GivesTheSameBitsWhateverTheBlocks) {
    std::vector<double> values = normals(3, 100'000);
    for (std::size_t i = 0; i < values.size(); i += 17) values[i] = nan;
    const ColumnStatistics whole = column_statistics(values), cut = column_statistics(in_blocks(values));
    EXPECT_EQ(bits(whole.mean), bits(cut.mean));
    EXPECT_EQ(bits(whole.standard_deviation), bits(cut.standard_deviation));
    for (std::size_t i = 0; i < whole.quantiles.size(); ++i) {
        EXPECT_EQ(bits(whole.quantiles[i].value), bits(cut.quantiles[i].value));
        EXPECT_EQ(bits(whole.quantiles[i].interval.high), bits(cut.quantiles[i].interval.high));
    }
}

TEST(ColumnStatistics, LeavesOutWhatIsMissing) {
    const ColumnStatistics s = column_statistics(std::vector{nan, 3.0, nan, 1.0, 2.0, nan});
    EXPECT_EQ(s.count, 3);
    EXPECT_EQ(s.missing, 3);
    EXPECT_EQ(s.mean, 2);
    EXPECT_EQ(s.standard_deviation, 1);
    EXPECT_EQ(s.min, 1);
    EXPECT_EQ(s.max, 3);
}

TEST(ColumnStatistics, SaysNothingThatItCannotKnow) {
    const ColumnStatistics none = column_statistics(std::vector{nan, nan});
    EXPECT_EQ(none.count, 0);
    EXPECT_TRUE(std::isnan(none.mean) && std::isnan(none.min) && std::isnan(none.standard_deviation));
    EXPECT_TRUE(std::isnan(none.quantiles.at(2).value));
    EXPECT_EQ(none.mean_interval.low, -unbounded);
    EXPECT_EQ(none.quantiles.at(2).interval.high, unbounded);

    const ColumnStatistics one = column_statistics(std::vector{5.0});
    EXPECT_EQ(one.mean, 5);
    EXPECT_EQ(one.quantiles.at(0).value, 5);
    EXPECT_TRUE(std::isnan(one.standard_deviation));
    EXPECT_EQ(one.mean_interval.high, unbounded);
    EXPECT_EQ(one.deviation_interval.low, 0);

    const ColumnStatistics endless = column_statistics(std::vector{1.0, 2.0, unbounded});
    EXPECT_TRUE(std::isnan(endless.mean) && std::isnan(endless.standard_deviation));
    EXPECT_EQ(endless.mean_interval.low, -unbounded);
    EXPECT_EQ(endless.quantiles.at(2).value, 2);
}

// The mean, half a unit above a number of 53 bits, is not a double: its rounding must not count as spread.
TEST(ColumnStatistics, DeviationDoesNotDependOnTheRoundingOfTheMean) {
    EXPECT_NEAR(column_statistics(std::vector{0x1p52, 0x1p52 + 1}).standard_deviation, std::sqrt(0.5), 1e-15);
}

TEST(ColumnStatistics, NeitherOverflowsNorUnderflows) {
    for (const double scale : {0x1p-1000, 1.0, 0x1p1000}) {
        const ColumnStatistics s = column_statistics(std::vector{1 * scale, 2 * scale, 3 * scale});
        EXPECT_EQ(s.mean, 2 * scale);
        EXPECT_EQ(s.standard_deviation, scale);
    }
    const ColumnStatistics same = column_statistics(std::vector{0.1, 0.1, 0.1});
    EXPECT_EQ(same.mean, 0.1);
    EXPECT_EQ(same.standard_deviation, 0);
}

// Tables: t(0.975, 9) = 2.262157, chi2(0.025, 9) = 2.700389, chi2(0.975, 9) = 19.022768.
TEST(ColumnStatistics, IntervalsOfMeanAndDeviationFollowTheTables) {
    std::vector<double> values(10);
    std::iota(values.begin(), values.end(), 1.0);
    const ColumnStatistics s = column_statistics(values);
    const double deviation = std::sqrt(82.5 / 9);
    EXPECT_NEAR(s.mean_interval.high, 5.5 + 2.262157 * deviation / std::sqrt(10), 1e-6);
    EXPECT_NEAR(s.mean_interval.low, 5.5 - 2.262157 * deviation / std::sqrt(10), 1e-6);
    EXPECT_NEAR(s.deviation_interval.low, deviation * std::sqrt(9 / 19.022768), 1e-6);
    EXPECT_NEAR(s.deviation_interval.high, deviation * std::sqrt(9 / 2.700389), 1e-6);
    RunningMean running;
    for (const double x : values) running.add(x);
    running.add(nan);
    EXPECT_EQ(running.count(), 10);
    EXPECT_NEAR(running.half_width(0.95), 2.262157 * deviation / std::sqrt(10), 1e-6);
    EXPECT_EQ(RunningMean{}.half_width(0.95), unbounded);
}

// Both ways, sorting and counting: 65536 values are the most that are sorted.
TEST(OrderStatistics, AreThoseOfASortedColumn) {
    for (const std::size_t size : {1, 2, 1000, 65536, 65537, 200'000}) {
        std::vector<double> values = normals(size, size);
        for (std::size_t i = 0; i < size; ++i) {  // many magnitudes, both signs, ties, zeros, infinities
            values[i] *= std::pow(10.0, static_cast<double>(i % 600) - 300);
            if (i % 5 == 1) values[i] = std::round(values[i]);
            if (i % 1001 == 2) values[i] = i % 2 == 0 ? unbounded : -unbounded;
            if (i % 7 == 3) values[i] = 0;
        }
        std::vector<double> sorted = values;
        std::sort(sorted.begin(), sorted.end());
        std::vector<std::uint64_t> ranks{size - 1, 0, size};
        for (std::uint64_t i = 0; i < 40; ++i) ranks.push_back(random_bits({.seed = 5}, i) % size);
        std::vector<double> with_gaps{nan};
        for (const double x : values) with_gaps.insert(with_gaps.end(), {x, nan});

        const std::vector<double> found = order_statistics(in_blocks(with_gaps), ranks);

        ASSERT_EQ(found.size(), ranks.size());
        EXPECT_TRUE(std::isnan(found[2]));  // there is no such rank
        for (std::size_t i = 0; i < ranks.size(); ++i) {
            if (ranks[i] == size) continue;
            EXPECT_EQ(found[i], sorted[ranks[i]]) << size << " values, rank " << ranks[i];
        }
    }
}

// R: quantile(1:10, c(0, 0.1, 0.25, 0.5, 0.9, 1)), type 7.
TEST(Quantiles, AreOfTypeSeven) {
    std::vector<double> values{7, 3, 10, 1, 9, 5, 2, 8, 6, 4};
    const std::vector<double> p{0, 0.1, 0.25, 0.5, 0.9, 1}, expected{1, 1.9, 3.25, 5.5, 9.1, 10};
    const std::vector<double> found = quantiles(column_of(values), values.size(), p);
    for (std::size_t i = 0; i < p.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-14) << p[i];
    EXPECT_TRUE(std::isnan(quantiles(column_of({}), 0, p).front()));
}

// (4) by adding up the binomial distribution in 50 digits. The values are their own ranks.
TEST(Quantiles, IntervalsAreThoseOfTheBinomialDistribution) {
    for (const int n : {1, 2, 5, 6, 7, 20, 71, 72, 73, 100, 400}) {
        std::vector<double> values(static_cast<std::size_t>(n));
        std::iota(values.begin(), values.end(), 1.0);
        const StatisticsOptions options{.confidence = 0.95, .probabilities = {0, 0.05, 0.3, 0.5, 0.95, 1}};
        const ColumnStatistics s = column_statistics(values, options);
        for (const Quantile& q : s.quantiles) {
            const Wide p = q.probability, tail = (1 - Wide(options.confidence)) / 2;
            std::vector<Wide> at_most;
            Wide sum = 0, ways = 1;
            for (int k = 0; k <= n; ++k) {
                sum += ways * pow(p, k) * pow(1 - p, n - k);
                at_most.push_back(sum);
                ways = ways * (n - k) / (k + 1);
            }
            double low = -unbounded, high = unbounded;
            for (int l = 1; l <= n; ++l)
                if (at_most[static_cast<std::size_t>(l) - 1] <= tail) low = l;
            for (int u = n; u >= 1; --u)
                if (1 - at_most[static_cast<std::size_t>(u) - 1] <= tail) high = u;
            EXPECT_EQ(q.interval.low, low) << n << " values, p = " << q.probability;
            EXPECT_EQ(q.interval.high, high) << n << " values, p = " << q.probability;
        }
    }
}

// The medians of 10 and 20 values: ranks 2...9 and 6...15 (David, Nagaraja, Order Statistics, 7.1). Five values bound no median at 95%:
// 2 / 2^5 > 0.05. The quantile 0.95 has an upper bound from 72 values on: 0.95^72 < 0.025 < 0.95^71.
TEST(Quantiles, IntervalsMeetThePublishedRanksAndSayWhereThereIsNone) {
    const auto interval = [](std::size_t n, double p) {
        std::vector<double> values(n);
        std::iota(values.begin(), values.end(), 1.0);
        return column_statistics(values, {.probabilities = {p}}).quantiles[0].interval;
    };
    EXPECT_EQ(interval(10, 0.5).low, 2);
    EXPECT_EQ(interval(10, 0.5).high, 9);
    EXPECT_EQ(interval(20, 0.5).low, 6);
    EXPECT_EQ(interval(20, 0.5).high, 15);
    EXPECT_EQ(interval(5, 0.5).low, -unbounded);
    EXPECT_EQ(interval(5, 0.5).high, unbounded);
    EXPECT_EQ(interval(71, 0.95).high, unbounded);
    EXPECT_EQ(interval(72, 0.95).high, 72);
}

// Newcombe, Stat. Med. 17 (1998) 857, table I, method 3.
TEST(Wilson, MeetsThePublishedIntervals) {
    const auto expect = [](std::uint64_t k, std::uint64_t n, double low, double high) {
        const Interval interval = wilson(k, n, 0.95);
        EXPECT_NEAR(interval.low, low, 0.00005) << k << " of " << n;
        EXPECT_NEAR(interval.high, high, 0.00005) << k << " of " << n;
        const Interval failures = wilson(n - k, n, 0.95);
        EXPECT_NEAR(failures.low, 1 - high, 0.00005);
        EXPECT_NEAR(failures.high, 1 - low, 0.00005);
    };
    expect(81, 263, 0.2553, 0.3662);
    expect(15, 148, 0.0624, 0.1605);
    expect(0, 20, 0, 0.1611);
    expect(1, 29, 0.0061, 0.1718);
}

TEST(Wilson, IsExactAtBothEnds) {
    EXPECT_EQ(wilson(0, 10'000'000, 0.99).low, 0);
    EXPECT_EQ(wilson(10'000'000, 10'000'000, 0.99).high, 1);
    EXPECT_EQ(wilson(0, 0, 0.95).low, 0);
    EXPECT_EQ(wilson(0, 0, 0.95).high, 1);
    EXPECT_THROW(wilson(2, 1, 0.95), Bug);
    EXPECT_THROW(wilson(1, 2, 1), Bug);
    RunningRate rate;
    for (int i = 0; i < 20; ++i) rate.add(false);
    EXPECT_NEAR(rate.half_width(0.95), 0.1611 / 2, 0.00005);
    EXPECT_EQ(rate.rate(), 0);
}

// P(T' <= x) = integral of Phi(x sqrt(w / v) - d) over the chi-squared density of w, by Simpson's rule in u = sqrt(w).
double noncentral_t(double x, double v, double d) {
    const double middle = std::sqrt(v), low = std::max(1e-9, middle - 9), high = middle + 9;
    const int parts = 4000;
    const double h = (high - low) / parts;
    double sum = 0;
    for (int i = 0; i <= parts; ++i) {
        const double u = low + i * h;
        const double density = std::exp((v - 1) * std::log(u) - u * u / 2 - (v / 2 - 1) * std::log(2.0) - std::lgamma(v / 2));
        const double f = density * 0.5 * std::erfc(-(x * u / std::sqrt(v) - d) / std::sqrt(2.0));
        sum += f * (i == 0 || i == parts ? 1 : i % 2 == 1 ? 4 : 2);
    }
    return sum * h / 3;
}

TEST(ThreeSigma, FactorIsThatOfToleranceLimits) {
    for (const std::uint64_t n : {5u, 30u, 100u, 1500u})
        for (const double p : {0.025, 0.5, 0.975}) {
            const auto count = static_cast<double>(n);
            EXPECT_NEAR(noncentral_t(three_sigma_factor(n, p) * std::sqrt(count), count - 1, 3 * std::sqrt(count)), p, 1e-6)
                << n << " " << p;
        }
    // beyond a million runs the normal limit is used: 3 + 1.96 sqrt(5.5 / n)
    EXPECT_NEAR(three_sigma_factor(1000001, 0.975), three_sigma_factor(1000000, 0.975), 1e-5);
    EXPECT_NEAR(three_sigma_factor(4000000, 0.975), 3 + 1.959964 * std::sqrt(5.5 / 4e6), 1e-9);
}

// p^n <= a/2 for the first time.
TEST(Quantiles, SayHowManyRunsAnUpperEndNeeds) {
    for (const double p : {0.9, 0.9973, 0.99865})
        for (const double confidence : {0.9, 0.95, 0.99}) {
            const auto n = static_cast<double>(runs_for_upper_end(p, confidence));
            EXPECT_LE(std::pow(p, n), (1 - confidence) / 2 * (1 + 1e-9));
            EXPECT_GT(std::pow(p, n - 1), (1 - confidence) / 2);
        }
    EXPECT_EQ(runs_for_upper_end(0.9973, 0.95), 1365u);
}

TEST(Rows, AreHandedOnWholeWhateverTheBlocks) {
    std::vector<double> values(1000);
    std::iota(values.begin(), values.end(), 0.0);
    double next = 0;
    const std::size_t rest = read_rows(in_blocks(values), 3, [&](std::span<const double> row) {
        ASSERT_EQ(row.size(), 3);
        for (const double x : row) EXPECT_EQ(x, next++);
    });
    EXPECT_EQ(rest, 1);
    EXPECT_EQ(next, 999);
}

TEST(Coverage, OfMeanDeviationQuantilesAndRatesIsAsStated) {
    expect_mean_coverage(2000);
    expect_quantile_coverage(2000);
    expect_wilson_coverage(2000);
    expect_cut_time_coverage(1000);
    expect_survival_coverage(1000);
    expect_direction_coverage(1000);
}

}  // namespace
}  // namespace asperity::statistics::test::statistics_test
