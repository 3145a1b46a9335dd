// A ball on an edge and on a vertex: the centripetal term, slip, and separation.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "unit/dynamics/ball_run.h"

namespace asperity::dynamics::test::edge_test {
namespace {

using model::EventKind;

constexpr double g = 1e-4, r = 0.05, j = 0.4;
constexpr double degree = M_PI / 180;

double bisected(const std::function<double(double)>& f, double a, double b) {
    const bool is_up = f(a) > 0;
    for (int k = 0; k < 200; ++k) ((f(0.5 * (a + b)) > 0) == is_up ? a : b) = 0.5 * (a + b);
    return a;
}

// Without slip: energy (1 + j) v^2 / 2 and N = g cos(t) - v^2 / r = 0 give cos(t) = (2 + (1 + j) v0^2 / (g r)) / (3 + j). 1-landers 8.29,
// with v0.
double no_slip_angle(double v0) { return std::acos((2 + (1 + j) * v0 * v0 / (g * r)) / (3 + j)); }

// With friction f the grip ends before N = 0, where (j / (1 + j)) g sin(t) = f N. From there on it slides: with V = v^2,
//   dV/dt = 2 f V + 2 r g (sin(t) - f cos(t)),  V = A exp(2 f t) + B sin(t) + D cos(t).
double separation_angle(double v0, double f) {
    const auto gripped = [&](double t) { return v0 * v0 + 2 * g * r * (1 - std::cos(t)) / (1 + j); };
    const double slips = bisected([&](double t) { return f * (g * std::cos(t) - gripped(t) / r) - j / (1 + j) * g * std::sin(t); }, 0, 1.2);
    const double B = -6 * f * r * g / (1 + 4 * f * f), D = r * g * (4 * f * f - 2) / (1 + 4 * f * f);
    const double A = gripped(slips) - B * std::sin(slips) - D * std::cos(slips);
    const auto sliding = [&](double t) { return A * std::exp(2 * f * (t - slips)) + B * std::sin(t) + D * std::cos(t); };
    return bisected([&](double t) { return g * std::cos(t) - sliding(t) / r; }, slips, slips + 5 / f);
}

BallRun over_the_edge(double v0, double f) {
    BallRun ball(geometry::generate(geometry::TableWorld{}));
    ball.contact().friction = f;
    ball.contact().rolling_resistance = 0;
    ball.put_on_surface({-11.111, 4, 50.0 / 3 + r}, {v0, 0, 0}, {0, v0 / r, 0});
    return ball;
}

double measured_angle(const BallRun& ball) {
    const auto separations = ball.notes.of(EventKind::separation);
    if (separations.empty()) return NAN;
    const Vec3 offset = separations[0].position - Vec3{-11.111, 4, 50.0 / 3};
    EXPECT_NEAR(norm(Vec3{offset.x, 0, offset.z}), r, 1e-12);
    return std::atan2(offset.x, offset.z);  // positive: over the side of the wall
}

TEST(Edge, TheClosedFormsAreThoseOfTheThesisAndOfTheErrata) {
    EXPECT_NEAR(no_slip_angle(0) / degree, 53.968, 5e-4);                 // 1-landers 8.30
    EXPECT_NEAR(separation_angle(1e-4, 50) / degree, 53.896, 5e-4);       // errata: the thesis's own case, with its slip
    EXPECT_NEAR(separation_angle(1e-4, 1e6), no_slip_angle(1e-4), 1e-7);  // one tends to the other
}

// 1e-9 rad: the tolerance of a step is 1e-12, over some hundred steps.
TEST(Edge, TheBallOfTheThesisLeavesTheEdgeAtTheClosedForm) {
    BallRun ball = over_the_edge(1e-4, 50);
    ball.model.parameters.end_time = 300;
    ball.run();
    EXPECT_NEAR(measured_angle(ball), separation_angle(1e-4, 50), 1e-9);
    EXPECT_TRUE(ball.notes.has(EventKind::slide));  // the grip ends before the contact does
}

TEST(Edge, TheReleaseAngleTendsToThatOfABallFromRest) {
    for (const double v0 : {1e-5, 1e-6, 1e-7}) {
        BallRun ball = over_the_edge(v0, 1e5);
        ball.model.parameters.end_time = 3000;
        ball.run();
        const double angle = measured_angle(ball);
        EXPECT_NEAR(angle, separation_angle(v0, 1e5), 1e-8) << v0;
        EXPECT_NEAR(angle / degree, 53.968, 1e-3) << v0;
    }
}

// Slides off a smooth edge: cos(t) = 2/3 + v0^2 / (3 g r), and does not turn.
TEST(Edge, WithoutFrictionTheBallLeavesAsAPointWould) {
    BallRun ball = over_the_edge(1e-4, 0);
    ball.state.bodies.spin[0] = {};
    ball.state.contacts.mode[0] = model::Mode::slide;
    ball.model.parameters.end_time = 300;
    ball.run();
    EXPECT_NEAR(measured_angle(ball), std::acos(2.0 / 3 + 1e-8 / (3 * g * r)), 1e-9);
    EXPECT_EQ(ball.spin(), (Vec3{}));
}

// Without friction the motion along the ridge, over the ends of its edges, and the motion around it know nothing of each other.
TEST(Edge, MotionAlongTheRidgeChangesNothingOfTheMotionAroundIt) {
    for (const double along : {-50.0, -1.0, 0.01, 0.1, 1.0, 10.0}) {
        BallRun ball = over_the_edge(1e-4, 0);
        ball.state.bodies.spin[0] = {};
        ball.state.bodies.velocity[0].y = along;
        ball.model.parameters.end_time = std::fmin(120, 20 / std::fabs(along));  // as long as the ridge is
        ball.run();
        BallRun still = over_the_edge(1e-4, 0);
        still.state.bodies.spin[0] = {};
        still.model.parameters.end_time = ball.model.parameters.end_time;
        still.run();
        ASSERT_DOUBLE_EQ(ball.state.clock.time(), ball.model.parameters.end_time) << along;
        EXPECT_NEAR(norm(ball.position() - still.position() - Vec3{0, along * ball.state.clock.time(), 0}), 0, 1e-9 * r) << along;
    }
}

// A ball too fast to hold on, v^2 > g r, leaves the plateau where it ends.
TEST(Edge, AFastBallDoesNotFollowTheEdge) {
    BallRun ball = over_the_edge(1.01 * std::sqrt(g * r), 50);
    ball.model.parameters.end_time = 10;
    ball.run();
    EXPECT_NEAR(measured_angle(ball), 0, 1e-10);  // borders are found to 1e-11 r
    BallRun slow = over_the_edge(0.99 * std::sqrt(g * r), 50);
    slow.model.parameters.end_time = 100;
    slow.run();
    EXPECT_GT(measured_angle(slow), 0.01);
}

// A roll over the tip of a cone-like peak: the same angle as over an edge, in every direction.
TEST(Edge, OverAVertexTheReleaseAngleIsThatOfAnEdge) {
    for (const double heading : {0.0, 0.3, 1.1}) {
        const double steep = 5;  // sides at 79 degrees
        BallRun ball(geometry::RawMesh{{{0, 0, 0}, {1, 0, -steep}, {0, 1, -steep}, {-1, 0, -steep}, {0, -1, -steep}},
                                       {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 1}}});
        const Vec3 along{std::cos(heading), std::sin(heading), 0};
        const double v0 = 1e-4;
        ball.contact().friction = 50;
        ball.contact().rolling_resistance = 0;
        ball.put_on_surface({0, 0, r}, v0 * along, (v0 / r) * cross(Vec3{0, 0, 1}, along));
        ball.model.parameters.end_time = 300;
        ball.run();
        const auto separations = ball.notes.of(EventKind::separation);
        ASSERT_FALSE(separations.empty());
        const Vec3 offset = separations[0].position;
        EXPECT_NEAR(std::atan2(dot(offset, along), offset.z), separation_angle(v0, 50), 1e-9) << heading;
        EXPECT_NEAR(dot(offset, cross(Vec3{0, 0, 1}, along)), 0, 1e-12);  // it does not leave its plane
    }
}

// A slide that ends while the ball turns about the edge ends once: with spin about the normal, which turns on with the ball, a last bit of
// slip must be taken out at the place where the slide ends. It came back, ended and came back thousands of times.
TEST(Edge, ASlideOfASpinningBallEndsOnce) {
    const double v0 = 0.3 * std::sqrt(g * r);
    for (const double about : {0.0, 0.4, -2.5}) {
        BallRun ball = over_the_edge(v0, 0.6);
        ball.put_on_surface({-11.111, 4, 50.0 / 3 + r}, {v0, 0.2 * v0, 0}, {-0.2 * v0 / r, 1.01 * v0 / r, about * v0 / r});
        ball.model.parameters.end_time = 100;
        ball.run();
        const auto rolls = ball.notes.of(EventKind::roll), separations = ball.notes.of(EventKind::separation);
        ASSERT_FALSE(separations.empty()) << about;
        EXPECT_EQ(rolls.size(), 1u) << about;
    }
}

// Around a vertex of Itokawa: the edge from vertex 3 ends there, and the facet {2, 0, 5} beyond it rises. When the ball comes onto the edge
// it is below the plane of that facet, and rises towards that plane, but it comes over the facet before it is there: it hits it, and did
// not before it had sunk by 2e-4 of its radius.
TEST(Edge, AFacetBehindItsEndIsHitFromBelowItsPlane) {
    const double radius = 0.125;
    for (const double fast : {0.8, 0.9, 1.0, 1.1}) {
        BallRun ball(geometry::RawMesh{{{0, 0, 0},
                                        {-2.240068, -2.524739, -0.139062},
                                        {-1.654376, -1.045957, 1.783385},
                                        {-0.507213, -1.501647, -1.933946},
                                        {1.550052, 1.074473, -1.754624},
                                        {0.566593, 1.473706, 1.916220},
                                        {1.991648, 2.584530, 0.179493}},
                                       {{1, 0, 2}, {1, 3, 0}, {3, 4, 0}, {2, 0, 5}, {0, 6, 5}, {0, 4, 6}}});
        ball.model.parameters.bodies.kinds[0] = model::sphere_kind(radius, 10);
        ball.model.parameters.environment.field = gravity::Uniform{{-5.229e-5, 3.878e-5, -6.421e-6}};
        ball.model.parameters.phases[0].tolerance = 1e-9;
        ball.contact().friction = 0.75;
        ball.contact().rolling_resistance = 0.035;
        const Vec3 start{0.091835972, -0.078518572, 0.032232253}, v = fast * Vec3{-0.00153205, -0.000868833, 0.00215551};
        const Vec3 n = unit(start - geometry::nearest(ball.assets->surface.view(), start).point);
        ball.put_on_surface(start, tangential(v, n), cross(n, v) / radius);
        ball.model.parameters.end_time = 5;
        ball.run();
        EXPECT_TRUE(ball.notes.has(EventKind::impact)) << fast;
        EXPECT_LT(ball.state.tallies.deepest_overlap[0], 1e-9 * radius) << fast;
    }
}

}  // namespace
}  // namespace asperity::dynamics::test::edge_test
