// Joints: what holds two bodies, or a body and the ground, to each other, and leaves them at most a turn about an axis and a travel along
// it.
//
// Each side has a frame; the z axis is that of the joint. With A and B the origins of the two frames, and the axes of side b,
//   ball          A = B
//   hinge         A = B, one axis z                                          turn
//   slider        A - B along z, equal axes                                  travel
//   cylindrical   A - B along z, one axis z                                  turn, travel
//   screw         the same, travel = start + pitch turn                      turn
//   weld          A = B, equal axes
// The turn of a about z counts from equal axes, with its whole turns (State); the travel is (A - B) . z.
//
// Along what a joint leaves free there may be limits (inelastic stops), a spring, a damper and a motor: one that gives a torque or a force,
// or one that brings a rate about with at most so much.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "asperity/core/pose.h"
#include "asperity/model/contacts.h"

namespace asperity::model {

enum class JointKind : std::int64_t { ball = 0, hinge = 1, slider = 2, cylindrical = 3, screw = 4, weld = 5 };

constexpr bool turns(JointKind kind) { return kind == JointKind::hinge || kind == JointKind::cylindrical || kind == JointKind::screw; }
constexpr bool travels(JointKind kind) { return kind == JointKind::slider || kind == JointKind::cylindrical; }

struct JointSide {
    std::int32_t body = ground;
    Pose frame;  // of the joint, in the axes of the body; of the ground, in the frame of the run
};

// A turn (rad, N m) or a travel (m, N).
struct JointCoordinate {
    double least = -std::numeric_limits<double>::infinity();
    double most = std::numeric_limits<double>::infinity();
    double stiffness = 0;  // N m/rad, N/m
    double rest = 0;       // where the spring is slack
    double damping = 0;    // N m s/rad, N s/m

    bool is_limited() const { return least > -std::numeric_limits<double>::infinity() || most < std::numeric_limits<double>::infinity(); }
    bool acts() const { return stiffness > 0 || damping > 0; }
};

struct Motor {
    bool is_of_turn = true;      // else of the travel
    std::optional<double> rate;  // rad/s or m/s that it brings about; none: it gives `effort`
    double effort = 0;           // N m or N; of a motor with a rate the largest, infinity: as much as it takes
    bool is_running = true;      // at the start
};

struct Joint {
    JointKind kind = JointKind::ball;
    JointSide a, b;    // a: a body that moves
    double pitch = 0;  // m/rad, of a screw
    double start = 0;  // m, travel of a screw at no turn
    JointCoordinate turn, travel;
    std::optional<Motor> motor;
    bool touching = false;  // whether the two bodies can touch each other
};

struct Joints {                           // written by the method, and by actions of guards
    std::vector<double> angle;            // rad, of each joint that turns, with its whole turns; 0 of others
    std::vector<std::int8_t> is_running;  // of the motor of each joint

    std::size_t size() const { return angle.size(); }
    friend bool operator==(const Joints&, const Joints&) = default;
};

template <class Visitor>
void describe(Visitor& v, Joints& j) {
    v.field("angle", j.angle, "rad", "Turn of each joint since the start, with its whole turns.");
    v.field("is_running", j.is_running, "", "Whether the motor of each joint runs.");
}

}  // namespace asperity::model
