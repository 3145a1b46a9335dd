#include "asperity/reproduce/measure.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "asperity/analysis/resting_configurations.h"
#include "asperity/dynamics/simulate.h"
#include "asperity/model/only_row.h"
#include "asperity/reproduce/sample_grid.h"
#include "asperity/reproduce/sphere_quantities.h"
#include "asperity/scenario/compile.h"
#include "asperity/scenario/equilibria.h"
#include "asperity/scenario/roles.h"

namespace asperity::reproduce {
namespace {

using model::Event;
using model::EventKind;
using model::Sample;
using scenario::Scenario;

constexpr const char* names[] = {
    "impact_time",       "impact_position_x", "impact_velocity_x", "impact_normal_speed_out", "impact_spin_y",
    "settle_velocity_x", "settle_spin_y",     "sync_time",         "sync_position_x",         "sync_velocity_x",
    "sync_spin_y",       "stop_time",         "stop_position_x",   "stop_position_y",         "wall_velocity_x",
    "wall_velocity_z",   "wall_spin_y",       "wall_height_max",   "separation_angle",        "roll_deceleration",
    "rest_slope",        "energy_rise",       "rolling_heat_drop",
};

constexpr std::string_view equilibrium_prefix = "equilibrium.";
constexpr const char* equilibrium_numbers[] = {"x", "y", "z", "target_x", "companion_x", "growth_rate"};

constexpr std::string_view metric_prefix = "metric.", threshold_prefix = "threshold.";

// H-bar^2 at which the configurations of three equal spheres change, and sizes there.
std::optional<double> threshold(std::string_view name) {
    const analysis::EqualSphereThresholds t = analysis::equal_sphere_thresholds();
    const std::pair<std::string_view, double> known[] = {
        {"euler_resting_stable", t.euler_resting_stable},   {"lagrange_equals_euler", t.lagrange_equals_euler},
        {"transverse_mixed", t.transverse_mixed},           {"transverse_mixed_size", t.transverse_mixed_size},
        {"lagrange_resting_ends", t.lagrange_resting_ends}, {"aligned_mixed", t.aligned_mixed},
        {"aligned_mixed_size", t.aligned_mixed_size},       {"euler_equals_aligned", t.euler_equals_aligned},
        {"euler_resting_ends", t.euler_resting_ends}};
    for (const auto& [key, value] : known)
        if (key == name) return value;
    return {};
}

// "lock_time[1]": the name and the index, 0 where there is none; "lock_time[min]", "lock_time[max]": the least, the largest of the list.
struct Indexed {
    std::string_view name;
    std::size_t index = 0;
    std::string_view which{};  // min, max, or empty
};
Indexed indexed(std::string_view text) {
    const std::size_t bracket = text.find('[');
    if (bracket == std::string_view::npos) return {text};
    const std::string_view inner = text.substr(bracket + 1, text.size() - bracket - 2);
    if (inner == "min" || inner == "max") return {text.substr(0, bracket), 0, inner};
    std::size_t index = 0;
    for (const char c : text.substr(bracket + 1))
        if (c >= '0' && c <= '9') index = 10 * index + static_cast<std::size_t>(c - '0');
    return {text.substr(0, bracket), index};
}

bool is_metric(std::string_view text) { return analysis::find_metric(indexed(text).name) != nullptr; }

constexpr double none = std::numeric_limits<double>::infinity();

std::vector<Sample> sampled(const Scenario& scenario, const model::Assets& assets, double begin, double end, int count) {
    scenario::Compiled compiled = scenario::compile(scenario, assets);
    SampleGrid grid(begin, end, count);
    dynamics::simulate(compiled.model, compiled.state, grid);
    return std::move(grid.samples);
}

std::optional<double> number(const std::vector<analysis::Metric>& metrics, std::string_view name, std::size_t index = 0) {
    for (const analysis::Metric& metric : metrics) {
        if (metric.name != name) continue;
        if (const auto* value = std::get_if<double>(&metric.value)) return *value;
        if (const auto* list = std::get_if<std::vector<double>>(&metric.value); list != nullptr && index < list->size())
            return (*list)[index];
    }
    return {};
}

// The first impact with a horizontal normal.
const Event* wall_event(const study::Trial& trial) {
    for (const Event& event : trial.events)
        if (event.kind == EventKind::impact && std::fabs(event.normal.z) < 1e-9) return &event;
    return nullptr;
}

}  // namespace

std::vector<std::string> quantity_names() {
    std::vector<std::string> all = sphere_quantity_names();
    all.insert(all.begin(), std::begin(names), std::end(names));
    return all;
}

bool is_equilibrium_quantity(std::string_view text) {
    const std::size_t dot = text.rfind('.');
    return text.starts_with(equilibrium_prefix) && dot > equilibrium_prefix.size() &&
           std::find(std::begin(equilibrium_numbers), std::end(equilibrium_numbers), text.substr(dot + 1)) != std::end(equilibrium_numbers);
}

std::vector<std::optional<double>> equilibrium_values(const Scenario& scenario, const std::vector<std::string>& quantities) {
    const model::Assets assets = scenario::load_assets(scenario);
    const scenario::ScenarioEquilibria all = scenario::equilibria_of(scenario, assets);
    std::vector<std::optional<double>> values;
    for (const std::string& quantity : quantities) {
        const std::size_t dot = quantity.rfind('.');
        const std::string name = quantity.substr(equilibrium_prefix.size(), dot - equilibrium_prefix.size()),
                          what = quantity.substr(dot + 1);
        std::optional<double>& value = values.emplace_back();
        for (const analysis::Equilibrium& e : all.list) {
            if (e.name != name) continue;
            const Vec3 p = e.orbit_position;
            value = what == "x"             ? p.x
                    : what == "y"           ? p.y
                    : what == "z"           ? p.z
                    : what == "target_x"    ? p.x - all.field.target().x
                    : what == "companion_x" ? p.x - all.field.companion().x
                                            : e.growth_rate;
        }
    }
    return values;
}

bool has_closed_form(std::string_view text) {
    return !text.starts_with(metric_prefix) && !text.starts_with(threshold_prefix) && !is_sphere_quantity(text) &&
           !is_equilibrium_quantity(text);
}

bool is_quantity(std::string_view text) {
    if (is_equilibrium_quantity(text) || is_sphere_quantity(text)) return true;
    if (text.starts_with(metric_prefix)) return is_metric(text.substr(metric_prefix.size()));
    if (text.starts_with(threshold_prefix)) return threshold(text.substr(threshold_prefix.size())).has_value();
    const std::size_t bracket = text.find('[');
    const std::string_view name = text.substr(0, bracket);
    const bool is_known = std::find(std::begin(names), std::end(names), name) != std::end(names);
    if (bracket == std::string_view::npos) return is_known && !name.starts_with("impact_");
    if (!is_known || !name.starts_with("impact_") || !text.ends_with("]")) return false;
    const std::string_view index = text.substr(bracket + 1, text.size() - bracket - 2);
    return index == "last" ||
           (!index.empty() && index.size() < 7 && std::all_of(index.begin(), index.end(), [](char c) { return c >= '0' && c <= '9'; }));
}

Measured::Measured(Scenario scenario)
    : scenario_(std::move(scenario)), assets_(scenario::load_assets(scenario_)), trial_(study::run_trial(scenario_, assets_)) {}

std::optional<double> Measured::value(std::string_view quantity) const {
    if (quantity.starts_with(threshold_prefix)) return threshold(quantity.substr(threshold_prefix.size()));
    if (quantity.starts_with(metric_prefix)) {
        const Indexed metric = indexed(quantity.substr(metric_prefix.size()));
        if (metric.which.empty()) return number(trial_.metrics, metric.name, metric.index);
        std::optional<double> best;
        for (std::size_t k = 0; const auto value = number(trial_.metrics, metric.name, k); ++k)
            if (!best || (metric.which == "min" ? *value < *best : *value > *best)) best = value;
        return best;
    }
    if (is_sphere_quantity(quantity)) return sphere_quantity(scenario_, assets_, trial_, quantity);
    const std::size_t bracket = quantity.find('[');
    if (bracket != std::string_view::npos)
        return of_impact(quantity.substr(0, bracket), quantity.substr(bracket + 1, quantity.size() - bracket - 2));
    if (quantity.starts_with("sync_")) return of_sync(quantity.substr(5));
    if (quantity.starts_with("wall_")) return of_wall(quantity.substr(5));
    if (quantity == "rest_slope") return rest_slope();
    if (quantity == "roll_deceleration") return roll_deceleration();
    if (quantity == "energy_rise") return energy_rise();
    if (quantity == "rolling_heat_drop") return rolling_heat_drop();
    if (quantity == "separation_angle") return number(trial_.metrics, quantity);
    if (quantity.starts_with("settle_")) {
        const Event* settle = study::find_event(trial_, EventKind::settle);
        if (settle == nullptr) return {};
        return quantity == "settle_velocity_x" ? settle->velocity.x : settle->spin.y;
    }
    if (trial_.outcome.kind != model::OutcomeKind::rest) return {};  // it has not stopped
    if (quantity == "stop_time") return trial_.outcome.time;
    const Vec3& at = trial_.last.bodies.position[model::only_row(trial_.last)];
    return quantity == "stop_position_x" ? at.x : at.y;
}

std::optional<double> Measured::of_impact(std::string_view name, std::string_view index) const {
    std::vector<const Event*> impacts;
    for (const Event& event : trial_.events)
        if (event.kind == EventKind::impact) impacts.push_back(&event);
    if (impacts.empty()) return {};
    const std::size_t k = index == "last" ? impacts.size() - 1 : std::stoul(std::string(index));
    if (k >= impacts.size()) return {};
    const Event& event = *impacts[k];
    if (name == "impact_time") return event.time;
    if (name == "impact_position_x") return event.position.x;
    if (name == "impact_velocity_x") return event.velocity.x;
    if (name == "impact_normal_speed_out") return event.normal_speed_out;
    return event.spin.y;
}

std::optional<double> Measured::of_sync(std::string_view name) const {
    const Event* roll = study::find_event(trial_, EventKind::roll);
    if (roll == nullptr) return {};
    return name == "time" ? roll->time : name == "position_x" ? roll->position.x : name == "velocity_x" ? roll->velocity.x : roll->spin.y;
}

std::optional<double> Measured::wall_approach() const {
    const Event* wall = wall_event(trial_);
    if (wall == nullptr) return {};
    return wall->normal_speed_in;
}

std::optional<double> Measured::of_wall(std::string_view name) const {
    const Event* wall = wall_event(trial_);
    if (wall == nullptr) return {};
    if (name == "velocity_x") return wall->velocity.x;
    if (name == "velocity_z") return wall->velocity.z;
    if (name == "spin_y") return wall->spin.y;
    // A run that ends at the top of the flight that follows: there an error of the time does not count.
    const Vec3 a = scenario_.gravity.uniform.value_or(Vec3{});
    Scenario until_top = scenario_;
    until_top.end.time = wall->time - wall->velocity.z / a.z;
    const model::State top = study::run_trial(until_top, assets_).last;
    return top.bodies.position[model::only_row(top)].z;
}

std::optional<double> Measured::roll_deceleration() const {
    const Event* rest = study::find_event(trial_, EventKind::rest);
    if (rest == nullptr) return {};
    if (const Event* roll = study::find_event(trial_, EventKind::roll)) return norm(roll->velocity) / (rest->time - roll->time);
    const model::State& first = trial_.first;  // it may roll from the start
    const std::size_t row = model::only_row(first);
    if (first.contacts.mode_of(static_cast<std::int32_t>(row)) != model::Mode::roll) return {};
    return norm(first.bodies.velocity[row]) / rest->time;
}

// The steepest slope on which a ball that rolls uphill stays where it stops, by halving; gravity is tilted in the place of the ground.
double Measured::rest_slope() const {
    Scenario tilted = scenario_;
    Vec3& a = tilted.gravity.uniform.emplace(scenario_.gravity.uniform.value_or(Vec3{}));
    double holds = 0, slides = 1;
    for (int i = 0; i < 50; ++i) {
        const double slope = 0.5 * (holds + slides);
        a.x = slope * a.z;  // against +x
        const bool stays = study::run_trial(tilted, assets_).outcome.kind == model::OutcomeKind::rest;
        (stays ? holds : slides) = slope;
    }
    return holds;
}

// The largest rise of mechanical energy above its least value so far, over the energy of motion at the start.
double Measured::energy_rise() const {
    const std::vector<Sample> samples = sampled(scenario_, assets_, 0, trial_.outcome.time, 20000);
    const auto energy = [](const Sample& s) { return s.ledger.kinetic + s.ledger.rotational + s.ledger.potential; };
    double least = none, rise = 0;
    for (const Sample& s : samples) {
        least = std::min(least, energy(s));
        rise = std::max(rise, energy(s) - least);
    }
    return rise / (samples.front().ledger.kinetic + samples.front().ledger.rotational);
}

// The largest fall of the rolling heat below its largest value so far, over the same energy.
double Measured::rolling_heat_drop() const {
    const std::vector<Sample> samples = sampled(scenario_, assets_, 0, trial_.outcome.time, 20000);
    double most = 0, drop = 0;
    for (const Sample& s : samples) {
        most = std::max(most, s.ledger.heat_rolling);
        drop = std::max(drop, most - s.ledger.heat_rolling);
    }
    return drop / (samples.front().ledger.kinetic + samples.front().ledger.rotational);
}

}  // namespace asperity::reproduce
