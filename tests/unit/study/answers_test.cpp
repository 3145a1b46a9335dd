#include "asperity/study/answers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>

#include "asperity/study/column_reading.h"

namespace asperity::study::answers_test {
namespace {

// Columns by name; a success where the flag is 1. Runs ended by rest, or by `end` where `is_cut` says so.
struct Study {
    std::map<std::string, std::vector<double>> columns;
    std::vector<double> success;
    std::vector<bool> is_cut = {};
    double end = 1e9;

    StudyColumns all() const {
        StudyColumns out;
        out.success.assign(success.begin(), success.end());
        ends_.assign(success.size(), Ended::rest);
        for (std::size_t i = 0; i < is_cut.size(); ++i)
            if (is_cut[i]) ends_[i] = Ended::cut_off;
        ends_at_.assign(success.size(), end);
        flags_ = out.success;
        out.values = [this](const std::string& name) -> std::optional<statistics::ColumnSource> {
            const auto found = columns.find(name);
            if (found == columns.end()) return {};
            return statistics::column_of(found->second);
        };
        out.times = [this, values = out.values](const std::string& name) -> std::optional<statistics::TimeColumn> {
            const auto column = values(name);
            if (!column) return {};
            const auto runs = name == "stop_time" ? analysis::MetricRuns::resting : analysis::MetricRuns::every;
            return of_successes(counted_times(*column, statistics::column_of(ends_at_), ends_, runs), flags_, ends_);
        };
        return out;
    }
    std::vector<Answer> metrics() const { return batch_metrics(all(), 0.95); }
    std::vector<Answer> answers() const { return design_answers(all(), 0.95); }

    mutable Ends ends_ = {};  // what the columns handed out look at
    mutable std::vector<double> ends_at_ = {};
    mutable std::vector<bool> flags_ = {};
};

const Answer& find(const std::vector<Answer>& answers, const std::string& name) {
    for (const Answer& answer : answers)
        if (answer.name == name) return answer;
    throw std::runtime_error("no answer " + name);
}

// Of 2, 4, 6, 8: mean 5, deviation sqrt(20/3); Student's quantile with 3 degrees 3.182446305; chi-squared 9.348404 and 0.2157953.
TEST(BatchMetrics, are_taken_over_the_successful_runs) {
    const Study study{
        .columns = {{"stop_time", {2, 100, 4, 100, 6, 100, 8, statistics::no_value}}, {"first_impact_time", {1, 50, 1, 50, 3, 50, 3, 50}}},
        .success = {1, 0, 1, 0, 1, 0, 1, 0}};
    const std::vector<Answer> metrics = study.metrics();
    ASSERT_EQ(metrics.size(), 4u);
    EXPECT_EQ(metrics[0].name, "success_fraction");
    EXPECT_EQ(metrics[0].value, 0.5);
    EXPECT_EQ(metrics[0].runs, 8u);
    EXPECT_EQ(metrics[0].over, "runs");
    const double z = 1.959963984540054;  // Wilson: (k + z^2/2 -+ z sqrt(k (n-k)/n + z^2/4)) / (n + z^2)
    EXPECT_NEAR(metrics[0].interval.low, (4 + z * z / 2 - z * std::sqrt(2 + z * z / 4)) / (8 + z * z), 1e-12);
    const Answer& mean = find(metrics, "stop_time_mean");
    EXPECT_EQ(mean.value, 5);
    EXPECT_EQ(mean.runs, 4u);
    EXPECT_EQ(mean.over, "successful runs");
    EXPECT_EQ(mean.unit, "s");
    const double deviation = std::sqrt(20.0 / 3);
    EXPECT_NEAR(mean.interval.high, 5 + 3.182446305284263 * deviation / 2, 1e-9);
    const Answer& sigma = find(metrics, "stop_time_sigma");
    EXPECT_NEAR(sigma.value, deviation, 1e-12);
    EXPECT_NEAR(sigma.interval.low, deviation * std::sqrt(3 / 9.348403604496148), 1e-9);
    EXPECT_NEAR(sigma.interval.high, deviation * std::sqrt(3 / 0.2157952826238981), 1e-8);
    EXPECT_EQ(find(metrics, "first_impact_time_mean").value, 2);
}

TEST(BatchMetrics, are_left_out_where_there_is_nothing) {
    const Study without{.columns = {}, .success = {1, 0}};
    EXPECT_EQ(without.metrics().size(), 1u);
    EXPECT_TRUE(without.answers().empty());
    const Study none{.columns = {{"stop_time", {5, 6}}}, .success = {0, 0}};
    ASSERT_EQ(none.metrics().size(), 1u);  // no run stopped as it should: there is no mean of such
    EXPECT_EQ(none.metrics()[0].value, 0);
    const Study one{.columns = {{"stop_time", {5, 6}}}, .success = {1, 0}};
    EXPECT_EQ(one.metrics().size(), 2u);  // a deviation needs two
    for (const Answer& metric : one.metrics()) EXPECT_TRUE(is_batch_metric(metric.name));
    EXPECT_FALSE(is_batch_metric("stop_time"));
}

TEST(DesignAnswers, give_times_slopes_and_loads) {
    Study study;
    for (int i = 1; i <= 1000; ++i) {
        study.columns["stop_time"].push_back(i);
        study.columns["stop_slope"].push_back(i <= 500 ? i : statistics::no_value);
        study.columns["max_impact_speed"].push_back(0.001 * i);
        study.success.push_back(i <= 800 ? 1 : 0);
    }
    const std::vector<Answer> answers = study.answers();
    const Answer& sum = find(answers, "battery_time_mean_3_sigma");
    const double deviation = std::sqrt((800.0 * 800 - 1) / 12 * 800 / 799);  // of 1 ... 800
    EXPECT_NEAR(sum.value, 400.5 + 3 * deviation, 1e-9);
    EXPECT_EQ(sum.runs, 800u);
    EXPECT_LT(sum.interval.low, sum.value);
    EXPECT_GT(sum.interval.high, sum.value);
    const Answer& quantile = find(answers, "battery_time_99.73_percent");
    EXPECT_TRUE(std::isnan(quantile.value));  // 800 runs do not have it
    EXPECT_GT(quantile.interval.low, 790);
    EXPECT_TRUE(std::isinf(quantile.interval.high));
    EXPECT_EQ(quantile.runs_needed, 1365u);
    const Answer& slope = find(answers, "stop_slope_50_percent");
    EXPECT_NEAR(slope.value, 250.5, 1e-12);
    EXPECT_EQ(slope.over, "of 1000 runs, those that have it");
    EXPECT_EQ(slope.runs_needed, 0u);
    EXPECT_NEAR(find(answers, "max_impact_speed_95_percent").value, 0.001 * (1 + 999 * 0.95), 1e-12);
}

// 1 ... 1000 s, all of which come to rest; cut at 700 s, three of ten are still moving. Dropping them gave a battery for 700 s.
TEST(DesignAnswers, of_runs_that_were_cut_off_are_bounds) {
    Study cut{.columns = {}, .success = {}, .is_cut = {}, .end = 700}, whole;
    for (int i = 1; i <= 1000; ++i) {
        whole.columns["stop_time"].push_back(i);
        whole.columns["first_impact_time"].push_back(0.1 * i);
        whole.success.push_back(1);
        cut.columns["stop_time"].push_back(std::min(i, 700));
        cut.columns["first_impact_time"].push_back(0.1 * i);
        cut.success.push_back(i <= 700 ? 1 : 0);
        cut.is_cut.push_back(i > 700);
    }
    const std::vector<Answer> got = cut.answers(), truth = whole.answers();
    const Answer& sum = find(got, "battery_time_mean_3_sigma");
    EXPECT_TRUE(std::isnan(sum.value));
    EXPECT_TRUE(std::isinf(sum.interval.high));
    EXPECT_LT(sum.interval.low, find(truth, "battery_time_mean_3_sigma").value);
    EXPECT_EQ(sum.runs, 700u);
    EXPECT_EQ(sum.cut_off, 300u);
    const Answer& tail = find(got, "battery_time_99.73_percent");
    EXPECT_TRUE(std::isinf(tail.interval.high));
    EXPECT_LT(tail.interval.low, 1000);
    const std::vector<Answer> metrics = cut.metrics();
    EXPECT_EQ(find(metrics, "success_fraction").value, 0.7);
    const Answer& mean = find(metrics, "stop_time_mean");
    EXPECT_TRUE(std::isnan(mean.value));
    EXPECT_LT(mean.interval.low, 500.5);
    EXPECT_TRUE(std::isinf(mean.interval.high));
    EXPECT_NEAR(find(metrics, "stop_time_restricted_mean").value, (700.0 * 701 / 2 + 300 * 700) / 1000, 1e-9);
    // The first impacts are all known; not known is only which of the cut runs would have been successes.
    const Answer& first = find(metrics, "first_impact_time_mean");
    EXPECT_NEAR(first.value, 50.05, 1e-9);
    EXPECT_LT(first.interval.low, 35.05);
    EXPECT_GT(first.interval.high, 50.05);
    for (const Answer& metric : metrics) EXPECT_TRUE(is_batch_metric(metric.name)) << metric.name;
}

TEST(DesignAnswers, have_a_quantile_where_there_are_enough_runs) {
    Study study;
    for (int i = 1; i <= 3000; ++i) study.columns["stop_time"].push_back(i);
    study.success.assign(3000, 1);
    for (const double p : {0.9973, 0.99865}) {
        const std::vector<Answer> answers = study.answers();
        const Answer& quantile = find(answers, p == 0.9973 ? "battery_time_99.73_percent" : "battery_time_99.865_percent");
        EXPECT_NEAR(quantile.value, 1 + 2999 * p, 1e-9);
        EXPECT_EQ(quantile.runs_needed, 0u);
        EXPECT_LT(quantile.interval.low, quantile.value);
        EXPECT_GT(quantile.interval.high, quantile.value);
        EXPECT_LE(quantile.interval.high, 3000);
    }
}

}  // namespace
}  // namespace asperity::study::answers_test
