// [[body]], [start], [touch] and [tides]: bodies in empty space that attract each other and touch; a world of kind "free".
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "asperity/core/constants.h"
#include "asperity/core/describe.h"
#include "asperity/core/quat.h"
#include "asperity/core/units.h"
#include "asperity/core/vec3.h"
#include "asperity/model/model.h"

namespace asperity::scenario {

// One body, or `count` equal ones.
struct FreeBodyPart {
    std::int64_t count = 1;
    std::optional<double> radius;   // m; this or the semi-axes
    std::optional<Vec3> semi_axes;  // m
    std::optional<double> density;  // kg/m^3; this or the mass
    std::optional<double> mass;     // kg
    std::optional<double> love_number;
    std::optional<double> rigidity;  // Pa
    std::optional<double> quality;
    std::optional<double> lag_angle;  // rad
    std::optional<double> time_lag;   // s
    Vec3 yorp;                        // rad/s^2
    std::optional<Vec3> position;     // m
    std::optional<Vec3> velocity;     // m/s
    std::optional<Vec3> spin;         // rad/s
    Vec3 attitude;                    // rad, rotation vector
    Vec3 position_sigma;              // m
    Vec3 velocity_sigma;              // m/s
    Vec3 spin_sigma;                  // rad/s
};

// Values are indices of `start_configurations` below.
enum class StartConfiguration : std::int64_t {
    given,
    lagrange_resting,
    euler_resting,
    v_rest,
    aligned_mixed,
    transverse_mixed,
    lagrange_orbiting,
    euler_orbiting,
    resting_pair,
    orbiting_pair,
};

struct Start {
    StartConfiguration configuration = StartConfiguration::given;
    std::optional<double> momentum2;  // H-bar^2
    std::optional<double> size;       // in d
    double rate_factor = 1;
    std::int64_t moved_body = 0;  // 1 is the first
    Vec3 moved;                   // m
};

struct Touch {
    double restitution = 0;
    double friction = 0;
    double rolling_resistance = 0;
    double spinning_resistance = 0;
    std::optional<double> stiffness;   // N/m
    std::optional<double> damping;     // N s/m
    std::optional<double> slip_speed;  // m/s
    double bounce_end_height = 1e-6;
};

struct Tides {
    model::TideLaw law = model::TideLaw::none;
    double factor = 1;
};

inline constexpr auto start_configurations = std::to_array<Choice<StartConfiguration>>({
    {"given", StartConfiguration::given, "Each [[body]] has its own `position` and `velocity`."},
    {"lagrange-resting", StartConfiguration::lagrange_resting, "Three spheres in mutual contact."},
    {"euler-resting", StartConfiguration::euler_resting, "Three spheres in a row, in contact; the first one in the middle."},
    {"v-rest", StartConfiguration::v_rest, "Three spheres, two contacts, bent."},
    {"aligned-mixed", StartConfiguration::aligned_mixed, "A pair in contact and a third sphere on its line."},
    {"transverse-mixed", StartConfiguration::transverse_mixed, "A pair in contact and a third sphere equally far from both."},
    {"lagrange-orbiting", StartConfiguration::lagrange_orbiting, "Three spheres apart, equilateral."},
    {"euler-orbiting", StartConfiguration::euler_orbiting, "Three spheres apart, in a row; the first one in the middle."},
    {"resting-pair", StartConfiguration::resting_pair, "Two spheres in contact."},
    {"orbiting-pair", StartConfiguration::orbiting_pair, "Two spheres on a circle about each other."},
});

inline constexpr auto tide_laws = std::to_array<Choice<model::TideLaw>>({
    {"none", model::TideLaw::none, "No tides."},
    {"constant-angle", model::TideLaw::constant_angle,
     "The bulge is off by a constant angle; switches sign at synchronism (3-ternary 3.9)."},
    {"constant-time-lag", model::TideLaw::constant_time_lag, "The bulge lags by a constant time: smooth through synchronism."},
});

inline constexpr auto mutual_gravities = std::to_array<Choice<model::MutualLaw>>({
    {"points", model::MutualLaw::points, "As points: exact for spheres."},
    {"second-order", model::MutualLaw::second_order, "To second order in the sizes, with torques (3-ternary 3.4)."},
});

inline constexpr Unit newton_per_metre{"N/m", {.mass = 1, .time = -2}};
inline constexpr Unit newton_second_per_metre{"N*s/m", {.mass = 1, .time = -1}};
inline constexpr Unit radian_per_second_squared{"rad/s^2", {.time = -2, .angle = 1}};
inline constexpr Range body_counts = from_to(1, 64);

template <class Visitor>
void describe(Visitor& v, FreeBodyPart& b) {
    constexpr Bounds sizes = above_up_to(0, 1e12), places = between(-1e15, 1e15), speeds = between(-3e8, 3e8), spins = between(-1e6, 1e6);
    v.optional("count", b.count, body_counts, "How many bodies like this one there are.");
    v.optional("radius", b.radius, si::metre, sizes, "Radius of a sphere.", "none; this or `semi_axes`");
    v.optional("semi_axes", b.semi_axes, si::metre, sizes, "Semi-axes of an ellipsoid, along its own axes.", "none; this or `radius`");
    v.optional("density", b.density, si::kilogram_per_cubic_metre, above_up_to(0, 1e18), "Density.", "none; this or `mass`");
    v.optional("mass", b.mass, si::kilogram, above_up_to(0, 1e40), "Mass.", "none; this or `density`");
    v.optional("love_number", b.love_number, si::one, between(0, 1.5), "Tidal Love number k2.",
               "none; this or `rigidity`, where there are tides");
    v.optional("rigidity", b.rigidity, si::pascal, above_up_to(0, 1e20), "Rigidity, from which k2 follows (3-ternary 3.11).",
               "none; this or `love_number`");
    v.optional("quality", b.quality, si::one, above_up_to(0, 1e12), "Quality factor Q of tidal dissipation, Q = 1 / tan(2 lag).",
               "none; this or `lag_angle`");
    v.optional("lag_angle", b.lag_angle, si::radian, between(0, 0.7853981633974483), "Angle by which the bulge is off (3-ternary 3.10).",
               "none; this or `quality`");
    v.optional("time_lag", b.time_lag, si::second, between(0, 1e15), "Time by which the bulge lags; for law \"constant-time-lag\".",
               "none");
    v.optional("yorp", b.yorp, radian_per_second_squared, between(-1, 1),
               "Angular acceleration by sunlight (YORP), world axes: angular momentum is not conserved then.");
    v.optional("position", b.position, si::metre, places, "Centre at the start.", "required with configuration = \"given\"");
    v.optional("velocity", b.velocity, si::metre_per_second, speeds, "Velocity at the start.", "required with configuration = \"given\"");
    v.optional("spin", b.spin, si::radian_per_second, spins, "Angular velocity at the start, world axes.",
               "none; of a configuration: its common rate");
    v.optional("attitude", b.attitude, si::radian, between(-7, 7), "Rotation vector from the body's axes to the world's.");
    v.optional("position_sigma", b.position_sigma, si::metre, between(0, 1e12),
               "Standard deviation of a normal draw added to the position.");
    v.optional("velocity_sigma", b.velocity_sigma, si::metre_per_second, between(0, 3e8),
               "Standard deviation of a normal draw added to the velocity.");
    v.optional("spin_sigma", b.spin_sigma, si::radian_per_second, between(0, 1e6),
               "Standard deviation of a normal draw added to the spin.");
}

template <class Visitor>
void describe(Visitor& v, Start& s) {
    v.optional("configuration", s.configuration, start_configurations,
               "The relative equilibrium in which the bodies start. Euler: the first body is in the middle; mixed: the first two touch, "
               "and aligned the "
               "second faces the third. Of two that fit the stable one, else the smaller.");
    v.optional("momentum2", s.momentum2, si::one, above_up_to(0, 1e12),
               "Square of the angular momentum over G m^3 d, with the mean mass m and the mean diameter d (3-ternary 2.12).",
               "none; this or `size`, with a configuration");
    v.optional("size", s.size, si::one, above_up_to(0, 1e12),
               "Distance of the third body from the middle of the pair, or of orbiting bodies, in mean diameters; equal spheres only. Wins "
               "over `momentum2`.",
               "none; this or `momentum2`");
    v.optional("rate_factor", s.rate_factor, si::one, above_up_to(0, 1e3), "Factor on all velocities and spins of the configuration.");
    v.optional("moved_body", s.moved_body, from_to(0, 1000), "Which body is moved out of the configuration, from 1; 0: none.");
    v.optional("moved", s.moved, si::metre, between(-1e12, 1e12), "By how much; its velocity stays.");
}

template <class Visitor>
void describe(Visitor& v, Touch& t) {
    v.optional("restitution", t.restitution, si::one, between(0, 1),
               "Normal speed after a collision over the one before. Method \"penalty\" takes less than 0.0025 for 0.0025.");
    constexpr Bounds coefficients = between(0, largest_contact_coefficient);
    v.optional("friction", t.friction, si::one, coefficients,
               "Coulomb coefficient. Above 1000 neither it nor a resistance has a physical meaning.");
    v.optional("rolling_resistance", t.rolling_resistance, si::one, coefficients,
               "Rolling-resistance torque over normal force times R1 R2 / (R1 + R2); it acts on the relative spin across the normal.");
    v.optional("spinning_resistance", t.spinning_resistance, si::one, coefficients,
               "Spinning-resistance (pivoting, drilling) torque over the same; it acts on the relative spin about the normal.");
    v.optional("stiffness", t.stiffness, newton_per_metre, above_up_to(0, 1e30),
               "Spring k of method \"penalty\" (3-ternary 3.37): a contact lasts pi sqrt(m / k), m the effective mass of the pair.",
               "the pull of the heaviest touching pair over a millionth of its distance");
    v.optional("damping", t.damping, newton_second_per_metre, between(0, 1e30),
               "Damper of method \"penalty\" (3-ternary 3.38), the same for every pair.", "from `restitution`, for each pair its own");
    v.optional("slip_speed", t.slip_speed, si::metre_per_second, above_up_to(0, 3e8),
               "Slip below which friction, and rolling and spinning resistance at the rim, fall linearly to zero under method \"penalty\".",
               "a ten-thousandth of sqrt(G m / d)");
    v.optional("bounce_end_height", t.bounce_end_height, si::one, above_up_to(0, 1),
               "Hop height over R1 R2 / (R1 + R2) below which bouncing ends; methods \"constraint\" and \"lcp\".");
}

template <class Visitor>
void describe(Visitor& v, Tides& t) {
    v.optional("law", t.law, tide_laws, "Law of the tidal torque.");
    v.optional("factor", t.factor, si::one, above_up_to(0, 1e12), "Factor on every tidal torque.");
}

struct Scenario;

// What the model knows of the bodies, what acts between them and how they touch. Throws InputError.
void describe_free_bodies(const Scenario& scenario, model::Parameters& parameters);

// Where they start, drawn for the run: a row per body.
struct FreeStart {
    std::vector<Vec3> position, velocity, spin;
    std::vector<Quat> orientation;
};
// What may not be meant: Love numbers without tides, ellipsoids that attract as points.
std::vector<std::string> free_doubts(const model::Parameters& world);

FreeStart free_start_of(const Scenario& scenario, const model::Parameters& world, std::uint64_t run);

}  // namespace asperity::scenario
