#include "asperity/gravity/fast_field.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "asperity/core/errors.h"
#include "asperity/core/parallel.h"
#include "asperity/geometry/closest.h"
#include "asperity/gravity/polyhedron.h"
#include "unit/geometry/shapes.h"
#include "unit/gravity/lumpy.h"

namespace asperity::gravity::test::fast_field_test {
namespace {

double radius_of(const geometry::SurfaceMesh& mesh, const Vec3& centre) {
    double radius = 0;
    for (const Vec3& v : mesh.vertices) radius = std::max(radius, norm(v - centre));
    return radius;
}

struct Errors {
    double attraction = 0, potential = 0;  // relative, the largest
};

Errors errors_at(const geometry::SurfaceMesh& mesh, const FastFieldView& view, const std::vector<Vec3>& points) {
    const PolyhedronGravity exact(mesh);
    std::vector<FieldValue> values(points.size());
    exact.evaluate_many(points, values);
    Errors errors;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const FieldSample got = view.sample(points[i]);
        errors.attraction = std::max(errors.attraction, norm(got.acceleration - values[i].acceleration) / norm(values[i].acceleration));
        errors.potential = std::max(errors.potential, std::fabs(got.potential / values[i].potential - 1));
    }
    return errors;
}

// One body for all tests that need no other: building is what takes long.
const geometry::SurfaceMesh& body() {
    static const geometry::SurfaceMesh mesh = lumpy(1);
    return mesh;
}
const FastField& field() {
    static const FastField built = FastField::build(body(), {.tolerance = 1e-3});
    return built;
}

void expect_below_bound(const geometry::SurfaceMesh& mesh, const FastField& built, double tolerance) {
    const FastFieldView view = built.view();
    const FastFieldHeader& header = *view.header;
    EXPECT_LE(built.bound(), 1.01 * tolerance);
    const std::vector<Vec3> points = points_around(mesh, 3000, 10 * radius_of(mesh, header.centre), header.depth_inside);
    const Errors errors = errors_at(mesh, view, points);
    EXPECT_LT(errors.attraction, built.bound());
    EXPECT_LT(errors.potential, built.bound());
    EXPECT_GT(errors.attraction, 1e-4 * tolerance) << "nothing is interpolated";
    for (const Vec3& p : points) EXPECT_FALSE(view.is_slow(p)) << p.x << ' ' << p.y << ' ' << p.z;
}

TEST(FastField, ErrorIsBelowTheBoundOf1e3) { expect_below_bound(body(), field(), 1e-3); }

TEST(FastField, ErrorIsBelowTheBoundOf1e6) { expect_below_bound(body(), FastField::build(body(), {.tolerance = 1e-6}), 1e-6); }

TEST(FastField, ErrorIsBelowTheBoundOf1e9) {
    const geometry::SurfaceMesh mesh = geometry::make_surface(geometry::test::tetrahedron());
    expect_below_bound(mesh, FastField::build(mesh, {.tolerance = 1e-9}), 1e-9);
}

TEST(FastField, TheBoundHoldsAsDeepInsideAsAskedFor) {
    const geometry::SurfaceMesh mesh = geometry::make_surface(geometry::test::cube());
    const FastField built = FastField::build(mesh, {.tolerance = 1e-2, .depth_inside = 0.2});
    PointDraw draw{mesh};
    std::vector<Vec3> points;
    while (points.size() < 300) {
        const Vec3 p = draw.near_surface(0, -0.2 * draw.uniform());
        if (geometry::signed_distance(mesh, p) > -0.2) points.push_back(p);
        EXPECT_FALSE(built.view().is_slow(p));
    }
    EXPECT_LT(errors_at(mesh, built.view(), points).attraction, built.bound());
}

// The field for 1e-3 is wrong by 1e-5 to 1e-4; its attraction is the gradient of its own potential all the same.
TEST(FastField, AttractionIsTheGradientOfThePotential) {
    const FastFieldView view = field().view();
    const double radius = radius_of(body(), view.header->centre);
    const double step = 1e-5 * radius;
    for (const Vec3& p : points_around(body(), 300, 5 * radius, 0)) {
        const auto slope = [&](const Vec3& axis) {
            return (view.sample(p + step * axis).potential - view.sample(p - step * axis).potential) / (2 * step);
        };
        const Vec3 numerical{slope({1, 0, 0}), slope({0, 1, 0}), slope({0, 0, 1})};
        const Vec3 got = view.sample(p).acceleration;
        // On an edge the second derivative is infinite, like a logarithm.
        EXPECT_LT(norm(numerical - got), 1e-4 * norm(got)) << p.x << ' ' << p.y << ' ' << p.z;
    }
    PointDraw draw{body()};
    for (int i = 0; i < 300; ++i) {
        const Vec3 p = draw.near_surface(0, 0.2 + draw.uniform());
        const Vec3 got = view.sample(p).acceleration;
        const double along = (view.sample(p + step * unit(got)).potential - view.sample(p - step * unit(got)).potential) / (2 * step);
        EXPECT_NEAR(along / norm(got), 1, 1e-8) << p.x << ' ' << p.y << ' ' << p.z;
    }
}

// On both sides of planes in which cells of every size end.
TEST(FastField, CellsJoin) {
    const FastFieldView view = field().view();
    const FastFieldHeader& header = *view.header;
    PointDraw draw{body()};
    double worst = 0;
    for (int i = 0; i < 3000; ++i) {
        Vec3 p = draw.near_surface(0, 0.5 * std::pow(1e-3, draw.uniform()));
        const double cell = header.half / (1 << (3 + i % 5));
        p.x = header.centre.x + cell * std::round((p.x - header.centre.x) / cell);
        if (view.is_slow(p)) continue;
        const FieldSample below = view.sample(p - Vec3{1e-12, 0, 0}), above = view.sample(p + Vec3{1e-12, 0, 0});
        EXPECT_LT(norm(above.acceleration - below.acceleration), 2 * header.bound * norm(below.acceleration));
        worst = std::max(worst, std::fabs(above.potential - below.potential) / below.potential);
    }
    EXPECT_LT(worst, 1e-2 * header.tolerance);
}

TEST(FastField, FarAwayItIsASeriesAndVeryFarAPoint) {
    const FastFieldView view = field().view();
    const double from = view.header->series[series_order];
    std::vector<Vec3> points;
    for (int i = 0; i < 200; ++i)
        points.push_back(view.header->centre +
                         from * std::pow(10, i / 100.0) * unit(Vec3{std::sin(1.0 * i), std::sin(2.0 * i + 1), std::sin(3.0 * i + 2)}));
    EXPECT_LT(errors_at(body(), view, points).attraction, field().bound());
    const Vec3 d{3e6, -4e6, 12e6};
    const FieldSample far = view.sample(view.header->centre + d);
    EXPECT_NEAR(norm(far.acceleration) * squared_norm(d), far.potential * norm(d), 1e-9 * far.potential * norm(d));
    EXPECT_LT(dot(unit(far.acceleration), unit(d)), -1 + 1e-12);
}

TEST(FastField, DeepInsideAllFacetsAreSummed) {
    const geometry::SurfaceMesh mesh = lumpy(2);
    const FastField built = FastField::build(mesh, {.tolerance = 0.1});
    const FastFieldView view = built.view();
    const Vec3 deep = view.header->centre + Vec3{0.1, 0.2, -0.1};
    ASSERT_TRUE(view.is_slow(deep));
    const FieldValue want = PolyhedronGravity(mesh).evaluate(deep);
    const FieldSample got = view.sample(deep);
    EXPECT_NEAR(got.potential, want.potential, 1e-12 * want.potential);
    EXPECT_LT(norm(got.acceleration - want.acceleration), 1e-12 * norm(want.acceleration));
}

TEST(FastField, HasTheSameBytesWithAnyNumberOfThreads) {
    const auto bytes = [](int threads) {
        const ThreadLimit limit(threads);
        const FastField built = FastField::build(body(), {.tolerance = 1e-2});
        return std::vector<std::byte>(built.bytes().begin(), built.bytes().end());
    };
    const std::vector<std::byte> one = bytes(1);
    EXPECT_EQ(one, bytes(2));
    EXPECT_EQ(one, bytes(7));
}

TEST(FastField, ProgressGoesFromZeroToOne) {
    std::vector<double> told;
    FastField::build(geometry::make_surface(geometry::test::cube()), {.tolerance = 0.1},
                     [&](double fraction) { told.push_back(fraction); });
    ASSERT_GE(told.size(), 2U);
    EXPECT_EQ(told.front(), 0);
    EXPECT_EQ(told.back(), 1);
    EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
}

std::string message_of(const geometry::SurfaceMesh& mesh, const FastFieldOptions& options) {
    try {
        FastField::build(mesh, options);
    } catch (const InputError& error) {
        return error.problems.at(0).what;
    }
    return "none";
}

TEST(FastField, RefusesWhatItCannotKeep) {
    geometry::RawMesh open = geometry::test::cube();
    open.facets.pop_back();
    EXPECT_EQ(message_of(geometry::make_surface(open), {}), "the surface is open and bounds no solid");
    EXPECT_EQ(message_of(body(), {.tolerance = 1e-11}), "the bound of the field is 1e-11");
    EXPECT_EQ(message_of(body(), {.tolerance = 0.5}), "the bound of the field is 0.5");
    EXPECT_EQ(message_of(body(), {.tolerance = std::nan("")}), "the bound of the field is nan");
    EXPECT_EQ(message_of(body(), {.depth_inside = -1}), "the field is to be valid -1 m inside");
}

TEST(FastField, NoticesEveryKindOfDamage) {
    const FastField& built = field();
    std::uint64_t key[2], other[2];
    set_field_key(body(), {.tolerance = 1e-3}, key);
    set_field_key(body(), {.tolerance = 1e-3, .depth_inside = 0.5}, other);
    std::vector<std::byte> bytes(built.bytes().begin(), built.bytes().end());
    EXPECT_EQ(FastField::damage(bytes, key), "");
    EXPECT_EQ(FastField::damage(bytes, other), "is the field of another body");
    EXPECT_EQ(FastField::damage(std::span(bytes).first(100), key), "is cut short");
    EXPECT_EQ(FastField::damage(std::span(bytes).first(bytes.size() - 1), key), "is cut short");
    for (const std::size_t place : {std::size_t{0}, sizeof(FastFieldHeader) - 60, bytes.size() / 2, bytes.size() - 1}) {
        std::vector<std::byte> damaged = bytes;
        damaged[place] ^= std::byte{0x10};
        EXPECT_NE(FastField::damage(damaged, key), "") << place;
    }
}

}  // namespace
}  // namespace asperity::gravity::test::fast_field_test
