#include "asperity/report/design_page.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "asperity/report/campaign_figures.h"
#include "asperity/report/figure.h"
#include "asperity/report/html.h"
#include "asperity/report/page.h"

namespace asperity::report {
namespace {

// Half of the way to the neighbours of a value, and as far beyond the ends.
double cell_edge(const std::vector<double>& values, std::size_t i) {
    if (i == 0) return values[0] - 0.5 * (values[1] - values[0]);
    if (i == values.size()) return values[i - 1] + 0.5 * (values[i - 1] - values[i - 2]);
    return 0.5 * (values[i - 1] + values[i]);
}

Figure corridor_figure(const CorridorShown& c, double required) {
    Figure figure{.title = "Success by " + c.x_name + " and " + c.y_name,
                  .x = {.name = c.x_name, .unit = c.x_unit},
                  .y = {.name = c.y_name, .unit = c.y_unit},
                  .is_wide = true};
    Layer cells[3] = {{.kind = "bars", .name = "sure", .colour = "--good"},
                      {.kind = "bars", .name = "open: more runs would tell", .colour = "--fair"},
                      {.kind = "bars", .name = "below", .colour = "--bad"}};
    Layer texts{.kind = "texts", .colour = "--text"};
    Layer wanted{.kind = "line", .name = fmt::format("{} %", number_text(100 * required, 6)), .colour = "--c1", .is_dashed = true};
    for (std::size_t j = 0; j < c.y.size(); ++j)
        for (std::size_t i = 0; i < c.x.size(); ++i) {
            const CorridorCell& cell = c.cells[j * c.x.size() + i];
            Layer& layer = cells[cell.verdict == "sure" ? 0 : cell.verdict == "below" ? 2 : 1];
            layer.x.push_back(cell_edge(c.x, i)), layer.x2.push_back(cell_edge(c.x, i + 1));
            layer.y.push_back(cell_edge(c.y, j)), layer.y2.push_back(cell_edge(c.y, j + 1));
            layer.value.push_back(0.2 + 0.35 * cell.success);
            const std::string success = number_text(100 * cell.success, 3);
            layer.texts.push_back(fmt::format("{} % ({} … {} %)", success, number_text(100 * cell.interval.low, 3),
                                              number_text(100 * cell.interval.high, 3)));
            if (c.x.size() > 16) continue;
            texts.x.push_back(c.x[i]), texts.y.push_back(c.y[j]), texts.texts.push_back(success);
        }
    for (const auto& [a, b] : contour(c, required)) {
        wanted.x.insert(wanted.x.end(), {a.first, b.first, not_known});
        wanted.y.insert(wanted.y.end(), {a.second, b.second, not_known});
    }
    for (Layer& layer : cells) figure.layers.push_back(std::move(layer));
    figure.layers.push_back(std::move(texts));
    figure.layers.push_back(std::move(wanted));
    return figure;
}

std::string grow_html(const DesignPage& page) {
    if (!page.curve) return {};
    std::string rows;
    for (const auto& [key, text] : page.largest) rows += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", escaped(key), escaped(text));
    return fmt::format(
        "<section><h2>Largest release errors</h2><dl class=\"metrics\">{}</dl><div class=\"figures\">{}</div><p class=\"hint\">Success "
        "against the factor on the release errors. Dashed: the requirement. Whiskers: one-sided bounds at {} % confidence. The largest "
        "factor whose lower bound still meets the requirement counts. Table: grow.csv.</p></section>\n",
        rows, figure_html(response_figure(*page.curve, 100 * page.success)), number_text(100 * page.confidence, 6));
}

std::string corridor_html(const DesignPage& page) {
    if (!page.corridor) return {};
    return fmt::format(
        "<section><h2>Release corridor</h2>{}<p class=\"hint\">Success in percent of {} runs in each cell. Table: "
        "corridor.csv.</p></section>\n",
        figure_html(corridor_figure(*page.corridor, page.success)), page.runs);
}

}  // namespace

using Point = std::pair<double, double>;

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
    return page_text(
        {.title = page.title,
         .description = fmt::format("How large may errors of the release be, so that {} % of the runs succeed, at {} % confidence?",
                                    number_text(100 * page.success, 6), number_text(100 * page.confidence, 6)),
         .body = grow_html(page) + corridor_html(page),
         .facts = {{"study", page.file}, {"runs of each setting", fmt::format("{}, the same draws in all", page.runs)}}});
}

}  // namespace asperity::report
