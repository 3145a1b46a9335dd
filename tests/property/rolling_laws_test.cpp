// Every rolling law in impacts: the rules of contact. A new law is tested by being listed in for_each_rolling_law.
#include <gtest/gtest.h>

#include <cmath>

#include "asperity/laws/contact/rolling.h"
#include "unit/laws/random_contacts.h"

namespace asperity::laws::test::rolling_laws_test {
namespace {

constexpr unsigned seed = 20261118;
constexpr int rounds = 3000;

template <class Body>
void for_each_rolling_law(const Body& body) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const struct {
        RollingLaw law;
        const char* name;
    } laws[] = {{RollingLaw::coupled, "coupled"}, {RollingLaw::thesis, "thesis"}, {RollingLaw::published, "published"}};
    for (const auto& [law, name] : laws) {
        SCOPED_TRACE(name);
        body(law);
    }
}

PairLaw random_surface(Draw& draw, RollingLaw law) {
    PairLaw surface{.restitution = draw.between(0, 1), .friction = draw.power(0.01, 5), .rolling_resistance = draw.power(1e-4, 1)};
    surface.rolling_law = law;
    const int special = draw.whole(0, 19);
    if (special == 0) surface.restitution = 0;
    if (special == 1) surface.restitution = 1;
    if (special == 2) surface.friction = 0;
    if (special == 3) surface.rolling_resistance = 0;
    if (law == RollingLaw::coupled && draw.whole(0, 1) == 0) surface.spinning_resistance = draw.power(1e-4, 1);
    return surface;
}

// body(surface, impact, impulses) for random impacts on one wall.
template <class Body>
void for_each_impact(RollingLaw law, const Body& body) {
    Draw draw(seed);
    for (int round = 0; round < rounds && !testing::Test::HasFailure(); ++round) {
        SCOPED_TRACE(testing::Message() << "round " << round);
        const PairLaw surface = random_surface(draw, law);
        const RandomImpact impact = single_impact(draw, surface.restitution);
        body(surface, impact, resolve_impact(impact.touch, impact.motion, impact.ball, surface));
    }
}

double size_of(const RandomImpact& impact) { return norm(impact.motion.v) + impact.ball.radius * norm(impact.motion.w); }

TEST(EveryRollingLaw, KeepsFrictionInsideTheConeAndNeverPulls) {
    for_each_rolling_law([](RollingLaw law) {
        for_each_impact(law, [](const PairLaw& surface, const RandomImpact&, const Impulses& got) {
            EXPECT_TRUE(got.is_converged);
            EXPECT_GE(got.normal[0], 0);
            EXPECT_LE(norm(got.friction[0]), surface.friction * got.normal[0] * (1 + 1e-15));
        });
    });
}

// To rounding of the speeds: the tangential impulses have no part along the normal.
TEST(EveryRollingLaw, GivesTheRestitutionExactlyAndOutwards) {
    for_each_rolling_law([](RollingLaw law) {
        for_each_impact(law, [](const PairLaw& surface, const RandomImpact& impact, const Impulses& got) {
            const Vec3& n = impact.touch.normal[0];
            const double in = -dot(n, impact.motion.v), out = dot(n, got.after.v);
            ASSERT_GT(in, 0);
            EXPECT_NEAR(out, surface.restitution * in, 2e-15 * size_of(impact));
        });
    });
}

TEST(EveryRollingLaw, BooksAsHeatByCauseExactlyWhatIsLost) {
    for_each_rolling_law([](RollingLaw law) {
        for_each_impact(law, [](const PairLaw&, const RandomImpact& impact, const Impulses& got) {
            const double before = kinetic(impact.motion, impact.ball), after = kinetic(got.after, impact.ball);
            EXPECT_NEAR(got.heat(), before - after, 1e-14 * before);
            // the normal motion loses (1 - e^2) v_n^2 / 2, whatever the rest does
            const double in = dot(impact.touch.normal[0], impact.motion.v), out = dot(impact.touch.normal[0], got.after.v);
            EXPECT_NEAR(got.heat_impact, 0.5 * (in * in - out * out), 1e-14 * before);
        });
    });
}

TEST(EveryRollingLaw, IsTheSameInEveryFrame) {
    for_each_rolling_law([](RollingLaw law) {
        Draw turns(seed + 1);
        for_each_impact(law, [&](const PairLaw& surface, const RandomImpact& impact, const Impulses& got) {
            const Quat q = turns.orientation();
            RandomImpact turned = impact;
            turned.touch.normal[0] = unit(rotate(q, impact.touch.normal[0]));
            turned.motion = {rotate(q, impact.motion.v), rotate(q, impact.motion.w)};
            const Impulses other = resolve_impact(turned.touch, turned.motion, impact.ball, surface);
            // 1e-12: friction and rolling chase each other in rounds, which end at 1e-14 to 1e-16
            EXPECT_LT(norm(other.after.v - rotate(q, got.after.v)), 1e-12 * size_of(impact));
            EXPECT_LT(impact.ball.radius * norm(other.after.w - rotate(q, got.after.w)), 1e-12 * size_of(impact));
        });
    });
}

TEST(EveryRollingLaw, FrictionOpposesTheSlipThatRemains) {
    for_each_rolling_law([](RollingLaw law) {
        for_each_impact(law, [&](const PairLaw& surface, const RandomImpact& impact, const Impulses& got) {
            Motion after = got.after;
            if (law != RollingLaw::coupled) {  // their friction is settled before rolling resistance acts
                const PairLaw without{.restitution = surface.restitution, .friction = surface.friction};
                after = resolve_impact(impact.touch, impact.motion, impact.ball, without).after;
            }
            const Vec3 u = tangential(slip(after, impact.touch.normal[0], impact.ball.radius), impact.touch.normal[0]);
            const double limit = surface.friction * got.normal[0];
            if (norm(u) <= 1e-10 * size_of(impact)) return;  // it holds
            EXPECT_LT(norm(got.friction[0] + limit * unit(u)), 1e-9 * limit + 1e-14 * size_of(impact));
        });
    });
}

TEST(CoupledLaw, NeverLosesLessThanNothingOnOneWall) {
    for_each_impact(RollingLaw::coupled, [](const PairLaw&, const RandomImpact& impact, const Impulses& got) {
        const double rounding = 1e-14 * kinetic(impact.motion, impact.ball);
        EXPECT_GE(got.heat(), -rounding);
        EXPECT_GE(got.heat_impact, -rounding);
        EXPECT_GE(got.heat_friction + got.heat_rolling, -rounding);  // not each alone: friction can hand the ball what the torque takes
    });
}

TEST(CoupledLaw, NeverLosesLessThanNothingOnSeveralWallsWithoutRestitution) {
    Draw draw(seed);
    for (int round = 0; round < rounds; ++round) {
        const RandomImpact impact = several_impact(draw, 0.05);
        const PairLaw surface = random_surface(draw, RollingLaw::coupled);
        const Impulses got = resolve_impact(impact.touch, impact.motion, impact.ball, surface);
        const double before = kinetic(impact.motion, impact.ball), after = kinetic(got.after, impact.ball);
        ASSERT_TRUE(got.is_converged) << "seed " << seed << ", round " << round;
        ASSERT_NEAR(got.heat(), before - after, 1e-13 * before) << "seed " << seed << ", round " << round;
        ASSERT_GE(before - after, -1e-13 * before) << "seed " << seed << ", round " << round;
    }
}

TEST(CoupledLaw, HoldsTheTorqueInsideItsLimitAndAgainstTheSpin) {
    for_each_impact(RollingLaw::coupled, [](const PairLaw& surface, const RandomImpact& impact, const Impulses& got) {
        const double r = impact.ball.radius, rounding = 1e-14 * r * size_of(impact);
        const Vec3& n = impact.touch.normal[0];
        const Vec3 across = tangential(got.rolling, n), spin = tangential(got.after.w, n);
        const double limit = surface.rolling_resistance * r * got.normal[0], about = dot(got.rolling, n);
        EXPECT_LE(norm(across), limit * (1 + 1e-15) + rounding);
        if (r * norm(spin) > 1e-10 * size_of(impact)) {  // else it holds
            EXPECT_LT(norm(across + limit * unit(spin)), 1e-9 * limit + rounding);
        }
        const double spinning_limit = surface.spinning_resistance * r * got.normal[0], drilling = dot(got.after.w, n);
        EXPECT_LE(std::fabs(about), spinning_limit * (1 + 1e-15) + rounding);
        if (r * std::fabs(drilling) > 1e-10 * size_of(impact)) {
            EXPECT_NEAR(about, std::copysign(spinning_limit, -drilling), 1e-9 * spinning_limit + rounding);
        }
    });
}

// Rolling resistance alone leaves the spin about the normal as it is, whatever else happens; spinning resistance alone takes of it what it
// can and leaves all else as it is without.
TEST(CoupledLaw, RollingAndSpinningResistanceActOnTheirOwnPartOfTheSpin) {
    for_each_impact(RollingLaw::coupled, [](const PairLaw& surface, const RandomImpact& impact, const Impulses& got) {
        const Vec3& n = impact.touch.normal[0];
        const double r = impact.ball.radius, before = dot(impact.motion.w, n), rounding = 4e-15 * size_of(impact) / r;
        PairLaw other = surface;
        other.spinning_resistance = surface.spinning_resistance > 0 ? 0 : 0.1;
        const Impulses without = resolve_impact(impact.touch, impact.motion, impact.ball, other);
        EXPECT_LT(norm(tangential(got.after.w - without.after.w, n)), 1e-12 * size_of(impact) / r);  // the end of the rounds
        EXPECT_LT(norm(got.after.v - without.after.v), 1e-12 * size_of(impact));
        const double most = surface.spinning_resistance * got.normal[0] / (impact.ball.inertia_factor * r);
        const double after = std::copysign(std::fmax(0.0, std::fabs(before) - most), before);
        EXPECT_NEAR(dot(got.after.w, n), after, rounding);
    });
}

// What the names promise: the laws that are not sound do add energy, and do leave the cone.
TEST(ThesisLaw, AddsEnergyInSomeImpactsAndLeavesTheConeInOthers) {
    int gains = 0, leaves = 0;
    for_each_impact(RollingLaw::thesis, [&](const PairLaw& surface, const RandomImpact& impact, const Impulses& got) {
        const double before = kinetic(impact.motion, impact.ball);
        gains += got.heat() < -1e-9 * before ? 1 : 0;
        const Vec3& n = impact.touch.normal[0];
        const Vec3 push = tangential(got.after.v - impact.motion.v, n);
        leaves += norm(push) > surface.friction * got.normal[0] * (1 + 1e-9) ? 1 : 0;
    });
    EXPECT_GT(gains, 10);
    EXPECT_GT(leaves, 10);
}

}  // namespace
}  // namespace asperity::laws::test::rolling_laws_test
