// Forces on a contact manifold: against the impulses of a short implicit step (impact.h), which knows no modes.
#include "asperity/laws/contact/manifold.h"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/laws/random_contacts.h"

namespace asperity::laws::test::manifold_test {
namespace {

constexpr unsigned seed = 20261128;

// Two or three flat walls, gentle enough for friction not to wedge the ball, under a pull into them.
struct RandomManifold {
    BallShape ball;
    Limits limits;
    Manifold manifold;
    Vec3 pull;
};

RandomManifold random_manifold(Draw& draw, int count) {
    RandomManifold out;
    out.ball = {.radius = draw.power(1e-2, 10), .inertia_factor = draw.between(0.1, 2.0 / 3)};
    out.limits = {.friction = draw.between(0.05, 0.5), .rolling = draw.between(0, 0.1)};
    const Vec3 up = draw.direction(), side = unit(tangential(draw.direction(), up)), other = cross(up, side);
    out.manifold.count = count;
    for (int i = 0; i < count; ++i) {
        const double angle = 2 * M_PI * i / count + draw.between(-0.3, 0.3), slope = draw.between(0.2, 0.7);
        out.manifold.touch[i].normal = unit(std::cos(slope) * up + std::sin(slope) * (std::cos(angle) * side + std::sin(angle) * other));
    }
    out.pull = draw.power(1e-5, 10) * unit(0.1 * draw.direction() - up);
    return out;
}

// Expects the rates of forces_on() to be those of an implicit step of h, of order one: the error falls with h. Speeds are sqrt(a r), so the
// directions of slip turn by about h sqrt(a / r) in a step; fifty times that covers slopes and friction as drawn above.
void expect_rates(const RandomManifold& given, const Motion& m) {
    const double r = given.ball.radius, a = norm(given.pull), part = 1e-6, h = part * std::sqrt(r / a);
    const ManifoldForces forces = forces_on(given.manifold, m, given.pull, {}, given.ball, given.limits);
    ASSERT_TRUE(forces.is_solved);
    Touching touch;
    touch.count = given.manifold.count;
    for (int i = 0; i < touch.count; ++i) touch.normal[i] = given.manifold.touch[i].normal;
    const Impulses push = resolve(touch, m, h * given.pull, given.ball, given.limits);
    ASSERT_TRUE(push.is_converged);
    EXPECT_LT(norm((push.after.v - m.v) / h - forces.v_rate), 50 * part * a);
    EXPECT_LT(r * norm((push.after.w - m.w) / h - forces.w_rate), 50 * part * a / given.ball.inertia_factor);
    for (int i = 0; i < touch.count; ++i) EXPECT_NEAR(push.normal[i] / h, forces.normal[i], 50 * part * a);
    EXPECT_NEAR(push.heat_friction / h, forces.heat_friction, 50 * part * a * std::sqrt(a * r));
    EXPECT_NEAR(push.heat_rolling / h, forces.heat_rolling, 50 * part * a * std::sqrt(a * r));
}

void let_all_slip(const Motion& m, double radius, Manifold& manifold) {
    for (int i = 0; i < manifold.count; ++i) {
        manifold.slips[i] = true;
        manifold.slip_direction[i] = unit(tangential(slip(m, manifold.touch[i].normal, radius), manifold.touch[i].normal));
    }
    manifold.turns = true;
    manifold.axis = unit(m.w);
}

TEST(Manifold, SlippingContactsAgreeWithAShortImplicitStep) {
    Draw draw(seed);
    int closed = 0;
    for (int k = 0; k < 2000; ++k) {
        SCOPED_TRACE(testing::Message() << "seed " << seed << ", case " << k);
        RandomManifold given = random_manifold(draw, draw.whole(2, 3));
        const double r = given.ball.radius, speed = std::sqrt(norm(given.pull) * r);
        Motion m{{}, (speed / r) * draw.direction()};
        if (given.manifold.count == 2)
            m.v = draw.between(-1, 1) * speed * unit(cross(given.manifold.touch[0].normal, given.manifold.touch[1].normal));
        let_all_slip(m, r, given.manifold);
        const ManifoldForces forces = forces_on(given.manifold, m, given.pull, {}, given.ball, given.limits);
        if (!(std::fmin(forces.normal[0], std::fmin(forces.normal[1], given.manifold.count == 3 ? forces.normal[2] : 1)) > 0)) continue;
        ++closed;
        expect_rates(given, m);
        ASSERT_FALSE(HasFailure());
    }
    EXPECT_GT(closed, 1000);
}

// Both hold (7), or one holds while the other slips: where the implicit step agrees that they do.
TEST(Manifold, HoldingContactsAgreeWithAShortImplicitStep) {
    Draw draw(seed + 1);
    int both = 0, one = 0;
    for (int k = 0; k < 4000; ++k) {
        SCOPED_TRACE(testing::Message() << "seed " << seed << ", case " << k);
        RandomManifold given = random_manifold(draw, 2);
        const Vec3 n0 = given.manifold.touch[0].normal, n1 = given.manifold.touch[1].normal, along = cross(n0, n1), t = unit(along);
        const double r = given.ball.radius, speed = std::sqrt(norm(given.pull) * r), v = draw.between(-1, 1) * speed;
        const bool is_both = draw.whole(0, 1) == 0;
        Motion m{v * t, (v / (r * norm(along))) * (n0 - n1)};
        if (!is_both) m.w = cross(n0, m.v) / r + (draw.between(-1, 1) * speed / r) * n0;
        let_all_slip(m, r, given.manifold);
        given.manifold.slips[0] = false;
        if (is_both) given.manifold.slips[1] = false;
        const ManifoldForces forces = forces_on(given.manifold, m, given.pull, {}, given.ball, given.limits);
        ASSERT_TRUE(forces.is_solved);
        bool holds = true;
        for (int i = 0; i < 2; ++i)
            holds = holds && forces.normal[i] > 0 &&
                    (given.manifold.slips[i] || norm(forces.friction[i]) < 0.99 * given.limits.friction * forces.normal[i]);
        if (!holds) continue;
        ++(is_both ? both : one);
        expect_rates(given, m);
        ASSERT_FALSE(HasFailure());
    }
    EXPECT_GT(both, 200);
    EXPECT_GT(one, 200);
}

// Without spin, held by rolling resistance, in a level gutter of slope b: v' = -f g / cos(b), and the torque is f g r.
TEST(Manifold, ABallThatDoesNotTurnSlidesAsTheClosedFormSays) {
    const double f = 0.03, g = 2e-4, b = 0.6, r = 0.05;
    Manifold manifold;
    manifold.count = 2;
    manifold.touch[0].normal = {-std::sin(b), 0, std::cos(b)};
    manifold.touch[1].normal = {std::sin(b), 0, std::cos(b)};
    const Motion m{{0, 0.01, 0}, {}};
    let_all_slip(m, r, manifold);
    manifold.turns = false;
    const ManifoldForces forces =
        forces_on(manifold, m, {0, 0, -g}, {}, {.radius = r, .inertia_factor = 0.4}, {.friction = f, .rolling = 0.05});
    EXPECT_NEAR(forces.v_rate.y, -f * g / std::cos(b), 1e-15 * g);
    EXPECT_EQ(forces.w_rate, (Vec3{}));
    EXPECT_NEAR(forces.torque.x, f * g * r, 1e-15 * g * r);
    EXPECT_NEAR(forces.heat_friction, 0.01 * f * g / std::cos(b), 1e-15 * g);
}

}  // namespace
}  // namespace asperity::laws::test::manifold_test
