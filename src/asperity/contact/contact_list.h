// The contact list of one instant, which detectors fill and methods read: pairs, contact points, normals, gaps and laws.
//
// A contact has two sides, a row of State::bodies each, or the ground. The list is sorted by (a, b, feature), with the ground before all
// rows: sums over it have one order, whatever the broad phase and the number of threads.
#pragma once
#include <cstdint>
#include <tuple>
#include <vector>

#include "asperity/core/vec3.h"

namespace asperity::contact {

struct ContactPoint {
    std::int32_t a = 0;        // row
    std::int32_t b = 0;        // row above a, or model::ground
    std::int64_t feature = 0;  // which contact of the two; model/contacts.h
    std::int32_t facet = -1;   // of the ground; values of single facets
    std::uint16_t material_a = 0;
    std::uint16_t material_b = 0;
    double gap = 0;     // m, negative: overlap
    double radius = 0;  // m, R_a R_b / (R_a + R_b); of the other side where one is flat; infinite between flat ones
    Vec3 normal;        // unit, from b to a
    Vec3 point;         // m, in the middle of the overlap

    std::tuple<std::int32_t, std::int32_t, std::int64_t> key() const { return {a, b, feature}; }
};

using ContactList = std::vector<ContactPoint>;

}  // namespace asperity::contact
