#include "asperity/report/design_page.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "asperity/report/campaign_plots.h"
#include "asperity/report/embedded.h"
#include "asperity/report/html.h"
#include "asperity/report/plot_frame.h"

namespace asperity::report {
namespace {

using Point = std::pair<double, double>;

std::string class_of(const CorridorCell& cell) { return cell.verdict == "sure" ? "good" : cell.verdict == "below" ? "bad" : "open"; }

// Half of the way to the neighbours of a value, and as far beyond the ends.
double cell_edge(const std::vector<double>& values, std::size_t i) {
    if (i == 0) return values[0] - 0.5 * (values[1] - values[0]);
    if (i == values.size()) return values[i - 1] + 0.5 * (values[i - 1] - values[i - 2]);
    return 0.5 * (values[i - 1] + values[i]);
}

std::string corridor_svg(const CorridorShown& c, double required) {
    constexpr double width = 760, height = 480;
    const PlotFrame frame{.x = {.low = cell_edge(c.x, 0), .high = cell_edge(c.x, c.x.size()), .begin = 74, .end = width - 14},
                          .y = {.low = cell_edge(c.y, 0), .high = cell_edge(c.y, c.y.size()), .begin = height - 40, .end = 20}};
    std::string out = opened_svg("corridor", width, height, "release corridor");
    for (std::size_t j = 0; j < c.y.size(); ++j)
        for (std::size_t i = 0; i < c.x.size(); ++i) {
            const CorridorCell& cell = c.cells[j * c.x.size() + i];
            const double left = frame.x.at(cell_edge(c.x, i)), right = frame.x.at(cell_edge(c.x, i + 1));
            const double top = frame.y.at(cell_edge(c.y, j + 1)), bottom = frame.y.at(cell_edge(c.y, j));
            out += fmt::format(
                "<rect class=\"cell {}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" style=\"opacity:{:.2f}\">"
                "<title>{} … {} %</title></rect>",
                class_of(cell), left, top, right - left - 0.8, bottom - top - 0.8, 0.2 + 0.35 * cell.success,
                number_text(100 * cell.interval.low, 3), number_text(100 * cell.interval.high, 3));
            if (c.x.size() <= 16)
                out += fmt::format("<text class=\"value\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>", 0.5 * (left + right),
                                   0.5 * (top + bottom) + 4, number_text(100 * cell.success, 3));
        }
    for (const auto& [a, b] : contour(c, required))
        out += fmt::format("<path class=\"wanted\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>", frame.x.at(a.first), frame.y.at(a.second),
                           frame.x.at(b.first), frame.y.at(b.second));
    const auto [across, power_x] = frame.axis(true, 8);
    const auto [upward, power_y] = frame.axis(false, 7);
    const auto label = [](const std::string& name, const std::string& power, const std::string& unit) {
        return fmt::format("{}{}{}{}{}", name, power.empty() && unit.empty() ? "" : ", ", power, power.empty() ? "" : " ", unit);
    };
    out += across + upward + frame.above(false, label(c.y_name, power_y, c.y_unit)) + frame.below(label(c.x_name, power_x, c.x_unit));
    return out + frame.border() + "</svg>\n";
}

std::string grow_html(const DesignPage& page) {
    if (!page.curve) return {};
    std::string rows;
    for (const auto& [key, text] : page.largest) rows += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", escaped(key), escaped(text));
    return fmt::format(
        "<section><h2>Largest release errors</h2><dl class=\"metrics\">{}</dl><div class=\"figures\"><figure><figcaption>success against "
        "the "
        "factor on the release errors</figcaption>{}</figure></div><p class=\"hint\">Dashed: the requirement. Whiskers: one-sided bounds "
        "at "
        "{} % confidence. The largest factor whose lower bound still meets the requirement counts. Table: grow.csv.</p></section>\n",
        rows, response_svg(*page.curve, 100 * page.success), number_text(100 * page.confidence, 6));
}

std::string corridor_html(const DesignPage& page) {
    if (!page.corridor) return {};
    return fmt::format(
        "<section><h2>Release corridor</h2><p class=\"legend\"><span><i style=\"background:var(--good)\"></i>sure</span><span><i "
        "style=\"background:var(--fair)\"></i>open: more runs would tell</span><span><i "
        "style=\"background:var(--bad)\"></i>below</span></p>"
        "<div class=\"wide-map\">{}</div><p class=\"hint\">Success in percent of {} runs in each cell. Dashed: where it is {} %. Table: "
        "corridor.csv.</p></section>\n",
        corridor_svg(*page.corridor, page.success), page.runs, number_text(100 * page.success, 6));
}

}  // namespace

std::vector<std::pair<Point, Point>> contour(const CorridorShown& c, double level) {
    std::vector<std::pair<Point, Point>> out;
    const auto at = [&](std::size_t i, std::size_t j) { return c.cells[j * c.x.size() + i].success; };
    for (std::size_t j = 0; j + 1 < c.y.size(); ++j)
        for (std::size_t i = 0; i + 1 < c.x.size(); ++i) {
            // each square as two triangles: no case is ambiguous
            using Corner = std::pair<std::size_t, std::size_t>;
            const Corner a{i, j}, b{i + 1, j}, d{i, j + 1}, e{i + 1, j + 1};
            for (const auto& triangle : {std::array{a, b, e}, std::array{a, e, d}}) {
                std::vector<Point> cuts;
                for (std::size_t k = 0; k < 3; ++k) {
                    const auto [i0, j0] = triangle[k];
                    const auto [i1, j1] = triangle[(k + 1) % 3];
                    const double p = at(i0, j0) - level, q = at(i1, j1) - level;
                    if ((p >= 0) == (q >= 0)) continue;
                    const double w = p / (p - q);
                    cuts.emplace_back(c.x[i0] + w * (c.x[i1] - c.x[i0]), c.y[j0] + w * (c.y[j1] - c.y[j0]));
                }
                if (cuts.size() == 2) out.emplace_back(cuts[0], cuts[1]);
            }
        }
    return out;
}

std::string design_page_text(const DesignPage& page) {
    const std::string facts = fmt::format(
        "<dl class=\"facts\"><div><dt>study</dt><dd>{}</dd></div><div><dt>required success</dt><dd>{} %</dd></div><div><dt>confidence</dt>"
        "<dd>{} %</dd></div><div><dt>runs of each setting</dt><dd>{}, the same draws in all</dd></div></dl>\n",
        escaped(page.file), number_text(100 * page.success, 6), number_text(100 * page.confidence, 6), page.runs);
    return fmt::format(page_html, fmt::arg("title", escaped(page.title)), fmt::arg("css", campaign_css), fmt::arg("outcome", ""),
                       fmt::arg("facts", facts), fmt::arg("body", grow_html(page) + corridor_html(page)),
                       fmt::arg("data", "{\"command\":\"\",\"maps\":[],\"body\":null}"), fmt::arg("viewer", ""),
                       fmt::arg("script", campaign_script));
}

}  // namespace asperity::report
