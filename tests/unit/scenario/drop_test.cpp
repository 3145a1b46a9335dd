#include "asperity/scenario/drop.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "asperity/core/random.h"
#include "asperity/geometry/closest.h"
#include "asperity/geometry/worlds.h"

namespace asperity::scenario::drop_test {
namespace {

// Two ways that share no code: steps by the distance, and closed forms for every feature.
TEST(FirstTouch, stepping_and_closed_form_agree) {
    constexpr DrawKey key{.seed = 77};
    const geometry::SurfaceMesh mesh =
        geometry::make_surface(geometry::generate(geometry::SpikeWorld{.seed = 5, .side = 20, .cells = 10, .height = 6}));
    int found = 0;
    for (std::uint64_t i = 0; i < 500; ++i) {
        const auto draw = [&](std::uint64_t k) { return 2 * random_uniform(key, 8 * i + k) - 1; };
        const Vec3 position{11 * draw(0), 11 * draw(1), 5 * draw(2)};
        const Vec3 down = unit(Vec3{0.3 * draw(3), 0.3 * draw(4), -1});
        const double radius = 0.5 + 0.4 * draw(5);
        const auto stepped = first_touch(mesh, position, down, radius);
        const auto closed = first_touch_by_facets(mesh, position, down, radius);
        ASSERT_EQ(stepped.has_value(), closed.has_value()) << "seed 77, number " << i;
        if (!stepped) continue;
        ++found;
        EXPECT_LT(norm(*stepped - *closed), 1e-9) << "seed 77, number " << i;
        EXPECT_NEAR(geometry::nearest(mesh.view(), *closed).distance, radius, 1e-12) << "seed 77, number " << i;
    }
    EXPECT_GT(found, 300);
}

// Along a vertical wall at a hair's breadth, steps by the clearance would take millions.
TEST(FirstTouch, a_ball_that_grazes_a_wall_reaches_the_ground) {
    const geometry::SurfaceMesh mesh = geometry::make_surface(geometry::generate(geometry::TableWorld{}));
    const auto touch = first_touch(mesh, {-11.111 + 0.05 + 1e-9, 3, 0}, {0, 0, -1}, 0.05);
    ASSERT_TRUE(touch.has_value());
    EXPECT_NEAR(touch->z, 0.05, 1e-12);
}

TEST(FirstTouch, beside_the_surface_there_is_none) {
    const geometry::SurfaceMesh mesh = geometry::make_surface(geometry::generate(geometry::FlatWorld{.side = 2, .cells = 1}));
    EXPECT_FALSE(first_touch(mesh, {1.2, 0, 0}, {0, 0, -1}, 0.1).has_value());
    EXPECT_FALSE(first_touch_by_facets(mesh, {1.2, 0, 0}, {0, 0, -1}, 0.1).has_value());
    const auto rim = first_touch(mesh, {1.06, 0, 0}, {0, 0, -1}, 0.1);  // touches the rim from above: 3-4-5
    ASSERT_TRUE(rim.has_value());
    EXPECT_NEAR(rim->z, 0.08, 1e-12);
}

}  // namespace
}  // namespace asperity::scenario::drop_test
