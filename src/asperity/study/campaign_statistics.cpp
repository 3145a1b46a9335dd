#include "asperity/study/campaign_statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "asperity/scenario/compile.h"
#include "asperity/scenario/ground.h"
#include "asperity/scenario/roles.h"

namespace asperity::study {
namespace {

using statistics::ColumnSource;

constexpr std::size_t most_ranked = 1 << 15;  // rows that rank correlations look at: intervals of +-0.011, and memory that stays flat
constexpr std::size_t most_failures_told = 20;
constexpr double ellipse_probability = 0.95;
constexpr const char* resting_runs = "runs that came to rest";

std::vector<double> leading_values(const ColumnSource& source, std::size_t most) {
    std::vector<double> values;
    source([&](std::span<const double> block) {
        const std::size_t count = std::min(block.size(), most - values.size());
        values.insert(values.end(), block.begin(), block.begin() + static_cast<std::ptrdiff_t>(count));
    });
    return values;
}

Nominal nominal_of(const ColumnSource& source) {
    std::map<double, std::uint64_t> counts;
    source([&](std::span<const double> block) {
        for (const double x : block)
            if (!std::isnan(x)) ++counts[x];
    });
    Nominal out{.different = counts.size()};
    for (const auto& [value, count] : counts)
        if (count > out.most_count) {
            out.most_count = count;
            out.most_frequent = value;
        }
    return out;
}

std::vector<ColumnNumbers> columns_of(const Plan& plan, const StudyTable& table) {
    std::vector<ColumnNumbers> out;
    for (std::size_t i = 0; i < plan.columns.size(); ++i) {
        out.push_back({.column = plan.columns[i],
                       .index = i,
                       .is_parameter = i < plan.parameters.size(),
                       .nature = nature_of(plan, i),
                       .statistics = table.statistics(i)});
        if (out.back().is_nominal()) out.back().nominal = nominal_of(table.values(i));
    }
    return out;
}

// How often each text stands in a column; runs without one do not count.
TextCounts counts_of(const StudyTable& table, const std::string& column) {
    TextCounts counts;
    batch::read_table_texts(table.path(), column, [&](std::span<const std::string> block) {
        for (const std::string& text : block)
            if (!text.empty()) ++counts[text];
    });
    return counts;
}

// How the runs ended.
void fill_ends(const CampaignRequest& request, const Plan& plan, const StudyTable& table, CampaignStatistics& out) {
    out.runs = table.ends().size();
    out.moving = table.moving();
    out.outcomes = counts_of(table, "outcome");
    for (const batch::Column& column : plan.text_columns) out.texts.emplace_back(column.name, counts_of(table, column.name));
    batch::read_table_column(table.path(), "success", [&](std::span<const double> block) {
        for (const double success : block) out.successes += success == 1 ? 1 : 0;
    });
    out.success_interval = statistics::wilson(out.successes, out.runs, plan.study.confidence);
    std::uint64_t run = 0;
    batch::read_table_texts(table.path(), "error", [&](std::span<const std::string> block) {
        for (const std::string& error : block) {
            if (!error.empty()) {
                ++out.failed;
                if (out.failures.size() < most_failures_told)
                    out.failures.push_back({.run = run, .error = error, .command = command_for_run(request, run)});
            }
            ++run;
        }
    });
}

// Some runs were not at their end.
std::string moving_note(const Plan& plan, const CampaignStatistics& of) {
    if (of.moving == 0) return {};
    const bool has_times =
        std::any_of(of.columns.begin(), of.columns.end(), [](const ColumnNumbers& n) { return n.statistics.cut_off.count > 0; });
    const bool has_ground = plan.scenario && scenario::roles_of(*plan.scenario).has_ground();
    if (!has_ground && !has_times) return {};  // without ground bodies run to their end time by design
    return fmt::format("{} of {} runs were still moving at their end time: what they had not done by then counts as later, not as never",
                       of.moving, of.runs);
}

// Of the whole study, where it says what a success is.
void fill_answers(const Plan& plan, const StudyTable& table, CampaignStatistics& out) {
    if (plan.study.success.empty()) return;
    StudyColumns columns;
    table.raw("success")([&](std::span<const double> block) {
        for (const double success : block) columns.success.push_back(success == 1);
    });
    columns.values = [&](const std::string& name) -> std::optional<ColumnSource> {
        const auto column = table.find(name);
        return column ? std::optional(table.values(*column)) : std::nullopt;
    };
    columns.times = [&](const std::string& name) -> std::optional<statistics::TimeColumn> {
        const auto column = table.find(name);
        return column ? std::optional(of_successes(table.times(*column), columns.success, table.ends())) : std::nullopt;
    };
    out.metrics = batch_metrics(columns, plan.study.confidence);
    out.answers = design_answers(columns, plan.study.confidence);
}

std::vector<RankCorrelation> correlations_of(const Plan& plan, const StudyTable& table, const std::vector<ColumnNumbers>& all) {
    std::vector<RankCorrelation> out;
    std::vector<std::vector<double>> parameters;
    for (const Parameter& parameter : plan.parameters) parameters.push_back(leading_values(table.raw(parameter.name), most_ranked));
    for (const ColumnNumbers& metric : all) {
        if (metric.is_parameter || metric.is_nominal()) continue;
        const std::vector<double> values = leading_values(table.comparable(metric.index, StudyTable::Cut::infinite), most_ranked);
        for (std::size_t i = 0; i < parameters.size(); ++i)
            out.push_back(
                {metric.column.name, plan.parameters[i].name, statistics::spearman(parameters[i], values, plan.study.confidence)});
    }
    return out;
}

std::vector<MetricIndices> indices_of(const Plan& plan, const StudyTable& table, const std::vector<ColumnNumbers>& all) {
    std::vector<MetricIndices> out;
    if (plan.design.spec().kind != statistics::DesignKind::sobol_indices) return out;
    for (const ColumnNumbers& metric : all) {
        if (metric.is_parameter || metric.is_nominal()) continue;
        const ColumnSource values = table.comparable(metric.index, StudyTable::Cut::earliest);
        out.push_back({metric.column.name, statistics::sobol_indices(values, plan.design.spec().axes, plan.study.confidence)});
    }
    return out;
}

// The points of a vector metric, of the runs that count.
std::vector<Vec3> metric_points(const Plan& plan, const StudyTable& table, std::size_t first) {
    std::vector<std::vector<double>> parts;
    for (std::size_t i = 0; i < 3; ++i) parts.push_back(leading_values(table.values(plan.parameters.size() + first + i), most_ranked));
    std::vector<Vec3> points;
    for (std::size_t i = 0; i < parts[0].size(); ++i) {
        const Vec3 point{parts[0][i], parts[1][i], parts[2][i]};
        if (is_finite(point)) points.push_back(point);
    }
    return points;
}

// Where landers rest is measured on the ground; any other vector in the plane of x and y.
std::optional<LandingPlane> plane_of(const Plan& plan, const MetricColumn& metric, const batch::Column& column,
                                     std::span<const Vec3> points) {
    const bool is_place_at_rest = metric.runs == analysis::MetricRuns::resting && column.unit == "m";
    if (!is_place_at_rest || !plan.scenario) return LandingPlane{};
    if (!scenario::roles_of(*plan.scenario).has_attraction()) return level_plane(plan.scenario->gravity.uniform.value_or(Vec3{}));
    const double scale = scenario::ground_scale(*plan.scenario);
    if (plan.varies_world) return plane_on_body(geometry::scaled(scenario::load_assets(*plan.scenario).surface, scale), points);
    return plane_on_body(scale == 1 ? plan.assets.surface : geometry::scaled(plan.assets.surface, scale), points);
}

std::vector<MetricDispersion> dispersions_of(const Plan& plan, const StudyTable& table) {
    std::vector<MetricDispersion> out;
    for (std::size_t i = 0; i < plan.metrics.size(); ++i) {
        const MetricColumn& metric = plan.metrics[i];
        if (metric.part != MetricColumn::Part::x) continue;
        const std::vector<Vec3> points = metric_points(plan, table, i);
        std::array<std::vector<double>, 3> parts;
        for (const Vec3& p : points) {
            parts[0].push_back(p.x);
            parts[1].push_back(p.y);
            parts[2].push_back(p.z);
        }
        MetricDispersion of{.metric = metric.metric,
                            .runs = metric.runs,
                            .ellipsoid = statistics::dispersion(parts[0], parts[1], parts[2], ellipse_probability)};
        if (const std::optional<LandingPlane> plane = plane_of(plan, metric, plan.columns[plan.parameters.size() + i], points)) {
            std::vector<double> x, y;
            for (const Vec3& p : points) {
                x.push_back(plane->along_x(p));
                y.push_back(plane->along_y(p));
            }
            of.in_plane = {*plane, statistics::dispersion(x, y, ellipse_probability)};
        }
        out.push_back(std::move(of));
    }
    return out;
}

std::vector<MetricOutlier> outliers_of(const CampaignRequest& request, const StudyTable& table, const std::vector<ColumnNumbers>& all) {
    std::vector<MetricOutlier> out;
    for (const ColumnNumbers& metric : all) {
        if (metric.is_parameter || metric.is_nominal()) continue;
        const bool is_circular = metric.nature.kind == analysis::MetricKind::circular;
        const ColumnSource values = is_circular ? table.comparable(metric.index, StudyTable::Cut::infinite) : table.values(metric.index);
        const double from = is_circular && !std::isnan(metric.statistics.mean) ? metric.statistics.mean : 0;
        for (const statistics::Outlier& outlier : statistics::outliers(values, {.threshold = 3.5, .most = 3}).largest)
            out.push_back({.metric = metric.column.name,
                           .run = outlier.row,
                           .value = from == 0 ? outlier.value : std::remainder(outlier.value + from, 360.0),
                           .robust_z = outlier.robust_z,
                           .command = command_for_run(request, outlier.row)});
    }
    return out;
}

}  // namespace

std::string ColumnNumbers::over() const {
    if (nature.runs == analysis::MetricRuns::resting) return resting_runs;
    return statistics.missing > 0 ? "runs that have it" : "all runs";
}

std::string MetricDispersion::over() const { return runs == analysis::MetricRuns::resting ? resting_runs : "all runs"; }

CampaignStatistics campaign_statistics(const CampaignRequest& request, const Plan& plan, const StudyTable& table) {
    CampaignStatistics out;
    fill_ends(request, plan, table, out);
    out.columns = columns_of(plan, table);
    out.note = moving_note(plan, out);
    fill_answers(plan, table, out);
    out.correlations = correlations_of(plan, table, out.columns);
    out.indices = indices_of(plan, table, out.columns);
    out.dispersions = dispersions_of(plan, table);
    out.outliers = outliers_of(request, table, out.columns);
    return out;
}

}  // namespace asperity::study
