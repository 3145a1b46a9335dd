#include "asperity/report/campaign_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "asperity/report/html.h"

namespace asperity::report {
namespace {

constexpr std::size_t outcome_colours = 6;  // --o0 ... of the style
constexpr double whole_turn = 6.283185307179586;

double bin_edge(const Histogram& histogram, std::size_t i) {
    const double part = static_cast<double>(i) / static_cast<double>(histogram.counts.size());
    if (histogram.is_logarithmic) return histogram.low * std::pow(histogram.high / histogram.low, part);
    return histogram.low + part * (histogram.high - histogram.low);
}

// Dots, or crosses where they are no successes: those come last, since they are the ones to look at.
void add_groups(const PointMap& map, const std::vector<OutcomeCount>& outcomes, Figure& figure) {
    for (const bool is_success : {true, false})
        for (const PointGroup& group : map.groups)
            if (group.is_success == is_success)
                figure.layers.push_back({.kind = is_success ? "dots" : "crosses",
                                         .name = group.outcome + (is_success ? "" : ", no success"),
                                         .colour = map_colour(map, group.outcome, group.is_success, outcomes),
                                         .x = group.x,
                                         .y = group.y,
                                         .runs = group.runs});
}

// An ellipse about a point with semi-axes a and b, the first along a direction.
Layer ellipse(std::string name, double x, double y, double a, double b, double along_x, double along_y) {
    Layer layer{.kind = "outline", .name = std::move(name), .colour = "--text"};
    constexpr int corners = 96;
    for (int k = 0; k < corners; ++k) {
        const double s = a * std::cos(whole_turn * k / corners), t = b * std::sin(whole_turn * k / corners);
        layer.x.push_back(x + s * along_x - t * along_y);
        layer.y.push_back(y + s * along_y + t * along_x);
    }
    return layer;
}

void add_box(Layer& layer, const PatchShown& p, double shift) {
    layer.x.push_back(p.west + shift), layer.x2.push_back(p.east + shift);
    layer.y.push_back(p.south), layer.y2.push_back(p.north);
}

}  // namespace

std::string outcome_colour(const std::vector<OutcomeCount>& outcomes, std::string_view name) {
    if (name == "failed" || name == "stalled" || name == "non_finite" || name == "overlap") return "--bad";
    std::size_t place = 0;
    for (const OutcomeCount& outcome : outcomes) {
        if (outcome.name == name) return fmt::format("--o{}", place % outcome_colours);
        ++place;
    }
    return "--unknown";
}

std::string map_colour(const PointMap& map, const std::string& outcome, bool is_success, const std::vector<OutcomeCount>& outcomes) {
    for (const PointGroup& other : map.groups)
        if (!is_success && other.is_success && other.outcome == outcome) return "--bad";
    return outcome_colour(outcomes, outcome);
}

Figure histogram_figure(const ColumnShown& column) {
    const Histogram& h = column.histogram;
    Figure figure{.title = column.name, .x = {.unit = column.unit, .is_logarithmic = h.is_logarithmic}, .y = {.name = "runs", .unit = "%"}};
    const double low = column.quantile(0.05), high = column.quantile(0.95);
    if (high > low)
        figure.layers.push_back({.kind = "span", .name = "5 % to 95 %", .colour = "--accent", .x = {low, high}, .opacity = 0.13});
    Layer bars{.kind = "bars", .name = "runs", .colour = "--c0"};
    for (std::size_t i = 0; i < h.counts.size(); ++i) {
        if (h.counts[i] == 0) continue;
        bars.x.push_back(bin_edge(h, i)), bars.x2.push_back(bin_edge(h, i + 1));
        bars.y.push_back(0), bars.y2.push_back(100 * static_cast<double>(h.counts[i]) / static_cast<double>(column.count));
        bars.texts.push_back(fmt::format("{} runs", h.counts[i]));
    }
    figure.layers.push_back(std::move(bars));
    figure.layers.push_back({.kind = "upright", .name = "median", .colour = "--text", .x = {column.quantile(0.5)}});
    figure.layers.push_back({.kind = "upright", .name = "mean", .colour = "--c1", .x = {column.mean}, .is_dashed = true});
    if (column.cut_off > 0) {
        figure.layers.push_back(
            {.kind = "upright", .name = "first cut off", .colour = "--bad", .x = {column.cut_off_at}, .is_dashed = true});
        figure.note = fmt::format("{} {} cut off before, the first at {} {}. ", column.cut_off,
                                  column.cut_off == 1 ? "run was" : "runs were", number_text(column.cut_off_at, 4), column.unit);
    }
    if (h.below > 0) figure.note += fmt::format("{} runs lie further left. ", h.below);
    if (h.above > 0) figure.note += fmt::format("{} runs lie further right.", h.above);
    return figure;
}

Figure map_figure(const PointMap& map, const std::vector<OutcomeCount>& outcomes) {
    const double room_x = 0.03 * (map.x.high - map.x.low), room_y = 0.03 * (map.y.high - map.y.low);
    Figure figure{.title = "Points of " + map.name,
                  .x = {.name = map.x_name, .unit = map.unit, .low = map.x.low - room_x, .high = map.x.high + room_x},
                  .y = {.name = map.y_name, .unit = map.unit, .low = map.y.low - room_y, .high = map.y.high + room_y},
                  .has_equal_scales = true,
                  .is_wide = true};
    add_groups(map, outcomes, figure);
    if (!std::isfinite(map.mean_x) || !std::isfinite(map.mean_y)) return figure;
    if (std::isfinite(map.semi_axes[0]) && std::isfinite(map.semi_axes[1]))
        figure.layers.push_back(ellipse(fmt::format("{} % ellipse", number_text(100 * map.probability, 4)), map.mean_x, map.mean_y,
                                        map.semi_axes[0], map.semi_axes[1], map.direction_x, map.direction_y));
    if (std::isfinite(map.error_probable)) {
        figure.layers.push_back(ellipse("circular error probable", map.mean_x, map.mean_y, map.error_probable, map.error_probable, 1, 0));
        figure.layers.back().is_dashed = true;
    }
    figure.layers.push_back({.kind = "texts", .colour = "--text", .x = {map.mean_x}, .y = {map.mean_y}, .texts = {"+"}});
    return figure;
}

Figure convergence_figure(const Convergence& c) {
    return {.title = c.name,
            .x = {.name = "runs", .is_logarithmic = true},
            .y = {.unit = c.unit},
            .layers = {{.kind = "area", .name = "interval", .colour = "--accent", .x = c.runs, .y = c.low, .y2 = c.high, .opacity = 0.2},
                       {.kind = "line", .name = "estimate", .colour = "--accent", .x = c.runs, .y = c.value}}};
}

Figure sobol_figure(const SobolOfMetric& sobol) {
    Figure figure{.title = sobol.metric, .x = {.name = "part of the variance"}};
    Layer names{.kind = "labels", .colour = "--text"}, bars[2], ends[2];
    for (int k : {0, 1}) {
        bars[k] = {.kind = "bars", .name = k == 0 ? "first order" : "total", .colour = k == 0 ? "--c0" : "--c1"};
        ends[k] = {.kind = "whiskers across", .colour = "--text"};
    }
    auto row = static_cast<double>(sobol.parameters.size());
    figure.y = {.low = 0, .high = row};
    for (const SobolShown& s : sobol.parameters) {
        row -= 1;
        names.x.push_back(0), names.y.push_back(row + 0.65);
        names.texts.push_back(fmt::format("{}: {} · {}", s.parameter, number_text(s.first, 3), number_text(s.total, 3)));
        for (int k : {0, 1}) {
            const double value = k == 0 ? s.first : s.total, bottom = row + (k == 0 ? 0.38 : 0.1);
            const Between& interval = k == 0 ? s.first_interval : s.total_interval;
            bars[k].x.push_back(0), bars[k].x2.push_back(value), bars[k].y.push_back(bottom), bars[k].y2.push_back(bottom + 0.25);
            ends[k].x.push_back(interval.low), ends[k].x2.push_back(interval.high), ends[k].y.push_back(bottom + 0.125);
        }
    }
    figure.layers = {bars[0], bars[1], ends[0], ends[1], names};
    return figure;
}

Figure places_figure(const BodyPage& body, const std::vector<OutcomeCount>& outcomes) {
    Figure figure{.title = "Stops by longitude and latitude",
                  .x = {.name = "longitude east of x", .unit = "°", .low = -180, .high = 180},
                  .y = {.name = "latitude", .unit = "°", .low = -90, .high = 90},
                  .has_equal_scales = true,
                  .is_wide = true};
    figure.layers.push_back({.kind = "terrain", .name = "distance from the centre"});
    Layer cells{.kind = "bars", .name = "share of all runs", .colour = "--accent"};
    double most = 0;
    for (const RestCell& cell : body.cells) most = std::max(most, cell.probability);
    for (const RestCell& cell : body.cells) {
        if (cell.count == 0) continue;
        add_box(cells, cell.border, 0);
        cells.value.push_back(0.08 + 0.42 * cell.probability / most);
        cells.texts.push_back(fmt::format("{} runs: {} % ({} … {} %)", cell.count, number_text(100 * cell.probability, 3),
                                          number_text(100 * cell.interval.low, 3), number_text(100 * cell.interval.high, 3)));
    }
    Layer patches{.kind = "bars", .name = "patches", .colour = "--text", .is_dashed = true};
    for (std::size_t i = 0; i < body.patches.size(); ++i)
        for (const double shift : {-360.0, 0.0, 360.0}) {
            const PatchShown& p = body.patches[i];
            if (p.east + shift < -180 || p.west + shift > 180) continue;
            add_box(patches, p, shift);
            patches.value.push_back(0);
            patches.texts.push_back(fmt::format("patch {}", i + 1));
        }
    for (Layer* layer : {&cells, &patches})
        if (!layer->x.empty()) figure.layers.push_back(std::move(*layer));
    add_groups(body.places, outcomes, figure);
    return figure;
}

Figure times_figure(const PointMap& times, const std::vector<OutcomeCount>& outcomes) {
    Figure figure{.title = "Stop time against first impact",
                  .x = {.name = "first impact", .unit = times.unit},
                  .y = {.name = "stop", .unit = times.unit}};
    add_groups(times, outcomes, figure);
    return figure;
}

Figure response_figure(const ResponseShown& r, double wanted) {
    Figure figure{.title = fmt::format("{} against {}", r.name, r.parameter),
                  .x = {.name = r.parameter, .unit = r.parameter_unit},
                  .y = {.unit = r.unit},
                  .layers = {{.kind = "whiskers", .colour = "--accent", .x = r.x, .y = r.low, .y2 = r.high},
                             {.kind = "line", .name = r.name, .colour = "--accent", .x = r.x, .y = r.value}}};
    if (std::isfinite(wanted))
        figure.layers.push_back({.kind = "across", .name = "wanted", .colour = "--c1", .y = {wanted}, .is_dashed = true});
    return figure;
}

}  // namespace asperity::report
