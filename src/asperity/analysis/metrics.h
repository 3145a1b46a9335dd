// The numbers of a run: what summary.json, [expect] and studies read. From the model, its first and last state, and the events.
#pragma once
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "asperity/model/model.h"
#include "asperity/model/observer.h"
#include "asperity/model/state.h"

namespace asperity::analysis {

struct Metric {
    std::string name;
    std::variant<double, std::vector<double>, std::string> value;
    std::string unit;  // "" where it has none
};

// Kinetic, rotational and potential energy of the ball, and the heat by cause.
model::Ledger ledger(const model::Model& model, const model::State& state);

// (total at the end - total at the start) / energy that the start could set free: its motion, and its height above the lowest place that
// a ball can take in the world.
double energy_balance(const model::Model& model, const model::State& first, const model::State& last);

// In a fixed order; a metric of something that did not happen (sync_time of a ball that never rolls) is left out.
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

enum class MetricOf { ball, free_bodies, few_spheres, every };  // the worlds that have it; few: two or three free ones

struct MetricEntry {
    const char* name;
    const char* unit;
    MetricShape shape;
    const char* text;
    MetricOf of = MetricOf::ball;
    MetricKind kind = MetricKind::quantity;
    MetricRuns runs = MetricRuns::every;

    bool is_of(MetricOf world) const {
        return of == MetricOf::every || of == world || (of == MetricOf::free_bodies && world == MetricOf::few_spheres);
    }
};
std::span<const MetricEntry> all_metrics();  // every name that metrics() can give

}  // namespace asperity::analysis
