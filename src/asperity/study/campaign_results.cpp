#include "asperity/study/campaign_results.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

#include "asperity/core/hash.h"
#include "asperity/core/version.h"
#include "asperity/study/answers.h"
#include "asperity/study/campaign_page_data.h"
#include "asperity/study/dispersion.h"
#include "asperity/study/durable_file.h"
#include "asperity/study/rest_map.h"
#include "asperity/study/result_table.h"
#include "asperity/study/sensitivity.h"
#include "asperity/study/statistics.h"

namespace asperity::study {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t most_ranked = 1 << 15;  // rows that rank correlations look at: intervals of +-0.011, and memory that stays flat
constexpr std::size_t most_failures_told = 20;
constexpr double ellipse_probability = 0.95;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
Json interval_json(const Interval& interval) { return Json::array({number(interval.low), number(interval.high)}); }

struct RunTable {
    fs::path path;
    std::uint64_t rows = 0;

    ColumnSource column(const std::string& name) const {
        return [path = path, name](const BlockReader& read) { read_table_column(path, name, read); };
    }
    std::vector<double> first(const std::string& name, std::size_t most) const {
        std::vector<double> values;
        read_table_column(path, name, [&](std::span<const double> block) {
            const std::size_t count = std::min(block.size(), most - values.size());
            values.insert(values.end(), block.begin(), block.begin() + static_cast<std::ptrdiff_t>(count));
        });
        return values;
    }
};

struct Numbers {
    Column column;
    bool is_parameter = false;
    ColumnStatistics statistics;
};

Json statistics_json(const Numbers& numbers) {
    const ColumnStatistics& s = numbers.statistics;
    Json json{{"unit", numbers.column.unit},
              {"over", "all runs"},
              {"count", s.count},
              {"missing", s.missing},
              {"mean", number(s.mean)},
              {"mean_interval", interval_json(s.mean_interval)},
              {"standard_deviation", number(s.standard_deviation)},
              {"standard_deviation_interval", interval_json(s.deviation_interval)},
              {"min", number(s.min)},
              {"max", number(s.max)}};
    for (const Quantile& q : s.quantiles)
        json["quantiles"].push_back({{"probability", q.probability}, {"value", number(q.value)}, {"interval", interval_json(q.interval)}});
    return json;
}

Json answer_json(const Answer& answer) {
    Json json{{"value", number(answer.value)}, {"unit", answer.unit}, {"interval", interval_json(answer.interval)},
              {"runs", answer.runs},           {"over", answer.over}, {"text", answer.text}};
    if (answer.runs_needed > 0) json["runs_needed"] = answer.runs_needed;
    return json;
}

// Of the whole study, where it says what a success is.
struct Whole {
    std::vector<Answer> metrics, answers;
};

Whole whole_of(const Plan& plan, const RunTable& table) {
    if (plan.study.success.empty()) return {};
    const ColumnOf column = [&](const std::string& name) -> std::optional<ColumnSource> {
        const bool is_there = std::any_of(plan.columns.begin(), plan.columns.end(), [&](const Column& c) { return c.name == name; });
        return is_there ? std::optional(table.column(name)) : std::nullopt;
    };
    const ColumnSource success = table.column("success");
    return {batch_metrics(column, success, plan.study.confidence), design_answers(column, success, plan.study.confidence)};
}

struct Sensitivity {
    std::string metric, parameter;
    Correlation correlation;
};

// Rank correlations of all metrics with all parameters that vary.
std::vector<Sensitivity> sensitivities(const Plan& plan, const RunTable& table, const std::vector<Numbers>& all) {
    std::vector<Sensitivity> out;
    std::vector<std::vector<double>> parameters;
    for (const Parameter& parameter : plan.parameters) parameters.push_back(table.first(parameter.name, most_ranked));
    for (const Numbers& metric : all) {
        if (metric.is_parameter) continue;
        const std::vector<double> values = table.first(metric.column.name, most_ranked);
        for (std::size_t i = 0; i < parameters.size(); ++i)
            out.push_back({metric.column.name, plan.parameters[i].name, spearman(parameters[i], values, plan.study.confidence)});
    }
    return out;
}

Json sobol_json(const Plan& plan, const RunTable& table, const std::vector<Numbers>& all) {
    Json json = Json::object();
    if (plan.design.spec().kind != DesignKind::sobol_indices) return json;
    for (const Numbers& metric : all) {
        if (metric.is_parameter) continue;
        const SobolIndices indices = sobol_indices(table.column(metric.column.name), plan.design.spec().axes, plan.study.confidence);
        Json of_metric{{"base_points", indices.base_points}, {"left_out", indices.left_out}};
        for (std::size_t i = 0; i < indices.parameters.size(); ++i) {
            const SobolIndex& index = indices.parameters[i];
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

// Where the runs ended: the ellipse in the plane of x and y, and the ellipsoid.
Json dispersion_json(const Plan& plan, const RunTable& table) {
    Json json = Json::object();
    for (const MetricColumn& metric : plan.metrics) {
        if (metric.part != MetricColumn::Part::x) continue;
        for (const int dimension : {2, 3}) {
            std::vector<std::vector<double>> values;
            for (const char* part : {".x", ".y", ".z"}) values.push_back(table.first(metric.metric + part, most_ranked));
            const Dispersion d = dimension == 2 ? dispersion(values[0], values[1], ellipse_probability)
                                                : dispersion(values[0], values[1], values[2], ellipse_probability);
            Json of{{"count", d.count},
                    {"probability", d.probability},
                    {"mean", vector_json(d.mean, dimension)},
                    {"fraction_inside", number(d.fraction_inside)},
                    {"error_probable", number(d.circular_error_probable)}};
            for (int i = 0; i < dimension; ++i) {
                const DispersionAxis& axis = d.axes[static_cast<std::size_t>(i)];
                of["axes"].push_back({{"semi_axis", number(axis.semi_axis)},
                                      {"standard_deviation", number(axis.deviation)},
                                      {"direction", vector_json(axis.direction, dimension)}});
            }
            json[metric.metric][dimension == 2 ? "xy" : "xyz"] = std::move(of);
        }
    }
    return json;
}

Json outliers_json(const CampaignRequest& request, const RunTable& table, const std::vector<Numbers>& all) {
    Json json = Json::array();
    for (const Numbers& metric : all) {
        if (metric.is_parameter) continue;
        for (const Outlier& outlier : outliers(table.column(metric.column.name), {.threshold = 3.5, .most = 3}).largest)
            json.push_back({{"metric", metric.column.name},
                            {"run", outlier.row},
                            {"value", number(outlier.value)},
                            {"robust_z", number(outlier.robust_z)},
                            {"command", command_for_run(request, outlier.row)}});
    }
    return json;
}

using Counts = std::map<std::string, std::uint64_t>;

// How often each text stands in a column; runs without one do not count.
Counts counts_of(const RunTable& table, const std::string& column) {
    Counts counts;
    read_table_texts(table.path, column, [&](std::span<const std::string> block) {
        for (const std::string& text : block)
            if (!text.empty()) ++counts[text];
    });
    return counts;
}

struct Ends {
    Counts outcomes;
    std::vector<std::pair<std::string, Counts>> texts;  // by column of texts
    std::uint64_t failed = 0;
    std::uint64_t successes = 0;
    Json failures = Json::array();
};

Ends ends_of(const CampaignRequest& request, const Plan& plan, const RunTable& table) {
    Ends ends{.outcomes = counts_of(table, "outcome")};
    for (const Column& column : plan.text_columns) ends.texts.emplace_back(column.name, counts_of(table, column.name));
    read_table_column(table.path, "success", [&](std::span<const double> block) {
        for (const double success : block) ends.successes += success == 1 ? 1 : 0;
    });
    std::uint64_t run = 0;
    read_table_texts(table.path, "error", [&](std::span<const std::string> block) {
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
    return std::isfinite(interval.high) ? fmt::format("+- {:.3g}", interval.high - mean) : "";
}

// A line for each: value, interval, and over which runs.
std::string answers_text(const std::vector<Answer>& answers) {
    std::string text;
    for (const Answer& a : answers) {
        const std::string name = a.unit.empty() ? a.name : fmt::format("{} [{}]", a.name, a.unit);
        if (a.runs_needed > 0)
            text += fmt::format("  {:<34}{:>13} (at least {:.6g}; needs {} runs)  over {} {}\n", name, "-", a.interval.low, a.runs_needed,
                                a.runs, a.over);
        else
            text += fmt::format("  {:<34}{:>13.6g} ({:.6g} ... {:.6g})  over {} {}\n", name, a.value, a.interval.low, a.interval.high,
                                a.runs, a.over);
    }
    return text;
}

std::string terminal_text(const Plan& plan, const Ends& ends, const Interval& rate, const std::vector<Numbers>& all,
                          std::vector<Sensitivity> found, const Whole& whole, std::uint64_t runs) {
    std::string text =
        fmt::format("{}: {} runs, {} failed, success {:.4g} % ({:.4g} ... {:.4g} %)\n", plan.study.name, runs, ends.failed,
                    100.0 * static_cast<double>(ends.successes) / static_cast<double>(runs), 100 * rate.low, 100 * rate.high);
    text += fmt::format("intervals at {:g} %\n\n", 100 * plan.study.confidence);
    text += answers_text(whole.metrics) + (whole.metrics.empty() ? "" : "\n");
    for (const auto& [name, counts] : ends.texts) {
        for (const auto& [value, count] : counts) text += fmt::format("  {:<34}{:>13} runs  {}\n", name, count, value);
        if (!counts.empty()) text += "\n";
    }
    text += fmt::format("  {:<34}{:>13} {:<12}{:>13}{:>13}{:>13}\n", fmt::format("over all {} runs", runs), "mean", "", "5 %", "median",
                        "95 %");
    for (const Numbers& n : all) {
        const ColumnStatistics& s = n.statistics;
        if (s.count == 0) continue;
        const std::string name = n.column.unit.empty() ? n.column.name : fmt::format("{} [{}]", n.column.name, n.column.unit);
        text += fmt::format("  {:<34}{:>13.6g} {:<12}{:>13.6g}{:>13.6g}{:>13.6g}\n", name, s.mean, width_text(s.mean_interval, s.mean),
                            s.quantiles.front().value, s.quantiles[s.quantiles.size() / 2].value, s.quantiles.back().value);
    }
    if (!whole.answers.empty()) text += "\nfor the design\n" + answers_text(whole.answers);
    std::stable_sort(found.begin(), found.end(), [](const Sensitivity& a, const Sensitivity& b) {
        const auto size = [](const Sensitivity& s) {
            return std::isnan(s.correlation.coefficient) ? -1 : std::fabs(s.correlation.coefficient);
        };
        return size(a) > size(b);
    });
    std::string strongest;
    for (std::size_t i = 0; i < std::min<std::size_t>(6, found.size()); ++i) {
        const Correlation& c = found[i].correlation;
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
    const RunTable table{folder / "table.h5", runs};
    std::vector<Numbers> all;
    for (std::size_t i = 0; i < plan.columns.size(); ++i) {
        const Column& column = plan.columns[i];
        all.push_back({.column = column,
                       .is_parameter = i < plan.parameters.size(),
                       .statistics = column_statistics(table.column(column.name), {.confidence = plan.study.confidence})});
    }
    const Ends ends = ends_of(request, plan, table);
    const Interval rate = wilson(ends.successes, runs, plan.study.confidence);
    const std::vector<Sensitivity> found = sensitivities(plan, table, all);
    const Whole whole = whole_of(plan, table);

    Json json{{"asperity", version()},
              {"study", {{"name", plan.study.name}, {"file", request.file}, {"hash", plan.identity()}}},
              {"seed", plan.study.seed},
              {"runs", runs},
              {"failed", ends.failed},
              {"confidence", plan.study.confidence},
              {"success",
               {{"count", ends.successes},
                {"rate", static_cast<double>(ends.successes) / static_cast<double>(runs)},
                {"interval", interval_json(rate)}}},
              {"outcomes", ends.outcomes}};
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
    if (const Json dispersion = dispersion_json(plan, table); !dispersion.empty()) json["dispersion"] = dispersion;
    json["outliers"] = outliers_json(request, table, all);
    json["failures"] = ends.failures;
    PartName part(folder / "summary.json");
    {
        DurableFile file = DurableFile::create(part.name());
        file.write(0, json.dump(1) + "\n");
        file.sync();
    }
    part.put_in_place();
    write_rest_map(plan, folder, runs);
    write_campaign_page(request, plan, folder);
    return terminal_text(plan, ends, rate, all, found, whole, runs);
}

}  // namespace asperity::study
