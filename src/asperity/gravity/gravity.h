// Acceleration and potential of a field that is one of several kinds. Each offers acceleration, potential and spin_rate; those that the
// event-driven method is compiled for also power and never_returns.
#pragma once
#include <variant>

#include "asperity/gravity/small_body.h"
#include "asperity/gravity/uniform.h"

namespace asperity::gravity {

template <class... Kinds>
Vec3 acceleration(const std::variant<Kinds...>& gravity, const Vec3& p, const Vec3& v, double time) {
    return std::visit([&](const auto& kind) { return kind.acceleration(p, v, time); }, gravity);
}
template <class... Kinds>
double potential(const std::variant<Kinds...>& gravity, const Vec3& p, double time) {
    return std::visit([&](const auto& kind) { return kind.potential(p, time); }, gravity);
}

}  // namespace asperity::gravity
