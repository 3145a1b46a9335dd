// The matrix: every world of scenarios/matrix under every method that carries it. What all of them claim: the run ends without trouble, the
// ledger closes, mechanical energy only falls, momentum of isolated bodies stays, bodies overlap by no more than the method allows, a run
// that is stopped in the middle goes on to the same bits, and the first impact is that of every other method.
#include "asperity/study/matrix.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "asperity/analysis/energy.h"
#include "asperity/analysis/ledger.h"
#include "asperity/analysis/metrics.h"
#include "asperity/dynamics/all.h"
#include "asperity/dynamics/simulate.h"
#include "asperity/scenario/compile.h"
#include "asperity/scenario/read.h"

namespace asperity::study::matrix_test {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

struct Cell {
    std::filesystem::path file;
    std::string method;
};

// Worlds of thousands take minutes: they run as scenarios, in `make validate`.
bool is_small(const std::filesystem::path& file) {
    const scenario::Scenario world = scenario::read_scenario(file.string());
    return std::ranges::all_of(world.bodies, [](const scenario::Body& body) { return body.count <= 1000; });
}

std::vector<Cell> running_cells() {
    std::vector<Cell> cells;
    for (const MatrixRow& row : matrix_of("scenarios/matrix"))
        if (is_small(row.file))
            for (const MatrixCell& cell : row.cells)
                if (cell.runs()) cells.push_back({row.file, cell.method});
    return cells;
}

std::string test_name(const testing::TestParamInfo<Cell>& info) {
    std::string name = info.param.file.stem().string() + "_under_" + info.param.method;
    std::ranges::replace(name, '-', '_');
    return name;
}

// Samples a hundred instants, keeps the state of one step boundary in the middle and the time of the first impact.
struct Record final : model::Observer {
    explicit Record(double end) : end(end) {}

    double end;
    int samples = 0;
    std::vector<double> mechanical;  // J, of all bodies
    std::vector<double> work;        // J
    double first_impact = never;     // s
    double fastest = 0;              // m/s, of a body in a sample, or of an approach
    model::State middle;

    double next_sample() const override { return end * samples / 100; }
    void sample(const model::Look& look) override {
        ++samples;
        for (const Vec3& v : look.velocity) fastest = std::max(fastest, norm(v));
        model::Ledger sum;
        for (const model::Ledger& ledger : look.ledger) {
            sum.kinetic += ledger.kinetic;
            sum.rotational += ledger.rotational;
            sum.potential += ledger.potential;
            sum.work += ledger.work;
        }
        mechanical.push_back(sum.kinetic + sum.rotational + sum.potential);
        work.push_back(sum.work);
    }
    void event(const model::Event& event) override {
        if (event.kind != model::EventKind::impact) return;
        first_impact = std::min(first_impact, event.time);
        fastest = std::max(fastest, event.normal_speed_in);
    }
    double next_checkpoint() const override { return middle.bodies.position.empty() ? 0.5 * end : never; }
    void checkpoint(const model::State& state) override { middle = state; }
};

scenario::Compiled ending_by(double until, scenario::Compiled compiled) {
    double& end = compiled.model.parameters.end_time;
    end = std::min(end, until);
    return compiled;
}

struct Ran {
    scenario::Scenario scenario;
    model::Assets assets;
    scenario::Compiled compiled;
    model::State last;
    model::Outcome outcome;

    Ran(const Cell& cell, model::Observer& observer, double until = never)
        : scenario(under(scenario::read_scenario(cell.file.string()), *dynamics::find_method(cell.method))),
          assets(scenario::load_assets(scenario)),
          compiled(ending_by(until, scenario::compile(scenario, assets))),
          last(compiled.state),
          outcome(dynamics::simulate(compiled.model, last, observer)) {}
};

// What the start could set free, and what became heat: the scale of an error of the ledger.
double energy_scale(const Ran& ran) {
    const model::Parameters& world = ran.compiled.model.parameters;
    const analysis::Energies start = analysis::energies(ran.compiled.model, ran.compiled.state.bodies, 0);
    return start.kinetic + start.rotational + std::fabs(start.mutual) + analysis::contact_heat(world, ran.last.tallies);
}

struct Momenta {
    Vec3 linear, angular;
    double size = 0;  // of the parts that add up to the angular one
};

Momenta momenta_of(const model::Parameters& world, const model::Bodies& bodies) {
    Momenta sum;
    for (std::size_t i = 0; i < world.bodies.size(); ++i) {
        const model::BodyKind& body = world.bodies[i];
        const Vec3 w = rotate(conjugate(bodies.orientation[i]), bodies.spin[i]);
        const Vec3 spin = rotate(bodies.orientation[i], {body.inertia.x * w.x, body.inertia.y * w.y, body.inertia.z * w.z});
        const Vec3 orbit = cross(bodies.position[i], body.mass * bodies.velocity[i]);
        sum.linear += body.mass * bodies.velocity[i];
        sum.angular += orbit + spin;
        sum.size += norm(orbit) + norm(spin);
    }
    return sum;
}

class Matrix : public testing::TestWithParam<Cell> {};

// Rigid methods keep bodies apart to rounding of the places; a spring gives way until it holds all the energy there is; impulses of fixed
// steps see an overlap that is as deep as the fastest approach of a step.
double allowed_overlap(const Ran& ran, const std::string& method, double fastest) {
    const model::Parameters& world = ran.compiled.model.parameters;
    double radius = 0, away = 0, stiffness = never;
    for (const model::BodyKind& body : world.bodies.rows()) radius = std::max(radius, body.reach());
    for (const Vec3& p : ran.last.bodies.position) away = std::max(away, norm(p));
    if (method == "impulse" || method == "dvi") return 2 * fastest * world.phases[0].step_max;  // of two bodies that approach each other
    if (method != "penalty") return 1e-9 * (radius + away);
    for (const laws::PairLaw& law : world.laws.laws) stiffness = std::min(stiffness, law.stiffness);
    const double at_stake = std::max(0.0, analysis::energies(ran.compiled.model, ran.compiled.state.bodies, 0).mechanical() -
                                              analysis::energies(ran.compiled.model, ran.last.bodies, ran.last.clock.time()).mechanical());
    return std::sqrt(2 * (at_stake + energy_scale(ran)) / stiffness);
}

// Impacts of a group are counted, and not told.
bool tells_impacts(const scenario::Scenario& world) {
    return std::ranges::any_of(world.bodies, [](const scenario::Body& body) {
        return !body.fixed && body.count <= static_cast<std::int64_t>(model::most_told_one_by_one);
    });
}

// Many bodies under methods that are not the world's own run a sixth of the time: they fall, hit each other and pile up. The rest is a bed
// that lies there, hundreds of contacts at each step.
double time_to_run(const scenario::Scenario& world, const std::string& method) {
    return tells_impacts(world) || world.phases[0].method == method ? world.end.time : world.end.time / 6;
}

TEST_P(Matrix, HoldsWhatAllMethodsClaim) {
    const double end = time_to_run(scenario::read_scenario(GetParam().file.string()), GetParam().method);
    Record record(end);
    const Ran ran(GetParam(), record, end);
    const model::Model& model = ran.compiled.model;
    const model::Parameters& world = model.parameters;
    const model::Census census = model::census_of(model);
    EXPECT_FALSE(ran.outcome.is_trouble()) << ran.outcome.message;

    const double scale = energy_scale(ran);
    const bool has_fixed_steps = std::isfinite(world.phases[0].step_max);
    const double closes = has_fixed_steps ? 1e-2 : 1e-5;  // of an explicit method that does not locate contacts; of all others
    EXPECT_LE(std::fabs(analysis::energy_change(model, ran.compiled.state, ran.last)), closes * scale);
    for (std::size_t i = 1; i < record.mechanical.size(); ++i)
        EXPECT_LE(record.mechanical[i] - record.work[i], record.mechanical[i - 1] - record.work[i - 1] + closes * scale) << "sample " << i;

    for (const double overlap : ran.last.tallies.deepest_overlap)
        EXPECT_LE(overlap, allowed_overlap(ran, GetParam().method, record.fastest));
    if (!census.has_ground && !census.has_field) {
        const Momenta before = momenta_of(world, ran.compiled.state.bodies), after = momenta_of(world, ran.last.bodies);
        EXPECT_LE(norm(after.angular - before.angular), 1e-9 * before.size);
        EXPECT_LE(norm(after.linear - before.linear) * norm(ran.last.bodies.position[0]), 1e-9 * before.size);
    }

    model::State again = record.middle;
    if (!again.bodies.position.empty()) {
        Record rest(end);
        const model::Outcome outcome = dynamics::simulate(model, again, rest);
        EXPECT_EQ(outcome.kind, ran.outcome.kind);
        EXPECT_TRUE(again == ran.last) << "a run that goes on from its middle ends elsewhere";
    }
}

INSTANTIATE_TEST_SUITE_P(Worlds, Matrix, testing::ValuesIn(running_cells()), test_name);

// Before the first impact nothing is soft or rigid.
TEST(Matrix, FirstImpactsAreThoseOfEveryMethod) {
    std::map<std::string, double> first;
    for (const Cell& cell : running_cells()) {
        if (cell.method == "secular") continue;  // its time runs faster
        SCOPED_TRACE(cell.file.string() + " under " + cell.method);
        const scenario::Scenario world = scenario::read_scenario(cell.file.string());
        if (!tells_impacts(world)) continue;
        const auto known = first.find(cell.file.string());
        Record record(world.end.time);
        const Ran ran(cell, record, known == first.end() ? never : known->second + 0.01 * world.end.time);
        if (ran.scenario.phases.size() < world.phases.size()) continue;  // the world's own ones
        if (known == first.end()) {
            if (std::isfinite(record.first_impact)) first.emplace(cell.file.string(), record.first_impact);
            continue;
        }
        const double step = ran.compiled.model.parameters.phases[0].step_max;  // in whose middle it is seen, and told at its end
        // What touches within the first steps is a contact from the first instant to them, and no impact. What dvi tells later of a
        // ball that slides is a touch after its relaxation has parted them by h f v (docs/theory/dvi.md).
        if (known->second < 2 * step && std::isfinite(step)) continue;
        if (!std::isfinite(record.first_impact)) {  // one that holds what touches from the start on
            EXPECT_LT(known->second, 1e-3 * world.end.time);
            continue;
        }
        EXPECT_NEAR(record.first_impact, known->second, std::isfinite(step) ? 2 * step : 1e-6 * known->second);
    }
    EXPECT_GE(first.size(), 5U);
}

struct Events final : model::Observer {
    std::vector<model::Event> all;

    double next_sample() const override { return never; }
    void sample(const model::Look&) override {}
    void event(const model::Event& event) override { all.push_back(event); }
    double next_checkpoint() const override { return never; }
    void checkpoint(const model::State&) override {}
};

// A soft impact lasts: its parting speed is that of the separation which ends it, and its heat is not told, rather than told as zero.
// The way of the centre counts from the first touch, under rigid methods from the end of the bounces: 1 % of it in plain.toml.
TEST(Matrix, WhatIsToldOfImpactsAndOfRollingIsThatOfRigidContact) {
    const std::filesystem::path plain = "scenarios/matrix/plain.toml";
    std::map<std::string, std::vector<analysis::Metric>> told;
    for (const std::string method : {"event-driven", "penalty", "impulse", "dvi"}) {
        Events events;
        const Ran ran({plain, method}, events);
        told[method] = analysis::metrics(ran.compiled.model, ran.compiled.state, ran.last, events.all, ran.outcome);
    }
    const auto metric = [&](const std::string& method, const char* name) -> const analysis::Metric* {
        const auto found = std::ranges::find(told[method], name, &analysis::Metric::name);
        return found != told[method].end() ? &*found : nullptr;
    };
    EXPECT_NE(metric("event-driven", "max_impact_energy"), nullptr);
    EXPECT_EQ(metric("penalty", "max_impact_energy"), nullptr);
    const double rigid = std::get<double>(metric("event-driven", "rolled_distance")->value);
    for (const char* method : {"penalty", "impulse", "dvi"}) {
        EXPECT_NEAR(std::get<double>(metric(method, "rolled_distance")->value), rigid, 0.02 * rigid) << method;
        const auto& in = std::get<std::vector<double>>(metric(method, "impact_normal_speed_in")->value);
        const auto& out = std::get<std::vector<double>>(metric(method, "impact_normal_speed_out")->value);
        ASSERT_GE(in.size(), 3U) << method;
        for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(out[k] / in[k], 0.5, 0.01) << method << ", impact " << k;
    }
    EXPECT_NEAR(std::get<double>(metric("penalty", "separation_angle")->value), 0, 1e-9);
}

}  // namespace
}  // namespace asperity::study::matrix_test
