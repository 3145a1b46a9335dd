// Hand-over from soft contact: a ball may overlap the ground, which rigid contact does not allow.
#pragma once
#include "asperity/model/model.h"
#include "asperity/model/state.h"

namespace asperity::event_driven {

// Whether the contacts are those that `penalty` left at the end of a phase before this one.
inline bool is_of_soft_contact(const model::State& state) {
    return state.clock.phase > 0 && state.clock.time_in_phase == 0 && !state.contacts.is_empty() &&
           state.contacts.mode[0] == model::Mode::touching && state.contacts.slip_direction.empty();
}

// Lifts the ball out of the ground, and decides whether it stays in contact: where its normal speed u is too slow to leave the overlap d
// against the field,
//   u^2 <= 2 g_n d                                                                                                            (1)
// it does, and u is taken out; else it flies, to an impact at once where it comes down. What that changes of its energy, and what the
// springs had stored, counts as work from outside.
void take_out_overlap(const model::Model& model, model::State& state);

}  // namespace asperity::event_driven
