// Resampling of a solid with fewer facets, by remeshing or decimation: its volume (so its mass, at the same density) and its centre of mass
// are kept.
//
//   cast:      an icosphere around the centre of mass c, each vertex moved along its ray to the surface (ray_cast.h):
//              p = c + t d                                                                         (1)
//   decimate:  edges are collapsed where that changes the surface least (meshoptimizer, quadric error)
//   both:      q = c + s (p - c'),  s = (V / V')^(1/3)                                           (2)
//
// d direction of the ray; V', c' volume and centre of the mesh before (2). A ray that meets the surface several times (an overhang) takes
// the farthest: the result is always star-shaped. With keep_volume = false, s = 1: that is how the models of Table 7.3 were made, whose
// density was raised instead. Source: 1-landers, 7.3.
#pragma once
#include <cstdint>

#include "asperity/geometry/mesh.h"
#include "asperity/geometry/raw_mesh.h"

namespace asperity::geometry {

struct Resampled {
    RawMesh mesh;
    double volume = 0;               // m^3, before scaling: V'
    double scale = 1;                // s
    std::int64_t overhung_rays = 0;  // met the surface more than once; 0: the shape is star-shaped, as far as the rays tell
};

struct ResampleOptions {
    bool keep_volume = true;
};

// 20 * 4^level facets. Throws InputError where the surface is open or a ray meets nothing (the centre of mass lies outside).
Resampled cast_icosphere(const SurfaceMesh& mesh, int level, const ResampleOptions& options = {});

// About `facets` facets: an eighth more or fewer where the result would cut itself otherwise. Coordinates are those of vertices of the
// mesh, then (2). Throws InputError where the surface is open, for fewer than 4 facets, and where the result does not bound a solid.
Resampled decimate(const SurfaceMesh& mesh, std::int64_t facets, const ResampleOptions& options = {});

}  // namespace asperity::geometry
