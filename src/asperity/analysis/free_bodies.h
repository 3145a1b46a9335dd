// Energies and metrics of free bodies, from the model, its states and the events.
//
//   elastic   = sum k_e xi^2 / 2 over overlapping pairs: only `penalty` has any that counts                               (1)
//   drift     = |E + heat - work - E_0| / |E_0|,      |H - H_0 - sum J yorp t| / |H_0|                                    (2)
//   tidal power  -(heat of tides) / time since contacts last changed: the slope of the energy, sum Gamma (psi-dot - theta-dot) in the
//                mean (3-ternary 3.25). From the heat, which a method integrates, and not from the energy, whose rounding may be more   (3)
//   lock time    (w_locked - w_i) / w-dot_i, w-dot from the tides in the ground state (3-ternary 5.6)                      (4)
#pragma once
#include <span>
#include <vector>

#include "asperity/analysis/energy_bound.h"
#include "asperity/analysis/metrics.h"
#include "asperity/analysis/recognition.h"
#include "asperity/model/model.h"

namespace asperity::analysis {

struct FreeEnergies {
    double kinetic = 0;     // J, in the frame of the scenario
    double rotational = 0;  // J
    double gravity = 0;     // J
    double elastic = 0;     // J, (1)

    double mechanical() const { return kinetic + rotational + gravity + elastic; }
};
FreeEnergies free_energies(const model::Parameters& world, const model::Bodies& bodies);

// Heat that contacts have set free, all bodies, J.
double contact_heat(const model::Parameters& world, const model::Tallies& tallies);
double tidal_heat(const model::Parameters& world, const model::Tallies& tallies);

std::vector<MovingBody> moving_bodies(const model::Parameters& world, const model::Bodies& bodies);
std::vector<MovingSphere> moving_spheres(const model::Parameters& world, const model::Bodies& bodies);
// Where two or three spheres are (recognition.h); none of other bodies.
model::Configuration configuration_at(const model::Parameters& world, const model::Bodies& bodies);

std::vector<Metric> free_metrics(const model::Model& model, const model::State& first, const model::State& last,
                                 std::span<const model::Event> events, const model::Outcome& outcome);

}  // namespace asperity::analysis
