#include "asperity/study/answers.h"

#include <fmt/format.h>

#include <array>

namespace asperity::study {
namespace {

using statistics::ColumnStatistics;

constexpr std::array battery_probabilities{0.9973, 0.99865};
constexpr std::array load_probabilities{0.5, 0.95, 0.99};

Answer fraction_of(const std::vector<bool>& success, double confidence) {
    std::uint64_t count = 0;
    for (const bool s : success) count += s ? 1 : 0;
    const std::uint64_t runs = success.size();
    return {.name = "success_fraction",
            .text = "Share of the runs that meet [success].",
            .unit = "",
            .value = runs > 0 ? static_cast<double>(count) / static_cast<double>(runs) : statistics::no_value,
            .interval = statistics::wilson(count, runs, confidence),
            .runs = runs,
            .over = "runs"};
}

std::string percent(double probability) { return fmt::format("{:g}", 100 * probability); }

void add_battery(const statistics::TimeColumn& stops, double confidence, std::vector<Answer>& out) {
    const std::vector<double> probabilities(battery_probabilities.begin(), battery_probabilities.end());
    const ColumnStatistics s = statistics::time_statistics(stops, {.confidence = confidence, .probabilities = probabilities});
    if (s.count == 0) return;
    const statistics::ThreeSigma sum = statistics::mean_and_three_sigma(stops, confidence);
    out.push_back(
        {.name = "battery_time_mean_3_sigma",
         .text = "Mean + 3 sigma of stop_time: what lasts for 99.865 % of the landers that come to rest, if stop times are normal.",
         .unit = "s",
         .value = sum.value,
         .interval = sum.interval,
         .runs = s.count,
         .over = "successful runs",
         .cut_off = s.cut_off.count});
    for (const statistics::Quantile& q : s.quantiles) {
        const std::uint64_t needed = statistics::runs_for_upper_end(q.probability, confidence);
        const bool has_enough = needed <= s.count + s.cut_off.count;
        out.push_back({.name = fmt::format("battery_time_{}_percent", percent(q.probability)),
                       .text = fmt::format("Time by which {} % of the landers that come to rest have done so, whatever the distribution.",
                                           percent(q.probability)),
                       .unit = "s",
                       .value = has_enough ? q.value : statistics::no_value,
                       .interval = q.interval,
                       .runs = s.count,
                       .over = "successful runs",
                       .runs_needed = has_enough ? 0 : needed,
                       .cut_off = s.cut_off.count});
    }
}

void add_quantiles(const statistics::ColumnSource& column, const char* name, const char* unit, const char* text, double confidence,
                   std::vector<Answer>& out) {
    const std::vector<double> probabilities(load_probabilities.begin(), load_probabilities.end());
    const ColumnStatistics s = statistics::column_statistics(column, {.confidence = confidence, .probabilities = probabilities});
    if (s.count == 0) return;
    for (const statistics::Quantile& q : s.quantiles) {
        const std::uint64_t needed = statistics::runs_for_upper_end(std::max(q.probability, 1 - q.probability), confidence);
        out.push_back({.name = fmt::format("{}_{}_percent", name, percent(q.probability)),
                       .text = fmt::format("{} % of the runs have {} up to this.", percent(q.probability), text),
                       .unit = unit,
                       .value = needed > s.count ? statistics::no_value : q.value,
                       .interval = q.interval,
                       .runs = s.count,
                       .over = s.missing > 0 ? fmt::format("of {} runs, those that have it", s.count + s.missing) : "runs",
                       .runs_needed = needed > s.count ? needed : 0});
    }
}

}  // namespace

std::vector<Answer> batch_metrics(const StudyColumns& columns, double confidence) {
    std::vector<Answer> out{fraction_of(columns.success, confidence)};
    const auto statistics = [&](const char* name) -> std::optional<ColumnStatistics> {
        const std::optional<statistics::TimeColumn> times = columns.times(name);
        if (!times) return {};
        return statistics::time_statistics(*times, {.confidence = confidence});
    };
    const auto add = [&](const char* name, std::string text, double value, const statistics::Interval& interval,
                         const ColumnStatistics& s) {
        if (s.count == 0) return;
        out.push_back({.name = name,
                       .text = std::move(text),
                       .unit = "s",
                       .value = value,
                       .interval = interval,
                       .runs = s.count,
                       .over = "successful runs",
                       .cut_off = s.cut_off.count});
    };
    if (const auto first = statistics("first_impact_time"))
        add("first_impact_time_mean", "Mean time of the first impact.", first->mean, first->mean_interval, *first);
    if (const auto stop = statistics("stop_time")) {
        add("stop_time_mean", "Mean time of coming to rest.", stop->mean, stop->mean_interval, *stop);
        if (stop->cut_off.count > 0)
            add("stop_time_restricted_mean",
                fmt::format("Mean of it where a run that takes longer than {:.6g} s counts as that.", stop->cut_off.first),
                stop->cut_off.restricted_mean, stop->cut_off.restricted_interval, *stop);
        if (stop->count > 1) add("stop_time_sigma", "Standard deviation of it.", stop->standard_deviation, stop->deviation_interval, *stop);
    }
    return out;
}

std::vector<Answer> design_answers(const StudyColumns& columns, double confidence) {
    std::vector<Answer> out;
    if (const auto stops = columns.times("stop_time")) add_battery(*stops, confidence, out);
    if (const auto slope = columns.values("stop_slope"))
        add_quantiles(*slope, "stop_slope", "deg", "a slope where they rest", confidence, out);
    if (const auto speed = columns.values("max_impact_speed"))
        add_quantiles(*speed, "max_impact_speed", "m/s", "a hardest impact, by its normal speed,", confidence, out);
    if (const auto energy = columns.values("max_impact_energy"))
        add_quantiles(*energy, "max_impact_energy", "J", "a hardest impact, by its heat,", confidence, out);
    return out;
}

bool is_batch_metric(const std::string& name) {
    return name == "success_fraction" || name == "first_impact_time_mean" || name == "stop_time_mean" ||
           name == "stop_time_restricted_mean" || name == "stop_time_sigma";
}

}  // namespace asperity::study
