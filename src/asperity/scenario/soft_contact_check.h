// Whether method "penalty" can resolve the contacts of free bodies: in time, by the fixed steps of a phase, and in space, above the
// rounding of positions.
//
//   T = pi sqrt(m / k)                      duration of an undamped contact; m effective mass of the pair, least over attitudes  (1)
//   x = v sqrt(m / k)                       overlap of a hit at the speed v                                                    (2)
//   v^2 = v_0^2 + 2 G (m_1 + m_2) / d       speed of the start and of the fall onto each other; d touching distance           (3)
//   u = eps (|p| + d)                       rounding of a gap; a hit keeps its energy to a few u / x                          (4)
//
// Pairs that are farther apart than ten touching distances all along their two-body orbit are left out: Sun and planets do not touch.
// Fixed steps: verlet and symplectic4 with step_max. Unstable from h = 2 T / pi on; 50 steps in a contact keep its energy to 1e-3.
#pragma once
#include <string>
#include <vector>

#include "asperity/scenario/compile.h"

namespace asperity::scenario {

// Throws InputError where a pair that is certain to touch has fewer than two steps for it, or where a hit overlaps by less than 1000 u.
void require_resolved_contacts(const Scenario& scenario, const Compiled& compiled);

// Phases whose steps leave fewer than 20 to a contact.
std::vector<std::string> soft_contact_doubts(const Compiled& compiled);

}  // namespace asperity::scenario
