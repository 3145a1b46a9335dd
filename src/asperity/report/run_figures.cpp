#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "asperity/report/html.h"
#include "asperity/report/page_data.h"

namespace asperity::report {
namespace {

using model::Ledger;
using model::Sample;
using OfSample = double (*)(const Sample&);

constexpr std::size_t most_figure_points = 4000;
constexpr double slip_noise = 1e-9;  // of the largest speed: the contact point of a ball that rolls moves by rounding only

Figure plot(const char* title, const char* unit, const std::vector<Sample>& rows, std::vector<std::pair<const char*, OfSample>> curves) {
    std::vector<double> times;
    for (const Sample& row : rows) times.push_back(row.time);
    Figure figure = over_time(title, unit, std::move(times));
    for (const auto& [name, of] : curves) {
        Layer& layer = figure.layers.emplace_back(Layer{.kind = "line", .name = name});
        for (const Sample& row : rows) layer.y.push_back(of(row));
    }
    return figure;
}

// Curves that are zero throughout say nothing.
template <class Row>
void add_energies(Figure& figure, const std::vector<Row>& rows) {
    const std::pair<const char*, double (*)(const Ledger&)> parts[] = {
        {"kinetic", [](const Ledger& l) { return l.kinetic; }},
        {"rotational", [](const Ledger& l) { return l.rotational; }},
        {"potential", [](const Ledger& l) { return l.potential; }},
        {"heat of impacts", [](const Ledger& l) { return l.heat_impact; }},
        {"heat of friction", [](const Ledger& l) { return l.heat_friction; }},
        {"heat of rolling", [](const Ledger& l) { return l.heat_rolling; }},
        {"heat of tides", [](const Ledger& l) { return l.heat_tide; }},
        {"less work from outside", [](const Ledger& l) { return -l.work; }},
        {"total", [](const Ledger& l) { return l.total(); }}};
    for (const auto& [name, of] : parts) {
        Layer layer{.kind = "line", .name = name};
        for (const Row& row : rows) layer.y.push_back(of(row.ledger));
        if (std::all_of(layer.y.begin(), layer.y.end(), [](double value) { return value == 0; })) continue;
        layer.is_dashed = layer.name == "total";
        if (layer.is_dashed) layer.colour = "--text";
        figure.layers.push_back(std::move(layer));
    }
}

bool slips(const std::vector<Sample>& samples) {
    double speed = 0;
    double slip = 0;
    for (const Sample& s : samples) {
        speed = std::max(speed, norm(s.velocity));
        slip = std::max(slip, std::abs(s.slip_speed));
    }
    return slip >= slip_noise * speed;
}

Figure slip_plot(const std::vector<Sample>& samples) {
    Figure figure = plot("Speed of the contact point", "m/s", samples, {{"slip", [](const Sample& s) { return s.slip_speed; }}});
    if (slips(samples)) return figure;
    figure.layers[0].y.assign(samples.size(), 0);
    figure.note = "No slip: below 1e-9 of the largest speed everywhere.";
    return figure;
}

double energy_scale(std::span<const Sample> samples) {
    double scale = 0;
    for (const Sample& s : samples)
        scale = std::max({scale, s.ledger.kinetic, s.ledger.rotational, std::abs(s.ledger.potential), std::abs(s.ledger.total())});
    return scale > 0 ? scale : 1;
}

Figure error_plot(const std::vector<Sample>& samples) {
    Figure figure = plot("Error of the ledger", "of the energy", samples, {{"error", [](const Sample& s) { return s.ledger.total(); }}});
    const double first = samples.empty() ? 0 : samples.front().ledger.total(), scale = energy_scale(samples);
    for (double& value : figure.layers[0].y) value = (value - first) / scale;
    return figure;
}

}  // namespace

double ledger_error(std::span<const Sample> samples) {
    double error = 0;
    for (const Sample& s : samples) error = std::max(error, std::abs(s.ledger.total() - samples.front().ledger.total()));
    return error / energy_scale(samples);
}

std::vector<Figure> body_figures(std::int64_t body, const std::vector<Sample>& samples, const std::vector<Sample>& rows, Place place) {
    std::vector<Figure> figures;
    // up is z, but on a body and in empty space it is away from the centre
    if (place == Place::plane)
        figures.push_back(plot("Height", "m", rows, {{"z", [](const Sample& s) { return s.position.z; }}}));
    else
        figures.push_back(plot("Distance from the centre", "m", rows, {{"r", [](const Sample& s) { return norm(s.position); }}}));
    std::vector<std::pair<const char*, OfSample>> axes{{"x", [](const Sample& s) { return s.position.x; }},
                                                       {"y", [](const Sample& s) { return s.position.y; }}};
    if (place != Place::plane) axes.emplace_back("z", [](const Sample& s) { return s.position.z; });
    figures.push_back(plot("Position", "m", rows, axes));
    figures.push_back(plot("Speed", "m/s", samples, {{"speed", [](const Sample& s) { return norm(s.velocity); }}}));
    if (place != Place::space) figures.push_back(slip_plot(samples));
    figures.push_back(plot("Spin", "rad/s", samples, {{"spin", [](const Sample& s) { return norm(s.spin); }}}));
    // of one of several bodies that exchange energy, the ledger is that of all (system_section.h)
    Figure energies = plot(place == Place::space ? "Energies, of those of pairs one half" : "Energies by cause", "J", samples, {});
    add_energies(energies, samples);
    if (place == Place::space) std::erase_if(energies.layers, [](const Layer& layer) { return layer.is_dashed; });
    figures.push_back(std::move(energies));
    if (place != Place::space) figures.push_back(error_plot(samples));
    for (Figure& figure : figures) {
        figure.body = body;
        thin(figure, most_figure_points);
    }
    return figures;
}

std::string groups_html(const record::Record& record) {
    std::string out;
    for (const record::Group& group : record.groups) {
        const record::GroupHead& head = group.head;
        out += fmt::format("<section><h2>{}</h2><p>{} bodies; {} frames of {} of them are in the record.</p>", escaped(head.name),
                           head.count, group.frame_times.size(), head.shown());
        std::vector<double> times;
        for (const record::GroupSample& sample : group.samples) times.push_back(sample.time);
        Figure figure = over_time("Energies by cause", "J", std::move(times));
        figure.is_wide = true;
        add_energies(figure, group.samples);
        thin(figure, most_figure_points);
        out += (group.samples.size() > 1 ? figure_html(figure) : "") + "</section>\n";
    }
    return out;
}

std::string signals_html(const record::Record& record) {
    if (record.signals.size() < 2 || record.signals.front().rows() < 2) return {};
    const auto& times = std::get<std::vector<double>>(record.signals.front().values);
    std::string out = "<section><h2>Signals</h2><div class=\"figures\">";
    for (std::size_t i = 1; i < record.signals.size(); ++i) {
        Figure figure = over_time(record.signals[i].name, record.signals[i].unit, times);
        figure.layers = {{.kind = "line", .name = "value", .y = std::get<std::vector<double>>(record.signals[i].values)}};
        thin(figure, most_figure_points);
        out += figure_html(figure);
    }
    return out + "</div></section>\n";
}

}  // namespace asperity::report
