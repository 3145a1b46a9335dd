// Impacts, the completion of infinitely many bounces (Zeno behaviour), and the choice of the mode that follows.
#pragma once
#include "asperity/dynamics/event_driven/rock_hits.h"
#include "asperity/dynamics/event_driven/single.h"

namespace asperity::event_driven {

// What the ball touches now; where the features found are none (rounding at a border), the facet that was hit.
template <class R>
ASPERITY_HD TouchSet touched_now(const R& run, std::int32_t hit_facet) {
    TouchSet set = touched_features(run.world.view, run.b.p, run.radius(), touching_slack * run.radius());
    if (set.touching.count == 0 && hit_facet != -1) {
        const geometry::ClosestPoint near = geometry::closest_point(run.world.view, hit_facet, run.b.p);
        set.touching.count = 1;
        set.gap[0] = near.distance - run.radius();
        set.feature[0] = feature_at(run.world.view, near.feature, run.b.p, touching_slack * run.radius());
        set.touching.normal[0] = normal_of(run.world.view, set.feature[0], near, run.b.p);
    }
    return set;
}

template <class R>
ASPERITY_HD bool is_carried_by_all(R& run, const TouchSet& set);

// Chooses the motion that follows from the contacts that do not part: flight, one contact, or several.
template <class R>
ASPERITY_HD void regroup(R& run, const TouchSet& set) {
    BallState& b = run.b;
    if (set.is_overfull) return run.stall("the ball touches more features at once than can be handled");
    const double parting = 1e-12 * (norm(b.v) + run.slow_speed());
    TouchSet stays;
    for (int i = 0; i < set.touching.count; ++i) {
        if (dot(set.touching.normal[i], b.v) > parting) continue;
        const int k = stays.touching.count++;
        stays.touching.normal[k] = set.touching.normal[i];
        stays.feature[k] = set.feature[i];
    }
    int carrying = stays.touching.count, chosen = 0;
    // A short step of motion shows which of them carry load; the last digits of the forces do not matter. But where walls meet at a small
    // angle b, the step would miss the load of a wall that does not carry yet: in the time h the ball falls against it at g h b^2 only.
    if (carrying > 1 && !is_carried_by_all(run, stays)) {
        const double pull = norm(run.acceleration());
        const double h = pull > 0 ? 1e-6 * std::sqrt(run.radius() / pull) : 0;
        const laws::PairLaw surface = surface_on(run.world, stays.feature[0]);
        turn_normals(run.world.view, b.p + h * b.v, stays);  // on edges this counts as much as the load
        const laws::Impulses push =
            laws::resolve(stays.touching, run.motion(), h * run.acceleration(), run.world.ball, laws::limits_of(surface));
        carrying = 0;
        for (int i = 0; i < stays.touching.count; ++i)
            if (push.normal[i] > 0) {
                ++carrying;
                chosen = i;
            }
    }
    if (carrying == 0) {
        leave(run, {FeatureKind::facet, -1});
    } else if (carrying == 1) {
        enter(run, stays.feature[chosen]);
    } else {
        if (b.mode != Mode::several) {
            b.mode = Mode::several;
            b.feature.index = -1;
            b.next_step = 0;
            run.event(EventKind::gather, stays.touching.normal[0]);
        }
    }
}

// Between several walls the ball runs from one to the next in ever shorter hops, infinitely often in finite time. Once each of them is
// over, by the rule for bouncing, the ball is taken to stay on all: its velocity loses what points out of them. Where walls meet at less
// than a tenth of a radian, that must be over too: it is all of the speed across the valley, with which the ball rolls up the other side as
// far as the small pull along that lets it. Where it rolls, the spin across the valley goes with that speed: else friction would make the
// one from the other again, and lift the ball off one wall and then off the other, for ever.
template <class R>
ASPERITY_HD void capture(R& run, const TouchSet& set, int last, double neutral) {
    BallState& b = run.b;
    const Vec3 a = run.acceleration();
    double fastest = 0;
    for (int i = 0; i < set.touching.count; ++i) {
        const Vec3& n = set.touching.normal[i];
        const double parting = dot(n, b.v);
        fastest = std::fmax(fastest, parting);
        if (parting > 0 && !bouncing_is_over(run, surface_on(run.world, set.feature[i]), parting, -dot(a, n))) return;
    }
    Vec3 axis[3];  // the normals, made orthogonal one after the other
    int axes = 0;
    Vec3 v = b.v;
    for (int i = 0; i < set.touching.count && axes < 3; ++i) {
        Vec3 n = set.touching.normal[i];
        for (int k = 0; k < axes; ++k) n -= dot(n, axis[k]) * axis[k];
        if (norm(n) < 1e-9) continue;
        axis[axes] = unit(n);
        v -= dot(v, axis[axes]) * axis[axes];
        ++axes;
    }
    if (axes == 3) v = {};
    const Vec3 across = b.v - v;
    const double lost = norm(across);
    const bool is_shallow = lost > 10 * fastest;
    if (is_shallow && !bouncing_is_over(run, surface_on(run.world, set.feature[0]), lost, std::fabs(dot(a, across)) / lost)) return;
    for (int i = 0; i < set.touching.count; ++i)  // what its own impact has just turned away from a wall is not turned back
        if (-dot(set.touching.normal[i], v) > neutral) return;
    const Vec3& n = set.touching.normal[last];
    const bool rolls = norm(tangential(laws::slip(run.motion(), n, run.radius()), n)) <= run.no_slip();
    set_motion(run, {v, rolls ? b.w - cross(n, across) / run.radius() : b.w}, b.heat_impact);
}

// The contact that the ball approaches fastest; -1 where it approaches none faster than `neutral`.
template <class R>
ASPERITY_HD int fastest_approach(const R& run, const TouchSet& set, double neutral) {
    int first = -1;
    double fastest = neutral;
    for (int i = 0; i < set.touching.count; ++i) {
        const double approach = -dot(set.touching.normal[i], run.b.v);
        if (approach <= fastest) continue;
        fastest = approach;
        first = i;
    }
    return first;
}

// Near a vertex the edge or corner that was hit may be hidden: something next to it is nearer by less than what contacts may overlap, and
// that is not approached. Then it is the hidden one that the ball runs into. Returns whether it was added.
template <class R>
ASPERITY_HD bool add_hidden(const R& run, std::int32_t hit_facet, double neutral, TouchSet& set) {
    if (hit_facet < 0 || set.touching.count == laws::max_touching || fastest_approach(run, set, neutral) >= 0) return false;
    const geometry::ClosestPoint near = geometry::closest_point(run.world.view, hit_facet, run.b.p);
    const int i = set.touching.count;
    set.feature[i] = near.feature;
    set.touching.normal[i] = near.offset / near.distance;
    set.gap[i] = near.distance - run.radius();
    if (-dot(set.touching.normal[i], run.b.v) > neutral) ++set.touching.count;
    return set.touching.count > i;
}

template <class R>
ASPERITY_HD void fly_off(R& run) {
    run.b.mode = Mode::flight;
    run.b.forget_contact();
}

// The ball hits a rock while it slides or rolls on the ground.
template <class R>
ASPERITY_HD void hit_rolling_rock(R& run, double stop) {
    BallState& b = run.b;
    b.next_rock = 0;
    const Feature ground = b.feature;
    const Vec3 n = touch_on(run.world.view, ground, b.p, b.v).normal;
    const RockPopulation rocks = rocks_on(run.world, ground);
    if (!(rocks.number_per_area > 0)) return look_for_rock(run, ground);
    strike_rock(run, ground, laws::draw_rolling_rock(rocks, run.radius(), n, b.v, run.world.draw_key, b.draws).normal);
    if (run.status != Status::going) return;
    look_for_rock(run, ground);
    if (dot(n, b.v) > 0) {
        b.next_step = 0;
        return fly_off(run);
    }
    impact(run, facet_of(run.world.view, ground), stop);
}

// Impact on everything that is touched: one contact after the other, the fastest approach first, each with its own restitution, until none
// is approached. A simultaneous solve was turned down: with friction that can wedge the ball (f above the tangent of the angle between a
// wall and the line through two contacts) it has no solution, and Newton's restitution can add energy. A single impact never does.
template <class R>
ASPERITY_HD void impact(R& run, std::int32_t hit_facet, double stop) {
    BallState& b = run.b;
    TouchSet set = touched_now(run, hit_facet);
    if (set.is_overfull) return run.stall("the ball touches more features at once than can be handled");
    const double neutral = neutral_rate(b.p, b.v, run.radius());  // from the incoming speed; what remains may be rounding only
    const bool is_hidden = add_hidden(run, hit_facet, neutral, set);
    const bool is_single = set.touching.count == 1;
    for (int i = 0; i < set.touching.count; ++i)  // removes rounding of the location, and overlap of contacts that separate
        if (is_single || set.gap[i] < 0) b.p -= set.gap[i] * set.touching.normal[i];

    if (is_single && b.mode == Mode::flight && -dot(set.touching.normal[0], b.v) > neutral_rate(b.p, b.v, run.radius()) &&
        impact_on_rock(run, set.feature[0], set.touching.normal[0])) {
        if (run.status != Status::going) return;
        if (dot(set.touching.normal[0], b.v) > 0) return fly_off(run);
    }
    constexpr int most = 1000;
    int round = 0;
    for (int i = fastest_approach(run, set, neutral); i >= 0 && round < most; i = fastest_approach(run, set, neutral), ++round) {
        const Vec3 n = set.touching.normal[i];
        const laws::PairLaw surface = surface_on(run.world, set.feature[i]);
        const double approach = -dot(n, b.v), out = surface.restitution * approach;
        const bool is_over = out == 0 || bouncing_is_over(run, surface, out, -dot(run.acceleration(), n));
        const double parting = is_over && !is_single ? 0 : out;
        const double heat = strike(run, surface, n, approach, parting);
        if (run.status != Status::going) return;
        ++b.impacts;
        b.feature = set.feature[i];
        run.event(EventKind::impact, n, approach, parting, heat);  // of the law: what the velocity has along n differs by its rounding
        if (is_single) {
            if (is_over && complete_bounces(run, b.feature, n, stop)) return enter(run, b.feature);
            if (run.status != Status::going) return;
            if (dot(n, b.v) > 0) return fly_off(run);
        } else if (is_over) {
            capture(run, set, i, neutral);
        }
    }
    if (round == most) return run.stall("the impacts on several walls at once do not end");
    regroup(run, is_hidden ? set : touched_now(run, hit_facet));
}

}  // namespace asperity::event_driven
