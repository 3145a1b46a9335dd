// Driven bodies from a scenario: ground that turns in an inertial frame, the companion of a binary, a shaker.
#include <algorithm>
#include <cmath>
#include <vector>

#include "asperity/analysis/energy.h"
#include "asperity/dynamics/simulate.h"
#include "asperity/scenario/compile.h"
#include "unit/scenario/scenario_test_tools.h"

namespace asperity::scenario::driven_test {
namespace {

struct EventsKept final : model::Observer {
    double next_sample() const override { return std::numeric_limits<double>::infinity(); }
    void sample(const model::Look&) override {}
    void event(const model::Event& event) override { events.push_back(event); }
    double next_checkpoint() const override { return std::numeric_limits<double>::infinity(); }
    void checkpoint(const model::State&) override {}
    std::vector<model::Event> events;

    std::vector<model::Event> impacts() const {
        std::vector<model::Event> out;
        for (const model::Event& event : events)
            if (event.kind == model::EventKind::impact) out.push_back(event);
        return out;
    }
};

struct Ran {
    model::State state;
    model::Outcome outcome;
    std::vector<model::Event> impacts;
    double energy = 0;  // J, at the start
};

Ran ran(const std::string& text) {
    const Scenario scenario = read_scenario_text(text, "a.toml");
    const model::Assets assets = load_assets(scenario);
    Compiled compiled = compile(scenario, assets);
    EventsKept events;
    const double energy = compiled.state.balance.start;
    const model::Outcome outcome = dynamics::simulate(compiled.model, compiled.state, events);
    return {compiled.state, outcome, events.impacts(), energy};
}

// A ball that is thrown at an asteroid which turns in six hours.
std::string thrown(bool is_turning, const std::string& spin, double end) {
    return (is_turning ? std::string("frame = \"rock\"\n") : std::string()) + R"([body.rock]
shape = { builtin = "itokawa", facets = 500 }
density = "1.98 g/cm^3"
spin_period = "6 h"
attracts = { field = "point" }
[body.lander]
shape = { sphere = "1 m" }
mass = "10 kg"
[body.lander.start]
position = ["20 m", "40 m", "150 m"]
velocity_in = "inertial"
velocity = ["1 cm/s", "0 cm/s", "-10 cm/s"]
spin = )" + spin +
           R"(
[contact."lander/rock"]
restitution = 0.6
friction = 0.5
stiffness = "1e4 N/m"
slip_speed = "1 mm/s"
[[phase]]
method = "penalty"
tolerance = 1e-11
[end]
time = ")" +
           std::to_string(end) + " s\"\n";
}

// The same start, the asteroid at rest in a frame that turns with it, or driven in one that does not: the same path, heat and bounces.
// The work is what differs: in its own frame a body that stands still does none.
TEST(Driven, ground_that_turns_is_the_same_seen_from_both_frames) {
    const double end = 1800, rate = 2 * 3.14159265358979323846 / (6 * 3600);
    const Vec3 w{0, 0, rate};
    const Ran turning = ran(thrown(true, "[\"0 rad/s\", \"0 rad/s\", \"-2.9088820866572158e-4 rad/s\"]", end));
    const Ran still = ran(thrown(false, "[\"0 rad/s\", \"0 rad/s\", \"0 rad/s\"]", end));
    ASSERT_GE(turning.impacts.size(), 2u);
    ASSERT_EQ(turning.impacts.size(), still.impacts.size());
    for (std::size_t k = 0; k < turning.impacts.size(); ++k) {
        const model::Event &a = turning.impacts[k], &b = still.impacts[k];
        EXPECT_NEAR(a.time, b.time, 1e-4) << k;
        const Quat q = rotation(b.time * w);
        EXPECT_NEAR(norm(rotate(q, a.position) - b.position), 0, 1e-5) << k;
        EXPECT_NEAR(norm(rotate(q, a.normal) - b.normal), 0, 1e-6) << k;
        EXPECT_NEAR(a.normal_speed_in, b.normal_speed_in, 1e-7) << k;
        EXPECT_EQ(a.b, model::ground);
        EXPECT_EQ(b.b, 1);
    }
    const Quat q = rotation(end * w);
    const model::Bodies &a = turning.state.bodies, &b = still.state.bodies;
    EXPECT_NEAR(norm(rotate(q, a.position[0]) - b.position[0]), 0, 1e-4);
    EXPECT_NEAR(norm(rotate(q, a.velocity[0] + cross(w, a.position[0])) - b.velocity[0]), 0, 1e-6);
    EXPECT_NEAR(norm(rotate(q, a.spin[0] + w) - b.spin[0]), 0, 1e-6);
    EXPECT_NEAR(turning.state.tallies.heat_impact[0] / still.state.tallies.heat_impact[0], 1, 1e-4);
    EXPECT_NEAR(turning.state.tallies.heat_friction[0] / still.state.tallies.heat_friction[0], 1, 1e-3);
    EXPECT_EQ(turning.state.tallies.work[0], 0);
    EXPECT_GT(std::fabs(still.state.tallies.work[0]), 0.01 * still.state.tallies.heat_impact[0]);
    EXPECT_LT(turning.state.balance.error, 1e-6 * std::fabs(turning.energy));
    EXPECT_LT(still.state.balance.error, 1e-6 * std::fabs(still.energy));
}

// To rest, which is standstill on the asteroid: the same stop at the same time in both frames.
TEST(Driven, a_body_comes_to_rest_on_ground_that_turns) {
    const auto rests = [](bool is_turning) {
        const std::string spin = "[\"0 rad/s\", \"0 rad/s\", \"0 rad/s\"]";
        const std::string text =
            replaced(thrown(is_turning, spin, 36000), "restitution = 0.6", "rolling_resistance = 0.5\nrestitution = 0.1");
        return ran(replaced(text, "tolerance = 1e-11", "tolerance = 1e-10"));
    };
    const Ran turning = rests(true), still = rests(false);
    ASSERT_EQ(turning.outcome.kind, model::OutcomeKind::rest);
    ASSERT_EQ(still.outcome.kind, model::OutcomeKind::rest);
    EXPECT_NEAR(still.outcome.time / turning.outcome.time, 1, 1e-2);  // spins of the start differ by that of the asteroid
    const Quat back = rotation({0, 0, -still.state.clock.time() * 2 * 3.14159265358979323846 / (6 * 3600)});
    EXPECT_NEAR(norm(rotate(back, still.state.bodies.position[0]) - turning.state.bodies.position[0]), 0, 0.5);
    EXPECT_GT(norm(still.state.bodies.velocity[0]), 0.01) << "it goes round with the asteroid";
}

// At a binary a ball falls onto the body that goes about that of the frame.
TEST(Driven, the_companion_of_a_binary_is_touched) {
    const std::string text = R"(frame = "alpha"
[body.alpha]
shape = { builtin = "itokawa", facets = 500 }
density = "2 g/cm^3"
spin_period = "20 h"
attracts = { field = "point" }
[body.beta]
shape = { builtin = "itokawa", facets = 200 }
scale = 0.5
density = "2 g/cm^3"
attracts = { field = "point" }
orbit = { about = "alpha", separation = "800 m", eccentricity = 0.05 }
[body.lander]
shape = { sphere = "1 m" }
mass = "10 kg"
[body.lander.start]
position = ["760 m", "0 m", "150 m"]
velocity = ["0 cm/s", "0 cm/s", "-10 cm/s"]
[contact."*/*"]
restitution = 0.6
friction = 0.5
stiffness = "1e4 N/m"
slip_speed = "1 mm/s"
[[phase]]
method = "penalty"
[end]
time = "2500 s"
)";
    const Ran got = ran(text);
    ASSERT_FALSE(got.impacts.empty());
    const model::Event& hit = got.impacts[0];
    EXPECT_EQ(hit.b, 1);
    EXPECT_NEAR(hit.position.x, 760, 100);
    EXPECT_NE(got.state.tallies.work[0], 0);
    EXPECT_GT(hit.normal_speed_in, 0.01);
    EXPECT_LT(got.state.balance.error, 1e-5 * std::fabs(got.energy));
    const Ran rigid = ran(replaced(text, "method = \"penalty\"", "method = \"event-driven\""));
    EXPECT_EQ(rigid.outcome.kind, model::OutcomeKind::companion);
    // Rigid in flight, soft from before the touch on: driven rows come and go with the phases.
    const Ran both = ran(replaced(text, "[[phase]]\n", "[[phase]]\nmethod = \"event-driven\"\nduration = \"100 s\"\n[[phase]]\n"));
    ASSERT_FALSE(both.impacts.empty());
    EXPECT_NEAR(both.impacts[0].time, hit.time, 1e-5);
    // Several at once: each meets the companion as it would alone, and they see each other.
    const Ran several =
        ran(replaced(replaced(text, "mass = \"10 kg\"", "mass = \"10 kg\"\ncount = 2"), "[contact.",
                     "[body.lander-2.start]\nposition = [\"760 m\", \"0 m\", \"152.5 m\"]\nvelocity = [\"0 cm/s\", \"0 cm/s\", "
                     "\"-10 cm/s\"]\n[contact."));
    ASSERT_GE(several.impacts.size(), 2u);
    EXPECT_EQ(several.impacts[0].b, 2) << "the row behind those that move";
    EXPECT_NEAR(several.impacts[0].time, hit.time, 1e-4);
    EXPECT_TRUE(std::ranges::any_of(several.impacts, [](const model::Event& event) { return event.a == 0 && event.b == 1; }));
    EXPECT_LT(several.state.balance.error, 1e-5 * std::fabs(several.energy));
    EXPECT_NEAR(rigid.outcome.time, hit.time, 0.1) << "there it ends within a thousandth of a radius";
}

const std::string shaken = R"(gravity.uniform = ["0 m/s^2", "0 m/s^2", "-9.81 m/s^2"]
[body.plate]
shape = { sphere = "1 m" }
[body.plate.motion]
kind = "sine"
position = ["0 m", "0 m", "-1 m"]
amplitude = "5 mm"
frequency = "3 Hz"
[body.ball]
shape = { sphere = "5 cm" }
mass = "1 kg"
[body.ball.start]
position = ["0 m", "0 m", "10 cm"]
velocity = ["0 m/s", "0 m/s", "0 m/s"]
[contact."ball/plate"]
restitution = 0.5
stiffness = "1e5 N/m"
[[phase]]
method = "penalty"
[end]
time = "0.3 s"
)";

TEST(Driven, a_shaker_is_written_in_a_scenario) {
    const Ran got = ran(shaken);
    ASSERT_FALSE(got.impacts.empty());
    EXPECT_EQ(got.impacts[0].b, 1);
    const double t = got.impacts[0].time;
    EXPECT_NEAR(0.1 - 0.5 * 9.81 * t * t, 0.05 + 0.005 * std::sin(2 * 3.14159265358979323846 * 3 * t), 1e-9);
    EXPECT_NE(got.state.tallies.work[0], 0);
    EXPECT_LT(got.state.balance.error, 1e-6 * std::fabs(got.energy));
}

TEST(Driven, what_cannot_be_driven_is_told) {
    const auto with = [](const char* from, const char* to) { return errors_of(replaced(shaken, from, to)); };
    EXPECT_NE(with("[body.ball]", "[body.plate.start]\nposition = [\"0 m\", \"0 m\", \"0 m\"]\n[body.ball]").find("given by `motion`"),
              std::string::npos);
    EXPECT_NE(with("kind = \"sine\"\n", "kind = \"sine\"\ndirection = [0, 0, 0]\n").find("`direction` is zero"), std::string::npos);
    EXPECT_NE(with("[contact.\"ball/plate\"]", "[contact.\"ball/ball\"]").find("how `ball` and `plate` touch"), std::string::npos);
    EXPECT_THROW(ran(replaced(shaken, "\"10 cm\"", "\"4 cm\"")), InputError) << "starts inside it";
    EXPECT_THROW(ran(replaced(shaken, "\"penalty\"", "\"event-driven\"")), InputError);
}

// Two points that stand still attract and are touched: a ball that starts at rest between them, nearer to one, falls onto it with the speed
// that their potentials say.
TEST(Sources, two_attracting_bodies_pull_a_ball_between_them) {
    const std::string text = R"([body.left]
shape = { sphere = "100 m" }
mass = "1e10 kg"
attracts = { field = "point" }
[body.left.motion]
kind = "course"
point = [{ time = "0 s", position = ["-300 m", "0 m", "0 m"] }]
[body.right]
shape = { sphere = "100 m" }
density = "2 g/cm^3"
attracts = { field = "point" }
[body.right.motion]
kind = "turning"
position = ["300 m", "0 m", "0 m"]
rate = "1e-4 rad/s"
[body.ball]
shape = { sphere = "1 m" }
mass = "1 kg"
[body.ball.start]
position = ["50 m", "0 m", "0 m"]
velocity = ["0 m/s", "0 m/s", "0 m/s"]
[contact."*/*"]
restitution = 0.5
stiffness = "1e3 N/m"
[[phase]]
method = "penalty"
tolerance = 1e-11
[end]
time = "3 h"
)";
    const Ran got = ran(text);
    ASSERT_FALSE(got.impacts.empty());
    const double left = 6.6743e-11 * 1e10, right = 6.6743e-11 * 2000 * 4 / 3 * 3.14159265358979323846 * 1e6;
    const auto potential = [&](double x) { return -left / (x + 300) - right / (300 - x); };
    EXPECT_EQ(got.impacts[0].b, 2);
    EXPECT_NEAR(got.impacts[0].normal_speed_in, std::sqrt(2 * (potential(50) - potential(199))), 1e-8);
    EXPECT_LT(got.state.balance.error, 1e-7 * std::fabs(got.energy));
    EXPECT_NE(errors_of(replaced(text, "attracts = { field = \"point\" }", "attracts = {}")).find("attracts as a point"),
              std::string::npos);
}

// A uniform field and a body that attracts add up.
TEST(Sources, a_uniform_field_is_added_to_that_of_a_body) {
    const std::string one = thrown(true, "[\"0 rad/s\", \"0 rad/s\", \"0 rad/s\"]", 1);
    const std::string text =
        replaced(one, "frame = \"rock\"\n", "frame = \"rock\"\ngravity.uniform = [\"1e-5 m/s^2\", \"0 m/s^2\", \"2e-5 m/s^2\"]\n");
    const auto built = [](const std::string& from) {
        const Scenario scenario = read_scenario_text(from, "a.toml");
        const model::Assets assets = load_assets(scenario);
        const model::Environment environment = compile(scenario, assets).model.parameters.environment;
        return gravity::acceleration(environment.field, {0, 0, 300}, {0.1, 0, 0}, 7);
    };
    EXPECT_NEAR(norm(built(text) - built(one) - Vec3{1e-5, 0, 2e-5}), 0, 1e-18);
    const Ran got = ran(replaced(text, "time = \"1.000000 s\"", "time = \"1500 s\""));
    EXPECT_FALSE(got.impacts.empty());
    EXPECT_LT(got.state.balance.error, 1e-6 * std::fabs(got.energy));
    EXPECT_THROW(ran(replaced(text, "\"penalty\"", "\"event-driven\"")), InputError);
}

}  // namespace
}  // namespace asperity::scenario::driven_test
