// [body.NAME.motion]: a body that is driven along a given course, whatever touches it.
#pragma once
#include <array>
#include <variant>
#include <vector>

#include "asperity/model/driven.h"
#include "asperity/scenario/bounds.h"

namespace asperity::scenario {

struct SineMotion {
    Vec3 position;  // m
    Vec3 direction{0, 0, 1};
    double amplitude = 0;  // m
    double frequency = 0;  // Hz
    double phase = 0;      // rad
};

struct TurningMotion {
    Vec3 position;  // m
    Vec3 axis{0, 0, 1};
    double rate = 0;  // rad/s
    Vec3 attitude;    // rad, rotation vector
};

struct CoursePoint {
    double time = 0;  // s
    Vec3 position;    // m
};

struct CourseMotion {
    std::vector<CoursePoint> points;
};

struct Motion {
    std::variant<SineMotion, TurningMotion, CourseMotion> is;
};

inline constexpr auto motion_kinds = std::to_array<Kind>({
    {"sine", "To and fro about `position`."},
    {"turning", "Evenly about an axis through `position`."},
    {"course", "From point to point at constant velocity: ramps, and steps where two times lie close together."},
});

inline constexpr Unit hertz{"Hz", {.time = -1}};

template <class Visitor>
void describe(Visitor& v, SineMotion& m) {
    v.optional("position", m.position, si::metre, places_in_space, "Its middle.");
    v.optional("direction", m.direction, si::one, between(-1e6, 1e6), "Direction of the motion, of any length.");
    v.required("amplitude", m.amplitude, si::metre, lengths, "Largest distance from the middle.");
    v.required("frequency", m.frequency, hertz, above_up_to(0, 1e9), "Frequency.");
    v.optional("phase", m.phase, si::radian, angles, "Phase at time zero: the place is amplitude sin(2 pi frequency t + phase).");
}

template <class Visitor>
void describe(Visitor& v, TurningMotion& m) {
    v.optional("position", m.position, si::metre, places_in_space, "A point of the axis: the origin of the body's own axes.");
    v.optional("axis", m.axis, si::one, between(-1e6, 1e6), "Direction of the axis, of any length.");
    v.required("rate", m.rate, si::radian_per_second, spins, "Angular velocity about the axis, relative to the axes of the run.");
    v.optional("attitude", m.attitude, si::radian, between(-7, 7),
               "Rotation vector from the body's axes to those of the run at time zero.");
}

template <class Visitor>
void describe(Visitor& v, CoursePoint& p) {
    v.required("time", p.time, si::second, between(0, largest_time), "When it is there; points stand in the order of time.");
    v.required("position", p.position, si::metre, places_in_space,
               "Where it is then. Before the first point and after the last one it stands still.");
}

template <class Visitor>
void describe(Visitor& v, CourseMotion& m) {
    v.list("point", m.points, "Where it is when.");
}

template <class Visitor>
void describe(Visitor& v, Motion& m) {
    v.kinds("kind", m.is, motion_kinds, "What the motion is like.");
}

// The same as a model has it.
model::GivenMotion given_motion(const Motion& motion);

}  // namespace asperity::scenario
