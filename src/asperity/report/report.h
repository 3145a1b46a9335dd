// A record as one HTML page that needs nothing else: no network, no server, no other file.
//
// Shows how the run ended and whether it met its expectations, the trajectory over the surface, plots over a shared time axis with the
// contact modes as bands, the events, the tables and the scenario as run. Long runs are thinned for the page, and the page says so.
#pragma once
#include <filesystem>
#include <optional>
#include <string>

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

}  // namespace asperity::report
