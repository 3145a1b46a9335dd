#include "asperity/reproduce/published_table.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <system_error>

#include "asperity/core/errors.h"
#include "asperity/core/suggest.h"
#include "asperity/reproduce/field_quantities.h"
#include "asperity/reproduce/measure.h"
#include "asperity/reproduce/section.h"

namespace asperity::reproduce {
namespace {

namespace fs = std::filesystem;
using scenario::Node;

// What a standing needs: what is printed, the words, and the numbers that prove or state it.
void check_standing(const PublishedRow& row, Section& section) {
    const auto fail = [&](const char* what, const char* hint) { section.fail(section.mark_of("standing"), what, hint); };
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

PublishedRow read_row(Section& section, const std::optional<Printed>& usual_part) {
    PublishedRow row;
    row.quantity = section.text("quantity", true);
    row.label = section.text("label", true);
    row.unit = section.text("unit", false);
    row.times = section.printed("times");
    row.per = section.printed("per");
    row.from = section.printed("from");
    row.against = section.text("against", false);
    row.distance_from = section.text("distance_from", false);
    if (const auto standing = section.standing("standing", true)) row.standing = *standing;
    row.analytical = section.printed("published_analytical");
    row.published = section.printed("published");
    row.difference = section.printed("published_difference");
    row.bound = section.printed("published_bound");
    row.within = section.printed("within");
    row.within_part = section.printed("within_part");
    if (!row.within && !row.within_part) row.within_part = usual_part;
    row.erratum = section.text("erratum", false);
    row.corrected = section.printed("corrected");
    row.corrected_analytical = section.printed("corrected_analytical");
    row.corrected_difference = section.printed("corrected_difference");
    row.proof = section.text("proof", false);
    row.off = section.printed("difference");
    row.off_part = section.printed("difference_part");
    row.cause = section.text("cause", false);
    row.closed_form = section.printed("closed_form");
    row.closed_form_within = section.printed("closed_form_within");
    row.closed_form_within_part = section.printed("closed_form_within_part");
    row.least_order = section.printed("least_order");
    row.reference = section.printed("reference");
    row.reference_within = section.printed("reference_within");
    row.reference_within_part = section.printed("reference_within_part");
    row.reference_from = section.text("reference_from", false);
    if (!row.quantity.empty() && !is_quantity(row.quantity) && !is_field_quantity(row.quantity)) {
        std::vector<std::string> known = quantity_names();
        for (std::string& name : field_quantity_names()) known.push_back(std::move(name));
        section.fail(section.mark_of("quantity"), fmt::format("unknown quantity `{}`", row.quantity), did_you_mean(row.quantity, known));
    }
    check_standing(row, section);
    section.finish();
    return row;
}

PublishedGroup read_group(const scenario::Document& document, const Node& node, const std::string& place,
                          const std::optional<Printed>& usual_part, std::vector<Problem>& problems) {
    Section section(document, node, place, problems);
    PublishedGroup group;
    group.name = section.text("name", true);
    group.notes = section.text("notes", false);
    group.closed_form_from = section.text("closed_form_from", false);
    if (!group.closed_form_from.empty() && group.closed_form_from != "wall_impact")
        section.fail(section.mark_of("closed_form_from"), fmt::format("unknown `closed_form_from` \"{}\"", group.closed_form_from),
                     "the only one there is: wall_impact");
    if (const Node* sets = section.take("set", Node::Kind::array, false))
        for (const Node& item : sets->items) {
            if (item.kind == Node::Kind::text)
                group.sets.push_back(item.text);
            else
                section.fail(item.mark, fmt::format("`set` holds {}", name(item.kind)), "texts, as for --set: \"contact.friction=0.5\"");
        }
    if (const Node* rows = section.take("row", Node::Kind::array, true))
        for (const Node& item : rows->items) {
            Section inner(document, item, place + " [[group.row]]", problems);
            if (item.kind == Node::Kind::table)
                group.rows.push_back(read_row(inner, usual_part));
            else
                inner.fail(item.mark, fmt::format("`row` holds {}", name(item.kind)), "write [[group.row]]");
        }
    const auto is_of_equilibrium = [](const PublishedRow& row) { return is_equilibrium_quantity(row.quantity); };
    const bool has_some = std::any_of(group.rows.begin(), group.rows.end(), is_of_equilibrium);
    if (has_some && !std::all_of(group.rows.begin(), group.rows.end(), is_of_equilibrium))
        section.fail(node.mark, "a group has rows of equilibria or rows of a run, not both", "make two groups of it");
    section.finish();
    return group;
}

void read_groups(const scenario::Document& document, Section& section, PublishedTable& table, std::vector<Problem>& problems) {
    const std::optional<Printed> usual_part = section.printed("within_part");
    const Node* groups = section.take("group", Node::Kind::array, true);
    for (std::size_t i = 0; groups != nullptr && i < groups->items.size(); ++i) {
        const std::string place = fmt::format("[[group]] {}", i);
        if (groups->items[i].kind == Node::Kind::table)
            table.groups.push_back(read_group(document, groups->items[i], place, usual_part, problems));
        else
            section.fail(groups->items[i].mark, fmt::format("`group` holds {}", name(groups->items[i].kind)), "write [[group]]");
    }
}

// Distances must be from a group that has the quantity.
void check_distances(const PublishedTable& table) {
    for (const PublishedGroup& group : table.groups)
        for (const PublishedRow& row : group.rows) {
            if (row.distance_from.empty()) continue;
            const PublishedGroup* other = table.find(row.distance_from);
            std::vector<std::string> names;
            for (const PublishedGroup& g : table.groups) names.push_back(g.name);
            if (other == nullptr)
                throw InputError(fmt::format("{}: `distance_from` names no group: \"{}\"", table.file.string(), row.distance_from),
                                 did_you_mean(row.distance_from, names));
            if (other->find(row.quantity) == nullptr || group.find(row.quantity) == nullptr)
                throw InputError(fmt::format("{}: a distance of `{}` between \"{}\" and \"{}\" needs a row of that quantity in both",
                                             table.file.string(), row.quantity, group.name, row.distance_from));
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
    std::vector<Problem> problems;
    Section section(document, document.root, "", problems);
    PublishedTable table{.file = file};
    table.id = section.text("id", true);
    if (!table.id.empty() && table.id != id)
        section.fail(section.mark_of("id"), fmt::format("`id` is \"{}\", but the place of the file says \"{}\"", table.id, id));
    table.title = section.text("title", true);
    table.source = section.text("source", true);
    table.scenario = section.text("scenario", true);
    table.notes = section.text("notes", false);
    const std::string kind = section.text("kind", false);
    if (!kind.empty() && kind != "batch")
        section.fail(section.mark_of("kind"), fmt::format("unknown `kind` \"{}\"", kind),
                     "\"batch\" for statistics over many runs; without it a group is one run");
    if (kind == "batch")
        table.batch = read_batch_table(document, section, problems);
    else
        read_groups(document, section, table, problems);
    section.finish();
    if (!problems.empty()) throw InputError(problems);
    check_distances(table);
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
