// Method impulse: rigid contact by fixed steps (rigid_steps.h), with the impulses of the contacts that overlap in the middle of a step by
// projected Gauss-Seidel on Coulomb's cone (contact_solve.h).
#pragma once
#include "asperity/dynamics/method.h"

namespace asperity::dynamics {

extern const MethodEntry impulse;

}  // namespace asperity::dynamics
