// Named signals: extremes in State against closed forms, under every way of stepping; they depend neither on samples nor on restarts.
#include "asperity/analysis/signals.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "asperity/analysis/metrics.h"
#include "unit/dynamics/ball_run.h"
#include "unit/dynamics/spheres.h"

namespace asperity::dynamics::test::signals_test {
namespace {

using model::SignalKind;

constexpr double g = 1e-4;  // m/s^2, of BallRun
constexpr double none = std::numeric_limits<double>::infinity();

struct How {
    const char* method;
    model::Integrator integrator;
    double step;
    bool is_dense;
};
constexpr How every_way[] = {{"event-driven", model::Integrator::dopri5, none, true},
                             {"event-driven", model::Integrator::rk4, 7, true},
                             {"penalty", model::Integrator::dopri5, none, true},
                             {"penalty", model::Integrator::rk4, 3, false},
                             {"penalty", model::Integrator::leapfrog, 3, false}};

// Thrown up at v from height z above a plain.
BallRun thrown(const How& how, double z, double v) {
    BallRun ball(plane({0, 0, 1}, 80));
    ball.put({3, -4, z}, {0, 0, v}, {});
    ball.contact().stiffness = 1;
    ball.contact().slip_speed = 1e-5;
    ball.contact().rolling_law = laws::RollingLaw::coupled;
    model::Phase& phase = ball.model.parameters.phases[0];
    phase.method = how.method;
    phase.integrator = how.integrator;
    phase.step_max = how.step;
    phase.tolerance = 1e-12;
    ball.model.parameters.signals = {{"height", {.kind = SignalKind::height}}, {"speed", {.kind = SignalKind::speed}}};
    return ball;
}

// z + v t - g t^2 / 2 up to the end T: largest v^2 / 2 g above z, after v / g; mean z + v T / 2 - g T^2 / 6. With dense output to rounding
// and the tolerance; at step boundaries h apart the top is missed by at most h / 2, and g h^2 / 8, and the trapezoid is off by g h^2 / 12.
TEST(Signals, AThrownBallHasTheExtremesAndTheMeanOfItsParabola) {
    const double z = 5, v = 0.03, top = v / g, end = 1.7 * top;
    for (const How& how : every_way) {
        BallRun ball = thrown(how, z, v);
        ball.model.parameters.end_time = end;
        ball.run();
        const model::Extremes& e = ball.state.extremes;
        ASSERT_EQ(e.size(), 2U);
        const double h = how.is_dense ? 0 : how.step, small = 1e-9;
        EXPECT_NEAR(e.most[0], z + 0.5 * v * v / g, g * h * h / 8 + small) << how.method;
        EXPECT_NEAR(e.most_time[0], top, 0.5 * h + (how.is_dense ? 1e-4 : 0) + small) << how.method;
        EXPECT_NEAR(e.least[0], std::fmin(z, z + v * end - 0.5 * g * end * end), small);
        EXPECT_NEAR(e.integral[0] / end, z + 0.5 * v * end - g * end * end / 6, g * h * h / 12 + small) << how.method;
        EXPECT_NEAR(e.last[0], z + v * end - 0.5 * g * end * end, small);
        EXPECT_EQ(e.since, 0);
        EXPECT_NEAR(e.until, end, 1e-9);
        EXPECT_NEAR(e.most[1], v, small);
        EXPECT_EQ(e.most_time[1], 0);
        EXPECT_NEAR(e.least[1], 0, how.is_dense ? 0.02 * v : 0.5 * g * h + small) << how.method;  // a kink: to an eighth of a step
    }
}

// The speed is looked at before an impact and after it: it jumps there, and the largest is that of the fall.
TEST(Signals, BothSidesOfAnImpactAreLookedAt) {
    BallRun ball = thrown(every_way[0], 20, 0);
    const double fall = std::sqrt(2 * (20 - 0.05) / g);
    ball.model.parameters.end_time = 1.4 * fall;
    ball.run();
    ASSERT_EQ(ball.notes.of(model::EventKind::impact).size(), 1U);
    const model::Extremes& e = ball.state.extremes;
    EXPECT_NEAR(e.most[1], g * fall, 1e-9);
    EXPECT_NEAR(e.most_time[1], fall, 1e-6);
    EXPECT_NEAR(e.least[0], 0.05, 1e-9);
    // down 0 to g T, up from e g T
    const double up = 0.4 * fall, after = 0.5 * g * fall;
    EXPECT_NEAR(e.integral[1], 0.5 * g * fall * fall + after * up - 0.5 * g * up * up, 1e-6);
}

TEST(Signals, DependNeitherOnSamplesNorAddToAnyBit) {
    for (const How& how : every_way) {
        BallRun plain = thrown(how, 5, 0.03), sampled = thrown(how, 5, 0.03), without = thrown(how, 5, 0.03);
        without.model.parameters.signals.clear();
        sampled.notes.sample_time = 0;
        sampled.notes.sample_every = 1.7;
        for (BallRun* ball : {&plain, &sampled, &without}) {
            ball->model.parameters.end_time = 1500;
            ball->run();
        }
        EXPECT_TRUE(plain.state == sampled.state) << how.method;
        EXPECT_EQ(without.state.extremes.size(), 0U);
        plain.state.extremes = {};
        EXPECT_TRUE(plain.state == without.state) << how.method;
    }
}

struct EveryStep : Notes {
    std::vector<model::State> states;
    EveryStep() { wants_checkpoints = true; }
    void checkpoint(const model::State& state) override { states.push_back(state); }
};

// From every boundary of a bouncing ball, and of the free bodies of every method that carries them.
TEST(Signals, ARunGoesOnFromAnyBoundaryWithTheSameBits) {
    for (const How& how : every_way) {
        BallRun ball = thrown(how, 1, 0.01);
        ball.model.parameters.end_time = 1000;
        EveryStep watch;
        simulate(ball.model, ball.state, watch);
        ASSERT_GT(watch.states.size(), 3U);
        for (std::size_t k = 0; k < watch.states.size(); k += 1 + watch.states.size() / 30) {
            model::State state = watch.states[k];
            Notes notes;
            simulate(ball.model, state, notes);
            ASSERT_TRUE(state == ball.state) << how.method << ", boundary " << k;
        }
    }
}

// What contacts give a ball that falls, bounces and flies is m (v' - v + g T), exactly where steps know the mean of the force; the two ends
// of adaptive steps make the trapezoid of a contact, to a few hundredths. Then it rests on them with its weight.
TEST(Signals, ContactForceIsTheWeightAtRestAndTheImpulseOfAnImpact) {
    constexpr How soft[] = {{"penalty", model::Integrator::dopri5, none, true},
                            {"penalty", model::Integrator::rk4, 0.01, false},
                            {"penalty", model::Integrator::leapfrog, 0.01, false},
                            {"impulse", model::Integrator::leapfrog, 0.5, false}};
    for (const How& how : soft) {
        SCOPED_TRACE(std::string(how.method) + ' ' + std::to_string(static_cast<int>(how.integrator)));
        BallRun ball = thrown(how, 0.3, 0);
        ball.contact().restitution = 0.5;
        ball.model.parameters.signals = {{"force", {.kind = SignalKind::contact_force}}};
        const double m = ball.model.parameters.bodies[0].mass, impact = std::sqrt(2 * (0.3 - ball.model.parameters.bodies[0].radius()) / g);
        ball.model.parameters.end_time = 1.5 * impact;
        EveryStep watch;
        simulate(ball.model, ball.state, watch);
        const model::Extremes& e = ball.state.extremes;
        const double given = m * (ball.state.bodies.velocity[0].z + g * ball.state.clock.time());
        EXPECT_GT(given, 1.4 * m * g * impact);
        EXPECT_NEAR(e.integral[0], given, (how.is_dense ? 0.05 : 1e-9) * given);
        EXPECT_EQ(e.least[0], 0);
        EXPECT_EQ(e.last[0], 0);
        for (std::size_t k = 0; k < watch.states.size(); k += 1 + watch.states.size() / 30) {
            model::State state = watch.states[k];
            Notes notes;
            simulate(ball.model, state, notes);
            ASSERT_TRUE(state == ball.state) << "boundary " << k;
        }

        BallRun lying = thrown(how, ball.model.parameters.bodies[0].radius() - m * g / ball.contact().stiffness, 0);
        lying.model.parameters.signals = ball.model.parameters.signals;
        lying.model.parameters.end_time = 100;
        lying.run();
        EXPECT_NEAR(lying.state.extremes.last[0], m * g, 1e-6 * m * g);

        // The metric is the largest value of that signal, and there is no need of one.
        EXPECT_EQ(ball.state.forces.most_contact, std::vector<double>{ball.state.extremes.most[0]});
        BallRun unnamed = thrown(how, 0.3, 0);
        unnamed.contact().restitution = 0.5;
        unnamed.model.parameters.end_time = 1.5 * impact;
        unnamed.model.parameters.names = {{.row = 0, .name = "ball"}};
        const model::State first = unnamed.state;
        const model::Outcome outcome = unnamed.run();
        const std::vector<analysis::Metric> metrics = analysis::metrics(unnamed.model, first, unnamed.state, {}, outcome);
        const auto told = std::ranges::find(metrics, "contact_force", &analysis::Metric::name);
        ASSERT_NE(told, metrics.end());
        EXPECT_EQ(std::get<double>(told->value), ball.state.extremes.most[0]);
    }
}

// Two spheres that fall on each other. The distance is that of the centres, least at the touch; speeds are looked at on both sides of it.
TEST(Signals, OfFreeBodiesAreKeptByEveryMethod) {
    struct Free {
        const char* method;
        model::Integrator integrator;
        double step;
    };
    for (const Free& how : {Free{"penalty", model::Integrator::dopri5, none}, Free{"penalty", model::Integrator::verlet, none},
                            Free{"penalty", model::Integrator::symplectic4, 5}, Free{"constraint", model::Integrator::symplectic4, none},
                            Free{"constraint", model::Integrator::verlet, 5}, Free{"lcp", model::Integrator::dopri5, none},
                            Free{"lcp", model::Integrator::verlet, 5}}) {
        model::Model model = thesis_model();
        model::Parameters& world = model.parameters;
        world.bodies = rows({world.bodies[0], world.bodies[0]});
        world.environment.tides.law = model::TideLaw::none;
        world.laws.laws[0].restitution = 0.5;
        world.signals = {{"distance", {.kind = SignalKind::distance, .of = 0, .to = 1}},
                         {"approach", {.kind = SignalKind::relative_speed, .of = 0, .to = 1}}};
        world.phases = {{.name = "all", .method = how.method, .integrator = how.integrator, .tolerance = 1e-9, .step_max = how.step}};
        world.end_time = 8000;
        model::State state = state_of({{0, 0, 0}, {thesis_diameter + 600, 0, 0}});
        EveryStep watch;
        const model::Outcome outcome = simulate(model, state, watch);
        ASSERT_FALSE(outcome.is_trouble()) << how.method << ": " << outcome.message;
        ASSERT_FALSE(watch.of(model::EventKind::impact).empty());
        const model::Extremes& e = state.extremes;
        ASSERT_EQ(e.size(), 2U);
        const bool is_soft = how.method == std::string("penalty");
        EXPECT_NEAR(e.least[0], thesis_diameter, is_soft ? 2 : 1e-6) << how.method;
        EXPECT_EQ(e.most[0], thesis_diameter + 600);
        EXPECT_EQ(e.most_time[0], 0);
        // v^2 / 2 = 2 G m (1 / d - 1 / (d + 600 m))
        const double m = world.bodies[0].mass, d = thesis_diameter;
        const double approach = std::sqrt(4 * thesis_gravity * m * (1 / d - 1 / (d + 600)));
        EXPECT_NEAR(e.most[1], approach, 1e-5 * approach) << how.method << ' ' << static_cast<int>(how.integrator);
        EXPECT_EQ(e.until, state.clock.time());
        for (std::size_t k = 0; k < watch.states.size(); k += 1 + watch.states.size() / 12) {
            model::State again = watch.states[k];
            Notes notes;
            simulate(model, again, notes);
            ASSERT_TRUE(again == state) << how.method << ' ' << static_cast<int>(how.integrator) << ", boundary " << k;
        }
    }
}

TEST(Signals, AreShownAtEachSample) {
    struct Shown : Notes {
        std::vector<double> heights;
        void sample(const model::Look& look) override {
            ASSERT_EQ(look.signals.size(), 2U);
            EXPECT_EQ(look.signals[0], look.position[0].z);
            EXPECT_EQ(look.signals[1], norm(look.velocity[0]));
            heights.push_back(look.signals[0]);
            sample_time += 10;
        }
    };
    for (const How& how : every_way) {
        BallRun ball = thrown(how, 5, 0.03);
        ball.model.parameters.end_time = 300;
        Shown shown;
        shown.sample_time = 0;
        simulate(ball.model, ball.state, shown);
        EXPECT_GT(shown.heights.size(), 2U);
    }
}

// 30 degrees about x, of each axis; against gravity that pulls along -x.
TEST(Signals, ATiltIsTheAngleOfAnAxisAgainstTheVertical) {
    BallRun ball(plane({0, 0, 1}, 80));
    constexpr double degree = std::numbers::pi / 180;
    ball.state.bodies.orientation[0] = rotation({30 * degree, 0, 0});
    const auto tilt = [&](const Vec3& axis) {
        return analysis::signal(ball.model, {.kind = SignalKind::tilt, .axis = axis}, {.bodies = ball.state.bodies, .state = ball.state});
    };
    EXPECT_NEAR(tilt({0, 0, 1}), 30 * degree, 1e-15);
    EXPECT_NEAR(tilt({0, 1, 0}), 60 * degree, 1e-15);
    EXPECT_NEAR(tilt({0, 0, -1}), 150 * degree, 1e-15);
    ball.model.parameters.environment.field = gravity::Uniform{{-2, 0, 0}};
    EXPECT_NEAR(tilt({0, 0, 1}), 90 * degree, 1e-15);
    EXPECT_NEAR(tilt({1, 0, 0}), 0, 1e-15);
    ball.model.parameters.environment.field = gravity::Uniform{};
    EXPECT_NEAR(tilt({0, 0, 1}), 30 * degree, 1e-15);
}

TEST(Signals, MetricsTellTheirExtremesByName) {
    BallRun ball = thrown(every_way[0], 5, 0.03);
    ball.model.parameters.end_time = 500;
    const model::State first = ball.state;
    const model::Outcome outcome = ball.run();
    const std::vector<analysis::Metric> all = analysis::metrics(ball.model, first, ball.state, ball.notes.events, outcome);
    const auto value = [&](const std::string& name) {
        for (const analysis::Metric& metric : all)
            if (metric.name == name) return std::get<double>(metric.value);
        ADD_FAILURE() << name;
        return 0.0;
    };
    EXPECT_EQ(value("height.most"), ball.state.extremes.most[0]);
    EXPECT_EQ(value("height.most_time"), ball.state.extremes.most_time[0]);
    EXPECT_EQ(value("height.least"), ball.state.extremes.least[0]);
    EXPECT_EQ(value("height.mean"), ball.state.extremes.integral[0] / 500);
    EXPECT_EQ(value("speed.end"), norm(ball.velocity()));
    for (const analysis::Metric& metric : all) {
        if (metric.name.ends_with(".mean")) {
            EXPECT_EQ(metric.unit, metric.name == "speed.mean" ? "m/s" : "m");
        }
        if (metric.name.ends_with(".least_time")) {
            EXPECT_EQ(metric.unit, "s");
        }
        EXPECT_NE(analysis::find_metric(metric.name), nullptr) << metric.name;
    }
}

}  // namespace
}  // namespace asperity::dynamics::test::signals_test
