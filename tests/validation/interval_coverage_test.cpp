// The table of docs/theory/statistics.md: what the confidence intervals of a campaign really cover.
#include "validation/interval_coverage.h"

namespace asperity::statistics::test::interval_coverage_test {
namespace {

constexpr int many = 20'000;

TEST(IntervalCoverage, OfMeanAndDeviation) { expect_mean_coverage(many); }

TEST(IntervalCoverage, OfQuantiles) { expect_quantile_coverage(many); }

TEST(IntervalCoverage, OfRates) { expect_wilson_coverage(many); }

TEST(IntervalCoverage, OfCorrelations) { expect_correlation_coverage(many); }

TEST(IntervalCoverage, OfSobolIndices) { expect_sobol_coverage(4000, 1000); }

TEST(IntervalCoverage, OfTimesThatWereCutOff) { expect_cut_time_coverage(many); }

TEST(IntervalCoverage, OfTheSurvivalCurve) { expect_survival_coverage(many); }

TEST(IntervalCoverage, OfDirections) { expect_direction_coverage(many); }

TEST(IntervalCoverage, OfAMeanThatIsRunUntil) { expect_stopped_coverage(many); }

}  // namespace
}  // namespace asperity::statistics::test::interval_coverage_test
