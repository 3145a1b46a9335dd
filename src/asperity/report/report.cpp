#include "asperity/report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "asperity/record/text_file.h"
#include "asperity/report/embedded.h"
#include "asperity/report/group_section.h"
#include "asperity/report/html.h"
#include "asperity/report/page_data.h"
#include "asperity/report/picture.h"
#include "asperity/report/signal_section.h"
#include "asperity/report/system_section.h"
#include "asperity/report/viewer.h"

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

std::string warnings_html(const std::vector<std::string>& warnings) {
    if (warnings.empty()) return {};
    std::string out =
        fmt::format("<section class=\"warnings\"><h2>{} warning{}</h2><ul>\n", warnings.size(), warnings.size() > 1 ? "s" : "");
    for (const std::string& warning : warnings) out += fmt::format("<li>{}</li>\n", escaped(warning));
    return out + "</ul></section>\n";
}

std::string outcome_html(const Record& record) {
    if (!record.outcome) {
        // a record of verdicts or of maps has no run whose end could be missing
        if (record.samples.empty() && record.checkpoints.empty()) return {};
        return "<p class=\"outcome\"><span class=\"badge bad\">no outcome</span> The run did not reach its end; this is what it left "
               "behind.</p>\n";
    }
    const char* grade = record.outcome->is_trouble() ? "bad" : record.outcome->kind == model::OutcomeKind::rest ? "good" : "fair";
    return fmt::format("<p class=\"outcome\"><span class=\"badge {}\">{}</span> at {} s{}{}</p>\n", grade, escaped(record.outcome->label()),
                       shown(record.outcome->time), record.outcome->message.empty() ? "" : ": ", escaped(record.outcome->message));
}

std::string description_html(const std::optional<Summary>& summary) {
    if (!summary || summary->scenario_description.empty()) return {};
    return fmt::format("<p class=\"outcome\">{}</p>\n", escaped(summary->scenario_description));
}

std::string facts_html(const Record& record, const std::optional<Summary>& summary) {
    std::string out = "<dl class=\"facts\">";
    const auto add = [&](std::string_view term, const std::string& text) {
        if (!text.empty()) out += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", term, escaped(text));
    };
    add("asperity", record.header.git_commit.empty() ? record.header.asperity_version
                                                     : fmt::format("{} ({})", record.header.asperity_version, record.header.git_commit));
    add("content hash", record_hash(record));
    add("scenario hash", record.header.scenario_hash);
    if (summary) {
        add("file", summary->scenario_file);
        add("method", summary->method);
        add("seed", fmt::format("{}", summary->seed));
        add("steps", fmt::format("{}", summary->steps));
        add("threads", fmt::format("{}", summary->threads));  // not the time taken: this page is part of it
    }
    add("compiler", record.header.compiler);
    add("flags", record.header.compiler_flags);
    return out + "</dl>\n";
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

std::string motion_html(const Record& record) {
    if (record.samples.empty() && record.events.empty() && record.groups.empty() && record.surface.facets.empty()) {
        if (record.tables.empty())
            return "<section><h2>Motion</h2><p class=\"note\">The record holds no samples and no events.</p></section>\n";
        return {};
    }
    return fmt::format(page_motion_html, fmt::arg("picture", static_picture(record)));
}

}  // namespace

std::string report_text(const record::Record& record, const std::optional<record::Summary>& summary) {
    const PageData data = page_data(record);
    // the summary's list is the later one and holds those of the record; without a summary the record's own must do
    const std::vector<std::string>& warnings = summary ? summary->warnings : record.warnings;
    const std::string name = record.header.scenario_name.empty() ? "unnamed scenario" : record.header.scenario_name;

    std::string body = warnings_html(warnings);
    body += metrics_html(summary && record.metrics.empty() ? summary->metrics : record.metrics);  // the summary's may be cut
    if (summary) body += expect_html(summary->expect);
    body += groups_html(record) + system_html(record) + motion_html(record) + signals_html(record);
    for (const std::string& note : data.notes) body += fmt::format("<p class=\"note\">{}</p>\n", escaped(note));
    for (const record::Table& table : record.tables) body += table_html(table);
    if (!record.scenario.empty())
        body += fmt::format("<section><h2>Scenario as run</h2><pre class=\"scenario\">{}</pre></section>\n", escaped(record.scenario));

    return fmt::format(page_html, fmt::arg("title", escaped(name)), fmt::arg("css", page_css),
                       fmt::arg("outcome", description_html(summary) + outcome_html(record)),
                       fmt::arg("facts", facts_html(record, summary)), fmt::arg("body", body), fmt::arg("data", data.json),
                       fmt::arg("viewer", viewer_html(body.find("id=\"view\"") != std::string::npos)), fmt::arg("script", page_script));
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

}  // namespace asperity::report
