// Surface properties by facet, from a CSV table.
//
//   facet,restitution,friction,rolling_resistance,rock_density
//   0,0.65,0.8,0.02,1
//
// `facet` counts from 0, in the order of the mesh. Of the other columns any may be missing; rows come in any order, each facet at most
// once. A value may be left empty or be written nan: not set, as for facets that have no row. Blanks, empty lines and lines that start with
// # are skipped.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace asperity::assets {

// One number per facet, NaN where it is not set; empty where the table lacks the column.
struct FacetValues {
    std::vector<double> restitution;         // 0 to 1
    std::vector<double> friction;            // 0 or more, as the next two
    std::vector<double> rolling_resistance;  //
    std::vector<double> rock_density;        // factor on the number of rocks
};

// Throws InputError, with every line that is wrong; also where the file cannot be opened.
FacetValues read_facet_values(const std::string& path, std::size_t facet_count);
FacetValues parse_facet_values(std::string_view text, const std::string& name, std::size_t facet_count);

}  // namespace asperity::assets
