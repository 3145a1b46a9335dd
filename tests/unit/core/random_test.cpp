#include "asperity/core/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace asperity::random_test {
namespace {

constexpr DrawKey key{.seed = 7, .run = 3, .stream = 5};

// The first outputs of SplitMix64 from seed 0 (Steele, Lea, Flood 2014; the published test vector): state += GOLDEN, then the finaliser.
TEST(Random, mix_is_the_finaliser_of_splitmix64) {
    constexpr std::uint64_t golden = 0x9e3779b97f4a7c15ULL;
    EXPECT_EQ(mix_bits(golden), 0xe220a8397b1dcdafULL);
    EXPECT_EQ(mix_bits(2 * golden), 0x6e789e6aa1b965f4ULL);
    EXPECT_EQ(mix_bits(3 * golden), 0x06c45d188009454fULL);
}

TEST(Random, every_word_of_the_key_matters) {
    const std::uint64_t here = random_bits(key, 11);
    EXPECT_EQ(here, random_bits(key, 11));
    EXPECT_NE(here, random_bits({8, 3, 5}, 11));
    EXPECT_NE(here, random_bits({7, 4, 5}, 11));
    EXPECT_NE(here, random_bits({7, 3, 6}, 11));
    EXPECT_NE(here, random_bits(key, 12));
    EXPECT_NE(random_bits({7, 3, 5}, 11), random_bits({7, 5, 3}, 11));  // words may not be exchanged
}

TEST(Random, no_number_comes_twice_in_neighbouring_streams) {
    std::vector<std::uint64_t> drawn;
    for (std::uint64_t stream = 0; stream < 100; ++stream)
        for (std::uint64_t i = 0; i < 1000; ++i) drawn.push_back(random_bits({7, 0, stream}, i));
    std::sort(drawn.begin(), drawn.end());
    EXPECT_EQ(std::adjacent_find(drawn.begin(), drawn.end()), drawn.end());  // by chance: 1e5^2 / 2 / 2^64 = 3e-10
}

// Moments of n draws lie within 5 standard errors: the seed is fixed, so the test always gives the same answer.
TEST(Random, uniform_has_the_moments_of_the_unit_interval) {
    constexpr int n = 100000;
    double mean = 0, square = 0, least = 1, most = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
        const double u = random_uniform(key, i);
        mean += u / n;
        square += u * u / n;
        least = std::min(least, u);
        most = std::max(most, u);
    }
    EXPECT_NEAR(mean, 0.5, 5 * std::sqrt(1.0 / 12 / n));
    EXPECT_NEAR(square, 1.0 / 3, 5 * std::sqrt(4.0 / 45 / n));
    EXPECT_GE(least, 0);
    EXPECT_LT(most, 1);
    EXPECT_LT(least, 20.0 / n);
    EXPECT_GT(most, 1 - 20.0 / n);
}

TEST(Random, normal_has_the_moments_of_the_standard_normal) {
    constexpr int n = 100000;
    double mean = 0, square = 0, cube = 0, fourth = 0, neighbours = 0, previous = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
        const double x = random_normal(key, i);
        mean += x / n;
        square += x * x / n;
        cube += x * x * x / n;
        fourth += x * x * x * x / n;
        neighbours += x * previous / n;
        previous = x;
    }
    const double error = 5 / std::sqrt(n);
    EXPECT_NEAR(mean, 0, error);
    EXPECT_NEAR(square, 1, std::sqrt(2) * error);
    EXPECT_NEAR(cube, 0, std::sqrt(15) * error);
    EXPECT_NEAR(fourth, 3, std::sqrt(96) * error);
    EXPECT_NEAR(neighbours, 0, error);
}

}  // namespace
}  // namespace asperity::random_test
