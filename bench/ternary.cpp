// LR -> ER of 3-ternary, 500,000 s: time to solution with the error beside it, for every method and integrator, in one run; against the "1
// day" (energy error 1e-6) and "10 days" (1e-7) of the thesis. How many transitions of an ensemble a core does in a second. And two
// ellipsoids, rigid and soft.
//
//   asperity_bench_ternary [--rows FILE]
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "asperity/analysis/metrics.h"
#include "asperity/core/hash.h"
#include "asperity/dynamics/simulate.h"
#include "asperity/model/value_hash.h"
#include "asperity/scenario/compile.h"
#include "asperity/scenario/read.h"
#include "bench_rows.h"

namespace {

using namespace asperity;
using bench::processor_seconds;
constexpr double day = 86400;

struct Silent final : model::Observer {
    std::vector<model::Event> events;
    double next_sample() const override { return std::numeric_limits<double>::infinity(); }
    void sample(const model::Look&) override {}
    void event(const model::Event& event) override { events.push_back(event); }
    double next_checkpoint() const override { return std::numeric_limits<double>::infinity(); }
    void checkpoint(const model::State&) override {}
};

double number(const std::vector<analysis::Metric>& metrics, const char* name) {
    for (const analysis::Metric& metric : metrics)
        if (metric.name == name) return std::get<double>(metric.value);
    return 0;
}

struct Row {
    double seconds = 0, energy = 0, momentum = 0;
    std::int64_t steps = 0;
    Hash128 hash;
};

Row measure(const scenario::Scenario& scenario, std::uint64_t run) {
    scenario::Compiled compiled = scenario::compile(scenario, {}, run);
    const model::State first = compiled.state;
    Silent silent;
    const double begin = processor_seconds();
    const model::Outcome outcome = dynamics::simulate(compiled.model, compiled.state, silent);
    Row row{.seconds = processor_seconds() - begin};
    const auto metrics = analysis::metrics(compiled.model, first, compiled.state, silent.events, outcome);
    row.energy = number(metrics, "energy_error");
    row.momentum = number(metrics, "angular_momentum_drift");
    row.steps = compiled.state.clock.steps;
    row.hash = model::state_hash(compiled.state);
    return row;
}

// The best of three.
Row best(const scenario::Scenario& scenario) {
    Row row = measure(scenario, 0);
    for (int k = 0; k < 2; ++k) row.seconds = std::min(row.seconds, measure(scenario, 0).seconds);
    return row;
}

void print_head(const char* title, const char* last) {
    fmt::print("{} (one core, best of three)\n  {:<36}{:>10}{:>10}{:>12}{:>12}{:>16}  {}\n", title, "", "s", "steps", "energy err.",
               "H err.", last, "hash");
}

void print_row(bench::Rows& rows, const char* scene, const char* name, const Row& row, const std::string& last) {
    fmt::print("  {:<36}{:>10.4f}{:>10}{:>12.1e}{:>12.1e}{:>16}  {}\n", name, row.seconds, row.steps, row.energy, row.momentum, last,
               bench::short_text(row.hash));
    rows.add(scene, name, row.seconds, row.energy, row.hash);
}

void print_transitions(bench::Rows& rows, const std::string& folder) {
    const std::vector<std::pair<const char*, std::vector<std::string>>> variants = {
        {"constraint, order 4, 1e-6", {"phase=[{method=\"constraint\", tolerance=1e-6}]"}},
        {"constraint, order 4, 1e-7", {"phase=[{method=\"constraint\", tolerance=1e-7}]"}},
        {"constraint, order 4, 1e-10", {"phase=[{method=\"constraint\", tolerance=1e-10}]"}},
        {"constraint, verlet, 1e-7", {"phase=[{method=\"constraint\", integrator=\"verlet\", tolerance=1e-7}]"}},
        {"penalty, dopri5, 1e-8", {"phase=[{method=\"penalty\", integrator=\"dopri5\", tolerance=1e-8}]"}},
        {"penalty, dopri5, 1e-9", {"phase=[{method=\"penalty\", integrator=\"dopri5\", tolerance=1e-9}]"}},
        {"penalty, verlet, half steps 1e-8", {"phase=[{method=\"penalty\", integrator=\"verlet\", tolerance=1e-8}]"}},
        {"lcp, dopri5, 1e-8", {"phase=[{method=\"lcp\", integrator=\"dopri5\", tolerance=1e-8}]"}},
    };
    print_head("LR -> ER, 500,000 s", "thesis / ours");
    for (const auto& [name, sets] : variants) {
        const Row row = best(scenario::read_scenario(folder + "lr-to-er.toml", {.sets = sets}));
        const double thesis = row.energy <= 1e-7 ? 10 * day : day;  // at no better an error
        print_row(rows, "LR -> ER", name, row, fmt::format("{:.3g}", row.energy <= 1e-6 ? thesis / row.seconds : 0.0));
    }
}

void print_ellipsoids(bench::Rows& rows, const std::string& folder) {
    print_head("\ntwo ellipsoids that collide", "");
    for (const auto& [name, file, sets] : std::vector<std::tuple<const char*, const char*, std::vector<std::string>>>{
             {"constraint, order 4", "ellipsoids-rigid.toml", {}}, {"penalty, dopri5, 6000 s", "ellipsoids.toml", {"end.time=6000 s"}}})
        print_row(rows, "ellipsoids", name, best(scenario::read_scenario(folder + file, {.sets = sets})), "");
}

void print_ensemble(bench::Rows& rows, const std::string& folder) {
    const scenario::Scenario scenario = scenario::read_scenario(
        folder + "lr-to-er.toml",
        {.sets = {"body.sphere.start.position_sigma=[\"0.4 m\", \"0.4 m\", \"0 m\"]", "start.moved.by=[\"0 m\", \"0 m\", \"0 m\"]"}});
    constexpr int count = 50;
    double seconds = 0, worst = 0;
    int done = 0;
    Hasher hash;
    for (std::uint64_t run = 0; done < count && run < 10 * count; ++run) {
        try {
            const Row row = measure(scenario, run);
            seconds += row.seconds;
            hash.add(row.hash.high).add(row.hash.low);
            worst = std::max(worst, row.energy);
            ++done;
        } catch (const InputError&) {  // a draw that overlaps
        }
    }
    fmt::print("\nensemble of {} starts moved by decimetres: {:.1f} transitions a second, energy error at most {:.1e}\n", done,
               done / seconds, worst);
    rows.add("LR -> ER", "ensemble", seconds / done, worst, hash.value());
}

}  // namespace

int main(int count, char** arguments) {
    bench::Rows rows(count, arguments);
    const std::string folder = bench::scenario_folder("ternary");
    print_transitions(rows, folder);
    print_ellipsoids(rows, folder);
    print_ensemble(rows, folder);
    return 0;
}
