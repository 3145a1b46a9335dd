// The structs that mirror a scenario file, and the one list of its keys (core/describe.h says how to read it).
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "asperity/core/constants.h"
#include "asperity/core/describe.h"
#include "asperity/core/units.h"
#include "asperity/core/vec3.h"
#include "asperity/gravity/uniform.h"
#include "asperity/laws/contact/pair_law.h"
#include "asperity/model/model.h"
#include "asperity/scenario/expect.h"
#include "asperity/scenario/free_bodies.h"
#include "asperity/scenario/place.h"
#include "asperity/scenario/small_body.h"
#include "asperity/scenario/world.h"

namespace asperity::scenario {

struct Gravity {
    std::variant<gravity::Uniform, BodyGravity> field;
};

enum class ReleaseDirection : std::int64_t { velocity, manifold };
enum class VelocityFrame : std::int64_t { run, inertial };

// Scatter adds to the values: sigma are standard deviations of normal draws, spread half-widths of uniform ones.
struct Release {
    std::string at;  // an equilibrium by name; empty: the origin
    Vec3 position;   // m
    Vec3 velocity;   // m/s
    VelocityFrame velocity_in = VelocityFrame::run;
    ReleaseDirection direction = ReleaseDirection::velocity;
    std::optional<double> speed;  // m/s, along `direction` where that is not the velocity
    Vec3 spin;                    // rad/s
    Vec3 position_sigma;
    Vec3 velocity_sigma;
    Vec3 spin_sigma;
    double speed_sigma = 0;  // m/s
    Vec3 position_spread;
    Vec3 velocity_spread;
    std::optional<double> above_surface;  // m
    bool start_in_contact = false;
};

struct End {
    double time = 0;  // s
    std::int64_t step_budget = 10000000;
};

struct Output {
    std::optional<double> sample_every;      // s; always set once read
    std::optional<double> checkpoint_every;  // s
};

// A homogeneous or layered ball: I = inertia_factor m r^2 about every axis.
struct Ball {
    double radius = 0;            // m
    double mass = 1;              // kg
    double inertia_factor = 0.4;  // 2/5: homogeneous
};

struct Scenario {
    std::string name;
    std::string description;
    std::int64_t seed = 1;
    World world;
    Gravity gravity;
    Ball ball;
    Release release;
    laws::PairLaw contact;
    std::optional<Companion> companion;
    std::optional<Rocks> rocks;
    std::vector<Patch> patches;
    std::vector<FreeBodyPart> bodies;  // of a world of kind free, as all four
    Start start;
    Touch touch;
    Tides tides;
    std::vector<model::Phase> phases;  // at least one once read
    End end;
    Output output;
    std::vector<Expectation> expect;

    std::string file;  // that it was read from, as the user typed it
    Places places;     // where each value was written
};

// Magnitudes beyond which a value is a slip of the pen, and squares of it or quotients with others would leave the range of numbers.
inline constexpr double largest_length = 1e12;  // m
inline constexpr double largest_speed = 3e8;    // m/s
inline constexpr double largest_time = 1e15;    // s
inline constexpr double largest_spin = 1e9;     // rad/s
inline constexpr Bounds lengths = between(-largest_length, largest_length);
inline constexpr Bounds sizes = between(1e-9, largest_length);
inline constexpr Bounds distances = between(0, largest_length);
inline constexpr Bounds velocities = between(-largest_speed, largest_speed);
inline constexpr Bounds speeds = between(0, largest_speed);
inline constexpr Bounds accelerations = between(-1e9, 1e9);
inline constexpr Bounds masses = between(1e-30, 1e40);
inline constexpr Bounds times = above_up_to(0, largest_time);
inline constexpr Bounds coefficients = between(0, largest_contact_coefficient);

inline constexpr auto gravity_kinds = std::to_array<Kind>({
    {"uniform", "The same acceleration everywhere."},
    {"body", "The attraction of the body of [world], which may rotate and have a [companion]."},
});

inline constexpr auto release_directions = std::to_array<Choice<ReleaseDirection>>({
    {"velocity", ReleaseDirection::velocity, "As `velocity` says."},
    {"manifold", ReleaseDirection::manifold, "Along the unstable manifold of the equilibrium `at`, towards the body, with `speed`."},
});

inline constexpr auto velocity_frames = std::to_array<Choice<VelocityFrame>>({
    {"run", VelocityFrame::run, "The axes of the run, which turn with the body unless gravity.frame is \"inertial\"."},
    {"inertial", VelocityFrame::inertial,
     "The inertial frame of the common centre of mass, components along the axes of the run at time zero; the velocity of the turning "
     "axes at the drawn position is subtracted."},
});

inline constexpr auto rolling_laws = std::to_array<Choice<laws::RollingLaw>>({
    {"coupled", laws::RollingLaw::coupled, "A torque only; friction at the contact carries the rest. Sound, and the default."},
    {"thesis", laws::RollingLaw::thesis,
     "A torque and a force at the centre, as the thesis derives it (4.19-4.20); adds energy on backspin."},
    {"published", laws::RollingLaw::published, "The torque impulse times the spin (8.10), with which the tables of chapter 8 were made."},
});

inline constexpr auto completions = std::to_array<Choice<laws::Completion>>({
    {"series", laws::Completion::series, "All remaining bounces in closed form, with the time that they take."},
    {"virtual", laws::Completion::virtual_, "One virtual bounce that carries their impulse, at once."},
    {"none", laws::Completion::none, "The normal speed is set to zero."},
});

inline constexpr auto integrators = std::to_array<Choice<model::Integrator>>({
    {"dopri5", model::Integrator::dopri5, "Dormand-Prince 5(4), adaptive, with dense output."},
    {"rk4", model::Integrator::rk4,
     "Classical Runge-Kutta, fixed step `step_max`; event-driven: in flight, contact motion takes steps within the tolerance."},
    {"verlet", model::Integrator::verlet, "Velocity Verlet, order 2: step `step_max`, or chosen by halving; free bodies only."},
    {"symplectic4", model::Integrator::symplectic4, "A composition of Verlet steps, order 4, step `step_max`; free bodies only."},
});

inline const std::array<Choice<std::string>, 5> methods = {{
    {"event-driven", "event-driven", "Rigid contact: impacts and changes of contact are located as events. A ball on a surface."},
    {"penalty", "penalty", "Soft contact: a spring and a damper. Free bodies."},
    {"constraint", "constraint", "Rigid contact: touching bodies are held at their distance, collisions are impulses. Free bodies."},
    {"lcp", "lcp", "Rigid contact forces by pivoting, without a hold on the distance (3-ternary 3.4.1). Free bodies."},
    {"secular", "secular", "The slow evolution of free bodies under tides, averaged, to tidal lock."},
}};

template <class Visitor>
void describe(Visitor& v, gravity::Uniform& g) {
    v.required("acceleration", g.acceleration_vector, si::metre_per_second_squared, accelerations, "Acceleration, world axes.");
}

template <class Visitor>
void describe(Visitor& v, Gravity& g) {
    v.kinds("kind", g.field, gravity_kinds, "What the gravity field is.");
}

template <class Visitor>
void describe(Visitor& v, Ball& b) {
    v.required("radius", b.radius, si::metre, sizes, "Radius of the ball.");
    v.optional("mass", b.mass, si::kilogram, masses, "Mass of the ball; scales energies, not the motion.");
    v.optional("inertia_factor", b.inertia_factor, si::one, above_up_to(0, 2.0 / 3.0),
               "Moment of inertia over m r^2; 0.4 for a homogeneous ball.");
}

template <class Visitor>
void describe(Visitor& v, Release& r) {
    v.optional(
        "at", r.at,
        "An equilibrium from which `position` counts, as `asperity equilibria` names it: \"equilibrium saddle-lowest\", \"equilibrium "
        "maximum-1\", ..., or \"L1\" to \"L5\" of a circular binary. Needs frame = \"body\". Of a binary the point is that of time zero, "
        "and the velocity counts from rest in the frame of the orbit, also where the body turns at another rate.",
        "the origin");
    v.required("position", r.position, si::metre, lengths, "Centre of the ball at the start.");
    v.optional("velocity", r.velocity, si::metre_per_second, velocities, "Velocity at the start.",
               "required unless `direction` replaces it");
    v.optional("velocity_in", r.velocity_in, velocity_frames, "The frame in which `velocity` and its scatter are given.");
    v.optional("direction", r.direction, release_directions, "Which way the ball starts.");
    v.optional("speed", r.speed, si::metre_per_second, speeds, "Speed along `direction`, in the place of `velocity`.",
               "required with a `direction` other than \"velocity\"");
    v.optional("spin", r.spin, si::radian_per_second, between(-largest_spin, largest_spin), "Angular velocity at the start, world axes.");
    v.optional("position_sigma", r.position_sigma, si::metre, distances, "Standard deviation of a normal draw added to the position.");
    v.optional("velocity_sigma", r.velocity_sigma, si::metre_per_second, speeds,
               "Standard deviation of a normal draw added to the velocity.");
    v.optional("spin_sigma", r.spin_sigma, si::radian_per_second, between(0, largest_spin),
               "Standard deviation of a normal draw added to the spin.");
    v.optional("speed_sigma", r.speed_sigma, si::metre_per_second, speeds,
               "Standard deviation of a normal draw added to the speed, along the velocity.");
    v.optional("position_spread", r.position_spread, si::metre, distances, "Half-width of a uniform draw added to the position.");
    v.optional("velocity_spread", r.velocity_spread, si::metre_per_second, speeds, "Half-width of a uniform draw added to the velocity.");
    v.optional("above_surface", r.above_surface, si::metre, distances,
               "Free fall height: the position moves along gravity until the ball, falling from there, would touch the surface after this "
               "distance.",
               "the position is used as it is");
    v.optional(
        "start_in_contact", r.start_in_contact,
        "Place the ball so that it touches the nearest point of the surface, and begin in contact. Its centre must be within ten radii of "
        "that point, and its velocity must lie along the surface there; of the scatter of the velocity only that part counts.");
}

template <class Visitor>
void describe(Visitor& v, laws::PairLaw& c) {
    v.required("restitution", c.restitution, si::one, between(0, 1), "Normal speed after an impact over the one before.");
    v.required("friction", c.friction, si::one, coefficients,
               "Coulomb coefficient. Above 1000 neither it nor a resistance has a physical meaning.");
    v.required("rolling_resistance", c.rolling_resistance, si::one, coefficients,
               "Rolling-resistance torque over normal force times radius.");
    v.optional("spinning_resistance", c.spinning_resistance, si::one, coefficients,
               "Spinning-resistance (pivoting, drilling) torque over normal force times radius, against the spin about the normal; "
               "rolling_law = \"coupled\" only. Zero: nothing stops a ball that spins on the spot.");
    v.optional("rolling_law", c.rolling_law, rolling_laws, "Law of rolling resistance.");
    v.optional("impact_friction", c.impact_friction, "Whether friction, rolling and spinning resistance act in impacts.");
    v.optional("completion", c.completion, completions, "What ends a series of infinitely many bounces.");
    v.optional("bounce_end_speed", c.bounce_end_speed, si::metre_per_second, speeds,
               "Outgoing normal speed below which bouncing is completed; zero: `bounce_end_height` decides.");
    v.optional("bounce_end_height", c.bounce_end_height, si::one, above_up_to(0, 1),
               "Hop height, as a fraction of the radius, below which bouncing is completed.");
    v.optional("regularisation_speed", c.regularisation_speed, si::metre_per_second, speeds,
               "Speed below which friction, rolling and spinning resistance fall linearly to zero; zero: they do not.");
    v.optional("regularised_end_speed", c.regularised_end_speed, si::metre_per_second, speeds,
               "Speed below which a regularised run counts as at rest; needed with `regularisation_speed`.");
    v.optional(
        "rest_below_speed", c.rest_below_speed, si::metre_per_second, speeds,
        "Speed of the centre and of the rim below which a ball on one facet, edge or vertex counts as at rest where the slope is below "
        "`rest_below_slope`, whether or not it would stay there (1-landers 6.3); zero: only the static laws decide.");
    v.optional("rest_below_slope", c.rest_below_slope, si::radian, between(0, 1.5707963267948966),
               "Slope against the local vertical that belongs to `rest_below_speed`.");
}

template <class Visitor>
void describe(Visitor& v, model::Phase& p) {
    if (p.method.empty()) p.method = methods[0].value;
    v.optional("name", p.name, "What the record calls this phase.", "\"phase 1\", counted");
    v.optional("method", p.method, methods, "How contact is resolved and time advances; free bodies: \"constraint\" if not given.");
    v.optional("integrator", p.integrator, integrators,
               "Integrator of the smooth motion; free bodies: what suits the method if not given.");
    v.optional(
        "tolerance", p.tolerance, si::one, above_up_to(0, 0.1),
        "Relative error allowed in one step. Event-driven: in flight; in contact at most 1e-9, and on several contacts at once at least "
        "1e-10, whatever is asked. Free bodies: 1e-9 if not given; under `constraint` about that of the energy over a run.");
    v.optional("error_ratio_min", p.error_ratio_min, si::one, above_up_to(0, 1), "Error over tolerance below which the next step grows.");
    v.optional("error_ratio_max", p.error_ratio_max, si::one, above_up_to(0, 1), "Error over tolerance above which the next step shrinks.");
    v.optional("step_min", p.step_min, si::second, between(0, largest_time), "Shortest step.");
    v.optional("step_max", p.step_max, si::second, times, "Longest step; rk4, verlet and symplectic4: the step.");
    v.optional("acceleration", p.acceleration, si::one, between(0, 1e15),
               "Method secular: how many times faster tides and the clock run, rounded down to a power of two, at least 1; 0: as fast as "
               "is accurate.");
    v.optional("duration", p.duration, si::second, times, "Time after which the next phase begins; every phase but the last has one.");
}

template <class Visitor>
void describe(Visitor& v, End& e) {
    v.required("time", e.time, si::second, times, "Simulated time at which the run ends, unless it comes to its end before.");
    v.optional("step_budget", e.step_budget, at_least(1), "Integration steps after which the run counts as stalled.");
}

template <class Visitor>
void describe(Visitor& v, Output& o) {
    v.optional("sample_every", o.sample_every, si::second, times, "Time between samples of the record.", "end.time / 5000");
    v.optional("checkpoint_every", o.checkpoint_every, si::second, times, "Time between states from which a run can go on.",
               "none are kept");
}

template <class Visitor>
void describe(Visitor& v, Scenario& s) {
    v.include("include", "Another scenario file, relative to this one, whose keys hold where this file has none.");
    v.optional("name", s.name, "What reports call the scenario.", "the name of the file");
    v.optional("description", s.description, "A sentence for reports.", "none");
    v.optional("seed", s.seed, at_least(0), "Seed of every random draw; --seed wins over it.");
    v.section("world", s.world, "The surface.");
    v.when(!s.world.is_free(), [&s](auto& w) {
        w.section("gravity", s.gravity, "The gravity field.");
        w.section("ball", s.ball, "The lander: a rigid ball.");
        w.section("release", s.release, "How the ball starts; scatter is drawn anew for every run of a study.");
        w.section("contact", s.contact, "The rigid contact between ball and surface.");
        w.optional_section("companion", s.companion, "The other body of a binary; needs gravity of kind body.");
        w.optional_section("rocks", s.rocks, "Rocks on the surface: spheres, half buried.");
        w.list("patch", s.patches, "Parts of a body's surface with their own laws; the last one that holds a facet counts.");
    });
    v.when(s.world.is_free(), [&s](auto& w) {
        w.list("body", s.bodies, "The bodies of a world of kind free, in order.");
        w.section("start", s.start, "How the bodies of a world of kind free start.");
        w.section("touch", s.touch, "How two bodies of a world of kind free touch.");
        w.section("tides", s.tides, "The tides that they raise on each other.");
    });
    v.list("phase", s.phases, "How the run is computed, in order; one phase with the defaults if there is none.");
    v.section("end", s.end, "When the run ends at the latest.");
    v.section("output", s.output, "What the record keeps.");
    v.expectations("expect", s.expect, "What must come out, checked after the run: metric = demand.");
}

}  // namespace asperity::scenario
