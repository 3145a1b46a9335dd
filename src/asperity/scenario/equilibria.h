// The equilibria of a scenario, and starts that are placed at one of them.
#pragma once
#include <string>
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

// Inside the ground or the companion, in the axes of that field.
analysis::IsInside inside_of(const Scenario& scenario, const model::Assets& assets, const analysis::SteadyField& field);

// About two thousand evaluations of the field.
ScenarioEquilibria equilibria_of(const Scenario& scenario, const model::Assets& assets);

// Works `at` and `direction` of a start into its position and velocity. Returns the rate in rad/s, about z, at which the frame turns in
// that of the run from rest in which velocities count. Throws InputError.
double place_at_equilibrium(const Scenario& scenario, const model::Assets& assets, const std::string& path, BodyStart& start);

}  // namespace asperity::scenario
