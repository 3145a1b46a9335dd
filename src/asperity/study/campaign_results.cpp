#include "asperity/study/campaign_results.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>

#include "asperity/core/version.h"
#include "asperity/record/durable_file.h"
#include "asperity/study/campaign_page_data.h"
#include "asperity/study/rest_map.h"

namespace asperity::study {
namespace {

using statistics::Interval;

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
Json interval_json(const Interval& interval) { return Json::array({number(interval.low), number(interval.high)}); }

const char* kind_text(analysis::MetricKind kind) {
    switch (kind) {
        case analysis::MetricKind::quantity: return "quantity";
        case analysis::MetricKind::circular: return "direction";
        case analysis::MetricKind::nominal: return "name";
        case analysis::MetricKind::time: return "time";
    }
    return "?";
}

Json statistics_json(const ColumnNumbers& numbers) {
    const statistics::ColumnStatistics& s = numbers.statistics;
    Json json{{"unit", numbers.column.unit},
              {"kind", kind_text(numbers.nature.kind)},
              {"over", numbers.over()},
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

Json indices_json(const Plan& plan, const CampaignStatistics& results) {
    Json json;
    for (const MetricIndices& metric : results.indices) {
        Json of_metric{{"base_points", metric.indices.base_points}, {"left_out", metric.indices.left_out}};
        for (std::size_t i = 0; i < metric.indices.parameters.size(); ++i) {
            const statistics::SobolIndex& index = metric.indices.parameters[i];
            of_metric["parameters"][plan.parameters[i].name] = {{"first", number(index.first)},
                                                                {"first_interval", interval_json(index.first_interval)},
                                                                {"total", number(index.total)},
                                                                {"total_interval", interval_json(index.total_interval)}};
        }
        json[metric.metric] = std::move(of_metric);
    }
    return json;
}

Json vector_json(const Vec3& v, int dimension) {
    Json json = Json::array({number(v.x), number(v.y)});
    if (dimension == 3) json.push_back(number(v.z));
    return json;
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

Json dispersions_json(const CampaignStatistics& results) {
    Json json;
    for (const MetricDispersion& metric : results.dispersions) {
        Json& one = json[metric.metric];
        one["over"] = metric.over();
        one["xyz"] = dispersion_json(metric.ellipsoid);
        one["plane"] = nullptr;
        if (!metric.in_plane) continue;
        const LandingPlane& plane = metric.in_plane->plane;
        one["plane"] = dispersion_json(metric.in_plane->ellipse);
        one["plane"]["origin"] = vector_json(plane.origin, 3);
        one["plane"]["x_axis"] = vector_json(plane.x, 3);
        one["plane"]["y_axis"] = vector_json(plane.y, 3);
    }
    return json;
}

Json outliers_json(const CampaignStatistics& results) {
    Json json = Json::array();
    for (const MetricOutlier& outlier : results.outliers)
        json.push_back({{"metric", outlier.metric},
                        {"run", outlier.run},
                        {"value", number(outlier.value)},
                        {"robust_z", number(outlier.robust_z)},
                        {"command", outlier.command}});
    return json;
}

Json failures_json(const CampaignStatistics& results) {
    Json json = Json::array();
    for (const FailedRun& failure : results.failures)
        json.push_back({{"run", failure.run}, {"error", failure.error}, {"command", failure.command}});
    return json;
}

// Of the runs that have a text, how many have this one.
struct Share {
    double value = 0;
    Interval interval;
};
std::map<std::string, Share> shares_of(const TextCounts& counts, double confidence) {
    std::uint64_t all = 0;
    for (const auto& [value, count] : counts) all += count;
    std::map<std::string, Share> out;
    for (const auto& [value, count] : counts)
        out[value] = {.value = static_cast<double>(count) / static_cast<double>(all),
                      .interval = statistics::wilson(count, all, confidence)};
    return out;
}

std::string summary_text(const CampaignRequest& request, const Plan& plan, const CampaignStatistics& results) {
    Json json{{"asperity", version()},
              {"study", {{"name", plan.study.name}, {"file", request.file}, {"hash", plan.identity()}}},
              {"seed", plan.study.seed},
              {"runs", results.runs},
              {"failed", results.failed},
              {"still_moving", results.moving},
              {"confidence", plan.study.confidence}};
    if (!plan.study.success.empty())
        json["success"] = {{"count", results.successes},
                           {"rate", static_cast<double>(results.successes) / static_cast<double>(results.runs)},
                           {"interval", interval_json(results.success_interval)}};
    if (!results.note.empty()) json["note"] = results.note;
    json["outcomes"] = results.outcomes;
    for (const auto& [name, counts] : results.texts) {
        json["counts"][name] = counts;
        for (const auto& [value, share] : shares_of(counts, plan.study.confidence))
            json["shares"][name][value] = {{"share", share.value}, {"interval", interval_json(share.interval)}};
    }
    for (const Answer& answer : results.metrics) json["metrics"][answer.name] = answer_json(answer);
    for (const ColumnNumbers& numbers : results.columns)
        json[numbers.is_parameter ? "parameters" : "metrics"][numbers.column.name] = statistics_json(numbers);
    for (const Answer& answer : results.answers) json["design"][answer.name] = answer_json(answer);
    for (const RankCorrelation& c : results.correlations)
        json["rank_correlations"][c.metric][c.parameter] = {{"coefficient", number(c.correlation.coefficient)},
                                                            {"interval", interval_json(c.correlation.interval)},
                                                            {"count", c.correlation.count}};
    if (!results.indices.empty()) json["sobol_indices"] = indices_json(plan, results);
    if (!results.dispersions.empty()) json["dispersion"] = dispersions_json(results);
    json["outliers"] = outliers_json(results);
    json["failures"] = failures_json(results);
    return json.dump(1) + "\n";
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

// One line for each answer: value, interval, and the runs that it is taken over.
std::string answers_text(const std::vector<Answer>& answers) {
    std::string text;
    for (const Answer& a : answers) {
        const std::string name = a.unit.empty() ? a.name : fmt::format("{} [{}]", a.name, a.unit);
        std::string range = range_text(a.interval);
        if (a.runs_needed > 0) range += fmt::format("; needs {} runs", a.runs_needed);
        text += fmt::format("  {:<42}{:>13} ({})  over {} {}{}\n", name, value_text(a.value), range, a.runs, a.over,
                            a.cut_off > 0 ? fmt::format(", {} cut off", a.cut_off) : "");
    }
    return text;
}

std::string statistics_line(const ColumnNumbers& n) {
    const statistics::ColumnStatistics& s = n.statistics;
    const std::string name = n.column.unit.empty() ? n.column.name : fmt::format("{} [{}]", n.column.name, n.column.unit);
    if (n.is_nominal())
        return fmt::format("  {:<42}{:>6}  {} different, most often {:.6g}: {} runs\n", name, s.count, n.nominal.different,
                           n.nominal.most_frequent, n.nominal.most_count);
    const auto quantile = [&](const statistics::Quantile& q) {
        // beyond the last cut where the curve does not come down so far
        return std::isnan(q.value) && s.cut_off.count > 0 ? fmt::format("> {:.5g}", s.cut_off.first) : value_text(q.value);
    };
    return fmt::format("  {:<42}{:>6}{:>13} {:<17}{:>13}{:>13}{:>13}\n", name, s.count, value_text(s.mean),
                       width_text(s.mean_interval, s.mean), quantile(s.quantiles.front()), quantile(s.quantiles[s.quantiles.size() / 2]),
                       quantile(s.quantiles.back()));
}

// The significant ones among the six strongest correlations.
std::string strongest_text(std::vector<RankCorrelation> found) {
    std::stable_sort(found.begin(), found.end(), [](const RankCorrelation& a, const RankCorrelation& b) {
        const auto size = [](const RankCorrelation& s) {
            return std::isnan(s.correlation.coefficient) ? -1 : std::fabs(s.correlation.coefficient);
        };
        return size(a) > size(b);
    });
    std::string strongest;
    for (std::size_t i = 0; i < std::min<std::size_t>(6, found.size()); ++i) {
        const statistics::Correlation& c = found[i].correlation;
        if (!(c.interval.low > 0 || c.interval.high < 0)) continue;  // not significant
        strongest += fmt::format("  {:<33} {:<41}{:+.3f} ({:+.3f} ... {:+.3f})\n", found[i].metric, found[i].parameter, c.coefficient,
                                 c.interval.low, c.interval.high);
    }
    return strongest;
}

std::string terminal_text(const Plan& plan, const CampaignStatistics& results) {
    std::string text = fmt::format("{}: {} runs, {} failed", plan.study.name, results.runs, results.failed);
    if (!plan.study.success.empty())
        text += fmt::format(", success {:.4g} % ({:.4g} ... {:.4g} %)",
                            100.0 * static_cast<double>(results.successes) / static_cast<double>(results.runs),
                            100 * results.success_interval.low, 100 * results.success_interval.high);
    text += "\n" + results.note + (results.note.empty() ? "" : "\n");
    text += fmt::format("intervals at {:g} %\n\n", 100 * plan.study.confidence);
    text += answers_text(results.metrics) + (results.metrics.empty() ? "" : "\n");
    for (const auto& [name, counts] : results.texts) {
        const auto shares = shares_of(counts, plan.study.confidence);
        for (const auto& [value, count] : counts) {
            const Share& share = shares.at(value);
            text += fmt::format("  {:<42}{:>13} runs  {}   {:.4g} % ({:.4g} ... {:.4g} %)\n", name, count, value, 100 * share.value,
                                100 * share.interval.low, 100 * share.interval.high);
        }
        if (!counts.empty()) text += "\n";
    }
    text += fmt::format("  {:<42}{:>6}{:>13} {:<17}{:>13}{:>13}{:>13}\n", fmt::format("of {} runs, those that have it", results.runs),
                        "runs", "mean", "", "5 %", "median", "95 %");
    for (const ColumnNumbers& n : results.columns)
        if (n.statistics.count > 0) text += statistics_line(n);
    if (!results.answers.empty()) text += "\nfor the design\n" + answers_text(results.answers);
    if (const std::string strongest = strongest_text(results.correlations); !strongest.empty())
        text += "\nstrongest rank correlations\n" + strongest;
    if (!results.failures.empty())
        text +=
            fmt::format("\nfailed: run {}: {}\n  {}\n", results.failures[0].run, results.failures[0].error, results.failures[0].command);
    if (results.failed > 1) text += fmt::format("  and {} more: the column `error` of the table\n", results.failed - 1);
    return text;
}

}  // namespace

std::string write_results(const CampaignRequest& request, const Plan& plan, const fs::path& folder) {
    const StudyTable table(plan, folder / "table.h5");
    const CampaignStatistics results = campaign_statistics(request, plan, table);
    record::replace_file(folder / "summary.json", summary_text(request, plan, results));
    write_rest_map(plan, folder, results.runs);
    write_campaign_page(request, plan, table, results, folder);
    return terminal_text(plan, results);
}

}  // namespace asperity::study
