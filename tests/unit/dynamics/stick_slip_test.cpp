// Two coefficients of friction, at rest and in motion (2-touchdown), against closed forms: both for friction by slip speed, which creeps,
// and for springs, which hold.
#include <cmath>

#include "asperity/laws/contact/soft_law.h"
#include "unit/dynamics/soft_scene.h"

namespace asperity::dynamics::stick_slip_test {
namespace {

constexpr double g = 3.7132, degree = pi / 180;
const double at_rest = std::tan(32 * degree), in_motion = std::tan(27 * degree);

laws::PairLaw stick_slip(laws::Sliding sliding) {
    laws::PairLaw law{.restitution = 0.1, .friction = in_motion, .static_friction = at_rest, .kinetic_speed = 0.02, .stiffness = 1e5};
    law.slip_speed = 0.01;
    std::get<laws::SlidingSprings>(law.forces).sliding = sliding;
    return law;
}

// 1 kg on four feet low below its centre, pressed in by its own weight.
Scene block_on_slope(double angle, laws::Sliding sliding, double speed) {
    Scene scene = ball_over_plane({g * std::sin(angle), 0, -g * std::cos(angle)}, {}, {speed, 0, 0});
    model::BodyKind block{.mass = 1, .semi_axes = {0.2, 0.2, 0.1}, .inertia = {0.01, 0.01, 0.02}};
    block.colliders = {{.shape = model::Markers{{{-0.2, -0.2, -0.05}, {0.2, -0.2, -0.05}, {0.2, 0.2, -0.05}, {-0.2, 0.2, -0.05}}}}};
    scene.world().bodies = rows({block});
    scene.law() = stick_slip(sliding);
    scene.state.bodies.position = {{0, 0, 0.05 - g * std::cos(angle) / (4 * scene.law().stiffness)}};
    scene.phase.integrator = model::Integrator::rk4;
    scene.phase.step_max = 4e-4;
    return scene;
}

TEST(StickSlip, TheCoefficientFallsFromRestToMotion) {
    laws::SoftContact law = laws::SoftLaw(stick_slip(laws::Sliding::slip_speed)).between(1, 0);
    for (const double speed : {0.0, 0.003, 0.01}) EXPECT_EQ(law.friction_at(speed), at_rest);
    EXPECT_NEAR(law.friction_at(0.0125), 0.75 * at_rest + 0.25 * in_motion, 1e-15);
    for (const double speed : {0.02, 1.0, 1e9}) EXPECT_EQ(law.friction_at(speed), in_motion);
    law = laws::SoftLaw(stick_slip(laws::Sliding::spring)).between(1, 0);  // springs have no slip speed
    EXPECT_EQ(law.friction_at(0), at_rest);
    EXPECT_NEAR(law.friction_at(0.01), 0.5 * (at_rest + in_motion), 1e-15);
}

// Springs: at rest it stays up to 32 degrees; in motion it stops below 27 degrees, after v^2 / (2 g (mu cos - sin)), and never above.
TEST(StickSlip, WhatRestsStaysUpToTheOneAngleAndWhatSlidesStopsBelowTheOther) {
    for (const auto& [slope, speed, rests] : {std::tuple{30.0, 0.0, true}, {33.0, 0.0, false}, {25.0, 1.0, true}, {29.0, 1.0, false}}) {
        SCOPED_TRACE(testing::Message() << slope << " deg from " << speed << " m/s");
        const double angle = slope * degree, braking = g * (in_motion * std::cos(angle) - std::sin(angle));
        Scene scene = block_on_slope(angle, laws::Sliding::spring, speed);
        Books books(1e9);
        const double end = rests ? 10 : 1;
        scene.run(end, books);
        EXPECT_EQ(scene.outcome.has_value(), rests);
        const Vec3 place = scene.state.bodies.position[0], velocity = scene.state.bodies.velocity[0];
        if (rests && speed == 0) {
            EXPECT_LT(std::fabs(place.x), 1e-4);  // the springs take m g sin / (4 k_t) = 1.6e-5 m and their swing
        } else if (rests) {
            // below 2 cm/s it is braked harder: v^2 / (2 a) of that speed, 1e-3 m, at most
            EXPECT_NEAR(place.x, speed * speed / (2 * braking), 1e-3);
        } else {
            EXPECT_GT(velocity.x, speed);  // at 29 deg the difference of both forces is all that speeds it up
            if (speed > 0) {
                EXPECT_NEAR(velocity.x, speed - braking * end, 1e-4);  // feet load and unload with their swing at the start
            }
        }
    }
}

// Friction by slip speed: what is slow creeps with tan(slope) / mu_s V, at any slope up to the angle at rest; what is fast slides on.
TEST(StickSlip, BetweenBothAnglesBothCreepingAndSlidingAreSteady) {
    for (const double slope : {22.0, 30.0}) {
        const double angle = slope * degree;
        Scene scene = block_on_slope(angle, laws::Sliding::slip_speed, 0);
        Books books(1e9);
        while (scene.state.clock.time() < 0.5) {  // it counts as at rest before the last thousandth of the creep is reached
            scene.state.stepper.slow_since = -1;
            scene.run(0.5, books);
        }
        const double creep = std::tan(angle) / at_rest * scene.law().slip_speed;
        EXPECT_NEAR(scene.state.bodies.velocity[0].x / creep, 1, 1e-9) << slope;
    }
    Scene scene = block_on_slope(30 * degree, laws::Sliding::slip_speed, 0.1);
    Books books(1e9);
    scene.run(2, books);
    EXPECT_GT(scene.state.bodies.velocity[0].x, 0.5);
}

TEST(StickSlip, EnergyNeverGrows) {
    for (const laws::Sliding sliding : {laws::Sliding::slip_speed, laws::Sliding::spring}) {
        Scene scene = block_on_slope(25 * degree, sliding, 0.3);
        scene.phase.integrator = model::Integrator::dopri5;
        scene.phase.step_max = std::numeric_limits<double>::infinity();
        Books books(0.1);
        scene.run(1, books);
        EXPECT_LT(books.drift(), 1e-6) << static_cast<int>(sliding);
    }
}

}  // namespace
}  // namespace asperity::dynamics::stick_slip_test
