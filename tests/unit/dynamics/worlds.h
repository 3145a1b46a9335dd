// Balls dropped into gutter, pit and spike worlds: each must come to rest, with the ledger closed and no overlap.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <string>

#include "asperity/core/random.h"
#include "unit/dynamics/ball_run.h"

namespace asperity::dynamics::test {

inline BallRun dropped_into(const std::string& world, std::uint64_t seed) {
    const DrawKey key{seed, 0, 7};
    const auto u = [&](std::uint64_t k) { return 2 * random_uniform(key, k) - 1; };
    const auto started = [&](geometry::RawMesh mesh, const Vec3& p, const Vec3& v) {
        BallRun ball(std::move(mesh));
        ball.contact() = {.restitution = 0.55, .friction = 0.85, .rolling_resistance = 0.045};  // 1-landers, Table 8.12
        ball.put(p, v, {});
        return ball;
    };
    if (world == "gutter")
        return started(geometry::generate(geometry::GutterWorld{}), {-2.22 + u(0), 7.8 + u(1), 4.9 + 0.2 * u(2)},
                       {-0.01 + 0.01 * u(3), 0.01 * u(4), -1e-6});
    if (world == "pit")
        return started(geometry::generate(geometry::PitWorld{}), {1.5 * u(0), 1.5 * u(1), 3 + u(2)}, {0.02 * u(3), 0.02 * u(4), -1e-3});
    // a high rim: nothing leaves
    return started(geometry::generate(geometry::SpikeWorld{.seed = seed, .rim = 20}), {20 * u(0), 20 * u(1), 20 + 5 * u(2)},
                   {0.03 * u(3), 0.03 * u(4), -0.02});
}

// Closed to 1e-9 of the energy that the start could set free, and never deeper than 1e-9 r: the claims of this part of the project.
inline void expect_clean_rest(const std::string& world, std::uint64_t seeds) {
    double worst_balance = 0, worst_overlap = 0;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        SCOPED_TRACE(testing::Message() << world << ", seed " << seed);
        BallRun ball = dropped_into(world, seed);
        const model::State first = ball.state;
        const model::Outcome outcome = ball.run();
        EXPECT_EQ(outcome.kind, model::OutcomeKind::rest) << outcome.message;
        EXPECT_EQ(ball.velocity(), (Vec3{}));
        const double balance = std::fabs(ball.balance(first)), overlap = ball.state.tallies.deepest_overlap[0] / ball.radius();
        EXPECT_LT(balance, 1e-9);
        EXPECT_LT(overlap, 1e-9);
        EXPECT_GE(ball.state.tallies.heat_impact[0], 0);
        EXPECT_GE(ball.state.tallies.heat_friction[0], 0);
        EXPECT_GE(ball.state.tallies.heat_rolling[0], 0);
        // where it rests, it lies on the surface, not in the air nor below
        EXPECT_NEAR(geometry::signed_distance(ball.assets->surface, ball.position()), ball.radius(), 1e-9 * ball.radius());
        worst_balance = std::fmax(worst_balance, balance);
        worst_overlap = std::fmax(worst_overlap, overlap);
    }
    std::cout << world << ": worst balance " << worst_balance << ", deepest overlap " << worst_overlap << " r\n";
}

}  // namespace asperity::dynamics::test
