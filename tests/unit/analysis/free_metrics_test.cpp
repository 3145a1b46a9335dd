// Metrics of free bodies: what does not depend on the frame, and what is told where there is nothing to divide by.
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <string>

#include "asperity/analysis/free_bodies.h"
#include "asperity/scenario/compile.h"
#include "asperity/scenario/read.h"

namespace asperity::analysis {
namespace {

// Two spheres in contact; the second moves as given, and both with a common velocity.
std::map<std::string, decltype(Metric::value)> metrics_of(const Vec3& second, const Vec3& common) {
    const scenario::Scenario scenario = scenario::read_scenario_text(R"([world]
kind = "free"
[[body]]
radius = "300 m"
density = "2 g/cm^3"
position = ["0 m", "0 m", "0 m"]
velocity = ["0 m/s", "0 m/s", "0 m/s"]
[[body]]
radius = "200 m"
density = "2 g/cm^3"
position = ["500 m", "0 m", "0 m"]
velocity = ["0 m/s", "0 m/s", "0 m/s"]
[end]
time = "1 h"
)",
                                                                     "a.toml", {});
    scenario::Compiled compiled = scenario::compile(scenario, {});
    compiled.state.bodies.velocity = {common, common + second};
    std::map<std::string, decltype(Metric::value)> out;
    for (Metric& metric : free_metrics(compiled.model, compiled.state, compiled.state, {}, {})) out[metric.name] = std::move(metric.value);
    return out;
}

double number(const std::map<std::string, decltype(Metric::value)>& metrics, const char* name) {
    return std::get<double>(metrics.at(name));
}

TEST(FreeMetrics, EnergiesDoNotDependOnACommonVelocity) {
    const auto still = metrics_of({0, 0.05, 0}, {}), boosted = metrics_of({0, 0.05, 0}, {3, -10, 1});
    for (const char* name : {"energy", "energy_excess", "energy_above_minimum", "ground_energy", "angular_momentum"})
        EXPECT_NEAR(number(boosted, name) / number(still, name), 1, 1e-6) << name;
}

TEST(FreeMetrics, DriftOfBodiesWithoutAngularMomentumIsANumber) { EXPECT_EQ(number(metrics_of({}, {}), "angular_momentum_drift"), 0); }

TEST(FreeMetrics, AnEnergyThatIsOffIsTold) {
    const auto told = [](double error) { return doubts(std::vector<Metric>{{.name = "energy_error", .value = error, .unit = ""}}).size(); };
    EXPECT_EQ(told(1e-4), 0u);
    EXPECT_EQ(told(1e-2), 1u);
    EXPECT_EQ(told(std::numeric_limits<double>::quiet_NaN()), 1u);
}

}  // namespace
}  // namespace asperity::analysis
