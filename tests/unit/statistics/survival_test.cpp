#include "asperity/statistics/survival.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "asperity/core/random.h"

namespace asperity::statistics::survival_test {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

// Times with the end of each run: later ones are cut off, those of runs that never see it are NaN.
struct Cut {
    std::vector<double> sure, perhaps, cut_off;

    Cut(const std::vector<double>& times, const std::vector<double>& ends) {
        for (std::size_t i = 0; i < times.size(); ++i) {
            const bool is_cut = times[i] > ends[i];
            sure.push_back(is_cut ? no_value : times[i]);
            perhaps.push_back(is_cut ? inf : no_value);
            cut_off.push_back(is_cut ? ends[i] : no_value);
        }
    }
    Cut(const std::vector<double>& times, double end) : Cut(times, std::vector<double>(times.size(), end)) {}

    TimeColumn column() const { return {column_of(sure), column_of(perhaps), column_of(cut_off)}; }
};

// Freireich et al. (1963), weeks of remission under 6-mercaptopurine, 21 patients; the curve as Kalbfleisch and Prentice (2002), table 1.2,
// and every text since have it: S(6) = 0.857, S(7) = 0.807, S(10) = 0.753, S(13) = 0.690, S(16) = 0.627, S(22) = 0.538, S(23) = 0.448.
TEST(KaplanMeier, IsThatOfThePrintedExample) {
    const std::vector<double> events{6, 6, 6, 7, 10, 13, 16, 22, 23}, cut{6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35};
    const std::vector<SurvivalStep> curve = kaplan_meier(events, cut, 0.95);
    const std::vector<double> time{6, 7, 10, 13, 16, 22, 23}, printed{0.857, 0.807, 0.753, 0.690, 0.627, 0.538, 0.448};
    ASSERT_EQ(curve.size(), time.size());
    for (std::size_t i = 0; i < time.size(); ++i) {
        EXPECT_EQ(curve[i].time, time[i]);
        EXPECT_NEAR(curve[i].survival, printed[i], 5e-4);  // printed to three digits
    }
    // The standard error of S(10) by Greenwood's formula is printed as 0.0963; in ln(-ln S): 0.0963 / (S |ln S|).
    const double s = curve[2].survival, spread = std::exp(1.959963984540054 * 0.0963 / (s * -std::log(s)));
    EXPECT_NEAR(curve[2].interval.low, std::pow(s, spread), 2e-4);
    EXPECT_NEAR(curve[2].interval.high, std::pow(s, 1 / spread), 2e-4);
    const Quantile median = survival_quantile(curve, 0.5);
    EXPECT_EQ(median.value, 23);
    EXPECT_EQ(median.interval.low, 13);  // as R's survival package gives it: 13 ... none
    EXPECT_EQ(median.interval.high, inf);
    EXPECT_TRUE(std::isnan(survival_quantile(curve, 0.9).value));  // the curve does not come down so far
}

TEST(KaplanMeier, WithoutCutsIsTheShareThatIsLeft) {
    const std::vector<SurvivalStep> curve = kaplan_meier({4, 1, 3, 2}, {}, 0.95);
    ASSERT_EQ(curve.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(curve[i].survival, 1 - 0.25 * static_cast<double>(i + 1), 1e-15);
    EXPECT_EQ(curve[3].interval.low, 0);
    EXPECT_GT(curve[3].interval.high, 0.25);  // nothing is left, and yet the next run could take longer
}

TEST(TimeStatistics, WithoutCutsAreThoseOfTheColumn) {
    const std::vector<double> times{3, 1, no_value, 4, 1.5};
    const Cut cut(times, 10);
    const ColumnStatistics a = time_statistics(cut.column()), b = column_statistics(times);
    EXPECT_EQ(a.count, 4u);
    EXPECT_EQ(a.missing, 1u);
    EXPECT_EQ(a.cut_off.count, 0u);
    EXPECT_EQ(a.mean, b.mean);
    EXPECT_EQ(a.mean_interval.high, b.mean_interval.high);
    for (std::size_t i = 0; i < a.quantiles.size(); ++i) {
        EXPECT_EQ(a.quantiles[i].value, b.quantiles[i].value);
        EXPECT_EQ(a.quantiles[i].interval.high, b.quantiles[i].interval.high);
    }
}

std::vector<double> one_to(int n) {
    std::vector<double> times;
    for (int i = 1; i <= n; ++i) times.push_back(i);
    return times;
}

// 1 ... 100, cut at 70: the median is where it was, the 95 % quantile lies beyond the cut, and no mean can be told.
TEST(TimeStatistics, OfRunsCutAtOneTime) {
    const std::vector<double> times = one_to(100);
    const Cut cut(times, 70);
    const ColumnStatistics s = time_statistics(cut.column()), whole = column_statistics(times);
    EXPECT_EQ(s.count, 70u);
    EXPECT_EQ(s.cut_off.count, 30u);
    EXPECT_EQ(s.cut_off.first, 70);
    EXPECT_EQ(s.cut_off.last, 70);
    EXPECT_TRUE(std::isnan(s.mean));
    EXPECT_TRUE(std::isnan(s.standard_deviation));
    EXPECT_EQ(s.mean_interval.high, inf);
    EXPECT_EQ(s.deviation_interval.high, inf);
    EXPECT_DOUBLE_EQ(s.cut_off.restricted_mean, (70.0 * 71 / 2 + 30 * 70) / 100);  // by hand: 45.85
    EXPECT_EQ(s.quantiles[2].value, whole.quantiles[2].value);                     // 50.5
    EXPECT_EQ(s.quantiles[2].interval.high, whole.quantiles[2].interval.high);
    EXPECT_TRUE(std::isnan(s.quantiles[4].value));
    EXPECT_EQ(s.quantiles[4].interval.high, inf);
    // The lower ends hold even if none of the 30 ever sees it: those of 1 ... 70 alone.
    const ColumnStatistics seen = column_statistics(one_to(70));
    EXPECT_EQ(s.mean_interval.low, seen.mean_interval.low);
    EXPECT_EQ(s.quantiles[4].interval.low, seen.quantiles[4].interval.low);
    EXPECT_EQ(s.quantiles[2].interval.low, seen.quantiles[2].interval.low);
}

// The ends of a drawn end.time: events after the first cut still count in full.
TEST(TimeStatistics, OfRunsCutAtDifferentTimesUseTheCurve) {
    const std::vector<double> times{6, 6, 6, 7, 10, 13, 16, 22, 23, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99},
        ends{50, 50, 50, 50, 50, 50, 50, 50, 50, 6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35};
    const Cut cut(times, ends);
    const ColumnStatistics s = time_statistics(cut.column());
    EXPECT_EQ(s.count, 9u);
    EXPECT_EQ(s.cut_off.count, 12u);
    EXPECT_EQ(s.quantiles[2].value, 23);
    EXPECT_EQ(s.quantiles[2].interval.high, inf);
    EXPECT_EQ(s.cut_off.first, 6);
    EXPECT_EQ(s.cut_off.restricted_mean, 6);
}

// What is not known of a run is only whether it counts: its time is there, and both readings lie within the interval.
TEST(TimeStatistics, OfRunsThatPerhapsCount) {
    std::vector<double> sure = one_to(30), perhaps(30, no_value);
    for (int i = 20; i < 30; ++i) std::swap(sure[static_cast<std::size_t>(i)], perhaps[static_cast<std::size_t>(i)]);
    const std::vector<double> none(30, no_value);
    const ColumnStatistics s = time_statistics({column_of(sure), column_of(perhaps), column_of(none)});
    EXPECT_EQ(s.count, 20u);
    EXPECT_EQ(s.cut_off.count, 10u);
    const ColumnStatistics with = column_statistics(one_to(30)), without = column_statistics(one_to(20));
    EXPECT_EQ(s.mean, with.mean);
    EXPECT_EQ(s.mean_interval.low, without.mean_interval.low);
    EXPECT_EQ(s.mean_interval.high, with.mean_interval.high);
    EXPECT_EQ(s.quantiles[2].interval.low, without.quantiles[2].interval.low);
    EXPECT_EQ(s.quantiles[2].interval.high, with.quantiles[2].interval.high);
}

// (4): whatever the share of the cut runs that still come, and whenever they do, mean, deviation and mean + 3 sigma are not below the
// bounds. Tried with shares from 0 to 1 and delays over three decades.
TEST(TimeStatistics, BoundsHoldWhateverBecomesOfTheCutRuns) {
    const DrawKey key{.seed = 21};
    for (std::uint64_t trial = 0; trial < 200; ++trial) {
        std::vector<double> seen;
        for (std::uint64_t i = 0; i < 40; ++i)
            seen.push_back(std::pow(random_uniform(key, 100 * trial + i), 0.3 + 0.02 * static_cast<double>(trial)));
        std::vector<double> all = seen;
        const std::size_t cut_runs = 1 + trial % 20;
        all.resize(seen.size() + cut_runs, inf);
        const Cut cut(all, 1.0);
        const ThreeSigma bound = mean_and_three_sigma(cut.column(), 0.95);
        EXPECT_TRUE(std::isnan(bound.value));
        EXPECT_EQ(bound.interval.high, inf);
        const ColumnStatistics s = time_statistics(cut.column());
        for (std::size_t come = 0; come <= cut_runs; ++come) {
            std::vector<double> truth = seen;
            for (std::size_t i = 0; i < come; ++i)
                truth.push_back(1 + 1e-3 * std::pow(10, 6 * random_uniform(key, 100000 + 100 * trial + i)));
            const ColumnStatistics t = column_statistics(truth);
            EXPECT_GE(t.mean, s.mean_interval.low) << trial << " " << come;
            EXPECT_GE(t.standard_deviation, s.deviation_interval.low) << trial << " " << come;
            EXPECT_GE(t.mean + 3 * t.standard_deviation, bound.interval.low) << trial << " " << come;
        }
    }
}

}  // namespace
}  // namespace asperity::statistics::survival_test
