#include "asperity/geometry/gjk.h"

#include <algorithm>
#include <cmath>

namespace asperity::geometry {
namespace {

constexpr int most_steps = 200;
constexpr double touching = 1e-10;  // of the size: nearer than that, v has lost its direction, and the expansion finds it

// The nearest point of a part of a simplex: which points hold it, with which weights.
struct Part {
    Vec3 v;
    double squared = HUGE_VAL;
    int count = 0;
    int index[3] = {0, 0, 0};
    double weight[3] = {0, 0, 0};

    void take_if_nearer(const Part& other) {
        if (other.squared < squared) *this = other;
    }
};

Part of_point(const Simplex& s, int i) {
    Part out{.v = s.point[static_cast<std::size_t>(i)].w, .count = 1, .index = {i}, .weight = {1}};
    out.squared = squared_norm(out.v);
    return out;
}

Part of_edge(const Simplex& s, int i, int j) {
    const Vec3 &a = s.point[static_cast<std::size_t>(i)].w, &b = s.point[static_cast<std::size_t>(j)].w;
    const Vec3 d = b - a;
    const double length = squared_norm(d), from_a = -dot(a, d), from_b = dot(b, d);
    if (!(from_a > 0)) return of_point(s, i);
    if (!(from_b > 0)) return of_point(s, j);
    const double t = from_a / length;
    Part out{.v = from_a < from_b ? a + t * d : b - (from_b / length) * d, .count = 2, .index = {i, j}, .weight = {1 - t, t}};
    out.squared = squared_norm(out.v);
    return out;
}

Part of_triangle(const Simplex& s, int i, int j, int k) {
    const Vec3 &a = s.point[static_cast<std::size_t>(i)].w, &b = s.point[static_cast<std::size_t>(j)].w,
               &c = s.point[static_cast<std::size_t>(k)].w;
    const Vec3 n = cross(b - a, c - a);
    const double area = squared_norm(n);
    // twice the areas of the triangles that the origin's foot makes with each side
    const double over_ab = dot(cross(n, b - a), -a), over_bc = dot(cross(n, c - b), -b), over_ca = dot(cross(n, a - c), -c);
    if (over_ab > 0 && over_bc > 0 && over_ca > 0) {
        const double sum = over_ab + over_bc + over_ca;
        Part out{.v = (dot(a + b + c, n) / (3 * area)) * n,
                 .count = 3,
                 .index = {i, j, k},
                 .weight = {over_bc / sum, over_ca / sum, over_ab / sum}};
        out.squared = squared_norm(out.v);
        return out;
    }
    Part best;
    best.take_if_nearer(of_edge(s, i, j));
    best.take_if_nearer(of_edge(s, j, k));
    best.take_if_nearer(of_edge(s, k, i));
    return best;
}

// Whether the origin lies strictly inside the tetrahedron.
bool holds_origin(const Simplex& s) {
    const auto is_on_same_side = [&](int i, int j, int k, int l) {
        const Vec3& a = s.point[static_cast<std::size_t>(i)].w;
        const Vec3 n = cross(s.point[static_cast<std::size_t>(j)].w - a, s.point[static_cast<std::size_t>(k)].w - a);
        return dot(n, -a) * dot(n, s.point[static_cast<std::size_t>(l)].w - a) > 0;
    };
    return is_on_same_side(0, 1, 2, 3) && is_on_same_side(1, 2, 3, 0) && is_on_same_side(2, 3, 0, 1) && is_on_same_side(3, 0, 1, 2);
}

Part nearest_part(const Simplex& s) {
    if (s.count == 1) return of_point(s, 0);
    if (s.count == 2) return of_edge(s, 0, 1);
    if (s.count == 3) return of_triangle(s, 0, 1, 2);
    Part best;
    best.take_if_nearer(of_triangle(s, 0, 1, 3));
    best.take_if_nearer(of_triangle(s, 1, 2, 3));
    best.take_if_nearer(of_triangle(s, 2, 0, 3));
    best.take_if_nearer(of_triangle(s, 0, 1, 2));
    return best;
}

Simplex reduced(const Simplex& s, const Part& part) {
    Simplex out;
    out.count = part.count;
    for (int k = 0; k < part.count; ++k) {
        out.point[static_cast<std::size_t>(k)] = s.point[static_cast<std::size_t>(part.index[k])];
        out.weight[static_cast<std::size_t>(k)] = part.weight[k];
    }
    return out;
}

}  // namespace

Difference difference(const Convex& a, const Convex& b, const Vec3& direction) {
    Difference out{.w = {}, .on_a = support(a, direction), .on_b = support(b, -direction)};
    out.w = out.on_a - out.on_b;
    return out;
}

Nearest nearest_of_cores(const Convex& a, const Convex& b) {
    const Vec3 between = a.centre - b.centre;
    Nearest out;
    out.simplex.count = 1;
    out.simplex.point[0] = difference(a, b, squared_norm(between) > 0 ? -between : Vec3{1, 0, 0});
    out.simplex.weight[0] = 1;
    out.apart = out.simplex.point[0].w;
    for (int step = 0; step < most_steps; ++step) {
        for (int k = 0; k < out.simplex.count; ++k) {
            const Difference& p = out.simplex.point[static_cast<std::size_t>(k)];
            out.size = std::fmax(out.size, std::fmax(norm(p.on_a - a.centre), norm(p.on_b - b.centre)) + norm(p.w));
        }
        const double squared = squared_norm(out.apart);
        out.overlaps = !(squared > (touching * out.size) * (touching * out.size));
        if (out.overlaps) return out;
        const Difference next = difference(a, b, -out.apart);
        if (!(dot(out.apart, out.apart - next.w) > gap_tolerance * squared)) return out;
        for (int k = 0; k < out.simplex.count; ++k)
            if (out.simplex.point[static_cast<std::size_t>(k)].w == next.w) return out;
        Simplex larger = out.simplex;
        larger.point[static_cast<std::size_t>(larger.count++)] = next;
        if (larger.count == 4 && holds_origin(larger)) {
            out.simplex = larger;
            out.overlaps = true;
            return out;
        }
        const Part part = nearest_part(larger);
        if (!(part.squared < squared)) return out;  // rounding
        out.simplex = reduced(larger, part);
        out.apart = part.v;
    }
    return out;
}

}  // namespace asperity::geometry
