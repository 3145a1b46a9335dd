#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "asperity/report/campaign_plots.h"
#include "asperity/report/html.h"
#include "asperity/report/plot_frame.h"

namespace asperity::report {
namespace {

// A rectangle of the map; one that runs over 180 degrees has a second part at the other side, which the frame cuts.
std::string rectangle(const PlotFrame& frame, const PatchShown& p, double shift, std::string_view kind, std::string_view more) {
    const double left = frame.x.at(p.west + shift), right = frame.x.at(p.east + shift);
    const double top = frame.y.at(p.north), bottom = frame.y.at(p.south);
    return fmt::format("<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" {}", kind, left, top, right - left,
                       bottom - top, more);
}

std::string cells_svg(const BodyPage& body, const PlotFrame& frame) {
    double most = 0;
    for (const RestCell& cell : body.cells) most = std::max(most, cell.probability);
    std::string out;
    for (const RestCell& cell : body.cells) {
        if (cell.count == 0) continue;
        const std::string shade = fmt::format("style=\"opacity:{:.2f}\"><title>{} runs: {} % ({} … {} %)</title></rect>",
                                              0.08 + 0.42 * cell.probability / most, cell.count, number_text(100 * cell.probability, 3),
                                              number_text(100 * cell.interval.low, 3), number_text(100 * cell.interval.high, 3));
        out += rectangle(frame, cell.border, 0, "cell", shade);
    }
    return out;
}

std::string patches_svg(const BodyPage& body, const PlotFrame& frame) {
    std::string out;
    for (std::size_t i = 0; i < body.patches.size(); ++i) {
        for (const double shift : {-360.0, 0.0, 360.0}) {
            const PatchShown& p = body.patches[i];
            if (p.east + shift < frame.x.low || p.west + shift > frame.x.high) continue;
            out += rectangle(frame, p, shift, "patch", "/>");
            out += fmt::format("<text class=\"patch-name\" x=\"{:.1f}\" y=\"{:.1f}\">patch {}</text>",
                               frame.x.clamped(std::max(p.west + shift, frame.x.low)) + 5, frame.y.at(p.north) + 14, i + 1);
        }
    }
    return out;
}

}  // namespace

std::string places_svg(const BodyPage& body, std::size_t index, const std::vector<OutcomeCount>& outcomes) {
    constexpr double width = 900, height = 500;
    const PlotFrame frame{.x = {.low = -180, .high = 180, .begin = 46, .end = width - 12},
                          .y = {.low = -90, .high = 90, .begin = height - 38, .end = 20}};
    std::string out = opened_svg("map", width, height, "map of stops") + cells_svg(body, frame);
    for (int lon = -180; lon <= 180; lon += 30)
        out += fmt::format(
            "<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\"/><text x=\"{0:.1f}\" y=\"{3:.1f}\" "
            "text-anchor=\"middle\">{4}</text>",
            frame.x.at(lon), frame.y.end, frame.y.begin, frame.y.begin + 16, number_text(lon, 3));
    for (int lat = -90; lat <= 90; lat += 30)
        out += fmt::format(
            "<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{1:.1f}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/><text x=\"{3:.1f}\" y=\"{4:.1f}\" "
            "text-anchor=\"end\">{5}</text>",
            frame.x.begin, frame.x.end, frame.y.at(lat), frame.x.begin - 6, frame.y.at(lat) + 4, number_text(lat, 3));
    out += frame.above(false, "latitude, °") + frame.below("longitude, ° east of x");
    out += groups_svg(body.places, frame, index, outcomes) + patches_svg(body, frame) + "</g>" + frame.border();
    return out + "<circle class=\"chosen\" r=\"7\" visibility=\"hidden\"/></svg>\n";
}

std::string times_svg(const BodyPage& body, std::size_t index, const std::vector<OutcomeCount>& outcomes) {
    constexpr double width = 360, height = 210;
    const PointMap& map = body.times;
    const double room_x = 0.04 * (map.x.high - map.x.low), room_y = 0.04 * (map.y.high - map.y.low);
    const PlotFrame frame{.x = {.low = map.x.low - room_x, .high = map.x.high + room_x, .begin = 52, .end = width - 12},
                          .y = {.low = map.y.low - room_y, .high = map.y.high + room_y, .begin = height - 38, .end = 20}};
    std::string out = opened_svg("map", width, height, "stop time over first impact");
    out += frame.axis(true, 5).first + frame.axis(false, 5).first + frame.above(false, "stop, " + body.times.unit) +
           frame.below("first impact, " + body.times.unit);
    out += groups_svg(map, frame, index, outcomes) + "</g>" + frame.border();
    return out + "<circle class=\"chosen\" r=\"7\" visibility=\"hidden\"/></svg>\n";
}

std::string response_svg(const ResponseShown& r, double wanted) {
    constexpr double width = 560, height = 250;
    double low = std::isfinite(wanted) ? wanted : std::numeric_limits<double>::infinity(), high = std::isfinite(wanted) ? wanted : -low;
    for (std::size_t i = 0; i < r.x.size(); ++i)
        for (const double v : {r.value[i], r.low[i], r.high[i]})
            if (std::isfinite(v)) low = std::min(low, v), high = std::max(high, v);
    std::string out = opened_svg("response", width, height, r.name + " against " + r.parameter);
    if (!(low <= high)) return out + "</svg>\n";
    const double room = high > low ? 0.06 * (high - low) : 1;
    const auto [least, most] = std::minmax_element(r.x.begin(), r.x.end());
    const double side = *most > *least ? 0.04 * (*most - *least) : 1;
    const PlotFrame frame{.x = {.low = *least - side, .high = *most + side, .begin = 64, .end = width - 14},
                          .y = {.low = low - room, .high = high + room, .begin = height - 38, .end = 20}};
    const auto [across, power_x] = frame.axis(true, 6);
    const auto [upward, power_y] = frame.axis(false, 5);
    out += across + upward + frame.above(false, fmt::format("{} {}", power_y, r.unit)) +
           frame.below(fmt::format("{}, {} {}", r.parameter, power_x, r.parameter_unit));
    if (std::isfinite(wanted))
        out += fmt::format("<path class=\"wanted\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>", frame.x.begin, frame.y.at(wanted), frame.x.end);
    std::string line, marks;
    for (std::size_t i = 0; i < r.x.size(); ++i) {
        if (!std::isfinite(r.value[i])) continue;
        const double x = frame.x.at(r.x[i]), y = frame.y.at(r.value[i]);
        line += fmt::format("{}{:.1f} {:.1f}", line.empty() ? "M" : "L", x, y);
        if (std::isfinite(r.low[i]) && std::isfinite(r.high[i]))
            marks += fmt::format("<path class=\"bar-line\" d=\"M{0:.1f} {1:.1f}m-4 0h8m-4 0V{2:.1f}m-4 0h8\"/>", x, frame.y.at(r.low[i]),
                                 frame.y.at(r.high[i]));
        marks += fmt::format("<circle class=\"dot\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.4\"><title>{}: {} ({} … {})</title></circle>", x, y,
                             number_text(r.x[i], 4), number_text(r.value[i], 4), number_text(r.low[i], 4), number_text(r.high[i], 4));
    }
    return out + fmt::format("<path class=\"line\" d=\"{}\"/>", line) + marks + frame.border() + "</svg>\n";
}

}  // namespace asperity::report
