// Random convex bodies, and slow references for their gap: all faces and pairs of edges of polytopes; support functions written down once
// more, and the sphere of directions searched, for all others.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <variant>
#include <vector>

#include "asperity/geometry/convex.h"

namespace asperity::geometry::test {

using AnyConvex = std::variant<Sphere, Box, Cylinder, Cone, Capsule, Hull>;
inline constexpr const char* convex_names[] = {"sphere", "box", "cylinder", "cone", "capsule", "hull"};

struct Draw {
    std::mt19937_64 engine;
    explicit Draw(std::uint64_t seed) : engine(seed) {}
    double operator()(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); }
    double normal() { return std::normal_distribution<double>()(engine); }
    Vec3 direction() { return unit(Vec3{normal(), normal(), normal()}); }
    Quat turn() { return unit(Quat{normal(), normal(), normal(), normal()}); }
    // Up to `aspect` times longer one way than the other.
    double length(double aspect) { return std::exp((*this)(-0.5, 0.5) * std::log(aspect)); }
    AnyConvex shape(std::size_t kind, double scale, double aspect) {
        switch (kind) {
            case 0: return Sphere{scale * length(aspect)};
            case 1: return Box{scale * Vec3{length(aspect), length(aspect), length(aspect)}};
            case 2: return Cylinder{scale * length(aspect), scale * length(aspect)};
            case 3: return Cone{scale * length(aspect), scale * length(aspect)};
            case 4: return Capsule{scale * length(aspect), scale * length(aspect)};
            default: break;
        }
        std::vector<Vec3> points;
        const Vec3 axes{length(aspect), length(aspect), length(aspect)};
        const int count = static_cast<int>((*this)(5, 20));
        for (int k = 0; k < count; ++k) {
            const Vec3 d = direction();
            points.push_back(scale * Vec3{axes.x * d.x, axes.y * d.y, axes.z * d.z});
        }
        return make_hull(points);
    }
};

inline Convex placed(const AnyConvex& shape, const Pose& pose) {
    return std::visit([&](const auto& s) { return convex(s, pose); }, shape);
}

inline Vec3 back(const Pose& pose, const Vec3& direction) { return rotate(conjugate(pose.q), direction); }

// h of the whole body, rounding included, for a unit direction.
inline double reach_along(const AnyConvex& shape, const Pose& pose, const Vec3& direction) {
    const Vec3 d = back(pose, direction);
    const double across = std::hypot(d.x, d.y);
    struct Reach {
        const Vec3& d;
        double across;
        double operator()(const Sphere& s) const { return s.radius; }
        double operator()(const Box& b) const { return b.half.x * std::fabs(d.x) + b.half.y * std::fabs(d.y) + b.half.z * std::fabs(d.z); }
        double operator()(const Cylinder& c) const { return c.radius * across + c.half_height * std::fabs(d.z); }
        double operator()(const Cone& c) const { return std::fmax(0.75 * c.height * d.z, c.radius * across - 0.25 * c.height * d.z); }
        double operator()(const Capsule& c) const { return c.radius + c.half_length * std::fabs(d.z); }
        double operator()(const Hull& h) const {
            double most = -HUGE_VAL;
            for (const Vec3& v : h.vertices) most = std::fmax(most, dot(v, d));
            return most;
        }
    };
    return std::visit(Reach{d, across}, shape);
}

// s of convex_gap.h (1), rounding included.
inline double slab(const AnyConvex& a, const Pose& at_a, const AnyConvex& b, const Pose& at_b, const Vec3& n) {
    return dot(n, at_a.p - at_b.p) - reach_along(a, at_a, -n) - reach_along(b, at_b, n);
}

// How far a point lies outside the body, at most; negative: how deep inside, at least.
inline double height_over(const AnyConvex& shape, const Pose& pose, const Vec3& point) {
    const Vec3 p = back(pose, point - pose.p);
    const double across = std::hypot(p.x, p.y);
    struct Height {
        const Vec3& p;
        double across;
        double operator()(const Sphere& s) const { return norm(p) - s.radius; }
        double operator()(const Box& b) const {
            return std::max({std::fabs(p.x) - b.half.x, std::fabs(p.y) - b.half.y, std::fabs(p.z) - b.half.z});
        }
        double operator()(const Cylinder& c) const { return std::fmax(across - c.radius, std::fabs(p.z) - c.half_height); }
        double operator()(const Cone& c) const {
            const double slant = std::hypot(c.radius, c.height);
            return std::fmax(-p.z - 0.25 * c.height, (c.height * across + c.radius * (p.z - 0.75 * c.height)) / slant);
        }
        double operator()(const Capsule& c) const {
            return norm(p - Vec3{0, 0, std::clamp(p.z, -c.half_length, c.half_length)}) - c.radius;
        }
        double operator()(const Hull& h) const {
            double most = -HUGE_VAL;
            for (std::size_t f = 0; f < h.faces(); ++f)
                most = std::fmax(most, dot(h.normals[f],
                                           p - h.vertices[static_cast<std::size_t>(h.corners[static_cast<std::size_t>(h.face_begin[f])])]));
            return most;
        }
    };
    return std::visit(Height{p, across}, shape);
}

struct Corners3 {
    std::vector<Vec3> vertices, normals;
    std::vector<std::pair<Vec3, Vec3>> edges;
};

// Vertices, normals and edges in the frame, with the rounding; for those that have them.
inline Corners3 corners_of(const AnyConvex& shape, const Pose& pose) {
    Corners3 out;
    std::vector<Vec3> points;
    if (const auto* box = std::get_if<Box>(&shape))
        for (int k = 0; k < 8; ++k)
            points.push_back({k & 1 ? box->half.x : -box->half.x, k & 2 ? box->half.y : -box->half.y, k & 4 ? box->half.z : -box->half.z});
    if (const auto* hull = std::get_if<Hull>(&shape)) points = hull->vertices;
    const Hull hull = make_hull(points);
    for (const Vec3& v : hull.vertices) out.vertices.push_back(pose * v);
    for (const Vec3& n : hull.normals) out.normals.push_back(rotate(pose.q, n));
    for (const HullEdge& e : hull.edges)
        out.edges.emplace_back(out.vertices[static_cast<std::size_t>(e.vertex[0])], out.vertices[static_cast<std::size_t>(e.vertex[1])]);
    return out;
}

inline bool is_polytope(const AnyConvex& shape) { return std::holds_alternative<Box>(shape) || std::holds_alternative<Hull>(shape); }

// Every normal that can be that of the shortest translation, or of a separating plane, of two polytopes; the largest s of them.
inline double brute_separation(const AnyConvex& a, const Pose& at_a, const AnyConvex& b, const Pose& at_b) {
    const Corners3 one = corners_of(a, at_a), other = corners_of(b, at_b);
    double most = -HUGE_VAL;
    const auto look = [&](const Vec3& n) { most = std::fmax(most, slab(a, at_a, b, at_b, n)); };
    for (const Vec3& n : one.normals) look(-n);
    for (const Vec3& n : other.normals) look(n);
    for (const auto& [p, q] : one.edges)
        for (const auto& [r, s] : other.edges) {
            const Vec3 n = cross(unit(q - p), unit(s - r));
            if (norm(n) > 1e-9) look(unit(n)), look(-unit(n));
        }
    return most;
}

inline double distance_of_segments(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& s) {
    const auto to_segment = [](const Vec3& x, const Vec3& a, const Vec3& b) {
        const double t = std::clamp(dot(x - a, b - a) / squared_norm(b - a), 0.0, 1.0);
        return norm(x - a - t * (b - a));
    };
    double least = std::min({to_segment(p, r, s), to_segment(q, r, s), to_segment(r, p, q), to_segment(s, p, q)});
    const Vec3 n = cross(q - p, s - r);
    if (squared_norm(n) > 0) {
        const double t = dot(cross(r - p, s - r), n) / squared_norm(n), u = dot(cross(r - p, q - p), n) / squared_norm(n);
        if (t > 0 && t < 1 && u > 0 && u < 1) least = std::fmin(least, std::fabs(dot(r - p, unit(n))));
    }
    return least;
}

// The distance of two polytopes that are apart: all pairs of edges, all vertices over all faces.
inline double brute_distance(const AnyConvex& a, const Pose& at_a, const AnyConvex& b, const Pose& at_b) {
    const Corners3 one = corners_of(a, at_a), other = corners_of(b, at_b);
    double least = HUGE_VAL;
    for (const auto& [p, q] : one.edges)
        for (const auto& [r, s] : other.edges) least = std::fmin(least, distance_of_segments(p, q, r, s));
    const auto faces = [&](const AnyConvex& shape, const Pose& at, const Corners3& of, const std::vector<Vec3>& points) {
        for (const Vec3& x : points)
            for (const Vec3& n : of.normals) {
                double most = -HUGE_VAL;
                for (const Vec3& v : of.vertices) most = std::fmax(most, dot(v, n));
                const double h = dot(x, n) - most;
                if (h > 0 && height_over(shape, at, x - h * n) < 1e-12 * (std::fabs(most) + h)) least = std::fmin(least, h);
            }
    };
    faces(a, at_a, one, other.vertices);
    faces(b, at_b, other, one.vertices);
    return least;
}

// The largest s over the sphere of directions: many starts, then ever smaller steps about the best of them.
inline double searched_separation(const AnyConvex& a, const Pose& at_a, const AnyConvex& b, const Pose& at_b, Draw& draw, int starts,
                                  double* close = nullptr) {
    double most = -HUGE_VAL;
    std::vector<std::pair<double, Vec3>> tries;
    for (int k = 0; k < starts; ++k) {
        const Vec3 n = draw.direction();
        tries.emplace_back(slab(a, at_a, b, at_b, n), n);
    }
    std::sort(tries.begin(), tries.end(), [](const auto& x, const auto& y) { return x.first > y.first; });
    for (std::size_t k = 0; k < 6 && k < tries.size(); ++k) {
        auto [s, n] = tries[k];
        for (double step = 0.3; step > 1e-10;) {
            bool is_better = false;
            const Vec3 e = unit(cross(n, std::fabs(n.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0})), f = cross(n, e);
            const double turn = draw(0, std::numbers::pi);
            for (int i = 0; i < 12; ++i) {
                const double angle = turn + i * std::numbers::pi / 6;
                const Vec3 to = unit(n + step * (std::cos(angle) * e + std::sin(angle) * f));
                if (const double found = slab(a, at_a, b, at_b, to); found > s) {
                    s = found, n = to, is_better = true;
                    break;
                }
            }
            if (!is_better) step *= 0.6;
        }
        most = std::fmax(most, s);
    }
    if (close != nullptr) *close = 1e-7;
    return most;
}

}  // namespace asperity::geometry::test
