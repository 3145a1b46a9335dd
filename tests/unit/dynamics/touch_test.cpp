#include "asperity/dynamics/event_driven/touch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "asperity/geometry/worlds.h"

namespace asperity::event_driven::test::touch_test {
namespace {

constexpr unsigned seed = 20261121;
constexpr double r = 0.05;

geometry::SurfaceMesh spikes() {
    return geometry::make_surface(geometry::generate(geometry::SpikeWorld{.seed = 5, .side = 4, .cells = 4, .height = 1.5, .rim = 0.5}));
}

Vec3 random_place(std::mt19937_64& random) {
    std::uniform_real_distribution<double> draw(-1, 1);
    return {2.2 * draw(random), 2.2 * draw(random), 1.2 * draw(random)};
}

// The region of a feature, as touch.h computes it, against the distance queries: the feature is what every facet that has it reports.
TEST(Touch, InsideIsPositiveExactlyWhereTheFeatureIsNearestOfItsSurroundings) {
    const geometry::SurfaceMesh mesh = spikes();
    const SurfaceView view = mesh.view();
    std::mt19937_64 random(seed);
    int compared[3] = {};
    for (int round = 0; round < 4000; ++round) {
        const Vec3 p = random_place(random);
        for (std::int32_t k = 0; k < view.facet_count; ++k) {
            const geometry::ClosestPoint near = geometry::closest_point(view, k, p);
            const bool is_minimum = geometry::is_local_minimum(view, near, p);
            const double depth = inside(view, near.feature, p);
            if (std::fabs(depth) < 1e-12) continue;  // on the border
            ASSERT_EQ(depth > 0, is_minimum) << "seed " << seed << ", round " << round << ", facet " << k;
            ++compared[static_cast<int>(near.feature.kind)];
        }
    }
    for (const int count : compared) EXPECT_GT(count, 100);
}

// A border of a region is a plane: the depth is the distance to it, so that it falls by the way that leads out.
TEST(Touch, InsideIsTheDistanceToTheBorderOfTheRegion) {
    const geometry::SurfaceMesh mesh = geometry::make_surface({{0, 0, 0}, {2, 0, 0}, {0, 2, 0}}, {{0, 1, 2}});
    const SurfaceView view = mesh.view();
    EXPECT_NEAR(inside(view, {FeatureKind::facet, 0}, {0.3, 0.5, 7}), 0.3, 1e-15);
    EXPECT_NEAR(inside(view, {FeatureKind::facet, 0}, {-0.3, 0.5, 7}), -0.3, 1e-15);
    EXPECT_NEAR(inside(view, {FeatureKind::facet, 0}, {1.2, 1.2, 0.1}), -0.4 / std::sqrt(2), 1e-15);
    EXPECT_NEAR(inside(view, {FeatureKind::vertex, 0}, {-0.2, -0.1, 1}), 0.1, 1e-15);
    std::int32_t edge = -1;  // from (0, 0) to (2, 0)
    for (std::int32_t k = 0; k < view.edge_count; ++k)
        if (view.edges[k].vertex[0] == 0 && view.edges[k].vertex[1] == 1) edge = k;
    EXPECT_NEAR(inside(view, {FeatureKind::edge, edge}, {0.5, -0.25, 1}), 0.25, 1e-15);
    EXPECT_NEAR(inside(view, {FeatureKind::edge, edge}, {0.1, -0.25, 1}), 0.1, 1e-15);
    EXPECT_NEAR(inside(view, {FeatureKind::edge, edge}, {0.5, 0.25, 1}), -0.25, 1e-15);
}

TEST(Touch, InsideItsRegionTheFootIsTheNearestPoint) {
    const geometry::SurfaceMesh mesh = spikes();
    const SurfaceView view = mesh.view();
    std::mt19937_64 random(seed + 1);
    for (int round = 0; round < 5000; ++round) {
        const Vec3 p = random_place(random);
        const geometry::ClosestPoint near = geometry::nearest(view, p);
        ASSERT_LT(norm(foot(view, near.feature, p) - near.point), 1e-14) << "seed " << seed + 1 << ", round " << round;
        const laws::Touch touch = touch_on(view, near.feature, p, {});
        ASSERT_LT(norm(touch.normal - near.offset / near.distance), 1e-13 / near.distance);
        ASSERT_NEAR(norm(touch.normal), 1, 1e-15);
    }
}

// n' against a central difference of n along the motion.
TEST(Touch, TheRateOfTheNormalIsItsDerivative) {
    const geometry::SurfaceMesh mesh = spikes();
    const SurfaceView view = mesh.view();
    std::mt19937_64 random(seed + 2);
    std::uniform_real_distribution<double> draw(-1, 1);
    int curved = 0;
    for (int round = 0; round < 2000; ++round) {
        const Vec3 p = random_place(random), v{draw(random), draw(random), draw(random)};
        const geometry::ClosestPoint near = geometry::nearest(view, p);
        if (near.distance < 0.05) continue;
        const double h = 1e-6;
        const Vec3 ahead = touch_on(view, near.feature, p + h * v, v).normal, back = touch_on(view, near.feature, p - h * v, v).normal;
        const Vec3 rate = touch_on(view, near.feature, p, v).normal_rate;
        ASSERT_LT(norm((ahead - back) / (2 * h) - rate), 1e-7) << "seed " << seed + 2 << ", round " << round;
        curved += norm(rate) > 0 ? 1 : 0;
    }
    EXPECT_GT(curved, 500);
}

// A ball that sits on a feature, inside its region, cannot touch a facet that is behind it: brute force over all facets.
TEST(Touch, AFacetBehindTheFeatureIsNeverReached) {
    const geometry::SurfaceMesh mesh = spikes();
    const SurfaceView view = mesh.view();
    std::mt19937_64 random(seed + 3);
    int behind = 0;
    for (int round = 0; round < 3000; ++round) {
        const geometry::ClosestPoint near = geometry::nearest(view, random_place(random));
        if (inside(view, near.feature, near.point + near.offset) < 1e-9) continue;
        const Vec3 centre = near.point + (r / near.distance) * near.offset;
        for (std::int32_t k = 0; k < view.facet_count; ++k) {
            if (!is_behind(view, near.feature, centre, r, k)) continue;
            ++behind;
            ASSERT_GE(geometry::closest_point(view, k, centre).distance, r * (1 - 1e-12)) << "seed " << seed + 3 << ", round " << round;
        }
    }
    EXPECT_GT(behind, 3000);
}

TEST(Touch, AFacetThatRisesAboveThePlaneIsNotBehind) {
    const geometry::SurfaceMesh wedge = geometry::make_surface({{0, 0, 0}, {0, 4, 0}, {3, 0, 0}, {-3, 0, 1}}, {{0, 2, 1}, {0, 1, 3}});
    const Vec3 centre{0.5, 1, r};
    EXPECT_TRUE(is_behind(wedge.view(), {FeatureKind::facet, 0}, centre, r, 0));
    EXPECT_FALSE(is_behind(wedge.view(), {FeatureKind::facet, 0}, centre, r, 1));
    const geometry::SurfaceMesh ridge = geometry::make_surface({{0, 0, 0}, {0, 4, 0}, {3, 0, 0}, {-3, 0, -1}}, {{0, 2, 1}, {0, 1, 3}});
    EXPECT_TRUE(is_behind(ridge.view(), {FeatureKind::facet, 0}, centre, r, 1));
    // from below, the ridge is a valley
    EXPECT_FALSE(is_behind(ridge.view(), {FeatureKind::facet, 0}, {0.5, 1, -r}, r, 1));
}

// Two facets in one plane: over their seam the ball is on a facet, not on an edge.
TEST(Touch, TheSeamOfCoplanarFacetsIsNoFeatureOfItsOwn) {
    const geometry::SurfaceMesh mesh = geometry::make_surface({{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}}, {{0, 1, 2}, {0, 2, 3}});
    const Vec3 over_seam{1, 1, r};
    const geometry::ClosestPoint near = geometry::nearest(mesh.view(), over_seam);
    ASSERT_EQ(near.feature.kind, FeatureKind::edge);
    EXPECT_EQ(feature_at(mesh.view(), near.feature, over_seam, 1e-10 * r).kind, FeatureKind::facet);
    const TouchSet set = touched_features(mesh.view(), over_seam, r, 1e-10 * r);
    EXPECT_EQ(set.touching.count, 1);
    EXPECT_EQ(set.feature[0].kind, FeatureKind::facet);
}

// Just beside the tip of a cone-like peak, where all that meets there is equally near: the feature is the side on which the ball is.
TEST(Touch, NearAVertexTheFeatureIsTheOneInWhoseRegionTheBallIs) {
    const double z = -1e-3;
    const geometry::SurfaceMesh roof = geometry::make_surface({{0, 0, 0}, {2, 0, z}, {0.5, 2, z}, {-2, 1, z}, {-2, -1, z}, {0.5, -2, z}},
                                                              {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}, {0, 5, 1}});
    const SurfaceView view = roof.view();
    for (std::int32_t k = 0; k < view.facet_count; ++k) {
        const geometry::Facet& facet = view.facets[k];
        const Vec3 middle = (1.0 / 3) * (view.vertices[facet.vertex[0]] + view.vertices[facet.vertex[1]] + view.vertices[facet.vertex[2]]);
        const Vec3 p = (1e-9 * r) * unit(middle) + r * facet.normal;
        const TouchSet set = touched_features(view, p, r, 1e-10 * r);
        ASSERT_EQ(set.touching.count, 1) << k;
        EXPECT_EQ(set.feature[0], (Feature{FeatureKind::facet, k}));
        EXPECT_LT(norm(set.touching.normal[0] - facet.normal), 1e-15);
    }
}

// In a corner of three walls: each touched once, normals outwards.
TEST(Touch, ABallInACornerTouchesEachWallOnce) {
    const geometry::SurfaceMesh corner =
        geometry::make_surface({{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}}, {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}});
    const TouchSet set = touched_features(corner.view(), {r, r, r}, r, 1e-10 * r);
    ASSERT_EQ(set.touching.count, 3);
    Vec3 sum;
    for (int i = 0; i < 3; ++i) sum += set.touching.normal[i];
    EXPECT_EQ(sum, (Vec3{1, 1, 1}));
}

}  // namespace
}  // namespace asperity::event_driven::test::touch_test
