// A contact point as the narrow phase finds it: where two shapes are nearest to each other, or overlap most.
//
//   gap > 0: apart;  gap < 0: overlap.  The point lies in the middle of the gap, the normal points from the second shape to the first.
//
// Both bodies are acted on at the same point, so that forces which are equal and opposite leave angular momentum alone.
#pragma once
#include <cstdint>

#include "asperity/core/vec3.h"

namespace asperity::geometry {

struct TouchPoint {
    double gap = 0;           // m
    Vec3 normal;              // unit, from the second shape towards the first
    Vec3 point;               // m
    std::uint32_t part = 0;   // which piece, where a pair of shapes has several contacts at once
    std::int32_t facet = -1;  // of a mesh: whose material and values count
};

}  // namespace asperity::geometry
