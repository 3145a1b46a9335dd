// The state of a run at its beginning: bodies at rest, which have touched nothing yet.
#pragma once
#include <type_traits>
#include <utility>
#include <vector>

#include "asperity/model/bodies.h"
#include "asperity/model/state.h"

namespace asperity::model {
namespace detail {

// A row for each body in the blocks that are about bodies, and for each group in the tallies. All other blocks begin empty.
struct MakeRows {
    std::size_t bodies = 0, groups = 0, count = 0;

    template <class Block>
    static constexpr bool is_about_bodies = std::is_same_v<Block, Bodies> || std::is_same_v<Block, Draws> || std::is_same_v<Block, Stepper>;

    template <class Block>
    void block(const char*, Block& block) {
        count = std::is_same_v<Block, Tallies> ? groups : bodies;
        if constexpr (is_about_bodies<Block> || std::is_same_v<Block, Tallies>) describe(*this, block);
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
