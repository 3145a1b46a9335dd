// Contact motion on one feature (facet, edge or vertex) as a hybrid system: slide and roll are modes, and their changes are located events.
//
//   event                        what follows
//   leaves the feature's region  the neighbouring feature, or flight
//   N = 0                        separation
//   slide: slip = 0              roll, if friction can hold it; else slide the other way
//   roll: |F| = f N              slide
//   spin across n = 0            rest, if the slope allows it; else the other way round (laws thesis, published: all of the spin)
//   spin about n = 0             held there by spinning resistance, until (10) of laws/contact/rolling.h fails; none where C_s = 0
// Rest is declared only where the static laws hold: rolling up a slope and back down is not rest. The thesis declares it below limits of
// speed and slope instead (1-landers 6.3), which `rest_below_speed` repeats. At rest the centre stands still and the ball does not roll.
// Spin about n must have ended where spinning resistance acts; without it nothing ever ends it, and the ball at rest goes on spinning on
// the spot. A ball that still spins on the spot is in mode roll, with its spin across n held.
#pragma once
#include "asperity/dynamics/event_driven/completion.h"
#include "asperity/dynamics/event_driven/single_guards.h"

namespace asperity::event_driven {

template <class R>
ASPERITY_HD void impact(R& run, std::int32_t hit_facet, double stop);
template <class R>
ASPERITY_HD void hit_rolling_rock(R& run, double stop);
template <class R>
ASPERITY_HD void look_for_rock(R& run, const Feature& ground);

template <class R>
ASPERITY_HD void leave(R& run, const Feature& left) {
    BallState& b = run.b;
    b.mode = Mode::flight;
    b.feature = left;
    if (left.index < 0) b.forget_contact();
    b.next_step = 0;
    run.event(EventKind::separation, left.index < 0 ? Vec3{} : touch_on(run.world.view, left, b.p, b.v).normal);
}

// Turns off what is left of spin or slip after its zero was located; the energy is rounding, and goes to the ledger.
template <class R>
ASPERITY_HD void set_motion(R& run, const laws::Motion& motion, double& heat) {
    heat += laws::kinetic(run.motion(), run.world.ball) - laws::kinetic(motion, run.world.ball);
    run.b.v = motion.v;
    run.b.w = motion.w;
}

namespace detail {

// The spin that rolling resistance acts on; zero where it is rounding of the spin about the normal.
template <class R>
ASPERITY_HD Vec3 rolling_spin(const R& run, const laws::SingleContact& law, const Vec3& n) {
    const Vec3 spin = law.rolling_spin(run.b.w, n);
    return norm(spin) <= run.rounding() * norm(run.b.w) ? Vec3{} : spin;
}

// Whether the ball turns about the normal, and to which side: as it does, or from no spin as it begins to, unless that is held.
template <class R>
ASPERITY_HD void choose_drilling(R& run, const laws::SingleContact& law, const laws::Touch& touch, double load) {
    BallState& b = run.b;
    b.drilling = 0;
    if (law.spinning == 0 || law.regularisation > 0) return;
    const Vec3& n = touch.normal;
    double about = dot(b.w, n);
    if (run.radius() * std::fabs(about) <= 1e-10 * run.slow_speed() + run.slip_rounding()) {
        set_motion(run, {b.v, b.w - about * n}, b.heat_rolling);
        const double drive = law.drilling_drive(run.motion(), touch);
        about = std::fabs(drive) <= law.drilling_limit(load) ? 0 : drive;
    }
    if (about != 0) b.drilling = about > 0 ? 1 : -1;
}

// Slide with the slip that there is, or from zero slip in the direction in which it starts.
template <class R>
ASPERITY_HD void start_slide(R& run, const laws::Touch& touch, const Vec3& direction) {
    BallState& b = run.b;
    const laws::SingleContact law = law_on(run.world, b.feature);
    b.slip_direction = direction;
    b.spin_locked = false;
    const Vec3 spin = rolling_spin(run, law, touch.normal);
    b.roll_axis = unit(spin);
    if (spin == Vec3{} && law.regularisation == 0) {
        const double load = law.normal_force(run.motion(), touch, run.acceleration());
        const Vec3 hold = law.holding_torque(run.motion(), touch, (-law.friction * load) * direction);
        b.spin_locked = law.holding_margin(hold, load) >= 0;
        b.roll_axis = -unit(hold);  // the way in which friction turns the ball
    }
    const bool is_new = b.mode != Mode::slide;
    b.mode = Mode::slide;
    if (is_new) run.event(EventKind::slide, touch.normal);
}

// spin_locked: it only spins about the normal, on the spot.
template <class R>
ASPERITY_HD void start_roll(R& run, const laws::Touch& touch, const Vec3& axis, bool spin_locked) {
    BallState& b = run.b;
    b.roll_axis = axis;
    b.spin_locked = spin_locked;
    const bool is_new = b.mode != Mode::roll;
    b.mode = Mode::roll;
    if (is_new) run.event(EventKind::roll, touch.normal);
}

template <class R>
ASPERITY_HD void come_to_rest(R& run, const laws::Touch& touch) {
    run.b.mode = Mode::rest;
    run.event(EventKind::rest, touch.normal);
    run.status = Status::at_rest;
}

}  // namespace detail

// Chooses the mode of a ball on `feature` that has no normal velocity. Slips and spins below rounding are taken as zero.
template <class R>
ASPERITY_HD void enter(R& run, const Feature& feature) {
    BallState& b = run.b;
    const laws::SingleContact law = law_on(run.world, feature);
    const double r = run.radius();
    if (!(b.feature == feature)) b.next_step = 0;
    b.feature = feature;
    laws::Touch touch = touch_on(run.world.view, feature, b.p, b.v);
    const Vec3 n = touch.normal;
    b.p = foot(run.world.view, feature, b.p) + r * n;
    const double parting = dot(n, b.v), heat = b.heat_impact;
    set_motion(run, {tangential(b.v, n), b.w}, b.heat_impact);
    touch = touch_of(run.world, feature, b.p, run.motion());
    const Vec3 a = run.acceleration();
    const double load = law.normal_force(run.motion(), touch, a);
    if (!(load > 0)) {
        if (parting > 0) {  // it leaves as it came: what turned it back would throw it onto the facet from which it came
            b.v += parting * n;
            b.heat_impact = heat;
        }
        return leave(run, feature);
    }
    look_for_rock(run, feature);
    detail::choose_drilling(run, law, touch, load);
    if (law.regularisation > 0) return detail::start_slide(run, touch, {});

    const double stillness = 1e-10 * run.slow_speed();
    if (norm(b.v) + r * norm(b.w) <= stillness) set_motion(run, {}, b.heat_rolling);
    const Vec3 spin = detail::rolling_spin(run, law, n);
    const bool stands = norm(b.v) + r * norm(spin) <= stillness;
    if (stands) set_motion(run, {{}, b.w - law.rolling_spin(b.w, n)}, b.heat_rolling);
    const Vec3 u = laws::slip(run.motion(), n, r);
    if (norm(u) > run.no_slip()) return detail::start_slide(run, touch, unit(u));

    if (!stands) set_motion(run, {b.v, cross(n, b.v) / r + dot(b.w, n) * n}, b.heat_friction);  // u = 0
    touch = touch_of(run.world, feature, b.p, run.motion());
    if (stands && law.stays(run.motion(), touch, a))
        return b.drilling == 0 ? detail::come_to_rest(run, touch) : detail::start_roll(run, touch, {}, true);
    const Vec3 axis = unit(stands ? cross(n, law.tilt(touch, a)) : law.rolling_spin(b.w, n));
    const laws::Response held = law.roll(run.motion(), touch, a, {.slip = {}, .axis = axis});
    if (norm(held.friction) <= law.friction * load) return detail::start_roll(run, touch, axis, false);
    // u' without friction is -(1 + 1/j) times the friction that would hold it
    detail::start_slide(run, touch, -unit(held.friction));
}

// The direction in which the region of the feature ends soonest: -grad of inside(), which is piecewise linear.
ASPERITY_HD inline Vec3 out_of_region(const SurfaceView& view, const Feature& feature, const Vec3& p, double reach) {
    const auto slope = [&](const Vec3& axis) { return inside(view, feature, p - reach * axis) - inside(view, feature, p + reach * axis); };
    return unit(Vec3{slope({1, 0, 0}), slope({0, 1, 0}), slope({0, 0, 1})});
}

// Whether the border to the next feature bends so little (by an angle b) that nothing of what the bend does could be seen: the arc around a
// convex edge, off the planes by r b^2 / 2, the hop off it, and the hop after the impact on a concave one, no higher than (v b)^2 / (2 N).
template <class R>
ASPERITY_HD bool is_slight(R& run, const Feature& next) {
    const BallState& b = run.b;
    const Vec3 n = touch_on(run.world.view, next, b.p, b.v).normal, old = touch_on(run.world.view, b.feature, b.p, b.v).normal;
    const double r = run.radius(), load = -dot(run.acceleration(), n);
    return dot(old, n) > 0 && load > 0 && squared_norm(cross(old, n)) * (r + squared_norm(b.v) / load) < 1e-2 * grace * r;
}

// Passes the contact on to the next feature, with the impulse that turns the ball into its direction. The hops after that impact are left
// out: their normal impulse is that of the load in the same time.
template <class R>
ASPERITY_HD void pass_on(R& run, const Feature& next) {
    BallState& b = run.b;
    const Vec3 n = touch_on(run.world.view, next, b.p, b.v).normal;
    const double approach = -dot(n, b.v);
    if (approach > neutral_rate(b.p, b.v, run.radius())) {
        const double heat = strike(run, surface_on(run.world, next), n, approach, 0);
        ++b.impacts;
        run.event(EventKind::impact, n, approach, 0, heat);
        if (run.status != Status::going) return;
    }
    run.event(EventKind::transfer, n);
    enter(run, next);
}

// Moves the contact, which leaves its facet by that side, to the feature that lies ahead. Across a slight border that is the neighbour, for
// which no place is looked at: around a vertex this leads from facet to facet to the one into which the ball moves, whatever rounding says
// of where it is. Else it is found along the velocity, and where that runs along the border, across it.
template <class R>
ASPERITY_HD void transfer(R& run, int side, double stop) {
    BallState& b = run.b;
    if (b.feature.kind == FeatureKind::facet) {
        const Feature next{FeatureKind::facet, run.world.view.facets[b.feature.index].neighbour[side]};
        if (next.index >= 0 && is_slight(run, next)) return pass_on(run, next);
    }
    const double r = run.radius();
    for (const Vec3& direction : {unit(b.v), out_of_region(run.world.view, b.feature, b.p, 1e-6 * r)}) {
        for (double ahead = 1e-9; ahead < 1e-5; ahead *= 10) {
            const Vec3 q = b.p + (ahead * r) * direction;
            // The nearest local minimum: a seam of coplanar facets is as near as the facet ahead, in double precision, but none. Around
            // what it moves on to the ball turns by no more than the way over the radius; what it leaves faster is not ahead.
            geometry::ClosestPoint near;
            geometry::for_each_minimum_within(run.world.view, q, r * (1 + 1e-3), [&](const geometry::ClosestPoint& found) {
                if (dot(found.offset, b.v) > 2 * ahead * r * norm(b.v)) return;
                const bool is_tie = found.distance == near.distance && found.facet < near.facet;
                if (found.distance < near.distance || is_tie) near = found;
            });
            if (!near.found())
                near = geometry::nearest_within(run.world.view, q, r * (1 + 1e-3));  // rounding at a border hides the minimum
            if (!near.found()) return leave(run, b.feature);
            const Feature next = feature_at(run.world.view, near.feature, q, 0.5 * ahead * r);
            if (next == b.feature) continue;
            const Vec3 n = touch_on(run.world.view, next, b.p, b.v).normal;
            if (dot(n, b.v) < -1e-9 * norm(b.v) && !is_slight(run, next)) return impact(run, near.facet, stop);
            return pass_on(run, next);
        }
    }
    run.stall("the contact cannot be passed on to the next facet, edge or vertex");
}

namespace detail {

// Rolling resistance no longer holds the spin across the normal at zero.
template <class R>
ASPERITY_HD void unlock(R& run, const laws::SingleContact& law, const laws::Touch& touch) {
    BallState& b = run.b;
    const Vec3 a = run.acceleration();
    const laws::Reference reference{.slip = b.slip_direction, .axis = {}, .drilling = static_cast<double>(b.drilling)};
    const bool slides = b.mode == Mode::slide;
    const laws::Response held =
        slides ? law.slide(run.motion(), touch, a, reference, true) : law.roll(run.motion(), touch, a, reference, true);
    b.spin_locked = false;
    b.roll_axis = -unit(law.holding_torque(run.motion(), touch, held.friction));
    if (slides) return;
    const laws::Response rolling = law.roll(run.motion(), touch, a, {.slip = {}, .axis = b.roll_axis});
    if (norm(rolling.friction) > law.friction * rolling.normal) start_slide(run, touch, -unit(rolling.friction));
}

// The spin about the normal has come to zero, or its being held there has ended.
template <class R>
ASPERITY_HD void end_drilling(R& run, const laws::SingleContact& law, const laws::Touch& touch) {
    BallState& b = run.b;
    if (b.drilling == 0) {
        b.drilling = law.drilling_drive(run.motion(), touch) > 0 ? 1 : -1;
        return;
    }
    set_motion(run, {b.v, tangential(b.w, touch.normal)}, b.heat_rolling);
    enter(run, b.feature);
}

}  // namespace detail

// Whether a slide has come down to so little that friction's direction is noise and its zero no simple root, and friction could hold it:
// with `held`, the contact as it would then be.
template <class R>
ASPERITY_HD bool has_caught(R& run, laws::Response& held) {
    const BallState& b = run.b;
    const laws::SingleContact law = law_on(run.world, b.feature);
    const laws::Touch touch = touch_of(run.world, b.feature, b.p, run.motion());
    if (norm(laws::slip(run.motion(), touch.normal, run.radius())) > run.no_slip()) return false;
    const Vec3 a = run.acceleration();
    const Vec3 spin = detail::rolling_spin(run, law, touch.normal);
    const Vec3 axis = spin == Vec3{} ? b.roll_axis : unit(spin);
    held = law.roll(run.motion(), touch, a, {.slip = {}, .axis = axis, .drilling = static_cast<double>(b.drilling)});
    return norm(held.friction) <= law.friction * held.normal;
}

// The rest of a slide that has_caught(). So little is left that load and outside forces are constant until it ends, after the time T:
//   u' = -A u^ + B,   A = f N (1 + 1/j),   B = -(1 + 1/j) F of (5) in rolling.h,   T = (A |u| + B . u) / (A^2 - B^2)          (1)
// since A |u| + B . u falls at the constant rate A^2 - B^2, however u turns. Nothing is done where friction can only just hold, or where
// the slide outlasts `stop`.
template <class R>
ASPERITY_HD void finish_slide(R& run, const laws::Response& held, double stop) {
    BallState& b = run.b;
    const laws::SingleContact law = law_on(run.world, b.feature);
    const Vec3 n = touch_on(run.world.view, b.feature, b.p, b.v).normal;
    const double r = run.radius(), gain = 1 + 1 / run.world.ball.inertia_factor, most = gain * law.friction * held.normal;
    const Vec3 u = tangential(laws::slip(run.motion(), n, r), n), drive = -gain * held.friction;
    const double left = (most * norm(u) + dot(drive, u)) / (most * most - squared_norm(drive));
    if (!(most * left <= 1e-6 * (norm(b.v) + r * norm(b.w))) || !(b.time + left < stop)) return;
    const double about = dot(b.w + left * held.w_rate, n);
    Vec3 v = b.v + left * (held.v_rate - held.friction) - (u + left * drive) / gain;
    b.heat_friction += left * dot(run.acceleration(), b.v);  // what gravity adds
    b.p += left * b.v;
    b.time += left;
    const Vec3 turned = touch_on(run.world.view, b.feature, b.p, v).normal;  // around an edge the normal has turned with the ball
    v = tangential(v, turned);
    set_motion(run, {v, cross(turned, v) / r + about * turned}, b.heat_friction);
}

// After a guard: the zero that was located is made exact, and the mode is chosen anew.
template <class R>
ASPERITY_HD void act_on(R& run, Guard guard, const Region& region, const laws::Motion& start, double stop) {
    BallState& b = run.b;
    const laws::SingleContact law = law_on(run.world, b.feature);
    const laws::Touch touch = touch_of(run.world, b.feature, b.p, run.motion());
    const double was_turning = norm(law.rolling_spin(start.w, touch.normal)), r = run.radius();
    if (guard == Guard::rock) return hit_rolling_rock(run, stop);
    if (guard == Guard::region) return transfer(run, region.side(b.p), stop);
    if (guard == Guard::load) return leave(run, b.feature);
    if (guard == Guard::still) {
        set_motion(run, {}, b.heat_rolling);
        return detail::come_to_rest(run, touch);
    }
    if (guard == Guard::drilling) return detail::end_drilling(run, law, touch);
    if (guard == Guard::spin) {
        if (law.regularisation > 0) {
            if (law.stays(run.motion(), touch, run.acceleration())) detail::come_to_rest(run, touch);
            return;
        }
        if (b.spin_locked) return detail::unlock(run, law, touch);
        const Vec3 spin = detail::rolling_spin(run, law, touch.normal);
        if (norm(spin) > 1e-9 * was_turning &&
            r * norm(spin) > run.stillness()) {  // it has turned to one side, not to zero: go on with the new direction
            b.roll_axis = unit(spin);
            return;
        }
        const bool is_rolling = b.mode == Mode::roll;
        set_motion(run, {is_rolling ? Vec3{} : b.v, b.w - law.rolling_spin(b.w, touch.normal)}, b.heat_rolling);
        return enter(run, b.feature);
    }
    if (law.regularisation > 0) {
        b.mode = b.mode == Mode::slide ? Mode::roll : Mode::slide;
        return run.event(b.mode == Mode::roll ? EventKind::roll : EventKind::slide, touch.normal);
    }
    if (b.mode == Mode::slide) {
        const Vec3 u = laws::slip(run.motion(), touch.normal, r);
        const double was_slipping = norm(laws::slip(start, touch.normal, r));
        if (norm(u) > 1e-9 * was_slipping) {
            laws::Response held;
            if (norm(u) > run.no_slip()) {
                b.slip_direction = unit(u);
                return;
            }
            if (has_caught(run, held)) finish_slide(run, held, stop);
        }
        set_motion(run, {b.v, cross(touch.normal, b.v) / r + dot(b.w, touch.normal) * touch.normal}, b.heat_friction);
        return enter(run, b.feature);
    }
    // Friction has just failed to hold: asking again whether it does would hang on the last digit.
    const Vec3 axis = laws::continued(law.rolling_spin(b.w, touch.normal), b.roll_axis, 0);
    const laws::Response held = law.roll(run.motion(), touch, run.acceleration(), {.slip = {}, .axis = axis}, b.spin_locked);
    detail::start_slide(run, touch, -unit(held.friction));
}

// One step of contact motion on b.feature.
template <class R>
ASPERITY_HD void move_on_feature(R& run, double stop) {
    BallState& b = run.b;
    const auto& world = run.world;
    const double r = run.radius();
    const Mode mode = b.mode;
    const laws::SingleContact law = law_on(world, b.feature);
    const bool rolls = mode == Mode::roll && law.regularisation == 0;
    const laws::Motion start = run.motion();
    const Vec3 n0 = touch_on(world.view, b.feature, b.p, b.v).normal;
    const double rounding = run.slip_rounding(), floor = run.slip_floor();
    // The spin across the normal may be small against that about it: its direction is made orthogonal to the normal once more.
    const Vec3 slip = tangential(laws::slip(start, n0, r), n0), spin = law.rolling_spin(b.w, n0);
    const double about = dot(b.w, n0);
    if (law.spinning > 0 && r * std::fabs(about) > rounding) b.drilling = about > 0 ? 1 : -1;  // a ball that was put down spinning
    const laws::Reference reference{.slip = norm(slip) > floor ? unit(slip) : b.slip_direction,
                                    .axis = r * norm(spin) > rounding ? law.rolling_spin(unit(spin), n0) : b.roll_axis,
                                    .slip_floor = floor,
                                    .spin_floor = rounding / r,
                                    .creep = 1e3 * world.tolerance * (norm(b.v) + r * norm(b.w)),
                                    .drilling = static_cast<double>(b.drilling)};
    struct {
        Vec3 p, v, a;
    } last;  // where the field was last asked: the end of the step, unless the integrator says otherwise
    const auto rhs = [&](const Flat& y) {
        Flat rate;
        const Vec3 p = y.three(position_slot);
        const laws::Motion m{y.three(velocity_slot), y.three(spin_slot)};
        const laws::Touch touch = touch_of(world, b.feature, p, m);
        const double time = world.phase_start + y[time_slot];
        const gravity::Drive drive = world.gravity.drive(p, m.v, time);
        const Vec3& a = drive.acceleration;
        last = {p, m.v, a};
        const laws::Response response =
            rolls ? law.roll(m, touch, a, reference, b.spin_locked) : law.slide(m, touch, a, reference, b.spin_locked);
        rate.set_three(position_slot, m.v);
        rate.set_three(velocity_slot, response.v_rate);
        rate.set_three(spin_slot, response.w_rate);
        rate[friction_slot] = response.heat_friction;
        rate[rolling_slot] = response.heat_rolling;
        rate[work_slot] = drive.power;
        rate[time_slot] = 1;
        rate[path_slot] = dot(m.v, start.v) < 0 ? -norm(m.v) : norm(m.v);  // past a stop it is continued: smooth there
        return rate;
    };
    double longest = std::fmin(world.bounds.step_max, time_for(run, 64 * r));
    // Guards are looked at in a few places of a step: the speed may not dive below its limit and come back up between two of them.
    const double rest_speed = world.surfaces[0].rest_below_speed;
    if (rest_speed > 0) longest = std::fmin(longest, std::fmax(norm(b.v), rest_speed) / norm(run.acceleration()));
    const numerics::Step<slots> step = accepted_step(run, rhs, longest);

    if (mode == Mode::slide) b.slip_direction = reference.slip;
    const Vec3 p1 = step.y1.three(position_slot), v1 = step.y1.three(velocity_slot);
    if (!(last.p == p1 && last.v == v1)) last.a = world.gravity.acceleration(p1, v1, world.phase_start + step.y1[time_slot]);
    const SingleGuards<R> guards{.run = run,
                                 .law = law,
                                 .mode = mode,
                                 .reference = reference,
                                 .region{world.view, b.feature, b.p, b.v, 1e-11 * r},
                                 .rounding = rounding,
                                 .pull = {run.acceleration() - world.gravity.coriolis(b.v), last.a - world.gravity.coriolis(v1)}};
    const FirstGuard guard = first_guard(guards, step.dense);
    const Hit hit = first_contact(
        world.view, path_of(step.dense), r, guard.s, true, {},
        [&](const geometry::ClosestPoint& near) { return is_behind(world.view, b.feature, b.p, r, near.facet); },
        [&](const Feature& other) { return is_at_border(world.view, b.feature, other); });
    if (hit.is_stalled) return run.stall("the search for the next contact does not advance");
    const double s = hit.is_found ? hit.s : guard.s;
    const bool is_reached = commit(run, step.dense, s, stop);
    if (run.status != Status::going) return;
    note_overlap(run);

    // back onto the feature: the drift of a step is within its tolerance
    const laws::Touch touch = touch_on(world.view, b.feature, b.p, b.v);
    b.p = foot(world.view, b.feature, b.p) + r * touch.normal;
    b.v = tangential(b.v, touch.normal);
    if (rolls && b.spin_locked) b.v = {};
    if (rolls) b.w = cross(touch.normal, b.v) / r + dot(b.w, touch.normal) * touch.normal;
    if (b.spin_locked) b.w -= law.rolling_spin(b.w, touch.normal);
    if (law.spinning > 0 && law.regularisation == 0 && b.drilling == 0) b.w = tangential(b.w, touch.normal);

    if (!is_reached) return;
    if (hit.is_found) return impact(run, hit.facet, stop);
    if (guard.which >= 0) return act_on(run, static_cast<Guard>(guard.which), guards.region, start, stop);
    if (law.regularisation > 0 || (rolls && b.spin_locked)) return;
    // A roll whose direction turns comes close to zero, not to it; steps that the tolerance allows may then go round and round there.
    const double motion = norm(b.v) + r * norm(detail::rolling_spin(run, law, touch.normal));
    if (motion <= run.stillness() && law.stays(run.motion(), touch_of(world, b.feature, b.p, run.motion()), run.acceleration())) {
        set_motion(run, {{}, b.w - law.rolling_spin(b.w, touch.normal)}, b.heat_rolling);
        return enter(run, b.feature);
    }
    if (motion <= 1e-10 * run.slow_speed()) return enter(run, b.feature);
    laws::Response held;
    if (mode != Mode::slide || !has_caught(run, held)) return;
    finish_slide(run, held, stop);
    enter(run, b.feature);
}

}  // namespace asperity::event_driven
