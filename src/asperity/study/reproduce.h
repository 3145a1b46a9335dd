// `asperity reproduce`: published tables against our runs and against closed forms. Runs go through study/batch, results stand in order.
//
// Verdicts (papers/README.md):
//   closed_form  |ours - closed form| <= |published numerical - closed form|; times and positions within 1e-9 relative, and so are rows
//                without a published column; not larger than `within` where the table says so
//   published    |ours - published numerical| <= `within`, or `within_part` of the published number
//   batch        intervals of paired differences (reproduce_batch.h)
//   scaling      the distance from the closed form falls with the first or a higher power of the regularisation speed
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "asperity/record/column.h"
#include "asperity/record/record.h"
#include "asperity/study/ranks.h"
#include "asperity/study/reproduce_batch.h"
#include "asperity/study/reproduce_table.h"
#include "asperity/study/verdict.h"

namespace asperity::study {

struct RowResult {
    PublishedRow row;
    std::optional<double> ours;
    std::optional<long double> closed_form;
    std::optional<long double> our_difference;        // ours - closed form
    std::optional<long double> published_difference;  // published numerical (mended where misprinted) - closed form
    Verdict verdict = Verdict::shown;
    std::string note;  // why it failed, what is misprinted, measured order
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

struct Count {
    int ok = 0, noted = 0, failed = 0;
};

struct ReproduceRequest {
    std::vector<std::string> ids;  // none: all that are quick
    bool with_slow = false;        // and, without ids, those that are statistics over many runs
    std::optional<int> runs;       // of those, in the place of what the table says
    bool is_quiet = true;          // no progress on stderr
    std::filesystem::path papers = "papers";
    std::string out;         // folder for record.h5 and report.html; empty: none
    bool is_forced = false;  // overwrites the results of something else there
    int threads = 0;         // 0: all cores
};

// Reads and runs, by study/batch; called by every rank, the result is that of rank 0. Throws InputError, for an unknown id with a
// suggestion.
std::vector<TableResult> reproduce(Ranks& ranks, const ReproduceRequest& request);

// Reads and runs one table whose groups are single runs.
TableResult reproduce_table(const PublishedTable& table);

Count count(const std::vector<TableResult>& results);

// For the terminal; "N ok, M noted, K failed" stands on the last line.
std::string reproduce_text(const std::vector<TableResult>& results);

// For a record: one row per row, with the column "verdict".
record::Table record_table(const TableResult& result);
void write_reproduce(const std::vector<TableResult>& results, const std::filesystem::path& folder);
record::Header reproduce_header(const std::vector<TableResult>& results);  // of that record; its hash is of the ids of the tables

}  // namespace asperity::study
