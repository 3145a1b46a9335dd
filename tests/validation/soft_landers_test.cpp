// A hundred landers over Itokawa under soft and under rigid contact: impact by impact, and where and when they rest.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "asperity/core/parallel.h"
#include "asperity/dynamics/simulate.h"
#include "asperity/scenario/compile.h"
#include "asperity/scenario/read.h"

namespace asperity::dynamics::soft_landers_test {
namespace {

constexpr std::size_t landers = 100;
constexpr std::size_t told = 3;  // impacts

struct Fall {
    model::Outcome outcome;
    Vec3 end;                                           // m
    std::array<double, told> time = {}, approach = {};  // s, m/s; zero: there was none
};

// Keeps the first impacts.
struct Impacts final : model::Observer {
    Fall run;
    std::size_t seen = 0;

    double next_sample() const override { return std::numeric_limits<double>::infinity(); }
    void sample(const model::Look&) override {}
    void event(const model::Event& event) override {
        if (event.kind != model::EventKind::impact || seen == told) return;
        run.time[seen] = event.time;
        run.approach[seen++] = event.normal_speed_in;
    }
    double next_checkpoint() const override { return std::numeric_limits<double>::infinity(); }
    void checkpoint(const model::State&) override {}
};

struct Itokawa {
    scenario::Scenario scenario = scenario::read_scenario("scenarios/landers/itokawa-soft.toml");
    model::Assets assets = scenario::load_assets(scenario);

    std::vector<Fall> runs(const char* method, std::uint64_t first, double stiffness, const std::vector<double>& end_time,
                           double rolling_resistance) const {
        scenario::Scenario changed = scenario;
        changed.phases.at(0).method = method;
        scenario::Contact& contact = changed.contacts.at(0);
        contact.stiffness = stiffness;
        contact.law.rolling_resistance = contact.law.spinning_resistance = rolling_resistance;
        std::vector<Fall> out(landers);
        parallel_blocks(landers, 1, [&](std::size_t i, std::size_t) {
            scenario::Compiled compiled = scenario::compile(changed, assets, first + i);
            compiled.model.parameters.end_time = end_time[i];
            Impacts impacts;
            impacts.run.outcome = simulate(compiled.model, compiled.state, impacts);
            impacts.run.end = compiled.state.bodies.position[0];
            out[i] = impacts.run;
        });
        return out;
    }
};

double median(std::vector<double> values) {
    std::ranges::nth_element(values, values.begin() + std::ssize(values) / 2);
    return values[values.size() / 2];
}

// Kolmogorov and Smirnov: sqrt(n / 2) times the largest distance of two empirical distributions of n values each.
double distance(std::vector<double> a, std::vector<double> b) {
    std::ranges::sort(a);
    std::ranges::sort(b);
    double largest = 0;
    for (const double at : a) {
        const auto below = [at](const std::vector<double>& values) {
            return static_cast<double>(std::ranges::upper_bound(values, at) - values.begin()) / static_cast<double>(values.size());
        };
        largest = std::max(largest, std::fabs(below(a) - below(b)));
    }
    return std::sqrt(static_cast<double>(a.size()) / 2) * largest;
}

// Without rolling resistance, whose impulse is another one (docs/theory/soft-contact.md). What an impact leaves is off by the duration of
// the contact, ~ k^-1/2, and the flights between make more of it, so that the median is looked at.
TEST(SoftLanders, FirstImpactsConvergeToTheRigidOnes) {
    const Itokawa world;
    const std::vector<Fall> rigid = world.runs("event-driven", 0, 1e3, std::vector<double>(landers, 30'000.0), 0);
    std::vector<double> soon_after(landers);  // s, after the impacts that are told: what rolls on for hours is of no use
    for (std::size_t i = 0; i < landers; ++i) soon_after[i] = 1.02 * rigid[i].time[told - 1];
    std::array<double, told> before = {};
    for (const double stiffness : {1e3, 1e5, 1e7}) {
        const std::vector<Fall> soft = world.runs("penalty", 0, stiffness, soon_after, 0);
        for (std::size_t k = 0; k < told; ++k) {
            std::vector<double> time, approach;
            for (std::size_t i = 0; i < landers; ++i) {
                if (!(rigid[i].time[k] > 0) || !(soft[i].time[k] > 0)) continue;
                time.push_back(std::fabs(soft[i].time[k] - rigid[i].time[k]));
                approach.push_back(std::fabs(soft[i].approach[k] - rigid[i].approach[k]));
            }
            const double apart = median(time);
            fmt::print("{:g} N/m, impact {}: {} landers, median distance {:.2e} s and {:.2e} m/s\n", stiffness, k + 1, time.size(), apart,
                       median(approach));
            EXPECT_GT(time.size(), 90u);
            if (k == 0) {
                EXPECT_LT(apart, 1e-5);  // what a tolerance of 1e-9 leaves of the flight
            } else if (stiffness > 1e3) {
                EXPECT_NEAR(std::log(before[k] / apart) / std::log(100.0), 0.5, 0.06) << "order in the stiffness";
            }
            before[k] = apart;
        }
    }
}

TEST(SoftLanders, RestWhereAndWhenRigidOnesDo) {
    const Itokawa world;
    const std::vector<double> end_time(landers, 64 * 3600.0);  // s
    const std::vector<Fall> rigid = world.runs("event-driven", 0, 1e3, end_time, 0.035);
    const std::vector<Fall> soft = world.runs("penalty", landers, 1e3, end_time, 0.035);
    const auto count = [](const std::vector<Fall>& runs) {
        return std::ranges::count_if(runs, [](const Fall& run) { return run.outcome.kind == model::OutcomeKind::rest; });
    };
    fmt::print("at rest: {} rigid, {} soft\n", count(rigid), count(soft));
    const auto compare = [&](const char* what, const auto& value_of) {
        std::vector<double> a, b;
        for (const Fall& run : rigid) a.push_back(value_of(run));
        for (const Fall& run : soft) b.push_back(value_of(run));
        fmt::print("{}: medians {:.6g} rigid, {:.6g} soft; Kolmogorov-Smirnov {:.2f}\n", what, median(a), median(b), distance(a, b));
        EXPECT_LT(distance(a, b), 1.95) << what;  // once in a thousand
    };
    compare("stop time, s", [](const Fall& run) { return run.outcome.time; });
    compare("x, m", [](const Fall& run) { return run.end.x; });
    compare("y, m", [](const Fall& run) { return run.end.y; });
    compare("z, m", [](const Fall& run) { return run.end.z; });
}

}  // namespace
}  // namespace asperity::dynamics::soft_landers_test
