// The columns of a study's table by their nature (plan.h): which runs count, and which are right-censored because they ended before the
// event.
//
//   run ended by                     a time (MetricKind::time)                              what only resting runs have
//   rest                             counts where it happened                               counts
//   its end time, still moving       counts where it happened, else it was cut off then     left out; a time: cut off then
//   escape, companion, a failure     counts where it happened, else it never will           left out
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/statistics/statistics.h"
#include "asperity/statistics/survival.h"
#include "asperity/study/plan.h"

namespace asperity::study {

enum class Ended : std::uint8_t { rest, cut_off, otherwise };
Ended ended_by(std::string_view outcome);

// How the runs of a study ended, a byte each.
using Ends = std::vector<Ended>;

// The column with the values of runs that do not count left out. `ends` must outlive what these functions return.
statistics::ColumnSource counted_values(statistics::ColumnSource values, const Ends& ends, analysis::MetricRuns runs);
// The times of a column; `end_time`: when each run was to end at the latest.
statistics::TimeColumn counted_times(statistics::ColumnSource values, statistics::ColumnSource end_time, const Ends& ends,
                                     analysis::MetricRuns runs);
// The times of the successful runs. One that was cut off without success may have become one, so that its time counts perhaps. `success`
// must outlive the result.
statistics::TimeColumn of_successes(const statistics::TimeColumn& column, const std::vector<bool>& success, const Ends& ends);

// What the mean of a growing study is taken over (`[until]`): the value of a run, NaN where it does not count; a time that was cut off
// counts as its end, so that the mean is the restricted one.
double value_for_mean(const ColumnNature& nature, std::string_view outcome, double value, double end_time);
// The latest end time of a run with these values.
double end_time_of(const Plan& plan, const std::vector<double>& values);

class StudyTable {
public:
    StudyTable(const Plan& plan, std::filesystem::path path);

    const std::filesystem::path& path() const { return path_; }
    const Ends& ends() const { return *ends_; }
    std::uint64_t moving() const { return moving_; }  // runs that their end time cut off

    statistics::ColumnSource raw(const std::string& name) const;
    // Of a column of the plan.
    statistics::ColumnSource values(std::size_t column) const;
    statistics::TimeColumn times(std::size_t column) const;
    statistics::ColumnStatistics statistics(std::size_t column) const;
    // Numbers in whose order and distances the runs differ: a time that was cut off is the last of all, or at the earliest cut where it
    // must be finite; a direction is told from its mean.
    enum class Cut { infinite, earliest };
    statistics::ColumnSource comparable(std::size_t column, Cut cut) const;
    // None where the plan has no such column.
    std::optional<std::size_t> find(const std::string& name) const;

private:
    const Plan& plan_;
    std::filesystem::path path_;
    std::shared_ptr<const Ends> ends_;
    std::uint64_t moving_ = 0;
};

}  // namespace asperity::study
