#include "asperity/report/plot_frame.h"

#include <fmt/format.h>

#include <vector>

#include "asperity/report/campaign_plots.h"
#include "asperity/report/html.h"

namespace asperity::report {
namespace {

// Values written as multiples of a power of ten, where they would have too many zeros.
int exponent_of(double low, double high) {
    const double size = std::max(std::fabs(low), std::fabs(high));
    const int exponent = size > 0 ? static_cast<int>(std::floor(std::log10(size))) : 0;
    return exponent < 5 && exponent > -3 ? 0 : exponent;
}

std::string tick_text(double value, double step, int exponent) {
    const double scale = std::pow(10, exponent);
    const int decimals = std::clamp(-static_cast<int>(std::floor(std::log10(step / scale) + 1e-9)), 0, 12);
    std::string text = fmt::format("{:.{}f}", std::fabs(value) < step / 2 ? 0.0 : value / scale, decimals);
    if (text.front() == '-') text.replace(0, 1, "−");
    return text;
}

// Powers of ten, every second or third where they are many, with 2 and 5 between where they are few.
std::vector<double> logarithmic_ticks(double low, double high, int count) {
    const int first = static_cast<int>(std::floor(std::log10(low))), last = static_cast<int>(std::ceil(std::log10(high)));
    const int stride = std::max(1, (last - first + count - 1) / count);
    std::vector<double> values;
    for (int k = first; k <= last; ++k) {
        const double power = std::pow(10, k);
        if (k % stride != 0) continue;
        for (const double factor : {1.0, 2.0, 5.0})
            if ((factor == 1 || last - first <= 3) && factor * power >= low && factor * power <= high) values.push_back(factor * power);
    }
    return values;
}

}  // namespace

std::string PlotFrame::tick(double place, const std::string& text, bool is_across) const {
    if (is_across)
        return fmt::format(
            "<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\"/>"
            "<text x=\"{0:.1f}\" y=\"{3:.1f}\" text-anchor=\"middle\">{4}</text>",
            place, y.end, y.begin, y.begin + 16, text);
    return fmt::format(
        "<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{1:.1f}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/>"
        "<text x=\"{3:.1f}\" y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>",
        x.begin, x.end, place, x.begin - 6, place + 4, text);
}

std::pair<std::string, std::string> PlotFrame::axis(bool is_across, int count) const {
    const PlotAxis& axis = is_across ? x : y;
    std::string out;
    if (axis.is_logarithmic) {
        for (const double value : logarithmic_ticks(axis.low, axis.high, count))
            out += tick(axis.at(value), number_text(value, 3), is_across);
        return {out, ""};
    }
    const int exponent = exponent_of(axis.low, axis.high);
    const Ticks round = ticks(axis.low, axis.high, count);
    for (const double value : round.values) out += tick(axis.at(value), tick_text(value, round.step, exponent), is_across);
    return {out, exponent == 0 ? "" : fmt::format("× {}", number_text(std::pow(10, exponent), 1))};
}

std::string PlotFrame::above(bool is_right, std::string_view text) const {
    if (text.empty()) return {};
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>", is_right ? x.end : x.begin, y.end - 6,
                       is_right ? "end" : "start", escaped(text));
}

std::string PlotFrame::below(std::string_view text) const {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>", x.end, y.begin + 31, escaped(text));
}

std::string PlotFrame::border() const {
    return fmt::format("<rect class=\"frame\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>", x.begin, y.end,
                       x.end - x.begin, y.begin - y.end);
}

std::string opened_svg(std::string_view kind, double width, double height, std::string_view label) {
    return fmt::format("<svg class=\"{0}\" viewBox=\"0 0 {1:.0f} {2:.0f}\" role=\"img\" aria-label=\"{3}\">", kind, width, height,
                       escaped(label));
}

}  // namespace asperity::report
