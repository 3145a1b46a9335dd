// Balls on randomly triangulated planes, aimed at vertices and along edges, where every decision between neighbouring facets hangs on
// rounding. A vertex or seam that does not bend must not show; one that bends by b changes the motion by a multiple of b.
//
// Coupled law, level ground: slide and roll as in slide_and_roll.h.
// A drop from the height h without spin or lateral speed: t = sqrt(2 h / g) (1 + e) / (1 - e), in place                              (1)
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "asperity/core/random.h"
#include "unit/dynamics/ball_run.h"
#include "unit/dynamics/slide_and_roll.h"

namespace asperity::dynamics::test {

enum class Aim { at_vertex, along_edge, drop_on_vertex, hop_over_vertex };

struct SeamPath {
    geometry::RawMesh mesh;
    Vec3 normal;        // of the plane
    Vec3 start;         // of the contact point, on the plane
    Vec3 direction;     // unit, in the plane; zero: a vertical drop
    double height = 0;  // m, over the plane
    Aim aim = Aim::at_vertex;
    bool slides = false;
    double r = 0, g = 0, f = 0, C = 0, e = 0, way = 0, bend = 0;
    double cell = 0;
};

// A sheet of cells with shifted corners and diagonals of either kind, some facets split in three; turned and moved away in two of three.
inline SeamPath seam_path(std::uint64_t seed, double bend) {
    const DrawKey key{seed, 2, 9};
    std::uint64_t count = 0;
    const auto between = [&](double low, double high) { return low + (high - low) * random_uniform(key, count++); };
    const auto power = [&](double low, double high) { return low * std::pow(high / low, between(0, 1)); };
    SeamPath path;
    path.bend = bend;
    path.r = power(0.005, 0.5);
    path.g = power(1e-5, 1);
    path.f = between(0.2, 1);
    path.C = between(0.02, 0.1);
    path.e = between(0, 0.8);
    path.cell = path.r * power(0.5, 50);
    const double shift = between(0, 1) < 0.3 ? 0 : 0.35;  // none: long rows of edges in one line
    constexpr int cells = 10;
    geometry::RawMesh& mesh = path.mesh;
    for (int row = 0; row <= cells; ++row)
        for (int column = 0; column <= cells; ++column) {
            const double x = column - 0.5 * cells + shift * between(-1, 1), y = row - 0.5 * cells + shift * between(-1, 1);
            mesh.vertices.push_back(path.cell * Vec3{x, y, 0.2 * bend * between(-1, 1)});
        }
    for (int row = 0; row < cells; ++row)
        for (int column = 0; column < cells; ++column) {
            const int a = row * (cells + 1) + column, b = a + 1, c = b + cells + 1, d = c - 1;
            const auto corner = [&](int k) { return mesh.vertices[static_cast<std::size_t>(k)]; };
            const auto turns_left = [&](int i, int k, int l) { return cross(corner(k) - corner(i), corner(l) - corner(i)).z > 0; };
            const bool may_ac = turns_left(a, b, c) && turns_left(a, c, d), may_bd = turns_left(a, b, d) && turns_left(b, c, d);
            const bool is_ac = between(0, 1) < 0.5 ? may_ac : !may_bd;
            for (const auto& facet : is_ac ? std::array<std::array<int, 3>, 2>{{{a, b, c}, {a, c, d}}}
                                           : std::array<std::array<int, 3>, 2>{{{a, b, d}, {b, c, d}}}) {
                if (between(0, 1) < 0.7) {
                    mesh.facets.push_back({facet[0], facet[1], facet[2]});
                    continue;
                }
                const auto at = [&](std::size_t k) { return corner(facet[k]); };
                const int middle = static_cast<int>(mesh.vertices.size());
                const double u = between(0.1, 0.45), w = between(0.1, 0.45);
                Vec3 place = (1 - u - w) * at(0) + u * at(1) + w * at(2);
                place.z += 0.05 * bend * path.cell * between(-1, 1);
                mesh.vertices.push_back(place);
                for (int k = 0; k < 3; ++k)
                    mesh.facets.push_back({facet[static_cast<std::size_t>(k)], facet[static_cast<std::size_t>((k + 1) % 3)], middle});
            }
        }
    path.aim = static_cast<Aim>(static_cast<int>(between(0, 4)));
    path.slides = between(0, 1) < 0.5;
    path.way = path.cell * between(1, 2.5);
    const auto flat = [](Vec3 p) { return Vec3{p.x, p.y, 0}; };
    const auto pick = [&](double reach) {  // a vertex of the middle
        for (;;) {
            const auto k = static_cast<std::size_t>(between(0, static_cast<double>(mesh.vertices.size())));
            if (norm(flat(mesh.vertices[k])) < reach * path.cell) return static_cast<std::int32_t>(k);
        }
    };
    const std::int32_t target = pick(1.5);
    const Vec3 goal = flat(mesh.vertices[static_cast<std::size_t>(target)]);
    const double heading = 2 * M_PI * between(0, 1);
    path.direction = {std::cos(heading), std::sin(heading), 0};
    const double part = between(0, 0.9);
    if (path.aim == Aim::along_edge) {
        for (const auto& facet : mesh.facets)
            for (std::size_t k = 0; k < 3; ++k)
                if (facet[k] == target) path.direction = unit(flat(mesh.vertices[static_cast<std::size_t>(facet[(k + 1) % 3])]) - goal);
        path.start = goal + (path.cell * between(-1, 1)) * path.direction;
    } else if (path.aim == Aim::at_vertex) {
        path.start = goal - (part * path.way) * path.direction;
    } else {
        path.start = goal;
        path.height = path.cell * power(0.01, 1);
        if (path.aim == Aim::drop_on_vertex) path.direction = {};
    }
    path.normal = {0, 0, 1};
    if (between(0, 1) < 2.0 / 3) {
        const Quat turn = rotation({between(-2, 2), between(-2, 2), between(-2, 2)});
        const Vec3 away = path.cell * Vec3{between(-30, 30), between(-30, 30), between(-30, 30)};
        for (Vec3& v : mesh.vertices) v = rotate(turn, v) + away;
        path.normal = rotate(turn, path.normal);
        path.direction = rotate(turn, path.direction);
        path.start = rotate(turn, path.start) + away;
    }
    return path;
}

inline BallRun ball_on(const SeamPath& path, geometry::RawMesh mesh) {
    BallRun ball(std::move(mesh));
    model::Parameters& p = ball.model.parameters;
    p.bodies.kinds[0] = model::sphere_kind(path.r, 1);
    p.environment.field = gravity::Uniform{-path.g * path.normal};
    p.laws.laws[0] = {.restitution = path.e, .friction = path.f, .rolling_resistance = path.C};
    p.end_time = 1e5 * std::sqrt(path.cell / path.g);
    p.step_budget = 1000000;
    return ball;
}

struct ClosedForm {
    double speed = 0;  // m/s, at the start, for the way that is wanted
    double time = 0;   // s
};

inline ClosedForm closed_form(const SeamPath& path) {
    const double j = 0.4, f = path.f, C = path.C, g = path.g;
    if (!path.slides) {
        const double slowing = C * g / (1 + j), v0 = std::sqrt(2 * slowing * path.way);
        return {v0, v0 / slowing};
    }
    const SlideAndRoll of_one = slide_and_roll(1, g, j, f, C);
    const double v0 = std::sqrt(path.way / of_one.way);
    return {v0, v0 * of_one.stop_time};
}

struct SeamEnd {
    model::Outcome outcome;
    Vec3 place;  // m
    double time = 0;
    double balance = 0, overlap = 0;  // of the energy set free; of r
};

inline double hop_speed(const SeamPath& path) { return path.aim == Aim::hop_over_vertex ? 0.3 * std::sqrt(path.g * path.height) : 0; }

inline SeamEnd end_on(const SeamPath& path, const geometry::RawMesh& mesh) {
    BallRun ball = ball_on(path, mesh);
    const double r = path.r;
    if (path.aim == Aim::at_vertex || path.aim == Aim::along_edge) {
        const Vec3 v = closed_form(path).speed * path.direction;
        ball.put_on_surface(path.start + r * path.normal, v, path.slides ? Vec3{} : cross(path.normal, v) / r);
    } else {
        const double fall = std::sqrt(2 * path.height / path.g);
        const Vec3 v = hop_speed(path) * path.direction;
        ball.put(path.start + (r + path.height) * path.normal - fall * v, v, {});
    }
    const model::State first = ball.state;
    const model::Outcome outcome = ball.run();
    return {.outcome = outcome,
            .place = ball.position(),
            .time = outcome.time,
            .balance = std::fabs(ball.balance(first)),
            .overlap = ball.state.tallies.deepest_overlap[0] / r};
}

// The same plane as one facet without a border near the ball.
inline geometry::RawMesh one_facet(const SeamPath& path) {
    const Vec3 n = path.normal, x = unit(std::fabs(n.x) < 0.9 ? tangential({1, 0, 0}, n) : tangential({0, 1, 0}, n)), y = cross(n, x);
    const double size = 60 * path.cell;
    return {{path.start + size * (-1.7 * x - y), path.start + size * (1.7 * x - y), path.start + (2 * size) * y}, {{0, 1, 2}}};
}

// Where and when the ball comes to rest on the plane: by the closed forms, or on one facet where bounces, slide and roll mix.
inline SeamEnd end_on_plane(const SeamPath& path) {
    const Vec3 centre = path.start + path.r * path.normal;
    if (path.aim == Aim::hop_over_vertex) return end_on(path, one_facet(path));
    if (path.aim == Aim::drop_on_vertex)
        return {.place = centre, .time = std::sqrt(2 * path.height / path.g) * (1 + path.e) / (1 - path.e)};  // (1)
    return {.place = centre + path.way * path.direction, .time = closed_form(path).time};
}

// On the plane: the place within 1e-9 r, the time within 1e-9 of it; a ball counts as standing at 1e-10 of its slow speed sqrt(g r). On a
// bent one slopes are up to b, against the deceleration C g / (1 + j): ways and times change by b / C of them, a small multiple of
// cell b / C. The series of bounces is completed in place where a border is within its last thousandth (completion.h): the way of that is
// lost. The ledger and the overlap: as for the random runs.
inline void expect_seams_do_not_show(std::uint64_t first_seed, std::uint64_t last_seed) {
    for (const double bend : {0.0, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 2e-6, 3e-6, 1e-5, 1e-4, 1e-3}) {
        double farthest = 0, worst_balance = 0, worst_overlap = 0;
        for (std::uint64_t seed = first_seed; seed <= last_seed; ++seed) {
            SCOPED_TRACE(testing::Message() << "bend " << bend << " rad, seed " << seed);
            const SeamPath path = seam_path(seed, bend);
            const SeamEnd end = end_on(path, path.mesh), plane = end_on_plane(path);
            EXPECT_EQ(end.outcome.kind, model::OutcomeKind::rest) << end.outcome.message << ", at " << end.time << " s";
            const double off = norm(end.place - plane.place);
            const double in_place = 2e-3 * std::sqrt(2e-6 * path.g * path.r) / (path.g * (1 - path.e));  // s
            if (bend == 0) {
                EXPECT_LT(off, 1e-9 * path.r);
                EXPECT_NEAR(end.time, plane.time, 1e-9 * plane.time);
            } else {
                EXPECT_LT(off, 3 * path.cell * bend / path.C + in_place * hop_speed(path) + 1e-9 * path.r);
            }
            EXPECT_LT(end.balance, 1e-8);
            EXPECT_LT(end.overlap, 1e-9);
            farthest = std::fmax(farthest, bend == 0 ? off / path.r : off * path.C / (path.cell * bend));
            worst_balance = std::fmax(worst_balance, end.balance);
            worst_overlap = std::fmax(worst_overlap, end.overlap);
        }
        std::cout << "bend " << bend << ", seeds " << first_seed << " to " << last_seed << ": off the plane's place by " << farthest
                  << (bend == 0 ? " r" : " cell b / C") << ", balance " << worst_balance << ", overlap " << worst_overlap << " r\n";
    }
}

}  // namespace asperity::dynamics::test
