// The bodies as a method integrates them: their motion, the heat they have set free, energies and momenta; and the conversion from and to
// State.
//
//   T = sum m v^2 / 2 + w . J w / 2,     P = sum m v,     H = sum m p x v + J w                                          (1)
//
// p, v, w in the world, J = R diag(inertia) R^T. Heat is J/kg of the body that it is counted on, as in State: half of what a contact sets
// free goes to either body, what a tide sets free to the body that it deforms.
#pragma once
#include <cstddef>
#include <vector>

#include "asperity/core/quat.h"
#include "asperity/core/vec3.h"
#include "asperity/model/model.h"
#include "asperity/model/state.h"
#include "asperity/numerics/splitting.h"

namespace asperity::dynamics {

struct BodyMotion {
    Vec3 p;     // m
    Vec3 v;     // m/s
    Vec3 w;     // rad/s, world axes
    Quat q_WB;  // from the body's principal axes to the world
};

struct BodyHeat {  // J/kg
    double impact = 0;
    double friction = 0;
    double rolling = 0;
    double tide = 0;
    double work = 0;  // done on the body from outside: sunlight
};

// The remainders of compensated sums; numerics::add_compensated.
struct BodyRemainder {
    Vec3 v;  // m/s
    Vec3 w;  // rad/s
};

struct Motion {
    std::vector<BodyMotion> bodies;
    std::vector<BodyHeat> heat;
    // Empty: sums are plain. Not part of State: a method that has them drops them where a run may go on from a checkpoint.
    std::vector<BodyRemainder> remainders;

    void drop_rests() {
        for (BodyRemainder& remainder : remainders) remainder = {};
    }
    const Vec3& velocity(std::size_t i) const { return bodies[i].v; }
    const Vec3& spin(std::size_t i) const { return bodies[i].w; }
    void push(std::size_t i, const Vec3& dv) {
        if (remainders.empty())
            bodies[i].v += dv;
        else
            numerics::add_compensated(bodies[i].v, dv, remainders[i].v);
    }
    void turn(std::size_t i, const Vec3& dw) {
        if (remainders.empty())
            bodies[i].w += dw;
        else
            numerics::add_compensated(bodies[i].w, dw, remainders[i].w);
    }
};

// J w of a body, world axes.
inline Vec3 spin_momentum(const model::BodyKind& body, const BodyMotion& motion) {
    if (body.is_sphere()) return body.inertia.x * motion.w;
    const Vec3 w = rotate(conjugate(motion.q_WB), motion.w);
    return rotate(motion.q_WB, {body.inertia.x * w.x, body.inertia.y * w.y, body.inertia.z * w.z});
}

struct Momenta {
    Vec3 linear;   // kg m/s
    Vec3 orbital;  // kg m^2/s, about the origin
    Vec3 spin;     // kg m^2/s
    Vec3 angular() const { return orbital + spin; }
};

inline Momenta momenta(const model::Parameters& world, const Motion& motion) {
    Momenta sum;
    for (std::size_t i = 0; i < world.bodies.size(); ++i) {
        const BodyMotion& m = motion.bodies[i];
        sum.linear += world.bodies[i].mass * m.v;
        sum.orbital += world.bodies[i].mass * cross(m.p, m.v);
        sum.spin += spin_momentum(world.bodies[i], m);
    }
    return sum;
}

inline Motion motion_of(const model::State& state) {
    Motion motion;
    const std::size_t n = state.bodies.position.size();
    motion.bodies.resize(n);
    motion.heat.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        motion.bodies[i] = {state.bodies.position[i], state.bodies.velocity[i], state.bodies.spin[i], state.bodies.orientation[i]};
        motion.heat[i] = {state.tallies.heat_impact[i], state.tallies.heat_friction[i], state.tallies.heat_rolling[i],
                          state.tallies.heat_tide[i], state.tallies.work[i]};
    }
    return motion;
}

inline void store(const Motion& motion, model::State& state) {
    for (std::size_t i = 0; i < motion.bodies.size(); ++i) {
        state.bodies.position[i] = motion.bodies[i].p;
        state.bodies.velocity[i] = motion.bodies[i].v;
        state.bodies.spin[i] = motion.bodies[i].w;
        state.bodies.orientation[i] = motion.bodies[i].q_WB;
        state.tallies.heat_impact[i] = motion.heat[i].impact;
        state.tallies.heat_friction[i] = motion.heat[i].friction;
        state.tallies.heat_rolling[i] = motion.heat[i].rolling;
        state.tallies.heat_tide[i] = motion.heat[i].tide;
        state.tallies.work[i] = motion.heat[i].work;
    }
}

}  // namespace asperity::dynamics
