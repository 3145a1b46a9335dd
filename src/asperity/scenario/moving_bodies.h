// Compiles the bodies that move, and the forces between them.
#pragma once
#include <string>
#include <vector>

#include "asperity/model/model.h"
#include "asperity/scenario/scenario.h"

namespace asperity::scenario {

// kg, as given or from the density.
double mass_of(const Body& body);

// Kinds and rows, mutual gravity and tides. Throws InputError.
void set_bodies(const Scenario& scenario, model::Parameters& parameters);

// Warnings about settings that are probably unintended: Love numbers without tides, ellipsoids that attract as points.
std::vector<std::string> body_doubts(const model::Parameters& world);

}  // namespace asperity::scenario
