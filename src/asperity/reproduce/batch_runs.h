// Published tables that are statistics over many runs: cells (groups of the file) of the same runs under different settings.
//
// Run i of every cell has the same draws (seed and number), so that cells are compared run by run (statistics/paired.h). A published number
// agrees where it differs from ours by less than 1.96 standard errors of both. papers/README.md has the format and the rules.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "asperity/batch/ranks.h"
#include "asperity/record/column.h"
#include "asperity/reproduce/published_table.h"
#include "asperity/reproduce/standing.h"
#include "asperity/statistics/paired.h"

namespace asperity::reproduce {

struct CellResult {
    std::uint64_t successes = 0;                                 // runs that came to rest
    std::uint64_t troubled = 0;                                  // runs that could not start or went wrong numerically
    std::string trouble;                                         // the first of them
    std::vector<double> success;                                 // by run: 1 or 0
    std::vector<double> reached;                                 // by run: 1 or 0, whether it touched the ground
    std::vector<double> stop_time;                               // h, by run; NaN: not at rest
    std::vector<double> first_impact_time;                       // h, by run, of those that came to rest; else NaN
    std::array<statistics::Estimate, batch_quantities> figures;  // in the unit of each
    std::array<std::string, batch_quantities> notes;
    std::array<std::optional<Finding>, batch_quantities> findings;  // of what is published
    std::vector<Finding> claims;                                    // of the success, where print says how high it is
    std::optional<Finding> kept;                                    // against the results that were kept
    std::string kept_note;
};

// A cell of a whole batch that was kept (kept.h).
struct KeptRun {
    double stop_time = statistics::no_value;          // h; no value: it did not come to rest
    double first_impact_time = statistics::no_value;  // h, of those that did
};

struct KeptCell {
    std::string name;
    std::uint64_t successes = 0, runs = 0;
    std::array<statistics::Estimate, batch_quantities> figures;
    std::vector<KeptRun> first;
};

struct ComparisonResult {
    statistics::PairedDifference got;    // h, or a part of all runs
    statistics::PairedDifference other;  // of `over`
    Finding finding;
    std::string note;
};

struct BatchResult {
    int runs = 0;
    bool is_shortened = false;  // fewer runs than the table asks for: intervals are wider, and what differs may not show
    std::vector<CellResult> cells;
    std::vector<ComparisonResult> comparisons;
    // Of the intervals of differences. A short batch is held against what a whole one has shown: among many comparisons of a few runs some
    // fail at 95 % by chance.
    double confidence() const { return is_shortened ? 0.9999 : 0.95; }
    std::optional<statistics::Knee> knee;
    std::optional<Finding> knee_finding;
    std::string knee_note;
};

struct BatchOptionsOfTable {
    std::optional<int> runs;  // in the place of the table's
    int threads = 0;
    bool is_quiet = true;
};

// Runs all cells, by batch; called by every rank, the result is that of rank 0. Throws InputError where a cell's scenario is wrong.
BatchResult run_batch_table(batch::Ranks& ranks, const PublishedTable& table, const BatchOptionsOfTable& options);

// Statistics and verdicts of cells whose runs are there. A shortened batch shows too little of print: its cells are held against what was
// kept of the whole one, and that against print.
void judge_batch(const BatchTable& table, BatchResult& result, const std::vector<KeptCell>& kept = {});

std::vector<Finding> all_findings(const BatchResult& result);

// The text for the terminal, below the table's head, and the table for a record.
std::string batch_text(const BatchTable& table, const BatchResult& result);
std::vector<record::Table> batch_record_tables(const PublishedTable& table, const BatchResult& result);

}  // namespace asperity::reproduce
