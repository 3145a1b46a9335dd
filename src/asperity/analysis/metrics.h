// The metrics of a run, which summary.json, [expect] and studies read. They follow from the model, its first and last state, and the
// events.
//
// A metric is of the world; of one body, under its bare name where that body moves alone and as NAME.metric otherwise; or of a named
// signal, as NAME.least and the like.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "asperity/model/census.h"
#include "asperity/model/model.h"
#include "asperity/model/observer.h"
#include "asperity/model/state.h"

namespace asperity::analysis {

struct Metric {
    std::string name;
    std::variant<double, std::vector<double>, std::string> value;
    std::string unit;        // "" where it has none
    bool is_detail = false;  // of one body; where it is not asked for, terminal, report and tables leave it out
};

// In a fixed order; a metric of something that did not happen (sync_time of a body that never rolls) is left out.
std::vector<Metric> metrics(const model::Model& model, const model::State& first, const model::State& last,
                            std::span<const model::Event> events, const model::Outcome& outcome);

// What a reader of the metrics should be told: an energy that is off by more than a thousandth of itself, deep overlaps.
std::vector<std::string> doubts(const model::Model& model, std::span<const Metric> metrics);

enum class MetricShape { number, vector, list, by_body, by_pair, text };  // vector: x, y, z; list: as many as there are

// How the values of many runs are taken together.
enum class MetricKind {
    quantity,  // mean, deviation, quantiles
    circular,  // degrees that wrap around: mean direction, circular deviation
    nominal,   // a number that only names something: counts
    time,      // when something happened. Missing or negative: it did not, and where the run was cut off by its end it still may
};

// The runs in which it says what it is called after; in others it is left out of statistics.
enum class MetricRuns { every, resting };

// The worlds that have it, by their census.
using MetricOf = bool (*)(const model::Census&);
inline bool of_no_world(const model::Census&) { return false; }  // of single bodies and signals alone
inline bool of_every(const model::Census&) { return true; }
inline bool on_ground(const model::Census& world) { return world.has_ground; }
inline bool one_on_ground(const model::Census& world) { return world.has_ground && world.bodies == 1; }
inline bool told_on_ground(const model::Census& world) { return world.has_ground && !world.has_groups; }
inline bool in_space(const model::Census& world) { return !world.has_ground && !world.has_groups; }
inline bool several_bodies(const model::Census& world) { return !one_on_ground(world); }
inline bool few_spheres_in_space(const model::Census& world) { return in_space(world) && world.bodies <= 3 && world.has_only_spheres; }

struct MetricEntry {
    const char* name;
    const char* unit;
    MetricShape shape;
    const char* text;
    MetricOf is_of = one_on_ground;
    MetricKind kind = MetricKind::quantity;
    MetricRuns runs = MetricRuns::every;
};
// Every name that metrics() can give: of worlds, and what stands after the dot in those of bodies and signals.
std::span<const MetricEntry> all_metrics();
std::span<const MetricEntry> metrics_of_signals();
bool is_of_each_body(const MetricEntry& entry);

// The entry of a metric by the name that it has in some world: "energy", "lander.stop_position", "height.most"; nullptr: there is none.
const MetricEntry* find_metric(std::string_view name);

// A metric that runs of one world have.
struct WorldMetric {
    const MetricEntry* entry = nullptr;
    std::string name;
    std::string unit;
    std::string text;
    bool is_detail = false;
    MetricRuns runs = MetricRuns::every;
};
std::vector<WorldMetric> metrics_of(const model::Census& world, std::span<const model::NamedBody> bodies,
                                    std::span<const model::NamedSignal> signals);

}  // namespace asperity::analysis
