// A published table as data: papers/<family>/<table>.toml, read strictly. papers/README.md describes the format.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

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

    // What stands for print as one number; nullptr where nothing is printed.
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
    std::vector<PublishedGroup> groups;  // none where it is a batch
    std::optional<BatchTable> batch;     // kind = "batch"

    const PublishedGroup* find(const std::string& group) const;
    bool is_slow() const { return batch.has_value(); }
    std::string scenario_file() const;  // scenario, from the working folder
};

// Throws InputError with every problem of the file.
PublishedTable read_published_table(const std::filesystem::path& file, const std::string& id);

// The ids of a folder (landers/8.2, landers/8.11, ...), numbers in order of size. Throws InputError where there are none.
std::vector<std::string> published_ids(const std::filesystem::path& papers);

}  // namespace asperity::reproduce
