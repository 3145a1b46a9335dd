// The results of a study as a whole, from the columns of its table: batch metrics, and answers to questions of design.
//
//   success_fraction                          k of n runs, with Wilson's interval (statistics.h, 5)                              (1)
//   first_impact_time_mean, stop_time_mean    over the successful runs, with Student's interval                                  (2)
//   stop_time_sigma                           over the successful runs, with the interval of a normal column                     (3)
//   stop_time_restricted_mean                 of min(stop_time, the earliest cut), where runs were cut off: survival.h
//   battery time, mean + 3 sigma              m + 3 s of stop_time over the successful runs (statistics.h, 6)                    (4)
//   battery time, quantiles                   99.73 % and 99.865 % of stop_time, order statistics (statistics.h, 3, 4 and 7); where
//                                             there is no upper end yet, only a lower bound is given                             (5)
//   slope and loads                           quantiles of stop_slope, max_impact_speed, max_impact_energy over the runs that have
//                                             them                                                                               (6)
//
// 99.73 % of a normal distribution lie within 3 sigma of its mean, 99.865 % below mean + 3 sigma. Times of (2) to (5) that runs were cut
// off before are right-censored (survival.h): a mean, a deviation and a sum of both then have a lower end only. A run that ended without
// success for another reason never stops as it should: success_fraction says how many there are.
// Limits: (3) and (4) hold where stop times are normal; (5) and (6) assume nothing.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "asperity/statistics/statistics.h"
#include "asperity/statistics/survival.h"

namespace asperity::study {

struct Answer {
    std::string name;
    std::string text;  // what it is
    std::string unit;
    double value = statistics::no_value;
    statistics::Interval interval;
    std::uint64_t runs = 0;         // it is taken over
    std::string over;               // which they are: "runs", "successful runs"
    std::uint64_t runs_needed = 0;  // for a value, and an interval that ends at both sides; 0: these do
    std::uint64_t cut_off = 0;      // further runs that may belong to them, but were cut off before it was known
};

// Access to the columns; none if the table has no column of that name.
struct StudyColumns {
    std::function<std::optional<statistics::ColumnSource>(const std::string& name)> values;
    std::function<std::optional<statistics::TimeColumn>(const std::string& name)> times;  // of the successful runs
    std::vector<bool> success;                                                            // of every run
};

// (1) to (3): those whose columns are there.
std::vector<Answer> batch_metrics(const StudyColumns& columns, double confidence);

// (4) to (6): those whose columns are there and have values.
std::vector<Answer> design_answers(const StudyColumns& columns, double confidence);

// Names that batch_metrics() can give.
bool is_batch_metric(const std::string& name);

}  // namespace asperity::study
