// [body.NAME]: whatever exists, be it a lander, an asteroid or the ground.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "asperity/gravity/body_field.h"
#include "asperity/scenario/bounds.h"
#include "asperity/scenario/motion.h"
#include "asperity/scenario/shape.h"

namespace asperity::scenario {

// How a body whose motion is given attracts others by its shape.
struct Attraction {
    gravity::FieldKind field = gravity::FieldKind::fast;
    double bound = 1e-6;
    std::optional<std::int64_t> icosphere;
    double linear_reach = 0;  // m
};

// The motion of a body about another one, which is given and not computed.
struct Orbit {
    std::string about;
    double separation = 0;  // m, semi-major axis
    double eccentricity = 0;
    double mean_anomaly = 0;  // rad
    double direction = 0;     // rad, of the periapsis
};

struct Tide {
    std::optional<double> love_number;
    std::optional<double> rigidity;  // Pa
    std::optional<double> quality;
    std::optional<double> lag_angle;  // rad
    std::optional<double> time_lag;   // s
};

// A part of the surface with a material of its own, between latitudes and longitudes.
struct Patch {
    double latitude_from = 0, latitude_to = 0;    // rad
    double longitude_from = 0, longitude_to = 0;  // rad, eastwards
    std::string material;                         // empty: that of the body
    double rock_density = 1;
};

// A shape that touches, somewhere on a body.
struct Collider {
    ColliderShape shape;
    Vec3 position;         // m, axes of the body
    Vec3 attitude;         // rad, rotation vector from its axes to those of the body
    std::string material;  // empty: that of the body
};

// Turns about axes that go with the body, one after the other: R = R_1(angle_1) R_2(angle_2) R_3(angle_3).
struct EulerAngles {
    std::string axes;
    Vec3 angles;  // rad

    // Three letters, of which no two neighbours are alike.
    bool has_axes() const {
        const auto is_axis = [](char c) { return c >= 'x' && c <= 'z'; };
        return axes.size() == 3 && std::all_of(axes.begin(), axes.end(), is_axis) && axes[0] != axes[1] && axes[1] != axes[2];
    }
    Quat rotation() const {
        const double angle[] = {angles.x, angles.y, angles.z};
        Quat out;
        for (std::size_t k = 0; k < 3; ++k)
            out = out * asperity::rotation({axes[k] == 'x' ? angle[k] : 0, axes[k] == 'y' ? angle[k] : 0, axes[k] == 'z' ? angle[k] : 0});
        return out;
    }
};

// A lattice of cells, with a body in the middle of each.
struct Fill {
    Vec3 lower, upper;              // m, corners of the region
    std::optional<double> spacing;  // m, side of a cell
};

enum class StartDirection : std::int64_t { velocity, manifold };
enum class VelocityFrame : std::int64_t { run, inertial };

// Scatter adds to the values: sigma are standard deviations of normal draws, spread half-widths of uniform ones.
struct BodyStart {
    std::string at;                // an equilibrium by name; empty: the origin
    std::optional<Vec3> position;  // m
    std::optional<Vec3> velocity;  // m/s
    VelocityFrame velocity_in = VelocityFrame::run;
    StartDirection direction = StartDirection::velocity;
    std::optional<double> speed;             // m/s, along `direction` where that is not the velocity
    std::optional<Vec3> spin;                // rad/s
    Vec3 attitude;                           // rad, rotation vector
    std::optional<EulerAngles> orientation;  // in its place
    Vec3 position_sigma;
    Vec3 velocity_sigma;
    Vec3 spin_sigma;
    double speed_sigma = 0;  // m/s
    Vec3 position_spread;
    Vec3 velocity_spread;
    std::optional<double> above_surface;  // m
    bool in_contact = false;
    std::optional<Fill> fill;

    Vec3 given_position() const { return position.value_or(Vec3{}); }
    Vec3 given_velocity() const { return velocity.value_or(Vec3{}); }
    Quat given_orientation() const { return orientation ? orientation->rotation() : rotation(attitude); }
};

struct Body {
    std::string name;
    std::string one_of;  // `count` bodies of that name there are, and this section places one of them; empty: a body of its own
    std::int64_t count = 1;
    std::optional<Shape> shape;  // none of a body that is known by its colliders, mass and moments alone
    std::vector<Collider> colliders;
    double scale = 1;
    bool principal_axes = false;
    std::optional<double> density;  // kg/m^3; this or the mass
    std::optional<double> mass;     // kg
    std::optional<double> inertia_factor;
    std::optional<Vec3> inertia;         // kg m^2, about the centre of mass, axes of the file; in the place of what follows from the shape
    Vec3 products_of_inertia;            // kg m^2, J_xy, J_xz, J_yz
    std::optional<Vec3> centre_of_mass;  // m, axes of the file; none: the origin, or where the shape has it
    std::string material;                // empty: the name
    bool fixed = false;
    std::optional<double> spin_period;  // s, about z
    double spin_phase = 0;              // rad
    std::optional<Attraction> attracts;
    std::optional<Orbit> orbit;
    std::optional<Motion> motion;
    std::optional<Tide> tide;
    Vec3 yorp;  // rad/s^2
    Path facet_values;
    std::vector<Patch> patches;
    std::optional<BodyStart> start;

    std::string path() const { return "body." + name; }
    template <class T>
    const T* as() const {
        return shape ? shape->get<T>() : nullptr;
    }
    bool has_facets() const { return shape && shape->has_facets(); }
    bool has_volume() const { return shape && shape->has_volume(); }
    // Mass and moments of inertia follow from its shape, or where it has none from its colliders.
    bool is_solid() const {
        if (shape) return shape->is_solid();
        return !colliders.empty() && std::all_of(colliders.begin(), colliders.end(), [](const Collider& c) { return c.shape.is_solid(); });
    }
    const std::string& surface_material() const { return material.empty() ? name : material; }
    const std::string& material_of(const Patch& patch) const { return patch.material.empty() ? surface_material() : patch.material; }
    const std::string& material_of(const Collider& collider) const {
        return collider.material.empty() ? surface_material() : collider.material;
    }
    // A closed shape with its centre of mass in the origin.
    bool is_whole() const { return as<BuiltinShape>() || (as<MeshShape>() && (density || mass)); }
};

// A body and so many of the same: sphere-2 of [body.sphere] with count = 3.
inline std::string name_of_one(const Body& body, std::int64_t k) {
    return body.count == 1 ? body.name : body.name + "-" + std::to_string(k + 1);
}

// Called with a name before its keys are read: whether it is one of the many that an earlier body stands for.
inline void begin_table(Body& body, const std::vector<Body>& earlier) {
    for (const Body& other : earlier)
        for (std::int64_t k = 0; other.count > 1 && k < other.count; ++k)
            if (body.name == name_of_one(other, k)) body.one_of = other.name;
}

inline constexpr auto field_kinds = std::to_array<Choice<gravity::FieldKind>>({
    {"fast", gravity::FieldKind::fast, "Polynomials in cells and the nearest facets exactly, within `bound`; built once and cached."},
    {"exact", gravity::FieldKind::exact, "Every facet and edge, each time; slow."},
    {"linearised", gravity::FieldKind::linearised, "From a reference point not farther than `linear_reach` (1-landers 4.12)."},
    {"point", gravity::FieldKind::point, "All mass in the centre."},
});

inline constexpr auto start_directions = std::to_array<Choice<StartDirection>>({
    {"velocity", StartDirection::velocity, "As `velocity` says."},
    {"manifold", StartDirection::manifold, "Along the unstable manifold of the equilibrium `at`, towards the body, with `speed`."},
});

inline constexpr auto velocity_frames = std::to_array<Choice<VelocityFrame>>({
    {"run", VelocityFrame::run, "The axes of the run, which turn with the body that `frame` names."},
    {"inertial", VelocityFrame::inertial,
     "The inertial frame of the common centre of mass, components along the axes of the run at time zero; the velocity of the turning "
     "axes at the drawn position is subtracted."},
});

template <class Visitor>
void describe(Visitor& v, Attraction& a) {
    v.loaded(Loaded::always, [&a](auto& w) {
        w.optional("field", a.field, field_kinds, "How the attraction is computed.");
        w.optional("bound", a.bound, si::one, between(1e-10, 1e-2), "Largest error of a fast field, of the local gravity.");
        w.optional(
            "icosphere", a.icosphere, from_to(0, 7),
            "Gravity of an icosphere with 20 4^n facets cast onto the shape, of the same mass (1-landers 7.3: 2); contact stays that "
            "of the shape.",
            "gravity of the shape itself");
    });
    v.optional("linear_reach", a.linear_reach, si::metre, distances, "Distance from a reference point up to which it serves.");
}

template <class Visitor>
void describe(Visitor& v, Orbit& o) {
    v.required("about", o.about, "The body from which the orbit counts.");
    v.required("separation", o.separation, si::metre, between(1e-9, 1e12), "Semi-major axis of the mutual orbit, in the plane z = 0.");
    v.optional("eccentricity", o.eccentricity, si::one, between(0, 0.99), "Eccentricity of the mutual orbit.");
    v.optional("mean_anomaly", o.mean_anomaly, si::radian, angles, "Mean anomaly at time zero.");
    v.optional("direction", o.direction, si::radian, angles,
               "Direction of the periapsis from the body `about`; on a circle, of this body at mean anomaly zero.");
}

template <class Visitor>
void describe(Visitor& v, Tide& t) {
    v.optional("love_number", t.love_number, si::one, between(0, 1.5), "Tidal Love number k2.",
               "none; this or `rigidity`, where there are tides");
    v.optional("rigidity", t.rigidity, si::pascal, above_up_to(0, 1e20), "Rigidity, from which k2 follows (3-ternary 3.11).",
               "none; this or `love_number`");
    v.optional("quality", t.quality, si::one, above_up_to(0, 1e12), "Quality factor Q of tidal dissipation, Q = 1 / tan(2 lag).",
               "none; this or `lag_angle`");
    v.optional("lag_angle", t.lag_angle, si::radian, between(0, 0.7853981633974483), "Angle by which the bulge is off (3-ternary 3.10).",
               "none; this or `quality`");
    v.optional("time_lag", t.time_lag, si::second, between(0, 1e15), "Time by which the bulge lags; for law \"constant-time-lag\".",
               "none");
}

template <class Visitor>
void describe(Visitor& v, Patch& p) {
    constexpr double right = 1.5707963267948967, full = 6.283185307179587;
    v.loaded(Loaded::always, [&p](auto& w) {
        w.required("latitude_from", p.latitude_from, si::radian, between(-right, right), "Southern border, planetocentric.");
        w.required("latitude_to", p.latitude_to, si::radian, between(-right, right), "Northern border.");
        w.required("longitude_from", p.longitude_from, si::radian, between(-full, full), "Western border.");
        w.required("longitude_to", p.longitude_to, si::radian, between(-full, full), "Eastern border; the patch runs eastwards to it.");
        w.optional("rock_density", p.rock_density, si::one, between(0, 1e6), "Factor on the number of rocks there.");
    });
    v.optional("material", p.material, "Material of the facets there, whose laws [contact.\"A/B\"] says.", "that of the body");
}

template <class Visitor>
void describe(Visitor& v, Collider& c) {
    v.section("shape", c.shape, "What touches: a sphere, an ellipsoid, points, or a half-space.");
    v.optional("position", c.position, si::metre, lengths, "Its origin, in the axes of the body.");
    v.optional("attitude", c.attitude, si::radian, between(-7, 7), "Rotation vector from its axes to those of the body.");
    v.optional("material", c.material, "What it is made of.", "that of the body");
}

template <class Visitor>
void describe(Visitor& v, EulerAngles& e) {
    v.required(
        "axes", e.axes,
        "The axes, as three letters: \"zyx\" turns about z (yaw), then about the y of the turned body (pitch), then about its x (roll).");
    v.required("angles", e.angles, si::radian, between(-7, 7), "The angle about each, in that order.");
}

template <class Visitor>
void describe(Visitor& v, Fill& f) {
    v.required("lower", f.lower, si::metre, places_in_space, "The corner of the region with the smallest coordinates.");
    v.required("upper", f.upper, si::metre, places_in_space, "The opposite corner.");
    v.optional("spacing", f.spacing, si::metre, above_up_to(0, largest_length),
               "Side of a cell; rows along x come first, then those beside them along y, then the layer above.",
               "what a body needs, with `position_spread`");
}

template <class Visitor>
void describe(Visitor& v, BodyStart& s) {
    v.optional(
        "at", s.at,
        "An equilibrium from which `position` counts, as `asperity equilibria` names it: \"equilibrium saddle-lowest\", \"equilibrium "
        "maximum-1\", ..., or \"L1\" to \"L5\" of a circular binary. Needs the frame of the body that attracts. Of a binary the point is "
        "that of time zero, and the velocity counts from rest in the frame of the orbit, also where the body turns at another rate.",
        "the origin");
    v.optional(
        "position", s.position, si::metre, places_in_space,
        "Where the body starts: its origin, in the axes in which its shape and colliders are written down. Its velocity is that of the "
        "centre of mass.",
        "required unless [start] has a `configuration`, or `fill` is given");
    v.optional("velocity", s.velocity, si::metre_per_second, velocities, "Velocity at the start.",
               "required unless `direction` or a `configuration` replaces it; with `fill` none");
    v.optional("velocity_in", s.velocity_in, velocity_frames, "The frame in which `velocity` and its scatter are given.");
    v.optional("direction", s.direction, start_directions, "Which way the body starts.");
    v.optional("speed", s.speed, si::metre_per_second, speeds, "Speed along `direction`, in the place of `velocity`.",
               "required with a `direction` other than \"velocity\"");
    v.optional("spin", s.spin, si::radian_per_second, spins, "Angular velocity at the start, axes of the run.",
               "none; of a configuration: its common rate");
    v.optional("attitude", s.attitude, si::radian, between(-7, 7), "Rotation vector from the body's axes to those of the run.");
    v.optional_section("orientation", s.orientation,
                       "In the place of `attitude`: three turns, from the axes of the run to those of the body.");
    v.scatter([&s](auto& w) {
        w.optional("position_sigma", s.position_sigma, si::metre, distances, "Standard deviation of a normal draw added to the position.");
        w.optional("velocity_sigma", s.velocity_sigma, si::metre_per_second, speeds,
                   "Standard deviation of a normal draw added to the velocity.");
        w.optional("spin_sigma", s.spin_sigma, si::radian_per_second, between(0, largest_spin),
                   "Standard deviation of a normal draw added to the spin.");
        w.optional("speed_sigma", s.speed_sigma, si::metre_per_second, speeds,
                   "Standard deviation of a normal draw added to the speed, along the velocity.");
        w.optional("position_spread", s.position_spread, si::metre, distances, "Half-width of a uniform draw added to the position.");
        w.optional("velocity_spread", s.velocity_spread, si::metre_per_second, speeds,
                   "Half-width of a uniform draw added to the velocity.");
    });
    v.optional("above_surface", s.above_surface, si::metre, distances,
               "Free fall height: the position moves along gravity until the body, falling from there, would touch the surface after this "
               "distance.",
               "the position is used as it is");
    v.optional(
        "in_contact", s.in_contact,
        "Place the body so that it touches the nearest point of the surface, and begin in contact. Its centre must be within ten radii of "
        "that point, and its velocity must lie along the surface there; of the scatter of the velocity only that part counts.");
    v.optional_section("fill", s.fill,
                       "In the place of `position`: a region that the bodies of this name fill, one in the middle of each cell of a "
                       "lattice; `position_spread` moves each of them by chance.");
}

template <class Visitor>
void describe(Visitor& v, Body& b) {
    v.when(b.one_of.empty(), [&b](auto& w) {
        w.optional("count", b.count, body_counts, "How many bodies like this one there are: NAME-1, NAME-2, and so on.");
        w.optional_section("shape", b.shape,
                           "What the body looks like: one of its first twelve keys. A body that has colliders needs none: its mass and "
                           "moments follow from "
                           "theirs, or from `mass` and `inertia`.");
        w.loaded(Loaded::with_rock_field, [&b](auto& l) {
            l.optional("scale", b.scale, si::one, between(1e-6, 1e6),
                       "Factor on all lengths of a built-in shape, or of a mesh that has a mass; the density stays.");
        });
        w.loaded(Loaded::always, [&b](auto& l) {
            l.optional("principal_axes", b.principal_axes, "Turn such a shape so that x is its longest and z its shortest principal axis.");
        });
        w.optional("density", b.density, si::kilogram_per_cubic_metre, densities, "Density, the same everywhere.",
                   "none; this or `mass`, where the body moves or attracts");
        w.optional("mass", b.mass, si::kilogram, masses, "Mass, in the place of `density`.", "from `density`");
        w.optional("inertia_factor", b.inertia_factor, si::one, above_up_to(0, 2.0 / 3.0),
                   "Moment of inertia of a sphere over m r^2; 0.4 for a homogeneous one.", "0.4");
        w.optional(
            "inertia", b.inertia, kilogram_square_metre, above_up_to(0, 1e60),
            "Moments of inertia of a body that is no sphere or ellipsoid, about its centre of mass, along the axes in which it is written "
            "down: J_xx, J_yy, J_zz. Needs `mass`.",
            "from `shape`, or the colliders");
        w.optional(
            "products_of_inertia", b.products_of_inertia, kilogram_square_metre, between(-1e60, 1e60),
            "J_xy, J_xz and J_yz beside `inertia`, with the sign that makes them elements of the matrix: minus the integral of x y.");
        w.optional("centre_of_mass", b.centre_of_mass, si::metre, lengths,
                   "Where its centre of mass is, in the axes in which it is written down; with `inertia`.",
                   "the origin, or where the shape has it");
        w.optional("material", b.material, "What its surface is made of; [contact.\"A/B\"] says how two materials touch.",
                   "the name of the body");
        w.optional("fixed", b.fixed, "Whether it stands still in the frame of the run: the ground.");
        w.optional("spin_period", b.spin_period, si::second, periods, "Period of the rotation about z of a body whose motion is given.",
                   "that of the mutual orbit, where there is one, else no rotation");
        w.optional("spin_phase", b.spin_phase, si::radian, angles, "Angle from the inertial x-axis to that of the body at time zero.");
        w.optional("yorp", b.yorp, radian_per_second_squared, between(-1, 1),
                   "Angular acceleration by sunlight (YORP), axes of the run: angular momentum is not conserved then.");
        w.loaded(Loaded::always, [&b](auto& l) {
            l.optional("facet_values", b.facet_values,
                       "CSV file with a row per facet: facet,restitution,friction,rolling_resistance,rock_density; any of the columns, any "
                       "of the facets.",
                       "none");
        });
        w.optional_section(
            "attracts", b.attracts,
            "Its shape attracts those that move: for a body whose motion is given; attracts = {} has the defaults. One with a `motion` "
            "attracts as a point.");
        w.optional_section("orbit", b.orbit, "Its motion about another body, which is given.");
        w.optional_section("motion", b.motion, "Its motion, which is given, whatever touches it: of a shaker, a ramp, a drum.");
        w.optional_section("tide", b.tide, "How it answers to tides; their law is in [gravity.tides].");
        w.list("collider", b.colliders,
               "What of it touches, in the place of its `shape`; of a body that is `fixed`, as many half-spaces, spheres and ellipsoids as "
               "there are walls.");
        w.list("patch", b.patches, "Parts of its surface with a material of their own; the last one that holds a facet counts.");
    });
    v.optional_section("start", b.start,
                       "How it starts; scatter is drawn anew for every run of a study. [body.NAME-2.start] places one of several.");
}

}  // namespace asperity::scenario
