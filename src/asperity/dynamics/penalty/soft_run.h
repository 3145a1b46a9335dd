// A run under soft contact: what contact_run.h keeps, with what contacts store and remember, and detection of rest.
//
// Rest. Below the slip speed V of its contacts friction holds a body as a static one would, but for a creep of at most V; a body that
// nothing holds passes V after V / a in the field a. So bodies are at rest once all of them touch something and have moved slower than V,
// their centres v and their surfaces r w each, for ten times as long; the outcome is dated to when that began. Bodies without
// friction never come to rest. Friction without memory bears a tangential force by slip alone, so that a bed of many creeps for ever,
// grains rolling over each other at 2 V or so: a group of many rests where the root mean square of v and r w is below 5 V, for 50 V / a, in
// which what nothing holds would pass that ten times over. A few of it may still roll.
// Velocities count against the ground, or, where there is none, against the one driven body, if that turns evenly: an asteroid in an
// inertial frame. A body that touches another driven one, which may throw it yet, is not at rest.
// Where friction has springs, nothing creeps, and V is a hundredth of the speed that it takes to make the contact slip, roll or open;
// slower than V for a period of its springs too, the body stands still but for a swing within them, which only dies out.
//
//   run.begin(state, observer);
//   while (time < end) { if (run.ending(state)) ...; ...one step of bodies() and heat(), then the clock...; run.end_step(state, observer);
//   } run.finish(state, observer);
#pragma once
#include <algorithm>
#include <optional>
#include <vector>

#include "asperity/dynamics/contact_run.h"
#include "asperity/dynamics/method.h"
#include "asperity/dynamics/penalty/soft_world.h"

namespace asperity::dynamics {

class SoftRun {
public:
    explicit SoftRun(const model::Model& model);

    SoftWorld& soft() { return soft_; }
    const SoftWorld& soft() const { return soft_; }
    model::Bodies& bodies() { return now_; }
    const model::Bodies& bodies() const { return now_; }
    std::vector<BodyHeat>& heat() { return run_.heat(); }  // J/kg, of each group
    // The mean of the forces of contacts and joints over the step: from none, and `part` of those at the last evaluation.
    void clear_contact_force() {
        std::ranges::fill(run_.contact_force(), Vec3{});
        joint_force_.assign(world_.joints.size(), {});
        joint_torque_ = joint_force_;
    }
    void add_contact_force(double part, const SoftWorld::Pairs* touching = nullptr) {
        soft_.add_contact_force(part, run_.contact_force(), touching);
        if (soft_.has_joints()) soft_.add_joint_force(part, joint_force_, joint_torque_);
    }
    // After a step, and at its start where velocities do not suit the joints yet.
    void close_joints() {
        if (!soft_.has_joints()) return;
        soft_.close_joints(now_, joint_heat_);
        run_.add_heat(1, joint_heat_);
    }
    // Adds the heat that a time h sets free at these rates, W/kg of each body.
    void add_heat(double h, const std::vector<BodyHeat>& rates) { run_.add_heat(h, rates); }

    void begin(model::State& state, model::Observer& observer);
    // The outcome, where the run ends here: rest, a number that is not finite, the budget of steps. State is stored then.
    std::optional<model::Outcome> ending(model::State& state);
    // To be called after the clock has moved on: notes contacts, rest and energy, and makes samples and checkpoints. Returns the guard that
    // fires, -1 if none does; `fired` is the guard at which the step was cut.
    std::int64_t end_step(model::State& state, model::Observer& observer, std::int64_t fired = -1);
    void finish(model::State& state, model::Observer& observer);

private:
    void store(model::State& state);
    void fill_energies(double time, std::vector<model::Ledger>& out);
    bool find_slip_speeds();
    template <class Slow, class Rim>
    bool is_slow(const model::Group& group, const Slow& slow, const Rim& rim) const;
    void note_rest(model::State& state);

    const model::Parameters& world_;
    SoftWorld soft_;
    ContactRun run_;
    model::Bodies& now_;              // of run_
    double most_slip_speed_ = 0;      // m/s, of all laws
    std::vector<double> slip_speed_;  // m/s, workspace of note_rest: least slip speed of the contacts of each body, zero where it has none
    std::vector<std::uint32_t> contacts_of_;        // workspace of note_rest: number of contacts of each body
    std::vector<Vec3> spins_freely_about_;          // workspace of note_rest: axis of a spin that nothing ends; zero: none
    std::vector<Vec3> joint_force_, joint_torque_;  // N, N m
    std::vector<BodyHeat> joint_heat_;              // J/kg
    double longest_period_ = 0;                     // s, workspace of note_rest: longest period of the springs of contacts
};

}  // namespace asperity::dynamics
