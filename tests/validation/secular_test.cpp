// The averaged evolution against the tides as they are: ER -> LR of 3-ternary carried to its lock, 573 years, once with every turn computed
// (acceleration = 1) and once as fast as `secular` chooses. Minutes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <vector>

#include "asperity/scenario/read.h"
#include "asperity/study/trial.h"

namespace asperity::study {
namespace {

struct Lock {
    model::OutcomeKind kind;
    std::vector<double> times;  // s, of each body
    double energy = 0;          // J
};

Lock lock_with(const char* acceleration) {
    const scenario::Scenario scenario = scenario::read_scenario(
        ASPERITY_SOURCE_DIR "/scenarios/ternary/er-to-lr-lock.toml",
        {.sets = {fmt::format("phase.1.acceleration={}", acceleration), "phase.1.tolerance=1e-6", "end.step_budget=2000000000"}});
    const Trial trial = run_trial(scenario, {}, 0);
    Lock out{.kind = trial.outcome.kind};
    for (const analysis::Metric& metric : trial.metrics) {
        if (metric.name == "locked_time") out.times = std::get<std::vector<double>>(metric.value);
        if (metric.name == "energy") out.energy = std::get<double>(metric.value);
    }
    return out;
}

TEST(SecularAgainstDirect, LocksWhenTheTidesAsTheyAreLock) {
    const Lock direct = lock_with("1"), averaged = lock_with("0");
    ASSERT_EQ(direct.kind, model::OutcomeKind::locked);
    ASSERT_EQ(averaged.kind, model::OutcomeKind::locked);
    ASSERT_EQ(direct.times.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
        RecordProperty(fmt::format("years_{}", i), fmt::format("{:.3f} {:.3f}", direct.times[i] / 31536000, averaged.times[i] / 31536000));
        EXPECT_NEAR(averaged.times[i] / direct.times[i], 1, 5e-3);
    }
    EXPECT_NEAR(averaged.energy / direct.energy, 1, 1e-4);
}

}  // namespace
}  // namespace asperity::study
