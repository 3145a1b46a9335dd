// `asperity reproduce`: published tables against our runs and against closed forms. Runs go through batch, results stand in order.
//
// Every comparison has a basis (print, a closed form, a number of our own) and a declared standing (agrees, refuted, open), which the run
// bears out or contradicts: judge.cpp for single runs, batch_runs.h for statistics; the rules stand in papers/README.md.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "asperity/batch/ranks.h"
#include "asperity/record/column.h"
#include "asperity/record/record.h"
#include "asperity/reproduce/batch_runs.h"
#include "asperity/reproduce/published_table.h"
#include "asperity/reproduce/standing.h"

namespace asperity::reproduce {

struct RowResult {
    PublishedRow row;
    std::optional<double> ours;
    std::optional<long double> closed_form;
    std::optional<long double> our_difference;        // ours - closed form
    std::optional<long double> published_difference;  // print (corrected where it is refuted) - closed form
    std::vector<Finding> findings;
    std::string note;   // the erratum, or by how much it differs and what is known of the cause
    std::string order;  // measured, of a row with `least_order`

    bool is_contradicted() const;
};

struct GroupResult {
    PublishedGroup group;
    std::string outcome;              // how the run ended
    double regularisation_speed = 0;  // m/s, of the run
    std::vector<RowResult> rows;
};

struct TableResult {
    PublishedTable table;
    std::vector<GroupResult> groups;
    std::optional<BatchResult> batch;  // of a table of kind "batch"
};

struct ReproduceRequest {
    std::vector<std::string> ids;  // none: all that are quick
    bool with_slow = false;        // and, without ids, those that are statistics over many runs
    std::optional<int> runs;       // of those, in the place of what the table says
    bool is_quiet = true;          // no progress on stderr
    std::filesystem::path papers = "papers";
    std::string out;         // folder for record.h5, report.html and reproduce.json; empty: none
    bool is_forced = false;  // overwrites the results of something else there
    int threads = 0;         // 0: all cores
};

// Reads and runs, by batch; called by every rank, the result is that of rank 0. Throws InputError, for an unknown id with a
// suggestion.
std::vector<TableResult> reproduce(batch::Ranks& ranks, const ReproduceRequest& request);

Count count(const std::vector<TableResult>& results);

// For the terminal; the counts by basis and standing stand at the end.
std::string reproduce_text(const std::vector<TableResult>& results);

// For a record: one row per row, with the columns "standing" and "contradiction"; beside it report.html, and the same as reproduce.json.
record::Table record_table(const TableResult& result);
void write_reproduce(const std::vector<TableResult>& results, const std::filesystem::path& folder);
record::Header reproduce_header(const std::vector<TableResult>& results);  // of that record; its hash is of the ids of the tables

}  // namespace asperity::reproduce
