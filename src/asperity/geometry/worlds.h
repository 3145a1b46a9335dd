// Generated surfaces: open, with normals up (of a vertical wall: towards the free side).
//
// Neighbouring facets share their vertices, with no vertex in the middle of a side, so that no ball can fall through a crack.
// Each world has few parameters, in m, with the defaults of the published tests. Source: 1-landers, 8.1 and 8.4; the thesis shows the
// gutter and the pit in pictures only, so that their dimensions are ours, chosen to suit the published starts.
#pragma once
#include <cstdint>

#include "asperity/geometry/raw_mesh.h"

namespace asperity::geometry {

// A square z = 0, centred on the origin.
struct FlatWorld {
    double side = 160;
    int cells = 18;  // per side
};

// A plateau z = height for x < wall and a floor z = 0 for x > wall, joined by a vertical wall; the ridge runs along y.
struct TableWorld {
    double side = 160;
    int cells = 18;  // per side; columns are shared among plateau and floor in proportion
    double wall = -11.111;
    double height = 50.0 / 3.0;
};

// A channel z = side_slope |x| + incline max(y, 0) along y: flat for y < 0, inclined for y > 0. Steep walls close it all around.
struct GutterWorld {
    double half_width = 8;
    double flat_length = 40;
    double inclined_length = 12;
    double incline = 0.3;      // dz/dy of the inclined section
    double side_slope = 0.58;  // dz/|dx|
    double cell = 1;           // about; lengths are cut into whole cells
    double wall_height = 12;   // above the highest point of the channel
};

// A three-sided pit, z = -depth at its lowest vertex and about 0 at its lip, inside a ring of peaks, inside a rim that is higher still.
// No vertex but the lowest is a local minimum; the three sides are unequal, so that a ball at the bottom rests on three facets.
struct PitWorld {
    double radius = 4;  // of the lip; the peaks stand at twice, the rim at three times that
    double depth = 4;
    double peak = 8;  // height of the highest peak
    double rim = 24;  // height of the rim
};

// A flat world with z = height (u - 1/2), u uniform in [0, 1), at all but the outer points, which stand at z = rim.
struct SpikeWorld {
    std::uint64_t seed = 1;
    double side = 160;
    int cells = 18;  // per side
    double height = 8;
    double rim = 0;
};

// What the numbers of a spike world are drawn for (DrawKey::stream).
inline constexpr std::uint64_t world_stream = 0x776f726c64;

// Each throws InputError where a parameter makes no surface.
RawMesh generate(const FlatWorld& world);
RawMesh generate(const TableWorld& world);
RawMesh generate(const GutterWorld& world);
RawMesh generate(const PitWorld& world);
RawMesh generate(const SpikeWorld& world);

}  // namespace asperity::geometry
