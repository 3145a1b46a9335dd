// The plots of a study's page, each an <svg> element of fixed size that the page scales. Colours are variables of the page's style.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/report/campaign_page.h"
#include "asperity/report/plot_frame.h"

namespace asperity::report {

// A number for people: so many digits, no trailing zeros, a true minus; a dash where there is none.
std::string number_text(double value, int digits);

// An interval for people: "0.3 … 0.4", a bound where one side is not known, and that nothing can be said where neither is.
std::string interval_text(const Between& interval, int digits);

// Round values at steps of 1, 2 or 5 times a power of ten that divide a range into about `count` parts.
struct Ticks {
    double step = 1;
    std::vector<double> values;
};
Ticks ticks(double low, double high, int count);

// The style's variable for an outcome: the same in the bar, the map and their legends.
std::string outcome_colour(const std::vector<OutcomeCount>& outcomes, std::string_view name);

// The same for points of a map; those of no success stand out where others with that outcome are successes.
std::string map_colour(const PointMap& map, const PointGroup& group, const std::vector<OutcomeCount>& outcomes);

// The points of a group: dots, or crosses where they are no successes; `index` is the group's place in its map.
std::string points_svg(const PointGroup& group, const PlotFrame& frame, std::size_t index, std::string_view colour, bool is_dense);
// The groups of a map, those of no success last, in an element by which the script finds the runs of the points.
std::string groups_svg(const PointMap& map, const PlotFrame& frame, std::size_t index, const std::vector<OutcomeCount>& outcomes);

std::string histogram_svg(const ColumnShown& column);
std::string map_svg(const PointMap& map, std::size_t index, const std::vector<OutcomeCount>& outcomes);
std::string convergence_svg(const Convergence& convergence);
std::string sobol_svg(const SobolOfMetric& sobol);

// Of a body: longitude and latitude with patches and shaded cells; stop time over first impact. `index` as in map_svg.
std::string places_svg(const BodyPage& body, std::size_t index, const std::vector<OutcomeCount>& outcomes);
std::string times_svg(const BodyPage& body, std::size_t index, const std::vector<OutcomeCount>& outcomes);
// Values with whiskers; a line across at `wanted`, where it is finite.
std::string response_svg(const ResponseShown& response, double wanted);

}  // namespace asperity::report
