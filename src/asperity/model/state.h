// State: everything that changes during a run and that a restart needs; nothing else.
//
// Blocks of flat arrays, empty where unused. describe() lists the fields of a block once; copy, compare, hash, restart and upload
// all go through it. Blocks arrive with the family that needs them (docs/architecture.md, State).
#pragma once
#include <cstdint>
#include <vector>

#include "asperity/core/quat.h"
#include "asperity/core/vec3.h"
#include "asperity/model/cables.h"
#include "asperity/model/contacts.h"
#include "asperity/model/engines.h"
#include "asperity/model/extremes.h"
#include "asperity/model/joints.h"
#include "asperity/model/loads.h"
#include "asperity/model/phase.h"

namespace asperity::model {

struct Clock {  // written by simulate and by the method
    std::int64_t phase = 0;
    double phase_start = 0;    // s
    double time_in_phase = 0;  // s
    std::int64_t steps = 0;    // accepted integration steps since the start of the run

    double time() const { return phase_start + time_in_phase; }
    friend bool operator==(const Clock&, const Clock&) = default;
};

struct Bodies {                     // written by the method
    std::vector<Vec3> position;     // m
    std::vector<Quat> orientation;  // q_WB
    std::vector<Vec3> velocity;     // m/s
    std::vector<Vec3> spin;         // rad/s, world frame

    friend bool operator==(const Bodies&, const Bodies&) = default;
};

// A random number is hash(seed, run, stream, counter): only the counter changes.
struct Draws {                          // written by the method
    std::vector<std::int64_t> counter;  // numbers drawn so far
    std::vector<double> next_rock;      // m, rolled distance at which the next rock is met; 0: not drawn yet

    friend bool operator==(const Draws&, const Draws&) = default;
};

struct Stepper {                  // written by the method
    double next_step = 0;         // s; 0: choose afresh
    std::vector<Vec3> reference;  // m, from which a linearised field counts; the origin: none yet
    double slow_since = -1;       // s, of the run: all bodies touch and are slower than the slip speed since then; -1: they are not
    double residual = 0;          // the largest that solves for impulses have left so far, relative

    friend bool operator==(const Stepper&, const Stepper&) = default;
};

struct Tallies {                          // written by the method: integrated, never a remainder
    std::vector<double> heat_impact;      // J/kg, as all heat here: no bit changes between State and method
    std::vector<double> heat_friction;    // J/kg
    std::vector<double> heat_rolling;     // J/kg; negative only where law `thesis` or `published` adds energy on backspin
    std::vector<double> heat_tide;        // J/kg
    std::vector<double> work;             // J/kg, done on the body from outside: by bodies that move in the frame, by sunlight
    std::vector<double> rolled_distance;  // m, path of the centre while in contact
    std::vector<double> deepest_overlap;  // m
    std::vector<std::int64_t> impacts;    // how many
    std::vector<double> last_touch;       // s, when it last touched something; -1: never

    friend bool operator==(const Tallies&, const Tallies&) = default;
};

// When contacts last changed: from then on tides alone take energy.
struct Settled {           // written by the method
    double time = 0;       // s
    double energy = 0;     // J, mechanical, and the heat of contacts less the work from outside up to then
    double heat_tide = 0;  // J, up to then

    friend bool operator==(const Settled&, const Settled&) = default;
};

// Of the world: energy, with the heat set free and without the work done from outside, which nothing may change.
struct Balance {
    double start = 0;  // J
    double error = 0;  // J, the largest distance from it, looked at every 64th step and wherever contacts change

    friend bool operator==(const Balance&, const Balance&) = default;
};

// What acted in the last step, and the most of it so far; empty under methods that do not tell it (MethodEntry::tells_contact_force). Of
// groups of many contacts are told where a signal asks for it.
struct Forces {                      // written by the method
    std::vector<Vec3> contact;       // N, on each body, of all its contacts; zero before the first step
    std::vector<Vec3> joint;         // N, on the first body of each joint: what holds, stops and drives at a rate
    std::vector<Vec3> joint_torque;  // N m, likewise, about the joint
    std::vector<double> most_contact, most_joint, most_tension;  // N; the last of each cable

    friend bool operator==(const Forces&, const Forces&) = default;
};

struct State {
    Clock clock;
    Bodies bodies;
    Contacts contacts;
    Draws draws;
    Stepper stepper;
    Tallies tallies;
    Settled settled;
    Balance balance;
    Cables cables;
    Engines engines;
    Controls controls;
    Extremes extremes;
    Forces forces;
    Joints joints;
    Loads loads;

    friend bool operator==(const State&, const State&) = default;
};

template <class Visitor>
void describe(Visitor& v, Clock& c) {
    v.field("phase", c.phase, "", "Index of the phase that runs.");
    v.field("phase_start", c.phase_start, "s", "Time at which that phase began.");
    v.field("time_in_phase", c.time_in_phase, "s", "Time since then.");
    v.field("steps", c.steps, "", "Accepted integration steps.");
}

template <class Visitor>
void describe(Visitor& v, Bodies& b) {
    v.field("position", b.position, "m", "Centre of mass.");
    v.field("orientation", b.orientation, "", "Quaternion from body to world, w x y z.");
    v.field("velocity", b.velocity, "m/s", "Velocity of the centre of mass.");
    v.field("spin", b.spin, "rad/s", "Angular velocity, world frame.");
}

template <class Visitor>
void describe(Visitor& v, Draws& d) {
    v.field("counter", d.counter, "", "Random numbers drawn so far.");
    v.field("next_rock", d.next_rock, "m", "Rolled distance at which the next rock is met; 0: not drawn yet.");
}

template <class Visitor>
void describe(Visitor& v, Stepper& s) {
    v.field("next_step", s.next_step, "s", "Step to try next; 0: choose afresh.");
    v.field("slow_since", s.slow_since, "s",
            "Since when all bodies under soft contact touch and move slower than the slip speed; -1: they do not.");
    v.field("residual", s.residual, "", "Largest residual that the solves for impulses of rigid steps have left so far, relative.");
    v.field("reference", s.reference, "m", "Where a linearised field was last computed; the origin: nowhere yet.");
}

template <class Visitor>
void describe(Visitor& v, Tallies& t) {
    v.field("heat_impact", t.heat_impact, "J/kg", "Heat from restitution, per mass of the body.");
    v.field("heat_friction", t.heat_friction, "J/kg", "Heat from friction, in impacts, in contact and inside cables, per mass.");
    v.field("heat_rolling", t.heat_rolling, "J/kg", "Heat from rolling and spinning resistance, in impacts and in contact, per mass.");
    v.field("heat_tide", t.heat_tide, "J/kg", "Heat from tides, per mass.");
    v.field("work", t.work, "J/kg",
            "Work done on the body from outside, per mass: by bodies that move in the frame, by sunlight, engines and winches.");
    v.field("rolled_distance", t.rolled_distance, "m", "Path of the centre while in contact.");
    v.field("deepest_overlap", t.deepest_overlap, "m", "Deepest overlap of body and surface seen at the end of a step.");
    v.field("impacts", t.impacts, "", "Number of impacts.");
    v.field("last_touch", t.last_touch, "s", "When it last touched something; -1: never.");
}

template <class Visitor>
void describe(Visitor& v, Settled& s) {
    v.field("time", s.time, "s", "When contacts between bodies last changed.");
    v.field("energy", s.energy, "J", "Mechanical energy then, and the heat of contacts less the work from outside up to then.");
    v.field("heat_tide", s.heat_tide, "J", "Heat of tides up to then.");
}

template <class Visitor>
void describe(Visitor& v, Balance& b) {
    v.field("start", b.start, "J", "Energy of all bodies at the start.");
    v.field("error", b.error, "J", "Largest change so far of energy with heat and without work.");
}

template <class Visitor>
void describe(Visitor& v, Forces& f) {
    v.field("contact", f.contact, "N",
            "Force of all contacts on each body in the last step; empty where the method does not tell it, and of groups where no signal "
            "asks for it.");
    v.field("joint", f.joint, "N", "Force of each joint on its first body in the last step; likewise.");
    v.field("joint_torque", f.joint_torque, "N*m", "Its torque about the joint; likewise.");
    v.field("most_contact", f.most_contact, "N", "Largest size so far of the force of contacts on each body.");
    v.field("most_joint", f.most_joint, "N", "Likewise of the force of each joint.");
    v.field("most_tension", f.most_tension, "N", "Largest tension so far of each cable, at ends of steps.");
}

// Visits every block: v.block(name, block).
template <class Visitor>
void describe(Visitor& v, State& s) {
    v.block("clock", s.clock);
    v.block("bodies", s.bodies);
    v.block("contacts", s.contacts);
    v.block("draws", s.draws);
    v.block("stepper", s.stepper);
    v.block("tallies", s.tallies);
    v.block("settled", s.settled);
    v.block("balance", s.balance);
    v.block("cables", s.cables);
    v.block("engines", s.engines);
    v.block("controls", s.controls);
    v.block("extremes", s.extremes);
    v.block("forces", s.forces);
    v.block("joints", s.joints);
    v.block("loads", s.loads);
}

}  // namespace asperity::model
