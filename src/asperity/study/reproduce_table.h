// A published table as data: papers/<family>/<table>.toml, read strictly. papers/README.md describes the format.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "asperity/study/printed.h"
#include "asperity/study/reproduce_batch_table.h"

namespace asperity::study {

enum class RowKind {
    closed_form,  // held against the closed form and the published numerical column
    published,    // held against the published numerical column alone, within `within` or `within_part`
    scaling,      // distance from the closed form against the regularisation speed
    shown,        // no verdict
};

struct PublishedRow {
    std::string quantity;
    std::string label;
    std::string unit;
    std::optional<Printed> analytical;   // published
    std::optional<Printed> numerical;    // published
    std::optional<Printed> difference;   // published
    std::optional<Printed> corrected;    // what the numerical column should have said
    std::optional<Printed> closed_form;  // as closed_forms.py has it; a check on ours
    std::string misprint;                // what is wrong in print; empty where nothing is
    std::optional<Printed> within;       // absolute, in the unit
    std::optional<Printed> within_part;  // kind published: as a part of the published number
    std::optional<Printed> per;          // what our value is divided by: a unit that is not ours
    std::string against;                 // another quantity whose closed form is meant
    std::string distance_from;           // group: the row is |this - the same quantity there|
    RowKind kind = RowKind::closed_form;
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

}  // namespace asperity::study
