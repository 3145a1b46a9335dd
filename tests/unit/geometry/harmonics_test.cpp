#include "asperity/geometry/harmonics.h"

#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/special_functions/legendre.hpp>
#include <boost/math/special_functions/spherical_harmonic.hpp>
#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "asperity/core/errors.h"
#include "asperity/geometry/closed_check.h"
#include "asperity/geometry/icosphere.h"
#include "asperity/geometry/mass_properties.h"
#include "asperity/geometry/ray_cast.h"
#include "asperity/geometry/surface_distance.h"
#include "unit/geometry/shapes.h"

namespace asperity::geometry::test::harmonics_test {
namespace {

constexpr double pi = std::numbers::pi;

Vec3 random_direction(std::mt19937_64& random) {
    std::normal_distribution<double> normal;
    const double x = normal(random), y = normal(random), z = normal(random);
    return unit(Vec3{x, y, z});
}

std::vector<double> values(int degree, const Vec3& u) {
    std::vector<double> y(harmonic_count(degree));
    Harmonics(degree).values(u, y);
    return y;
}

TEST(Harmonics, FirstOnesInClosedForm) {
    std::mt19937_64 random{3};
    for (int k = 0; k < 20; ++k) {
        const Vec3 u = random_direction(random);
        const auto [x, y, z] = u;
        const double want[] = {1,
                               std::sqrt(3.0) * z,
                               std::sqrt(3.0) * x,
                               std::sqrt(3.0) * y,
                               std::sqrt(5.0) / 2 * (3 * z * z - 1),
                               std::sqrt(15.0) * x * z,
                               std::sqrt(15.0) * y * z,
                               std::sqrt(15.0) / 2 * (x * x - y * y),
                               std::sqrt(15.0) * x * y,
                               std::sqrt(7.0) / 2 * z * (5 * z * z - 3)};
        const std::vector<double> got = values(3, u);
        for (std::size_t i = 0; i < std::size(want); ++i) EXPECT_NEAR(got[i], want[i], 1e-14) << i;
        EXPECT_NEAR(got[14], std::sqrt(35.0 / 8) * (x * x * x - 3 * x * y * y), 1e-14);
    }
}

// Boost's are orthonormal and carry the sign (-1)^m.
TEST(Harmonics, AgreeWithAnotherLibrary) {
    constexpr int degree = 48;
    std::mt19937_64 random{4};
    for (int k = 0; k < 3; ++k) {
        const Vec3 u = random_direction(random);
        const double theta = std::acos(u.z), phi = std::atan2(u.y, u.x);
        const std::vector<double> got = values(degree, u);
        for (int n = 0; n <= degree; ++n)
            for (int m = 1; m <= n; ++m) {
                const double factor = std::sqrt(8 * pi) * (m % 2 == 0 ? 1 : -1);
                const auto unsigned_n = static_cast<unsigned>(n);
                const auto at = static_cast<std::size_t>(n * n + 2 * m);
                EXPECT_NEAR(got[at - 1], factor * boost::math::spherical_harmonic_r(unsigned_n, m, theta, phi), 1e-11) << n << ' ' << m;
                EXPECT_NEAR(got[at], factor * boost::math::spherical_harmonic_i(unsigned_n, m, theta, phi), 1e-11) << n << ' ' << m;
            }
    }
}

// Sum over m of Y_nm(u) Y_nm(v) = (2n + 1) P_n(u . v); also next to and on a pole.
TEST(Harmonics, ObeyTheAdditionTheorem) {
    constexpr int degree = 60;
    std::mt19937_64 random{5};
    const Vec3 pairs[][2] = {{random_direction(random), random_direction(random)},
                             {random_direction(random), {0, 0, 1}},
                             {unit(Vec3{1e-9, -1e-7, -1}), random_direction(random)},
                             {{1, 0, 0}, {1, 0, 0}}};
    for (const auto& [u, v] : pairs) {
        const std::vector<double> a = values(degree, u), b = values(degree, v);
        for (int n = 0; n <= degree; ++n) {
            double sum = 0;
            for (int i = n * n; i < (n + 1) * (n + 1); ++i) sum += a[static_cast<std::size_t>(i)] * b[static_cast<std::size_t>(i)];
            EXPECT_NEAR(sum, (2 * n + 1) * boost::math::legendre_p(n, std::min(1.0, std::max(-1.0, dot(u, v)))), 1e-12 * (2 * n + 1)) << n;
        }
    }
}

TEST(Harmonics, AreOrthogonalWithMeanSquareOne) {
    constexpr int degree = 9, columns = 20;  // products of degree 18: exact with 15 Gauss nodes and 20 longitudes
    constexpr std::size_t count = harmonic_count(degree);
    using Rule = boost::math::quadrature::gauss<double, 15>;
    std::vector<double> product(count * count);
    for (std::size_t node = 0; node < Rule::abscissa().size(); ++node)
        for (const double sign : {1.0, -1.0}) {
            const double z = sign * Rule::abscissa()[node];
            if (z == 0 && sign < 0) continue;
            for (int k = 0; k < columns; ++k) {
                const double angle = 2 * pi * k / columns, across = std::sqrt(1 - z * z);
                const std::vector<double> y = values(degree, {across * std::cos(angle), across * std::sin(angle), z});
                for (std::size_t i = 0; i < count; ++i)
                    for (std::size_t j = 0; j < count; ++j) product[i * count + j] += Rule::weights()[node] / 2 / columns * y[i] * y[j];
            }
        }
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < count; ++j) EXPECT_NEAR(product[i * count + j], i == j ? 1 : 0, 1e-13) << i << ' ' << j;
}

TEST(Harmonics, SumIsTheSumOfValues) {
    std::mt19937_64 random{6};
    std::normal_distribution<double> normal;
    std::vector<double> c(harmonic_count(20));
    for (double& x : c) x = normal(random);
    const Vec3 u = random_direction(random);
    const std::vector<double> y = values(20, u);
    double want = 0;
    for (std::size_t k = 0; k < c.size(); ++k) want += c[k] * y[k];
    EXPECT_NEAR(Harmonics(20).sum(c, u), want, 1e-12);
}

// rho = 1 is the ellipsoid of the axes: 4/3 pi a b c, less what chords cut off.
TEST(HarmonicShape, OfDegreeZeroIsAnEllipsoid) {
    const RawMesh mesh = mesh_of({.axes = {3, 2, 1}, .degree = 0, .coefficients = {1}}, 40);
    for (const Vec3& v : mesh.vertices) EXPECT_NEAR(v.x * v.x / 9 + v.y * v.y / 4 + v.z * v.z, 1, 1e-14);
    EXPECT_NEAR(mass_properties(make_closed_surface(mesh)).volume, 8 * pi, 8 * pi * 1e-3);
}

// A body that is a sum of harmonics itself gives its own coefficients, up to the facets of its mesh; seen from where it was made.
TEST(HarmonicShape, IsFoundAgainByAFit) {
    HarmonicShape shape{.axes = {300, 200, 100}, .degree = 3, .coefficients = std::vector<double>(16)};
    shape.coefficients = {0.9, 0.02, -0.03, 0.04, 0.05, 0.01, 0.02, -0.03, 0.01, 0.002, 0.02, -0.01, 0.01, 0.02, 0.01, -0.02};
    RawMesh raw = mesh_of(shape, 90);
    const Vec3 away{50, -20, 7};
    for (Vec3& v : raw.vertices) v += away;
    const HarmonicShape got = fit_harmonics(make_surface(raw), away, 5, 60);
    const Harmonics harmonics(3);
    std::mt19937_64 random{7};
    for (int k = 0; k < 50; ++k) {
        const Vec3 u = random_direction(random);  // the axes may differ: compare points in the same direction
        const Vec3 p = harmonics.sum(shape.coefficients, u) * Vec3{300 * u.x, 200 * u.y, 100 * u.z};
        const Vec3 q{p.x / got.axes.x, p.y / got.axes.y, p.z / got.axes.z};
        EXPECT_NEAR(Harmonics(5).sum(got.coefficients, unit(q)), norm(q), 5e-3);
    }
}

// The mean of rho of the cube [-1, 1]^3 over all directions: with dA = r^3 d(angle) on a face, 6 / 4 pi times the integral of 1 / r^2.
TEST(HarmonicShape, FitOfACubeHasItsMeanRadius) {
    using Rule = boost::math::quadrature::gauss<double, 30>;
    const double integral =
        Rule::integrate([](double x) { return Rule::integrate([x](double y) { return 1 / (1 + x * x + y * y); }, -1.0, 1.0); }, -1.0, 1.0);
    const HarmonicShape got = fit_harmonics(make_surface(cube()), {}, 4, 200);
    EXPECT_EQ(got.axes, (Vec3{1, 1, 1}));
    EXPECT_NEAR(got.coefficients[0], 6 / (4 * pi) * integral, 2e-5);
    for (std::size_t k = 1; k < 16; ++k) EXPECT_NEAR(got.coefficients[k], 0, 1e-4) << "a cube has no harmonics of degree 1 to 3, but kinks";
    EXPECT_LT(got.coefficients[16], -0.01) << "it is low along its axes";
    EXPECT_THROW(fit_harmonics(make_surface(cube()), {5, 0, 0}, 2, 10), InputError);
}

TEST(RayCast, FindsBothSidesOfABox) {
    const SurfaceMesh mesh = make_surface(cube());
    const RayHits through = cast_ray(mesh, {-3, 0.2, 0.1}, {2, 0, 0});
    EXPECT_NEAR(through.nearest, 1, 1e-15);  // in lengths of the direction
    EXPECT_NEAR(through.farthest, 2, 1e-15);
    EXPECT_LT(cast_ray(mesh, {-3, 0.2, 0.1}, {-2, 0, 0}).farthest, 0);
}

TEST(SurfaceDistance, OfABoxInABox) {
    RawMesh outer = cube();
    for (Vec3& v : outer.vertices) v *= 1.5;
    const SurfaceMesh a = make_surface(cube()), b = make_surface(outer);
    const SurfaceDistance outwards = surface_distance(a, b), inwards = surface_distance(b, a);
    EXPECT_NEAR(outwards.rms, 0.5, 1e-14);
    EXPECT_NEAR(outwards.largest, 0.5, 1e-14);
    EXPECT_NEAR(inwards.largest, 0.5 * std::sqrt(3.0), 1e-14);
    // middles of sides: two of three stand over an edge of the box within, one over a face
    EXPECT_NEAR(inwards.rms, std::sqrt((0.5 + 0.5 + 0.25) / 3), 1e-14);
}

TEST(DividedIcosphere, HasTheCountsAndTheShape) {
    for (const int f : {1, 2, 3, 5, 8, 31}) {
        const RawMesh mesh = divided_icosphere(f);
        EXPECT_EQ(mesh.facets.size(), static_cast<std::size_t>(20 * f * f));
        EXPECT_EQ(mesh.vertices.size(), static_cast<std::size_t>(10 * f * f + 2));
        for (const Vec3& v : mesh.vertices) EXPECT_NEAR(norm(v), 1, 4e-16);
        EXPECT_TRUE(closed_problems(mesh).empty()) << f;
        double longest = 0;
        for (const Edge& edge : make_surface(mesh).edges) longest = std::max(longest, edge.length);
        EXPECT_LT(longest, 1.33 / f) << "sides of an icosahedron are 1.05, in its middle they grow by 1 / 0.79";
    }
    for (int level = 0; level < 2; ++level)
        EXPECT_NEAR(mass_properties(make_surface(divided_icosphere(1 << level))).volume,
                    mass_properties(make_surface(icosphere(level))).volume, 1e-14);
    EXPECT_THROW(divided_icosphere(0), InputError);
    EXPECT_THROW(divided_icosphere(257), InputError);
}

}  // namespace
}  // namespace asperity::geometry::test::harmonics_test
