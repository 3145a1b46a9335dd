// Guards of phases: when they fire, in which order, and what comes then. Against closed forms of a ball that falls and bounces.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "asperity/model/value_hash.h"
#include "unit/dynamics/ball_run.h"

namespace asperity::dynamics::test::guards_test {
namespace {

using model::SignalKind;

constexpr double g = 1e-4, radius = 0.05;  // of BallRun

model::Condition when(SignalKind kind, bool is_above, double value) {
    return {.signal = {.kind = kind}, .is_above = is_above, .value = value};
}
model::Condition below(SignalKind kind, double value) { return when(kind, false, value); }
model::Condition above(SignalKind kind, double value) { return when(kind, true, value); }
model::Condition met(model::OutcomeKind kind) { return {.is_named = true, .named = kind}; }

model::Guard ending(const model::Condition& condition, const std::string& outcome) {
    return {.conditions = {condition}, .outcome = outcome};
}

// A ball at rest above a plain.
BallRun falling_from(double height) {
    BallRun ball(plane({0, 0, 1}, 80));
    ball.put({3, -4, height}, {}, {});
    ball.contact().stiffness = 1;
    ball.contact().slip_speed = 1e-5;
    ball.contact().rolling_law = laws::RollingLaw::coupled;
    ball.state.balance.start = analysis::ledger(ball.model, ball.state, 0).total();
    return ball;
}

struct How {
    const char* method;
    model::Integrator integrator;
    double step;
    bool is_located;
};
constexpr double none = std::numeric_limits<double>::infinity();
constexpr How every_way[] = {{"event-driven", model::Integrator::dopri5, none, true},
                             {"event-driven", model::Integrator::rk4, 7, true},
                             {"penalty", model::Integrator::dopri5, none, true},
                             {"penalty", model::Integrator::rk4, 0.5, false},
                             {"penalty", model::Integrator::leapfrog, 0.5, false}};

void take(const How& how, model::Phase& phase) {
    phase.method = how.method;
    phase.integrator = how.integrator;
    phase.step_max = how.step;
    phase.tolerance = 1e-12;
}

// From 20 m to 10 m it takes sqrt(2 * 10 m / g). Methods with dense output stop there to rounding, the others at the next step.
TEST(Guards, AreLocatedWhereAMethodHasDenseOutput) {
    for (const How& how : every_way) {
        BallRun ball = falling_from(20);
        take(how, ball.model.parameters.phases[0]);
        ball.model.parameters.phases[0].guards = {ending(below(SignalKind::height, 10), "half way")};
        const model::Outcome outcome = ball.run();
        ASSERT_EQ(outcome.kind, model::OutcomeKind::named) << outcome.message;
        EXPECT_EQ(outcome.label(), "half way");
        const double expected = std::sqrt(2 * 10 / g);
        EXPECT_LE(ball.position().z, 10);
        EXPECT_EQ(outcome.time, ball.state.clock.time());
        if (how.is_located) {
            EXPECT_NEAR(ball.position().z, 10, 1e-13) << how.method;
            EXPECT_NEAR(outcome.time, expected, 1e-10 * expected) << how.method;
        } else {
            EXPECT_GE(outcome.time, expected - 1e-9);
            EXPECT_LT(outcome.time, expected + how.step);
        }
    }
}

TEST(Guards, OneThatHoldsAtTheStartFiresAtOnce) {
    for (const How& how : every_way) {
        BallRun ball = falling_from(20);
        take(how, ball.model.parameters.phases[0]);
        ball.model.parameters.phases[0].guards = {ending(below(SignalKind::height, 30), "at once")};
        EXPECT_EQ(ball.run().label(), "at once");
        EXPECT_EQ(ball.state.clock.time(), 0);
        EXPECT_EQ(ball.state.clock.steps, 0);
    }
}

// Thrown up from 5 m, past 10 m, and back: below 10 m from the start on, and rising only counts the way down.
TEST(Guards, ARisingOneWaitsForAChange) {
    for (const How& how : every_way) {
        BallRun ball = falling_from(5);
        take(how, ball.model.parameters.phases[0]);
        const double v = std::sqrt(2 * g * 10);  // up to 15 m
        ball.state.bodies.velocity[0] = {0, 0, v};
        ball.model.parameters.phases[0].guards = {ending(below(SignalKind::height, 10), "down again")};
        ball.model.parameters.phases[0].guards[0].is_rising = true;
        EXPECT_EQ(ball.run().label(), "down again");
        const double expected = v / g + std::sqrt(2 * 5 / g);
        EXPECT_NEAR(ball.state.clock.time(), expected, how.is_located ? 1e-9 * expected : how.step) << how.method;
    }
}

TEST(Guards, OfTwoAtOneInstantTheFirstInTheFileFires) {
    for (const How& how : every_way)
        for (const bool is_swapped : {false, true}) {
            BallRun ball = falling_from(20);
            take(how, ball.model.parameters.phases[0]);
            model::Guard a = ending(below(SignalKind::height, 10), "a"), b = ending(below(SignalKind::height, 10), "b");
            ball.model.parameters.phases[0].guards = is_swapped ? std::vector{b, a} : std::vector{a, b};
            EXPECT_EQ(ball.run().label(), is_swapped ? "b" : "a");
        }
}

// The one that comes first in time fires, whatever the order of the file.
TEST(Guards, TheEarlierOfTwoFires) {
    for (const How& how : every_way) {
        BallRun ball = falling_from(20);
        take(how, ball.model.parameters.phases[0]);
        ball.model.parameters.phases[0].guards = {ending(below(SignalKind::height, 10), "late"),
                                                  ending(below(SignalKind::height, 12), "early")};
        EXPECT_EQ(ball.run().label(), "early");
    }
}

// All conditions at once: below 15 m, and faster than it is at 12 m.
TEST(Guards, SeveralConditionsMustHoldTogether) {
    BallRun ball = falling_from(20);
    model::Guard both = ending(below(SignalKind::height, 15), "both");
    both.conditions.push_back(above(SignalKind::speed, std::sqrt(2 * g * 8)));
    ball.model.parameters.phases[0].guards = {both};
    EXPECT_EQ(ball.run().label(), "both");
    EXPECT_NEAR(ball.position().z, 12, 1e-9);
}

// What never holds changes nothing, to the last bit.
TEST(Guards, OneThatIsNeverReachedChangesNothing) {
    for (const How& how : every_way) {
        BallRun plain = falling_from(0.3), watched = falling_from(0.3);
        for (BallRun* ball : {&plain, &watched}) {
            take(how, ball->model.parameters.phases[0]);
            ball->put({3, -4, 0.3}, {0.002, 0, 0}, {0.01, 0, 0});
            ball->model.parameters.end_time = 200;
        }
        watched.model.parameters.phases[0].guards = {ending(above(SignalKind::height, 1e6), "never")};
        const model::Outcome first = plain.run(), second = watched.run();
        EXPECT_EQ(first.label(), second.label());
        EXPECT_TRUE(model::state_hash(plain.state) == model::state_hash(watched.state)) << how.method;
        EXPECT_TRUE(model::event_hash(plain.notes.events) == model::event_hash(watched.notes.events)) << how.method;
    }
}

// Phases that send each other on without time going on.
TEST(Guards, MoreFiringsAtOneInstantThanThereAreGuardsAreAStall) {
    BallRun ball = falling_from(20);
    std::vector<model::Phase>& phases = ball.model.parameters.phases;
    phases.push_back(phases[0]);
    phases[0].guards = {{.conditions = {below(SignalKind::height, 10)}, .next = 1}};
    phases[1].guards = {{.conditions = {below(SignalKind::height, 15)}, .next = 0}};
    const model::Outcome outcome = ball.run();
    EXPECT_EQ(outcome.kind, model::OutcomeKind::stalled) << outcome.message;
    EXPECT_NEAR(ball.position().z, 10, 1e-12);
}

// The impact first: the speed falls there from v to e v, and the guard sees it once it has.
TEST(Guards, ComeAfterTheImpactAtTheSameInstant) {
    BallRun ball = falling_from(20);
    const double v = std::sqrt(2 * g * (20 - radius));
    model::Guard slow = ending(below(SignalKind::speed, 0.7 * v), "slower");
    slow.is_rising = true;
    ball.model.parameters.phases[0].guards = {slow};
    EXPECT_EQ(ball.run().label(), "slower");
    ASSERT_EQ(ball.notes.of(model::EventKind::impact).size(), 1U);
    EXPECT_EQ(ball.state.clock.time(), ball.notes.of(model::EventKind::impact)[0].time);
    EXPECT_NEAR(ball.velocity().z, 0.5 * v, 1e-12);
}

// Below 5 m for 300 s. With e = 0.8 the ball comes to 10 m 0.64 = 6.4 m after the first impact, and to 4.1 m after the second: the timer
// starts again on the way down from 6.4 m, and is not broken any more.
TEST(Guards, LastingOnesStartAnewWhereTheConditionBreaks) {
    const double top = 10, e = 0.8, level = 5;
    const double fall = std::sqrt(2 * (top - radius) / g), first_top = radius + e * e * (top - radius);
    const double rise = e * std::sqrt(2 * g * (top - radius)) / g, from_top = std::sqrt(2 * (first_top - level) / g);
    for (const How& how : every_way) {
        if (std::string(how.method) != "event-driven") continue;
        BallRun ball = falling_from(top);
        take(how, ball.model.parameters.phases[0]);
        ball.contact().restitution = e;
        ball.model.parameters.phases[0].guards = {ending(below(SignalKind::height, level), "low for long")};
        ball.model.parameters.phases[0].guards[0].lasting = 600;
        EXPECT_EQ(ball.run().label(), "low for long");
        const double expected = fall + rise + from_top + 600;
        EXPECT_NEAR(ball.state.clock.time(), expected, 1e-9 * expected);
    }
}

TEST(Guards, AskForRestByName) {
    BallRun ball = falling_from(0.3);
    ball.model.parameters.phases[0].guards = {ending(met(model::OutcomeKind::rest), "landed")};
    BallRun plain = falling_from(0.3);
    const model::Outcome outcome = ball.run(), usual = plain.run();
    EXPECT_EQ(outcome.label(), "landed");
    EXPECT_EQ(usual.label(), "rest");
    EXPECT_EQ(outcome.time, usual.time);
    EXPECT_TRUE(model::state_hash(ball.state) == model::state_hash(plain.state));
}

// Event-driven in flight, penalty at the ground, event-driven again: the ball goes on, and the ledger closes.
BallRun through_three_methods() {
    BallRun ball = falling_from(0.3);
    ball.put({3, -4, 0.3}, {0.003, 0.001, 0}, {0.02, 0, 0.01});
    ball.contact() = {.restitution = 0.5, .friction = 0.6, .rolling_resistance = 0.04};
    ball.contact().stiffness = 10;
    ball.contact().slip_speed = 1e-6;
    ball.contact().rolling_law = laws::RollingLaw::coupled;
    ball.contact().bounce_end_height = 1e-6;
    ball.state.balance.start = analysis::ledger(ball.model, ball.state, 0).total();
    std::vector<model::Phase>& phases = ball.model.parameters.phases;
    phases = {{.name = "flight", .method = "event-driven"},
              {.name = "soft", .method = "penalty", .tolerance = 1e-9},
              {.name = "again", .method = "event-driven"}};
    phases[0].guards = {{.conditions = {below(SignalKind::height, 0.1)}, .next = 1}};
    phases[1].duration = 60;
    phases[2].guards = {ending(met(model::OutcomeKind::rest), "landed")};
    return ball;
}

TEST(Guards, MethodsHandOverToEachOther) {
    BallRun ball = through_three_methods();
    const model::State first = ball.state;
    const model::Outcome outcome = ball.run();
    EXPECT_EQ(outcome.label(), "landed") << outcome.message;
    EXPECT_NEAR(ball.position().z, radius, 1e-12);
    EXPECT_EQ(ball.notes.of(model::EventKind::phase).size(), 2U);
    EXPECT_LT(std::fabs(ball.balance(first)), 1e-7);
}

struct EveryStep : Notes {
    std::vector<model::State> states;
    EveryStep() { wants_checkpoints = true; }
    void checkpoint(const model::State& state) override { states.push_back(state); }
};

TEST(Guards, ARunGoesOnFromTheMiddleOfEveryPhaseWithTheSameBits) {
    BallRun whole = through_three_methods();
    whole.model.parameters.phases[0].step_max = 10;  // so that the flight has boundaries
    whole.model.parameters.phases[1].guards = {{.conditions = {below(SignalKind::height, 0.2)}, .lasting = 40, .next = 2}};
    whole.model.parameters.signals = {{"height", {.kind = SignalKind::height}}, {"spin", {.kind = SignalKind::spin}}};
    EveryStep watch;
    const model::Outcome outcome = simulate(whole.model, whole.state, watch);
    ASSERT_EQ(outcome.label(), "landed") << outcome.message;
    int tried[3] = {};
    std::size_t steps[3] = {};  // of each phase
    for (const model::State& state : watch.states) ++steps[state.clock.phase];
    for (std::size_t k = 0; k < watch.states.size(); ++k) {
        const std::size_t in_phase = steps[watch.states[k].clock.phase];
        if (k % (1 + in_phase / 20) != 0) continue;
        model::State state = watch.states[k];
        ++tried[state.clock.phase];
        Notes notes;
        const model::Outcome again = simulate(whole.model, state, notes);
        ASSERT_EQ(again.label(), outcome.label());
        ASSERT_EQ(again.time, outcome.time);
        ASSERT_TRUE(state == whole.state) << "boundary " << k << " in phase " << watch.states[k].clock.phase;
    }
    for (const int count : tried) EXPECT_GT(count, 2);
}

}  // namespace
}  // namespace asperity::dynamics::test::guards_test
