#include "asperity/report/group_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "asperity/report/html.h"
#include "asperity/report/plot_frame.h"

namespace asperity::report {
namespace {

constexpr double side_width = 600, side_height = 380, side_margin = 24;  // px, of one view
constexpr std::size_t most_drawn_bodies = 4000;                          // bodies of a view, the nearest to the eye
constexpr std::size_t most_line_points = 1000;                           // of a curve

// What is across, up and towards the eye.
struct Side {
    const char* title;
    Vec3 right, up, near;
};

std::string side_svg(const Side& view, const record::Frame& frame, double radius, double left) {
    const std::vector<Vec3>& p = frame.position;
    std::vector<std::size_t> order(p.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return dot(p[a], view.near) < dot(p[b], view.near); });
    double low[2], high[2];
    for (int k = 0; k < 2; ++k) {
        const Vec3& axis = k == 0 ? view.right : view.up;
        low[k] = std::numeric_limits<double>::infinity(), high[k] = -low[k];
        for (const Vec3& a : p) low[k] = std::fmin(low[k], dot(a, axis) - radius), high[k] = std::fmax(high[k], dot(a, axis) + radius);
    }
    const double scale =
        std::min((side_width - 2 * side_margin) / (high[0] - low[0]), (side_height - 2 * side_margin) / (high[1] - low[1]));
    std::string out = fmt::format("<text x=\"{}\" y=\"16\">{}</text>", left + side_margin, view.title);
    const std::size_t first = order.size() - std::min(order.size(), most_drawn_bodies);
    for (std::size_t k = first; k < order.size(); ++k) {
        const Vec3& a = p[order[k]];
        const double x = left + 0.5 * side_width + scale * (dot(a, view.right) - 0.5 * (low[0] + high[0]));
        const double y = 0.5 * (side_height + side_margin) - scale * (dot(a, view.up) - 0.5 * (low[1] + high[1]));
        const double light = 100.0 * static_cast<double>(k - first + 1) / static_cast<double>(order.size() - first);
        if (std::isfinite(x) && std::isfinite(y))
            out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" style=\"fill:hsl(30 35% {:.0f}%)\"/>", x, y,
                               std::max(scale * radius, 0.5), 30 + 0.45 * light);
    }
    return out;
}

std::string both_sides(const record::Frame& frame, double radius) {
    const Side side{"from the side: x, z", {1, 0, 0}, {0, 0, 1}, {0, -1, 0}}, above{"from above: x, y", {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    return fmt::format("<svg class=\"still\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"the bodies at the end\">{}{}</svg>",
                       2 * side_width, side_height, side_svg(side, frame, radius, 0), side_svg(above, frame, radius, side_width));
}

// Lines over time, on one linear axis of energy from zero on.
std::string energies_svg(const std::vector<record::GroupSample>& samples) {
    const auto kinetic = [](const model::Ledger& l) { return l.kinetic + l.rotational; };
    const auto heat = [](const model::Ledger& l) { return l.heat(); };
    double most = 0;
    for (const record::GroupSample& s : samples) most = std::max({most, kinetic(s.ledger), heat(s.ledger)});
    if (!(most > 0) || !(samples.back().time > samples.front().time)) return {};
    const double height = 260;
    const PlotFrame frame{.x = {.low = samples.front().time, .high = samples.back().time, .begin = 70, .end = 2 * side_width - 14},
                          .y = {.low = 0, .high = most, .begin = height - 40, .end = 26}};
    const auto line = [&](const char* colour, const auto& of) {
        std::string points;
        const std::size_t step = std::max<std::size_t>(1, samples.size() / most_line_points);
        for (std::size_t k = 0; k < samples.size(); k += step)
            points += fmt::format("{:.1f},{:.1f} ", frame.x.at(samples[k].time), frame.y.clamped(of(samples[k].ledger)));
        return fmt::format("<polyline style=\"fill:none;stroke:var({});stroke-width:1.5\" points=\"{}\"/>", colour, points);
    };
    const auto [across, time_power] = frame.axis(true, 8);
    const auto [upward, energy_power] = frame.axis(false, 5);
    return "<figure>" + opened_svg("system", 2 * side_width, height, "energies of the group") + across + upward + line("--c0", kinetic) +
           line("--c1", heat) + frame.above(false, fmt::format("energy, {}{}J", energy_power, energy_power.empty() ? "" : " ")) +
           frame.below(fmt::format("time, {}{}s", time_power, time_power.empty() ? "" : " ")) + frame.border() +
           "</svg><figcaption><span style=\"color:var(--c0)\">kinetic</span> and <span style=\"color:var(--c1)\">heat</span>"
           "</figcaption></figure>";
}

std::string group_html(const record::Record& record, const record::Group& group) {
    const record::GroupHead& head = group.head;
    const auto row = static_cast<std::size_t>(head.first);
    const Vec3 axes = row < record.bodies.rows.size() ? record.bodies.rows[row].semi_axes : Vec3{};
    std::string out = fmt::format("<section><h2>{}</h2><p>{} bodies; {} frames of {} of them are in the record.</p>", escaped(head.name),
                                  head.count, group.frame_times.size(), head.shown());
    if (!group.shown.empty() && !group.shown.back().position.empty()) {
        out += both_sides(group.shown.back(), std::max({axes.x, axes.y, axes.z}));
        out += fmt::format(
            "<p class=\"note\">At {} s{}.</p>", shown(group.shown.back().time),
            group.shown.back().position.size() > most_drawn_bodies
                ? fmt::format("; of {} bodies the {} nearest to the eye are drawn", group.shown.back().position.size(), most_drawn_bodies)
                : "");
    }
    if (!group.samples.empty()) out += energies_svg(group.samples);
    return out + "</section>\n";
}

}  // namespace

std::string groups_html(const record::Record& record) {
    std::string out;
    for (const record::Group& group : record.groups) out += group_html(record, group);
    return out;
}

}  // namespace asperity::report
