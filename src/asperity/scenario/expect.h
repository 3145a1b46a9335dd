// [expect]: the expected results of a run, so that every scenario is also a test.
//
//   outcome = "rest"                                        text, equal
//   impacts = 5                                             number, equal
//   stop_time = { value = "3059.629 s", within = "1 ms" }   |got - value| <= within
//   energy_balance = { below = 1e-9 }                       also above, at_least, at_most
//   impact_time = { index = 0, value = "442.2 s", within = "0.1 s" }      one number of an array; { length = 5 } counts them
//   impact_time = [{ index = 0, ... }, { length = 5 }]      several demands on one metric
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "asperity/analysis/metrics.h"
#include "asperity/core/units.h"
#include "asperity/record/summary.h"

namespace asperity::scenario {

struct Expectation {
    std::string metric;
    std::optional<std::string> text;
    std::optional<std::int64_t> index;   // from 0
    std::optional<std::int64_t> length;  // of the array
    std::optional<Quantity> value;
    std::optional<Quantity> within;
    std::optional<Quantity> at_least;
    std::optional<Quantity> at_most;
    std::optional<Quantity> below;
    std::optional<Quantity> above;

    friend bool operator==(const Expectation&, const Expectation&) = default;
};

bool demands_number(const Expectation& expectation);

// The dimension of the numbers that are demanded, which all have the same; none where none are.
Dimension dimension_of(const Expectation& expectation);

// One result per expectation, in the order of the file, as texts: "impact_time[0]", "442.2 s within 0.1 s", "442.235 s". A metric that does
// not exist or has another dimension is a failure that says so.
std::vector<record::Expectation> check_expectations(const std::vector<Expectation>& expectations,
                                                    std::span<const analysis::Metric> metrics);

}  // namespace asperity::scenario
