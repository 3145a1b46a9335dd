#include "asperity/gravity/linearised.h"

#include <gtest/gtest.h>

#include "asperity/geometry/mesh.h"
#include "unit/geometry/shapes.h"

namespace asperity::gravity::linearised_test {
namespace {

const Vec3 start{1.6, -0.9, 1.2}, way{0.3, 0.5, -0.2};

struct LinearisedField : testing::Test {
    PolyhedronGravity gravity{geometry::make_surface(geometry::test::ball(2))};
};

// Halved steps: the error of g falls by 4, that of U by 8, so that the 1/2 of (1) is in its place.
TEST_F(LinearisedField, HasTheOrderOfItsSeries) {
    const Linearised field = linearised_at(gravity, start, 1);
    double before_g = 0, before_u = 0;
    for (const double step : {0.04, 0.02, 0.01, 0.005}) {
        const Vec3 p = start + step * way;
        const FieldValue want = gravity.evaluate(p);
        const Linearised::Value got = field.evaluate(p);
        const double off_g = norm(got.acceleration - want.acceleration), off_u = std::fabs(got.potential - want.potential);
        if (before_g > 0) {
            EXPECT_NEAR(before_g / off_g, 4, 0.1);
            EXPECT_NEAR(before_u / off_u, 8, 0.3);
        }
        before_g = off_g;
        before_u = off_u;
    }
}

// Far from a ball of unit G M: g = -p / r^3, G_yy = 2 / r^3 along y, so that the first neglected term is 3 d^2 / r^4.
TEST_F(LinearisedField, NeglectsTheSecondDerivativeOfAPoint) {
    const double r = 40, d = 0.4;
    const Linearised field = linearised_at(gravity, {0, r, 0}, 1);
    const FieldValue here = gravity.evaluate({0, r, 0}), there = gravity.evaluate({0, r + d, 0});
    const double off = norm(field.evaluate({0, r + d, 0}).acceleration - there.acceleration) / norm(here.acceleration);
    EXPECT_NEAR(off, 3 * d * d / (r * r), 0.02 * off);
}

TEST_F(LinearisedField, ItsForceIsTheSlopeOfItsPotential) {
    const Linearised field = linearised_at(gravity, start, 1);
    const Vec3 p = start + way;
    const double h = 0x1p-10;  // (1) is quadratic: a central difference is exact but for rounding
    const Vec3 steps[] = {{h, 0, 0}, {0, h, 0}, {0, 0, h}};
    const Vec3 g = field.evaluate(p).acceleration;
    const double want[] = {g.x, g.y, g.z};
    for (int k = 0; k < 3; ++k)
        EXPECT_NEAR((field.evaluate(p + steps[k]).potential - field.evaluate(p - steps[k]).potential) / (2 * h), want[k], 1e-12);
}

TEST_F(LinearisedField, CoversUpToItsReach) {
    const Linearised field = linearised_at(gravity, {2, 0, 0}, 0.25);
    EXPECT_TRUE(field.covers({2, 0, 0}));
    EXPECT_TRUE(field.covers({2.25, 0, 0}));
    EXPECT_TRUE(field.covers({2, 0, -0.25}));
    EXPECT_FALSE(field.covers({2.2500001, 0, 0}));
    EXPECT_FALSE(field.covers({1.8, 0.2, 0}));
}

TEST_F(LinearisedField, IsRebasedAheadOfThePoint) {
    const Linearised before = linearised_at(gravity, {2, 0, 0}, 0.25);
    const Vec3 p{2, 0.3, 0};
    const Linearised after = rebased(gravity, before, p, {0, 7, 0});
    EXPECT_NEAR(norm(after.reference - Vec3{2, 0.3 + 0.95 * 0.25, 0}), 0, 1e-15);
    EXPECT_EQ(after.reach, 0.25);
    EXPECT_TRUE(after.covers(p));
    EXPECT_TRUE(after.covers({2, 0.3 + 1.9 * 0.25, 0}));
    EXPECT_EQ(after.potential, gravity.evaluate(after.reference).potential);
    EXPECT_EQ(rebased(gravity, before, p, {}).reference, p);
}

}  // namespace
}  // namespace asperity::gravity::linearised_test
