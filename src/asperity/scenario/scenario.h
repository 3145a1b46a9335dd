// The structs that mirror a scenario file, and the one list of its keys (core/describe.h says how to read it).
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "asperity/core/constants.h"
#include "asperity/core/describe.h"
#include "asperity/core/units.h"
#include "asperity/core/vec3.h"
#include "asperity/model/model.h"
#include "asperity/scenario/body.h"
#include "asperity/scenario/contact.h"
#include "asperity/scenario/expect.h"
#include "asperity/scenario/links.h"
#include "asperity/scenario/machinery.h"
#include "asperity/scenario/phase.h"
#include "asperity/scenario/place.h"
#include "asperity/scenario/rocks.h"
#include "asperity/scenario/start.h"

namespace asperity::scenario {

enum class MutualGravity : std::int64_t { none, points, second_order };

struct Tides {
    model::TideLaw law = model::TideLaw::none;
    double factor = 1;
};

struct Gravity {
    std::optional<Vec3> uniform;  // m/s^2
    MutualGravity mutual = MutualGravity::none;
    bool gradient = false;
    double constant = gravitational_constant;  // m^3/(kg s^2)
    Tides tides;
};

struct End {
    double time = 0;  // s
    std::int64_t step_budget = 10000000;
};

// What the record keeps of bodies of one name, where there are many.
struct GroupOutput {
    std::string name;
    std::optional<std::int64_t> every;  // samples
    std::int64_t stride = 1;
    bool orientation = false, velocity = false, spin = false;
};

struct Output {
    std::optional<double> sample_every;      // s; always set once read
    std::optional<double> checkpoint_every;  // s
    std::vector<GroupOutput> groups;
};

struct Scenario {
    std::string name;
    std::string description;
    std::int64_t seed = 1;
    std::string frame;  // the body in whose axes the run is; empty: inertial axes
    bool spin_transport = true;
    Gravity gravity;
    std::vector<Body> bodies;
    Start start;
    std::vector<Contact> contacts;
    std::optional<Rocks> rocks;
    std::vector<Cable> cables;
    std::vector<Joint> joints;
    std::vector<Load> loads;
    std::vector<Engine> engines;
    std::vector<Controller> controllers;
    std::vector<NamedSignal> signals;
    std::vector<Phase> phases;  // at least one once read
    End end;
    Output output;
    std::vector<Expectation> expect;

    std::string file;  // that it was read from, as the user typed it
    Places places;     // where each value was written
};

inline constexpr auto tide_laws = std::to_array<Choice<model::TideLaw>>({
    {"none", model::TideLaw::none, "No tides."},
    {"constant-angle", model::TideLaw::constant_angle,
     "The bulge is off by a constant angle; switches sign at synchronism (3-ternary 3.9)."},
    {"constant-time-lag", model::TideLaw::constant_time_lag, "The bulge lags by a constant time: smooth through synchronism."},
});

inline constexpr auto mutual_gravities = std::to_array<Choice<MutualGravity>>({
    {"none", MutualGravity::none, "They do not."},
    {"points", MutualGravity::points, "As points: exact for spheres."},
    {"second-order", MutualGravity::second_order, "To second order in the sizes, with torques (3-ternary 3.4)."},
});

template <class Visitor>
void describe(Visitor& v, Tides& t) {
    v.optional("law", t.law, tide_laws, "Law of the tidal torque.");
    v.optional("factor", t.factor, si::one, above_up_to(0, 1e12), "Factor on every tidal torque.");
}

template <class Visitor>
void describe(Visitor& v, Gravity& g) {
    v.optional("uniform", g.uniform, si::metre_per_second_squared, accelerations, "Acceleration, the same everywhere, axes of the run.",
               "none");
    v.optional("mutual", g.mutual, mutual_gravities, "How the bodies that move attract each other.");
    v.optional(
        "gradient", g.gradient,
        "Whether the gradient of the field of bodies with `attracts` turns bodies that are no balls: forces, torques and potential to "
        "second order in their sizes (gravity-gradient torque). Methods penalty, impulse and dvi.");
    v.optional("constant", g.constant, unit_of_g, above_up_to(0, 1e6), "Constant of gravitation; CODATA 2018.");
    v.section("tides", g.tides, "The tides that bodies raise on each other.");
}

template <class Visitor>
void describe(Visitor& v, End& e) {
    v.required("time", e.time, si::second, times, "Simulated time at which the run ends, unless it comes to its end before.");
    v.optional("step_budget", e.step_budget, at_least(1), "Integration steps after which the run counts as stalled.");
}

template <class Visitor>
void describe(Visitor& v, GroupOutput& g) {
    v.optional("every", g.every, at_least(1), "A frame with the positions of its bodies at every so manyth sample.",
               "such that there are about 300");
    v.optional("stride", g.stride, at_least(1), "Only every so manyth of its bodies is in the frames.");
    v.optional("orientation", g.orientation, "Whether frames hold how bodies are turned.");
    v.optional("velocity", g.velocity, "Whether frames hold velocities.");
    v.optional("spin", g.spin, "Whether frames hold angular velocities.");
}

template <class Visitor>
void describe(Visitor& v, Output& o) {
    v.optional("sample_every", o.sample_every, si::second, times, "Time between samples of the record.", "end.time / 5000");
    v.optional("checkpoint_every", o.checkpoint_every, si::second, times, "Time between states from which a run can go on.",
               "none are kept");
    v.tables("group", o.groups, "NAME",
             "Of the bodies of one name, where there are more than 64: they have no rows of samples, but energies of all together at each "
             "sample, and frames of 32-bit floats.");
}

template <class Visitor>
void describe(Visitor& v, Scenario& s) {
    v.include("include", "Another scenario file, relative to this one, whose keys hold where this file has none.");
    v.optional("name", s.name, "What reports call the scenario.", "the name of the file");
    v.optional("description", s.description, "A sentence for reports.", "none");
    v.loaded(Loaded::with_drawn_surface,
             [&s](auto& w) { w.optional("seed", s.seed, at_least(0), "Seed of every random draw; --seed wins over it."); });
    v.optional(
        "frame", s.frame,
        "The body in whose axes the run is computed and told: they turn with it (modes Uni 1, Bin 1, Bin 2 of 1-landers). A body that "
        "turns in inertial axes is touched under \"penalty\", \"impulse\" and \"dvi\" alone.",
        "inertial axes, origin in the common centre of mass (modes Uni 0, Bin 0)");
    v.optional(
        "spin_transport", s.spin_transport,
        "Whether the spin of a body in flight keeps its direction in inertial space, and therefore turns in a frame that turns. False "
        "is wrong, and repeats the omission of 1-landers, Table 4.2, mode Uni 1.");
    v.section("gravity", s.gravity, "What attracts, beside bodies with `attracts`.");
    v.tables("body", s.bodies, "NAME", "The bodies, in the order of the file, those of an included file first.");
    v.section("start", s.start, "A configuration in which the bodies start.");
    v.tables(
        "contact", s.contacts, "A/B",
        "How materials A and B touch. Of two bodies the section \"A/B\" or \"B/A\" counts, else \"A/*\", else \"B/*\", else \"*/*\", as "
        "a whole.");
    v.optional_section("rocks", s.rocks, "Rocks on the ground: spheres, half buried.");
    v.tables("cable", s.cables, "NAME", "Cables between two points, which pull and never push; method penalty carries them.");
    v.tables("joint", s.joints, "NAME",
             "Joints, which hold two bodies, or a body and the ground, to each other. Bodies that a joint holds do not touch each other; "
             "methods penalty, impulse and dvi carry them.");
    v.tables("load", s.loads, "NAME", "Loads: a force and a torque on a body, with a course in time; methods as of joints.");
    v.tables("engine", s.engines, "NAME", "Engines: a constant force on a body, times a throttle; method penalty carries them.");
    v.tables("controller", s.controllers, "NAME",
             "Controllers: at ticks they set the throttle of an engine, which is held until the next.");
    v.tables("signal", s.signals, "NAME",
             "Signals with a name: the record has each at every sample, metrics its extremes, and guards and controllers may look at it.");
    v.list("phase", s.phases, "How the run is computed, in order; one phase with the defaults if there is none.");
    v.section("end", s.end, "When the run ends at the latest.");
    v.section("output", s.output, "What the record keeps.");
    v.expectations("expect", s.expect, "What must come out, checked after the run: metric = demand.");
}

}  // namespace asperity::scenario
