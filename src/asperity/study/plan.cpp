#include "asperity/study/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "asperity/batch/bytes.h"
#include "asperity/core/errors.h"
#include "asperity/core/hash.h"
#include "asperity/core/suggest.h"
#include "asperity/scenario/check.h"
#include "asperity/scenario/compile.h"
#include "asperity/scenario/read.h"
#include "asperity/scenario/write.h"
#include "asperity/statistics/statistics.h"
#include "asperity/study/plan_reading.h"
#include "asperity/study/trial.h"

namespace asperity::study {
namespace {

using statistics::no_value;

std::span<const double> first_of(const std::vector<double>& values, std::size_t count) { return {values.data(), count}; }

double part_of(const analysis::Metric& metric, const MetricColumn& column) {
    using Part = MetricColumn::Part;
    if (const auto* number = std::get_if<double>(&metric.value)) return *number;
    const auto* list = std::get_if<std::vector<double>>(&metric.value);
    if (list == nullptr || list->empty()) return no_value;
    switch (column.part) {
        case Part::number: return no_value;
        case Part::x:
        case Part::first: return list->front();
        case Part::y: return list->size() > 1 ? (*list)[1] : no_value;
        case Part::z: return list->size() > 2 ? (*list)[2] : no_value;
        case Part::last: return list->back();
        case Part::element: return column.index < list->size() ? (*list)[column.index] : no_value;
    }
    return no_value;
}

}  // namespace

std::string Plan::text() const {
    std::string text = scenario::resolved_toml(study);
    if (scenario) text += "\n# the scenario\n" + scenario::resolved_toml(*scenario);
    return text;
}

std::string Plan::identity() const {
    Plan copy{.study = study, .scenario = scenario, .design = design};
    if (design.is_extendable()) copy.study.runs.reset();
    return hex_text(Hasher().add(copy.text()).add(file_contents).value());
}

ColumnNature nature_of(const Plan& plan, std::size_t column) {
    if (column < plan.parameters.size()) {
        const std::optional<scenario::Variable>& variable = plan.parameters[column].variable;
        return {.kind = variable && !variable->names.empty() ? analysis::MetricKind::nominal : analysis::MetricKind::quantity};
    }
    column -= plan.parameters.size();
    if (column < plan.metrics.size()) return {plan.metrics[column].kind, plan.metrics[column].runs};
    return {.runs = plan.derived[column - plan.metrics.size()].runs};
}

std::string packed(const Row& row) {
    batch::Packer out;
    out.add(row.is_success);
    out.add_text(row.outcome);
    out.add_text(row.error);
    out.add(static_cast<std::uint64_t>(row.texts.size()));
    for (const std::string& text : row.texts) out.add_text(text);
    out.add_all(std::span<const double>(row.values));
    return std::move(out.bytes);
}

Row unpacked_row(std::string_view bytes) {
    batch::Unpacker in(bytes);
    Row row;
    row.is_success = in.get<bool>();
    row.outcome = in.get_text();
    row.error = in.get_text();
    row.texts.resize(in.get<std::uint64_t>());
    for (std::string& text : row.texts) text = in.get_text();
    row.values.resize(in.left.size() / sizeof(double));
    for (double& value : row.values) value = in.get<double>();
    return row;
}

std::vector<double> parameter_values(const Plan& plan, std::uint64_t run) {
    std::vector<double> u(plan.design.spec().axes), values(plan.parameters.size());
    plan.design.sample(run, u);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const Parameter& parameter = plan.parameters[i];
        if (const auto* distribution = std::get_if<statistics::Distribution>(&parameter.value)) {
            values[i] = statistics::quantile(*distribution, u[i]);
            if (parameter.variable && parameter.variable->is_whole) values[i] = std::round(values[i]);
        } else {
            values[i] = std::get<statistics::BoundExpression>(parameter.value).evaluate(first_of(values, i));
        }
    }
    return values;
}

void check_numbers(const Plan& plan, const std::vector<double>& values) {
    std::vector<Problem> problems;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (std::isnan(values[i]))
            problems.push_back({.what = fmt::format("`{}`: the expression gives no number", plan.parameters[i].name)});
    if (!problems.empty()) throw InputError(std::move(problems));
}

void set_parameters(const Plan& plan, const std::vector<double>& values, scenario::Scenario& scenario) {
    check_numbers(plan, values);
    std::vector<Problem> problems;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!plan.parameters[i].variable) continue;
        std::string problem = assign(scenario, *plan.parameters[i].variable, values[i]);
        if (!problem.empty()) problems.push_back({.what = std::move(problem)});
    }
    if (problems.empty()) problems = scenario::cross_check(scenario, {});
    if (!problems.empty()) throw InputError(std::move(problems));
}

RowMaker::RowMaker(const Plan& plan) : plan_(plan), scenario_(plan.scenario) {
    if (scenario_) scenario_->places.clear();  // errors of a run name the run, not the file
}

void RowMaker::fill_metrics(const std::vector<analysis::Metric>& metrics, Row& row) const {
    for (std::size_t i = 0; i < plan_.metrics.size(); ++i)
        for (const analysis::Metric& metric : metrics)
            if (metric.name == plan_.metrics[i].metric) row.values[plan_.parameters.size() + i] = part_of(metric, plan_.metrics[i]);
    for (std::size_t i = 0; i < plan_.text_columns.size(); ++i)
        for (const analysis::Metric& metric : metrics)
            if (metric.name == plan_.text_columns[i].name) row.texts[i] = std::get<std::string>(metric.value);
    const std::size_t begin = plan_.parameters.size() + plan_.metrics.size();
    for (std::size_t i = 0; i < plan_.derived.size(); ++i)
        row.values[begin + i] = plan_.derived[i].value.evaluate(first_of(row.values, begin + i));
}

void RowMaker::judge(const std::vector<analysis::Metric>& metrics, Row& row) const {
    row.is_success = !row.is_failed();
    if (plan_.study.success.empty() || row.is_failed()) return;
    std::vector<analysis::Metric> known;  // derived ones first: they win over those of the run
    const std::size_t begin = plan_.parameters.size() + plan_.metrics.size();
    for (std::size_t i = begin; i < row.values.size(); ++i)
        known.push_back({.name = plan_.columns[i].name, .value = row.values[i], .unit = plan_.columns[i].unit});
    known.insert(known.end(), metrics.begin(), metrics.end());
    for (const record::Expectation& result : scenario::check_expectations(plan_.study.success, known)) row.is_success &= result.ok;
}

Row RowMaker::make(std::uint64_t run, const std::function<void(scenario::Scenario&)>& change) {
    Row row{.outcome = "done", .error = {}, .values = parameter_values(plan_, run)};
    const std::vector<double> parameters = row.values;
    row.values.resize(plan_.columns.size(), no_value);
    row.texts.resize(plan_.text_columns.size());
    std::vector<analysis::Metric> metrics;
    try {
        check_numbers(plan_, parameters);
        if (scenario_) {
            set_parameters(plan_, parameters, *scenario_);
            std::optional<scenario::Scenario> changed;
            if (change) change(changed.emplace(*scenario_));
            const scenario::Scenario& scenario = changed ? *changed : *scenario_;
            Trial trial =
                plan_.varies_world ? run_trial(scenario, scenario::load_assets(scenario), run) : run_trial(scenario, plan_.assets, run);
            row.outcome = trial.outcome.label();
            if (trial.outcome.is_trouble())
                row.error = fmt::format("{} at {:.9g} s: {}", row.outcome, trial.outcome.time, trial.outcome.message);
            metrics = std::move(trial.metrics);
        }
    } catch (const InputError& error) {
        row.outcome = "failed";
        for (const Problem& problem : error.problems) row.error += (row.error.empty() ? "" : "; ") + problem.what;
    }
    fill_metrics(metrics, row);
    judge(metrics, row);
    return row;
}

}  // namespace asperity::study
