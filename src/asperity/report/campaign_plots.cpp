#include "asperity/report/campaign_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "asperity/core/units.h"
#include "asperity/report/html.h"
#include "asperity/report/plot_frame.h"

namespace asperity::report {
namespace {

constexpr std::size_t outcome_colours = 6;  // --o0 ... of the style

std::string upright(const PlotFrame& frame, std::string_view kind, double value) {
    if (!std::isfinite(value) || (frame.x.is_logarithmic && !(value > 0)) || !frame.x.holds(value)) return {};
    return fmt::format("<line class=\"{0}\" x1=\"{1:.1f}\" x2=\"{1:.1f}\" y1=\"{2:.1f}\" y2=\"{3:.1f}\"/>", kind, frame.x.at(value),
                       frame.y.begin, frame.y.end);
}

double bin_edge(const Histogram& histogram, std::size_t i) {
    const double part = static_cast<double>(i) / static_cast<double>(histogram.counts.size());
    if (histogram.is_logarithmic) return histogram.low * std::pow(histogram.high / histogram.low, part);
    return histogram.low + part * (histogram.high - histogram.low);
}

std::string bars(const ColumnShown& column, const PlotFrame& frame) {
    const Histogram& h = column.histogram;
    std::string out;
    for (std::size_t i = 0; i < h.counts.size(); ++i) {
        if (h.counts[i] == 0) continue;
        const double low = bin_edge(h, i), high = bin_edge(h, i + 1);
        const double left = frame.x.at(low), right = frame.x.at(high);
        const double top = frame.y.at(100 * static_cast<double>(h.counts[i]) / static_cast<double>(column.count));
        out += fmt::format(
            "<rect class=\"bar\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"><title>{} … {}: {} runs</title></rect>", left,
            top, std::max(right - left - 0.7, 0.5), frame.y.begin - top, number_text(low, 4), number_text(high, 4), h.counts[i]);
    }
    return out;
}

// Equal scales on both axes: the range that is too short for the picture is widened about its middle.
PlotFrame map_frame(const PointMap& map) {
    constexpr double left = 62, top = 22, width = 480;
    const double wide = map.x.high - map.x.low, tall = map.y.high - map.y.low;
    const double height = width * std::clamp(tall / wide, 0.5, 1.0);
    const double scale = 1.06 * std::max(wide / width, tall / height);  // of a pixel
    const double x = map.x.low + wide / 2, y = map.y.low + tall / 2;
    return {.x = {.low = x - scale * width / 2, .high = x + scale * width / 2, .begin = left, .end = left + width},
            .y = {.low = y - scale * height / 2, .high = y + scale * height / 2, .begin = top + height, .end = top}};
}

std::string ellipse(const PointMap& map, const PlotFrame& frame) {
    if (!std::isfinite(map.mean_x) || !std::isfinite(map.mean_y)) return {};
    const double per_unit = (frame.x.end - frame.x.begin) / (frame.x.high - frame.x.low);
    const double x = frame.x.at(map.mean_x), y = frame.y.at(map.mean_y);
    std::string out;
    if (std::isfinite(map.semi_axes[0]) && std::isfinite(map.semi_axes[1]))
        out += fmt::format("<ellipse class=\"ellipse\" rx=\"{:.1f}\" ry=\"{:.1f}\" transform=\"translate({:.1f} {:.1f}) rotate({:.2f})\"/>",
                           per_unit * map.semi_axes[0], per_unit * map.semi_axes[1], x, y,
                           -degrees * std::atan2(map.direction_y, map.direction_x));
    if (std::isfinite(map.error_probable))
        out += fmt::format("<circle class=\"probable\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\"/>", x, y, per_unit * map.error_probable);
    return out + fmt::format("<path class=\"mean\" d=\"M{0:.1f} {1:.1f}m-9 0h18m-9-9v18\"/>", x, y);
}

// A bar of a round length in the corner.
std::string scale_bar(const PlotFrame& frame, std::string_view unit) {
    const double step = ticks(frame.x.low, frame.x.high, 5).step;
    const double right = frame.x.end - 12, left = right - step * (frame.x.end - frame.x.begin) / (frame.x.high - frame.x.low);
    const double y = frame.y.begin - 12;
    return fmt::format(
        "<g class=\"scale\"><path d=\"M{0:.1f} {2:.1f}v-6m0 3H{1:.1f}m0-3v6\"/><text x=\"{3:.1f}\" y=\"{4:.1f}\" "
        "text-anchor=\"middle\">{5} {6}</text></g>",
        left, right, y, (left + right) / 2, y - 8, number_text(step, 3), escaped(unit));
}

std::string index_text(double value) {
    if (!std::isfinite(value)) return "–";
    const std::string text = fmt::format("{:.3f}", std::fabs(value));
    return value < 0 && text != "0.000" ? "−" + text : text;
}

std::string whisker(const PlotAxis& x, const Between& interval, double y) {
    if (!std::isfinite(interval.low) || !std::isfinite(interval.high)) return {};
    return fmt::format("<path class=\"whisker\" d=\"M{0:.1f} {2:.1f}v6m0-3H{1:.1f}m0-3v6\"/>", x.clamped(interval.low),
                       x.clamped(interval.high), y - 3);
}

std::string index_bar(const PlotAxis& x, double value, const Between& interval, double y, std::string_view kind) {
    if (!std::isfinite(value)) return {};
    const double zero = x.at(0), end = x.clamped(value);
    return fmt::format("<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"8\"/>", kind, std::min(zero, end), y,
                       std::max(std::fabs(end - zero), 0.5)) +
           whisker(x, interval, y + 4);
}

}  // namespace

std::string interval_text(const Between& interval, int digits) {
    const bool has_low = std::isfinite(interval.low), has_high = std::isfinite(interval.high);
    if (has_low && has_high) return fmt::format("{} … {}", number_text(interval.low, digits), number_text(interval.high, digits));
    if (has_low) return fmt::format("at least {}", number_text(interval.low, digits));
    return has_high ? fmt::format("at most {}", number_text(interval.high, digits)) : "too few runs to say";
}

std::string number_text(double value, int digits) {
    if (std::isnan(value)) return "–";
    if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
    std::string text = fmt::format("{:.{}g}", value, digits);
    const double size = std::fabs(value);
    if (size >= 1e7 || (size > 0 && size < 1e-3)) {
        text = fmt::format("{:.{}e}", value, digits - 1);
        const std::size_t e = text.find('e');
        std::string head = text.substr(0, e);
        if (head.find('.') != std::string::npos) head.erase(head.find_last_not_of('0') + 1);
        if (head.back() == '.') head.pop_back();
        text = fmt::format("{}e{}", head, std::stoi(text.substr(e + 1)));
    } else if (text.find('e') != std::string::npos) {
        text = fmt::format("{:.0f}", std::stod(text));  // not so long that one would have to count its digits
    }
    for (std::size_t at = text.find('-'); at != std::string::npos; at = text.find('-', at + 1)) text.replace(at, 1, "−");
    return text;
}

Ticks ticks(double low, double high, int count) {
    Ticks out;
    const double raw = (high - low) / count;
    if (!(raw > 0) || !std::isfinite(raw)) return out;
    const double power = std::pow(10, std::floor(std::log10(raw)));
    for (const double factor : {10.0, 5.0, 2.0, 1.0})
        if (factor * power >= raw * 0.999) out.step = factor * power;
    const double first = std::ceil(low / out.step - 1e-9);
    for (double k = first; k * out.step <= high + out.step * 1e-9 && k < first + 100; ++k) out.values.push_back(k * out.step);
    return out;
}

std::string outcome_colour(const std::vector<OutcomeCount>& outcomes, std::string_view name) {
    if (name == "failed" || name == "stalled" || name == "non_finite" || name == "overlap") return "--bad";
    std::size_t place = 0;
    for (const OutcomeCount& outcome : outcomes) {
        if (outcome.name == name) return fmt::format("--o{}", place % outcome_colours);
        ++place;
    }
    return "--unknown";
}

std::string map_colour(const PointMap& map, const PointGroup& group, const std::vector<OutcomeCount>& outcomes) {
    for (const PointGroup& other : map.groups)
        if (!group.is_success && other.is_success && other.outcome == group.outcome) return "--bad";
    return outcome_colour(outcomes, group.outcome);
}

std::string histogram_svg(const ColumnShown& column) {
    constexpr double width = 340, height = 156;
    const Histogram& h = column.histogram;
    std::uint64_t most = 1;
    for (const std::uint64_t count : h.counts) most = std::max(most, count);
    const double share = 100 * static_cast<double>(most) / static_cast<double>(std::max<std::uint64_t>(column.count, 1));
    const PlotFrame frame{.x = {.low = h.low, .high = h.high, .begin = 44, .end = width - 10, .is_logarithmic = h.is_logarithmic},
                          .y = {.low = 0, .high = 1.08 * share, .begin = height - 24, .end = 18}};
    std::string out = opened_svg("histogram", width, height, "histogram of " + column.name);
    const auto [across, power] = frame.axis(true, h.is_logarithmic ? 5 : 4);
    out += across + frame.axis(false, 3).first + frame.above(false, "% of runs");
    if (!power.empty()) out += frame.above(true, fmt::format("{} {}", power, column.unit));
    const double left = frame.x.clamped(column.quantile(0.05)), right = frame.x.clamped(column.quantile(0.95));
    if (right > left)
        out += fmt::format("<rect class=\"range\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>", left, frame.y.end,
                           right - left, frame.y.begin - frame.y.end);
    out += bars(column, frame) + upright(frame, "median", column.quantile(0.5)) + upright(frame, "average", column.mean) + frame.border();
    if (h.below > 0)
        out +=
            fmt::format("<text class=\"beyond\" x=\"{:.1f}\" y=\"{:.1f}\">◂ {} more</text>", frame.x.begin + 4, frame.y.end + 12, h.below);
    if (h.above > 0)
        out += fmt::format("<text class=\"beyond\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{} more ▸</text>", frame.x.end - 4,
                           frame.y.end + 12, h.above);
    return out + "</svg>\n";
}

std::string points_svg(const PointGroup& group, const PlotFrame& frame, std::size_t index, std::string_view colour, bool is_dense) {
    std::string path;
    for (std::size_t i = 0; i < group.x.size(); ++i)
        path +=
            fmt::format("M{:.1f} {:.1f}{}", frame.x.at(group.x[i]), frame.y.at(group.y[i]), group.is_success ? "h0" : "m-4-4l8 8m0-8l-8 8");
    return fmt::format("<path class=\"points {}{}\" data-group=\"{}\" style=\"stroke:var({})\" d=\"{}\"/>",
                       group.is_success ? "dots" : "crosses", is_dense ? " dense" : "", index, colour, path);
}

std::string groups_svg(const PointMap& map, const PlotFrame& frame, std::size_t index, const std::vector<OutcomeCount>& outcomes) {
    std::size_t count = 0;
    for (const PointGroup& group : map.groups) count += group.x.size();
    std::string out = fmt::format("<clipPath id=\"map{}\">{}</clipPath><g clip-path=\"url(#map{})\" data-map=\"{}\">", index,
                                  frame.border(), index, index);
    for (const bool is_success : {true, false})  // crosses last: they are the ones to look at
        for (std::size_t i = 0; i < map.groups.size(); ++i)
            if (map.groups[i].is_success == is_success)
                out += points_svg(map.groups[i], frame, i, map_colour(map, map.groups[i], outcomes), count > 1500);
    return out;
}

std::string map_svg(const PointMap& map, std::size_t index, const std::vector<OutcomeCount>& outcomes) {
    const PlotFrame frame = map_frame(map);
    std::string out = opened_svg("map", frame.x.end + 12, frame.y.begin + 40, "map of " + map.name);
    const auto [across, power_x] = frame.axis(true, 9);
    const auto [upward, power_y] = frame.axis(false, 9);
    const auto label = [&](std::string_view axis, const std::string& power) {
        return fmt::format("{}{}{}{}{}", axis, map.unit.empty() && power.empty() ? "" : ", ", power, power.empty() ? "" : " ", map.unit);
    };
    out += across + upward + frame.above(false, label("y", power_y)) + frame.below(label("x", power_x));
    out += groups_svg(map, frame, index, outcomes);
    out += ellipse(map, frame) + scale_bar(frame, map.unit) + "</g>" + frame.border();
    return out + "<circle class=\"chosen\" r=\"7\" visibility=\"hidden\"/></svg>\n";
}

std::string convergence_svg(const Convergence& c) {
    constexpr double width = 560, height = 236;
    double low = std::numeric_limits<double>::infinity(), high = -low;
    std::string line, upper, lower;
    for (std::size_t i = 0; i < c.runs.size(); ++i)
        for (const double v : {c.value[i], c.low[i], c.high[i]})
            if (std::isfinite(v)) {
                low = std::min(low, v);
                high = std::max(high, v);
            }
    std::string out = opened_svg("convergence", width, height, "convergence of " + c.name);
    if (!(low <= high)) return out + "</svg>\n";
    const double room = high > low ? 0.06 * (high - low) : high != 0 ? 0.1 * std::fabs(high) : 1;
    const double first = c.runs.front(), last = c.runs.back() > first ? c.runs.back() : first + 1;
    const PlotFrame frame{.x = {.low = first, .high = last, .begin = 64, .end = width - 28, .is_logarithmic = true},
                          .y = {.low = low - room, .high = high + room, .begin = height - 38, .end = 20}};
    for (std::size_t i = 0; i < c.runs.size(); ++i) {
        if (!std::isfinite(c.value[i])) continue;
        const double x = frame.x.at(c.runs[i]);
        line += fmt::format("{}{:.1f} {:.1f}", line.empty() ? "M" : "L", x, frame.y.at(c.value[i]));
        if (!std::isfinite(c.low[i]) || !std::isfinite(c.high[i])) continue;
        upper += fmt::format("{}{:.1f} {:.1f}", upper.empty() ? "M" : "L", x, frame.y.at(c.high[i]));
        lower = fmt::format("L{:.1f} {:.1f}", x, frame.y.at(c.low[i])) + lower;
    }
    const auto [upward, power] = frame.axis(false, 5);
    out += frame.axis(true, 6).first + upward + frame.above(false, power) + frame.below("runs");
    if (!upper.empty()) out += fmt::format("<path class=\"band\" d=\"{}{}Z\"/>", upper, lower);
    return out + fmt::format("<path class=\"line\" d=\"{}\"/>", line) + frame.border() + "</svg>\n";
}

std::string sobol_svg(const SobolOfMetric& sobol) {
    constexpr double width = 560, row = 40, top = 10;
    double low = 0, high = 1;
    for (const SobolShown& s : sobol.parameters)
        for (const Between& interval : {s.first_interval, s.total_interval}) {
            if (std::isfinite(interval.low)) low = std::max(-0.3, std::min(low, interval.low));
            if (std::isfinite(interval.high)) high = std::min(1.3, std::max(high, interval.high));
        }
    const double bottom = top + row * static_cast<double>(sobol.parameters.size());
    const PlotFrame frame{.x = {.low = low, .high = high, .begin = 12, .end = width - 12},
                          .y = {.low = 0, .high = 1, .begin = bottom, .end = top}};
    std::string out = opened_svg("sobol", width, bottom + 24, "Sobol indices of " + sobol.metric) + frame.axis(true, 5).first;
    double y = top;
    for (const SobolShown& s : sobol.parameters) {
        out += fmt::format("<text class=\"name\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", frame.x.begin + 2, y + 13, escaped(s.parameter));
        out += fmt::format("<text class=\"name\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{} · {}</text>", frame.x.end, y + 13,
                           index_text(s.first), index_text(s.total));
        out +=
            index_bar(frame.x, s.first, s.first_interval, y + 18, "first") + index_bar(frame.x, s.total, s.total_interval, y + 27, "total");
        y += row;
    }
    return out + "</svg>\n";
}

}  // namespace asperity::report
