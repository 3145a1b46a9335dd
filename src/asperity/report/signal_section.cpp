#include "asperity/report/signal_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "asperity/report/html.h"
#include "asperity/report/page_data.h"
#include "asperity/report/plot_frame.h"

namespace asperity::report {
namespace {

constexpr double signal_width = 1200, signal_height = 200;  // px, of one plot
constexpr std::size_t most_signal_points = 1000;            // of a curve

std::string signal_svg(const std::vector<double>& times, const record::Column& signal) {
    const auto& values = std::get<std::vector<double>>(signal.values);
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const double value : values)
        if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value);
    if (!(low <= high) || !(times.back() > times.front())) return {};
    if (low == high) low -= 0.5 * std::max(1.0, std::fabs(low)), high += 0.5 * std::max(1.0, std::fabs(high));
    const PlotFrame frame{.x = {.low = times.front(), .high = times.back(), .begin = 80, .end = signal_width - 14},
                          .y = {.low = low, .high = high, .begin = signal_height - 40, .end = 26}};
    std::string points;
    for (const std::size_t k : thinned_rows({values}, most_signal_points))
        if (std::isfinite(values[k])) points += fmt::format("{:.1f},{:.1f} ", frame.x.at(times[k]), frame.y.clamped(values[k]));
    const auto [across, time_power] = frame.axis(true, 8);
    const auto [upward, value_power] = frame.axis(false, 4);
    const auto with = [](const std::string& power, const std::string& unit) {
        return fmt::format("{}{}{}", power, power.empty() || unit.empty() ? "" : " ", unit);
    };
    const std::string unit = with(value_power, signal.unit);
    return "<figure>" + opened_svg("system", signal_width, signal_height, escaped(signal.name)) + across + upward +
           fmt::format("<polyline style=\"fill:none;stroke:var(--c0);stroke-width:1.5\" points=\"{}\"/>", points) +
           frame.above(false, escaped(signal.name) + (unit.empty() ? "" : ", " + unit)) +
           frame.below(fmt::format("time, {}", with(time_power, "s"))) + frame.border() + "</svg></figure>";
}

}  // namespace

std::string signals_html(const record::Record& record) {
    if (record.signals.size() < 2 || record.signals.front().rows() < 2) return {};
    const auto& times = std::get<std::vector<double>>(record.signals.front().values);
    std::string out = "<section><h2>Signals</h2>";
    for (std::size_t i = 1; i < record.signals.size(); ++i) out += signal_svg(times, record.signals[i]);
    return out + "</section>\n";
}

}  // namespace asperity::report
