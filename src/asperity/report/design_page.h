// The answers of `asperity design` as one HTML page: the margin of the start errors, and the start corridor.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "asperity/report/campaign_page.h"

namespace asperity::report {

struct CorridorCell {
    double success = 0;
    Between interval;
    std::string verdict;  // sure, open, below
};

// A grid over two keys; cells row by row, along x.
struct CorridorShown {
    std::string x_name, x_unit, y_name, y_unit;
    std::vector<double> x, y;
    std::vector<CorridorCell> cells;
};

struct DesignPage {
    std::string title, file;
    double success = 0, confidence = 0;  // required
    std::uint64_t runs = 0;              // at each factor and in each cell
    std::optional<ResponseShown> curve;
    std::vector<std::pair<std::string, std::string>> largest;  // key, and its largest values in words
    std::optional<CorridorShown> corridor;
};

std::string design_page_text(const DesignPage& page);

}  // namespace asperity::report
