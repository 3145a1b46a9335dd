// Narrow phase of two ellipsoids: their gap, nearest points and normal, also where they overlap slightly.
//
//   s(n) = n . (c1 - c2) - h1(n) - h2(n),   h(n) = sqrt(n . S n),   S = R diag(a^2) R^T,   |n| = 1                      (1)
//   gap  = max over n of s(n),              x1 = c1 - S1 n / h1,   x2 = c2 + S2 n / h2,    x1 - x2 = gap n             (2)
//
// s(n) is the distance of the two planes across n that touch the bodies from the sides that face each other; x1 and x2 are where they do.
// Apart, s is concave where it is positive, so that (2) is the only maximum; it is found by Newton's method on the sphere,
//   (H - s 1) d = -(x1 - x2)_t,   H second derivative of s, across n                                                   (3)
// with steps shortened until s rises. Where H - s is not negative definite (s < 0 far from the maximum), H alone, which always is, serves.
// Where that ends below zero, a direction that separates the bodies is looked for by Gilbert's algorithm, and followed.
// Overlapping, -gap is the shortest way to part them, if they overlap by less than the radii of curvature there: else the maximum that is
// found is one of several. Two spheres: |c1 - c2| - a1 - a2, to the bit. Since s is flat at its maximum, the gap is exact to rounding of
// the distances; the normal to that over the sum of the radii of curvature (axes 1 : 1000: 1e-10 of a radian). Source: (1): Minkowski's
// support function, Schneider, Convex Bodies (2014), 1.7; Gilbert, SIAM J. Control 4 (1966) 61; the maximum in place of the roots of a
// polynomial: a needle's touches are as well conditioned as a ball's.
#pragma once
#include <cmath>
#include <limits>

#include "asperity/core/quat.h"
#include "asperity/core/vec3.h"

namespace asperity::geometry {

struct PlacedEllipsoid {
    Vec3 centre;     // m
    Vec3 semi_axes;  // m, along its own axes
    Quat q_WB = {};  // from its axes to the world

    bool is_sphere() const { return semi_axes.x == semi_axes.y && semi_axes.y == semi_axes.z; }
};

struct EllipsoidGap {
    double gap = 0;  // m, negative: overlap
    Vec3 normal;     // unit, from the second towards the first
    Vec3 on_first;   // m
    Vec3 on_second;  // m
};

namespace detail {

// h(n), S n / h and (1/h) (S d - (S n . d / h^2) S n), the second derivative of h applied to d.
struct Support {
    const PlacedEllipsoid& body;
    double h = 0;
    Vec3 arm;  // S n / h

    Support(const PlacedEllipsoid& of, const Vec3& n) : body(of) {
        const Vec3 scaled = times_axes(back(n));
        h = norm(scaled);
        arm = rotate(body.q_WB, times_axes(scaled)) / h;
    }
    Vec3 bend(const Vec3& d) const { return (rotate(body.q_WB, times_axes(times_axes(back(d)))) - dot(arm, d) * arm) / h; }

private:
    Vec3 back(const Vec3& a) const { return rotate({body.q_WB.w, -body.q_WB.x, -body.q_WB.y, -body.q_WB.z}, a); }
    Vec3 times_axes(const Vec3& a) const { return {body.semi_axes.x * a.x, body.semi_axes.y * a.y, body.semi_axes.z * a.z}; }
};

struct Separation {
    double s = 0;
    Vec3 apart;   // x1 - x2
    Vec3 ascent;  // its part across n

    Separation(const PlacedEllipsoid& first, const PlacedEllipsoid& second, const Vec3& n) {
        const Vec3 between = first.centre - second.centre;
        const Support a(first, n), b(second, n);
        s = dot(n, between) - (a.h + b.h);
        apart = between - (a.arm + b.arm);
        ascent = tangential(apart, n);
    }
};

// d of (3).
inline Vec3 newton_direction(const PlacedEllipsoid& first, const PlacedEllipsoid& second, const Vec3& n, const Separation& at) {
    const Support a(first, n), b(second, n);
    const Vec3 e1 = unit(cross(n, std::fabs(n.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0})), e2 = cross(n, e1);
    const Vec3 bend1 = a.bend(e1) + b.bend(e1), bend2 = a.bend(e2) + b.bend(e2);  // -H
    const double k11 = dot(e1, bend1), k12 = dot(e1, bend2), k22 = dot(e2, bend2);
    const bool serves = k11 + at.s > 0 && (k11 + at.s) * (k22 + at.s) > k12 * k12;
    const double shift = serves ? at.s : 0, p = k11 + shift, q = k22 + shift, det = p * q - k12 * k12;
    const double g1 = dot(e1, at.ascent), g2 = dot(e2, at.ascent);
    if (!(det > 0)) return at.ascent / (p + q);  // curvatures so unlike that rounding eats the smaller one
    return ((q * g1 - k12 * g2) / det) * e1 + ((p * g2 - k12 * g1) / det) * e2;
}

// A direction across which they are apart, or, where none is found, the best of those looked at: Gilbert's search for the point of the set
// of all x1 - x2 that is nearest to the origin. Newton's method from the line of centres can end at another maximum of s, below zero.
inline Vec3 separating_direction(const PlacedEllipsoid& first, const PlacedEllipsoid& second, const Vec3& start) {
    constexpr int most_iterations = 100;
    Vec3 x = first.centre - second.centre, n = start, best = start;
    double most = -std::numeric_limits<double>::infinity();
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
        const Separation at(first, second, n);
        if (at.s > most) most = at.s, best = n;
        const Vec3 step = at.apart - x;
        const double length = squared_norm(step);
        if (most > 0 || !(length > 0)) break;
        x += std::fmin(1.0, std::fmax(0.0, -dot(x, step) / length)) * step;
        if (!(squared_norm(x) > 0)) break;
        n = unit(x);
    }
    return best;
}

struct Maximum {
    Vec3 n;
    double s = 0;
};

inline Maximum newton_maximum(const PlacedEllipsoid& first, const PlacedEllipsoid& second, Vec3 n) {
    const double epsilon = std::numeric_limits<double>::epsilon();
    const double size = norm(first.centre - second.centre) + norm(first.semi_axes) + norm(second.semi_axes);
    Separation now(first, second, n);
    constexpr int most_iterations = 200;
    for (int iteration = 0; iteration < most_iterations && norm(now.ascent) > epsilon * size; ++iteration) {
        const Vec3 d = newton_direction(first, second, n, now);
        bool is_better = false;
        for (double part = 1; part > 1e-12 && !is_better; part *= 0.5) {
            const Vec3 trial = unit(n + part * d);
            const Separation then(first, second, trial);
            const bool rises = then.s > now.s + 1e-4 * part * dot(d, now.ascent);
            const bool settles = then.s > now.s - 4 * epsilon * size && norm(then.ascent) < 0.5 * norm(now.ascent);
            is_better = rises || settles;
            if (is_better) n = trial, now = then;
        }
        if (!is_better) break;  // rounding
    }
    return {n, now.s};
}

}  // namespace detail

// guess: the normal of a gap of the same two found shortly before, which is then followed; the zero vector: none.
inline EllipsoidGap ellipsoid_gap(const PlacedEllipsoid& first, const PlacedEllipsoid& second, const Vec3& guess = {}) {
    const Vec3 between = first.centre - second.centre;
    const double distance = norm(between);
    const bool is_followed = squared_norm(guess) > 0;
    const Vec3 line = distance > 0 ? between / distance : Vec3{1, 0, 0};
    if (first.is_sphere() && second.is_sphere()) {
        const double r1 = first.semi_axes.x, r2 = second.semi_axes.x;
        return {.gap = distance - (r1 + r2), .normal = line, .on_first = first.centre - r1 * line, .on_second = second.centre + r2 * line};
    }
    detail::Maximum found = detail::newton_maximum(first, second, is_followed ? unit(guess) : line);
    if (!is_followed && found.s < 0) {
        const detail::Maximum other = detail::newton_maximum(first, second, detail::separating_direction(first, second, line));
        if (other.s > found.s) found = other;
    }
    const detail::Support a(first, found.n), b(second, found.n);
    return {.gap = found.s, .normal = found.n, .on_first = first.centre - a.arm, .on_second = second.centre + b.arm};
}

}  // namespace asperity::geometry
