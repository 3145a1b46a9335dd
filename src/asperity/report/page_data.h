// The data of a run's page: paths, bands, events and the surface as JSON, and figures over time, all thinned to what a screen can show.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "asperity/record/record.h"

namespace asperity::report {

struct PageData {
    std::string json;
    std::string figures;             // of its bodies, as HTML
    std::vector<std::string> notes;  // what was left out
};

PageData page_data(const record::Record& record);

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
