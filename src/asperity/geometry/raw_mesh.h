// A triangle mesh as files and generators give it, not yet validated. make_surface validates it, repair corrects it.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "asperity/core/errors.h"
#include "asperity/core/vec3.h"

namespace asperity::geometry {

using Corners = std::array<std::int32_t, 3>;  // vertex indices, anticlockwise seen from outside

struct RawMesh {
    std::vector<Vec3> vertices;  // m
    std::vector<Corners> facets;
    std::vector<std::int32_t> lines{};  // of the file, for each facet; empty where there is no file
};

// For messages: vertices and facets count from 1, as in files; a facet of a file is named by its line.
std::string facet_name(const RawMesh& mesh, std::int32_t facet);
std::vector<std::string> facet_names(const RawMesh& mesh, const std::vector<std::int32_t>& facets);

// One side of one facet. Sorted by (low, high, facet), all uses of an edge stand together.
struct EdgeUse {
    std::int32_t low = 0;  // the smaller vertex index
    std::int32_t high = 0;
    std::int32_t facet = 0;
    std::int32_t slot = 0;  // 0..2: from corner `slot` to the next
    bool forward = false;   // the facet walks from low to high
};
std::vector<EdgeUse> sorted_edge_uses(const std::vector<Corners>& facets);

// The end of the run of uses of the same edge that starts at `begin`.
std::size_t end_of_edge(const std::vector<EdgeUse>& uses, std::size_t begin);

// Unit normal (anticlockwise: towards the viewer), exact to a few roundings also for slivers; zero for a degenerate facet.
// Degenerate: the altitude on the longest side is below 2^-40 of that side, or below the rounding of the coordinates, so that the
// normal would be noise; also a facet with a repeated corner.
Vec3 facet_normal(const std::vector<Vec3>& vertices, const Corners& facet);

// Facets that repeat the three corners of an earlier facet, in any order and winding, ascending.
std::vector<std::int32_t> repeated_facets(const std::vector<Corners>& facets);

// What neither make_surface nor repair can work with: no facets, vertex indices out of range, vertices that are not finite.
std::vector<Problem> unusable_parts(const RawMesh& mesh);

// "1, 5, 6, 9, 12, ... (7 in all)"
std::string first_few(const std::vector<std::string>& names);

}  // namespace asperity::geometry
