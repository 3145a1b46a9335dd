// The state of a cable at one instant, and the propellant that a body has burnt: functions of Model, State and motion that forces, energies
// and signals share.
#pragma once
#include <cstddef>

#include "asperity/core/quat.h"
#include "asperity/model/model.h"
#include "asperity/model/state.h"

namespace asperity::model {

struct CablePull {
    Vec3 from, to;       // m, its ends
    Vec3 direction;      // unit, from the first end to the second
    double stretch = 0;  // m, beyond the rest length
    double rate = 0;     // m/s, of the stretch
    double tension = 0;  // N
    double growth = 0;   // m/s, of the rest length
};

inline Vec3 place_of(const CableEnd& end, const Bodies& bodies) {
    if (end.body == ground) return end.at;
    const auto row = static_cast<std::size_t>(end.body);
    return bodies.position[row] + rotate(bodies.orientation[row], end.at);
}

inline Vec3 velocity_of(const CableEnd& end, const Vec3& place, const Bodies& bodies) {
    if (end.body == ground) return {};
    const auto row = static_cast<std::size_t>(end.body);
    return bodies.velocity[row] + cross(bodies.spin[row], place - bodies.position[row]);
}

// m/s, at which the ends go apart.
inline double parting_speed(const Cable& cable, const CablePull& pull, const Bodies& bodies) {
    return dot(velocity_of(cable.to, pull.to, bodies) - velocity_of(cable.from, pull.from, bodies), pull.direction);
}

inline CablePull cable_pull(const Cable& cable, const Cables& state, std::size_t i, const Bodies& bodies, double time) {
    CablePull pull{.from = place_of(cable.from, bodies), .to = place_of(cable.to, bodies), .direction = {}};
    if (state.is_cut[i] != 0) return pull;
    const Vec3 apart = pull.to - pull.from;
    pull.direction = unit(apart);
    pull.stretch = norm(apart) - state.rest_length(i, time);
    pull.growth = state.growth(i);
    pull.rate = parting_speed(cable, pull, bodies) - pull.growth;
    pull.tension = cable.law.tension(pull.stretch, pull.rate);
    return pull;
}

// kg that the engines of a body have burnt.
inline double burnt(const Parameters& world, const Engines& state, std::size_t row, double time) {
    double sum = 0;
    for (std::size_t e = 0; e < world.engines.size(); ++e)
        if (world.engines[e].body == static_cast<std::int32_t>(row))
            sum += world.engines[e].propellant - propellant_at(world.engines[e], state, e, time);
    return sum;
}

}  // namespace asperity::model
