// Trajectories and steps a second on one core, with the error beside the time, and where the time goes.
//
//   asperity_bench [SCENE ...] [--rows FILE]      all scenes, or those named
//
// Scenes are the scenario files themselves, 64 seeds or 128 runs each. Rows of one scene are measured one after the other in the same run,
// in processor time, so that their ratios hold on a noisy machine; absolute times do not carry over to another one. The hash is that of all
// final states: equal rows computed the same, to the bit.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <new>
#include <string>
#include <vector>

#include "asperity/analysis/ledger.h"
#include "asperity/core/hash.h"
#include "asperity/dynamics/simulate.h"
#include "asperity/geometry/closest.h"
#include "asperity/model/value_hash.h"
#include "asperity/scenario/compile.h"
#include "asperity/scenario/read.h"
#include "bench_rows.h"

namespace {
long long allocations = 0;
}
// Not inlined: else g++ 12 sees malloc and free across them and takes the pair for a mismatch.
[[gnu::noinline]] void* operator new(std::size_t size) {
    ++allocations;
    if (void* memory = std::malloc(size)) return memory;
    throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

using namespace asperity;
using bench::processor_seconds;
using bench::Rows;
using Clock = std::chrono::steady_clock;
constexpr double never = std::numeric_limits<double>::infinity();
constexpr int modes = 5, kinds = model::event_kinds;

// Takes the time of each step, by the mode in which it began; counts events. Allocates nothing.
struct Stopwatch final : model::Observer {
    bool times_steps = false;
    double spent[modes] = {};
    long long steps[modes] = {}, events[kinds] = {};
    int mode = 0;
    Clock::time_point last = Clock::now();

    double next_sample() const override { return never; }
    void sample(const model::Look&) override {}
    void event(const model::Event& event) override { ++events[static_cast<int>(event.kind)]; }
    double next_checkpoint() const override { return times_steps ? 0 : never; }
    void checkpoint(const model::State& state) override {
        const Clock::time_point now = Clock::now();
        spent[mode] += std::chrono::duration<double>(now - last).count();
        ++steps[mode];
        mode = static_cast<int>(state.contacts.mode_of(0));
        last = now;
    }
};

struct Row {
    double seconds = 0, worst_balance = 0, deepest = 0;
    long long steps = 0, impacts = 0, at_rest = 0, allocations = 0;
    Hash128 hash;
};

// A random surface is another one for each seed; runs of a batch share theirs, and differ by their number.
struct Case {
    scenario::Scenario scenario;
    std::size_t assets;
    std::uint64_t run;
};

struct Scene {
    std::vector<model::Assets> assets;
    std::vector<Case> cases;
};

Scene scene_of_seeds(const std::string& file, const std::vector<std::string>& sets, int count) {
    Scene scene;
    for (int seed = 1; seed <= count; ++seed) {
        scenario::Scenario scenario = scenario::read_scenario(file, {.sets = sets, .seed = seed});
        scene.assets.push_back(scenario::load_assets(scenario));
        scene.cases.push_back({std::move(scenario), scene.assets.size() - 1, 0});
    }
    return scene;
}

Scene scene_of_runs(const std::string& file, int count) {
    Scene scene;
    const scenario::Scenario scenario = scenario::read_scenario(file, {});
    scene.assets.push_back(scenario::load_assets(scenario));
    for (int run = 0; run < count; ++run) scene.cases.push_back({scenario, 0, static_cast<std::uint64_t>(run)});
    return scene;
}

Row measure(const Scene& scene, Stopwatch& watch) {
    Row row;
    Hasher hash;
    for (const Case& one : scene.cases) {
        scenario::Compiled run = scenario::compile(one.scenario, scene.assets[one.assets], one.run);
        const model::State first = run.state;
        watch.last = Clock::now();
        const long long before = allocations;
        const double begin = processor_seconds();
        const model::Outcome outcome = dynamics::simulate(run.model, run.state, watch);
        row.seconds += processor_seconds() - begin;
        row.allocations += allocations - before;
        row.steps += run.state.clock.steps;
        row.impacts += run.state.tallies.impacts[0];
        row.at_rest += outcome.kind == model::OutcomeKind::rest ? 1 : 0;
        row.worst_balance = std::max(row.worst_balance, std::fabs(analysis::energy_balance(run.model, first, run.state)));
        row.deepest = std::max(row.deepest, run.state.tallies.deepest_overlap[0] / run.model.parameters.bodies[0].radius());
        const Hash128 last = model::state_hash(run.state);
        hash.add(last.high).add(last.low);
    }
    row.hash = hash.value();
    return row;
}

void print_head(const char* title, int count, const char* of) {
    fmt::print("{} ({} {}, one core)\n", title, count, of);
    fmt::print("  {:<32}{:>12}{:>12}{:>9}{:>9}{:>9}{:>12}{:>11}{:>9}  {}\n", "", "runs/s", "steps/s", "steps", "impacts", "at rest",
               "ledger", "overlap/r", "allocs", "hash");
}

void print_row(Rows& rows, const char* title, const char* name, const Scene& scene) {
    Stopwatch watch;
    measure(scene, watch);  // warm
    const Row row = measure(scene, watch);
    const double n = static_cast<double>(scene.cases.size());
    fmt::print("  {:<32}{:>12.1f}{:>12.0f}{:>9.0f}{:>9.0f}{:>6}/{}{:>12.2e}{:>11.1e}{:>9.2f}  {}\n", name, n / row.seconds,
               static_cast<double>(row.steps) / row.seconds, static_cast<double>(row.steps) / n, static_cast<double>(row.impacts) / n,
               row.at_rest, scene.cases.size(), row.worst_balance, row.deepest, static_cast<double>(row.allocations) / n,
               bench::short_text(row.hash));
    rows.add(title, name, row.seconds / n, row.worst_balance, row.hash);
}

using Variants = std::vector<std::pair<const char*, std::vector<std::string>>>;

void print_scene(Rows& rows, const char* title, const std::string& file, const Variants& variants) {
    constexpr int count = 64;
    print_head(title, count, "seeds");
    for (const auto& [name, sets] : variants) print_row(rows, title, name, scene_of_seeds(file, sets, count));
    fmt::print("\n");
}

void print_deployments(Rows& rows, const std::string& folder, int count) {
    const char* title = "deployment to Itokawa";
    print_head(title, count, "runs");
    print_row(rows, title, "49,152 facets, within 1e-6", scene_of_runs(folder + "itokawa-full.toml", count));
    print_row(rows, title, "5,000 facets, within 1e-5", scene_of_runs(folder + "itokawa.toml", count));
    print_row(rows, title, "thesis: 320 facets, linearised", scene_of_runs(folder + "itokawa-thesis.toml", count));
    fmt::print("\n");
}

void print_profile(const std::string& file, int count) {
    const Scene scene = scene_of_seeds(file, {}, count);
    Stopwatch watch;
    watch.times_steps = true;
    measure(scene, watch);
    double total = 0;
    for (const double spent : watch.spent) total += spent;
    fmt::print("where the time goes on {}\n  {:<12}{:>8}{:>12}{:>14}\n", file, "mode", "share", "steps", "us a step");
    for (int mode = 0; mode < modes - 1; ++mode)
        fmt::print("  {:<12}{:>7.1f}%{:>12}{:>14.2f}\n", model::name(static_cast<model::Mode>(mode)), 100 * watch.spent[mode] / total,
                   watch.steps[mode], watch.steps[mode] > 0 ? 1e6 * watch.spent[mode] / static_cast<double>(watch.steps[mode]) : 0.0);
    fmt::print("  events:");
    for (int kind = 0; kind < kinds; ++kind) fmt::print(" {} {}", watch.events[kind], model::name(static_cast<model::EventKind>(kind)));
    fmt::print("\n\n");
}

// The query that everything rests on, against looking at every facet.
void print_distance(Rows& rows, const std::string& file) {
    const Scene scene = scene_of_seeds(file, {}, 1);
    const geometry::SurfaceView view = scene.assets[0].surface.view();
    constexpr int points = 20000;
    std::vector<Vec3> p;
    for (int i = 0; i < points; ++i) p.push_back({80 * std::sin(0.7 * i), 80 * std::sin(1.3 * i + 1), 3 * std::sin(2.1 * i + 2)});
    double sum_tree = 0, sum_all = 0;
    double begin = processor_seconds();
    for (const Vec3& at : p) sum_tree += geometry::nearest(view, at).distance;
    const double tree = processor_seconds() - begin;
    constexpr int few = points / 20;
    begin = processor_seconds();
    for (int i = 0; i < few; ++i) {
        double least = never;
        for (std::int32_t f = 0; f < view.facet_count; ++f)
            least = std::min(least, geometry::closest_point(view, f, p[static_cast<std::size_t>(i)]).distance);
        sum_all += least;
    }
    const double all = (processor_seconds() - begin) * points / few;
    double difference = 0;
    for (int i = 0; i < few; ++i) sum_all -= geometry::nearest(view, p[static_cast<std::size_t>(i)]).distance;
    difference = std::fabs(sum_all);
    fmt::print("distance to {} facets: tree {:.2f} us, all facets {:.2f} us, ratio {:.0f}, difference {:.1e} m (mean {:.2f} m)\n\n",
               view.facet_count, 1e6 * tree / points, 1e6 * all / points, all / tree, difference, sum_tree / points);
    rows.add("distance", "tree", tree / points, difference, hash_of(std::as_bytes(std::span(&sum_tree, 1))));
}

}  // namespace

int main(int count, char** arguments) {
    Rows rows(count, arguments);
    const std::string folder = bench::scenario_folder("landers");
    const auto is_asked = [&](const std::string& scene) {
        return rows.words.empty() || std::find(rows.words.begin(), rows.words.end(), scene) != rows.words.end();
    };
    const Variants plain{{"dopri5, tolerance 1e-12", {}}};
    if (is_asked("spike"))
        print_scene(rows, "spike world", folder + "spike.toml",
                    {{"dopri5, tolerance 1e-12", {}},
                     {"dopri5, tolerance 1e-9", {"phase=[{tolerance=1e-9}]"}},
                     {"rk4, step 1 s", {"phase=[{integrator=\"rk4\", step_max=\"1 s\"}]"}}});
    if (is_asked("gutter")) print_scene(rows, "gutter", folder + "gutter-scatter.toml", plain);
    if (is_asked("pit")) print_scene(rows, "pit", folder + "pit.toml", plain);
    if (is_asked("flat")) print_scene(rows, "flat (the same ball)", folder + "flat.toml", plain);
    if (is_asked("itokawa")) print_deployments(rows, folder, 128);
    if (is_asked("profile")) print_profile(folder + "spike.toml", 64);
    if (is_asked("distance")) print_distance(rows, folder + "spike.toml");
    return 0;
}
