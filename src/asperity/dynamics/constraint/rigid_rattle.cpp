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

HeldMatrix RigidRattle::matrix(std::span<const Contact> of, std::span<const Contact> by, const Motion& motion) const {
    HeldMatrix out;
    const auto seen = [&](std::size_t body, const Contact& k, const Vec3& arm_k, const Contact& l, const Vec3& arm_l) {
        const Vec3 turned = inverse_inertia_times(world_.bodies[body], motion.bodies[body].q_WB, cross(arm_l, l.normal));
        return dot(k.normal, l.normal) / world_.bodies[body].mass + dot(cross(arm_k, k.normal), turned);
    };
    for (std::size_t k = 0; k < of.size(); ++k)
        for (std::size_t l = 0; l < by.size(); ++l) {
            const Contact &a = of[k], &b = by[l];
            if (a.i == b.i) out.at(k, l) += seen(a.i, a, a.arm_i, b, b.arm_i);
            if (a.j == b.j) out.at(k, l) += seen(a.j, a, a.arm_j, b, b.arm_j);
            if (a.i == b.j) out.at(k, l) -= seen(a.i, a, a.arm_i, b, b.arm_j);
            if (a.j == b.i) out.at(k, l) -= seen(a.j, a, a.arm_j, b, b.arm_i);
        }
    return out;
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
        Vec3 rest = motion.rests.empty() ? Vec3{} : motion.rests[i].w;
        turn_freely(world_.bodies[i], body, rest, h);
        if (!motion.rests.empty()) motion.rests[i].w = rest;
    }
}

void RigidRattle::push(std::span<const Contact> contacts, const HeldValues& impulse, Motion& motion) const {
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const Contact& c = contacts[k];
        const Vec3 s = impulse[k] * c.normal;
        motion.push(c.i, s / world_.bodies[c.i].mass);
        motion.push(c.j, -(s / world_.bodies[c.j].mass));
        motion.turn(c.i, inverse_inertia_times(world_.bodies[c.i], motion.bodies[c.i].q_WB, cross(c.arm_i, s)));
        motion.turn(c.j, -inverse_inertia_times(world_.bodies[c.j], motion.bodies[c.j].q_WB, cross(c.arm_j, s)));
    }
}

bool RigidRattle::place(Motion& motion, double h) {
    constexpr int most_iterations = 40;
    base_ = motion;
    HeldValues impulse{};
    double last = std::numeric_limits<double>::infinity();
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
        motion = base_;
        push(before_, impulse, motion);
        drift(motion, h);
        HeldValues right{};
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
        const HeldValues more = solved(matrix(contacts_, before_, base_), right, held_.size());
        for (std::size_t k = 0; k < held_.size(); ++k) impulse[k] += more[k];
    }
    return false;
}

void RigidRattle::stop_parting(Motion& motion) {
    for (Contact& c : contacts_) c = contact_of(world_, motion, c.i, c.j, c.normal);
    HeldValues right{};
    for (std::size_t k = 0; k < held_.size(); ++k) right[k] = -dot(contacts_[k].normal, slip_of(contacts_[k], motion));
    push(contacts_, solved(matrix(contacts_, contacts_, motion), right, held_.size()), motion);
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

HeldValues RigidRattle::forces(const Motion& motion) {
    if (held_.empty()) return {};
    const Accelerations now = accelerations(motion);
    contacts(motion);
    HeldValues right{};
    for (std::size_t k = 0; k < held_.size(); ++k)
        right[k] = -gap_acceleration(world_, motion, held_[k].i, held_[k].j, now.of(held_[k].i), now.of(held_[k].j));
    return solved(matrix(contacts_, contacts_, motion), right, held_.size());
}

}  // namespace asperity::dynamics
