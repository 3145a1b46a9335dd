// [cable.NAME], [engine.NAME], [controller.NAME]: what pulls and pushes bodies, and what commands it.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "asperity/core/describe.h"
#include "asperity/core/units.h"
#include "asperity/core/vec3.h"
#include "asperity/model/phase.h"
#include "asperity/scenario/bounds.h"

namespace asperity::scenario {

struct CableEnd {
    std::string body;  // empty: the ground
    Vec3 at;           // m
};

struct Cable {
    std::string name;
    CableEnd from, to;
    std::optional<double> length;  // m, at rest
    double stiffness = 0;          // N/m
    double damping = 0;            // N s/m

    std::string path() const { return "cable." + name; }
};

struct Engine {
    std::string name;
    std::string body;
    Vec3 at;  // m
    Vec3 direction{0, 0, 1};
    double thrust = 0;  // N
    double throttle = 0;
    double propellant = 0;                // kg
    std::optional<double> exhaust_speed;  // m/s

    std::string path() const { return "engine." + name; }
};

struct NamedSignal {
    std::string name;
    model::SignalKind is = model::SignalKind::height;
    std::string of, to;
    Vec3 axis{0, 0, 1};

    std::string path() const { return "signal." + name; }
};

struct ProportionalControl {
    std::string signal;
    std::string of, to;
    Loose wanted;
    Loose gain;
    std::optional<Loose> integral_gain;
    double offset = 0;
};

struct ScheduledControl {
    std::vector<Loose> times;
    std::vector<Loose> throttles;
};

struct Controller {
    std::string name;
    std::string engine;
    double period = 1;  // s
    bool running = true;
    std::variant<ProportionalControl, ScheduledControl> law;

    std::string path() const { return "controller." + name; }
};

inline constexpr auto signals = std::to_array<Choice<model::SignalKind>>({
    {"height over ground", model::SignalKind::height, "Of the centre of a body from the nearest point of the ground; negative below it."},
    {"distance", model::SignalKind::distance, "Of the centres of two bodies."},
    {"speed", model::SignalKind::speed, "Of the centre of a body, in the frame of the run."},
    {"relative speed", model::SignalKind::relative_speed, "Of the centres of two bodies."},
    {"spin", model::SignalKind::spin, "Angular velocity of a body, in the frame of the run; without direction."},
    {"tilt", model::SignalKind::tilt,
     "Angle between an axis of a body and the vertical there, which is against the pull of the field; where nothing pulls, the z axis."},
    {"tension", model::SignalKind::tension, "Of a cable."},
    {"cable length", model::SignalKind::cable_length, "Length of a cable at rest, as it is reeled."},
    {"contact force", model::SignalKind::contact_force,
     "On a body, by all its contacts: mean over the last step. Under penalty, impulse and dvi."},
    {"joint force", model::SignalKind::joint_force,
     "Of a joint: what it holds, stops and drives at a rate, without springs and dampers; mean over the last step. Under penalty, impulse "
     "and dvi."},
    {"joint torque", model::SignalKind::joint_torque, "Likewise, about the joint."},
    {"joint angle", model::SignalKind::joint_angle, "What a joint is turned since the start, with whole turns."},
    {"joint travel", model::SignalKind::joint_travel, "Of a slider, a cylindrical or a screw."},
    {"throttle", model::SignalKind::throttle, "Of an engine."},
    {"propellant", model::SignalKind::propellant, "In the tank of an engine."},
    {"time in phase", model::SignalKind::time_in_phase, "Since the phase began."},
    {"time since contacts changed", model::SignalKind::quiet_time, "Since two bodies came into touch or parted; without ground."},
    {"time", model::SignalKind::time, "Of the run."},
});

inline constexpr auto controls = std::to_array<Kind>({
    {"proportional", "Throttle = offset + gain e + integral_gain times the integral of e, e = wanted - signal, kept within 0 and 1."},
    {"schedule", "Throttles at given times of the phase."},
});

template <class Visitor>
void describe(Visitor& v, CableEnd& e) {
    v.optional("body", e.body, "The body that it is fixed to.", "the ground: a point of the frame of the run");
    v.optional("at", e.at, si::metre, places_in_space,
               "Where: from the centre of mass, in the axes of the body; of the ground, in the frame.");
}

template <class Visitor>
void describe(Visitor& v, Cable& c) {
    v.section("from", c.from, "One end.");
    v.section("to", c.to, "The other end.");
    v.optional("length", c.length, si::metre, distances, "Length at rest.", "the distance of its ends at the start");
    v.required("stiffness", c.stiffness, newton_per_metre, above_up_to(0, 1e30), "Tension over stretch; a slack cable has none.");
    v.optional("damping", c.damping, newton_second_per_metre, between(0, 1e30), "Tension over the rate of the stretch; it never pushes.");
}

template <class Visitor>
void describe(Visitor& v, Engine& e) {
    v.required("body", e.body, "The body that it pushes.");
    v.optional("at", e.at, si::metre, lengths, "Where, from the centre of mass in the axes of the body.");
    v.optional("direction", e.direction, si::one, between(-1e6, 1e6), "Of the force, in the axes of the body; its length does not matter.");
    v.required("thrust", e.thrust, si::newton, above_up_to(0, 1e15), "Force at full throttle.");
    v.optional("throttle", e.throttle, si::one, between(0, 1), "Throttle at the start; guards and controllers change it.");
    v.optional("propellant", e.propellant, si::kilogram, between(0, 1e40), "In its tank at the start, part of the mass of the body.");
    v.optional("exhaust_speed", e.exhaust_speed, si::metre_per_second, above_up_to(0, largest_speed),
               "Thrust over the propellant that it burns a second.", "none: it burns nothing; with `propellant`");
}

template <class Visitor>
void describe(Visitor& v, NamedSignal& s) {
    v.required("is", s.is, signals, "What it is.");
    v.optional("of", s.of, "The body, cable, joint or engine that it is of.", "the body that moves, where there is one");
    v.optional("to", s.to, "The other body.", "none");
    v.optional("axis", s.axis, si::one, between(-1e6, 1e6), "Of a tilt: the axis, in the axes of the body; its length does not matter.");
}

inline constexpr auto what_a_signal_is = "What it looks at: the NAME of a signal, or what one `is`, as in [signal.NAME].";

template <class Visitor>
void describe(Visitor& v, ProportionalControl& c) {
    v.required("signal", c.signal, what_a_signal_is);
    v.optional("of", c.of, "The body, cable, joint or engine of the signal.", "the body that moves, where there is one");
    v.optional("to", c.to, "The other body of the signal.", "none");
    v.required("wanted", c.wanted, "Value of the signal that it wants.");
    v.required("gain", c.gain, "Throttle per error of the signal.");
    v.optional("integral_gain", c.integral_gain, "Throttle per error and second.", "none");
    v.optional("offset", c.offset, si::one, between(-1e6, 1e6), "Throttle without error.");
}

template <class Visitor>
void describe(Visitor& v, ScheduledControl& c) {
    v.required("times", c.times, "Times in the phase, rising; before the first one the throttle is zero.");
    v.required("throttles", c.throttles, "The throttle from each of them on.");
}

template <class Visitor>
void describe(Visitor& v, Controller& c) {
    v.required("engine", c.engine, "The engine whose throttle it sets.");
    v.required("period", c.period, si::second, times, "Time between its ticks, which count from the beginning of each phase.");
    v.optional("running", c.running, "Whether it runs from the start on; guards start and stop it.");
    v.kinds("kind", c.law, controls, "How it finds the throttle.");
}

}  // namespace asperity::scenario
