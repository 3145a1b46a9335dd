// Convex bodies on triangle surfaces: planes that are cut into triangles, solids given as meshes, steps, valleys.
#include "asperity/geometry/pairs/convex_mesh.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "asperity/geometry/manifold.h"
#include "asperity/geometry/pairs/sphere_mesh.h"
#include "unit/geometry/convex_reference.h"
#include "unit/geometry/shapes.h"

namespace asperity::geometry::convex_mesh_test {
namespace {

using test::AnyConvex;
using test::placed;

std::vector<TouchPoint> touches(const Convex& body, const SurfaceView& mesh, double margin = 0) {
    TouchPoint out[most_touches_of_convex_on_mesh];
    const int count = touch(body, mesh, margin, out);
    return {out, out + count};
}

double deepest(const std::vector<TouchPoint>& touches) {
    double least = 0;
    for (const TouchPoint& t : touches) least = std::fmin(least, t.gap);
    return least;
}

// A plane of n by n cells, with vertices moved about in it, turned and shifted.
RawMesh plane(test::Draw& draw, int n, double cell, const Pose& pose) {
    RawMesh mesh;
    for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= n; ++j)
            mesh.vertices.push_back(pose * (cell * Vec3{i - 0.5 * n + draw(-0.3, 0.3), j - 0.5 * n + draw(-0.3, 0.3), 0}));
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            const int a = i * (n + 1) + j, b = a + n + 1;
            mesh.facets.push_back({a, b, b + 1});
            mesh.facets.push_back({a, b + 1, a + 1});
        }
    return mesh;
}

RawMesh triangles_of(const Hull& hull) {
    RawMesh mesh{hull.vertices, {}};
    for (std::size_t f = 0; f < hull.faces(); ++f)
        for (std::int32_t k = hull.face_begin[f] + 1; k + 1 < hull.face_begin[f + 1]; ++k) {
            const auto corner = [&](std::int32_t i) { return hull.corners[static_cast<std::size_t>(i)]; };
            mesh.facets.push_back({corner(hull.face_begin[f]), corner(k), corner(k + 1)});
        }
    return mesh;
}

// A box that lies over a ridge, nearly level: the shortest way out is about one end of the line of touch, and both ends are told.
TEST(ConvexMesh, AFaceTouchesANearlyFlatRidgeAtBothEnds) {
    const Box box{{0.15, 0.1, 0.05}};
    for (const double slope : {1e-3, 1e-2}) {
        const SurfaceMesh mesh =
            make_surface({{{-2, -2, -2 * slope}, {0, -2, 0}, {2, -2, -2 * slope}, {-2, 2, -2 * slope}, {0, 2, 0}, {2, 2, -2 * slope}},
                          {{0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}}});
        for (const double lean : {-1e-4, -1e-6, 1e-6, 1e-4})
            for (const double depth : {-1e-6, 1e-6, 5e-6}) {
                const Pose at{{0, 0, 0.05 - depth + 0.1 * std::fabs(lean)}, rotation({lean, 0, 0})};
                double low = 0, high = 0;
                for (const TouchPoint& t : touches(convex(box, at), mesh.view(), 1e-4))
                    if (t.part & 0x80000000) low = std::fmin(low, t.point.y), high = std::fmax(high, t.point.y);
                EXPECT_NEAR(low, -0.1, 1e-4) << slope << " " << lean << " " << depth;
                EXPECT_NEAR(high, 0.1, 1e-4) << slope << " " << lean << " " << depth;
            }
    }
}

// The claim that there are no ghost contacts: on facets, edges and corners of a plane that is cut into triangles, whatever touches it sees
// the plane, as if it were a half-space: same gaps, same points, and its normal, to 1e-12 of a radian.
TEST(ConvexMesh, ATriangulatedPlaneIsAPlane) {
    test::Draw draw(20261125);
    int contacts = 0;
    for (const double scale : {1e-3, 1.0, 1e3})
        for (int world = 0; world < 5; ++world) {
            const Pose pose{10 * scale * draw.direction(), draw.turn()};
            const SurfaceMesh mesh = make_surface(plane(draw, 24, 0.4 * scale, pose));
            const Vec3 n = rotate(pose.q, {0, 0, 1});
            for (std::size_t kind = 0; kind < 6; ++kind)
                for (int run = 0; run < 40; ++run) {
                    SCOPED_TRACE(fmt::format("{} scale {} world {} run {}", test::convex_names[kind], scale, world, run));
                    const AnyConvex shape = draw.shape(kind, scale, 3);
                    Pose at{{}, run % 3 == 0 ? pose.q * rotation({0, 0, draw(-3, 3)}) : draw.turn()};  // flat, every third time
                    const double low = test::reach_along(shape, at, -n);
                    at.p = pose * Vec3{scale * draw(-1, 1), scale * draw(-1, 1), low - scale * draw(0, 0.02)};
                    TouchPoint wanted[most_in_manifold];
                    const int count = manifold_over_plane(placed(shape, at), n, pose.p, 0, wanted);
                    const std::vector<TouchPoint> got = touches(placed(shape, at), mesh.view());
                    ASSERT_EQ(got.size(), static_cast<std::size_t>(count));
                    for (std::size_t k = 0; k < got.size(); ++k) {
                        ++contacts;
                        ASSERT_NEAR(norm(got[k].normal - n), 0, 1e-12);
                        ASSERT_EQ(got[k].part, wanted[k].part);
                        ASSERT_NEAR(got[k].gap, wanted[k].gap, 2e-14 * scale);
                        ASSERT_NEAR(norm(got[k].point - wanted[k].point), 0, 2e-13 * scale);
                    }
                }
        }
    EXPECT_GT(contacts, 3000);
}

// The vertices lie exactly above edges and corners of the surface: each is one contact.
TEST(ConvexMesh, ABoxOnTheSeams) {
    RawMesh grid;
    for (int i = -4; i <= 4; ++i)
        for (int j = -4; j <= 4; ++j) grid.vertices.push_back({1.0 * i, 1.0 * j, 0});
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j) {
            const int a = 9 * i + j, b = a + 9;
            grid.facets.push_back({a, b, b + 1});
            grid.facets.push_back({a, b + 1, a + 1});
        }
    const SurfaceMesh mesh = make_surface(grid);
    for (const double margin : {0.0, 0.01})
        for (const double depth : {1e-3, -1e-3})
            for (const Vec3& place : {Vec3{0, 0, 0}, Vec3{0.5, 0, 0}, Vec3{0.5, 0.5, 0}, Vec3{0.25, 0.125, 0}, Vec3{0.3, 0.3, 0}}) {
                const std::vector<TouchPoint> got =
                    touches(convex(Box{{1, 1, 0.5}}, {place + Vec3{0, 0, 0.5 - depth}, {}}), mesh.view(), margin);
                ASSERT_EQ(got.size(), -depth < margin ? 4u : 0u);
                for (const TouchPoint& t : got) {
                    EXPECT_EQ(t.normal, (Vec3{0, 0, 1}));
                    EXPECT_NEAR(t.gap, -depth, 1e-15);
                }
            }
}

// A convex solid given as a closed mesh, and touched lightly from all sides: the deepest contact is the gap of the two convex bodies.
TEST(ConvexMesh, AConvexMeshIsItsHull) {
    test::Draw draw(20261126);
    int edges = 0, same = 0, other = 0, odd = 0;
    for (const double scale : {1e-3, 1.0, 1e3})
        for (std::size_t kind = 0; kind < 6; ++kind)
            for (int run = 0; run < 100; ++run) {
                SCOPED_TRACE(fmt::format("{} scale {} run {}", test::convex_names[kind], scale, run));
                const AnyConvex shape = draw.shape(kind, scale, 3), solid = draw.shape(5, scale, 3);
                const Hull& hull = std::get<Hull>(solid);
                const SurfaceMesh mesh = make_surface(triangles_of(hull));
                Pose at{5 * scale * draw.direction(), draw.turn()};
                const ConvexGap apart = convex_gap(placed(shape, at), convex(hull, {}));
                if (!(apart.gap > 0)) continue;
                at.p -= (apart.gap + 1e-4 * scale) * apart.normal;
                const ConvexGap wanted = convex_gap(placed(shape, at), convex(hull, {}));
                const std::vector<TouchPoint> got = touches(placed(shape, at), mesh.view());
                if (!(wanted.gap < 0)) {  // corners that pass each other
                    ASSERT_EQ(got.size(), 0u);
                    continue;
                }
                // sharp wedges that pass each other: see Limits of docs/theory/convex-shapes.md
                odd += deepest(got) < 0 && deepest(got) > -1.1e-4 * scale ? 0 : 1;
                edges += wanted.reference == Reference::none ? 1 : 0;
                const auto is_found = [&](const TouchPoint& t) {
                    return std::fabs(t.gap - wanted.gap) < 1e-10 * scale && norm(t.normal - wanted.normal) < 1e-6;
                };
                ++(std::ranges::any_of(got, is_found) ? same : other);
            }
    EXPECT_GT(edges, 100);
    RecordProperty("same", same);
    RecordProperty("other", other);
    RecordProperty("odd", odd);
    EXPECT_LT(500 * odd, same + other);
    EXPECT_GT(same, 5 * other);  // one vertex may lie nearer to one facet than all of the body is to another's outside
}

// On a bumpy ball: as the narrow phase of a sphere has it.
TEST(ConvexMesh, ASphereIsASphere) {
    test::Draw draw(20261127);
    const SurfaceMesh mesh = make_surface(test::ball(3, 0.9, 1.1));
    int several = 0;
    for (int run = 0; run < 500; ++run) {
        const Sphere sphere{draw(0.05, 0.5)};
        const Vec3 direction = draw.direction();
        double height = 3;  // let down until it touches
        for (int step = 0; step < 40; ++step) height -= signed_distance(mesh, height * direction) - sphere.radius;
        const Pose at{(height - 0.01) * direction, {}};
        TouchPoint wanted[most_touches_on_mesh];
        const int count = touch(sphere, at.p, mesh.view(), 0, wanted);
        const std::vector<TouchPoint> got = touches(convex(sphere, at), mesh.view());
        ASSERT_EQ(got.size(), static_cast<std::size_t>(count)) << run;
        several += count > 1 ? 1 : 0;
        for (int k = 0; k < count; ++k)
            ASSERT_TRUE(std::ranges::any_of(got, [&](const TouchPoint& t) {
                return std::fabs(t.gap - wanted[k].gap) < 1e-12 && norm(t.normal - wanted[k].normal) < 1e-9 &&
                       norm(t.point - wanted[k].point) < 1e-9;
            })) << run;
    }
    EXPECT_GT(several, 20);
}

// Below the plane of a facet is also what stands beside it over lower ground: a box that is farther from the surface than its reach touches
// nothing, however rough the ground.
TEST(ConvexMesh, WhatIsFartherThanItsReachOverlapsNothing) {
    test::Draw draw(29);
    for (int n = 0; n < 20; ++n) {
        RawMesh rough = plane(draw, 8, 1, {});
        for (Vec3& p : rough.vertices) p.z = draw(-0.6, 0.6);
        const SurfaceMesh mesh = make_surface(rough);
        for (int k = 0; k < 500; ++k) {
            const Convex body = convex(Box{{0.15, 0.14, 0.1}}, {{draw(-3, 3), draw(-3, 3), draw(-0.5, 0.9)}, draw.turn()});
            if (signed_distance(mesh, body.centre) < body.reach) continue;
            EXPECT_EQ(touches(body, mesh.view()).size(), 0u) << n << " " << k;
        }
    }
}

RawMesh step() {  // a floor z = 0 for x > 0, a plateau z = 1 for x < 0
    return {{{-5, -5, 1}, {0, -5, 1}, {0, 5, 1}, {-5, 5, 1}, {0, -5, 0}, {5, -5, 0}, {5, 5, 0}, {0, 5, 0}},
            {{0, 1, 2}, {0, 2, 3}, {1, 4, 7}, {1, 7, 2}, {4, 5, 6}, {4, 6, 7}}};
}

TEST(ConvexMesh, StepsWallsAndValleys) {
    const SurfaceMesh mesh = make_surface(step());
    const double deep = 1e-3;
    const auto expect = [&](const char* what, const Convex& body, std::vector<std::pair<Vec3, Vec3>> wanted,
                            std::size_t count = 0) {  // normal, point on the surface
        SCOPED_TRACE(what);
        const std::vector<TouchPoint> got = touches(body, mesh.view());
        EXPECT_EQ(got.size(), count > 0 ? count : wanted.size());
        for (const auto& [n, p] : wanted) {
            const bool is_found = std::ranges::any_of(got, [&](const TouchPoint& t) {
                return norm(t.normal - n) < 1e-12 && norm(t.point - 0.5 * t.gap * t.normal - p) < 2 * deep &&
                       std::fabs(t.gap + deep) < 1e-12;
            });
            EXPECT_TRUE(is_found) << p.x << " " << p.y << " " << p.z;
        }
        if (testing::Test::HasNonfatalFailure())
            for (const TouchPoint& t : got)
                fmt::print("  gap {} normal {} {} {} point {} {} {} part {:x}\n", t.gap, t.normal.x, t.normal.y, t.normal.z, t.point.x,
                           t.point.y, t.point.z, t.part);
    };
    const Vec3 up{0, 0, 1}, out{1, 0, 0};
    const Box box{{1, 1, 0.25}};
    // half over the edge: two corners, and where the edge leaves the box
    expect("overhang", convex(box, {{0.2, 0, 1.25 - deep}, {}}),
           {{up, {-0.8, 1, 1}}, {up, {-0.8, -1, 1}}, {up, {0, 1, 1}}, {up, {0, -1, 1}}});
    // two corners of the box are as deep behind the wall as below the floor: their way out is to the valley's edge
    expect("in the corner", convex(box, {{1 - deep * std::sqrt(0.5), 0, 0.25 - deep * std::sqrt(0.5)}, {}}),
           {{unit(out + up), {0, 1, 0}}, {unit(out + up), {0, -1, 0}}}, 6);
    expect("on the floor, deeper than in the wall", convex(box, {{1 + deep, 0, 0.25 - deep}, {}}),
           {{up, {0, 1, 0}}, {up, {0, -1, 0}}, {up, {2, 1, 0}}, {up, {2, -1, 0}}});
    expect("flat on the wall's edge", convex(Cylinder{0.5, 1}, {{0, 0, 1.5 - deep}, rotation({0, 0.5 * std::numbers::pi, 0})}),
           {{up, {-1, 0, 1}}, {up, {0, 0, 1}}});
    expect("ball on the edge", convex(Sphere{0.5}, {{(0.5 - deep) * std::sqrt(0.5), 0, 1 + (0.5 - deep) * std::sqrt(0.5)}, {}}),
           {{unit(Vec3{1, 0, 1}), {0, 0, 1}}});
    expect("ball in the corner", convex(Sphere{0.25}, {{0.25 - deep, 0, 0.25 - deep}, {}}), {{up, {0.25, 0, 0}}, {out, {0, 0, 0.25}}});
}

}  // namespace
}  // namespace asperity::geometry::convex_mesh_test
