#include "asperity/study/campaign_page_data.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <optional>
#include <utility>

#include "asperity/batch/durable_file.h"
#include "asperity/batch/result_table.h"
#include "asperity/core/errors.h"
#include "asperity/core/random.h"
#include "asperity/statistics/circular.h"
#include "asperity/statistics/statistics.h"
#include "asperity/study/body_page_data.h"
#include "asperity/study/column_reading.h"

namespace asperity::study {
namespace {

using statistics::ColumnSource;

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using report::Between;
using report::ColumnShown;
using report::Histogram;

constexpr std::size_t most_bins = 40, least_bins = 8;
constexpr std::size_t most_means = 3;  // whose convergence is shown where the study watches none

// The most frequent first.
std::vector<report::OutcomeCount> counted(const Json& counts) {
    std::vector<report::OutcomeCount> out;
    for (const auto& [name, count] : counts.items()) out.push_back({name, count.get<std::uint64_t>()});
    std::stable_sort(out.begin(), out.end(),
                     [](const report::OutcomeCount& a, const report::OutcomeCount& b) { return a.count > b.count; });
    return out;
}

double number(const Json& json) { return json.is_number() ? json.get<double>() : statistics::no_value; }

Between interval(const Json& json) {
    Between out;
    if (json.at(0).is_number()) out.low = json.at(0).get<double>();
    if (json.at(1).is_number()) out.high = json.at(1).get<double>();
    return out;
}

report::ColumnIs column_is(const std::string& kind) {
    if (kind == "direction") return report::ColumnIs::direction;
    if (kind == "name") return report::ColumnIs::name;
    return kind == "time" ? report::ColumnIs::time : report::ColumnIs::quantity;
}

ColumnShown column_shown(const batch::Column& column, bool is_parameter, const Json& json) {
    ColumnShown out{.name = column.name,
                    .unit = column.unit,
                    .text = column.text,
                    .is = column_is(json.at("kind").get<std::string>()),
                    .over = json.at("over").get<std::string>(),
                    .is_parameter = is_parameter};
    out.count = json.at("count").get<std::uint64_t>();
    out.missing = json.at("missing").get<std::uint64_t>();
    if (out.is == report::ColumnIs::name) {
        out.different = json.at("different").get<std::uint64_t>();
        out.most_frequent = number(json.at("most_frequent").at("value"));
        out.most_count = json.at("most_frequent").at("count").get<std::uint64_t>();
        out.min = out.max = out.most_frequent;
        if (out.different > 1) out.max += 1;  // it varies, by how much means nothing
        return out;
    }
    if (json.contains("cut_off")) {
        const Json& cut = json.at("cut_off");
        out.cut_off = cut.at("count").get<std::uint64_t>();
        out.cut_off_at = number(cut.at("first"));
        out.restricted_mean = number(cut.at("restricted_mean"));
        out.restricted_interval = interval(cut.at("restricted_mean_interval"));
    }
    out.mean = number(json.at("mean"));
    out.deviation = number(json.at("standard_deviation"));
    out.min = number(json.at("min"));
    out.max = number(json.at("max"));
    out.mean_interval = interval(json.at("mean_interval"));
    out.deviation_interval = interval(json.at("standard_deviation_interval"));
    for (const Json& q : json.at("quantiles"))
        out.quantiles.push_back({number(q.at("probability")), number(q.at("value")), interval(q.at("interval"))});
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

// What of a column lies in a range.
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

// What the maps share: the runs looked at, and how they ended.
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

PlanePoints plane_points(const fs::path& table, const Sampled& sampled, const std::string& name, const Json& plane, bool is_at_rest) {
    std::vector<std::vector<double>> parts;
    for (const char* part : {".x", ".y", ".z"}) parts.push_back(picked_numbers(table, name + part, sampled.rows));
    const auto vector = [&](const char* key) {
        const Json& v = plane.at(key);
        return Vec3{v.at(0).get<double>(), v.at(1).get<double>(), v.at(2).get<double>()};
    };
    const Vec3 origin = vector("origin"), x = vector("x_axis"), y = vector("y_axis");
    PlanePoints out;
    for (std::size_t i = 0; i < sampled.rows.size(); ++i) {
        const bool is_counted = !is_at_rest || ended_by(sampled.outcomes[i]) == Ended::rest;
        const Vec3 place = Vec3{parts[0][i], parts[1][i], parts[2][i]} - origin;
        out.x.push_back(is_counted ? dot(place, x) : statistics::no_value);
        out.y.push_back(is_counted ? dot(place, y) : statistics::no_value);
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

void fill_ellipse(const Json& json, report::PointMap& map) {
    map.ellipse_runs = json.at("count").get<std::uint64_t>();
    map.probability = number(json.at("probability"));
    map.mean_x = number(json.at("mean").at(0));
    map.mean_y = number(json.at("mean").at(1));
    map.fraction_inside = number(json.at("fraction_inside"));
    map.error_probable = number(json.at("error_probable"));
    for (std::size_t i = 0; i < 2; ++i) map.semi_axes[i] = number(json.at("axes").at(i).at("semi_axis"));
    map.direction_x = number(json.at("axes").at(0).at("direction").at(0));
    map.direction_y = number(json.at("axes").at(0).at("direction").at(1));
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

std::vector<report::PointMap> maps_of(const fs::path& table, const Json& summary, const std::vector<ColumnShown>& columns,
                                      std::uint64_t runs) {
    std::vector<report::PointMap> maps;
    Sampled sampled;
    const Json dispersion = summary.value("dispersion", Json::object());
    for (const auto& [name, json] : dispersion.items()) {
        const ColumnShown *x = find(columns, name + ".x"), *y = find(columns, name + ".y"), *z = find(columns, name + ".z");
        if (x == nullptr || y == nullptr || z == nullptr || !(x->varies() || y->varies() || z->varies())) continue;
        if (json.at("plane").is_null()) continue;
        if (sampled.rows.empty()) {
            sampled.rows = sampled_rows(runs, most_map_points);
            sampled.outcomes = picked_texts(table, "outcome", sampled.rows);
            sampled.successes = picked_numbers(table, "success", sampled.rows);
        }
        const bool is_at_rest = json.at("over") == "runs that came to rest";
        const PlanePoints points = plane_points(table, sampled, name, json.at("plane"), is_at_rest);
        report::PointMap map{.name = name, .unit = x->unit, .x = middle_range(points.x), .y = middle_range(points.y)};
        const double wide = map.x.high - map.x.low, tall = map.y.high - map.y.low, most = std::max(wide, tall);
        if (!std::isfinite(most) || !(most > 0)) continue;
        // points on a line still need a picture with two sides
        if (wide < most / 1000) map.x = {map.x.low - most / 4, map.x.high + most / 4};
        if (tall < most / 1000) map.y = {map.y.low - most / 4, map.y.high + most / 4};
        map.runs = std::min(x->count, y->count);
        if (is_at_rest) map.over = json.at("over").get<std::string>();
        const Json& origin = json.at("plane").at("origin");
        if (origin != Json::array({0.0, 0.0, 0.0})) {  // on the ground of a body
            map.x_name = "east";
            map.y_name = "north";
        }
        fill_ellipse(json.at("plane"), map);
        make_room_for_ellipse(map);
        fill_points(sampled, points, map);
        maps.push_back(std::move(map));
    }
    return maps;
}

void fill_sensitivities(const Json& summary, report::CampaignPage& page) {
    const Json correlations = summary.value("rank_correlations", Json::object()), sobol = summary.value("sobol_indices", Json::object());
    for (const auto& [metric, row] : correlations.items()) {
        const bool is_first = page.correlations.metrics.empty();
        page.correlations.metrics.push_back(metric);
        for (const auto& [parameter, cell] : row.items()) {
            if (is_first) page.correlations.parameters.push_back(parameter);
            page.correlations.cells.push_back({number(cell.at("coefficient")), interval(cell.at("interval"))});
            page.correlated_runs = std::max(page.correlated_runs, cell.at("count").get<std::uint64_t>());
        }
    }
    for (const auto& [metric, json] : sobol.items()) {
        report::SobolOfMetric of{.metric = metric,
                                 .base_points = json.at("base_points").get<std::uint64_t>(),
                                 .left_out = json.at("left_out").get<std::uint64_t>(),
                                 .parameters = {}};
        for (const auto& [parameter, index] : json.at("parameters").items())
            of.parameters.push_back({parameter, number(index.at("first")), number(index.at("total")), interval(index.at("first_interval")),
                                     interval(index.at("total_interval"))});
        page.sobol.push_back(std::move(of));
    }
}

void fill_answers(const Json& summary, report::CampaignPage& page) {
    const auto add = [](const std::string& name, const Json& json, std::vector<report::AnswerShown>& out) {
        if (!json.contains("value")) return;
        out.push_back({.name = name,
                       .text = json.at("text").get<std::string>(),
                       .unit = json.at("unit").get<std::string>(),
                       .value = number(json.at("value")),
                       .interval = interval(json.at("interval")),
                       .runs = json.at("runs").get<std::uint64_t>(),
                       .over = json.at("over").get<std::string>(),
                       .runs_needed = json.value("runs_needed", std::uint64_t{0}),
                       .cut_off = json.value("cut_off", std::uint64_t{0})});
    };
    const Json metrics = summary.value("metrics", Json::object()), design = summary.value("design", Json::object());
    for (const auto& [name, json] : metrics.items()) add(name, json, page.metrics);
    for (const auto& [name, json] : design.items()) add(name, json, page.answers);
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

void fill_head(const CampaignRequest& request, const Plan& plan, const Json& summary, report::CampaignPage& page) {
    page.title = plan.study.name;
    page.description = plan.study.description;
    if (page.description.empty() && plan.scenario) page.description = plan.scenario->description;
    page.facts = {{"asperity", summary.at("asperity").get<std::string>()},
                  {"study hash", summary.at("study").at("hash").get<std::string>()},
                  {"file", summary.at("study").at("file").get<std::string>()},
                  {"design", design_name(plan.study.design)},
                  {"seed", std::to_string(plan.study.seed)},
                  {"parameters", std::to_string(plan.parameters.size())},
                  {"scenario", plan.study.scenario}};
    page.confidence = plan.study.confidence;
    page.runs = summary.at("runs").get<std::uint64_t>();
    page.failed = summary.at("failed").get<std::uint64_t>();
    page.has_success = !plan.study.success.empty();
    if (page.has_success) {
        page.successes = summary.at("success").at("count").get<std::uint64_t>();
        page.success_interval = interval(summary.at("success").at("interval"));
    }
    page.note = summary.value("note", "");
    page.outcomes = counted(summary.at("outcomes"));
    if (summary.contains("counts"))
        for (const auto& [name, counts] : summary.at("counts").items())
            if (!counts.empty()) page.counts.emplace_back(name, counted(counts));
    page.command_before = command_for_run(request, 0);
    page.command_before.pop_back();  // the 0
    page.study = plan.text();
}

void fill_lists(const Json& summary, report::CampaignPage& page) {
    for (const Json& json : summary.at("outliers")) {
        const auto metric = json.at("metric").get<std::string>();
        const ColumnShown* column = find(page.columns, metric);
        page.outliers.push_back({.metric = metric,
                                 .unit = column == nullptr ? "" : column->unit,
                                 .run = json.at("run").get<std::uint64_t>(),
                                 .value = number(json.at("value")),
                                 .robust_z = number(json.at("robust_z")),
                                 .command = json.at("command").get<std::string>()});
    }
    for (const Json& json : summary.at("failures"))
        page.failures.push_back({.run = json.at("run").get<std::uint64_t>(),
                                 .error = json.at("error").get<std::string>(),
                                 .command = json.at("command").get<std::string>()});
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

report::CampaignPage campaign_page_data(const CampaignRequest& request, const Plan& plan, const fs::path& folder) {
    const StudyTable study_table(plan, folder / "table.h5");
    const fs::path& table = study_table.path();
    std::ifstream in(folder / "summary.json");
    const Json summary = Json::parse(in, nullptr, false);
    if (!summary.is_object()) throw InputError(fmt::format("{} is not the summary of a study", (folder / "summary.json").string()), "");
    report::CampaignPage page;
    fill_head(request, plan, summary, page);
    for (std::size_t i = 0; i < plan.columns.size(); ++i) {
        const bool is_parameter = i < plan.parameters.size();
        const batch::Column& column = plan.columns[i];
        page.columns.push_back(column_shown(column, is_parameter, summary.at(is_parameter ? "parameters" : "metrics").at(column.name)));
        fill_histogram(drawn_values(study_table, i, page.columns.back()), page.columns.back());
    }
    fill_answers(summary, page);
    fill_body(request, plan, study_table, page);
    fill_responses(plan, study_table, page);
    page.maps = maps_of(table, summary, page.columns, page.runs);
    fill_sensitivities(summary, page);
    fill_convergence(plan, study_table, page);
    fill_lists(summary, page);
    report::use_one_time_unit(page);
    return page;
}

void write_campaign_page(const CampaignRequest& request, const Plan& plan, const fs::path& folder) {
    batch::PartName part(folder / "report.html");
    {
        batch::DurableFile file = batch::DurableFile::create(part.name());
        file.write(0, report::campaign_page_text(campaign_page_data(request, plan, folder)));
        file.sync();
    }
    part.put_in_place();
}

}  // namespace asperity::study
