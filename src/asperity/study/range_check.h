// Checks the ranges of the drawn parameters against the bounds of their keys before any run, so that no run fails for it later.
#pragma once
#include <string>
#include <vector>

#include "asperity/study/plan.h"

namespace asperity::study {

// A drawn parameter that has values which its key refuses.
struct RefusedRange {
    std::size_t parameter = 0;  // of the plan, and of [[vary]]
    double share = 0;           // of the draws; to 2^-52
    double value = 0;           // the refused value farthest out, or the first refused choice
    std::string problem;        // what the key says of it
};

// Each key by itself, the others as the scenario has them. What a key allows is taken to be one range.
std::vector<RefusedRange> refused_ranges(const Plan& plan);

// The same as problems with their places in the study file, of those that some run in `runs` would draw more likely than not; others as
// lines of text.
struct RangeCheck {
    std::vector<Problem> problems;
    std::vector<std::string> warnings;
};
RangeCheck check_ranges(const Plan& plan);

}  // namespace asperity::study
