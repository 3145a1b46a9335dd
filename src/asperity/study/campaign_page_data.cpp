#include "asperity/study/campaign_page_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "asperity/batch/result_table.h"
#include "asperity/core/random.h"
#include "asperity/core/version.h"
#include "asperity/record/durable_file.h"
#include "asperity/statistics/circular.h"
#include "asperity/statistics/statistics.h"
#include "asperity/study/body_page_data.h"
#include "asperity/study/column_reading.h"

namespace asperity::study {
namespace {

using statistics::ColumnSource;

namespace fs = std::filesystem;
using report::Between;
using report::ColumnShown;
using report::Histogram;

constexpr std::size_t most_bins = 40, least_bins = 8;
constexpr std::size_t most_means = 3;  // whose convergence is shown where the study watches none

// The most frequent first.
std::vector<report::OutcomeCount> counted(const TextCounts& counts) {
    std::vector<report::OutcomeCount> out;
    for (const auto& [name, count] : counts) out.push_back({name, count});
    std::stable_sort(out.begin(), out.end(),
                     [](const report::OutcomeCount& a, const report::OutcomeCount& b) { return a.count > b.count; });
    return out;
}

// Values that are not finite count as unknown, as in summary.json.
double known(double value) { return std::isfinite(value) ? value : report::not_known; }

Between between(const statistics::Interval& interval) {
    Between out;
    if (std::isfinite(interval.low)) out.low = interval.low;
    if (std::isfinite(interval.high)) out.high = interval.high;
    return out;
}

report::ColumnIs column_is(analysis::MetricKind kind) {
    switch (kind) {
        case analysis::MetricKind::quantity: return report::ColumnIs::quantity;
        case analysis::MetricKind::circular: return report::ColumnIs::direction;
        case analysis::MetricKind::nominal: return report::ColumnIs::name;
        case analysis::MetricKind::time: return report::ColumnIs::time;
    }
    return report::ColumnIs::quantity;
}

ColumnShown column_shown(const ColumnNumbers& numbers) {
    const statistics::ColumnStatistics& s = numbers.statistics;
    ColumnShown out{.name = numbers.column.name,
                    .unit = numbers.column.unit,
                    .text = numbers.column.text,
                    .is = column_is(numbers.nature.kind),
                    .over = numbers.over(),
                    .is_parameter = numbers.is_parameter,
                    .count = s.count,
                    .missing = s.missing};
    if (numbers.is_nominal()) {
        out.different = numbers.nominal.different;
        out.most_frequent = known(numbers.nominal.most_frequent);
        out.most_count = numbers.nominal.most_count;
        out.min = out.max = out.most_frequent;
        if (out.different > 1) out.max += 1;  // it varies, by how much means nothing
        return out;
    }
    if (s.cut_off.count > 0) {
        out.cut_off = s.cut_off.count;
        out.cut_off_at = known(s.cut_off.first);
        out.restricted_mean = known(s.cut_off.restricted_mean);
        out.restricted_interval = between(s.cut_off.restricted_interval);
    }
    out.mean = known(s.mean);
    out.deviation = known(s.standard_deviation);
    out.min = known(s.min);
    out.max = known(s.max);
    out.mean_interval = between(s.mean_interval);
    out.deviation_interval = between(s.deviation_interval);
    for (const statistics::Quantile& q : s.quantiles) out.quantiles.push_back({q.probability, known(q.value), between(q.interval)});
    return out;
}

// The values of which a histogram is drawn. A direction is told in the turn around its mean.
ColumnSource drawn_values(const StudyTable& table, std::size_t column, const ColumnShown& shown) {
    if (shown.is != report::ColumnIs::direction) return table.values(column);
    const double middle = std::isnan(shown.mean) ? 0 : shown.mean;
    return [values = statistics::degrees_from(table.values(column), middle), middle](const statistics::BlockReader& read) {
        std::vector<double> kept;
        values([&](std::span<const double> block) {
            kept.assign(block.begin(), block.end());
            for (double& x : kept) x += middle;
            read(kept);
        });
    };
}

// (1) without the logarithm.
Between middle_range(const ColumnShown& column) {
    const double low = column.quantile(0.05), upper = column.quantile(0.95), high = std::isnan(upper) ? column.max : upper;
    const double room = 1.5 * (high - low);
    constexpr double nothing =
        1e-9;  // of the largest value: nearly all runs have the same one, and the few others are what there is to see
    if (!(high - low > nothing * std::max(std::fabs(column.min), std::fabs(column.max)))) return {column.min, column.max};
    return {std::max(column.min, low - room), std::min(column.max, high + room)};
}

// The values of a column that lie in a range.
struct Extent {
    Between range;
    double least = statistics::unbounded, largest = -statistics::unbounded;

    void add(double x) {
        if (!(x >= range.low && x <= range.high)) return;
        least = std::min(least, x);
        largest = std::max(largest, x);
    }
};

// (1), drawn in to the values that lie in it.
Histogram empty_histogram(const ColumnSource& values, const ColumnShown& column) {
    const double q05 = column.quantile(0.05), q95 = column.quantile(0.95), room = std::pow(q95 / q05, 1.5);
    const bool has_decades = q05 > 0 && q95 > 100 * q05;
    Extent plain{.range = middle_range(column)}, decades{.range = {q05 / room, q95 * room}};
    bool is_whole = true;
    values([&](std::span<const double> block) {
        for (const double x : block) {
            is_whole = is_whole && (std::isnan(x) || x == std::floor(x));
            plain.add(x);
            decades.add(x);
        }
    });
    if (is_whole && plain.largest - plain.least < static_cast<double>(most_bins)) {
        const auto bins = static_cast<std::size_t>(plain.largest - plain.least) + 1;  // one for each number
        return {.low = plain.least - 0.5, .high = plain.largest + 0.5, .counts = std::vector<std::uint64_t>(bins, 0)};
    }
    const auto rice = static_cast<std::size_t>(2 * std::cbrt(static_cast<double>(column.count)));  // Rice's rule
    const Extent& shown = has_decades ? decades : plain;
    return {.is_logarithmic = has_decades,
            .low = shown.least,
            .high = shown.largest,
            .counts = std::vector<std::uint64_t>(std::clamp(rice, least_bins, most_bins), 0)};
}

void fill_histogram(const ColumnSource& values, ColumnShown& column) {
    if (!column.varies() || column.is == report::ColumnIs::name) return;
    Histogram h = empty_histogram(values, column);
    const double span = h.is_logarithmic ? std::log(h.high / h.low) : h.high - h.low;
    const auto bins = static_cast<double>(h.counts.size());
    values([&](std::span<const double> block) {
        for (const double x : block) {
            if (std::isnan(x)) continue;
            if (x < h.low) {
                ++h.below;
            } else if (x > h.high) {
                ++h.above;
            } else {
                const double part = (h.is_logarithmic ? std::log(x / h.low) : x - h.low) / span;
                ++h.counts[static_cast<std::size_t>(std::clamp(std::floor(part * bins), 0.0, bins - 1))];
            }
        }
    });
    column.histogram = std::move(h);
}

// Takes those of the wanted rows that lie in the blocks, which come one after another.
template <class Value>
auto picker(const std::vector<std::uint64_t>& rows, std::vector<Value>& out) {
    return [&rows, &out, begin = std::uint64_t{0}](std::span<const Value> block) mutable {
        while (out.size() < rows.size() && rows[out.size()] < begin + block.size()) out.push_back(block[rows[out.size()] - begin]);
        begin += block.size();
    };
}

// The data that the maps share: the sampled runs, and how they ended.
struct Sampled {
    std::vector<std::uint64_t> rows;
    std::vector<std::string> outcomes;
    std::vector<double> successes;
};

const ColumnShown* find(const std::vector<ColumnShown>& columns, const std::string& name) {
    const auto at = std::find_if(columns.begin(), columns.end(), [&](const ColumnShown& column) { return column.name == name; });
    return at == columns.end() ? nullptr : &*at;
}

// Where the points of the looked-at runs lie in the plane of the map; no value where a run has none, or does not count.
struct PlanePoints {
    std::vector<double> x, y;
};

PlanePoints plane_points(const fs::path& table, const Sampled& sampled, const MetricDispersion& of) {
    std::vector<std::vector<double>> parts;
    for (const char* part : {".x", ".y", ".z"}) parts.push_back(picked_numbers(table, of.metric + part, sampled.rows));
    const LandingPlane& plane = of.in_plane->plane;
    PlanePoints out;
    for (std::size_t i = 0; i < sampled.rows.size(); ++i) {
        const bool is_counted = of.runs != analysis::MetricRuns::resting || ended_by(sampled.outcomes[i]) == Ended::rest;
        const Vec3 place{parts[0][i], parts[1][i], parts[2][i]};
        out.x.push_back(is_counted ? plane.along_x(place) : statistics::no_value);
        out.y.push_back(is_counted ? plane.along_y(place) : statistics::no_value);
    }
    return out;
}

void fill_points(const Sampled& sampled, const PlanePoints& points, report::PointMap& map) {
    const std::vector<double>&x = points.x, &y = points.y;
    std::map<std::pair<std::string, bool>, report::PointGroup> groups;
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (!std::isfinite(x[i]) || !std::isfinite(y[i])) continue;
        ++map.drawn;
        if (x[i] < map.x.low || x[i] > map.x.high || y[i] < map.y.low || y[i] > map.y.high) continue;
        const bool is_success = sampled.successes[i] == 1;
        report::PointGroup& group = groups[{sampled.outcomes[i], !is_success}];
        group.outcome = sampled.outcomes[i];
        group.is_success = is_success;
        group.x.push_back(x[i]);
        group.y.push_back(y[i]);
        group.runs.push_back(sampled.rows[i]);
    }
    for (auto& [key, group] : groups) map.groups.push_back(std::move(group));
}

// (1) of one coordinate of the points.
Between middle_range(const std::vector<double>& values) {
    const statistics::ColumnStatistics s = statistics::column_statistics(values);
    ColumnShown as{.count = s.count, .min = s.min, .max = s.max};
    for (const statistics::Quantile& q : s.quantiles) as.quantiles.push_back({.probability = q.probability, .value = q.value});
    return middle_range(as);
}

void fill_ellipse(const statistics::Dispersion& ellipse, report::PointMap& map) {
    map.ellipse_runs = ellipse.count;
    map.probability = ellipse.probability;
    map.mean_x = known(ellipse.mean.x);
    map.mean_y = known(ellipse.mean.y);
    map.fraction_inside = known(ellipse.fraction_inside);
    map.error_probable = known(ellipse.circular_error_probable);
    for (std::size_t i = 0; i < 2; ++i) map.semi_axes[i] = known(ellipse.axes[i].semi_axis);
    map.direction_x = known(ellipse.axes[0].direction.x);
    map.direction_y = known(ellipse.axes[0].direction.y);
}

// The picture grows so that the ellipse is in it, unless the points would become a heap in its middle.
void make_room_for_ellipse(report::PointMap& map) {
    const double most = 2 * std::max(map.x.high - map.x.low, map.y.high - map.y.low);
    const double half_x = std::hypot(map.semi_axes[0] * map.direction_x, map.semi_axes[1] * map.direction_y);
    const double half_y = std::hypot(map.semi_axes[0] * map.direction_y, map.semi_axes[1] * map.direction_x);
    if (!(2 * std::max(half_x, half_y) <= most)) return;
    map.x = {std::min(map.x.low, map.mean_x - half_x), std::max(map.x.high, map.mean_x + half_x)};
    map.y = {std::min(map.y.low, map.mean_y - half_y), std::max(map.y.high, map.mean_y + half_y)};
}

std::vector<report::PointMap> maps_of(const fs::path& table, const CampaignStatistics& results, const std::vector<ColumnShown>& columns) {
    std::vector<report::PointMap> maps;
    Sampled sampled;
    for (const MetricDispersion& of : results.dispersions) {
        const std::string& name = of.metric;
        const ColumnShown *x = find(columns, name + ".x"), *y = find(columns, name + ".y"), *z = find(columns, name + ".z");
        if (x == nullptr || y == nullptr || z == nullptr || !(x->varies() || y->varies() || z->varies())) continue;
        if (!of.in_plane) continue;
        if (sampled.rows.empty()) {
            sampled.rows = sampled_rows(results.runs, most_map_points);
            sampled.outcomes = picked_texts(table, "outcome", sampled.rows);
            sampled.successes = picked_numbers(table, "success", sampled.rows);
        }
        const PlanePoints points = plane_points(table, sampled, of);
        report::PointMap map{.name = name, .unit = x->unit, .x = middle_range(points.x), .y = middle_range(points.y)};
        const double wide = map.x.high - map.x.low, tall = map.y.high - map.y.low, most = std::max(wide, tall);
        if (!std::isfinite(most) || !(most > 0)) continue;
        // points on a line still need a picture with two sides
        if (wide < most / 1000) map.x = {map.x.low - most / 4, map.x.high + most / 4};
        if (tall < most / 1000) map.y = {map.y.low - most / 4, map.y.high + most / 4};
        map.runs = std::min(x->count, y->count);
        if (of.runs == analysis::MetricRuns::resting) map.over = of.over();
        if (of.in_plane->plane.origin != Vec3{}) {  // on the ground of a body
            map.x_name = "east";
            map.y_name = "north";
        }
        fill_ellipse(of.in_plane->ellipse, map);
        make_room_for_ellipse(map);
        fill_points(sampled, points, map);
        maps.push_back(std::move(map));
    }
    return maps;
}

void fill_sensitivities(const Plan& plan, const CampaignStatistics& results, report::CampaignPage& page) {
    for (const RankCorrelation& of : results.correlations) {
        std::vector<std::string>& metrics = page.correlations.metrics;
        if (metrics.empty() || metrics.back() != of.metric) metrics.push_back(of.metric);
        if (metrics.size() == 1) page.correlations.parameters.push_back(of.parameter);
        page.correlations.cells.push_back({known(of.correlation.coefficient), between(of.correlation.interval)});
        page.correlated_runs = std::max(page.correlated_runs, of.correlation.count);
    }
    for (const MetricIndices& metric : results.indices) {
        report::SobolOfMetric of{
            .metric = metric.metric, .base_points = metric.indices.base_points, .left_out = metric.indices.left_out, .parameters = {}};
        for (std::size_t i = 0; i < metric.indices.parameters.size(); ++i) {
            const statistics::SobolIndex& index = metric.indices.parameters[i];
            of.parameters.push_back({plan.parameters[i].name, known(index.first), known(index.total), between(index.first_interval),
                                     between(index.total_interval)});
        }
        page.sobol.push_back(std::move(of));
    }
}

report::AnswerShown answer_shown(const Answer& answer) {
    return {.name = answer.name,
            .text = answer.text,
            .unit = answer.unit,
            .value = known(answer.value),
            .interval = between(answer.interval),
            .runs = answer.runs,
            .over = answer.over,
            .runs_needed = answer.runs_needed,
            .cut_off = answer.cut_off};
}

report::Convergence rate_convergence(const fs::path& table, const std::vector<std::uint64_t>& sizes, double confidence) {
    report::Convergence out{.name = "success rate", .unit = "%"};
    statistics::RunningRate rate;
    batch::read_table_column(table, "success", [&](std::span<const double> block) {
        for (const double success : block) {
            rate.add(success == 1);
            if (out.runs.size() == sizes.size() || rate.count() != sizes[out.runs.size()]) continue;
            const statistics::Interval range = statistics::wilson(rate.successes(), rate.count(), confidence);
            out.runs.push_back(static_cast<double>(rate.count()));
            out.value.push_back(100 * rate.rate());
            out.low.push_back(100 * range.low);
            out.high.push_back(100 * range.high);
        }
    });
    return out;
}

report::Convergence mean_convergence(const ColumnSource& values, const ColumnShown& column, const std::vector<std::uint64_t>& sizes,
                                     double confidence) {
    report::Convergence out{.name = (column.cut_off > 0 ? "restricted mean of " : "mean of ") + column.name, .unit = column.unit};
    statistics::RunningMean mean;
    std::uint64_t run = 0;
    values([&](std::span<const double> block) {
        for (const double value : block) {
            mean.add(value);
            if (out.runs.size() == sizes.size() || ++run != sizes[out.runs.size()]) continue;
            const double half = mean.half_width(confidence);
            out.runs.push_back(static_cast<double>(run));
            out.value.push_back(mean.mean());
            out.low.push_back(mean.mean() - half);
            out.high.push_back(mean.mean() + half);
        }
    });
    return out;
}

std::string asked_text(const scenario::Until& until) {
    std::string text;
    if (until.half_width) text = "± " + until.half_width->text;
    if (until.relative) text += fmt::format("{}± {:g} % of the mean", text.empty() ? "" : " and ", 100 * *until.relative);
    return text;
}

void fill_convergence(const Plan& plan, const StudyTable& table, report::CampaignPage& page) {
    const std::vector<std::uint64_t> sizes = prefix_sizes(page.runs);
    const auto& until = plan.study.until;
    if (page.has_success) {
        page.convergence.push_back(rate_convergence(table.path(), sizes, page.confidence));
        if (until && until->metric == "success") page.convergence.back().asked = asked_text(*until);
    }
    std::vector<std::string> means;
    if (until)
        means.push_back(until->metric);
    else
        for (const DerivedColumn& derived : plan.derived) means.push_back(derived.name);
    for (std::size_t i = 0; i < std::min(means.size(), most_means); ++i) {
        const ColumnShown* column = find(page.columns, means[i]);
        if (column == nullptr || !column->varies()) continue;
        const ColumnSource values = table.comparable(*table.find(means[i]), StudyTable::Cut::earliest);
        page.convergence.push_back(mean_convergence(values, *column, sizes, page.confidence));
        if (until) page.convergence.back().asked = asked_text(*until);
    }
}

std::string design_name(scenario::StudyDesign design) {
    for (const auto& choice : scenario::study_designs)
        if (choice.value == design) return std::string(choice.name);
    return {};
}

void fill_head(const CampaignRequest& request, const Plan& plan, const CampaignStatistics& results, report::CampaignPage& page) {
    page.title = plan.study.name;
    page.description = plan.study.description;
    if (page.description.empty() && plan.scenario) page.description = plan.scenario->description;
    page.facts = {{"asperity", version()},
                  {"study hash", plan.identity()},
                  {"file", request.file},
                  {"design", design_name(plan.study.design)},
                  {"seed", std::to_string(plan.study.seed)},
                  {"parameters", std::to_string(plan.parameters.size())},
                  {"scenario", plan.study.scenario.text}};
    page.confidence = plan.study.confidence;
    page.runs = results.runs;
    page.failed = results.failed;
    page.has_success = !plan.study.success.empty();
    if (page.has_success) {
        page.successes = results.successes;
        page.success_interval = between(results.success_interval);
    }
    page.note = results.note;
    page.outcomes = counted(results.outcomes);
    for (const auto& [name, counts] : results.texts)
        if (!counts.empty()) page.counts.emplace_back(name, counted(counts));
    page.command_before = command_for_run(request, 0);
    page.command_before.pop_back();  // the 0
    page.study = plan.text();
}

void fill_lists(const CampaignStatistics& results, report::CampaignPage& page) {
    for (const MetricOutlier& outlier : results.outliers) {
        const ColumnShown* column = find(page.columns, outlier.metric);
        page.outliers.push_back({.metric = outlier.metric,
                                 .unit = column == nullptr ? "" : column->unit,
                                 .run = outlier.run,
                                 .value = known(outlier.value),
                                 .robust_z = known(outlier.robust_z),
                                 .command = outlier.command});
    }
    for (const FailedRun& failure : results.failures)
        page.failures.push_back({.run = failure.run, .error = failure.error, .command = failure.command});
}

}  // namespace

std::vector<std::uint64_t> sampled_rows(std::uint64_t count, std::uint64_t most) {
    std::vector<std::uint64_t> rows;
    const std::uint64_t wanted = std::min(count, most);
    for (std::uint64_t i = 0; i < wanted; ++i) {
        // counts are below 2^40, so that no product is too large
        const std::uint64_t begin = i * count / wanted, end = (i + 1) * count / wanted;
        rows.push_back(begin + random_bits({}, i) % (end - begin));
    }
    return rows;
}

std::vector<double> picked_numbers(const fs::path& table, const std::string& name, const std::vector<std::uint64_t>& rows) {
    std::vector<double> out;
    batch::read_table_column(table, name, picker<double>(rows, out));
    return out;
}

std::vector<std::string> picked_texts(const fs::path& table, const std::string& name, const std::vector<std::uint64_t>& rows) {
    std::vector<std::string> out;
    batch::read_table_texts(table, name, picker<std::string>(rows, out));
    return out;
}

std::vector<std::uint64_t> prefix_sizes(std::uint64_t count) {
    constexpr double first = 16, steps = 120;
    std::vector<std::uint64_t> sizes;
    if (static_cast<double>(count) <= first) {
        for (std::uint64_t n = 1; n <= count; ++n) sizes.push_back(n);
        return sizes;
    }
    for (double k = 0; k < steps; ++k) {
        const auto size = static_cast<std::uint64_t>(std::llround(first * std::pow(static_cast<double>(count) / first, k / steps)));
        if (size < count && (sizes.empty() || size > sizes.back())) sizes.push_back(size);
    }
    sizes.push_back(count);
    return sizes;
}

report::CampaignPage campaign_page_data(const CampaignRequest& request, const Plan& plan, const StudyTable& table,
                                        const CampaignStatistics& results) {
    report::CampaignPage page;
    fill_head(request, plan, results, page);
    for (const ColumnNumbers& numbers : results.columns) {
        page.columns.push_back(column_shown(numbers));
        fill_histogram(drawn_values(table, numbers.index, page.columns.back()), page.columns.back());
    }
    for (const Answer& answer : results.metrics) page.metrics.push_back(answer_shown(answer));
    for (const Answer& answer : results.answers) page.answers.push_back(answer_shown(answer));
    fill_body(request, plan, table, page);
    fill_responses(plan, table, page);
    page.maps = maps_of(table.path(), results, page.columns);
    fill_sensitivities(plan, results, page);
    fill_convergence(plan, table, page);
    fill_lists(results, page);
    report::use_one_time_unit(page);
    return page;
}

void write_campaign_page(const CampaignRequest& request, const Plan& plan, const StudyTable& table, const CampaignStatistics& results,
                         const fs::path& folder) {
    record::replace_file(folder / "report.html", report::campaign_page_text(campaign_page_data(request, plan, table, results)));
}

}  // namespace asperity::study
