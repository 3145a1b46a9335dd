#include "asperity/report/body_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "asperity/report/campaign_figures.h"
#include "asperity/report/html.h"

namespace asperity::report {
namespace {

constexpr int body_digits = 4;
constexpr int picture_digits = 6;  // of coordinates in the picture

std::string value_text(double value, const std::string& unit) {
    return std::isnan(value) ? "–" : number_text(value, body_digits) + unit_html(unit);
}

std::string range_text(const AnswerShown& a) {
    if (std::isfinite(a.interval.high)) return interval_text(a.interval, body_digits);
    const std::string why = a.runs_needed > a.runs ? fmt::format("needs {} runs", a.runs_needed)
                            : a.cut_off > 0        ? "runs were cut off by end.time"
                                                   : "";
    return interval_text(a.interval, body_digits) + (std::isfinite(a.interval.low) ? unit_html(a.unit) : "") +
           (why.empty() ? "" : fmt::format("<br><small>{}</small>", why));
}

std::string answer_rows(const std::vector<AnswerShown>& answers) {
    std::string out;
    for (const AnswerShown& a : answers) {
        out += fmt::format(
            "<tr><td class=\"text\"><code>{}</code><br><small>{}</small></td><td class=\"number\" data-value=\"{}\">{}</td>"
            "<td class=\"number\">{}</td><td class=\"text\">{} {}{}</td></tr>\n",
            escaped(a.name), escaped(a.text), json_number(a.value, 17), value_text(a.value, a.unit), range_text(a), a.runs, escaped(a.over),
            a.cut_off > 0 ? fmt::format("<br><small>{} more cut off before it was known</small>", a.cut_off) : "");
    }
    return out;
}

std::string answers_section(const CampaignPage& page, const char* title, const std::vector<AnswerShown>& answers) {
    if (answers.empty()) return {};
    return fmt::format(
        "<section><h2>{}</h2><div class=\"scroll\"><table class=\"answers\"><thead><tr><th>number</th><th class=\"number\">value</th><th "
        "class=\"number\">interval at {} %</th><th>taken over</th></tr></thead><tbody>\n{}</tbody></table></div></section>\n",
        title, number_text(100 * page.confidence, 6), answer_rows(answers));
}

std::string trajectories_html(const CampaignPage& page) {
    const BodyPage& body = *page.body;
    std::string notes;
    for (const std::string& note : body.notes) notes += fmt::format("<p class=\"note\">{}</p>", escaped(note));
    if (!body.shape.note.empty()) notes += fmt::format("<p class=\"note\">{}</p>", escaped(body.shape.note));
    return fmt::format(
        "<section><h2>Trajectories over the shape <span class=\"count\">{} runs of {}</span></h2>{}"
        "<div class=\"view\" id=\"body-view\"><noscript><p class=\"note\">With scripts allowed, this page shows the body and the "
        "trajectories in three dimensions.</p></noscript></div>\n"
        "<div class=\"controls\" id=\"body-controls\" hidden><span class=\"group\" role=\"group\" aria-label=\"view\">"
        "<button type=\"button\" data-view=\"3d\">3D</button><button type=\"button\" data-view=\"top\">Top</button>"
        "<button type=\"button\" data-view=\"x\">Side x</button><button type=\"button\" data-view=\"y\">Side y</button></span>"
        "<span class=\"group\" role=\"group\" aria-label=\"zoom\"><button type=\"button\" data-fit=\"world\">Fit body</button>"
        "<button type=\"button\" data-fit=\"path\">Fit paths</button></span>"
        "<span class=\"group\" role=\"group\" aria-label=\"layers\"><button type=\"button\" data-layer=\"paths\" aria-pressed=\"true\">"
        "trajectories</button><button type=\"button\" data-layer=\"starts\" aria-pressed=\"true\">• starts</button>"
        "<button type=\"button\" data-layer=\"impacts\" aria-pressed=\"true\">○ first impacts</button>"
        "<button type=\"button\" data-layer=\"stops\" aria-pressed=\"true\">● stops</button></span></div>\n"
        "<p class=\"filters\" id=\"body-runs\"></p><p class=\"reading hint\" id=\"body-reading\"></p>"
        "<p class=\"hint\" id=\"body-hint\" hidden>Drag to turn, Shift-drag to move, wheel or two fingers to zoom, click on a trajectory "
        "to follow it. First impacts are those of the "
        "trajectories drawn; starts and stops are those of the runs in the map below.</p></section>\n",
        body.paths.size(), page.runs, notes);
}

const ColumnShown* column_of(const CampaignPage& page, const std::string& name) {
    for (const ColumnShown& column : page.columns)
        if (column.name == name && column.varies()) return &column;
    return nullptr;
}

std::string times_html(const CampaignPage& page) {
    std::string out;
    for (const char* name : {"first_impact_time", "stop_time"})
        if (const ColumnShown* column = column_of(page, name)) {
            Figure figure = histogram_figure(*column);
            figure.title += column->over == "all runs" ? fmt::format(", over all {} runs", column->count)
                                                       : fmt::format(", over {} {}", column->count, column->over);
            out += figure_html(figure);
        }
    if (!page.body->times.groups.empty()) out += figure_html(times_figure(page.body->times, page.outcomes));
    return out.empty() ? "" : fmt::format("<section><h2>When</h2><div class=\"figures\">{}</div></section>\n", out);
}

std::string places_html(const CampaignPage& page) {
    const BodyPage& body = *page.body;
    if (body.places.groups.empty()) return {};
    Figure figure = places_figure(body, page.outcomes);
    figure.note = "Points where runs ended; planetocentric. ";
    if (!body.cells.empty())
        figure.note += fmt::format(
            "Filled: the share of all {} runs that came to rest in each of {} cells of equal area on the sphere of directions. ", page.runs,
            body.cells.size());
    if (!body.patches.empty()) figure.note += "Dashed: patches of other ground. ";
    if (body.places.drawn < body.places.runs)
        figure.note += fmt::format("{} of {} runs are drawn, spread evenly over the study. ", body.places.drawn, body.places.runs);
    return "<section><h2>Stop map</h2>" + figure_html(figure) + "</section>\n";
}

void add_points(const std::vector<Vec3>& points, std::string& json) {
    json += '[';
    for (std::size_t i = 0; i < points.size(); ++i)
        fmt::format_to(std::back_inserter(json), "{}{},{},{}", i > 0 ? "," : "", json_number(points[i].x, picture_digits),
                       json_number(points[i].y, picture_digits), json_number(points[i].z, picture_digits));
    json += ']';
}

std::string colour_of(const CampaignPage& page, const std::string& outcome, bool is_success) {
    const PointGroup as{.outcome = outcome, .is_success = is_success, .x = {}, .y = {}, .runs = {}};
    return map_colour(page.body->places, as, page.outcomes);
}

}  // namespace

std::string batch_html(const CampaignPage& page) { return answers_section(page, "Numbers of the batch", page.metrics); }

std::string answers_html(const CampaignPage& page) { return answers_section(page, "For the design", page.answers); }

std::string body_html(const CampaignPage& page) {
    if (!page.body) return {};
    return trajectories_html(page) + times_html(page) + places_html(page);
}

std::string responses_html(const CampaignPage& page) {
    std::string out;
    for (const ResponseShown& response : page.responses) out += figure_html(response_figure(response, not_known));
    if (out.empty()) return {};
    return fmt::format(
        "<section><h2>Against the parameters</h2><p class=\"hint\">Success over all runs at each value; times over the successful runs "
        "there, a "
        "run that was cut off counting as its end. Whiskers: intervals at {} % confidence.</p><div class=\"figures\">{}</div></section>\n",
        number_text(100 * page.confidence, 6), out);
}

std::string body_json(const CampaignPage& page) {
    if (!page.body) return "null";
    const BodyPage& body = *page.body;
    std::string json = fmt::format("{{\"surface\":{},\"paths\":[", shape_json(body.shape.surface, body.shape.is_closed));
    for (std::size_t i = 0; i < body.paths.size(); ++i) {
        const PathShown& path = body.paths[i];
        json += fmt::format("{}{{\"run\":{},\"outcome\":{},\"colour\":{},\"xyz\":", i > 0 ? "," : "", path.run, json_text(path.outcome),
                            json_text(colour_of(page, path.outcome, path.is_success)));
        add_points(path.points, json);
        if (path.first_impact) {
            json += ",\"impact\":";
            add_points({*path.first_impact}, json);
        }
        json += '}';
    }
    json += "],\"stops\":[";
    for (std::size_t i = 0; i < body.stops.size(); ++i) {
        const StopGroup& group = body.stops[i];
        json += fmt::format("{}{{\"good\":{},\"colour\":{},\"xyz\":", i > 0 ? "," : "", group.is_success,
                            json_text(colour_of(page, group.outcome, group.is_success)));
        add_points(group.points, json);
        json += '}';
    }
    json += "],\"starts\":";
    add_points(body.starts, json);
    return json + "}";
}

}  // namespace asperity::report
