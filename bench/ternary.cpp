// LR -> ER of 3-ternary, 500,000 s: time to solution with the error beside it, for every method and integrator, in one run; against the "1
// day" (energy error 1e-6) and "10 days" (1e-7) of the thesis. And how many transitions of an ensemble a core does in a second.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <string>
#include <vector>

#include "asperity/analysis/free_bodies.h"
#include "asperity/analysis/metrics.h"
#include "asperity/core/hash.h"
#include "asperity/dynamics/simulate.h"
#include "asperity/scenario/compile.h"
#include "asperity/scenario/read.h"

namespace {

using namespace asperity;
using Clock = std::chrono::steady_clock;
constexpr double day = 86400;

struct Silent final : model::Observer {
    std::vector<model::Event> events;
    double next_sample() const override { return std::numeric_limits<double>::infinity(); }
    void sample(const model::Sample&) override {}
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
    double wall = 0, energy = 0, momentum = 0;
    std::int64_t steps = 0;
    std::string hash;
};

Row measure(const scenario::Scenario& scenario, std::uint64_t run) {
    scenario::Compiled compiled = scenario::compile(scenario, {}, run);
    const model::State first = compiled.state;
    Silent silent;
    const Clock::time_point begin = Clock::now();
    const model::Outcome outcome = dynamics::simulate(compiled.model, compiled.state, silent);
    Row row{.wall = std::chrono::duration<double>(Clock::now() - begin).count()};
    const auto metrics = analysis::metrics(compiled.model, first, compiled.state, silent.events, outcome);
    row.energy = number(metrics, "energy_error");
    row.momentum = number(metrics, "angular_momentum_drift");
    row.steps = compiled.state.clock.steps;
    Hasher hash;
    for (const Vec3& p : compiled.state.bodies.position) hash.add(p.x).add(p.y).add(p.z);
    row.hash = hex_text(hash.value()).substr(0, 12);
    return row;
}

// The best of three.
Row best(const scenario::Scenario& scenario) {
    Row row = measure(scenario, 0);
    for (int k = 0; k < 2; ++k) row.wall = std::min(row.wall, measure(scenario, 0).wall);
    return row;
}

}  // namespace

int main() {
    const std::string folder = ASPERITY_SOURCE_DIR "/scenarios/ternary/";
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
    fmt::print("LR -> ER, 500,000 s (one core, best of three)\n  {:<36}{:>10}{:>10}{:>12}{:>12}{:>16}  {}\n", "", "s", "steps",
               "energy err.", "H err.", "thesis / ours", "hash");
    for (const auto& [name, sets] : variants) {
        const Row row = best(scenario::read_scenario(folder + "lr-to-er.toml", {.sets = sets}));
        const double thesis = row.energy <= 1e-7 ? 10 * day : day;  // at no better an error
        fmt::print("  {:<36}{:>10.4f}{:>10}{:>12.1e}{:>12.1e}{:>16.3g}  {}\n", name, row.wall, row.steps, row.energy, row.momentum,
                   row.energy <= 1e-6 ? thesis / row.wall : 0.0, row.hash);
    }
    const scenario::Scenario scenario = scenario::read_scenario(
        folder + "lr-to-er.toml", {.sets = {"body=[{count=3, radius=\"2 km\", density=\"2 g/cm^3\", love_number=1e-5, quality=100, "
                                            "position_sigma=[\"0.4 m\", \"0.4 m\", \"0 m\"]}]",
                                            "start.moved_body=0", "start.moved=[\"0 m\", \"0 m\", \"0 m\"]", "start.momentum2=5.2"}});
    constexpr int count = 50;
    double wall = 0, worst = 0;
    int done = 0;
    for (std::uint64_t run = 0; done < count && run < 10 * count; ++run) {
        try {
            const Row row = measure(scenario, run);
            wall += row.wall;
            worst = std::max(worst, row.energy);
            ++done;
        } catch (const InputError&) {  // a draw that overlaps
        }
    }
    fmt::print("\nensemble of {} starts moved by decimetres: {:.1f} transitions a second, energy error at most {:.1e}\n", done, done / wall,
               worst);
    return 0;
}
