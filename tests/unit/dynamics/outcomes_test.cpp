// How runs end, what the method refuses, and that neither integrator nor phases show in the result.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "asperity/dynamics/event_driven/run.h"
#include "unit/dynamics/ball_run.h"

namespace asperity::dynamics::test::outcomes_test {
namespace {

using model::EventKind;
using model::OutcomeKind;

constexpr double g = 1e-4, r = 0.05;

BallRun falling() {
    BallRun ball(geometry::generate(geometry::FlatWorld{}));
    ball.put({1.3, 2.1, 3}, {0.003, 0.001, 0}, {});
    return ball;
}

TEST(Outcome, TheEndTimeIsReachedExactly) {
    BallRun ball = falling();
    ball.model.parameters.end_time = 100.1;
    const model::Outcome outcome = ball.run();
    EXPECT_EQ(outcome.kind, OutcomeKind::timed_out);
    EXPECT_EQ(outcome.time, 100.1);
    EXPECT_EQ(ball.state.clock.time(), 100.1);
    EXPECT_NEAR(ball.position().z, 3 - 0.5 * g * 100.1 * 100.1, 1e-14);
    EXPECT_FALSE(outcome.is_trouble());
}

// Whatever the interval of samples, and however the run ends: at its end time, at rest, escaped, out of steps.
TEST(Outcome, TheLastSampleIsTheEndOfTheRun) {
    const auto expect_last = [](BallRun ball, OutcomeKind kind) {
        ball.notes.sample_time = 0;
        ball.notes.sample_every = 7;
        const model::Outcome outcome = ball.run();
        EXPECT_EQ(outcome.kind, kind);
        ASSERT_GT(ball.notes.samples.size(), 1U);
        const model::Sample &last = ball.notes.samples.back(), &before = ball.notes.samples[ball.notes.samples.size() - 2];
        EXPECT_EQ(last.time, outcome.time);
        EXPECT_LT(before.time, last.time);
        EXPECT_EQ(last.position, ball.position());
        EXPECT_EQ(last.velocity, ball.velocity());
        EXPECT_EQ(last.mode, ball.state.contacts.mode_of(0));
    };
    BallRun ends = falling(), at_sample = falling(), rests = falling(), leaves = falling(), spent = falling();
    ends.model.parameters.end_time = 100.1;
    at_sample.model.parameters.end_time = 105;
    leaves.put({70, 2, 1}, {0.2, 0, 0.001}, {});
    spent.model.parameters.step_budget = 10;
    expect_last(std::move(ends), OutcomeKind::timed_out);
    expect_last(std::move(at_sample), OutcomeKind::timed_out);
    expect_last(std::move(rests), OutcomeKind::rest);
    expect_last(std::move(leaves), OutcomeKind::escaped);
    expect_last(std::move(spent), OutcomeKind::stalled);
}

// None are added where none are wanted, and looking at the end changes nothing.
TEST(Outcome, TheLastSampleIsNotTakenUnlessSamplesAreWanted) {
    BallRun plain = falling(), watched = falling();
    watched.notes.sample_time = 3;
    watched.notes.sample_every = 1e9;
    plain.run();
    watched.run();
    EXPECT_TRUE(plain.notes.samples.empty());
    EXPECT_EQ(watched.notes.samples.size(), 2U);
    EXPECT_TRUE(plain.state == watched.state);
    EXPECT_EQ(plain.notes.events.size(), watched.notes.events.size());
}

TEST(Outcome, ABallThatLeavesTheWorldHasEscaped) {
    BallRun ball = falling();
    ball.put({70, 2, 1}, {0.2, 0, 0.001}, {});
    const model::Outcome outcome = ball.run();
    EXPECT_EQ(outcome.kind, OutcomeKind::escaped);
    EXPECT_EQ(outcome.message, "left the world and cannot come back");
    EXPECT_LT(ball.position().z, 0);
}

TEST(Outcome, WithoutGravityABallFliesStraightAndEscapesPastTheWorld) {
    BallRun ball = falling();
    ball.model.parameters.environment.field = gravity::Uniform{};
    ball.put({0, 0, 1}, {0, 0, -0.01}, {});
    ball.contact().restitution = 0.5;
    const model::Outcome outcome = ball.run();
    EXPECT_EQ(outcome.kind, OutcomeKind::escaped);
    ASSERT_EQ(ball.notes.of(EventKind::impact).size(), 1U);
    EXPECT_NEAR(ball.notes.events[0].time, (1 - r) / 0.01, 1e-10);
    EXPECT_NEAR(ball.velocity().z, 0.005, 1e-15);
}

TEST(Outcome, AUsedUpStepBudgetIsAStallThatSaysSo) {
    BallRun ball = falling();
    ball.model.parameters.step_budget = 10;
    const model::Outcome outcome = ball.run();
    EXPECT_EQ(outcome.kind, OutcomeKind::stalled);
    EXPECT_TRUE(outcome.is_trouble());
    EXPECT_EQ(outcome.message, "used up the budget of 10 steps; raise end.step_budget");
    EXPECT_EQ(ball.state.clock.steps, 10);
    EXPECT_EQ(outcome.time, ball.state.clock.time());
}

// One unit in the last place a round is no progress; a millionth of a second after a day is.
TEST(Outcome, ProgressOfRoundingSizeIsNone) {
    event_driven::Progress creeping, going;
    double time = 86400;
    int rounds = 0;
    for (; rounds < 100000 && !creeping.is_stuck(time); ++rounds) time = std::nextafter(time, HUGE_VAL);
    EXPECT_EQ(rounds, 1000);
    for (int k = 0; k < 100000; ++k) ASSERT_FALSE(going.is_stuck(86400 + 1e-6 * k)) << k;
    event_driven::Progress still;
    for (int k = 0; k < 1000; ++k) ASSERT_FALSE(still.is_stuck(0));
    EXPECT_TRUE(still.is_stuck(0));
}

TEST(Outcome, ANumberThatIsNotFiniteStopsTheRun) {
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        for (const int where : {0, 1, 2}) {
            BallRun ball = falling();
            if (where == 0) ball.state.bodies.velocity[0].x = bad;
            if (where == 1) ball.state.bodies.spin[0].y = bad;
            if (where == 2) ball.state.bodies.position[0].z = bad;
            const model::Outcome outcome = ball.run();
            EXPECT_EQ(outcome.kind, OutcomeKind::non_finite) << bad << " at " << where << ": " << outcome.message;
            EXPECT_EQ(outcome.message, "position, velocity or heat of the ball is no longer a finite number");
        }
    }
}

TEST(Outcome, ABallAtRestStaysAtRest) {
    BallRun ball = falling();
    EXPECT_EQ(ball.run().kind, OutcomeKind::rest);
    const model::State state = ball.state;
    EXPECT_EQ(ball.run().kind, OutcomeKind::rest);
    EXPECT_TRUE(ball.state == state);
}

TEST(Method, RefusesWhatItCannotCarryAndSaysWhy) {
    const BallRun ball = falling();
    const MethodEntry* entry = find_method("event-driven");
    ASSERT_NE(entry, nullptr);
    model::Phase phase = ball.model.parameters.phases[0];
    EXPECT_EQ(entry->carries(model::census_of(ball.model), phase), "");
    phase.integrator = model::Integrator::verlet;
    EXPECT_EQ(entry->carries(model::census_of(ball.model), phase),
              "event-driven needs dopri5 or rk4: friction depends on velocity, where splitting steps lose their order");
    phase.integrator = model::Integrator::rk4;
    EXPECT_EQ(entry->carries(model::census_of(ball.model), phase), "rk4 has a fixed step: set step_max");
    phase.step_max = 1;
    EXPECT_EQ(entry->carries(model::census_of(ball.model), phase), "");
    EXPECT_EQ(entry->carries(model::census_of({}), phase), "event-driven needs a surface");
    EXPECT_EQ(find_method("penalties"), nullptr);
    EXPECT_EQ(all_integrators().size(), 5U);
    BallRun two = falling();
    two.model.parameters.bodies.add(model::sphere_kind(0.05, 1));
    EXPECT_EQ(entry->carries(model::census_of(two.model), phase),
              "event-driven carries one body that moves, the world has 2: take penalty");
    BallRun plane = falling();
    plane.model.parameters.ground = {{.shape = model::HalfSpace{}}};
    EXPECT_EQ(entry->carries(model::census_of(plane.model), phase), "event-driven needs ground that is one triangle surface: take penalty");
}

BallRun on_table() {
    BallRun ball(geometry::generate(geometry::TableWorld{}));
    ball.put({-14, 2.1, 17.5}, {0.006, 0.001, 0}, {0.1, 0, 0.1});
    ball.contact().rolling_resistance = 0.01;
    ball.model.parameters.end_time = 900;
    return ball;
}

// Bounces and a roll on the plateau, the roll round its edge, and the fall: where either integrator would go wrong.
TEST(Method, Rk4WithSmallStepsAgreesWithDopri5) {
    BallRun adaptive = on_table(), fixed = on_table();
    fixed.model.parameters.phases[0].integrator = model::Integrator::rk4;
    fixed.model.parameters.phases[0].step_max = 0.05;
    adaptive.run();
    fixed.run();
    EXPECT_TRUE(adaptive.notes.has(EventKind::roll));
    EXPECT_TRUE(adaptive.notes.has(EventKind::separation));
    ASSERT_EQ(adaptive.notes.events.size(), fixed.notes.events.size());
    for (std::size_t k = 0; k < adaptive.notes.events.size(); ++k) {
        EXPECT_EQ(adaptive.notes.events[k].kind, fixed.notes.events[k].kind);
        EXPECT_NEAR(adaptive.notes.events[k].time, fixed.notes.events[k].time, 1e-7);
    }
    EXPECT_LT(norm(adaptive.position() - fixed.position()), 1e-7);
}

// Phases begin in the middle of a flight, of a roll and of the roll round the edge. Step lengths differ, results only by the tolerance.
TEST(Method, SeveralPhasesGiveTheSameAsOne) {
    BallRun one = on_table(), cut = on_table();
    model::Phase phase = cut.model.parameters.phases[0];
    cut.model.parameters.phases.clear();
    for (const double duration : {50.0, 200.0, 100.0, 33.3, 150.0, HUGE_VAL}) {
        phase.duration = duration;
        cut.model.parameters.phases.push_back(phase);
    }
    EXPECT_EQ(one.run().time, cut.run().time);
    EXPECT_LT(norm(one.position() - cut.position()), 1e-9);
    EXPECT_LT(norm(one.velocity() - cut.velocity()), 1e-11);
    const auto phases = cut.notes.of(EventKind::phase);
    ASSERT_EQ(phases.size(), 5U);
    EXPECT_EQ(phases[0].time, 50);
    EXPECT_EQ(phases[1].time, 250);
    EXPECT_EQ(one.notes.events.size() + 5, cut.notes.events.size());
}

// Twice the mass: the same motion, twice the energy.
TEST(Method, MassChangesEnergiesAndNothingElse) {
    BallRun light = on_table(), heavy = on_table();
    heavy.model.parameters.bodies.kinds[0].mass = 2;
    const double start = analysis::ledger(heavy.model, heavy.state, 0).total();
    light.run();
    heavy.run();
    EXPECT_EQ(light.position(), heavy.position());
    const model::Ledger one = analysis::ledger(light.model, light.state, 0), two = analysis::ledger(heavy.model, heavy.state, 0);
    EXPECT_DOUBLE_EQ(two.heat_impact, 2 * one.heat_impact);
    EXPECT_DOUBLE_EQ(two.kinetic, 2 * one.kinetic);
    EXPECT_NEAR(two.total(), start, 1e-11 * start);
    ASSERT_FALSE(light.notes.events.empty());
    EXPECT_DOUBLE_EQ(heavy.notes.events[0].heat, 2 * light.notes.events[0].heat);
    EXPECT_EQ(heavy.state.tallies.heat_impact[0], light.state.tallies.heat_impact[0]);  // the State holds J/kg
}

// No scale of its own: lengths times 1000 and times 1e6 in time give the same motion, scaled. Powers of two: to rounding of the thresholds.
TEST(Method, KnowsNoScaleOfLengthOrTime) {
    const double length = 1024, time = 64;
    geometry::RawMesh mesh = geometry::generate(geometry::TableWorld{});
    for (Vec3& v : mesh.vertices) v *= length;
    BallRun small = on_table(), large(std::move(mesh));
    large.model.parameters = small.model.parameters;
    large.model.parameters.bodies.kinds[0] = model::sphere_kind(length * large.radius(), 1);
    std::get<gravity::Uniform>(large.model.parameters.environment.field).acceleration_vector *= length / (time * time);
    large.model.parameters.end_time *= time;
    large.state = small.state;
    large.state.bodies.position[0] *= length;
    large.state.bodies.velocity[0] *= length / time;
    large.state.bodies.spin[0] *= 1 / time;
    small.run();
    large.run();
    EXPECT_EQ(small.state.clock.steps, large.state.clock.steps);
    ASSERT_EQ(small.notes.events.size(), large.notes.events.size());
    EXPECT_LT(norm(large.position() / length - small.position()), 1e-10);
}

}  // namespace
}  // namespace asperity::dynamics::test::outcomes_test
