#include "asperity/geometry/mass_properties.h"

#include <gtest/gtest.h>

#include "unit/geometry/shapes.h"

namespace asperity::geometry::test::mass_properties_test {
namespace {

TEST(MassProperties, OfACubeFarFromTheOrigin) {
    RawMesh raw = cube();
    for (Vec3& v : raw.vertices) v += Vec3{1e6, -2e6, 3e6};
    const MassProperties got = mass_properties(make_surface(raw));
    EXPECT_DOUBLE_EQ(got.volume, 8);
    EXPECT_DOUBLE_EQ(got.area, 24);
    EXPECT_EQ(got.centre, (Vec3{1e6, -2e6, 3e6}));
}

TEST(MassProperties, OfATetrahedron) {
    const MassProperties got = mass_properties(make_surface(tetrahedron()));
    EXPECT_DOUBLE_EQ(got.volume, 1.0 / 6);
    EXPECT_DOUBLE_EQ(got.area, 1.5 + std::sqrt(3.0) / 2);
    EXPECT_NEAR(norm(got.centre - Vec3{0.25, 0.25, 0.25}), 0, 1e-16);
}

TEST(MassProperties, AnOpenSurfaceHasAreaOnly) {
    const SurfaceMesh sheet = make_surface(generate(FlatWorld{.side = 3, .cells = 2}));
    EXPECT_DOUBLE_EQ(area(sheet), 9);
    try {
        mass_properties(sheet);
        FAIL();
    } catch (const InputError& error) {
        EXPECT_EQ(error.problems[0].what, "the surface is open and bounds no volume: 8 of its 16 edges have one facet");
    }
}

}  // namespace
}  // namespace asperity::geometry::test::mass_properties_test
