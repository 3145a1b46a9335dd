#include "asperity/study/campaign_results.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include "asperity/batch/durable_file.h"
#include "asperity/batch/result_table.h"
#include "asperity/core/hash.h"
#include "asperity/core/version.h"
#include "asperity/scenario/compile.h"
#include "asperity/statistics/dispersion.h"
#include "asperity/statistics/sensitivity.h"
#include "asperity/statistics/statistics.h"
#include "asperity/study/answers.h"
#include "asperity/study/campaign_page_data.h"
#include "asperity/study/column_reading.h"
#include "asperity/study/landing_plane.h"
#include "asperity/study/rest_map.h"

namespace asperity::study {
namespace {

using statistics::ColumnSource;
using statistics::Interval;

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t most_ranked = 1 << 15;  // rows that rank correlations look at: intervals of +-0.011, and memory that stays flat
constexpr std::size_t most_failures_told = 20;
constexpr double ellipse_probability = 0.95;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
Json interval_json(const Interval& interval) { return Json::array({number(interval.low), number(interval.high)}); }

std::vector<double> leading_values(const ColumnSource& source, std::size_t most) {
    std::vector<double> values;
    source([&](std::span<const double> block) {
        const std::size_t count = std::min(block.size(), most - values.size());
        values.insert(values.end(), block.begin(), block.begin() + static_cast<std::ptrdiff_t>(count));
    });
    return values;
}

// How often each number of a nominal column stands in it.
struct Nominal {
    std::uint64_t different = 0, most_count = 0;
    double most_frequent = statistics::no_value;  // the least of several
};

Nominal nominal_of(const ColumnSource& source) {
    std::map<double, std::uint64_t> counts;
    source([&](std::span<const double> block) {
        for (const double x : block)
            if (!std::isnan(x)) ++counts[x];
    });
    Nominal out{.different = counts.size()};
    for (const auto& [value, count] : counts)
        if (count > out.most_count) {
            out.most_count = count;
            out.most_frequent = value;
        }
    return out;
}

struct Numbers {
    batch::Column column;
    std::size_t index = 0;  // in the plan
    bool is_parameter = false;
    ColumnNature nature;
    statistics::ColumnStatistics statistics;
    Nominal nominal;

    bool is_nominal() const { return nature.kind == analysis::MetricKind::nominal; }
};

// Which runs a column is taken over.
std::string over_text(const Numbers& numbers) {
    if (numbers.nature.runs == analysis::MetricRuns::resting) return "runs that came to rest";
    return numbers.statistics.missing > 0 ? "runs that have it" : "all runs";
}

const char* kind_text(analysis::MetricKind kind) {
    switch (kind) {
        case analysis::MetricKind::quantity: return "quantity";
        case analysis::MetricKind::circular: return "direction";
        case analysis::MetricKind::nominal: return "name";
        case analysis::MetricKind::time: return "time";
    }
    return "?";
}

Json statistics_json(const Numbers& numbers) {
    const statistics::ColumnStatistics& s = numbers.statistics;
    Json json{{"unit", numbers.column.unit},
              {"kind", kind_text(numbers.nature.kind)},
              {"over", over_text(numbers)},
              {"count", s.count},
              {"missing", s.missing}};
    if (numbers.is_nominal()) {
        json["different"] = numbers.nominal.different;
        json["most_frequent"] = {{"value", number(numbers.nominal.most_frequent)}, {"count", numbers.nominal.most_count}};
        return json;
    }
    if (s.cut_off.count > 0)
        json["cut_off"] = {{"count", s.cut_off.count},
                           {"first", number(s.cut_off.first)},
                           {"last", number(s.cut_off.last)},
                           {"restricted_mean", number(s.cut_off.restricted_mean)},
                           {"restricted_mean_interval", interval_json(s.cut_off.restricted_interval)}};
    json["mean"] = number(s.mean);
    json["mean_interval"] = interval_json(s.mean_interval);
    json["standard_deviation"] = number(s.standard_deviation);
    json["standard_deviation_interval"] = interval_json(s.deviation_interval);
    if (numbers.nature.kind == analysis::MetricKind::circular) json["resultant_length"] = number(s.resultant_length);
    json["min"] = number(s.min);
    json["max"] = number(s.max);
    for (const statistics::Quantile& q : s.quantiles)
        json["quantiles"].push_back({{"probability", q.probability}, {"value", number(q.value)}, {"interval", interval_json(q.interval)}});
    return json;
}

Json answer_json(const Answer& answer) {
    Json json{{"value", number(answer.value)}, {"unit", answer.unit}, {"interval", interval_json(answer.interval)},
              {"runs", answer.runs},           {"over", answer.over}, {"text", answer.text}};
    if (answer.runs_needed > 0) json["runs_needed"] = answer.runs_needed;
    if (answer.cut_off > 0) json["cut_off"] = answer.cut_off;
    return json;
}

// Of the whole study, where it says what a success is.
struct Whole {
    std::vector<Answer> metrics, answers;
};

Whole whole_of(const Plan& plan, const StudyTable& table) {
    if (plan.study.success.empty()) return {};
    StudyColumns columns;
    table.raw("success")([&](std::span<const double> block) {
        for (const double success : block) columns.success.push_back(success == 1);
    });
    columns.values = [&](const std::string& name) -> std::optional<ColumnSource> {
        const auto column = table.find(name);
        return column ? std::optional(table.values(*column)) : std::nullopt;
    };
    columns.times = [&](const std::string& name) -> std::optional<statistics::TimeColumn> {
        const auto column = table.find(name);
        return column ? std::optional(of_successes(table.times(*column), columns.success, table.ends())) : std::nullopt;
    };
    return {batch_metrics(columns, plan.study.confidence), design_answers(columns, plan.study.confidence)};
}

struct Sensitivity {
    std::string metric, parameter;
    statistics::Correlation correlation;
};

// Rank correlations of all metrics with all parameters that vary.
std::vector<Sensitivity> sensitivities(const Plan& plan, const StudyTable& table, const std::vector<Numbers>& all) {
    std::vector<Sensitivity> out;
    std::vector<std::vector<double>> parameters;
    for (const Parameter& parameter : plan.parameters) parameters.push_back(leading_values(table.raw(parameter.name), most_ranked));
    for (const Numbers& metric : all) {
        if (metric.is_parameter || metric.is_nominal()) continue;
        const std::vector<double> values = leading_values(table.comparable(metric.index, StudyTable::Cut::infinite), most_ranked);
        for (std::size_t i = 0; i < parameters.size(); ++i)
            out.push_back(
                {metric.column.name, plan.parameters[i].name, statistics::spearman(parameters[i], values, plan.study.confidence)});
    }
    return out;
}

Json sobol_json(const Plan& plan, const StudyTable& table, const std::vector<Numbers>& all) {
    Json json = Json::object();
    if (plan.design.spec().kind != statistics::DesignKind::sobol_indices) return json;
    for (const Numbers& metric : all) {
        if (metric.is_parameter || metric.is_nominal()) continue;
        const ColumnSource values = table.comparable(metric.index, StudyTable::Cut::earliest);
        const statistics::SobolIndices indices = statistics::sobol_indices(values, plan.design.spec().axes, plan.study.confidence);
        Json of_metric{{"base_points", indices.base_points}, {"left_out", indices.left_out}};
        for (std::size_t i = 0; i < indices.parameters.size(); ++i) {
            const statistics::SobolIndex& index = indices.parameters[i];
            of_metric["parameters"][plan.parameters[i].name] = {{"first", number(index.first)},
                                                                {"first_interval", interval_json(index.first_interval)},
                                                                {"total", number(index.total)},
                                                                {"total_interval", interval_json(index.total_interval)}};
        }
        json[metric.column.name] = std::move(of_metric);
    }
    return json;
}

Json vector_json(const Vec3& v, int dimension) {
    Json json = Json::array({number(v.x), number(v.y)});
    if (dimension == 3) json.push_back(number(v.z));
    return json;
}

// The points of a vector metric, of the runs that count.
std::vector<Vec3> metric_points(const Plan& plan, const StudyTable& table, std::size_t first) {
    std::vector<std::vector<double>> parts;
    for (std::size_t i = 0; i < 3; ++i) parts.push_back(leading_values(table.values(plan.parameters.size() + first + i), most_ranked));
    std::vector<Vec3> points;
    for (std::size_t i = 0; i < parts[0].size(); ++i) {
        const Vec3 point{parts[0][i], parts[1][i], parts[2][i]};
        if (is_finite(point)) points.push_back(point);
    }
    return points;
}

// Where landers rest is measured on the ground; any other vector in the plane of x and y.
std::optional<LandingPlane> plane_of(const Plan& plan, const MetricColumn& metric, const batch::Column& column,
                                     std::span<const Vec3> points) {
    const bool is_place_at_rest = metric.runs == analysis::MetricRuns::resting && column.unit == "m";
    if (!is_place_at_rest || !plan.scenario) return LandingPlane{};
    if (const auto* uniform = std::get_if<gravity::Uniform>(&plan.scenario->gravity.field))
        return level_plane(uniform->acceleration_vector);
    const double scale = std::get<scenario::BodyWorld>(plan.scenario->world.shape).scale;
    if (plan.varies_world) return plane_on_body(geometry::scaled(scenario::load_assets(*plan.scenario).surface, scale), points);
    return plane_on_body(scale == 1 ? plan.assets.surface : geometry::scaled(plan.assets.surface, scale), points);
}

Json dispersion_json(const statistics::Dispersion& d) {
    Json of{{"count", d.count},
            {"probability", d.probability},
            {"mean", vector_json(d.mean, d.dimension)},
            {"fraction_inside", number(d.fraction_inside)},
            {"error_probable", number(d.circular_error_probable)}};
    for (int i = 0; i < d.dimension; ++i) {
        const statistics::DispersionAxis& axis = d.axes[static_cast<std::size_t>(i)];
        of["axes"].push_back({{"semi_axis", number(axis.semi_axis)},
                              {"standard_deviation", number(axis.deviation)},
                              {"direction", vector_json(axis.direction, d.dimension)}});
    }
    return of;
}

// Where the runs ended: the ellipse in a plane, and the ellipsoid.
Json dispersions_json(const Plan& plan, const StudyTable& table) {
    Json json = Json::object();
    for (std::size_t i = 0; i < plan.metrics.size(); ++i) {
        const MetricColumn& metric = plan.metrics[i];
        if (metric.part != MetricColumn::Part::x) continue;
        const std::vector<Vec3> points = metric_points(plan, table, i);
        std::array<std::vector<double>, 3> parts;
        for (const Vec3& p : points) {
            parts[0].push_back(p.x);
            parts[1].push_back(p.y);
            parts[2].push_back(p.z);
        }
        json[metric.metric]["over"] = metric.runs == analysis::MetricRuns::resting ? "runs that came to rest" : "all runs";
        json[metric.metric]["xyz"] = dispersion_json(statistics::dispersion(parts[0], parts[1], parts[2], ellipse_probability));
        const std::optional<LandingPlane> plane = plane_of(plan, metric, plan.columns[plan.parameters.size() + i], points);
        if (!plane) {
            json[metric.metric]["plane"] = nullptr;  // they lie all around a body, or there are none
            continue;
        }
        std::vector<double> x, y;
        for (const Vec3& p : points) {
            x.push_back(plane->along_x(p));
            y.push_back(plane->along_y(p));
        }
        Json of = dispersion_json(statistics::dispersion(x, y, ellipse_probability));
        of["origin"] = vector_json(plane->origin, 3);
        of["x_axis"] = vector_json(plane->x, 3);
        of["y_axis"] = vector_json(plane->y, 3);
        json[metric.metric]["plane"] = std::move(of);
    }
    return json;
}

Json outliers_json(const CampaignRequest& request, const StudyTable& table, const std::vector<Numbers>& all) {
    Json json = Json::array();
    for (const Numbers& metric : all) {
        if (metric.is_parameter || metric.is_nominal()) continue;
        const bool is_circular = metric.nature.kind == analysis::MetricKind::circular;
        const ColumnSource values = is_circular ? table.comparable(metric.index, StudyTable::Cut::infinite) : table.values(metric.index);
        const double from = is_circular && !std::isnan(metric.statistics.mean) ? metric.statistics.mean : 0;
        for (const statistics::Outlier& outlier : statistics::outliers(values, {.threshold = 3.5, .most = 3}).largest)
            json.push_back({{"metric", metric.column.name},
                            {"run", outlier.row},
                            {"value", number(from == 0 ? outlier.value : std::remainder(outlier.value + from, 360.0))},
                            {"robust_z", number(outlier.robust_z)},
                            {"command", command_for_run(request, outlier.row)}});
    }
    return json;
}

using Counts = std::map<std::string, std::uint64_t>;

// How often each text stands in a column; runs without one do not count.
Counts counts_of(const StudyTable& table, const std::string& column) {
    Counts counts;
    batch::read_table_texts(table.path(), column, [&](std::span<const std::string> block) {
        for (const std::string& text : block)
            if (!text.empty()) ++counts[text];
    });
    return counts;
}

struct Tally {
    Counts outcomes;
    std::vector<std::pair<std::string, Counts>> texts;  // by column of texts
    std::uint64_t failed = 0;
    std::uint64_t successes = 0;
    Json failures = Json::array();
};

Tally tally_of(const CampaignRequest& request, const Plan& plan, const StudyTable& table) {
    Tally ends{.outcomes = counts_of(table, "outcome")};
    for (const batch::Column& column : plan.text_columns) ends.texts.emplace_back(column.name, counts_of(table, column.name));
    batch::read_table_column(table.path(), "success", [&](std::span<const double> block) {
        for (const double success : block) ends.successes += success == 1 ? 1 : 0;
    });
    std::uint64_t run = 0;
    batch::read_table_texts(table.path(), "error", [&](std::span<const std::string> block) {
        for (const std::string& error : block) {
            if (!error.empty()) {
                ++ends.failed;
                if (ends.failures.size() < most_failures_told)
                    ends.failures.push_back({{"run", run}, {"error", error}, {"command", command_for_run(request, run)}});
            }
            ++run;
        }
    });
    return ends;
}

std::string width_text(const Interval& interval, double mean) {
    if (std::isnan(mean) && std::isfinite(interval.low)) return fmt::format("at least {:.4g}", interval.low);
    return std::isfinite(interval.high) ? fmt::format("+- {:.3g}", interval.high - mean) : "";
}

std::string value_text(double value) { return std::isnan(value) ? "-" : fmt::format("{:.6g}", value); }

std::string range_text(const Interval& interval) {
    const bool has_low = std::isfinite(interval.low), has_high = std::isfinite(interval.high);
    if (has_low && has_high) return fmt::format("{:.6g} ... {:.6g}", interval.low, interval.high);
    if (has_low) return fmt::format("at least {:.6g}", interval.low);
    return has_high ? fmt::format("at most {:.6g}", interval.high) : "too few runs to say";
}

// A line for each: value, interval, and over which runs.
std::string answers_text(const std::vector<Answer>& answers) {
    std::string text;
    for (const Answer& a : answers) {
        const std::string name = a.unit.empty() ? a.name : fmt::format("{} [{}]", a.name, a.unit);
        std::string range = range_text(a.interval);
        if (a.runs_needed > 0) range += fmt::format("; needs {} runs", a.runs_needed);
        text += fmt::format("  {:<34}{:>13} ({})  over {} {}{}\n", name, value_text(a.value), range, a.runs, a.over,
                            a.cut_off > 0 ? fmt::format(", {} cut off", a.cut_off) : "");
    }
    return text;
}

std::string statistics_line(const Numbers& n) {
    const statistics::ColumnStatistics& s = n.statistics;
    const std::string name = n.column.unit.empty() ? n.column.name : fmt::format("{} [{}]", n.column.name, n.column.unit);
    if (n.is_nominal())
        return fmt::format("  {:<34}{:>6}  {} different, most often {:.6g}: {} runs\n", name, s.count, n.nominal.different,
                           n.nominal.most_frequent, n.nominal.most_count);
    const auto quantile = [&](const statistics::Quantile& q) {
        // beyond the last cut where the curve does not come down so far
        return std::isnan(q.value) && s.cut_off.count > 0 ? fmt::format("> {:.5g}", s.cut_off.first) : value_text(q.value);
    };
    return fmt::format("  {:<34}{:>6}{:>13} {:<17}{:>13}{:>13}{:>13}\n", name, s.count, value_text(s.mean),
                       width_text(s.mean_interval, s.mean), quantile(s.quantiles.front()), quantile(s.quantiles[s.quantiles.size() / 2]),
                       quantile(s.quantiles.back()));
}

// What a reader must know before the numbers: some runs were not at their end.
std::string moving_text(const Plan& plan, const StudyTable& table, const std::vector<Numbers>& all) {
    if (table.moving() == 0) return {};
    const bool has_times = std::any_of(all.begin(), all.end(), [](const Numbers& n) { return n.statistics.cut_off.count > 0; });
    const bool is_ball = plan.scenario && !plan.scenario->world.is_free();
    if (!is_ball && !has_times) return {};  // free bodies run to their end time by design
    return fmt::format("{} of {} runs were still moving at their end time: what they had not done by then counts as later, not as never\n",
                       table.moving(), table.ends().size());
}

std::string terminal_text(const Plan& plan, const StudyTable& table, const Tally& ends, const Interval& rate,
                          const std::vector<Numbers>& all, std::vector<Sensitivity> found, const Whole& whole, std::uint64_t runs) {
    std::string text = fmt::format("{}: {} runs, {} failed", plan.study.name, runs, ends.failed);
    if (!plan.study.success.empty())
        text += fmt::format(", success {:.4g} % ({:.4g} ... {:.4g} %)",
                            100.0 * static_cast<double>(ends.successes) / static_cast<double>(runs), 100 * rate.low, 100 * rate.high);
    text += "\n" + moving_text(plan, table, all);
    text += fmt::format("intervals at {:g} %\n\n", 100 * plan.study.confidence);
    text += answers_text(whole.metrics) + (whole.metrics.empty() ? "" : "\n");
    for (const auto& [name, counts] : ends.texts) {
        for (const auto& [value, count] : counts) text += fmt::format("  {:<34}{:>13} runs  {}\n", name, count, value);
        if (!counts.empty()) text += "\n";
    }
    text += fmt::format("  {:<34}{:>6}{:>13} {:<17}{:>13}{:>13}{:>13}\n", fmt::format("of {} runs, those that have it", runs), "runs",
                        "mean", "", "5 %", "median", "95 %");
    for (const Numbers& n : all)
        if (n.statistics.count > 0) text += statistics_line(n);
    if (!whole.answers.empty()) text += "\nfor the design\n" + answers_text(whole.answers);
    std::stable_sort(found.begin(), found.end(), [](const Sensitivity& a, const Sensitivity& b) {
        const auto size = [](const Sensitivity& s) {
            return std::isnan(s.correlation.coefficient) ? -1 : std::fabs(s.correlation.coefficient);
        };
        return size(a) > size(b);
    });
    std::string strongest;
    for (std::size_t i = 0; i < std::min<std::size_t>(6, found.size()); ++i) {
        const statistics::Correlation& c = found[i].correlation;
        if (!(c.interval.low > 0 || c.interval.high < 0)) continue;  // not told from none
        strongest += fmt::format("  {:<33} {:<30}{:+.3f} ({:+.3f} ... {:+.3f})\n", found[i].metric, found[i].parameter, c.coefficient,
                                 c.interval.low, c.interval.high);
    }
    if (!strongest.empty()) text += "\nstrongest rank correlations\n" + strongest;
    for (const Json& failure : ends.failures) {
        text += fmt::format("\nfailed: run {}: {}\n  {}\n", failure["run"].get<std::uint64_t>(), failure["error"].get<std::string>(),
                            failure["command"].get<std::string>());
        break;
    }
    if (ends.failed > 1) text += fmt::format("  and {} more: the column `error` of the table\n", ends.failed - 1);
    return text;
}

}  // namespace

std::string write_results(const CampaignRequest& request, const Plan& plan, const fs::path& folder, std::uint64_t runs) {
    const StudyTable table(plan, folder / "table.h5");
    std::vector<Numbers> all;
    for (std::size_t i = 0; i < plan.columns.size(); ++i) {
        all.push_back({.column = plan.columns[i],
                       .index = i,
                       .is_parameter = i < plan.parameters.size(),
                       .nature = nature_of(plan, i),
                       .statistics = table.statistics(i)});
        if (all.back().is_nominal()) all.back().nominal = nominal_of(table.values(i));
    }
    const Tally ends = tally_of(request, plan, table);
    const Interval rate = statistics::wilson(ends.successes, runs, plan.study.confidence);
    const std::vector<Sensitivity> found = sensitivities(plan, table, all);
    const Whole whole = whole_of(plan, table);

    Json json{{"asperity", version()},
              {"study", {{"name", plan.study.name}, {"file", request.file}, {"hash", plan.identity()}}},
              {"seed", plan.study.seed},
              {"runs", runs},
              {"failed", ends.failed},
              {"still_moving", table.moving()},
              {"confidence", plan.study.confidence}};
    if (!plan.study.success.empty())
        json["success"] = {{"count", ends.successes},
                           {"rate", static_cast<double>(ends.successes) / static_cast<double>(runs)},
                           {"interval", interval_json(rate)}};
    if (const std::string note = moving_text(plan, table, all); !note.empty()) json["note"] = note.substr(0, note.size() - 1);
    json["outcomes"] = ends.outcomes;
    for (const auto& [name, counts] : ends.texts) json["counts"][name] = counts;
    for (const Answer& answer : whole.metrics) json["metrics"][answer.name] = answer_json(answer);
    for (const Numbers& numbers : all)
        json[numbers.is_parameter ? "parameters" : "metrics"][numbers.column.name] = statistics_json(numbers);
    for (const Answer& answer : whole.answers) json["design"][answer.name] = answer_json(answer);
    for (const Sensitivity& s : found)
        json["rank_correlations"][s.metric][s.parameter] = {{"coefficient", number(s.correlation.coefficient)},
                                                            {"interval", interval_json(s.correlation.interval)},
                                                            {"count", s.correlation.count}};
    if (const Json sobol = sobol_json(plan, table, all); !sobol.empty()) json["sobol_indices"] = sobol;
    if (const Json dispersion = dispersions_json(plan, table); !dispersion.empty()) json["dispersion"] = dispersion;
    json["outliers"] = outliers_json(request, table, all);
    json["failures"] = ends.failures;
    batch::PartName part(folder / "summary.json");
    {
        batch::DurableFile file = batch::DurableFile::create(part.name());
        file.write(0, json.dump(1) + "\n");
        file.sync();
    }
    part.put_in_place();
    write_rest_map(plan, folder, runs);
    write_campaign_page(request, plan, folder);
    return terminal_text(plan, table, ends, rate, all, found, whole, runs);
}

}  // namespace asperity::study
