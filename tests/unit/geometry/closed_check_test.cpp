#include "asperity/geometry/closed_check.h"

#include <boost/multiprecision/cpp_int.hpp>
#include <gtest/gtest.h>

#include <random>

#include "asperity/geometry/exact_sign.h"
#include "unit/geometry/shapes.h"

namespace asperity::geometry::test::closed_check_test {
namespace {

constexpr unsigned seed = 2024;

// "what | hint | note", one per problem.
std::string problems_of(const RawMesh& mesh) {
    std::string list;
    for (const Problem& p : closed_problems(mesh)) list += fmt::format("{} | {} | {}\n", p.what, p.hint, p.note);
    return list.empty() ? "sound" : list;
}

RawMesh moved(RawMesh mesh, const Vec3& offset, double scale = 100) {
    for (Vec3& v : mesh.vertices) v = offset + scale * v;
    return mesh;
}

RawMesh joined(RawMesh a, const RawMesh& b) {
    const auto first = static_cast<std::int32_t>(a.vertices.size());
    a.vertices.insert(a.vertices.end(), b.vertices.begin(), b.vertices.end());
    for (const Corners& facet : b.facets) a.facets.push_back({facet[0] + first, facet[1] + first, facet[2] + first});
    return a;
}

const std::string repair_hint = " | `asperity shape repair` can mend this | ";

TEST(ClosedCheck, TakesSolids) {
    for (const RawMesh& mesh : {cube(), tetrahedron(), ball(4), ball(3, 0.6, 1.4), moved(ball(3), {1e6, 0, 0})})
        EXPECT_EQ(problems_of(mesh), "sound");
    EXPECT_TRUE(make_closed_surface(ball(2)).is_closed);
}

TEST(ClosedCheck, NamesTheEdgesOfAHole) {
    RawMesh mesh = moved(cube(), {});
    mesh.facets.pop_back();
    const std::string hint = " | an asteroid's has no holes: close them in a modeller | \n";
    EXPECT_EQ(problems_of(mesh),
              "the surface is open: edges with one facet: vertices 4-6 (facet 11), vertices 4-8 (facet 8), vertices 6-8 (facet 4)" + hint);
    for (std::int32_t f = 0; f < 11; ++f) mesh.lines.push_back(101 + f);
    EXPECT_EQ(
        problems_of(mesh),
        "the surface is open: edges with one facet: vertices 4-6 (line 111), vertices 4-8 (line 108), vertices 6-8 (line 104)" + hint);
    const RawMesh flat = generate(FlatWorld{.cells = 4});
    EXPECT_NE(problems_of(flat).find(", ... (16 in all)"), std::string::npos);
    EXPECT_THROW(make_closed_surface(flat), InputError);
}

TEST(ClosedCheck, NamesAFlippedFacetAndAShellInsideOut) {
    RawMesh mesh = moved(tetrahedron(), {});
    std::swap(mesh.facets[3][1], mesh.facets[3][2]);
    EXPECT_EQ(problems_of(mesh),
              "neighbours that wind against each other: vertices 2-3 (facet 1 and facet 4), vertices 2-4 (facet 2 and facet "
              "4), vertices 3-4 (facet 3 and facet 4)" +
                  repair_hint + "\n");
    mesh = moved(cube(), {});
    for (Corners& facet : mesh.facets) std::swap(facet[1], facet[2]);
    EXPECT_EQ(problems_of(mesh), "the closed surface is inside out: its volume is -8e+06 m^3" + repair_hint + "\n");
}

TEST(ClosedCheck, NamesWhatIsNoMeshAtAll) {
    EXPECT_EQ(problems_of({}), "the surface has no facets | a surface needs at least one triangle | \n");
    RawMesh mesh = cube();
    mesh.vertices[2].y = NAN;
    EXPECT_EQ(problems_of(mesh), "vertices that are not finite: 3 | every coordinate must be a finite number | \n");
}

TEST(ClosedCheck, NamesFacetsWithoutAreaAndThoseThatStandTwice) {
    RawMesh mesh = moved(cube(), {});
    mesh.facets.push_back({0, 1, 1});
    EXPECT_EQ(problems_of(mesh).substr(0, 70), ("facets without area: facet 13" + repair_hint + "\nedges with more t").substr(0, 70));
    mesh = moved(cube(), {});
    mesh.facets.push_back(mesh.facets[4]);
    EXPECT_EQ(
        problems_of(mesh),
        "facets that repeat the corners of another: facet 13" + repair_hint +
            "\nedges with more than two facets: vertices 1-2 (3 facets, from facet 1 to facet 13), vertices 1-5 (3 facets, from facet 5 to "
            "facet 13), vertices 2-5 (3 facets, from facet 5 to facet 13) | a surface has one facet on each side of an edge; remove the "
            "others | \n");
}

TEST(ClosedCheck, NamesVerticesThatStandTwice) {
    RawMesh mesh = moved(tetrahedron(), {});
    mesh.vertices.push_back(mesh.vertices[1]);
    mesh.facets[3] = {4, 2, 3};
    EXPECT_EQ(
        problems_of(mesh),
        "the surface is open: edges with one facet: vertices 2-3 (facet 1), vertices 2-4 (facet 2), vertices 3-5 (facet 4), vertices 4-5 "
        "(facet 4) | an asteroid's has no holes: close them in a modeller | \n"
        "vertices at the same place: 2 and 5 | `asperity shape repair` makes one of them | \n");
}

// Two tetrahedra with a vertex in common, and with an edge in common.
TEST(ClosedCheck, NamesVerticesAndEdgesAtWhichItIsNoSurface) {
    RawMesh mesh = joined(moved(tetrahedron(), {}), moved(tetrahedron(), {}, -100));
    for (std::size_t f = 4; f < 8; ++f) {
        for (std::int32_t& v : mesh.facets[f]) v = v == 4 ? 0 : v;
        std::swap(mesh.facets[f][1], mesh.facets[f][2]);
    }
    EXPECT_EQ(
        problems_of(mesh),
        "vertices at which the surface only touches itself: 1 | the facets at a vertex form one fan: move the parts from each other | \n"
        "the surface is 2 separate shells: 4 facets with facet 1, 4 facets with facet 5 | a solid has one, cavities are not supported: "
        "write "
        "each body to a file of its own | \n");
}

TEST(ClosedCheck, NamesTwoShells) {
    EXPECT_EQ(
        problems_of(joined(moved(cube(), {}), moved(tetrahedron(), {1000, 0, 0}))),
        "the surface is 2 separate shells: 12 facets with facet 1, 4 facets with facet 13 | a solid has one, cavities are not supported: "
        "write each body to a file of its own | \n");
}

TEST(ClosedCheck, NamesASheetThatBoundsNoVolume) {
    // a square seen from both sides, with a vertex of its own in the middle of each
    const RawMesh mesh{{{0, 0, 0}, {90, 0, 0}, {90, 90, 0}, {0, 90, 0}, {40, 40, 0}, {50, 50, 0}},
                       {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}, {1, 0, 5}, {2, 1, 5}, {3, 2, 5}, {0, 3, 5}}};
    EXPECT_EQ(problems_of(mesh), "the closed surface bounds no volume | its two sides lie on each other: is it a sheet? | \n");
}

// A bipyramid whose upper tip is pushed down: through the lower one, onto it, and not as far.
TEST(ClosedCheck, NamesFacetsThatCutOrTouch) {
    const auto bowl = [](double tip) {
        return RawMesh{{{-60, -60, 0}, {60, -60, 0}, {60, 60, 0}, {-60, 60, 0}, {0, 0, -30}, {7, 3, tip}},
                       {{0, 1, 5}, {1, 2, 5}, {2, 3, 5}, {3, 0, 5}, {1, 0, 4}, {2, 1, 4}, {3, 2, 4}, {0, 3, 4}}};
    };
    EXPECT_EQ(problems_of(bowl(-26)), "sound");
    const double on_it = -30 + 30 * 7.0 / 60;  // the plane of the facet towards +x, which is -26.5
    EXPECT_EQ(problems_of(bowl(std::nextafter(on_it, 0))), "sound") << "by the last bit";
    const std::string hint = " | neighbours have an edge or a vertex in common, others nothing: move them apart in a modeller | \n";
    EXPECT_EQ(problems_of(bowl(on_it)).substr(0, 56), "facets that cut or touch each other: facet 1 and facet 6") << "it only touches";
    const std::string cut = problems_of(bowl(-27));
    EXPECT_EQ(cut.substr(0, 38), "facets that cut or touch each other: f");
    EXPECT_EQ(cut.substr(cut.size() - hint.size()), hint);
}

TEST(ClosedCheck, NamesNeighboursFoldedOntoEachOther) {
    // facet 3, half of the cube's top, cut in three from a point inside it; then that point is pulled over facet 4, the other half
    RawMesh mesh = moved(cube(), {});
    mesh.vertices.push_back({-30, -30, 100});
    mesh.facets[2] = {4, 5, 8};
    mesh.facets.push_back({5, 6, 8});
    mesh.facets.push_back({6, 4, 8});
    EXPECT_EQ(problems_of(mesh), "sound") << "in the plane, but on the other side of each edge";
    mesh.vertices[8] = {50, 50, 100};
    EXPECT_EQ(problems_of(mesh),
              "facets that cut or touch each other: facet 3 and facet 4, facet 3 and facet 13, facet 4 and facet 13, facet 4 "
              "and facet 14, facet 13 and facet 14"
              " | neighbours have an edge or a vertex in common, others nothing: move them apart in a modeller | \n");
}

TEST(ClosedCheck, AsksWhetherTheUnitIsRight) {
    EXPECT_EQ(unit_hint(moved(tetrahedron(), {}, 0.5)), "the shape is 0.866 m across: are these kilometres?");
    EXPECT_EQ(unit_hint(moved(tetrahedron(), {}, 1e7)), "the shape is 1.73e+07 m across: are these metres?");
    EXPECT_EQ(unit_hint(moved(tetrahedron(), {}, 300)), "");
    RawMesh mesh = tetrahedron();
    mesh.facets.pop_back();
    EXPECT_EQ(closed_problems(mesh).back().note, "the shape is 1.73 m across: are these kilometres?");
}

using Rational = boost::multiprecision::cpp_rational;

int exact_sign(const Rational& x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

// Against rational numbers: points in general, on a coarse grid (many zeros), and moved off a plane by their last bits.
TEST(ExactSign, AgreesWithRationalNumbers) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> u(-1, 1);
    int zeros = 0;
    for (int k = 0; k < 3000; ++k) {
        Vec3 p[4];
        for (Vec3& v : p) v = {u(random), u(random), u(random)};
        if (k % 3 == 1)
            for (Vec3& v : p) v = {std::round(1.5 * v.x) / 8, std::round(1.5 * v.y) / 8, std::round(1.5 * v.z) / 8};
        if (k % 3 == 2) {
            p[3] = p[0] + u(random) * (p[1] - p[0]) + u(random) * (p[2] - p[0]);
            if (k % 2 == 0) p[3].z = std::nextafter(p[3].z, 2.0);
        }
        Rational d[3][3];
        for (int i = 0; i < 3; ++i) {
            d[i][0] = Rational(p[i].x) - Rational(p[3].x);
            d[i][1] = Rational(p[i].y) - Rational(p[3].y);
            d[i][2] = Rational(p[i].z) - Rational(p[3].z);
        }
        const Rational volume = d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) - d[0][1] * (d[1][0] * d[2][2] - d[1][2] * d[2][0]) +
                                d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0]);
        ASSERT_EQ(side(p[0], p[1], p[2], p[3]), exact_sign(volume)) << k;
        zeros += volume == 0;
        const Rational area = (Rational(p[0].x) - Rational(p[2].x)) * (Rational(p[1].y) - Rational(p[2].y)) -
                              (Rational(p[0].y) - Rational(p[2].y)) * (Rational(p[1].x) - Rational(p[2].x));
        ASSERT_EQ(turn({p[0].x, p[0].y}, {p[1].x, p[1].y}, {p[2].x, p[2].y}), exact_sign(area)) << k;
    }
    EXPECT_GT(zeros, 100);
}

// A ball with one vertex pushed through the other side, and not as far.
TEST(ClosedCheck, DoesNotDependOnTheOrderOfFacets) {
    std::mt19937_64 random(seed);
    RawMesh mesh = moved(ball(3), {});
    mesh.vertices[0] = {-130, 5, 3};
    RawMesh other = mesh;
    std::shuffle(other.facets.begin(), other.facets.end(), random);
    EXPECT_EQ(closed_problems(mesh).size(), 1u);
    EXPECT_EQ(closed_problems(other).size(), 1u);
    mesh.vertices[0] = {80, 5, 3};
    EXPECT_EQ(problems_of(mesh), "sound");
}

}  // namespace
}  // namespace asperity::geometry::test::closed_check_test
