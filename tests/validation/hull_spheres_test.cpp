// A sphere that is given as the hull of 42 to 10,242 points: its first impact under `impulse`, whose flights and impacts are located, comes
// to that of the ball under `event-driven`.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <random>

#include "asperity/dynamics/simulate.h"
#include "asperity/geometry/icosphere.h"
#include "asperity/scenario/compile.h"
#include "asperity/scenario/read.h"

namespace asperity::dynamics::hull_spheres_test {
namespace {

constexpr double radius = 0.25;  // m
constexpr std::size_t orientations = 96;

struct FirstImpact final : model::Observer {
    std::optional<model::Event> first;
    double next_sample() const override { return std::numeric_limits<double>::infinity(); }
    void sample(const model::Look&) override {}
    void event(const model::Event& event) override {
        if (event.kind == model::EventKind::impact && !first) first = event;
    }
    double next_checkpoint() const override { return std::numeric_limits<double>::infinity(); }
    void checkpoint(const model::State&) override {}
};

// Thrown askew onto a plain.
std::string text_of(const std::string& shape, const std::string& phase, double friction, double spin) {
    return fmt::format(R"(gravity.uniform = ["0 m/s^2", "0 m/s^2", "-1 cm/s^2"]
[body.ground]
shape = {{ surface = "plain" }}
fixed = true
[body.ball]
shape = {{ {} }}
mass = "10 kg"
[body.ball.start]
position = ["0 m", "0 m", "1 m"]
velocity = ["4 cm/s", "-1 cm/s", "-5 cm/s"]
spin = ["{} rad/s", "{} rad/s", "{} rad/s"]
[contact."ball/ground"]
restitution = 0.65
friction = {}
[[phase]]
{}
[end]
time = "20 s"
)",
                       shape, 0.4 * spin, spin, -0.6 * spin, friction, phase);
}

model::Event impact_of(const scenario::Compiled& compiled, model::State state) {
    FirstImpact seen;
    simulate(compiled.model, state, seen);
    EXPECT_TRUE(seen.first);
    return seen.first.value_or(model::Event{});
}

// Of the approach speed: how far centre and surface (by the spin) are off, at most and in the mean of all orientations.
struct Off {
    double time = 0;  // s
    double centre = 0, surface = 0;
    Vec3 mean_centre, mean_surface;
};

Off off_by(const scenario::Compiled& compiled, const model::Event& wanted) {
    std::mt19937_64 random(7);
    std::normal_distribution<double> draw;
    Off out;
    const double before = wanted.normal_speed_in, part = 1.0 / static_cast<double>(orientations);
    for (std::size_t n = 0; n < orientations; ++n) {
        model::State state = compiled.state;
        state.bodies.orientation[0] = unit(Quat{draw(random), draw(random), draw(random), draw(random)});
        const model::Event got = impact_of(compiled, state);
        const Vec3 v = (got.velocity - wanted.velocity) / before, w = radius / before * (got.spin - wanted.spin);
        out.time = std::fmax(out.time, std::fabs(got.time - wanted.time));
        out.centre = std::fmax(out.centre, norm(v));
        out.surface = std::fmax(out.surface, norm(w));
        out.mean_centre += part * v;
        out.mean_surface += part * w;
    }
    return out;
}

// A vertex that touches stands beside the foot of the centre by up to half the distance of points, which is what friction, and the approach
// speed of a ball that spins, see: order 1 in that distance, as likely one way as the other, so that the mean over orientations is better.
// Without either only W_nn feels it: order 2. The farthest that a vertex can be, d = 0.022 of the radius with 10,242, makes (1 + e) 5/2 d^2
// = 2.0e-3 and (1 + e) 5/7 d = 2.6e-2 of the approach speed.
TEST(HullSpheres, FirstImpactsComeToThoseOfTheBall) {
    struct Case {
        double friction, spin, order, last, last_mean;
    };
    for (const Case& of : {Case{0, 0, 2, 2.2e-3, 1e-3}, Case{0.05, 0.05, 1, 3e-2, 5e-3}, Case{0.9, 0.05, 1, 3e-2, 5e-3}}) {
        const scenario::Scenario ball = scenario::read_scenario_text(
            text_of(fmt::format("sphere = \"{} m\"", radius), "method = \"event-driven\"\ntolerance = 1e-12\n", of.friction, of.spin),
            "ball.toml");
        const model::Assets assets = scenario::load_assets(ball);
        const scenario::Compiled rigid = scenario::compile(ball, assets);
        const model::Event wanted = impact_of(rigid, rigid.state);
        ASSERT_GT(wanted.velocity.z, 0) << "told after the impact";
        std::vector<Off> off;
        for (int level = 1; level <= 5; ++level) {
            std::string points;
            const std::vector<Vec3> vertices = geometry::icosphere(level).vertices;
            for (const Vec3& v : vertices)
                points +=
                    fmt::format("{}[\"{} m\", \"{} m\", \"{} m\"]", points.empty() ? "" : ", ", radius * v.x, radius * v.y, radius * v.z);
            const scenario::Scenario hull = scenario::read_scenario_text(
                text_of("hull = [" + points + "]",
                        "method = \"impulse\"\nstep_max = \"10 ms\"\ntolerance = 1e-10\nflight_tolerance = 1e-12\n", of.friction, of.spin),
                "hull.toml");
            off.push_back(off_by(scenario::compile(hull, assets), wanted));
            const Off& now = off.back();
            fmt::print("| {} | {} | {:.1e} | {:.1e} | {:.1e} | {:.1e} | {:.1e} |\n", of.friction, vertices.size(), now.time, now.centre,
                       norm(now.mean_centre), now.surface, norm(now.mean_surface));
        }
        // From the second to the last, whose points are an eighth as far apart.
        const double order = std::log2(off[1].centre / off[4].centre) / 3;
        fmt::print("| {} | order | {:.2f} | {:.2f} | | | |\n", of.friction, std::log2(off[1].time / off[4].time) / 3, order);
        EXPECT_NEAR(order, of.order, 0.4) << of.friction;
        EXPECT_LT(off[4].centre, of.last) << of.friction;
        EXPECT_LT(norm(off[4].mean_centre), of.last_mean) << of.friction;
    }
}

}  // namespace
}  // namespace asperity::dynamics::hull_spheres_test
