// Contact on several features at once (a gutter, a pit, between rocks): the contact manifold, with a mode for each of its contacts.
//
// Each contact holds or slips, and the ball turns or does not. Within such modes the motion is smooth (laws/contact/manifold.h) and is
// integrated as that on one feature is; their changes are events, located on the dense output:
//   a foot leaves its feature's region   the contact moves on
//   N_i = 0                              the contact opens
//   slips: u_i = 0                       it holds, or slips the other way
//   holds: |F_i| = f N_i                 it slips
//   turns: w = 0                         rest, if the static laws hold; else the other way round, or not at all
//   does not turn: |L| = C r sum N       it turns
// Where the modes that the velocities ask for do not last, one implicit step that is far too short to move the ball is asked for others
// (resolve() of laws/contact/impact.h): 3^k combinations need not be tried, and rest is declared only where the static problem has a
// solution (several_modes.h). Where its answer has no smooth motion
// (for steep walls Painleve's paradox leaves none), or more than three contacts carry, the ball goes on by implicit steps.
#pragma once
#include "asperity/dynamics/event_driven/several_modes.h"

namespace asperity::event_driven {

// Guards of the contacts (kind = index mod 3) and of the spin (the last), positive while nothing happens.
template <class R>
struct SeveralGuards {
    static constexpr int count = 3 * laws::max_manifold + 1;
    static constexpr int region = 0, load = 1, grip = 2;  // of contact index / 3
    const R& run;
    const SeveralModes& modes;
    double rounding;  // m/s
    double slack;     // m; how far a foot may be outside its region
    Vec3 pull[2];     // acceleration at both ends, without Coriolis

    ASPERITY_HD bool is_spin(int k) const { return k == 3 * modes.manifold.count; }
    ASPERITY_HD double value(int k, const Flat& y, const laws::ManifoldForces& forces) const;
    // All of them at one place.
    ASPERITY_HD void values(const Flat& y, const Vec3& a, double* out) const {
        const laws::ManifoldForces forces = forces_at(y, a);
        for (int k = 0; k < count; ++k) out[k] = value(k, y, forces);
    }
    ASPERITY_HD laws::ManifoldForces forces_at(const Flat& y, const Vec3& a) const {
        return forces_in(run.world, modes, y.three(position_slot), {y.three(velocity_slot), y.three(spin_slot)}, a);
    }
    ASPERITY_HD bool needs_gravity(int k) const {
        if (is_spin(k)) return !modes.manifold.turns;
        return k % 3 == load || (k % 3 == grip && !modes.manifold.slips[k / 3]);
    }
    ASPERITY_HD double exact(int k, const Flat& y) const {
        if (!needs_gravity(k)) return value(k, y, {});
        const double time = run.world.phase_start + y[time_slot];
        const Vec3 a = run.world.gravity.acceleration(y.three(position_slot), y.three(velocity_slot), time);
        return value(k, y, forces_at(y, a));
    }
    ASPERITY_HD void quick(const Flat& y, double s, double* out) const {
        values(y, pull[0] + s * (pull[1] - pull[0]) + run.world.gravity.coriolis(y.three(velocity_slot)), out);
    }
};

template <class R>
ASPERITY_HD double SeveralGuards<R>::value(int k, const Flat& y, const laws::ManifoldForces& forces) const {
    const auto& world = run.world;
    const laws::Manifold& m = modes.manifold;
    const Vec3 p = y.three(position_slot);
    const laws::Motion motion{y.three(velocity_slot), y.three(spin_slot)};
    const double r = run.radius();
    if (k > 3 * m.count) return 1;
    if (is_spin(k)) {
        if (m.turns) return dot(motion.w, m.axis);
        return (1 + hold_slack) * modes.limits.rolling * r * forces.load() - norm(forces.torque);
    }
    const int i = k / 3;
    if (k % 3 == region) return inside(world.view, modes.feature[i], p) + slack;
    if (k % 3 == grip && m.slips[i]) {
        const Vec3 n = touch_on(world.view, modes.feature[i], p, motion.v).normal;
        return dot(laws::slip(motion, n, r), m.slip_direction[i]) + rounding;
    }
    if (k % 3 == load) return forces.normal[i];
    return modes.limits.friction * (forces.normal[i] + hold_slack * forces.load()) - norm(forces.friction[i]);
}

// After a guard: the zero that was located is made exact; the modes are chosen anew at the next step.
template <class R>
ASPERITY_HD void act_on_several(R& run, SeveralModes modes, int guard, const laws::Motion& start) {
    BallState& b = run.b;
    laws::Manifold& m = modes.manifold;
    const double r = run.radius(), stillness = 1e-10 * run.slow_speed();
    if (guard == 3 * m.count) {
        if (!m.turns || (norm(b.w) > 1e-9 * norm(start.w) && r * norm(b.w) > stillness)) return;  // turned to one side, not to zero
        bool any_holds = m.count == 3;
        for (int i = 0; i < m.count; ++i) any_holds = any_holds || !m.slips[i];
        return set_motion(run, {any_holds ? Vec3{} : b.v, {}}, b.heat_rolling);
    }
    const int i = guard / 3;
    if (guard % 3 == SeveralGuards<R>::load) return regroup(run, touched_now(run, -1));
    if (guard % 3 != SeveralGuards<R>::grip || !m.slips[i]) return;
    const Vec3 n = touch_on(run.world.view, modes.feature[i], b.p, b.v).normal;
    const double slips = norm(laws::slip(run.motion(), n, r)), slipped = norm(laws::slip(start, n, r));
    if (slips > 1e-9 * slipped && slips > run.no_slip()) return;  // to one side
    m.slips[i] = false;
    if (!m.turns) return set_motion(run, {}, b.heat_friction);
    set_motion(run, put_onto(run, modes), b.heat_friction);
}

// One smooth step in the given modes, up to what ends them. Returns false, and does nothing, where they do not last.
template <class R>
ASPERITY_HD bool move_in_modes(R& run, const SeveralModes& modes, double h_max, double stop) {
    BallState& b = run.b;
    const auto& world = run.world;
    const double r = run.radius();
    const laws::Motion start = run.motion();
    struct {
        Vec3 p, v, a;
    } last;
    const auto rhs = [&](const Flat& y) {
        Flat rate;
        const Vec3 p = y.three(position_slot);
        const laws::Motion m{y.three(velocity_slot), y.three(spin_slot)};
        const gravity::Drive drive = world.gravity.drive(p, m.v, world.phase_start + y[time_slot]);
        last = {p, m.v, drive.acceleration};
        const laws::ManifoldForces forces = forces_in(world, modes, p, m, drive.acceleration);
        rate.set_three(position_slot, m.v);
        rate.set_three(velocity_slot, forces.v_rate);
        rate.set_three(spin_slot, forces.w_rate);
        rate[friction_slot] = forces.heat_friction;
        rate[rolling_slot] = forces.heat_rolling;
        rate[work_slot] = drive.power;
        rate[time_slot] = 1;
        rate[path_slot] = dot(m.v, start.v) < 0 ? -norm(m.v) : norm(m.v);
        return rate;
    };
    // Where two walls meet at a small angle, rounding of the heights over them moves the ball across the valley by that over the angle.
    const double angle = norm(cross(modes.manifold.touch[0].normal, modes.manifold.touch[1].normal));
    const double slack = r * std::fmax(1e-11, 2 * run.rounding() / angle);
    SeveralGuards<R> guards{.run = run, .modes = modes, .rounding = run.slip_rounding(), .slack = slack, .pull = {}};
    const Flat y0 = flat(b);
    const laws::ManifoldForces forces = guards.forces_at(y0, run.acceleration());
    if (!forces.is_solved) return false;
    for (int k = 0; k <= 3 * modes.manifold.count; ++k)
        if (k % 3 != SeveralGuards<R>::region && !(guards.value(k, y0, forces) >= 0)) return false;

    const numerics::Step<slots> step = accepted_step(run, rhs, h_max);
    const Vec3 p1 = step.y1.three(position_slot), v1 = step.y1.three(velocity_slot);
    if (!(last.p == p1 && last.v == v1)) last.a = world.gravity.acceleration(p1, v1, world.phase_start + step.y1[time_slot]);
    guards.pull[0] = run.acceleration() - world.gravity.coriolis(b.v);
    guards.pull[1] = last.a - world.gravity.coriolis(v1);
    const FirstGuard guard = first_guard(guards, step.dense);
    const auto on_any = [&](const auto& holds) {
        for (int i = 0; i < modes.manifold.count; ++i)
            if (holds(modes.feature[i])) return true;
        return false;
    };
    const Hit hit = first_contact(
        world.view, path_of(step.dense), r, guard.s, true, {},
        [&](const geometry::ClosestPoint& near) {
            return on_any([&](const Feature& f) { return is_behind(world.view, f, b.p, r, near.facet); });
        },
        [&](const Feature& other) { return on_any([&](const Feature& f) { return is_at_border(world.view, f, other); }); });
    if (hit.is_stalled) {
        run.stall("the search for the next contact does not advance");
        return true;
    }
    const double s = hit.is_found ? hit.s : guard.s;
    if (b.time + s * step.dense.h == b.time) return false;
    const bool is_reached = commit(run, step.dense, s, stop);
    if (run.status != Status::going) return true;
    note_overlap(run);
    const laws::Motion motion = put_onto(run, modes);
    b.v = motion.v;
    b.w = motion.w;
    if (!is_reached) return true;
    if (hit.is_found)
        impact(run, hit.facet, stop);
    else if (guard.which >= 0)
        act_on_several(run, modes, guard.which, start);
    return true;
}

template <class R>
ASPERITY_HD void move_on_several(R& run, double stop) {
    BallState& b = run.b;
    if (!(norm(run.acceleration()) > 0)) return leave(run, {FeatureKind::facet, -1});
    const double r = run.radius();
    double h_max = std::fmin(run.world.bounds.step_max, time_for(run, 16 * r));
    if (norm(b.v) + r * norm(b.w) <= 1e-10 * run.slow_speed() && !is_starting(run)) set_motion(run, {}, b.heat_rolling);
    ChosenModes chosen = chosen_modes(run);
    const SeveralModes& modes = chosen.modes;
    if (chosen.is_decided && modes.carrying == 0) return leave(run, {FeatureKind::facet, -1});
    if (chosen.is_decided && modes.carrying == 1) return enter(run, modes.feature[0]);
    if (chosen.is_decided) {
        if (chosen.is_at_rest) return detail::come_to_rest(run, modes.manifold.touch[0]);
        set_motion(run, put_onto(run, modes), b.heat_impact);
        let_slip(run, chosen);
        const double longest = std::fmin(run.world.bounds.step_max, time_for(run, 64 * r));
        if (move_in_modes(run, modes, longest, stop)) return;
        // Contacts that hit the ball or one another at once: past it, by a step too short for its order to show.
        h_max = std::fmin(h_max, 1e-4 * std::sqrt(r / norm(run.acceleration())));
    }
    step_implicitly(run, h_max, stop);
}

}  // namespace asperity::event_driven
