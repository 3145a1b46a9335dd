// The output of every method without dense output: samples at step boundaries, touches and partings, checkpoints; and detection of failed
// runs.
// A sample shows the first step boundary at or after the time that the observer asks for. Potential and elastic energy of a pair are shared
// half and half.
//
//   Watch watch(model, state, observer);
//   while (time < stop) { ...one step...; if (watch.is_sample_due(time)) watch.sample(...); if (watch.is_checkpoint_due(time)) ...; }
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "asperity/dynamics/guard_watch.h"
#include "asperity/dynamics/method.h"
#include "asperity/dynamics/motion.h"
#include "asperity/dynamics/signal_watch.h"

namespace asperity::dynamics {

// A pair i < j that comes into touch or parts.
struct PairEvent {
    model::EventKind kind = model::EventKind::impact;  // or separation
    std::size_t i = 0;
    std::size_t j = 0;
    Vec3 normal;                  // unit, from body j towards body i
    double normal_speed_in = 0;   // m/s, positive: approaching
    double normal_speed_out = 0;  // m/s, positive: parting
    double heat = 0;              // J
};

class Watch {
public:
    Watch(const model::Model& model, model::State& state, model::Observer& observer);

    bool is_sample_due(double time_in_phase) const { return phase_start_ + time_in_phase >= next_sample_; }
    bool is_checkpoint_due(double time_in_phase) const { return phase_start_ + time_in_phase >= observer_.next_checkpoint(); }

    // Shows all bodies. mode: one per pair. elastic: J, one per pair; empty where a method has none.
    void sample(double time_in_phase, const Motion& motion, std::span<const model::Mode> mode, std::span<const double> elastic);

    // Tells the observer; counts an impact for both bodies in `tallies`, and marks when contacts last changed in State.
    void event(double time_in_phase, const Motion& motion, const PairEvent& event, model::Tallies& tallies);

    // To be called after every step: keeps the largest error of energy, and the extremes of signals, in State.
    void end_step(double time_in_phase, std::int64_t steps, const Motion& motion) {
        if (steps % steps_a_look == 0) keep_error(settled_at(phase_start_ + time_in_phase, motion));
        look(time_in_phase, motion);
    }

    // At named signals; also to be called before a jump.
    void look(double time_in_phase, const Motion& motion);

    // The guard that fires at a step boundary; -1: none does.
    std::int64_t fired(double time_in_phase, const Motion& motion);

    // Marks that contacts changed without an event.
    void settle(double time_in_phase, const Motion& motion);

    void checkpoint(const model::State& state) { observer_.checkpoint(state); }

    // The end of a run that ran into trouble: something is no finite number, or the budget of steps is used up.
    std::optional<model::Outcome> trouble(double time_in_phase, std::int64_t steps, const Motion& motion) const;

private:
    static constexpr std::int64_t steps_a_look = 64;

    model::Settled settled_at(double time, const Motion& motion) const;
    void keep_error(const model::Settled& now);
    void find_contacts(const Motion& motion, std::span<const model::Mode> mode);

    const model::Model& model_;
    model::Observer& observer_;
    model::Settled& settled_;
    model::Balance& balance_;
    GuardWatch guards_;
    SignalWatch signals_;
    double phase_start_ = 0;             // s
    double next_sample_ = 0;             // s, of the run
    std::vector<model::Ledger> ledger_;  // workspace of a sample
    std::vector<model::ContactRow> contacts_;
};

}  // namespace asperity::dynamics
