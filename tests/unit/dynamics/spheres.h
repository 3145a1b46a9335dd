// Free bodies for tests: those of 3-ternary, how a state of them is made, and an observer that keeps the books.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "asperity/dynamics/method.h"
#include "asperity/dynamics/motion.h"
#include "asperity/laws/tide.h"
#include "asperity/model/first_state.h"
#include "unit/dynamics/rows.h"

namespace asperity::dynamics {

inline constexpr double thesis_diameter = 4000;        // m
inline constexpr double thesis_gravity = 6.67384e-11;  // CODATA 2010
inline constexpr double pi = 3.14159265358979323846;

inline model::BodyKind sphere(double radius, double density) {
    const double mass = density * 4 / 3 * pi * radius * radius * radius, inertia = 0.4 * mass * radius * radius;
    return {.mass = mass, .semi_axes = {radius, radius, radius}, .inertia = {inertia, inertia, inertia}};
}

// Three spheres of 4 km and 2 g/cm^3, k2 = 1e-5, Q = 100, k_e = k_d = 1e13 in SI.
inline model::Model thesis_model() {
    model::Model model;
    model::Parameters& world = model.parameters;
    model::BodyKind body = sphere(0.5 * thesis_diameter, 2000);
    body.tidal.love_number = 1e-5;
    body.tidal.sin_double_lag = laws::sin_double_lag_of_quality(100);
    world.bodies = rows({body, body, body});
    world.environment.mutual.constant = thesis_gravity;
    world.environment.tides.law = model::TideLaw::constant_angle;
    world.laws.laws[0].stiffness = 1e13;
    world.laws.laws[0].damping = 1e13;
    model.parameters.step_budget = 100000000;
    return model;
}

inline model::State state_of(const std::vector<Vec3>& positions) { return model::first_state(positions, positions.size()); }

inline std::vector<Vec3> lagrange_resting() {
    const double d = thesis_diameter, root = std::sqrt(3.0);
    return {{-d / 2, -d * root / 6, 0}, {0, d * root / 3, 0}, {d / 2, -d * root / 6, 0}};
}
inline std::vector<Vec3> euler_resting() { return {{0, 0, 0}, {thesis_diameter, 0, 0}, {-thesis_diameter, 0, 0}}; }
inline std::vector<Vec3> aligned_mixed(double distance) {
    return {{-thesis_diameter / 2, 0, 0}, {thesis_diameter / 2, 0, 0}, {thesis_diameter * distance, 0, 0}};
}

// All turn as one about their centre of mass, which comes to the origin; equal masses.
inline void turn_as_one(double rate, model::State& state) {
    Vec3 centre;
    for (const Vec3& p : state.bodies.position) centre += p / static_cast<double>(state.bodies.position.size());
    for (std::size_t i = 0; i < state.bodies.position.size(); ++i) {
        state.bodies.position[i] -= centre;
        state.bodies.velocity[i] = cross({0, 0, rate}, state.bodies.position[i]);
        state.bodies.spin[i] = {0, 0, rate};
    }
}

// The rate of all that has H^2 / (G m^3 d) = h2; equal masses.
inline double rate_of(const model::Parameters& world, const std::vector<Vec3>& positions, double h2) {
    const double m = world.bodies[0].mass;
    Vec3 centre;
    for (const Vec3& p : positions) centre += p / static_cast<double>(positions.size());
    double inertia = 0;
    for (const Vec3& p : positions) inertia += world.bodies[0].inertia.x + m * squared_norm(p - centre);
    return std::sqrt(h2 * world.environment.mutual.constant * m * m * m * thesis_diameter) / inertia;
}

// Keeps the sum of the ledger at every sample, all events, and the last checkpoint after a time.
struct Books final : model::Observer {
    explicit Books(double every, double checkpoint_after = std::numeric_limits<double>::infinity())
        : every(every), checkpoint_after(checkpoint_after) {}

    double next_sample() const override { return next; }
    void sample(const model::Look& look) override {
        mechanical.push_back(0);
        heat.push_back(0);
        next = look.time + every;
        for (const model::Ledger& s : look.ledger) {
            mechanical.back() += s.kinetic + s.rotational + s.potential;
            heat.back() += s.heat();
        }
    }
    void event(const model::Event& event) override { events.push_back(event); }
    double next_checkpoint() const override { return saved ? std::numeric_limits<double>::infinity() : checkpoint_after; }
    void checkpoint(const model::State& state) override { saved = state; }

    // Largest change of mechanical energy plus heat, relative.
    double drift() const {
        double worst = 0;
        for (std::size_t i = 0; i < mechanical.size(); ++i)
            worst = std::max(worst, std::fabs((mechanical[i] + heat[i] - mechanical[0] - heat[0]) / mechanical[0]));
        return worst;
    }

    double every, checkpoint_after, next = 0;
    std::vector<double> mechanical, heat;  // J
    std::vector<model::Event> events;
    std::optional<model::State> saved;
};

}  // namespace asperity::dynamics
