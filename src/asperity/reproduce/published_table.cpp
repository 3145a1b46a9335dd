#include "asperity/reproduce/published_table.h"

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "asperity/core/errors.h"
#include "asperity/core/suggest.h"
#include "asperity/reproduce/field_quantities.h"
#include "asperity/reproduce/measure.h"
#include "asperity/scenario/reader.h"

namespace asperity::reproduce {
namespace {

namespace fs = std::filesystem;
using scenario::Reading;

// Checks that a standing has what it needs: the printed number, the words, and the numbers that prove or state it.
void check_standing(const PublishedRow& row, const std::string& path, Reading& reading) {
    const auto fail = [&](const char* what, const char* hint) { reading.fail(path + ".standing", what, hint); };
    const bool has_print = row.print() != nullptr;
    if (!has_print && row.standing != Standing::agrees)
        fail("only what is printed can be refuted or open", "give `published`, or write standing = \"agrees\"");
    if (row.published && !row.within && !row.within_part)
        fail("`published` needs `within` or `within_part`: what counts as agreement",
             "the head of the table may have `within_part` for all rows");
    if ((row.standing == Standing::refuted) != !row.erratum.empty())
        fail("standing \"refuted\" and `erratum` belong together", "say in words what is wrong in print");
    if ((row.corrected || row.corrected_analytical || row.corrected_difference) && row.standing != Standing::refuted)
        fail("a corrected number without standing \"refuted\"", "print that is right needs no correction");
    if (row.corrected && !has_closed_form(row.quantity) && !row.closed_form && row.proof.empty())
        fail("`corrected` needs `proof`, where there is no closed form", "name the command or the formula that gives it");
    if (row.standing == Standing::refuted && !row.corrected && !row.corrected_analytical && !has_closed_form(row.quantity) &&
        !row.closed_form)
        fail("standing \"refuted\" needs a proof", "give `closed_form`, or `corrected` with `proof`");
    const bool has_difference = row.off || row.off_part;
    if ((row.standing == Standing::open) != has_difference || (row.standing == Standing::open) != !row.cause.empty())
        fail("standing \"open\" needs `difference` or `difference_part`, and `cause`, which belong to it alone",
             "ours minus print, and what is known of the reason");
    const bool has_tolerance = row.reference_within || row.reference_within_part;
    if (row.reference && (!has_tolerance || row.reference_from.empty()))
        fail("`reference` needs `reference_within` or `reference_within_part`, and `reference_from`", "name the command that gives it");
}

void check_quantity(const PublishedRow& row, const std::string& path, Reading& reading) {
    if (row.quantity.empty() || is_quantity(row.quantity) || is_field_quantity(row.quantity)) return;
    std::vector<std::string> known = quantity_names();
    for (std::string& name : field_quantity_names()) known.push_back(std::move(name));
    reading.fail(path + ".quantity", fmt::format("unknown quantity `{}`", row.quantity), did_you_mean(row.quantity, known));
}

// Distances must be from a group that has the quantity.
void check_distance(const PublishedTable& table, const PublishedGroup& group, const PublishedRow& row, const std::string& path,
                    Reading& reading) {
    if (row.distance_from.empty()) return;
    const std::string place = path + ".distance_from";
    const PublishedGroup* other = table.find(row.distance_from);
    std::vector<std::string> names;
    for (const PublishedGroup& g : table.groups) names.push_back(g.name);
    if (other == nullptr)
        reading.fail(place, fmt::format("`distance_from` names no group: \"{}\"", row.distance_from),
                     did_you_mean(row.distance_from, names));
    else if (other->find(row.quantity) == nullptr || group.find(row.quantity) == nullptr)
        reading.fail(place, fmt::format("a distance of `{}` between \"{}\" and \"{}\" needs a row of that quantity in both", row.quantity,
                                        group.name, row.distance_from));
}

void check_group(const PublishedTable& table, const PublishedGroup& group, const std::string& path, Reading& reading) {
    if (group.rows.empty() && !reading.failed.contains(path + ".row"))
        reading.fail(path, "missing section [[group.row]]", "write [[group.row]], once for each quantity");
    for (std::size_t i = 0; i < group.rows.size(); ++i) {
        const std::string row = fmt::format("{}.row.{}", path, i);
        check_quantity(group.rows[i], row, reading);
        check_standing(group.rows[i], row, reading);
        check_distance(table, group, group.rows[i], row, reading);
    }
    const auto is_of_equilibrium = [](const PublishedRow& row) { return is_equilibrium_quantity(row.quantity); };
    const bool has_some = std::any_of(group.rows.begin(), group.rows.end(), is_of_equilibrium);
    if (has_some && !std::all_of(group.rows.begin(), group.rows.end(), is_of_equilibrium))
        reading.fail(path, "a group has rows of equilibria or rows of a run, not both", "make two groups of it");
}

void check_table(PublishedTable& table, const std::string& id, Reading& reading) {
    if (!table.id.empty() && table.id != id)
        reading.fail("id", fmt::format("`id` is \"{}\", but the place of the file says \"{}\"", table.id, id));
    const bool has_groups = !(table.batch ? table.batch->cells.empty() : table.groups.empty());
    if (!has_groups && !reading.failed.contains("group"))
        reading.fail("", "missing section [[group]]", "write [[group]], once for each run of the scenario");
    if (table.batch) check_batch_table(*table.batch, reading);
    for (std::size_t i = 0; i < table.groups.size(); ++i) {
        for (PublishedRow& row : table.groups[i].rows)
            if (!row.within && !row.within_part) row.within_part = table.within_part;
        check_group(table, table.groups[i], fmt::format("group.{}", i), reading);
    }
}

// 8.2 before 8.11: by words, and by size where both are numbers.
bool comes_before(const std::string& a, const std::string& b) {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    std::size_t i = 0, k = 0;
    while (i < a.size() && k < b.size()) {
        if (is_digit(a[i]) && is_digit(b[k])) {
            char *end_a = nullptr, *end_b = nullptr;
            const auto first = std::strtoull(&a[i], &end_a, 10), second = std::strtoull(&b[k], &end_b, 10);
            if (first != second) return first < second;
            i = static_cast<std::size_t>(end_a - a.data());
            k = static_cast<std::size_t>(end_b - b.data());
        } else if (a[i] != b[k]) {
            return a[i] < b[k];
        } else {
            ++i, ++k;
        }
    }
    return a.size() - i < b.size() - k;
}

}  // namespace

const Printed* PublishedRow::print() const {
    if (published) return &*published;
    if (bound) return &*bound;
    return analytical ? &*analytical : nullptr;
}

const PublishedRow* PublishedGroup::find(const std::string& quantity) const {
    for (const PublishedRow& row : rows)
        if (row.quantity == quantity && row.distance_from.empty()) return &row;
    return nullptr;
}

const PublishedGroup* PublishedTable::find(const std::string& group) const {
    for (const PublishedGroup& g : groups)
        if (g.name == group) return &g;
    return nullptr;
}

std::string PublishedTable::scenario_file() const { return (file.parent_path() / scenario).lexically_normal().string(); }

PublishedTable read_published_table(const fs::path& file, const std::string& id) {
    const scenario::Document document = scenario::read_document(file.string(), {});
    Reading reading{.document = document, .places = {}, .problems = {}, .failed = {}, .is_of_scenario = false};
    scenario::Reader reader(reading, &document.root, "", "");
    PublishedTable table{.file = file};
    describe(reader, table);
    reader.finish();
    check_table(table, id, reading);
    reading.require_no_problem();
    return table;
}

std::vector<std::string> published_ids(const fs::path& papers) {
    std::vector<std::string> ids;
    std::error_code error;
    for (fs::recursive_directory_iterator it(papers, error), end; !error && it != end; it.increment(error))
        if (it->path().extension() == ".toml")
            ids.push_back(fs::path(it->path()).replace_extension().lexically_relative(papers).generic_string());
    if (ids.empty())
        throw InputError(fmt::format("there is no published table below `{}`", papers.string()),
                         "run this in the folder of the project, or name its folder papers with --papers");
    std::sort(ids.begin(), ids.end(), comes_before);
    return ids;
}

}  // namespace asperity::reproduce
