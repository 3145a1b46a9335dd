// Contact manifolds of convex bodies: how many points, where, and that they stay when the bodies move.
#include "asperity/geometry/manifold.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "unit/geometry/convex_reference.h"

namespace asperity::geometry::manifold_test {
namespace {

using std::numbers::pi;

std::vector<TouchPoint> touches(const Convex& a, const Convex& b, double margin = 0) {
    TouchPoint out[most_in_manifold];
    const int count = manifold(a, b, margin, out);
    return {out, out + count};
}

std::vector<TouchPoint> over_plane(const Convex& body, const Pose& plane = {}, double margin = 0) {
    TouchPoint out[most_in_manifold];
    const int count = manifold_over_plane(body, rotate(plane.q, {0, 0, 1}), plane.p, margin, out);
    return {out, out + count};
}

// That the points are those wanted, in any order, with this gap.
void expect_points(const std::vector<TouchPoint>& got, std::vector<Vec3> wanted, double gap, double tolerance = 1e-14) {
    ASSERT_EQ(got.size(), wanted.size());
    for (const TouchPoint& t : got) {
        const auto found = std::ranges::find_if(wanted, [&](const Vec3& p) { return norm(p - t.point) <= tolerance; });
        ASSERT_NE(found, wanted.end()) << t.point.x << " " << t.point.y << " " << t.point.z;
        wanted.erase(found);
        EXPECT_NEAR(t.gap, gap, tolerance);
        EXPECT_NEAR(norm(t.normal - Vec3{0, 0, 1}), 0, tolerance);
    }
}

constexpr double deep = 1e-3;

TEST(Manifold, BoxOnBox) {
    const Convex low = convex(Box{{1, 1, 1}}, {});
    const double z = 1 - 0.5 * deep, up = 2 - deep;
    expect_points(touches(convex(Box{{1, 1, 1}}, {{0, 0, up}, {}}), low), {{1, 1, z}, {1, -1, z}, {-1, 1, z}, {-1, -1, z}}, -deep);
    expect_points(touches(convex(Box{{1, 1, 1}}, {{1.5, 0.5, up}, {}}), low), {{1, 1, z}, {1, -0.5, z}, {0.5, 1, z}, {0.5, -0.5, z}},
                  -deep);
    expect_points(touches(convex(Box{{0.2, 0.3, 1}}, {{0, 0, up}, {}}), low),
                  {{0.2, 0.3, z}, {0.2, -0.3, z}, {-0.2, 0.3, z}, {-0.2, -0.3, z}}, -deep);
    expect_points(touches(convex(Box{{5, 6, 1}}, {{0, 0, up}, {}}), low), {{1, 1, z}, {1, -1, z}, {-1, 1, z}, {-1, -1, z}}, -deep);
    // turned by 45 degrees: four of the eight corners of the octagon, spanning it
    const std::vector<TouchPoint> turned = touches(convex(Box{{1, 1, 1}}, {{0, 0, up}, rotation({0, 0, 0.25 * pi})}), low);
    ASSERT_EQ(turned.size(), 4u);
    Vec3 middle;
    for (const TouchPoint& t : turned) middle += 0.25 * t.point;
    EXPECT_NEAR(norm(middle - Vec3{0, 0, z}), 0, 0.1);
    for (const TouchPoint& t : turned) EXPECT_NEAR(norm(t.point - Vec3{0, 0, z}), std::hypot(1, std::sqrt(2.0) - 1), 1e-12);
}

TEST(Manifold, LinesAndPointsOnBox) {
    const Convex low = convex(Box{{3, 3, 1}}, {});
    const double z = 1 - 0.5 * deep, half = std::sqrt(2.0);
    expect_points(touches(convex(Box{{1, 1, 1}}, {{0, 0, 1 + half - deep}, rotation({0.25 * pi, 0, 0})}), low), {{1, 0, z}, {-1, 0, z}},
                  -deep);
    expect_points(touches(convex(Capsule{0.5, 1}, {{0, 0, 1.5 - deep}, rotation({0, 0.5 * pi, 0})}), low), {{1, 0, z}, {-1, 0, z}}, -deep);
    expect_points(touches(convex(Capsule{0.5, 1}, {{2.5, 0, 1.5 - deep}, rotation({0, 0.5 * pi, 0})}), low), {{3, 0, z}, {1.5, 0, z}},
                  -deep);
    expect_points(touches(convex(Cylinder{0.5, 1}, {{0, 0, 1.5 - deep}, rotation({0, 0.5 * pi, 0})}), low), {{1, 0, z}, {-1, 0, z}}, -deep);
    expect_points(touches(convex(Cylinder{0.5, 1}, {{0, 0, 2 - deep}, {}}), low), {{0.5, 0, z}, {-0.5, 0, z}, {0, 0.5, z}, {0, -0.5, z}},
                  -deep);
    expect_points(touches(convex(Sphere{0.5}, {{0.1, 0.2, 1.5 - deep}, {}}), low), {{0.1, 0.2, z}}, -deep);
    expect_points(touches(convex(Cone{0.5, 1}, {{0, 0, 1.75 - deep}, rotation({pi, 0, 0})}), low), {{0, 0, z}}, -deep, 1e-13);
    expect_points(touches(convex(Capsule{0.5, 1}, {{0.2, 0, 1 - deep}, rotation({0, 0.5 * pi, 0})}),
                          convex(Capsule{0.5, 1}, {{}, rotation({0, 0.5 * pi, 0})})),
                  {{1, 0, 0.5 * (1 - deep)}, {-0.8, 0, 0.5 * (1 - deep)}}, -deep);
}

TEST(Manifold, OverPlane) {
    const double z = -0.5 * deep, half = std::sqrt(2.0);
    expect_points(over_plane(convex(Box{{1, 2, 0.5}}, {{0, 0, 0.5 - deep}, {}})), {{1, 2, z}, {1, -2, z}, {-1, 2, z}, {-1, -2, z}}, -deep);
    expect_points(over_plane(convex(Box{{1, 1, 1}}, {{0, 0, half - deep}, rotation({0.25 * pi, 0, 0})})), {{1, 0, z}, {-1, 0, z}}, -deep);
    expect_points(over_plane(convex(Cylinder{1, 2}, {{0, 0, 2 - deep}, {}})), {{1, 0, z}, {-1, 0, z}, {0, 1, z}, {0, -1, z}}, -deep);
    expect_points(over_plane(convex(Cylinder{1, 2}, {{0, 0, 1 - deep}, rotation({0, 0.5 * pi, 0})})), {{2, 0, z}, {-2, 0, z}}, -deep);
    expect_points(over_plane(convex(Capsule{1, 2}, {{0, 0, 1 - deep}, rotation({0, 0.5 * pi, 0})})), {{2, 0, z}, {-2, 0, z}}, -deep);
    expect_points(over_plane(convex(Cone{1, 2}, {{0, 0, 0.5 - deep}, {}})), {{1, 0, z}, {-1, 0, z}, {0, 1, z}, {0, -1, z}}, -deep);
    expect_points(over_plane(convex(Sphere{1}, {{3, 4, 1 - deep}, {}})), {{3, 4, z}}, -deep);
    // a cylinder on its rim: the deepest point of it, whichever way it leans
    for (int k = 0; k < 12; ++k) {
        const Quat lean = rotation({0, 0, k * pi / 6}) * rotation({0.3, 0, 0}) * rotation({0, 0, 1.7 * k});
        const double height = std::cos(0.3) * 2 + std::sin(0.3);
        const std::vector<TouchPoint> got = over_plane(convex(Cylinder{1, 2}, {{0, 0, height - deep}, lean}));
        ASSERT_EQ(got.size(), 1u);
        EXPECT_NEAR(got[0].gap, -deep, 1e-15);
        EXPECT_EQ(got[0].part % 4, 0u);
    }
}

// The plane is one face of a very large box: same gaps, same points, for all shapes and attitudes.
TEST(Manifold, AHalfSpaceIsALargeBox) {
    test::Draw draw(20261123);
    for (std::size_t kind = 0; kind < 6; ++kind)
        for (int run = 0; run < 200; ++run) {
            SCOPED_TRACE(fmt::format("{} {}", test::convex_names[kind], run));
            const test::AnyConvex shape = draw.shape(kind, 1, 4);
            const Pose plane{draw.direction(), draw.turn()};
            const Vec3 n = rotate(plane.q, {0, 0, 1});
            Pose pose{{}, draw.turn()};
            const double lowest = test::reach_along(shape, pose, -n);
            pose.p = plane.p + (lowest - draw(0, 0.05)) * n;
            const std::vector<TouchPoint> low = over_plane(test::placed(shape, pose), plane);
            const ConvexGap gap = convex_gap(test::placed(shape, pose), convex(Box{{50, 50, 50}}, plane * Pose{{0, 0, -50}, {}}));
            double deepest = 0;
            for (const TouchPoint& t : low) deepest = std::fmin(deepest, t.gap);
            ASSERT_NEAR(deepest, gap.gap, 1e-13);
            ASSERT_EQ(gap.reference, Reference::of_b);
            for (const TouchPoint& t : low) {
                ASSERT_LT(t.gap, 0);
                ASSERT_NEAR(dot(t.point - plane.p, n), 0.5 * t.gap, 1e-14);
                ASSERT_NEAR(test::height_over(shape, pose, t.point + 0.5 * t.gap * n), 0, 1e-13);
            }
        }
}

// A box rocks and slides on another one: contacts keep their numbers, and move no farther than the box does.
TEST(Manifold, PointsKeepTheirPartsFromStepToStep) {
    const Convex low = convex(Box{{3, 3, 1}}, {});
    std::set<std::uint32_t> parts;
    std::vector<TouchPoint> before;
    for (int k = 0; k < 200; ++k) {
        const double t = 0.01 * k, tilt = 1e-4 * std::sin(7 * t);
        const Pose pose{{0.3 * t, 0.1 * t, 2 - deep}, rotation({tilt, -tilt, 0.05 * t})};
        const std::vector<TouchPoint> now = touches(convex(Box{{1, 1, 1}}, pose), low);
        ASSERT_EQ(now.size(), 4u);
        for (const TouchPoint& touch : now) parts.insert(touch.part);
        for (std::size_t i = 0; i < before.size(); ++i) {
            ASSERT_EQ(now[i].part, before[i].part);
            ASSERT_LT(norm(now[i].point - before[i].point), 0.01);
        }
        before = now;
    }
    EXPECT_EQ(parts.size(), 4u);
}

TEST(Manifold, ReductionKeepsTheDeepestAndTheWidest) {
    test::Draw draw(20261124);
    for (int run = 0; run < 100; ++run) {
        std::vector<TouchPoint> points(20);
        for (std::size_t k = 0; k < points.size(); ++k) {
            const Vec3 d = draw.direction();
            points[k].point = {d.x, d.y, 0}, points[k].normal = {0, 0, 1}, points[k].gap = draw(-1, 0),
            points[k].part = static_cast<std::uint32_t>(k);
        }
        std::vector<TouchPoint> kept = points, shuffled = points;
        std::shuffle(shuffled.begin(), shuffled.end(), draw.engine);
        ASSERT_EQ(reduced_manifold(kept.data(), 20), 4);
        ASSERT_EQ(reduced_manifold(shuffled.data(), 20), 4);
        const auto deepest = std::ranges::min_element(points, {}, &TouchPoint::gap);
        EXPECT_TRUE(std::any_of(kept.begin(), kept.begin() + 4, [&](const TouchPoint& t) { return t.part == deepest->part; }));
        for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(kept[k].part, shuffled[k].part);
    }
}

}  // namespace
}  // namespace asperity::geometry::manifold_test
