// The averaged evolution against the tides as they are: ER -> LR of 3-ternary carried to its lock, 573 years, once with every turn computed
// (speed_up = 1), once as fast as `secular` chooses, and at a quarter of that. Minutes.
#include "asperity/dynamics/secular/secular.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <vector>

#include "asperity/dynamics/constraint/constraint.h"
#include "asperity/scenario/compile.h"
#include "asperity/scenario/read.h"
#include "asperity/study/trial.h"

namespace asperity::study::secular_test {
namespace {

struct Lock {
    model::OutcomeKind kind;
    std::vector<double> times;  // s, of each body
    double energy = 0;          // J
    double factor = 0;          // K
    double look = 0;            // s, time between two looks at the lock: 16 steps, K times as long
};

Lock lock_with(double speed_up, double tolerance) {
    const scenario::Scenario scenario =
        scenario::read_scenario(ASPERITY_SOURCE_DIR "/scenarios/ternary/er-to-lr-lock.toml",
                                {.sets = {fmt::format("phase.1.speed_up={}", speed_up), fmt::format("phase.1.tolerance={}", tolerance),
                                          "end.step_budget=2000000000"}});
    const model::Parameters parameters = scenario::compile(scenario, {}).model.parameters;
    const model::Phase& phase = parameters.phases[1];
    const Trial trial = run_trial(scenario, {}, 0);
    Lock out{.kind = trial.outcome.kind};
    out.factor = dynamics::secular_speed_up(parameters, phase);
    out.look = 16 * out.factor * dynamics::constraint_step(parameters, phase);
    for (const analysis::Metric& metric : trial.metrics) {
        if (metric.name == "locked_time") out.times = std::get<std::vector<double>>(metric.value);
        if (metric.name == "energy") out.energy = std::get<double>(metric.value);
    }
    return out;
}

TEST(SecularAgainstDirect, LocksWhenTheTidesAsTheyAreLock) {
    const Lock direct = lock_with(1, 1e-6), chosen = lock_with(0, 1e-9), slower = lock_with(0.25 * chosen.factor, 1e-9);
    ASSERT_EQ(direct.kind, model::OutcomeKind::locked);
    ASSERT_EQ(direct.times.size(), 3u);
    for (const Lock& averaged : {chosen, slower}) {
        ASSERT_EQ(averaged.kind, model::OutcomeKind::locked);
        // (2) of secular.h: the error of averaging is of order a = 1e-3 for the K that is chosen, and in proportion to K. A lock is seen at
        // the next look.
        const double averaging = 1e-3 * averaged.factor / chosen.factor;
        for (std::size_t i = 0; i < 3; ++i) {
            RecordProperty(fmt::format("years_{}_{}", averaged.factor, i),
                           fmt::format("{:.3f} {:.3f}", direct.times[i] / 31536000, averaged.times[i] / 31536000));
            EXPECT_GT(averaged.times[i] - direct.times[i], -averaging * direct.times[i] - direct.look);
            EXPECT_LT(averaged.times[i] - direct.times[i], averaging * direct.times[i] + averaged.look);
        }
        EXPECT_NEAR(averaged.energy / direct.energy, 1, 1e-6);  // spins within 1e-3 of the last rate: the square of that
    }
}

}  // namespace
}  // namespace asperity::study::secular_test
