// The ground of a scenario: its shape as a surface and a field, and the gravity of one run.
#pragma once
#include <string>

#include "asperity/model/model.h"
#include "asperity/scenario/scenario.h"

namespace asperity::scenario {

// Whether the ground is a whole body, closed, with its centre of mass in the origin.
bool has_whole_ground(const Scenario& scenario);
double ground_scale(const Scenario& scenario);  // factor on the lengths of what is loaded

// The surface of the ground, of unit scale. Throws InputError.
geometry::SurfaceMesh ground_surface(const Scenario& scenario, const Body& ground);

// Fields, companion, patches and values of facets, for assets whose surface is there already. Throws InputError.
void load_ground_assets(const Scenario& scenario, model::Assets& assets, const gravity::FastField::Progress& progress);

// Density, scale, spin and orbit of this run on those assets.
// The driven bodies: those with a `motion`, and of the bodies that attract those that can be touched and move in the frame.
void set_driven(const Scenario& scenario, model::Parameters& parameters);
gravity::SmallBody small_body_of(const Scenario& scenario, const model::Assets& assets);

RockPopulation rock_population(const Rocks& rocks);
model::StochasticRocks stochastic_rocks(const Scenario& scenario);  // none where the scenario has no such rocks

// Materials of the bodies that move, of the ground and of each patch, and the laws between those that can touch. Throws InputError.
void set_laws(const Scenario& scenario, model::Parameters& parameters);

}  // namespace asperity::scenario
