#include "asperity/study/column_reading.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "asperity/batch/result_table.h"
#include "asperity/core/errors.h"
#include "asperity/statistics/circular.h"

namespace asperity::study {
namespace {

using analysis::MetricKind;
using analysis::MetricRuns;
using statistics::ColumnSource;
using statistics::no_value;
using statistics::TimeColumn;

bool has_happened(double time) { return time >= 0; }  // NaN and -1: it has not

// The column with each value replaced by what a function of (run, value) says.
template <class Function>
ColumnSource changed(ColumnSource source, Function function) {
    return [source = std::move(source), function = std::move(function)](const statistics::BlockReader& read) {
        std::size_t run = 0;
        std::vector<double> kept;
        source([&](std::span<const double> block) {
            kept.assign(block.begin(), block.end());
            for (double& value : kept) value = function(run++, value);
            read(kept);
        });
    };
}

// The same with a function of (run, whether another column has a value there, value): of that column a bit per run is kept.
template <class Function>
ColumnSource changed_beside(ColumnSource other, ColumnSource source, Function function) {
    return [other = std::move(other), source = std::move(source), function = std::move(function)](const statistics::BlockReader& read) {
        std::vector<bool> has;
        other([&](std::span<const double> block) {
            for (const double value : block) has.push_back(!std::isnan(value));
        });
        changed(source, [&](std::size_t run, double value) { return function(run, has[run], value); })(read);
    };
}

bool is_counted(Ended ended, MetricRuns runs) { return runs == MetricRuns::every || ended == Ended::rest; }

std::optional<std::size_t> end_time_parameter(const Plan& plan) {
    for (std::size_t i = 0; i < plan.parameters.size(); ++i)
        if (plan.parameters[i].variable && plan.parameters[i].variable->path == "end.time") return i;
    return {};
}

}  // namespace

Ended ended_by(std::string_view outcome) {
    using model::OutcomeKind;
    if (outcome == name(OutcomeKind::rest)) return Ended::rest;
    for (const OutcomeKind kind : {OutcomeKind::timed_out, OutcomeKind::orbiting, OutcomeKind::completed})
        if (outcome == name(kind)) return Ended::cut_off;
    return Ended::otherwise;
}

ColumnSource counted_values(ColumnSource values, const Ends& ends, MetricRuns runs) {
    return changed(std::move(values),
                   [&ends, runs](std::size_t run, double value) { return is_counted(ends[run], runs) ? value : no_value; });
}

TimeColumn counted_times(ColumnSource values, ColumnSource end_time, const Ends& ends, MetricRuns runs) {
    const auto is_seen = [&ends, runs](std::size_t run, double time) { return is_counted(ends[run], runs) && has_happened(time); };
    const auto is_cut = [&ends, is_seen](std::size_t run, double time) { return ends[run] == Ended::cut_off && !is_seen(run, time); };
    TimeColumn out{
        .sure = changed(values, [=](std::size_t run, double time) { return is_seen(run, time) ? time : no_value; }),
        .perhaps = changed(values, [=](std::size_t run, double time) { return is_cut(run, time) ? statistics::unbounded : no_value; }),
        .cut_off = {}};
    out.cut_off = changed_beside(out.perhaps, std::move(end_time),
                                 [](std::size_t, bool is_cut_off, double end) { return is_cut_off ? end : no_value; });
    return out;
}

TimeColumn of_successes(const TimeColumn& column, const std::vector<bool>& success, const Ends& ends) {
    const auto is_open = [&](std::size_t run) { return !success[run] && ends[run] == Ended::cut_off; };
    return {.sure = changed(column.sure, [&success](std::size_t run, double time) { return success[run] ? time : no_value; }),
            .perhaps = changed_beside(column.perhaps, column.sure,
                                      [is_open](std::size_t run, bool is_cut_off, double time) {
                                          return is_cut_off ? statistics::unbounded : is_open(run) ? time : no_value;
                                      }),
            .cut_off = column.cut_off};
}

double value_for_mean(const ColumnNature& nature, std::string_view outcome, double value, double end_time) {
    const Ended ended = ended_by(outcome);
    if (nature.kind != MetricKind::time) return is_counted(ended, nature.runs) ? value : no_value;
    if (is_counted(ended, nature.runs) && has_happened(value)) return value;
    return ended == Ended::cut_off ? end_time : no_value;
}

double end_time_of(const Plan& plan, const std::vector<double>& values) {
    if (const auto parameter = end_time_parameter(plan)) return values[*parameter];
    return plan.scenario ? plan.scenario->end.time : no_value;
}

StudyTable::StudyTable(const Plan& plan, std::filesystem::path path) : plan_(plan), path_(std::move(path)) {
    auto ends = std::make_shared<Ends>();
    batch::read_table_texts(path_, "outcome", [&](std::span<const std::string> block) {
        for (const std::string& outcome : block) ends->push_back(ended_by(outcome));
    });
    moving_ = static_cast<std::uint64_t>(std::count(ends->begin(), ends->end(), Ended::cut_off));
    ends_ = std::move(ends);
}

ColumnSource StudyTable::raw(const std::string& name) const {
    return [path = path_, name](const statistics::BlockReader& read) { batch::read_table_column(path, name, read); };
}

ColumnSource StudyTable::values(std::size_t column) const {
    const ColumnNature nature = nature_of(plan_, column);
    if (nature.kind == MetricKind::time) return times(column).sure;
    if (nature.runs == MetricRuns::every) return raw(plan_.columns[column].name);
    return counted_values(raw(plan_.columns[column].name), *ends_, nature.runs);
}

TimeColumn StudyTable::times(std::size_t column) const {
    const ColumnSource values = raw(plan_.columns[column].name);
    const auto parameter = end_time_parameter(plan_);
    const double end = plan_.scenario ? plan_.scenario->end.time : no_value;
    ColumnSource end_time = parameter ? raw(plan_.columns[*parameter].name) : changed(values, [end](std::size_t, double) { return end; });
    return counted_times(values, std::move(end_time), *ends_, nature_of(plan_, column).runs);
}

statistics::ColumnStatistics StudyTable::statistics(std::size_t column) const {
    const statistics::StatisticsOptions options{.confidence = plan_.study.confidence};
    switch (nature_of(plan_, column).kind) {
        case MetricKind::time: return statistics::time_statistics(times(column), options);
        case MetricKind::circular: return statistics::circular_statistics(values(column), options);
        case MetricKind::quantity:
        case MetricKind::nominal: break;
    }
    return statistics::column_statistics(values(column), options);
}

ColumnSource StudyTable::comparable(std::size_t column, Cut cut) const {
    const MetricKind kind = nature_of(plan_, column).kind;
    if (kind == MetricKind::circular) {
        const double direction =
            statistics::circular_statistics(values(column), {.confidence = plan_.study.confidence, .probabilities = {}}).mean;
        return std::isnan(direction) ? values(column) : statistics::degrees_from(values(column), direction);
    }
    if (kind != MetricKind::time) return values(column);
    const TimeColumn all = times(column);
    double earliest = statistics::unbounded;
    if (cut == Cut::earliest)
        all.cut_off([&](std::span<const double> block) {
            for (const double end : block)
                if (end < earliest) earliest = end;
        });
    return changed_beside(all.perhaps, all.sure, [earliest](std::size_t, bool is_cut_off, double time) {
        return is_cut_off ? earliest : std::isnan(time) ? no_value : std::min(time, earliest);
    });
}

std::optional<std::size_t> StudyTable::find(const std::string& name) const {
    for (std::size_t i = 0; i < plan_.columns.size(); ++i)
        if (plan_.columns[i].name == name) return i;
    return {};
}

}  // namespace asperity::study
