// Impacts with friction at one point, over the whole of Routh's diagram, and in space against the law itself in small steps.
#include "asperity/dynamics/single_impact.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "unit/dynamics/planar_impact.h"

namespace asperity::dynamics::single_impact_test {
namespace {

using laws::RestitutionLaw;
constexpr RestitutionLaw restitution_laws[] = {RestitutionLaw::stronge, RestitutionLaw::poisson, RestitutionLaw::newton};
constexpr double half_turn = 3.14159265358979323846;

// The block of a planar rod whose plane is turned by `turn` about the normal; `aside`: its mobility across the plane.
CoulombBlock block_of(const Rod& rod, double turn, double aside) {
    const double c = std::cos(turn), s = std::sin(turn);
    return {.nn = rod.b2(),
            .ny = -rod.b3() * c,
            .nz = -rod.b3() * s,
            .yy = rod.b1() * c * c + aside * s * s,
            .yz = (rod.b1() - aside) * c * s,
            .zz = rod.b1() * s * s + aside * c * c};
}

Rod rod_at(double angle) {  // of the vertical; 2 m, 1 kg
    return {.m = 1, .inertia = 1.0 / 3, .x = std::sin(angle), .y = -std::cos(angle)};
}

// A thin rod that strikes a plane at any angle, with any slip and friction, up to where it jams: impulses agree with Routh's drawing to
// rounding, under every law, whichever way its plane lies; all cases of the drawing occur.
TEST(SingleImpact, ARodStrikesAPlaneByRouthsMethodOverTheWholeDiagram) {
    std::array<std::array<int, 5>, 3> seen{};
    double worst = 0;
    for (int angle = -88; angle <= 88; angle += 4)
        for (const double f : {0.05, 0.2, 0.5, 0.74, 0.9, 1.3, 2.0, 5.0})
            for (const double s0 : {-20.0, -5.0, -2.0, -1.0, -0.4, -0.1, -0.01, 0.013, 0.1, 0.5, 0.9, 2.0, 4.0, 30.0})
                for (const double e : {0.0, 0.3, 0.8, 1.0})
                    for (std::size_t l = 0; l < 3; ++l) {
                        const Rod rod = rod_at(angle * half_turn / 180);
                        const PlanarImpact book = routh(rod, s0, -1, f, e, restitution_laws[l]);
                        ++seen[l][static_cast<std::size_t>(book.kind)];
                        const double turn = 0.7 * angle + 3 * s0;  // any
                        const CoulombBlock w = block_of(rod, turn, 2.5);
                        const Vec3 before{-1, s0 * std::cos(turn), s0 * std::sin(turn)};
                        const std::optional<SingleImpact> got = single_impact(w, before, {restitution_laws[l], e, f});
                        ASSERT_TRUE(got);
                        const Vec3 p = got->impulse;
                        const Vec3 wanted{book.py, book.px * std::cos(turn), book.px * std::sin(turn)};
                        const double error = norm(p - wanted) / norm(wanted);
                        worst = std::fmax(worst, error);
                        ASSERT_LT(error, 1e-11) << "angle " << angle << " f " << f << " s0 " << s0 << " e " << e << " law " << l << " case "
                                                << static_cast<int>(book.kind);
                    }
    RecordProperty("worst", std::to_string(worst));
    for (const auto& of_law : seen)
        for (const int count : of_law) EXPECT_GT(count, 100);
}

// What each law says of the book's own path, so that the drawing above is not right by the same mistake: the coefficient of each law is e.
TEST(SingleImpact, EachLawKeepsItsOwnCoefficientAndThoseOfTheOthersAreNotE) {
    const Rod rod = rod_at(0.9);
    const PlanarImpact by_energy = routh(rod, -0.4, -1, 0.5, 0.7, RestitutionLaw::stronge);
    const PlanarImpact by_impulse = routh(rod, -0.4, -1, 0.5, 0.7, RestitutionLaw::poisson);
    const PlanarImpact by_velocity = routh(rod, -0.4, -1, 0.5, 0.7, RestitutionLaw::newton);
    EXPECT_NEAR(by_energy.restitution_of_energy, 0.7, 1e-14);
    EXPECT_NEAR(by_impulse.restitution_of_impulse, 0.7, 1e-14);
    EXPECT_NEAR(by_velocity.restitution_of_velocity, 0.7, 1e-14);
    EXPECT_GT(std::fabs(by_energy.restitution_of_velocity - 0.7), 0.01);
    EXPECT_GT(std::fabs(by_energy.restitution_of_impulse - 0.7), 0.01);
}

// Kane and Levinson (1985): Newton's law makes energy with friction. Stronge's and Poisson's never do.
TEST(SingleImpact, OnlyNewtonsLawMakesEnergy) {
    std::mt19937_64 random(3);
    std::normal_distribution<double> draw;
    int grown = 0;
    double most = 0;
    for (int n = 0; n < 5000; ++n) {
        Vec3 rows[3];
        for (Vec3& row : rows) row = {draw(random), draw(random), draw(random)};
        const CoulombBlock w{.nn = dot(rows[0], rows[0]) + 0.01,  // one over the mass
                             .ny = dot(rows[0], rows[1]),
                             .nz = dot(rows[0], rows[2]),
                             .yy = dot(rows[1], rows[1]) + 0.01,
                             .yz = dot(rows[1], rows[2]),
                             .zz = dot(rows[2], rows[2]) + 0.01};
        const Vec3 u{-std::fabs(draw(random)), draw(random), draw(random)};
        const double f = std::fabs(2 * draw(random)), e = n % 5 == 0 ? 1 : 0.5 + 0.1 * (n % 5);
        for (const RestitutionLaw law : restitution_laws) {
            const std::optional<SingleImpact> got = single_impact(w, u, {law, e, f});
            ASSERT_TRUE(got) << n;
            const Vec3 p = got->impulse, after = u + w.times(p);
            const double gain = dot(p, u + after) / dot(u, w.solved(u));  // of the energy that an impulse can take
            ASSERT_GE(p.x, 0) << n;
            ASSERT_LE(std::hypot(p.y, p.z), f * p.x * (1 + 1e-12)) << n;
            ASSERT_GT(after.x, -1e-9) << n;
            if (law != RestitutionLaw::newton) {
                ASSERT_LT(gain, 1e-11) << n << " law " << static_cast<int>(law);
                continue;
            }
            if (gain > 1e-6) ++grown;
            most = std::fmax(most, gain);
        }
    }
    EXPECT_GT(grown, 50);
    EXPECT_GT(most, 0.1);
}

// Slip that turns, in space: against the law itself in steps of p_n by Euler's method, in which sticking is chatter. Order one in the step:
// the error of 1e6 steps is below 1e-4.
TEST(SingleImpact, SlipThatTurnsFollowsTheLawInSmallSteps) {
    std::mt19937_64 random(5);
    std::normal_distribution<double> draw;
    int turned = 0;
    for (int n = 0; n < 12; ++n) {
        Vec3 rows[3];
        for (Vec3& row : rows) row = {draw(random), draw(random), draw(random)};
        const CoulombBlock w{.nn = dot(rows[0], rows[0]) + 1,
                             .ny = dot(rows[0], rows[1]),
                             .nz = dot(rows[0], rows[2]),
                             .yy = dot(rows[1], rows[1]) + 0.3,
                             .yz = dot(rows[1], rows[2]),
                             .zz = dot(rows[2], rows[2]) + 0.3};
        const Vec3 before{-1, draw(random), draw(random)};
        const double f = 0.2 + 0.3 * std::fabs(draw(random)), e = 0.7;
        for (const RestitutionLaw law : restitution_laws) {
            const std::optional<SingleImpact> got = single_impact(w, before, {law, e, f});
            ASSERT_TRUE(got);
            const Vec3 p = got->impulse;
            const double step = p.x / 1e5;
            Vec3 u = before, q;
            double in = 0, out = 0, compressed = 0;
            const auto has_ended = [&] {
                if (u.x <= 0) return false;
                if (law == RestitutionLaw::newton) return u.x >= e;
                return law == RestitutionLaw::poisson ? q.x >= (1 + e) * compressed : out >= e * e * in;
            };
            while (!has_ended() && q.x < 10 * p.x) {
                const double slip = std::hypot(u.y, u.z);
                const Vec3 dp = slip > 0 ? Vec3{step, -f * step * u.y / slip, -f * step * u.z / slip} : Vec3{step, 0, 0};
                const Vec3 du = w.times(dp);
                (u.x < 0 ? in : out) += (u.x < 0 ? -1 : 1) * step * (u.x + 0.5 * du.x);
                if (u.x < 0) compressed += step;
                u += du;
                q += dp;
            }
            EXPECT_LT(norm(p - q), 1e-3 * norm(q)) << n << " law " << static_cast<int>(law);
            const Vec3 after = before + w.times(p);
            if (std::fabs(std::remainder(std::atan2(after.z, after.y) - std::atan2(before.z, before.y), half_turn)) > 0.1) ++turned;
        }
    }
    EXPECT_GT(turned, 10);
}

// Painleve's rod: where friction drives the point into the plane, an impact begins without an approach, and ends with the slip. Stronge's
// and Poisson's laws throw it back; Newton's has nothing to go by.
TEST(SingleImpact, WhatSlipDrivesInIsAnImpactWithoutCollision) {
    const double f = 2, slip = -3;
    const Rod rod = rod_at(std::atan(0.5));  // to the vertical; the critical coefficient of a thin rod is least here, 4/3
    const double b1 = rod.b1(), b2 = rod.b2(), b3 = rod.b3();
    ASSERT_NEAR(b2 / std::fabs(b3), 4.0 / 3, 1e-12);
    const double sign = b3 < 0 ? 1 : -1, s0 = std::fabs(slip) * sign;  // so that B2 + sign f B3 < 0
    ASSERT_LT(b2 + sign * f * b3, 0);
    const CoulombBlock w = block_of(rod, 0, 1);
    for (const double e : {0.0, 0.6}) {
        const Vec3 p = single_impact(w, {0, s0, 0}, {RestitutionLaw::poisson, e, f})->impulse;
        const double p_stop = std::fabs(s0) / (f * b1 + sign * b3), deepest = (b2 + sign * f * b3) * p_stop;
        const double p_c = p_stop - deepest / (b2 - b3 * b3 / b1);
        EXPECT_NEAR(p.x, (1 + e) * p_c, 1e-12 * p.x);
        const Vec3 u = Vec3{0, s0, 0} + w.times(p);
        EXPECT_NEAR(u.y, 0, 1e-12);
        EXPECT_NEAR(u.x, e * p_c * (b2 - b3 * b3 / b1), 1e-12);
        const Vec3 by_speed = single_impact(w, {0, s0, 0}, {RestitutionLaw::newton, e, f})->impulse;
        EXPECT_NEAR(by_speed.x, p_c, 1e-12 * p_c);
    }
}

}  // namespace
}  // namespace asperity::dynamics::single_impact_test
