// Statistics of one column of a campaign's table, each with a confidence interval. Rows in run-index order; NaN: the run has no such value
// (it failed, or the thing did not happen) and is left out. Pure functions: no file, no thread, and the same column gives the same bits.
//
//   mean       m = (1/n) sum x,  s^2 = sum (x - m)^2 / (n - 1);   m -+ t s / sqrt(n),  t of Student with n - 1 degrees         (1)
//   deviation  s sqrt((n - 1) / chi2(1 - a/2)) ... s sqrt((n - 1) / chi2(a/2)),  a = 1 - confidence, n - 1 degrees             (2)
//   quantile   x_(i) + (h - i) (x_(i+1) - x_(i)),  h = (n - 1) p,  i = floor(h), counted from 0 (Hyndman-Fan type 7)           (3)
//              x_(l) ... x_(u), counted from 1, B ~ binomial(n, p):  l largest with P(B < l) <= a/2,                           (4)
//              u least with P(B >= u) <= a/2
//   rate       (k + z^2/2 -+ z sqrt(k (n - k) / n + z^2/4)) / (n + z^2),  k successes of n, z normal (Wilson's score interval) (5)
//   m + 3 s    m + k s,  k = t'(a/2) / sqrt(n) ... t'(1 - a/2) / sqrt(n),  t' of Student, not central by 3 sqrt(n)             (6)
//   upper end  of (4), for p > 1/2: exists from n = ln(a/2) / ln(p) on                                                         (7)
//
// Limits: (1) needs a mean of n values that is nearly normal: skewed columns undercover at small n. (2) and (6) hold for normal columns
// only. (4) assumes no distribution and covers at least as often as asked; (5) swings around that. Measured:
// docs/theory/statistics.md.
// Sources: Hyndman, Fan, Am. Stat. 50 (1996) 361; David, Nagaraja, Order Statistics (2003), 7.1; Wilson, J. Am. Stat. Assoc. 22 (1927)
// 209; Odeh, Owen, Tables for Normal Tolerance Limits (1980), for (6); Welford, Technometrics 4 (1962) 419;
// Neumaier, Z. Angew. Math. Mech. 54 (1974) 39.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "asperity/statistics/distribution.h"

namespace asperity::statistics {

void require_confidence(double confidence);  // throws Bug if it is not between 0 and 1

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

// A confidence interval; a side without a bound is infinite.
struct Interval {
    double low = -unbounded, high = unbounded;
};

// A column that is read more than once, each time whole, in index order and in blocks of any size: memory does not grow with the rows.
using BlockReader = std::function<void(std::span<const double>)>;
using ColumnSource = std::function<void(const BlockReader&)>;

// The span must outlive the source.
ColumnSource column_of(std::span<const double> values);

// Interleaves several columns into one source of rows of that width. The spans must have the same length and outlive the source.
ColumnSource rows_of(std::vector<std::span<const double>> columns);

// Passes on every whole row of `width` values; returns the number of values left over at the end.
std::size_t read_rows(const ColumnSource& source, std::size_t width, const BlockReader& row);

// A sum in the order of its terms with the rounding of every addition kept (Neumaier): error of two roundings, however many terms.
class CompensatedSum {
public:
    void add(double x) {
        const double sum = sum_ + x;
        lost_ += (sum_ < 0 ? -sum_ : sum_) >= (x < 0 ? -x : x) ? (sum_ - sum) + x : (x - sum) + sum_;
        sum_ = sum;
    }
    double value() const { return sum_ + lost_; }

private:
    double sum_ = 0, lost_ = 0;
};

struct Quantile {
    double probability = 0;
    double value = no_value;  // (3)
    Interval interval;        // (4); infinite on a side where n is too small for any order statistic: (1 - p)^n or p^n above a/2
};

// The right-censored runs of a column of times: they were cut off before the event could be seen (survival.h).
struct CutOff {
    std::uint64_t count = 0;
    double first = no_value, last = no_value;  // when; none where the time itself was seen in all of them
    double restricted_mean = no_value;         // of times cut at `first`
    Interval restricted_interval;
};

struct ColumnStatistics {
    std::uint64_t count = 0;    // values
    std::uint64_t missing = 0;  // rows without one
    double mean = no_value;
    double standard_deviation = no_value;  // from 2 values on
    double min = no_value, max = no_value;
    Interval mean_interval;                 // (1)
    Interval deviation_interval{.low = 0};  // (2)
    std::vector<Quantile> quantiles;        // in the order asked for
    CutOff cut_off;                         // of times
    double resultant_length = no_value;     // of directions (circular.h)
};

struct StatisticsOptions {
    double confidence = 0.95;                                           // between 0 and 1
    std::vector<double> probabilities = {0.05, 0.25, 0.5, 0.75, 0.95};  // of the quantiles, each from 0 to 1
};

// Three to seven readings of the source. Where a value is infinite, mean and deviation are NaN; the quantiles are right.
ColumnStatistics column_statistics(const ColumnSource& source, const StatisticsOptions& options = {});
ColumnStatistics column_statistics(std::span<const double> values, const StatisticsOptions& options = {});

// The values of the given ranks (from 0) in ascending order, NaN left out; a rank beyond the last value gives NaN. Exact. A short column
// is sorted, in one reading; a longer one takes four more, whatever the number of ranks: the value as an ordered 64-bit key, counted 16
// bits at a time, with 0.5 MiB per rank at most.
std::vector<double> order_statistics(const ColumnSource& source, std::span<const std::uint64_t> ranks);

// The quantiles (3) of a column that has `count` values.
std::vector<double> quantiles(const ColumnSource& source, std::uint64_t count, std::span<const double> probabilities);

// (5); without any trial the interval is 0 to 1.
Interval wilson(std::uint64_t successes, std::uint64_t count, double confidence);

// (6): the factor on s that m + 3 s has at the given probability of its distribution.
double three_sigma_factor(std::uint64_t count, double probability);

// (7): values from which on the order statistics of a quantile have an upper end.
std::uint64_t runs_for_upper_end(double probability, double confidence);

// Mean and variance of a growing prefix, for "run until"; NaN is passed over. Welford's recurrence about the first value, so that a large
// offset costs no digits.
class RunningMean {
public:
    void add(double x);
    std::uint64_t count() const { return count_; }
    double mean() const { return count_ > 0 ? first_ + mean_ : no_value; }
    double variance() const { return count_ > 1 ? squares_ / static_cast<double>(count_ - 1) : no_value; }
    double half_width(double confidence) const;  // of (1); infinite below 2 values

private:
    std::uint64_t count_ = 0;
    double first_ = 0;
    double mean_ = 0;     // of x - first
    double squares_ = 0;  // sum of (x - mean)^2
};

class RunningRate {
public:
    void add(bool success) {
        ++count_;
        successes_ += success ? 1 : 0;
    }
    std::uint64_t count() const { return count_; }
    std::uint64_t successes() const { return successes_; }
    double rate() const { return count_ > 0 ? static_cast<double>(successes_) / static_cast<double>(count_) : no_value; }
    double half_width(double confidence) const;  // of (5)

private:
    std::uint64_t count_ = 0, successes_ = 0;
};

}  // namespace asperity::statistics
