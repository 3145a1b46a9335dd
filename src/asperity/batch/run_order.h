// The rows of a journal in the order of their runs, with memory that does not grow with the number of runs.
//
// A first pass writes the offset of each run's row into a file without a name, 8 bytes a run, at 8 times its index; a second pass reads
// that file from front to back and fetches the rows. To sort the rows by merging was turned down: they lie nearly in order already, so
// that fetching them one by one reads the journal about once.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/batch/journal.h"

namespace asperity::batch {

struct OrderReport {
    JournalReport journal;
    std::uint64_t missing = 0;                // runs below run_count without a row
    std::uint64_t contradictions = 0;         // records that differ from the first one of their run: some of them must be wrong
    std::vector<std::uint64_t> contradicted;  // their runs, the first JournalReport::most_damages
};

// The row is valid during the call; nullopt where the journal has none.
using VisitRun = std::function<void(std::uint64_t run, std::optional<std::string_view> row)>;

// Visits runs 0 ... run_count - 1. Of several records of a run the first one counts; records of later runs are left out.
OrderReport for_each_in_order(const std::filesystem::path& journal, const std::string& identity, std::uint64_t run_count,
                              const VisitRun& visit);

}  // namespace asperity::batch
