#include "asperity/geometry/mesh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "unit/geometry/shapes.h"

namespace asperity::geometry::test::mesh_test {
namespace {

std::string error_of(const RawMesh& mesh) {
    try {
        make_surface(mesh);
    } catch (const InputError& error) {
        std::string text;
        for (const Problem& problem : error.problems) text += problem.what + " | " + problem.hint + "\n";
        return text;
    }
    return "no error";
}

std::int32_t euler_characteristic(const SurfaceMesh& mesh) {
    const SurfaceView view = mesh.view();
    return view.vertex_count - view.edge_count + view.facet_count;
}

TEST(Mesh, ClosedShapesHaveEulerCharacteristicTwo) {
    for (const RawMesh& raw : {cube(), tetrahedron(), ball(0), ball(4, 0.7, 1.3)}) {
        const SurfaceMesh mesh = make_surface(raw);
        EXPECT_EQ(euler_characteristic(mesh), 2);
        EXPECT_TRUE(mesh.is_closed);
    }
    const SurfaceMesh sheet = make_surface(generate(FlatWorld{.side = 4, .cells = 3}));
    EXPECT_EQ(euler_characteristic(sheet), 1);  // a disc
    EXPECT_FALSE(sheet.is_closed);
}

TEST(Mesh, EdgesNeighboursAndVertexFacetsAgreeWithTheFacets) {
    for (const RawMesh& raw : {cube(), ball(3, 0.8, 1.2), generate(SpikeWorld{.cells = 7})}) {
        const SurfaceMesh mesh = make_surface(raw);
        std::size_t sides = 0;
        for (std::size_t f = 0; f < mesh.facets.size(); ++f) {
            const Facet& facet = mesh.facets[f];
            for (int k = 0; k < 3; ++k) {
                EXPECT_EQ(facet.vertex[k], raw.facets[f][static_cast<std::size_t>(k)]);
                const Edge& edge = mesh.edges[static_cast<std::size_t>(facet.edge[k])];
                EXPECT_EQ(std::minmax(facet.vertex[k], facet.vertex[(k + 1) % 3]), std::minmax(edge.vertex[0], edge.vertex[1]));
                const auto self = static_cast<std::int32_t>(f);
                EXPECT_TRUE(edge.facet[0] == self || edge.facet[1] == self);
                EXPECT_EQ(facet.neighbour[k], edge.facet[0] == self ? edge.facet[1] : edge.facet[0]);
                const Vec3 span =
                    mesh.vertices[static_cast<std::size_t>(edge.vertex[1])] - mesh.vertices[static_cast<std::size_t>(edge.vertex[0])];
                EXPECT_NEAR(norm(span - edge.length * edge.direction), 0, 4e-16 * edge.length);
                const auto begin = mesh.vertex_facets.begin();
                const auto v = static_cast<std::size_t>(facet.vertex[k]);
                EXPECT_EQ(std::count(begin + mesh.vertex_facet_begin[v], begin + mesh.vertex_facet_begin[v + 1], self), 1);
                ++sides;
            }
        }
        EXPECT_EQ(mesh.vertex_facets.size(), sides);
        for (const Edge& edge : mesh.edges) EXPECT_TRUE(edge.facet[1] == -1 || edge.facet[0] < edge.facet[1]);
    }
}

TEST(Mesh, TheNormalOfAHorizontalFacetIsExactlyUp) {
    for (const Facet& facet : make_surface(generate(FlatWorld{.side = 160, .cells = 37})).facets) EXPECT_EQ(facet.normal, (Vec3{0, 0, 1}));
}

// A needle and a cap, 1e-7 as high as long, in a plane whose normal is known.
TEST(Mesh, SliversKeepTheirNormals) {
    const Vec3 u = unit(Vec3{1, 2, -0.5});
    const Vec3 n = unit(cross(u, Vec3{0.3, -1, 2}));
    const Vec3 w = cross(n, u);
    for (const double place : {0.0, 0.5, 1.0, 1.3}) {
        const Vec3 apex = place * u + 1e-7 * w;
        const Vec3 normal = facet_normal({{}, u, apex}, {0, 1, 2});
        EXPECT_LT(norm(normal - n), 1e-8) << place;  // the corners are rounded to 1e-16, the altitude is 1e-7: 1e-9
    }
}

TEST(Mesh, PseudoNormalsOfACubePointAlongItsDiagonals) {
    const SurfaceMesh mesh = make_surface(cube());
    for (std::size_t v = 0; v < 8; ++v)  // the angles weigh one facet of 90 degrees like two of 45
        EXPECT_NEAR(norm(mesh.vertex_normals[v] - unit(mesh.vertices[v])), 0, 1e-15);
    EXPECT_EQ(mesh.lower, (Vec3{-1, -1, -1}));
    EXPECT_EQ(mesh.upper, (Vec3{1, 1, 1}));
}

TEST(Mesh, NormalsDoNotDependOnTheScale) {
    for (const double scale : {1e-140, 1e-3, 1.0, 1e140}) {
        RawMesh raw = tetrahedron();
        for (Vec3& v : raw.vertices) v *= scale;
        EXPECT_NEAR(norm(make_surface(raw).facets[3].normal - unit(Vec3{1, 1, 1})), 0, 1e-15) << scale;
    }
}

TEST(Mesh, NamesNeighboursThatWindAgainstEachOther) {
    RawMesh mesh = tetrahedron();
    std::swap(mesh.facets[3][0], mesh.facets[3][1]);
    EXPECT_EQ(error_of(mesh),
              "neighbours that wind against each other: facets 1 and 4 at vertices 2-3, facets 2 and 4 at vertices 2-4, facets 3 and 4 at "
              "vertices 3-4 | `asperity shape repair` can mend this\n");
}

TEST(Mesh, NamesTheFirstFewAndTheCount) {
    RawMesh mesh = ball(2);
    for (std::size_t f = 0; f < mesh.facets.size(); f += 2) std::swap(mesh.facets[f][0], mesh.facets[f][1]);
    const std::string text = error_of(mesh);
    EXPECT_NE(text.find(", ... ("), std::string::npos) << text;
    EXPECT_EQ(std::count(text.begin(), text.end(), ','), 5) << text;
}

// A facet of a file is named by its line.
TEST(Mesh, NamesTheLinesOfAFile) {
    RawMesh mesh = tetrahedron();
    mesh.lines = {11, 12, 14, 19};
    std::swap(mesh.facets[3][0], mesh.facets[3][1]);
    mesh.facets.push_back({0, 0, 1});
    mesh.lines.push_back(25);
    const std::string error = error_of(mesh);
    EXPECT_NE(error.find("facets without area: line 25 |"), std::string::npos) << error;
    EXPECT_NE(error.find("wind against each other: line 11 and line 19 at vertices 2-3, "), std::string::npos) << error;
    EXPECT_NE(error.find("facets, from line 11 to line 25)"), std::string::npos) << error;
}

TEST(Mesh, NamesWhatElseIsWrong) {
    EXPECT_EQ(error_of({}), "the surface has no facets | a surface needs at least one triangle\n");

    RawMesh mesh = cube();
    mesh.vertices[3].y = std::numeric_limits<double>::quiet_NaN();
    mesh.vertices[5].x = std::numeric_limits<double>::infinity();
    mesh.facets[4] = {0, 1, 8};
    mesh.facets[7] = {0, -1, 2};
    EXPECT_EQ(error_of(mesh),
              "vertices that are not finite: 4, 6 | every coordinate must be a finite number\n"
              "facets that name vertices which do not exist: 5, 8 | the surface has 8 vertices, numbered from 1\n");

    mesh = tetrahedron();
    mesh.vertices.push_back({0.5, 0.5, 0});
    mesh.facets.push_back({1, 2, 4});  // all on one line
    mesh.facets.push_back({4, 4, 3});
    mesh.facets.push_back({3, 1, 2});  // facet 3 again
    EXPECT_EQ(
        error_of(mesh),
        "facets without area: 5, 6 | `asperity shape repair` can mend this\n"
        "facets that repeat the corners of another: 7 | `asperity shape repair` can mend this\n"
        "edges with more than two facets: vertices 2-3 (4 facets, from 1 to 7), vertices 2-4 (3 facets, from 2 to 7), vertices 3-4 (3 "
        "facets, from 3 to 7) | a surface has one facet on each side of an edge; remove the others\n");

    mesh = cube();
    for (Corners& facet : mesh.facets) std::swap(facet[0], facet[1]);
    EXPECT_EQ(error_of(mesh), "the closed surface is inside out: its normals point inwards | `asperity shape repair` can mend this\n");
}

}  // namespace
}  // namespace asperity::geometry::test::mesh_test
