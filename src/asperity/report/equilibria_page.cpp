#include "asperity/report/equilibria_page.h"

#include <fmt/format.h>

#include <utility>

#include "asperity/report/figure.h"
#include "asperity/report/page.h"

namespace asperity::report {
namespace {

Layer outline(const std::vector<MapPoint>& points, const char* name) {
    Layer layer{.kind = "outline", .name = name, .colour = "--text"};
    for (const MapPoint& point : points) layer.x.push_back(point.x), layer.y.push_back(point.y);
    return layer;
}

// Zero-velocity curves are lines of the field through the saddles. Crosses mark saddles, dots the others.
Figure map_figure(const EquilibriaPage& page) {
    const double half = page.half_width;
    Figure figure{.title = "Amended potential in the plane z = 0",
                  .x = {.name = page.axes, .low = -half, .high = half},
                  .y = {.low = -half, .high = half},
                  .has_equal_scales = true,
                  .is_wide = true};
    Layer field{.kind = "field", .name = "potential, m²/s²", .x = {-half, half}, .y = {-half, half}};
    field.columns = static_cast<std::size_t>(page.side);
    field.value = page.values;
    Layer saddles{.kind = "crosses", .name = "saddles", .colour = "--text"},
        others{.kind = "dots", .name = "maxima and minima", .colour = "--text"}, names{.kind = "labels", .colour = "--text"};
    for (const EquilibriumShown& e : page.equilibria) {
        if (e.kind == "saddle") field.levels.push_back(e.energy);
        Layer& marks = e.kind == "saddle" ? saddles : others;
        marks.x.push_back(e.at.x), marks.y.push_back(e.at.y);
        names.x.push_back(e.at.x), names.y.push_back(e.at.y), names.texts.push_back(e.name);
    }
    figure.layers.push_back(std::move(field));
    for (const auto& body : page.bodies) {
        figure.layers.push_back(outline(body, "bodies"));
        figure.layers.back().value = {1};  // filled
    }
    if (!page.ridge.empty()) {
        figure.layers.push_back(outline(page.ridge, "ridge line"));
        figure.layers.back().is_dashed = true;
    }
    for (Layer* layer : {&saddles, &others, &names})
        if (!layer->x.empty()) figure.layers.push_back(std::move(*layer));
    return figure;
}

}  // namespace

std::string equilibria_page_text(const EquilibriaPage& page) {
    std::vector<std::string> heads{"name"};
    heads.insert(heads.end(), page.heads.begin(), page.heads.end());
    std::vector<std::vector<std::string>> lines;
    for (const EquilibriumShown& e : page.equilibria) {
        lines.push_back({e.name});
        lines.back().insert(lines.back().end(), e.cells.begin(), e.cells.end());
    }
    const std::string body = fmt::format(
        "<section><h2>Equilibria</h2>{}</section>\n<section><h2>Map</h2>{}<p class=\"hint\">Each colour covers as much of the map. Thick "
        "lines: zero-velocity curves through the saddles, which a ball with less energy cannot cross.{}</p></section>\n",
        table_html(heads, lines, 1), figure_html(map_figure(page)), page.ridge.empty() ? "" : " Dashed: the ridge line.");
    return page_text({.title = page.title,
                      .description = page.description,
                      .answer = facts_html(page.facts),
                      .body = body,
                      .source_name = "Scenario as read",
                      .source = page.scenario});
}

}  // namespace asperity::report
