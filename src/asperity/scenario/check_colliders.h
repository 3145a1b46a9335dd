// Checks whether shape, colliders, mass and moments of a body are consistent.
#pragma once
#include "asperity/scenario/checker.h"

namespace asperity::scenario {

void check_colliders_of_moving(const Body& body, Checker& checker);
void check_colliders_of_fixed(const Body& body, Checker& checker);

// A start that fills a region.
void check_fill(const BodyStart& start, const std::string& path, Checker& checker);

}  // namespace asperity::scenario
