#include "asperity/report/page_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <span>

#include "asperity/report/html.h"
#include "asperity/report/scene_data.h"
#include "asperity/report/shape_shown.h"

namespace asperity::report {
namespace {

using model::Event;
using model::Sample;

constexpr std::size_t most_points = 4000;  // of a plot or a path
constexpr std::size_t most_events = 10000;
constexpr std::size_t most_bands = 4000;
constexpr std::size_t most_facets = 40000;
constexpr std::size_t most_closed_facets = 20000;  // above, a closed surface is decimated to as many
constexpr std::size_t most_bodies = 16;
constexpr int record_digits = 9;
constexpr int time_digits = 12;
constexpr int turn_digits = 5;

struct Body {
    std::vector<Sample> samples;
    std::vector<Event> events;
};

struct Series {
    const char* name;
    std::function<double(const Sample&)> of;
};

struct Plot {
    const char* title;
    const char* unit;
    std::vector<Series> series;
    const char* note = "";
};

// The place of the bodies of a record (ground, body, space), which decides the plots.
enum class Place { plane, on_body, space };

double total(const Sample& s) { return s.ledger.total(); }

// The energy against which the error of the ledger is shown: the largest that the run had in any one form. Total energy alone could be
// near zero, since the zero of the potential is arbitrary.
double energy_scale(const std::vector<Sample>& samples) {
    double scale = 0;
    for (const Sample& s : samples)
        scale = std::max({scale, s.ledger.kinetic, s.ledger.rotational, std::abs(s.ledger.potential), std::abs(total(s))});
    return scale > 0 ? scale : 1;
}

constexpr double slip_noise = 1e-9;  // of the largest speed: the contact point of a ball that rolls moves by rounding only

bool slips(const std::vector<Sample>& samples) {
    double speed = 0;
    double slip = 0;
    for (const Sample& s : samples) {
        speed = std::max(speed, norm(s.velocity));
        slip = std::max(slip, std::abs(s.slip_speed));
    }
    return slip >= slip_noise * speed;
}

Plot slip_plot(const std::vector<Sample>& samples) {
    if (slips(samples)) return {"Speed of the contact point", "m/s", {{"slip", [](const Sample& s) { return s.slip_speed; }}}};
    return {"Speed of the contact point",
            "m/s",
            {{"slip", [](const Sample&) { return 0.0; }}},
            "no slip: below 1e-9 of the largest speed everywhere"};
}

// Up is z, but on a body and in empty space it is away from the centre.
Plot height_plot(Place place) {
    if (place != Place::plane) return {"Distance from the centre", "m", {{"r", [](const Sample& s) { return norm(s.position); }}}};
    return {"Height", "m", {{"z", [](const Sample& s) { return s.position.z; }}}};
}

Plot position_plot(Place place) {
    Plot plot{"Position", "m", {{"x", [](const Sample& s) { return s.position.x; }}, {"y", [](const Sample& s) { return s.position.y; }}}};
    if (place != Place::plane) plot.series.push_back({"z", [](const Sample& s) { return s.position.z; }});
    return plot;
}

// Of one of several bodies that exchange energy: the ledger is that of all (system_section.h).
std::vector<Plot> plots_in_space() {
    return {
        height_plot(Place::space),
        position_plot(Place::space),
        {"Speed", "m/s", {{"speed", [](const Sample& s) { return norm(s.velocity); }}}},
        {"Spin", "rad/s", {{"spin", [](const Sample& s) { return norm(s.spin); }}}},
        {"Energies, of those of pairs one half",
         "J",
         {{"kinetic", [](const Sample& s) { return s.ledger.kinetic; }},
          {"rotational", [](const Sample& s) { return s.ledger.rotational; }},
          {"potential", [](const Sample& s) { return s.ledger.potential; }}}},
        {"Heat by cause",
         "J",
         {{"impact", [](const Sample& s) { return s.ledger.heat_impact; }},
          {"friction", [](const Sample& s) { return s.ledger.heat_friction; }},
          {"rolling", [](const Sample& s) { return s.ledger.heat_rolling; }},
          {"tide", [](const Sample& s) { return s.ledger.heat_tide; }}}},
    };
}

std::vector<Plot> plots_of(const std::vector<Sample>& samples, Place place) {
    if (place == Place::space) return plots_in_space();
    const double first = samples.empty() ? 0 : total(samples.front());
    const double scale = energy_scale(samples);
    return {
        height_plot(place),
        position_plot(place),
        {"Speed", "m/s", {{"speed", [](const Sample& s) { return norm(s.velocity); }}}},
        slip_plot(samples),
        {"Spin", "rad/s", {{"spin", [](const Sample& s) { return norm(s.spin); }}}},
        {"Energies",
         "J",
         {{"kinetic", [](const Sample& s) { return s.ledger.kinetic; }},
          {"rotational", [](const Sample& s) { return s.ledger.rotational; }},
          {"potential", [](const Sample& s) { return s.ledger.potential; }},
          {"total", total}}},
        {"Heat by cause",
         "J",
         {{"impact", [](const Sample& s) { return s.ledger.heat_impact; }},
          {"friction", [](const Sample& s) { return s.ledger.heat_friction; }},
          {"rolling", [](const Sample& s) { return s.ledger.heat_rolling; }}}},
        {"Error of the ledger", "of the energy", {{"error", [=](const Sample& s) { return (total(s) - first) / scale; }}}},
    };
}

Quat between(const Sample& a, const Sample& b, double time) {
    const Quat &p = a.orientation, &q = b.orientation;
    const double s = b.time > a.time ? (time - a.time) / (b.time - a.time) : 0;
    const double t = p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z < 0 ? -s : s;  // the shorter way
    return unit(Quat{(1 - s) * p.w + t * q.w, (1 - s) * p.x + t * q.x, (1 - s) * p.y + t * q.y, (1 - s) * p.z + t * q.z});
}

// Samples, and for positions also the events, which lie exactly where the path has its corners; how the body is turned there, they do not
// say.
std::vector<Sample> with_events(const Body& body) {
    std::vector<Sample> rows = body.samples;
    const auto is_earlier = [](const Sample& a, const Sample& b) { return a.time < b.time; };
    for (const Event& e : body.events) {
        Sample row{.time = e.time, .body = e.a, .position = e.position, .mode = e.mode};
        const auto next = std::upper_bound(body.samples.begin(), body.samples.end(), row, is_earlier);
        if (next != body.samples.begin())
            row.orientation = next != body.samples.end() ? between(*(next - 1), *next, e.time) : (next - 1)->orientation;
        rows.push_back(row);
    }
    std::stable_sort(rows.begin(), rows.end(), is_earlier);
    return rows;
}

std::vector<double> picked(const std::vector<double>& values, const std::vector<std::size_t>& rows) {
    std::vector<double> out;
    for (const std::size_t row : rows) out.push_back(values[row]);
    return out;
}

std::vector<double> column(const std::vector<Sample>& rows, const std::function<double(const Sample&)>& of) {
    std::vector<double> values;
    for (const Sample& row : rows) values.push_back(of(row));
    return values;
}

std::string plot_json(const Plot& plot, const std::vector<Sample>& samples) {
    std::vector<std::vector<double>> values;
    for (const Series& series : plot.series) values.push_back(column(samples, series.of));
    const std::vector<std::size_t> rows = thinned_rows(values, most_points);
    std::string json =
        fmt::format("{{\"title\":{},\"unit\":{},\"note\":{},\"t\":{},\"series\":[", json_text(plot.title), json_text(plot.unit),
                    json_text(plot.note), json_numbers(picked(column(samples, [](const Sample& s) { return s.time; }), rows), time_digits));
    for (std::size_t i = 0; i < values.size(); ++i)
        json += fmt::format("{}{{\"name\":{},\"v\":{}}}", i > 0 ? "," : "", json_text(plot.series[i].name),
                            json_numbers(picked(values[i], rows), record_digits));
    return json + "]}";
}

// How it is turned, four numbers a row.
std::string turns_json(const std::vector<Sample>& rows, const std::vector<std::size_t>& keep) {
    std::vector<double> numbers;
    for (const std::size_t row : keep) {
        const Quat& q = rows[row].orientation;
        numbers.insert(numbers.end(), {q.w, q.x, q.y, q.z});
    }
    return json_numbers(numbers, turn_digits);
}

std::string path_json(const std::vector<Sample>& rows) {
    const auto t = column(rows, [](const Sample& s) { return s.time; });
    const auto x = column(rows, [](const Sample& s) { return s.position.x; });
    const auto y = column(rows, [](const Sample& s) { return s.position.y; });
    const auto z = column(rows, [](const Sample& s) { return s.position.z; });
    const auto mode = column(rows, [](const Sample& s) { return static_cast<double>(s.mode); });
    const auto keep = thinned_rows({x, y, z, mode}, most_points);
    return fmt::format("{{\"t\":{},\"x\":{},\"y\":{},\"z\":{},\"mode\":{},\"q\":{}}}", json_numbers(picked(t, keep), time_digits),
                       json_numbers(picked(x, keep), record_digits), json_numbers(picked(y, keep), record_digits),
                       json_numbers(picked(z, keep), record_digits), json_numbers(picked(mode, keep), record_digits),
                       turns_json(rows, keep));
}

std::string body_json(std::int64_t index, const Body& body, Place place, std::vector<std::string>& notes) {
    const std::vector<Sample> rows = place == Place::space ? body.samples : with_events(body);
    std::string json = fmt::format("{{\"body\":{},\"path\":{},\"bands\":[", index, path_json(rows));
    const std::vector<Band> all_bands = mode_bands(body.samples, body.events);
    const std::vector<Band> bands = longest_bands(all_bands, most_bands);
    if (bands.size() < all_bands.size())
        notes.push_back(fmt::format("Contact modes change {} times; the {} that last longest are shown.", all_bands.size(), bands.size()));
    for (std::size_t i = 0; i < bands.size(); ++i)
        json += fmt::format("{}[{},{},{}]", i > 0 ? "," : "", json_number(bands[i].begin, time_digits),
                            json_number(bands[i].end, time_digits), bands[i].mode);
    json += "],\"plots\":[";
    const std::vector<Plot> plots = plots_of(body.samples, place);
    constexpr std::size_t position_plots = 2;  // height and position
    for (std::size_t i = 0; i < plots.size(); ++i)
        json += (i > 0 ? "," : "") + plot_json(plots[i], i < position_plots ? rows : body.samples);
    return json + "]}";
}

// Kind, as an index of names_json(), and number of what a body met: a piece of the ground, or another body; -1: nothing.
std::array<std::int64_t, 2> feature_shown(const Event& e) {
    constexpr std::int64_t other_body = 4;
    if (e.b != model::ground) return {other_body, e.b};
    if (e.feature == model::no_feature) return {-1, -1};
    const geometry::Feature feature = model::mesh_feature(e.feature);
    return {static_cast<std::int64_t>(feature.kind), feature.index};
}

std::string events_json(const std::vector<Event>& events, std::size_t count) {
    std::string json = "[";
    for (std::size_t i = 0; i < count; ++i) {
        const Event& e = events[i];
        const auto feature = feature_shown(e);
        json += fmt::format("{}[{},{},{},{},{},{},{},{},{},{},{},{},{},{}]", i > 0 ? "," : "", static_cast<std::int64_t>(e.kind),
                            json_number(e.time, time_digits), e.a, json_number(e.position.x, record_digits),
                            json_number(e.position.y, record_digits), json_number(e.position.z, record_digits),
                            json_number(norm(e.velocity), record_digits), json_number(e.normal_speed_in, record_digits),
                            json_number(e.normal_speed_out, record_digits), json_number(norm(e.spin), record_digits),
                            json_number(e.heat, record_digits), feature[0], feature[1], static_cast<std::int64_t>(e.mode));
    }
    return json + "]";
}

// All of a closed surface, decimated where it has too many facets; of an open one the facets nearest to where the bodies went, and the
// vertices that they use.
std::string surface_json(const record::Surface& surface, const std::vector<Sample>& samples, std::vector<std::string>& notes) {
    const ShownShape shown = shown_shape(surface, most_closed_facets);
    if (!shown.note.empty()) notes.push_back(shown.note);
    const record::Surface& all = shown.surface;
    if (all.facets.size() <= most_facets) return shape_json(all, shown.is_closed);
    std::vector<std::size_t> order(all.facets.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    Vec3 middle;
    for (const Sample& s : samples) middle += s.position / static_cast<double>(samples.size());
    std::vector<double> distance;
    for (const auto& facet : all.facets) {
        Vec3 centre;
        for (const std::int64_t corner : facet) centre += all.vertices[static_cast<std::size_t>(corner)] / 3;
        distance.push_back(squared_norm(centre - middle));
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return distance[a] < distance[b]; });
    order.resize(most_facets);
    notes.push_back(
        fmt::format("The surface has {} facets; the picture shows the {} nearest to the trajectory.", all.facets.size(), most_facets));
    std::vector<std::int64_t> number(all.vertices.size(), -1);
    record::Surface near;
    for (const std::size_t f : order) {
        near.facets.push_back(all.facets[f]);
        for (std::int64_t& corner : near.facets.back()) {
            std::int64_t& place = number[static_cast<std::size_t>(corner)];
            if (place < 0) {
                place = static_cast<std::int64_t>(near.vertices.size());
                near.vertices.push_back(all.vertices[static_cast<std::size_t>(corner)]);
            }
            corner = place;
        }
    }
    return shape_json(near, false);
}

// Names and masses of the first bodies of the record.
std::string bodies_json(const record::Bodies& bodies, std::size_t count) {
    std::string names, masses;
    for (const record::BodyRow& body : std::span(bodies.rows).first(std::min(count, bodies.rows.size()))) {
        names += (names.empty() ? "" : ",") + json_text(body.name);
        masses += (masses.empty() ? "" : ",") + json_number(body.mass, record_digits);
    }
    return fmt::format("\"names\":[{}],\"masses\":[{}]", names, masses);
}

std::string names_json() {
    std::string kinds;
    for (int i = 0; i < model::event_kinds; ++i) kinds += (i > 0 ? "," : "") + json_text(name(static_cast<model::EventKind>(i)));
    std::string modes;
    for (int i = 0; i <= static_cast<int>(model::Mode::left); ++i)
        modes += (i > 0 ? "," : "") + json_text(name(static_cast<model::Mode>(i)));
    return fmt::format("\"kinds\":[{}],\"modes\":[{}],\"features\":[\"facet\",\"edge\",\"vertex\",\"rock\",\"body\"]", kinds, modes);
}

}  // namespace

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

std::vector<Band> mode_bands(const std::vector<Sample>& samples, const std::vector<Event>& events) {
    struct Change {
        double time;
        std::int64_t mode;
    };
    std::vector<Change> changes;
    for (const Sample& s : samples) changes.push_back({s.time, static_cast<std::int64_t>(s.mode)});
    for (const Event& e : events) changes.push_back({e.time, static_cast<std::int64_t>(e.mode)});
    std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) { return a.time < b.time; });
    std::vector<Band> bands;
    for (const Change& change : changes) {
        if (!bands.empty()) bands.back().end = change.time;
        if (bands.empty() || bands.back().mode != change.mode) bands.push_back({change.time, change.time, change.mode});
    }
    // modes that last no time: several events at once
    std::erase_if(bands, [](const Band& band) { return !(band.end > band.begin); });
    std::size_t last = 0;
    for (std::size_t i = 1; i < bands.size(); ++i) {
        if (bands[i].mode == bands[last].mode) {
            bands[last].end = bands[i].end;
        } else {
            bands[++last] = bands[i];
        }
    }
    if (!bands.empty()) bands.resize(last + 1);
    return bands;
}

std::vector<Band> longest_bands(const std::vector<Band>& bands, std::size_t most) {
    if (bands.size() <= most) return bands;
    std::vector<double> lengths;
    for (const Band& band : bands) lengths.push_back(band.end - band.begin);
    std::nth_element(lengths.begin(), lengths.begin() + static_cast<std::ptrdiff_t>(most), lengths.end(), std::greater<>());
    const double too_short = lengths[most];
    std::vector<Band> kept;
    for (const Band& band : bands) {
        if (band.end - band.begin > too_short || kept.empty()) {
            kept.push_back(band);
        } else {
            kept.back().end = band.end;
        }
    }
    return kept;
}

PageData page_data(const record::Record& record) {
    PageData data;
    std::map<std::int64_t, Body> bodies;
    for (const Sample& s : record.samples) bodies[s.body].samples.push_back(s);
    for (const Event& e : record.events) bodies[e.a].events.push_back(e);
    std::string json = "{\"bodies\":[";
    std::size_t shown_bodies = 0;
    bool is_thinned = false;
    const Place place = is_in_space(record) ? Place::space : is_closed(record.surface) ? Place::on_body : Place::plane;
    for (const auto& [index, body] : bodies) {
        if (shown_bodies == most_bodies) break;
        json += (shown_bodies++ > 0 ? "," : "") + body_json(index, body, place, data.notes);
        is_thinned = is_thinned || body.samples.size() + body.events.size() > most_points;
    }
    if (is_thinned)
        data.notes.push_back(
            fmt::format("The record has {} samples and {} events; curves are thinned to about {} points each, extremes kept.",
                        record.samples.size(), record.events.size(), most_points));
    if (bodies.size() > shown_bodies)
        data.notes.push_back(fmt::format("The record has {} bodies; the page shows the first {}.", bodies.size(), shown_bodies));
    std::int64_t last_named = 0;  // of those that a path or an event names; groups of many may follow
    if (!bodies.empty()) last_named = bodies.rbegin()->first;
    for (const Event& e : record.events) last_named = std::max(last_named, std::int64_t{e.b});
    const auto named = record.groups.empty() ? record.bodies.rows.size() : static_cast<std::size_t>(last_named + 1);
    const std::size_t events = std::min(record.events.size(), most_events);
    if (events < record.events.size())
        data.notes.push_back(fmt::format("The record has {} events; the page lists the first {}.", record.events.size(), events));
    json += fmt::format("],\"events\":{},\"surface\":{},{},{},{}}}", events_json(record.events, events),
                        surface_json(record.surface, record.samples, data.notes), scene_json(record, named, data.notes),
                        bodies_json(record.bodies, named), names_json());
    data.json = std::move(json);
    return data;
}

}  // namespace asperity::report
