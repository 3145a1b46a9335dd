#include "asperity/report/resting_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "asperity/report/html.h"
#include "asperity/report/plain_page.h"
#include "asperity/report/plot_frame.h"

namespace asperity::report {
namespace {

constexpr double diagram_width = 900, diagram_left = 150, diagram_right = 20;
constexpr std::array<const char*, 9> diagram_colours = {"#2f6fde", "#1c9d55", "#c2572b", "#8a4fd0", "#b0871a",
                                                        "#1a9aa8", "#c23b72", "#6b7785", "#7a5c3e"};

std::vector<std::string> names_of(const RestingPage& page) {
    std::vector<std::string> names;
    for (const RestingCurve& curve : page.curves)
        if (std::find(names.begin(), names.end(), curve.name) == names.end()) names.push_back(curve.name);
    return names;
}

std::string colour_of(const std::vector<std::string>& names, const std::string& name) {
    const auto index = static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    if (names.size() <= diagram_colours.size()) return diagram_colours[index];
    return fmt::format("hsl({} 65% 42%)", 360 * index / names.size());
}

PlotAxis momentum_axis(const RestingPage& page) {
    double high = page.momentum2;
    for (const RestingCurve& curve : page.curves)
        if (!curve.momentum2.empty()) high = std::max(high, curve.momentum2.back());
    return {.low = 0, .high = high, .begin = diagram_left, .end = diagram_width - diagram_right};
}

std::string marks(const RestingPage& page, const PlotFrame& frame) {
    std::string out;
    const double top = std::min(frame.y.begin, frame.y.end), bottom = std::max(frame.y.begin, frame.y.end);
    for (const RestingThreshold& threshold : page.thresholds)
        out += fmt::format("<path class=\"threshold\" d=\"M{:.1f} {:.1f}V{:.1f}\"/>", frame.x.at(threshold.momentum2), top, bottom);
    return out + fmt::format("<path class=\"here\" d=\"M{:.1f} {:.1f}V{:.1f}\"/>", frame.x.at(page.momentum2), top, bottom);
}

// Energies; stable parts are drawn through, unstable ones dashed.
std::string energy_svg(const RestingPage& page) {
    double low = 0, high = -1e300;
    for (const RestingCurve& curve : page.curves)
        for (const double e : curve.energy) low = std::min(low, e), high = std::max(high, e);
    const PlotFrame frame{.x = momentum_axis(page), .y = {.low = low, .high = std::min(high, 0.0), .begin = 420, .end = 20}};
    const std::vector<std::string> names = names_of(page);
    std::string out = opened_svg("resting", diagram_width, 470, "energies of the configurations") + frame.axis(true, 10).first +
                      frame.axis(false, 8).first;
    out += marks(page, frame);
    for (const RestingCurve& curve : page.curves) {
        std::string path;
        for (std::size_t i = 0; i < curve.momentum2.size(); ++i) {
            if (curve.energy[i] > frame.y.high) continue;
            const bool is_joined =
                i > 0 && curve.momentum2[i] - curve.momentum2[i - 1] < 1.5 * page.step && curve.energy[i - 1] <= frame.y.high;
            path += fmt::format("{}{:.1f} {:.1f}", is_joined ? 'L' : 'M', frame.x.at(curve.momentum2[i]), frame.y.at(curve.energy[i]));
        }
        out += fmt::format("<path class=\"curve\" style=\"stroke:{};stroke-dasharray:{}\" d=\"{}\"/>", colour_of(names, curve.name),
                           curve.is_stable ? "none" : "5 4", path);
    }
    out += frame.border() + frame.below("H^2 / (G m^3 d)") + frame.above(false, "E d / (G m^2)");
    return out + "</svg>";
}

// A row of bars per configuration: where it exists, where it is stable, where it is the ground state.
std::string existence_svg(const RestingPage& page) {
    const std::vector<std::string> names = names_of(page);
    const double row = 26, height = row * static_cast<double>(names.size());
    const PlotFrame frame{.x = momentum_axis(page), .y = {.low = 0, .high = 1, .begin = 20 + height, .end = 20}};
    std::string out =
        opened_svg("resting", diagram_width, height + 70, "existence and stability") + frame.axis(true, 10).first + marks(page, frame);
    for (std::size_t k = 0; k < names.size(); ++k) {
        const double y = 20 + row * static_cast<double>(k);
        out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>", diagram_left - 8, y + 17, escaped(names[k]));
        for (const RestingCurve& curve : page.curves) {
            if (curve.name != names[k]) continue;
            const double half = 0.5 * (frame.x.at(page.step) - frame.x.at(0));
            std::string all, ground;
            for (std::size_t i = 0; i < curve.momentum2.size(); ++i) {
                const std::string bar = fmt::format("M{:.2f} {:.1f}h{:.2f}", frame.x.at(curve.momentum2[i]) - half,
                                                    y + (curve.is_stable ? 9 : 18), 2 * half + 0.2);
                all += bar;
                if (curve.is_ground[i])
                    ground += fmt::format("M{:.2f} {:.1f}h{:.2f}", frame.x.at(curve.momentum2[i]) - half, y + 4, 2 * half + 0.2);
            }
            out += fmt::format("<path class=\"{}\" d=\"{}\"/><path class=\"ground\" d=\"{}\"/>", curve.is_stable ? "stable" : "unstable",
                               all, ground);
        }
    }
    return out + frame.border() + frame.below("H^2 / (G m^3 d)") + "</svg>";
}

std::string table_html(const std::vector<std::string>& heads, const std::vector<std::vector<std::string>>& lines) {
    std::string out = "<div class=\"scroll\"><table><thead><tr>";
    for (const std::string& head : heads) out += fmt::format("<th>{}</th>", escaped(head));
    out += "</tr></thead><tbody>\n";
    for (const auto& line : lines) {
        out += "<tr>";
        for (const std::string& cell : line) out += fmt::format("<td>{}</td>", escaped(cell));
        out += "</tr>\n";
    }
    return out + "</tbody></table></div>";
}

std::string thresholds_html(const RestingPage& page) {
    std::vector<std::vector<std::string>> lines;
    for (const RestingThreshold& threshold : page.thresholds)
        lines.push_back({fmt::format("{:.10g}", threshold.momentum2), threshold.text});
    return table_html({"H^2 / (G m^3 d)", "what changes there"}, lines);
}

std::string legend_html(const RestingPage& page) {
    const std::vector<std::string> names = names_of(page);
    std::string out = "<p class=\"hint\">";
    for (const std::string& name : names)
        out += fmt::format("<span style=\"color:{};font-weight:600\">{}</span> &nbsp; ", colour_of(names, name), escaped(name));
    return out +
           "Through: energetically stable; dashed: not; of several branches the lowest. Thin lines: thresholds; thick line: this "
           "scenario.</p>";
}

constexpr const char* resting_style =
    ".resting { max-width: 1000px; }\n"
    ".resting .curve { fill: none; stroke-width: 2; }\n"
    ".resting .threshold { stroke: var(--soft); stroke-width: .7; stroke-dasharray: 2 3; }\n"
    ".resting .here { stroke: var(--text); stroke-width: 1.6; }\n"
    ".resting .stable { stroke: #1c9d55; stroke-width: 8; fill: none; }\n"
    ".resting .unstable { stroke: #c23b3b; stroke-width: 8; fill: none; }\n"
    ".resting .ground { stroke: var(--text); stroke-width: 2; fill: none; }\n"
    "main svg.resting text { font-size: 12px; }\n";

}  // namespace

std::string resting_page_text(const RestingPage& page) {
    const std::string body = fmt::format(
        "<section><h2>Relative equilibria at this angular momentum</h2>{}</section>\n<section><h2>Energies</h2>{}{}</section>\n"
        "<section><h2>Existence and stability</h2>{}<p class=\"hint\">Green: exists and is energetically stable; red: exists, not stable; "
        "black line: the stable one of least energy, which a system that loses energy ends in.</p></section>\n"
        "<section><h2>Thresholds</h2>{}</section>\n"
        "<section><h2>Scenario as read</h2><pre class=\"scenario\">{}</pre></section>\n",
        table_html(page.heads, page.lines), legend_html(page), energy_svg(page), existence_svg(page), thresholds_html(page),
        escaped(page.scenario));
    return plain_page_html(
        {.title = page.title, .description = page.description, .facts = page.facts, .style = resting_style, .body = body});
}

}  // namespace asperity::report
