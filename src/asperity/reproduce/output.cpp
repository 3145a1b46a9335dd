#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>

#include "asperity/core/errors.h"
#include "asperity/core/hash.h"
#include "asperity/core/version.h"
#include "asperity/record/text_file.h"
#include "asperity/record/writer.h"
#include "asperity/report/report.h"
#include "asperity/reproduce/reproduce.h"
#include "asperity/reproduce/text_layout.h"

namespace asperity::reproduce {
namespace {

constexpr std::size_t columns = 8;
using Line = std::array<std::string, columns>;

constexpr std::array<const char*, columns> heads = {
    "quantity", "print, analytical", "print", "ours", "closed form or reference", "ours - closed form", "print - closed form", "standing"};

std::string printed(const std::optional<Printed>& number) { return number ? number->text : "-"; }

template <class T>
std::string shown(const std::optional<T>& number, const char* format) {
    return number ? fmt::format(fmt::runtime(format), static_cast<double>(*number)) : "-";
}

std::string label_of(const PublishedRow& row) { return row.unit.empty() ? row.label : fmt::format("{} [{}]", row.label, row.unit); }

// The numbers that ours are compared with besides print.
std::string other_of(const RowResult& r) {
    if (r.closed_form) return shown(r.closed_form, "{:.15g}");
    return printed(r.row.corrected ? r.row.corrected : r.row.reference);
}

std::string standing_of(const RowResult& r) {
    if (r.is_contradicted()) return "CONTRADICTED";
    return r.order.empty() ? name(r.row.standing) : fmt::format("{}; {}", name(r.row.standing), r.order);
}

std::string print_of(const PublishedRow& row) { return row.bound ? "< " + row.bound->text : printed(row.published); }

Line line_of(const RowResult& r) {
    return {label_of(r.row),
            printed(r.row.analytical),
            print_of(r.row),
            shown(r.ours, "{:.15g}"),
            other_of(r),
            shown(r.our_difference, "{:+.1e}"),
            shown(r.published_difference, "{:+.1e}"),
            standing_of(r)};
}

std::string joined_line(const Line& line, const std::array<std::size_t, columns>& widths) {
    std::string out = "   ";
    for (std::size_t i = 0; i < columns; ++i)
        out += i == 0 || i + 1 == columns ? fmt::format(" {:<{}} ", line[i], widths[i]) : fmt::format(" {:>{}} ", line[i], widths[i]);
    out.erase(out.find_last_not_of(' ') + 1);
    return out + "\n";
}

std::string group_text(const GroupResult& group, const std::array<std::size_t, columns>& widths) {
    std::string out = wrapped(group.group.notes.empty() ? group.group.name : fmt::format("{}: {}", group.group.name, group.group.notes), 2);
    bool is_contradicted = false;
    for (const RowResult& row : group.rows) {
        out += joined_line(line_of(row), widths);
        is_contradicted = is_contradicted || row.is_contradicted();
    }
    for (const RowResult& row : group.rows) {
        if (!row.note.empty()) out += wrapped(fmt::format("{}: {}", row.row.label, row.note), 6);
        for (const Finding& finding : row.findings)
            if (!finding.holds())
                out += wrapped(fmt::format("{}: CONTRADICTED ({}): {}", row.row.label, name(finding.basis), finding.contradiction), 6);
    }
    if (is_contradicted) out += wrapped("the run: " + group.outcome, 6);
    return out;
}

std::string table_text(const TableResult& result) {
    std::array<std::size_t, columns> widths{};
    Line head;
    for (std::size_t i = 0; i < columns; ++i) widths[i] = (head[i] = heads[i]).size();
    for (const GroupResult& group : result.groups)
        for (const RowResult& row : group.rows) {
            const Line line = line_of(row);
            for (std::size_t i = 0; i < columns; ++i) widths[i] = std::max(widths[i], line[i].size());
        }
    const PublishedTable& table = result.table;
    std::string out = fmt::format("{}  {}\n", table.id, table.title);
    out += wrapped(table.source, 2) + wrapped(table.scenario_file(), 2) + wrapped(table.notes, 2);
    if (result.batch) return out + batch_text(*table.batch, *result.batch) + "\n";
    out += "\n" + joined_line(head, widths);
    for (const GroupResult& group : result.groups) out += group_text(group, widths);
    return out + "\n";
}

std::string count_text(const Count& count) {
    std::string out = fmt::format("{:<16}{:>8}{:>9}{:>7}{:>14}\n", "", "agrees", "refuted", "open", "contradicted");
    for (const Basis basis : {Basis::print, Basis::closed_form, Basis::own}) {
        const auto b = static_cast<std::size_t>(basis);
        out += fmt::format("{:<16}{:>8}{:>9}{:>7}{:>14}\n", name(basis), count.held[b][0], count.held[b][1], count.held[b][2],
                           count.contradicted[b]);
    }
    return out;
}

// One column: what a row has there, not-a-number where it has nothing.
template <class Get>
record::Column column(const TableResult& result, const char* title, const char* description, const Get& get) {
    using Value = decltype(get(std::declval<const GroupResult&>(), std::declval<const RowResult&>()));
    std::vector<Value> values;
    for (const GroupResult& group : result.groups)
        for (const RowResult& row : group.rows) values.push_back(get(group, row));
    return {.name = title, .unit = "", .description = description, .values = std::move(values)};
}

std::string contradictions(const RowResult& row) {
    std::string out;
    for (const Finding& finding : row.findings)
        if (!finding.holds()) out += fmt::format("{}{}: {}", out.empty() ? "" : "; ", name(finding.basis), finding.contradiction);
    return out;
}

template <class T>
double number(const std::optional<T>& value) {
    return value ? static_cast<double>(*value) : std::numeric_limits<double>::quiet_NaN();
}
double number(const std::optional<Printed>& value) {
    return value ? static_cast<double>(value->value) : std::numeric_limits<double>::quiet_NaN();
}

std::vector<record::Table> record_tables(const TableResult& result) {
    return result.batch ? batch_record_tables(result.table, *result.batch) : std::vector{record_table(result)};
}

// The results as JSON, for scripts: {table: {column: [values]}}; null where there is no number.
std::string json_text(const std::vector<TableResult>& results) {
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    for (const TableResult& result : results)
        for (const record::Table& table : record_tables(result))
            for (const record::Column& column : table.columns)
                json[table.name][column.name] =
                    std::visit([](const auto& values) { return nlohmann::ordered_json(values); }, column.values);
    return json.dump(1) + "\n";
}

}  // namespace

bool RowResult::is_contradicted() const {
    return std::any_of(findings.begin(), findings.end(), [](const Finding& finding) { return !finding.holds(); });
}

std::string reproduce_text(const std::vector<TableResult>& results) {
    std::string out;
    for (const TableResult& result : results) out += table_text(result);
    return out + count_text(count(results));
}

record::Table record_table(const TableResult& result) {
    using Group = const GroupResult&;
    using Row = const RowResult&;
    record::Table table{
        .name = result.table.id,
        .description = fmt::format("{}. {}. Scenario {}.", result.table.title, result.table.source, result.table.scenario_file()),
        .columns = {}};
    table.columns = {
        column(result, "standing", "agrees, refuted or open.", [](Group, Row r) { return std::string(name(r.row.standing)); }),
        column(result, "contradiction", "Why the run contradicts it; empty where it does not.",
               [](Group, Row r) { return contradictions(r); }),
        column(result, "group", "Run of the scenario.", [](Group g, Row) { return g.group.name; }),
        column(result, "quantity", "What is compared.", [](Group, Row r) { return r.row.quantity; }),
        column(result, "label", "Its name in the table.", [](Group, Row r) { return r.row.label; }),
        column(result, "unit", "Unit of the numbers of this row.", [](Group, Row r) { return r.row.unit; }),
        column(result, "print, analytical", "As printed.", [](Group, Row r) { return number(r.row.analytical); }),
        column(result, "print", "As printed.", [](Group, Row r) { return r.row.bound ? number(r.row.bound) : number(r.row.published); }),
        column(result, "ours", "Measured in our run.", [](Group, Row r) { return number(r.ours); }),
        column(result, "closed form", "Derived from the numbers of the scenario.", [](Group, Row r) { return number(r.closed_form); }),
        column(result, "ours - closed form", "In the unit of the row.", [](Group, Row r) { return number(r.our_difference); }),
        column(result, "print - closed form", "Print, corrected where it is refuted, minus the closed form.",
               [](Group, Row r) { return number(r.published_difference); }),
        column(result, "note", "The erratum, or by how much it differs.", [](Group, Row r) { return r.note; }),
    };
    return table;
}

record::Header reproduce_header(const std::vector<TableResult>& results) {
    Hasher ids;
    for (const TableResult& result : results) ids.add(result.table.id);
    return {.asperity_version = version(),
            .git_commit = commit(),
            .compiler = __VERSION__,
            .compiler_flags = build_flags(),
            .scenario_name = "Published tables",
            .scenario_hash = hex_text(ids.value())};
}

void write_reproduce(const std::vector<TableResult>& results, const std::filesystem::path& folder) {
    record::RecordWriter writer(folder / "record.h5", reproduce_header(results), "",
                                {.stale = {folder / "summary.json", folder / "report.html", folder / "reproduce.json"}});
    for (const TableResult& result : results)
        for (const record::Table& table : record_tables(result)) writer.add_table(table);
    const Count total = count(results);
    for (const Standing standing : {Standing::agrees, Standing::refuted, Standing::open})
        writer.add_metric({.name = name(standing), .value = static_cast<double>(total.all(standing)), .unit = ""});
    writer.add_metric({.name = "contradicted", .value = static_cast<double>(total.all_contradicted()), .unit = ""});
    writer.close();
    record::write_text_file(folder / "reproduce.json", json_text(results));
    report::write_report(folder);
}

}  // namespace asperity::reproduce
