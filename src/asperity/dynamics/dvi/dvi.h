// Method dvi: rigid contact by fixed steps (rigid_steps.h), with the impulses of a step from a cone complementarity problem
// (cone_problem.h), solved for by one of three methods (cone_solvers.h).
#pragma once
#include "asperity/dynamics/method.h"

namespace asperity::dynamics {

extern const MethodEntry dvi;

}  // namespace asperity::dynamics
