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
// Which modes follow is asked of one implicit step that is far too short to move the ball (resolve() of laws/contact/impact.h): 3^k
// combinations need not be tried, and rest is declared only where the static problem has a solution. Where its answer has no smooth motion
// (for steep walls Painleve's paradox leaves none), or more than three contacts carry, the ball goes on by implicit steps.
#pragma once
#include "asperity/dynamics/event_driven/implicit_several.h"
#include "asperity/laws/contact/manifold.h"

namespace asperity::dynamics::event_driven {

// The contacts that carry, their modes, and the directions that slip and spin continue within a step.
struct SeveralModes {
    bool is_decided = false;
    bool is_at_rest = false;
    int carrying = 0;
    contact::Manifold manifold;  // at the start of the step
    Feature feature[contact::max_manifold];
    contact::Limits limits;
    double slip_floor = 0;  // m/s; slips up to it keep their direction
};

// Friction that holds may exceed its bound by this part of all load before the contact slips, so that one that has just begun to hold does
// not fall back for the drift of a step.
inline constexpr double hold_slack = 1e-6;

// What the ball touches on its way: a look ahead, so that a feature whose region ends here gives way to the next.
template <class R>
ASPERITY_HD TouchSet touched_ahead(R& run) {
    const BallState& b = run.b;
    const double r = run.radius();
    const Vec3 direction = norm(b.v) > 1e-10 * run.slow_speed() ? unit(b.v) : Vec3{};  // below that it is rounding
    TouchSet set = touched_features(run.world.view, b.p + (1e-9 * r) * direction, r, touching_slack * r);
    for (int i = 0; i < set.touching.count; ++i) set.touching.normal[i] = touch_on(run.world.view, set.feature[i], b.p, b.v).normal;
    drop_parting(set, b.v, 1e-9 * (norm(b.v) + run.slow_speed()));
    return set;
}

// The modes in which the ball goes on from its velocities.
template <class R>
ASPERITY_HD SeveralModes chosen_modes(R& run) {
    const auto& world = run.world;
    BallState& b = run.b;
    const double r = run.radius(), pull = norm(run.acceleration()), speed = norm(b.v) + r * norm(b.w);
    const double h = 1e-6 * (run.slow_speed() + speed) / pull;  // its impulses are then 1e-6 of the speeds, and right to 1e-8
    SeveralModes modes;
    TouchSet set = touched_ahead(run);
    if (set.is_overfull || set.touching.count == 0) return modes;
    const contact::Surface surface = surface_on(world, set.feature[0]);
    modes.limits = contact::limits_of(surface);
    TouchSet turned_set = set;
    turn_normals(world.view, b.p + h * b.v, turned_set);
    const contact::Motion before{b.v, b.w + h * world.gravity.spin_rate(b.w)};
    const contact::Impulses push = contact::resolve(turned_set.touching, before, h * run.acceleration(), world.ball, modes.limits);
    if (!push.is_converged) return modes;

    const double noise = 1e-6 * h * pull;  // m/s, far below what a step of h changes
    const bool stands = b.v == Vec3{} && b.w == Vec3{};
    contact::Manifold& m = modes.manifold;
    // The direction of a small slip turns at the rate f N / |u|, too stiff for an explicit step: a run over spikes took a hundred times as
    // long with a thousandth of this. Slips that small end at once, and the error they leave in the velocity is of their own size.
    modes.slip_floor = 1e-6 * speed;
    for (int i = 0; i < set.touching.count; ++i) {
        if (!(push.normal[i] > 0)) continue;
        if (++modes.carrying > contact::max_manifold) return modes;
        const int k = m.count++;
        m.touch[k] = touch_on(world.view, set.feature[i], b.p, b.v);
        modes.feature[k] = set.feature[i];
        const Vec3 u = tangential(contact::slip(run.motion(), m.touch[k].normal, r), m.touch[k].normal);
        m.slips[k] = norm(u) > run.no_slip() || modes.limits.friction == 0;
        m.slip_direction[k] = unit(u);
    }
    m.turns = r * norm(b.w) > run.slip_rounding() || r * norm(push.after.w) > noise;
    m.axis = r * norm(b.w) > run.slip_rounding() ? unit(b.w) : unit(push.after.w);
    modes.is_at_rest = stands && norm(push.after.v) + r * norm(push.after.w) <= noise;
    modes.is_decided = true;
    return modes;
}

// Guards of the contacts (kind = index mod 3) and of the spin (the last), positive while nothing happens.
template <class R>
struct SeveralGuards {
    static constexpr int count = 3 * contact::max_manifold + 1;
    static constexpr int region = 0, load = 1, grip = 2;  // of contact index / 3
    const R& run;
    const SeveralModes& modes;
    double rounding;  // m/s
    Vec3 pull[2];     // acceleration at both ends, without Coriolis

    ASPERITY_HD bool is_spin(int k) const { return k == 3 * modes.manifold.count; }
    ASPERITY_HD double value(int k, const Flat& y, const Vec3& a) const;
    ASPERITY_HD bool needs_gravity(int k) const {
        if (is_spin(k)) return !modes.manifold.turns;
        return k % 3 == load || (k % 3 == grip && !modes.manifold.slips[k / 3]);
    }
    ASPERITY_HD double exact(int k, const Flat& y) const {
        const double time = run.world.phase_start + y[time_slot];
        return value(k, y,
                     needs_gravity(k) ? run.world.gravity.acceleration(y.three(position_slot), y.three(velocity_slot), time) : Vec3{});
    }
    ASPERITY_HD double quick(int k, const Flat& y, double s) const {
        return value(k, y, pull[0] + s * (pull[1] - pull[0]) + run.world.gravity.coriolis(y.three(velocity_slot)));
    }
};

// The forces on a ball with that place and motion, in the given modes.
template <class World>
ASPERITY_HD contact::ManifoldForces forces_in(const World& world, const SeveralModes& modes, const Vec3& p, const contact::Motion& m,
                                              const Vec3& a) {
    contact::Manifold now = modes.manifold;
    for (int i = 0; i < now.count; ++i) {
        now.touch[i] = touch_on(world.view, modes.feature[i], p, m.v);
        if (!now.slips[i]) continue;
        const Vec3& n = now.touch[i].normal;
        now.slip_direction[i] =
            contact::continued(tangential(contact::slip(m, n, world.ball.radius), n), now.slip_direction[i], modes.slip_floor);
    }
    if (now.turns) now.axis = contact::continued(m.w, now.axis, 0);
    return contact::forces_on(now, m, a, world.gravity.spin_rate(m.w), world.ball, modes.limits);
}

template <class R>
ASPERITY_HD double SeveralGuards<R>::value(int k, const Flat& y, const Vec3& a) const {
    const auto& world = run.world;
    const contact::Manifold& m = modes.manifold;
    const Vec3 p = y.three(position_slot);
    const contact::Motion motion{y.three(velocity_slot), y.three(spin_slot)};
    const double r = run.radius();
    if (k > 3 * m.count) return 1;
    if (is_spin(k)) {
        if (m.turns) return dot(motion.w, m.axis);
        const contact::ManifoldForces forces = forces_in(world, modes, p, motion, a);
        return (1 + hold_slack) * modes.limits.rolling * r * forces.load() - norm(forces.torque);
    }
    const int i = k / 3;
    if (k % 3 == region) return inside(world.view, modes.feature[i], p) + 1e-11 * r;
    if (k % 3 == grip && m.slips[i]) {
        const Vec3 n = touch_on(world.view, modes.feature[i], p, motion.v).normal;
        return dot(contact::slip(motion, n, r), m.slip_direction[i]) + rounding;
    }
    const contact::ManifoldForces forces = forces_in(world, modes, p, motion, a);
    if (k % 3 == load) return forces.normal[i];
    return modes.limits.friction * (forces.normal[i] + hold_slack * forces.load()) - norm(forces.friction[i]);
}

// Puts the ball onto the features that carry, and its motion into what the modes allow: drift of a step, within its tolerance, or a slip
// that is about to end. The nearest such motion by its kinetic energy: what impulses at the contacts would do.
template <class R>
ASPERITY_HD contact::Motion put_onto(R& run, const SeveralModes& modes) {
    BallState& b = run.b;
    const contact::Manifold& m = modes.manifold;
    const double r = run.radius();
    Vec3 n[contact::max_manifold];
    double need[contact::max_manifold] = {}, move[contact::max_manifold] = {};
    for (int round = 0; round < 3; ++round) {
        for (int i = 0; i < m.count; ++i) {
            const Vec3 offset = b.p - foot(run.world.view, modes.feature[i], b.p);
            n[i] = unit(offset);
            need[i] = r - norm(offset);
        }
        if (!contact::detail::solve_gram(n, need, m.count, move)) break;
        for (int i = 0; i < m.count; ++i) b.p += move[i] * n[i];
    }
    const double j = run.world.ball.inertia_factor;
    contact::Motion motion{{}, b.w};
    if (m.count == 2) {
        const Vec3 across = cross(n[0], n[1]), t = unit(across), d = n[0] - n[1];
        motion.v = dot(b.v, t) * t;
        if (!m.slips[0] && !m.slips[1]) {  // v = x r |n0 x n1| t, w = x d
            const double arm = r * norm(across);
            const double x = (arm * dot(b.v, t) + j * r * r * dot(b.w, d)) / (arm * arm + j * r * r * squared_norm(d));
            return {(x * arm) * t, x * d};
        }
        for (int i = 0; i < 2; ++i) {
            if (m.slips[i]) continue;
            const Vec3 u = tangential(contact::slip(motion, n[i], r), n[i]), along = (dot(u, t) / (1 + 1 / j)) * t;
            motion.v -= along;
            motion.w += cross(n[i], along + j * (u - dot(u, t) * t)) / (j * r);
        }
    }
    for (int i = 0; i < m.count && m.count == 3; ++i)
        if (!m.slips[i]) motion.w = dot(b.w, n[i]) * n[i];
    if (!m.turns) motion.w = {};
    return motion;
}

// Contacts without slip hold unless their friction would exceed its bound; then they slip, against the friction that would hold them.
// Not asked of the implicit step: between two contacts it may find a stress along the line through both, which (7) of manifold.h leaves
// out.
template <class R>
ASPERITY_HD void let_slip(R& run, SeveralModes& modes) {
    contact::Manifold& m = modes.manifold;
    for (int i = 0; i < m.count; ++i) {
        if (m.slips[i]) continue;
        const contact::ManifoldForces forces = forces_in(run.world, modes, run.b.p, run.motion(), run.acceleration());
        m.slips[i] = norm(forces.friction[i]) >= modes.limits.friction * (forces.normal[i] + (1 - 1e-3) * hold_slack * forces.load());
        m.slip_direction[i] = -unit(forces.friction[i]);
    }
}

// After a guard: the zero that was located is made exact; the modes are chosen anew at the next step.
template <class R>
ASPERITY_HD void act_on_several(R& run, SeveralModes modes, int guard, const contact::Motion& start) {
    BallState& b = run.b;
    contact::Manifold& m = modes.manifold;
    const double r = run.radius(), stillness = 1e-10 * run.slow_speed();
    if (guard == 3 * m.count) {
        if (!m.turns || (norm(b.w) > 1e-9 * norm(start.w) && r * norm(b.w) > stillness)) return;  // turned to one side, not to zero
        bool any_holds = m.count == 3;
        for (int i = 0; i < m.count; ++i) any_holds = any_holds || !m.slips[i];
        return set_motion(run, {any_holds ? Vec3{} : b.v, {}}, b.heat_rolling);
    }
    const int i = guard / 3;
    if (guard % 3 == SeveralGuards<R>::load) return regroup(run, -1);
    if (guard % 3 != SeveralGuards<R>::grip || !m.slips[i]) return;
    const Vec3 n = touch_on(run.world.view, modes.feature[i], b.p, b.v).normal;
    const double slips = norm(contact::slip(run.motion(), n, r)), slipped = norm(contact::slip(start, n, r));
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
    const contact::Motion start = run.motion();
    struct {
        Vec3 p, v, a;
    } last;
    const auto rhs = [&](const Flat& y) {
        Flat rate;
        const Vec3 p = y.three(position_slot);
        const contact::Motion m{y.three(velocity_slot), y.three(spin_slot)};
        const gravity::Drive drive = world.gravity.drive(p, m.v, world.phase_start + y[time_slot]);
        last = {p, m.v, drive.acceleration};
        const contact::ManifoldForces forces = forces_in(world, modes, p, m, drive.acceleration);
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
    SeveralGuards<R> guards{.run = run, .modes = modes, .rounding = run.slip_rounding(), .pull = {}};
    const Flat y0 = flat(b);
    for (int k = 0; k <= 3 * modes.manifold.count; ++k)
        if (k % 3 != SeveralGuards<R>::region && !(guards.value(k, y0, run.acceleration()) >= 0)) return false;
    if (!forces_in(world, modes, b.p, start, run.acceleration()).is_solved) return false;

    // An error of velocity moves the stop by 1 / (C g) times as much; few steps are spent here.
    const numerics::Step<slots> step = accepted_step(run, rhs, h_max, 1e-2);
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
    const contact::Motion motion = put_onto(run, modes);
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
    if (norm(b.v) + r * norm(b.w) <= 1e-10 * run.slow_speed()) set_motion(run, {}, b.heat_rolling);
    SeveralModes modes = chosen_modes(run);
    if (modes.is_decided && modes.carrying == 0) return leave(run, {FeatureKind::facet, -1});
    if (modes.is_decided && modes.carrying == 1) return enter(run, modes.feature[0]);
    if (modes.is_decided) {
        if (modes.is_at_rest) return detail::come_to_rest(run, modes.manifold.touch[0]);
        set_motion(run, put_onto(run, modes), b.heat_impact);
        let_slip(run, modes);
        const double longest = std::fmin(run.world.bounds.step_max, time_for(run, 64 * r));
        if (move_in_modes(run, modes, longest, stop)) return;
        // Contacts that hit the ball or one another at once: past it, by a step too short for its order to show.
        h_max = std::fmin(h_max, 1e-4 * std::sqrt(r / norm(run.acceleration())));
    }
    step_implicitly(run, h_max, stop);
}

}  // namespace asperity::dynamics::event_driven
