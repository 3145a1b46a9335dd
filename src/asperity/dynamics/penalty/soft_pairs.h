// Soft contacts between bodies that attract each other: the pairs that overlap, and their forces by laws/contact/soft.h.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "asperity/contact/contact_system.h"
#include "asperity/dynamics/forces.h"
#include "asperity/dynamics/pair_gap.h"
#include "asperity/laws/contact/soft_law.h"

namespace asperity::dynamics {

// The mode of a pair that overlaps; a pair that does not is `open`.
inline constexpr model::Mode pressed = model::Mode::touching;

// Inverse effective masses: how a force along the normal, a force across it and a torque change the relative velocity and spin.
struct Yields {
    double along = 0;    // 1/kg
    double across = 0;   // 1/kg
    double to_turn = 0;  // 1/(kg m^2)
};

struct Pair {
    std::size_t i = 0;
    std::size_t j = 0;
    double radius = 0;  // m, R_i R_j / (R_i + R_j)
    bool is_round = true;
    Yields yields;              // of spheres
    laws::SoftContact contact;  // of spheres; the law of others is law_of()
};

// The law between bodies with this effective mass and radius.
inline laws::SoftContact soft_contact_of(const laws::PairLaw& contact, double effective_mass, double effective_radius) {
    return laws::SoftLaw(contact).between(effective_mass, effective_radius);
}

inline std::vector<Pair> pairs_of(const model::Parameters& world) {
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < world.bodies.size(); ++i)
        for (std::size_t j = i + 1; j < world.bodies.size(); ++j) {
            const model::BodyKind &first = world.bodies[i], &second = world.bodies[j];
            const double a = first.mean_radius(), b = second.mean_radius(), along = 1 / first.mass + 1 / second.mass;
            pairs.push_back({.i = i,
                             .j = j,
                             .radius = a * b / (a + b),
                             .is_round = first.is_sphere() && second.is_sphere(),
                             .yields = {.along = along,
                                        .across = along + a * a / first.inertia.x + b * b / second.inertia.x,
                                        .to_turn = 1 / first.inertia.x + 1 / second.inertia.x},
                             .contact = soft_contact_of(world.law(i, j), 1 / along, a * b / (a + b))});
        }
    return pairs;
}

// The same for any pair, from where it touches; across the normal and in turning the most that it can be.
inline Yields yields_of(const model::Parameters& world, const Pair& pair, const PairGap& gap, const Motion& motion) {
    if (pair.is_round) return pair.yields;
    Yields out;
    for (const std::size_t k : {pair.i, pair.j}) {
        const model::BodyKind& body = world.bodies[k];
        const Vec3 arm = gap.point - motion.bodies[k].p;
        const contact::Side side = contact::side_of(world, static_cast<std::int32_t>(k), motion.bodies[k].q_WB, arm);
        const double to_turn = 1 / std::min({body.inertia.x, body.inertia.y, body.inertia.z});
        out.along += contact::mobility(side, 1, cross(arm, gap.normal));
        out.across += 1 / body.mass + to_turn * squared_norm(arm);
        out.to_turn += to_turn;
    }
    return out;
}

// The law of any pair: its damper follows from the effective mass along the normal, 1 / yields.along, where it was not given.
inline laws::SoftContact law_of(const model::Parameters& world, const Pair& pair, const PairGap& gap, const Motion& motion) {
    if (pair.is_round || world.law(pair.i, pair.j).damping) return pair.contact;
    laws::SoftContact law = pair.contact;
    law.damping *= std::sqrt(pair.yields.along / yields_of(world, pair, gap, motion).along);
    return law;
}

// What the law is a function of, for a pair whose gap is known.
inline laws::SoftTouch touch_of(const Pair& pair, const PairGap& gap, const Motion& motion) {
    return {.normal = gap.normal,
            .overlap = -gap.gap,
            .velocity = slip_at(motion, pair.i, pair.j, gap.point),
            .spin = motion.bodies[pair.i].w - motion.bodies[pair.j].w,
            .radius = pair.radius};
}

// Both bodies are acted on at the same point.
inline void add_contact(const Pair& pair, const PairGap& gap, const laws::SoftResponse& soft, const Motion& motion, Loads& loads) {
    loads.force[pair.i] += soft.force;
    loads.force[pair.j] -= soft.force;
    loads.torque[pair.i] += cross(gap.point - motion.bodies[pair.i].p, soft.force) + soft.torque;
    loads.torque[pair.j] -= cross(gap.point - motion.bodies[pair.j].p, soft.force) + soft.torque;
}

// Adds half of the heat of a pair to either body, in J per kg of that body.
inline void add_heat(const model::Parameters& world, const Pair& pair, const laws::SoftResponse& soft, double h,
                     std::vector<BodyHeat>& heat) {
    for (const std::size_t body : {pair.i, pair.j}) {
        const double share = 0.5 * h / world.bodies[body].mass;
        heat[body].impact += share * soft.heat_impact;
        heat[body].friction += share * soft.heat_friction;
        heat[body].rolling += share * soft.heat_rolling;
    }
}

// Whether a pair is in contact from the first instant on: it overlaps, or it touches to rounding, is at rest to rounding, and gravity
// presses it. `loads`: of gravity. Such a contact begins without an impact; what touches and approaches is an impact at the first instant.
inline bool rests_at_start(const model::Parameters& world, const Pair& pair, const PairGap& gap, const Motion& motion, const Loads& loads) {
    if (std::fabs(gap.gap) > touch_grace(world, pair.i, pair.j)) return gap.gap < 0;
    const BodyMotion &a = motion.bodies[pair.i], &b = motion.bodies[pair.j];
    const double speed = norm(a.v) + norm(b.v) + norm(a.w) * world.bodies[pair.i].reach() + norm(b.w) * world.bodies[pair.j].reach();
    if (std::fabs(parting_speed(motion, pair.i, pair.j, gap)) > 64 * std::numeric_limits<double>::epsilon() * speed) return false;
    const auto acceleration = [&](std::size_t i) {
        return BodyAcceleration{loads.force[i] / world.bodies[i].mass,
                                inverse_inertia_times(world.bodies[i], motion.bodies[i].q_WB, loads.torque[i])};
    };
    return gap_acceleration(world, motion, pair.i, pair.j, acceleration(pair.i), acceleration(pair.j)) < 0;
}

// The units of 3-ternary 4.3.1 in which errors of a step are measured: radius of the smallest body, and the time that makes G m = 1 with
// it. A body that is faster, against the common centre of mass or where its surface turns, has its velocity measured by its own speed: what
// gravity would do to it says nothing of it, and may be below its rounding.
struct CanonicalUnits {
    double length = 0;  // m
    double time = 0;    // s
    double speed() const { return length / time; }
};

inline CanonicalUnits canonical_units(const model::Parameters& world) {
    const auto& smallest = *std::ranges::min_element(world.bodies.kinds, {}, &model::BodyKind::mean_radius);
    const double length = smallest.mean_radius();
    return {.length = length, .time = std::sqrt(length * length * length / (world.environment.mutual.constant * smallest.mass))};
}

inline Vec3 common_velocity(const model::Parameters& world, const Motion& motion) {
    double mass = 0;
    Vec3 momentum;
    for (std::size_t i = 0; i < world.bodies.size(); ++i) {
        mass += world.bodies[i].mass;
        momentum += world.bodies[i].mass * motion.bodies[i].v;
    }
    return momentum / mass;
}

// The speed, m/s, against which an error of the velocity of this body is measured. common: common_velocity().
inline double error_speed(const model::BodyKind& body, const BodyMotion& motion, const CanonicalUnits& units, const Vec3& common) {
    return std::fmax(units.speed(), std::fmax(norm(motion.v - common), body.reach() * norm(motion.w)));
}

// Relative rounding error that the error estimate of a step contains: no smaller tolerance can be kept.
inline constexpr double error_rounding = 16 * std::numeric_limits<double>::epsilon();

}  // namespace asperity::dynamics
