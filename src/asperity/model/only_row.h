// The row of the body that moves, in a world where one does: metrics, tables and pages of "the body" go by it.
#pragma once
#include <cstddef>

#include "asperity/core/errors.h"
#include "asperity/model/model.h"
#include "asperity/model/state.h"

namespace asperity::model {

inline std::size_t only_row(std::size_t bodies) {
    ASPERITY_REQUIRE(bodies == 1, "{} bodies move where one was expected", bodies);
    return 0;
}
inline std::size_t only_row(const Parameters& world) { return only_row(world.bodies.size()); }
inline std::size_t only_row(const State& state) { return only_row(state.bodies.position.size()); }

}  // namespace asperity::model
