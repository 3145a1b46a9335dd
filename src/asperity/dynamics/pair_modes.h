// The contact modes of all pairs of bodies, for methods that look at every pair: in the order of model::pair_index(). State holds the
// active contacts alone.
#pragma once
#include <span>
#include <vector>

#include "asperity/model/bodies.h"
#include "asperity/model/contacts.h"

namespace asperity::dynamics {

using PairModes = std::vector<model::Mode>;

inline constexpr model::Mode open = model::Mode::flight;  // of a pair that is apart

inline PairModes pair_modes(const model::Contacts& contacts, std::size_t bodies) {
    PairModes modes(model::pairs_of_bodies(bodies), open);
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        if (contacts.b[i] == model::ground || contacts.mode[i] == model::Mode::left) continue;
        modes[model::pair_index(static_cast<std::size_t>(contacts.a[i]), static_cast<std::size_t>(contacts.b[i]), bodies)] =
            contacts.mode[i];
    }
    return modes;
}

inline void store(std::span<const model::Mode> modes, std::size_t bodies, model::Contacts& contacts) {
    contacts.clear();
    for (std::size_t i = 0, pair = 0; i < bodies; ++i)
        for (std::size_t j = i + 1; j < bodies; ++j, ++pair)
            if (modes[pair] != open)
                contacts.add(static_cast<std::int32_t>(i), static_cast<std::int32_t>(j), model::contact_feature(0, 0, 0), modes[pair]);
}

}  // namespace asperity::dynamics
