// Published tables that are statistics over many runs: cells (groups of the file) of the same runs under different settings.
//
// Run i of every cell has the same draws (seed and number), so that cells are compared run by run (study/paired.h). Verdicts are on such
// differences alone: published means are shown beside ours with the intervals of both, which is a note. papers/README.md has the format.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "asperity/record/column.h"
#include "asperity/study/paired.h"
#include "asperity/study/ranks.h"
#include "asperity/study/reproduce_table.h"
#include "asperity/study/verdict.h"

namespace asperity::study {

struct CellResult {
    std::uint64_t successes = 0;                     // runs that came to rest
    std::uint64_t troubled = 0;                      // runs that could not start or went wrong numerically
    std::string trouble;                             // the first of them
    std::vector<double> success;                     // by run: 1 or 0
    std::vector<double> stop_time;                   // h, by run; NaN: not at rest
    std::vector<double> first_impact_time;           // h, by run, of those that came to rest; else NaN
    std::array<Estimate, batch_quantities> figures;  // in the unit of each
    std::array<std::string, batch_quantities> notes;
    Verdict verdict = Verdict::shown;  // of the success, where the table asks for one
};

struct ComparisonResult {
    PairedDifference got;    // h, or a part of all runs
    PairedDifference other;  // of `over`
    Verdict verdict = Verdict::shown;
    std::string note;
};

struct BatchResult {
    int runs = 0;
    std::vector<CellResult> cells;
    std::vector<ComparisonResult> comparisons;
    std::optional<Knee> knee;
    Verdict knee_verdict = Verdict::shown;
    std::string knee_note;
};

struct BatchOptionsOfTable {
    std::optional<int> runs;  // in the place of the table's
    int threads = 0;
    bool is_quiet = true;
};

// Runs all cells, by study/batch; called by every rank, the result is that of rank 0. Throws InputError where a cell's scenario is wrong.
BatchResult run_batch_table(Ranks& ranks, const PublishedTable& table, const BatchOptionsOfTable& options);

// Statistics and verdicts of cells whose runs are there.
void judge_batch(const BatchTable& table, BatchResult& result);

// For the terminal, below the table's head; for a record.
std::string batch_text(const BatchTable& table, const BatchResult& result);
std::vector<record::Table> batch_record_tables(const PublishedTable& table, const BatchResult& result);

}  // namespace asperity::study
