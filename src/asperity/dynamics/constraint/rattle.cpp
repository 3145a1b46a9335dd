#include "asperity/dynamics/constraint/rattle.h"

#include <cmath>
#include <limits>
#include <utility>

#include "asperity/dynamics/pair_modes.h"

namespace asperity::dynamics {
namespace {

constexpr std::size_t row = HeldMatrix::row;
constexpr double epsilon = std::numeric_limits<double>::epsilon();

}  // namespace

Rattle::Rattle(const model::Parameters& world) : world_(world), accelerations_(world.bodies.size()) {
    held_.reserve(row);
    directions_.reserve(row);
    contacts_.reserve(row);
}

void Rattle::hold(std::span<const model::Mode> mode) {
    held_.clear();
    const std::size_t n = world_.bodies.size();
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i + 1; j < n; ++j) {
            const std::size_t pair = model::pair_index(i, j, n);
            if (mode[pair] == open) continue;
            held_.push_back({pair, i, j, world_.bodies[i].semi_axes.x + world_.bodies[j].semi_axes.x});
        }
    directions_.resize(held_.size());
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

// along_k . (what an impulse along_l at contact l does to the relative velocity of pair k)
double Rattle::coupling(const Held& k, const Held& l, const Vec3& along_k, const Vec3& along_l) const {
    double inverse_mass = 0;
    if (k.i == l.i) inverse_mass += 1 / world_.bodies[k.i].mass;
    if (k.j == l.j) inverse_mass += 1 / world_.bodies[k.j].mass;
    if (k.i == l.j) inverse_mass -= 1 / world_.bodies[k.i].mass;
    if (k.j == l.i) inverse_mass -= 1 / world_.bodies[k.j].mass;
    return inverse_mass == 0 ? 0 : inverse_mass * dot(along_k, along_l);
}

bool Rattle::place(Motion& motion, double h) {
    constexpr int most_iterations = 30;
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
        Values right{};
        bool is_done = true;
        std::array<Vec3, row> along;
        for (std::size_t k = 0; k < held_.size(); ++k) {
            const Held& pair = held_[k];
            const Vec3 &a = motion.bodies[pair.i].p, &b = motion.bodies[pair.j].p;
            along[k] = (a - b) / pair.distance;
            const double r = norm(a - b), off = r - pair.distance;
            right[k] = -off * (0.5 * (r + pair.distance) / pair.distance);
            if (!(r > 0.5 * pair.distance && r < 1.5 * pair.distance)) return false;
            is_done = is_done && std::fabs(off) <= 2 * epsilon * (norm(a) + norm(b) + pair.distance);
        }
        if (is_done) return true;
        for (std::size_t k = 0; k < held_.size(); ++k)
            for (std::size_t l = 0; l < held_.size(); ++l) matrix_.at(k, l) = coupling(held_[k], held_[l], along[k], directions_[l]);
        const Values shift = solved(matrix_, right, held_.size());
        for (std::size_t k = 0; k < held_.size(); ++k) {
            const Vec3 s = shift[k] * directions_[k];
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
        directions_[k] = (a.p - b.p) / held_[k].distance;
        right[k] = -dot(directions_[k], a.v - b.v);
    }
    for (std::size_t k = 0; k < held_.size(); ++k)
        for (std::size_t l = 0; l < held_.size(); ++l) matrix_.at(k, l) = coupling(held_[k], held_[l], directions_[k], directions_[l]);
    const Values impulse = solved(matrix_, right, held_.size());
    for (std::size_t k = 0; k < held_.size(); ++k) {
        const Vec3 s = impulse[k] * directions_[k];
        motion.bodies[held_[k].i].v += s / world_.bodies[held_[k].i].mass;
        motion.bodies[held_[k].j].v -= s / world_.bodies[held_[k].j].mass;
    }
}

bool Rattle::verlet(Motion& motion, double h) {
    for (std::size_t k = 0; k < held_.size(); ++k)
        directions_[k] = (motion.bodies[held_[k].i].p - motion.bodies[held_[k].j].p) / held_[k].distance;
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
        directions_[k] = (a.p - b.p) / r;
        const Vec3 v = a.v - b.v, across = tangential(v, directions_[k]);
        right[k] = -(dot(directions_[k], accelerations_[held_[k].i] - accelerations_[held_[k].j]) + squared_norm(across) / r);
    }
    for (std::size_t k = 0; k < held_.size(); ++k)
        for (std::size_t l = 0; l < held_.size(); ++l) matrix_.at(k, l) = coupling(held_[k], held_[l], directions_[k], directions_[l]);
    return solved(matrix_, right, held_.size());
}

}  // namespace asperity::dynamics
