// Scenario -> text: the complete file as it was run, includes and overrides resolved, every default written out.
#pragma once
#include <string>

#include "asperity/scenario/scenario.h"

namespace asperity::scenario {

// Reads back to the same Scenario: numbers are the shortest text that gives the same double, quantities are in SI units.
std::string resolved_toml(const Scenario& scenario);

// Hash of resolved_toml, 32 hexadecimal digits.
std::string scenario_hash(const Scenario& scenario);

}  // namespace asperity::scenario
