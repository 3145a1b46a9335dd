// Resolves the names in phases, guards, cables, joints, loads, engines and controllers to rows and numbers, and reports what does not fit
// together.
#pragma once
#include <string>
#include <vector>

#include "asperity/core/errors.h"
#include "asperity/model/model.h"
#include "asperity/model/state.h"
#include "asperity/scenario/scenario.h"

namespace asperity::scenario {

// Cables, joints, loads, engines, controllers and phases with their guards. Problems are appended, each at its place.
void resolve_machinery(const Scenario& scenario, model::Parameters& parameters, std::vector<Problem>& problems);

// Their part of the first State, and of joints what follows from where bodies start.
void set_machinery(const Scenario& scenario, model::Parameters& parameters, model::State& state);

// Names that the scenario has given to ends of its run.
std::vector<std::string> own_outcomes(const Scenario& scenario);

}  // namespace asperity::scenario
