#include "asperity/dynamics/constraint/hand_over.h"

#include <cmath>
#include <limits>

#include "asperity/dynamics/collision.h"
#include "asperity/dynamics/forces.h"
#include "asperity/dynamics/pair_gap.h"

namespace asperity::dynamics {
namespace {

// A pair that is moved apart, as a contact whose arms are zero: it moves, and does not turn.
std::vector<Contact> overlapping(const model::Parameters& world, const Motion& motion) {
    std::vector<Contact> out;
    for (std::size_t i = 0; i < world.bodies.size(); ++i)
        for (std::size_t j = i + 1; j < world.bodies.size(); ++j) {
            const PairGap gap = pair_gap(world, i, j, motion);
            if (gap.gap < -touch_grace(world, i, j) && out.size() < static_cast<std::size_t>(numerics::most_contacts))
                out.push_back({.i = i, .j = j, .normal = gap.normal, .arm_i = {}, .arm_j = {}});
        }
    return out;
}

// (1) and (2) of one pair.
void move_apart(const model::Parameters& world, const Contact& c, double s, Motion& motion) {
    BodyMotion &a = motion.bodies[c.i], &b = motion.bodies[c.j];
    const double ma = world.bodies[c.i].mass, mb = world.bodies[c.j].mass;
    a.p += (s / ma) * c.normal;
    b.p -= (s / mb) * c.normal;
    const double r = norm(a.p - b.p);
    const Vec3 impulse = (-s / r) * tangential(a.v - b.v, (a.p - b.p) / r);
    a.v += impulse / ma;
    b.v -= impulse / mb;
}

// Newton's method on all gaps at once. Leaves normals at those of the end.
void close_gaps(const model::Parameters& world, std::vector<Contact>& contacts, Motion& motion) {
    constexpr int most_iterations = 20;
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
        numerics::DenseValues against{};
        bool is_done = true;
        for (std::size_t k = 0; k < contacts.size(); ++k) {
            const PairGap gap = pair_gap(world, contacts[k].i, contacts[k].j, motion);
            const double size = norm(motion.bodies[contacts[k].i].p) + norm(motion.bodies[contacts[k].j].p);
            contacts[k].normal = gap.normal;
            against[k] = -gap.gap;
            is_done = is_done && std::fabs(gap.gap) <= 2 * std::numeric_limits<double>::epsilon() * size;
        }
        if (is_done) return;
        const numerics::DenseValues shift = numerics::solved(normal_system(world, contacts, motion).dense(), against, contacts.size());
        for (std::size_t k = 0; k < contacts.size(); ++k) move_apart(world, contacts[k], shift[k], motion);
    }
}

// Brings angular momentum back, by the spins of those that were moved.
void restore_momentum(const model::Parameters& world, const std::vector<Contact>& contacts, const Vec3& wanted, Motion& motion) {
    std::vector<bool> is_moved(world.bodies.size());
    double moved = 0;
    for (const Contact& c : contacts) is_moved[c.i] = is_moved[c.j] = true;
    for (const bool is : is_moved) moved += is ? 1 : 0;
    for (int round = 0; round < 2; ++round) {
        const Vec3 missing = (wanted - momenta(world, motion).angular()) / moved;
        for (std::size_t i = 0; i < world.bodies.size(); ++i)
            if (is_moved[i]) motion.bodies[i].w += inverse_inertia_times(world.bodies[i], motion.bodies[i].q_WB, missing);
    }
}

}  // namespace

double mechanical_energy(const model::Parameters& world, const Motion& motion) {
    double sum = 0;
    for (std::size_t i = 0; i < world.bodies.size(); ++i) {
        const BodyMotion& body = motion.bodies[i];
        sum += 0.5 * world.bodies[i].mass * squared_norm(body.v) + 0.5 * dot(body.w, spin_momentum(world.bodies[i], body));
        for (std::size_t j = i + 1; j < world.bodies.size(); ++j) {
            const double overlap = std::fmax(0.0, -pair_gap(world, i, j, motion).gap);
            sum += pull_of_pair(world, motion, i, j).potential + 0.5 * world.law(i, j).stiffness * overlap * overlap;
        }
    }
    return sum;
}

std::size_t take_out_overlaps(const model::Parameters& world, Motion& motion) {
    std::vector<Contact> contacts = overlapping(world, motion);
    if (contacts.empty()) return 0;
    const double energy = mechanical_energy(world, motion);
    const Vec3 momentum = momenta(world, motion).angular();
    close_gaps(world, contacts, motion);
    restore_momentum(world, contacts, momentum, motion);
    const double set_free = (energy - mechanical_energy(world, motion)) / static_cast<double>(contacts.size());
    for (const Contact& c : contacts)
        for (const std::size_t body : {c.i, c.j}) {
            motion.heat[body].impact += 0.5 * std::fmax(0.0, set_free) / world.bodies[body].mass;
            motion.heat[body].work += 0.5 * std::fmax(0.0, -set_free) / world.bodies[body].mass;
        }
    return contacts.size();
}

}  // namespace asperity::dynamics
