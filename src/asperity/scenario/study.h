// The structs that mirror a study file: one scenario, many times, with some of its values drawn. study/ computes it.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "asperity/core/describe.h"
#include "asperity/core/units.h"
#include "asperity/scenario/expect.h"
#include "asperity/scenario/place.h"

namespace asperity::scenario {

struct DrawnNormal {
    Loose mean, sigma;
    std::optional<Loose> low, high;
};
struct DrawnUniform {
    Loose low, high;
};
struct DrawnLogNormal {
    Loose median;
    double sigma_log = 0;
    std::optional<Loose> low, high;
};
struct DrawnChoice {
    std::vector<Loose> values, weights;
};
struct DrawnTable {
    std::vector<Loose> values, cumulative;
};

// A value that is drawn for each run.
struct Vary {
    std::string key;   // of the scenario; empty: only expressions use it
    std::string name;  // of the column; empty: the key
    std::variant<DrawnNormal, DrawnUniform, DrawnLogNormal, DrawnChoice, DrawnTable> distribution;
    std::int64_t levels = 5;
};

// A value that follows from drawn ones.
struct Derive {
    std::string key;
    std::string name;
    std::string expression;
};

// A further column, from parameters and metrics.
struct DerivedMetric {
    std::string name;
    std::string unit;
    std::string expression;
};

// Runs go on until an interval is narrow enough.
struct Until {
    std::string metric;  // a column, or "success"
    std::optional<Loose> half_width;
    std::optional<double> relative;
    std::int64_t first = 64;
};

struct Failures {
    double most = 0.1;
    std::int64_t at_least = 10;
};

enum class StudyDesign : std::int64_t { monte_carlo, latin_hypercube, sobol, grid, one_at_a_time, sobol_indices };

struct Study {
    std::string name;
    std::string description;
    Path scenario;  // relative to this one; none: the study has expressions only
    std::vector<Loose> set;
    std::int64_t seed = 1;
    StudyDesign design = StudyDesign::monte_carlo;
    std::optional<std::int64_t> runs;
    double confidence = 0.95;
    std::vector<Loose> metrics;
    std::vector<Vary> vary;
    std::vector<Derive> derive;
    std::vector<DerivedMetric> derived_metrics;
    std::vector<Expectation> success;
    std::optional<Until> until;
    Failures failures;

    std::string file;
    Places places;
};

inline constexpr auto distribution_kinds = std::to_array<Kind>({
    {"normal", "Bell curve; cut off where `low` or `high` is given."},
    {"uniform", "Equally likely between two values."},
    {"log-normal", "The logarithm is normal: positive values over orders of magnitude; cut off where `low` or `high` is given."},
    {"choice", "One of some values."},
    {"table", "Given by its cumulative distribution, straight lines between the points; or by samples, where `cumulative` is left out."},
});

inline constexpr auto study_designs = std::to_array<Choice<StudyDesign>>({
    {"monte-carlo", StudyDesign::monte_carlo, "Independent draws."},
    {"latin-hypercube", StudyDesign::latin_hypercube, "Each value's range is cut into as many strata as there are runs; one run in each."},
    {"sobol", StudyDesign::sobol, "A scrambled Sobol sequence: covers the space more evenly than independent draws."},
    {"grid", StudyDesign::grid, "All combinations of `levels` values of equal probability."},
    {"one-at-a-time", StudyDesign::one_at_a_time, "The medians, then each value over its `levels` with the others at their medians."},
    {"sobol-indices", StudyDesign::sobol_indices,
     "Saltelli's design: k + 2 runs for each base point, from which first-order and total Sobol indices follow."},
});

template <class Visitor>
void describe(Visitor& v, DrawnNormal& d) {
    v.required("mean", d.mean, "Mean, before it is cut off.");
    v.required("sigma", d.sigma, "Standard deviation, before it is cut off.");
    v.optional("low", d.low, "Least value.", "none");
    v.optional("high", d.high, "Largest value.", "none");
}

template <class Visitor>
void describe(Visitor& v, DrawnUniform& d) {
    v.required("low", d.low, "Least value.");
    v.required("high", d.high, "Largest value.");
}

template <class Visitor>
void describe(Visitor& v, DrawnLogNormal& d) {
    v.required("median", d.median, "Median, before it is cut off.");
    v.required("sigma_log", d.sigma_log, si::one, not_negative, "Standard deviation of the natural logarithm.");
    v.optional("low", d.low, "Least value.", "none");
    v.optional("high", d.high, "Largest value.", "none");
}

template <class Visitor>
void describe(Visitor& v, DrawnChoice& d) {
    v.required("values", d.values, "Values: numbers, quantities, or names that the key knows.");
    v.optional("weights", d.weights, "How likely each is, in any scale.", "all the same");
}

template <class Visitor>
void describe(Visitor& v, DrawnTable& d) {
    v.required("values", d.values, "Values, rising; in any order where they are samples.");
    v.optional("cumulative", d.cumulative, "Probability of not exceeding each value, from 0 to 1.", "the values are samples");
}

template <class Visitor>
void describe(Visitor& v, Vary& x) {
    v.optional("key", x.key, "Key of the scenario (`body.lander.mass`, `contact.shell/ground.friction`).", "none: only expressions use it");
    v.optional("name", x.name, "Name of the column, and in expressions.", "the key");
    v.kinds("distribution", x.distribution, distribution_kinds, "What it is drawn from.");
    v.optional("levels", x.levels, from_to(1, 1000000), "Values of it in designs grid and one-at-a-time.");
}

template <class Visitor>
void describe(Visitor& v, Derive& x) {
    v.optional("key", x.key, "Key of the scenario.", "none: only expressions use it");
    v.optional("name", x.name, "Name of the column, and in expressions.", "the key");
    v.required("expression", x.expression, "Its value in SI units, from the names of drawn values and of those derived above it.");
}

template <class Visitor>
void describe(Visitor& v, DerivedMetric& x) {
    v.required("name", x.name, "Name of the column.");
    v.optional("unit", x.unit, "Its SI unit, as text.", "none");
    v.required("expression", x.expression, "Its value in SI units, from names of columns.");
}

template <class Visitor>
void describe(Visitor& v, Until& u) {
    v.required("metric", u.metric, "Column whose mean is wanted, or \"success\" for the success rate.");
    v.optional("half_width", u.half_width, "Half of the width of the confidence interval at which the study ends.", "none");
    v.optional("relative", u.relative, si::one, above_up_to(0, 1), "The same, as a part of the mean.", "none");
    v.optional("first", u.first, at_least(2), "Runs after which it is looked at first; then at twice as many, and so on up to `runs`.");
}

template <class Visitor>
void describe(Visitor& v, Failures& f) {
    v.optional("most", f.most, si::one, between(0, 1), "Part of the runs that may fail before the study stops.");
    v.optional("at_least", f.at_least, at_least(1), "Failures that never stop it.");
}

template <class Visitor>
void describe(Visitor& v, Study& s) {
    v.include("include", "Another study file, relative to this one, whose keys hold where this file has none.");
    v.optional("name", s.name, "What reports call the study.", "the name of the file");
    v.optional("description", s.description, "A sentence for reports.", "none");
    v.optional("scenario", s.scenario, "Scenario file, relative to this file.", "none: the study computes expressions only");
    v.optional("set", s.set, "Changes to the scenario for all runs: \"key=value\".", "none");
    v.optional("seed", s.seed, at_least(0), "Seed of every draw; --seed wins over it.");
    v.optional("design", s.design, study_designs, "How the drawn values are spread.");
    v.optional("runs", s.runs, from_to(1, 4000000000), "Number of runs; with [until] the most of them; --runs wins over it.",
               "as many as the design has: grid and one-at-a-time only");
    v.optional("confidence", s.confidence, si::one, Bounds{0.5, 1, false, true}, "Level of all confidence intervals.");
    v.optional(
        "metrics", s.metrics,
        "Metrics that become columns (`asperity list metrics`): a vector as .x, .y and .z, a list as .first and .last, one of each body as "
        ".body_1 and so on, of each pair as .pair_1_2 and so on, up to 8 bodies.",
        "all but those of single bodies");
    v.list("vary", s.vary, "Values that are drawn for each run.");
    v.list("derive", s.derive, "Values that follow from drawn ones.");
    v.list("metric", s.derived_metrics, "Further columns, computed from others.");
    v.expectations("success", s.success, "What a run must fulfil to count as a success: metric = demand, as in [expect] of a scenario.");
    v.optional_section("until", s.until, "Ends the study when a confidence interval is narrow enough.");
    v.section("failures", s.failures, "How many runs may fail.");
}

// Reads `file` and what it includes; derived defaults are filled in. Throws InputError with every problem of the file.
Study read_study(const std::string& file, const std::vector<std::string>& sets = {});

// Whether the file looks like a study and not like a scenario: it has keys that only studies have. False where it cannot be read.
bool is_study(const std::string& file);
// The other way round.
bool is_scenario(const std::string& file);

// The complete study with every default written out; reads back to the same.
std::string resolved_toml(const Study& study);

}  // namespace asperity::scenario
