// Continuous collision detection by conservative advancement: the first time at which a moving ball touches a triangle surface. No contact
// can be missed, however fast or grazing.
//
// A triangle T is convex, so its distance d_T is a convex function of the point, with the unit gradient n where it is positive:
//   d_T(p(t + x)) >= d_T(p) + n . (p(t + x) - p) >= d_T(p) + (n . v) x - A x^2 / 2,   A >= -n . p'' on the path        (1)
// With gap = d_T - r, the ball cannot touch T before the first root of
//   gap + (n . v) x - A x^2 / 2 = 0,   x_T = (n . v + sqrt((n . v)^2 + 2 A gap)) / A                                  (2)
// A triangle farther than r + R is safe until the ball has travelled R (distance is 1-Lipschitz):
//   |v| x + B x^2 / 2 = R,   B >= |p''|                                                                                 (3)
// The search advances by the smallest of these times and repeats. It never passes a contact, approaches it from outside, and converges
// quadratically since (1) is tangent to the true distance; where the path is a parabola over a facet one step of (2) is exact. It costs no
// query at all while the clearance covers the travel. Grazing passes cost a few steps of sqrt(2 gap / A).
//
// A ball that rests on a feature has gap = 0 and n . v = 0 there, and (2) cannot advance: such triangles are skipped by the caller where
// geometry proves that they cannot be hit, else the ball may advance by a time in which it cannot sink deeper than `grace` r.
// No "atlas" (1-landers 5.3) is needed: the BVH finds the triangles within R in O(log n), without margins to choose.
#pragma once
#include <cmath>

#include "asperity/dynamics/event_driven/ball_state.h"
#include "asperity/geometry/closest.h"

namespace asperity::event_driven {

inline constexpr double grace = 1e-10;                // of the radius; how deep a ball may sink before it is noticed
inline constexpr double touching_slack = 2 * grace;   // of the radius; features within it are touched at once
inline constexpr double deepest_overlap = 3 * grace;  // of the radius: put onto one of those, the ball overlaps the others

// m/s; approach speeds below this are rounding error: of the velocity, and of the direction from the surface to the centre, since
// coordinates are larger than the ball.
ASPERITY_HD inline double neutral_rate(const Vec3& p, const Vec3& v, double radius) {
    const double farthest = std::fmax(std::fabs(p.x), std::fmax(std::fabs(p.y), std::fabs(p.z)));
    return (1e-12 + 2e-15 * farthest / radius) * norm(v);
}

// The centre of the ball over one step, as the polynomial of its dense output.
struct Path {
    Vec3 c[5];
    double h = 0;

    ASPERITY_HD Vec3 at(double s) const { return c[0] + s * (c[1] + s * (c[2] + s * (c[3] + s * c[4]))); }
    ASPERITY_HD Vec3 rate(double s) const { return (c[1] + s * (2.0 * c[2] + s * (3.0 * c[3] + s * 4.0 * c[4]))) / h; }
    ASPERITY_HD double acceleration_bound() const { return (2 * norm(c[2]) + 6 * norm(c[3]) + 12 * norm(c[4])) / (h * h); }
    // Of its part against the unit vector n; zero where it points along n throughout.
    ASPERITY_HD double acceleration_against(const Vec3& n) const {
        return std::fmax(0.0, -2 * dot(c[2], n) + 6 * std::fabs(dot(c[3], n)) + 12 * std::fabs(dot(c[4], n))) / (h * h);
    }
};

ASPERITY_HD inline Path path_of(const FlatDense& dense) {
    constexpr int p = position_slot;
    return {.c = {dense.c0.three(p), dense.c1.three(p), dense.c2.three(p), dense.c3.three(p), dense.c4.three(p)}, .h = dense.h};
}

struct Hit {
    bool is_found = false;
    double s = 1;  // part of the step
    std::int32_t facet = -1;
    bool is_stalled = false;
};

// Unit vector in the plane of a facet that points from its side k inwards.
ASPERITY_HD inline Vec3 inwards(const geometry::SurfaceView& view, const geometry::Facet& facet, int k) {
    const geometry::Edge& edge = view.edges[facet.edge[k]];
    const Vec3 left = cross(facet.normal, edge.direction);
    return facet.vertex[k] == edge.vertex[0] ? left : -left;
}

namespace detail {

// The time in which a ball at rest along the normal sinks by the grace.
ASPERITY_HD inline double patience(double bound, double radius) { return bound > 0 ? std::sqrt(2 * grace * radius / bound) : HUGE_VAL; }

enum class Leave { none, departs, is_carried };

// (2), in the form without cancellation. A ball that departs from the feature which it has just left, or one that is carried by another
// feature and does not approach this one, may wait until it could have sunk by the grace: along a valley, nearly without a gap on one side,
// (2) would creep by sqrt(2 gap / A) at a time. In flight it may not: short hops would be drawn out to that time and never end.
ASPERITY_HD inline double safe_time(double gap, double closing_rate, double neutral, double bound, double radius, Leave leave) {
    const double smallest_gap = 1e-16 * radius;
    const double patience = detail::patience(bound, radius);
    const bool is_shallow = gap > -deepest_overlap * radius;
    const bool departs = leave == Leave::departs && is_shallow && closing_rate > -bound * patience;  // not once it comes back
    const bool may_wait = departs || (leave == Leave::is_carried && is_shallow && closing_rate >= -neutral);
    const double least = may_wait ? patience : 0;
    if (gap <= smallest_gap) {
        if (departs) return patience;
        if (std::fabs(closing_rate) <= neutral) return is_shallow ? patience : 0;
        if (closing_rate < 0) return 0;
        return bound > 0 ? std::fmax(2 * closing_rate / bound, least) : HUGE_VAL;
    }
    const double root = std::sqrt(closing_rate * closing_rate + 2 * bound * gap);
    double time = HUGE_VAL;
    if (closing_rate < 0)
        time = 2 * gap / (root - closing_rate);
    else if (bound > 0)
        time = (closing_rate + root) / bound;
    return std::fmax(time, least);
}

// The time in which the nearest point of a facet surely stays on the edge or the vertex of it on which it is.
ASPERITY_HD inline double time_on_border(const geometry::SurfaceView& view, const Path& path, const geometry::ClosestPoint& near,
                                         const Vec3& p, const Vec3& v, double radius) {
    const geometry::Facet& facet = view.facets[near.facet];
    double least = HUGE_VAL;
    const auto leave_against = [&](const Vec3& out) {  // it leaves where it is no longer on the side of `out`
        const double time = safe_time(dot(out, p - near.point), dot(out, v), 0, path.acceleration_against(out), radius, Leave::none);
        least = std::fmin(least, time);
    };
    for (int k = 0; k < 3; ++k) {
        const geometry::Edge& edge = view.edges[facet.edge[k]];
        if (near.feature.kind == geometry::FeatureKind::edge && facet.edge[k] == near.feature.index)
            leave_against(-inwards(view, facet, k));
        if (near.feature.kind != geometry::FeatureKind::vertex) continue;
        if (edge.vertex[0] == near.feature.index) leave_against(-edge.direction);
        if (edge.vertex[1] == near.feature.index) leave_against(edge.direction);
    }
    return least;
}

}  // namespace detail

struct NoBorders {
    ASPERITY_HD bool operator()(const geometry::Feature&) const { return false; }
};

// Searches the part [0, s_end] of the path. skip(ClosestPoint) says which triangles cannot be hit; is_touching: the ball is in contact
// already, so that the distance to the surface says nothing; `left`: the feature that it has just left in flight, if any.
// borders(Feature): an edge or vertex at the border of what the ball moves on. While it stays inside that border, its distance from there
// is sqrt(r^2 + d^2) > r: it cannot be hit, but for d < 1e-7 r rounding would say so.
template <class Skip, class Borders = NoBorders>
ASPERITY_HD Hit first_contact(const geometry::SurfaceView& view, const Path& path, double radius, double s_end, bool is_touching,
                              const geometry::Feature& left, const Skip& skip, const Borders& borders = {}) {
    const double all_ways = path.acceleration_bound();
    const double end = s_end * path.h;
    const auto safe_time = [&](const geometry::ClosestPoint& near, const Vec3& p, const Vec3& v) {
        const double closing = near.distance > 0 ? dot(near.offset, v) / near.distance : 0;
        const double bound = near.distance > 0 ? path.acceleration_against(near.offset / near.distance) : all_ways;
        const detail::Leave leave = near.feature == left ? detail::Leave::departs
                                    : is_touching        ? detail::Leave::is_carried
                                                         : detail::Leave::none;
        const double time = detail::safe_time(near.distance - radius, closing, neutral_rate(p, v, radius), bound, radius, leave);
        if (near.facet < 0 || !borders(near.feature)) return time;
        // not the border, but what lies behind it: not before the ball is as near to the plane of that facet
        const Vec3 n = view.facets[near.facet].normal;
        const double height = dot(p - near.point, n), rise = height < 0 ? -dot(v, n) : dot(v, n);
        const double neutral = neutral_rate(p, v, radius), above = std::fabs(height) - radius;
        const double sink = path.acceleration_against(height < 0 ? -n : n);
        if (rise < -neutral) {  // where it is nearer already, but not over that facet: until it could have sunk into it by the grace
            const double room = above > 0 ? above : above + grace * radius;
            return std::fmax(time, detail::safe_time(room, rise, neutral, sink, radius, detail::Leave::none));
        }
        const double plane = detail::safe_time(above, rise, neutral, sink, radius, detail::Leave::none);
        const double wait = std::fmax(std::fmax(time, plane), detail::patience(sink, radius));
        // Below that plane by more than the grace, how it rises says nothing: it may come over the facet before it is above it.
        if (above >= -grace * radius) return wait;
        return std::fmin(wait, std::fmax(time, detail::time_on_border(view, path, near, p, v, radius)));
    };
    double t = 0;
    for (int round = 0; round < 100000; ++round) {
        const double remaining = end - t;
        if (!(remaining > 0)) return {};
        const Vec3 p = path.at(t / path.h), v = path.rate(t / path.h);
        const double speed = norm(v);
        const double travel = speed * remaining + 0.5 * all_ways * remaining * remaining;
        double reach = std::fmin(travel, radius);
        if (!is_touching) {
            const geometry::ClosestPoint near = geometry::nearest_within(view, p, radius + travel);
            if (!near.found()) return {};
            reach = std::fmin(travel, std::fmax(2 * (near.distance - radius), radius));
        }
        double limit = reach < travel ? 2 * reach / (speed + std::sqrt(speed * speed + 2 * all_ways * reach)) : remaining;  // (3)
        limit = std::fmin(limit, remaining);
        double soonest = HUGE_VAL, second = HUGE_VAL;
        bool is_closing = false;
        std::int32_t facet = -1;
        geometry::for_each_within(view, p, radius + reach, [&](const geometry::ClosestPoint& near) {
            if (skip(near)) return;
            const double closing = near.distance > 0 ? dot(near.offset, v) / near.distance : 0;
            const double x = safe_time(near, p, v);
            if (x < soonest || (x == soonest && near.facet < facet)) {
                second = soonest;
                soonest = x;
                is_closing = closing < 0;
                facet = near.facet;
            } else {
                second = std::fmin(second, x);
            }
        });
        if (soonest >= limit) {
            t = limit >= remaining ? end : t + limit;
            continue;
        }
        if (t + soonest == t) {  // time has no digits left
            if (is_closing) return {.is_found = true, .s = t / path.h, .facet = facet};
            soonest = 2.3e-16 * t;
        }
        limit = std::fmin(limit, second);
        // close in on this triangle alone while no other can be reached
        double x = soonest;
        for (int inner = 0; inner < 64; ++inner) {
            if (x > limit) break;
            const Vec3 q = path.at((t + x) / path.h), rate = path.rate((t + x) / path.h);
            const geometry::ClosestPoint near = geometry::closest_point(view, facet, q);
            const double more = safe_time(near, q, rate);
            if (more <= 4e-16 * (t + x) || more == 0) return {.is_found = true, .s = (t + x) / path.h, .facet = facet};
            x += more;
        }
        t += std::fmin(x, limit);
    }
    return {.is_stalled = true};
}

}  // namespace asperity::event_driven
