// Keys of [contact."A/B"] that say the same thing twice, or need each other: friction at rest and in motion, springs by their penetration.
#pragma once
#include "asperity/scenario/checker.h"

namespace asperity::scenario {

void check_contact_keys(const Scenario& scenario, const Contact& contact, Checker& checker);

}  // namespace asperity::scenario
