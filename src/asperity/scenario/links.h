// [joint.NAME], [load.NAME]: what holds bodies to each other, and what pushes them.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "asperity/core/describe.h"
#include "asperity/core/units.h"
#include "asperity/core/vec3.h"
#include "asperity/model/model.h"
#include "asperity/model/state.h"
#include "asperity/scenario/bounds.h"

namespace asperity::scenario {

struct Scenario;

struct JointEnd {
    std::string body;        // empty: the ground
    std::optional<Vec3> at;  // m
    std::optional<Vec3> axis;
};

// What a joint leaves free: a turn, or a travel.
struct JointTurn {
    std::optional<double> from, to;  // rad
    double stiffness = 0;            // N m/rad
    double rest = 0;                 // rad
    double damping = 0;              // N m s/rad
};
struct JointTravel {
    std::optional<double> from, to;  // m
    double stiffness = 0;            // N/m
    double rest = 0;                 // m
    double damping = 0;              // N s/m
};

struct JointMotor {
    std::optional<double> rate;            // rad/s
    std::optional<double> largest_torque;  // N m
    std::optional<double> torque;          // N m
    std::optional<double> speed;           // m/s
    std::optional<double> largest_force;   // N
    std::optional<double> force;           // N
    bool running = true;
};

struct Joint {
    std::string name;
    model::JointKind kind = model::JointKind::ball;
    std::string body;
    Vec3 at;  // m
    Vec3 axis{0, 0, 1};
    JointEnd to;
    std::optional<double> pitch;  // m
    std::optional<JointTurn> turn;
    std::optional<JointTravel> travel;
    std::optional<JointMotor> motor;
    bool touching = false;

    std::string path() const { return "joint." + name; }
};

enum class LoadAxes : std::int64_t { world, body };

struct Load {
    std::string name;
    std::string body;
    Vec3 at;      // m
    Vec3 force;   // N
    Vec3 torque;  // N m
    LoadAxes axes = LoadAxes::world;
    std::optional<double> ramp;  // s
    std::vector<Loose> times, factors;
    std::optional<double> period;  // s
    double phase = 0;              // rad
    bool running = true;

    std::string path() const { return "load." + name; }
};

inline constexpr Unit newton_metre{"N*m", {.length = 2, .mass = 1, .time = -2}};
inline constexpr Unit newton_metre_per_radian{"N*m/rad", {.length = 2, .mass = 1, .time = -2, .angle = -1}};
inline constexpr Unit newton_metre_second_per_radian{"N*m*s/rad", {.length = 2, .mass = 1, .time = -1, .angle = -1}};
inline constexpr Bounds forces = between(-1e15, 1e15);
inline constexpr Bounds torques = between(-1e20, 1e20);

inline constexpr auto joint_kinds = std::to_array<Choice<model::JointKind>>({
    {"ball", model::JointKind::ball, "One point: both bodies turn about it as they like."},
    {"hinge", model::JointKind::hinge, "One point and one axis: a turn is left."},
    {"slider", model::JointKind::slider, "One axis, and no turn: a travel is left."},
    {"cylindrical", model::JointKind::cylindrical, "One axis: a turn and a travel are left."},
    {"screw", model::JointKind::screw, "One axis, along which a turn travels by `pitch`."},
    {"weld", model::JointKind::weld, "Nothing is left: two bodies move as one, and the joint tells what holds them."},
});

inline constexpr auto load_axes = std::to_array<Choice<LoadAxes>>({
    {"world", LoadAxes::world, "Force and torque keep their direction in the frame of the run."},
    {"body", LoadAxes::body, "They turn with the body."},
});

template <class Visitor>
void describe(Visitor& v, JointEnd& e) {
    v.optional("body", e.body, "The other body.", "the ground: a point of the frame of the run");
    v.optional("at", e.at, si::metre, places_in_space, "Where, in its axes; of the ground, in the frame.", "where `at` is at the start");
    v.optional("axis", e.axis, si::one, between(-1e6, 1e6), "The axis, likewise; its length does not matter.", "`axis` at the start");
}

template <class Visitor>
void describe(Visitor& v, JointTurn& t) {
    v.optional("from", t.from, si::radian, angles, "Least turn, at an inelastic stop.", "none");
    v.optional("to", t.to, si::radian, angles, "Largest turn, likewise.", "none");
    v.optional("stiffness", t.stiffness, newton_metre_per_radian, between(0, 1e30), "Of a spring, torque over turn.");
    v.optional("rest", t.rest, si::radian, angles, "Turn at which the spring is slack.");
    v.optional("damping", t.damping, newton_metre_second_per_radian, between(0, 1e30), "Of a damper, torque over rate.");
}

template <class Visitor>
void describe(Visitor& v, JointTravel& t) {
    v.optional("from", t.from, si::metre, lengths, "Least travel, at an inelastic stop.", "none");
    v.optional("to", t.to, si::metre, lengths, "Largest travel, likewise.", "none");
    v.optional("stiffness", t.stiffness, newton_per_metre, between(0, 1e30), "Of a spring, force over travel.");
    v.optional("rest", t.rest, si::metre, lengths, "Travel at which the spring is slack.");
    v.optional("damping", t.damping, newton_second_per_metre, between(0, 1e30), "Of a damper, force over speed.");
}

template <class Visitor>
void describe(Visitor& v, JointMotor& m) {
    v.optional("rate", m.rate, si::radian_per_second, spins, "Rate of the turn that it brings about, with at most `largest_torque`.",
               "none; one of `rate`, `torque`, `speed`, `force`");
    v.optional("largest_torque", m.largest_torque, newton_metre, above_up_to(0, 1e20), "The most that it gives for that.",
               "required with `rate`");
    v.optional("torque", m.torque, newton_metre, torques, "Torque that it gives, whatever comes of it.", "none; likewise");
    v.optional("speed", m.speed, si::metre_per_second, velocities,
               "Speed of the travel that it brings about, with at most `largest_force`.", "none; likewise");
    v.optional("largest_force", m.largest_force, si::newton, above_up_to(0, 1e15), "The most that it gives for that.",
               "required with `speed`");
    v.optional("force", m.force, si::newton, forces, "Force that it gives, whatever comes of it.", "none; likewise");
    v.optional("running", m.running, "Whether it runs from the start on; guards start and stop it by the name of the joint.");
}

template <class Visitor>
void describe(Visitor& v, Joint& j) {
    v.required("kind", j.kind, joint_kinds, "What it holds.");
    v.required("body", j.body, "The body that it holds.");
    v.optional("at", j.at, si::metre, places_in_space, "Where, in the axes of the body.");
    v.optional("axis", j.axis, si::one, between(-1e6, 1e6), "Along which it turns and travels, likewise; its length does not matter.");
    v.section("to", j.to, "What it holds the body to. Turns count from the start; a travel is that of `at` from `to.at`, along the axis.");
    v.optional("pitch", j.pitch, si::metre, lengths, "Travel of a screw in a whole turn; negative: a left-handed one.",
               "required of a screw");
    v.optional_section("turn", j.turn, "Limits, spring and damper of the turn: hinge, cylindrical, screw.");
    v.optional_section("travel", j.travel, "Limits, spring and damper of the travel: slider, cylindrical.");
    v.optional_section("motor", j.motor, "What drives the turn or the travel.");
    v.optional("touching", j.touching, "Whether the two bodies can touch each other.");
}

template <class Visitor>
void describe(Visitor& v, Load& l) {
    v.required("body", l.body, "The body that it acts on.");
    v.optional("at", l.at, si::metre, places_in_space, "Where the force acts, in the axes of the body.");
    v.optional("force", l.force, si::newton, forces, "Force, at full load.");
    v.optional("torque", l.torque, newton_metre, torques, "Torque, at full load.");
    v.optional("axes", l.axes, load_axes, "In which axes both are.");
    v.optional("ramp", l.ramp, si::second, times, "Time in which it grows to its full size.", "none; one of `ramp`, `times`, `period`");
    v.optional("times", l.times, "Times since its start, rising; before the first one there is no load.", "none; likewise");
    v.optional("factors", l.factors, "Factor on the load from each of them on.", "required with `times`");
    v.optional("period", l.period, si::second, times, "Of a sine, by which it is multiplied.", "none; likewise");
    v.optional("phase", l.phase, si::radian, angles, "Of the sine at the start.");
    v.optional("running", l.running, "Whether it acts from the start on; guards start and stop it, and its time counts from there.");
}

// How names are found, and problems told.
struct LinkFinder {
    std::function<std::int32_t(const std::string& path, const std::string& name)> body;
    std::function<std::vector<double>(const std::string& path, const char* key, const std::vector<Loose>& values, const Dimension& unit)>
        values;
    std::function<void(const std::string& path, std::string what, std::string hint)> fail;
};

// Joints and loads, but for where joints are on their second side.
void resolve_links(const Scenario& scenario, model::Parameters& parameters, const LinkFinder& find);
// That, with bodies where they start, and what State has of them. Ends that do not meet are an error.
void set_links(const Scenario& scenario, model::Parameters& parameters, model::State& state);

// Whether a joint keeps two bodies, by name, from touching.
bool are_kept_apart(const Scenario& scenario, const std::string& a, const std::string& b);

}  // namespace asperity::scenario
