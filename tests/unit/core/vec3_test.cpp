#include "asperity/core/vec3.h"

#include <gtest/gtest.h>

#include <limits>

#include "asperity/core/random.h"

namespace asperity::vec3_test {
namespace {

constexpr DrawKey key{.seed = 20, .run = 0, .stream = 1};

Vec3 random_vector(std::uint64_t i) { return {random_normal(key, 3 * i), random_normal(key, 3 * i + 1), random_normal(key, 3 * i + 2)}; }

TEST(Vec3, cross_follows_the_right_hand) {
    constexpr Vec3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
    static_assert(cross(x, y) == z);
    static_assert(cross(y, z) == x);
    static_assert(cross(z, x) == y);
    static_assert(cross(y, x) == -z);
}

TEST(Vec3, arithmetic_goes_by_component) {
    constexpr Vec3 a{1, 2, 3}, b{10, 20, 40};
    static_assert(a + b == Vec3{11, 22, 43});
    static_assert(b - a == Vec3{9, 18, 37});
    static_assert(2.0 * a == Vec3{2, 4, 6});
    static_assert(a * 2.0 == Vec3{2, 4, 6});
    static_assert(b / 2.0 == Vec3{5, 10, 20});
    static_assert(dot(a, b) == 170);
    static_assert(squared_norm(a) == 14);
    EXPECT_EQ(norm(Vec3{2, -3, 6}), 7);
}

// Lagrange: |a x b|^2 = |a|^2 |b|^2 - (a . b)^2; and a x b is perpendicular to both.
TEST(Vec3, cross_and_dot_agree_on_random_vectors) {
    for (std::uint64_t i = 0; i < 100; ++i) {
        const Vec3 a = random_vector(2 * i), b = random_vector(2 * i + 1);
        const double scale = squared_norm(a) * squared_norm(b);
        EXPECT_NEAR(squared_norm(cross(a, b)), scale - dot(a, b) * dot(a, b), 1e-14 * scale) << "seed 20, i = " << i;
        EXPECT_NEAR(dot(cross(a, b), a), 0, 1e-15 * scale * norm(a)) << "seed 20, i = " << i;
    }
}

TEST(Vec3, tangential_part_has_no_component_along_the_normal_and_the_rest_is_left) {
    for (std::uint64_t i = 0; i < 100; ++i) {
        const Vec3 a = random_vector(2 * i), n = unit(random_vector(2 * i + 1));
        const Vec3 t = tangential(a, n);
        EXPECT_NEAR(dot(t, n), 0, 1e-15 * norm(a)) << "seed 20, i = " << i;
        EXPECT_NEAR(norm(cross(a - t, n)), 0, 1e-15 * norm(a)) << "seed 20, i = " << i;
    }
}

TEST(Vec3, unit_has_length_one_at_every_scale_of_the_problem_and_leaves_zero_alone) {
    for (const double scale : {1e-100, 1e-6, 1.0, 1e13, 1e100}) {
        EXPECT_NEAR(norm(unit(scale * Vec3{1, 2, 3})), 1, 1e-15) << scale;
    }
    EXPECT_EQ(unit(Vec3{}), Vec3{});
}

TEST(Vec3, is_finite_looks_at_every_component) {
    const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(is_finite({1, 2, 3}));
    EXPECT_FALSE(is_finite({inf, 2, 3}));
    EXPECT_FALSE(is_finite({1, nan, 3}));
    EXPECT_FALSE(is_finite({1, 2, -inf}));
}

}  // namespace
}  // namespace asperity::vec3_test
