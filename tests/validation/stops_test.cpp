// Where and when the landers of the demo stop does not depend on the end of the run, nor on the longest step.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "asperity/dynamics/simulate.h"
#include "asperity/scenario/compile.h"
#include "asperity/scenario/read.h"

namespace asperity::dynamics::stops_test {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

// Keeps the state of the step boundary before the contact on several features out of which the ball came to rest.
struct BeforeGathering final : model::Observer {
    model::State last;
    std::optional<model::State> kept;

    double next_sample() const override { return never; }
    void sample(const model::Look&) override {}
    void event(const model::Event& event) override {
        if (event.kind == model::EventKind::gather)
            kept = last;
        else if (event.kind != model::EventKind::rest)
            kept.reset();
    }
    double next_checkpoint() const override { return 0; }
    void checkpoint(const model::State& state) override { last = state; }
};

struct Stop100 {
    scenario::Scenario scenario = scenario::read_scenario("scenarios/landers/itokawa.toml");
    model::Assets assets = scenario::load_assets(scenario);

    model::Outcome run(std::uint64_t number, double end_time, model::Observer& observer) const {
        scenario::Compiled compiled = scenario::compile(scenario, assets, number);
        compiled.model.parameters.end_time = end_time;
        return simulate(compiled.model, compiled.state, observer);
    }
    model::Outcome go_on(std::uint64_t number, model::State state, double end_time, double step_max) const {
        scenario::Compiled compiled = scenario::compile(scenario, assets, number);
        compiled.model.parameters.end_time = end_time;
        compiled.model.parameters.phases[0].step_max = step_max;
        BeforeGathering unused;
        return simulate(compiled.model, state, unused);
    }
};

// A whole run is compared to the bit for two ends. Steps of 1 s are compared from the state before the lander last came onto several
// features: over a whole run of hundreds of impacts an ulp of the start already moves the stop by up to 20 s. An hour of rolling at
// 0.1 mm/s then moves it by 1e-8 of that hour: coordinates of 300 m leave 4e-13 of the direction from the surface to a ball of 5 cm, and a
// touch without approach is noticed within 1e-10 of the radius. The step onto those features is as exact as its tolerance, 1e-9 of the
// radius: 5e-6 s at an approach of 1e-5 m/s.
TEST(Stops, OfTheDemoDoNotDependOnTheEndNorOnTheLongestStep) {
    const Stop100 demo;
    const double hours = 3600;
    int stopped = 0, gathered = 0;
    double farthest = 0;
    int within = 0;
    for (std::uint64_t number = 0; number < 100; ++number) {
        SCOPED_TRACE(testing::Message() << "run " << number);
        BeforeGathering late, early;
        const model::Outcome whole = demo.run(number, 64 * hours, late);
        const model::Outcome cut = demo.run(number, 16 * hours, early);
        if (whole.kind != model::OutcomeKind::rest) continue;
        if (whole.time < 16 * hours) {
            ++stopped;
            EXPECT_EQ(cut.kind, model::OutcomeKind::rest);
            EXPECT_EQ(cut.time, whole.time);
        }
        if (!late.kept) continue;
        ++gathered;
        for (const double step_max : {never, 1.0})
            for (const double end_time : {whole.time + 1e-3, 64 * hours}) {
                const model::Outcome again = demo.go_on(number, *late.kept, end_time, step_max);
                EXPECT_EQ(again.kind, model::OutcomeKind::rest);
                const double apart = std::fabs(again.time - whole.time), rolled_for = whole.time - late.kept->clock.time();
                EXPECT_LE(apart, 5e-6 + 2e-8 * rolled_for) << "step " << step_max << ", end " << end_time;
                farthest = std::max(farthest, apart);
                within += step_max < never && end_time == 64 * hours && apart < 1e-6 ? 1 : 0;
            }
    }
    fmt::print("{} stop before 16 h, {} came to rest out of several contacts; stops apart by at most {:.1e} s, {} within 1e-6 s\n", stopped,
               gathered, farthest, within);
    EXPECT_GT(stopped, 70);
    EXPECT_GT(gathered, 30);
}

constexpr Vec3 axes[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};

struct Nobody final : model::Observer {
    double next_sample() const override { return never; }
    void sample(const model::Look&) override {}
    void event(const model::Event&) override {}
    double next_checkpoint() const override { return never; }
    void checkpoint(const model::State&) override {}
};

// Over whole runs hundreds of impacts make more of rounding than 1e-6 s. A step in flight is held to 1e-15 of the distance from the origin,
// some five units in the last place (error_ratio): a start that is moved by as much is the least that the stop can be asked to bear in
// double precision, and a lander is certain where six such moves leave its stop within 1e-6 s. The stop of each certain lander is the same
// to 1e-6 s with steps of 1 s and with none. (Of 100 landers 13 are certain, and none of them differs; of the other 87 some do.)
TEST(Stops, OfWholeRunsDependOnTheLongestStepNoMoreThanOnTheErrorOfAStep) {
    const Stop100 demo;
    const double error = 1e-15 * 520;  // m
    const auto stop = [&](std::uint64_t number, double step_max, const Vec3& move) {
        scenario::Compiled compiled = scenario::compile(demo.scenario, demo.assets, number);
        compiled.model.parameters.end_time = 64 * 3600.0;
        compiled.model.parameters.phases[0].tolerance = 1e-14;
        compiled.model.parameters.phases[0].step_max = step_max;
        compiled.state.bodies.position[0] += move;
        Nobody nobody;
        const model::Outcome outcome = simulate(compiled.model, compiled.state, nobody);
        EXPECT_EQ(outcome.kind, model::OutcomeKind::rest);
        return outcome.time;
    };
    int certain = 0, within = 0;
    for (std::uint64_t number = 0; number < 60; ++number) {
        SCOPED_TRACE(testing::Message() << "run " << number);
        const double whole = stop(number, never, {}), apart = std::fabs(stop(number, 1.0, {}) - whole);
        within += apart < 1e-6 ? 1 : 0;
        const auto bears = [&](const Vec3& move) { return std::fabs(stop(number, never, error * move) - whole) < 1e-6; };
        if (!std::ranges::all_of(axes, bears)) continue;
        ++certain;
        EXPECT_LT(apart, 1e-6);
    }
    fmt::print("steps of 1 s and none: {} of 60 stops agree to 1e-6 s, {} are certain to that\n", within, certain);
    EXPECT_GT(certain, 5);
}

}  // namespace
}  // namespace asperity::dynamics::stops_test
