#include "asperity/report/system_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "asperity/core/units.h"
#include "asperity/report/html.h"

namespace asperity::report {
namespace {

constexpr std::size_t frames = 8;
constexpr std::size_t most_curves = 12;  // of a plot

using Value = std::function<double(const SystemMoment&)>;
using Pair = std::pair<std::size_t, std::size_t>;

SystemCurve curve(const SystemHistory& history, std::string name, const Value& value) {
    SystemCurve out{.name = std::move(name)};
    for (const SystemMoment& moment : history.moments) out.values.push_back(value(moment));
    return out;
}

std::string pair_name(const Pair& pair) { return fmt::format("{}–{}", pair.first + 1, pair.second + 1); }

std::vector<Pair> pairs_of(std::size_t n) {
    std::vector<Pair> out;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i + 1; j < n; ++j) out.emplace_back(i, j);
    return out;
}

// A curve per pair, of as many as can be told apart.
void add_pairs(const SystemHistory& history, const std::vector<Pair>& pairs,
               const std::function<double(const SystemMoment&, std::size_t)>& value, SystemPlot& plot) {
    for (std::size_t k = 0; k < std::min(pairs.size(), most_curves); ++k)
        plot.curves.push_back(curve(history, pair_name(pairs[k]), [&](const SystemMoment& m) { return value(m, k); }));
    if (pairs.size() > most_curves)
        plot.note += fmt::format("{}The first {} of {} pairs.", plot.note.empty() ? "" : " ", most_curves, pairs.size());
}

bool is_sphere(const record::BodyRow& body) { return body.semi_axes.x == body.semi_axes.y && body.semi_axes.y == body.semi_axes.z; }

SystemPlot distance_plot(const record::Bodies& bodies, const SystemHistory& history) {
    const std::vector<Pair> pairs = pairs_of(bodies.rows.size());
    SystemPlot plot{.title = "Distances of centres", .unit = "m"};
    for (const auto& [i, j] : pairs) {
        const record::BodyRow &a = bodies.rows[i], &b = bodies.rows[j];
        if (is_sphere(a) && is_sphere(b)) plot.marks.push_back(a.semi_axes.x + b.semi_axes.x);
    }
    std::sort(plot.marks.begin(), plot.marks.end());
    plot.marks.erase(std::unique(plot.marks.begin(), plot.marks.end()), plot.marks.end());
    if (!plot.marks.empty()) plot.note = "Dashed: the sum of the radii.";
    add_pairs(
        history, pairs, [](const SystemMoment& m, std::size_t k) { return m.distances[k]; }, plot);
    return plot;
}

SystemPlot gap_plot(const record::Bodies& bodies, const SystemHistory& history) {
    SystemPlot plot{.title = "Gap of touching pairs", .unit = "m"};
    add_pairs(
        history, pairs_of(bodies.rows.size()),
        [](const SystemMoment& m, std::size_t k) { return m.is_touching[k] ? m.gaps[k] : no_number; }, plot);
    const bool any = std::any_of(history.moments.begin(), history.moments.end(), [](const SystemMoment& m) { return m.contacts > 0; });
    plot.note = (any ? "Negative: penetration." : "No pair touches in any sample.") + (plot.note.empty() ? "" : " " + plot.note);
    return plot;
}

SystemPlot centre_angle_plot(const record::Bodies& bodies, const SystemHistory& history) {
    SystemPlot plot{.title = "Form factor: angle at the common centre", .unit = "degrees"};
    add_pairs(
        history, pairs_of(bodies.rows.size()), [](const SystemMoment& m, std::size_t k) { return degrees * m.centre_angles[k]; }, plot);
    return plot;
}

SystemPlot middle_angle_plot(const SystemHistory& history) {
    SystemPlot plot{.title = "Form factor: angle at the middle body", .unit = "degrees", .note = "Faint where fewer than two pairs touch."};
    plot.curves.push_back(curve(history, "", [](const SystemMoment& m) { return degrees * m.middle_angle; }));
    plot.curves.back().is_faint = true;
    plot.curves.push_back(curve(history, "", [](const SystemMoment& m) { return m.contacts >= 2 ? degrees * m.middle_angle : no_number; }));
    return plot;
}

SystemPlot spin_plot(const record::Bodies& bodies, const SystemHistory& history) {
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < bodies.rows.size(); ++i)
        for (std::size_t j = 0; j < bodies.rows.size(); ++j)
            if (j != i) pairs.emplace_back(i, j);
    SystemPlot plot{.title = "Spin relative to the line to the other body, ψ̇ − θ̇", .unit = "rad/s", .note = "Zero: locked."};
    add_pairs(
        history, pairs, [](const SystemMoment& m, std::size_t k) { return m.relative_spins[k]; }, plot);
    return plot;
}

SystemPlot momentum_plot(const SystemHistory& history) {
    const SystemMoment& first = history.moments.front();
    const Vec3 axis = history.axis;
    const double size = norm(first.orbital + first.spin), scale = size > 0 ? size : 1;
    return {.title = "Angular momentum, change of its parts",
            .unit = size > 0 ? "of the total" : "kg m²/s",
            .note = fmt::format("At the start {} kg m²/s, of which {} % is spin.", shown(size),
                                fmt::format("{:.6g}", 100 * dot(first.spin, axis) / scale)),
            .curves = {curve(history, "orbital", [&](const SystemMoment& m) { return dot(m.orbital - first.orbital, axis) / scale; }),
                       curve(history, "spin", [&](const SystemMoment& m) { return dot(m.spin - first.spin, axis) / scale; }),
                       curve(history, "total", [&](const SystemMoment& m) {
                           return dot((m.orbital + m.spin) - (first.orbital + first.spin), axis) / scale;
                       })}};
}

SystemPlot momentum_error_plot(const SystemHistory& history) {
    const SystemMoment& first = history.moments.front();
    const Vec3 start = first.orbital + first.spin;
    const double size = norm(start);
    return {
        .title = "Angular momentum, change of the total",
        .unit = size > 0 ? "of the total" : "kg m²/s",
        .note = "Length of the change of the vector.",
        .curves = {curve(history, "", [&](const SystemMoment& m) { return norm(m.orbital + m.spin - start) / (size > 0 ? size : 1); })}};
}

std::vector<SystemPlot> energy_plots(const SystemHistory& history) {
    const SystemMoment& first = history.moments.front();
    const double start = first.energy + first.heat() - first.work;
    double scale = 0;
    for (const SystemMoment& m : history.moments) scale = std::max({scale, std::fabs(m.energy), m.heat()});
    if (!(scale > 0)) scale = 1;
    return {{.title = "Energy and the least that the angular momentum allows",
             .unit = "J",
             .curves = {curve(history, "E, mechanical", [](const SystemMoment& m) { return m.energy; }),
                        curve(history, "H²/2I + U", [](const SystemMoment& m) { return m.energy - m.excess; })}},
            {.title = "Energy above the least, E − (H²/2I + U)",
             .unit = "J",
             .note = "Never negative; zero where all turns as one.",
             .curves = {curve(history, "", [](const SystemMoment& m) { return m.excess; })},
             .marks = {0}},
            {.title = "Heat by cause, since the start",
             .unit = "J",
             .curves = {curve(history, "impact", [](const SystemMoment& m) { return m.heat_impact; }),
                        curve(history, "friction", [](const SystemMoment& m) { return m.heat_friction; }),
                        curve(history, "rolling", [](const SystemMoment& m) { return m.heat_rolling; }),
                        curve(history, "tide", [](const SystemMoment& m) { return m.heat_tide; })}},
            {.title = "Error of the ledger, E + heat − work from outside",
             .unit = "of the energy",
             .curves = {curve(history, "", [&](const SystemMoment& m) { return (m.energy + m.heat() - m.work - start) / scale; })}}};
}

std::string excess_html(const SystemHistory& history) {
    const LeastExcess least = least_excess(history);
    return fmt::format(
        "<p><span class=\"badge {}\">{}</span> Smallest energy above the least that the angular momentum allows, E − (H²/2I + U), of {} "
        "times: {:.6g} J at {} s. Rounding there: {:.1g} J.</p>\n",
        least.is_violated ? "bad" : "good", least.is_violated ? "E below its bound" : "E above its bound", history.moments.size(),
        least.value, shown(least.time), least.rounding);
}

}  // namespace

LeastExcess least_excess(const SystemHistory& history) {
    LeastExcess least{.value = std::numeric_limits<double>::infinity()};
    for (const SystemMoment& m : history.moments) {
        if (m.excess < least.value) least = {m.excess, m.rounding, m.time, least.is_violated};
        least.is_violated = least.is_violated || !(m.excess >= -m.rounding);  // a value that is no number is no proof
    }
    return least;
}

std::vector<SystemPlot> system_plots(const record::Bodies& bodies, const SystemHistory& history) {
    std::vector<SystemPlot> plots{distance_plot(bodies, history), gap_plot(bodies, history), centre_angle_plot(bodies, history)};
    if (bodies.rows.size() == 3) plots.push_back(middle_angle_plot(history));
    plots.push_back(spin_plot(bodies, history));
    plots.push_back(momentum_plot(history));
    plots.push_back(momentum_error_plot(history));
    for (SystemPlot& plot : energy_plots(history)) plots.push_back(std::move(plot));
    return plots;
}

std::string system_html(const record::Record& record) {
    const SystemHistory history = system_history(record);
    if (history.moments.empty()) return {};
    TimeAxis axis;
    for (const SystemMoment& moment : history.moments) axis.times.push_back(moment.time);
    for (const model::Event& event : record.events)
        if (event.kind == model::EventKind::impact) axis.collisions.push_back(event.time);
    std::sort(axis.collisions.begin(), axis.collisions.end());
    for (std::size_t k = 1; k < history.moments.size(); ++k)
        if (history.moments[k].configuration != history.moments[k - 1].configuration) axis.changes.push_back(history.moments[k].time);
    std::string out = "<section class=\"system-section\"><h2>System</h2>\n" + excess_html(history);
    out += system_frames_html(record, history, shown_rows(axis, frames)) + "<div class=\"figures\">\n";
    std::string end;
    for (const record::Metric& metric : record.metrics)
        if (const auto* text = std::get_if<std::string>(&metric.value); text != nullptr && metric.name == "configuration") end = *text;
    out += configurations_html(history, axis, end);
    for (const SystemPlot& plot : system_plots(record.bodies, history)) out += system_plot_html(plot, axis);
    return out + fmt::format("</div><p class=\"note\">{}Bodies are counted from 1; in the record from 0.</p></section>\n",
                             axis.collisions.empty() ? "" : "Ticks on the time axis: collisions. ");
}

}  // namespace asperity::report
