#include "asperity/geometry/convex_gap.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "asperity/geometry/expansion.h"
#include "asperity/geometry/gjk.h"

namespace asperity::geometry {
namespace {

constexpr double tie = 1e-14;  // of the coordinates: a flat is as good as another normal to rounding
constexpr int most_newton_steps = 20;

double separation(const Convex& a, const Convex& b, const Vec3& n) { return dot(n, support(a, -n) - support(b, n)); }

// The best of the normals looked at.
struct Best {
    const Convex& a;
    const Convex& b;
    Vec3 normal;
    double s = -HUGE_VAL;

    // `slack`: how much less may do, for a normal that is better known.
    void look_at(const Vec3& n, double slack = 0) {
        if (!(squared_norm(n) > 0)) return;
        const double found = separation(a, b, n);
        if (found > s - slack) s = found, normal = n;
    }
    double rounding() const { return 1e-15 * (norm(a.centre - b.centre) + a.reach + b.reach); }
};

struct At {
    Vec3 apart;  // a - b
    Bend of_a, of_b;

    At(const Convex& a, const Convex& b, const Vec3& n)
        : apart(support(a, -n) - support(b, n)), of_a(bend_of(a, -n)), of_b(bend_of(b, n)) {}
    double bend(const Vec3& d, const Vec3& e) const {
        return of_a.bend * dot(of_a.across, d) * dot(of_a.across, e) + of_b.bend * dot(of_b.across, d) * dot(of_b.across, e);
    }
};

// (2)
void climb_sphere(Vec3 n, Best& best) {
    for (int step = 0; step < most_newton_steps; ++step) {
        const At at(best.a, best.b, n);
        const double s = dot(n, at.apart);
        const Vec3 e1 = unit(cross(n, std::fabs(n.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0})), e2 = cross(n, e1);
        const double p = at.bend(e1, e1) + s, q = at.bend(e2, e2) + s, m = at.bend(e1, e2), det = p * q - m * m;
        if (!(p > 0 && det > 0)) return;  // no maximum near
        const double g1 = dot(at.apart, e1), g2 = dot(at.apart, e2);
        const Vec3 d = ((q * g1 - m * g2) / det) * e1 + ((p * g2 - m * g1) / det) * e2;
        n = unit(n + d);
        if (!(squared_norm(d) > 1e-30)) break;
    }
    best.look_at(n, best.rounding());
}

// (3), on u . n = k.
void climb_circle(const NormalCircle& circle, const Vec3& from, Best& best) {
    const Vec3& u = circle.u;
    const double rho = std::sqrt(std::fmax(0.0, 1 - circle.k * circle.k));
    Vec3 out = tangential(from, u);
    if (!(squared_norm(out) > 1e-12)) return;  // along the axis: a cap, not the side
    out = unit(tangential(unit(out), u));
    for (int step = 0; step < most_newton_steps; ++step) {
        const Vec3 n = circle.k * u + rho * out, along = cross(u, out);
        const At at(best.a, best.b, n);
        const double slope = rho * dot(at.apart, along), curvature = -rho * dot(at.apart, out) - rho * rho * at.bend(along, along);
        if (!(curvature < 0)) return;
        const double turn = std::clamp(-slope / curvature, -0.5, 0.5);
        out = unit(std::cos(turn) * out + std::sin(turn) * along);
        if (!(std::fabs(turn) > 1e-15)) break;
    }
    best.look_at(circle.k * u + rho * out, best.rounding());
}

// Where two circles of normals cross, on the side of a direction.
void look_at_crossing(const NormalCircle& one, const NormalCircle& other, const Vec3& from, Best& best) {
    const Vec3 third = cross(one.u, other.u);
    const double c = dot(one.u, other.u), d = squared_norm(third);
    if (!(d > 1e-16)) return;  // parallel: one circle alone is looked at too
    const double alpha = (one.k - c * other.k) / d, beta = (other.k - c * one.k) / d, rest = (1 - alpha * one.k - beta * other.k) / d;
    if (!(rest >= 0)) return;
    best.look_at(unit(alpha * one.u + beta * other.u + std::copysign(std::sqrt(rest), dot(from, third)) * third), best.rounding());
}

// The circle of normals of a line of a body: of its side, else of the edge between two of its vertices in a simplex.
std::optional<NormalCircle> circle_of(const Convex& body, const Simplex& simplex, bool is_a) {
    const double sign = is_a ? -1 : 1;  // normals point out of b, into a
    if (const NormalCircle side = side_of(body); side.u != Vec3{}) return NormalCircle{sign * side.u, side.k};
    for (std::size_t k = 1; k < static_cast<std::size_t>(simplex.count); ++k) {
        const Vec3 edge = is_a ? simplex.point[k].on_a - simplex.point[0].on_a : simplex.point[k].on_b - simplex.point[0].on_b;
        if (squared_norm(edge) > 0) return NormalCircle{unit(edge), 0};
    }
    return {};
}

void climb(const Simplex& simplex, const Vec3& from, Best& best) {
    const std::optional<NormalCircle> of_a = circle_of(best.a, simplex, true), of_b = circle_of(best.b, simplex, false);
    climb_sphere(from, best);
    if (of_a) climb_circle(*of_a, from, best);
    if (of_b) climb_circle(*of_b, from, best);
    if (of_a && of_b) look_at_crossing(*of_a, *of_b, from, best);
}

// The normal of a simplex of three points, to the side of a direction.
Vec3 normal_of(const Simplex& simplex, const Vec3& from) {
    if (simplex.count != 3) return {};
    const Vec3 n = unit(cross(simplex.point[1].w - simplex.point[0].w, simplex.point[2].w - simplex.point[0].w));
    return dot(n, from) < 0 ? -n : n;
}

ConvexGap with_flats(const Best& best, const Vec3& from, const Vec3& apart, double size) {
    ConvexGap out{.gap = best.s, .normal = best.normal, .reference = Reference::none, .apart = apart};
    const Vec3 of_a = -nearest_flat(best.a, -from), of_b = nearest_flat(best.b, from);
    const double s_a = of_a == Vec3{} ? -HUGE_VAL : separation(best.a, best.b, of_a);
    const double s_b = of_b == Vec3{} ? -HUGE_VAL : separation(best.a, best.b, of_b);
    const double limit = std::max({best.s, s_a, s_b}) - tie * size;
    // Where both are flat on each other the larger body is the reference, whichever rounding favours: contacts keep their numbers.
    const bool is_of_a = s_a >= limit && (s_b < limit || best.a.reach >= best.b.reach);
    if (is_of_a) {
        out.normal = of_a, out.gap = s_a, out.reference = Reference::of_a;
    } else if (s_b >= limit) {
        out.normal = of_b, out.gap = s_b, out.reference = Reference::of_b;
    }
    return out;
}

// The nearest points of two segments, which may have no length. Source: Ericson (2005) 5.1.9.
ConvexGap gap_of_segments(const Convex& a, const Convex& b) {
    const Vec3 d1 = (2 * a.size.z) * a.axis[2], d2 = (2 * b.size.z) * b.axis[2];
    const Vec3 p1 = a.centre - 0.5 * d1, p2 = b.centre - 0.5 * d2, r = p1 - p2;
    const double e1 = squared_norm(d1), e2 = squared_norm(d2), f = dot(d2, r), c = dot(d1, r), m = dot(d1, d2);
    const auto within = [](double x) { return std::clamp(x, 0.0, 1.0); };
    double t1 = 0, t2 = 0;
    if (e1 > 0 && e2 > 0) {
        const double det = e1 * e2 - m * m;
        t1 = det > 1e-16 * e1 * e2 ? within((m * f - c * e2) / det) : within(-c / e1);
        t2 = (m * t1 + f) / e2;
        if (!(t2 >= 0 && t2 <= 1)) t2 = within(t2), t1 = within((m * t2 - c) / e1);
    } else {
        if (e1 > 0) t1 = within(-c / e1);
        if (e2 > 0) t2 = within(f / e2);
    }
    const Vec3 apart = r + t1 * d1 - t2 * d2;
    const double distance = norm(apart);
    Vec3 n = distance > 0 ? apart / distance : unit(cross(d1, d2));
    if (n == Vec3{}) n = unit(cross(e1 > e2 ? d1 : d2, Vec3{1, 0, 0}));
    if (n == Vec3{}) n = {0, 0, 1};
    Best best{a, b, n, separation(a, b, n)};
    const Vec3 across = unit(cross(d1, d2));
    best.look_at(dot(across, n) < 0 ? -across : across, best.rounding());
    return {.gap = best.s, .normal = best.normal, .reference = Reference::none, .apart = apart};
}

ConvexGap gap_of_cores(const Convex& a, const Convex& b) {
    const Nearest near = nearest_of_cores(a, b);
    const double size = norm(a.centre - b.centre) + a.reach + b.reach;
    Vec3 from = unit(near.apart);
    Simplex simplex = near.simplex;
    if (near.overlaps) {
        const Overlap inside = expand(a, b);
        from = -inside.outward;
        simplex = inside.face;
    }
    Best best{a, b, from, separation(a, b, from)};
    best.look_at(normal_of(simplex, from));
    best.look_at(unit(near.apart));
    if (a.has_rim() || b.has_rim()) climb(simplex, from, best);
    return with_flats(best, best.normal, near.apart, size);
}

}  // namespace

ConvexGap convex_gap(const Convex& a, const Convex& b) {
    const Vec3 between = a.centre - b.centre;  // the origin goes into b: the bodies may be far from that of the frame
    const Convex near = moved(a, between), other = moved(b, {});
    ConvexGap out = a.has_volume() || b.has_volume() ? gap_of_cores(near, other) : gap_of_segments(near, other);
    out.gap -= a.rounding + b.rounding;
    return out;
}

}  // namespace asperity::geometry
