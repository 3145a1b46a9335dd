// The parts of a study's page about landers on a body, about the batch as a whole, and about questions of design.
#pragma once
#include <string>

#include "asperity/report/campaign_page.h"

namespace asperity::report {

// Numbers of the batch; answers to questions of design: value, interval, and over which runs. Empty where the study has none.
std::string batch_html(const CampaignPage& page);
std::string answers_html(const CampaignPage& page);

// Trajectories over the shape; when the runs touched and stopped; where. Empty where the study is not of a body.
std::string body_html(const CampaignPage& page);

// Figures of parameters that have few values.
std::string responses_html(const CampaignPage& page);

// The data of the body for the script; "null" if there is none.
std::string body_json(const CampaignPage& page);

}  // namespace asperity::report
