// Keeps the extremes of named signals in State, and gives their values where a run is shown.
//
// Every method looks at each step boundary, before and after a jump. Between two looks the integral is that of the trapezoid. A method with
// dense output shows a smooth piece of a step in eighths, as to guards: then the integral is Simpson's, and an extreme inside is looked for
// at the vertex of the parabola through three neighbours, so that what is a polynomial of second degree in time is found to rounding.
// A signal of a step (analysis/signals.h) is a mean over it: it is looked at where steps end, and its integral is that mean times the step.
// Without named signals nothing is computed.
#pragma once
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "asperity/analysis/signals.h"

namespace asperity::dynamics {

class SignalWatch {
public:
    SignalWatch(const model::Model& model, model::State& state) : model_(model), state_(state) {}

    bool is_empty() const { return model_.parameters.signals.empty(); }
    // Whether nothing was looked at yet: at the start of a run, not of a restart.
    bool is_new() const { return state_.extremes.size() != model_.parameters.signals.size(); }

    // Valid until the next call.
    std::span<const double> values(double time_in_phase, const model::Bodies& bodies) {
        analysis::named_signals(model_, {.time_in_phase = time_in_phase, .bodies = bodies, .state = state_}, values_);
        return values_;
    }

    // At a step boundary, before or after a jump, after an action.
    void look(double time_in_phase, const model::Bodies& bodies) {
        if (!is_empty()) go_on(state_.clock.phase_start + time_in_phase, values(time_in_phase, bodies));
    }

    // From part 0 of a step of h seconds that begins at time_in_phase, up to part `end` of it. bodies_at(s) gives the bodies at a part.
    template <class BodiesAt>
    void along(double time_in_phase, double h, double end, const BodiesAt& bodies_at);

private:
    static constexpr std::size_t pieces = 8;

    bool is_of_step(std::size_t i) const { return analysis::nature_of(model_.parameters.signals[i].signal.kind).is_of_step; }
    void note(std::size_t i, double value, double time);
    void go_on(double time, std::span<const double> values);

    const model::Model& model_;
    model::State& state_;
    std::vector<double> values_;
    std::array<std::vector<double>, pieces + 1> piece_;
};

inline void SignalWatch::note(std::size_t i, double value, double time) {
    model::Extremes& e = state_.extremes;
    if (value < e.least[i]) e.least[i] = value, e.least_time[i] = time;
    if (value > e.most[i]) e.most[i] = value, e.most_time[i] = time;
}

inline void SignalWatch::go_on(double time, std::span<const double> values) {
    model::Extremes& e = state_.extremes;
    if (is_new()) e.begin(values.size(), time);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (is_of_step(i)) {
            e.integral[i] += std::fmax(0.0, time - e.until_of_steps) * values[i];
        } else if (time > e.until) {
            e.integral[i] += 0.5 * (time - e.until) * (e.last[i] + values[i]);
        }
        e.last[i] = values[i];
        note(i, values[i], time);
    }
    e.until = std::fmax(e.until, time);
    e.until_of_steps = std::fmax(e.until_of_steps, time);
}

template <class BodiesAt>
void SignalWatch::along(double time_in_phase, double h, double end, const BodiesAt& bodies_at) {
    if (is_empty() || !(end > 0)) return;
    const double start = state_.clock.phase_start + time_in_phase, width = end / pieces;
    for (std::size_t k = 0; k <= pieces; ++k) {
        const double s = k < pieces ? static_cast<double>(k) * width : end;
        const std::span<const double> now = values(time_in_phase + s * h, bodies_at(s));
        piece_[k].assign(now.begin(), now.end());
    }
    go_on(start, piece_.front());
    model::Extremes& e = state_.extremes;
    for (std::size_t i = 0; i < piece_.front().size(); ++i) {
        if (is_of_step(i)) continue;
        double sum = piece_.front()[i] + piece_.back()[i];
        for (std::size_t k = 1; k < pieces; ++k) sum += (k % 2 == 1 ? 4 : 2) * piece_[k][i];
        e.integral[i] += width * h / 3 * sum;
        for (std::size_t k = 1; k < pieces; ++k) {
            const double before = piece_[k - 1][i], at = piece_[k][i], after = piece_[k + 1][i];
            note(i, at, start + static_cast<double>(k) * width * h);
            // the vertex belongs to the triple in whose middle it is, at the ends of the piece to the outermost one
            const double vertex = 0.5 * (before - after) / (before - 2 * at + after);
            if (!(vertex >= (k == 1 ? -1 : -0.5) && vertex <= (k + 1 == pieces ? 1 : 0.5))) continue;
            const double s = (static_cast<double>(k) + vertex) * width;
            const analysis::Instant there{.time_in_phase = time_in_phase + s * h, .bodies = bodies_at(s), .state = state_};
            note(i, analysis::signal(model_, model_.parameters.signals[i].signal, there), start + s * h);
        }
        e.last[i] = piece_.back()[i];
        note(i, e.last[i], start + end * h);
    }
    e.until = start + end * h;
}

}  // namespace asperity::dynamics
