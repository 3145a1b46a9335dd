// Soft contact with driven bodies, and frames that turn: against closed forms, and one frame against the other.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "asperity/analysis/energy.h"
#include "asperity/dynamics/all.h"
#include "asperity/laws/contact/soft.h"
#include "asperity/model/census.h"
#include "unit/dynamics/spheres.h"

namespace asperity::dynamics::driven_test {
namespace {

constexpr double g = 9.81;

struct Scene {
    model::Model model;
    model::State state;
    model::Phase phase{.name = "phase 1", .method = "penalty", .integrator = model::Integrator::dopri5, .tolerance = 1e-11};
    Books books{1e9};

    model::Parameters& world() { return model.parameters; }
    laws::PairLaw& law() { return model.parameters.laws.laws[0]; }
    double energy() const { return analysis::energies(model, state.bodies, state.clock.time()).mechanical(); }
    // J: energy with heat, less work; constant. And of bodies of 1 kg.
    double closed() const {
        const model::Tallies& t = state.tallies;
        double sum = energy();
        for (std::size_t i = 0; i < t.work.size(); ++i)
            sum += model.parameters.bodies[i].mass * (t.heat_impact[i] + t.heat_friction[i] + t.heat_rolling[i] - t.work[i]);
        return sum;
    }
    void run(double end) {
        world().step_budget = 100000000;
        state.balance.start = energy();
        ASSERT_EQ(find_method("penalty")->carries(model::census_of(model), phase), "");
        const Advance got = find_method("penalty")->make(model, phase)->advance(state, {.time = end}, books);
        ASSERT_FALSE(got.ended) << got.ended->message;
    }
};

// A ball of 1 kg and 10 cm over a plate whose middle is z = 0.
Scene ball_over_plate(const model::GivenMotion& plate, double height, double speed) {
    Scene scene;
    scene.world().bodies = rows({model::sphere_kind(0.1, 1)});
    scene.world().driven = {{.colliders = {{.shape = model::HalfSpace{}}}, .motion = plate}};
    scene.world().environment.field = gravity::Uniform{{0, 0, -g}};
    scene.state = state_of({{0, 0, 0.1 + height}});
    scene.state.bodies.velocity = {{0, 0, speed}};
    return scene;
}

std::vector<double> impact_times(const Scene& scene) {
    std::vector<double> times;
    for (const model::Event& event : scene.books.events)
        if (event.kind == model::EventKind::impact) times.push_back(event.time);
    return times;
}

// The map of a ball that bounces on a plate, a sin(w t), without time in contact: u after = plate + e (plate - u before).
std::vector<double> bouncing_map(double a, double w, double height, double e, std::size_t count) {
    std::vector<double> times;
    double t = 0, z = height, u = 0;
    while (times.size() < count) {
        const auto gap = [&](double s) { return z + u * s - 0.5 * g * s * s - a * std::sin(w * (t + s)); };
        double low = 1e-6, high = 1e-6;
        while (gap(high) > 0) low = high, high += 1e-4;
        for (int k = 0; k < 60; ++k) (gap(0.5 * (low + high)) > 0 ? low : high) = 0.5 * (low + high);
        z += u * high - 0.5 * g * high * high;
        t += high;
        const double plate = a * w * std::cos(w * t);
        u = plate + e * (plate - (u - g * high));
        times.push_back(t);
    }
    return times;
}

// The first impact is located to rounding of the step; later ones are late by the contacts before, pi sqrt(m / k) each: order 1/2.
TEST(Driven, a_ball_bounces_on_a_shaker_as_the_map_says) {
    const double a = 0.01, w = 40, height = 0.2, e = 0.7;
    const std::vector<double> wanted = bouncing_map(a, w, height, e, 4);
    std::vector<double> errors;
    for (const double stiffness : {1e7, 4e7, 16e7}) {
        Scene scene = ball_over_plate(model::Sine{.centre = {}, .amplitude = {0, 0, a}, .rate = w}, height, 0);
        scene.law().stiffness = stiffness;
        scene.law().restitution = e;
        scene.run(wanted.back() + 0.02);
        const std::vector<double> times = impact_times(scene);
        ASSERT_GE(times.size(), 4u);
        EXPECT_NEAR(times[0], wanted[0], 1e-10);
        errors.push_back(std::fabs(times[3] - wanted[3]));
        EXPECT_LT(scene.state.balance.error, 1e-8 * scene.state.balance.start);
        EXPECT_GT(std::fabs(scene.state.tallies.work[0]), 0.01) << "the plate does work";
    }
    EXPECT_LT(errors[2], 1e-3);
    EXPECT_NEAR(errors[0] / errors[1], 2, 0.3);
    EXPECT_NEAR(errors[1] / errors[2], 2, 0.3);
}

// A plate that shakes more gently than gravity keeps its ball; one that shakes harder loses it where g + a'' is zero.
TEST(Driven, a_ball_leaves_a_shaker_where_the_plate_falls_faster_than_it) {
    for (const double factor : {0.8, 1.25}) {
        const double w = 20, a = factor * g / (w * w);
        Scene scene = ball_over_plate(model::Sine{.centre = {}, .amplitude = {0, 0, a}, .rate = w}, -g / 1e8, a * w);
        scene.law().stiffness = 1e8;
        scene.law().restitution = 0.3;
        scene.run(0.2);
        std::vector<double> separations;
        for (const model::Event& event : scene.books.events)
            if (event.kind == model::EventKind::separation) separations.push_back(event.time);
        if (factor < 1) {
            EXPECT_TRUE(separations.empty());
            EXPECT_NEAR(scene.state.bodies.position[0].z, 0.1 + a * std::sin(w * 0.2), 1e-6);
        } else {
            ASSERT_FALSE(separations.empty());
            const double late = separations[0] - std::asin(1 / factor) / w;
            EXPECT_GT(late, 0);
            EXPECT_LT(late, pi * std::sqrt(1 / 1e8)) << "the spring lets go within half its period";
        }
        EXPECT_NEAR(scene.closed(), scene.state.balance.start, 1e-7);
    }
}

// Three ramps: up, still, down. The ball follows, and the work of the plate is what it weighs times the way.
TEST(Driven, work_of_a_lift_is_weight_times_height) {
    for (const model::Integrator integrator : {model::Integrator::dopri5, model::Integrator::rk4, model::Integrator::leapfrog}) {
        Scene scene = ball_over_plate(model::Course{.times = {0.1, 1.1, 2.1}, .positions = {{}, {0, 0, 0.5}, {0, 0, 0.5}}}, -g / 1e6, 0);
        scene.law().stiffness = 1e6;
        scene.law().restitution = 0.1;
        scene.phase.integrator = integrator;
        scene.phase.tolerance = 1e-10;
        if (integrator != model::Integrator::dopri5) scene.phase.step_max = 2e-5;
        scene.run(2);
        EXPECT_NEAR(scene.state.bodies.position[0].z, 0.6 - g / 1e6, 1e-9);
        EXPECT_NEAR(scene.state.tallies.work[0], g * 0.5 + scene.state.tallies.heat_impact[0], 1e-4);
        // A step into a contact is off by up to half of what its damper, 2 z sqrt(k m), takes in it: c v^2 h / 2.
        const double of_a_touch = laws::damping_ratio_of_restitution(0.1) * std::sqrt(1e6) * 0.5 * 0.5 * 2e-5;
        EXPECT_LT(scene.state.balance.error, integrator == model::Integrator::dopri5 ? 1e-6 : of_a_touch);
        EXPECT_LT(scene.state.tallies.heat_impact[0], 0.6) << "steps of speed 0.5 m/s, of which all is lost, twice";
    }
}

// On a disk that turns and holds, a ball that rolls without slip goes round with 2/7 of its rate (Weltner, Am. J. Phys. 47 (1979) 984).
TEST(Driven, a_ball_on_a_turntable_goes_round_with_two_sevenths_of_its_rate) {
    const double rate = 2, speed = 0.1;
    Scene scene = ball_over_plate(model::Turning{.centre = {}, .rate = {0, 0, rate}, .attitude = {}}, -g / 1e6, 0);
    scene.law().stiffness = 1e6;
    scene.law().restitution = 0.5;
    scene.law().friction = 0.8;
    scene.law().slip_speed = 1e-3;
    scene.state.bodies.velocity = {{speed, 0, 0}};
    // no slip: v + w x (-r z) = rate z x p at p = 0
    scene.state.bodies.spin = {{0, speed / 0.1, 0}};
    const double round = 2 * pi / (2.0 / 7 * rate);
    scene.phase.tolerance = 1e-8;
    scene.run(round / 2);
    // half a circle of radius v / (2 W / 7)
    EXPECT_NEAR(scene.state.bodies.velocity[0].x, -speed, 2e-4 * speed);
    EXPECT_NEAR(scene.state.bodies.velocity[0].y, 0, 2e-3 * speed);
    EXPECT_NEAR(norm(scene.state.bodies.position[0] - Vec3{0, 2 * speed / (2.0 / 7 * rate), scene.state.bodies.position[0].z}), 0, 1e-4);
    EXPECT_LT(scene.state.balance.error, 1e-6);
}

// Many balls: the broad phase takes a driven plate, with the same bits as all pairs.
TEST(Driven, a_plate_carries_a_hundred_balls) {
    Scene scene;
    std::vector<Vec3> places;
    for (int i = 0; i < 100; ++i) places.push_back({0.25 * (i % 10), 0.25 * (i / 10), 0.1 + 1e-3 * i});
    for (int i = 0; i < 100; ++i) scene.world().bodies.add(model::sphere_kind(0.1, 1));  // told one by one: no group of many
    scene.world().driven = {
        {.colliders = {{.shape = model::HalfSpace{}}}, .motion = model::Sine{.centre = {}, .amplitude = {0, 0, 0.01}, .rate = 20}}};
    scene.world().environment.field = gravity::Uniform{{0, 0, -g}};
    scene.law().stiffness = 1e5;
    scene.law().restitution = 0.5;
    scene.state = state_of(places);
    scene.phase.integrator = model::Integrator::leapfrog;
    scene.phase.step_max = 1e-4;
    scene.run(0.5);
    for (std::size_t i = 0; i < 100; ++i) {
        EXPECT_GT(scene.state.bodies.position[i].z, 0.1 + 0.01 * std::sin(20 * 0.5) - 0.01);
        Scene alone = ball_over_plate(scene.world().driven[0].motion, 1e-3 * static_cast<double>(i), 0);
        alone.law() = scene.law();
        alone.phase = scene.phase;
        if (i % 25 != 0) continue;
        alone.run(0.5);
        EXPECT_EQ(alone.state.bodies.position[0].z, scene.state.bodies.position[i].z);
        EXPECT_EQ(alone.state.tallies.work[0], scene.state.tallies.work[i]);
    }
    EXPECT_EQ(scene.state.bodies.position.size(), 100u) << "driven rows are no part of State";
}

// State holds no driven rows, and needs none: a run goes on from a checkpoint with the same bits.
TEST(Driven, a_run_on_a_shaker_goes_on_from_a_checkpoint) {
    for (const model::Integrator integrator : {model::Integrator::dopri5, model::Integrator::rk4, model::Integrator::leapfrog}) {
        Scene whole = ball_over_plate(model::Sine{.centre = {}, .amplitude = {0, 0, 0.01}, .rate = 40}, 0.05, 0);
        whole.law().stiffness = 1e5;
        whole.law().restitution = 0.5;
        whole.phase.integrator = integrator;
        if (integrator != model::Integrator::dopri5) whole.phase.step_max = 1e-4;
        whole.books.checkpoint_after = 0.31;
        Scene second = whole;
        whole.run(0.7);
        ASSERT_TRUE(whole.books.saved);
        second.state = *whole.books.saved;
        second.books.checkpoint_after = std::numeric_limits<double>::infinity();
        const double start = second.state.balance.start;
        second.run(0.7);
        second.state.balance.start = start;  // run() takes it anew
        EXPECT_EQ(second.state.bodies, whole.state.bodies);
        EXPECT_EQ(second.state.tallies, whole.state.tallies);
        EXPECT_EQ(second.state.contacts, whole.state.contacts);
        EXPECT_EQ(second.state.bodies.position.size(), 1u);
    }
}

gravity::SmallBody point_body(bool is_inertial, double rate) {
    gravity::SmallBody body;
    body.is_inertial = is_inertial;
    body.target = {.field = {.kind = gravity::FieldKind::point, .volume = 1, .strength = 1, .scale = 1}, .spin_rate = rate, .attitude = 0};
    return body;
}

// An ellipsoid that tumbles freely about a point, in both frames: the same motion, and Jacobi's integral of a rigid body is kept.
TEST(Frames, a_free_ellipsoid_is_the_same_in_a_frame_that_turns) {
    const double rate = 0.3, end = 20;
    const Vec3 spin{0.4, -0.2, 0.7}, w{0, 0, rate}, p{4, 0, 1}, v{0.05, 0.4, 0.1};
    const auto flown = [&](bool is_inertial, model::Integrator integrator) {
        Scene scene;
        const double m = 1;
        scene.world().bodies =
            rows({{.mass = m, .semi_axes = {0.3, 0.2, 0.1}, .inertia = {0.05 * m * 0.2, 0.1 * m * 0.2, 0.13 * m * 0.2}}});
        scene.world().environment.field = point_body(is_inertial, rate);
        scene.law().stiffness = 1;
        scene.state = state_of({p});
        scene.state.bodies.velocity = {is_inertial ? v : v - cross(w, p)};
        scene.state.bodies.spin = {is_inertial ? spin : spin - w};
        scene.state.bodies.orientation = {rotation({0.3, 0.1, -0.8})};
        scene.phase.integrator = integrator;
        if (integrator == model::Integrator::rk4) scene.phase.step_max = 2e-3;
        scene.run(end);
        EXPECT_LT(scene.state.balance.error, 1e-8);
        return scene;
    };
    const Scene still = flown(true, model::Integrator::dopri5);
    for (const model::Integrator integrator : {model::Integrator::dopri5, model::Integrator::rk4}) {
        const Scene turning = flown(false, integrator);
        const Quat q = rotation(end * w);
        const model::Bodies &a = still.state.bodies, &b = turning.state.bodies;
        EXPECT_NEAR(norm(rotate(q, b.position[0]) - a.position[0]), 0, 2e-8);
        EXPECT_NEAR(norm(rotate(q, b.velocity[0] + cross(w, b.position[0])) - a.velocity[0]), 0, 1e-8);
        EXPECT_NEAR(norm(rotate(q, b.spin[0] + w) - a.spin[0]), 0, 1e-8);
        EXPECT_NEAR(norm(rotate(q * b.orientation[0], {1, 0, 0}) - rotate(a.orientation[0], {1, 0, 0})), 0, 1e-8);
    }
    // Torque-free in inertial space: the angular momentum of its turning stays.
    const model::BodyKind& body = still.model.parameters.bodies[0];
    const model::Bodies& a = still.state.bodies;
    const Vec3 before = spin_momentum(body, {p, v, spin, rotation({0.3, 0.1, -0.8})});
    const Vec3 after = spin_momentum(body, {a.position[0], a.velocity[0], a.spin[0], a.orientation[0]});
    EXPECT_NEAR(norm(after - before), 0, 1e-9 * norm(before));
}

}  // namespace
}  // namespace asperity::dynamics::driven_test
