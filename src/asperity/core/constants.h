// Physical constants, SI.
#pragma once
#include "asperity/core/units.h"

namespace asperity {

inline constexpr double gravitational_constant = 6.67430e-11;  // m^3/(kg s^2), CODATA 2018
inline constexpr Unit unit_of_g{"m^3/kg/s^2", {.length = 3, .mass = -1, .time = -2}};

}  // namespace asperity
