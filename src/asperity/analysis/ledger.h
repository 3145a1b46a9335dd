// The energy ledger of a body from a state, and the closure error of the ledgers of a run.
#pragma once
#include <cstddef>

#include "asperity/model/ledger.h"
#include "asperity/model/model.h"
#include "asperity/model/state.h"

namespace asperity::analysis {

// Of the body of that row, alone with the field of the ground: what pairs share is in energy.h. The heat by cause comes from State.
model::Ledger ledger(const model::Model& model, const model::State& state, std::size_t row);

// Of a body that moves alone: (total at the end - total at the start) / energy that the start could set free, its motion, and its height
// above the lowest place that it can take in the world.
double energy_balance(const model::Model& model, const model::State& first, const model::State& last);

// Of all bodies: J, energy at the end and heat less work since the start, less the energy at the start.
double energy_change(const model::Model& model, const model::State& first, const model::State& last);

// J, of all bodies: tallies are per mass.
double summed(const model::Parameters& world, const std::vector<double>& per_mass);
double contact_heat(const model::Parameters& world, const model::Tallies& tallies);

}  // namespace asperity::analysis
