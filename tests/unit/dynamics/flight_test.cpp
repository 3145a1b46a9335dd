// Flights between contacts under the methods of rigid steps: what is located, against closed forms; where a tolerance is that of a
// quadrature or a step it says so.
#include "asperity/dynamics/flight.h"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/dynamics/stepped_scene.h"

namespace asperity::dynamics::flight_test {
namespace {

struct Flown {
    Scene scene;
    Books books;
    std::optional<model::Outcome> outcome;

    const model::Bodies& bodies() const { return scene.state.bodies; }
    std::vector<model::Event> of(model::EventKind kind) const {
        std::vector<model::Event> out;
        std::ranges::copy_if(books.events, std::back_inserter(out), [&](const model::Event& e) { return e.kind == kind; });
        return out;
    }
};

Flown flown(Scene scene, const char* method, double h, double end, double tolerance = 1e-12, Books books = Books(never),
            double of_impulses = 1e-12) {
    Flown out{.scene = std::move(scene), .books = std::move(books), .outcome = {}};
    Scene& s = out.scene;
    s.phase = {.name = "phase 1", .method = method, .integrator = model::Integrator::leapfrog, .tolerance = of_impulses, .step_max = h};
    s.phase.flight_tolerance = tolerance;
    s.world().step_budget = 1000000;
    EXPECT_EQ(find_method(method)->carries(model::census_of(s.model), s.phase), "");
    out.outcome = find_method(method)->make(s.model, s.phase)->advance(s.state, {.time = end}, out.books).ended;
    EXPECT_TRUE(!out.outcome || out.outcome->kind == model::OutcomeKind::rest) << out.outcome->message;
    return out;
}

constexpr const char* rigid_methods[] = {"impulse", "dvi"};

// Impacts at t0, t0 + 2 e t0, ..., until the bounces left are shorter than the step: to rounding of the places, whatever the step.
TEST(Flight, BouncesComeAtTheirInstantsWhateverTheStep) {
    const double g = 0.01, z = 0.2, e = 0.5, t0 = std::sqrt(2 * z / g), vx = 0.03;
    for (const char* method : rigid_methods)
        for (const double h : {0.1, 0.5}) {
            Scene scene = ball_over_plane({0, 0, -g}, {0, 0, 0.1 + z}, {vx, 0, 0});
            scene.law() = {.restitution = e};
            const Flown run = flown(scene, method, h, 2.5 * t0);
            const std::vector<model::Event> impacts = run.of(model::EventKind::impact);
            double exact = t0, flight = 2 * e * t0;
            int located = 0;
            for (std::size_t i = 0; i < impacts.size() && exact < 2.5 * t0 && flight > (1 - e) * h;
                 ++i, exact += flight, flight *= e, ++located) {
                EXPECT_NEAR(impacts[i].time, exact, 1e-12 * t0) << method << " h " << h << " impact " << i;
                EXPECT_NEAR(impacts[i].normal_speed_in, g * t0 * std::pow(e, i), 1e-12) << i;
                EXPECT_NEAR(impacts[i].normal_speed_out, g * t0 * std::pow(e, i + 1), 1e-12) << i;
                EXPECT_NEAR(impacts[i].position.x, vx * exact, 1e-12) << i;
            }
            EXPECT_GE(located, 2) << method;
            EXPECT_LT(run.scene.state.clock.steps, 40 + 1.5 * t0 / h) << method;
            EXPECT_LT(run.scene.state.balance.error, 1e-13);
        }
}

// An impact and what leaves it are one instant: a separation is told with it.
TEST(Flight, ABounceIsAnImpactAndASeparationAtOneInstant) {
    Scene scene = ball_over_plane({0, 0, -1}, {0, 0, 0.6}, {});
    scene.law() = {.restitution = 0.9};
    const Flown run = flown(scene, "impulse", 1e-2, 1.5);
    ASSERT_EQ(run.of(model::EventKind::impact).size(), 1u);
    ASSERT_EQ(run.of(model::EventKind::separation).size(), 1u);
    EXPECT_EQ(run.of(model::EventKind::impact)[0].time, run.of(model::EventKind::separation)[0].time);
}

// Zeno: a ball whose bounces end, in few steps more than it then lies.
TEST(Flight, BouncesEndAndTheBallRests) {
    Scene scene = ball_over_plane({0, 0, -1}, {0, 0, 0.6}, {0.1, 0, 0});
    scene.law() = {.restitution = 0.8, .friction = 0.5, .rolling_resistance = 0.1};
    for (const char* method : rigid_methods) {
        const Flown run = flown(scene, method, 1e-2, 100);
        ASSERT_TRUE(run.outcome) << method;
        const std::size_t impacts = run.of(model::EventKind::impact).size();
        EXPECT_GT(impacts, 10u);
        EXPECT_LT(impacts, 60u);
        EXPECT_NEAR(run.bodies().position[0].z, 0.1, 1e-4);
        EXPECT_LT(run.scene.state.balance.error, 1e-12) << method;
    }
}

// A plate of two triangles, one side, no thickness: what falls onto it at any speed stops on it.
TEST(Flight, NothingTunnelsHoweverFastAndHoweverLongTheStep) {
    for (const double speed : {0.1, 10.0, 1000.0}) {
        Scene scene;
        model::BodyKind body = ellipsoid({0.3, 0.2, 0.1}, 2);
        body.colliders = {{.shape = model::Box{{0.15, 0.1, 0.05}}}};
        scene.world().bodies = rows({body});
        scene.world().ground = {{.shape = model::Box{{1, 1, 1e-3}}}};
        scene.state = state_of({{0.2, -0.1, 50}});
        scene.state.bodies.velocity = {{0, 0, -speed}};
        scene.state.bodies.spin = {{0.3, 0.7, -0.2}};
        scene.law() = {.restitution = 0.6, .friction = 0.4};
        const Flown run = flown(scene, "impulse", 1, 52 / speed);
        EXPECT_GE(run.of(model::EventKind::impact).size(), 1u) << speed;
        EXPECT_GT(run.bodies().position[0].z, 0) << speed;
    }
}

// The first touch of a tumbling box over a plane is where its lowest corner is, by its closed form of rotation.
TEST(Flight, ATumblingBoxTouchesWhereItsLowestCornerDoes) {
    const Vec3 half{0.15, 0.1, 0.05}, spin{0.3, 0.7, -0.2};
    Scene scene;
    model::BodyKind body = ellipsoid({0.3, 0.2, 0.1}, 2);
    body.colliders = {{.shape = model::Box{half}}};
    scene.world().bodies = rows({body});
    scene.world().ground = {{.shape = model::HalfSpace{}}};
    scene.world().environment.field = gravity::Uniform{{0, 0, -0.02}};
    scene.state = state_of({{0, 0, 3}});
    scene.state.bodies.spin = {spin};
    scene.law() = {.restitution = 0.5, .friction = 0.4};
    const Flown run = flown(scene, "impulse", 0.1, 25);
    const std::vector<model::Event> impacts = run.of(model::EventKind::impact);
    ASSERT_GE(impacts.size(), 1u);
    const FreeTop top(body.inertia, {}, spin);
    const auto lowest = [&](double t) {
        const Quat q = top.after(t).q_WB;
        double least = never;
        for (int k = 0; k < 8; ++k)
            least = std::min(least, rotate(q, {k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z}).z);
        return 3 - 0.01 * t * t + least;
    };
    double low = 0, high = 20;  // it falls faster than corners rise: one crossing after the first
    for (double t = 0; t < 20; t += 1e-3)
        if (lowest(t) < 0) {
            low = t - 1e-3, high = t;
            break;
        }
    for (int k = 0; k < 60; ++k) (lowest(0.5 * (low + high)) > 0 ? low : high) = 0.5 * (low + high);
    EXPECT_NEAR(impacts[0].time, low, 1e-11);
}

// A box comes to rest on a face, at the height of that face; where the ground is too steep for what carries it, it does not.
TEST(Flight, ATumblingBoxRestsOnAFaceAndOnlyInEquilibrium) {
    const Vec3 half{0.15, 0.1, 0.05};
    for (const char* method : rigid_methods)
        for (const double slope : {0.0, 0.7}) {
            Scene scene;
            model::BodyKind body = ellipsoid({0.3, 0.2, 0.1}, 2);
            body.inertia = {2.0 / 3 * (0.1 * 0.1 + 0.05 * 0.05), 2.0 / 3 * (0.15 * 0.15 + 0.05 * 0.05),
                            2.0 / 3 * (0.15 * 0.15 + 0.1 * 0.1)};
            body.colliders = {{.shape = model::Box{half}}};
            scene.world().bodies = rows({body});
            scene.world().ground = {{.shape = model::HalfSpace{}}};
            scene.world().environment.field = gravity::Uniform{{0.02 * std::sin(slope), 0, -0.02 * std::cos(slope)}};
            scene.state = state_of({{0, 0, 0.5}});
            scene.state.bodies.spin = {{0.3, 0.7, -0.2}};
            scene.law() = {.restitution = 0.5, .friction = 0.4};  // holds up to 0.38 rad
            const Flown run = flown(scene, method, 0.02, 200, 1e-9, Books(never), 1e-4);
            EXPECT_LT(run.scene.state.balance.error, 1e-6) << method;
            if (slope > 0) {
                EXPECT_FALSE(run.outcome) << method;
                continue;
            }
            ASSERT_TRUE(run.outcome) << method;
            const double z = run.bodies().position[0].z;
            EXPECT_LT(std::min({std::fabs(z - 0.15), std::fabs(z - 0.1), std::fabs(z - 0.05)}), 1e-5) << method << " " << z;
        }
}

// In a frame that turns Coriolis' force is that of the mean velocity, with what contacts change of it: it does no work, to the tolerance of
// impulses.
TEST(Flight, TheLedgerClosesWhereABoxSlidesInAFrameThatTurns) {
    Scene scene;
    const Quat outwards = rotation({0, 0.5 * pi, 0});  // z to x, where Coriolis' force is along the normal
    model::BodyKind body = ellipsoid({0.15, 0.1, 0.05}, 2);
    body.colliders = {{.shape = model::Box{{0.15, 0.1, 0.05}}}};
    scene.world().bodies = rows({body});
    scene.world().ground = {{.shape = model::HalfSpace{}, .pose = {.p = {100, 0, 0}, .q = outwards}}};
    gravity::SmallBody field;
    field.target.field = {.kind = gravity::FieldKind::point, .volume = 1e6, .strength = 1e-5};  // 1e-3 m/s^2 there
    field.target.spin_rate = 0.002;
    scene.world().environment.field = field;
    scene.state = state_of({{100.05, 0, 0}});
    scene.state.bodies.orientation = {outwards};
    scene.state.bodies.velocity = {{0, 0.05, 0}};
    scene.law() = {.friction = 0.4};  // where a contact bounces the second solve is left out
    const Flown run = flown(scene, "impulse", 0.1, 60);
    EXPECT_GT(run.scene.state.tallies.heat_friction[0], 1e-4);  // J/kg, of 1.25e-3
    EXPECT_LT(run.scene.state.balance.error, 1e-8 * 2.5e-3);
}

// A bar that stands askew on one edge falls over: while that edge holds, the far one comes down at 1 m/s, and is seen at its touch and not
// up to h v deep, 10 mm. What a step of free fall brings together, h^2 g, stays.
TEST(Flight, WhatTouchesWhileAnotherContactLastsIsLocated) {
    const double h = 0.02, g = 1, tilt = 0.5;
    const Vec3 half{0.5, 0.1, 0.1};
    Scene scene;
    model::BodyKind body = ellipsoid(half, 3);
    body.colliders = {{.shape = model::Box{half}}};
    scene.world().bodies = rows({body});
    scene.world().ground = {{.shape = model::HalfSpace{}}};
    scene.world().environment.field = gravity::Uniform{{0, 0, -g}};
    const Quat q = rotation({0, tilt, 0});
    scene.state = state_of({-rotate(q, {half.x, 0, -half.z})});
    scene.state.bodies.orientation = {q};
    scene.law() = {.friction = 2};
    const Flown run = flown(scene, "impulse", h, 3);
    EXPECT_GT(run.scene.state.tallies.heat_impact[0], 0.15);  // J/kg, of the 0.23 that its fall sets free
    EXPECT_LT(run.scene.state.tallies.deepest_overlap[0], 4 * h * h * g);
    EXPECT_NEAR(run.bodies().position[0].z, half.z, 2 * h * h * g);
    EXPECT_LT(run.scene.state.balance.error, 1e-12);
}

// The same world from a checkpoint in flight, and in contact, to the same bits; samples change nothing.
TEST(Flight, ARunThatGoesOnFromACheckpointHasTheSameBits) {
    Scene scene = ball_over_plane({0, 0, -1}, {0, 0, 0.6}, {0.1, 0, 0});
    scene.law() = {.restitution = 0.8, .friction = 0.5};
    for (const char* method : rigid_methods) {
        const Flown whole = flown(scene, method, 1e-2, 20, 1e-9);
        for (const double at : {0.3, 1.5, 6.0, 9.0}) {
            const Flown first = flown(scene, method, 1e-2, 20, 1e-9, Books(0.7, at));
            EXPECT_EQ(first.scene.state, whole.scene.state);
            ASSERT_TRUE(first.books.saved);
            Scene again = scene;
            again.state = *first.books.saved;
            EXPECT_EQ(flown(again, method, 1e-2, 20, 1e-9).scene.state, whole.scene.state) << method << " " << at;
        }
    }
}

// Samples of a flight are those of the instants asked for.
TEST(Flight, SamplesAreAtTheInstantsAskedFor) {
    struct Times final : model::Observer {
        std::vector<double> times, heights;
        double next_sample() const override { return 0.125 * static_cast<double>(times.size()); }
        void sample(const model::Look& look) override {
            times.push_back(look.time);
            heights.push_back(look.position[0].z);
        }
        void event(const model::Event&) override {}
        double next_checkpoint() const override { return never; }
        void checkpoint(const model::State&) override {}
    } seen;
    Scene scene = ball_over_plane({0, 0, -1}, {0, 0, 10}, {0, 0, 2});
    scene.phase = {.name = "phase 1", .method = "impulse", .integrator = model::Integrator::leapfrog, .tolerance = 1e-9, .step_max = 0.5};
    scene.world().step_budget = 1000;
    ASSERT_FALSE(find_method("impulse")->make(scene.model, scene.phase)->advance(scene.state, {.time = 4}, seen).ended);
    ASSERT_EQ(seen.times.size(), 33u);
    for (std::size_t k = 0; k < seen.times.size(); ++k) {
        const double t = 0.125 * static_cast<double>(k);
        EXPECT_DOUBLE_EQ(seen.times[k], t);
        EXPECT_NEAR(seen.heights[k], 10 + 2 * t - 0.5 * t * t, 1e-13);
    }
}

// Two balls in space that meet off their centres, against the closed form of the instant, and momenta.
TEST(Flight, TwoBallsMeetAtTheInstantOfTheirPaths) {
    Scene scene;
    scene.world().bodies = rows({model::sphere_kind(0.1, 1), model::sphere_kind(0.2, 3)});
    scene.state = state_of({{0, 0, 0}, {5, 0.1, 0}});
    scene.state.bodies.velocity = {{0.7, 0, 0}, {-0.3, 0, 0}};
    scene.law() = {.restitution = 0.7, .friction = 0.3};
    for (const char* method : rigid_methods) {
        const Flown run = flown(scene, method, 0.25, 10);
        const std::vector<model::Event> impacts = run.of(model::EventKind::impact);
        ASSERT_EQ(impacts.size(), 1u);
        EXPECT_NEAR(impacts[0].time, 5 - std::sqrt(0.3 * 0.3 - 0.1 * 0.1), 1e-13);
        EXPECT_LT(norm(run.bodies().velocity[0] + 3.0 * run.bodies().velocity[1] - Vec3{-0.2, 0, 0}), 1e-15);
        EXPECT_LT(run.scene.state.clock.steps, 20);
    }
}

}  // namespace
}  // namespace asperity::dynamics::flight_test
