// Free flight of the ball, which ends at the next contact, at the stop, or by escape.
#pragma once
#include "asperity/dynamics/event_driven/impacts.h"

namespace asperity::event_driven {

inline constexpr double companion_touch = 1e-3;  // of the radius; a ball that is nearer to the companion touches it

// How far (m) the ball is from the companion of its target; infinite where there is none.
template <class R>
ASPERITY_HD double clearance_of_companion(R& run) {
    const auto& world = run.world;
    if constexpr (requires { world.gravity.companion_pose(0.0); }) {
        if (world.companion.facet_count == 0) return HUGE_VAL;
        const Vec3 p = world.gravity.companion_pose(world.phase_start + run.b.time).to_body(run.b.p);
        const double scale = world.gravity.companion.field.scale;
        return scale * geometry::nearest(world.companion, (1 / scale) * p).distance - run.radius();
    } else {
        return HUGE_VAL;
    }
}

template <class R>
ASPERITY_HD void fly(R& run, double stop) {
    BallState& b = run.b;
    const auto& world = run.world;
    if (world.gravity.never_returns(b.p, b.v, world.phase_start + b.time, world.lower, world.upper, run.radius())) {
        run.status = Status::escaped;
        return;
    }
    const double own = world.has_contact ? geometry::nearest(world.view, b.p).distance - run.radius() : HUGE_VAL;
    const double other = clearance_of_companion(run);
    if (other <= companion_touch * run.radius()) {
        run.status = Status::at_companion;
        return;
    }
    const double clearance = std::fmin(own, other);
    if (own > 1e-6 * run.radius()) b.forget_contact();

    // A step covers a few times the clearance: longer ones would end far below ground and lose digits to cancellation. It never covers
    // the whole way to the companion, which is not searched for contacts: the ball comes down to it in ever shorter steps.
    double h_max = world.bounds.step_max;
    if (std::isfinite(own)) h_max = std::fmin(h_max, time_for(run, 4 * (std::fmax(0.0, clearance) + run.radius())));
    if (std::isfinite(other)) h_max = std::fmin(h_max, time_for(run, 0.5 * other));
    if (!std::isfinite(own)) h_max = std::fmin(h_max, time_for(run, norm(b.p)));  // nothing to hit; the scale of the field
    if (!(h_max > 0 && std::isfinite(h_max))) h_max = stop - b.time;              // neither motion nor pull: any step is exact

    const auto rhs = [&](const Flat& y) {
        Flat rate;
        const Vec3 p = y.three(position_slot), v = y.three(velocity_slot), w = y.three(spin_slot);
        const double time = world.phase_start + y[time_slot];
        rate.set_three(position_slot, v);
        const gravity::Drive drive = world.gravity.drive(p, v, time);
        rate.set_three(velocity_slot, drive.acceleration);
        rate.set_three(spin_slot, world.gravity.spin_rate(w));
        rate[work_slot] = drive.power;
        rate[time_slot] = 1;
        return rate;
    };
    const numerics::Step<slots> step = accepted_step(run, rhs, h_max);
    if (!world.has_contact) {
        commit(run, step.dense, 1.0, stop);
        return;
    }
    const Hit hit = first_contact(world.view, path_of(step.dense), run.radius(), 1.0, false, b.feature,
                                  [](const geometry::ClosestPoint&) { return false; });
    if (hit.is_stalled) return run.stall("the search for the next contact does not advance");
    const bool is_reached = commit(run, step.dense, hit.s, stop);
    note_overlap(run);
    if (is_reached && hit.is_found && run.status == Status::going) impact(run, hit.facet, stop);
}

}  // namespace asperity::event_driven
