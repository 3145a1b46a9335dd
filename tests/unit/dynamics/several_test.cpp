// A ball on several features at once: grooves, corners, pits.
#include <gtest/gtest.h>

#include <cmath>

#include "asperity/dynamics/event_driven/touch.h"
#include "unit/dynamics/ball_run.h"

namespace asperity::dynamics::test::several_test {
namespace {

using model::EventKind;
using model::Mode;
using model::OutcomeKind;

constexpr double g = 1e-4, r = 0.05, j = 0.4;

// On both walls of a groove, at rest, over the middle of its valley line.
BallRun in_groove(double slope, double incline) {
    BallRun ball(groove(slope, incline, 60, 3));
    const Vec3 up{0, -std::sin(incline), std::cos(incline)};
    ball.put((r / std::cos(slope)) * up, {}, {});
    ball.state.contacts.add(0, model::ground, model::no_feature, Mode::several);
    ball.contact().restitution = 0;
    ball.contact().rolling_resistance = 0;
    ball.contact().friction = 2;
    return ball;
}

// A parting speed is that of the law, restitution times approach, or nothing where bouncing is over: never the rounding of a velocity.
TEST(Several, ReportedPartingSpeedsAreThoseOfTheLaw) {
    for (const double restitution : {0.0, 0.5}) {
        BallRun ball(groove(0.5, 0.1, 60, 3));
        ball.contact().restitution = restitution;
        ball.put({0.3, 2, 1.3}, {3e-3, -7e-3, 0}, {0.01, 0.02, -0.03});
        ball.run();
        int none = 0;
        for (const model::Event& e : ball.notes.of(EventKind::impact)) {
            EXPECT_TRUE(e.normal_speed_out == 0 || e.normal_speed_out == restitution * e.normal_speed_in) << e.normal_speed_out;
            none += e.normal_speed_out == 0 ? 1 : 0;
        }
        EXPECT_GT(none, 0);
        for (const model::Event& e : ball.notes.of(EventKind::settle)) EXPECT_GE(e.normal_speed_in, 0);
    }
}

// Both contacts hold, so the ball turns about the line through them, r cos(b) below its centre (b: slope of the walls), w = v / (r cos(b)):
//   (1 + j / cos^2(b)) v^2 / 2 = g sin(i) s,   so   a = g sin(i) / (1 + j / cos^2(b)).
// Constant, so every step is exact: what is left is rounding of some hundred steps.
TEST(Several, ABallRollsDownAGrooveAsTheClosedFormSays) {
    for (const double slope : {0.1, 0.5, 1.0})
        for (const double incline : {0.05, 0.3}) {
            SCOPED_TRACE(testing::Message() << "slope " << slope << ", incline " << incline);
            BallRun ball = in_groove(slope, incline);
            const Vec3 start = ball.position(), downhill{0, -std::cos(incline), -std::sin(incline)};
            const model::State first = ball.state;
            const double time = 500, a = g * std::sin(incline) / (1 + j / std::pow(std::cos(slope), 2));
            ball.model.parameters.end_time = time;
            EXPECT_EQ(ball.run().kind, OutcomeKind::timed_out);
            EXPECT_NEAR(dot(ball.velocity(), downhill), a * time, 1e-9 * a * time);
            EXPECT_NEAR(dot(ball.position() - start, downhill), 0.5 * a * time * time, 1e-9 * a * time * time);
            // turns about x, so that the lowest point moves against the ball
            EXPECT_NEAR(ball.spin().x, a * time / (r * std::cos(slope)), 1e-9 * a * time / r);
            EXPECT_EQ(ball.state.contacts.mode_of(0), Mode::several);
            EXPECT_LT(std::fabs(ball.balance(first)), 1e-12);
            EXPECT_LT(ball.state.tallies.deepest_overlap[0], 1e-9 * r);
        }
}

// Without friction it slides, a = g sin(i), and does not turn. With little friction both contacts slip: a = g (sin(i) - f cos(i) / cos(b)).
TEST(Several, ABallSlidesDownASmoothGroove) {
    for (const double f : {0.0, 0.02}) {
        const double slope = 0.7, incline = 0.4, time = 300;
        BallRun ball = in_groove(slope, incline);
        ball.contact().friction = f;
        ball.model.parameters.end_time = time;
        const model::State first = ball.state;
        ball.run();
        const double a = g * (std::sin(incline) - f * std::cos(incline) / std::cos(slope));
        EXPECT_NEAR(norm(ball.velocity()), a * time, 1e-9 * a * time) << f;
        EXPECT_LT(ball.velocity().y, 0);
        EXPECT_LT(std::fabs(ball.balance(first)), 1e-12);
        // each wall turns it by f N r, at the arm r cos(b) from the axis x
        const double spin_rate = f * g * std::cos(incline) / (j * r);
        EXPECT_NEAR(ball.spin().x, spin_rate * time, 1e-9 * time * g / r) << f;
    }
}

// Rolling resistance: the torque C r (N1 + N2) = C r g cos(i) / cos(b) holds the ball up to tan(i) = C / cos^2(b).
TEST(Several, ABallRestsInAGrooveUpToTheSlopeThatItsTorqueHolds) {
    const double slope = 0.6, C = 0.04;
    for (const double part : {0.98, 1.02}) {
        BallRun ball = in_groove(slope, std::atan(part * C / std::pow(std::cos(slope), 2)));
        ball.contact().rolling_resistance = C;
        ball.model.parameters.end_time = 2000;
        const model::Outcome outcome = ball.run();
        EXPECT_EQ(outcome.kind, part < 1 ? OutcomeKind::rest : OutcomeKind::timed_out) << part;
        if (part > 1) {
            EXPECT_LT(ball.velocity().y, 0);
        }
    }
}

// What a ball of speed v0 along a level groove does until it stands, with N_1 + N_2 = g / cos(b):
//   both contacts slip, no spin at first:  v' = -f g / cos(b),  w' = (f - C / cos(b)) g / (j r), until v = r cos(b) w; no spin at all
//                                          where f <= C / cos(b)
//   both hold:                             v' = -C g / (cos^2(b) + j)
struct GrooveStop {
    double time = 0;  // s
    double way = 0;   // m
};
GrooveStop stop_in_groove(double slope, double f, double C, double v0, bool slides_first) {
    const double c = std::cos(slope), brake = f * g / c, roll_brake = C * g / (c * c + j), turn = (f - C / c) * g / (j * r);
    if (slides_first && turn <= 0) return {v0 / brake, 0.5 * v0 * v0 / brake};
    const double slide = slides_first ? v0 / (brake + r * c * turn) : 0, v1 = v0 - brake * slide;
    return {slide + v1 / roll_brake, 0.5 * (v0 + v1) * slide + 0.5 * v1 * v1 / roll_brake};
}

// The stop is where the closed form says, for every step and every end of the run. 1e-9: events are located to rounding, of steps that are
// exact for constant accelerations; what is left is rounding of up to some thousand steps.
TEST(Several, ABallStopsInAGrooveWhenTheClosedFormSays) {
    struct Case {
        double f, C;
        bool slides_first;
    };
    for (const double slope : {0.1, 0.6})
        for (const Case& given : {Case{2, 0.04, false}, Case{0.5, 0.04, true}, Case{0.03, 0.04, true}}) {
            const double v0 = 0.003;
            const GrooveStop stop = stop_in_groove(slope, given.f, given.C, v0, given.slides_first);
            for (const double step_max : {HUGE_VAL, 10.0, 1.0})
                for (const double end_time : {stop.time + 1e-3, 1e5}) {
                    SCOPED_TRACE(testing::Message()
                                 << "slope " << slope << ", f " << given.f << ", step " << step_max << ", end " << end_time);
                    BallRun ball = in_groove(slope, 0);
                    ball.contact().friction = given.f;
                    ball.contact().rolling_resistance = given.C;
                    ball.state.bodies.velocity[0] = {0, v0, 0};
                    if (!given.slides_first) ball.state.bodies.spin[0] = {-v0 / (r * std::cos(slope)), 0, 0};
                    ball.model.parameters.phases[0].step_max = step_max;
                    ball.model.parameters.end_time = end_time;
                    const model::State first = ball.state;
                    const model::Outcome outcome = ball.run();
                    ASSERT_EQ(outcome.kind, OutcomeKind::rest) << outcome.message;
                    EXPECT_NEAR(outcome.time, stop.time, 1e-9 * stop.time);
                    EXPECT_NEAR(ball.position().y, stop.way, 1e-9 * stop.way);
                    EXPECT_LT(std::fabs(ball.balance(first)), 1e-12);
                }
        }
}

// Up a groove steeper than its torque holds (tan(i) = C / cos^2(b)): it stands for an instant and rolls back. That is no rest. On a
// gentler one it stays where it stopped.
TEST(Several, ABallThatTurnsBackInAnInclinedGrooveIsNotAtRest) {
    const double slope = 0.6, C = 0.04, v0 = 0.002;
    for (const double part : {0.9, 1.1}) {
        const double c = std::cos(slope), incline = std::atan(part * C / (c * c));
        BallRun ball = in_groove(slope, incline);
        ball.contact().rolling_resistance = C;
        const Vec3 uphill{0, std::cos(incline), std::sin(incline)};
        ball.state.bodies.velocity[0] = v0 * uphill;
        ball.state.bodies.spin[0] = {-v0 / (r * c), 0, 0};
        const double brake = g * (std::sin(incline) + C * std::cos(incline) / (c * c)) / (1 + j / (c * c)), top = v0 / brake;
        ball.model.parameters.end_time = 3 * top;
        const Vec3 start = ball.position();
        const model::Outcome outcome = ball.run();
        if (part < 1) {
            EXPECT_EQ(outcome.kind, OutcomeKind::rest);
            EXPECT_NEAR(outcome.time, top, 1e-9 * top);
            continue;
        }
        EXPECT_EQ(outcome.kind, OutcomeKind::timed_out);
        EXPECT_FALSE(ball.notes.has(EventKind::rest));
        const double back = g * (std::sin(incline) - C * std::cos(incline) / (c * c)) / (1 + j / (c * c));
        EXPECT_NEAR(dot(ball.velocity(), uphill), -back * 2 * top, 1e-9 * v0);
        EXPECT_NEAR(dot(ball.position() - start, uphill), 0.5 * v0 * top - 2 * back * top * top, 1e-9 * v0 * top);
    }
}

// It falls in from above, off the middle, hops from wall to wall, and ends on both.
TEST(Several, ABallThatFallsIntoALevelGrooveEndsOnBothWalls) {
    BallRun ball(groove(0.8, 0, 30, 3));
    ball.contact().restitution = 0.4;
    ball.put({0.21, 1, 1.5}, {0.001, 0.003, -0.002}, {});
    const model::State first = ball.state;
    const model::Outcome outcome = ball.run();
    EXPECT_EQ(outcome.kind, OutcomeKind::rest);
    const event_driven::TouchSet set = event_driven::touched_features(ball.assets->surface.view(), ball.position(), r, 1e-9 * r);
    EXPECT_EQ(set.touching.count, 2);
    EXPECT_NEAR(ball.position().x, 0, 1e-9);
    EXPECT_LT(std::fabs(ball.balance(first)), 1e-9);
    EXPECT_LT(ball.state.tallies.deepest_overlap[0], 1e-9 * r);
}

// Too slippery for its walls to hold it anywhere else, the ball goes to the bottom and rests on three facets.
TEST(Several, ABallInAPitRestsOnThreeFeatures) {
    for (const double f : {0.0, 0.1, 0.3}) {
        BallRun ball(geometry::generate(geometry::PitWorld{}));
        ball.contact().friction = f;
        ball.contact().rolling_resistance = 0.01;
        ball.put({0.5, 0.3, 0}, {0.002, -0.001, -0.001}, {0.1, 0, 0.2});
        const model::State first = ball.state;
        const model::Outcome outcome = ball.run();
        EXPECT_EQ(outcome.kind, OutcomeKind::rest) << f << ": " << outcome.message;
        const event_driven::TouchSet set = event_driven::touched_features(ball.assets->surface.view(), ball.position(), r, 1e-9 * r);
        EXPECT_EQ(set.touching.count, 3) << f;
        EXPECT_EQ(ball.velocity(), (Vec3{})) << f;
        EXPECT_LT(std::fabs(ball.balance(first)), 1e-9) << f;
        EXPECT_LT(ball.state.tallies.deepest_overlap[0], 1e-9 * r) << f;
    }
}

// A ball rolls along a plane into a wall at a right angle to it, e = 0: it stops there, on both. The wall is hit once, at the closed form.
TEST(Several, ABallThatRollsIntoAWallHitsItWhereItsRadiusSays) {
    BallRun ball(geometry::RawMesh{{{-5, -5, 0}, {2, -5, 0}, {2, 5, 0}, {-5, 5, 0}, {2, -5, 3}, {2, 5, 3}},
                                   {{0, 1, 2}, {0, 2, 3}, {1, 4, 5}, {1, 5, 2}}});
    ball.contact().restitution = 0.5;
    ball.contact().rolling_resistance = 0.001;
    const double v0 = 0.01;
    ball.put_on_surface({-1, 0, r}, {v0, 0, 0}, {0, v0 / r, 0});
    const model::State first = ball.state;
    ball.run();
    const auto impacts = ball.notes.of(EventKind::impact);
    ASSERT_FALSE(impacts.empty());
    const double a = 0.001 * g / (1 + j), way = 3 - r, speed = std::sqrt(v0 * v0 - 2 * a * way);
    EXPECT_NEAR(impacts[0].position.x, 2 - r, 1e-12);
    EXPECT_NEAR(impacts[0].time, (v0 - speed) / a, 1e-9 * way / v0);
    EXPECT_NEAR(impacts[0].normal_speed_in, speed, 1e-10 * v0);
    EXPECT_NEAR(impacts[0].velocity.x, -0.5 * speed, 1e-10 * v0);  // back
    EXPECT_EQ(impacts[0].normal, (Vec3{-1, 0, 0}));
    // the spin climbs the wall: friction there, up to f N, lifts it
    EXPECT_GT(impacts[0].velocity.z, 0);
    EXPECT_LT(std::fabs(ball.balance(first)), 1e-11);
}

// Without rolling resistance the ball runs along the bottom of the gutter at a constant speed, in steps as long as the gutter: it must
// still meet the incline at its end, and run back and forth without loss but for impacts. With bouncy walls it hops from one to the other
// on the way; a cycle of such hops that feeds on rounding would take millions of impacts.
TEST(Several, ABallWithoutRollingResistanceMissesNoFacetOfTheGutter) {
    for (const double e : {0.0, 0.55, 0.8, 0.9}) {
        BallRun ball(geometry::generate(geometry::GutterWorld{}));
        ball.contact().restitution = e;
        ball.contact().friction = 0.85;
        ball.contact().rolling_resistance = 0;
        ball.put({0, -1.3, 0.06}, {0, 0.004, 0}, {});
        ball.model.parameters.end_time = 2000;
        const model::State first = ball.state;
        const model::Outcome outcome = ball.run();
        EXPECT_EQ(outcome.kind, OutcomeKind::timed_out) << e << ": " << outcome.message;
        EXPECT_LT(std::fabs(ball.balance(first)), 1e-9) << e;
        EXPECT_LT(ball.state.tallies.deepest_overlap[0], 1e-9 * ball.model.parameters.bodies[0].radius()) << e;
        EXPECT_LT(ball.state.tallies.impacts[0], 5000) << e;
    }
}

// A ball that has hit a wall without restitution falls down along it, touching it, without any load: a free fall.
TEST(Several, ABallFallsFreelyAlongAWallThatItTouches) {
    BallRun ball(geometry::generate(geometry::TableWorld{}));
    ball.contact().restitution = 0;
    ball.contact().friction = 0;
    const double g = 1e-4, r = ball.model.parameters.bodies[0].radius();
    ball.put({-5, 17, 10}, {-0.05, 0.003, 0.01}, {});
    ball.model.parameters.end_time = 1e4;
    const model::State first = ball.state;
    const model::Outcome outcome = ball.run();
    const auto impacts = ball.notes.of(EventKind::impact);
    ASSERT_GE(impacts.size(), 2U) << outcome.message;
    const double wall = impacts[0].time, up = 0.01 - g * wall, at = impacts[0].position.z, floor = impacts[1].position.z - r;
    EXPECT_NEAR(impacts[1].time, wall + (up + std::sqrt(up * up + 2 * g * (at - r - floor))) / g, 1e-9 * impacts[1].time);
    EXPECT_NE(outcome.kind, OutcomeKind::stalled) << outcome.message;
    EXPECT_LT(std::fabs(ball.balance(first)), 1e-9);
}

}  // namespace
}  // namespace asperity::dynamics::test::several_test
