// Physical constants in SI, and the largest coefficient of contact that has a physical meaning.
#pragma once
#include "asperity/core/units.h"

namespace asperity {

inline constexpr double gravitational_constant = 6.67430e-11;  // m^3/(kg s^2), CODATA 2018
inline constexpr Unit unit_of_g{"m^3/kg/s^2", {.length = 3, .mass = -1, .time = -2}};

// Largest coefficient of friction, rolling and spinning resistance: with it, whatever can be held is held. Larger ones have no physical
// meaning and make the equations of several contacts ill-conditioned, so that they do not converge.
inline constexpr double largest_contact_coefficient = 1000;

}  // namespace asperity
