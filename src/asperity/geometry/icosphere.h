// Icospheres: an icosahedron whose facets are cut in four again and again, with all vertices on the unit sphere.
//
//   level k: 20 * 4^k facets, 10 * 4^k + 2 vertices        (1)
//
// Two opposite vertices of the icosahedron lie on the z axis. The first 10 * 4^j + 2 vertices are those of level j.
#pragma once
#include "asperity/geometry/raw_mesh.h"

namespace asperity::geometry {

inline constexpr int highest_icosphere_level = 8;  // 1,310,720 facets

// Throws InputError for a level that is not between 0 and the highest.
RawMesh icosphere(int level);

}  // namespace asperity::geometry
