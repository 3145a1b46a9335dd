// Bodies much faster and smaller than the steps of slow ones: none goes through another between two steps, whatever the method.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <string>

#include "asperity/dynamics/constraint/constraint.h"
#include "asperity/dynamics/lcp/lcp.h"
#include "asperity/dynamics/pair_gap.h"
#include "asperity/dynamics/penalty/penalty.h"
#include "unit/dynamics/spheres.h"

namespace asperity::dynamics::fast_test {
namespace {

struct Case {
    const char* method;
    model::Integrator integrator;
    double step_max = std::numeric_limits<double>::infinity();
};

// Two pebbles of 1 m, 1 km apart and 20 km from a body of 300 m, whose own time scale makes steps of a minute; one flies at the other.
model::Model pebbles() {
    model::Model model = thesis_model();
    model::Parameters& world = model.parameters;
    world.environment.tides.law = model::TideLaw::none;
    world.bodies = rows({sphere(300, 2500), sphere(1, 2500), sphere(1, 2500)});
    world.laws.laws[0].restitution = 0.5;
    world.laws.laws[0].stiffness = 1e7;
    world.laws.laws[0].damping = 1e4;
    return model;
}

TEST(FreeBodiesFast, PebblesCollideWhenTheyMeet) {
    const model::Model model = pebbles();
    for (const Case& c : {Case{"constraint", model::Integrator::symplectic4}, Case{"constraint", model::Integrator::verlet, 300},
                          Case{"lcp", model::Integrator::dopri5}, Case{"penalty", model::Integrator::dopri5},
                          Case{"penalty", model::Integrator::verlet, 50}}) {
        for (const double speed : {0.3, 1.0, 30.0}) {
            model::State state = state_of({{0, 0, 0}, {20000, 0, 0}, {20000, 1000, 0}});
            state.bodies.velocity[2] = {0, -speed, 0};
            const model::Phase phase{
                .name = "fast", .method = c.method, .integrator = c.integrator, .tolerance = 1e-6, .step_max = c.step_max};
            const std::string method = c.method;
            const auto run = method == "penalty" ? penalty.make(model, phase)
                             : method == "lcp"   ? lcp.make(model, phase)
                                                 : constraint.make(model, phase);
            Books books(std::numeric_limits<double>::infinity());
            EXPECT_FALSE(run->advance(state, {.time = 1.2 * 998 / speed}, books).ended) << method;
            ASSERT_GE(books.events.size(), 1u) << method << " at " << speed << " m/s";
            EXPECT_EQ(books.events[0].kind, model::EventKind::impact);
            EXPECT_NEAR(books.events[0].time * speed / 998, 1, 2e-4) << method;  // the big body's tide pulls them together a little
        }
    }
}

TEST(FreeBodiesFast, ASafeStepIsNoShorterThanItMustBe) {
    const model::Model model = pebbles();
    const model::Parameters& world = model.parameters;
    Motion motion = motion_of(state_of({{0, 0, 0}, {20000, 0, 0}, {20000, 1000, 0}}));
    const auto all = [](std::size_t, std::size_t) { return true; };
    EXPECT_EQ(safe_step(world, motion, 10, all), 10);  // at rest
    motion.bodies[2].v = {0, -10, 0};
    EXPECT_NEAR(safe_step(world, motion, 1e3, all), 998 / 1.5 / 10, 0.01);
    motion.bodies[2].p = {20000, 2.01, 0};
    EXPECT_NEAR(safe_step(world, motion, 1e3, all), 0.5 / 10, 1e-6);
    EXPECT_EQ(safe_step(world, motion, 10, [](std::size_t, std::size_t) { return false; }), 10);
}

// Two spheres whose radii are a millionth of their distance, once round each other on a circle: steps follow the orbit, not the time in
// which they would turn if they touched, 1e9 times shorter.
TEST(FreeBodiesFast, BodiesFarApartHaveStepsOfTheirOrbit) {
    model::Model model;
    model::Parameters& world = model.parameters;
    world.bodies = rows({sphere(1, 2500), sphere(1, 2500)});
    world.environment.mutual.constant = thesis_gravity;
    model.parameters.step_budget = 100000;
    const double r = 1e6, m = world.bodies[0].mass, rate = std::sqrt(2 * thesis_gravity * m / (r * r * r));
    for (const model::Integrator integrator : {model::Integrator::symplectic4, model::Integrator::verlet}) {
        model::State state = state_of({{0.5 * r, 0, 0}, {-0.5 * r, 0, 0}});
        state.bodies.velocity = {{0, 0.5 * r * rate, 0}, {0, -0.5 * r * rate, 0}};
        const model::Phase phase{.name = "", .method = "constraint", .integrator = integrator, .tolerance = 1e-6};
        Books books(std::numeric_limits<double>::infinity());
        EXPECT_FALSE(constraint.make(model, phase)->advance(state, {.time = 2 * pi / rate}, books).ended);
        EXPECT_LT(state.clock.steps, 100000);
        EXPECT_LT(norm(state.bodies.position[0] - Vec3{0.5 * r, 0, 0}), 1e-5 * r);  // phase of 2 pi (h / t)^2 / 24 with verlet
    }
}

// They fall from 10,000 touching distances: time and speed of the collision of a radial Kepler orbit,
//   t = sqrt(r0^3 / (2 G M)) (acos(sqrt(x)) + sqrt(x (1 - x))),   x = d / r0,     v^2 = 2 G M (1 / d - 1 / r0)
TEST(FreeBodiesFast, StepsShortenAsBodiesFallTogether) {
    model::Model model;
    model::Parameters& world = model.parameters;
    world.bodies = rows({sphere(1, 2500), sphere(3, 1500)});
    world.environment.mutual.constant = thesis_gravity;
    model.parameters.step_budget = 100000;
    const double d = 4, mu = thesis_gravity * (world.bodies[0].mass + world.bodies[1].mass);
    // the error of the speed, relative
    const auto fall = [&](double r) {
        const double x = d / r, time = std::sqrt(r * r * r / (2 * mu)) * (std::acos(std::sqrt(x)) + std::sqrt(x * (1 - x)));
        model::State state = state_of({{0, 0, 0}, {r, 0, 0}});
        const model::Phase phase{.name = "", .method = "constraint", .integrator = model::Integrator::symplectic4, .tolerance = 1e-9};
        Books books(std::numeric_limits<double>::infinity());
        EXPECT_FALSE(constraint.make(model, phase)->advance(state, {.time = time * (1 + 1e-6)}, books).ended);
        EXPECT_GE(books.events.size(), 1u);
        EXPECT_LT(state.clock.steps, 10000);
        if (books.events.empty()) return 1.0;
        EXPECT_NEAR(books.events[0].time / time, 1, 1e-9);
        return std::fabs(books.events[0].normal_speed_in / std::sqrt(2 * mu * (1 / d - 1 / r)) - 1);
    };
    EXPECT_LT(fall(1e4 * d), 2 * fall(6 * d));  // from there on steps are those of touching bodies: the error is theirs
}

// An orbit from 2 to 20,000 touching distances and back, three times: what changes of the step do to its energy does not add up.
TEST(FreeBodiesFast, EccentricOrbitsKeepTheirEnergy) {
    model::Model model;
    model::Parameters& world = model.parameters;
    world.bodies = rows({sphere(1, 2500), sphere(1, 2500)});
    world.environment.mutual.constant = thesis_gravity;
    model.parameters.step_budget = 1000000;
    const double near = 4, far = 4e4, semi_major = 0.5 * (near + far), mu = 2 * thesis_gravity * world.bodies[0].mass;
    const double speed = std::sqrt(mu * (2 / far - 1 / semi_major)), period = 2 * pi * std::sqrt(semi_major * semi_major * semi_major / mu);
    model::State state = state_of({{0.5 * far, 0, 0}, {-0.5 * far, 0, 0}});
    state.bodies.velocity = {{0, 0.5 * speed, 0}, {0, -0.5 * speed, 0}};
    const model::Phase phase{.name = "", .method = "constraint", .integrator = model::Integrator::symplectic4, .tolerance = 1e-9};
    Books books(std::numeric_limits<double>::infinity());
    EXPECT_FALSE(constraint.make(model, phase)->advance(state, {.time = 3.5 * period}, books).ended);
    const double r = norm(state.bodies.position[0] - state.bodies.position[1]);
    const double energy = 0.5 * squared_norm(state.bodies.velocity[0] - state.bodies.velocity[1]) - mu / r;
    EXPECT_NEAR(energy, -0.5 * mu / semi_major, 1e-9 * mu / near);  // of the energies that it has at its nearest
    EXPECT_LT(state.clock.steps, 500000);
}

// Bodies so light that their own gravity would move them by a radius in a day, at speeds up to that of meteors: errors are measured by the
// speeds that they have. In units of their gravity the tolerance would be below rounding, and the budget was used up.
TEST(FreeBodiesFast, LightBodiesCollideSoftlyAtAnySpeed) {
    model::Model model;
    model::Parameters& world = model.parameters;
    world.bodies = rows({sphere(1, 250), sphere(0.5, 250)});
    world.environment.mutual.constant = thesis_gravity;
    world.laws.laws[0].restitution = 0.5;
    model.parameters.step_budget = 20000;
    const double mass = 1 / (1 / world.bodies[0].mass + 1 / world.bodies[1].mass);
    for (const model::Integrator integrator : {model::Integrator::dopri5, model::Integrator::verlet})
        for (const double speed : {0.1, 1.0, 1e3, 2e4})
            for (const double place : {0.0, 1e6}) {  // metres from the origin: positions are rounded to 1e-10 m there
                world.laws.laws[0].stiffness = mass * speed * speed / 1e-4;  // it sinks in by a centimetre
                const Vec3 at{place, -place, 0.5 * place};
                model::State state = state_of({at, at + Vec3{1.6, 0, 0}});
                state.bodies.velocity = {{0.3 * speed, 0, 0}, {-0.7 * speed, 0, 0}};
                const model::Phase phase{.name = "", .method = "penalty", .integrator = integrator, .tolerance = 1e-9};
                Books books(std::numeric_limits<double>::infinity());
                EXPECT_FALSE(penalty.make(model, phase)->advance(state, {.time = 0.3 / speed}, books).ended) << speed << " " << place;
                EXPECT_NEAR((state.bodies.velocity[1].x - state.bodies.velocity[0].x) / speed, 0.5, 1e-4) << speed << " " << place;
            }
}

}  // namespace
}  // namespace asperity::dynamics::fast_test
