// A surface for display, limited to the number of facets that a browser can rotate smoothly. A closed one is decimated, so that all of it
// is visible.
#pragma once
#include <cstddef>
#include <string>

#include "asperity/record/record.h"

namespace asperity::report {

struct ShownShape {
    record::Surface surface;
    bool is_closed = false;
    std::string note;  // what was left out; empty: nothing
};

// Whether every edge has exactly two facets.
bool is_closed(const record::Surface& surface);
// Whether bodies move where there is no ground.
inline bool is_in_space(const record::Record& record) { return !record.bodies.is_empty() && record.surface.facets.empty(); }

// The surface itself where it has no more than `most` facets or is not closed; else about as many, decimated.
ShownShape shown_shape(const record::Surface& surface, std::size_t most);

// {"v":[x,y,z,...],"f":[a,b,c,...],"closed":...}
std::string shape_json(const record::Surface& surface, bool is_closed);

}  // namespace asperity::report
