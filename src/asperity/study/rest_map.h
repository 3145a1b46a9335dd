// The map of landing sites on a body: the number of runs that come to rest on each facet, and in each cell of a coarse map.
//
//   cell (i, j)   longitudes -180 + 15 i ... -165 + 15 i deg, sines of latitude -1 + j / 6 ... -1 + (j + 1) / 6      24 x 12, equal areas
//                                                                                                                 of the sphere         (1)
//   probability   count / runs, with Wilson's interval; the runs are all of the study, those that did not rest included                 (2)
#pragma once
#include <cstdint>
#include <filesystem>
#include <vector>

#include "asperity/statistics/statistics.h"
#include "asperity/study/plan.h"

namespace asperity::study {

inline constexpr int rest_longitudes = 24, rest_latitudes = 12;

// Whether the study is one of landers on a body, and its table says on which facet they rest.
bool has_rest_map(const Plan& plan);

// How many runs rest on each facet; those of a facet that the surface does not have are left out.
std::vector<std::uint64_t> rests_per_facet(const statistics::ColumnSource& facet, std::size_t facets);

// How many of the runs that rest (their facet is a number) lie in each cell (1), west to east, then south to north.
std::vector<std::uint64_t> rests_per_cell(const statistics::ColumnSource& facet, const statistics::ColumnSource& latitude_deg,
                                          const statistics::ColumnSource& longitude_deg);

// rest.csv: facet, latitude and longitude of its centre, area, count, probability, interval, for the facets on which any run rests; and
// rest.vtp, the surface with count and probability on its facets, for ParaView. Nothing where has_rest_map() is false.
void write_rest_map(const Plan& plan, const std::filesystem::path& folder, std::uint64_t runs);

}  // namespace asperity::study
