// Constants of physics, SI, and where numbers stop to mean anything.
#pragma once
#include "asperity/core/units.h"

namespace asperity {

inline constexpr double gravitational_constant = 6.67430e-11;  // m^3/(kg s^2), CODATA 2018
inline constexpr Unit unit_of_g{"m^3/kg/s^2", {.length = 3, .mass = -1, .time = -2}};

// Of friction, rolling and spinning resistance: with this one whatever can be held is held. Larger ones have no physical meaning, and take
// digits away from the equations of several contacts, which then do not converge.
inline constexpr double largest_contact_coefficient = 1000;

}  // namespace asperity
