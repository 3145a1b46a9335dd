// The last sample of a run is its end, under every method of free bodies. Balls: outcomes_test.cpp.
#include <gtest/gtest.h>

#include <limits>
#include <utility>
#include <vector>

#include "asperity/dynamics/simulate.h"
#include "asperity/model/sample.h"
#include "unit/dynamics/spheres.h"

namespace asperity::dynamics::last_sample_test {
namespace {

struct Times final : model::Observer {
    explicit Times(double every) : every(every) {}
    double next_sample() const override { return next; }
    void sample(const model::Look& s) override {
        model::append_samples(s, samples);
        next = s.time + every;
    }
    void event(const model::Event&) override { ++events; }
    double next_checkpoint() const override { return std::numeric_limits<double>::infinity(); }
    void checkpoint(const model::State&) override {}

    double every, next = 0;
    int events = 0;
    std::vector<model::Sample> samples;
};

// Three bodies that rest on each other and turn as one, so that every method carries them; the end is no multiple of the interval.
TEST(LastSample, IsTheEndOfTheRunUnderEveryMethod) {
    const double end = 12345.6789, every = 4000;
    for (const auto& [method, integrator] :
         {std::pair{"constraint", model::Integrator::verlet}, std::pair{"lcp", model::Integrator::dopri5},
          std::pair{"penalty", model::Integrator::dopri5}, std::pair{"penalty", model::Integrator::verlet},
          std::pair{"secular", model::Integrator::verlet}}) {
        SCOPED_TRACE(method);
        model::Model model = thesis_model();
        model.parameters.phases = {{.name = "all", .method = method, .integrator = integrator, .tolerance = 1e-9}};
        model.parameters.end_time = end;
        model::State state = state_of(lagrange_resting()), unseen;
        turn_as_one(rate_of(model.parameters, lagrange_resting(), 1), state);
        unseen = state;
        Times seen(every), blind(std::numeric_limits<double>::infinity());
        blind.next = blind.every;
        const model::Outcome outcome = simulate(model, state, seen);
        simulate(model, unseen, blind);
        ASSERT_GE(seen.samples.size(), 6U);
        for (std::size_t i = 0; i < 3; ++i) {  // one for each body
            const model::Sample& last = seen.samples[seen.samples.size() - 3 + i];
            EXPECT_EQ(last.time, outcome.time);
            EXPECT_EQ(last.body, static_cast<std::int64_t>(i));
            EXPECT_EQ(last.position, state.bodies.position[i]);
            EXPECT_EQ(last.velocity, state.bodies.velocity[i]);
        }
        EXPECT_LT(seen.samples[seen.samples.size() - 4].time, outcome.time);
        EXPECT_TRUE(blind.samples.empty());
        EXPECT_EQ(blind.events, seen.events);
        EXPECT_TRUE(state == unseen);
    }
}

}  // namespace
}  // namespace asperity::dynamics::last_sample_test
