#include "asperity/report/campaign_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "asperity/report/body_section.h"
#include "asperity/report/campaign_figures.h"
#include "asperity/report/html.h"
#include "asperity/report/page.h"

namespace asperity::report {
namespace {

constexpr int digits = 5;

// So many decimals that a share near none or all is still told from it.
int percent_decimals(double share) {
    const double rest = 100 * std::min(share, 1 - share);
    return rest > 0 ? std::clamp(1 - static_cast<int>(std::floor(std::log10(rest))), 1, 9) : 0;
}

std::string percent_text(double share) { return std::isfinite(share) ? fmt::format("{:.{}f}", 100 * share, percent_decimals(share)) : "–"; }

// With the same number of decimals as the others beside it; none and all are told without.
std::string percent_text(double share, int decimals) {
    return share == 0 || share == 1 ? percent_text(share) : fmt::format("{:.{}f}", 100 * share, decimals);
}

// A long name may be broken after its dots and underscores.
std::string breakable(std::string_view name) {
    std::string out;
    std::string part;
    for (const char c : name) {
        part += c;
        if (c != '.' && c != '_') continue;
        out += escaped(part) + "<wbr>";
        part.clear();
    }
    return out + escaped(part);
}

std::string command_html(std::string_view command) { return fmt::format("<code class=\"command\">{}</code>", escaped(command)); }

std::string outcomes_html(const std::vector<OutcomeCount>& outcomes, std::uint64_t runs) {
    std::string bar = "<div class=\"outcomes\">", legend = "<p class=\"legend\">";
    for (const OutcomeCount& outcome : outcomes) {
        const double share = static_cast<double>(outcome.count) / static_cast<double>(runs);
        const std::string colour = outcome_colour(outcomes, outcome.name);
        bar += fmt::format("<i style=\"flex-grow:{};background:var({})\" title=\"{}: {}\"></i>", outcome.count, colour,
                           escaped(outcome.name), outcome.count);
        legend += fmt::format("<span><i style=\"background:var({})\"></i>{}: {} ({} %)</span>", colour, escaped(outcome.name),
                              outcome.count, percent_text(share));
    }
    return bar + "</div>" + legend + "</p>\n";
}

std::string success_html(const CampaignPage& page) {
    const double rate = page.runs > 0 ? static_cast<double>(page.successes) / static_cast<double>(page.runs) : not_known;
    const Between& interval = page.success_interval;
    const int decimals = percent_decimals(rate == 1 ? interval.low : rate == 0 ? interval.high : rate);
    return fmt::format("<div><dt>success rate</dt><dd>{}&#8239;%</dd><dd class=\"below\">{} … {} % at {} % confidence</dd></div>",
                       percent_text(rate), percent_text(interval.low, decimals), percent_text(interval.high, decimals),
                       number_text(100 * page.confidence, 6));
}

std::string headline_html(const CampaignPage& page) {
    std::string out = "<section class=\"answer\"><h2>Outcome</h2><dl class=\"headline\">";
    if (page.has_success) out += success_html(page);
    out += fmt::format("<div><dt>runs</dt><dd>{}</dd><dd class=\"below\">{}</dd></div>", page.runs,
                       page.has_success ? fmt::format("{} {}", page.successes, page.successes == 1 ? "success" : "successes") : "");
    out += fmt::format("<div><dt>failed</dt><dd class=\"{}\">{}</dd><dd class=\"below\">{}</dd></div></dl>\n",
                       page.failed > 0 ? "bad" : "good", page.failed,
                       page.failed > 0 ? "could not start or broke down" : "every run reached an end");
    if (!page.note.empty()) out += fmt::format("<p class=\"note\">{}.</p>\n", escaped(page.note));
    out += outcomes_html(page.outcomes, page.runs);
    for (const auto& [name, counts] : page.counts) out += fmt::format("<h3>{}</h3>{}", breakable(name), outcomes_html(counts, page.runs));
    return out + "</section>\n";
}

std::string map_facts_html(const PointMap& map) {
    const bool is_about_mean = map.x_name == "east";  // a plane on the ground of a body, through the mean
    const auto both = [&](double a, const char* sign, double b) {
        return fmt::format("{}{}{} {}", number_text(a, digits), sign, number_text(b, digits), map.unit);
    };
    const double direction = std::atan2(map.direction_y, map.direction_x) * 57.29577951308232;
    return table_html(
        {"of the points", ""},
        {{"mean", is_about_mean ? "the origin" : both(map.mean_x, ", ", map.mean_y)},
         {fmt::format("{} % ellipse, semi-axes", number_text(100 * map.probability, 4)), both(map.semi_axes[0], " × ", map.semi_axes[1])},
         {"its long axis points to", fmt::format("{}° from {} towards {}", number_text(direction, 4), map.x_name, map.y_name)},
         {"runs inside it", percent_text(map.fraction_inside) + " %"},
         {"circular error probable", number_text(map.error_probable, digits) + " " + map.unit}},
        1);
}

std::string maps_html(const CampaignPage& page) {
    std::string out;
    for (const PointMap& map : page.maps) {
        Figure figure = map_figure(map, page.outcomes);
        std::uint64_t inside = 0;
        for (const PointGroup& group : map.groups) inside += group.runs.size();
        if (!map.over.empty()) figure.note = fmt::format("Of the {} {}. ", map.runs, map.over);
        if (map.drawn < map.runs)
            figure.note += fmt::format("{} of {} runs are drawn, spread evenly over the study. ", map.drawn, map.runs);
        if (inside < map.drawn) figure.note += fmt::format("{} of the runs drawn lie outside the picture. ", map.drawn - inside);
        if (map.ellipse_runs < map.runs)
            figure.note += fmt::format("Mean, ellipse and circle are those of the first {} runs. ", map.ellipse_runs);
        out += fmt::format("<section><h2>Map of {}</h2><div class=\"map-and-facts\">{}{}</div></section>\n", breakable(map.name),
                           figure_html(figure), map_facts_html(map));
    }
    return out;
}

std::string histograms_html(const CampaignPage& page, bool of_parameters) {
    std::string out = "<div class=\"histograms\">\n";
    for (const ColumnShown& column : page.columns)
        if (column.is_parameter == of_parameters && column.varies() && column.is != ColumnIs::name)
            out += figure_html(histogram_figure(column));
    return out + "</div>\n";
}

std::string value_cell(double value) {
    return fmt::format("<td class=\"number\" data-value=\"{}\">{}</td>", json_number(value, 17), number_text(value, digits));
}

std::string value_cell(double value, const Between& interval) {
    return fmt::format("<td class=\"number\" data-value=\"{}\">{}<br><small>{}</small></td>", json_number(value, 17),
                       number_text(value, digits), interval_text(interval, digits - 1));
}

// A mean that cannot be told because runs were cut off: what can.
std::string mean_cell(const ColumnShown& c) {
    if (!(c.cut_off > 0) || !std::isnan(c.mean)) return value_cell(c.mean, c.mean_interval);
    return fmt::format("<td class=\"number\" data-value=\"null\">{}<br><small>{} up to {}</small></td>",
                       interval_text(c.mean_interval, digits), number_text(c.restricted_mean, digits), number_text(c.cut_off_at, digits));
}

std::string runs_cell(const ColumnShown& c) {
    return fmt::format("<td class=\"number\" data-value=\"{}\">{}{}</td>", c.count, c.count,
                       c.cut_off > 0 ? fmt::format("<br><small>{} cut off</small>", c.cut_off) : "");
}

std::string statistics_html(const CampaignPage& page, bool of_parameters) {
    std::string out =
        "<div class=\"scroll\"><table class=\"sortable statistics\"><thead><tr><th class=\"text\">column</th><th class=\"number\">runs</th>"
        "<th class=\"number\">mean</th><th class=\"number\">standard deviation</th><th class=\"number\">least</th>"
        "<th class=\"number\">5 %</th><th class=\"number\">median</th><th class=\"number\">95 %</th><th class=\"number\">largest</th>"
        "</tr></thead><tbody>\n";
    for (const ColumnShown& c : page.columns) {
        if (c.is_parameter != of_parameters || !c.varies() || c.is == ColumnIs::name) continue;
        out += fmt::format("<tr><td class=\"text\" title=\"{}\">{}{}</td>{}", escaped(c.text), breakable(c.name), unit_html(c.unit),
                           runs_cell(c));
        out += mean_cell(c) + value_cell(c.deviation, c.deviation_interval) + value_cell(c.min);
        for (const double probability : {0.05, 0.5, 0.95}) {
            const auto q = std::find_if(c.quantiles.begin(), c.quantiles.end(),
                                        [&](const QuantileShown& shown) { return shown.probability == probability; });
            out += q == c.quantiles.end() ? value_cell(not_known) : value_cell(q->value, q->interval);
        }
        out += value_cell(c.max) + "</tr>\n";
    }
    return out + "</tbody></table></div>\n";
}

// Columns that would only fill the page: the same value in every run, or none.
std::string still_columns_html(const CampaignPage& page, bool of_parameters) {
    std::string same, none, names;
    for (const ColumnShown& c : page.columns) {
        if (c.is_parameter == of_parameters && c.is == ColumnIs::name && c.varies())
            names += fmt::format("<p class=\"note\">{}: {} different in {} runs, most often {} ({} runs).</p>\n", escaped(c.name),
                                 c.different, c.count, number_text(c.most_frequent, 10), c.most_count);
        if (c.is_parameter != of_parameters || c.varies()) continue;
        if (c.count == 0)
            none += fmt::format("{}{}", none.empty() ? "" : ", ", escaped(c.name));
        else
            same += fmt::format("{}{} = {}{}", same.empty() ? "" : ", ", escaped(c.name), number_text(c.max, digits), unit_html(c.unit));
    }
    if (!same.empty()) same = fmt::format("<p class=\"note\">The same in every run: {}.</p>\n", same);
    if (!none.empty()) none = fmt::format("<p class=\"note\">No run has a value of {}.</p>\n", none);
    return names + same + none;
}

std::string columns_html(const CampaignPage& page, bool of_parameters) {
    const bool has_any = std::any_of(page.columns.begin(), page.columns.end(), [&](const ColumnShown& c) {
        return c.is_parameter == of_parameters && c.varies() && c.is != ColumnIs::name;
    });
    std::string inner;
    if (has_any) inner = histograms_html(page, of_parameters) + statistics_html(page, of_parameters);
    inner += still_columns_html(page, of_parameters);
    if (inner.empty()) return {};
    if (has_any)
        inner += fmt::format(
            "<p class=\"hint\">The column “runs” says how many of the {} runs a line is taken over; what only makes sense at rest is that "
            "of "
            "runs that came to rest. Directions have a mean direction and a circular deviation. Of a time that some runs were cut off "
            "before, the mean is told as a bound, and as the mean up to the cut. Below a value: its interval at {} % confidence. A click "
            "on "
            "a heading sorts.</p>\n",
            page.runs, number_text(100 * page.confidence, 6));
    if (of_parameters)
        return fmt::format("<section><details><summary><h2>Parameters as drawn</h2></summary>{}</details></section>\n", inner);
    return fmt::format("<section><h2>Metrics</h2>{}</section>\n", inner);
}

bool is_told_from_none(const CorrelationShown& cell) { return cell.interval.low > 0 || cell.interval.high < 0; }

std::string correlation_cell(const CorrelationShown& cell) {
    // of two or three runs nothing is known, whatever the coefficient
    const bool is_known = cell.interval.low > -1 || cell.interval.high < 1;
    if (std::isnan(cell.coefficient) || !is_known) return "<td class=\"number weak\" data-value=\"null\">–</td>";
    const double r = cell.coefficient;
    std::string text = fmt::format("{:.2f}", std::fabs(r));
    if (text != "0.00") text = (r < 0 ? "−" : "") + text;
    return fmt::format("<td class=\"number {} {}\" style=\"--r:{:.2f}\" data-value=\"{:.6g}\" title=\"{}\">{}</td>",
                       r < 0 ? "negative" : "positive", is_told_from_none(cell) ? "strong" : "weak", std::fabs(r), r,
                       interval_text(cell.interval, 2), text);
}

std::string correlations_html(const CampaignPage& page) {
    const CorrelationMatrix& matrix = page.correlations;
    const auto varies = [&](const std::string& name) {
        return std::any_of(page.columns.begin(), page.columns.end(), [&](const ColumnShown& c) { return c.name == name && c.varies(); });
    };
    std::string out, rows;
    for (const std::string& parameter : matrix.parameters)
        if (varies(parameter)) out += fmt::format("<th class=\"number\">{}</th>", breakable(parameter));
    for (std::size_t i = 0; i < matrix.metrics.size(); ++i) {
        if (!varies(matrix.metrics[i])) continue;
        rows += fmt::format("<tr><td class=\"text\">{}</td>", breakable(matrix.metrics[i]));
        for (std::size_t k = 0; k < matrix.parameters.size(); ++k)
            if (varies(matrix.parameters[k])) rows += correlation_cell(matrix.cells[i * matrix.parameters.size() + k]);
        rows += "</tr>\n";
    }
    if (out.empty() || rows.empty()) return {};
    std::string note = fmt::format(
        "Spearman's rank correlation, −1 … 1. Bold: told from none at {} % confidence; pointing at a number shows its interval.",
        number_text(100 * page.confidence, 6));
    std::uint64_t most = 0;  // runs that have a value
    for (const ColumnShown& column : page.columns)
        if (!column.is_parameter) most = std::max(most, column.count);
    if (page.correlated_runs < most) note += fmt::format(" From the first {} runs.", page.correlated_runs);
    return fmt::format(
        "<section><h2>Sensitivity: rank correlations</h2><p class=\"hint\">{}</p><div class=\"scroll\"><table class=\"sortable "
        "matrix\"><thead><tr>"
        "<th class=\"text\">metric</th>{}</tr></thead><tbody>\n{}</tbody></table></div></section>\n",
        note, out, rows);
}

std::string sobol_html(const CampaignPage& page) {
    std::string out;
    for (const SobolOfMetric& metric : page.sobol) {
        if (std::none_of(metric.parameters.begin(), metric.parameters.end(), [](const SobolShown& s) { return std::isfinite(s.first); }))
            continue;
        Figure figure = sobol_figure(metric);
        figure.note =
            fmt::format("{} base points{}.", metric.base_points, metric.left_out > 0 ? fmt::format(", {} left out", metric.left_out) : "");
        out += figure_html(figure);
    }
    if (out.empty()) return {};
    return fmt::format(
        "<section><h2>Sensitivity: Sobol indices</h2><div class=\"figures\">{}</div>"
        "<p class=\"hint\">Parts of the metric's variance: first order is what the parameter does alone, total is with all that it does "
        "together with others. Intervals at {} % confidence.</p></section>\n",
        out, number_text(100 * page.confidence, 6));
}

std::string convergence_html(const CampaignPage& page) {
    if (page.convergence.empty()) return {};
    std::string out;
    for (const Convergence& c : page.convergence) {
        Figure figure = convergence_figure(c);
        if (!c.asked.empty()) figure.note = "Asked: " + c.asked + ".";
        out += figure_html(figure);
    }
    return fmt::format(
        "<section><h2>Convergence</h2><p class=\"hint\">Estimates from the first runs alone, with the interval at {} % confidence, against "
        "how many they are.</p><div class=\"figures\">{}</div></section>\n",
        number_text(100 * page.confidence, 6), out);
}

// Outliers by run: one run often stands apart in several metrics.
std::string outliers_html(const CampaignPage& page) {
    std::map<std::uint64_t, std::vector<const OutlierShown*>> by_run;
    for (const OutlierShown& outlier : page.outliers) by_run[outlier.run].push_back(&outlier);
    if (by_run.empty()) return "<section><h2>Outliers</h2><p class=\"note\">No run stands apart.</p></section>\n";
    const auto largest = [](const auto& entry) {
        double z = 0;
        for (const OutlierShown* outlier : entry.second) z = std::max(z, outlier->robust_z);
        return z;
    };
    // by the number of metrics first: where most values are the same to rounding, any other has a z without bounds
    std::vector<std::pair<std::uint64_t, std::vector<const OutlierShown*>>> runs(by_run.begin(), by_run.end());
    std::stable_sort(runs.begin(), runs.end(), [&](const auto& a, const auto& b) {
        return a.second.size() != b.second.size() ? a.second.size() > b.second.size() : largest(a) > largest(b);
    });
    std::string out = fmt::format(
        "<section><h2>Outliers <span class=\"count\">{} runs</span></h2><p class=\"hint\">z: distance from the median in units of a "
        "deviation "
        "that outliers do not move; at most three runs of each metric, from 3.5 on.</p><div class=\"scroll tall\"><table "
        "class=\"sortable\">"
        "<thead><tr><th class=\"number\">run</th><th class=\"number\">z</th><th class=\"text\">stands apart in</th><th "
        "class=\"text\">computes "
        "it again</th></tr></thead><tbody>\n",
        runs.size());
    for (const auto& entry : runs) {
        std::string what;
        for (const OutlierShown* outlier : entry.second)
            what += fmt::format("{}{} = {}{}", what.empty() ? "" : "<br>", breakable(outlier->metric), number_text(outlier->value, digits),
                                unit_html(outlier->unit));
        out += fmt::format(
            "<tr><td class=\"number\" data-value=\"{0}\">{0}</td><td class=\"number\" data-value=\"{1:.9g}\">{2}</td><td "
            "class=\"text\">{3}</td><td class=\"text\">{4}</td></tr>\n",
            entry.first, largest(entry), largest(entry) > 1000 ? "&gt; 1000" : number_text(largest(entry), 3), what,
            command_html(entry.second.front()->command));
    }
    return out + "</tbody></table></div></section>\n";
}

std::string failures_html(const CampaignPage& page) {
    if (page.failures.empty()) return {};
    std::string out = fmt::format(
        "<section><h2>Failures <span class=\"badge bad\">{} of {} runs</span></h2><div class=\"scroll tall\"><table "
        "class=\"sortable\"><thead><tr>"
        "<th class=\"number\">run</th><th class=\"text\">error</th><th class=\"text\">computes it again</th></tr></thead><tbody>\n",
        page.failed, page.runs);
    for (const FailureShown& failure : page.failures)
        out +=
            fmt::format("<tr><td class=\"number\" data-value=\"{0}\">{0}</td><td class=\"text\">{1}</td><td class=\"text\">{2}</td></tr>\n",
                        failure.run, escaped(failure.error), command_html(failure.command));
    out += "</tbody></table></div>";
    if (page.failures.size() < page.failed)
        out += fmt::format("<p class=\"note\">The first {}; all are in the column error of the table.</p>", page.failures.size());
    return out + "</section>\n";
}

}  // namespace

bool ColumnShown::varies() const {
    constexpr double rounding = 1e-12;  // of the values' own size
    return count > 1 && std::isfinite(min) && std::isfinite(max) && max - min > rounding * std::max(std::fabs(min), std::fabs(max));
}

double ColumnShown::quantile(double probability) const {
    for (const QuantileShown& q : quantiles)
        if (q.probability == probability) return q.value;
    return not_known;
}

namespace {

// Divides numbers, intervals and lists of them.
struct InUnit {
    TimeUnit unit;

    void operator()(double& value) const { value /= unit.size; }
    void operator()(Between& interval) const { (*this)(interval.low), (*this)(interval.high); }
    void operator()(QuantileShown& quantile) const { (*this)(quantile.value), (*this)(quantile.interval); }
    void operator()(PointGroup& group) const { (*this)(group.x), (*this)(group.y); }
    template <class Value>
    void operator()(std::vector<Value>& values) const {
        for (Value& value : values) (*this)(value);
    }
    // All of what is told in seconds.
    template <class... Values>
    void convert(std::string& told_in, Values&... values) const {
        if (told_in != "s") return;
        told_in = unit.name;
        ((*this)(values), ...);
    }
};

}  // namespace

void use_one_time_unit(CampaignPage& page) {
    double longest = 0;
    for (const ColumnShown& c : page.columns)
        if (c.unit == "s" && !c.is_parameter && std::isfinite(c.max)) longest = std::max(longest, c.max);
    const InUnit in{time_unit(longest)};
    for (ColumnShown& c : page.columns)
        in.convert(c.unit, c.mean, c.deviation, c.min, c.max, c.histogram.low, c.histogram.high, c.cut_off_at, c.restricted_mean,
                   c.mean_interval, c.deviation_interval, c.restricted_interval, c.quantiles);
    for (std::vector<AnswerShown>* answers : {&page.metrics, &page.answers})
        for (AnswerShown& a : *answers) in.convert(a.unit, a.value, a.interval);
    for (ResponseShown& r : page.responses) {
        in.convert(r.parameter_unit, r.x);
        in.convert(r.unit, r.value, r.low, r.high);
    }
    for (Convergence& c : page.convergence) in.convert(c.unit, c.value, c.low, c.high);
    for (OutlierShown& o : page.outliers) in.convert(o.unit, o.value);
    if (page.body) in.convert(page.body->times.unit, page.body->times.x, page.body->times.y, page.body->times.groups);
}

std::string campaign_page_text(const CampaignPage& page) {
    return page_text({.title = page.title,
                      .description = page.description,
                      .answer = headline_html(page),
                      .body = body_html(page) + batch_html(page) + answers_html(page) + responses_html(page) + maps_html(page) +
                              columns_html(page, false) + columns_html(page, true) + correlations_html(page) + sobol_html(page) +
                              convergence_html(page) + outliers_html(page) + failures_html(page),
                      .data = fmt::format("{{\"command\":{},\"body\":{}}}", json_text(page.command_before), body_json(page)),
                      .source_name = "Study as run",
                      .source = page.study,
                      .facts = page.facts});
}

}  // namespace asperity::report
