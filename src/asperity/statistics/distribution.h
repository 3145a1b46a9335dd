// The distributions of varied parameters, as plain values, and their quantile functions, which map a point of the unit interval to a value.
//
//   value = F^-1(F(low) + u (F(high) - F(low)))                                            truncation to [low, high]       (1)
//   normal, z = (value - mean) / sigma, tail T(z) = erfc(z / sqrt 2) = 2 (1 - F):
//     T(z) = (1 - u) T(z_low) + u T(z_high)                                                upper tail, positive terms only (2)
//   log-normal: ln(value / median) / sigma_log is z
//
// (2), its mirror image in the lower tail, and erf in the middle leave no difference of nearly equal numbers, so that truncation to
// [8 sigma, 9 sigma] is as accurate as none. docs/theory/sampling.md has the moments.
//
// u = 0 and u = 1: below 2^-54 u is taken as 2^-54, above 1 - 2^-53 as 1 - 2^-53. A value is therefore always finite, and an untruncated
// normal never leaves 8.3 sigma.
// Limits: the truncated part must hold a probability above 2.2e-308 (37.5 sigma); quantiles rise with u to rounding, not bit for bit.
// Sources: Johnson, Kotz, Balakrishnan, Continuous univariate distributions 1 (1994), 13.10, 14; inverses of erf and erfc from Boost.Math.
#pragma once
#include <limits>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace asperity::statistics {

inline constexpr double unbounded = std::numeric_limits<double>::infinity();

struct Normal {
    double mean = 0;
    double sigma = 1;          // of the normal before truncation; 0: always the mean
    double low = -unbounded;   // truncation: values outside [low, high] do not occur
    double high = +unbounded;  // and the rest is scaled up to probability one
};

struct Uniform {
    double low = 0;
    double high = 1;
};

struct LogNormal {
    double median = 1;     // before truncation
    double sigma_log = 1;  // standard deviation of ln(value); 0: always the median
    double low = -unbounded;
    double high = +unbounded;
};

struct Choice {
    std::vector<double> values;   // in the order written: quantiles follow the order, not the size
    std::vector<double> weights;  // of each value, any scale; empty: all equal
};

// An empirical distribution: the value at cumulative probability cumulative[i] is values[i], straight lines between.
// Two equal values are an atom, two equal probabilities a gap.
struct Table {
    std::vector<double> values;      // never falling
    std::vector<double> cumulative;  // never falling, from 0 to 1
};

using Distribution = std::variant<Normal, Uniform, LogNormal, Choice, Table>;

// The table of observed samples, which may be in any order: sorted, the i-th of n stands at i / (n - 1) (Hyndman and Fan 1996, type 7).
Table table_of_samples(std::span<const double> samples);

// The errors in a distribution, each with a hint how to correct it; empty if it is valid, as the functions below require.
std::vector<std::string> problems(const Distribution& distribution);

// (1). No allocation.
double quantile(const Distribution& distribution, double u);

// The mean of the truncated distribution.
double mean(const Distribution& distribution);
double variance(const Distribution& distribution);

}  // namespace asperity::statistics
