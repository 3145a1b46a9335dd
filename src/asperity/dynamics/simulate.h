// The loop of a run: segments, each by the method of its phase, up to the next thing that simulate itself must do.
#pragma once
#include "asperity/dynamics/method.h"

namespace asperity::dynamics {

// Advances the state to the end of the run. The record of what happened goes to the observer; how it ended is returned.
model::Outcome simulate(const model::Model& model, model::State& state, model::Observer& observer);

}  // namespace asperity::dynamics
