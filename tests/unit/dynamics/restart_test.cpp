// Restart: a -> c equals a -> b, copy of the State, fresh method, b -> c, to the last bit, at random step boundaries b. And looking changes
// nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "unit/dynamics/ball_run.h"

namespace asperity::dynamics::test::restart_test {
namespace {

using model::Mode;

constexpr unsigned seed = 20261122;

// Keeps the state of every step boundary, and which of them follow an event: there the directions of the contact are fresh.
struct EveryStep : Notes {
    std::vector<model::State> states;
    std::vector<std::size_t> after_event;
    std::size_t events_before = 0;
    EveryStep() { wants_checkpoints = true; }
    void checkpoint(const model::State& state) override {
        if (events.size() > events_before) after_event.push_back(states.size());
        events_before = events.size();
        states.push_back(state);
    }
};

BallRun spike_ball() {
    BallRun ball(geometry::generate(geometry::SpikeWorld{.seed = 4, .rim = 20}));
    ball.contact() = {.restitution = 0.55, .friction = 0.85, .rolling_resistance = 0.045};
    ball.put({3, -7, 18}, {0.02, 0.013, -0.02}, {0.1, 0.2, 0.3});
    return ball;
}
BallRun gutter_ball() {
    BallRun ball(geometry::generate(geometry::GutterWorld{}));
    ball.contact() = {.restitution = 0.55, .friction = 0.85, .rolling_resistance = 0.045};
    ball.put({-2.2, 7.8, 4.9}, {-0.01, 0.002, -1e-6}, {});
    return ball;
}
BallRun pit_ball() {
    BallRun ball(geometry::generate(geometry::PitWorld{}));
    ball.contact() = {.restitution = 0.55, .friction = 0.2, .rolling_resistance = 0.02};
    ball.put({0.5, 0.3, 1}, {0.002, -0.001, -0.001}, {0.1, 0, 0.2});
    return ball;
}

using Tested = std::map<Mode, int>;  // boundaries

void expect_same_end(const BallRun& whole, const EveryStep& watch, const model::Outcome& outcome, std::size_t boundary) {
    model::State state = watch.states[boundary];
    Notes notes;
    const model::Outcome again = simulate(whole.model, state, notes);
    ASSERT_TRUE(state == whole.state) << "boundary " << boundary << ", mode " << name(watch.states[boundary].contacts.mode_of(0));
    ASSERT_EQ(again.kind, outcome.kind);
    ASSERT_EQ(again.time, outcome.time);
    // the events are the last ones of the whole run
    ASSERT_LE(notes.events.size(), watch.events.size());
    for (std::size_t e = 0; e < notes.events.size(); ++e) {
        const model::Event &mine = notes.events[notes.events.size() - 1 - e], &its = watch.events[watch.events.size() - 1 - e];
        ASSERT_EQ(mine.time, its.time);
        ASSERT_EQ(mine.kind, its.kind);
        ASSERT_TRUE(mine.position == its.position && mine.velocity == its.velocity && mine.heat == its.heat);
    }
}

// Restarts `ball` at up to `each` random boundaries of each mode, and at as many of those that follow an event.
void expect_bit_identical(BallRun ball, std::size_t each, Tested& tested) {
    EveryStep watch;
    const model::Outcome outcome = simulate(ball.model, ball.state, watch);
    ASSERT_FALSE(outcome.is_trouble()) << outcome.message;
    std::map<Mode, std::vector<std::size_t>> by_mode, by_mode_after_event;
    for (std::size_t k = 0; k < watch.states.size(); ++k) by_mode[watch.states[k].contacts.mode_of(0)].push_back(k);
    for (const std::size_t k : watch.after_event) by_mode_after_event[watch.states[k].contacts.mode_of(0)].push_back(k);
    std::mt19937_64 random(seed);
    for (auto* places : {&by_mode, &by_mode_after_event}) {
        for (auto& [mode, list] : *places) {
            std::shuffle(list.begin(), list.end(), random);
            list.resize(std::min(list.size(), each));
            for (const std::size_t boundary : list) {
                expect_same_end(ball, watch, outcome, boundary);
                ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
                ++tested[mode];
            }
        }
    }
}

TEST(Restart, IsBitIdenticalInEveryMode) {
    Tested tested;
    expect_bit_identical(spike_ball(), 15, tested);
    expect_bit_identical(gutter_ball(), 15, tested);
    expect_bit_identical(pit_ball(), 15, tested);
    for (const Mode mode : {Mode::flight, Mode::slide, Mode::roll, Mode::several}) EXPECT_GT(tested[mode], 10) << name(mode);
}

// Spin about the normal that comes to zero in motion and on the spot, is held there, and breaks loose on the edges of spikes.
TEST(Restart, IsBitIdenticalUnderSpinningResistance) {
    Tested tested;
    for (const double spinning : {0.002, 0.2}) {
        BallRun spike = spike_ball();
        spike.contact().spinning_resistance = spinning;
        expect_bit_identical(std::move(spike), 10, tested);
        BallRun flat(plane({0, 0, 1}, 80));
        flat.contact().spinning_resistance = spinning;
        flat.put({3, -4, 0.2}, {0.01, 0, 0}, {0, 0.1, 2});
        expect_bit_identical(std::move(flat), 1000, tested);
    }
    EXPECT_GT(tested[Mode::roll], 20);
}

TEST(Restart, IsBitIdenticalUnderEveryRollingLawAndIntegrator) {
    Tested tested;
    for (const laws::RollingLaw law : {laws::RollingLaw::thesis, laws::RollingLaw::published}) {
        BallRun ball = gutter_ball();
        ball.contact().rolling_law = law;
        expect_bit_identical(std::move(ball), 10, tested);
    }
    BallRun ball = gutter_ball();
    ball.model.parameters.phases[0].integrator = model::Integrator::rk4;
    ball.model.parameters.phases[0].step_max = 4;
    expect_bit_identical(std::move(ball), 4, tested);
}

// A regularised run slides to its end; it is put down without spin, so that no direction is stored.
TEST(Restart, IsBitIdenticalUnderTheRegularisedLaw) {
    Tested tested;
    BallRun ball(plane({0, 0, 1}, 80));
    ball.contact().regularisation_speed = 1e-4;
    ball.contact().regularised_end_speed = 1e-6;
    ball.put_on_surface({3, -4, 0.05}, {0.01, 0, 0}, {});
    expect_bit_identical(std::move(ball), 30, tested);
    EXPECT_GT(tested[Mode::slide], 20);
}

// Where the State must hold a direction that the motion does not show: a roll that turns round on a slope (no spin there), a slide that
// begins from no slip (round an edge), a slide that does not turn the ball (f < C).
TEST(Restart, IsBitIdenticalWhereSlipOrSpinIsZero) {
    Tested tested;
    const Vec3 n{-std::sin(0.2), 0, std::cos(0.2)}, uphill{n.z, 0, -n.x};
    BallRun slope(plane(n, 40));
    slope.put_on_surface(0.05 * n + Vec3{0, 2, 0}, 0.004 * uphill, (0.004 / 0.05) * cross(n, uphill));
    slope.model.parameters.end_time = 900;
    expect_bit_identical(std::move(slope), 1000, tested);

    BallRun edge(geometry::generate(geometry::TableWorld{}));
    edge.contact().friction = 50;
    edge.contact().rolling_resistance = 0;
    edge.put_on_surface({-11.111, 4, 50.0 / 3 + 0.05}, {1e-4, 0, 0}, {0, 1e-4 / 0.05, 0});
    edge.model.parameters.end_time = 300;
    expect_bit_identical(std::move(edge), 1000, tested);

    BallRun locked(geometry::generate(geometry::FlatWorld{}));
    locked.contact() = {.restitution = 0, .friction = 0.05, .rolling_resistance = 0.2};
    locked.put({3, 4, 0.06}, {0.01, 0.001, 0}, {0.02, 0.01, 0.03});
    expect_bit_identical(std::move(locked), 1000, tested);
}

TEST(Restart, IsBitIdenticalInTheSecondPhase) {
    BallRun ball = gutter_ball();
    ball.model.parameters.phases[0].duration = 400;
    ball.model.parameters.phases.push_back({.name = "finer", .method = "event-driven", .tolerance = 1e-13});
    Tested tested;
    expect_bit_identical(std::move(ball), 10, tested);
}

// Steps do not look at the end of the run: up to an end that lies anywhere in it, a shorter run has the events of the whole one, to the
// bit. Bounces that are completed in closed form (settle) and would go on past the end are walked through instead.
TEST(EndTime, ChangesNothingBeforeIt) {
    std::mt19937_64 random(seed);
    for (BallRun (*make)() : {spike_ball, gutter_ball, pit_ball}) {
        BallRun whole = make();
        const model::Outcome outcome = whole.run();
        ASSERT_EQ(outcome.kind, model::OutcomeKind::rest) << outcome.message;
        for (int k = 0; k < 12; ++k) {
            BallRun part = make();
            const bool ends_later = k == 0;
            part.model.parameters.end_time =
                ends_later ? outcome.time * (1 + 1e-9) : std::uniform_real_distribution<double>(0, outcome.time)(random);
            part.run();
            if (ends_later) {
                EXPECT_TRUE(part.state == whole.state);
            }
            for (std::size_t e = 0; e < part.notes.events.size(); ++e) {
                ASSERT_LT(e, whole.notes.events.size());
                const model::Event &mine = part.notes.events[e], &its = whole.notes.events[e];
                if (its.kind == model::EventKind::settle && its.time > part.model.parameters.end_time) break;
                ASSERT_EQ(mine.time, its.time) << "event " << e << ", end " << part.model.parameters.end_time << ", seed " << seed;
                ASSERT_EQ(mine.kind, its.kind);
                ASSERT_TRUE(mine.position == its.position && mine.velocity == its.velocity && mine.spin == its.spin);
            }
        }
    }
}

TEST(Restart, SamplesAndCheckpointsChangeNothing) {
    for (BallRun (*make)() : {spike_ball, gutter_ball, pit_ball}) {
        BallRun plain = make(), watched = make();
        watched.notes.sample_time = 0;
        watched.notes.sample_every = 0.37;
        watched.notes.wants_checkpoints = true;
        plain.run();
        watched.run();
        EXPECT_TRUE(plain.state == watched.state);
        EXPECT_GT(watched.notes.samples.size(), 100U);
    }
}

// Samples come at the times that were asked for, in order, and tell the truth: their energies add up to what the ledger says.
TEST(Restart, SamplesAreOnTimeAndTheirLedgerCloses) {
    BallRun ball = gutter_ball();
    ball.notes.sample_time = 0;
    ball.notes.sample_every = 1.7;
    const model::Ledger start = analysis::ledger(ball.model, ball.state, 0);
    ball.run();
    const double scale = 1e-4 * 10;  // falls of some metres
    for (std::size_t k = 0; k < ball.notes.samples.size(); ++k) {
        const model::Sample& s = ball.notes.samples[k];
        if (k + 1 < ball.notes.samples.size()) {  // the last one is the end of the run
            ASSERT_NEAR(s.time, 1.7 * static_cast<double>(k), 1e-9);
        }
        const double total = s.ledger.kinetic + s.ledger.rotational + s.ledger.potential + s.ledger.heat_impact + s.ledger.heat_friction +
                             s.ledger.heat_rolling;
        ASSERT_NEAR(total, start.total(), 1e-8 * scale) << k;
        ASSERT_NEAR(s.orientation.w * s.orientation.w + s.orientation.x * s.orientation.x + s.orientation.y * s.orientation.y +
                        s.orientation.z * s.orientation.z,
                    1, 1e-14);
    }
}

}  // namespace
}  // namespace asperity::dynamics::test::restart_test
