#include "asperity/analysis/recognition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "asperity/core/quat.h"
#include "asperity/core/random.h"

namespace asperity::analysis::recognition_test {
namespace {

const std::array<Sphere, 3> unequal{{{1.3, 0.5}, {0.7, 0.4}, {1.9, 0.6}}};
const Quat tilt = rotation({0.4, -1.1, 0.7});

// An equilibrium, turning as one, anywhere in space and drifting; every coordinate off by up to `noise`.
std::vector<MovingSphere> moving(std::span<const Sphere> spheres, const RestingEquilibrium& q, double noise = 0) {
    const auto p = positions(spheres, q);
    const DrawKey key{.seed = 5, .run = 0, .stream = 4};
    std::vector<MovingSphere> out;
    for (std::size_t i = 0; i < spheres.size(); ++i) {
        const auto off = [&](std::uint64_t k) { return noise * (2 * random_uniform(key, 3 * i + k) - 1); };
        const Vec3 place = p[i] + Vec3{off(0), off(1), off(2)}, v = cross({0, 0, q.rate}, p[i]);
        out.push_back({spheres[i], rotate(tilt, place) + Vec3{10, -3, 2}, rotate(tilt, v) + Vec3{0.3, 0.1, -5}});
    }
    return out;
}

std::string name_of(const std::vector<MovingSphere>& spheres, const RecognitionTolerance& tolerance = {}) {
    return name(recognise(spheres, 1, tolerance).configuration);
}

// Every equilibrium of three unequal spheres, each permutation, is called by its own name; also when a little off.
TEST(Recognition, NamesEveryEquilibrium) {
    std::array<int, 7> seen{};
    for (const double h2 : {1.0, 4.0, 8.0, 12.0, 20.0, 60.0})
        for (const RestingEquilibrium& q : resting_equilibria(unequal, h2, 1)) {
            for (const double noise : {0.0, 2e-4}) {
                const Recognised got = recognise(moving(unequal, q, noise), 1);
                EXPECT_STREQ(name(got.configuration), name(q.configuration)) << h2;
                EXPECT_EQ(got.order, q.order) << name(q.configuration);
                EXPECT_EQ(got.contacts, std::count_if(q.contact_force.begin(), q.contact_force.end(), [](double f) { return f > 0; }));
            }
            ++seen[static_cast<std::size_t>(q.configuration)];
        }
    for (const int count : seen) EXPECT_GT(count, 0);
}

std::vector<MovingSphere> of_kind(Configuration c, double h2) {
    const auto list = resting_equilibria(unequal, h2, 1);
    return moving(unequal, *std::find_if(list.begin(), list.end(), [c](const RestingEquilibrium& q) { return q.configuration == c; }));
}

// Stable or not: what stays where it is, is there.
TEST(Recognition, WhatRestsIsNamedByWhereItRests) {
    for (const double h2 : {1.0, 4.0, 8.0, 12.0, 20.0, 60.0}) {
        const auto list = resting_equilibria(unequal, h2, 1);
        for (const RestingEquilibrium& q : list) {
            const auto spheres = moving(unequal, q);
            const Recognised now = recognise(spheres, 1);
            EXPECT_STREQ(name(librates_about(spheres, now, list)), name(q.configuration)) << h2;
            const RestingEquilibrium* here = rests_in(spheres, now, list);
            ASSERT_NE(here, nullptr) << h2 << name(q.configuration);
            EXPECT_LT(std::fabs(here->energy - q.energy), 0.05 * std::fabs(q.energy));
        }
    }
}

// A chain of three equal spheres whose outer two are this far from each other and approach, at a given H-bar^2.
std::string valley_of_chain(double outer, double h2) {
    const Sphere sphere{1, 0.5};
    const double half = outer / 2, height = std::sqrt(1 - half * half);
    const std::vector<MovingSphere> spheres{
        {sphere, {-half, 0, 0}, {0.3, 0, 0}}, {sphere, {0, height, 0}, {0, 0.3 * half / height, 0}}, {sphere, {half, 0, 0}, {-0.3, 0, 0}}};
    const auto list = resting_equilibria(std::array{sphere, sphere, sphere}, h2, 1);
    return name(librates_about(spheres, recognise(spheres, 1), list));
}

// At 3 the ridge, V-Rest, is at H-bar^2 = ((2 + s^2) / 3 + 0.3)^2 3 / s^3: s = 1.3567; below 1.98375 and above 5.07 there is none.
TEST(Recognition, WhatLibratesIsNamedByItsValley) {
    const double ridge = 1.3567;
    EXPECT_NEAR(equal_sphere_momentum2(Configuration::v_rest, ridge), 3, 1e-3);
    EXPECT_EQ(valley_of_chain(0.97 * ridge, 3), "Lagrange Resting");
    EXPECT_EQ(valley_of_chain(1.03 * ridge, 3), "Euler Resting");
    EXPECT_EQ(valley_of_chain(1.9, 1), "Lagrange Resting");
    EXPECT_EQ(valley_of_chain(1.3, 5.5), "Euler Resting");
    EXPECT_EQ(valley_of_chain(1.9, 7), "V-Rest");  // neither exists: where it is
}

TEST(Recognition, ToleranceDecidesWhatIsAContact) {
    auto spheres = of_kind(Configuration::lagrange_resting, 1);
    spheres[2].p += 0.01 * (spheres[2].p - 0.5 * (spheres[0].p + spheres[1].p));  // both its gaps open, less than 1% of d
    EXPECT_NE(name_of(spheres), "Lagrange Resting");
    EXPECT_EQ(name_of(spheres, {.contact = 0.02}), "Lagrange Resting");
    for (MovingSphere& s : spheres) s.p += 0.01 * (spheres[0].p - s.p);  // pressed into each other
    EXPECT_EQ(name_of(spheres), "Lagrange Resting");
}

TEST(Recognition, ABentChainIsAV) {
    const auto list = resting_equilibria(unequal, 4, 1);
    const auto q = *std::find_if(list.begin(), list.end(), [](const auto& e) { return e.configuration == Configuration::euler_resting; });
    for (const double bend : {0.04, 0.06}) {
        auto spheres = moving(unequal, q);
        const auto order = q.order;
        const Vec3 middle = spheres[static_cast<std::size_t>(order[1])].p;
        MovingSphere& end = spheres[static_cast<std::size_t>(order[2])];
        end.p = middle + rotate(rotation(bend * rotate(tilt, {0, 0, 1})), end.p - middle);
        EXPECT_EQ(name_of(spheres), bend < 0.05 ? "Euler Resting" : "V-Rest");
        EXPECT_EQ(name_of(spheres, {.shape = 0.1}), "Euler Resting");
    }
}

// The third of Aligned Mixed is put elsewhere, or sent away.
TEST(Recognition, OneContact) {
    const auto start = of_kind(Configuration::aligned_mixed, 20);
    const Recognised got = recognise(start, 1);
    const auto third = static_cast<std::size_t>(got.order[0]), near = static_cast<std::size_t>(got.order[1]);
    auto spheres = start;
    const Vec3 from_pair = start[third].p - start[near].p;
    spheres[third].p = start[near].p + rotate(rotation(0.8 * rotate(tilt, {0, 0, 1})), from_pair);
    EXPECT_EQ(name_of(spheres), "bound, one contact");
    spheres = start;
    const double escape = std::sqrt(2 * (unequal[0].m + unequal[1].m + unequal[2].m) / norm(from_pair));
    spheres[third].v = start[near].v + 1.1 * escape * unit(from_pair);
    const Recognised away = recognise(spheres, 1);
    EXPECT_STREQ(name(away.configuration), "escaping pair");
    EXPECT_EQ(away.order[2], static_cast<int>(third));
    EXPECT_EQ(away.contacts, 1);
    spheres[third].v = start[near].v - 1.1 * escape * unit(from_pair);  // as fast, but coming
    EXPECT_EQ(name_of(spheres), "Aligned Mixed");
}

TEST(Recognition, NoContact) {
    auto spheres = of_kind(Configuration::lagrange_orbiting, 60);
    EXPECT_EQ(name_of(spheres), "Lagrange Orbiting");
    auto slow = spheres;
    for (MovingSphere& s : slow) s.v = {};  // equilateral, but falling together
    EXPECT_EQ(name_of(slow), "bound, no contact");
    auto burst = spheres;
    const Vec3 centre = (1.3 * burst[0].p + 0.7 * burst[1].p + 1.9 * burst[2].p) / 3.9;
    for (MovingSphere& s : burst) s.v = 10 * (s.p - centre);
    EXPECT_EQ(name_of(burst), "dispersing");

    // A close pair on a circle, and a third that leaves.
    const double rate = std::sqrt(2.0 / 27);
    const std::vector<MovingSphere> pair{{unequal[0], {0, 0, 0}, {0, 0, 0}}, {unequal[1], {3, 0, 0}, {0, 3 * rate, 0}}};
    auto three = pair;
    three.push_back({unequal[2], {0, 30, 0}, {0, 2, 0}});
    const Recognised got = recognise(three, 1);
    EXPECT_STREQ(name(got.configuration), "escaping pair");
    EXPECT_EQ(got.order, (std::array{0, 1, 2}));
    three[2].v = {0.1, 0, 0};
    EXPECT_EQ(name_of(three), "bound, no contact");
}

TEST(Recognition, TwoSpheres) {
    const double rate = std::sqrt(2.0 / 27);  // masses 1.3 + 0.7, 3 apart
    std::vector<MovingSphere> pair{{unequal[0], {0, 0, 0}, {0, 0, 0}}, {unequal[1], {3, 0, 0}, {0, 3 * rate, 0}}};
    EXPECT_EQ(name_of(pair), "Orbiting Pair");
    pair[1].v = {0, 0.7 * 3 * rate, 0};
    EXPECT_EQ(name_of(pair), "bound, no contact");
    pair[1].v = {3 * rate, 1.2 * 3 * rate, 0};
    EXPECT_EQ(name_of(pair), "escaping pair");
    pair[1].p = {0.9, 0, 0};
    EXPECT_EQ(name_of(pair), "Resting Pair");
}

}  // namespace
}  // namespace asperity::analysis::recognition_test
