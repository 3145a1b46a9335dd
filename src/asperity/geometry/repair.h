// Mesh repair: corrects a triangle mesh so that make_surface accepts it, and reports what it did. It only runs on request.
//
// In this order: vertices that coincide become one; facets without area and repeated facets go; neighbours are made to wind alike, by
// flood fill over edges of two facets; a closed shell is turned so that its volume is positive, an open one keeps the winding that
// most of its facets had, or with `flip` takes the other; vertices without facets go.
//
// Limits: holes stay holes; a cavity inside a solid is turned outwards like any other shell; edges with more than two facets and
// one-sided strips (Moebius) cannot be mended and are counted in the report.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "asperity/geometry/raw_mesh.h"

namespace asperity::geometry {

struct RepairOptions {
    double merge_tolerance = 0;  // of the diagonal of the bounding box, 0 or 1e-15 .. 0.1; 0: only vertices that are exactly equal
    bool flip = false;           // open shells face the other way
};

struct RepairReport {
    std::int64_t merged_vertices = 0;
    std::int64_t unused_vertices = 0;
    std::int64_t degenerate_facets = 0;
    std::int64_t repeated_facets = 0;
    std::int64_t turned_facets = 0;  // wind the other way now
    std::int64_t flipped_shells = 0;
    std::int64_t shells = 0;  // connected parts
    std::int64_t closed_shells = 0;
    std::int64_t crowded_edges = 0;    // more than two facets: left as they are
    std::int64_t one_sided_edges = 0;  // the facets beside them cannot be made to wind alike: left as they are

    bool changed() const { return merged_vertices + unused_vertices + degenerate_facets + repeated_facets + turned_facets > 0; }
    bool is_mended() const { return crowded_edges + one_sided_edges == 0; }
};

struct Repaired {
    RawMesh mesh;
    RepairReport report;
};

// Throws InputError for what cannot even be read as a mesh: no facets, indices out of range, vertices that are not finite.
Repaired repair(const RawMesh& mesh, const RepairOptions& options = {});

// One line for each thing that was done or could not be done.
std::vector<std::string> lines(const RepairReport& report);

}  // namespace asperity::geometry
