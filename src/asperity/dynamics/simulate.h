// The main loop of a run: it advances by segments, each by the method of its phase, up to the next discrete event that simulate itself
// handles.
#pragma once
#include "asperity/dynamics/method.h"

namespace asperity::dynamics {

// Advances the state to the end of the run. The record of what happened goes to the observer; how it ended is returned.
model::Outcome simulate(const model::Model& model, model::State& state, model::Observer& observer);

}  // namespace asperity::dynamics
