#include "asperity/model/driven.h"

#include <gtest/gtest.h>

#include <cmath>

#include "asperity/model/sources.h"

namespace asperity::model::driven_test {
namespace {

gravity::SmallBody binary(bool is_inertial) {
    gravity::SmallBody body;
    body.is_inertial = is_inertial;
    body.has_companion = true;
    body.target = {.field = {.volume = 1, .strength = 9, .scale = 1}, .spin_rate = 3e-3, .attitude = 0.4};
    body.companion = {.field = {.volume = 1, .strength = 1, .scale = 1}, .spin_rate = 2e-3, .attitude = -0.7};
    body.orbit = {.semi_major_axis = 100, .eccentricity = 0.2, .mean_motion = std::sqrt(10 / 1e6), .mean_anomaly = 0.3, .periapsis = 1.1};
    return body;
}

void expect_same(const GivenPlace& got, const gravity::Pose& wanted) {
    EXPECT_NEAR(norm(got.pose.p - wanted.centre), 0, 1e-12);
    EXPECT_NEAR(norm(got.velocity - wanted.velocity), 0, 1e-15);
    EXPECT_NEAR(got.spin.z, wanted.turn_rate, 1e-18);
    const Vec3 x = rotate(got.pose.q, {1, 0, 0});
    EXPECT_NEAR(x.x, wanted.cosine, 1e-14);
    EXPECT_NEAR(x.y, wanted.sine, 1e-14);
}

// Where contact finds a body must be where its gravity comes from.
TEST(Driven, bodies_are_where_their_gravity_is) {
    for (const double time : {0.0, 17.0, 12345.6}) {
        const gravity::SmallBody still = binary(true), turning = binary(false);
        expect_same(place_at(motion_of_companion(still), time), still.companion_pose(time));
        expect_same(place_at(motion_of_target(still), time), still.target_pose(time));
        expect_same(place_at(motion_of_companion(turning), time), turning.companion_pose(time));
        expect_same(place_at(motion_of_target(turning), time), turning.target_pose(time));
        gravity::SmallBody alone = still;
        alone.has_companion = false;
        expect_same(place_at(motion_of_target(alone), time), alone.target_pose(time));
    }
}

// Central differences of places, against velocities and spins that are told.
TEST(Driven, velocities_are_the_rates_of_places) {
    const GivenMotion motions[] = {motion_of_companion(binary(false)), motion_of_companion(binary(true)),
                                   Turning{.centre = {1, 2, 3}, .rate = {0.3, -0.2, 0.5}, .attitude = rotation({0.1, 0.9, -0.4})},
                                   Sine{.centre = {1, 0, 0}, .amplitude = {0.1, -0.2, 0.3}, .rate = 7, .phase = 0.2},
                                   Course{.times = {0, 2, 5}, .positions = {{0, 0, 0}, {1, 2, 3}, {1, -2, 3}}}};
    const double h = 1e-5;
    for (const GivenMotion& motion : motions)
        for (const double time : {0.7, 1.3, 3.1, 9.0}) {
            const GivenPlace before = place_at(motion, time - h), now = place_at(motion, time), after = place_at(motion, time + h);
            EXPECT_NEAR(norm((after.pose.p - before.pose.p) / (2 * h) - now.velocity), 0, 2e-8);
            const Vec3 e{0.6, -0.3, 0.8};
            const Vec3 turned = (rotate(after.pose.q, e) - rotate(before.pose.q, e)) / (2 * h);
            EXPECT_NEAR(norm(turned - cross(now.spin, rotate(now.pose.q, e))), 0, 1e-9);
        }
}

TEST(Driven, a_course_jumps_at_its_points_and_nowhere_else) {
    const Course course{.times = {0.3, 2, 5}, .positions = {{0, 0, 1}, {0, 0, 2}, {0, 0, -1}}};
    EXPECT_EQ(next_jump(course, 0), 0.3);
    EXPECT_EQ(next_jump(course, 0.3), 2);
    EXPECT_EQ(next_jump(course, 1.9), 2);
    EXPECT_TRUE(std::isinf(next_jump(course, 5)));
    EXPECT_EQ(next_jump(course, std::nextafter(2.0, 0.0)), 5) << "times that differ by rounding are the same";
    EXPECT_EQ(place_at(course, std::nextafter(2.0, 0.0)).velocity.z, -1);
    EXPECT_NEAR(place_at(course, just_before(2)).velocity.z, 1 / 1.7, 1e-15);
    EXPECT_EQ(place_at(course, 7).pose.p, (Vec3{0, 0, -1}));
    EXPECT_TRUE(std::isinf(next_jump(Sine{}, 0)));
}

// Two points on given orbits are the binary that gravity/small_body.h has as one formula.
TEST(Sources, two_points_make_the_binary) {
    const gravity::SmallBody both = binary(true);
    const Sources points{{PointSource{9, motion_of_target(both)}, PointSource{1, motion_of_companion(both)}}};
    for (const Vec3& p : {Vec3{30, 20, 10}, Vec3{-200, 5, 40}}) {
        const double time = 77;
        const gravity::Drive got = points.drive(p, {}, time), wanted = both.drive(p, {}, time);
        EXPECT_NEAR(norm(got.acceleration - wanted.acceleration) / norm(wanted.acceleration), 0, 1e-13);
        EXPECT_NEAR(got.power / wanted.power, 1, 1e-12);
        EXPECT_NEAR(points.potential(p, time) / both.potential(p, time), 1, 1e-14);
    }
}

// The sum is that of its parts: the slope of the potential, the rate at which it changes where it is, and the frame of the body in it.
TEST(Sources, force_is_the_slope_of_the_potential_and_power_its_rate) {
    const Sources sources{{binary(false), gravity::Uniform{{1e-4, 0, -2e-4}},
                           PointSource{2, Sine{.centre = {0, 70, 0}, .amplitude = {5, 0, 3}, .rate = 0.01}}}};
    const Vec3 p{30, -25, 12};
    const double time = 40, h = 1e-3;
    const gravity::Drive drive = sources.drive(p, {}, time);
    for (const Vec3& e : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}})
        EXPECT_NEAR(dot(e, drive.acceleration), (sources.potential(p - h * e, time) - sources.potential(p + h * e, time)) / (2 * h), 1e-11);
    EXPECT_NEAR(drive.power, (sources.potential(p, time + h) - sources.potential(p, time - h)) / (2 * h), 1e-11);
    EXPECT_EQ(sources.spin_rate({1, 0, 0}), binary(false).spin_rate({1, 0, 0}));
    EXPECT_EQ(sources.small_body()->frame_rate(), 3e-3);
}

}  // namespace
}  // namespace asperity::model::driven_test
