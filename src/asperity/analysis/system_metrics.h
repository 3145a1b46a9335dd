// Metrics of bodies that attract each other in empty space, from the model, its states and the events.
//
//   drift     = |E + heat - work - E_0| / |E_0|,      |H - H_0 - sum J yorp t| / |H_0|                                    (1)
//   tidal power  -(heat of tides) / time since contacts last changed: the slope of the energy, sum Gamma (psi-dot - theta-dot) in the
//                mean (3-ternary 3.25). From the heat, which a method integrates, and not from the energy, whose rounding may be more   (2)
//   lock time    (w_locked - w_i) / w-dot_i, w-dot from the tides in the ground state (3-ternary 5.6)                      (3)
#pragma once
#include <span>
#include <vector>

#include "asperity/analysis/metrics.h"

namespace asperity::analysis {

std::vector<Metric> system_metrics(const model::Model& model, const model::State& first, const model::State& last,
                                   std::span<const model::Event> events, const model::Outcome& outcome);

}  // namespace asperity::analysis
