// [gravity] of kind body, [companion], [rocks] and [[patch]]: what a lander meets at an asteroid.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "asperity/core/constants.h"
#include "asperity/core/describe.h"
#include "asperity/core/units.h"
#include "asperity/gravity/body_field.h"
#include "asperity/scenario/world.h"

namespace asperity::scenario {

enum class Frame : std::int64_t { body, inertial };

// The attraction of the body that [world] is, in a frame that turns with it or not.
struct BodyGravity {
    std::optional<double> density;  // kg/m^3; this or the mass
    std::optional<double> mass;     // kg
    std::optional<double> period;   // s, of the spin about z
    double attitude = 0;            // rad
    Frame frame = Frame::body;
    gravity::FieldKind field = gravity::FieldKind::fast;
    double bound = 1e-6;
    std::optional<std::int64_t> icosphere;
    double linear_reach = 0;  // m
    bool spin_transport = true;
    double constant = gravitational_constant;
};

// The other body of a binary.
struct Companion {
    BodyWorld body;
    std::optional<double> density;
    std::optional<double> mass;
    std::optional<double> period;
    double attitude = 0;    // rad
    double separation = 0;  // m, semi-major axis
    double eccentricity = 0;
    double mean_anomaly = 0;  // rad
    double direction = 0;     // rad, of the periapsis
    gravity::FieldKind field = gravity::FieldKind::fast;
};

enum class RockModel : std::int64_t { stochastic, field };

struct Rocks {
    RockModel model = RockModel::stochastic;
    double number_per_area = 9.5e-4;  // 1/m^2, of at least the reference diameter
    double reference_diameter = 5;    // m
    double exponent = 3.1;
    double smallest = 0.5;  // m
    double largest = 5;     // m
    bool in_impacts = true;
    bool in_rolling = true;
    std::optional<std::int64_t> seed;
};

// A part of the surface with its own laws, between latitudes and longitudes.
struct Patch {
    double latitude_from = 0, latitude_to = 0;    // rad
    double longitude_from = 0, longitude_to = 0;  // rad, eastwards
    std::optional<double> restitution;
    std::optional<double> friction;
    std::optional<double> rolling_resistance;
    std::optional<double> spinning_resistance;
    double rock_density = 1;
};

inline constexpr auto frames = std::to_array<Choice<Frame>>({
    {"body", Frame::body, "Turns with the body; contact happens here (modes Uni 1, Bin 1, Bin 2 of 1-landers)."},
    {"inertial", Frame::inertial, "Does not turn, origin in the common centre of mass; without contact (modes Uni 0, Bin 0)."},
});

inline constexpr auto field_kinds = std::to_array<Choice<gravity::FieldKind>>({
    {"fast", gravity::FieldKind::fast, "Polynomials in cells and the nearest facets exactly, within `bound`; built once and cached."},
    {"exact", gravity::FieldKind::exact, "Every facet and edge, each time; slow."},
    {"linearised", gravity::FieldKind::linearised, "From a reference point not farther than `linear_reach` (1-landers 4.12)."},
    {"point", gravity::FieldKind::point, "All mass in the centre."},
});

inline constexpr auto rock_models = std::to_array<Choice<RockModel>>({
    {"stochastic", RockModel::stochastic, "Drawn anew at every impact and after every free path; no rock is met twice."},
    {"field", RockModel::field, "Placed once from a seed: the same rock can be hit twice, and all runs meet the same rocks."},
});

inline constexpr Bounds densities = between(1e-6, 1e18);
inline constexpr Bounds angles = between(-1e6, 1e6);

template <class Visitor>
void describe(Visitor& v, BodyGravity& g) {
    v.optional("density", g.density, si::kilogram_per_cubic_metre, densities, "Density of the body, the same everywhere.", "from `mass`");
    v.optional("mass", g.mass, si::kilogram, between(1e-30, 1e40), "Mass of the body, in the place of `density`.", "from `density`");
    v.optional("period", g.period, si::second, between(1e-6, 1e15), "Period of its rotation about z.",
               "that of the mutual orbit with a [companion], else no rotation");
    v.optional("attitude", g.attitude, si::radian, angles, "Angle from the inertial x-axis to that of the body at time zero.");
    v.optional("frame", g.frame, frames, "Axes in which the run is computed and told.");
    v.optional("field", g.field, field_kinds, "How the attraction is computed.");
    v.optional("bound", g.bound, si::one, between(1e-10, 1e-2), "Largest error of a fast field, of the local gravity.");
    v.optional("icosphere", g.icosphere, from_to(0, 7),
               "Gravity of an icosphere with 20 4^n facets cast onto the shape, of the same mass (1-landers 7.3: 2); contact stays that of "
               "the shape.",
               "gravity of the shape itself");
    v.optional("linear_reach", g.linear_reach, si::metre, between(0, 1e12), "Distance from a reference point up to which it serves.");
    v.optional("spin_transport", g.spin_transport,
               "Whether the spin of a free ball keeps its direction in inertial space, and therefore turns in the frame of the body. False "
               "is wrong, and repeats the omission of 1-landers, Table 4.2, mode Uni 1.");
    v.optional("constant", g.constant, unit_of_g, between(1e-20, 1), "Constant of gravitation; CODATA 2018.");
}

template <class Visitor>
void describe(Visitor& v, Companion& c) {
    describe(v, c.body);
    v.optional("density", c.density, si::kilogram_per_cubic_metre, densities, "Density of the companion.", "from `mass`");
    v.optional("mass", c.mass, si::kilogram, between(1e-30, 1e40), "Mass of the companion, in the place of `density`.", "from `density`");
    v.optional("period", c.period, si::second, between(1e-6, 1e15), "Period of its rotation about z.", "that of the mutual orbit");
    v.optional("attitude", c.attitude, si::radian, angles, "Angle from the inertial x-axis to that of the companion at time zero.");
    v.required("separation", c.separation, si::metre, between(1e-9, 1e12), "Semi-major axis of the mutual orbit, in the plane z = 0.");
    v.optional("eccentricity", c.eccentricity, si::one, between(0, 0.99), "Eccentricity of the mutual orbit.");
    v.optional("mean_anomaly", c.mean_anomaly, si::radian, angles, "Mean anomaly at time zero.");
    v.optional("direction", c.direction, si::radian, angles,
               "Direction of the periapsis from the body of [world]; on a circle, of the companion at mean anomaly zero.");
    v.optional("field", c.field, field_kinds, "How its attraction is computed.");
}

template <class Visitor>
void describe(Visitor& v, Rocks& r) {
    v.optional("model", r.model, rock_models, "How rocks are met.");
    v.optional("number_per_area", r.number_per_area, si::per_square_metre, between(0, 1e12),
               "Rocks per area with at least the reference diameter; Itokawa: 373 of 5 m and more on 0.393 km^2.");
    v.optional("reference_diameter", r.reference_diameter, si::metre, between(1e-6, 1e6), "The diameter that this number counts from.");
    v.optional("exponent", r.exponent, si::one, between(0.1, 20), "The number above a diameter D goes with D to minus this.");
    v.optional("smallest", r.smallest, si::metre, between(1e-6, 1e6), "Smallest diameter; rolling resistance stands for what is smaller.");
    v.optional("largest", r.largest, si::metre, between(1e-6, 1e6), "Largest diameter; the shape holds what is larger.");
    v.optional("in_impacts", r.in_impacts, "Whether impacts meet rocks; model stochastic only.");
    v.optional("in_rolling", r.in_rolling, "Whether contact motion meets rocks; model stochastic only.");
    v.optional("seed", r.seed, at_least(0), "Seed of a rock field.", "1, whatever the seed of the run");
}

template <class Visitor>
void describe(Visitor& v, Patch& p) {
    constexpr double right = 1.5707963267948967, full = 6.283185307179587;
    v.required("latitude_from", p.latitude_from, si::radian, between(-right, right), "Southern border, planetocentric.");
    v.required("latitude_to", p.latitude_to, si::radian, between(-right, right), "Northern border.");
    v.required("longitude_from", p.longitude_from, si::radian, between(-full, full), "Western border.");
    v.required("longitude_to", p.longitude_to, si::radian, between(-full, full), "Eastern border; the patch runs eastwards to it.");
    v.optional("restitution", p.restitution, si::one, between(0, 1), "Restitution there.", "that of [contact]");
    v.optional("friction", p.friction, si::one, between(0, largest_contact_coefficient), "Friction there.", "that of [contact]");
    v.optional("rolling_resistance", p.rolling_resistance, si::one, between(0, largest_contact_coefficient), "Rolling resistance there.",
               "that of [contact]");
    v.optional("spinning_resistance", p.spinning_resistance, si::one, between(0, largest_contact_coefficient), "Spinning resistance there.",
               "that of [contact]");
    v.optional("rock_density", p.rock_density, si::one, between(0, 1e6), "Factor on the number of rocks there.");
}

}  // namespace asperity::scenario
