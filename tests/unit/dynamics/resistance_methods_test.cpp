// Rolling and spinning resistance are one law under every method. The same little world under each: a ball of 5 cm that rolls, and spins
// about the normal, on ground that is level (event-driven), or a sphere of 100 km (penalty and constraint, which have no ground). With the
// normal force m g and R = r R2 / (r + R2), on ground R = r:
//   v' = -C (R / r) g / (1 + j)        rolling, whatever the spin about the normal
//   (w . n)' = -C_s (R / r) g / (j r)  whatever the rolling
// until each is zero.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "asperity/dynamics/constraint/constraint.h"
#include "asperity/dynamics/penalty/penalty.h"
#include "unit/dynamics/ball_run.h"
#include "unit/dynamics/spheres.h"

namespace asperity::dynamics::test::resistance_methods_test {
namespace {

constexpr double g = 1e-4, r = 0.05, j = 0.4, friction = 0.6, v0 = 0.002;
constexpr double ground_radius = 1e5, slip_speed = 1e-6;

struct Case {
    double rolling = 0, spinning = 0, drilling = 0;  // C, C_s, rad/s
};

struct Moment {
    Vec3 v, w;
};

using Moments = std::array<Moment, 2>;
constexpr std::array<double, 2> times{40, 120};  // s

Moments on_the_ground(const Case& c) {
    BallRun ball(geometry::generate(geometry::FlatWorld{}));
    ball.contact() = {.friction = friction, .rolling_resistance = c.rolling, .spinning_resistance = c.spinning};
    ball.put_on_surface({3, 4, r}, {v0, 0, 0}, {0, v0 / r, c.drilling});
    Moments out;
    for (std::size_t i = 0; i < times.size(); ++i) {
        ball.model.parameters.end_time = times[i];
        ball.run();
        out[i] = {ball.velocity(), ball.spin()};
    }
    return out;
}

Moments on_a_sphere(const Case& c, const model::Phase& phase) {
    model::Model model;
    model::Parameters& world = model.parameters;
    world.environment.mutual.constant = 6.6743e-11;
    const double mass = 1, ground_mass = g * (ground_radius + r) * (ground_radius + r) / world.environment.mutual.constant;
    const auto body = [](double m, double radius) {
        const double inertia = j * m * radius * radius;
        return model::BodyKind{.mass = m, .semi_axes = {radius, radius, radius}, .inertia = {inertia, inertia, inertia}};
    };
    world.bodies = rows({body(mass, r), body(ground_mass, ground_radius)});
    world.laws.laws[0] = {.restitution = 0, .friction = friction, .rolling_resistance = c.rolling, .spinning_resistance = c.spinning};
    const bool is_soft = phase.method == "penalty";
    const double overlap = is_soft ? 1e-5 * r : 0;
    if (is_soft) {
        world.laws.laws[0].stiffness = mass * g / overlap;
        world.laws.laws[0].damping = std::sqrt(world.laws.laws[0].stiffness * mass);
        world.laws.laws[0].slip_speed = slip_speed;
    }
    model.parameters.step_budget = 10000000;
    model::State state = state_of({{0, 0, r - overlap}, {0, 0, -ground_radius}});
    state.bodies.velocity[0] = {v0, 0, 0};
    state.bodies.spin[0] = {0, v0 / r, c.drilling};
    Notes notes;
    const auto run = is_soft ? penalty.make(model, phase) : constraint.make(model, phase);
    Moments out;
    for (std::size_t i = 0; i < times.size(); ++i) {
        const Advance got = run->advance(state, {.time = times[i]}, notes);
        EXPECT_FALSE(got.ended) << phase.method << ": " << (got.ended ? got.ended->message : "");
        out[i] = {state.bodies.velocity[0], state.bodies.spin[0]};
    }
    return out;
}

// tolerance: of the speeds v and r w, m/s.
void expect_closed_form(const Case& c, double lever, double tolerance, const Moments& moments, const char* method) {
    const double slowing = c.rolling * lever * g / (1 + j), rate = c.spinning * lever * g / (j * r);
    for (std::size_t i = 0; i < times.size(); ++i) {
        const double v = std::fmax(0.0, v0 - slowing * times[i]), w = std::fmax(0.0, c.drilling - rate * times[i]);
        testing::Message where;
        where << method << ", C = " << c.rolling << ", C_s = " << c.spinning << ", spin " << c.drilling << " rad/s, at " << times[i]
              << " s";
        const Moment& got = moments[i];
        EXPECT_NEAR(got.v.x, v, tolerance) << where;
        EXPECT_NEAR(got.v.y, 0, tolerance) << where;
        EXPECT_NEAR(r * got.w.y, v, tolerance) << where;
        EXPECT_NEAR(r * got.w.z, r * w, tolerance) << where;
    }
}

// Both moving at 40 s; the roll has ended at 70 s, the spin about the normal at 80 s: all is still at 120 s.
TEST(ResistanceOfEveryMethod, FollowsTheSameClosedForm) {
    using model::Integrator;
    const double on_sphere = ground_radius / (ground_radius + r);
    for (const double rolling : {0.0, 0.4})
        for (const double spinning : {0.0, 0.05})
            for (const double drilling : {0.0, 0.02}) {
                const Case c{rolling, spinning, drilling};
                expect_closed_form(c, 1, 1e-11 * v0, on_the_ground(c), "event-driven");
                // below the slip speed friction and resistance are proportional to the motion
                for (const Integrator integrator : {Integrator::dopri5, Integrator::verlet}) {
                    const model::Phase soft{.name = "roll", .method = "penalty", .integrator = integrator, .tolerance = 1e-5};
                    expect_closed_form(c, on_sphere, 2 * slip_speed, on_a_sphere(c, soft), "penalty");
                }
                const model::Phase rigid{
                    .name = "roll", .method = "constraint", .integrator = Integrator::verlet, .tolerance = 1e-8, .step_max = 0.1};
                expect_closed_form(c, on_sphere, 1e-6 * v0, on_a_sphere(c, rigid), "constraint");
            }
}

}  // namespace
}  // namespace asperity::dynamics::test::resistance_methods_test
