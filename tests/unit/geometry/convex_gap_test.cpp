// Gaps of convex bodies: every pair of shapes against slow references, and cases whose answer is known.
#include "asperity/geometry/convex_gap.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "asperity/geometry/manifold.h"
#include "unit/geometry/convex_reference.h"

namespace asperity::geometry::convex_gap_test {
namespace {

using test::AnyConvex;
using test::placed;

struct Scene {
    AnyConvex a, b;
    Pose at_a, at_b;
    double size = 0;

    Convex first() const { return placed(a, at_a); }
    Convex second() const { return placed(b, at_b); }
};

// From deep inside each other to a fifth apart, near the origin or ten sizes from it.
Scene scene(test::Draw& draw, std::size_t i, std::size_t j, double scale, double aspect) {
    Scene out{.a = draw.shape(i, scale, aspect), .b = draw.shape(j, scale * draw.length(4), aspect), .at_a = {}, .at_b = {}};
    out.at_a.q = draw.turn(), out.at_b.q = draw.turn();
    out.size = out.first().reach + out.second().reach;
    if (draw(0, 1) < 0.5) out.at_b.p = 10 * scale * draw.direction();
    out.at_a.p = out.at_b.p + draw(0, 1.2) * out.size * draw.direction();
    return out;
}

template <class Look>
void for_each_pair(std::uint64_t seed, int runs, const Look& look) {
    test::Draw draw(seed);
    for (const double scale : {1e-3, 1.0, 1e3})
        for (const double aspect : {2.0, 100.0})
            for (std::size_t i = 0; i < 6; ++i)
                for (std::size_t j = 0; j < 6; ++j)
                    for (int run = 0; run < runs; ++run) {
                        const Scene s = scene(draw, i, j, scale, aspect);
                        SCOPED_TRACE(fmt::format("seed {} {} {} scale {} aspect {} run {}", seed, test::convex_names[i],
                                                 test::convex_names[j], scale, aspect, run));
                        look(s, draw);
                        if (testing::Test::HasFailure()) return;
                    }
}

// s(n), computed from support functions that are written down elsewhere, must be the gap, and no direction may be better: apart, that is a
// proof; overlapping, the reference looks at all normals of polytopes, and searches the sphere for the others.
TEST(ConvexGap, NoDirectionPartsTheBodiesMore) {
    int apart = 0, deep = 0;
    for_each_pair(20261119, 6, [&](const Scene& s, test::Draw& draw) {
        const ConvexGap got = convex_gap(s.first(), s.second());
        ASSERT_NEAR(norm(got.normal), 1, 1e-14);
        ASSERT_NEAR(got.gap, test::slab(s.a, s.at_a, s.b, s.at_b, got.normal), 2e-15 * s.size);
        const bool are_polytopes = test::is_polytope(s.a) && test::is_polytope(s.b);
        const double best = are_polytopes ? test::brute_separation(s.a, s.at_a, s.b, s.at_b)
                                          : test::searched_separation(s.a, s.at_a, s.b, s.at_b, draw, 200);
        ASSERT_GE(got.gap, best - 2e-15 * s.size);
        ++(got.gap > 0 ? apart : deep);
        if (!(got.gap > 0)) return;
        // upper bound: two points of the bodies that are no farther apart
        const bool is_round = s.first().has_rim() || s.second().has_rim();
        ASSERT_NEAR(norm(got.apart) - s.first().rounding - s.second().rounding, got.gap, (is_round ? 2e-9 : 4e-15) * s.size);
        if (!are_polytopes) return;
        ASSERT_NEAR(test::brute_distance(s.a, s.at_a, s.b, s.at_b), got.gap, 4e-15 * s.size);
    });
    EXPECT_GT(apart, 400);
    EXPECT_GT(deep, 400);
}

TEST(ConvexGap, SwappedTurnedAndShifted) {
    for_each_pair(20261120, 4, [&](const Scene& s, test::Draw& draw) {
        const ConvexGap got = convex_gap(s.first(), s.second()), swapped = convex_gap(s.second(), s.first());
        ASSERT_NEAR(got.gap, swapped.gap, 4e-15 * s.size);
        const Pose move{10 * s.size * draw.direction(), draw.turn()};
        const ConvexGap moved = convex_gap(placed(s.a, move * s.at_a), placed(s.b, move * s.at_b));
        ASSERT_NEAR(got.gap, moved.gap, 2e-14 * s.size);
        if (!(got.gap > 1e-3 * s.size))
            return;  // overlapping, two directions may be as good; just touching, a direction is less well known
        ASSERT_NEAR(norm(got.normal + swapped.normal), 0, 1e-10);
        ASSERT_NEAR(norm(rotate(move.q, got.normal) - moved.normal), 0, 1e-10);
        // moved by the gap along the normal they just touch
        const Pose near{s.at_a.p - got.gap * got.normal, s.at_a.q};
        ASSERT_NEAR(convex_gap(placed(s.a, near), s.second()).gap, 0, 4e-15 * s.size);
        const Pose into{s.at_a.p - (got.gap + 1e-6 * s.size) * got.normal, s.at_a.q};
        // sharp corners may have a shorter way out, or pass each other
        ASSERT_GT(convex_gap(placed(s.a, into), s.second()).gap, -1.000001e-6 * s.size);
    });
}

TEST(ConvexGap, ContactPointsLieOnBothBodies) {
    for_each_pair(20261121, 4, [&](const Scene& s, test::Draw&) {
        const ConvexGap got = convex_gap(s.first(), s.second());
        TouchPoint touch[most_in_manifold];
        const int count = manifold(s.first(), s.second(), got, got.gap + 1e-12 * s.size, touch);
        ASSERT_GE(count, 1);
        for (int k = 0; k < count; ++k) {
            ASSERT_NEAR(touch[k].gap, got.gap, 2e-12 * s.size);
            const Vec3 half = 0.5 * touch[k].gap * touch[k].normal;
            ASSERT_NEAR(test::height_over(s.a, s.at_a, touch[k].point + half), 0, 1e-12 * s.size);
            ASSERT_NEAR(test::height_over(s.b, s.at_b, touch[k].point - half), 0, 1e-12 * s.size);
        }
    });
}

// Features that face each other, gaps from a tenth of the size down to none, and overlaps: the answer to the last digits, and the normal to
// the bit where it is that of an axis.
TEST(ConvexGap, FacesEdgesAndCornersExactly) {
    const double quarter = 0.5 * std::numbers::pi;
    const Quat on_edge = rotation({0.5 * quarter, 0, 0}), on_other = rotation({0, 0.5 * quarter, 0}), lying = rotation({quarter, 0, 0});
    // stands on a corner: (1, 1, 1) goes to -z
    const Quat on_corner = rotation((std::numbers::pi - std::acos(1 / std::sqrt(3.0))) * unit(Vec3{1, -1, 0}));
    for (const double scale : {1e-3, 1.0, 1e4})
        for (const double gap : {0.1, 1e-6, 1e-12, 0.0, -1e-12, -1e-6, -0.05}) {
            const Box cube{scale * Vec3{1, 1, 1}}, plate{scale * Vec3{5, 4, 1}};
            const Cylinder can{scale, 2 * scale};
            const Cone cone{scale, 2 * scale};
            const Capsule capsule{scale, 2 * scale};
            const Convex ground = convex(plate, Pose{});
            const auto above = [&](double height, const Quat& q) { return Pose{scale * Vec3{0.3, 0.2, 1 + height + gap}, q}; };
            const double diagonal = std::sqrt(2.0), corner = std::sqrt(3.0);
            const auto expect = [&](const char* what, const Convex& body, double tolerance = 0) {
                SCOPED_TRACE(fmt::format("{} scale {} gap {}", what, scale, gap));
                const ConvexGap got = convex_gap(body, ground);
                EXPECT_NEAR(got.gap, gap * scale, 4e-15 * scale);
                EXPECT_LE(norm(got.normal - Vec3{0, 0, 1}), tolerance);
            };
            expect("face on face", convex(cube, above(1, {})));
            expect("turned face on face", convex(cube, above(1, rotation({0, 0, 0.7}))), 1e-15);
            expect("edge on face", convex(cube, above(diagonal, on_edge)));
            expect("corner on face", convex(cube, above(corner, on_corner)));
            expect("cylinder stands", convex(can, above(2, {})));
            expect("cylinder lies", convex(can, above(1, lying)));
            expect("cone stands", convex(cone, above(0.5, {})));
            expect("cone on its tip", convex(cone, above(1.5, rotation({2 * quarter, 0, 0}))));
            expect("capsule lies", convex(capsule, above(1, lying)));
            expect("capsule stands", convex(capsule, above(3, {})));
            expect("sphere", convex(Sphere{scale}, above(1, {})));
            // two edges that cross, high over the plate's own: both cubes stand on an edge
            const Convex low = convex(cube, {{0, 0, 0}, on_edge}), high = convex(cube, {{0, 0, scale * (2 * diagonal + gap)}, on_other});
            const ConvexGap crossed = convex_gap(high, low);
            EXPECT_NEAR(crossed.gap, gap * scale, 4e-15 * scale) << scale << " " << gap;
            EXPECT_LE(norm(crossed.normal - Vec3{0, 0, 1}), 1e-15) << scale << " " << gap;
            const ConvexGap sides =
                convex_gap(convex(can, {{0, 0, scale * (2 + gap)}, lying}), convex(can, {{}, rotation({0, quarter, 0})}));
            EXPECT_NEAR(sides.gap, gap * scale, 4e-15 * scale) << scale << " " << gap;
            EXPECT_LE(norm(sides.normal - Vec3{0, 0, 1}), 1e-15) << scale << " " << gap;
        }
}

// Deep overlaps: bodies about the same centre leave by the nearest way.
TEST(ConvexGap, OneInsideTheOther) {
    EXPECT_NEAR(convex_gap(convex(Box{{1, 2, 3}}, {}), convex(Box{{4, 5, 0.5}}, {})).gap, -3.5, 1e-15);
    EXPECT_NEAR(convex_gap(convex(Sphere{1}, {}), convex(Box{{4, 5, 0.5}}, {})).gap, -1.5, 1e-15);
    EXPECT_NEAR(convex_gap(convex(Sphere{1}, {}), convex(Sphere{2}, {})).gap, -3, 1e-15);
    EXPECT_NEAR(convex_gap(convex(Capsule{1, 3}, {}), convex(Capsule{2, 5}, {})).gap, -3, 1e-15);
    EXPECT_NEAR(convex_gap(convex(Cylinder{1, 3}, {}), convex(Cylinder{2, 5}, {})).gap, -3, 1e-12);
    EXPECT_NEAR(convex_gap(convex(Cylinder{3, 1}, {}), convex(Cylinder{5, 0.5}, {})).gap, -1.5, 1e-15);
}

}  // namespace
}  // namespace asperity::geometry::convex_gap_test
