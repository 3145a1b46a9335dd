#include "asperity/study/landing_plane.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "asperity/geometry/icosphere.h"
#include "asperity/geometry/mesh.h"

namespace asperity::study::landing_plane_test {
namespace {

geometry::SurfaceMesh globe() { return geometry::make_surface(geometry::icosphere(4)); }

void expect_near(const Vec3& a, const Vec3& b, double error) { EXPECT_LT(norm(a - b), error); }

// Landers around (0, -1, 0) of a globe: up is -y, east of it +x, north +z.
TEST(LandingPlane, LiesOnTheGroundOfABody) {
    std::vector<Vec3> places;
    for (const double a : {-0.1, 0.1})
        for (const double b : {-0.1, 0.1}) places.push_back(unit(Vec3{a, -1, b}));
    const auto plane = plane_on_body(globe(), places);
    ASSERT_TRUE(plane);
    expect_near(plane->x, {1, 0, 0}, 0.02);  // facets of a tenth of a radian: their normals
    expect_near(plane->y, {0, 0, 1}, 0.02);
    expect_near(plane->origin, (places[0] + places[1] + places[2] + places[3]) / 4, 1e-15);
    EXPECT_NEAR(plane->along_x(plane->origin + 2 * plane->x), 2, 1e-15);
    EXPECT_GT(plane->together, 0.98);
}

TEST(LandingPlane, IsNoneWhereLandersLieAllAround) {
    const std::vector<Vec3> around{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    EXPECT_FALSE(plane_on_body(globe(), around));
    EXPECT_FALSE(plane_on_body(globe(), {}));
}

TEST(LandingPlane, IsLevelElsewhere) {
    const LandingPlane plain = level_plane({0, 0, -1e-4});
    EXPECT_EQ(plain.x, (Vec3{1, 0, 0}));
    EXPECT_EQ(plain.y, (Vec3{0, 1, 0}));
    const Vec3 down{0.3, -0.2, -1};
    for (const LandingPlane& plane : {level_plane(down), level_plane({-1, 0, 0})}) {
        EXPECT_NEAR(dot(plane.x, plane.y), 0, 1e-15);
        EXPECT_NEAR(norm(plane.y), 1, 1e-15);
    }
    EXPECT_NEAR(dot(level_plane(down).x, down), 0, 1e-15);
    EXPECT_NEAR(dot(level_plane(down).y, down), 0, 1e-15);
}

}  // namespace
}  // namespace asperity::study::landing_plane_test
