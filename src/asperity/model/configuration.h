// The configurations of two or three spheres in empty space: the relative equilibria of 3-ternary ch. 2, and the states of a moving system.
#pragma once
#include <cstdint>

namespace asperity::model {

enum class Configuration : std::int64_t {
    none = -1,              // of another world, of other shapes, or of more bodies
    lagrange_resting = 0,   // three contacts
    euler_resting = 1,      // two contacts, on a line
    v_rest = 2,             // two contacts, bent
    aligned_mixed = 3,      // one contact, on a line
    transverse_mixed = 4,   // one contact, the third equally far from both
    lagrange_orbiting = 5,  // none, equilateral
    euler_orbiting = 6,     // none, on a line
    resting_pair = 7,       // two spheres in contact
    orbiting_pair = 8,      // two spheres apart
    bound_one_contact = 9,
    bound_no_contact = 10,
    escaping_pair = 11,  // a pair and a third body, or two bodies, that part for good
    dispersing = 12,     // three bodies, no two of which stay together
};
inline constexpr int configurations = 13;       // without none
const char* name(Configuration configuration);  // "Lagrange Resting", ..., "bound, no contact", ...

}  // namespace asperity::model
