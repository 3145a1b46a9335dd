// A table of bodies for tests: each a row and a kind of its own, which a test may change.
#pragma once
#include <vector>

#include "asperity/model/bodies.h"

namespace asperity::dynamics {

inline model::BodyTable rows(const std::vector<model::BodyKind>& bodies) {
    model::BodyTable table;
    for (const model::BodyKind& body : bodies) table.add(body);
    return table;
}

}  // namespace asperity::dynamics
