// The forces on bodies other than contact: the field of the ground, their mutual gravity, tides.
#pragma once
#include <cstdint>

#include "asperity/gravity/gravity.h"
#include "asperity/laws/tide.h"
#include "asperity/model/bodies.h"
#include "asperity/model/sources.h"

namespace asperity::model {

enum class MutualLaw : std::int64_t { points = 0, second_order = 1 };
enum class TideLaw : std::int64_t { none = 0, constant_angle = 1, constant_time_lag = 2 };

// Gravity between the bodies.
struct Mutual {
    double constant = 0;  // G, m^3/(kg s^2); zero: they do not attract each other
    MutualLaw law = MutualLaw::points;
};

struct Tides {
    TideLaw law = TideLaw::none;
    double factor = 1;  // on every tidal torque: how much faster the slow evolution goes
};

using Field = std::variant<gravity::Uniform, gravity::SmallBody, Sources>;

struct Environment {
    Field field;                  // from outside: of bodies whose motion is given, or the same everywhere
    bool acts_on_extent = false;  // forces and torques of the field on bodies that are no spheres are those of gravity/extent.h
    Mutual mutual;
    Tides tides;
};

inline bool has_field(const Environment& environment) {
    const auto* uniform = std::get_if<gravity::Uniform>(&environment.field);
    return uniform == nullptr || !(uniform->acceleration_vector == Vec3{});
}

// The one or two bodies that attract by their shapes; a null pointer where there are none.
inline const gravity::SmallBody* small_body(const Environment& environment) {
    if (const auto* sources = std::get_if<Sources>(&environment.field)) return sources->small_body();
    return std::get_if<gravity::SmallBody>(&environment.field);
}

// Rate at which the frame of the run turns about z, rad/s.
inline double frame_rate(const Environment& environment) {
    const gravity::SmallBody* body = small_body(environment);
    return body != nullptr ? body->frame_rate() : 0;
}

// The tide that a companion raises on a body, without the scenario's factor of the tides.
inline laws::TidalResponse tide_on(TideLaw law, const BodyKind& body, const laws::TidalPair& pair) {
    const Tidal& tidal = body.tidal;
    switch (law) {
        case TideLaw::none: return {};
        case TideLaw::constant_angle: return laws::ConstantAngleTide{tidal.love_number, body.mean_radius(), tidal.sin_double_lag}(pair);
        case TideLaw::constant_time_lag: break;
    }
    return laws::ConstantTimeLagTide{tidal.love_number, body.mean_radius(), tidal.time_lag}(pair);
}

}  // namespace asperity::model
