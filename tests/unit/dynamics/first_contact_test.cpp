#include "asperity/dynamics/event_driven/first_contact.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "asperity/geometry/worlds.h"

namespace asperity::event_driven::test::first_contact_test {
namespace {

constexpr unsigned seed = 20261120;
constexpr double r = 0.05;

Path parabola(const Vec3& p, const Vec3& v, const Vec3& a, double h) { return {.c = {p, h * v, (0.5 * h * h) * a, {}, {}}, .h = h}; }

Hit search(const geometry::SurfaceMesh& mesh, const Path& path) {
    return first_contact(mesh.view(), path, r, 1.0, false, {}, [](const geometry::ClosestPoint&) { return false; });
}

// The slow reference: the distance to every facet in turn, no tree, no bound.
double gap_at(const geometry::SurfaceView& view, const Path& path, double s) {
    double least = HUGE_VAL;
    for (std::int32_t k = 0; k < view.facet_count; ++k) least = std::fmin(least, geometry::closest_point(view, k, path.at(s)).distance);
    return least - r;
}

struct Sampled {
    double first_s = 2;  // part of the path at which the gap first falls below zero; 2: never
    double least_gap = HUGE_VAL;
};

// Walks the path in tiny steps; between two samples the gap changes by no more than the way, which is below 1e-3 r, and the lowest sample
// is followed down by golden section, so that shallow dips are seen too.
Sampled sample(const geometry::SurfaceView& view, const Path& path, int samples) {
    Sampled out;
    double before = gap_at(view, path, 0), two_before = before;
    for (int k = 1; k <= samples; ++k) {
        const double s = static_cast<double>(k) / samples, now = gap_at(view, path, s);
        double low = now, at = s;
        if (before < two_before && before <= now && before < 0.01 * r) {  // a dip: look into it
            double a = s - 2.0 / samples, b = s;
            for (int i = 0; i < 60; ++i) {
                const double x = b - 0.618034 * (b - a), y = a + 0.618034 * (b - a);
                (gap_at(view, path, x) < gap_at(view, path, y) ? b : a) = gap_at(view, path, x) < gap_at(view, path, y) ? y : x;
            }
            at = 0.5 * (a + b);
            low = gap_at(view, path, at);
        }
        out.least_gap = std::fmin(out.least_gap, std::fmin(low, now));
        if (out.least_gap < 0) {
            double a = std::fmax(0, s - 2.0 / samples), b = low < 0 ? at : s;
            for (int i = 0; i < 60; ++i) (gap_at(view, path, 0.5 * (a + b)) < 0 ? b : a) = 0.5 * (a + b);
            out.first_s = b;
            return out;
        }
        two_before = before;
        before = now;
    }
    return out;
}

geometry::SurfaceMesh small_spikes(std::uint64_t world_seed) {
    return geometry::make_surface(
        geometry::generate(geometry::SpikeWorld{.seed = world_seed, .side = 4, .cells = 4, .height = 1.5, .rim = 1}));
}

// Random parabolas over random spikes. Never late: up to the hit no sample overlaps; never missed: what the reference hits, is hit, and at
// the same place (1e-9 r of way; the reference itself is good to 1e-12).
TEST(FirstContact, RandomParabolasOverSpikesHitWhereTinyStepsSayTheyDo) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> draw(-1, 1);
    int hits = 0, passes = 0;
    for (int round = 0; round < 250; ++round) {
        SCOPED_TRACE(testing::Message() << "seed " << seed << ", round " << round);
        const geometry::SurfaceMesh mesh = small_spikes(static_cast<std::uint64_t>(round % 25 + 1));
        const Vec3 start{1.8 * draw(random), 1.8 * draw(random), 1.2 + 0.3 * draw(random)};
        const Vec3 v{0.02 * draw(random), 0.02 * draw(random), 0.01 * draw(random) - 0.005};
        const Path path = parabola(start, v, {0, 0, -1e-4}, 100 + 60 * draw(random));
        if (gap_at(mesh.view(), path, 0) <= 0) continue;
        const Hit hit = search(mesh, path);
        const Sampled reference = sample(mesh.view(), path, 3000);
        ASSERT_FALSE(hit.is_stalled);
        if (reference.first_s < 2) {
            ASSERT_TRUE(hit.is_found);
            const double speed = norm(path.rate(hit.s));
            EXPECT_LE(std::fabs(gap_at(mesh.view(), path, hit.s)), 1e-9 * r);
            EXPECT_LE((hit.s - reference.first_s) * path.h * speed, 1e-9 * r);
            ++hits;
        }
        if (!hit.is_found) {
            EXPECT_GE(reference.least_gap, 0);
            ++passes;
        }
        for (double s = 0; s <= hit.s; s += 0.01) ASSERT_GE(gap_at(mesh.view(), path, s), -1e-9 * r) << s;
        if (HasFailure()) return;
    }
    EXPECT_GT(hits, 100);
    EXPECT_GT(passes, 20);
}

// A peak of four facets, its tip at the origin, and a roof whose ridge runs along y.
geometry::SurfaceMesh peak() {
    return geometry::make_surface(
        {{{0, 0, 0}, {2, 0, -2}, {0, 2, -2}, {-2, 0, -2}, {0, -2, -2}}, {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 1}}});
}
geometry::SurfaceMesh roof(double half_width) {
    return geometry::make_surface(
        {{{0, -3, 0}, {0, 3, 0}, {half_width, -3, -2}, {half_width, 3, -2}, {-half_width, -3, -2}, {-half_width, 3, -2}},
         {{0, 2, 3}, {0, 3, 1}, {0, 1, 5}, {0, 5, 4}}});
}

// Passes over the tip of a peak, over a ridge, and over a facet (curving away from it), with the closest approach r (1 + part) in the
// middle of the step. Curvature of the path is below 1 / r, so the middle is the closest place.
void expect_graze(const geometry::SurfaceMesh& mesh, const Vec3& foot, const Vec3& n, const Vec3& v, const Vec3& a, double part,
                  bool is_hit) {
    const Vec3 middle = foot + (r * (1 + part)) * n;
    const double h = 40;
    const Vec3 start = middle - (0.5 * h) * v + (0.125 * h * h) * a;
    const Path path = parabola(start, v - (0.5 * h) * a, a, h);
    const Hit hit = search(mesh, path);
    EXPECT_FALSE(hit.is_stalled);
    EXPECT_EQ(hit.is_found, is_hit) << "closest approach r (1 + " << part << ")";
    if (hit.is_found) {
        EXPECT_LE(hit.s, 0.5 + 1e-6);
        EXPECT_GE(gap_at(mesh.view(), path, hit.s), -1e-9 * r);
    }
}

TEST(FirstContact, GrazingPassesAreHitBelowTheRadiusAndMissedAboveIt) {
    const Vec3 up{0, 0, 1}, down{0, 0, -1e-4}, lift{0, 0, 1e-4}, v{0.013, 0.004, 0};
    for (const double part : {1e-3, 1e-6, 1e-9, -1e-9, -1e-6, -1e-3}) {
        SCOPED_TRACE(part);
        expect_graze(peak(), {}, up, v, down, part, part < 0);
        expect_graze(roof(2), {0, 0.3, 0}, up, v, down, part, part < 0);
        expect_graze(roof(2), {0.5, 0.3, -0.5}, unit(Vec3{1, 0, 1}), {0.005, 0.004, -0.005}, unit(Vec3{1, 0, 1}) * 1e-4, part, part < 0);
        expect_graze(peak(), {}, up, v, lift, part, part < 0);
    }
}

// A ridge a thousandth of the radius thin, crossed at a thousand radii per step: sampling would see nothing.
TEST(FirstContact, AFastBallCannotJumpOverAThinRidge) {
    const geometry::SurfaceMesh mesh = roof(1e-3 * r);
    for (const double offset : {-0.9, -0.3, 0.0, 0.4, 0.999}) {
        const double z = r * offset;  // of the centre, against the height of the ridge
        const Path path = parabola({-60, 0.1, z}, {120, 0, 0}, {0, 0, -1e-4}, 1.0);
        const Hit hit = search(mesh, path);
        ASSERT_TRUE(hit.is_found) << offset;
        EXPECT_LT(path.at(hit.s).x, 0) << offset;  // in front of it, not behind
        EXPECT_NEAR(gap_at(mesh.view(), path, hit.s), 0, 1e-9 * r) << offset;
    }
    EXPECT_FALSE(search(mesh, parabola({-60, 0.1, 1.01 * r}, {120, 0, 0}, {0, 0, 1e-6}, 1.0)).is_found);
}

// Paths that are no parabolas, as contact motion has them: the bound on acceleration covers all five coefficients.
TEST(FirstContact, CurvedPathsOfDegreeFourHitWhereTinyStepsSayTheyDo) {
    std::mt19937_64 random(seed + 1);
    std::uniform_real_distribution<double> draw(-1, 1);
    const auto vector = [&](double size) { return Vec3{size * draw(random), size * draw(random), size * draw(random)}; };
    int hits = 0;
    for (int round = 0; round < 100; ++round) {
        const geometry::SurfaceMesh mesh = small_spikes(static_cast<std::uint64_t>(round % 10 + 1));
        const Path path{.c = {{draw(random), draw(random), 1.3}, vector(0.5), vector(0.5), vector(0.5), vector(0.5) - Vec3{0, 0, 1.5}},
                        .h = 30};
        if (gap_at(mesh.view(), path, 0) <= 0) continue;
        const Hit hit = search(mesh, path);
        const Sampled reference = sample(mesh.view(), path, 3000);
        ASSERT_EQ(hit.is_found, reference.first_s < 2)
            << "seed " << seed + 1 << ", round " << round << ", least gap " << reference.least_gap;
        if (!hit.is_found) continue;
        ASSERT_LE(std::fabs(gap_at(mesh.view(), path, hit.s)), 1e-9 * r) << round;
        ASSERT_LE((hit.s - reference.first_s) * path.h * norm(path.rate(hit.s)), 1e-9 * r) << round;
        ++hits;
    }
    EXPECT_GT(hits, 50);
}

// What the search rests on. If the distance changed faster than the place, a contact could be passed.
TEST(FirstContact, DistanceToTheSurfaceChangesNoFasterThanThePlace) {
    const geometry::SurfaceMesh mesh = geometry::make_surface(geometry::generate(geometry::SpikeWorld{.seed = 3}));
    std::mt19937_64 random(seed + 2);
    std::uniform_real_distribution<double> draw(-1, 1);
    for (int round = 0; round < 20000; ++round) {
        const Vec3 p{70 * draw(random), 70 * draw(random), 8 * draw(random)};
        const double way = std::exp2(10 * draw(random) - 6);
        const Vec3 q = p + way * unit(Vec3{draw(random), draw(random), draw(random)});
        const double change = std::fabs(geometry::nearest(mesh.view(), p).distance - geometry::nearest(mesh.view(), q).distance);
        ASSERT_LE(change, norm(q - p) + 1e-13) << "seed " << seed + 2 << ", round " << round;
    }
}

// Over a facet the bound is exact for a parabola: the hit is at the root of the closed form, to rounding of the time.
TEST(FirstContact, AFallOntoAFacetIsExact) {
    const geometry::SurfaceMesh mesh = geometry::make_surface(geometry::generate(geometry::FlatWorld{}));
    const double drop = 19.95, speed = 0.023, g = 1e-4;
    const double expected = 2 * drop / (speed + std::sqrt(speed * speed + 2 * g * drop));  // 442.235077930332 s, 1-landers Table 8.2
    const Path path = parabola({-80 + 8, 2, 20}, {0.01, 0, -speed}, {0, 0, -g}, 1000);
    const Hit hit = search(mesh, path);
    ASSERT_TRUE(hit.is_found);
    EXPECT_NEAR(hit.s * path.h, expected, 1e-12 * expected);
    EXPECT_NEAR(hit.s * path.h, 442.235077930332, 1e-12 * 442);
}

// The clearance covers the travel: no hit, and the whole step is searched.
TEST(FirstContact, AStepThatEndsAboveTheSurfaceFindsNothing) {
    const geometry::SurfaceMesh mesh = geometry::make_surface(geometry::generate(geometry::FlatWorld{}));
    const Hit hit = search(mesh, parabola({1, 2, 20}, {0.01, 0, -0.023}, {0, 0, -1e-4}, 442.2));
    EXPECT_FALSE(hit.is_found);
    EXPECT_EQ(hit.s, 1);
}

// A ball that just left the feature at zero speed is not caught by it again within `grace` r.
TEST(FirstContact, AFeatureThatWasJustLeftIsNotHitAtOnce) {
    const geometry::SurfaceMesh mesh = roof(0.5);
    const geometry::ClosestPoint near = geometry::nearest(mesh.view(), {0, 0.3, r});
    ASSERT_EQ(near.feature.kind, geometry::FeatureKind::edge);
    const Vec3 side = unit(Vec3{0.9, 0, 0.5});  // leaves the edge sideways, as at the separation angle: no normal speed, no normal force
    const Path path = parabola(Vec3{0, 0.3, 0} + r * side, 0.003 * unit(Vec3{0.5, 0, -0.9}), 1e-4 * unit(Vec3{0.5, 0, -0.9}), 5);
    const Hit hit = first_contact(mesh.view(), path, r, 1.0, false, near.feature, [](const geometry::ClosestPoint&) { return false; });
    EXPECT_FALSE(hit.is_found && hit.s < 1e-6);
    EXPECT_FALSE(hit.is_stalled);
}

// The feature that was left is excused for sinking by rounding, not for being hit: a ball that hops and comes back must be stopped in time.
TEST(FirstContact, ABallThatComesBackToTheFeatureThatItLeftIsNotLate) {
    const geometry::SurfaceMesh mesh = roof(0.5);
    const geometry::ClosestPoint near = geometry::nearest(mesh.view(), {0, 0.3, r});
    for (const double speed : {1e-5, 1e-3, 0.1}) {
        const Path path = parabola({0, 0.3, r * (1 + 1e-3)}, {0, 0.001, -speed}, {0, 0, -1e-4}, 2e-3 * r / speed);
        const Hit hit = first_contact(mesh.view(), path, r, 1.0, false, near.feature, [](const geometry::ClosestPoint&) { return false; });
        ASSERT_TRUE(hit.is_found) << speed;
        EXPECT_GE(gap_at(mesh.view(), path, hit.s), -1e-9 * r) << speed;
    }
}

// Two facets report one edge, so that the nearest and the next contact are the same, and the search closes in by rounds: down to where
// the time cannot advance any more in double precision.
TEST(FirstContact, FallsOntoEdgesAndTipsEndInAHitEveryTime) {
    const geometry::SurfaceMesh ridge = roof(2), tip = peak();
    std::mt19937_64 random(seed + 3);
    std::uniform_real_distribution<double> draw(-1, 1);
    for (int round = 0; round < 40000; ++round) {
        const bool is_edge = round % 2 == 0;
        const double g = std::exp2(8 * draw(random) - 8), height = 0.5 + 0.4 * draw(random), speed = std::sqrt(g) * (1 + draw(random));
        const double time = 2 * (height - r) / (speed + std::sqrt(speed * speed + 2 * g * (height - r)));
        const Vec3 drift = 0.3 * r / time * Vec3{draw(random), draw(random), 0};
        const Path path = parabola({0, is_edge ? 0.1 : 0.0, height}, drift - Vec3{0, 0, speed}, {0, 0, -g}, 2 * time);
        const Hit hit = search(is_edge ? ridge : tip, path);
        ASSERT_FALSE(hit.is_stalled) << "seed " << seed + 3 << ", round " << round;
        ASSERT_TRUE(hit.is_found) << "seed " << seed + 3 << ", round " << round;
    }
}

}  // namespace
}  // namespace asperity::event_driven::test::first_contact_test
