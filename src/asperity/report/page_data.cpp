#include "asperity/report/page_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <span>
#include <utility>

#include "asperity/report/html.h"
#include "asperity/report/shape_shown.h"

namespace asperity::report {
namespace {

using model::Event;
using model::Sample;

constexpr std::size_t most_points = 4000;  // of a path
constexpr std::size_t most_events = 10000;
constexpr std::size_t most_bands = 4000;
constexpr std::size_t most_facets = 40000;
constexpr std::size_t most_closed_facets = 20000;  // above, a closed surface is decimated to as many
constexpr std::size_t most_bodies = 16;
constexpr int record_digits = 9;
constexpr int time_digits = 12;
constexpr int path_turn_digits = 5;
constexpr int speed_digits = 4, normal_digits = 4;

struct Body {
    std::vector<Sample> samples;
    std::vector<Event> events;
};

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
        Sample row{.time = e.time, .body = e.a, .position = e.position, .velocity = e.velocity, .mode = e.mode};
        const auto next = std::upper_bound(body.samples.begin(), body.samples.end(), row, is_earlier);
        if (next != body.samples.begin())
            row.orientation = next != body.samples.end() ? between(*(next - 1), *next, e.time) : (next - 1)->orientation;
        rows.push_back(row);
    }
    std::stable_sort(rows.begin(), rows.end(), is_earlier);
    return rows;
}

std::string path_json(const std::vector<Sample>& rows) {
    struct Column {
        const char* name;
        int digits;
        double (*of)(const Sample&);
    };
    const Column columns[] = {{"x", record_digits, [](const Sample& s) { return s.position.x; }},
                              {"y", record_digits, [](const Sample& s) { return s.position.y; }},
                              {"z", record_digits, [](const Sample& s) { return s.position.z; }},
                              {"mode", record_digits, [](const Sample& s) { return static_cast<double>(s.mode); }},
                              {"t", time_digits, [](const Sample& s) { return s.time; }},
                              {"speed", speed_digits, [](const Sample& s) { return norm(s.velocity); }}};
    std::vector<std::vector<double>> values;
    for (const Column& column : std::span(columns).first(4)) {
        values.emplace_back();
        for (const Sample& row : rows) values.back().push_back(column.of(row));
    }
    const std::vector<std::size_t> keep = thinned_rows(values, most_points);
    std::string json = "{";
    for (const Column& column : columns) {
        std::vector<double> numbers;
        for (const std::size_t row : keep) numbers.push_back(column.of(rows[row]));
        json += fmt::format("\"{}\":{},", column.name, json_numbers(numbers, column.digits));
    }
    std::vector<double> turns;
    for (const std::size_t row : keep) {
        const Quat& q = rows[row].orientation;
        turns.insert(turns.end(), {q.w, q.x, q.y, q.z});
    }
    return fmt::format("{}\"q\":{}}}", json, json_numbers(turns, path_turn_digits));
}

std::string body_json(std::int64_t index, const Body& body, const std::vector<Sample>& rows, std::vector<std::string>& notes) {
    std::string json = fmt::format("{{\"body\":{},\"path\":{},\"bands\":[", index, path_json(rows));
    const std::vector<Band> all_bands = mode_bands(body.samples, body.events);
    const std::vector<Band> bands = longest_bands(all_bands, most_bands);
    if (bands.size() < all_bands.size())
        notes.push_back(fmt::format("Contact modes change {} times; the {} that last longest are shown.", all_bands.size(), bands.size()));
    for (std::size_t i = 0; i < bands.size(); ++i)
        json += fmt::format("{}[{},{},{}]", i > 0 ? "," : "", json_number(bands[i].begin, time_digits),
                            json_number(bands[i].end, time_digits), bands[i].mode);
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
        json += fmt::format("{}[{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}]", i > 0 ? "," : "", static_cast<std::int64_t>(e.kind),
                            json_number(e.time, time_digits), e.a, json_number(e.position.x, record_digits),
                            json_number(e.position.y, record_digits), json_number(e.position.z, record_digits),
                            json_number(norm(e.velocity), record_digits), json_number(e.normal_speed_in, record_digits),
                            json_number(e.normal_speed_out, record_digits), json_number(norm(e.spin), record_digits),
                            json_number(e.heat, record_digits), feature[0], feature[1], static_cast<std::int64_t>(e.mode),
                            json_number(e.normal.x, normal_digits), json_number(e.normal.y, normal_digits),
                            json_number(e.normal.z, normal_digits));
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
        const std::vector<Sample> rows = place == Place::space ? body.samples : with_events(body);
        json += (shown_bodies++ > 0 ? "," : "") + body_json(index, body, rows, data.notes);
        if (body.samples.size() > 1)
            for (Figure& figure : body_figures(index, body.samples, rows, place)) data.figures.push_back(std::move(figure));
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
