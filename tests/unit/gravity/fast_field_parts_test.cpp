// What the fast field is made of: facets, polynomials, their errors, multipoles.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "asperity/gravity/cube_polynomial.h"
#include "asperity/gravity/facet_block.h"
#include "asperity/gravity/fast_field_leaf.h"
#include "asperity/gravity/harmonic_fit.h"
#include "asperity/gravity/interpolation_error.h"
#include "asperity/gravity/patch_sum.h"
#include "asperity/gravity/polyhedron.h"
#include "asperity/gravity/source_tree.h"
#include "unit/gravity/lumpy.h"

namespace asperity::gravity::test::fast_field_parts_test {
namespace {

struct Draw {
    std::mt19937_64 random{11};
    double uniform(double from, double to) { return std::uniform_real_distribution<double>(from, to)(random); }
    Vec3 in_cube() {
        const double x = uniform(-1, 1), y = uniform(-1, 1), z = uniform(-1, 1);
        return {x, y, z};
    }
};

Lanes3 lanes_of(const Vec3& p) { return {splat(p.x), splat(p.y), splat(p.z)}; }

TEST(FacetBlock, LogarithmsAreGoodTo2e14) {
    Draw draw;
    for (int i = 0; i < 20000; ++i) {
        const double s = draw.uniform(0.1, 10);
        const double part = i % 2 == 0 ? std::pow(10, draw.uniform(-3, 0)) : 1 - std::pow(10, draw.uniform(-9, 0));
        const double l = s * std::min(part, 1 - 1e-9);
        const long double want = std::log((static_cast<long double>(s) + l) / (static_cast<long double>(s) - l));
        const double got = detail::quick_log_ratio(splat(s), splat(l))[0];
        // Close to one the difference s - l itself is rounded.
        const double allowed = 2e-14 + 0x1p-52 * s / (s - l) / static_cast<double>(want);
        EXPECT_NEAR(static_cast<double>(got / want), 1, allowed) << s << ' ' << l;
    }
}

TEST(FacetBlock, FacetsOfABodySumUpToItsField) {
    const geometry::SurfaceMesh mesh = lumpy(1);
    const SourceTree tree = make_source_tree(mesh);
    const PolyhedronGravity exact(mesh);
    ASSERT_EQ(tree.facets.size(), mesh.facets.size() + 1);
    for (const Vec3& p : points_around(mesh, 120, 3, 0.3)) {
        Double4 potential{};
        Lanes3 gradient{};
        for (std::size_t f = 0; f < mesh.facets.size(); f += 4)
            add_facets(side_by_side(tree.facets[f], tree.facets[f + 1], tree.facets[f + 2], tree.facets[f + 3]), lanes_of(p), potential,
                       gradient);
        const FieldValue want = exact.evaluate(p);
        const Vec3 got{detail::lane_sum(gradient.x), detail::lane_sum(gradient.y), detail::lane_sum(gradient.z)};
        EXPECT_NEAR(detail::lane_sum(potential), want.potential, 1e-13 * want.potential);
        EXPECT_LT(norm(got - want.acceleration), 1e-12 * norm(want.acceleration)) << p.x << ' ' << p.y << ' ' << p.z;
    }
}

TEST(FacetBlock, OneThatStandsForNothingAddsNothing) {
    const SourceTree tree = make_source_tree(lumpy(0));
    const FacetRecord& nothing = tree.facets.back();
    Double4 potential{};
    Lanes3 gradient{};
    for (const Vec3& p : {Vec3{1, 2, 3}, Vec3{nothing.corner[0][0], nothing.corner[0][1], nothing.corner[0][2]}})
        add_facets(side_by_side(nothing, nothing, nothing, nothing), lanes_of(p), potential, gradient);
    for (int lane = 0; lane < 4; ++lane) {
        EXPECT_EQ(potential[lane], 0);
        EXPECT_EQ(gradient.x[lane], 0);
        EXPECT_EQ(gradient.z[lane], 0);
    }
}

// 1/2 (heights - (p - c) . normals) in one lane.
double potential_in(const SourceSums& sums, std::size_t lane, const Vec3& from_centre) {
    return 0.5 * (sums.heights[lane] - dot(from_centre, Vec3{sums.normals.x[lane], sums.normals.y[lane], sums.normals.z[lane]}));
}

constexpr Vec3 somewhere{0.7, -1.2, 0.4};  // c; the potential does not depend on it

double potential_of(PatchSum& sum, const Vec3& p) {
    SourceSums both[2];
    sum.add({lanes_of({9, 9, 9}), lanes_of(p)}, both);
    return potential_in(both[1], 2, p - somewhere);
}

double multipoles_of(const SourceTree& tree, const SourceNode& node, int order, const Vec3& p) {
    SourceSums both[2] = {{.heights = splat(2)}, {}};  // they are added to
    add_multipoles(tree, node, order, somewhere, {lanes_of(p), lanes_of({9, 9, 9})}, both);
    return potential_in(both[0], 3, p - somewhere) - 1;
}

TEST(PatchSum, EqualsTheSumFacetByFacet) {
    const geometry::SurfaceMesh mesh = lumpy(2);
    const SourceTree tree = make_source_tree(mesh);
    std::vector<std::int32_t> some;
    for (std::int32_t f = 3; f < 300; f += 1 + f % 4) some.push_back(f);
    PatchSum sum(tree, some, somewhere);
    Draw draw;
    for (int i = 0; i < 50; ++i) {
        const Vec3 p = draw.uniform(2, 5) * unit(draw.in_cube());
        Double4 want{};
        Lanes3 gradient{};
        for (const std::int32_t f : some) {
            const FacetRecord& facet = tree.facets[static_cast<std::size_t>(f)];
            add_facets(side_by_side(facet, facet, facet, facet), lanes_of(p), want, gradient);
        }
        EXPECT_NEAR(potential_of(sum, p), want[0], 1e-12 * std::fabs(want[0]) + 1e-13);
    }
}

TEST(SourceTree, MultipolesStayWithinTheirBound) {
    const geometry::SurfaceMesh mesh = lumpy(3);
    const SourceTree tree = make_source_tree(mesh);
    Draw draw;
    int seen = 0;
    double closest = 0;  // largest error, of the bound
    for (const SourceNode& node : tree.nodes) {
        if (node.moments < 0 || node.radius > 0.6) continue;
        std::vector<std::int32_t> facets;
        for (std::int32_t f = node.first; f < node.first + node.count; ++f) facets.push_back(f);
        PatchSum sum(tree, facets, somewhere);
        const double d = draw.uniform(1.5, 4) * node.radius;
        const Vec3 p = node.centre + d * unit(draw.in_cube());
        for (const int order : {2, 5, 9, SourceTree::order}) {
            const double weight = 0.5 * weighted_heights(node, p);
            const double bound = weight * std::pow(node.radius / d, order + 1) / (d - node.radius);
            const double off = std::fabs(multipoles_of(tree, node, order, p) - potential_of(sum, p));
            EXPECT_LT(off, bound + 1e-13 * node.area) << order;
            if (order < 9) closest = std::max(closest, off / bound);
        }
        ++seen;
    }
    EXPECT_GT(seen, 50);
    EXPECT_GT(closest, 1e-3) << "the bound is far off: is it one?";
}

CubePolynomial random_polynomial(int degree, Draw& draw) {
    std::vector<double> coefficients(static_cast<std::size_t>(std::pow(degree + 1, 3) + 0.5));
    for (double& coefficient : coefficients) coefficient = draw.uniform(-1, 1);
    return CubePolynomial(degree, coefficients);
}

TEST(CubePolynomial, IsTheSameOnAPartOfItsCube) {
    Draw draw;
    const CubePolynomial whole = random_polynomial(7, draw);
    for (int octant = 0; octant < 8; ++octant) {
        const CubePolynomial part = whole.restricted(octant);
        EXPECT_EQ(part.degree(), whole.degree());
        for (int i = 0; i < 20; ++i) {
            const Vec3 x = draw.in_cube();
            const auto outer = [&](double u, int axis) { return 0.5 * (u + ((octant >> axis & 1) != 0 ? 1 : -1)); };
            EXPECT_NEAR(part.value(x), whole.value({outer(x.x, 0), outer(x.y, 1), outer(x.z, 2)}), 1e-12);
        }
    }
}

TEST(CubePolynomial, ACutIsOffByNoMoreThanItSays) {
    Draw draw;
    const CubePolynomial whole = random_polynomial(6, draw);
    const std::vector<double> dropped = whole.dropped_gradients();
    ASSERT_EQ(dropped.size(), 7U);
    EXPECT_EQ(dropped[6], 0);
    for (int degree = 0; degree < 6; ++degree) {
        const CubePolynomial cut = whole.cut(degree);
        double worst = 0;
        for (int corner = 0; corner < 8; ++corner) {
            const Vec3 x{(corner & 1) != 0 ? 1.0 : -1.0, (corner & 2) != 0 ? 1.0 : -1.0, (corner & 4) != 0 ? 1.0 : -1.0};
            worst = std::max(worst, norm(whole.gradient(x) - cut.gradient(x)));
        }
        EXPECT_LE(worst, dropped[static_cast<std::size_t>(degree)]);
        EXPECT_GT(worst, 0.01 * dropped[static_cast<std::size_t>(degree)]);
    }
}

template <class Number>
void expect_leaf_value(int degree, double allowed) {
    Draw draw;
    const CubePolynomial polynomial = random_polynomial(degree, draw);
    std::vector<Number> row;
    for_each_coefficient(degree, [&](int i, int j, int k) { row.push_back(static_cast<Number>(polynomial.coefficient(i, j, k))); });
    EXPECT_EQ(static_cast<std::int32_t>(row.size()), term_count(degree));
    row.insert(row.end(), 4, std::numeric_limits<Number>::quiet_NaN());  // read, but of no weight
    for (int i = 0; i < 10; ++i) {
        const Vec3 x = draw.in_cube();
        const PolynomialValue got = polynomial_value(degree, row.data(), x);
        EXPECT_NEAR(got.value, polynomial.value(x), allowed) << degree;
        EXPECT_LT(norm(got.slope - polynomial.gradient(x)), 100 * allowed) << degree;
    }
}

TEST(Leaf, EvaluatesThePolynomialOfEveryDegree) {
    for (int degree = 0; degree <= highest_degree; ++degree) {
        expect_leaf_value<double>(degree, 1e-11);
        expect_leaf_value<float>(degree, 1e-4);
    }
}

// What becomes of sums that are a harmonic f times S0, Sx, Sy, Sz.
CubePolynomial fit_of(const HarmonicFit& fit, const Double4& weights, const auto& f) {
    std::vector<Double4> sums;
    for (const Vec3& p : fit.points()) sums.push_back(f(p) * weights);
    return fit.through(sums);
}

TEST(HarmonicFit, PointsLieOnTheFacesAndAreFew) {
    for (int degree = lowest_fit_degree; degree <= highest_fit_degree; ++degree) {
        const HarmonicFit fit(degree);
        EXPECT_EQ(fit.degree(), degree);
        for (const Vec3& p : fit.points()) EXPECT_EQ(std::max({std::fabs(p.x), std::fabs(p.y), std::fabs(p.z)}), 1);
        std::vector<std::array<double, 3>> places;
        for (const Vec3& p : fit.points()) places.push_back({p.x, p.y, p.z});
        std::sort(places.begin(), places.end());
        EXPECT_EQ(std::adjacent_find(places.begin(), places.end()), places.end()) << "a point counts twice";
        EXPECT_LE(places.size(), static_cast<std::size_t>(std::pow(degree + 1, 3)));
    }
}

// Harmonic polynomials of total degree 3, one for each parity; the potential then has degree 4.
TEST(HarmonicFit, IsExactForHarmonicPolynomials) {
    const HarmonicFit fits[] = {HarmonicFit(4), HarmonicFit(5), HarmonicFit(11), HarmonicFit(highest_fit_degree)};
    const auto f = [](const Vec3& p) {
        return 0.3 - p.x + 0.5 * p.y + 0.2 * p.z + p.x * p.y - 2 * p.y * p.z + 0.7 * p.x * p.z + p.x * p.y * p.z + p.x * p.x - p.z * p.z +
               p.x * (p.x * p.x - 3 * p.y * p.y);
    };
    const Double4 weights{0.4, -1.1, 0.8, 2.3};
    Draw draw;
    for (const HarmonicFit& fit : fits) {
        const CubePolynomial got = fit_of(fit, weights, f);
        for (int i = 0; i < 20; ++i) {
            const Vec3 x = draw.in_cube();
            const double want = 0.5 * f(x) * (weights[0] - x.x * weights[1] - x.y * weights[2] - x.z * weights[3]);
            EXPECT_NEAR(got.value(x), want, 1e-11) << fit.degree();
        }
    }
}

// The table behind the proven bound, against sources all over the outside, on the surface of that distance and beyond.
TEST(InterpolationError, NoSourceOutsideDoesWorse) {
    Draw draw;
    double closest = 0;  // largest error, of the bound
    for (const int degree : {2, 4, 7, 10, 13}) {
        const HarmonicFit fit(degree);
        for (int i = 0; i < 30; ++i) {
            const double distance = i % 3 == 0 ? step_distance(i / 3) : draw.uniform(2, 9);
            const Vec3 u = draw.in_cube(), n = unit(draw.in_cube());
            const Vec3 s = distance * (1 + 1e-12) / std::pow(std::pow(u.x, 4) + std::pow(u.y, 4) + std::pow(u.z, 4), 0.25) * u;
            const auto f = [&](const Vec3& p) { return 1 / norm(p - s); };
            const CubePolynomial source = fit_of(fit, Double4{2, 0, 0, 0}, f);
            const CubePolynomial moment = fit_of(fit, Double4{0, -2 * n.x, -2 * n.y, -2 * n.z}, f);
            const FitError allowed = fit_error(degree, distance_step(distance));
            for (int q = 0; q < 40; ++q) {
                const Vec3 p = q < 27 ? Vec3{q % 3 - 1.0, q / 3 % 3 - 1.0, q / 9 - 1.0} : draw.in_cube();
                const Vec3 slope = (s - p) / std::pow(norm(s - p), 3);
                const double off = norm(source.gradient(p) - slope), off_moment = norm(moment.gradient(p) - dot(n, p) * slope - f(p) * n);
                EXPECT_LE(off, allowed.source + 1e-12) << degree << ' ' << distance;
                EXPECT_LE(off_moment, allowed.moment + 1e-12) << degree << ' ' << distance;
                closest = std::max({closest, off / allowed.source, off_moment / allowed.moment});
            }
        }
    }
    EXPECT_GT(closest, 0.4) << "the table is far off: is it of this fit?";
}

// Signs of the gradients of the points' own polynomials: the worst that errors of the values can do at a corner, and elsewhere.
TEST(InterpolationError, ErrorsOfTheValuesGrowNoMoreThanSaid) {
    Draw draw;
    for (const int degree : {2, 5, 8}) {
        const HarmonicFit fit(degree);
        double worst = 0;
        for (int i = 0; i < 5; ++i) {
            const Vec3 p = i == 0 ? Vec3{1, 1, 1} : i == 1 ? Vec3{1, -1, 0} : i == 2 ? Vec3{0, 1, 0} : draw.in_cube();
            double sum = 0, sum_moment = 0;
            for (const Vec3& point : fit.points()) {
                const auto one = [&](const Vec3& q) { return q.x == point.x && q.y == point.y && q.z == point.z ? 1.0 : 0.0; };
                sum += norm(fit_of(fit, Double4{2, 0, 0, 0}, one).gradient(p));
                sum_moment += norm(fit_of(fit, Double4{0, 2, 0, 0}, one).gradient(p));
            }
            worst = std::max({worst, sum, sum_moment / std::sqrt(3.0)});
        }
        EXPECT_LE(worst, value_amplification(degree)) << degree;
        EXPECT_GT(worst, 0.3 * value_amplification(degree)) << degree;
    }
}

TEST(InterpolationError, FallsWithDistanceAndDegree) {
    for (int degree = lowest_fit_degree; degree < highest_fit_degree; ++degree)
        for (const double distance : {2.0, 3.0, 5.0, 8.0, 12.0, 30.0}) {
            EXPECT_LT(fit_error(degree + 1, distance_step(distance)).source, fit_error(degree, distance_step(distance)).source + 1e-12);
            EXPECT_LE(fit_error(degree, distance_step(1.3 * distance)).source, fit_error(degree, distance_step(distance)).source);
            EXPECT_LE(fit_error(degree, distance_step(1.3 * distance)).moment, fit_error(degree, distance_step(distance)).moment);
        }
}

}  // namespace
}  // namespace asperity::gravity::test::fast_field_parts_test
