#include "asperity/report/resting_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "asperity/report/figure.h"
#include "asperity/report/page.h"

namespace asperity::report {
namespace {

std::vector<std::string> names_of(const RestingPage& page) {
    std::vector<std::string> names;
    for (const RestingCurve& curve : page.curves)
        if (std::find(names.begin(), names.end(), curve.name) == names.end()) names.push_back(curve.name);
    return names;
}

std::string colour_of(const std::vector<std::string>& names, const std::string& name) {
    const auto index = static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    return fmt::format("hsl({} 65% {}%)", 360 * index / names.size(), index % 2 == 0 ? 42 : 55);
}

Figure over_momentum(const RestingPage& page, const char* title) {
    Figure figure{.title = title, .x = {.name = "H² / (G m³ d)", .low = 0, .high = page.momentum2}, .is_wide = true};
    for (const RestingCurve& curve : page.curves)
        if (!curve.momentum2.empty()) figure.x.high = std::max(figure.x.high, curve.momentum2.back());
    Layer thresholds{.kind = "upright", .name = "thresholds", .colour = "--soft", .is_dashed = true};
    for (const RestingThreshold& threshold : page.thresholds) thresholds.x.push_back(threshold.momentum2);
    figure.layers = {thresholds, {.kind = "upright", .name = "this scenario", .colour = "--text", .x = {page.momentum2}}};
    return figure;
}

// Stable parts are drawn through, unstable ones dashed; of branches apart the ends are not joined.
Figure energy_figure(const RestingPage& page) {
    Figure figure = over_momentum(page, "Energy over angular momentum");
    figure.y = {.name = "E d / (G m²)", .high = 0};
    const std::vector<std::string> names = names_of(page);
    for (const RestingCurve& curve : page.curves) {
        Layer line{.kind = "line", .name = curve.name + (curve.is_stable ? "" : ", not stable"), .colour = colour_of(names, curve.name)};
        line.is_dashed = !curve.is_stable;
        for (std::size_t i = 0; i < curve.momentum2.size(); ++i) {
            if (i > 0 && !(curve.momentum2[i] - curve.momentum2[i - 1] < 1.5 * page.step))
                line.x.push_back(curve.momentum2[i]), line.y.push_back(not_known);
            line.x.push_back(curve.momentum2[i]), line.y.push_back(curve.energy[i]);
        }
        figure.layers.push_back(std::move(line));
    }
    return figure;
}

// A row of bars per configuration: where it exists, where it is stable, where it is the ground state.
Figure existence_figure(const RestingPage& page) {
    Figure figure = over_momentum(page, "Each configuration over angular momentum");
    const std::vector<std::string> names = names_of(page);
    figure.y = {.low = 0, .high = static_cast<double>(names.size())};
    Layer stable{.kind = "bars", .name = "stable", .colour = "--good"}, unstable{.kind = "bars", .name = "not stable", .colour = "--bad"},
        ground{.kind = "bars", .name = "of least energy", .colour = "--text"}, texts{.kind = "labels", .colour = "--text"};
    for (std::size_t k = 0; k < names.size(); ++k) {
        const double top = static_cast<double>(names.size() - k);
        texts.x.push_back(0), texts.y.push_back(top - 0.35), texts.texts.push_back(names[k]);
        for (const RestingCurve& curve : page.curves) {
            if (curve.name != names[k]) continue;
            const auto add = [&](Layer& layer, std::size_t i, double from, double to) {
                const double low = curve.momentum2[i] - 0.5 * page.step, high = curve.momentum2[i] + 0.5 * page.step;
                if (!layer.x.empty() && layer.y.back() == top - from && std::fabs(layer.x2.back() - low) < 0.01 * page.step) {
                    layer.x2.back() = high;  // one bar as long as they follow each other
                    return;
                }
                layer.x.push_back(low), layer.x2.push_back(high), layer.y.push_back(top - from), layer.y2.push_back(top - to);
            };
            for (std::size_t i = 0; i < curve.momentum2.size(); ++i) {
                add(curve.is_stable ? stable : unstable, i, curve.is_stable ? 0.6 : 0.95, curve.is_stable ? 0.35 : 0.7);
                if (curve.is_ground[i]) add(ground, i, 0.68, 0.62);
            }
        }
    }
    for (Layer* layer : {&stable, &unstable, &ground, &texts}) figure.layers.push_back(std::move(*layer));
    return figure;
}

}  // namespace

std::string resting_page_text(const RestingPage& page) {
    std::vector<std::vector<std::string>> thresholds;
    for (const RestingThreshold& threshold : page.thresholds)
        thresholds.push_back({fmt::format("{:.10g}", threshold.momentum2), threshold.text});
    const std::string body = fmt::format(
        "<section><h2>Relative equilibria at this angular momentum</h2>{}</section>\n<section><h2>Energies</h2>{}<p "
        "class=\"hint\">Through: "
        "energetically stable; dashed: not; of several branches the lowest.</p></section>\n<section><h2>Existence and stability</h2>{}<p "
        "class=\"hint\">The stable configuration of least energy is the one that a system which loses energy ends in.</p></section>\n"
        "<section><h2>Thresholds</h2>{}</section>\n",
        table_html(page.heads, page.lines, page.heads.size()), figure_html(energy_figure(page)), figure_html(existence_figure(page)),
        table_html({"H² / (G m³ d)", "what changes there"}, thresholds, 2));
    return page_text({.title = page.title,
                      .description = page.description,
                      .answer = facts_html(page.facts),
                      .body = body,
                      .source_name = "Scenario as read",
                      .source = page.scenario});
}

}  // namespace asperity::report
