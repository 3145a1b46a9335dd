// Mass properties of solids: closed forms against triangle meshes and against sums of parts.
#include "asperity/geometry/solid.h"

#include <gtest/gtest.h>

#include <cmath>

#include "asperity/geometry/principal_axes.h"
#include "unit/geometry/convex_reference.h"

namespace asperity::geometry::solid_test {
namespace {

void expect_equal(const Solid& got, const Solid& wanted, double tolerance) {
    const double size = std::cbrt(wanted.volume), second = wanted.volume * size * size;
    EXPECT_NEAR(got.volume, wanted.volume, tolerance * wanted.volume);
    EXPECT_NEAR(norm(got.centre - wanted.centre), 0, tolerance * size);
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(got.second[i][j], wanted.second[i][j], tolerance * second) << i << j;
}

std::vector<Vec3> corners(const Vec3& half, const Pose& pose) {
    std::vector<Vec3> out;
    for (int k = 0; k < 8; ++k) out.push_back(pose * Vec3{k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z});
    return out;
}

// A body of revolution as a stack of discs: radius at heights in their middles.
template <class Radius>
Solid stack(double low, double high, const Radius& radius) {
    constexpr int n = 20000;
    const double step = (high - low) / n;
    Solid sum;
    for (int k = 0; k < n; ++k) {
        const double z = low + (k + 0.5) * step;
        const Solid disc = placed(solid(Cylinder{radius(z), 0.5 * step}), {{0, 0, z}, {}});
        sum = k == 0 ? disc : together(sum, disc);
    }
    return sum;
}

TEST(Solid, EightBoxesAreABoxIsAHull) {
    test::Draw draw(20261128);
    for (const double scale : {1e-3, 1.0, 1e4})
        for (int run = 0; run < 20; ++run) {
            const Vec3 half = scale * Vec3{draw(0.1, 2), draw(0.1, 2), draw(0.1, 2)};
            const Pose pose{scale * draw.direction(), draw.turn()};
            const Solid box = placed(solid(Box{half}), pose);
            expect_equal(solid(make_hull(corners(half, pose))), box, 1e-13);
            Solid sum;
            for (const Vec3& c : corners(0.5 * half, {})) {
                const Solid eighth = placed(solid(Box{0.5 * half}), pose * Pose{c, {}});
                sum = sum.volume > 0 ? together(sum, eighth) : eighth;
            }
            expect_equal(sum, box, 1e-13);
        }
}

TEST(Solid, RoundOnesAreStacksOfDiscs) {
    const double r = 0.7, h = 1.9;
    expect_equal(stack(-0.25 * h, 0.75 * h, [&](double z) { return r * (0.75 * h - z) / h; }), solid(Cone{r, h}), 1e-8);
    expect_equal(stack(-r, r, [&](double z) { return std::sqrt(r * r - z * z); }), solid(Sphere{r}), 1e-8);
    const auto of_capsule = [&](double z) { return std::fabs(z) < h ? r : std::sqrt(r * r - (std::fabs(z) - h) * (std::fabs(z) - h)); };
    expect_equal(stack(-h - r, h + r, of_capsule), solid(Capsule{r, h}), 1e-7);
    // in the limit of no length a capsule is its ball
    expect_equal(solid(Capsule{r, 1e-12}), solid(Sphere{r}), 1e-11);
}

TEST(Solid, PrincipalFrames) {
    test::Draw draw(20261129);
    for (int run = 0; run < 50; ++run) {
        const Vec3 half{draw(0.5, 1), draw(1.2, 2), draw(2.5, 3)};
        const Pose pose{draw.direction(), draw.turn()};
        const Solid box = placed(solid(Box{half}), pose);
        const PrincipalFrame frame = principal_frame(box.second, box.centre, 1);
        // in its principal axes the solid has no products, whichever of them is called x
        const Solid back = placed(box, inverse(frame.pose));
        EXPECT_NEAR(norm(back.centre), 0, 1e-14);
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(i == j ? 0 : back.second[i][j], 0, 1e-12 * box.volume);
        EXPECT_NEAR(back.second[0][0], frame.second.x, 1e-12 * box.volume);
        EXPECT_NEAR(back.second[1][1], frame.second.y, 1e-12 * box.volume);
        EXPECT_NEAR(back.second[2][2], frame.second.z, 1e-12 * box.volume);
    }
    const Solid box = solid(Box{{1, 2, 3}});
    EXPECT_EQ(principal_frame(box.second, box.centre, 1).pose, Pose{});
    EXPECT_NEAR(principal_frame(box.second, {}, 1).inertia().z, box.volume * (1 + 4) / 3, 1e-12);  // m (a^2 + b^2) / 12 of the edges
}

}  // namespace
}  // namespace asperity::geometry::solid_test
