#include "asperity/report/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

#include "asperity/report/html.h"

namespace asperity::report {
namespace {

constexpr int across_digits = 12, value_digits = 9;

std::string axis_json(const FigureAxis& axis) {
    return fmt::format("{{\"name\":{},\"unit\":{},\"low\":{},\"high\":{},\"log\":{}}}", json_text(axis.name), json_text(axis.unit),
                       json_number(axis.low, value_digits), json_number(axis.high, value_digits), axis.is_logarithmic);
}

std::string layer_json(const Layer& layer) {
    std::string out = fmt::format("{{\"kind\":{}", json_text(layer.kind));
    const auto add = [&](const char* name, const std::string& json, bool is_wanted) {
        if (is_wanted) out += fmt::format(",\"{}\":{}", name, json);
    };
    add("name", json_text(layer.name), !layer.name.empty());
    add("colour", json_text(layer.colour), !layer.colour.empty());
    add("opacity", json_number(layer.opacity, 3), layer.opacity != 1);
    add("dashed", "true", layer.is_dashed);
    add("columns", fmt::format("{}", layer.columns), layer.columns > 0);
    const std::pair<const char*, const std::vector<double>*> lists[] = {
        {"x", &layer.x}, {"y", &layer.y}, {"x2", &layer.x2}, {"y2", &layer.y2}, {"value", &layer.value}, {"levels", &layer.levels}};
    for (const auto& [name, list] : lists) add(name, json_numbers(*list, value_digits), !list->empty());
    add("runs", fmt::format("[{}]", fmt::join(layer.runs, ",")), !layer.runs.empty());
    std::string texts;
    for (const std::string& text : layer.texts) texts += (texts.empty() ? "" : ",") + json_text(text);
    add("texts", "[" + texts + "]", !layer.texts.empty());
    return out + "}";
}

bool has_number(const std::vector<double>& values) {
    return std::any_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

bool is_curve(const Layer& layer) { return layer.kind == "line" && layer.x.empty(); }

}  // namespace

bool Figure::is_empty() const {
    return std::none_of(layers.begin(), layers.end(),
                        [](const Layer& layer) { return layer.kind != "across" && (has_number(layer.y) || has_number(layer.value)); });
}

Figure over_time(std::string title, std::string unit, std::vector<double> times) {
    return {.title = std::move(title), .x = {.name = "time", .unit = "s"}, .y = {.unit = std::move(unit)}, .at = std::move(times)};
}

std::string figure_html(const Figure& figure) {
    const std::string note = figure.note.empty() ? "" : fmt::format("<p class=\"note\">{}</p>", escaped(figure.note));
    const std::string caption = fmt::format("<figcaption>{}</figcaption>", escaped(figure.title));
    if (figure.is_empty()) return fmt::format("<figure>{}{}</figure>\n", caption, note);
    std::string layers;
    for (const Layer& layer : figure.layers) layers += (layers.empty() ? "" : ",") + layer_json(layer);
    return fmt::format(
        "<figure class=\"chart{}\">{}<script type=\"application/json\">{{\"x\":{},\"y\":{},\"at\":{},\"equal\":{},\"body\":{},"
        "\"layers\":[{}]}}</script>{}</figure>\n",
        figure.is_wide ? " wide" : "", caption, axis_json(figure.x), axis_json(figure.y), json_numbers(figure.at, across_digits),
        figure.has_equal_scales, figure.body, layers, note);
}

std::vector<std::size_t> thinned_rows(const std::vector<std::vector<double>>& series, std::size_t most) {
    const std::size_t count = series.empty() ? 0 : series.front().size();
    std::vector<std::size_t> rows;
    if (count <= most) {
        rows.resize(count);
        std::iota(rows.begin(), rows.end(), std::size_t{0});
        return rows;
    }
    const std::size_t stretches = std::max<std::size_t>(1, most / (2 * series.size() + 1));
    for (std::size_t k = 0; k < stretches; ++k) {
        const std::size_t begin = k * count / stretches;
        const std::size_t end = (k + 1) * count / stretches;
        rows.push_back(begin);
        for (const std::vector<double>& values : series) {
            const auto [least, largest] =
                std::minmax_element(values.begin() + static_cast<std::ptrdiff_t>(begin), values.begin() + static_cast<std::ptrdiff_t>(end));
            rows.push_back(static_cast<std::size_t>(least - values.begin()));
            rows.push_back(static_cast<std::size_t>(largest - values.begin()));
        }
    }
    rows.push_back(count - 1);
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    return rows;
}

void thin(Figure& figure, std::size_t most) {
    if (figure.at.size() <= most) return;
    std::vector<std::vector<double>> filled;
    std::vector<double> gap(figure.at.size(), 0);
    for (const Layer& layer : figure.layers) {
        if (!is_curve(layer)) continue;
        std::vector<double>& values = filled.emplace_back();
        double last = 0;
        for (std::size_t i = 0; i < layer.y.size(); ++i) {
            if (std::isfinite(layer.y[i]))
                last = layer.y[i];
            else
                gap[i] = 1;
            values.push_back(last);
        }
    }
    if (has_number(gap) && *std::max_element(gap.begin(), gap.end()) > 0) filled.push_back(std::move(gap));
    const std::vector<std::size_t> rows = thinned_rows(filled, most);
    const auto keep = [&](std::vector<double>& values) {
        for (std::size_t k = 0; k < rows.size(); ++k) values[k] = values[rows[k]];
        values.resize(rows.size());
    };
    keep(figure.at);
    for (Layer& layer : figure.layers)
        if (is_curve(layer)) keep(layer.y);
}

}  // namespace asperity::report
