// Uniform gravity: acceleration g everywhere, potential per mass U = -g . p, zero at the origin.
#pragma once
#include "asperity/core/host_device.h"
#include "asperity/core/vec3.h"

namespace asperity::gravity {

// What drives a ball: its acceleration, and the rate at which its potential changes where it is, since bodies move.
struct Drive {
    Vec3 acceleration;  // m/s^2
    double power = 0;   // W/kg
};

struct Uniform {
    Vec3 acceleration_vector;  // m/s^2

    ASPERITY_HD Vec3 acceleration(const Vec3& /*position*/, const Vec3& /*velocity*/, double /*time*/) const { return acceleration_vector; }
    ASPERITY_HD double potential(const Vec3& position, double /*time*/) const { return -dot(acceleration_vector, position); }
    ASPERITY_HD double power(const Vec3& /*position*/, double /*time*/) const { return 0; }  // nothing moves
    ASPERITY_HD Drive drive(const Vec3& /*position*/, const Vec3& /*velocity*/, double /*time*/) const { return {acceleration_vector, 0}; }
    ASPERITY_HD Vec3 coriolis(const Vec3& /*velocity*/) const { return {}; }
    ASPERITY_HD Vec3 spin_rate(const Vec3& /*spin*/) const { return {}; }  // and the frame does not turn

    ASPERITY_HD void begin_step(const Vec3& /*position*/, const Vec3& /*velocity*/) const {}

    // Whether a free ball can never again touch anything inside the box: it is past the box, in the direction of gravity (of its velocity,
    // where there is no gravity), and does not come back.
    ASPERITY_HD bool never_returns(const Vec3& p, const Vec3& v, double /*time*/, const Vec3& lower, const Vec3& upper,
                                   double radius) const {
        const bool falls = squared_norm(acceleration_vector) > 0;
        const Vec3 down = unit(falls ? acceleration_vector : v);
        const Vec3 farthest{down.x > 0 ? upper.x : lower.x, down.y > 0 ? upper.y : lower.y, down.z > 0 ? upper.z : lower.z};
        return dot(down, p - farthest) > radius && (falls ? dot(down, v) >= 0 : true);
    }
};

}  // namespace asperity::gravity
