#include "asperity/geometry/resample.h"

#include <gtest/gtest.h>

#include <numbers>

#include "asperity/assets/mesh_file.h"
#include "asperity/geometry/closed_check.h"
#include "asperity/geometry/icosphere.h"
#include "asperity/geometry/mass_properties.h"
#include "asperity/geometry/principal_axes.h"
#include "unit/geometry/shapes.h"

namespace asperity::geometry::test::resample_test {
namespace {

RawMesh box(double x, double y, double z) {
    RawMesh mesh = cube();
    for (Vec3& v : mesh.vertices) v = {0.5 * x * v.x, 0.5 * y * v.y, 0.5 * z * v.z};
    return mesh;
}

TEST(Icosphere, HasTheCountsAndTheVolumeOfTheClosedForm) {
    for (int level = 0; level <= 5; ++level) {
        const RawMesh mesh = icosphere(level);
        const std::size_t power = std::size_t{1} << 2 * level;
        EXPECT_EQ(mesh.facets.size(), 20 * power);
        EXPECT_EQ(mesh.vertices.size(), 10 * power + 2);
        for (const Vec3& v : mesh.vertices) EXPECT_NEAR(norm(v), 1, 4e-16);
        EXPECT_TRUE(closed_problems(mesh).empty());
    }
    // Icosahedron of circumradius 1: edge a = 1 / sin(2 pi / 5), volume 5 (3 + sqrt 5) a^3 / 12.
    const double edge = 1 / std::sin(0.4 * std::numbers::pi);
    EXPECT_NEAR(mass_properties(make_surface(icosphere(0))).volume, 5 * (3 + std::sqrt(5.0)) * edge * edge * edge / 12, 1e-14);
    EXPECT_THROW(icosphere(-1), InputError);
    try {
        icosphere(9);
        FAIL();
    } catch (const InputError& error) {
        EXPECT_EQ(error.problems[0].what, "there is no icosphere of level 9");
        EXPECT_EQ(error.problems[0].hint, "levels go from 0 (20 facets) to 8 (1310720 facets)");
    }
}

// Rays of a cube: each vertex lies on a face, so that its largest coordinate is half the side.
TEST(Resample, CastsOntoTheSurface) {
    RawMesh far = box(2, 2, 2);
    const Vec3 offset{7, -3, 11};
    for (Vec3& v : far.vertices) v += offset;
    const Resampled done = cast_icosphere(make_surface(far), 3, {.keep_volume = false});
    EXPECT_EQ(done.mesh.facets.size(), 1280u);
    EXPECT_EQ(done.scale, 1);
    EXPECT_EQ(done.overhung_rays, 0);
    const RawMesh sphere = icosphere(3);
    // the centre of the cast shape was moved onto that of the cube: by symmetry by next to nothing
    for (std::size_t k = 0; k < sphere.vertices.size(); ++k) {
        const Vec3 d = sphere.vertices[k];
        const double t = 1 / std::max({std::abs(d.x), std::abs(d.y), std::abs(d.z)});
        EXPECT_LT(norm(done.mesh.vertices[k] - offset - t * d), 2e-3);
    }
}

TEST(Resample, KeepsVolumeAndCentre) {
    for (const RawMesh& raw : {box(3, 2, 1), ball(4, 0.8, 1.2, 5), tetrahedron()}) {
        const SurfaceMesh mesh = make_surface(raw);
        const MassProperties before = mass_properties(mesh);
        for (int level = 0; level < 5; ++level) {
            const Resampled done = cast_icosphere(mesh, level);
            const MassProperties now = mass_properties(make_closed_surface(done.mesh));
            EXPECT_NEAR(now.volume / before.volume, 1, 1e-13);
            EXPECT_LT(norm(now.centre - before.centre), 1e-14);
            EXPECT_NEAR(done.scale, std::cbrt(before.volume / done.volume), 1e-15);
        }
    }
}

TEST(Resample, DecimatesToASolidOfTheSameVolume) {
    const SurfaceMesh mesh = make_surface(ball(5));
    for (const std::int64_t facets : {4000, 1000, 200, 40}) {
        const Resampled done = decimate(mesh, facets);
        EXPECT_NEAR(static_cast<double>(done.mesh.facets.size()) / static_cast<double>(facets), 1, 0.13);
        const MassProperties now = mass_properties(make_closed_surface(done.mesh));
        EXPECT_NEAR(now.volume / mass_properties(mesh).volume, 1, 1e-13);
        EXPECT_LT(done.volume, mass_properties(mesh).volume) << "a polyhedron inside a sphere";
    }
    EXPECT_EQ(decimate(mesh, 1000000).mesh.facets.size(), mesh.facets.size());
    EXPECT_THROW(decimate(mesh, 3), InputError);
}

// The farthest hit of a ray from `centre`, over all facets, by Cramer's rule in long double.
double farthest_hit(const SurfaceMesh& mesh, const Vec3& centre, const Vec3& d) {
    using Wide = std::array<long double, 3>;
    const auto wide = [](const Vec3& v) { return Wide{v.x, v.y, v.z}; };
    const auto determinant = [](const Wide& a, const Wide& b, const Wide& c) {
        return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
    };
    long double farthest = -1;
    for (const Facet& facet : mesh.facets) {
        Vec3 corner[3];
        for (int k = 0; k < 3; ++k) corner[k] = mesh.vertices[static_cast<std::size_t>(facet.vertex[k])] - centre;
        // t d = a + u (b - a) + v (c - a)
        const Wide ab = wide(corner[1] - corner[0]), ac = wide(corner[2] - corner[0]), a = wide(corner[0]);
        const Wide back{-static_cast<long double>(d.x), -static_cast<long double>(d.y), -static_cast<long double>(d.z)};
        const Wide from{-a[0], -a[1], -a[2]};
        const long double all = determinant(ab, ac, back);
        if (all == 0) continue;
        const long double u = determinant(from, ac, back) / all, v = determinant(ab, from, back) / all, t = determinant(ab, ac, from) / all;
        if (u >= -1e-12L && v >= -1e-12L && u + v <= 1 + 1e-12L && t > farthest) farthest = t;
    }
    return static_cast<double>(farthest);
}

// A ball with a deep dent, seen from its centre of mass: some rays pass through the wall of the dent and meet the ball behind it.
TEST(Resample, TakesTheFarthestHit) {
    RawMesh raw = icosphere(4);
    for (Vec3& v : raw.vertices)
        if (v.z > 0.6) v.z = 0.6 - 2 * (v.z - 0.6);
    const SurfaceMesh mesh = make_surface(raw);
    const Vec3 centre = mass_properties(mesh).centre;
    const Resampled done = cast_icosphere(mesh, 2, {.keep_volume = false});
    EXPECT_GT(done.overhung_rays, 0);
    // all vertices were moved alike, onto the old centre of mass
    const RawMesh sphere = icosphere(2);
    Vec3 shift;
    for (std::size_t k = 0; k < sphere.vertices.size(); ++k) {
        const Vec3 moved = done.mesh.vertices[k] - (centre + farthest_hit(mesh, centre, sphere.vertices[k]) * sphere.vertices[k]);
        if (k == 0) shift = moved;
        EXPECT_LT(norm(moved - shift), 1e-12) << k;
    }
}

TEST(Resample, RefusesWhatBoundsNoVolumeOrHasItsCentreOutside) {
    EXPECT_THROW(cast_icosphere(make_surface(generate(FlatWorld{})), 1), InputError);
    // two balls, with nothing at the centre between them
    RawMesh pair = icosphere(2);
    const auto first = static_cast<std::int32_t>(pair.vertices.size());
    for (const Vec3& v : icosphere(2).vertices) pair.vertices.push_back(v + Vec3{5, 0, 0});
    for (const Corners& facet : icosphere(2).facets) pair.facets.push_back({facet[0] + first, facet[1] + first, facet[2] + first});
    try {
        cast_icosphere(make_surface(pair), 1);
        FAIL();
    } catch (const InputError& error) {
        EXPECT_EQ(error.problems[0].what, "a ray from the centre of mass along (0, 0, 1) meets no facet");
        EXPECT_EQ(error.problems[0].hint, "the centre lies outside the solid: use decimation");
    }
}

// The column "ours" of docs/theory/shapes.md.
TEST(Resample, LosesAsMuchOfItokawaAsThePageSays) {
    const std::string path = data_file("shapes/itokawa_f49152.obj");
    if (path.empty()) GTEST_SKIP() << "skipped: the shapes of the shared data are not here (ASPERITY_DATA names their folder)";
    const SurfaceMesh mesh = make_surface(assets::read_mesh(path, 1000));
    const double volume = mass_properties(mesh).volume;
    int level = 0;
    for (const double lost : {58.15, 25.84, 9.16, 1.79, 0.64}) {
        EXPECT_NEAR(100 * (1 - cast_icosphere(mesh, level, {.keep_volume = false}).volume / volume), lost, 0.005) << level;
        ++level;
    }
}

// Box of sides a, b, c: J_x = V (b^2 + c^2) / 12. Turned by a known rotation, its axes are that rotation's.
TEST(PrincipalAxes, OfABox) {
    RawMesh raw = box(3, 2, 1);
    const double c = std::cos(0.3), s = std::sin(0.3);
    for (Vec3& v : raw.vertices) v = Vec3{c * v.x - s * v.y, s * v.x + c * v.y, v.z} + Vec3{5, 6, 7};
    const PrincipalAxes found = principal_axes(make_surface(raw));
    EXPECT_NEAR(found.moments[0], 6 * (4 + 1) / 12.0, 1e-13);
    EXPECT_NEAR(found.moments[1], 6 * (9 + 1) / 12.0, 1e-13);
    EXPECT_NEAR(found.moments[2], 6 * (9 + 4) / 12.0, 1e-13);
    EXPECT_LT(norm(found.axes[0] - Vec3{c, s, 0}), 1e-14);
    EXPECT_LT(norm(found.axes[1] - Vec3{-s, c, 0}), 1e-14);
    EXPECT_LT(norm(found.axes[2] - Vec3{0, 0, 1}), 1e-14);
    const RawMesh turned = in_principal_axes(raw), centred = recentred(raw);
    const RawMesh straight = box(3, 2, 1);
    for (std::size_t k = 0; k < 8; ++k) {
        EXPECT_LT(norm(turned.vertices[k] - straight.vertices[k]), 1e-14);
        EXPECT_LT(norm(centred.vertices[k] - (raw.vertices[k] - Vec3{5, 6, 7})), 1e-14);
    }
    EXPECT_THROW(principal_axes(make_surface(generate(FlatWorld{}))), InputError);
}

// Tetrahedron with corners at the origin and 1 along the axes, about its centre: P_xx = 1/160, P_xy = -1/480, so that
// J = 2 P_xx - P_xy-part: eigenvalues of P are 1/160 + 1/480 (twice) and 1/160 - 2/480.
TEST(PrincipalAxes, OfATetrahedron) {
    const PrincipalAxes found = principal_axes(make_surface(tetrahedron()));
    const double large = 1.0 / 160 + 1.0 / 480, small = 1.0 / 160 - 2.0 / 480, trace = 3.0 / 160;
    EXPECT_NEAR(found.moments[0], trace - large, 1e-16);
    EXPECT_NEAR(found.moments[1], trace - large, 1e-16);
    EXPECT_NEAR(found.moments[2], trace - small, 1e-16);
    EXPECT_LT(norm(found.axes[2] - Vec3{1, 1, 1} / std::sqrt(3.0)), 1e-12);
    EXPECT_NEAR(dot(cross(found.axes[0], found.axes[1]), found.axes[2]), 1, 1e-14) << "right-handed";
}

}  // namespace
}  // namespace asperity::geometry::test::resample_test
