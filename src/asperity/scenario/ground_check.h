// Checks whether effective gravity (gravity and centrifugal acceleration) points into the ground, so that it holds what lies on it.
//
//   a . n < 0,   a: effective gravity in the frame that turns with the body, n: outward normal of a facet                              (1)
// (1) is evaluated in the middle of up to 400 facets, spread evenly over their list.
#pragma once
#include <cstddef>
#include <optional>
#include <string>

#include "asperity/core/vec3.h"
#include "asperity/scenario/compile.h"

namespace asperity::scenario {

struct GroundCheck {
    std::size_t facets = 0;              // looked at
    double lifted_share = 0;             // of their area: (1) does not hold
    double weakest = 0;                  // m/s^2, least of -a . n; negative: outwards
    double latitude = 0, longitude = 0;  // rad, of the facet where it is least
};

// None where there is no ground that turns with the frame: uniform gravity, an inertial frame, free bodies.
std::optional<GroundCheck> ground_check(const Compiled& compiled);

// One line for the user: whether (1) holds, or where it fails.
std::string ground_text(const GroundCheck& check);

}  // namespace asperity::scenario
