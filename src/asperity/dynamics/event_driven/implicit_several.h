// The implicit step of a ball on several features at once (a gutter, a pit): Moreau's time stepping, with every contact law at its end.
//
//   v+ = v + h a + impulses,  p+ = p + h (v + v+) / 2,  with the laws (4)-(6) of laws/contact/impact.h on v+, w+        (1)
//
// Which contact holds, slips or opens comes out of the solve. It is of order one; exact where accelerations are constant, as in a straight
// gutter. Steps are halved until two halves agree with the whole within sqrt(tolerance). The heat of a step is the work of its impulses
// along the mean velocity, so that the ledger closes to rounding for every step size. Always law coupled in its torque, whatever law
// impacts use: a force at the centre (law thesis) has no meaning between two walls.
// Used where several.h finds no modes of the contacts that fit together (Painleve), or more contacts than it can tell apart.
// Sources: Moreau, in Nonsmooth Mechanics (1988); Jean, Comput. Methods Appl. Mech. Eng. 177 (1999).
#pragma once
#include "asperity/dynamics/event_driven/impacts.h"

namespace asperity::event_driven {

struct SeveralStep {
    BallState end;
    FlatDense dense;
    TouchSet set;
    int carrying = 0;
    bool is_converged = true;
};

// Moves the end of a step back onto the features that carry, and counts them: curvature and rounding have moved it away.
template <class R>
ASPERITY_HD void put_back(const R& run, SeveralStep& step, const laws::Impulses& push) {
    for (int i = 0; i < step.set.touching.count; ++i) step.carrying += push.normal[i] > 0 ? 1 : 0;
    for (int round = 0; round < 3; ++round) {
        Vec3 normal[3];
        double need[3], move[3];
        int size = 0;
        for (int i = 0; i < step.set.touching.count && size < 3; ++i) {
            if (!(push.normal[i] > 0)) continue;
            const Vec3 offset = step.end.p - foot(run.world.view, step.set.feature[i], step.end.p);
            normal[size] = unit(offset);
            need[size++] = run.radius() - norm(offset);
        }
        while (size > 0 && !laws::detail::solve_gram(normal, need, size, move)) --size;
        for (int k = 0; k < size; ++k) step.end.p += move[k] * normal[k];
    }
}

// What gravity did beyond what the step took it to be (constant, and along the way before put_back()) goes into the motion, so that the
// ledger does not drift over many steps. Left out where it is no small part of it: there the ball is about to stop.
template <class R>
ASPERITY_HD void take_in_work(const R& run, const BallState& from, double taken, BallState& b) {
    const auto& gravity = run.world.gravity;
    const double start = run.world.phase_start + from.time, end = run.world.phase_start + b.time;
    const double work = gravity.potential(from.p, start) - gravity.potential(b.p, end) + (b.work - from.work) - taken;
    const double kinetic = laws::kinetic({b.v, b.w}, run.world.ball);
    if (!(std::fabs(work) < 1e-3 * kinetic)) return;
    const double scale = std::sqrt(1 + work / kinetic);
    b.v *= scale;
    b.w *= scale;
}

// A contact that parts is not closed again by the load of one step: the ball hops, and hits it anew.
ASPERITY_HD inline void drop_parting(TouchSet& set, const Vec3& v, double slow) {
    int kept = 0;
    for (int i = 0; i < set.touching.count; ++i) {
        if (dot(set.touching.normal[i], v) > slow) continue;
        set.touching.normal[kept] = set.touching.normal[i];
        set.feature[kept] = set.feature[i];
        set.gap[kept] = set.gap[i];
        ++kept;
    }
    set.touching.count = kept;
}

// Kinetic and potential energy are parabolas in time along the step; so heat is one too, that the ledger closes between its ends as well.
template <class World>
ASPERITY_HD void bend_heat(const World& world, const Vec3& a, const BallState& from, const BallState& to, double friction, double rolling,
                           FlatDense& dense) {
    const double total = friction + rolling;
    if (!(total > 0)) return;
    const Vec3 dv = to.v - from.v, dw = to.w - from.w;
    const double inertia = world.ball.inertia_factor * world.ball.radius * world.ball.radius;
    const double pull = 0.5 * dense.h * dot(a, dv);
    const double bend = pull - 0.5 * squared_norm(dv) - 0.5 * inertia * squared_norm(dw);
    const double share = friction / total;
    dense.c1[friction_slot] -= share * bend;
    dense.c2[friction_slot] += share * bend;
    dense.c1[rolling_slot] -= (1 - share) * bend;
    dense.c2[rolling_slot] += (1 - share) * bend;
}

template <class R>
ASPERITY_HD SeveralStep step_on_several(R& run, const BallState& from, double h) {
    const auto& world = run.world;
    const double r = run.radius();
    SeveralStep out{.end = from, .dense = {}, .set = touched_features(world.view, from.p, r, touching_slack * r)};
    BallState& b = out.end;
    drop_parting(out.set, from.v, 0.1 * std::sqrt(world.tolerance) * (norm(from.v) + run.slow_speed()));
    turn_normals(world.view, from.p + h * from.v, out.set);
    const double time = world.phase_start + from.time;
    const Vec3 a = world.gravity.acceleration(from.p, from.v, time);
    const laws::PairLaw surface = surface_on(world, out.set.feature[0]);
    // the spin turns with the frame, by an angle far below one; its length stays
    const Vec3 spin = norm(from.w) * unit(from.w + h * world.gravity.spin_rate(from.w));
    const laws::Impulses push = laws::resolve(out.set.touching, {from.v, spin}, h * a, world.ball, laws::limits_of(surface));
    out.is_converged = push.is_converged && !out.set.is_overfull;
    b.v = push.after.v;
    b.w = push.after.w;
    b.heat_impact += push.heat_impact;
    b.heat_friction += push.heat_friction;
    b.heat_rolling += push.heat_rolling;
    b.p += (0.5 * h) * (from.v + b.v);
    b.rolled += 0.5 * h * norm(from.v + b.v);
    b.time += h;
    b.work += work_between(world, from, b.p, b.time);

    // the path of (1): velocities as straight lines, position and heat as parabolas
    const Flat start = flat(from), end = flat(b);
    out.dense.h = h;
    out.dense.c0 = start;
    for (int i = 0; i < slots; ++i) out.dense.c1[i] = end[i] - start[i];
    out.dense.c1.set_three(position_slot, h * from.v);
    out.dense.c2.set_three(position_slot, (0.5 * h) * (b.v - from.v));
    bend_heat(world, a, from, b, push.heat_friction, push.heat_rolling, out.dense);
    b.q = turned(from.q, out.dense, 1.0);

    const double taken = dot(a, b.p - from.p);
    put_back(run, out, push);
    take_in_work(run, from, taken, b);
    return out;
}

// Whether what moves is rounding only after a step of length h.
template <class R>
ASPERITY_HD bool is_still(R& run, const BallState& b, double h) {
    return norm(b.v) + run.radius() * norm(b.w) <= 1e-9 * h * norm(run.acceleration());
}

// The longest step after which the ball still moves, where one of length h brings it to a standstill: velocities fall with the length of
// the step, so bisection finds it, to rounding.
template <class R>
ASPERITY_HD double time_to_standstill(R& run, double h) {
    double moving = 0, still = h;
    for (int halving = 0; halving < 60; ++halving) {
        const double middle = 0.5 * (moving + still);
        if (!(middle > moving && middle < still)) break;
        (is_still(run, step_on_several(run, run.b, middle).end, middle) ? still : moving) = middle;
    }
    return still;
}

// Takes the step as the new state, up to the stop or to the facet that it runs into, which is returned; -1: none.
template <class R>
ASPERITY_HD std::int32_t take(R& run, SeveralStep step, double stop) {
    const auto& world = run.world;
    BallState& b = run.b;
    const Hit hit = first_contact(world.view, path_of(step.dense), run.radius(), 1.0, true, {}, [&](const geometry::ClosestPoint& near) {
        for (int i = 0; i < step.set.touching.count; ++i)
            if (is_behind(world.view, step.set.feature[i], b.p, run.radius(), near.facet)) return true;
        return false;
    });
    if (hit.is_stalled) run.stall("the search for the next contact does not advance");
    const double part = hit.is_found ? hit.s : 1;
    const bool is_cut = b.time + part * step.dense.h > stop;
    const double h = is_cut ? stop - b.time : part * step.dense.h;
    if (!(h > 0)) return hit.facet;
    if (h < step.dense.h) step = step_on_several(run, b, h);
    run.watch.step(b, step.dense, 1.0);
    const double time = is_cut ? stop : b.time + h, next = b.next_step;
    const std::int64_t steps = b.steps + 1;
    b = step.end;
    b.time = time;
    b.steps = steps;
    b.next_step = next;
    if (!is_finite(b)) run.status = Status::non_finite;
    note_overlap(run);
    return hit.is_found && !is_cut ? hit.facet : -1;
}

// One implicit step, of at most h_max, whose two halves agree with the whole; up to the standstill where it leads to one.
template <class R>
ASPERITY_HD void step_implicitly(R& run, double h_max, double stop) {
    BallState& b = run.b;
    const double r = run.radius(), slow = run.slow_speed(), unit_time = std::sqrt(r / norm(run.acceleration()));
    const double tolerance = std::sqrt(run.world.tolerance);
    double h = std::fmin(h_max, b.next_step > 0 ? b.next_step : 1e-2 * unit_time);
    // A ball wedged between rocks may overlap one by more than the grace already: a shorter step does not mend what it began with.
    const double allowed = std::fmax(grace * r, overlap_of(run, b));
    SeveralStep first, second;
    for (;;) {
        const SeveralStep whole = step_on_several(run, b, h);
        first = step_on_several(run, b, 0.5 * h);
        second = step_on_several(run, first.end, 0.5 * h);
        const bool is_converged = whole.is_converged && first.is_converged && second.is_converged;
        const bool is_clear =
            overlap_of(run, first.end) <= allowed && overlap_of(run, second.end) <= allowed;  // within the region of an edge
        if (!is_converged && h <= 1e-8 * unit_time) return run.stall("the forces of several contacts at once did not converge");
        const double error =
            (norm(whole.end.v - second.end.v) + r * norm(whole.end.w - second.end.w)) / (slow + norm(b.v) + r * norm(b.w)) +
            norm(whole.end.p - second.end.p) / r;
        if ((is_converged && is_clear && error <= tolerance) || h <= 1e-8 * unit_time) {
            b.next_step = error < 0.25 * tolerance ? 2 * h : h;
            break;
        }
        h *= 0.5;
    }
    const bool was_still = b.v == Vec3{} && b.w == Vec3{};
    if (was_still && is_still(run, first.end, h)) return detail::come_to_rest(run, {.normal = first.set.touching.normal[0]});
    for (int half = 0; half < 2; ++half) {
        SeveralStep step = half == 0 ? first : step_on_several(run, b, 0.5 * h);
        const bool stands = !was_still && is_still(run, step.end, h);
        if (stands) step = step_on_several(run, b, time_to_standstill(run, 0.5 * h));
        const double before = b.time;
        const std::int32_t hit = take(run, step, stop);
        if (run.status != Status::going) return;
        if (hit != -1) return impact(run, hit, stop);
        if (stands && b.time >= before + step.dense.h) return set_motion(run, {}, b.heat_rolling);
        if (b.time >= stop) return;
        if (half == 1 && step.carrying < 2) regroup(run, touched_now(run, -1));
    }
}

}  // namespace asperity::event_driven
