// The two models of rocks are one population: balls that come down on, and roll over, rocks that were placed (geometry/rock_field.h) meet
// what is drawn for them without memory (laws/contact/rocks.h).
//
// Each ball gets a field of its own, so that its contacts are independent of each other and the tests are exact: Kolmogorov-Smirnov for
// two samples, which fails once in 10,000 for equal distributions (and less often where they have atoms). What a ball meets in a field is
// found here, by a search over all rocks, with nothing of the two models but the places and radii.
#include "asperity/laws/contact/rocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

#include "asperity/geometry/rock_field.h"
#include "asperity/geometry/worlds.h"
#include "unit/laws/rock_reference.h"

namespace asperity::rocks_test {
namespace {

constexpr RockPopulation population{.smallest = 0.4, .largest = 4};
constexpr double R = 0.125;
constexpr double side = 15;  // all rocks that a ball can meet at 70 deg, and 18 mean free paths
constexpr int balls = 20000;

// Height, radius, normal (along the motion, across, up): one row per ball and quantity.
struct Sample {
    std::vector<double> of[5];
    double rocks = 0;

    void add(double height, double radius, const Vec3& m) {
        const double all[5] = {height, radius, m.x, m.y, m.z};
        for (int k = 0; k < 5; ++k) of[k].push_back(all[k]);
        rocks += radius > 0 ? 1 : 0;
    }
};

// sqrt(n m / (n + m)) times the largest difference of two empirical distributions.
double two_samples(std::vector<double> a, std::vector<double> b) {
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    const auto n = static_cast<double>(a.size()), m = static_cast<double>(b.size());
    double most = 0;
    for (const auto* list : {&a, &b})
        for (const double x : *list) {
            const auto below_a = static_cast<double>(std::upper_bound(a.begin(), a.end(), x + 1e-12) - a.begin());
            const auto below_b = static_cast<double>(std::upper_bound(b.begin(), b.end(), x + 1e-12) - b.begin());
            most = std::max(most, std::fabs(below_a / n - below_b / m));
        }
    return most * std::sqrt(n * m / (n + m));
}

void expect_same(const Sample& placed, const Sample& drawn, double angle) {
    const char* names[] = {"height", "radius", "normal along", "normal across", "normal up"};
    for (int k = 0; k < 5; ++k)
        EXPECT_LT(two_samples(placed.of[k], drawn.of[k]), laws::test::kolmogorov_limit) << names[k] << " at " << angle << " deg";
}

// The first thing met by a ball that comes down along (sin, 0, -cos) towards the origin: contact heights by the quadratic equation in the
// height itself.
void fall(const geometry::RockField& field, double angle, Sample& sample) {
    const double slope = std::tan(angle);
    double height = R, radius = 0;
    Vec3 m{0, 0, 1};
    for (std::size_t i = 0; i < field.radii.size(); ++i) {
        const Vec3 c = field.centres[i];
        const double b = R + field.radii[i];
        // |(-(z - R) slope - x, -y, z)|^2 = b^2
        const double p = 1 + slope * slope, q = slope * (c.x - R * slope), s = (c.x - R * slope) * (c.x - R * slope) + c.y * c.y - b * b;
        const double root = q * q - p * s;
        if (root <= 0) continue;
        const double z = (-q + std::sqrt(root)) / p;
        if (z <= height) continue;
        height = z;
        radius = field.radii[i];
        m = (Vec3{-(z - R) * slope, 0, z} - c) / b;
    }
    sample.add(height, radius, m);
}

// How far the ball rolls along x until it meets a rock; none where it starts inside one.
std::optional<double> roll(const geometry::RockField& field, Sample& sample) {
    const Vec3 start{-side / 2 + 2.2, 0, R};
    double path = HUGE_VAL, radius = 0;
    Vec3 m;
    for (std::size_t i = 0; i < field.radii.size(); ++i) {
        const Vec3 away = field.centres[i] - start;
        const double b = R + field.radii[i];
        if (norm(away) < b) return std::nullopt;
        const double chord = b * b - R * R - away.y * away.y;
        if (chord <= 0 || away.x < 0) continue;
        const double x = away.x - std::sqrt(chord);
        if (x >= path) continue;
        path = x;
        radius = field.radii[i];
        m = (start + Vec3{x, 0, 0} - field.centres[i]) / b;
    }
    sample.add(R, radius, m);
    return path;
}

TEST(RockModels, PlacedRocksAndDrawnRocksAreOnePopulation) {
    const geometry::SurfaceMesh mesh = geometry::make_surface(geometry::generate(geometry::FlatWorld{.side = side, .cells = 3}));
    constexpr double angles[] = {0, 45, 70};
    Sample placed[3], drawn[3], rolled, rolled_drawn;
    std::vector<double> paths;
    const DrawKey key{.seed = 11, .run = 0, .stream = 3};
    std::uint64_t counter = 0;
    for (int k = 0; k < balls; ++k) {
        const geometry::RockField field = geometry::make_rock_field(mesh, population, static_cast<std::uint64_t>(k));
        for (int i = 0; i < 3; ++i) {
            const double angle = angles[i] * std::numbers::pi / 180;
            fall(field, angle, placed[i]);
            const laws::Approach approach{.radius = R, .normal = {0, 0, 1}, .velocity = {std::sin(angle), 0, -std::cos(angle)}};
            const laws::RockHit hit = laws::draw_impact(population, approach, key, counter);
            drawn[i].add(hit.height, hit.radius, hit.normal);
        }
        if (const auto path = roll(field, rolled)) {
            paths.push_back(*path);
            const laws::RockHit hit = laws::draw_rolling_rock(population, R, {0, 0, 1}, {1, 0, 0}, key, counter);
            rolled_drawn.add(hit.height, hit.radius, hit.normal);
        }
    }
    for (int i = 0; i < 3; ++i) {
        expect_same(placed[i], drawn[i], angles[i]);
        const double met = 1 - std::exp(-laws::test::met_above(population, R, R, angles[i] * std::numbers::pi / 180));
        EXPECT_NEAR(placed[i].rocks / balls, met, 4 * std::sqrt(met * (1 - met) / balls)) << angles[i];
        EXPECT_NEAR(drawn[i].rocks / balls, met, 4 * std::sqrt(met * (1 - met) / balls)) << angles[i];
    }
    // a ball that stands at a place without rocks: as often as the law without memory says, and its way ahead is exponential
    const double clear = std::exp(-laws::test::met_above(population, R, R, 0));
    EXPECT_NEAR(static_cast<double>(paths.size()) / balls, clear, 4 * std::sqrt(clear * (1 - clear) / balls));
    expect_same(rolled, rolled_drawn, 90);
    const double mean = laws::mean_free_path(population, R);
    EXPECT_LT(laws::test::kolmogorov(paths, paths.size(), 0, 10 * mean, [&](double x) { return 1 - std::exp(-x / mean); }),
              laws::test::kolmogorov_limit);
}

// The test above can tell: rocks that are a tenth more frequent do not pass.
TEST(RockModels, AnotherPopulationIsSeen) {
    const DrawKey key{.seed = 12, .run = 0, .stream = 3};
    std::uint64_t counter = 0;
    RockPopulation more = population;
    more.number_per_area *= 1.1;
    Sample one, other;
    const laws::Approach approach{.radius = R, .normal = {0, 0, 1}, .velocity = {0, 0, -1}};
    for (int k = 0; k < balls; ++k) {
        const laws::RockHit a = laws::draw_impact(population, approach, key, counter);
        const laws::RockHit b = laws::draw_impact(more, approach, key, counter);
        one.add(a.height, a.radius, a.normal);
        other.add(b.height, b.radius, b.normal);
    }
    EXPECT_GT(two_samples(one.of[0], other.of[0]), laws::test::kolmogorov_limit);
    EXPECT_GT(two_samples(one.of[4], other.of[4]), laws::test::kolmogorov_limit);
}

}  // namespace
}  // namespace asperity::rocks_test
