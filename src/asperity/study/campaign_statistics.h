// All statistics of a study, computed once from its table and plan. Terminal, summary.json and page are written from this one struct, so
// that they cannot differ.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "asperity/batch/result_table.h"
#include "asperity/statistics/dispersion.h"
#include "asperity/statistics/sensitivity.h"
#include "asperity/statistics/statistics.h"
#include "asperity/study/answers.h"
#include "asperity/study/campaign.h"
#include "asperity/study/column_reading.h"
#include "asperity/study/landing_plane.h"

namespace asperity::study {

// How often each number of a nominal column stands in it.
struct Nominal {
    std::uint64_t different = 0, most_count = 0;
    double most_frequent = statistics::no_value;  // the least of several
};

struct ColumnNumbers {
    batch::Column column;
    std::size_t index = 0;  // in the plan
    bool is_parameter = false;
    ColumnNature nature;
    statistics::ColumnStatistics statistics;
    Nominal nominal;

    bool is_nominal() const { return nature.kind == analysis::MetricKind::nominal; }
    std::string over() const;  // which runs it is taken over: "runs that came to rest"
};

struct RankCorrelation {
    std::string metric, parameter;
    statistics::Correlation correlation;
};

struct MetricIndices {
    std::string metric;
    statistics::SobolIndices indices;  // in the order of the plan's parameters
};

// Where the runs ended: the ellipsoid of a vector metric, and the ellipse in a plane.
struct MetricDispersion {
    struct InPlane {
        LandingPlane plane;
        statistics::Dispersion ellipse;
    };
    std::string metric;
    analysis::MetricRuns runs = analysis::MetricRuns::every;  // that count
    statistics::Dispersion ellipsoid;
    std::optional<InPlane> in_plane;  // none: they lie all around a body, or there are none

    std::string over() const;
};

struct MetricOutlier {
    std::string metric;
    std::uint64_t run = 0;
    double value = statistics::no_value, robust_z = statistics::no_value;
    std::string command;  // that computes the run again
};

struct FailedRun {
    std::uint64_t run = 0;
    std::string error, command;
};

using TextCounts = std::map<std::string, std::uint64_t>;

struct CampaignStatistics {
    std::uint64_t runs = 0, failed = 0, successes = 0;
    std::uint64_t moving = 0;               // runs that their end time cut off
    statistics::Interval success_interval;  // of the rate
    std::string note;                       // what a reader must know before the numbers; empty: nothing
    TextCounts outcomes;
    std::vector<std::pair<std::string, TextCounts>> texts;  // by column of texts
    std::vector<ColumnNumbers> columns;                     // as Plan::columns
    std::vector<Answer> metrics, answers;                   // of the whole study; none where it does not say what a success is
    std::vector<RankCorrelation> correlations;              // of all metrics with all parameters, metric by metric
    std::vector<MetricIndices> indices;                     // none where the design is not that of Sobol indices
    std::vector<MetricDispersion> dispersions;
    std::vector<MetricOutlier> outliers;
    std::vector<FailedRun> failures;  // the first of them
};

CampaignStatistics campaign_statistics(const CampaignRequest& request, const Plan& plan, const StudyTable& table);

}  // namespace asperity::study
