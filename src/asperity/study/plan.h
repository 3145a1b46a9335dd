// A study compiled for running: the values that are drawn for a run, and how the run becomes a row of the table.
//
// The row of a run is a function of (plan, run number) alone. Its columns are known before the first run: what did not happen in a run (the
// first impact of a ball that never lands) is an empty cell.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "asperity/analysis/metrics.h"
#include "asperity/batch/result_table.h"
#include "asperity/model/model.h"
#include "asperity/scenario/study.h"
#include "asperity/scenario/variable.h"
#include "asperity/statistics/design.h"
#include "asperity/statistics/distribution.h"
#include "asperity/statistics/expression.h"

namespace asperity::study {

// One number of a metric.
struct MetricColumn {
    enum class Part { number, x, y, z, first, last, element };
    std::string metric;
    Part part = Part::number;
    std::size_t index = 0;  // of the element
    analysis::MetricKind kind = analysis::MetricKind::quantity;
    analysis::MetricRuns runs = analysis::MetricRuns::every;
};

struct Parameter {
    std::string name;
    std::optional<scenario::Variable> variable;                                 // none: only expressions use it
    std::variant<statistics::Distribution, statistics::BoundExpression> value;  // an expression takes the parameters before this one
};

struct DerivedColumn {
    std::string name;
    statistics::BoundExpression value;                        // of all values before it
    analysis::MetricRuns runs = analysis::MetricRuns::every;  // those of the columns that it is computed from
};

struct Plan {
    scenario::Study study;
    std::optional<scenario::Scenario> scenario;
    model::Assets assets;  // shared by all runs, unless they vary the world
    bool varies_world = false;
    std::string file_contents;  // hash of the bytes of all files that the scenario names, as they were read
    statistics::Design design;
    std::vector<Parameter> parameters;  // drawn, then derived
    std::vector<MetricColumn> metrics;
    std::vector<DerivedColumn> derived;
    std::vector<batch::Column> columns;       // of the values of a row: parameters, metrics, derived
    std::vector<batch::Column> text_columns;  // of its texts: metrics that are names

    std::string text() const;      // study and scenario with all defaults: what a resumed study must be equal to
    std::string identity() const;  // hash of it; the number of runs is no part where more runs keep the earlier ones
};

// How a column of the plan is aggregated over many runs: as its metric says; a parameter that stands for names is nominal.
struct ColumnNature {
    analysis::MetricKind kind = analysis::MetricKind::quantity;
    analysis::MetricRuns runs = analysis::MetricRuns::every;
};
ColumnNature nature_of(const Plan& plan, std::size_t column);

struct PlanOptions {
    std::vector<std::string> sets;            // of the study file
    std::optional<std::int64_t> seed;         // instead of the study's
    std::optional<std::int64_t> runs;         // instead of the study's
    bool is_quiet = true;                     // shows no progress while a gravity field is built
    const std::atomic<bool>* stop = nullptr;  // where it becomes true, such a build ends with RuntimeError; none: never
    bool is_look_only = false;                // for a look at the plan: gravity fields are exact, which costs no time to build
};

// Reads the study and its scenario, checks all of it, loads the assets. Throws InputError with every problem.
Plan make_plan(const std::string& file, const PlanOptions& options);

// The result of one run.
struct Row {
    std::string outcome;  // as the run ended; "failed" where it could not start
    std::string error;    // empty: it is good
    bool is_success = false;
    std::vector<double> values;      // as Plan::columns; NaN: none
    std::vector<std::string> texts;  // as Plan::text_columns; empty: none

    bool is_failed() const { return !error.empty(); }
};
std::string packed(const Row& row);
Row unpacked_row(std::string_view bytes);

// The drawn and derived values of a run, as Plan::parameters.
std::vector<double> parameter_values(const Plan& plan, std::uint64_t run);

// Throws InputError where an expression gives none.
void check_numbers(const Plan& plan, const std::vector<double>& values);

// The scenario of a run: the values set. Throws InputError where it cannot have them.
void set_parameters(const Plan& plan, const std::vector<double>& values, scenario::Scenario& scenario);

// Computes rows; each thread has one of its own.
class RowMaker {
public:
    explicit RowMaker(const Plan& plan);
    // What `change` sets in the scenario of the run holds over what the run draws.
    Row make(std::uint64_t run, const std::function<void(scenario::Scenario&)>& change = {});

private:
    void fill_metrics(const std::vector<analysis::Metric>& metrics, Row& row) const;
    void judge(const std::vector<analysis::Metric>& metrics, Row& row) const;

    const Plan& plan_;
    std::optional<scenario::Scenario> scenario_;  // set anew for each run
};

}  // namespace asperity::study
