#include "asperity/report/design_page.h"

#include <fmt/format.h>

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
    Layer wanted{.kind = "contour", .name = fmt::format("{} %", number_text(100 * required, 6)), .colour = "--c1", .is_dashed = true};
    for (std::size_t j = 0; j < c.y.size(); ++j)
        for (std::size_t i = 0; i < c.x.size(); ++i) {
            const CorridorCell& cell = c.cells[j * c.x.size() + i];
            Layer& layer = cells[cell.verdict == "sure" ? 0 : cell.verdict == "below" ? 2 : 1];
            layer.x.push_back(cell_edge(c.x, i)), layer.x2.push_back(cell_edge(c.x, i + 1));
            layer.y.push_back(cell_edge(c.y, j)), layer.y2.push_back(cell_edge(c.y, j + 1));
            layer.value.push_back(0.2 + 0.35 * cell.success);
            wanted.x.push_back(c.x[i]), wanted.y.push_back(c.y[j]), wanted.value.push_back(cell.success);
            const std::string success = number_text(100 * cell.success, 3);
            layer.texts.push_back(fmt::format("{} % ({} … {} %)", success, number_text(100 * cell.interval.low, 3),
                                              number_text(100 * cell.interval.high, 3)));
            if (c.x.size() > 16) continue;
            texts.x.push_back(c.x[i]), texts.y.push_back(c.y[j]), texts.texts.push_back(success);
        }
    wanted.levels = {required};
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

std::string design_page_text(const DesignPage& page) {
    return page_text(
        {.title = page.title,
         .description = fmt::format("How large may errors of the release be, so that {} % of the runs succeed, at {} % confidence?",
                                    number_text(100 * page.success, 6), number_text(100 * page.confidence, 6)),
         .body = grow_html(page) + corridor_html(page),
         .facts = {{"study", page.file}, {"runs of each setting", fmt::format("{}, the same draws in all", page.runs)}}});
}

}  // namespace asperity::report
