// Paired statistics of runs with common random numbers: the effect of a change, seen on the same runs with and without it.
//
//   mean of differences   d_i = x_i - y_i over the runs that have both,  d -+ t s_d / sqrt(n)                                     (1)
//   difference of rates   b runs succeed only in the first, c only in the second, of n:  (b - c) / n;  interval
//                         (b - c) / (n + 2) -+ z sqrt((p + q - (p - q)^2) / (n + 2)),  p = (b + 1) / (n + 2), q = (c + 1) / (n + 2) (2)
//   standard deviation    ln(c s^2) -+ z c sqrt((k - (n - 3) / n) / (n - 1)),  c = n / (n - z),
//                         k = n sum (x - m)^4 / (sum (x - mean)^2)^2,  m the mean without a part 1 / (2 sqrt(n - 4)) at each end    (3)
//   knee                  where a rate falls through a level: straight line between the two places around its first fall; interval
//                         from resampled runs, whole runs with all their places                                                     (4)
//
// Common draws make d_i far less scattered than x_i where the change matters little, so that (1) sees small effects; (2) is narrow where
// few runs change sides. (3) holds for columns that are not normal, unlike statistics.h (2).
// Limits: (1) as statistics.h (1). (2) keeps its level within a point or so from n = 20 on. A run without a value in either is left out
// of (1), so (1) speaks of runs that succeed in both.
// Sources: Bonett, Price, J. Educ. Behav. Stat. 37 (2012) 479 (2); Bonett, Comput. Stat. Data Anal. 50 (2006) 775 (3); Efron, Tibshirani,
// An Introduction to the Bootstrap (1993), 13.3, percentiles (4).
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "asperity/statistics/statistics.h"

namespace asperity::statistics {

struct Estimate {
    double value = no_value;
    Interval interval;

    bool is_above(double x) const { return interval.low > x; }
    bool is_below(double x) const { return interval.high < x; }
};

struct PairedDifference {
    Estimate difference;      // first minus second
    std::uint64_t pairs = 0;  // that it is taken over
};

// (1); NaN: no value. The spans are of one length, in the order of the runs.
PairedDifference paired_mean(std::span<const double> first, std::span<const double> second, double confidence = 0.95);

// (2); a value above 1/2 is a success.
PairedDifference paired_rate(std::span<const double> first, std::span<const double> second, double confidence = 0.95);

// (3), without NaN. The interval needs 5 values or more.
Estimate deviation(std::span<const double> values, double confidence = 0.95);

struct Knee {
    Estimate place;          // of the first fall through the level
    double existence = 0;    // part of the resamples that have one
    std::uint64_t runs = 0;  // of each place
};

// (4): success[k][run] at places[k], rising; none where the rate never falls through the level.
std::optional<Knee> knee(std::span<const double> places, std::span<const std::vector<double>> success, double level,
                         double confidence = 0.95, int resamples = 2000);

}  // namespace asperity::statistics
