// Engines: a constant force along a direction of a body, times a throttle that is held between changes; and their propellant.
//
// An engine with a tank loses F s / v_e of propellant a second, F its force at full throttle, s the throttle, v_e the speed of the exhaust;
// between changes the propellant is a closed form of time. It is taken at the centre of mass, so that moments of inertia stay.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "asperity/core/vec3.h"

namespace asperity::model {

struct Engine {
    std::int32_t body = 0;
    Vec3 at;                   // m, from the centre of mass, axes of the body
    Vec3 direction{0, 0, 1};   // unit, of the force, axes of the body
    double thrust = 0;         // N, at full throttle
    double exhaust_speed = 0;  // m/s; 0: it needs no propellant
    double throttle = 0;       // at the start
    double propellant = 0;     // kg, at the start; part of the mass of the body

    bool has_tank() const { return exhaust_speed > 0; }
    double flow(double throttle_now) const { return has_tank() ? throttle_now * thrust / exhaust_speed : 0; }  // kg/s
};

struct Engines {                     // written by controllers and by actions of guards
    std::vector<double> throttle;    // 0 to 1, held since the last change
    std::vector<double> propellant;  // kg, then
    std::vector<double> changed;     // s

    std::size_t size() const { return throttle.size(); }

    friend bool operator==(const Engines&, const Engines&) = default;
};

template <class Visitor>
void describe(Visitor& v, Engines& e) {
    v.field("throttle", e.throttle, "", "Throttle of each engine, 0 to 1, held since it last changed.");
    v.field("propellant", e.propellant, "kg", "Propellant in its tank then.");
    v.field("changed", e.changed, "s", "When that was.");
}

// kg in the tank of engine i.
inline double propellant_at(const Engine& engine, const Engines& state, std::size_t i, double time) {
    return std::max(0.0, state.propellant[i] - engine.flow(state.throttle[i]) * (time - state.changed[i]));
}

// s, at which its tank is empty; infinity where nothing flows.
inline double empty_at(const Engine& engine, const Engines& state, std::size_t i) {
    const double flow = engine.flow(state.throttle[i]);
    return flow > 0 ? state.changed[i] + state.propellant[i] / flow : std::numeric_limits<double>::infinity();
}

}  // namespace asperity::model
