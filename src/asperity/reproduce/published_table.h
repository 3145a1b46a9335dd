// A published table as data: papers/<family>/<table>.toml, read strictly. papers/README.md describes the format.
#pragma once
#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "asperity/core/describe.h"
#include "asperity/reproduce/batch_table.h"
#include "asperity/reproduce/printed.h"
#include "asperity/reproduce/standing.h"

namespace asperity::reproduce {

// A quantity of one run and what it is compared with. papers/README.md says what each key is.
struct PublishedRow {
    std::string quantity;
    std::string label;
    std::string unit;
    std::optional<Printed> times, per;  // our value is multiplied by, divided by: a unit or factor that is not ours
    std::optional<Printed> from;        // the row is this number minus our value
    std::string against;                // another quantity whose closed form is meant
    std::string distance_from;          // group: the row is |this - the same quantity there|

    Standing standing = Standing::agrees;

    // print
    std::optional<Printed> analytical;           // a second printed column
    std::optional<Printed> published;            // the number that ours is compared with
    std::optional<Printed> difference;           // between the two, as printed
    std::optional<Printed> bound;                // print says "below"
    std::optional<Printed> within, within_part;  // agreement: absolute, in the unit; as a part of the number
    // refuted
    std::string erratum;
    std::optional<Printed> corrected, corrected_analytical, corrected_difference;
    std::string proof;  // of the corrected number: a command, a formula
    // open
    std::optional<Printed> off, off_part;  // ours - print, as stated
    std::string cause;

    // closed form
    std::optional<Printed> closed_form;  // as closed_forms.py has it: a check on ours, or the closed form itself where we derive none
    std::optional<Printed> closed_form_within, closed_form_within_part;
    std::optional<Printed> least_order;  // in the regularisation speed, in the place of a tolerance

    // our own number
    std::optional<Printed> reference, reference_within, reference_within_part;
    std::string reference_from;

    // The number that represents print; nullptr if nothing is printed.
    const Printed* print() const;
};

struct PublishedGroup {
    std::string name;
    std::vector<std::string> sets;
    std::string notes;
    std::string closed_form_from;  // "wall_impact", or empty
    std::vector<PublishedRow> rows;

    const PublishedRow* find(const std::string& quantity) const;  // a row of its own, not a distance
};

struct PublishedTable {
    std::string id;
    std::string title;
    std::string source;
    std::string scenario;  // as in the file: relative to it
    std::string notes;
    std::filesystem::path file;
    std::optional<Printed> within_part;  // of rows that do not say
    std::vector<PublishedGroup> groups;  // none where it is a batch
    std::optional<BatchTable> batch;     // kind = "batch"

    const PublishedGroup* find(const std::string& group) const;
    bool is_slow() const { return batch.has_value(); }
    std::string scenario_file() const;  // scenario, from the working folder
};

inline const std::array<Choice<std::string>, 1> closed_form_sources = {{
    {"wall_impact", "wall_impact", "The impact on a wall, from the speed that our run has before it."},
}};

template <class Visitor>
void describe(Visitor& v, PublishedRow& r) {
    v.required("quantity", r.quantity, not_empty, "What is measured in our run.");
    v.required("label", r.label, not_empty, "What the table calls it.");
    v.optional("unit", r.unit, not_empty, "Unit of the numbers of this row.");
    v.optional("times", r.times, "Our value is multiplied by this.", "1");
    v.optional("per", r.per, "Our value is divided by this.", "1");
    v.optional("from", r.from, "The row is this minus our value.", "none");
    v.optional("against", r.against, not_empty, "Another quantity whose closed form is meant.");
    v.optional("distance_from", r.distance_from, not_empty, "A group: the row is the distance to the same quantity there.");
    v.required("standing", r.standing, standing_names, "How our number stands to print.");
    v.optional("published_analytical", r.analytical, "A second printed column.", "none");
    v.optional("published", r.published, "The printed number.", "none");
    v.optional("published_difference", r.difference, "Between the two, as printed.", "none");
    v.optional("published_bound", r.bound, "Print says: below this.", "none");
    v.optional("within", r.within, "What counts as agreement with print, in the unit.", "none");
    v.optional("within_part", r.within_part, "The same, as a part of the number.", "that of the table");
    v.optional("erratum", r.erratum, not_empty, "What is wrong in print.");
    v.optional("corrected", r.corrected, "The right number.", "none: the closed form");
    v.optional("corrected_analytical", r.corrected_analytical, "That of the second column.", "none");
    v.optional("corrected_difference", r.corrected_difference, "That between the two.", "none");
    v.optional("proof", r.proof, not_empty, "Of the corrected number: a command, a formula.");
    v.optional("difference", r.off, "Ours minus print, where it is open.", "none");
    v.optional("difference_part", r.off_part, "The same, as a part of print.", "none");
    v.optional("cause", r.cause, not_empty, "What is known of the reason of what is open.");
    v.optional("closed_form", r.closed_form, "A check on our closed form; of metrics the closed form itself.", "none");
    v.optional("closed_form_within", r.closed_form_within, "What counts as agreement with it, in the unit.", "none");
    v.optional("closed_form_within_part", r.closed_form_within_part, "The same, as a part of it.", "1e-9");
    v.optional("least_order", r.least_order, "Order in the regularisation speed, in the place of a tolerance.", "none");
    v.optional("reference", r.reference, "What this program gave before.", "none");
    v.optional("reference_within", r.reference_within, "What counts as agreement with it, in the unit.", "none");
    v.optional("reference_within_part", r.reference_within_part, "The same, as a part of it.", "none");
    v.optional("reference_from", r.reference_from, not_empty, "The command that gives the reference.");
}

template <class Visitor>
void describe(Visitor& v, PublishedGroup& g) {
    v.required("name", g.name, not_empty, "What the table calls this run.");
    v.optional("notes", g.notes, not_empty, "What a reader must know of it.");
    v.optional("closed_form_from", g.closed_form_from, closed_form_sources, "Where the closed forms come from, if not from the scenario.");
    v.optional("set", g.sets, "Changes of the scenario, as for --set.");
    v.list("row", g.rows, "A quantity of the run, and what it is compared with.");
}

enum class TableKind { runs, batch };
inline constexpr std::array<Choice<TableKind>, 1> table_kinds = {{
    {"batch", TableKind::batch, "Statistics over many runs; without it a group is one run."},
}};

template <class Visitor>
void describe(Visitor& v, PublishedTable& t) {
    v.required("id", t.id, not_empty, "Family and table: the place of the file.");
    v.required("title", t.title, not_empty, "What the table is about.");
    v.required("source", t.source, not_empty, "Paper, table, conditions.");
    v.required("scenario", t.scenario, not_empty, "Scenario file, relative to this file.");
    v.optional("notes", t.notes, not_empty, "What a reader must know of it.");
    TableKind kind = TableKind::runs;
    v.optional("kind", kind, table_kinds, "What the table holds.");
    v.when(kind == TableKind::batch, [&](auto& inner) { describe(inner, t.batch.emplace()); });
    v.when(kind == TableKind::runs, [&](auto& inner) {
        inner.optional("within_part", t.within_part, "What counts as agreement with print, for rows that do not say.", "none");
        inner.list("group", t.groups, "One run of the scenario.");
    });
}

// Throws InputError with every problem of the file.
PublishedTable read_published_table(const std::filesystem::path& file, const std::string& id);

// The ids of a folder (landers/8.2, landers/8.11, ...), numbers in order of size. Throws InputError where there are none.
std::vector<std::string> published_ids(const std::filesystem::path& papers);

}  // namespace asperity::reproduce
