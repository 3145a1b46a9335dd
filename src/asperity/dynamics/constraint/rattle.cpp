#include "asperity/dynamics/constraint/rattle.h"

#include <cmath>
#include <limits>
#include <utility>

#include "asperity/dynamics/pair_modes.h"

namespace asperity::dynamics {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

}  // namespace

Rattle::Rattle(const model::Parameters& world) : world_(world), accelerations_(world.bodies.size()) {
    held_.reserve(numerics::most_contacts);
    contacts_.reserve(numerics::most_contacts);
}

void Rattle::hold(std::span<const model::Mode> mode) {
    held_.clear();
    rows_.clear();
    const std::size_t n = world_.bodies.size();
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i + 1; j < n; ++j) {
            const std::size_t pair = model::pair_index(i, j, n);
            if (mode[pair] == open) continue;
            held_.push_back({pair, i, j, world_.bodies[i].semi_axes.x + world_.bodies[j].semi_axes.x});
            // central: neither attitude nor arms count
            rows_.push_back(contact::row_of(contact::side_of(world_, static_cast<std::int32_t>(i), {}, {}),
                                            contact::side_of(world_, static_cast<std::int32_t>(j), {}, {}), {}));
        }
    ends_ = rows_;
}

void Rattle::accelerate(const Motion& motion) {
    const std::size_t n = world_.bodies.size();
    for (Vec3& a : accelerations_) a = {};
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i + 1; j < n; ++j) {
            const Vec3 apart = motion.bodies[j].p - motion.bodies[i].p;
            const double r2 = squared_norm(apart), pull = world_.environment.mutual.constant / (r2 * std::sqrt(r2));
            accelerations_[i] += (pull * world_.bodies[j].mass) * apart;
            accelerations_[j] -= (pull * world_.bodies[i].mass) * apart;
        }
}

std::span<const Vec3> Rattle::accelerations(const Motion& motion) {
    accelerate(motion);
    return accelerations_;
}

bool Rattle::place(Motion& motion, double h) {
    constexpr int most_iterations = 30;
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
        Values right{};
        bool is_done = true;
        for (std::size_t k = 0; k < held_.size(); ++k) {
            const Held& pair = held_[k];
            const Vec3 &a = motion.bodies[pair.i].p, &b = motion.bodies[pair.j].p;
            ends_[k].linear = (a - b) / pair.distance;
            const double r = norm(a - b), off = r - pair.distance;
            right[k] = -off * (0.5 * (r + pair.distance) / pair.distance);
            if (!(r > 0.5 * pair.distance && r < 1.5 * pair.distance)) return false;
            is_done = is_done && std::fabs(off) <= 2 * epsilon * (norm(a) + norm(b) + pair.distance);
        }
        if (is_done) return true;
        contact::assemble(ends_, rows_, matrix_);
        const Values shift = numerics::solved(matrix_, right, held_.size());
        for (std::size_t k = 0; k < held_.size(); ++k) {
            const Vec3 s = shift[k] * rows_[k].linear;
            BodyMotion &a = motion.bodies[held_[k].i], &b = motion.bodies[held_[k].j];
            const double ma = world_.bodies[held_[k].i].mass, mb = world_.bodies[held_[k].j].mass;
            a.p += s / ma;
            b.p -= s / mb;
            a.v += s / (ma * h);
            b.v -= s / (mb * h);
        }
    }
    return false;
}

void Rattle::stop_parting(Motion& motion) {
    Values right{};
    for (std::size_t k = 0; k < held_.size(); ++k) {
        const BodyMotion &a = motion.bodies[held_[k].i], &b = motion.bodies[held_[k].j];
        rows_[k].linear = (a.p - b.p) / held_[k].distance;
        right[k] = -dot(rows_[k].linear, a.v - b.v);
    }
    contact::assemble(rows_, rows_, matrix_);
    const Values impulse = numerics::solved(matrix_, right, held_.size());
    for (std::size_t k = 0; k < held_.size(); ++k) {
        const Vec3 s = impulse[k] * rows_[k].linear;
        motion.bodies[held_[k].i].v += rows_[k].inverse_mass_a * s;
        motion.bodies[held_[k].j].v -= rows_[k].inverse_mass_b * s;
    }
}

bool Rattle::verlet(Motion& motion, double h) {
    for (std::size_t k = 0; k < held_.size(); ++k)
        rows_[k].linear = (motion.bodies[held_[k].i].p - motion.bodies[held_[k].j].p) / held_[k].distance;
    for (std::size_t i = 0; i < motion.bodies.size(); ++i) {
        motion.bodies[i].v += (0.5 * h) * accelerations_[i];
        motion.bodies[i].p += h * motion.bodies[i].v;
    }
    if (!held_.empty() && !place(motion, h)) return false;
    accelerate(motion);
    for (std::size_t i = 0; i < motion.bodies.size(); ++i) motion.bodies[i].v += (0.5 * h) * accelerations_[i];
    if (!held_.empty()) stop_parting(motion);
    return true;
}

bool Rattle::step(Motion& motion, double h, bool is_fourth_order) {
    accelerate(motion);
    for (BodyMotion& body : motion.bodies) body.q_WB = unit(rotation(h * body.w) * body.q_WB);
    if (!is_fourth_order) return verlet(motion, h);
    const double g = 1 / (4 - std::cbrt(4.0));
    for (const double part : {g, g, 1 - 4 * g, g, g})
        if (!verlet(motion, part * h)) return false;
    return true;
}

std::span<const Contact> Rattle::contacts(const Motion& motion) {
    contacts_.clear();
    for (const Held& pair : held_) contacts_.push_back(contact_of_spheres(world_, motion, pair.i, pair.j));
    return contacts_;
}

Rattle::Values Rattle::forces(const Motion& motion) {
    if (held_.empty()) return {};
    accelerate(motion);
    Values right{};
    for (std::size_t k = 0; k < held_.size(); ++k) {
        const BodyMotion &a = motion.bodies[held_[k].i], &b = motion.bodies[held_[k].j];
        const double r = norm(a.p - b.p);
        rows_[k].linear = (a.p - b.p) / r;
        const Vec3 v = a.v - b.v, across = tangential(v, rows_[k].linear);
        right[k] = -(dot(rows_[k].linear, accelerations_[held_[k].i] - accelerations_[held_[k].j]) + squared_norm(across) / r);
    }
    contact::assemble(rows_, rows_, matrix_);
    return numerics::solved(matrix_, right, held_.size());
}

}  // namespace asperity::dynamics
