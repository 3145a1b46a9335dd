#include "asperity/report/group_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "asperity/report/html.h"
#include "asperity/report/plot_frame.h"

namespace asperity::report {
namespace {

constexpr double width = 1200;                  // px
constexpr std::size_t most_line_points = 1000;  // of a curve

// Lines over time, on one linear axis of energy from zero on.
std::string energies_svg(const std::vector<record::GroupSample>& samples) {
    const auto kinetic = [](const model::Ledger& l) { return l.kinetic + l.rotational; };
    const auto heat = [](const model::Ledger& l) { return l.heat(); };
    double most = 0;
    for (const record::GroupSample& s : samples) most = std::max({most, kinetic(s.ledger), heat(s.ledger)});
    if (!(most > 0) || !(samples.back().time > samples.front().time)) return {};
    const double height = 260;
    const PlotFrame frame{.x = {.low = samples.front().time, .high = samples.back().time, .begin = 70, .end = width - 14},
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
    return "<figure>" + opened_svg("system", width, height, "energies of the group") + across + upward + line("--c0", kinetic) +
           line("--c1", heat) + frame.above(false, fmt::format("energy, {}{}J", energy_power, energy_power.empty() ? "" : " ")) +
           frame.below(fmt::format("time, {}{}s", time_power, time_power.empty() ? "" : " ")) + frame.border() +
           "</svg><figcaption><span style=\"color:var(--c0)\">kinetic</span> and <span style=\"color:var(--c1)\">heat</span>"
           "</figcaption></figure>";
}

std::string group_html(const record::Group& group) {
    const record::GroupHead& head = group.head;
    std::string out = fmt::format("<section><h2>{}</h2><p>{} bodies; {} frames of {} of them are in the record.</p>", escaped(head.name),
                                  head.count, group.frame_times.size(), head.shown());
    if (!group.samples.empty()) out += energies_svg(group.samples);
    return out + "</section>\n";
}

}  // namespace

std::string groups_html(const record::Record& record) {
    std::string out;
    for (const record::Group& group : record.groups) out += group_html(group);
    return out;
}

}  // namespace asperity::report
