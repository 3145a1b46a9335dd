#include "asperity/laws/contact/impact.h"

#include <gtest/gtest.h>

#include <cmath>

namespace asperity::laws::test::impact_test {
namespace {

// 1-landers, Table 8.1: a ball falls from z = 20 m at (1, 0, -2.3) cm/s onto a plane, g = 1e-4 m/s^2.
constexpr double radius = 0.05, j = 0.4, e = 0.5, friction = 0.6, rolling = 0.04, v0 = 0.01;
const double fall_speed = std::sqrt(0.023 * 0.023 + 2 * 1e-4 * (20 - radius));
const BallShape ball{.radius = radius, .inertia_factor = j};

Impulses first_impact(RollingLaw law) {
    Touching touch;
    touch.count = 1;
    touch.normal[0] = {0, 0, 1};
    touch.target[0] = e * fall_speed;
    const PairLaw surface{.restitution = e, .friction = friction, .rolling_resistance = rolling, .rolling_law = law};
    return resolve_impact(touch, {{v0, 0, -fall_speed}, {}}, ball, surface);
}

// The ball sticks, r w = v, under the torque impulse C r J: j r^2 w = r (v0 - r w) - C r J. Positive about y: it rolls on, along x.
TEST(Impact, CoupledLeavesTheSpinOfTheClosedFormInTable81) {
    const double J = (1 + e) * fall_speed;
    const double expected = (radius * v0 - rolling * radius * J) / ((1 + j) * radius * radius);
    EXPECT_NEAR(expected, 0.0852, 5e-5);  // the errata's digits
    const Impulses got = first_impact(RollingLaw::coupled);
    EXPECT_NEAR(got.after.w.y, expected, 1e-14);
    EXPECT_NEAR(got.after.v.x, radius * expected, 1e-15);
    EXPECT_NEAR(got.after.v.z, e * fall_speed, 1e-16);
    EXPECT_EQ(got.after.w.x, 0);
    EXPECT_EQ(got.after.w.z, 0);
}

// The published analytical digits of Table 8.2, first impact: omega = 0.1140470680887 rad/s, xdot = 0.005702353404435 m/s. All printed.
TEST(Impact, PublishedLeavesTheSpinOfTable82) {
    const Impulses got = first_impact(RollingLaw::published);
    EXPECT_NEAR(got.after.w.y, 0.1140470680887, 5e-14);
    EXPECT_NEAR(got.after.v.x, 0.005702353404435, 5e-16);
}

// C r J = 2.0e-4 m^2/s exceeds j r^2 w = 1.4e-4: the torque takes all of the spin, and the force all of the speed.
TEST(Impact, ThesisStopsTheBallInTable81) {
    const Impulses got = first_impact(RollingLaw::thesis);
    EXPECT_NEAR(got.after.w.y, 0, 1e-16);
    EXPECT_NEAR(got.after.v.x, 0, 1e-17);
    EXPECT_GT(got.after.v.z, 0);  // it stops rolling, not bouncing
}

// Effect: without rolling resistance the spin is r v0 / ((1 + j) r^2), and the laws are one.
TEST(Impact, WithoutRollingResistanceAllLawsAgree) {
    Touching touch;
    touch.count = 1;
    touch.normal[0] = {0, 0, 1};
    touch.target[0] = e * fall_speed;
    for (const RollingLaw law : {RollingLaw::coupled, RollingLaw::thesis, RollingLaw::published}) {
        const PairLaw surface{.restitution = e, .friction = friction, .rolling_resistance = 0, .rolling_law = law};
        const Impulses got = resolve_impact(touch, {{v0, 0, -fall_speed}, {}}, ball, surface);
        EXPECT_NEAR(got.after.w.y, v0 / ((1 + j) * radius), 1e-15);
        EXPECT_EQ(got.heat_rolling, 0);
    }
}

// A glancing blow slips all through: F = f J against the slip, w = f J / (j r). 1-landers 8.8.
TEST(Impact, AGlancingBlowIsLimitedByFriction) {
    Touching touch;
    touch.count = 1;
    touch.normal[0] = {0, 0, 1};
    touch.target[0] = 0.005;
    const PairLaw surface{.restitution = 0.5, .friction = 0.3};
    const Impulses got = resolve_impact(touch, {{1, 0, -0.01}, {}}, ball, surface);
    EXPECT_NEAR(got.after.v.x, 1 - 0.3 * 0.015, 1e-15);
    EXPECT_NEAR(got.after.w.y, 0.3 * 0.015 / (j * radius), 1e-14);
    EXPECT_GT(got.heat_friction, 0);
}

// 1-landers 8.3.2: friction switched off in impacts; only the normal velocity changes.
TEST(Impact, WithoutImpactFrictionOnlyTheNormalVelocityChanges) {
    Touching touch;
    touch.count = 1;
    touch.normal[0] = {0, 0, 1};
    touch.target[0] = 0.005;
    const Motion before{{1, 0.5, -0.01}, {0.1, 2, 3}};
    for (const RollingLaw law : {RollingLaw::coupled, RollingLaw::thesis, RollingLaw::published}) {
        const PairLaw surface{.restitution = 0.5, .friction = 0.3, .rolling_resistance = 0.1, .rolling_law = law, .impact_friction = false};
        const Impulses got = resolve_impact(touch, before, ball, surface);
        EXPECT_EQ(got.after.v.x, before.v.x);
        EXPECT_EQ(got.after.v.y, before.v.y);
        EXPECT_NEAR(got.after.v.z, 0.005, 1e-17);
        EXPECT_EQ(got.after.w, before.w);
    }
}

// A hollow or layered ball: rounds of friction against rolling converge like 1 / (1 + j), slowly for a small j. The end is exact still:
// strong friction and strong rolling resistance take all the motion along the wall.
TEST(Impact, ABallWithAlmostNoInertiaIsHeldExactly) {
    Touching touch;
    touch.count = 1;
    touch.normal[0] = {0, 0, 1};
    for (const double small : {0.4, 0.05, 0.01, 1e-3}) {
        const Impulses got =
            resolve(touch, {{0.3, -0.1, -1}, {2, 1, 0}}, {}, {.radius = radius, .inertia_factor = small}, {.friction = 5, .rolling = 5});
        EXPECT_TRUE(got.is_converged) << small;
        EXPECT_LT(norm(got.after.v), 1e-11) << small;  // Newton's method ends at 1e-12
        EXPECT_LT(radius * norm(got.after.w), 1e-11) << small;
    }
}

// On backspin the force at the centre (8) pushes forwards. Nearly without friction the ball comes out with more energy: thesis, not
// coupled.
TEST(Impact, BackspinAddsEnergyUnderThesisAndNeverUnderCoupled) {
    Touching touch;
    touch.count = 1;
    touch.normal[0] = {0, 0, 1};
    const Motion before{{1, 0, -1}, {0, -1, 0}};  // moves along x, turns the other way
    PairLaw surface{.friction = 0.001, .rolling_resistance = 0.01, .rolling_law = RollingLaw::thesis};
    const Impulses thesis = resolve_impact(touch, before, ball, surface);
    EXPECT_GT(thesis.after.v.x, 1);  // pushed forwards
    EXPECT_LT(thesis.heat_rolling, 0);
    EXPECT_LT(thesis.heat_friction + thesis.heat_rolling, 0);
    surface.rolling_law = RollingLaw::coupled;
    const Impulses coupled = resolve_impact(touch, before, ball, surface);
    EXPECT_LT(coupled.after.v.x, 1);
    EXPECT_GT(coupled.heat_rolling, 0);
}

}  // namespace
}  // namespace asperity::laws::test::impact_test
