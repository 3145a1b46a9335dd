#include "asperity/report/system_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "asperity/core/quat.h"
#include "asperity/report/campaign_plots.h"
#include "asperity/report/html.h"
#include "asperity/report/page_data.h"
#include "asperity/report/plot_frame.h"

namespace asperity::report {
namespace {

constexpr double plot_width = 560, plot_height = 236;  // px, of a plot
constexpr double picture = 200;                        // px, of a picture of the bodies
constexpr std::size_t most_curve_points = 900;         // of a curve
constexpr std::size_t curve_colours = 6;               // in the style
constexpr double flat = 1e-7;                          // of the values: curves that vary less are drawn as level
constexpr double close_moments = 0.01;                 // of the whole time: collisions that follow each other faster are one
constexpr double lane_height = 26, lane_left = 128;    // px

PlotAxis value_axis(const SystemPlot& plot) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    const auto take = [&](double value) {
        if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value);
    };
    for (const SystemCurve& curve : plot.curves)
        for (const double value : curve.values) take(value);
    for (const double value : plot.marks) take(value);
    if (low > high) low = 0, high = 1;
    const double size = std::max(std::fabs(low), std::fabs(high)), span = high - low;
    const double room = span > flat * size ? 0.06 * span : size > 0 ? 0.1 * size : 1;
    return {.low = low - room, .high = high + room, .begin = plot_height - 38, .end = 20};
}

// Rows of a curve that show all its extremes, and in each stretch one where it has no value.
std::vector<std::size_t> kept_rows(const std::vector<double>& values) {
    std::vector<double> filled, gap;
    double last = 0;
    for (const double value : values) {
        const bool is_number = std::isfinite(value);
        if (is_number) last = value;
        filled.push_back(last);
        gap.push_back(is_number ? 0 : 1);
    }
    return thinned_rows({filled, gap}, most_curve_points);
}

std::string curve_path(const SystemCurve& curve, const std::vector<double>& times, double unit, const PlotFrame& frame) {
    std::string path;
    bool is_down = false;
    for (const std::size_t row : kept_rows(curve.values)) {
        const double value = curve.values[row];
        if (std::isfinite(value))
            path += fmt::format("{}{:.1f} {:.2f}", is_down ? 'L' : 'M', frame.x.at(times[row] / unit), frame.y.at(value));
        is_down = std::isfinite(value);
    }
    return path;
}

std::string collision_ticks(const std::vector<double>& collisions, double unit, const PlotFrame& frame) {
    std::string path;
    double last = -1;  // px: those at one place are drawn once
    for (const double time : collisions) {
        const double x = std::round(2 * frame.x.at(time / unit)) / 2;
        if (x != last && frame.x.holds(time / unit)) path += fmt::format("M{:.1f} {:.1f}v-7", x, frame.y.begin);
        last = x;
    }
    return path.empty() ? path : fmt::format("<path class=\"collisions\" d=\"{}\"/>", path);
}

// The colour of each curve: a faint one has that of the next.
std::vector<std::size_t> colour_indices(const std::vector<SystemCurve>& curves) {
    std::vector<std::size_t> out;
    std::size_t next = 0;
    for (const SystemCurve& curve : curves) out.push_back(curve.is_faint ? next : next++);
    return out;
}

// The axis of time of a figure, in its unit.
PlotAxis time_axis(const TimeAxis& axis, const TimeUnit& unit, double begin) {
    const double first = axis.times.front(), last = axis.times.back(), end = last > first ? last : first + unit.size;
    return {.low = first / unit.size, .high = end / unit.size, .begin = begin, .end = plot_width - 12};
}

std::string svg_of(const SystemPlot& plot, const TimeAxis& axis) {
    const TimeUnit unit = time_unit(axis.times.back() - axis.times.front());
    const PlotFrame frame{.x = time_axis(axis, unit, 78), .y = value_axis(plot)};
    const auto [across, power_x] = frame.axis(true, 7);
    const auto [upward, power_y] = frame.axis(false, 5);
    std::string out = opened_svg("system", plot_width, plot_height, plot.title) + across + upward;
    out += frame.above(false, power_y.empty() ? plot.unit : fmt::format("{} {}", power_y, plot.unit));
    out += frame.below(fmt::format("time, {}{}{}", power_x, power_x.empty() ? "" : " ", unit.name));
    for (const double mark : plot.marks)
        out += fmt::format("<path class=\"level\" d=\"M{:.1f} {:.2f}H{:.1f}\"/>", frame.x.begin, frame.y.at(mark), frame.x.end);
    const std::vector<std::size_t> indices = colour_indices(plot.curves);
    for (std::size_t i = 0; i < plot.curves.size(); ++i)
        out += fmt::format("<path class=\"curve{}{}\" style=\"stroke:{}\" d=\"{}\"/>", plot.curves[i].is_faint ? " faint" : "",
                           indices[i] >= curve_colours ? " dashed" : "", system_colour(indices[i]),
                           curve_path(plot.curves[i], axis.times, unit.size, frame));
    return out + collision_ticks(axis.collisions, unit.size, frame) + frame.border() + "</svg>";
}

std::string key_html(const std::vector<SystemCurve>& curves) {
    const std::vector<std::size_t> indices = colour_indices(curves);
    std::string out;
    for (std::size_t i = 0; i < curves.size(); ++i)
        if (!curves[i].name.empty())
            out += fmt::format("<span><i{} style=\"border-color:{}\"></i>{}</span>", indices[i] >= curve_colours ? " class=\"dashed\"" : "",
                               system_colour(indices[i]), escaped(curves[i].name));
    return out;
}

// Across and up of the pictures: in the plane of the angular momentum, the first along x or, where that is not in it, y.
struct Plane {
    Vec3 across, up;

    explicit Plane(const Vec3& axis) {
        across = unit(tangential(std::fabs(axis.x) < 0.9 ? Vec3{1, 0, 0} : Vec3{0, 1, 0}, axis));
        up = cross(axis, across);
    }
    double x(const Vec3& a) const { return dot(across, a); }
    double y(const Vec3& a) const { return dot(up, a); }
};

// S a of an ellipsoid, S = R diag(semi-axes squared) R^T: the outline across a unit vector n is at S n / sqrt(n . S n).
Vec3 shape_times(const record::BodyRow& body, const Quat& q, const Vec3& a) {
    const Vec3 along = rotate(Quat{q.w, -q.x, -q.y, -q.z}, a), s = body.semi_axes;
    return rotate(q, {s.x * s.x * along.x, s.y * s.y * along.y, s.z * s.z * along.z});
}

Vec3 centre_of(const record::Record& record, const SystemMoment& moment) {
    Vec3 centre;
    double mass = 0;
    for (std::size_t i = 0; i < record.bodies.rows.size(); ++i) {
        centre += record.bodies.rows[i].mass * record.samples[moment.first_row + i].position;
        mass += record.bodies.rows[i].mass;
    }
    return centre / mass;
}

// Of a body whose centre is there.
std::string outline(const record::BodyRow& body, const Quat& q, const Vec3& p, const Plane& plane, double scale) {
    constexpr int corners = 48;
    constexpr double whole_turn = 6.283185307179586;
    std::string path;
    for (int k = 0; k < corners; ++k) {
        const double turn = whole_turn * k / corners;
        const Vec3 n = std::cos(turn) * plane.across + std::sin(turn) * plane.up, s = shape_times(body, q, n);
        const Vec3 at = p + s / std::sqrt(dot(n, s));
        path += fmt::format("{}{:.1f} {:.1f}", k == 0 ? 'M' : 'L', scale * plane.x(at), -scale * plane.y(at));
    }
    return path + "Z";
}

// Half the width that holds every body at every one of the rows.
double half_width(const record::Record& record, const SystemHistory& history, const std::vector<std::size_t>& rows, const Plane& plane) {
    double most = 0;
    for (const std::size_t row : rows) {
        const Vec3 centre = centre_of(record, history.moments[row]);
        for (std::size_t i = 0; i < record.bodies.rows.size(); ++i) {
            const Vec3 p = record.samples[history.moments[row].first_row + i].position - centre;
            const Vec3& axes = record.bodies.rows[i].semi_axes;
            const double reach = std::max({axes.x, axes.y, axes.z});
            most = std::max({most, std::fabs(plane.x(p)) + reach, std::fabs(plane.y(p)) + reach});
        }
    }
    return most;
}

std::string bodies_svg(const record::Record& record, const SystemMoment& moment, const Plane& plane, double scale) {
    const Vec3 centre = centre_of(record, moment);
    std::string out;
    for (std::size_t i = 0; i < record.bodies.rows.size(); ++i) {
        const record::BodyRow& body = record.bodies.rows[i];
        const model::Sample& s = record.samples[moment.first_row + i];
        const Vec3 p = s.position - centre, arm = rotate(s.orientation, {body.semi_axes.x, 0, 0});
        const double x = scale * plane.x(p), y = -scale * plane.y(p), dx = scale * plane.x(arm), dy = -scale * plane.y(arm);
        if (!is_finite(p)) continue;
        const double size = scale * std::min({body.semi_axes.x, body.semi_axes.y, body.semi_axes.z});
        const bool is_beside = size < 10;  // the number has no room inside
        const double beside = x + size + 14 < 0.5 * picture ? 1 : -1;
        out += fmt::format(
            "<path class=\"body\" style=\"fill:{0};stroke:{0}\" d=\"{1}\"/><path class=\"arm\" d=\"M{2:.1f} {3:.1f}l{4:.1f} {5:.1f}\"/>"
            "<text x=\"{6:.1f}\" y=\"{7:.1f}\" text-anchor=\"middle\">{8}</text>",
            system_colour(i), outline(body, s.orientation, p, plane, scale), x, y, dx, dy,
            is_beside ? x + beside * (size + 7) : x - 0.45 * dx, is_beside ? y + 4 : y - 0.45 * dy + 4, i + 1);
    }
    return out;
}

std::string length_text(double metres) {
    return metres >= 1000 ? fmt::format("{} km", number_text(metres / 1000, 3)) : fmt::format("{} m", number_text(metres, 3));
}

std::string state_text(const SystemMoment& moment) {
    if (moment.configuration != model::Configuration::none) return name(moment.configuration);
    return moment.contacts > 0 ? fmt::format("{} contact{}", moment.contacts, moment.contacts > 1 ? "s" : "") : "";
}

// Each stretch of one configuration ends where the next begins; the last moment is a stretch without length, drawn as a point.
std::string lane_path(const SystemHistory& history, model::Configuration configuration, const PlotAxis& across, double unit) {
    const std::vector<SystemMoment>& moments = history.moments;
    std::string path;
    for (std::size_t k = 0; k < moments.size(); ++k) {
        if (moments[k].configuration != configuration) continue;
        std::size_t next = k + 1;
        while (next < moments.size() && moments[next].configuration == configuration) ++next;
        const double end = moments[std::min(next, moments.size() - 1)].time;
        path += fmt::format("M{:.1f} 0H{:.1f}", across.at(moments[k].time / unit),
                            std::max(across.at(end / unit), across.at(moments[k].time / unit) + 0.5));
        k = next - 1;
    }
    return path;
}

}  // namespace

TimeUnit time_unit(double span) {
    constexpr double hour = 3600, day = 86400, year = 31557600;
    if (span < 4 * hour) return {"s", 1};
    if (span < 10 * day) return {"h", hour};
    if (span < 3 * year) return {"d", day};
    return {"yr", year};
}

std::string system_colour(std::size_t index) { return fmt::format("var(--c{})", index % curve_colours); }

std::string system_plot_html(const SystemPlot& plot, const TimeAxis& axis) {
    const std::string note = plot.note.empty() ? "" : fmt::format("<p class=\"note\">{}</p>", escaped(plot.note));
    const bool is_empty = std::none_of(plot.curves.begin(), plot.curves.end(), [](const SystemCurve& curve) {
        return std::any_of(curve.values.begin(), curve.values.end(), [](double value) { return std::isfinite(value); });
    });
    if (is_empty) return fmt::format("<figure><figcaption>{}</figcaption>{}</figure>\n", escaped(plot.title), note);
    return fmt::format("<figure><figcaption>{} <span class=\"keys\">{}</span></figcaption>{}{}</figure>\n", escaped(plot.title),
                       key_html(plot.curves), svg_of(plot, axis), note);
}

std::string configurations_html(const SystemHistory& history, const TimeAxis& axis, const std::string& end) {
    std::vector<model::Configuration> lanes;
    for (const SystemMoment& moment : history.moments)
        if (moment.configuration != model::Configuration::none &&
            std::find(lanes.begin(), lanes.end(), moment.configuration) == lanes.end())
            lanes.push_back(moment.configuration);
    if (lanes.empty()) return {};
    const TimeUnit unit = time_unit(axis.times.back() - axis.times.front());
    const double height = lane_height * static_cast<double>(lanes.size());
    const PlotFrame frame{.x = time_axis(axis, unit, lane_left), .y = {.low = 0, .high = 1, .begin = 8 + height, .end = 8}};
    const auto [across, power] = frame.axis(true, 7);
    std::string svg = opened_svg("system", plot_width, height + 46, "configurations") + across;
    for (std::size_t k = 0; k < lanes.size(); ++k) {
        const double y = 8 + lane_height * (static_cast<double>(k) + 0.5);
        svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>", lane_left - 8, y + 4, escaped(name(lanes[k])));
        svg += fmt::format("<path class=\"lane\" style=\"stroke:{}\" transform=\"translate(0 {:.1f})\" d=\"{}\"/>", system_colour(k), y,
                           lane_path(history, lanes[k], frame.x, unit.size));
    }
    svg += frame.below(fmt::format("time, {}{}{}", power, power.empty() ? "" : " ", unit.name));
    svg += collision_ticks(axis.collisions, unit.size, frame) + frame.border() + "</svg>";
    const bool librates = !end.empty() && end != name(history.moments.back().configuration);
    return "<figure><figcaption>Configuration</figcaption>" + svg +
           fmt::format(
               "<p class=\"note\">Where the bodies are; what librates about a configuration passes through its "
               "neighbours.{}</p></figure>\n",
               librates ? fmt::format(" At the end they librate about {}, the metric.", escaped(end)) : "");
}

std::vector<std::size_t> shown_rows(const TimeAxis& axis, std::size_t count) {
    const std::vector<double>& times = axis.times;
    std::vector<std::size_t> rows;
    if (times.empty()) return rows;
    const double span = times.back() - times.front();
    rows.push_back(0);
    if (times.size() > 1) rows.push_back(times.size() - 1);
    double last = -std::numeric_limits<double>::infinity();
    std::vector<double> moments;
    std::merge(axis.collisions.begin(), axis.collisions.end(), axis.changes.begin(), axis.changes.end(), std::back_inserter(moments));
    for (const double time : moments) {
        const bool is_new = time - last > close_moments * span;
        last = time;
        const auto row = static_cast<std::size_t>(std::lower_bound(times.begin(), times.end(), time) - times.begin());
        if (!is_new || row >= times.size() || rows.size() >= count) continue;
        if (std::find(rows.begin(), rows.end(), row) == rows.end()) rows.push_back(row);
    }
    std::sort(rows.begin(), rows.end());
    while (rows.size() < std::min(count, times.size())) {
        std::size_t longest = 0;
        for (std::size_t k = 0; k + 1 < rows.size(); ++k)
            if (rows[k + 1] - rows[k] > rows[longest + 1] - rows[longest]) longest = k;
        const std::size_t middle = (rows[longest] + rows[longest + 1]) / 2;
        if (middle == rows[longest]) break;
        rows.insert(rows.begin() + static_cast<std::ptrdiff_t>(longest) + 1, middle);
    }
    return rows;
}

std::string system_frames_html(const record::Record& record, const SystemHistory& history, const std::vector<std::size_t>& rows) {
    if (rows.empty()) return {};
    const Plane plane(history.axis);
    const double half = half_width(record, history, rows, plane), scale = 0.5 * picture / half;
    const TimeUnit unit = time_unit(history.moments.back().time - history.moments.front().time);
    std::string out = "<div class=\"frames\">";
    for (const std::size_t row : rows) {
        const SystemMoment& moment = history.moments[row];
        out +=
            fmt::format("<figure><svg class=\"system\" viewBox=\"{0} {0} {1} {1}\" role=\"img\" aria-label=\"bodies at {2} s\">{3}</svg>",
                        -0.5 * picture, picture, number_text(moment.time, 6), bodies_svg(record, moment, plane, scale));
        out += fmt::format("<figcaption><span>{} {}</span><span>{}</span></figcaption></figure>", number_text(moment.time / unit.size, 5),
                           unit.name, escaped(state_text(moment)));
    }
    return out + fmt::format(
                     "</div><p class=\"note\">Seen along the angular momentum; each picture is {} wide. The line in a body is "
                     "its own x axis.</p>\n",
                     length_text(2 * half));
}

}  // namespace asperity::report
