// Signals: numbers that guards, controllers, records and metrics look at, each defined here and nowhere else.
//
// A signal is a pure function of the model and of one instant of its State:
//   height over ground   m, of the centre of mass from the nearest point of the ground; negative below it
//   distance             m, between two centres of mass
//   speed, spin          m/s, rad/s, in the frame of the run; relative speed: of two centres of mass
//   tilt                 rad, 0 to pi, between an axis of a body and the vertical there: against the pull of the field on what stands
//                        still in the frame of the run; where nothing pulls, the z axis of the run
//   tension              N, of a cable; cable length: m, its rest length
//   contact force        N, on a body by all its contacts in the last step (model/state.h, Forces): it changes at step boundaries alone
//   joint force, torque  N, N m, of a joint in the last step, likewise: of what holds, stops and drives at a rate, about the joint
//   joint angle, travel  rad, m: what is turned since the start, with whole turns; (A - B) . z (model/joints.h)
//   throttle, propellant of an engine; kg
//   time in phase, time since contacts changed, time: s
#pragma once
#include <vector>

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

// Of all named signals.
void named_signals(const model::Model& model, const Instant& instant, std::vector<double>& values);

// What it is of: "body", "cable", "engine", "joint", or nothing; SI.
struct SignalNature {
    const char* unit = "s";
    const char* of = "";
    bool has_other = false;  // a second body
    bool has_axis = false;
    bool is_of_step = false;  // a number of the last step, which changes at step boundaries alone
};
SignalNature nature_of(model::SignalKind kind);

}  // namespace asperity::analysis
