#include "asperity/dynamics/constraint/rigid_rattle.h"

#include <cmath>
#include <limits>

#include "asperity/dynamics/torque_free.h"
#include "asperity/numerics/splitting.h"

namespace asperity::dynamics {

RigidRattle::RigidRattle(const model::Parameters& world)
    : world_(world), loads_(world.bodies.size()), linear_(world.bodies.size()), angular_(world.bodies.size()) {}

void RigidRattle::hold(std::span<const model::Mode> mode) {
    held_.clear();
    const std::size_t n = world_.bodies.size();
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i + 1; j < n; ++j)
            if (const std::size_t pair = model::pair_index(i, j, n); mode[pair] != open) held_.push_back({pair, i, j});
}

Accelerations RigidRattle::accelerations(const Motion& motion) {
    loads_.clear();
    add_gravity(world_, motion, loads_);
    for (std::size_t i = 0; i < linear_.size(); ++i) {
        linear_[i] = loads_.force[i] / world_.bodies[i].mass;
        angular_[i] = inverse_inertia_times(world_.bodies[i], motion.bodies[i].q_WB, loads_.torque[i]);
    }
    return {linear_, angular_};
}

std::span<const Contact> RigidRattle::contacts(const Motion& motion) {
    contacts_.clear();
    for (const Held& pair : held_) contacts_.push_back(contact_of(world_, motion, pair.i, pair.j));
    return contacts_;
}

void RigidRattle::kick(Motion& motion, double h) const {
    for (std::size_t i = 0; i < world_.bodies.size(); ++i) {
        motion.push(i, h * linear_[i]);
        motion.turn(i, h * angular_[i]);
    }
}

void RigidRattle::drift(Motion& motion, double h) const {
    for (std::size_t i = 0; i < world_.bodies.size(); ++i) {
        BodyMotion& body = motion.bodies[i];
        body.p += h * body.v;
        if (world_.bodies[i].is_sphere()) {
            body.q_WB = unit(small_turn(h * body.w) * body.q_WB);
            continue;
        }
        Vec3 remainder = motion.remainders.empty() ? Vec3{} : motion.remainders[i].w;
        turn_freely(world_.bodies[i], body, remainder, h);
        if (!motion.remainders.empty()) motion.remainders[i].w = remainder;
    }
}

bool RigidRattle::place(Motion& motion, double h) {
    constexpr int most_iterations = 40;
    base_ = motion;
    const contact::ContactSystem by = normal_system(world_, before_, base_);
    numerics::DenseValues impulse{};
    double last = std::numeric_limits<double>::infinity();
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
        motion = base_;
        by.apply(impulse, motion);
        drift(motion, h);
        numerics::DenseValues right{};
        contacts_.clear();
        double worst = 0;  // gap over its rounding
        for (std::size_t k = 0; k < held_.size(); ++k) {
            const BodyMotion &a = motion.bodies[held_[k].i], &b = motion.bodies[held_[k].j];
            const PairGap gap = pair_gap(world_, held_[k].i, held_[k].j, motion, before_[k].normal);
            const double distance = touch_distance(world_, held_[k].i, held_[k].j);
            if (!(std::fabs(gap.gap) < 0.5 * distance)) return false;
            contacts_.push_back(
                {.i = held_[k].i, .j = held_[k].j, .normal = gap.normal, .arm_i = gap.point - a.p, .arm_j = gap.point - b.p});
            right[k] = -gap.gap / h;
            worst = std::fmax(worst, std::fabs(gap.gap) / (std::numeric_limits<double>::epsilon() * (norm(a.p) + norm(b.p) + distance)));
        }
        if (worst <= 2 || (worst <= 16 && !(worst < last))) return true;  // the gap of ellipsoids is rounded in more places
        last = worst;
        contact::assemble(normal_system(world_, contacts_, base_).rows(), by.rows(), matrix_);
        const numerics::DenseValues more = numerics::solved(matrix_, right, held_.size());
        for (std::size_t k = 0; k < held_.size(); ++k) impulse[k] += more[k];
    }
    return false;
}

void RigidRattle::stop_parting(Motion& motion) {
    for (Contact& c : contacts_) c = contact_of(world_, motion, c.i, c.j, c.normal);
    numerics::DenseValues right{};
    const contact::ContactSystem normals = normal_system(world_, contacts_, motion);
    for (std::size_t k = 0; k < held_.size(); ++k) right[k] = -normals.relative_velocity(k, motion);
    normals.apply(numerics::solved(normals.dense(), right, held_.size()), motion);
}

bool RigidRattle::verlet(Motion& motion, double h) {
    kick(motion, 0.5 * h);
    if (held_.empty()) {
        drift(motion, h);
    } else {
        before_ = contacts_;
        if (!place(motion, h)) return false;
    }
    accelerations(motion);
    kick(motion, 0.5 * h);
    if (!held_.empty()) stop_parting(motion);
    return true;
}

bool RigidRattle::step(Motion& motion, double h, bool is_fourth_order) {
    accelerations(motion);
    contacts(motion);
    if (!is_fourth_order) return verlet(motion, h);
    bool is_held = true;
    numerics::suzuki_step([&](double part) { is_held = is_held && verlet(motion, part); }, h);
    return is_held;
}

numerics::DenseValues RigidRattle::forces(const Motion& motion) {
    if (held_.empty()) return {};
    const Accelerations now = accelerations(motion);
    contacts(motion);
    numerics::DenseValues right{};
    for (std::size_t k = 0; k < held_.size(); ++k)
        right[k] = -gap_acceleration(world_, motion, held_[k].i, held_[k].j, now.of(held_[k].i), now.of(held_[k].j));
    return numerics::solved(normal_system(world_, contacts_, motion).dense(), right, held_.size());
}

}  // namespace asperity::dynamics
