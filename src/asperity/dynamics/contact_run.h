// The bookkeeping of a run whose contacts come as a list at each step: conversion from and to State, contacts that begin and end, heat,
// balance of energy, samples, guards, detection of failed runs.
//
//   run.load(state, observer.next_sample());
//   ...a step of bodies() and heat(), then the clock...
//   run.note_contacts(contacts, detector, speeds, state, observer);
//   const auto [guard, is_due] = run.end_step(contacts, state, observer);      // is_due: run.store(state), and a checkpoint if none fired
//
// Heat is J/kg of each group of bodies. The energies of an instant are the method's: it gives the function that fills them.
#pragma once
#include <functional>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "asperity/contact/contact_list.h"
#include "asperity/contact/detector.h"
#include "asperity/dynamics/motion.h"
#include "asperity/model/ledger.h"
#include "asperity/model/observer.h"
#include "asperity/model/outcome.h"

namespace asperity::dynamics {

class ContactRun {
public:
    using Energies = std::function<void(double time, std::vector<model::Ledger>& out)>;  // without heat
    using Key = std::tuple<std::int32_t, std::int32_t, std::int64_t>;

    ContactRun(const model::Model& model, Energies energies);

    model::Bodies& bodies() { return now_; }
    const model::Bodies& bodies() const { return now_; }
    std::vector<BodyHeat>& heat() { return heat_; }
    // Heat of a time h at these rates, W/kg of each body.
    void add_heat(double h, const std::vector<BodyHeat>& rates);

    // N, of all contacts on each body in the step that ends; of groups empty where no signal asks for it.
    std::vector<Vec3>& contact_force() { return contact_force_; }

    // Bodies with driven rows in place, heat, contacts.
    void load(const model::State& state, double next_sample);
    void store(model::State& state) const;  // with the rows of contacts, but nothing that they remember
    // Contacts that are no impacts: those of the first instant.
    void set_contacts(const contact::ContactList& contacts);

    // The one driven body stands for the ground: bodies can rest on it.
    bool rests_on_driven() const { return rests_on_driven_; }
    // Velocity and spin of what stands still, where body i is.
    std::pair<Vec3, Vec3> motion_of_ground(std::size_t i) const;

    // What the event of an impact tells; nan: the impact lasts, and is not over yet.
    struct Speeds {
        double in = 0, out = 0;  // m/s, along the normal
        double heat = 0;         // J
    };
    // New contacts are impacts, those that are gone separations; both at the end of the step in which they are seen. speeds(k): of contact
    // k of the list.
    using SpeedsOf = std::function<Speeds(std::size_t contact)>;
    void note_contacts(const contact::ContactList& contacts, const contact::Detector& detector, const SpeedsOf& speeds, model::State& state,
                       model::Observer& observer);

    struct StepEnd {
        std::int64_t guard = -1;  // that fires; -1: none does
        bool is_due = false;      // the state must be stored: a guard has fired, or a checkpoint is due
    };
    // Balance of energy, signals, sample, guards. fired: the guard in which the step has ended.
    StepEnd end_step(const contact::ContactList& contacts, model::State& state, model::Observer& observer, std::int64_t fired = -1);

    void check_balance(model::State& state);
    void sample(const model::State& state, const contact::ContactList& contacts, model::Observer& observer);
    bool is_sample_due(double time) const { return time >= next_sample_; }
    double next_sample() const { return next_sample_; }         // s, of the run
    bool touches_nothing() const { return touching_.empty(); }  // after the last step
    std::optional<model::Outcome> trouble(const model::Clock& clock) const;

private:
    void tell(model::EventKind kind, const contact::ContactPoint& contact, const Speeds& speeds, const model::State& state,
              model::Observer& observer) const;
    void keep(const contact::ContactList& contacts);
    void note_touching();
    void add_way(model::State& state);
    contact::ContactPoint parted(std::pair<std::int32_t, std::int32_t> rows, const contact::Detector& detector) const;
    void note_most(model::State& state) const;
    void fill_ledger(double time);

    const model::Model& model_;
    const model::Parameters& world_;
    Energies energies_;
    bool rests_on_driven_ = false;
    model::Bodies now_;
    std::vector<BodyHeat> heat_;
    std::vector<Key> touching_;  // after the last step
    // Of each group of one body, for the way of its centre over the ground: whether it touched after the last step, and where it was then.
    struct Way {
        bool touched = false, touches = false;
        Vec3 last;  // m
    };
    std::vector<Vec3> contact_force_;
    std::vector<Way> ways_;  // empty where there is nothing to roll on, and where all groups are of many
    double last_time_ = 0;   // s
    std::vector<model::Ledger> ledger_;
    std::vector<model::ContactRow> rows_;
    std::vector<double> signals_;
    double next_sample_ = 0;  // s, of the run
};

// Velocity of a relative to b where they touch.
Vec3 slip_of(const contact::ContactPoint& contact, const model::Bodies& bodies);

}  // namespace asperity::dynamics
