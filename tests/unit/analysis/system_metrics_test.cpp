// Metrics of free bodies: what does not depend on the frame, and what is told where there is nothing to divide by.
#include "asperity/analysis/system_metrics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "asperity/dynamics/simulate.h"
#include "asperity/scenario/compile.h"
#include "asperity/scenario/read.h"

namespace asperity::analysis::system_metrics_test {
namespace {

// Two spheres in contact; the second moves as given, and both with a common velocity.
std::map<std::string, decltype(Metric::value)> metrics_of(const Vec3& second, const Vec3& common) {
    const scenario::Scenario scenario = scenario::read_scenario_text(R"([gravity]
mutual = "points"
[body.a]
shape = { sphere = "300 m" }
density = "2 g/cm^3"
[body.a.start]
position = ["0 m", "0 m", "0 m"]
velocity = ["0 m/s", "0 m/s", "0 m/s"]
[body.b]
shape = { sphere = "200 m" }
density = "2 g/cm^3"
[body.b.start]
position = ["500 m", "0 m", "0 m"]
velocity = ["0 m/s", "0 m/s", "0 m/s"]
[contact."*/*"]
restitution = 0
[end]
time = "1 h"
)",
                                                                     "a.toml", {});
    scenario::Compiled compiled = scenario::compile(scenario, {});
    compiled.state.bodies.velocity = {common, common + second};
    std::map<std::string, decltype(Metric::value)> out;
    for (Metric& metric : system_metrics(compiled.model, compiled.state, compiled.state, {}, {}))
        out[metric.name] = std::move(metric.value);
    return out;
}

double number(const std::map<std::string, decltype(Metric::value)>& metrics, const char* name) {
    return std::get<double>(metrics.at(name));
}

TEST(SystemMetrics, EnergiesDoNotDependOnACommonVelocity) {
    const auto still = metrics_of({0, 0.05, 0}, {}), boosted = metrics_of({0, 0.05, 0}, {3, -10, 1});
    for (const char* name : {"energy", "energy_excess", "energy_above_minimum", "ground_energy", "angular_momentum"})
        EXPECT_NEAR(number(boosted, name) / number(still, name), 1, 1e-6) << name;
}

TEST(SystemMetrics, DriftOfBodiesWithoutAngularMomentumIsANumber) { EXPECT_EQ(number(metrics_of({}, {}), "angular_momentum_drift"), 0); }

TEST(SystemMetrics, AnEnergyThatIsOffAndADeepOverlapAreTold) {
    model::Model model;
    for (const Vec3& axes : {Vec3{2, 2, 2}, Vec3{3, 1, 2}}) model.parameters.bodies.add({.semi_axes = axes});
    const auto told = [&](const char* name, double value) {
        return doubts(model, std::vector<Metric>{{.name = name, .value = value, .unit = ""}}).size();
    };
    EXPECT_EQ(told("energy_error", 1e-4), 0u);
    EXPECT_EQ(told("energy_error", 1e-2), 1u);
    EXPECT_EQ(told("energy_error", std::numeric_limits<double>::quiet_NaN()), 1u);
    EXPECT_EQ(told("energy_balance", 1e-4), 0u);
    EXPECT_EQ(told("energy_balance", 1e-2), 1u);
    EXPECT_EQ(told("max_penetration", 0.009), 0u);
    EXPECT_EQ(told("max_penetration", 0.011), 1u);
}

// 3-ternary 5.6 at H-bar^2 = 6.7058, R = 4.238 d, spins of 2.9752e-4 rad/s where 5.359e-5 are due: Gamma of 3.9 over r = d and R +- d/2.
// The third body is the one that is apart, whichever it is.
TEST(SystemMetrics, TheBodyApartLocksLast) {
    const double d = 4000, r = 4.237967 * d, m = 2000 * 3.14159265358979 / 6 * d * d * d, g = 6.67384e-11, due = 2.9752e-4 - 5.35945e-5;
    const auto slowing = [&](double x) { return 1.5e-5 / std::hypot(1, 100) * g * m * std::pow(d / 2, 3) / (0.4 * std::pow(x, 6)); };
    for (int apart = 0; apart < 3; ++apart) {
        const scenario::Scenario scenario = scenario::read_scenario(ASPERITY_SOURCE_DIR "/scenarios/ternary/er-to-am.toml",
                                                                    {.sets = {"start.moved.by=['0 m', '0 m', '0 m']"}});
        scenario::Compiled compiled = scenario::compile(scenario, {});
        model::Bodies& bodies = compiled.state.bodies;
        const std::array<double, 3> line{r, d / 2, -d / 2};
        const auto body = [&](int k) { return static_cast<std::size_t>((apart + k) % 3); };
        const double momentum = std::sqrt(6.705827 * g * m * m * m * d);
        for (int k = 0; k < 3; ++k) bodies.position[body(k)] = {line[static_cast<std::size_t>(k)], 0, 0};
        const double orbit = momentum - 3 * 0.1 * m * d * d * 2.9752e-4;  // what the spins do not have
        for (int k = 0; k < 3; ++k) {
            const double x = line[static_cast<std::size_t>(k)] - r / 3;
            bodies.velocity[body(k)] = {0, orbit / (m * (2 * r * r / 3 + d * d / 2)) * x, 0};
            bodies.spin[body(k)] = {0, 0, 2.9752e-4};
        }
        std::vector<double> times;
        for (const Metric& metric : system_metrics(compiled.model, compiled.state, compiled.state, {}, {}))
            if (metric.name == "lock_time") times = std::get<std::vector<double>>(metric.value);
        ASSERT_EQ(times.size(), 3u);
        EXPECT_NEAR(times[body(0)] / (due / (slowing(r - d / 2) + slowing(r + d / 2))), 1, 1e-4) << apart;
        EXPECT_NEAR(times[body(1)] / (due / (slowing(d) + slowing(r - d / 2))), 1, 1e-4) << apart;
        EXPECT_NEAR(times[body(2)] / (due / (slowing(d) + slowing(r + d / 2))), 1, 1e-4) << apart;
    }
}

// Keeps when the configuration of samples changed, and to what; and the collisions of each pair of three bodies.
struct Names final : model::Observer {
    double interval = 1, next = 0;  // s; steps are longer: there is a sample after each
    std::vector<std::pair<double, model::Configuration>> changes;
    std::array<std::vector<double>, 3> touches;  // s, of the pairs 0-1, 0-2, 1-2
    double next_sample() const override { return next; }
    void sample(const model::Look& look) override {
        if (changes.empty() || changes.back().second != look.configuration) changes.emplace_back(look.time, look.configuration);
        next += interval;
    }
    void event(const model::Event& event) override {
        if (event.kind != model::EventKind::impact) return;
        touches[model::pair_index(static_cast<std::size_t>(event.a), static_cast<std::size_t>(event.b), 3)].push_back(event.time);
    }
    double next_checkpoint() const override { return std::numeric_limits<double>::infinity(); }
    void checkpoint(const model::State&) override {}
};

// Tides so weak that they take less in the whole run than an energy of 1e14 J is rounded by: the power is that of the law all the same.
TEST(SystemMetrics, TidalPowerIsThatOfTheHeat) {
    const scenario::Scenario scenario = scenario::read_scenario(ASPERITY_SOURCE_DIR "/scenarios/ternary/er-static.toml",
                                                                {.sets = {"gravity.tides.factor=1e-6", "end.time='100 s'"}});
    scenario::Compiled compiled = scenario::compile(scenario, {});
    const model::Parameters& world = compiled.model.parameters;
    for (Vec3& w : compiled.state.bodies.spin) w = 2.0 * w;
    const model::State first = compiled.state;
    double power = 0;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            if (i != j)
                power += 1e-6 * model::tide_on(world.environment.tides.law, world.bodies[i],
                                               {.separation = first.bodies.position[j] - first.bodies.position[i],
                                                .velocity = first.bodies.velocity[j] - first.bodies.velocity[i],
                                                .spin = first.bodies.spin[i],
                                                .companion_mass = world.bodies[j].mass,
                                                .gravitational_constant = world.environment.mutual.constant})
                                    .power;
    Names names;
    const model::Outcome outcome = dynamics::simulate(compiled.model, compiled.state, names);
    for (const Metric& metric : system_metrics(compiled.model, first, compiled.state, {}, outcome))
        if (metric.name == "tidal_power") {
            EXPECT_NEAR(std::get<double>(metric.value) / power, 1, 1e-6);  // spins change by 1e-15 of themselves
        }
    EXPECT_LT(power, -1e-5);
    EXPECT_GT(power, -1e-3);
}

// 3-ternary 5.3.2: a chain until it bends, then a triangle.
TEST(SystemMetrics, SamplesNameTheConfigurationWhileItRuns) {
    using enum model::Configuration;
    const scenario::Scenario scenario =
        scenario::read_scenario(ASPERITY_SOURCE_DIR "/scenarios/ternary/er-to-lr.toml", {.sets = {"end.time='120000 s'"}});
    scenario::Compiled compiled = scenario::compile(scenario, {});
    Names names;
    dynamics::simulate(compiled.model, compiled.state, names);
    const auto first = [&](model::Configuration wanted) {
        const auto found = std::find_if(names.changes.begin(), names.changes.end(), [&](const auto& c) { return c.second == wanted; });
        return found == names.changes.end() ? -1.0 : found->first;
    };
    // The second body starts 4 m off, a little more than what counts as a contact, 1e-3 of d. It falls with f / m, where
    // f = 1.25 G m^2 / d^2 - m w^2 d is the force that its contact had, and the two others come towards it with half of that; f changes by
    // 3e-3 on the way, and by it the time.
    const model::Parameters& world = compiled.model.parameters;
    const double d = 4000, m = world.bodies[0].mass, gm = world.environment.mutual.constant * m;
    const double w2 = 1.8 * gm * d * m * m / std::pow(2.3 * m * d * d, 2), f = 1.25 * gm / (d * d) - w2 * d;
    const double touch = std::sqrt(2 * 4 / (1.5 * f));
    ASSERT_FALSE(names.touches[0].empty());
    ASSERT_FALSE(names.touches[2].empty());
    EXPECT_NEAR(names.touches[0][0], touch, 2e-3 * touch);
    EXPECT_EQ(names.changes[0].second, aligned_mixed);
    EXPECT_EQ(names.changes[1].second, euler_resting);
    EXPECT_LT(names.changes[1].first, touch);
    // It bends before the outer bodies meet (108,131 s), and is a triangle from there on, but for a bounce.
    EXPECT_GT(first(v_rest), touch);
    EXPECT_LT(first(v_rest), names.touches[2][0]);
    EXPECT_EQ(first(lagrange_resting), names.touches[2][0]);
    EXPECT_NEAR(names.touches[2][0], 108131, 1);
    EXPECT_EQ(names.changes.back().second, lagrange_resting);
}

}  // namespace
}  // namespace asperity::analysis::system_metrics_test
