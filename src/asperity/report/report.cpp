#include "asperity/report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "asperity/record/text_file.h"
#include "asperity/report/embedded.h"
#include "asperity/report/html.h"
#include "asperity/report/page.h"
#include "asperity/report/page_data.h"
#include "asperity/report/system_section.h"

namespace asperity::report {
namespace {

constexpr std::size_t most_numbers = 6;         // of a metric that is a list, before the rest is folded away
constexpr std::size_t most_folded = 1000;       // and of those
constexpr std::int64_t most_table_rows = 5000;  // of one table

using record::MetricValue;
using record::Record;
using record::Summary;

std::string value_html(const MetricValue& value, std::string_view unit = {}) {
    const std::string after = unit.empty() ? "" : fmt::format(" <span class=\"unit\">{}</span>", escaped(unit));
    if (const auto* text = std::get_if<std::string>(&value)) return escaped(*text) + after;
    if (const auto* number = std::get_if<double>(&value))
        return fmt::format("<span title=\"{:.17g}\">{}</span>{}", *number, shown(*number), after);
    const auto& numbers = std::get<std::vector<double>>(value);
    std::string first;
    std::string all;
    for (std::size_t i = 0; i < std::min(numbers.size(), most_folded); ++i) {
        if (i < most_numbers) first += (i > 0 ? ", " : "") + shown(numbers[i]);
        all += fmt::format("{}{:.17g}", i > 0 ? "\n" : "", numbers[i]);
    }
    if (numbers.size() <= most_numbers) return fmt::format("<span title=\"{}\">[{}]</span>{}", all, first, after);
    const std::string note =
        numbers.size() > most_folded ? fmt::format("<p class=\"note\">The first {}; the record has all.</p>", most_folded) : "";
    return fmt::format("<details><summary>[{}, … {} values]{}</summary>{}<pre>{}</pre></details>", first, numbers.size(), after, note, all);
}

std::string metrics_html(const std::vector<record::Metric>& metrics) {
    if (metrics.empty()) return {};
    std::string out = "<section><h2>Metrics</h2><dl class=\"metrics\">\n";
    for (const record::Metric& metric : metrics)
        out += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", escaped(metric.name), value_html(metric.value, metric.unit));
    return out + "</dl></section>\n";
}

std::string expect_html(const std::vector<record::Expectation>& expect) {
    if (expect.empty()) return {};
    const auto failed = std::count_if(expect.begin(), expect.end(), [](const record::Expectation& e) { return !e.ok; });
    std::string out = fmt::format(
        "<section><h2>Expectations <span class=\"badge {}\">{}</span></h2><div class=\"scroll\"><table><thead><tr>"
        "<th>metric</th><th>wanted</th><th>got</th><th>verdict</th></tr></thead><tbody>\n",
        failed > 0 ? "bad" : "good",
        failed > 0 ? fmt::format("{} of {} failed", failed, expect.size()) : fmt::format("all {} met", expect.size()));
    for (const record::Expectation& e : expect)
        out += fmt::format("<tr class=\"{}\"><td>{}</td><td>{}</td><td>{}</td><td class=\"verdict\">{}</td></tr>\n", e.ok ? "ok" : "failed",
                           escaped(e.metric), value_html(e.wanted), e.got ? value_html(*e.got) : "no such metric", e.ok ? "ok" : "failed");
    return out + "</tbody></table></div></section>\n";
}

std::string outcome_html(const Record& record) {
    if (!record.outcome) {
        // a record of verdicts or of maps has no run whose end could be missing
        if (record.samples.empty() && record.checkpoints.empty()) return {};
        return "<p class=\"outcome\"><span class=\"badge bad\">no outcome</span> The run did not reach its end; this is what it left "
               "behind.</p>\n";
    }
    const char* grade = record.outcome->is_trouble() ? "bad" : record.outcome->kind == model::OutcomeKind::rest ? "good" : "fair";
    const TimeUnit unit = time_unit(record.outcome->time);
    return fmt::format("<p class=\"outcome\"><span class=\"badge {}\">{}</span> at {} {}{}{}</p>\n", grade,
                       escaped(record.outcome->label()), shown(record.outcome->time / unit.size), unit.name,
                       record.outcome->message.empty() ? "" : ": ", escaped(record.outcome->message));
}

// How the run ended, whether that was wanted, and how far its energies can be trusted.
std::string answer_html(const Record& record, const std::optional<Summary>& summary) {
    std::string out = outcome_html(record);
    if (summary && !summary->expect.empty()) {
        const auto met = std::count_if(summary->expect.begin(), summary->expect.end(), [](const record::Expectation& e) { return e.ok; });
        const bool is_all = met == static_cast<std::ptrdiff_t>(summary->expect.size());
        out += fmt::format("<p class=\"outcome\"><span class=\"badge {}\">{} of {}</span> expectations met.</p>\n", is_all ? "good" : "bad",
                           met, summary->expect.size());
    }
    const bool is_alone = std::all_of(record.samples.begin(), record.samples.end(), [](const model::Sample& s) { return s.body == 0; });
    if (record.samples.size() > 1 && is_alone)
        out +=
            fmt::format("<p class=\"outcome\">Energy and heat add up to {:.1g} of the largest energy.</p>\n", ledger_error(record.samples));
    return out;
}

std::vector<std::pair<std::string, std::string>> facts_of(const Record& record, const std::optional<Summary>& summary) {
    std::vector<std::pair<std::string, std::string>> out{{"content hash", record_hash(record)},
                                                         {"scenario hash", record.header.scenario_hash}};
    if (summary)  // but not the time taken: this page is part of it
        out.insert(out.begin(), {{"file", summary->scenario_file},
                                 {"method", summary->method},
                                 {"seed", fmt::format("{}", summary->seed)},
                                 {"steps", fmt::format("{}", summary->steps)},
                                 {"threads", fmt::format("{}", summary->threads)}});
    out.insert(out.end(), {{"compiler", record.header.compiler}, {"flags", record.header.compiler_flags}});
    return out;
}

// Enough to tell two numbers apart that agree in ten digits; of the difference of two, only the size is of interest.
std::string shown_in(const record::Column& column, double number) {
    const bool is_difference = column.name.find(" - ") != std::string::npos;
    return is_difference ? fmt::format("{:.2g}", number) : fmt::format("{:.15g}", number);
}

std::string cell_html(const record::Column& column, std::int64_t row) {
    std::string out;
    for (std::int64_t i = 0; i < column.width; ++i) {
        const auto index = static_cast<std::size_t>(row * column.width + i);
        if (i > 0) out += " ";
        if (const auto* texts = std::get_if<std::vector<std::string>>(&column.values)) out += escaped((*texts)[index]);
        if (const auto* numbers = std::get_if<std::vector<std::int64_t>>(&column.values)) out += fmt::format("{}", (*numbers)[index]);
        if (const auto* numbers = std::get_if<std::vector<double>>(&column.values)) {
            const double number = (*numbers)[index];
            if (!std::isnan(number))
                out += fmt::format("<span title=\"{:.17g}\">{}</span>", number, shown_in(column, number));  // not a number: no entry
        }
    }
    return out;
}

bool is_verdict(const record::Column& column) { return column.name == "verdict" || column.name == "ok"; }

std::string_view cell_class(const record::Column& column) {
    if (is_verdict(column)) return "verdict";
    return std::holds_alternative<std::vector<std::string>>(column.values) ? "text" : "number";
}

// The class of a row by its column "verdict" or "ok", where it has one.
std::string_view row_class(const record::Table& table, std::int64_t row) {
    for (const record::Column& column : table.columns) {
        if (!is_verdict(column)) continue;
        if (const auto* texts = std::get_if<std::vector<std::string>>(&column.values)) {
            const std::string& text = (*texts)[static_cast<std::size_t>(row)];
            return text == "ok" ? "ok" : text == "failed" ? "failed" : text.empty() ? "" : "noted";
        }
        if (const auto* numbers = std::get_if<std::vector<std::int64_t>>(&column.values))
            return (*numbers)[static_cast<std::size_t>(row)] != 0 ? "ok" : "failed";
    }
    return "";
}

std::string table_html(const record::Table& table) {
    std::int64_t failed = 0;
    bool has_verdict = false;
    for (std::int64_t row = 0; row < table.rows(); ++row) {
        failed += row_class(table, row) == "failed" ? 1 : 0;
        has_verdict = has_verdict || !row_class(table, row).empty();
    }
    std::string badge;
    if (has_verdict)
        badge = fmt::format(" <span class=\"badge {}\">{}</span>", failed > 0 ? "bad" : "good",
                            failed > 0 ? fmt::format("{} of {} failed", failed, table.rows()) : "ok");
    std::string out = fmt::format("<section><h2>{}{}</h2><p>{}</p><div class=\"scroll\"><table class=\"sortable\"><thead><tr>",
                                  escaped(table.name), badge, escaped(table.description));
    for (const record::Column& column : table.columns)
        out += fmt::format("<th class=\"{}\" title=\"{}\">{}{}</th>", cell_class(column), escaped(column.description), escaped(column.name),
                           column.unit.empty() ? "" : fmt::format("<br><span class=\"unit\">{}</span>", escaped(column.unit)));
    out += "</tr></thead><tbody>\n";
    const std::int64_t rows = std::min(table.rows(), most_table_rows);
    for (std::int64_t row = 0; row < rows; ++row) {
        out += fmt::format("<tr class=\"{}\">", row_class(table, row));
        for (const record::Column& column : table.columns)
            out += fmt::format("<td class=\"{}\">{}</td>", cell_class(column), cell_html(column, row));
        out += "</tr>\n";
    }
    out += "</tbody></table></div>";
    if (rows < table.rows()) out += fmt::format("<p class=\"note\">The first {} of {} rows.</p>", rows, table.rows());
    return out + "</section>\n";
}

std::string figures_html(const std::vector<Figure>& figures) {
    std::string out;
    for (const Figure& figure : figures) out += figure_html(figure);
    return out.empty() ? "" : "<section><h2>Over time</h2><div class=\"figures\">" + out + "</div></section>\n";
}

std::string motion_html(const Record& record, const PageData& data) {
    if (record.samples.empty() && record.events.empty() && record.groups.empty() && record.surface.facets.empty()) {
        if (record.tables.empty())
            return "<section><h2>Motion</h2><p class=\"note\">The record holds no samples and no events.</p></section>\n";
        return {};
    }
    return page_motion_html + figures_html(data.figures) + page_events_html;
}

}  // namespace

std::string report_text(const record::Record& record, const std::optional<record::Summary>& summary) {
    const PageData data = page_data(record);
    const record::Header& header = record.header;
    std::string body = motion_html(record, data);
    body += metrics_html(summary && record.metrics.empty() ? summary->metrics : record.metrics);  // the summary's may be cut
    if (summary) body += expect_html(summary->expect);
    body += groups_html(record) + signals_html(record) + system_html(record);
    for (const std::string& note : data.notes) body += fmt::format("<p class=\"note\">{}</p>\n", escaped(note));
    for (const record::Table& table : record.tables) body += table_html(table);
    return page_text({.title = header.scenario_name.empty() ? "unnamed scenario" : header.scenario_name,
                      .description = summary ? summary->scenario_description : "",
                      .version = header.git_commit.empty() ? header.asperity_version
                                                           : fmt::format("{} ({})", header.asperity_version, header.git_commit),
                      .answer = answer_html(record, summary),
                      // the summary's list is the later one and holds those of the record; without a summary the record's own must do
                      .warnings = summary ? summary->warnings : record.warnings,
                      .body = body,
                      .data = data.json,
                      .source_name = "Scenario as run",
                      .source = record.scenario,
                      .facts = facts_of(record, summary)});
}

std::filesystem::path write_report(const std::filesystem::path& folder, const record::Record& record,
                                   const std::optional<record::Summary>& summary) {
    const std::filesystem::path path = folder / "report.html";
    record::write_text_file(path, report_text(record, summary));
    return path;
}

std::filesystem::path write_report(const std::filesystem::path& folder) {
    const record::Record record = record::read_record(folder / "record.h5");
    std::optional<record::Summary> summary;
    if (std::filesystem::exists(folder / "summary.json")) summary = record::read_summary(folder / "summary.json");
    return write_report(folder, record, summary);
}

std::filesystem::path write_comparison(const std::filesystem::path& folder, const std::vector<ComparedRun>& runs,
                                       const std::string& description, const std::vector<std::vector<std::string>>& table) {
    std::string views, data;
    std::vector<Figure> figures;
    Page page{.title = runs.front().record.header.scenario_name + ": methods side by side", .description = description};
    for (const ComparedRun& run : runs) {
        PageData of = page_data(run.record);
        data += (data.empty() ? "" : ",") + of.json;
        views += fmt::format("<div><h3>{}</h3><div class=\"view\"></div>{}</div>", escaped(run.name), outcome_html(run.record));
        for (const std::string& warning : run.record.warnings) page.warnings.push_back(run.name + ": " + warning);
        for (Figure& figure : of.figures) {
            if (figure.body != of.figures.front().body) continue;  // those of the first body: of more, curves could not be told apart
            auto same = std::find_if(figures.begin(), figures.end(), [&](const Figure& f) { return f.title == figure.title; });
            if (same == figures.end()) same = figures.insert(figures.end(), Figure{.title = figure.title, .x = figure.x, .y = figure.y});
            for (Layer& layer : figure.layers) {
                layer.name = run.name + (figure.layers.size() > 1 ? ": " + layer.name : "");
                layer.x = figure.at;
                same->layers.push_back(std::move(layer));
            }
        }
    }
    std::string motion = page_motion_html;
    const std::string_view one = "<div class=\"view\" id=\"view\"></div>";
    motion.replace(motion.find(one), one.size(), "<div class=\"views\">" + views + "</div>");
    page.body = motion + "<section><h2>Metrics</h2>" + table_html(table.front(), {table.begin() + 1, table.end()}, 1) + "</section>\n" +
                figures_html(figures);
    page.data = "{\"runs\":[" + data + "]}";
    page.source_name = "Scenario as run, " + escaped(runs.front().name);
    page.source = runs.front().record.scenario;
    std::filesystem::path path = folder / "report.html";
    record::write_text_file(path, page_text(page));
    return path;
}

}  // namespace asperity::report
