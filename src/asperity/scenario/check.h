// Consistency checks across several keys of a scenario, which need no file.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "asperity/analysis/metrics.h"
#include "asperity/core/errors.h"
#include "asperity/scenario/scenario.h"

namespace asperity::scenario {

// `failed` are key paths without a usable value; a check that would read one of them is left out.
std::vector<Problem> cross_check(const Scenario& scenario, const std::set<std::string, std::less<>>& failed);

struct NamedUnit {
    std::string name;
    std::string unit;
};

// The features of the world that decide which metrics its runs have.
model::Census census_of(const Scenario& scenario);

// The metrics that its runs have: of the world, of its bodies and of its signals.
std::vector<analysis::WorldMetric> metrics_of(const Scenario& scenario);

// Demands on metrics that are none of these, or of another dimension; `section` is where they were written: "expect". `outcomes`: names
// that scenarios gave to ends of runs.
std::vector<Problem> check_demands(const std::vector<Expectation>& demands, const std::vector<NamedUnit>& metrics, const Places& places,
                                   const std::string& section, const std::vector<std::string>& outcomes = {});

}  // namespace asperity::scenario
