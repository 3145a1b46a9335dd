// The main loop of the event-driven method over one ball: each step is taken by the mode that the ball is in.
#pragma once
#include "asperity/dynamics/event_driven/flight.h"
#include "asperity/dynamics/event_driven/several.h"

namespace asperity::event_driven {

// Runs until `stop` (time in the phase), rest, escape or trouble. after_step(ball) is called at each step boundary.
template <class R, class AfterStep>
ASPERITY_HD void advance_ball(R& run, double stop, const AfterStep& after_step) {
    BallState& b = run.b;
    if (b.mode == Mode::rest) run.status = Status::at_rest;
    while (run.status == Status::going) {
        if (!(b.time < stop)) {
            run.status = Status::at_stop;
            break;
        }
        if (b.steps >= run.world.step_budget) {
            run.status = Status::out_of_steps;
            break;
        }
        const std::int64_t impacts = b.impacts;
        run.world.gravity.begin_step(b.p, b.v);
        if (b.mode == Mode::flight) {
            fly(run, stop);
        } else if (b.mode == Mode::several) {
            move_on_several(run, stop);
        } else {
            move_on_feature(run, stop);
        }
        if (b.mode != Mode::flight || b.impacts > impacts) b.last_touch = run.world.phase_start + b.time;
        if (run.steps.is_stuck(b.time) && run.status == Status::going)
            run.stall("steps follow each other while time advances by no more than rounding");
        if (run.status == Status::going) after_step(b);
    }
    if (!is_finite(b)) run.status = Status::non_finite;  // whatever else it looks like
}

}  // namespace asperity::event_driven
