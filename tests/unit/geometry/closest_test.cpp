#include "asperity/geometry/closest.h"

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>
#include <vector>

#include "unit/geometry/shapes.h"

namespace asperity::geometry::test::closest_test {
namespace {

constexpr unsigned seed = 20260731;

// The slow reference, in more digits and by another way: the foot on the plane from the normal equations of the two sides at
// corner 0, else the nearest of three clamped sides.
template <class Number>
struct Wide {
    Number x, y, z;
    explicit Wide(const Vec3& a) : x(a.x), y(a.y), z(a.z) {}
    Wide(Number a, Number b, Number c) : x(a), y(b), z(c) {}
    friend Wide operator-(const Wide& a, const Wide& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    friend Wide operator*(const Number& s, const Wide& a) { return {s * a.x, s * a.y, s * a.z}; }
    friend Number dot(const Wide& a, const Wide& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
};

template <class Number>
Number squared_to_side(const Wide<Number>& a, const Wide<Number>& b, const Wide<Number>& p) {
    const Number t = dot(p - a, b - a) / dot(b - a, b - a);
    const Wide<Number> offset = p - a - (t < 0 ? Number(0) : t > 1 ? Number(1) : t) * (b - a);
    return dot(offset, offset);
}

template <class Number>
Number reference_distance(const Vec3& va, const Vec3& vb, const Vec3& vc, const Vec3& vp) {
    using std::sqrt;
    const Wide<Number> a(va), b(vb), c(vc), p(vp);
    const Wide<Number> u = b - a, v = c - a, w = p - a;
    const Number uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), uw = dot(u, w), vw = dot(v, w);
    const Number determinant = uu * vv - uv * uv;
    const Number s = (vv * uw - uv * vw) / determinant, t = (uu * vw - uv * uw) / determinant;
    if (s >= 0 && t >= 0 && s + t <= 1) {
        const Wide<Number> offset = w - s * u - t * v;
        return sqrt(dot(offset, offset));
    }
    const Number ab = squared_to_side(a, b, p), bc = squared_to_side(b, c, p), ca = squared_to_side(c, a, p);
    return sqrt(std::min(ab, std::min(bc, ca)));
}

long double reference_distance(const SurfaceView& view, std::int32_t facet, const Vec3& p) {
    const std::int32_t* v = view.facets[facet].vertex;
    return reference_distance<long double>(view.vertices[v[0]], view.vertices[v[1]], view.vertices[v[2]], p);
}

double scale_of(const SurfaceMesh& mesh) { return std::max(norm(mesh.lower), norm(mesh.upper)); }

std::vector<SurfaceMesh> random_surfaces() {
    std::vector<SurfaceMesh> list;
    list.push_back(make_surface(ball(3, 0.6, 1.4, seed)));
    list.push_back(make_surface(generate(SpikeWorld{.seed = seed, .cells = 12, .height = 30})));
    list.push_back(make_surface(generate(GutterWorld{})));
    list.push_back(make_surface(cube()));
    return list;
}

// Points all around, and points exactly on vertices, on the middles of edges and of facets, and just beside them.
std::vector<Vec3> test_points(const SurfaceMesh& mesh, std::mt19937_64& random, int count) {
    std::vector<Vec3> points;
    const Vec3 room = 0.3 * (mesh.upper - mesh.lower) + Vec3{0.1, 0.1, 0.1};
    const auto pick = [&](std::size_t size) { return std::uniform_int_distribution<std::size_t>(0, size - 1)(random); };
    for (int k = 0; k < count; ++k) {
        points.push_back(random_point(random, mesh.lower - room, mesh.upper + room));
        const Edge& edge = mesh.edges[pick(mesh.edges.size())];
        const Facet& facet = mesh.facets[pick(mesh.facets.size())];
        const Vec3 vertex = mesh.vertices[static_cast<std::size_t>(facet.vertex[0])];
        const Vec3 middle =
            0.5 * (mesh.vertices[static_cast<std::size_t>(edge.vertex[0])] + mesh.vertices[static_cast<std::size_t>(edge.vertex[1])]);
        const Vec3 centre =
            (vertex + mesh.vertices[static_cast<std::size_t>(facet.vertex[1])] + mesh.vertices[static_cast<std::size_t>(facet.vertex[2])]) /
            3.0;
        points.insert(points.end(),
                      {vertex, middle, centre, vertex + 0.01 * facet.normal, middle + 0.01 * facet.normal, centre - 0.01 * facet.normal});
    }
    return points;
}

TEST(Closest, AgreesWithAReferenceInExtendedPrecision) {
    std::mt19937_64 random(seed);
    for (const SurfaceMesh& mesh : random_surfaces()) {
        const SurfaceView view = mesh.view();
        for (const Vec3& p : test_points(mesh, random, 60))
            for (std::int32_t f = 0; f < view.facet_count; f += 3) {
                const ClosestPoint found = closest_point(view, f, p);
                const double rounding = 4e-15 * (scale_of(mesh) + norm(p));
                ASSERT_NEAR(found.distance, static_cast<double>(reference_distance(view, f, p)), rounding);
                ASSERT_NEAR(norm(found.point + found.offset - p), 0, rounding);
                ASSERT_NEAR(norm(found.offset), found.distance, rounding);
                ASSERT_LE(static_cast<double>(reference_distance(view, f, found.point)), rounding) << "the point lies on the facet";
                ASSERT_EQ(found.facet, f);
            }
    }
}

TEST(Closest, NearestIsTheNearestOfAllFacetsAndTheLowestOfEquals) {
    std::mt19937_64 random(seed + 1);
    for (const SurfaceMesh& mesh : random_surfaces()) {
        const SurfaceView view = mesh.view();
        for (const Vec3& p : test_points(mesh, random, 100)) {
            ClosestPoint best;  // bit for bit: the tree may hide nothing
            for (std::int32_t f = 0; f < view.facet_count; ++f) {
                const ClosestPoint found = detail::squared_to_facet(view, f, p);
                if (found.distance < best.distance) best = found;
            }
            const ClosestPoint found = nearest(view, p);
            ASSERT_EQ(found.facet, best.facet);
            ASSERT_EQ(found.distance, std::sqrt(best.distance));
            ASSERT_EQ(found.point, best.point);
            ASSERT_EQ(found.feature, best.feature);
        }
    }
}

TEST(Closest, VisitsExactlyTheFacetsWithinTheRadius) {
    std::mt19937_64 random(seed + 2);
    for (const SurfaceMesh& mesh : random_surfaces()) {
        const SurfaceView view = mesh.view();
        for (const Vec3& p : test_points(mesh, random, 20)) {
            const double radius = std::uniform_real_distribution<double>(0, 0.4 * scale_of(mesh))(random);
            std::multiset<std::int32_t> visited, wanted;
            for_each_within(view, p, radius, [&](const ClosestPoint& found) { visited.insert(found.facet); });
            for (std::int32_t f = 0; f < view.facet_count; ++f)
                if (closest_point(view, f, p).distance <= radius) wanted.insert(f);
            ASSERT_EQ(visited, wanted);
        }
    }
}

TEST(Closest, LimitsAreKept) {
    const SurfaceMesh mesh = make_surface(cube());
    const Vec3 p{3, 0.25, 0.5};
    EXPECT_EQ(nearest_within(mesh.view(), p, 2).distance, 2);
    EXPECT_FALSE(nearest_within(mesh.view(), p, std::nextafter(2, 0)).found());
    EXPECT_FALSE(nearest_within(mesh.view(), p, -3).found());
    EXPECT_EQ(nearest_within(mesh.view(), p, 1.5).distance, HUGE_VAL);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(nearest(mesh.view(), {nan, 0, 0}).found());
    EXPECT_FALSE(nearest(mesh.view(), {0, HUGE_VAL, 0}).found());
    EXPECT_FALSE(nearest(mesh.view(), {1e200, 0, 0}).found());  // the squared distance overflows
    EXPECT_DOUBLE_EQ(nearest(mesh.view(), {1e150, 0, 0}).distance, 1e150);
}

// |max(|p| - 1, 0)| outside, 1 - max |p_i| inside, negative.
TEST(Closest, SignedDistanceOfACube) {
    const SurfaceMesh mesh = make_surface(cube());
    std::mt19937_64 random(seed + 3);
    for (int k = 0; k < 20000; ++k) {
        const Vec3 p = random_point(random, {-2, -2, -2}, {2, 2, 2});
        const Vec3 q{std::abs(p.x) - 1, std::abs(p.y) - 1, std::abs(p.z) - 1};
        const double inside = std::min(std::max({q.x, q.y, q.z}), 0.0);
        const double wanted = inside + norm(Vec3{std::max(q.x, 0.0), std::max(q.y, 0.0), std::max(q.z, 0.0)});
        ASSERT_NEAR(signed_distance(mesh, p), wanted, 1e-15);
        if (inside < 0) continue;
        const int outside = (q.x > 0) + (q.y > 0) + (q.z > 0);  // sides: facet, edge, vertex
        const FeatureKind kind = nearest(mesh.view(), p).feature.kind;
        if (outside > 1) {
            ASSERT_EQ(static_cast<int>(kind), outside - 1);
        }
    }
}

// Inside a tetrahedron the nearest feature is a facet: distances to four planes. At its corners and edges outside: to them.
TEST(Closest, SignedDistanceOfATetrahedron) {
    const SurfaceMesh mesh = make_surface(tetrahedron());
    std::mt19937_64 random(seed + 4);
    for (int k = 0; k < 5000; ++k) {
        const Vec3 p = random_point(random, {0, 0, 0}, {1, 1, 1});
        const double slant = (p.x + p.y + p.z - 1) / std::sqrt(3.0);
        if (slant < 0) {
            ASSERT_NEAR(signed_distance(mesh, p), std::max({-p.x, -p.y, -p.z, slant}), 1e-15);
        }
        ASSERT_NEAR(signed_distance(mesh, -p), norm(p), 1e-15);
        ASSERT_EQ(nearest(mesh.view(), -p).feature, (Feature{FeatureKind::vertex, 0}));
        ASSERT_NEAR(signed_distance(mesh, {0.1 + 0.8 * p.x, -p.y, -p.z}), std::hypot(p.y, p.z), 1e-15);
        ASSERT_EQ(nearest(mesh.view(), {0.1 + 0.8 * p.x, -p.y, -p.z}).feature.kind, FeatureKind::edge);
    }
    EXPECT_NEAR(signed_distance(mesh, {2, 2, 2}), 5 / std::sqrt(3.0), 1e-15);
}

// The winding number of a closed mesh, by solid angles (Van Oosterom and Strackee 1983), tells inside from outside without distances.
TEST(Closest, SignAgreesWithTheWindingNumber) {
    const SurfaceMesh mesh = make_surface(ball(3, 0.5, 1.5, seed));
    std::mt19937_64 random(seed + 5);
    int inside = 0;
    for (int k = 0; k < 4000; ++k) {
        const Vec3 p = random_point(random, mesh.lower, mesh.upper);
        double angle = 0;
        for (const Facet& facet : mesh.facets) {
            const auto corner = [&](int i) { return mesh.vertices[static_cast<std::size_t>(facet.vertex[i])] - p; };
            const Vec3 a = corner(0), b = corner(1), c = corner(2);
            const double la = norm(a), lb = norm(b), lc = norm(c);
            angle += 2 * std::atan2(asperity::dot(a, cross(b, c)),
                                    la * lb * lc + asperity::dot(a, b) * lc + asperity::dot(b, c) * la + asperity::dot(c, a) * lb);
        }
        const bool is_inside = angle > 2 * M_PI;
        inside += is_inside;
        ASSERT_EQ(signed_distance(mesh, p) < 0, is_inside) << p.x << " " << p.y << " " << p.z;
    }
    EXPECT_GT(inside, 500);
    EXPECT_LT(inside, 3500);
}

TEST(Closest, AnOpenSurfaceIsPositiveOnTheSideOfItsNormals) {
    const SurfaceMesh mesh = make_surface(generate(FlatWorld{.side = 8, .cells = 4}));
    EXPECT_EQ(signed_distance(mesh, {0.3, 0.4, 2}), 2);
    EXPECT_EQ(signed_distance(mesh, {0.3, 0.4, -2}), -2);
    EXPECT_EQ(signed_distance(mesh, {0.3, 0.4, 0}), 0);
    EXPECT_EQ(signed_distance(mesh, {7, 8, 0}), 5);  // beside the corner, in the plane
    EXPECT_EQ(signed_distance(mesh, {7, 0.5, -4}), -5);
}

// Slivers of all kinds, against 50 digits (the reference squares the sharpness of an angle): what counts is that the distance is right to
// rounding, whichever region is named.
TEST(Closest, SliversGiveTheRightDistance) {
    using Digits = boost::multiprecision::cpp_bin_float_50;
    std::mt19937_64 random(seed + 6);
    std::uniform_real_distribution<double> u(-1, 1);
    double worst = 0;
    for (int k = 0; k < 1000; ++k) {
        const double height = std::pow(10.0, -6 + 5 * u(random));  // down to 1e-11
        const Vec3 along = unit(Vec3{u(random), u(random), u(random)});
        const Vec3 across = unit(cross(along, Vec3{u(random), u(random), u(random)}));
        const Vec3 corner{u(random), u(random), u(random)};
        const RawMesh raw{{corner, corner + along, corner + (1.5 * u(random)) * along + height * across}, {{0, 1, 2}}};
        const SurfaceMesh mesh = make_surface(raw);
        for (int j = 0; j < 30; ++j) {
            const Vec3 p = j % 3 == 0 ? random_point(random, {-2, -2, -2}, {2, 2, 2})
                                      : corner + u(random) * along + (3 * height * u(random)) * across +
                                            (j % 3 == 1 ? height : 0) * cross(along, across);
            const double difference = closest_point(mesh.view(), 0, p).distance -
                                      static_cast<double>(reference_distance<Digits>(raw.vertices[0], raw.vertices[1], raw.vertices[2], p));
            worst = std::max(worst, std::abs(difference));
        }
    }
    EXPECT_LT(worst, 4e-15) << "lengths of 1 to 4";
}

TEST(Closest, BothFacetsOfAnEdgeReportTheSameBits) {
    const SurfaceMesh mesh = make_surface(ball(3, 0.8, 1.2, seed));
    const SurfaceView view = mesh.view();
    std::mt19937_64 random(seed + 7);
    int shared = 0;
    for (int k = 0; k < 20000; ++k) {
        const Vec3 p = random_point(random, 1.5 * mesh.lower, 1.5 * mesh.upper);
        const ClosestPoint found = nearest(view, p);
        if (found.feature.kind != FeatureKind::edge) continue;
        for (const std::int32_t facet : view.edges[found.feature.index].facet) {
            const ClosestPoint other = closest_point(view, facet, p);
            ASSERT_EQ(other.feature, found.feature);
            ASSERT_EQ(other.point, found.point);
            ASSERT_EQ(other.distance, found.distance);
            ++shared;
        }
    }
    EXPECT_GT(shared, 1000);
}

// Two squares of two facets each, folded along x = 0: the right one falls off (convex), goes on, or rises (concave).
SurfaceMesh fold(double slope) {
    return make_surface({{-1, -1, 0}, {0, -1, 0}, {1, -1, slope}, {-1, 1, 0}, {0, 1, 0}, {1, 1, slope}},
                        {{0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}});
}

std::vector<ClosestPoint> minima(const SurfaceMesh& mesh, const Vec3& p, double radius) {
    std::vector<ClosestPoint> list;
    for_each_minimum_within(mesh.view(), p, radius, [&](const ClosestPoint& found) { list.push_back(found); });
    return list;
}

TEST(Closest, LocalMinimaOnAFlatConvexAndConcaveFold) {
    // Flat, exactly above the seam: the seam, once. Beside it: one facet, though the other facet is as near as rounding.
    std::vector<ClosestPoint> list = minima(fold(0), {0, 0.2, 0.3}, 0.35);
    ASSERT_EQ(list.size(), 1u);
    EXPECT_EQ(list[0].feature.kind, FeatureKind::edge);
    EXPECT_EQ(list[0].distance, 0.3);
    for (const double x : {1e-17, -1e-17, 1e-9, -1e-9, 0.01}) {
        list = minima(fold(0), {x, 0.2, 0.3}, 0.35);
        ASSERT_EQ(list.size(), 1u) << x;
        EXPECT_EQ(list[0].feature.kind, FeatureKind::facet);
    }
    // Convex: in the wedge above the ridge, the ridge alone; over either side, that facet alone.
    const double height = 0.3;
    for (const double lean : {0.1, 0.5, 0.9}) {  // of the wedge, which spans 45 degrees for slope -1
        const double angle = lean * std::atan(1.0);
        list = minima(fold(-1), {height * std::sin(angle), 0.2, height * std::cos(angle)}, 0.35);
        ASSERT_EQ(list.size(), 1u) << lean;
        EXPECT_EQ(list[0].feature.kind, FeatureKind::edge);
        EXPECT_NEAR(list[0].distance, height, 1e-15);
        EXPECT_EQ(list[0].facet, fold(-1).edges[static_cast<std::size_t>(list[0].feature.index)].facet[0]);
    }
    EXPECT_EQ(minima(fold(-1), {-0.05, 0.2, height}, 0.35).at(0).feature.kind, FeatureKind::facet);
    EXPECT_EQ(minima(fold(-1), {-0.05, 0.2, height}, 0.35).size(), 1u);
    // Concave: a ball in the valley of slopes 0 and 1 touches both sides, never the edge.
    const double touch = height / std::tan(0.5 * (M_PI - std::atan(1.0)));
    list = minima(fold(1), {-touch, 0.2, height}, height * (1 + 1e-12));
    ASSERT_EQ(list.size(), 2u);
    for (const ClosestPoint& found : list) {
        EXPECT_EQ(found.feature.kind, FeatureKind::facet);
        EXPECT_NEAR(found.distance, height, 1e-15);
    }
    // The edge is a closest point of some facet there, but no minimum: the surface goes on, nearer.
    const SurfaceMesh valley = fold(1);
    int reported = 0;
    for (std::int32_t f = 0; f < 4; ++f) {
        const ClosestPoint found = closest_point(valley.view(), f, {-0.5, 0.2, height});
        if (found.feature.kind != FeatureKind::edge) continue;
        ++reported;
        EXPECT_FALSE(is_local_minimum(valley.view(), found, {-0.5, 0.2, height}));
    }
    EXPECT_GT(reported, 0);
}

TEST(Closest, LocalMinimaAtAVertexAndAtARim) {
    const SurfaceMesh mesh = make_surface(cube());
    std::vector<ClosestPoint> list = minima(mesh, {1.1, 1.2, 1.3}, 1);
    ASSERT_EQ(list.size(), 1u);
    EXPECT_EQ(list[0].feature, (Feature{FeatureKind::vertex, 7}));
    list = minima(mesh, {1.1, 0.5, 1.3}, 1);
    ASSERT_EQ(list.size(), 1u);
    EXPECT_EQ(list[0].feature.kind, FeatureKind::edge);
    EXPECT_EQ(minima(mesh, {0.1, 0.2, 0.3}, 1.01).size(), 3u);  // from inside: the three nearer sides
    const SurfaceMesh sheet = make_surface(generate(FlatWorld{.side = 2, .cells = 1}));
    list = minima(sheet, {1.1, 0.2, 0.1}, 1);
    ASSERT_EQ(list.size(), 1u);
    EXPECT_EQ(sheet.edges[static_cast<std::size_t>(list[0].feature.index)].facet[1], -1);
}

// A minimum by the report is one by brute force: no point of the surface near it is nearer to p.
TEST(Closest, MinimaAreExactlyThePointsThatNoNeighbouringPointBeats) {
    const SurfaceMesh mesh = make_surface(generate(SpikeWorld{.seed = seed, .side = 10, .cells = 8, .height = 2}));
    const SurfaceView view = mesh.view();
    std::mt19937_64 random(seed + 8);
    int minimum = 0, other = 0;
    for (int k = 0; k < 400; ++k) {
        const Vec3 p = random_point(random, mesh.lower, mesh.upper + Vec3{0, 0, 1});
        for (std::int32_t f = 0; f < view.facet_count; ++f) {
            const ClosestPoint found = closest_point(view, f, p);
            // The distance over one facet is convex: the point is a minimum over the surface if it is one over each facet that holds it.
            bool is_beaten = false;
            for (std::int32_t g = 0; g < view.facet_count; ++g) {
                if (static_cast<double>(reference_distance(view, g, found.point)) > 1e-12) continue;
                is_beaten = is_beaten || static_cast<double>(reference_distance(view, g, p)) < found.distance - 1e-12;
            }
            ASSERT_EQ(is_local_minimum(view, found, p), !is_beaten);
            ++(is_beaten ? other : minimum);
        }
        const ClosestPoint global = nearest(view, p);
        ASSERT_TRUE(is_local_minimum(view, global, p));
    }
    EXPECT_GT(minimum, 400);
    EXPECT_GT(other, 400);
}

}  // namespace
}  // namespace asperity::geometry::test::closest_test
