// Bodies in empty space that attract each other, raise tides and touch: what exists in a world of kind "free".
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "asperity/core/quat.h"
#include "asperity/core/vec3.h"
#include "asperity/laws/tide.h"

namespace asperity::model {

// A sphere or a triaxial ellipsoid, homogeneous unless its moments say otherwise.
struct FreeBody {
    double mass = 0;            // kg
    Vec3 semi_axes;             // m, along the body's own axes, which are its principal axes; a sphere: three times its radius
    Vec3 inertia;               // kg m^2, principal moments
    double love_number = 0;     // k2
    double sin_double_lag = 0;  // sin(2 eps), law constant_angle
    double time_lag = 0;        // s, law constant_time_lag
    Vec3 yorp;                  // rad/s^2, angular acceleration by sunlight, world axes

    bool is_sphere() const { return semi_axes.x == semi_axes.y && semi_axes.y == semi_axes.z; }
    // Of a sphere; of an ellipsoid that of the sphere of its volume.
    double mean_radius() const { return is_sphere() ? semi_axes.x : std::cbrt(semi_axes.x * semi_axes.y * semi_axes.z); }
    double least_radius() const { return std::min({semi_axes.x, semi_axes.y, semi_axes.z}); }  // m, inside it whatever its attitude
    double reach() const { return std::max({semi_axes.x, semi_axes.y, semi_axes.z}); }  // m, no point of it is farther from its centre
};

enum class MutualGravity : std::int64_t { points = 0, second_order = 1 };
enum class TideLaw : std::int64_t { none = 0, constant_angle = 1, constant_time_lag = 2 };

// Of every pair. A method uses what it needs: penalty the spring, constraint and lcp the restitution.
struct FreeContact {
    double restitution = 0;           // e, 0..1
    double friction = 0;              // Coulomb
    double rolling_resistance = 0;    // torque across the normal over normal force times effective radius R1 R2 / (R1 + R2)
    double spinning_resistance = 0;   // the same about the normal
    double stiffness = 0;             // N/m, k_e
    std::optional<double> damping;    // N s/m, k_d of every pair; none: that of the restitution, each pair its own
    double slip_speed = 0;            // m/s; below it friction under penalty falls linearly to zero
    double bounce_end_height = 1e-6;  // of the effective radius: a lower hop ends the bouncing
};

struct FreeBodies {
    std::vector<FreeBody> bodies;
    double gravitational_constant = 0;  // m^3/(kg s^2)
    MutualGravity gravity = MutualGravity::points;
    TideLaw tide = TideLaw::none;
    double tide_factor = 1;  // on every tidal torque: how much faster the slow evolution goes
    FreeContact contact;

    bool is_empty() const { return bodies.empty(); }
    std::size_t pairs() const { return bodies.size() * (bodies.size() - 1) / 2; }
    bool has_friction() const { return contact.friction > 0 || contact.rolling_resistance > 0 || contact.spinning_resistance > 0; }
    bool has_sunlight() const {
        return std::any_of(bodies.begin(), bodies.end(), [](const FreeBody& body) { return body.yorp != Vec3{}; });
    }
    bool has_only_spheres() const {
        return std::all_of(bodies.begin(), bodies.end(), [](const FreeBody& body) { return body.is_sphere(); });
    }
};

// The tide that a companion raises on a body, by the law of the world, without its tide_factor.
inline laws::TidalResponse tide_on(const FreeBodies& world, const FreeBody& body, const laws::TidalPair& pair) {
    switch (world.tide) {
        case TideLaw::none: return {};
        case TideLaw::constant_angle: return laws::ConstantAngleTide{body.love_number, body.mean_radius(), body.sin_double_lag}(pair);
        case TideLaw::constant_time_lag: break;
    }
    return laws::ConstantTimeLagTide{body.love_number, body.mean_radius(), body.time_lag}(pair);
}

// Pairs are numbered (0,1), (0,2), ..., (0,n-1), (1,2), ...: i < j of n bodies.
constexpr std::size_t pair_index(std::size_t i, std::size_t j, std::size_t n) { return i * n - i * (i + 1) / 2 + (j - i - 1); }

}  // namespace asperity::model
