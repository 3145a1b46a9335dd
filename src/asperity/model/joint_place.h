// Where a joint is at one instant: functions of Model, State and motion that rows, forces, energies and signals share.
#pragma once
#include <cmath>
#include <cstddef>

#include "asperity/model/joints.h"
#include "asperity/model/state.h"

namespace asperity::model {

inline Pose pose_of(const JointSide& side, const Bodies& bodies) {
    if (side.body == ground) return side.frame;
    const auto row = static_cast<std::size_t>(side.body);
    return Pose{bodies.position[row], bodies.orientation[row]} * side.frame;
}

struct JointPlace {
    Vec3 of_a, of_b;    // m, origins of both frames
    Vec3 x, y, z;       // unit, axes of the frame of b
    Vec3 z_of_a;        // unit, axis of the joint as a has it
    Quat between;       // from the axes of a to those of b
    double travel = 0;  // m
    double turned = 0;  // rad, without whole turns

    // rad, with the whole turns that bring it next to `last`.
    double angle(double last) const { return last + std::remainder(turned - last, 6.283185307179586); }
};

inline JointPlace place_of(const Joint& joint, const Bodies& bodies) {
    const Pose a = pose_of(joint.a, bodies), b = pose_of(joint.b, bodies);
    JointPlace place{.of_a = a.p,
                     .of_b = b.p,
                     .x = rotate(b.q, {1, 0, 0}),
                     .y = rotate(b.q, {0, 1, 0}),
                     .z = rotate(b.q, {0, 0, 1}),
                     .z_of_a = rotate(a.q, {0, 0, 1}),
                     .between = conjugate(b.q) * a.q};
    place.travel = dot(place.z, a.p - b.p);
    place.turned = 2 * std::atan2(place.between.z, place.between.w);
    return place;
}

// J, in the springs of joint i.
inline double stored_by(const Joint& joint, const Joints& state, std::size_t i, const Bodies& bodies) {
    if (!(joint.turn.stiffness > 0 || joint.travel.stiffness > 0)) return 0;
    const JointPlace place = place_of(joint, bodies);
    const double turn = place.angle(state.angle[i]) - joint.turn.rest, travel = place.travel - joint.travel.rest;
    return 0.5 * joint.turn.stiffness * turn * turn + 0.5 * joint.travel.stiffness * travel * travel;
}

}  // namespace asperity::model
