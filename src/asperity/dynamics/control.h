// The discrete events that simulate handles between segments: guards that fire and their actions, phases that begin, ticks of controllers,
// empty tanks and winches that reach their end.
// At equal times the order is: impacts, guards, an empty tank or a winch at its end, the phase's timer, ticks in the order of the file.
#pragma once
#include <optional>

#include "asperity/model/model.h"
#include "asperity/model/observer.h"
#include "asperity/model/state.h"

namespace asperity::dynamics {

// Sets the timers of the first phase, ticks and memory of controllers in a State that has none yet; a restart keeps its own.
void begin_controls(const model::Model& model, model::State& state);

// A phase begins at that time: its timers stand at zero, its first tick is due. Told as an event.
void begin_phase(const model::Model& model, model::State& state, std::int64_t phase, double time, model::Observer& observer);

// Does the actions of a guard that fires now, and begins its next phase; the outcome where the run ends.
std::optional<model::Outcome> fire(const model::Model& model, model::State& state, std::int64_t guard, model::Observer& observer);

// s, phase_start + k period, of the controllers that run; infinity: none does.
double next_tick(const model::Model& model, const model::State& state);
// Does every tick that is due at that time.
void tick(const model::Model& model, model::State& state, double time);

// s, the time at which the next tank will be empty or winch will reach its target.
double next_change(const model::Model& model, const model::State& state);
void change_by_itself(const model::Model& model, model::State& state, double time);

}  // namespace asperity::dynamics
