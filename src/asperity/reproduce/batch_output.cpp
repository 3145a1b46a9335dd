#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "asperity/reproduce/batch_runs.h"
#include "asperity/reproduce/text_layout.h"

namespace asperity::reproduce {
namespace {

constexpr std::size_t columns = 5;
using Line = std::array<std::string, columns>;

std::string label(BatchQuantity quantity) {
    switch (quantity) {
        case BatchQuantity::success_fraction: return "success [%]";
        case BatchQuantity::stop_time_mean: return "mean stop time [h]";
        case BatchQuantity::stop_time_sigma: return "sigma of stop time [h]";
        case BatchQuantity::first_impact_time_mean: return "mean first impact [h]";
        case BatchQuantity::reached_fraction: return "reached the ground [%]";
    }
    return "";
}

std::string number(double value, int digits) { return std::isfinite(value) ? fmt::format("{:.{}f}", value, digits) : "-"; }

std::string interval_text(const statistics::Interval& interval, int digits, double factor = 1) {
    if (!std::isfinite(interval.low) || !std::isfinite(interval.high)) return "-";
    return fmt::format("{:.{}f} ... {:.{}f}", factor * interval.low, digits, factor * interval.high, digits);
}

std::vector<Line> cell_lines(const BatchTable& table, const BatchCell& cell, const CellResult& got) {
    std::vector<Line> lines;
    for (const BatchQuantity quantity : table.quantities) {
        const auto q = static_cast<std::size_t>(quantity);
        const int digits = is_rate(quantity) ? 1 : 3;
        lines.push_back({label(quantity), cell.published[q] ? cell.published[q]->text : "-", number(got.figures[q].value, digits),
                         interval_text(got.figures[q].interval, digits), got.notes[q]});
    }
    return lines;
}

const char* what(Compared quantity) {
    switch (quantity) {
        case Compared::stop_time: return "stop time";
        case Compared::first_impact_time: return "first impact";
        case Compared::success: return "success";
        case Compared::reached: return "landings";
    }
    return "";
}

std::string wanted_text(const Comparison& c) {
    switch (c.wanted) {
        case Wanted::longer: return "longer";
        case Wanted::shorter: return "shorter";
        case Wanted::higher: return "higher";
        case Wanted::lower: return "lower";
        case Wanted::no_difference: return "no difference";
        case Wanted::dominates: return fmt::format("larger than ({}) - ({})", c.over[0], c.over[1]);
        case Wanted::nothing: return "";
    }
    return "";
}

std::string difference_text(Compared quantity, const statistics::PairedDifference& d, double confidence) {
    const double factor = is_rate(quantity) ? 100 : 1;
    const int digits = is_rate(quantity) ? 1 : 3;
    return fmt::format("{:+.{}f} {}, {:g} % {}", factor * d.difference.value, digits, is_rate(quantity) ? "%" : "h", 100 * confidence,
                       interval_text(d.difference.interval, digits, factor));
}

std::string comparison_text(const BatchTable& table, const BatchResult& result, std::size_t i) {
    const Comparison& c = table.comparisons[i];
    const ComparisonResult& got = result.comparisons[i];
    std::string text = fmt::format("{}: {} of ({}) - ({}): {}, {}", got.finding.holds() ? name(c.standing) : "CONTRADICTED",
                                   what(c.quantity), c.a, c.b, difference_text(c.quantity, got.got, result.confidence()), got.got.pairs);
    text += is_rate(c.quantity) ? " runs" : " runs at rest in both";
    if (c.wanted == Wanted::dominates) text += "; against " + difference_text(c.quantity, got.other, result.confidence());
    if (c.wanted != Wanted::nothing) text += fmt::format("; {}: {}", c.basis == Basis::print ? "print" : "we say", wanted_text(c));
    if (!got.note.empty()) text += "; " + got.note;
    if (!got.finding.holds()) text += "; " + got.finding.contradiction;
    if (!c.cause.empty()) text += ". " + c.cause;
    if (!c.erratum.empty()) text += ". " + c.erratum;
    if (!c.notes.empty()) text += ". " + c.notes;
    return wrapped(text, 4);
}

std::string joined_line(const Line& line, const std::array<std::size_t, columns>& widths) {
    std::string out = "   ";
    for (std::size_t i = 0; i < columns; ++i)
        out += i == 0 || i + 1 == columns ? fmt::format(" {:<{}} ", line[i], widths[i]) : fmt::format(" {:>{}} ", line[i], widths[i]);
    out.erase(out.find_last_not_of(' ') + 1);
    return out + "\n";
}

std::string cell_head(const BatchCell& cell, const CellResult& got) {
    std::string text = fmt::format("{}: {} of {} runs came to rest", cell.name, got.successes, got.success.size());
    if (got.troubled > 0) text += fmt::format(", {} went wrong ({})", got.troubled, got.trouble);
    for (const std::string& more : {cell.notes, cell.cause, cell.erratum, got.kept_note})
        if (!more.empty()) text += ". " + more;
    return wrapped(text, 2);
}

record::Column column(const char* title, const char* description, auto values) {
    return {.name = title, .unit = "", .description = description, .values = std::move(values)};
}

record::Table record_of_cells(const PublishedTable& table, const BatchResult& result) {
    std::vector<std::string> standing, group, quantity, units, note;
    std::vector<double> published, ours, low, high, runs, rested;
    for (std::size_t i = 0; i < table.batch->cells.size(); ++i)
        for (const BatchQuantity one : table.batch->quantities) {
            const auto q = static_cast<std::size_t>(one);
            const CellResult& got = result.cells[i];
            const std::optional<Printed>& print = table.batch->cells[i].published[q];
            standing.emplace_back(got.findings[q] ? name(got.findings[q]->standing) : "");
            group.push_back(table.batch->cells[i].name);
            quantity.emplace_back(name(one));
            units.emplace_back(unit(one));
            note.push_back(got.notes[q]);
            published.push_back(print ? static_cast<double>(print->value) : statistics::no_value);
            ours.push_back(got.figures[q].value);
            low.push_back(got.figures[q].interval.low);
            high.push_back(got.figures[q].interval.high);
            runs.push_back(static_cast<double>(got.success.size()));
            rested.push_back(static_cast<double>(got.successes));
        }
    return {.name = table.id,
            .description = fmt::format("{}. {}. Scenario {}. Times over the runs that came to rest.", table.title, table.source,
                                       table.scenario_file()),
            .columns = {column("standing", "Of what is published: agrees, refuted or open.", standing), column("group", "Settings.", group),
                        column("quantity", "What is compared.", quantity), column("unit", "Unit of the numbers of this row.", units),
                        column("published", "As printed.", published), column("ours", "Of our runs.", ours),
                        column("low", "Lower end of the 95 % interval of ours.", low), column("high", "Upper end.", high),
                        column("runs", "Runs of the group.", runs), column("at rest", "Runs that came to rest.", rested),
                        column("note", "Print against ours, with the errors of both; why the runs contradict the standing.", note)}};
}

record::Table record_of_comparisons(const PublishedTable& table, const BatchResult& result) {
    std::vector<std::string> standing, contradictions, a, b, compared, wanted, notes;
    std::vector<double> differences, lows, highs, pairs;
    for (std::size_t i = 0; i < result.comparisons.size(); ++i) {
        const Comparison& comparison = table.batch->comparisons[i];
        const ComparisonResult& got = result.comparisons[i];
        standing.emplace_back(name(comparison.standing));
        contradictions.push_back(got.finding.contradiction);
        a.push_back(comparison.a);
        b.push_back(comparison.b);
        compared.emplace_back(what(comparison.quantity));
        wanted.push_back(wanted_text(comparison));
        differences.push_back(got.got.difference.value);
        lows.push_back(got.got.difference.interval.low);
        highs.push_back(got.got.difference.interval.high);
        pairs.push_back(static_cast<double>(got.got.pairs));
        notes.push_back(got.note);
    }
    return {.name = table.id + " run by run",
            .description = "Differences between groups, over runs with the same draws; hours, success as a part of 1.",
            .columns = {column("standing", "agrees, refuted or open.", standing),
                        column("contradiction", "Why the runs contradict it; empty where they do not.", contradictions),
                        column("quantity", "What is compared.", compared), column("a", "Group.", a),
                        column("b", "Group that it is compared with.", b), column("wanted", "What a minus b should be.", wanted),
                        column("a - b", "Mean of the differences.", differences), column("low", "Lower end of its 95 % interval.", lows),
                        column("high", "Upper end.", highs), column("pairs", "Runs that it is taken over.", pairs),
                        column("note", "Why.", notes)}};
}

}  // namespace

std::string batch_text(const BatchTable& table, const BatchResult& result) {
    const Line head{"quantity", "published", "ours", "95 % of ours", "published, with the errors of both"};
    std::array<std::size_t, columns> widths{};
    const auto widen = [&](const Line& line) {
        for (std::size_t i = 0; i < columns; ++i) widths[i] = std::max(widths[i], line[i].size());
    };
    widen(head);
    for (std::size_t i = 0; i < table.cells.size(); ++i)
        for (const Line& line : cell_lines(table, table.cells[i], result.cells[i])) widen(line);
    std::string out =
        wrapped(fmt::format("{} runs a group, with the same draws in each group; times over the runs that came to rest", result.runs), 2);
    if (result.runs < table.runs)
        out += wrapped(fmt::format("Shortened: the table asks for {} runs; what differs may not show in fewer runs", table.runs), 2);
    out += "\n" + joined_line(head, widths);
    for (std::size_t i = 0; i < table.cells.size(); ++i) {
        out += cell_head(table.cells[i], result.cells[i]);
        for (const Line& line : cell_lines(table, table.cells[i], result.cells[i])) out += joined_line(line, widths);
    }
    if (!table.comparisons.empty()) out += "  run by run\n";
    for (std::size_t i = 0; i < table.comparisons.size(); ++i) out += comparison_text(table, result, i);
    if (table.knee) {
        const std::string place = result.knee ? fmt::format("{:.1f} {}, 95 % {}; ", result.knee->place.value, table.knee->unit,
                                                            interval_text(result.knee->place.interval, 1))
                                              : "";
        const Finding& finding = *result.knee_finding;
        out += wrapped(fmt::format("{}: knee of success along {}: {}{}",
                                   finding.holds() ? name(finding.standing) : "CONTRADICTED, " + finding.contradiction, table.knee->label,
                                   place, result.knee_note),
                       4);
    }
    return out;
}

std::vector<record::Table> batch_record_tables(const PublishedTable& table, const BatchResult& result) {
    std::vector<record::Table> tables{record_of_cells(table, result)};
    if (!result.comparisons.empty()) tables.push_back(record_of_comparisons(table, result));
    return tables;
}

}  // namespace asperity::reproduce
