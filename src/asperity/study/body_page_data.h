// The parts of a study's page (campaign_page_data.h) about landers on a body, and about parameters with few values.
#pragma once
#include <cstdint>
#include <filesystem>

#include "asperity/report/campaign_page.h"
#include "asperity/study/campaign.h"
#include "asperity/study/column_reading.h"

namespace asperity::study {

inline constexpr std::uint64_t most_map_points = 5000;

// Shape, trajectories of the first runs, places and times of stops, patches, cells. Nothing where the world of the study is no body;
// without what the study's list of metrics leaves out.
void fill_body(const CampaignRequest& request, const Plan& plan, const StudyTable& table, report::CampaignPage& page);

// Success, and stop time of the successful runs, at each value of a parameter that has from 2 to 64 of them. Parameters that neither set a
// key nor are named in an expression only number repetitions, and are left out.
void fill_responses(const Plan& plan, const StudyTable& table, report::CampaignPage& page);

}  // namespace asperity::study
