#include "asperity/report/equilibria_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "asperity/report/campaign_plots.h"
#include "asperity/report/html.h"
#include "asperity/report/plain_page.h"

namespace asperity::report {
namespace {

constexpr double left = 62, top = 12, size = 640;  // px, of the map
constexpr int bands = 28;                          // colours
constexpr int finer = 3;                           // pixels of the picture between points of the grid

struct Place {
    double x, y;
};

Place on_page(const EquilibriaPage& page, const MapPoint& p) {
    const double scale = size / (2 * page.half_width);
    return {left + (p.x + page.half_width) * scale, top + (page.half_width - p.y) * scale};
}

double value_at(const EquilibriaPage& page, int row, int column) {
    return page.values[static_cast<std::size_t>(row) * static_cast<std::size_t>(page.side) + static_cast<std::size_t>(column)];
}

// Borders between colours: as much of the map in each. A linear scale would spend all of them on the walls of the well.
std::vector<double> borders(const EquilibriaPage& page) {
    std::vector<double> sorted;
    for (const double value : page.values)
        if (std::isfinite(value)) sorted.push_back(value);
    std::sort(sorted.begin(), sorted.end());
    std::vector<double> out;
    for (int i = 1; i < bands && !sorted.empty(); ++i) out.push_back(sorted[sorted.size() * static_cast<std::size_t>(i) / bands]);
    return out;
}

// Blue is low, red is high, as in the thesis.
std::string colour(int band) { return fmt::format("hsl({:.0f} 75% 50%)", 235.0 * (bands - 1 - band) / (bands - 1)); }

// Between the points of the grid, bilinear; at the rim of a body from those that lie outside. Not a number inside.
double value_between(const EquilibriaPage& page, double x, double y) {
    const int i = static_cast<int>(x), j = static_cast<int>(y);
    double sum = 0, weights = 0;
    for (const int up : {0, 1})
        for (const int right : {0, 1}) {
            const double value = value_at(page, j + up, i + right);
            const double weight = (up == 1 ? y - j : 1 - y + j) * (right == 1 ? x - i : 1 - x + i);
            if (!std::isfinite(value)) continue;
            sum += weight * value;
            weights += weight;
        }
    return sum / weights;
}

// Each colour is one path of horizontal bars, a little larger than their cells, so that no seam shows. Half transparent as a whole: the map
// lies on a light and on a dark page.
std::string colours(const EquilibriaPage& page, const std::vector<double>& levels) {
    const int cells = (page.side - 1) * finer;
    const double step = size / cells;
    std::array<std::string, bands> paths;
    const auto band_at = [&](int row, int column) {
        const double value = value_between(page, (column + 0.5) / finer, (row + 0.5) / finer);
        if (!std::isfinite(value)) return -1;
        return static_cast<int>(std::upper_bound(levels.begin(), levels.end(), value) - levels.begin());
    };
    for (int row = 0; row < cells; ++row)
        for (int begin = 0; begin < cells;) {
            const int band = band_at(row, begin);
            int end = begin + 1;
            while (end < cells && band_at(row, end) == band) ++end;
            if (band >= 0)
                paths[static_cast<std::size_t>(band)] +=
                    fmt::format("M{:.1f} {:.1f}h{:.1f}", left + begin * step, top + size - (row + 0.5) * step, (end - begin) * step + 0.5);
            begin = end;
        }
    std::string out = fmt::format("<g style=\"opacity:.62;fill:none;stroke-width:{:.2f}\">", step + 0.6);
    for (int band = 0; band < bands; ++band)
        out += fmt::format("<path style=\"stroke:{}\" d=\"{}\"/>\n", colour(band), paths[static_cast<std::size_t>(band)]);
    return out + "</g>";
}

std::string contour_path(const EquilibriaPage& page, double level) {
    std::string path;
    for (const auto& [from, to] : contour(page, level)) {
        const Place a = on_page(page, from), b = on_page(page, to);
        path += fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", a.x, a.y, b.x, b.y);
    }
    return path;
}

std::string closed_path(const EquilibriaPage& page, const std::vector<MapPoint>& points) {
    std::string path;
    for (const MapPoint& point : points) {
        const Place p = on_page(page, point);
        path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? 'M' : 'L', p.x, p.y);
    }
    return path.empty() ? path : path + "Z";
}

std::string axis_lines(const EquilibriaPage& page) {
    std::string out;
    const Ticks round = ticks(-page.half_width, page.half_width, 8);
    for (const double value : round.values) {
        const Place p = on_page(page, {value, value});
        out += fmt::format("<path class=\"tick\" d=\"M{:.1f} {:.1f}v6\"/><text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>",
                           p.x, top + size, p.x, top + size + 19, number_text(value, 4));
        out += fmt::format("<path class=\"tick\" d=\"M{:.1f} {:.1f}h-6\"/><text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>",
                           left, p.y, left - 9, p.y + 4, number_text(value, 4));
    }
    out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>", left + size, top + size + 36, escaped(page.axes));
    return out + fmt::format("<rect class=\"frame\" x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{2}\"/>", left, top, size);
}

// A star for a saddle, a filled circle for a maximum, a ring for a minimum.
std::string mark(const EquilibriaPage& page, const EquilibriumShown& e) {
    const Place p = on_page(page, e.at);
    const bool is_right = p.x > left + 0.8 * size;
    const std::string shape = e.kind == "saddle"
                                  ? fmt::format("<path class=\"mark\" d=\"M{0:.1f} {1:.1f}m-6 -6l12 12m0 -12l-12 12\"/>", p.x, p.y)
                                  : fmt::format("<circle class=\"mark {}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\"/>", e.kind, p.x, p.y);
    return shape + fmt::format("<text class=\"label\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n",
                               p.x + (is_right ? -10 : 10), p.y - 8, is_right ? "end" : "start", escaped(e.name));
}

std::string map_html(const EquilibriaPage& page) {
    const std::vector<double> levels = borders(page);
    std::string out = fmt::format(
        "<svg class=\"amended\" viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"amended potential\"><defs><clipPath "
        "id=\"map\"><rect "
        "x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath></defs><g clip-path=\"url(#map)\">",
        left + size + 12, top + size + 44, left, top, size, size);
    out += colours(page, levels);
    for (std::size_t i = 1; i < levels.size(); i += 2)
        out += fmt::format("<path class=\"level\" d=\"{}\"/>\n", contour_path(page, levels[i]));
    for (const EquilibriumShown& e : page.equilibria)
        if (e.kind == "saddle") out += fmt::format("<path class=\"stop\" d=\"{}\"/>\n", contour_path(page, e.energy));
    if (!page.ridge.empty()) out += fmt::format("<path class=\"ridge\" d=\"{}\"/>\n", closed_path(page, page.ridge));
    for (const auto& body : page.bodies) out += fmt::format("<path class=\"body\" d=\"{}\"/>\n", closed_path(page, body));
    out += "</g>" + axis_lines(page);
    for (const EquilibriumShown& e : page.equilibria) out += mark(page, e);
    return out + "</svg>";
}

std::string table_html(const EquilibriaPage& page) {
    std::string out = "<div class=\"scroll\"><table><thead><tr><th>name</th>";
    for (const std::string& head : page.heads) out += fmt::format("<th class=\"number\">{}</th>", escaped(head));
    out += "</tr></thead><tbody>\n";
    for (const EquilibriumShown& e : page.equilibria) {
        out += fmt::format("<tr><td>{}</td>", escaped(e.name));
        for (const std::string& cell : e.cells) out += fmt::format("<td class=\"number\">{}</td>", escaped(cell));
        out += "</tr>\n";
    }
    return out + "</tbody></table></div>";
}

constexpr const char* equilibria_style =
    ".amended { max-width: 820px; }\n"
    ".amended .level { fill: none; stroke: var(--text); stroke-width: .6; opacity: .35; }\n"
    ".amended .stop { fill: none; stroke: var(--text); stroke-width: 1.8; }\n"
    ".amended .ridge { fill: none; stroke: var(--text); stroke-width: 1.8; stroke-dasharray: 7 5; }\n"
    ".amended .body { fill: var(--panel); stroke: var(--text); stroke-width: 1.4; }\n"
    ".amended .mark { fill: none; stroke: var(--text); stroke-width: 2.4; }\n"
    ".amended .mark.maximum { fill: var(--text); }\n"
    ".amended .tick { stroke: var(--soft); fill: none; }\n"
    "main svg.amended text { font-size: 12px; }\n"
    "main svg.amended text.label { fill: var(--text); font-size: 14px; font-weight: 600; paint-order: stroke; stroke: var(--panel); "
    "stroke-width: 4px; }\n";

}  // namespace

std::vector<std::pair<MapPoint, MapPoint>> contour(const EquilibriaPage& page, double level) {
    std::vector<std::pair<MapPoint, MapPoint>> out;
    const auto at = [&](double k) { return page.half_width * (2 * k / (page.side - 1) - 1); };
    for (int j = 0; j + 1 < page.side; ++j)
        for (int i = 0; i + 1 < page.side; ++i) {
            constexpr int right[5] = {0, 1, 1, 0, 0}, up[5] = {0, 0, 1, 1, 0};
            std::array<MapPoint, 4> crossings{};
            std::size_t count = 0;
            double sum = 0;
            for (int k = 0; k < 4; ++k) {
                const double a = value_at(page, j + up[k], i + right[k]) - level,
                             b = value_at(page, j + up[k + 1], i + right[k + 1]) - level;
                sum += a;
                if ((a < 0) == (b < 0)) continue;
                const double t = a / (a - b);
                crossings[count++] = {at(i + right[k] + t * (right[k + 1] - right[k])), at(j + up[k] + t * (up[k + 1] - up[k]))};
            }
            if (!std::isfinite(sum) || count < 2) continue;
            if (count == 2) {
                out.emplace_back(crossings[0], crossings[1]);
                continue;
            }
            // a saddle: the mean says which two corners are joined
            const bool is_first_joined = (value_at(page, j, i) < level) == (sum < 0);
            out.emplace_back(crossings[0], crossings[is_first_joined ? 1 : 3]);
            out.emplace_back(crossings[2], crossings[is_first_joined ? 3 : 1]);
        }
    return out;
}

std::string equilibria_page_text(const EquilibriaPage& page) {
    const std::string body = fmt::format(
        "<section><h2>Equilibria</h2>{}</section>\n<section><h2>Amended potential in the plane z = 0</h2>{}<p class=\"hint\">Blue is low, "
        "red is "
        "high, each colour on as much of the map. Crosses: saddles; dots: maxima. Thick lines: zero-velocity curves through the saddles, "
        "which "
        "a ball with less energy cannot cross.{}</p></section>\n<section><h2>Scenario as read</h2><pre "
        "class=\"scenario\">{}</pre></section>\n",
        table_html(page), map_html(page), page.ridge.empty() ? "" : " Dashed: the ridge line.", escaped(page.scenario));
    return plain_page_html(
        {.title = page.title, .description = page.description, .facts = page.facts, .style = equilibria_style, .body = body});
}

}  // namespace asperity::report
