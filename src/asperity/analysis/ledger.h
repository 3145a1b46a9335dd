// The energy ledger of a body from a state, and the closure error of the ledgers of a run.
#pragma once
#include <cstddef>

#include "asperity/model/ledger.h"
#include "asperity/model/model.h"
#include "asperity/model/state.h"

namespace asperity::analysis {

// Energies of the body of that row in the field of the ground, without what pairs share (energy.h). The heat by cause comes from State.
model::Ledger ledger(const model::Model& model, const model::State& state, std::size_t row);

// Relative error of the ledger of a body that moves alone: (total at the end - total at the start) / energy that the start could set free,
// which is its kinetic energy and its height above the lowest place that it can take in the world.
double energy_balance(const model::Model& model, const model::State& first, const model::State& last);

// Error of the ledger of all bodies, J: energy at the end plus heat less work since the start, less the energy at the start.
double energy_change(const model::Model& model, const model::State& first, const model::State& last);

// J, of all bodies: tallies are per mass.
double summed(const model::Parameters& world, const std::vector<double>& per_mass);
double contact_heat(const model::Parameters& world, const model::Tallies& tallies);

}  // namespace asperity::analysis
