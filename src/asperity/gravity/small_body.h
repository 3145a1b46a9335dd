// One attracting body that turns, or two that orbit each other, in a frame fixed to one of them or in an inertial one.
//
// The five modes of 1-landers, Table 4.1, are one formula. In a frame that turns with the rate w about z and whose origin has the
// acceleration A (components in the frame), with body i at c_i(t), turned by angle f_i(t) about z:
//   a   = sum_i R_i grad U_i(R_i^T (p - c_i)) - A - w x (w x p) - 2 w x v                                               (1)
//   Phi = -sum_i U_i(R_i^T (p - c_i)) + A . p - |w x p|^2 / 2,    d(v^2/2 + Phi)/dt = dPhi/dt at fixed p                 (2)
//   dPhi/dt = sum_i grad . (c_i' + f_i' z x (p - c_i)) + A' . p                                                         (3)
// Uni 1, Bin 1, Bin 2: the frame of the target (w its spin, c = 0, A = G m_2 d / |d|^3 towards the companion, which 4.43 and 4.47 lack).
// Uni 0, Bin 0: w = 0, A = 0, the origin in the common centre of mass. Orbit and attitudes are closed forms of time (orbit.h; uniform
// spin), so nothing has to be propagated beside the lander, and a restart needs only the time.
// A free spin turns in a rotating frame: W' = -w x W for the spin W relative to it (the term that the Uni 1 row of Table 4.2 lacks).  (4)
#pragma once
#include <cmath>

#include "asperity/gravity/body_field.h"
#include "asperity/gravity/orbit.h"
#include "asperity/gravity/uniform.h"

namespace asperity::gravity {

struct Attractor {
    BodyField field;
    double spin_rate = 0;  // rad/s, about z
    double attitude = 0;   // rad, about z, at time zero
};

// Where a body is in the frame.
struct Pose {
    Vec3 centre;           // c, m
    Vec3 velocity;         // c', m/s
    double cosine = 1;     // of its angle f
    double sine = 0;       //
    double turn_rate = 0;  // f', rad/s

    Vec3 to_body(const Vec3& p) const {
        const Vec3 q = p - centre;
        return {cosine * q.x + sine * q.y, cosine * q.y - sine * q.x, q.z};
    }
    Vec3 to_frame(const Vec3& a) const { return {cosine * a.x - sine * a.y, sine * a.x + cosine * a.y, a.z}; }
};

struct SmallBody {
    Attractor target;     // its surface is the one that the ball touches
    Attractor companion;  // used where there is one
    bool has_companion = false;
    bool is_inertial = false;     // the frame: inertial, or turning with the target
    bool transports_spin = true;  // false: (4) is left out, as in 1-landers
    Orbit orbit;                  // from target to companion
    double escape_distance = 0;   // m, from the common centre of mass; unbound and outward beyond it is escaped

    double frame_rate() const { return is_inertial ? 0 : target.spin_rate; }
    double total_parameter() const {  // G m, m^3/s^2
        return target.field.gravitational_parameter() + (has_companion ? companion.field.gravitational_parameter() : 0);
    }

    Vec3 acceleration(const Vec3& p, const Vec3& v, double time) const { return drive(p, v, time).acceleration; }
    double potential(const Vec3& p, double time) const;  // Phi of (2)
    double power(const Vec3& p, double time) const {     // (3); nothing moves around a single body
        return has_companion || is_inertial ? drive(p, {}, time).power : 0;
    }
    Drive drive(const Vec3& p, const Vec3& v, double time) const;  // both, for the price of one
    Vec3 coriolis(const Vec3& v) const {                           // the part of the acceleration that depends on the velocity
        const double w = frame_rate();
        return {2 * w * v.y, -2 * w * v.x, 0};
    }
    Vec3 spin_rate(const Vec3& spin) const {  // (4)
        const double w = transports_spin ? frame_rate() : 0;
        return {w * spin.y, -w * spin.x, 0};
    }
    void begin_step(const Vec3& p, const Vec3& v) const {
        if (!is_inertial) target.field.begin_step(p, v);
    }
    // Whether a free ball is unbound, far out and on its way outwards; the box of the surface does not matter.
    bool never_returns(const Vec3& p, const Vec3& v, double time, const Vec3& lower, const Vec3& upper, double radius) const;

    Pose target_pose(double time) const;
    Pose companion_pose(double time) const;

    // Position and velocity in the inertial frame of the common centre of mass, whatever the frame; and back.
    struct Place {
        Vec3 position;
        Vec3 velocity;
    };
    Place to_inertial(const Vec3& p, const Vec3& v, double time) const;
    Place from_inertial(const Vec3& p, const Vec3& v, double time) const;
    // Velocity in that inertial frame of a point that is at rest in the frame of the run, along the axes of the latter: w x p, and of a
    // binary the velocity of the target's centre.
    Vec3 velocity_of_frame(const Vec3& p, double time) const;

private:
    struct OriginPull {
        Vec3 pull;  // A
        Vec3 rate;  // A'
    };
    OriginPull origin_pull(const Pose& companion_in_frame) const;
    Pose pose(const Vec3& centre, const Vec3& velocity, const Attractor& body, double time) const;
    Vec3 centrifugal(const Vec3& p) const {
        const double w = frame_rate();
        return {w * w * p.x, w * w * p.y, 0};
    }
    bool is_alone_in_its_frame() const { return !has_companion && !is_inertial; }
};

}  // namespace asperity::gravity
