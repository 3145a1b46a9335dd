#include "asperity/study/body_page_data.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "asperity/batch/result_table.h"
#include "asperity/core/parallel.h"
#include "asperity/core/units.h"
#include "asperity/scenario/compile.h"
#include "asperity/scenario/ground.h"
#include "asperity/scenario/roles.h"
#include "asperity/statistics/statistics.h"
#include "asperity/study/campaign_page_data.h"
#include "asperity/study/column_reading.h"
#include "asperity/study/rest_map.h"
#include "asperity/study/surface_of.h"
#include "asperity/study/trajectories.h"

namespace asperity::study {
namespace {

using statistics::unbounded;

namespace fs = std::filesystem;

constexpr std::uint64_t most_paths = 10;
constexpr std::size_t most_path_points = 600;
constexpr std::size_t most_facets = 4000;
constexpr std::size_t most_levels = 64;

bool has_columns(const Plan& plan, std::initializer_list<const char*> names) {
    return std::all_of(names.begin(), names.end(), [&](const char* name) {
        return std::any_of(plan.columns.begin(), plan.columns.end(), [&](const batch::Column& column) { return column.name == name; });
    });
}

// The runs that the page samples, and how they ended.
struct Looked {
    const fs::path& table;
    std::vector<std::uint64_t> rows;
    std::vector<std::string> outcomes;
    std::vector<bool> is_success;

    std::vector<double> numbers(const std::string& name) const { return picked_numbers(table, name, rows); }
};

Looked looked_at(const fs::path& table, std::uint64_t runs) {
    Looked out{.table = table, .rows = sampled_rows(runs, most_map_points), .outcomes = {}, .is_success = {}};
    out.outcomes = picked_texts(table, "outcome", out.rows);
    for (const double success : out.numbers("success")) out.is_success.push_back(success == 1);
    return out;
}

// Groups the points by outcome and success; the range of the map is that of the points.
void fill_map(const Looked& looked, const std::vector<double>& x, const std::vector<double>& y, report::PointMap& map) {
    std::map<std::pair<std::string, bool>, report::PointGroup> groups;
    map.x = {unbounded, -unbounded};
    map.y = {unbounded, -unbounded};
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (!std::isfinite(x[i]) || !std::isfinite(y[i])) continue;
        ++map.drawn;
        report::PointGroup& group = groups[{looked.outcomes[i], !looked.is_success[i]}];
        group.outcome = looked.outcomes[i];
        group.is_success = looked.is_success[i];
        group.x.push_back(x[i]);
        group.y.push_back(y[i]);
        group.runs.push_back(looked.rows[i]);
        map.x = {std::min(map.x.low, x[i]), std::max(map.x.high, x[i])};
        map.y = {std::min(map.y.low, y[i]), std::max(map.y.high, y[i])};
    }
    for (report::Between* range : {&map.x, &map.y})
        if (!(range->high > range->low)) *range = {range->low - 1, range->high + 1};
    for (auto& [key, group] : groups) map.groups.push_back(std::move(group));
}

std::vector<Vec3> points_of(const Looked& looked, const std::string& metric) {
    const std::vector<double> x = looked.numbers(metric + ".x"), y = looked.numbers(metric + ".y"), z = looked.numbers(metric + ".z");
    std::vector<Vec3> out;
    for (std::size_t i = 0; i < x.size(); ++i) out.push_back({x[i], y[i], z[i]});
    return out;
}

void fill_stops(const Looked& looked, report::BodyPage& body) {
    std::map<std::pair<std::string, bool>, report::StopGroup> groups;
    const std::vector<Vec3> points = points_of(looked, "stop_position");
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!is_finite(points[i])) continue;
        report::StopGroup& group = groups[{looked.outcomes[i], !looked.is_success[i]}];
        group.outcome = looked.outcomes[i];
        group.is_success = looked.is_success[i];
        group.points.push_back(points[i]);
    }
    for (auto& [key, group] : groups) body.stops.push_back(std::move(group));
}

void fill_paths(const CampaignRequest& request, const Plan& plan, const fs::path& table, std::uint64_t runs, report::BodyPage& body) {
    const ThreadLimit limit(request.threads);
    const std::uint64_t count = std::min(runs, most_paths);
    const std::vector<std::uint64_t> rows = sampled_rows(count, count);
    const std::vector<std::string> outcomes = picked_texts(table, "outcome", rows);
    const std::vector<double> successes = picked_numbers(table, "success", rows);
    for (Trajectory& t : sampled_trajectories(plan, count, most_path_points)) {
        if (t.points.empty()) continue;
        body.paths.push_back({.run = t.run,
                              .outcome = outcomes[t.run],
                              .is_success = successes[t.run] == 1,
                              .points = std::move(t.points),
                              .first_impact = t.first_impact});
    }
}

void fill_patches(const scenario::Scenario& scenario, report::BodyPage& body) {
    for (const scenario::Patch& p : scenario::roles_of(scenario).ground->patches) {
        const double west = std::remainder(p.longitude_from * degrees, 360.0);
        double wide = std::fmod((p.longitude_to - p.longitude_from) * degrees, 360.0);
        if (wide <= 0) wide += 360;
        body.patches.push_back({.south = p.latitude_from * degrees, .north = p.latitude_to * degrees, .west = west, .east = west + wide});
    }
}

void fill_cells(const fs::path& table, std::uint64_t runs, double confidence, report::BodyPage& body) {
    const auto column = [&](const char* name) {
        return [&table, name](const statistics::BlockReader& read) { batch::read_table_column(table, name, read); };
    };
    const std::vector<std::uint64_t> counts = rests_per_cell(column("stop_facet"), column("stop_latitude"), column("stop_longitude"));
    const auto latitude = [](int j) { return degrees * std::asin(std::clamp(-1 + 2.0 * j / rest_latitudes, -1.0, 1.0)); };
    for (int j = 0; j < rest_latitudes; ++j)
        for (int i = 0; i < rest_longitudes; ++i) {
            const std::uint64_t count = counts[static_cast<std::size_t>(j * rest_longitudes + i)];
            const statistics::Interval interval = statistics::wilson(count, runs, confidence);
            constexpr double wide = 360.0 / rest_longitudes;
            body.cells.push_back(
                {.border = {.south = latitude(j), .north = latitude(j + 1), .west = -180 + wide * i, .east = -180 + wide * (i + 1)},
                 .count = count,
                 .probability = static_cast<double>(count) / static_cast<double>(runs),
                 .interval = {interval.low, interval.high}});
        }
}

// Which value of a parameter each run has.
struct Levels {
    std::vector<double> values;       // rising
    std::vector<std::uint8_t> level;  // of each run
};

std::optional<Levels> levels_of(const fs::path& table, const std::string& name) {
    std::map<double, std::uint8_t> places;
    bool is_good = true;
    batch::read_table_column(table, name, [&](std::span<const double> block) {
        for (const double x : block) {
            is_good = is_good && std::isfinite(x) && places.size() <= most_levels;
            if (is_good) places.try_emplace(x, std::uint8_t{0});
        }
    });
    if (!is_good || places.size() < 2 || places.size() > most_levels) return {};
    Levels out;
    for (auto& [value, place] : places) {
        place = static_cast<std::uint8_t>(out.values.size());
        out.values.push_back(value);
    }
    batch::read_table_column(table, name, [&](std::span<const double> block) {
        for (const double x : block) out.level.push_back(places.at(x));
    });
    return out;
}

bool is_of_interest(const Plan& plan, const Parameter& parameter) {
    if (parameter.variable) return true;
    return std::any_of(plan.study.derive.begin(), plan.study.derive.end(),
                       [&](const scenario::Derive& derive) { return derive.expression.find(parameter.name) != std::string::npos; });
}

void add_response(const Levels& levels, report::ResponseShown response, double scale,
                  const std::function<std::pair<double, statistics::Interval>(std::size_t)>& of, report::CampaignPage& page) {
    for (std::size_t i = 0; i < levels.values.size(); ++i) {
        const auto [value, interval] = of(i);
        response.x.push_back(levels.values[i]);
        response.value.push_back(scale * value);
        response.low.push_back(scale * interval.low);
        response.high.push_back(scale * interval.high);
    }
    page.responses.push_back(std::move(response));
}

}  // namespace

void fill_body(const CampaignRequest& request, const Plan& plan, const StudyTable& study_table, report::CampaignPage& page) {
    const fs::path& table = study_table.path();
    if (!plan.scenario || !scenario::has_whole_ground(*plan.scenario)) return;
    report::BodyPage body{.shape = report::shown_shape(surface_of(plan), most_facets)};
    fill_paths(request, plan, table, page.runs, body);
    const Looked looked = looked_at(table, page.runs);
    if (has_columns(plan, {"start_position.x"})) body.starts = points_of(looked, "start_position");
    std::erase_if(body.starts, [](const Vec3& p) { return !is_finite(p); });
    if (has_columns(plan, {"stop_position.x"})) fill_stops(looked, body);
    body.places = {.name = "stops", .unit = "deg", .runs = page.runs};
    body.times = {.name = "times", .unit = "s", .runs = page.runs};
    if (has_columns(plan, {"stop_latitude", "stop_longitude"}))
        fill_map(looked, looked.numbers("stop_longitude"), looked.numbers("stop_latitude"), body.places);
    if (has_columns(plan, {"first_impact_time", "stop_time"})) {
        std::vector<double> stop = looked.numbers("stop_time");
        for (std::size_t i = 0; i < stop.size(); ++i)
            if (ended_by(looked.outcomes[i]) != Ended::rest) stop[i] = statistics::no_value;
        fill_map(looked, looked.numbers("first_impact_time"), stop, body.times);
    }
    fill_patches(*plan.scenario, body);
    if (has_columns(plan, {"stop_facet", "stop_latitude", "stop_longitude"})) fill_cells(table, page.runs, plan.study.confidence, body);
    for (const Parameter& parameter : plan.parameters)
        if (parameter.variable && parameter.variable->loaded)
            body.notes.push_back("The study varies the body itself: drawn is the one that the scenario has.");
    page.body = std::move(body);
}

void fill_responses(const Plan& plan, const StudyTable& study_table, report::CampaignPage& page) {
    const fs::path& table = study_table.path();
    for (std::size_t p = 0; p < plan.parameters.size(); ++p) {
        if (!is_of_interest(plan, plan.parameters[p])) continue;
        const std::optional<Levels> levels = levels_of(table, plan.parameters[p].name);
        if (!levels || levels->values.size() == levels->level.size()) continue;  // each value once: nothing to take a mean over
        const report::ResponseShown of{.parameter = plan.columns[p].name, .parameter_unit = plan.columns[p].unit};
        std::vector<statistics::RunningRate> rates(levels->values.size());
        std::vector<bool> is_success;
        batch::read_table_column(table, "success", [&](std::span<const double> block) {
            for (const double s : block) {
                rates[levels->level[is_success.size()]].add(s == 1);
                is_success.push_back(s == 1);
            }
        });
        report::ResponseShown success = of;
        success.name = "success";
        success.unit = "%";
        if (page.has_success)
            add_response(
                *levels, std::move(success), 100,
                [&](std::size_t i) {
                    return std::pair(rates[i].rate(), statistics::wilson(rates[i].successes(), rates[i].count(), plan.study.confidence));
                },
                page);
        const std::optional<std::size_t> stop_time = study_table.find("stop_time");
        if (!stop_time) continue;
        // A run that was cut off counts as its end: the restricted mean.
        std::vector<statistics::RunningMean> means(levels->values.size());
        std::size_t run = 0;
        study_table.comparable(*stop_time, StudyTable::Cut::earliest)([&](std::span<const double> block) {
            for (const double t : block) {
                if (is_success[run] || study_table.ends()[run] == Ended::cut_off) means[levels->level[run]].add(t);
                ++run;
            }
        });
        report::ResponseShown stop = of;
        stop.name = study_table.moving() > 0 ? "restricted mean stop_time" : "mean stop_time";
        stop.unit = "s";
        add_response(
            *levels, std::move(stop), 1,
            [&](std::size_t i) {
                const double half = means[i].half_width(plan.study.confidence), mean = means[i].mean();
                return std::pair(mean, statistics::Interval{mean - half, mean + half});
            },
            page);
    }
}

}  // namespace asperity::study
