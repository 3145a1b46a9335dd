// Checks that look at several keys of a scenario at once, and need no file.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "asperity/core/errors.h"
#include "asperity/scenario/scenario.h"

namespace asperity::scenario {

// `failed` are key paths without a usable value; a check that would read one of them is left out.
std::vector<Problem> cross_check(const Scenario& scenario, const std::set<std::string, std::less<>>& failed);

}  // namespace asperity::scenario
