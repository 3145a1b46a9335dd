// Forces and torques on bodies that do not come from contact: mutual gravity, tides, sunlight.
//
//   F_i += sum_j pull of j on i               gravity/mutual.h: as points, or to second order with torques               (1)
//   T_i += s T(i, j),  F_j += s F(i, j),  F_i -= s F(i, j)     every ordered pair, laws/tide.h; s = tide_factor            (2)
//   T_i += J_i y_i                            y: angular acceleration by sunlight                                        (3)
//
// (1) and (2) leave linear and angular momentum alone to rounding, pair by pair. (3) is outside torque: its power is work, not heat.
// Loads is workspace: sized once, filled in place.
#pragma once
#include <vector>

#include "asperity/dynamics/motion.h"
#include "asperity/gravity/mutual.h"
#include "asperity/laws/tide.h"

namespace asperity::dynamics {

struct Loads {
    std::vector<Vec3> force;         // N
    std::vector<Vec3> torque;        // N m, about the body's centre of mass
    std::vector<double> tide_power;  // W, that tides set free as heat in the body; never negative
    std::vector<double> work_power;  // W, done on the body from outside: by sunlight, by what moves in the field
    double potential = 0;            // J, of gravity, all pairs

    Loads() = default;
    explicit Loads(std::size_t n) : force(n), torque(n), tide_power(n), work_power(n) {}

    void clear() {
        for (Vec3& f : force) f = {};
        for (Vec3& t : torque) t = {};
        for (double& p : tide_power) p = 0;
        for (double& p : work_power) p = 0;
        potential = 0;
    }
};

// (1) of one pair.
inline gravity::MutualPull pull_of_pair(const model::Parameters& world, const Motion& motion, std::size_t i, std::size_t j) {
    const model::BodyKind &a = world.bodies[i], &b = world.bodies[j];
    const Vec3 apart = motion.bodies[j].p - motion.bodies[i].p;
    if (world.environment.mutual.law == model::MutualLaw::points)
        return gravity::point_pull(a.mass, b.mass, apart, world.environment.mutual.constant);
    return gravity::second_order_pull({a.mass, a.inertia, motion.bodies[i].q_WB}, {b.mass, b.inertia, motion.bodies[j].q_WB}, apart,
                                      world.environment.mutual.constant);
}

inline void add_gravity(const model::Parameters& world, const Motion& motion, Loads& loads) {
    const std::size_t n = world.bodies.size();
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i + 1; j < n; ++j) {
            const gravity::MutualPull pull = pull_of_pair(world, motion, i, j);
            loads.force[i] -= pull.force_on_second;
            loads.force[j] += pull.force_on_second;
            loads.torque[i] += pull.torque_on_first;
            loads.torque[j] += pull.torque_on_second;
            loads.potential += pull.potential;
        }
}

// The tide that body j raises on body i, without tide_factor.
inline laws::TidalResponse tide_of_pair(const model::Parameters& world, const Motion& motion, std::size_t i, std::size_t j) {
    return model::tide_on(world.environment.tides.law, world.bodies[i],
                          {.separation = motion.bodies[j].p - motion.bodies[i].p,
                           .velocity = motion.bodies[j].v - motion.bodies[i].v,
                           .spin = motion.bodies[i].w,
                           .companion_mass = world.bodies[j].mass,
                           .gravitational_constant = world.environment.mutual.constant});
}

namespace detail {

// The part of the tidal moment of laws/tide.h (3), (4) that does not change: (3/2) k2 G m^2 R^5 sin(2 eps), or 3 k2 G m^2 R^5 t.
inline double tide_strength(const model::Parameters& world, std::size_t i, std::size_t j) {
    const model::BodyKind& body = world.bodies[i];
    const double radius = body.mean_radius(), radius2 = radius * radius, m = world.bodies[j].mass;
    const double lag =
        world.environment.tides.law == model::TideLaw::constant_angle ? 1.5 * body.tidal.sin_double_lag : 3 * body.tidal.time_lag;
    return world.environment.tides.factor * body.tidal.love_number * lag * world.environment.mutual.constant * m * m * radius2 * radius2 *
           radius;
}

// The quantities that the two tides of a pair share.
struct TidalLine {
    Vec3 apart;  // m, from i to j
    Vec3 orbit;  // rad/s, n x v / r
    double per_r2 = 0;
};

// The tide on one body of a pair: force on j, torque on the body, heat. From j's side `apart` and the force change sign twice.
inline laws::TidalResponse tide_along(const TidalLine& line, const Vec3& w, double strength, bool is_constant_angle) {
    const Vec3 rate = (w - (line.per_r2 * dot(w, line.apart)) * line.apart) - line.orbit;
    const double size2 = squared_norm(rate);
    const double scale = is_constant_angle ? (size2 > 0 ? strength / std::sqrt(size2) : 0) : strength;
    laws::TidalResponse out;
    out.force_on_companion = scale * cross(rate, line.apart);
    out.torque = cross(out.force_on_companion, line.apart);
    out.power = dot(out.torque, rate);
    return out;
}

}  // namespace detail

// (2). The two tides of a pair share distance and orbital rate: computed as in laws/tide.h, but with a third of its roots and divisions.
inline void add_tides(const model::Parameters& world, const Motion& motion, Loads& loads) {
    if (world.environment.tides.law == model::TideLaw::none) return;
    const std::size_t n = world.bodies.size();
    const bool is_constant_angle = world.environment.tides.law == model::TideLaw::constant_angle;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i + 1; j < n; ++j) {
            const BodyMotion &a = motion.bodies[i], &b = motion.bodies[j];
            detail::TidalLine line{.apart = b.p - a.p, .orbit = {}};
            line.per_r2 = 1 / squared_norm(line.apart);
            line.orbit = line.per_r2 * cross(line.apart, b.v - a.v);
            const double falloff = line.per_r2 * line.per_r2 * line.per_r2 * line.per_r2;
            const laws::TidalResponse first =
                detail::tide_along(line, a.w, falloff * detail::tide_strength(world, i, j), is_constant_angle);
            const laws::TidalResponse second =
                detail::tide_along(line, b.w, falloff * detail::tide_strength(world, j, i), is_constant_angle);
            const Vec3 pull = first.force_on_companion + second.force_on_companion;
            loads.torque[i] += first.torque;
            loads.torque[j] += second.torque;
            loads.tide_power[i] -= first.power;
            loads.tide_power[j] -= second.power;
            loads.force[j] += pull;
            loads.force[i] -= pull;
        }
}

inline void add_sunlight(const model::Parameters& world, const Motion& motion, Loads& loads) {
    for (std::size_t i = 0; i < world.bodies.size(); ++i) {
        if (world.bodies[i].yorp == Vec3{}) continue;
        BodyMotion turned = motion.bodies[i];
        turned.w = world.bodies[i].yorp;
        const Vec3 torque = spin_momentum(world.bodies[i], turned);
        loads.torque[i] += torque;
        loads.work_power[i] += dot(torque, motion.bodies[i].w);
    }
}

}  // namespace asperity::dynamics
