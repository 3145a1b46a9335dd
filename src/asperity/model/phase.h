// Phases: how a part of the run is computed, and the guards that end it.
//
// A guard is level-triggered: it fires when its conditions hold, at once if they hold when the phase begins (`is_rising`: only after they
// have not). Guards are looked at in their order, one fires, its actions are done, and the next phase begins, whose guards are looked at
// anew. Where more fire at one instant than there are guards in the run, the run is stalled.
#pragma once
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "asperity/core/vec3.h"
#include "asperity/model/contacts.h"
#include "asperity/model/outcome.h"

namespace asperity::model {

enum class Integrator : std::int64_t { dopri5 = 0, rk4 = 1, verlet = 2, symplectic4 = 3, leapfrog = 4 };

// How method dvi solves its cone complementarity problem.
enum class ConeSolver : std::int64_t { jacobi = 0, gauss_seidel = 1, accelerated = 2 };

// What a number that is looked at is; analysis/signals.h says how each is computed.
enum class SignalKind : std::int64_t {
    height,          // over the ground
    distance,        // of two bodies
    speed,           // in the frame of the run
    relative_speed,  // of two bodies
    spin,            // in the frame of the run
    tilt,            // of an axis of a body against the vertical
    tension,         // of a cable
    cable_length,    // at rest
    throttle,        // of an engine
    propellant,      // in the tank of an engine
    time_in_phase,   //
    quiet_time,      // since contacts between bodies last changed
    time,            // of the run
    contact_force,   // on a body, in the last step
    joint_force,     // of a joint, in the last step
    joint_torque,    // likewise
    joint_angle,     //
    joint_travel,    //
};

struct Signal {
    SignalKind kind = SignalKind::time_in_phase;
    std::int32_t of = 0;       // row of a body, or number of a cable or an engine
    std::int32_t to = ground;  // row of the other body
    Vec3 axis{0, 0, 1};        // of a tilt: in the axes of the body
};

// A signal that the scenario has given a name: State keeps its extremes, and the record has it at each sample.
struct NamedSignal {
    std::string name;
    Signal signal;
};

// What a method recognises by itself: OutcomeKind rest, escaped, companion or locked.
struct Condition {
    bool is_named = false;
    OutcomeKind named = OutcomeKind::rest;
    Signal signal;
    bool is_above = false;  // holds from the value upwards, else from it downwards
    double value = 0;       // SI
};

enum class ActionKind : std::int64_t {
    cut,
    reel,
    throttle,
    start_controller,
    stop_controller,
    start_motor,
    stop_motor,
    start_load,
    stop_load,
};

struct Action {
    ActionKind kind = ActionKind::cut;
    std::uint32_t target = 0;  // number of the cable, engine, controller, joint or load
    double value = 0;          // m, rest length of a cable; throttle of an engine
    double rate = 0;           // m/s, at which a cable is reeled; positive
};

struct Guard {
    std::vector<Condition> conditions;  // all must hold; one that has a name is alone
    double lasting = 0;                 // s, for so long
    bool is_rising = false;
    std::vector<Action> actions;
    std::int64_t next = -1;  // phase that begins; -1: the run ends
    std::string outcome;     // how it ends then

    bool is_named() const { return !conditions.empty() && conditions.front().is_named; }
};

struct Phase {
    std::string name;
    std::string method;  // name of a method in dynamics/all.h
    Integrator integrator = Integrator::dopri5;
    double tolerance = 1e-12;                                   // relative, of a step
    double error_ratio_min = 0.1;                               // 1-landers 6.1.1: below it the next step grows
    double error_ratio_max = 0.9;                               // above it the next step shrinks; above 1 the step is repeated
    double step_min = 0;                                        // s
    double step_max = std::numeric_limits<double>::infinity();  // s; rk4: the step
    double duration = std::numeric_limits<double>::infinity();  // s; then the next phase begins
    double speed_up = 0;                                        // method secular: how much faster; 0: chosen
    ConeSolver solver = ConeSolver::accelerated;                // method dvi
    double scaling = 0;                                         // method dvi: part of a whole step of Jacobi or Gauss-Seidel; 0: chosen
    std::int64_t iterations = 20000;                            // method dvi: most of them in a step
    double flight_tolerance = 1e-9;                             // methods impulse and dvi: relative, of a step of a flight; 0: no flights
    std::vector<Guard> guards = {};
};

// Timers of guards, and what controllers remember. Of the phase that runs: a new phase begins with none.
struct Controls {                         // written by simulate, and by methods that look at guards
    std::vector<double> since;            // s, of each guard of the phase: when its conditions began to hold; guard_is_open, guard_waits
    std::vector<std::int64_t> ticks;      // of each controller: done since the phase began
    std::vector<std::int8_t> is_running;  // of each controller
    std::vector<double> memory;           // of each controller: the integral of its error
    double last_firing = -1;              // s, of a guard; -1: none yet
    std::int64_t firings = 0;             // guards that fired at that instant

    friend bool operator==(const Controls&, const Controls&) = default;
};
inline constexpr double guard_is_open = -1;  // it does not hold
inline constexpr double guard_waits = -2;    // it has held from the beginning of the phase on, and must be seen not to

template <class Visitor>
void describe(Visitor& v, Controls& c) {
    v.field("since", c.since, "s",
            "Since when each guard of the phase holds; -1: it does not; -2: it held when the phase began, and waits.");
    v.field("ticks", c.ticks, "", "Ticks of each controller since the phase began.");
    v.field("is_running", c.is_running, "", "Whether each controller runs.");
    v.field("memory", c.memory, "", "Integral of the error of each controller, in seconds and the unit of its signal.");
    v.field("last_firing", c.last_firing, "s", "When a guard fired last; -1: never.");
    v.field("firings", c.firings, "", "Guards that fired at that instant.");
}

}  // namespace asperity::model
