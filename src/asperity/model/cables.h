// Cables: massless lines between two points of bodies or of the ground, which pull and never push (a unilateral constraint).
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "asperity/core/vec3.h"
#include "asperity/laws/cable.h"
#include "asperity/model/contacts.h"

namespace asperity::model {

struct CableEnd {
    std::int32_t body = ground;
    Vec3 at;  // m, from the centre of mass in the axes of the body; of the ground, in the frame of the run
};

struct Cable {
    CableEnd from, to;
    laws::CableLaw law;
};

// Rest lengths follow from what was last asked of a winch, in closed form.
struct Cables {                       // written by actions of guards
    std::vector<double> length;       // m, at rest, when it was last changed
    std::vector<double> target;       // m, to which it is reeled
    std::vector<double> rate;         // m/s, at which; 0: it is not
    std::vector<double> changed;      // s, when
    std::vector<std::int8_t> is_cut;  // 1: it pulls no more

    std::size_t size() const { return length.size(); }
    // s, at which the winch of a cable stops; infinity where it stands.
    double reeled_at(std::size_t i) const {
        return rate[i] > 0 ? changed[i] + std::fabs(target[i] - length[i]) / rate[i] : std::numeric_limits<double>::infinity();
    }
    // m/s, at which the rest length grows.
    double growth(std::size_t i) const { return rate[i] > 0 ? std::copysign(rate[i], target[i] - length[i]) : 0; }
    double rest_length(std::size_t i, double time) const {
        if (!(rate[i] > 0)) return length[i];
        const double moved = length[i] + growth(i) * (time - changed[i]);
        return target[i] > length[i] ? std::min(moved, target[i]) : std::max(moved, target[i]);
    }

    friend bool operator==(const Cables&, const Cables&) = default;
};

template <class Visitor>
void describe(Visitor& v, Cables& c) {
    v.field("length", c.length, "m", "Length at rest of each cable when it was last changed.");
    v.field("target", c.target, "m", "Length to which it is reeled.");
    v.field("rate", c.rate, "m/s", "Speed at which it is reeled; 0: it is not.");
    v.field("changed", c.changed, "s", "When that was asked for.");
    v.field("is_cut", c.is_cut, "", "1 where it was cut.");
}

}  // namespace asperity::model
