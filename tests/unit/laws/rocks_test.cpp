#include "asperity/laws/contact/rocks.h"

#include <gtest/gtest.h>

#include <string>

#include "asperity/core/quat.h"
#include "unit/laws/rock_reference.h"

namespace asperity::laws::rocks_test {
namespace {

using test::kolmogorov;
using test::kolmogorov_limit;
using test::met_above;
using test::over_rocks;

constexpr double degree = std::numbers::pi / 180;
constexpr double pod = 0.125;
constexpr DrawKey key{.seed = 20, .run = 1, .stream = 4};

RockPopulation rocks_of(double smallest, double largest, double exponent = 3.1) {
    return {.exponent = exponent, .smallest = smallest, .largest = largest};
}

Vec3 coming_down(double angle) { return {0.03 * std::sin(angle), 0, -0.03 * std::cos(angle)}; }

std::vector<RockHit> drawn(const RockPopulation& rocks, const Approach& approach, int count, std::uint64_t& counter) {
    std::vector<RockHit> hits;
    for (int k = 0; k < count; ++k) hits.push_back(draw_impact(rocks, approach, key, counter));
    return hits;
}

std::vector<double> heights_of(const std::vector<RockHit>& hits) {
    std::vector<double> heights;
    for (const RockHit& hit : hits)
        if (hit.is_rock) heights.push_back(hit.height);
    return heights;
}

TEST(RockPopulation, MomentsAreIntegralsOverTheLaw) {
    for (const double exponent : {0.7, 1.0, 2.0, 2.0 + 1e-12, 3.1})
        for (const double largest : {0.5, 0.500001, 3.0, 20.0})
            for (const double least : {0.0, 0.25, 0.2500001, 1.2}) {
                const RockPopulation rocks = rocks_of(0.5, largest, exponent);
                for (int k = 0; k < 3; ++k) {
                    const double wanted = over_rocks(rocks, least, [&](double a) { return std::pow(a, k); });
                    EXPECT_NEAR(RockMoment(rocks, least, k).total(), wanted, 1e-9 * wanted) << exponent << ' ' << largest << ' ' << least;
                }
            }
    EXPECT_EQ(RockMoment(rocks_of(0.5, 3), 1.6, 2).total(), 0);
    EXPECT_EQ(RockMoment({.number_per_area = 0}, 0, 0).total(), 0);
}

// Below the radius that belongs to u lies the part u of the weight; what is beyond the law's continuous part is of the largest size.
TEST(RockPopulation, RadiiFollowTheWeightedLaw) {
    for (const double exponent : {0.7, 2.0, 3.1})
        for (int k = 0; k < 3; ++k) {
            const RockPopulation rocks = rocks_of(0.5, 4, exponent);
            const RockMoment moment(rocks, 0, k);
            for (const double u : {0.0, 0.1, 0.5, 0.9, 0.999999}) {
                const double a = moment.radius(u);
                ASSERT_GE(a, 0.25);
                ASSERT_LE(a, 2);
                const double above = over_rocks(rocks, a, [&](double x) { return std::pow(x, k); });
                if (a < 2) {
                    EXPECT_NEAR(above, (1 - u) * moment.total(), 1e-9 * moment.total());
                } else {
                    EXPECT_LE((1 - u) * moment.total(), above * (1 + 1e-12));
                }
            }
        }
    EXPECT_EQ(RockMoment(rocks_of(0.5, 0.5), 0, 1).radius(0.3), 0.25);
    EXPECT_DOUBLE_EQ(rock_diameter({}, rocks_per_area({}, 3)), 3);
    EXPECT_EQ(rock_diameter({}, 0.5 * rocks_per_area({}, 20)), 20);
}

// The table of docs/theory/rocks.md, with 373 boulders on 0.393 km^2 for the law's constant.
TEST(RockPopulation, NumbersAsTheTheoryPageStatesThem) {
    EXPECT_NEAR(RockPopulation{}.number_per_area, 373 / 0.393e6, 1e-6);
    const double smallest[] = {0.1, 0.3, 0.5, 1.0}, stated[] = {3.879, 1.153, 0.654, 0.301}, number[] = {175.6, 5.827, 1.196, 0.1395};
    const double path[] = {0.0186, 0.267, 0.877, 4.20}, met[] = {1, 0.885, 0.632, 0.318};
    for (int k = 0; k < 4; ++k) {
        EXPECT_NEAR(rock_coverage(rocks_of(smallest[k], 20)), stated[k], 5e-4);
        EXPECT_NEAR(rocks_per_area({}, smallest[k]) / number[k], 1, 5e-4);
        EXPECT_NEAR(mean_free_path(rocks_of(smallest[k], 20), pod) / path[k], 1, 3e-3);
        EXPECT_NEAR(1 - std::exp(-met_above(rocks_of(smallest[k], 20), pod, pod, 0)), met[k], 5e-4);
    }
}

// Eq. 2, vertical and oblique, with few rocks and with many (coverage 3.9).
TEST(Rocks, HeightsOfFirstContactFollowTheClosedForm) {
    std::uint64_t counter = 0;
    for (const RockPopulation& rocks : {rocks_of(0.5, 20), rocks_of(0.1, 20), rocks_of(1, 1), rocks_of(0.04, 0.2)})
        for (const double angle : {0.0, 20.0, 45.0, 70.0, 85.0, 89.9}) {
            const Approach approach{.radius = pod, .normal = {0, 0, 1}, .velocity = coming_down(angle * degree)};
            const auto not_above = [&](double z) { return std::exp(-met_above(rocks, pod, z, angle * degree)); };
            const double off = kolmogorov(heights_of(drawn(rocks, approach, 4000, counter)), 4000, pod, pod + rocks.largest / 2, not_above);
            EXPECT_LT(off, kolmogorov_limit) << rocks.smallest << " m, " << angle << " deg";
        }
}

// Vertical, in closed form throughout: one size, so that P(z) = exp(-N pi (b^2 - z^2)).
TEST(Rocks, RocksOfOneSizeMetFromAbove) {
    std::uint64_t counter = 0;
    const RockPopulation rocks{.number_per_area = 0.3, .reference_diameter = 1, .smallest = 1, .largest = 1};
    const Approach approach{.radius = 0.5, .normal = {0, 0, 1}, .velocity = {0, 0, -1}};
    const std::vector<RockHit> hits = drawn(rocks, approach, 20000, counter);
    const auto not_above = [](double z) { return std::exp(-0.3 * std::numbers::pi * (1 - z * z)); };
    EXPECT_LT(kolmogorov(heights_of(hits), hits.size(), 0.5, 1, not_above), kolmogorov_limit);
    for (const RockHit& hit : hits) EXPECT_EQ(hit.radius, hit.is_rock ? 0.5 : 0);
}

// A hop that starts at its apex with no rock touched: only what is first met below counts.
TEST(Rocks, NothingIsMetAboveTheTop) {
    std::uint64_t counter = 0;
    const RockPopulation rocks = rocks_of(0.3, 20);
    for (const double angle : {0.0, 60.0, 89.0}) {
        const double top = 0.4;
        const Approach approach{.radius = pod, .normal = {0, 0, 1}, .velocity = coming_down(angle * degree), .top = top};
        const std::vector<RockHit> hits = drawn(rocks, approach, 4000, counter);
        for (const RockHit& hit : hits) EXPECT_LE(hit.height, top);
        const auto not_above = [&](double z) {
            return std::exp(met_above(rocks, pod, top, angle * degree) - met_above(rocks, pod, std::min(z, top), angle * degree));
        };
        EXPECT_LT(kolmogorov(heights_of(hits), hits.size(), pod, top, not_above), kolmogorov_limit) << angle;
        Approach touching = approach;
        touching.top = pod;
        EXPECT_FALSE(draw_impact(rocks, touching, key, counter).is_rock);
    }
}

// The ball touches the rock, whose centre is on the plane, and approaches it.
TEST(Rocks, AHitIsAContact) {
    std::uint64_t counter = 0;
    const Vec3 n = unit(Vec3{0.3, -0.5, 0.8});
    int plane = 0;
    for (int k = 0; k < 20000; ++k) {
        const Vec3 v = tangential({std::sin(k), std::cos(3.0 * k), std::sin(7.0 * k)}, n) - std::pow(10.0, -k % 7) * n;
        const RockHit hit = draw_impact(rocks_of(0.5, 20), {.radius = pod, .normal = n, .velocity = v}, key, counter);
        EXPECT_NEAR(norm(hit.normal), 1, 1e-12);
        if (!hit.is_rock) {
            ++plane;
            EXPECT_EQ(hit.normal, n);
            EXPECT_EQ(hit.height, pod);
            continue;
        }
        EXPECT_NEAR(dot(hit.normal, n) * (hit.radius + pod), hit.height, 1e-7 * (hit.radius + pod));
        EXPECT_GE(hit.height, pod);
        EXPECT_LE(dot(hit.normal, v), 1e-6 * norm(v));
        EXPECT_GE(hit.radius, 0.25);
        EXPECT_LE(hit.radius, 10);
    }
    EXPECT_GT(plane, 1000);
}

TEST(Rocks, TheSameNumbersGiveTheSameRockInEveryFrame) {
    const Quat turn = unit(Quat{0.3, -0.4, 0.7, 0.2});
    const Vec3 n{0, 0, 1}, v{0.01, 0.02, -0.005};
    for (std::uint64_t start = 0; start < 2000; start += 7) {
        std::uint64_t a = start, b = start, c = start;
        const RockHit one = draw_impact({}, {.radius = pod, .normal = n, .velocity = v}, key, a);
        const RockHit same = draw_impact({}, {.radius = pod, .normal = n, .velocity = v}, key, b);
        const RockHit turned = draw_impact({}, {.radius = pod, .normal = rotate(turn, n), .velocity = rotate(turn, v)}, key, c);
        EXPECT_EQ(a, b);
        EXPECT_EQ(a, c);
        EXPECT_EQ(one.normal, same.normal);
        EXPECT_EQ(one.is_rock, turned.is_rock);
        EXPECT_LT(norm(rotate(turn, one.normal) - turned.normal), 1e-12);
    }
}

// How many numbers an impact takes, as the header states it; a path along the plane meets a rock, and is no dearer.
TEST(Rocks, AnImpactTakesFewDraws) {
    for (const double angle : {0.0, 30.0, 60.0, 80.0, 89.0, 89.99, 89.99999, 90.0}) {
        std::uint64_t counter = 0;
        const Vec3 v{std::sin(angle * degree), 0, angle == 90 ? 0 : -std::cos(angle * degree)};
        const std::vector<RockHit> hits = drawn({}, {.radius = pod, .normal = {0, 0, 1}, .velocity = v}, 2000, counter);
        const double draws = static_cast<double>(counter) / 2000;
        RecordProperty("draws_at_" + std::to_string(angle) + "_deg", std::to_string(draws));
        EXPECT_LT(draws, angle == 0 ? 7 : 25) << angle;
        for (const RockHit& hit : hits) ASSERT_TRUE(hit.is_rock || angle < 89.999);
    }
}

TEST(Rocks, WithoutRocksThePlaneIsMetAndNothingDrawn) {
    std::uint64_t counter = 5;
    const RockHit hit = draw_impact({.number_per_area = 0}, {.radius = pod, .normal = {0, 0, 1}, .velocity = {1, 0, -1}}, key, counter);
    EXPECT_FALSE(hit.is_rock);
    EXPECT_EQ(hit.normal, (Vec3{0, 0, 1}));
    EXPECT_EQ(counter, 5u);
    EXPECT_EQ(mean_free_path({.number_per_area = 0}, pod), HUGE_VAL);
    EXPECT_EQ(draw_free_path(HUGE_VAL, key, counter), HUGE_VAL);
}

TEST(Rocks, MeanFreePathIsTheIntegral) {
    for (const double exponent : {0.5, 2.0, 3.1})
        for (const double smallest : {0.001, 0.1, 0.5, 20.0}) {
            const RockPopulation rocks = rocks_of(smallest, 20, exponent);
            const double wanted = 1 / over_rocks(
                                          rocks, 0, [](double a) { return 2 * std::sqrt(a * a + 2 * a * pod); }, 40000);
            EXPECT_NEAR(mean_free_path(rocks, pod), wanted, 1e-12 * wanted) << exponent << ' ' << smallest;
        }
    // rocks of one size: 1 / (N 2 sqrt(a^2 + 2 a R))
    EXPECT_DOUBLE_EQ(mean_free_path({.number_per_area = 0.1, .reference_diameter = 2, .smallest = 2, .largest = 2}, 1.5),
                     1 / (0.1 * 2 * 2));
    std::uint64_t counter = 0;
    double sum = 0;
    for (int k = 0; k < 100000; ++k) sum += draw_free_path(3, key, counter);
    EXPECT_NEAR(sum / 100000, 3, 4 * 3 / std::sqrt(100000.0));
    EXPECT_EQ(counter, 100000u);
}

// Eq. 4: the rock's centre is on the plane, ahead; the impact parameter is uniform, the radius weighted by the width of its strip.
TEST(Rocks, RollingMeetsRocksInProportionToTheirWidth) {
    const RockPopulation rocks = rocks_of(0.1, 20);
    const Vec3 n = unit(Vec3{0.1, 0.4, 0.9}), t = unit(tangential({1, 2, 0.3}, n)), e = cross(n, t);
    std::uint64_t counter = 0;
    constexpr int count = 20000;
    double larger = 0, left = 0, outer = 0;
    for (int k = 0; k < count; ++k) {
        const RockHit hit = draw_rolling_rock(rocks, pod, n, {1, 2, 0.3}, key, counter);
        const double b = pod + hit.radius, rho = std::sqrt(b * b - pod * pod), y = b * dot(hit.normal, e);
        ASSERT_NEAR(norm(hit.normal), 1, 1e-12);
        ASSERT_NEAR(dot(hit.normal, n) * b, pod, 1e-9 * b);
        ASSERT_LE(dot(hit.normal, t), 1e-12);
        larger += hit.radius > 0.1 ? 1 : 0;
        left += y > 0 ? 1 : 0;
        outer += std::fabs(y) > 0.7 * rho ? 1 : 0;
    }
    const auto width = [](double a) { return 2 * std::sqrt(a * a + 2 * a * pod); };
    const double wanted = over_rocks(rocks, 0.1, width) / over_rocks(rocks, 0, width);
    const double sigma = std::sqrt(count / 4.0);  // at most
    EXPECT_NEAR(larger, wanted * count, 4 * sigma);
    EXPECT_NEAR(left, 0.5 * count, 4 * sigma);
    EXPECT_NEAR(outer, 0.3 * count, 4 * sigma);
    EXPECT_LT(counter, 4u * count);
}

}  // namespace
}  // namespace asperity::laws::rocks_test
