// Checks that no body starts inside another or inside a wall.
#pragma once
#include "asperity/scenario/compile.h"

namespace asperity::scenario {

// Throws InputError. A surface of facets is looked at by compile() itself, with the places that it finds for bodies above it.
void require_apart(const Scenario& scenario, const Compiled& compiled);

}  // namespace asperity::scenario
