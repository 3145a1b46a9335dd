#include "asperity/geometry/manifold.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace asperity::geometry {
namespace {

constexpr double same =
    1e-9;  // of the reach: a corner this near to a side lies on it, and keeps its name; also an angle: lines this near to parallel are
constexpr std::uint32_t crossing_part = 0x40000000;
constexpr std::uint32_t side_edge = 64;  // numbers of edges: those of the incident polygon, then the sides it was cut at
constexpr int most_corners = 2 * static_cast<int>(most_hull_corners);

struct Corner {
    Vec3 p;
    std::uint32_t part = 0;
    std::uint32_t edge = 0;  // that leaves it
};

struct Polygon {
    int count = 0;
    Corner corner[most_corners];

    void add(const Corner& c) {
        if (count < most_corners) corner[count++] = c;
    }
};

// What lies on the inner side of the plane through p with outward normal `side` (unit).
void clip(const Polygon& from, const Vec3& p, const Vec3& side, std::uint32_t number, double tolerance, Polygon& to) {
    to.count = 0;
    const int edges = from.count == 2 ? 1 : from.count;  // a segment has one, a point none
    for (int k = 0; k < from.count; ++k) {
        const Corner &a = from.corner[k], &b = from.corner[(k + 1) % from.count];
        const double of_a = dot(side, a.p - p), of_b = dot(side, b.p - p);
        const bool is_in = of_a <= tolerance, goes_in = of_b <= tolerance;
        if (is_in) to.add(a);
        if (k >= edges || from.count == 1 || is_in == goes_in) continue;
        Corner cut{.p = a.p + std::clamp(of_a / (of_a - of_b), 0.0, 1.0) * (b.p - a.p),
                   .part = crossing_part | (a.edge << 8) | number,
                   .edge = is_in ? side_edge + number : a.edge};
        to.add(cut);
    }
}

TouchPoint touch_at(const Vec3& middle, const Vec3& n, double gap, std::uint32_t part) {
    TouchPoint out;
    out.gap = gap, out.normal = n, out.point = middle, out.part = part;
    return out;
}

int of_flat(const Convex& a, const Convex& b, const ConvexGap& g, double margin, TouchPoint* out) {
    const bool is_of_a = g.reference == Reference::of_a;
    const Convex &reference = is_of_a ? a : b, &incident = is_of_a ? b : a;
    const Vec3 outward = is_of_a ? -g.normal : g.normal;
    const FlatFeature face = flat_feature(reference, outward), lying = lying_feature(incident, -outward);
    Polygon now, next;
    for (std::size_t k = 0; k < static_cast<std::size_t>(lying.count); ++k)
        now.add({lying.point[k], lying.part[k], static_cast<std::uint32_t>(k)});
    const double tolerance = same * std::fmin(a.reach, b.reach);
    for (std::size_t k = 0; k < static_cast<std::size_t>(face.count); ++k) {
        const Vec3& p = face.point[k];
        clip(now, p, unit(cross(face.point[(k + 1) % static_cast<std::size_t>(face.count)] - p, outward)), static_cast<std::uint32_t>(k),
             tolerance, next);
        std::swap(now, next);
    }
    TouchPoint found[most_corners];
    int count = 0;
    const Vec3 plane = support(reference, outward);
    for (int k = 0; k < now.count; ++k) {
        const double gap = dot(now.corner[k].p - plane, outward) - (a.rounding + b.rounding);
        if (!(gap < margin)) continue;
        const Vec3 middle = now.corner[k].p - (incident.rounding + 0.5 * gap) * outward;
        found[count++] = touch_at(middle, g.normal, gap, now.corner[k].part | (is_of_a ? part_of_second : 0));
    }
    if (count == 0)  // a cap touches between its polygon and its rim
        found[count++] = touch_at(support(incident, -outward) - (incident.rounding + 0.5 * g.gap) * outward, g.normal, g.gap, single_part);
    count = reduced_manifold(found, count);
    std::copy(found, found + count, out);
    return count;
}

// The line of a core that touches a plane with that normal; its count is 2 where there is one, else 1: the support point.
FlatFeature line_of(const Convex& body, const Vec3& direction) {
    FlatFeature out;
    const NormalCircle side = side_of(body);
    if (side.u != Vec3{} && std::fabs(dot(side.u, direction) - side.k) <= same) {
        out = lying_feature(body, direction);
        if (out.count == 2) return out;
    }
    out.count = 0;
    const Vec3 d = body.seen(direction);
    if (body.kind == CoreKind::box) {
        for (std::size_t k = 0; k < 3; ++k)
            if (std::fabs(k == 0 ? d.x : k == 1 ? d.y : d.z) <= same) {
                const double half = k == 0 ? body.size.x : k == 1 ? body.size.y : body.size.z;
                const Vec3 middle = support(body, tangential(direction, body.axis[k]));
                const double at = dot(middle - body.centre, body.axis[k]);
                out.add(middle - (half + at) * body.axis[k], 2 * static_cast<std::uint32_t>(k));
                out.add(middle + (half - at) * body.axis[k], 2 * static_cast<std::uint32_t>(k) + 1);
                return out;
            }
    }
    const Vec3 farthest = support(body, direction);
    if (body.kind == CoreKind::hull)
        for (const HullEdge& edge : body.hull->edges) {
            const auto from = static_cast<std::uint32_t>(edge.vertex[0]), to = static_cast<std::uint32_t>(edge.vertex[1]);
            const Vec3 p = body.placed(body.hull->vertices[from]), q = body.placed(body.hull->vertices[to]);
            const double limit = same * norm(q - p);
            if (dot(farthest - p, direction) > limit || dot(farthest - q, direction) > limit) continue;
            out.add(p, from), out.add(q, to);
            return out;
        }
    out.add(farthest, single_part);
    return out;
}

// The middle between the nearest points, where each core touches with a line or a point.
Vec3 middle_of(const FlatFeature& one, const FlatFeature& other) {
    const Vec3 &p = one.point[0], &q = other.point[0];
    if (one.count == 1 && other.count == 1) return 0.5 * (p + q);
    const Vec3 d = one.count == 2 ? one.point[1] - p : Vec3{}, e = other.count == 2 ? other.point[1] - q : Vec3{};
    const double dd = squared_norm(d), ee = squared_norm(e), de = dot(d, e), dr = dot(d, q - p), er = dot(e, q - p);
    const double det = dd * ee - de * de;
    const double s = one.count == 1 ? 0 : other.count == 1 ? dr / dd : (dr * ee - de * er) / det;
    const double t = other.count == 1 ? 0 : one.count == 1 ? -er / ee : (de * dr - dd * er) / det;
    return 0.5 * (p + std::clamp(s, 0.0, 1.0) * d + q + std::clamp(t, 0.0, 1.0) * e);
}

int of_lines(const Convex& a, const Convex& b, const ConvexGap& g, TouchPoint* out) {
    const FlatFeature one = line_of(a, -g.normal), other = line_of(b, g.normal);
    const double shift = 0.5 * (a.rounding - b.rounding);  // from the middle of the cores to that of the bodies, against the normal
    const bool are_lines = one.count == 2 && other.count == 2;
    const Vec3 d = are_lines ? one.point[1] - one.point[0] : Vec3{}, e = are_lines ? other.point[1] - other.point[0] : Vec3{};
    if (are_lines && norm(cross(d, e)) <= same * norm(d) * norm(e)) {
        const Vec3 along = unit(d);
        std::pair<double, std::uint32_t> of_a[2], of_b[2];
        for (std::size_t k = 0; k < 2; ++k) {
            of_a[k] = {dot(one.point[k] - one.point[0], along), one.part[k]};
            of_b[k] = {dot(other.point[k] - one.point[0], along), other.part[k] | part_of_second};
        }
        if (of_b[0].first > of_b[1].first) std::swap(of_b[0], of_b[1]);
        const auto low = of_a[0].first >= of_b[0].first ? of_a[0] : of_b[0], high = of_a[1].first <= of_b[1].first ? of_a[1] : of_b[1];
        if (high.first > low.first) {
            const Vec3 across = 0.5 * (other.point[0] - one.point[0] - dot(other.point[0] - one.point[0], along) * along);
            const Vec3 first = one.point[0] + across - shift * g.normal;
            out[0] = touch_at(first + low.first * along, g.normal, g.gap, low.second);
            out[1] = touch_at(first + high.first * along, g.normal, g.gap, high.second);
            return 2;
        }
    }
    out[0] = touch_at(middle_of(one, other) - shift * g.normal, g.normal, g.gap, single_part);
    return 1;
}

// Twice the area that a point spans with the other two, seen along the normal, with its sign.
double span(const TouchPoint& a, const TouchPoint& b, const TouchPoint& c) {
    return dot(a.normal, cross(b.point - a.point, c.point - a.point));
}

}  // namespace

int reduced_manifold(TouchPoint* points, int count) {
    std::sort(points, points + count, [](const TouchPoint& a, const TouchPoint& b) { return a.part < b.part; });
    if (count <= most_in_manifold) return count;
    double extent = 0;
    for (int k = 1; k < count; ++k) extent = std::fmax(extent, norm(points[k].point - points[0].point));
    // The first of those that are as good as the best to rounding: `points` are in the order of their parts.
    const auto bring = [&](int to, double scale, const auto& value) {
        double most = -HUGE_VAL;
        for (int k = to; k < count; ++k) most = std::fmax(most, value(points[k]));
        int best = to;
        while (value(points[best]) < most - same * scale) ++best;
        std::rotate(points + to, points + best, points + best + 1);
    };
    const double area = extent * extent;
    bring(0, extent, [](const TouchPoint& p) { return -p.gap; });
    bring(1, area, [&](const TouchPoint& p) { return squared_norm(p.point - points[0].point); });
    bring(2, area, [&](const TouchPoint& p) { return std::fabs(span(points[0], points[1], p)); });
    const double side = span(points[0], points[1], points[2]) < 0 ? -1 : 1;
    // the area that is won beyond one of the three sides; below zero inside
    bring(3, area, [&](const TouchPoint& p) {
        return std::max(
            {-side * span(points[0], points[1], p), -side * span(points[1], points[2], p), -side * span(points[2], points[0], p)});
    });
    std::sort(points, points + most_in_manifold, [](const TouchPoint& a, const TouchPoint& b) { return a.part < b.part; });
    return most_in_manifold;
}

int manifold(const Convex& a, const Convex& b, const ConvexGap& found, double margin, TouchPoint* out) {
    if (!(found.gap < margin)) return 0;
    return found.reference != Reference::none ? of_flat(a, b, found, margin, out) : of_lines(a, b, found, out);
}

int manifold(const Convex& a, const Convex& b, double margin, TouchPoint* out) {
    const double sum = a.reach + b.reach + std::fmax(margin, 0.0);
    if (squared_norm(a.centre - b.centre) > sum * sum) return 0;
    return manifold(a, b, convex_gap(a, b), margin, out);
}

int manifold_over_plane(const Convex& body, const Vec3& normal, const Vec3& origin, double margin, TouchPoint* out) {
    constexpr int most = 64;
    TouchPoint found[most];
    int count = 0;
    const double height = dot(body.centre - origin, normal) - body.rounding;
    if (!(height - body.reach < margin)) return 0;
    for_each_low_point(body, -normal, [&](const Vec3& p, std::uint32_t part) {
        const double gap = dot(p - body.centre, normal) + height;
        if (!(gap < margin)) return;
        TouchPoint* to = found + count;
        if (count < most) {
            ++count;
        } else {  // of more than that, the deepest
            to = std::max_element(found, found + most, [](const auto& x, const auto& y) { return x.gap < y.gap; });
            if (!(gap < to->gap)) return;
        }
        *to = touch_at(p - (body.rounding + 0.5 * gap) * normal, normal, gap, part);
    });
    count = reduced_manifold(found, count);
    std::copy(found, found + count, out);
    return count;
}

}  // namespace asperity::geometry
