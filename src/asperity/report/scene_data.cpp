#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>

#include "asperity/report/html.h"
#include "asperity/report/page_data.h"
#include "asperity/report/shape_shown.h"

namespace asperity::report {
namespace {

constexpr int place_digits = 9;
constexpr int turn_digits = 6;
constexpr std::size_t most_given_facets = 20000;  // above, a closed surface is decimated to as many

std::string vector_json(const Vec3& a) { return json_numbers({a.x, a.y, a.z}, place_digits); }
std::string turn_json(const Quat& q) { return json_numbers({q.w, q.x, q.y, q.z}, turn_digits); }

std::string part_json(const record::ShapeRow& row, const record::Surface& mesh, std::vector<std::string>& notes) {
    std::string json = fmt::format("{{\"kind\":{},\"size\":{},\"p\":{},\"q\":{}", json_text(row.kind), vector_json(row.size),
                                   vector_json(row.position), turn_json(row.orientation));
    if (!mesh.vertices.empty()) {
        const ShownShape shown = row.kind == "mesh" ? shown_shape(mesh, most_given_facets) : ShownShape{.surface = mesh};
        if (!shown.note.empty()) notes.push_back(fmt::format("{}: {}", row.name, shown.note));
        json += ",\"mesh\":" + shape_json(shown.surface, shown.is_closed);
    }
    return json + "}";
}

struct BodyFigure {
    std::int64_t body = 0, count = 1;
    std::string name, parts;

    std::string json() const {
        return fmt::format("{{\"body\":{},\"count\":{},\"name\":{},\"parts\":[{}]}}", body, count, json_text(name), parts);
    }
};

std::string figures_json(const record::Record& record, std::size_t named, std::vector<std::string>& notes) {
    std::map<std::int64_t, BodyFigure> figures;  // by their first row
    std::size_t points = 0, facets = 0;
    for (const record::ShapeRow& row : record.shapes.rows) {
        const auto own_points = std::span(record.shapes.points).subspan(points, static_cast<std::size_t>(row.points));
        const auto own_facets = std::span(record.shapes.facets).subspan(facets, static_cast<std::size_t>(row.facets));
        points += own_points.size(), facets += own_facets.size();
        BodyFigure& figure = figures.try_emplace(row.body, BodyFigure{row.body, row.count, row.name, {}}).first->second;
        figure.parts +=
            (figure.parts.empty() ? "" : ",") +
            part_json(row, {.vertices = {own_points.begin(), own_points.end()}, .facets = {own_facets.begin(), own_facets.end()}}, notes);
    }
    const auto add = [&](std::int64_t first, std::int64_t count) {
        const record::BodyRow& body = record.bodies.rows[static_cast<std::size_t>(first)];
        auto before = figures.upper_bound(first);
        if (before != figures.begin() && (--before)->first >= 0 && first < before->first + before->second.count) return;
        const Vec3& a = body.semi_axes;
        const record::ShapeRow row{.kind = a.x == a.y && a.y == a.z ? "sphere" : "ellipsoid", .size = a};
        figures[first] = {first, count, body.name, part_json(row, {}, notes)};
    };
    const std::size_t bodies = record.bodies.rows.size();
    for (std::size_t i = 0; i < std::min(named, bodies); ++i) add(static_cast<std::int64_t>(i), 1);
    for (const record::Group& group : record.groups)
        if (group.head.first + group.head.count <= static_cast<std::int64_t>(bodies)) add(group.head.first, group.head.count);
    std::string json;
    for (const auto& [body, figure] : figures) json += (json.empty() ? "" : ",") + figure.json();
    return json;
}

std::string given_json(const std::vector<record::GivenRow>& rows) {
    struct Path {
        std::vector<double> t, x, y, z, q;
    };
    std::map<std::int64_t, Path> paths;
    for (const record::GivenRow& row : rows) {
        Path& path = paths[row.body];
        path.t.push_back(row.time);
        path.x.push_back(row.position.x), path.y.push_back(row.position.y), path.z.push_back(row.position.z);
        path.q.insert(path.q.end(), {row.orientation.w, row.orientation.x, row.orientation.y, row.orientation.z});
    }
    std::string json;
    for (const auto& [body, path] : paths)
        json += fmt::format("{}{{\"body\":{},\"path\":{{\"t\":{},\"x\":{},\"y\":{},\"z\":{},\"q\":{}}}}}", json.empty() ? "" : ",", body,
                            json_numbers(path.t, 12), json_numbers(path.x, place_digits), json_numbers(path.y, place_digits),
                            json_numbers(path.z, place_digits), json_numbers(path.q, turn_digits));
    return json;
}

std::string cables_json(const std::vector<record::CableRow>& cables, std::vector<std::string>& notes) {
    std::string json;
    std::size_t cut = 0;
    for (const record::CableRow& cable : cables) {
        if (cable.is_cut != 0) {
            ++cut;
            continue;
        }
        json += fmt::format("{}{{\"from\":{},\"a\":{},\"to\":{},\"b\":{}}}", json.empty() ? "" : ",", cable.from,
                            vector_json(cable.from_at), cable.to, vector_json(cable.to_at));
    }
    if (cut > 0) notes.push_back(fmt::format("{} cables that were cut during the run are not drawn.", cut));
    return json;
}

std::string rocks_json(const record::Surface& surface) {
    std::vector<double> numbers;
    for (std::size_t i = 0; i < surface.rock_centres.size(); ++i) {
        const Vec3& c = surface.rock_centres[i];
        numbers.insert(numbers.end(), {c.x, c.y, c.z, surface.rock_radii[i]});
    }
    return json_numbers(numbers, 6);
}

std::string group_json(const record::Group& group, std::vector<std::string>& notes) {
    constexpr double inf = std::numeric_limits<double>::infinity();
    Vec3 low{inf, inf, inf}, high{-inf, -inf, -inf};
    for (const record::Frame& frame : group.shown)
        for (const Vec3& a : frame.position) {
            low = {std::fmin(low.x, a.x), std::fmin(low.y, a.y), std::fmin(low.z, a.z)};  // fmin leaves out what is no number
            high = {std::fmax(high.x, a.x), std::fmax(high.y, a.y), std::fmax(high.z, a.z)};
        }
    std::string times, frames;
    for (const record::Frame& frame : group.shown) {
        times += (times.empty() ? "" : ",") + json_number(frame.time, 12);
        frames += fmt::format("{}\"{}\"", frames.empty() ? "" : ",", packed(frame.position, low, high - low));
    }
    if (group.shown.size() < group.frame_times.size())
        notes.push_back(fmt::format("{}: the picture has {} of {} frames; places in steps of 1/4095 of their range.", group.head.name,
                                    group.shown.size(), group.frame_times.size()));
    return fmt::format("{{\"name\":{},\"first\":{},\"stride\":{},\"low\":{},\"size\":{},\"t\":[{}],\"frames\":[{}]}}",
                       json_text(group.head.name), group.head.first, group.head.stride, vector_json(low), vector_json(high - low), times,
                       frames);
}

}  // namespace

std::string packed(const std::vector<Vec3>& points, const Vec3& low, const Vec3& size) {
    static constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    constexpr double steps = 4095;
    std::string out;
    out.reserve(6 * points.size());
    const auto add = [&](double value, double begin, double range) {
        const double part = range > 0 ? (value - begin) / range : 0;
        const auto step = part >= 0 && part <= 1 ? static_cast<unsigned>(std::lround(steps * part)) : 0U;
        out += letters[step / 64];
        out += letters[step % 64];
    };
    for (const Vec3& a : points) add(a.x, low.x, size.x), add(a.y, low.y, size.y), add(a.z, low.z, size.z);
    return out;
}

std::string scene_json(const record::Record& record, std::size_t named, std::vector<std::string>& notes) {
    std::string groups;
    for (const record::Group& group : record.groups)
        if (!group.shown.empty()) groups += (groups.empty() ? "" : ",") + group_json(group, notes);
    return fmt::format("\"figures\":[{}],\"given\":[{}],\"cables\":[{}],\"rocks\":{},\"groups\":[{}]", figures_json(record, named, notes),
                       given_json(record.given), cables_json(record.cables, notes), rocks_json(record.surface), groups);
}

}  // namespace asperity::report
