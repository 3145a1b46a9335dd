#include "asperity/report/body_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "asperity/report/campaign_figures.h"
#include "asperity/report/embedded.h"
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
    return fmt::format("<section><h2>Trajectories over the shape <span class=\"count\">{} runs of {}</span></h2>{}{}</section>\n",
                       body.paths.size(), page.runs, page_body_html, notes);
}

std::string times_html(const CampaignPage& page) {
    std::string out;
    for (const ColumnShown& column : page.columns) {
        if (!column.varies() || (column.name != "first_impact_time" && column.name != "stop_time")) continue;
        Figure figure = histogram_figure(column);
        figure.title += column.over == "all runs" ? fmt::format(", over all {} runs", column.count)
                                                  : fmt::format(", over {} {}", column.count, column.over);
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

std::string points_json(const std::vector<Vec3>& points) {
    std::vector<double> numbers;
    for (const Vec3& p : points) numbers.insert(numbers.end(), {p.x, p.y, p.z});
    return json_numbers(numbers, picture_digits);
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
    const auto colour = [&](const std::string& outcome, bool is_success) {
        return json_text(map_colour(body.places, outcome, is_success, page.outcomes));
    };
    std::string paths, stops;
    for (const PathShown& path : body.paths)
        paths += fmt::format("{}{{\"run\":{},\"outcome\":{},\"colour\":{},\"xyz\":{},\"impact\":{}}}", paths.empty() ? "" : ",", path.run,
                             json_text(path.outcome), colour(path.outcome, path.is_success), points_json(path.points),
                             path.first_impact ? points_json({*path.first_impact}) : "null");
    for (const StopGroup& group : body.stops)
        stops += fmt::format("{}{{\"good\":{},\"colour\":{},\"xyz\":{}}}", stops.empty() ? "" : ",", group.is_success,
                             colour(group.outcome, group.is_success), points_json(group.points));
    return fmt::format("{{\"surface\":{},\"paths\":[{}],\"stops\":[{}],\"starts\":{}}}",
                       shape_json(body.shape.surface, body.shape.is_closed), paths, stops, points_json(body.starts));
}

}  // namespace asperity::report
