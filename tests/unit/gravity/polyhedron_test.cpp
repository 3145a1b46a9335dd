#include "asperity/gravity/polyhedron.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <string>

#include "asperity/core/errors.h"
#include "asperity/core/parallel.h"
#include "asperity/geometry/mass_properties.h"
#include "asperity/geometry/mesh.h"
#include "unit/geometry/shapes.h"
#include "unit/gravity/reference.h"

namespace asperity::gravity::test::polyhedron_test {
namespace {

using geometry::RawMesh;
constexpr double pi = 3.14159265358979323846;
// What we promise, relative to the size of the value. Measured: below 1e-13 up to 10 radii (docs/theory/polyhedron-gravity.md).
constexpr double promised = 1e-12;

double to_double(const Digits& x) { return static_cast<double>(x); }

struct Errors {
    double potential, acceleration, gradient, laplacian;
};

Errors errors_of(const FieldValue& got, const ReferenceValue& want) {
    const Sym3& g = got.gradient;
    const Vec3 rows[3] = {{g.xx, g.xy, g.xz}, {g.xy, g.yy, g.yz}, {g.xz, g.yz, g.zz}};
    Digits off = 0, size = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        const Digits3 difference = digits(rows[i]) - want.gradient[i];
        off += dot(difference, difference);
        size += dot(want.gradient[i], want.gradient[i]);
    }
    return {.potential = to_double(abs(Digits(got.potential) - want.potential) / abs(want.potential)),
            .acceleration = to_double(norm(digits(got.acceleration) - want.acceleration) / norm(want.acceleration)),
            .gradient = to_double(sqrt(off / size)),
            .laplacian = to_double(abs(Digits(got.laplacian) - want.laplacian)) / (4 * pi)};
}

void expect_near(const FieldValue& got, const ReferenceValue& want, const std::string& where) {
    const Errors e = errors_of(got, want);
    EXPECT_LT(e.potential, promised) << where;
    EXPECT_LT(e.acceleration, promised) << where;
    EXPECT_LT(e.gradient, promised) << where;
    EXPECT_LT(e.laplacian, promised) << where;
}

// Both ways to evaluate, at every point, against 50 digits.
void expect_reference(const RawMesh& raw, const std::vector<Vec3>& points, const std::string& where) {
    const PolyhedronGravity gravity(geometry::make_surface(raw));
    std::vector<FieldValue> many(points.size());
    gravity.evaluate_many(points, many);
    for (std::size_t i = 0; i < points.size(); ++i) {
        const ReferenceValue want = reference(raw, points[i]);
        const std::string place = fmt::format("{}, ({}, {}, {})", where, points[i].x, points[i].y, points[i].z);
        expect_near(gravity.evaluate(points[i]), want, place);
        expect_near(many[i], want, place + ", many");
    }
}

struct Draw {
    std::mt19937_64 random{20};
    double uniform() { return std::uniform_real_distribution<double>(0, 1)(random); }
    Vec3 direction() {
        std::normal_distribution<double> normal;
        const double x = normal(random), y = normal(random), z = normal(random);
        return unit(Vec3{x, y, z});
    }
    std::array<Vec3, 3> corners(const RawMesh& raw) {
        const geometry::Corners& facet = raw.facets[random() % raw.facets.size()];
        const auto corner = [&](std::size_t k) { return raw.vertices[static_cast<std::size_t>(facet[k])]; };
        return {corner(0), corner(1), corner(2)};
    }
};

// Within `gap` sides of a facet's inside, of a side, of a corner; gap 0: on them.
std::vector<Vec3> points_near(const RawMesh& raw, double gap, int count) {
    Draw draw;
    std::vector<Vec3> points;
    for (int i = 0; i < count; ++i) {
        const auto [a, b, c] = draw.corners(raw);
        const double distance = gap * norm(b - a);
        const double s = draw.uniform(), t = (1 - s) * draw.uniform();
        points.push_back(a + s * (b - a) + t * (c - a) + (i % 2 == 0 ? distance : -distance) * unit(cross(b - a, c - a)));
        points.push_back(0.5 * (a + b) + distance * draw.direction());
        points.push_back(a + distance * draw.direction());
    }
    return points;
}

struct Shape {
    std::string name;
    RawMesh mesh;
    double radius;
    Vec3 inside;
};

std::vector<Shape> shapes() {
    return {{"cube", geometry::test::cube(), std::sqrt(3.0), {}},
            {"tetrahedron", geometry::test::tetrahedron(), 1, {0.2, 0.2, 0.2}},
            {"ball", geometry::test::ball(2), 1, {}}};
}

TEST(Polyhedron, AgreesWith50DigitsOutsideAndInside) {
    for (const Shape& shape : shapes()) {
        Draw draw;
        for (const double distance : {1.01, 1.5, 4.0, 10.0}) {
            std::vector<Vec3> points;
            for (int i = 0; i < 3; ++i) points.push_back(distance * shape.radius * draw.direction());
            expect_reference(shape.mesh, points, fmt::format("{} at {} radii", shape.name, distance));
        }
        std::vector<Vec3> points;
        for (int i = 0; i < 3; ++i) points.push_back(shape.inside + 0.1 * shape.radius * draw.direction());
        expect_reference(shape.mesh, points, shape.name + " inside");
    }
}

TEST(Polyhedron, AgreesWith50DigitsNearAndOnTheSurface) {
    for (const Shape& shape : shapes())
        for (const double gap : {1e-3, 1e-6, 1e-9, 1e-13, 0.0})
            expect_reference(shape.mesh, points_near(shape.mesh, gap, 2), fmt::format("{} within {} sides", shape.name, gap));
}

TEST(Polyhedron, AgreesWith50DigitsOnAFineSphere) {
    const RawMesh raw = geometry::test::ball(4);
    expect_reference(raw, {{0.9, -0.4, 0.4}, {6, 7, -4}}, "2048 facets");
}

// Terms of a closed surface cancel by the square of the distance; the sums must not add to that. So far away a ball is a point: its first
// other moment, of order 4, is below 1e-14 here.
TEST(Polyhedron, LosesTheSquareOfTheDistanceAndNoMore) {
    const RawMesh raw = geometry::test::ball(6);
    const geometry::SurfaceMesh mesh = geometry::make_surface(raw);
    const PolyhedronGravity gravity(mesh);
    const double volume = geometry::mass_properties(mesh).volume;
    const double lost = 1000.0 * 1000.0 * 0x1p-53;
    Draw draw;
    for (int i = 0; i < 16; ++i) {
        const Vec3 p = 1000 * draw.direction();
        const FieldValue got = gravity.evaluate(p);
        const double r = norm(p);
        EXPECT_NEAR(got.potential * r / volume, 1, 0.25 * lost);
        EXPECT_NEAR(norm(got.acceleration + volume / (r * r * r) * p) * r * r / volume, 0, 0.5 * lost);
    }
}

// A corner set into a facet, 1e-8 from one of its sides. make_surface takes altitudes down to 2^-40 of the longest side.
TEST(Polyhedron, AgreesWith50DigitsOnSlivers) {
    RawMesh raw = geometry::test::tetrahedron();
    raw.vertices.push_back({0.5, 0.5 - 1e-8, 1e-8});
    raw.facets.pop_back();
    raw.facets.insert(raw.facets.end(), {{1, 2, 4}, {2, 3, 4}, {3, 1, 4}});
    expect_reference(raw, {{0.3, 0.2, 0.1}, {0.5, 0.5, 3e-9}, {0.5, 0.5, 1e-4}, {0.3, 0.7 - 1e-9, 2e-9}, {3, -2, 5}}, "sliver");
}

TEST(Polyhedron, LosesNoDigitsFarFromTheOrigin) {
    RawMesh raw = geometry::test::ball(1);
    for (Vec3& v : raw.vertices) v += Vec3{1e6, -2e6, 3e6};
    expect_reference(raw, {{1e6 + 1.5, -2e6, 3e6 - 0.5}, {1e6 + 0.1, -2e6 - 0.2, 3e6}, raw.vertices[3]}, "offset");
}

// Integrals over a box in closed form, from the corners x y z seen from the point. Source: Nagy, Papp and Benedek, J. Geodesy 74 (2000).
struct Box {
    Digits potential = 0, pull_z = 0, xy = 0, zz = 0;
};
Box box_closed_form(const Vec3& p) {
    Box sum;
    for (int k = 0; k < 8; ++k) {
        const Digits x = Digits(k & 1 ? 1 : -1) - p.x, y = Digits(k & 2 ? 1 : -1) - p.y, z = Digits(k & 4 ? 1 : -1) - p.z;
        const Digits r = sqrt(x * x + y * y + z * z);
        const Digits sign = (k & 1 ? 1 : -1) * (k & 2 ? 1 : -1) * (k & 4 ? 1 : -1);
        const Digits lx = log(x + r), ly = log(y + r), lz = log(z + r);
        const Digits ax = atan(y * z / (x * r)), ay = atan(z * x / (y * r)), az = atan(x * y / (z * r));
        sum.potential += sign * (x * y * lz + y * z * lx + z * x * ly - (x * x * ax + y * y * ay + z * z * az) / 2);
        sum.pull_z -= sign * (x * ly + y * lx - z * az);
        sum.xy += sign * lz;
        sum.zz -= sign * az;
    }
    return sum;
}

TEST(Polyhedron, CubeInClosedForm) {
    const PolyhedronGravity gravity(geometry::make_surface(geometry::test::cube()));
    const double centre = 12 * std::log(2 + std::sqrt(3.0)) - 2 * pi;
    EXPECT_NEAR(gravity.evaluate({}).potential, centre, 1e-14 * centre);
    EXPECT_NEAR(norm(gravity.evaluate({}).acceleration), 0, 1e-14);
    EXPECT_NEAR(gravity.evaluate({1, 1, 1}).potential, centre / 2, 1e-14 * centre);
    for (const Vec3& p : {Vec3{0.3, -0.2, 0.6}, Vec3{1.7, 0.4, -2.2}, Vec3{-0.1, 0.2, 1.001}, Vec3{5, -9, 7}}) {
        const FieldValue got = gravity.evaluate(p);
        const Box want = box_closed_form(p);
        EXPECT_NEAR(got.potential, to_double(want.potential), promised * got.potential);
        EXPECT_NEAR(got.acceleration.z, to_double(want.pull_z), promised * norm(got.acceleration));
        EXPECT_NEAR(got.gradient.xy, to_double(want.xy), promised * std::fabs(got.gradient.xy));
        EXPECT_NEAR(got.gradient.zz, to_double(want.zz), promised * std::fabs(got.gradient.zz));
        EXPECT_LT(got.acceleration.z * p.z, 0) << "it attracts";
    }
}

// An inscribed polyhedron misses the sphere by the square of its side: four times less with each refinement.
TEST(Polyhedron, ApproachesTheSphere) {
    const Vec3 outside{1.3, -0.7, 0.9}, inside{0.3, 0.1, -0.2};
    const double r = norm(outside);
    std::array<double, 4> before{};
    for (const int level : {3, 4, 5}) {
        const PolyhedronGravity gravity(geometry::make_surface(geometry::test::ball(level)));
        const FieldValue out = gravity.evaluate(outside), in = gravity.evaluate(inside);
        const std::array<double, 4> miss = {4 * pi / 3 / r - out.potential, 2 * pi * (1 - squared_norm(inside) / 3) - in.potential,
                                            norm(out.acceleration + (4 * pi / 3 / (r * r * r)) * outside),
                                            out.gradient.xy - 4 * pi * outside.x * outside.y / std::pow(r, 5)};
        for (std::size_t k = 0; k < 4 && level > 3; ++k) EXPECT_NEAR(before[k] / miss[k], 4, 0.2) << k << " at level " << level;
        before = miss;
        EXPECT_LT(norm(in.acceleration + (4 * pi / 3) * inside), 1e-3) << "a missing shell pulls nothing inside";
    }
    EXPECT_LT(before[0], 0.01);
}

TEST(Polyhedron, LaplacianIsMinusTheSolidAngleOfTheInside) {
    const PolyhedronGravity gravity(geometry::make_surface(geometry::test::cube()));
    const std::pair<Vec3, double> cases[] = {{{3, 1, 2}, 0},    {{1 + 1e-12, 0.3, 0.2}, 0}, {{1 - 1e-12, 0.3, 0.2}, 4 * pi},
                                             {{}, 4 * pi},      {{1, 0.3, 0.2}, 2 * pi},    {{1, 0.5, 0.5}, 2 * pi},
                                             {{1, 1, 0.2}, pi}, {{1, 1, 1}, pi / 2}};
    for (const auto& [p, angle] : cases) {
        const FieldValue got = gravity.evaluate(p);
        const Sym3& g = got.gradient;
        EXPECT_NEAR(got.laplacian, -angle, 1e-14) << p.x << ' ' << p.y << ' ' << p.z;
        EXPECT_NEAR(g.xx + g.yy + g.zz, got.laplacian, 1e-13);
    }
}

TEST(Polyhedron, OnEdgesAndCornersEverythingIsFinite) {
    const RawMesh raw = geometry::test::ball(1);
    const PolyhedronGravity gravity(geometry::make_surface(raw));
    for (const Vec3& p : points_near(raw, 0, 20)) {
        const FieldValue got = gravity.evaluate(p);
        const Sym3& g = got.gradient;
        EXPECT_TRUE(std::isfinite(got.potential + got.laplacian) && is_finite(got.acceleration));
        EXPECT_TRUE(is_finite({g.xx, g.yy, g.zz}) && is_finite({g.xy, g.xz, g.yz}));
        // Continuous across: a step of 1e-12 changes the attraction by no more than 1e-12 ln(1e12) times a few.
        EXPECT_NEAR(norm(gravity.evaluate(p + Vec3{1e-12, 1e-12, -1e-12}).acceleration - got.acceleration), 0, 1e-9);
    }
}

// No threshold has a length in it: a power of two scales every bit.
TEST(Polyhedron, ScalesWithTheBody) {
    const RawMesh raw = geometry::test::ball(2);
    const PolyhedronGravity unit_size(geometry::make_surface(raw));
    for (const double scale : {0x1p-60, 0x1p60}) {
        RawMesh other = raw;
        for (Vec3& v : other.vertices) v *= scale;
        const PolyhedronGravity gravity(geometry::make_surface(other));
        for (const double gap : {0.1, 1e-9, 0.0})
            for (const Vec3& p : points_near(raw, gap, 2)) {
                const FieldValue a = unit_size.evaluate(p), b = gravity.evaluate(scale * p);
                EXPECT_EQ(b.potential, scale * scale * a.potential);
                EXPECT_EQ(b.acceleration, scale * a.acceleration);
                EXPECT_EQ(b.gradient.xy, a.gradient.xy);
                EXPECT_EQ(b.laplacian, a.laplacian);
            }
    }
}

bool same_bits(const FieldValue& a, const FieldValue& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

TEST(Polyhedron, ManyPointsHaveTheBitsOfEach) {
    const RawMesh raw = geometry::test::ball(2);
    const PolyhedronGravity gravity(geometry::make_surface(raw));
    std::vector<Vec3> points;
    for (const double gap : {2.0, 0.1, 1e-3, 1e-9, 0.0})
        for (const Vec3& p : points_near(raw, gap, 5)) points.push_back(p);
    std::vector<FieldValue> all(points.size());
    gravity.evaluate_many(points, all);
    std::vector<FieldValue> one_thread(points.size());
    {
        const ThreadLimit limit(1);
        gravity.evaluate_many(points, one_thread);
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
        EXPECT_TRUE(same_bits(all[i], one_thread[i])) << i;
        FieldValue alone;
        gravity.evaluate_many({&points[i], 1}, {&alone, 1});
        EXPECT_TRUE(same_bits(all[i], alone)) << i;
        EXPECT_TRUE(same_bits(gravity.evaluate(points[i]), gravity.evaluate(points[i]))) << i;
    }
    gravity.evaluate_many({}, {});
}

TEST(Polyhedron, AnOpenSurfaceHasNone) {
    RawMesh raw = geometry::test::cube();
    raw.facets.pop_back();
    try {
        PolyhedronGravity gravity(geometry::make_surface(raw));
        FAIL();
    } catch (const InputError& error) {
        EXPECT_EQ(error.problems[0].what, "the surface is open and bounds no solid: 3 of its 18 edges have one facet");
    }
}

// In units of the last place of the true value.
double ulps(double got, const Digits& want) {
    const double near = std::fabs(static_cast<double>(want));
    return to_double(abs(Digits(got) - want)) / (std::nextafter(near, 2 * near) - near);
}

TEST(SimdMath, LogRatioAgreesWith50Digits) {
    Draw draw;
    for (int i = 0; i < 2000; ++i) {
        Double4 s, l;
        for (std::size_t lane = 0; lane < 4; ++lane) {
            s[lane] = std::exp(20 * draw.uniform() - 10);
            // Small, around the switch at 3 - 2 sqrt 2, and up to 1 - 2^-8, where its caller stops.
            const double x = draw.uniform();
            l[lane] = s[lane] * (i % 3 == 0 ? std::exp(-30 * x) * 0.17 : i % 3 == 1 ? 0.1715 + 2e-4 * x : 0.996 * x);
        }
        const Double4 got = log_ratio(s, l);
        for (std::size_t lane = 0; lane < 4; ++lane) {
            const Digits a = s[lane], b = l[lane];
            EXPECT_LT(ulps(got[lane], log((a + b) / (a - b))), 6) << l[lane] / s[lane];
            EXPECT_EQ(got[lane], log_ratio(splat(s[lane]), splat(l[lane]))[0]);
        }
    }
}

TEST(SimdMath, AngleAgreesWith50Digits) {
    Draw draw;
    for (int i = 0; i < 2000; ++i) {
        Double4 x, y;
        for (std::size_t lane = 0; lane < 4; ++lane) {
            const double t = i % 2 == 0 ? 2 * pi * draw.uniform() - pi : std::exp(-30 * draw.uniform());
            const double size = std::exp(20 * draw.uniform() - 10);
            x[lane] = size * std::cos(t);
            y[lane] = size * std::sin(t);
        }
        const Double4 got = angle(y, x);
        for (std::size_t lane = 0; lane < 4; ++lane) {
            EXPECT_LT(ulps(got[lane], atan2(Digits(y[lane]), Digits(x[lane]))), 6) << y[lane] << ' ' << x[lane];
            EXPECT_EQ(got[lane], angle(splat(y[lane]), splat(x[lane]))[0]);
        }
    }
}

}  // namespace
}  // namespace asperity::gravity::test::polyhedron_test
