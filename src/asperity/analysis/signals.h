// Signals: numbers that guards, controllers and expectations look at, each defined here and nowhere else.
//
// A signal is a pure function of the model and of one instant of its State:
//   height over ground   m, of the centre of mass from the nearest point of the ground; negative below it
//   distance             m, between two centres of mass
//   speed, spin          m/s, rad/s, in the frame of the run; relative speed: of two centres of mass
//   tension              N, of a cable; cable length: m, its rest length
//   throttle, propellant of an engine; kg
//   time in phase, time since contacts changed, time: s
#pragma once
#include "asperity/model/model.h"
#include "asperity/model/state.h"

namespace asperity::analysis {

// The motion of an instant, and the State whose other blocks hold then.
struct Instant {
    double time_in_phase = 0;  // s
    const model::Bodies& bodies;
    const model::State& state;

    double time() const { return state.clock.phase_start + time_in_phase; }
};

double signal(const model::Model& model, const model::Signal& signal, const Instant& instant);

}  // namespace asperity::analysis
