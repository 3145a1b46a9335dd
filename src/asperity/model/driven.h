// Driven (kinematic) bodies: their motion is a given function of time, and contacts do not change it, as if their mass were infinite.
//
// The companion of a binary, an asteroid that turns in an inertial frame, a shaker. A driven body has a row behind those of the bodies that
// move, which contacts name; where it is follows from (Model, time) alone, so that it is no part of State, and hashes of State are those of
// the bodies that a method integrates. The power of a contact with a driven body b on the body a that moves,
//   F . u_b + L . w_b        F, L: force and torque of the contact on a;  u_b: velocity of the material point of b at the contact    (1)
// is work done on a from outside; the rest of what the contact does, at the relative velocity, is heat and stored energy, as on the ground.
#pragma once
#include <span>
#include <variant>
#include <vector>

#include "asperity/gravity/orbit.h"
#include "asperity/gravity/small_body.h"
#include "asperity/model/shape.h"
#include "asperity/model/state.h"

namespace asperity::model {

// Rotation at a constant rate about an axis through the centre.
struct Turning {
    Vec3 centre;    // m
    Vec3 rate;      // rad/s
    Quat attitude;  // at time zero
};

// One of two bodies that orbit each other in the plane z = 0 and turn about z, seen from a frame that turns about z and has its origin in
// the other one, or in the common centre of mass: in inertial axes it stands at `share` times the vector of the orbit.
struct KeplerOrbit {
    gravity::Orbit orbit;
    double share = 1;
    double spin_rate = 0;       // rad/s
    double attitude = 0;        // rad, at time zero
    double frame_rate = 0;      // rad/s
    double frame_attitude = 0;  // rad, at time zero
};

struct Sine {
    Vec3 centre;       // m
    Vec3 amplitude;    // m, in its direction
    double rate = 0;   // rad/s
    double phase = 0;  // rad
};

// From point to point at constant velocity: ramps, and steps where two times lie close together. It stands still before and after.
struct Course {
    std::vector<double> times;    // s, ascending
    std::vector<Vec3> positions;  // m
};

using GivenMotion = std::variant<Turning, KeplerOrbit, Sine, Course>;

struct Driven {
    std::vector<Collider> colliders;
    GivenMotion motion;
};

struct GivenPlace {
    Pose pose;
    Vec3 velocity;  // m/s
    Vec3 spin;      // rad/s, axes of the run
};

GivenPlace place_at(const GivenMotion& motion, double time);

// The first time after this one at which the velocity of the motion jumps; infinite where it never does. Times that differ by rounding are
// the same: at a jump the velocity is that after it, and just_before() of one is the last time that has the velocity before it.
double next_jump(const GivenMotion& motion, double time);
double just_before(double jump);

// The motions of the bodies whose gravity this is, in its frame: of the companion, and of the target where the frame is inertial.
GivenMotion motion_of_companion(const gravity::SmallBody& bodies);
GivenMotion motion_of_target(const gravity::SmallBody& bodies);

// Sets the rows of the driven bodies, which follow the first `moving` rows, and makes them where they do not exist.
void place_driven(std::span<const Driven> driven, std::size_t moving, double time, Bodies& bodies);

}  // namespace asperity::model
