#include "asperity/core/quat.h"

#include <gtest/gtest.h>

#include <numbers>

#include "asperity/core/random.h"

namespace asperity::quat_test {
namespace {

constexpr DrawKey key{.seed = 21, .run = 0, .stream = 1};

Vec3 random_vector(std::uint64_t i) { return {random_normal(key, 3 * i), random_normal(key, 3 * i + 1), random_normal(key, 3 * i + 2)}; }

void expect_near(const Vec3& a, const Vec3& b, double tolerance) { EXPECT_LE(norm(a - b), tolerance) << "seed 21"; }

TEST(Quat, a_quarter_turn_about_z_takes_x_to_y) {
    const Quat q = rotation({0, 0, std::numbers::pi / 2});
    expect_near(rotate(q, {1, 0, 0}), {0, 1, 0}, 1e-15);
    expect_near(rotate(q, {0, 1, 0}), {-1, 0, 0}, 1e-15);
    expect_near(rotate(q, {0, 0, 1}), {0, 0, 1}, 1e-15);
}

// Rodrigues: a cos t + (k x a) sin t + k (k . a)(1 - cos t), an independent way to the same rotation.
TEST(Quat, rotation_agrees_with_rodrigues) {
    for (std::uint64_t i = 0; i < 100; ++i) {
        const Vec3 angle = random_vector(2 * i), a = random_vector(2 * i + 1);
        const double t = norm(angle);
        const Vec3 k = unit(angle);
        const Vec3 expected = std::cos(t) * a + std::sin(t) * cross(k, a) + (1 - std::cos(t)) * dot(k, a) * k;
        expect_near(rotate(rotation(angle), a), expected, 3e-15 * norm(a));
    }
}

TEST(Quat, the_product_turns_by_the_right_factor_first) {
    for (std::uint64_t i = 0; i < 100; ++i) {
        const Quat p = rotation(random_vector(3 * i)), q = rotation(random_vector(3 * i + 1));
        const Vec3 a = random_vector(3 * i + 2);
        expect_near(rotate(p * q, a), rotate(p, rotate(q, a)), 3e-15 * norm(a));
    }
}

TEST(Quat, small_angles_lose_nothing) {
    // To first order q = (1, angle / 2); the next term is relative angle^2 / 24, far below rounding here.
    for (const double t : {1e-300, 1e-200, 1e-12}) {
        const Quat q = rotation({t, 0, 0});
        EXPECT_NEAR(q.x / t, 0.5, 1e-15) << t;
        EXPECT_EQ(q.w, 1) << t;
    }
    EXPECT_EQ(rotation({}), Quat{});
}

TEST(Quat, unit_gives_length_one_and_keeps_the_rotation) {
    const Quat q = rotation({0.3, -0.2, 0.9});
    const Quat back = unit(Quat{7 * q.w, 7 * q.x, 7 * q.y, 7 * q.z});
    EXPECT_NEAR(back.w, q.w, 1e-15);
    EXPECT_NEAR(back.x, q.x, 1e-15);
    EXPECT_NEAR(back.y, q.y, 1e-15);
    EXPECT_NEAR(back.z, q.z, 1e-15);
}

}  // namespace
}  // namespace asperity::quat_test
