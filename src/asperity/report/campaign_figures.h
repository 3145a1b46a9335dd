// The figures of a study's page.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "asperity/report/campaign_page.h"
#include "asperity/report/figure.h"

namespace asperity::report {

// The style's variable for an outcome: the same in the bar, the map and their legends.
std::string outcome_colour(const std::vector<OutcomeCount>& outcomes, std::string_view name);

// The same for points of a map; those of no success stand out where others with that outcome are successes.
std::string map_colour(const PointMap& map, const std::string& outcome, bool is_success, const std::vector<OutcomeCount>& outcomes);

Figure histogram_figure(const ColumnShown& column);
Figure map_figure(const PointMap& map, const std::vector<OutcomeCount>& outcomes);
Figure convergence_figure(const Convergence& convergence);
Figure sobol_figure(const SobolOfMetric& sobol);

// Of a body: longitude and latitude with patches and shaded cells; stop time over first impact.
Figure places_figure(const BodyPage& body, const std::vector<OutcomeCount>& outcomes);
Figure times_figure(const PointMap& times, const std::vector<OutcomeCount>& outcomes);
// Values with whiskers; a line across at `wanted`, where it is finite.
Figure response_figure(const ResponseShown& response, double wanted);

}  // namespace asperity::report
