// The equilibria of a scenario, and a release that is given by one of them.
#pragma once
#include <vector>

#include "asperity/analysis/equilibria.h"
#include "asperity/model/model.h"
#include "asperity/scenario/scenario.h"

namespace asperity::scenario {

struct ScenarioEquilibria {
    analysis::SteadyField field;
    std::vector<analysis::Equilibrium> list;
};

// The field of the scenario that is steady in its own frame. Throws InputError where there is none.
analysis::SteadyField steady_field_of(const Scenario& scenario, const model::Assets& assets);

// Inside the body of [world] or the companion, in the axes of that field.
analysis::IsInside inside_of(const Scenario& scenario, const model::Assets& assets, const analysis::SteadyField& field);

// About two thousand evaluations of the field.
ScenarioEquilibria equilibria_of(const Scenario& scenario, const model::Assets& assets);

struct PlacedRelease {
    Release release;       // with `at` and `direction` worked into position and velocity
    double turn_rate = 0;  // rad/s, about z: velocities count from rest in a frame that turns at this rate in that of the run
};
// Throws InputError.
PlacedRelease placed_release(const Scenario& scenario, const model::Assets& assets);

}  // namespace asperity::scenario
