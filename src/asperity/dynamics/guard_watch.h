// Event location for the guards of the current phase: which of them fires, and when.
// A guard holds where all its conditions hold; it fires once it has held for its `lasting`, and the timers are in State.controls. Along a
// smooth piece of a step it is evaluated in eighths of the dense output, and a change between two of them is located to rounding: what
// begins and ends within an eighth of a step is not seen. After a jump it is evaluated once.
//
//   GuardWatch guards(model, state);
//   while (...) {
//       const double s = guards.along(0, h, s_end, motion_at);   // of a step with dense output; above s_end: none fires
//       ...the step, cut at s...
//       if (guards.look(...)) ...                                // after the step, and after a jump
//   }
#pragma once
#include <array>
#include <cmath>
#include <optional>

#include "asperity/analysis/signals.h"
#include "asperity/numerics/bracket.h"

namespace asperity::dynamics {

class GuardWatch {
public:
    GuardWatch(const model::Model& model, model::State& state) : model_(model), state_(state), guards_(guards_of(model, state)) {}

    bool is_empty() const { return guards_.empty(); }
    // The guard that fires; -1: none does.
    std::int64_t fired() const { return fired_; }

    // Evaluates the guards at one instant. `met`: an outcome that the method has recognised there.
    bool look(double time_in_phase, const model::Bodies& bodies, std::optional<model::OutcomeKind> met = {});

    // From part 0 of a step of h seconds that begins at time_in_phase, up to part `end` of it: the part where the first guard fires, 2
    // where none does. motion_at(s) gives the bodies at a part. Timers are those of the part that is returned, or of `end`.
    template <class MotionAt>
    double along(double time_in_phase, double h, double end, const MotionAt& motion_at);

private:
    static constexpr int pieces = 8;

    static const std::vector<model::Guard>& guards_of(const model::Model& model, const model::State& state) {
        static const std::vector<model::Guard> none;  // of a method that is run by itself
        const auto phase = static_cast<std::size_t>(state.clock.phase);
        return phase < model.parameters.phases.size() ? model.parameters.phases[phase].guards : none;
    }

    // Above zero where every condition holds, whatever its unit; zero where they just do.
    double margin(const model::Guard& guard, double time_in_phase, const model::Bodies& bodies) const;
    // Where guard g fires within [0, end], 2: it does not; moves its timer.
    template <class Margin>
    double walk(const model::Guard& guard, double time_in_phase, double h, double end, const Margin& margin_at, double& since) const;

    const model::Model& model_;
    model::State& state_;
    const std::vector<model::Guard>& guards_;
    std::int64_t fired_ = -1;
};

template <class Margin>
double GuardWatch::walk(const model::Guard& guard, double time_in_phase, double h, double end, const Margin& margin_at,
                        double& since) const {
    const double start = state_.clock.phase_start + time_in_phase;
    double s0 = 0, m0 = margin_at(0.0);
    for (int piece = 1; piece <= pieces; ++piece) {
        const double s1 = end * piece / pieces, m1 = margin_at(s1);
        const bool held = m0 >= 0, holds = m1 >= 0;
        const auto change = [&] { return held == holds ? s0 : numerics::bracketed_root(margin_at, s1, s0, m1, m0); };  // as after it
        if (since == model::guard_waits && !holds) since = model::guard_is_open;
        if (since == model::guard_is_open && holds) {
            const double at = change();
            since = start + at * h;
            if (!(guard.lasting > 0)) return at;
        }
        if (since >= 0) {
            const double until = holds ? s1 : change(), due = (since + guard.lasting - start) / h;
            if (due <= until) return std::fmax(s0, due);
            if (!holds) since = model::guard_is_open;
        }
        s0 = s1;
        m0 = m1;
    }
    return 2;
}

template <class MotionAt>
double GuardWatch::along(double time_in_phase, double h, double end, const MotionAt& motion_at) {
    if (guards_.empty() || !(end > 0)) return 2;
    std::vector<double>& since = state_.controls.since;
    double first = 2;
    fired_ = -1;
    const auto margin_of = [&](const model::Guard& guard) {
        return [&](double s) { return margin(guard, time_in_phase + s * h, motion_at(s)); };
    };
    for (std::size_t g = 0; g < guards_.size(); ++g) {
        if (guards_[g].is_named()) continue;
        double timer = since[g];
        const double at = walk(guards_[g], time_in_phase, h, end, margin_of(guards_[g]), timer);
        if (at < first) {
            first = at;
            fired_ = static_cast<std::int64_t>(g);
        }
    }
    // the others are looked at no further than the first that fires
    for (std::size_t g = 0; g < guards_.size(); ++g)
        if (!guards_[g].is_named()) walk(guards_[g], time_in_phase, h, std::fmin(first, end), margin_of(guards_[g]), since[g]);
    return first;
}

}  // namespace asperity::dynamics
