// Worlds of rigid contact by fixed steps, and a run of them.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "asperity/analysis/energy.h"
#include "unit/dynamics/soft_scene.h"

namespace asperity::dynamics {

inline constexpr double never = std::numeric_limits<double>::infinity();

struct Stepped {
    Scene scene;
    Books books{never};
    std::optional<model::Outcome> outcome;

    const model::Bodies& bodies() const { return scene.state.bodies; }
    double heat(std::size_t i) const {
        const model::Tallies& t = scene.state.tallies;
        return t.heat_impact[i] + t.heat_friction[i] + t.heat_rolling[i];
    }
    std::vector<double> impacts() const {
        std::vector<double> out;
        for (const model::Event& event : books.events)
            if (event.kind == model::EventKind::impact) out.push_back(event.time);
        return out;
    }
};

// Under `impulse`, unless the phase of the scene names another method of fixed steps.
inline Stepped stepped(Scene scene, double h, double end, double sample_every = never, double tolerance = 1e-12) {
    Stepped out{.scene = std::move(scene), .books = Books(sample_every), .outcome = {}};
    if (out.scene.phase.method == "penalty") out.scene.phase.method = "impulse";
    out.scene.phase.step_max = h;
    out.scene.phase.tolerance = tolerance;
    out.scene.phase.flight_tolerance = 0;  // fixed steps all the way
    out.scene.world().step_budget = 100000000;
    EXPECT_EQ(find_method(out.scene.phase.method)->carries(model::census_of(out.scene.model), out.scene.phase), "");
    out.outcome = find_method(out.scene.phase.method)
                      ->make(out.scene.model, out.scene.phase)
                      ->advance(out.scene.state, {.time = end}, out.books)
                      .ended;
    EXPECT_TRUE(!out.outcome || out.outcome->kind == model::OutcomeKind::rest) << out.outcome->message;
    return out;
}

inline double energy_of(const model::Parameters& world, const model::Bodies& bodies) {
    return analysis::energies(world, bodies, 0).mechanical();
}

inline model::BodyKind ellipsoid(const Vec3& s, double m) {
    return {.mass = m,
            .semi_axes = s,
            .inertia = {m / 5 * (s.y * s.y + s.z * s.z), m / 5 * (s.x * s.x + s.z * s.z), m / 5 * (s.x * s.x + s.y * s.y)}};
}

// A body that touches with these points, on a half-space whose normal leans by `slope` towards -x: gravity pulls it towards +x then.
inline Scene on_slope(double slope, double g, const std::vector<Vec3>& points) {
    Scene scene;
    model::BodyKind body = ellipsoid({1, 1, 0.5}, 3);
    body.colliders.push_back({.shape = model::Markers{points}});
    scene.world().bodies = rows({body});
    scene.world().ground = {{.shape = model::HalfSpace{}}};
    scene.world().environment.field = gravity::Uniform{{g * std::sin(slope), 0, -g * std::cos(slope)}};
    scene.state = state_of({{0, 0, 0}});
    return scene;
}

inline const std::vector<Vec3> feet{{0.4, 0.4, -0.1}, {-0.4, 0.4, -0.1}, {-0.4, -0.4, -0.1}, {0.4, -0.4, -0.1}};

// A hundred grains that fall into a box.
inline Scene grains() {
    Scene scene = ball_over_plane({0, 0, -9.81}, {}, {});
    std::vector<Vec3> places;
    for (int k = 0; k < 112; ++k)
        places.push_back({0.011 * (k % 4) + 1e-4 * (k % 7), 0.011 * (k / 4 % 4) - 1e-4 * (k % 5), 0.006 + 0.0105 * (k / 16)});
    for (const Vec3& turn : {Vec3{0, pi / 2, 0}, Vec3{0, -pi / 2, 0}, Vec3{pi / 2, 0, 0}, Vec3{-pi / 2, 0, 0}}) {
        const Quat q = rotation(turn);
        const Vec3 n = rotate(q, Vec3{0, 0, 1});
        scene.world().ground.push_back({.shape = model::HalfSpace{}, .pose = {.p = Vec3{0.0165, 0.0165, 0} - 0.024 * n, .q = q}});
    }
    scene.world().bodies = {};
    scene.world().bodies.add(model::sphere_kind(0.005, 1e-3), places.size());
    scene.law() = {.restitution = 0.3, .friction = 0.4, .rolling_resistance = 0.02};
    scene.state = model::first_state(places, 1);
    scene.state.bodies.velocity.assign(places.size(), {});
    scene.phase = {.method = "impulse", .integrator = model::Integrator::leapfrog, .tolerance = 1e-4, .step_max = 2e-4};
    scene.world().step_budget = 10000000;
    return scene;
}

}  // namespace asperity::dynamics
