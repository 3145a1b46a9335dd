#include "asperity/report/body_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "asperity/report/campaign_plots.h"
#include "asperity/report/html.h"

namespace asperity::report {
namespace {

constexpr int body_digits = 4;
constexpr int place_digits = 6;  // of coordinates in the picture

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

std::string table_html(const CampaignPage& page, const char* title, const std::vector<AnswerShown>& answers) {
    if (answers.empty()) return {};
    return fmt::format(
        "<section><h2>{}</h2><div class=\"scroll\"><table class=\"answers\"><thead><tr><th>number</th><th class=\"number\">value</th><th "
        "class=\"number\">interval at {} %</th><th>taken over</th></tr></thead><tbody>\n{}</tbody></table></div></section>\n",
        title, number_text(100 * page.confidence, 6), answer_rows(answers));
}

std::string legend_html(const CampaignPage& page, const PointMap& map) {
    std::string out = "<p class=\"legend\">";
    for (const PointGroup& group : map.groups)
        out += fmt::format("<span><b style=\"color:var({})\">{}</b>{}{}: {}</span>", map_colour(map, group, page.outcomes),
                           group.is_success ? "●" : "✕", escaped(group.outcome), group.is_success ? "" : ", no success", group.runs.size());
    return out + "</p>\n";
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
        "trajectories drawn; starts and stops are those of the runs in the map below.</p>{}</section>\n",
        body.paths.size(), page.runs, legend_html(page, body.places), notes);
}

const ColumnShown* column_of(const CampaignPage& page, const std::string& name) {
    for (const ColumnShown& column : page.columns)
        if (column.name == name && column.varies()) return &column;
    return nullptr;
}

std::string times_html(const CampaignPage& page, std::size_t first_map) {
    std::string out;
    for (const char* name : {"first_impact_time", "stop_time"})
        if (const ColumnShown* column = column_of(page, name))
            out += fmt::format("<figure><figcaption>{}{} <span class=\"unit\">over {} {}{}</span></figcaption>{}</figure>\n",
                               escaped(column->name), unit_html(column->unit), column->count, escaped(column->over),
                               column->cut_off > 0 ? fmt::format(", {} cut off before", column->cut_off) : "", histogram_svg(*column));
    if (!page.body->times.groups.empty())
        out +=
            fmt::format("<figure><figcaption>stop time against first impact</figcaption>{}<p class=\"reading hint\">&nbsp;</p></figure>\n",
                        times_svg(*page.body, first_map + 1, page.outcomes));
    return out.empty() ? "" : fmt::format("<section><h2>When</h2><div class=\"histograms\">{}</div></section>\n", out);
}

std::string places_html(const CampaignPage& page, std::size_t first_map) {
    const BodyPage& body = *page.body;
    if (body.places.groups.empty()) return {};
    std::string note = "Points where runs ended; planetocentric. ";
    if (!body.cells.empty())
        note += fmt::format(
            "Shaded: the share of all {} runs that came to rest in each of {} cells of equal area on the sphere of "
            "directions; pointing at one shows it. ",
            page.runs, body.cells.size());
    if (!body.patches.empty()) note += "Dashed: patches of other ground. ";
    if (body.places.drawn < body.places.runs)
        note += fmt::format("{} of {} runs are drawn, spread evenly over the study. ", body.places.drawn, body.places.runs);
    return fmt::format(
        "<section><h2>Stop map</h2>{}<div class=\"wide-map\">{}<p class=\"reading hint\">&nbsp;</p></div><p "
        "class=\"note\">{}</p></section>\n",
        legend_html(page, body.places), places_svg(body, first_map, page.outcomes), note);
}

void add_points(const std::vector<Vec3>& points, std::string& json) {
    json += '[';
    for (std::size_t i = 0; i < points.size(); ++i)
        fmt::format_to(std::back_inserter(json), "{}{},{},{}", i > 0 ? "," : "", json_number(points[i].x, place_digits),
                       json_number(points[i].y, place_digits), json_number(points[i].z, place_digits));
    json += ']';
}

std::string colour_of(const CampaignPage& page, const std::string& outcome, bool is_success) {
    const PointGroup as{.outcome = outcome, .is_success = is_success, .x = {}, .y = {}, .runs = {}};
    return map_colour(page.body->places, as, page.outcomes);
}

}  // namespace

std::string batch_html(const CampaignPage& page) { return table_html(page, "Numbers of the batch", page.metrics); }

std::string answers_html(const CampaignPage& page) { return table_html(page, "For the design", page.answers); }

std::string body_html(const CampaignPage& page) {
    if (!page.body) return {};
    return trajectories_html(page) + times_html(page, page.maps.size()) + places_html(page, page.maps.size());
}

std::string responses_html(const CampaignPage& page) {
    std::string out;
    for (const ResponseShown& response : page.responses)
        out += fmt::format("<figure><figcaption>{} against {}</figcaption>{}</figure>\n", escaped(response.name),
                           escaped(response.parameter), response_svg(response, not_known));
    if (out.empty()) return {};
    return fmt::format(
        "<section><h2>Against the parameters</h2><p class=\"hint\">Success over all runs at each value; times over the successful runs "
        "there, a "
        "run that was cut off counting as its end. Whiskers: intervals at {} % confidence.</p><div class=\"figures\">{}</div></section>\n",
        number_text(100 * page.confidence, 6), out);
}

std::vector<const PointMap*> body_maps(const CampaignPage& page) {
    if (!page.body) return {};
    return {&page.body->places, &page.body->times};
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
