#include "asperity/study/plan_reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "asperity/core/errors.h"
#include "asperity/core/hash.h"
#include "asperity/core/suggest.h"
#include "asperity/scenario/attributes.h"
#include "asperity/scenario/check.h"
#include "asperity/scenario/compile.h"
#include "asperity/scenario/guards.h"
#include "asperity/scenario/read.h"
#include "asperity/scenario/roles.h"
#include "asperity/study/answers.h"
#include "asperity/study/progress.h"
#include "asperity/study/shell_word.h"

namespace asperity::study {
namespace {

using batch::ColumnKind;
using scenario::Vary;
using statistics::Distribution;
using statistics::unbounded;

std::optional<double> plain_number(const std::string& text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return {};
    return value;
}

// Reads the values of one [[vary]] as its key wants them; without a key, plain numbers or quantities of one dimension.
class ValueReader {
public:
    ValueReader(PlanReading& reading, std::string path, const std::optional<scenario::Variable>& variable)
        : reading_(reading), path_(std::move(path)), variable_(variable) {}

    std::string unit;  // SI; of a parameter without a key, the one that its first quantity has
    bool is_good = true;

    double value(const std::string& key, const Loose& loose) {
        const std::string& text = loose.text;
        if (variable_ && !variable_->names.empty()) {
            const auto found = std::find(variable_->names.begin(), variable_->names.end(), text);
            if (found != variable_->names.end()) return static_cast<double>(found - variable_->names.begin());
            return fail(key, fmt::format("`{}` cannot be \"{}\"", variable_->path, text), did_you_mean(text, variable_->names),
                        "known here: " + joined(variable_->names));
        }
        const std::optional<double> number = plain_number(text);
        const std::string wanted = variable_ ? variable_->unit : unit;
        if (!variable_ && !is_dimension_known_ && !number) return free_quantity(key, text);
        is_dimension_known_ = true;
        if (wanted.empty()) return number ? *number : fail(key, fmt::format("`{}` needs a plain number, got \"{}\"", key, text));
        if (number)
            return fail(key, fmt::format("`{}` has no unit", key), fmt::format("write for example \"{}\"", quantity_text(*number, wanted)));
        const Dimension dimension = variable_ ? variable_->dimension : std::get<Dimension>(parse_dimension(unit));
        const auto parsed = parse_quantity_of(text, Unit{wanted.c_str(), dimension}, key);
        if (const auto* problem = std::get_if<QuantityProblem>(&parsed)) return fail(key, problem->what, problem->hint);
        return std::get<double>(parsed);
    }
    double value_or(const std::string& key, const std::optional<Loose>& loose, double otherwise) {
        return loose ? value(key, *loose) : otherwise;
    }
    std::vector<double> values(const std::string& key, const std::vector<Loose>& list) {
        std::vector<double> out;
        for (const Loose& loose : list) out.push_back(value(key, loose));
        return out;
    }
    std::vector<double> plain_values(const std::string& key, const std::vector<Loose>& list) {
        std::vector<double> out;
        for (const Loose& loose : list) {
            const std::optional<double> number = plain_number(loose.text);
            out.push_back(number ? *number : fail(key, fmt::format("`{}` needs plain numbers, got \"{}\"", key, loose.text)));
        }
        return out;
    }

private:
    double fail(const std::string& key, std::string what, std::string hint = {}, std::string note = {}) {
        is_good = false;
        reading_.fail(path_ + "." + key, std::move(what), std::move(hint), std::move(note));
        return 0;
    }
    double free_quantity(const std::string& key, const std::string& text) {
        const auto parsed = parse_quantity(text);
        if (const auto* problem = std::get_if<QuantityProblem>(&parsed)) return fail(key, problem->what, problem->hint);
        is_dimension_known_ = true;
        unit = si_unit_text(std::get<Quantity>(parsed).dimension);
        return std::get<Quantity>(parsed).value;
    }

    PlanReading& reading_;
    std::string path_;
    const std::optional<scenario::Variable>& variable_;
    bool is_dimension_known_ = false;
};

Distribution distribution_of(ValueReader& read, const Vary& vary) {
    struct Make {
        ValueReader& read;
        Distribution operator()(const scenario::DrawnNormal& d) const {
            const double mean = read.value("mean", d.mean), sigma = read.value("sigma", d.sigma);
            return statistics::Normal{mean, sigma, read.value_or("low", d.low, -unbounded), read.value_or("high", d.high, unbounded)};
        }
        Distribution operator()(const scenario::DrawnUniform& d) const {
            const double low = read.value("low", d.low);
            return statistics::Uniform{low, read.value("high", d.high)};
        }
        Distribution operator()(const scenario::DrawnLogNormal& d) const {
            const double median = read.value("median", d.median), low = read.value_or("low", d.low, -unbounded);
            return statistics::LogNormal{median, d.sigma_log, low, read.value_or("high", d.high, unbounded)};
        }
        Distribution operator()(const scenario::DrawnChoice& d) const {
            return statistics::Choice{read.values("values", d.values), read.plain_values("weights", d.weights)};
        }
        Distribution operator()(const scenario::DrawnTable& d) const {
            std::vector<double> values = read.values("values", d.values);
            if (d.cumulative.empty() && !values.empty()) return statistics::table_of_samples(values);
            return statistics::Table{std::move(values), read.plain_values("cumulative", d.cumulative)};
        }
    };
    return std::visit(Make{read}, vary.distribution);
}

// The key of a parameter in the scenario; none where it has no key, or one that is wrong.
std::optional<scenario::Variable> variable_of(PlanReading& reading, const Plan& plan, const std::string& path, const std::string& key) {
    if (key.empty()) return {};
    if (!plan.scenario) {
        reading.fail(path + ".key", "the study has no scenario, so that there are no keys", "give it a name instead of a key");
        return {};
    }
    try {
        return scenario::find_variable(*plan.scenario, key);
    } catch (const InputError& error) {
        reading.fail_at(path + ".key", error);
        return {};
    }
}

std::string name_of(PlanReading& reading, const std::string& path, const std::string& key, const std::string& name) {
    if (!name.empty() || !key.empty()) return name.empty() ? key : name;
    reading.fail(path, "it has neither `key` nor `name`", "give the key of the scenario that it sets, or a name for expressions");
    return path;
}

void add_parameter(PlanReading& reading, Plan& plan, const std::string& path, Parameter parameter, const std::string& unit) {
    for (const Parameter& other : plan.parameters) {
        if (other.name == parameter.name)
            reading.fail(path, fmt::format("`{}` is there twice", parameter.name), "a value is varied once; two columns need two names");
        if (other.variable && parameter.variable && other.name != parameter.name && other.variable->path == parameter.variable->path)
            reading.fail(path, fmt::format("`{}` is set twice", parameter.variable->path));
    }
    if (parameter.variable) {
        const std::string& key = parameter.variable->path;
        plan.varies_world = plan.varies_world || scenario::changes_assets(*plan.scenario, key);
    }
    const bool is_named = parameter.variable && !parameter.variable->names.empty();
    const std::string text = parameter.variable ? parameter.variable->sentence : "Parameter of expressions.";
    plan.columns.push_back({.name = parameter.name,
                            .unit = unit,
                            .text = is_named ? fmt::format("{} As a number: {}.", text, joined(parameter.variable->names)) : text,
                            .kind = ColumnKind::number});
    plan.parameters.push_back(std::move(parameter));
}

// Columns that the table of every study has (campaign.cpp), and names that its summary needs.
bool is_of_every_table(const std::string& name) {
    return name == "run" || name == "outcome" || name == "success" || name == "error" || is_batch_metric(name);
}

void refuse_name(PlanReading& reading, const std::string& path, const std::string& name) {
    reading.fail(path + ".name", fmt::format("there is a column `{}` already", name), "give it another name");
}

// Parameters that are called as a column of the table is. Otherwise it would be told when the table is written, after all runs.
void check_parameter_names(PlanReading& reading, const Plan& plan) {
    const auto check = [&](const std::string& path, const std::string& name) {
        const auto is_it = [&](const batch::Column& column) { return column.name == name; };
        const auto first = plan.columns.begin() + static_cast<std::ptrdiff_t>(plan.parameters.size());
        const auto last = first + static_cast<std::ptrdiff_t>(plan.metrics.size());
        if (is_of_every_table(name) || std::any_of(first, last, is_it)) refuse_name(reading, path, name);
    };
    const scenario::Study& study = plan.study;
    for (std::size_t i = 0; i < study.vary.size(); ++i)
        check(fmt::format("vary.{}", i), study.vary[i].name.empty() ? study.vary[i].key : study.vary[i].name);
    for (std::size_t i = 0; i < study.derive.size(); ++i)
        check(fmt::format("derive.{}", i), study.derive[i].name.empty() ? study.derive[i].key : study.derive[i].name);
}

std::vector<std::string> column_names(const Plan& plan) {
    std::vector<std::string> names;
    for (const batch::Column& column : plan.columns) names.push_back(column.name);
    return names;
}

// An expression over the columns so far; none, and a problem, where it does not parse.
std::optional<statistics::BoundExpression> bound(PlanReading& reading, const Plan& plan, const std::string& path, const std::string& text) {
    try {
        return statistics::parse(text).bind(column_names(plan));
    } catch (const InputError& error) {
        reading.fail_at(path, error);
        return {};
    }
}

// A number computed from one that only resting runs have is one of resting runs.
analysis::MetricRuns runs_of(const Plan& plan, const std::vector<std::string>& names) {
    const auto uses = [&](const std::string& column) { return std::find(names.begin(), names.end(), column) != names.end(); };
    for (std::size_t i = 0; i < plan.columns.size(); ++i)
        if (uses(plan.columns[i].name) && nature_of(plan, i).runs == analysis::MetricRuns::resting) return analysis::MetricRuns::resting;
    return analysis::MetricRuns::every;
}

constexpr std::size_t most_bodies = 8;  // that have columns of their own

std::size_t count_of_bodies(const Plan& plan) { return scenario::moving_rows(*plan.scenario).size(); }

void add_metric(const analysis::WorldMetric& metric, Plan& plan) {
    const analysis::MetricEntry& entry = *metric.entry;
    using Part = MetricColumn::Part;
    const auto add = [&](const std::string& suffix, Part part, const std::string& which) {
        // The last of several times is that of those seen so far, not one that is still awaited.
        const bool is_last_time = entry.kind == analysis::MetricKind::time && part == Part::last;
        plan.metrics.push_back(
            {.metric = metric.name, .part = part, .kind = is_last_time ? analysis::MetricKind::quantity : entry.kind, .runs = metric.runs});
        plan.columns.push_back(
            {.name = metric.name + suffix, .unit = metric.unit, .text = metric.text + which, .kind = ColumnKind::number});
    };
    const std::size_t bodies = count_of_bodies(plan);
    const auto add_element = [&](const std::string& suffix, std::size_t index) {
        add(suffix, Part::element, "");
        plan.metrics.back().index = index;
    };
    const bool is_by_body = entry.shape == analysis::MetricShape::by_body || entry.shape == analysis::MetricShape::by_pair;
    switch (is_by_body && bodies > most_bodies ? analysis::MetricShape::list : entry.shape) {
        case analysis::MetricShape::number: add("", Part::number, ""); break;
        case analysis::MetricShape::vector:
            add(".x", Part::x, "");
            add(".y", Part::y, "");
            add(".z", Part::z, "");
            break;
        case analysis::MetricShape::by_body:
            for (std::size_t i = 0; i < bodies; ++i) add_element(fmt::format(".body_{}", i + 1), i);
            break;
        case analysis::MetricShape::by_pair:
            for (std::size_t i = 0; i < bodies; ++i)
                for (std::size_t j = i + 1; j < bodies; ++j)
                    add_element(fmt::format(".pair_{}_{}", i + 1, j + 1), model::pair_index(i, j, bodies));
            break;
        case analysis::MetricShape::list:
            add(".first", Part::first, " The first.");
            add(".last", Part::last, " The last.");
            break;
        case analysis::MetricShape::text:
            if (entry.name == std::string_view("outcome")) break;  // it has a column of its own
            plan.text_columns.push_back({.name = metric.name, .unit = "", .text = entry.text, .kind = ColumnKind::text});
            break;
    }
}

}  // namespace

void PlanReading::fail(const std::string& path, std::string what, std::string hint, std::string note) {
    problems.push_back(scenario::problem_at(study.places, path, std::move(what), std::move(hint), std::move(note)));
}

void PlanReading::fail_at(const std::string& path, const InputError& error) {
    for (const Problem& problem : error.problems) {
        const bool is_in_expression = problem.file.empty() && problem.column > 0;
        fail(path,
             is_in_expression ? fmt::format("in \"{}\", character {}: {}", problem.source, problem.column, problem.what) : problem.what,
             problem.hint, problem.note);
    }
}

void read_parameters(PlanReading& reading, Plan& plan) {
    for (std::size_t i = 0; i < plan.study.vary.size(); ++i) {
        const Vary& vary = plan.study.vary[i];
        const std::string path = fmt::format("vary.{}", i);
        Parameter parameter{.name = name_of(reading, path, vary.key, vary.name), .variable = variable_of(reading, plan, path, vary.key)};
        if (!vary.key.empty() && !parameter.variable) continue;
        ValueReader read(reading, path, parameter.variable);
        Distribution distribution = distribution_of(read, vary);
        if (read.is_good)
            for (const std::string& problem : statistics::problems(distribution))
                reading.fail(scenario::set_in(plan.study.places, path, path + ".distribution"), problem);
        parameter.value = std::move(distribution);
        const std::string unit = parameter.variable ? parameter.variable->unit : read.unit;
        add_parameter(reading, plan, path, std::move(parameter), unit);
    }
    for (std::size_t i = 0; i < plan.study.derive.size(); ++i) {
        const scenario::Derive& derive = plan.study.derive[i];
        const std::string path = fmt::format("derive.{}", i);
        Parameter parameter{.name = name_of(reading, path, derive.key, derive.name),
                            .variable = variable_of(reading, plan, path, derive.key)};
        const auto expression = bound(reading, plan, path + ".expression", derive.expression);
        if (!expression || (!derive.key.empty() && !parameter.variable)) continue;
        parameter.value = *expression;
        const std::string unit = parameter.variable ? parameter.variable->unit : "";
        add_parameter(reading, plan, path, std::move(parameter), unit);
    }
}

void read_metrics(PlanReading& reading, Plan& plan) {
    std::vector<std::string> known, usual;
    const std::vector<analysis::WorldMetric> metrics =
        plan.scenario ? scenario::metrics_of(*plan.scenario) : analysis::metrics_of({.bodies = 1, .has_ground = true}, {}, {});
    for (const analysis::WorldMetric& metric : metrics) {
        known.push_back(metric.name);
        if (!metric.is_detail) usual.push_back(metric.name);
    }
    std::vector<std::string> wanted;
    for (const Loose& name : plan.study.metrics) {
        wanted.push_back(name.text);
        if (!plan.scenario) reading.fail("metrics", "a study without a scenario has no metrics but those of [[metric]]");
        if (std::find(known.begin(), known.end(), name.text) == known.end())
            reading.fail("metrics", fmt::format("there is no metric `{}`", name.text), did_you_mean(name.text, known),
                         "known here: " + joined(usual));
    }
    if (plan.scenario)
        for (const analysis::WorldMetric& metric : metrics)
            if (wanted.empty() ? !metric.is_detail : std::find(wanted.begin(), wanted.end(), metric.name) != wanted.end())
                add_metric(metric, plan);
    check_parameter_names(reading, plan);
    for (std::size_t i = 0; i < plan.study.derived_metrics.size(); ++i) {
        const scenario::DerivedMetric& metric = plan.study.derived_metrics[i];
        const std::string path = fmt::format("metric.{}", i);
        const std::vector<std::string> names = column_names(plan);
        if (is_of_every_table(metric.name) || std::find(names.begin(), names.end(), metric.name) != names.end())
            refuse_name(reading, path, metric.name);
        const auto dimension = parse_dimension(metric.unit);
        if (const auto* problem = std::get_if<QuantityProblem>(&dimension)) reading.fail(path + ".unit", problem->what, problem->hint);
        const auto expression = bound(reading, plan, path + ".expression", metric.expression);
        if (!expression) continue;
        plan.derived.push_back(
            {.name = metric.name, .value = *expression, .runs = runs_of(plan, statistics::parse(metric.expression).names())});
        plan.columns.push_back({.name = metric.name, .unit = metric.unit, .text = metric.expression, .kind = ColumnKind::number});
    }
}

void check_demands(PlanReading& reading, const Plan& plan) {
    const std::vector<std::string> columns = column_names(plan);
    std::vector<scenario::NamedUnit> metrics;
    if (plan.scenario)
        for (analysis::WorldMetric& metric : scenario::metrics_of(*plan.scenario))
            metrics.push_back({std::move(metric.name), std::move(metric.unit)});
    for (std::size_t i = plan.columns.size() - plan.derived.size(); i < plan.columns.size(); ++i)
        metrics.push_back({plan.columns[i].name, plan.columns[i].unit});
    const bool has_units = std::all_of(metrics.begin(), metrics.end(), [](const scenario::NamedUnit& metric) {
        return std::holds_alternative<Dimension>(parse_dimension(metric.unit));  // else it was told already
    });
    if (has_units)
        for (Problem& problem :
             scenario::check_demands(plan.study.success, metrics, plan.study.places, "success",
                                     plan.scenario ? scenario::own_outcomes(*plan.scenario) : std::vector<std::string>{}))
            reading.problems.push_back(std::move(problem));
    if (!plan.study.until) return;
    const scenario::Until& until = *plan.study.until;
    if (!until.half_width && !until.relative)
        reading.fail("until", "it does not say how narrow the interval must be", "give half_width or relative");
    if (!plan.design.is_extendable())
        reading.fail("until", "only designs monte-carlo, sobol and sobol-indices can go on until an interval is narrow");
    const auto column = std::find(columns.begin(), columns.end(), until.metric);
    if (until.metric == "success" && plan.study.success.empty())
        reading.fail("until.metric", "the study does not say what a success is", "add [success], for example outcome = \"rest\"");
    if (column != columns.end()) {
        const analysis::MetricKind kind = nature_of(plan, static_cast<std::size_t>(column - columns.begin())).kind;
        if (kind == analysis::MetricKind::nominal || kind == analysis::MetricKind::circular)
            reading.fail("until.metric", fmt::format("`{}` has no mean whose interval could become narrow", until.metric),
                         kind == analysis::MetricKind::nominal ? "its numbers only name something" : "it is a direction");
    }
    if (until.metric != "success" && column == columns.end()) {
        reading.fail("until.metric", fmt::format("there is no column `{}`", until.metric), did_you_mean(until.metric, columns),
                     "known here: success, " + joined(columns));
    } else if (until.half_width) {
        const std::string unit = column == columns.end() ? "" : plan.columns[static_cast<std::size_t>(column - columns.begin())].unit;
        const auto dimension = parse_dimension(unit);
        const std::optional<scenario::Variable> as =
            scenario::Variable{.path = until.metric,
                               .unit = unit,
                               .dimension = std::holds_alternative<Dimension>(dimension) ? std::get<Dimension>(dimension) : Dimension{}};
        ValueReader read(reading, "until", as);
        const double half_width = read.value("half_width", *until.half_width);
        if (read.is_good && !(half_width > 0)) reading.fail("until.half_width", "`half_width` must be positive");
    }
}

// Meshes and tables are part of what a study is: other contents under the same names make another study.
std::string hash_of_files(const scenario::Scenario& scenario) {
    Hasher hasher;
    for (const std::string& path : scenario::named_files(scenario)) {
        std::ifstream in(path, std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(in), {}};
        if (in.bad()) throw RuntimeError(fmt::format("cannot read {}", path));
        hasher.add(bytes);
    }
    return hex_text(hasher.value());
}

Plan make_plan(const std::string& file, const PlanOptions& options) {
    if (scenario::is_scenario(file))
        throw InputError(
            fmt::format("{} is a scenario: one run", file),
            fmt::format("asperity run {} runs it; a study names it: scenario = \"...\", with `runs` and what is drawn", shell_word(file)));
    scenario::Study study = scenario::read_study(file, options.sets);
    if (options.seed) study.seed = *options.seed;
    if (options.runs) study.runs = *options.runs;
    PlanReading reading{.study = study, .problems = {}};
    Plan plan{.study = study,
              .scenario = {},
              .assets = {},
              .file_contents = {},
              .design = statistics::Design(statistics::DesignSpec{}),
              .parameters = {},
              .metrics = {},
              .derived = {},
              .columns = {}};
    if (!study.scenario.empty()) {
        std::vector<std::string> sets;
        for (const Loose& set : study.set) sets.push_back(set.text);
        const std::string path = (std::filesystem::path(file).parent_path() / study.scenario.text).lexically_normal().string();
        plan.scenario = scenario::read_scenario(path, {.sets = sets, .seed = study.seed});
    }
    const bool is_random = study.design == scenario::StudyDesign::monte_carlo;
    if (study.vary.empty() && !(is_random && plan.scenario && scenario::draws_by_run(*plan.scenario)))
        reading.fail("", "the study varies nothing",
                     "add [[vary]] with a key and a distribution; under design monte-carlo, scatter of a start or rocks will do");
    read_parameters(reading, plan);
    const bool has_levels = study.design == scenario::StudyDesign::grid || study.design == scenario::StudyDesign::one_at_a_time;
    statistics::DesignSpec spec{.kind = static_cast<statistics::DesignKind>(study.design),
                                .seed = static_cast<std::uint64_t>(study.seed),
                                .axes = study.vary.size()};
    if (has_levels)
        for (const Vary& vary : study.vary) spec.levels.push_back(static_cast<std::uint64_t>(vary.levels));
    if (!has_levels && !study.runs) reading.fail("", "missing key `runs`", "add for example runs = 1000", "runs: Number of runs.");
    if (has_levels && study.runs)
        reading.fail("runs", "the design counts its runs itself", "leave out `runs`; `levels` of each [[vary]] says how many there are");
    spec.runs = static_cast<std::uint64_t>(study.runs.value_or(1));
    if (!study.vary.empty() || study.design == scenario::StudyDesign::monte_carlo) {
        const std::vector<std::string> wrong = statistics::problems(spec);
        for (const std::string& problem : wrong) reading.fail("design", problem);
        if (wrong.empty()) plan.design = statistics::Design(spec);
    }
    read_metrics(reading, plan);
    check_demands(reading, plan);
    if (!reading.problems.empty()) throw InputError(std::move(reading.problems));
    if (plan.scenario) plan.file_contents = hash_of_files(*plan.scenario);
    if (plan.scenario && !plan.varies_world)
        plan.assets = load_assets(options.is_look_only ? scenario::without_fast_fields(*plan.scenario) : *plan.scenario, options.is_quiet,
                                  options.stop);
    return plan;
}

}  // namespace asperity::study
