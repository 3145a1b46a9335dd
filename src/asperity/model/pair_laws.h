// Which contact law holds between two materials: one table for the world, looked up by the materials of two surfaces in either order.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "asperity/laws/contact/pair_law.h"

namespace asperity::model {

struct PairLaws {
    std::size_t materials = 1;
    std::vector<std::uint16_t> index{0};  // materials x materials, symmetric; of `laws`
    std::vector<laws::PairLaw> laws = std::vector<laws::PairLaw>(1);

    const laws::PairLaw& of(std::uint16_t a, std::uint16_t b) const { return laws[index[a * materials + b]]; }
    bool has_friction() const { return std::ranges::any_of(laws, &laws::PairLaw::has_friction); }
};

}  // namespace asperity::model
