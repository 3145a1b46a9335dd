// Free flight: up to the next contact, to the stop, or away for good.
#pragma once
#include "asperity/dynamics/event_driven/impacts.h"

namespace asperity::dynamics::event_driven {

template <class R>
ASPERITY_HD void fly(R& run, double stop) {
    BallState& b = run.b;
    const auto& world = run.world;
    if (world.gravity.never_returns(b.p, b.v, world.lower, world.upper, run.radius())) {
        run.status = Status::escaped;
        return;
    }
    const double clearance = geometry::nearest(world.view, b.p).distance - run.radius();
    if (clearance > 1e-6 * run.radius()) b.feature.index = -1;

    // A step covers a few times the clearance: longer ones would end far below ground and lose digits to cancellation.
    const double way = 4 * (std::fmax(0.0, clearance) + run.radius());
    const double h_max = std::fmin(stop - b.time, std::fmin(world.bounds.step_max, time_for(run, way)));

    const auto rhs = [&](const Flat& y) {
        Flat rate;
        const Vec3 v = y.three(velocity_slot);
        rate.set_three(position_slot, v);
        rate.set_three(velocity_slot, world.gravity.acceleration(y.three(position_slot), v));
        return rate;
    };
    const numerics::Step<slots> step = accepted_step(run, rhs, h_max);
    const Hit hit = first_contact(world.view, path_of(step.dense), run.radius(), 1.0, false, b.feature,
                                  [](const geometry::ClosestPoint&) { return false; });
    if (hit.is_stalled) return run.stall("the search for the next contact does not advance");
    commit(run, step.dense, hit.s, stop);
    note_overlap(run);
    if (hit.is_found && run.status == Status::going) impact(run, hit.facet, stop);
}

}  // namespace asperity::dynamics::event_driven
