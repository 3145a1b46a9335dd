// The state of a run at its beginning: bodies at rest, which have touched nothing yet.
#pragma once
#include <type_traits>
#include <utility>
#include <vector>

#include "asperity/model/bodies.h"
#include "asperity/model/state.h"

namespace asperity::model {
namespace detail {

// So many rows in every column of every block, whichever there are, but for contacts; tallies have one for each group.
struct MakeRows {
    std::size_t bodies = 0, groups = 0, count = 0;

    template <class Block>
    void block(const char*, Block& block) {
        count = std::is_same_v<Block, Tallies> ? groups : bodies;
        if constexpr (!std::is_same_v<Block, Contacts>) describe(*this, block);
    }
    template <class T>
    void field(const char*, std::vector<T>& column, const char*, const char*) {
        column.assign(count, T{});
    }
    template <class T>
    void field(const char*, T&, const char*, const char*) {}
};

}  // namespace detail

inline State first_state(std::vector<Vec3> position, std::size_t groups) {
    State state;
    detail::MakeRows rows{.bodies = position.size(), .groups = groups};
    describe(rows, state);
    state.bodies.position = std::move(position);
    state.tallies.last_touch.assign(groups, -1);
    return state;
}

}  // namespace asperity::model
