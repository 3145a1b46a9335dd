// The results of a study as one HTML page that needs nothing else: no network, no server, no other file.
// The order is that of a mission analyst's questions: how many runs succeeded, what follows for the design, where they flew and ended, how
// the metrics are spread, which parameter moves them, whether the number of runs was enough, which runs stand apart and how to compute them
// again, what was run. The same page gives the same text: it has no dates. Sizes are bounded by what is put in: bins and samples, never all
// the runs of a study.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "asperity/core/vec3.h"
#include "asperity/report/figure.h"
#include "asperity/report/shape_shown.h"

namespace asperity::report {

struct OutcomeCount {
    std::string name;
    std::uint64_t count = 0;
};

// Bins of equal width between low and high, or of equal ratio where it is logarithmic; what is less or more is only counted.
struct Histogram {
    bool is_logarithmic = false;
    double low = 0, high = 1;
    std::vector<std::uint64_t> counts;
    std::uint64_t below = 0, above = 0;
};

struct QuantileShown {
    double probability = 0;
    double value = not_known;
    Between interval;
};

// The nature of the numbers of a column: a quantity, a direction, a name or a time.
enum class ColumnIs { quantity, direction, name, time };

struct ColumnShown {
    std::string name, unit, text;
    ColumnIs is = ColumnIs::quantity;
    std::string over;  // "runs that came to rest"
    bool is_parameter = false;
    std::uint64_t count = 0, missing = 0;  // values, and runs without one
    double mean = not_known, deviation = not_known, min = not_known, max = not_known;
    Between mean_interval, deviation_interval;
    std::vector<QuantileShown> quantiles;  // rising
    Histogram histogram;
    std::uint64_t cut_off = 0;      // times: runs that ended before; of them nothing is known but a lower bound
    double cut_off_at = not_known;  // the earliest of them
    double restricted_mean = not_known;
    Between restricted_interval;
    std::uint64_t different = 0, most_count = 0;  // names
    double most_frequent = not_known;

    // Whether its values differ by more than their own rounding.
    bool varies() const;
    // NaN where there is no such quantile.
    double quantile(double probability) const;
};

// Points of runs with the same outcome, all successes or none.
struct PointGroup {
    std::string outcome;
    bool is_success = true;
    std::vector<double> x, y;
    std::vector<std::uint64_t> runs;
};

// The part of the plane that is drawn, and the runs whose points lie in it.
struct PointMap {
    std::string name, unit;
    Between x, y;  // both finite, high above low
    std::vector<PointGroup> groups;
    std::uint64_t runs = 0;   // of the study that have a point
    std::uint64_t drawn = 0;  // of them are looked at here, spread evenly over the study
    double mean_x = not_known, mean_y = not_known;
    double probability = 0;                        // that the ellipse was asked to hold
    double semi_axes[2] = {not_known, not_known};  // longest first
    double direction_x = 1, direction_y = 0;       // of the longest
    double fraction_inside = not_known;            // that it does hold
    double error_probable = not_known;             // half of the points are nearer to the mean than this
    std::uint64_t ellipse_runs = 0;                // from which it comes
    std::string x_name = "x", y_name = "y";        // of its axes
    std::string over;                              // which runs have a point: "runs that came to rest"
};

struct CorrelationShown {
    double coefficient = not_known;
    Between interval;
};

// Rank correlations: a row for each metric, a column for each parameter.
struct CorrelationMatrix {
    std::vector<std::string> metrics, parameters;
    std::vector<CorrelationShown> cells;  // row by row
};

struct SobolShown {
    std::string parameter;
    double first = not_known, total = not_known;
    Between first_interval, total_interval;
};

struct SobolOfMetric {
    std::string metric;
    std::uint64_t base_points = 0, left_out = 0;
    std::vector<SobolShown> parameters;
};

// An estimate from the runs 0 ... n - 1 for rising n.
struct Convergence {
    std::string name, unit;
    std::string asked;  // the width that the study was to reach; empty: none
    std::vector<double> runs, value, low, high;
};

struct OutlierShown {
    std::string metric, unit;
    std::uint64_t run = 0;
    double value = not_known, robust_z = not_known;
    std::string command;
};

struct FailureShown {
    std::uint64_t run = 0;
    std::string error, command;
};

// A number of the whole study, and over which runs it is taken.
struct AnswerShown {
    std::string name, text, unit;
    double value = not_known;
    Between interval;
    std::uint64_t runs = 0;
    std::string over;               // "successful runs"
    std::uint64_t runs_needed = 0;  // for an interval that ends; 0: as many as there are
    std::uint64_t cut_off = 0;      // further runs that may belong to them
};

// Success or a metric at each value of a parameter that has few.
struct ResponseShown {
    std::string parameter, parameter_unit, name, unit;
    std::vector<double> x, value, low, high;
};

// One run of those drawn over the body.
struct PathShown {
    std::uint64_t run = 0;
    std::string outcome;
    bool is_success = false;
    std::vector<Vec3> points;          // m
    std::optional<Vec3> first_impact;  // m
};

// The final positions of runs with the same outcome.
struct StopGroup {
    std::string outcome;
    bool is_success = true;
    std::vector<Vec3> points;
};

// Degrees; runs eastwards, its eastern border may lie beyond 180.
struct PatchShown {
    double south = 0, north = 0, west = 0, east = 0;
};

// A part of the body's map, and the share of all runs that came to rest in it.
struct RestCell {
    PatchShown border;
    std::uint64_t count = 0;
    double probability = 0;
    Between interval;
};

// Landers on a body.
struct BodyPage {
    ShownShape shape;
    std::vector<PathShown> paths;
    std::vector<Vec3> starts;
    std::vector<StopGroup> stops;
    PointMap places;  // longitude and latitude of the stops, degrees
    PointMap times;   // first impact and stop
    std::vector<PatchShown> patches;
    std::vector<RestCell> cells;
    std::vector<std::string> notes;
};

struct CampaignPage {
    std::string title, description;
    std::string note;  // what a reader must know before the numbers
    std::vector<std::pair<std::string, std::string>> facts;
    double confidence = 0.95;
    std::uint64_t runs = 0, failed = 0, successes = 0;
    bool has_success = false;  // whether the study says what a success is; else nothing is said of it
    Between success_interval;
    std::vector<OutcomeCount> outcomes;
    std::vector<std::pair<std::string, std::vector<OutcomeCount>>> counts;  // of each metric that is a name
    std::vector<AnswerShown> metrics;                                       // of the batch
    std::vector<AnswerShown> answers;                                       // to questions of design
    std::optional<BodyPage> body;
    std::vector<ResponseShown> responses;
    std::vector<PointMap> maps;
    std::vector<ColumnShown> columns;
    CorrelationMatrix correlations;
    std::uint64_t correlated_runs = 0;  // that the correlations look at
    std::vector<SobolOfMetric> sobol;
    std::vector<Convergence> convergence;
    std::vector<OutlierShown> outliers;
    std::vector<FailureShown> failures;  // the first of them
    std::string command_before;          // with the number of a run behind it: computes that run again
    std::string study;                   // as run
};

// All times of the page in one unit: that in which the longest of its metrics is told best (html.h).
void use_one_time_unit(CampaignPage& page);

// The text of the page.
std::string campaign_page_text(const CampaignPage& page);

}  // namespace asperity::report
