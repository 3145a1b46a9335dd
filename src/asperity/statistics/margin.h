// The margin of a requirement: the factor by which start errors may grow before the required success rate can no longer be shown.
//
// All errors are scaled by a factor k. Success S(k) is tried at some factors with the same runs each time (common random numbers: run i
// draws the same deviates at every factor), so that differences between factors are not noise.
//
//   sure       k successes of n runs: Wilson's lower bound at one-sided confidence c is at least the requirement P                (1)
//   hopeless   Wilson's upper bound at one-sided confidence c is below P                                                          (2)
//   curve      S(k) made falling: neighbours that rise are pooled (pool adjacent violators), weights n                            (3)
//   search     k = 1, then doubled while sure or halved while not, then the middle of largest sure and least not sure, until they
//              differ by less than a part `tolerance`                                                                             (4)
// If all n runs succeed, (1) holds from n = z^2 P / (1 - P) on, z the normal quantile of c (268 runs for 99 % at 95 %).
// Sources: Wilson (1927), as in statistics.h; Barlow et al., Statistical Inference under Order Restrictions (1972), for (3).
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "asperity/statistics/statistics.h"

namespace asperity::statistics {

struct Requirement {
    double success = 0.99;     // P
    double confidence = 0.95;  // c
};

// The result of the runs at one factor.
struct Tried {
    double factor = 1;
    std::uint64_t successes = 0, runs = 0;
};

// Both bounds are one-sided: each holds with the given confidence by itself.
Interval bounds(const Tried& tried, double confidence);
bool is_sure(const Tried& tried, const Requirement& requirement);      // (1)
bool is_hopeless(const Tried& tried, const Requirement& requirement);  // (2)

// The least number of runs that can ever be sure.
std::uint64_t least_runs(const Requirement& requirement);

// (3), an isotonic regression: values are in the order of rising factors, each with its weight.
std::vector<double> falling_fit(std::span<const double> values, std::span<const double> weights);

struct SearchOptions {
    double tolerance = 0.05;
    double largest = 64, least = 1.0 / 64;  // limits of the search
};

// (4): the next factor to try; none if the margin is known. 0 is tried if the least factor is not sure.
std::optional<double> next_factor(const std::vector<Tried>& tried, const Requirement& requirement, const SearchOptions& options = {});

struct Margin {
    std::optional<double> sure;      // the largest factor tried that is sure, with all smaller ones; none: not even without errors
    double crossing = no_value;      // where (3), straight lines between, comes down to the requirement
    std::optional<double> hopeless;  // the least factor tried that is hopeless; none: none is
    bool is_at_limit = false;        // the largest factor there is was still sure
    std::vector<Tried> curve;        // by rising factor
    std::vector<double> fitted;      // (3) at each of them
};

Margin margin_of(std::vector<Tried> tried, const Requirement& requirement, const SearchOptions& options = {});

}  // namespace asperity::statistics
