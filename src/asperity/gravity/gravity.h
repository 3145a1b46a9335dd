// The gravity of a world: one of the kinds that there are. Each offers acceleration, potential, power, spin_rate and never_returns.
#pragma once
#include <variant>

#include "asperity/gravity/small_body.h"
#include "asperity/gravity/uniform.h"

namespace asperity::gravity {

using Gravity = std::variant<Uniform, SmallBody>;

inline Vec3 acceleration(const Gravity& gravity, const Vec3& p, const Vec3& v, double time) {
    return std::visit([&](const auto& kind) { return kind.acceleration(p, v, time); }, gravity);
}
inline double potential(const Gravity& gravity, const Vec3& p, double time) {
    return std::visit([&](const auto& kind) { return kind.potential(p, time); }, gravity);
}

}  // namespace asperity::gravity
