// Zeno behaviour at the end of bouncing: infinitely many bounces in finite time, completed in closed form (1-landers 4.5, 8.2.1).
//
// After an outgoing normal speed s under the holding acceleration g = -a . n, with restitution e:
//   hop k lasts 2 s e^k / g and ends in an impact at s e^k; all of them last 2 s / (g (1 - e))                     (1)
//   and carry the normal impulse (1 + e) s / (1 - e)                                                               (2)
//
// completion = series:  the hops are walked through analytically (constant a and n; friction and rolling impulses at each), the tail
//                       (1e-9 of the speed, or 4096 hops) in one piece by (1), (2). Time and place advance: nothing is lost.
//              virtual: one impact that carries (2), at once; the clock stays (what the thesis did).
//              none:    the normal speed is set to zero.
// The series needs room: the ball must stay on the facet, or on others in its plane, and no other facet within the way. Else the ball goes
// on bouncing for real until the hops are so short that their way no longer counts; then the series is applied in place.
#pragma once
#include "asperity/dynamics/event_driven/run.h"

namespace asperity::event_driven {

inline constexpr int most_hops = 4096;

// Whether bouncing is completed after this outgoing speed: it is below the speed of the scenario, or the hop is a small part of the radius.
template <class R>
ASPERITY_HD bool bouncing_is_over(const R& run, const laws::PairLaw& surface, double speed, double hold) {
    if (!(hold > 0)) return false;
    if (surface.restitution >= 1) return false;
    if (surface.bounce_end_speed > 0) return speed < surface.bounce_end_speed;
    return speed * speed < 2 * hold * surface.bounce_end_height * run.radius();
}

// One impact on a plane with the given incoming and outgoing normal speeds. Returns the heat, J/kg.
template <class R>
ASPERITY_HD double strike(R& run, const laws::PairLaw& surface, const Vec3& n, double speed_in, double speed_out) {
    BallState& b = run.b;
    laws::Touching plane;
    plane.count = 1;
    plane.normal[0] = n;
    plane.target[0] = speed_out;
    b.v = tangential(b.v, n) - speed_in * n;
    const laws::Impulses push = laws::resolve_impact(plane, run.motion(), run.world.ball, surface);
    b.v = push.after.v;
    b.w = push.after.w;
    b.heat_impact += push.heat_impact;
    b.heat_friction += push.heat_friction;
    b.heat_rolling += push.heat_rolling;
    if (!push.is_converged) run.stall("the impulses of an impact did not converge");
    return push.heat();
}

// Shows a piece of motion as straight: hops far smaller than the ball.
template <class R>
ASPERITY_HD void show_straight(R& run, const BallState& before, double duration) {
    if (!(duration > 0)) return;
    FlatDense dense;
    dense.h = duration;
    dense.c0 = flat(before);
    const Flat end = flat(run.b);
    for (int i = 0; i < slots; ++i) dense.c1[i] = end[i] - dense.c0[i];
    run.watch.step(before, dense, 1.0);
    run.b.q = turned(before.q, dense, 1.0);
    run.b.time = before.time + duration;
}

// The ground that a ball on a facet can reach within `way`, where facets that leave its plane there by less than the grace of contacts
// count as part of it.
template <class World>
struct Plane {
    const World& world;
    Feature feature;
    double radius, way;  // m
    Vec3 centre, n;

    ASPERITY_HD Plane(const World& of, const Feature& on, const Vec3& p, double ball_radius, double reach)
        : world(of), feature(on), radius(ball_radius), way(reach), centre(foot(of.view, on, p)), n(of.view.facets[on.index].normal) {}

    ASPERITY_HD bool has(std::int32_t facet) const {
        if (facet < 0) return false;
        const Vec3& other = world.view.facets[facet].normal;
        const double height = dot(other, centre - world.view.vertices[world.view.facets[facet].vertex[0]]);
        return dot(n, other) > 0 && std::fabs(height) + way * norm(cross(n, other)) < grace * radius;
    }
    // Whether the disc of radius `way` about the contact is plane, complete, of one law and without rocks: then each facet in it continues
    // across all of its sides that are as near.
    ASPERITY_HD bool is_clear(const Vec3& p) const {
        const SurfaceView& view = world.view;
        bool is_clear = true;
        geometry::for_each_within(view, p, radius + way, [&](const geometry::ClosestPoint& near) {
            is_clear = is_clear && (is_behind(view, feature, p, radius, near.facet) || has(near.facet));
        });
        if (!is_clear || inside(view, feature, p) > way) return is_clear;
        const laws::PairLaw surface = surface_on(world, feature);
        geometry::for_each_within(view, centre, way, [&](const geometry::ClosestPoint& near) {
            if (!has(near.facet)) return;
            is_clear = is_clear && surface_on(world, {FeatureKind::facet, near.facet}) == surface;
            const geometry::Facet& facet = view.facets[near.facet];
            for (int k = 0; k < 3; ++k)
                if (geometry::detail::squared_to_edge(view, facet.edge[k], centre).distance <= way * way)
                    is_clear = is_clear && has(facet.neighbour[k]);
        });
        return is_clear;
    }
};

// The facet on which a ball stands that has come from another one in the same plane.
ASPERITY_HD inline Feature facet_below(const SurfaceView& view, const Feature& from, const Vec3& p, double radius) {
    if (inside(view, from, p) >= 0) return from;
    const geometry::ClosestPoint near = geometry::nearest_within(view, p, radius * (1 + 1e-6));
    if (near.facet < 0) return from;
    const Feature found = feature_at(view, near.feature, p, touching_slack * radius);
    return found.kind == FeatureKind::facet ? found : from;
}

// Carries out all hops of the series; b.feature is then the facet below the ball. Returns false, and changes nothing, where there is no
// room for them.
template <class R>
ASPERITY_HD bool walk_series(R& run, const Feature& feature, const Vec3& n, double speed, double stop, bool in_place) {
    BallState& b = run.b;
    const laws::PairLaw surface = surface_on(run.world, feature);
    const double e = surface.restitution;
    const Vec3 a = run.acceleration(), a_t = tangential(a, n);
    const double hold = -dot(a, n);
    const double total = 2 * speed / (hold * (1 - e));  // (1)
    if (b.time + total > stop) return false;
    const BallState before = b;
    if (!in_place) {
        if (feature.kind != FeatureKind::facet) return false;
        const double way = total * (norm(tangential(b.v, n)) + total * norm(a_t)) + 1e-9 * run.radius();
        if (!Plane(run.world, feature, b.p, run.radius(), way).is_clear(b.p)) return false;
    }
    b.v = tangential(b.v, n);
    const double start_kinetic = 0.5 * speed * speed;  // of the normal motion, which is heat at the end
    double heat_before = b.heat_impact, s = speed;
    for (int hop = 0; hop < most_hops && s > 1e-9 * speed; ++hop, s *= e) {
        const double duration = 2 * s / hold;
        if (!in_place) {
            b.p += duration * b.v + (0.5 * duration * duration) * a_t;
            b.v = tangential(b.v + duration * a_t, n);
        }
        strike(run, surface, n, s, e * s);
        b.v = tangential(b.v, n);
    }
    const double tail = 2 * s / (hold * (1 - e));
    if (!in_place) {
        b.p += tail * b.v + (0.5 * tail * tail) * a_t;
        b.v = tangential(b.v + tail * a_t, n);
    }
    if (s > 0) strike(run, surface, n, s / (1 - e), e * s / (1 - e));  // (2): incoming plus outgoing is (1 + e) s / (1 - e)
    b.v = tangential(b.v, n);
    // the strikes book the heat of each hop; what they book for the normal motion is exactly its energy
    b.heat_impact = heat_before + start_kinetic;
    if (!in_place) {
        b.work += work_between(run.world, before, b.p, before.time + total);
        show_straight(run, before, total);
        b.feature = facet_below(run.world.view, feature, b.p, run.radius());
    }
    return true;
}

// Ends the bouncing on one feature, if there is room. The ball then has no normal velocity.
template <class R>
ASPERITY_HD bool complete_bounces(R& run, const Feature& feature, const Vec3& n, double stop) {
    BallState& b = run.b;
    const laws::PairLaw surface = surface_on(run.world, feature);
    const double speed = dot(n, b.v), e = surface.restitution;
    const double heat_before = b.heat_impact + b.heat_friction + b.heat_rolling;
    if (speed > 0) {
        if (surface.completion == laws::Completion::none) {
            b.v = tangential(b.v, n);
            b.heat_impact += 0.5 * speed * speed;
        } else if (surface.completion == laws::Completion::virtual_) {
            const double kinetic = 0.5 * speed * speed, heat = b.heat_impact;
            strike(run, surface, n, speed / (1 - e), e * speed / (1 - e));
            b.v = tangential(b.v, n);
            b.heat_impact = heat + kinetic;
        } else {
            const Vec3 a = run.acceleration();
            const double last = std::sqrt(-2 * dot(a, n) * surface.bounce_end_height * run.radius());
            const bool in_place = speed < 1e-3 * last;
            if (!walk_series(run, feature, n, speed, stop, in_place)) return false;
        }
    } else {
        b.v = tangential(b.v, n);
    }
    run.event(EventKind::settle, n, std::fmax(speed, 0), 0, b.heat_impact + b.heat_friction + b.heat_rolling - heat_before);
    return true;
}

}  // namespace asperity::event_driven
