// What a scenario with gravity of kind body needs: its shapes as surfaces and fields, and the gravity of one run.
#pragma once
#include <string>

#include "asperity/model/model.h"
#include "asperity/scenario/scenario.h"

namespace asperity::scenario {

inline bool has_body(const Scenario& scenario) { return std::holds_alternative<BodyWorld>(scenario.world.shape); }

// The surface of a body, of unit scale: closed, centre of mass in the origin. `folder`: of the scenario file. Throws InputError.
geometry::SurfaceMesh body_surface(const BodyWorld& body, const std::string& folder);

// Fields, companion, patches and values of facets, for assets whose surface is there already. Throws InputError.
void load_body_assets(const Scenario& scenario, const std::string& folder, model::Assets& assets,
                      const gravity::FastField::Progress& progress);

// Density, scale, spin and orbit of this run on those assets.
gravity::SmallBody small_body_of(const Scenario& scenario, const model::Assets& assets);

RockPopulation rock_population(const Rocks& rocks);
model::StochasticRocks stochastic_rocks(const Scenario& scenario);  // none where the scenario has no such rocks

// Materials of the ball, of the ground and of each patch, and the laws between the first and the others.
void set_ground_laws(const Scenario& scenario, model::Parameters& parameters);

// Whether runs of one study differ though no key does: scatter of the release or of free bodies, or rocks that are drawn.
bool draws_by_run(const Scenario& scenario);

// The files that the scenario names, as paths that can be opened; a shape that is built in is none.
std::vector<std::string> named_files(const Scenario& scenario);

// Whether a key changes what is loaded, and not only what a run does with it.
bool changes_assets(const Scenario& scenario, const std::string& key);

}  // namespace asperity::scenario
