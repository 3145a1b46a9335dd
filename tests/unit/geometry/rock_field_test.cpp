#include "asperity/geometry/rock_field.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numbers>
#include <random>
#include <set>

#include "asperity/core/parallel.h"
#include "asperity/geometry/closest.h"
#include "asperity/geometry/worlds.h"
#include "unit/geometry/shapes.h"

namespace asperity::geometry::test::rock_field_test {
namespace {

constexpr unsigned seed = 577;

SurfaceMesh plane(double side, int cells) { return make_surface(generate(FlatWorld{.side = side, .cells = cells})); }

SurfaceMesh boulder(double size) {
    RawMesh mesh = ball(3, 0.8, 1.2, seed);
    for (Vec3& v : mesh.vertices) v *= size;
    return make_surface(mesh);
}

// Two numbers tell a rock: where it is and how large.
std::set<std::array<double, 4>> rocks_in(const RockField& field, double least = 0) {
    std::set<std::array<double, 4>> all;
    for (std::size_t i = 0; i < field.radii.size(); ++i)
        if (field.radii[i] >= least) all.insert({field.centres[i].x, field.centres[i].y, field.centres[i].z, field.radii[i]});
    return all;
}

std::string error_of(const RockPopulation& rocks, std::span<const double> factors = {}, double side = 10) {
    try {
        make_rock_field(plane(side, 1), rocks, 1, factors);
    } catch (const InputError& error) {
        std::string list;
        for (const Problem& p : error.problems) list += fmt::format("{} | {}\n", p.what, p.hint);
        return list;
    }
    return "no error";
}

TEST(RockField, RocksLieOnTheirFacets) {
    const SurfaceMesh mesh = boulder(20);
    const RockField field = make_rock_field(mesh, {.smallest = 0.4, .largest = 5}, seed);
    ASSERT_GT(field.centres.size(), 5000u);
    for (std::size_t i = 0; i < field.centres.size(); ++i) {
        EXPECT_LT(closest_point(mesh.view(), field.facets[i], field.centres[i]).distance, 1e-13 * 20);
        EXPECT_GE(field.radii[i], 0.2 * (1 - 1e-14));
        EXPECT_LE(field.radii[i], 2.5);
    }
}

// Numbers per size follow the law, per facet Poisson's: variance = mean, factors count.
TEST(RockField, NumbersAreThoseOfThePopulation) {
    const SurfaceMesh mesh = plane(200, 40);
    std::vector<double> factors(mesh.facets.size(), 1);
    for (std::size_t f = 0; f < factors.size(); f += 2) factors[f] = f % 4 == 0 ? 0 : 3;
    const RockPopulation rocks{.smallest = 0.5, .largest = 3};
    const RockField field = make_rock_field(mesh, rocks, seed, factors);
    for (const double diameter : {0.5, 0.7, 1.2, 2.9}) {
        const double area = 200 * 200 * (0.5 * 1 + 0.25 * 3);
        const double wanted = area * 9.5e-4 * std::pow(diameter / 5, -3.1);
        const auto larger = std::count_if(field.radii.begin(), field.radii.end(), [&](double a) { return 2 * a > diameter; });
        EXPECT_NEAR(static_cast<double>(larger), wanted, 4 * std::sqrt(wanted)) << diameter;
    }
    std::vector<int> count(factors.size(), 0);
    for (const std::int32_t f : field.facets) ++count[static_cast<std::size_t>(f)];
    double sum = 0, squares = 0;
    for (std::size_t f = 0; f < factors.size(); ++f) {
        EXPECT_TRUE(factors[f] > 0 || count[f] == 0);
        const double mean = factors[f] * 12.5 * 9.5e-4 * std::pow(0.1, -3.1);
        if (mean > 0) {
            sum += (count[f] - mean) / std::sqrt(mean);
            squares += (count[f] - mean) * (count[f] - mean) / mean;
        }
    }
    const double kept = 0.75 * static_cast<double>(factors.size());
    EXPECT_LT(std::fabs(sum) / std::sqrt(kept), 4);
    EXPECT_NEAR(squares, kept, 4 * std::sqrt(kept * (2 + 1 / 15.0)));  // chi-squared, with the fourth moment of Poisson's law
}

// Uniform within a facet: each of the sixteen triangles that halved sides make holds as many.
TEST(RockField, PlacesAreUniformInAFacet) {
    const SurfaceMesh mesh = make_surface({{0, 0, 0}, {30, 0, 5}, {4, 20, 1}}, {{0, 1, 2}});
    const RockField field = make_rock_field(mesh, {.smallest = 0.15, .largest = 3}, seed);
    const Vec3 a{30, 0, 5}, b{4, 20, 1}, n = cross(a, b);
    std::vector<double> count(32, 0);
    for (const Vec3& c : field.centres) {
        const double u = dot(cross(c, b), n) / dot(n, n), v = dot(cross(a, c), n) / dot(n, n);
        const double x = 4 * u - std::floor(4 * u), y = 4 * v - std::floor(4 * v);
        ++count[static_cast<std::size_t>(8 * std::floor(4 * u) + 2 * std::floor(4 * v) + (x + y > 1 ? 1 : 0))];
    }
    const double mean = static_cast<double>(field.centres.size()) / 16;
    double squares = 0;
    int used = 0;
    for (const double k : count)
        if (k > 0) {
            ++used;
            squares += (k - mean) * (k - mean) / mean;
        }
    EXPECT_GT(mean, 800);
    EXPECT_EQ(used, 16);
    EXPECT_LT(squares, 44.3);  // chi-squared of 15 degrees of freedom, 99.99 %
}

TEST(RockField, SmallerRocksAreAddedAndLargerOnesStay) {
    const SurfaceMesh mesh = boulder(10);
    const RockField coarse = make_rock_field(mesh, {.smallest = 1}, seed);
    const RockField fine = make_rock_field(mesh, {.smallest = 0.3}, seed);
    ASSERT_GT(coarse.radii.size(), 50u);
    EXPECT_EQ(rocks_in(coarse), rocks_in(fine, 0.5));
    EXPECT_GT(fine.radii.size(), 20 * coarse.radii.size());
    EXPECT_NE(rocks_in(coarse), rocks_in(make_rock_field(mesh, {.smallest = 1}, seed + 1)));
}

TEST(RockField, SameBitsWithAnyNumberOfThreads) {
    const SurfaceMesh mesh = boulder(20);
    const auto made = [&](int threads) {
        const ThreadLimit limit(threads);
        return make_rock_field(mesh, {.smallest = 0.3}, seed);
    };
    const RockField one = made(1), four = made(4);
    EXPECT_EQ(one.centres, four.centres);
    EXPECT_EQ(one.radii, four.radii);
    EXPECT_EQ(one.facets, four.facets);
}

// Against a search over all rocks, for few and many, from inside, from the surface and from far away; each rock once.
TEST(RockField, TheSearchFindsWhatASearchOverAllFinds) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    std::size_t found_in_all = 0;
    for (const double smallest : {0.35, 0.6, 1.5, 4.0, 8.0, 20.0})
        for (const double largest : {20.0, 20.1}) {
            const RockField field = make_rock_field(boulder(20), {.smallest = smallest, .largest = largest}, seed);
            const RockView view = field.view();
            for (int k = 0; k < 60; ++k) {
                const Vec3 p = (k % 3 == 0 ? 40 : 20) * unit(Vec3{normal(random), normal(random), normal(random)});
                const double reach = std::array{-0.3, 0.0, 0.2, 3.0, 30.0, 100.0}[static_cast<std::size_t>(k % 6)];
                std::map<std::int32_t, double> found, wanted;
                NearRock nearest{.index = -1, .distance = reach};
                for_each_rock_within(view, p, reach, [&](std::int32_t i, const Vec3& centre, double radius) {
                    EXPECT_EQ(centre, field.centres[static_cast<std::size_t>(i)]);
                    EXPECT_TRUE(found.emplace(i, radius).second);
                });
                for (std::size_t i = 0; i < field.radii.size(); ++i) {
                    const double distance = norm(p - field.centres[i]) - field.radii[i];
                    if (distance > reach) continue;
                    wanted.emplace(static_cast<std::int32_t>(i), field.radii[i]);
                    if (nearest.index < 0 || distance < nearest.distance) nearest = {static_cast<std::int32_t>(i), distance};
                }
                EXPECT_EQ(found, wanted);
                const NearRock near = nearest_rock_within(view, p, reach);
                EXPECT_EQ(near.index, nearest.index);
                EXPECT_EQ(near.distance, nearest.distance);
                found_in_all += found.size();
            }
        }
    EXPECT_GT(found_in_all, 30000u);
}

TEST(RockField, NoRocksAndRocksOfOneSize) {
    const RockField none = make_rock_field(plane(10, 2), {.number_per_area = 0}, seed);
    EXPECT_TRUE(none.centres.empty());
    EXPECT_EQ(nearest_rock_within(none.view(), {}, 100).index, -1);
    const std::vector<double> nowhere(8, 0);
    EXPECT_TRUE(make_rock_field(plane(10, 2), {}, seed, nowhere).centres.empty());
    const RockField equal = make_rock_field(plane(100, 2), {.smallest = 1, .largest = 1}, seed);
    EXPECT_NEAR(static_cast<double>(equal.radii.size()), 1395, 150);
    for (const double a : equal.radii) EXPECT_DOUBLE_EQ(a, 0.5);
}

TEST(RockField, SaysWhatIsWrong) {
    EXPECT_EQ(error_of({.smallest = 0.001}, {}, 100),
              "there would be 2.783e+12 rocks, but at most 16777216 are kept | raise `smallest`, 0.001 m now: the number grows steeply "
              "towards small rocks\n");
    EXPECT_EQ(error_of({.number_per_area = -1, .exponent = 0, .smallest = 2, .largest = 1}),
              "the number of rocks per area is -1, but must be 0 or more | \n"
              "the exponent of the rocks' sizes is 0, but must be positive | \n"
              "the largest rocks measure 1 m, the smallest 2 m | \n");
    EXPECT_EQ(error_of({.reference_diameter = -5, .smallest = 0}),
              "the reference diameter of rocks is -5 m, but must be positive | \n"
              "the smallest rocks measure 0 m, but must be larger than 0 | \n");
    const std::vector<double> three(3, 1.0), negative{1, -2};
    EXPECT_EQ(error_of({}, three), "3 density factors of rocks for 2 facets | \n");
    EXPECT_EQ(error_of({}, negative), "the density factor of rocks on facet 1 is -2, but must be 0 or more | \n");
}

}  // namespace
}  // namespace asperity::geometry::test::rock_field_test
