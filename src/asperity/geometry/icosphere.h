// Icospheres: an icosahedron whose facets are cut in four again and again, with all vertices on the unit sphere.
//
//   level k:      20 * 4^k facets, 10 * 4^k + 2 vertices        (1)
//   frequency f:  20 f^2 facets, 10 f^2 + 2 vertices            (2)
//
// (2) cuts each side of the icosahedron into f equal parts at once and then moves all points onto the sphere; f = 2^k has the counts of
// (1), but other places.
//
// Two opposite vertices of the icosahedron lie on the z axis. The first 10 * 4^j + 2 vertices are those of level j.
#pragma once
#include "asperity/geometry/raw_mesh.h"

namespace asperity::geometry {

inline constexpr int highest_icosphere_level = 8;  // 1,310,720 facets

// Throws InputError for a level that is not between 0 and the highest.
RawMesh icosphere(int level);

// (2). Throws InputError for a frequency that is not between 1 and the highest.
inline constexpr int highest_icosphere_frequency = 256;
RawMesh divided_icosphere(int frequency);

}  // namespace asperity::geometry
