// Patches: regions of a body's surface, given by latitude and longitude.
//
//   latitude = atan2(z, hypot(x, y)),   longitude = atan2(y, x)       planetocentric, rad, of a point seen from the origin      (1)
#pragma once
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "asperity/core/host_device.h"
#include "asperity/geometry/mesh.h"

namespace asperity::geometry {

// (1): in [-pi/2, pi/2], 0 at the origin.
ASPERITY_HD inline double latitude(const Vec3& p) { return std::atan2(p.z, std::hypot(p.x, p.y)); }
// (1): in [-pi, pi], 0 on the axis.
ASPERITY_HD inline double longitude(const Vec3& p) { return std::atan2(p.y, p.x); }

// From lon_min eastwards to lon_max, through 180 deg where that is smaller; both ends belong to it. A whole turn or more is all longitudes.
// Longitudes may be given in any turn (190 deg to 200 deg is -170 deg to -160 deg).
struct LatLonPatch {
    double lat_min = 0;  // rad
    double lat_max = 0;
    double lon_min = 0;
    double lon_max = 0;
};

bool contains(const LatLonPatch& patch, const Vec3& p);

// The patch in which the centroid of each facet lies: 0 for none, k + 1 for patches[k]; where several do, the last one.
// Throws InputError for more than 255 patches, and for patches whose numbers are not finite or whose latitudes are not within
// [-pi/2, pi/2], ascending.
std::vector<std::uint8_t> patch_of_facets(const SurfaceMesh& mesh, std::span<const LatLonPatch> patches);

}  // namespace asperity::geometry
