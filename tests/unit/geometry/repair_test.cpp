#include "asperity/geometry/repair.h"

#include <gtest/gtest.h>

#include <random>

#include "asperity/geometry/mass_properties.h"
#include "unit/geometry/shapes.h"

namespace asperity::geometry::test::repair_test {
namespace {

constexpr unsigned seed = 77;

using Lines = std::vector<std::string>;

TEST(Repair, LeavesASoundMeshAsItIs) {
    for (const RawMesh& raw : {cube(), ball(2), generate(SpikeWorld{})}) {
        const Repaired done = repair(raw);
        EXPECT_EQ(done.mesh.vertices, raw.vertices);
        EXPECT_EQ(done.mesh.facets, raw.facets);
        EXPECT_FALSE(done.report.changed());
        EXPECT_TRUE(done.report.is_mended());
    }
    EXPECT_EQ(lines(repair(cube()).report), (Lines{"nothing to mend", "1 shell, 1 closed"}));
}

TEST(Repair, MendsWindingThatMakeSurfaceRefuses) {
    std::mt19937_64 random(seed);
    for (const RawMesh& sound : {cube(), ball(3, 0.7, 1.3), generate(SpikeWorld{.cells = 9})}) {
        RawMesh raw = sound;
        for (std::size_t f = 0; f < raw.facets.size(); ++f)
            if (random() % 5 < 2) std::swap(raw.facets[f][1], raw.facets[f][2]);
        EXPECT_THROW(make_surface(raw), InputError);
        const Repaired done = repair(raw);
        EXPECT_EQ(done.mesh.facets, sound.facets);
        EXPECT_GT(done.report.turned_facets, 0);
        make_surface(done.mesh);
    }
}

TEST(Repair, TurnsAClosedShellOutwards) {
    RawMesh raw = ball(2);
    for (Corners& facet : raw.facets) std::swap(facet[1], facet[2]);
    EXPECT_THROW(make_surface(raw), InputError);
    const Repaired done = repair(raw);
    EXPECT_GT(mass_properties(make_surface(done.mesh)).volume, 0);
    EXPECT_EQ(done.report.turned_facets, static_cast<std::int64_t>(raw.facets.size()));
}

TEST(Repair, FlipsOpenShellsOnly) {
    const RawMesh flat = generate(FlatWorld{.cells = 4});
    const Repaired done = repair(flat, {.flip = true});
    EXPECT_EQ(mean_normal(make_surface(flat)), (Vec3{0, 0, 1}));
    EXPECT_EQ(mean_normal(make_surface(done.mesh)), (Vec3{0, 0, -1}));
    EXPECT_EQ(lines(done.report), (Lines{"32 facets turned", "1 open shell faces the other way now", "1 shell, 0 closed"}));
    EXPECT_EQ(repair(done.mesh, {.flip = true}).mesh.facets, flat.facets);
    const Repaired closed = repair(cube(), {.flip = true});
    EXPECT_EQ(closed.mesh.facets, cube().facets);
    EXPECT_EQ(closed.report.flipped_shells, 0);
    EXPECT_NEAR(norm(mean_normal(make_surface(cube()))), 0, 1e-15);
}

TEST(Repair, KeepsTheLinesOfTheFacetsThatStay) {
    RawMesh raw = cube();
    for (std::size_t f = 0; f < raw.facets.size(); ++f) raw.lines.push_back(static_cast<std::int32_t>(10 + f));
    raw.facets.insert(raw.facets.begin() + 1, {Corners{0, 0, 1}, raw.facets[0]});
    raw.lines.insert(raw.lines.begin() + 1, {98, 99});
    const Repaired done = repair(raw);
    ASSERT_EQ(done.mesh.lines.size(), 12u);
    EXPECT_EQ(done.mesh.lines[0], 10);
    EXPECT_EQ(done.mesh.lines[1], 11);
    EXPECT_EQ(done.mesh.lines[11], 21);
}

// A file that gives each facet its own three vertices, some facets twice, and needles.
TEST(Repair, MergesVerticesAndDropsBadFacets) {
    const RawMesh sound = ball(2);
    RawMesh raw;
    for (const Corners& facet : sound.facets) {
        const auto base = static_cast<std::int32_t>(raw.vertices.size());
        for (const std::int32_t v : facet) raw.vertices.push_back(sound.vertices[static_cast<std::size_t>(v)]);
        raw.facets.push_back({base, base + 1, base + 2});
    }
    raw.facets.push_back({4, 5, 3});
    raw.facets.push_back({0, 0, 1});
    raw.vertices.push_back({5, 5, 5});
    const Repaired done = repair(raw);
    const SurfaceMesh mesh = make_surface(done.mesh);
    EXPECT_TRUE(mesh.is_closed);
    EXPECT_EQ(mesh.vertices.size(), sound.vertices.size());
    EXPECT_EQ(lines(done.report), (Lines{"318 vertices merged into others", "1 facet without area dropped", "1 repeated facet dropped",
                                         "1 unused vertex dropped", "1 shell, 1 closed"}));
}

TEST(Repair, MergesWithinATolerance) {
    const RawMesh sound = ball(2);
    std::mt19937_64 random(seed);
    RawMesh raw;
    for (const Corners& facet : sound.facets) {
        const auto base = static_cast<std::int32_t>(raw.vertices.size());
        for (const std::int32_t v : facet)
            raw.vertices.push_back(sound.vertices[static_cast<std::size_t>(v)] + random_point(random, {}, {1e-9, 1e-9, 1e-9}));
        raw.facets.push_back({base, base + 1, base + 2});
    }
    EXPECT_EQ(repair(raw).report.closed_shells, 0);
    const Repaired done = repair(raw, {.merge_tolerance = 1e-8});
    EXPECT_EQ(done.mesh.vertices.size(), sound.vertices.size());
    EXPECT_TRUE(make_surface(done.mesh).is_closed);
    EXPECT_THROW(repair(raw, {.merge_tolerance = -1}), InputError);
    EXPECT_THROW(repair(raw, {.merge_tolerance = 1e-300}), InputError);
}

TEST(Repair, SaysWhatItCannotMend) {
    RawMesh fan = tetrahedron();
    fan.vertices.push_back({1, 1, 1});
    fan.facets.push_back({1, 2, 4});
    Repaired done = repair(fan);
    EXPECT_EQ(done.report.crowded_edges, 1);
    EXPECT_FALSE(done.report.is_mended());
    EXPECT_EQ(lines(done.report).back(), "1 edge has more than two facets and was left");

    RawMesh strip;  // five facets around a Moebius strip
    for (int k = 0; k < 5; ++k) {
        strip.vertices.push_back({std::cos(1.2566 * k), std::sin(1.2566 * k), 0.3 * k * (k % 2)});
        strip.facets.push_back({k, (k + 1) % 5, (k + 2) % 5});
    }
    done = repair(strip);
    EXPECT_GT(done.report.one_sided_edges, 0);
    EXPECT_FALSE(done.report.is_mended());
    EXPECT_THROW(repair(RawMesh{{{0, 0, 0}}, {{0, 1, 2}}}), InputError);
    EXPECT_THROW(repair(RawMesh{}), InputError);
}

}  // namespace
}  // namespace asperity::geometry::test::repair_test
