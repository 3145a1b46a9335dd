// The result files of a study and the text for the terminal, from its table (campaign_statistics.h).
#pragma once
#include <filesystem>
#include <string>

#include "asperity/study/campaign.h"

namespace asperity::study {

// Reads table.h5 of the folder, writes summary.json and report.html, returns the text for the terminal. A function of the table and of the
// plan alone: summary.json is the same, byte for byte, however the runs were computed.
std::string write_results(const CampaignRequest& request, const Plan& plan, const std::filesystem::path& folder);

}  // namespace asperity::study
