#include "asperity/report/system_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <utility>

#include "asperity/core/units.h"
#include "asperity/report/html.h"

namespace asperity::report {
namespace {

constexpr std::size_t most_curves = 12;         // of a figure
constexpr std::size_t most_curve_points = 900;  // of a curve
constexpr std::size_t most_collisions = 2000;   // marked on an axis
constexpr std::size_t curve_colours = 6;        // in the style; further curves are dashed

using Value = std::function<double(const SystemMoment&)>;
using Pair = std::pair<std::size_t, std::size_t>;

struct Curve {
    std::string name;
    Value value;
};

Figure figure(const SystemHistory& history, std::string title, std::string unit, std::string note, const std::vector<Curve>& curves) {
    std::vector<double> times;
    for (const SystemMoment& moment : history.moments) times.push_back(moment.time);
    Figure out = over_time(std::move(title), std::move(unit), std::move(times));
    out.note = std::move(note);
    for (const Curve& curve : curves) {
        Layer& layer = out.layers.emplace_back(Layer{.kind = "line", .name = curve.name});
        layer.is_dashed = out.layers.size() > curve_colours;
        for (const SystemMoment& moment : history.moments) layer.y.push_back(curve.value(moment));
    }
    return out;
}

std::string pair_name(const Pair& pair) { return fmt::format("{}–{}", pair.first + 1, pair.second + 1); }

std::vector<Pair> pairs_of(std::size_t n, bool in_either_order = false) {
    std::vector<Pair> out;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = in_either_order ? 0 : i + 1; j < n; ++j)
            if (j != i) out.emplace_back(i, j);
    return out;
}

// A curve per pair, of as many as can be told apart.
Figure figure_of_pairs(const SystemHistory& history, std::string title, std::string unit, std::string note, const std::vector<Pair>& pairs,
                       const std::function<double(const SystemMoment&, std::size_t)>& value) {
    std::vector<Curve> curves;
    for (std::size_t k = 0; k < std::min(pairs.size(), most_curves); ++k)
        curves.push_back({pair_name(pairs[k]), [&value, k](const SystemMoment& m) { return value(m, k); }});
    if (pairs.size() > most_curves) note += fmt::format("{}The first {} of {} pairs.", note.empty() ? "" : " ", most_curves, pairs.size());
    return figure(history, std::move(title), std::move(unit), std::move(note), curves);
}

bool is_sphere(const record::BodyRow& body) { return body.semi_axes.x == body.semi_axes.y && body.semi_axes.y == body.semi_axes.z; }

Figure distance_figure(const record::Bodies& bodies, const SystemHistory& history, const std::vector<Pair>& pairs) {
    std::vector<double> marks;
    for (const auto& [i, j] : pairs) {
        const record::BodyRow &a = bodies.rows[i], &b = bodies.rows[j];
        if (is_sphere(a) && is_sphere(b)) marks.push_back(a.semi_axes.x + b.semi_axes.x);
    }
    std::sort(marks.begin(), marks.end());
    marks.erase(std::unique(marks.begin(), marks.end()), marks.end());
    Figure out = figure_of_pairs(history, "Distances of centres", "m", marks.empty() ? "" : "Dashed: the sum of the radii.", pairs,
                                 [](const SystemMoment& m, std::size_t k) { return m.distances[k]; });
    if (!marks.empty()) out.layers.push_back({.kind = "across", .colour = "--soft", .y = marks, .is_dashed = true});
    return out;
}

std::vector<Figure> angle_figures(const record::Bodies& bodies, const SystemHistory& history, const std::vector<Pair>& pairs) {
    std::vector<Figure> out{figure_of_pairs(history, "Form factor: angle at the common centre", "degrees", "", pairs,
                                            [](const SystemMoment& m, std::size_t k) { return degrees * m.centre_angles[k]; })};
    if (bodies.rows.size() != 3) return out;
    out.push_back(figure(history, "Form factor: angle at the middle body", "degrees", "Faint where fewer than two pairs touch.",
                         {{"", [](const SystemMoment& m) { return degrees * m.middle_angle; }},
                          {"", [](const SystemMoment& m) { return m.contacts >= 2 ? degrees * m.middle_angle : no_number; }}}));
    for (Layer& layer : out.back().layers) layer.colour = "--c0";
    out.back().layers.front().opacity = 0.35;
    return out;
}

std::vector<Figure> momentum_figures(const SystemHistory& history) {
    const SystemMoment& first = history.moments.front();
    const Vec3 axis = history.axis, orbital = first.orbital, spin = first.spin;
    const double size = norm(orbital + spin), scale = size > 0 ? size : 1;
    const char* unit = size > 0 ? "of the total" : "kg m²/s";
    const auto along = [=](const Vec3& a) { return dot(a, axis) / scale; };
    return {figure(history, "Angular momentum, change of its parts", unit,
                   fmt::format("At the start {} kg m²/s, of which {:.6g} % is spin.", shown(size), 100 * dot(spin, axis) / scale),
                   {{"orbital", [=](const SystemMoment& m) { return along(m.orbital - orbital); }},
                    {"spin", [=](const SystemMoment& m) { return along(m.spin - spin); }},
                    {"total", [=](const SystemMoment& m) { return along((m.orbital + m.spin) - (orbital + spin)); }}}),
            figure(history, "Angular momentum, change of the total", unit, "Length of the change of the vector.",
                   {{"", [=](const SystemMoment& m) { return norm(m.orbital + m.spin - (orbital + spin)) / scale; }}})};
}

std::vector<Figure> energy_figures(const SystemHistory& history) {
    const SystemMoment& first = history.moments.front();
    const double start = first.energy + first.heat() - first.work;
    double scale = 0;
    for (const SystemMoment& m : history.moments) scale = std::max({scale, std::fabs(m.energy), m.heat()});
    if (!(scale > 0)) scale = 1;
    std::vector<Figure> out{figure(history, "Energy and the least that the angular momentum allows", "J", "",
                                   {{"E, mechanical", [](const SystemMoment& m) { return m.energy; }},
                                    {"H²/2I + U", [](const SystemMoment& m) { return m.energy - m.excess; }}}),
                            figure(history, "Energy above the least, E − (H²/2I + U)", "J", "Never negative; zero where all turns as one.",
                                   {{"", [](const SystemMoment& m) { return m.excess; }}}),
                            figure(history, "Heat by cause, since the start", "J", "",
                                   {{"impact", [](const SystemMoment& m) { return m.heat_impact; }},
                                    {"friction", [](const SystemMoment& m) { return m.heat_friction; }},
                                    {"rolling", [](const SystemMoment& m) { return m.heat_rolling; }},
                                    {"tide", [](const SystemMoment& m) { return m.heat_tide; }}}),
                            figure(history, "Error of the ledger, E + heat − work from outside", "of the energy", "",
                                   {{"", [=](const SystemMoment& m) { return (m.energy + m.heat() - m.work - start) / scale; }}})};
    out[1].layers.push_back({.kind = "across", .colour = "--soft", .y = {0}, .is_dashed = true});
    return out;
}

// A lane for each configuration that occurred; each stretch ends where the next begins. Empty where none was named.
Figure configuration_figure(const SystemHistory& history, const std::string& end) {
    const std::vector<SystemMoment>& moments = history.moments;
    Figure out = over_time("Configuration", "", {});
    out.note = "Where the bodies are; what librates about a configuration passes through its neighbours.";
    const std::string last = name(moments.back().configuration);
    if (!end.empty() && end != last) out.note += fmt::format(" At the end they librate about {}, the metric.", end);
    for (std::size_t k = 0; k < moments.size();) {
        std::size_t next = k + 1;
        while (next < moments.size() && moments[next].configuration == moments[k].configuration) ++next;
        const std::string text = name(moments[k].configuration);
        if (moments[k].configuration != model::Configuration::none) {
            auto lane = std::find_if(out.layers.begin(), out.layers.end(), [&](const Layer& layer) { return layer.name == text; });
            if (lane == out.layers.end()) lane = out.layers.insert(out.layers.end(), {.kind = "bars", .name = text});
            const auto row = static_cast<double>(lane - out.layers.begin());
            lane->x.push_back(moments[k].time), lane->x2.push_back(moments[std::min(next, moments.size() - 1)].time);
            lane->y.push_back(row + 0.2), lane->y2.push_back(row + 0.8);
        }
        k = next;
    }
    out.y.low = 0, out.y.high = static_cast<double>(out.layers.size());
    return out;
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

std::vector<Figure> system_figures(const record::Bodies& bodies, const SystemHistory& history, const std::vector<double>& collisions,
                                   const std::string& end) {
    const std::size_t n = bodies.rows.size();
    const std::vector<Pair> pairs = pairs_of(n);
    const bool any = std::any_of(history.moments.begin(), history.moments.end(), [](const SystemMoment& m) { return m.contacts > 0; });
    std::vector<Figure> out{
        configuration_figure(history, end), distance_figure(bodies, history, pairs),
        figure_of_pairs(history, "Gap of touching pairs", "m", any ? "Negative: penetration." : "No pair touches in any sample.", pairs,
                        [](const SystemMoment& m, std::size_t k) { return m.is_touching[k] ? m.gaps[k] : no_number; })};
    const auto add = [&](std::vector<Figure> more) { std::move(more.begin(), more.end(), std::back_inserter(out)); };
    add(angle_figures(bodies, history, pairs));
    out.push_back(figure_of_pairs(history, "Spin relative to the line to the other body, ψ̇ − θ̇", "rad/s", "Zero: locked.",
                                  pairs_of(n, true), [](const SystemMoment& m, std::size_t k) { return m.relative_spins[k]; }));
    add(momentum_figures(history));
    add(energy_figures(history));
    if (out.front().layers.empty()) out.erase(out.begin());
    for (Figure& one : out) {
        if (!collisions.empty()) one.layers.push_back({.kind = "ticks", .colour = "--roll", .x = collisions});
        thin(one, most_curve_points);
    }
    return out;
}

std::string system_html(const record::Record& record) {
    const SystemHistory history = system_history(record);
    if (history.moments.empty()) return {};
    std::vector<double> collisions;
    for (const model::Event& event : record.events)
        if (event.kind == model::EventKind::impact && collisions.size() < most_collisions) collisions.push_back(event.time);
    std::string end;
    for (const record::Metric& metric : record.metrics)
        if (const auto* text = std::get_if<std::string>(&metric.value); text != nullptr && metric.name == "configuration") end = *text;
    std::string out = "<section><h2>System</h2>\n" + excess_html(history) + "<div class=\"figures\">\n";
    for (const Figure& one : system_figures(record.bodies, history, collisions, end)) out += figure_html(one);
    return out + fmt::format("</div><p class=\"note\">{}Bodies are counted from 1; in the record from 0.</p></section>\n",
                             collisions.empty() ? "" : "Ticks on the time axis: collisions. ");
}

}  // namespace asperity::report
