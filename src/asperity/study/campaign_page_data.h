// The data of a study's page (report/campaign_page.h), from its statistics and its table.
//
// Statistics, correlations, indices and lists are those of the summary (campaign_statistics.h), so that the two cannot differ; the table
// adds what only a page needs, with memory that does not grow with the number of runs: bins, a sample of points, estimates from prefixes.
//
//   histogram  the values within q05 - 1.5 w ... q95 + 1.5 w, w = q95 - q05; all of it in logarithms where q95 > 100 q05 > 0         (1)
//   sample     of the runs i n / m ... (i + 1) n / m - 1, one drawn by hash(i), for i = 0 ... m - 1 (m of n runs)                    (2)
//   prefixes   16 (n / 16)^(k / 120), k = 0 ... 120                                                                                  (3)
//
// (1) keeps one run far away from squeezing all others into one bin. (2) and not every (n / m)-th run: a grid has periods of its own.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "asperity/report/campaign_page.h"
#include "asperity/study/campaign.h"
#include "asperity/study/campaign_statistics.h"

namespace asperity::study {

report::CampaignPage campaign_page_data(const CampaignRequest& request, const Plan& plan, const StudyTable& table,
                                        const CampaignStatistics& results);

// (2): rising; all of 0 ... count - 1 where they are no more than `most`.
std::vector<std::uint64_t> sampled_rows(std::uint64_t count, std::uint64_t most);

// The values of a column of table.h5 in these rows, which rise.
std::vector<double> picked_numbers(const std::filesystem::path& table, const std::string& name, const std::vector<std::uint64_t>& rows);
std::vector<std::string> picked_texts(const std::filesystem::path& table, const std::string& name, const std::vector<std::uint64_t>& rows);

// (3): rising, ends with `count`; where that is below 16: every number from 1.
std::vector<std::uint64_t> prefix_sizes(std::uint64_t count);

// folder/report.html, renamed into place.
void write_campaign_page(const CampaignRequest& request, const Plan& plan, const StudyTable& table, const CampaignStatistics& results,
                         const std::filesystem::path& folder);

}  // namespace asperity::study
