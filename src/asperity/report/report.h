// A record as one HTML page that needs nothing else: no network, no server, no other file.
//
// Shows how the run ended and whether it met its expectations, the trajectory over the surface, plots over a shared time axis with the
// contact modes as bands, the events, the tables and the scenario as run. Long runs are thinned for the page, and the page says so.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "asperity/record/record.h"
#include "asperity/record/summary.h"

namespace asperity::report {

// The text of the page.
std::string report_text(const record::Record& record, const std::optional<record::Summary>& summary);

// Reads folder/record.h5, and folder/summary.json where there is one, and writes folder/report.html; gives back its path.
// Throws InputError where there is no record, RuntimeError where the page cannot be written.
std::filesystem::path write_report(const std::filesystem::path& folder);
// The same page from what was read already; the summary as summary.json will hold it.
std::filesystem::path write_report(const std::filesystem::path& folder, const record::Record& record,
                                   const std::optional<record::Summary>& summary);

// Runs of one world side by side, one picture each at the same time, curves over each other, and a table whose first line is its head.
// Writes folder/report.html; gives back its path.
struct ComparedRun {
    std::string name;
    record::Record record;
};
std::filesystem::path write_comparison(const std::filesystem::path& folder, const std::vector<ComparedRun>& runs,
                                       const std::string& description, const std::vector<std::vector<std::string>>& table);

}  // namespace asperity::report
