// Worlds with joints, without a scenario file.
#pragma once
#include <cmath>
#include <string>
#include <vector>

#include "asperity/analysis/ledger.h"
#include "asperity/analysis/signals.h"
#include "asperity/dynamics/simulate.h"
#include "asperity/model/joint_place.h"
#include "unit/dynamics/stepped_scene.h"

namespace asperity::dynamics {

// A turn that takes z to this axis; not for -z.
inline Quat from_z(const Vec3& axis) {
    const Vec3 z = unit(axis);
    return unit(Quat{1 + z.z, -z.y, z.x, 0});
}

struct JointScene : Scene {
    explicit JointScene(const Vec3& gravity = {}) {
        world().environment.field = gravity::Uniform{gravity};
        phase = {.name = "phase 1",
                 .method = "impulse",
                 .integrator = model::Integrator::leapfrog,
                 .tolerance = 1e-12,
                 .flight_tolerance = 0};  // fixed steps alone
    }

    std::size_t add(const model::BodyKind& kind, const Vec3& position, const Vec3& velocity = {}, const Vec3& spin = {}) {
        kinds_.push_back(kind);
        places_.push_back(position);
        velocities_.push_back(velocity);
        spins_.push_back(spin);
        world().bodies = rows(kinds_);
        state = state_of(places_);
        state.bodies.velocity = velocities_;
        state.bodies.spin = spins_;
        return kinds_.size() - 1;
    }
    // After all bodies: `b` may be the ground. Place and axis are those of the world.
    model::Joint& join(model::JointKind kind, std::int32_t a, std::int32_t b, const Vec3& at, const Vec3& axis = {0, 0, 1}) {
        const auto side = [&](std::int32_t body) {
            const Pose frame{at, from_z(axis)};
            if (body == model::ground) return model::JointSide{body, frame};
            const auto row = static_cast<std::size_t>(body);
            return model::JointSide{body, inverse(Pose{state.bodies.position[row], state.bodies.orientation[row]}) * frame};
        };
        world().joints.push_back({.kind = kind, .a = side(a), .b = side(b)});
        state.joints.angle.push_back(0);
        state.joints.is_running.push_back(1);
        return world().joints.back();
    }
    void load(const model::Load& load) {
        world().loads.push_back(load);
        state.loads.is_running.push_back(0);
        state.loads.started.push_back(0);
        state.loads.corner.push_back(0);
        model::start(load, state.loads, state.loads.size() - 1, 0);
    }
    void name(const char* name, model::SignalKind kind, std::int32_t of) { world().signals.push_back({name, {.kind = kind, .of = of}}); }

    // Under the method of the phase, with steps of h where it has them.
    model::Outcome go(double h, double end) {
        phase.step_max = h;
        world().phases = {phase};
        world().end_time = end;
        world().step_budget = 100000000;
        first = state;
        state.balance.start = analysis::energies(model, state).mechanical();
        EXPECT_EQ(find_method(phase.method)->carries(model::census_of(model), phase), "");
        Books books(never);
        const model::Outcome outcome = simulate(model, state, books);
        EXPECT_FALSE(outcome.is_trouble()) << outcome.message;
        return outcome;
    }
    double energy() const { return analysis::energies(model, state).mechanical(); }
    double ledger_error() const { return analysis::energy_change(model, first, state); }
    double signal(model::SignalKind kind, std::int32_t of) const {
        return analysis::signal(model, {.kind = kind, .of = of},
                                {.time_in_phase = state.clock.time_in_phase, .bodies = state.bodies, .state = state});
    }
    // m and rad, the farthest that what joints hold is apart.
    double opening() const {
        double most = 0;
        for (const model::Joint& joint : model.parameters.joints) {
            const model::JointPlace place = model::place_of(joint, state.bodies);
            const Vec3 apart = place.of_a - place.of_b;
            const bool slides = model::travels(joint.kind) || joint.kind == model::JointKind::screw;
            most = std::fmax(most, norm(slides ? tangential(apart, place.z) : apart));
            if (joint.kind != model::JointKind::ball) most = std::fmax(most, norm(cross(place.z, place.z_of_a)));
        }
        return most;
    }

    model::State first;

private:
    std::vector<model::BodyKind> kinds_;
    std::vector<Vec3> places_, velocities_, spins_;
};

struct JointMomenta {
    Vec3 linear, angular;
};
inline JointMomenta momenta_of(const JointScene& scene) {
    JointMomenta sum;
    for (std::size_t i = 0; i < scene.model.parameters.bodies.size(); ++i) {
        const model::BodyKind& body = scene.model.parameters.bodies[i];
        const model::Bodies& b = scene.state.bodies;
        sum.linear += body.mass * b.velocity[i];
        sum.angular += body.mass * cross(b.position[i], b.velocity[i]) +
                       spin_momentum(body, {b.position[i], b.velocity[i], b.spin[i], b.orientation[i]});
    }
    return sum;
}

}  // namespace asperity::dynamics
