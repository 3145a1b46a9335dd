// The data that the page's script draws: paths, plots, bands, events and the surface, as JSON, thinned to what a screen can show.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "asperity/record/record.h"

namespace asperity::report {

struct PageData {
    std::string json;
    std::vector<std::string> notes;  // what was left out
};

PageData page_data(const record::Record& record);

// Rows to keep of some series of equal length so that about `most` remain: the first, the last, and in each of equal stretches of rows the
// first and, of every series, the smallest and the largest. Extremes are never lost.
std::vector<std::size_t> thinned_rows(const std::vector<std::vector<double>>& series, std::size_t most);

// Contact modes over time: each begins where the one before ends.
struct Band {
    double begin = 0;  // s
    double end = 0;    // s
    std::int64_t mode = 0;
};
std::vector<Band> mode_bands(const std::vector<model::Sample>& samples, const std::vector<model::Event>& events);
// The first, and at most so many others: those that last longest, each up to the next.
std::vector<Band> longest_bands(const std::vector<Band>& bands, std::size_t most);

}  // namespace asperity::report
