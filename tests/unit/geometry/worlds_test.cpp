#include "asperity/geometry/worlds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "asperity/geometry/closest.h"
#include "asperity/geometry/mass_properties.h"
#include "unit/geometry/shapes.h"

namespace asperity::geometry::test::worlds_test {
namespace {

constexpr double ball_radius = 0.05;  // 1-landers, Table 8.12

std::size_t rim_edges(const SurfaceMesh& mesh) {
    return static_cast<std::size_t>(
        std::count_if(mesh.edges.begin(), mesh.edges.end(), [](const Edge& edge) { return edge.facet[1] < 0; }));
}

// All of the rim lies on the border of the world: inside it, each edge has two facets and there is no crack.
void expect_rim_only_at_the_border(const SurfaceMesh& mesh, const std::function<bool(const Vec3&)>& is_border) {
    for (const Edge& edge : mesh.edges) {
        if (edge.facet[1] >= 0) continue;
        EXPECT_TRUE(is_border(mesh.vertices[static_cast<std::size_t>(edge.vertex[0])]));
        EXPECT_TRUE(is_border(mesh.vertices[static_cast<std::size_t>(edge.vertex[1])]));
    }
}

bool is_square_border(const Vec3& v, double side) { return std::abs(v.x) == 0.5 * side || std::abs(v.y) == 0.5 * side; }

TEST(Worlds, FlatIsASquareOfEqualFacets) {
    const SurfaceMesh mesh = make_surface(generate(FlatWorld{}));
    EXPECT_EQ(mesh.lower, (Vec3{-80, -80, 0}));
    EXPECT_EQ(mesh.upper, (Vec3{80, 80, 0}));
    EXPECT_EQ(mesh.facets.size(), 2u * 18 * 18);
    EXPECT_EQ(rim_edges(mesh), 4u * 18);
    EXPECT_NEAR(area(mesh), 160 * 160, 1e-9);
    for (const Facet& facet : mesh.facets) EXPECT_EQ(facet.normal, (Vec3{0, 0, 1}));
    expect_rim_only_at_the_border(mesh, [](const Vec3& v) { return is_square_border(v, 160); });
}

TEST(Worlds, TableHasItsWallWhereItShould) {
    const TableWorld world{};
    const SurfaceMesh mesh = make_surface(generate(world));
    EXPECT_NEAR(area(mesh), 160 * 160 + 160 * world.height, 1e-9);
    for (const Facet& facet : mesh.facets) {
        const bool is_level = facet.normal == Vec3{0, 0, 1};
        EXPECT_TRUE(is_level || facet.normal == (Vec3{1, 0, 0}));  // exactly: the wall's normal looks over the floor
    }
    expect_rim_only_at_the_border(mesh, [](const Vec3& v) { return is_square_border(v, 160); });
    EXPECT_EQ(signed_distance(mesh, {-40, 3, 20}), 20 - world.height);
    EXPECT_EQ(signed_distance(mesh, {40, 3, 2}), 2);
    EXPECT_NEAR(signed_distance(mesh, {world.wall + 0.5, 3, 7}), 0.5, 1e-15);
    EXPECT_LT(signed_distance(mesh, {world.wall - 0.5, 3, 7}), 0);  // in the rock
    const ClosestPoint ridge = nearest(mesh.view(), {world.wall + 0.03, 3, world.height + 0.04});
    EXPECT_EQ(ridge.feature.kind, FeatureKind::edge);
    EXPECT_NEAR(ridge.distance, 0.05, 1e-14);
    EXPECT_EQ(mesh.edges[static_cast<std::size_t>(ridge.feature.index)].direction, (Vec3{0, 1, 0}));
}

TEST(Worlds, TableWithItsWallNearTheBorder) {
    // a wall within a tenth of a metre of the border leaves one narrow column of facets there
    for (const double wall : {-79.9, 0.0, 79.9}) {
        const TableWorld world{.wall = wall};
        const SurfaceMesh mesh = make_surface(generate(world));
        EXPECT_NEAR(area(mesh), 160 * 160 + 160 * world.height, 1e-9) << wall;
        EXPECT_EQ(mesh.lower, (Vec3{-80, -80, 0}));
        EXPECT_EQ(mesh.upper, (Vec3{80, 80, world.height}));
        for (const Facet& facet : mesh.facets) {
            const bool is_wall = facet.normal == Vec3{1, 0, 0};
            EXPECT_TRUE(is_wall || facet.normal == (Vec3{0, 0, 1})) << wall;
            for (const std::int32_t vertex : facet.vertex)
                EXPECT_TRUE(!is_wall || mesh.vertices[static_cast<std::size_t>(vertex)].x == wall);
        }
        expect_rim_only_at_the_border(mesh, [](const Vec3& v) { return is_square_border(v, 160); });
        EXPECT_EQ(signed_distance(mesh, {wall - 0.05, 3, world.height + 3}), 3) << "over the plateau";
        EXPECT_NEAR(signed_distance(mesh, {wall + 0.05, 3, 2}), 0.05, 1e-14) << "beside the wall";
        EXPECT_LT(signed_distance(mesh, {wall - 0.05, 3, 2}), 0) << "in the rock";
    }
}

TEST(Worlds, GutterSuitsThePublishedStarts) {
    const GutterWorld world{};
    const SurfaceMesh mesh = make_surface(generate(world));
    for (const Facet& facet : mesh.facets) EXPECT_GT(facet.normal.z, 0);
    // Table 8.12: both balls start free of the surface, but near it.
    for (const Vec3& start : {Vec3{-2.22, 7.8, 4.07}, Vec3{0.001, 5.356, 1.892}}) {
        EXPECT_GT(signed_distance(mesh, start), 2 * ball_radius);
        EXPECT_LT(signed_distance(mesh, start), 1);
    }
    // Closed: the rim is higher than the balls can rise (their energy is that of 4.57 m).
    expect_rim_only_at_the_border(mesh, [&](const Vec3& v) { return v.z == mesh.upper.z; });
    EXPECT_GT(mesh.upper.z, 2 * 4.57);
    // A ball at the bottom touches both sides, in the flat and in the inclined section.
    const double slope = world.side_slope;
    for (const double y : {-7.3, 4.4}) {
        const double floor = y > 0 ? world.incline * y : 0.0;
        const double steep = std::sqrt(1 + slope * slope + (y > 0 ? world.incline * world.incline : 0));
        const Vec3 p{0, y, floor + ball_radius * steep};
        int touched = 0;
        for_each_minimum_within(mesh.view(), p, ball_radius * (1 + 1e-9), [&](const ClosestPoint& found) {
            EXPECT_EQ(found.feature.kind, FeatureKind::facet);
            EXPECT_NEAR(found.distance, ball_radius, 1e-14);
            ++touched;
        });
        EXPECT_EQ(touched, 2) << y;
    }
}

TEST(Worlds, PitHasOneLowestPointWhereABallTouchesThreeFacets) {
    const SurfaceMesh mesh = make_surface(generate(PitWorld{}));
    for (const Facet& facet : mesh.facets) EXPECT_GT(facet.normal.z, 0);
    expect_rim_only_at_the_border(mesh, [&](const Vec3& v) { return v.z == mesh.upper.z; });
    // From every vertex but the lowest, an edge leads down.
    for (std::size_t v = 1; v < mesh.vertices.size(); ++v) {
        bool leads_down = false;
        for (const Edge& edge : mesh.edges)
            for (int end = 0; end < 2; ++end)
                if (edge.vertex[end] == static_cast<std::int32_t>(v))
                    leads_down = leads_down || mesh.vertices[static_cast<std::size_t>(edge.vertex[1 - end])].z < mesh.vertices[v].z;
        EXPECT_TRUE(leads_down) << v;
    }
    // The centre of a ball that touches the three facets at the bottom: n_k . (p - a) = r for each, by Cramer's rule.
    const Vec3 a = mesh.facets[0].normal, b = mesh.facets[1].normal, c = mesh.facets[2].normal;
    const Vec3 p = mesh.vertices[0] + (ball_radius / dot(a, cross(b, c))) * (cross(b, c) + cross(c, a) + cross(a, b));
    std::set<std::int32_t> touched;
    for_each_minimum_within(mesh.view(), p, ball_radius * (1 + 1e-9), [&](const ClosestPoint& found) {
        EXPECT_NEAR(found.distance, ball_radius, 1e-14);
        EXPECT_EQ(found.feature.kind, FeatureKind::facet);
        touched.insert(found.facet);
    });
    EXPECT_EQ(touched, (std::set<std::int32_t>{0, 1, 2}));
}

TEST(Worlds, SpikeDependsOnItsSeedOnly) {
    const SpikeWorld world{.seed = 12, .height = 6};
    const RawMesh a = generate(world);
    EXPECT_EQ(a.vertices, generate(world).vertices);
    const RawMesh b = generate(SpikeWorld{.seed = 13, .height = 6});
    int inner = 0, moved = 0;
    double lowest = 0, highest = 0;
    for (std::size_t v = 0; v < a.vertices.size(); ++v) {
        if (is_square_border(a.vertices[v], world.side)) {
            EXPECT_EQ(a.vertices[v].z, 0);
            continue;
        }
        ++inner;
        moved += a.vertices[v].z != b.vertices[v].z;
        lowest = std::min(lowest, a.vertices[v].z);
        highest = std::max(highest, a.vertices[v].z);
    }
    EXPECT_EQ(inner, 17 * 17);
    EXPECT_EQ(moved, inner);
    EXPECT_GE(lowest, -3);
    EXPECT_LT(highest, 3);
    EXPECT_LT(lowest, -2.8);  // 289 draws come near both ends
    EXPECT_GT(highest, 2.8);
}

TEST(Worlds, SpikeIsConformingWithNormalsUp) {
    for (std::uint64_t seed = 0; seed < 64; ++seed) {
        const SurfaceMesh mesh = make_surface(generate(SpikeWorld{.seed = seed, .rim = 20}));
        for (const Facet& facet : mesh.facets) ASSERT_GT(facet.normal.z, 0);
        EXPECT_EQ(rim_edges(mesh), 4u * 18);
        expect_rim_only_at_the_border(mesh, [](const Vec3& v) { return is_square_border(v, 160) && v.z == 20; });
    }
}

TEST(Worlds, RefuseWhatMakesNoSurface) {
    const auto error_of = [](const auto& world) {
        try {
            generate(world);
        } catch (const InputError& error) {
            return error.problems[0].what;
        }
        return std::string("no error");
    };
    EXPECT_EQ(error_of(FlatWorld{.side = -1}), "`side` is -1, but must be positive");
    EXPECT_EQ(error_of(FlatWorld{.cells = 0}), "`cells` makes 0 cells in a row, but must make 1 to 4096");
    EXPECT_EQ(error_of(FlatWorld{.cells = 100000}), "`cells` makes 100000 cells in a row, but must make 1 to 4096");
    EXPECT_EQ(error_of(TableWorld{.wall = 80}), "`wall` is 80, but must lie between -80 and 80");
    EXPECT_EQ(error_of(TableWorld{.height = 0}), "`height` is 0, but must be positive");
    EXPECT_EQ(error_of(GutterWorld{.cell = 1e-6}), "`cell` makes 8000000 cells in a row, but must make 1 to 4096");
    EXPECT_EQ(error_of(PitWorld{.rim = 2}), "`rim` is 2, but must be higher than `peak`, 8");
    EXPECT_EQ(error_of(SpikeWorld{.rim = HUGE_VAL}), "`rim` is inf, but must be finite");
}

}  // namespace
}  // namespace asperity::geometry::test::worlds_test
