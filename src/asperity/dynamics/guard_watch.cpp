#include "asperity/dynamics/guard_watch.h"

#include <algorithm>

namespace asperity::dynamics {

double GuardWatch::margin(const model::Guard& guard, double time_in_phase, const model::Bodies& bodies) const {
    const analysis::Instant now{.time_in_phase = time_in_phase, .bodies = bodies, .state = state_};
    double least = HUGE_VAL;
    for (const model::Condition& condition : guard.conditions) {
        const double value = analysis::signal(model_, condition.signal, now);
        least = std::fmin(least, condition.is_above ? value - condition.value : condition.value - value);
    }
    return least;
}

bool GuardWatch::look(double time_in_phase, const model::Bodies& bodies, std::optional<model::OutcomeKind> met) {
    const double time = state_.clock.phase_start + time_in_phase;
    fired_ = -1;
    for (std::size_t g = 0; g < guards_.size(); ++g) {
        const model::Guard& guard = guards_[g];
        if (guard.is_named()) {
            if (fired_ < 0 && met && guard.conditions.front().named == *met) fired_ = static_cast<std::int64_t>(g);
            continue;
        }
        double& since = state_.controls.since[g];
        const bool holds = margin(guard, time_in_phase, bodies) >= 0;
        if (!holds)
            since = model::guard_is_open;
        else if (since == model::guard_is_open)
            since = guard.is_rising && time_in_phase == 0 ? model::guard_waits : time;
        if (fired_ < 0 && since >= 0 && time - since >= guard.lasting) fired_ = static_cast<std::int64_t>(g);
    }
    return fired_ >= 0;
}

}  // namespace asperity::dynamics
