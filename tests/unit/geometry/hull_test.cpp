// Convex hulls of points: faces, edges, what bounds no solid.
#include "asperity/geometry/hull.h"

#include <gtest/gtest.h>

#include <cmath>

#include "asperity/core/errors.h"
#include "unit/geometry/convex_reference.h"

namespace asperity::geometry::hull_test {
namespace {

std::vector<Vec3> corners_of_box(const Vec3& half, const Pose& pose) {
    std::vector<Vec3> out;
    for (int k = 0; k < 8; ++k) out.push_back(pose * Vec3{k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z});
    return out;
}

// Euler's formula, edges with two faces, all points on the inner side of all faces.
void expect_sound(const Hull& hull, const std::vector<Vec3>& points) {
    EXPECT_EQ(hull.vertices.size() + hull.faces(), hull.edges.size() + 2);
    double size = 0;
    for (const Vec3& p : points) size = std::fmax(size, norm(p - points[0]));
    for (std::size_t f = 0; f < hull.faces(); ++f) {
        const auto first = static_cast<std::size_t>(hull.corners[static_cast<std::size_t>(hull.face_begin[f])]);
        EXPECT_NEAR(norm(hull.normals[f]), 1, 1e-15);
        for (const Vec3& p : points) EXPECT_LE(dot(hull.normals[f], p - hull.vertices[first]), 1e-11 * size);
    }
    for (const HullEdge& e : hull.edges) EXPECT_TRUE(e.face[0] >= 0 && e.face[1] >= 0 && e.face[0] != e.face[1]);
}

TEST(Hull, OfABoxHasSixFacesWhereverItLies) {
    test::Draw draw(20261119);
    for (const double scale : {1e-3, 1.0, 1e4})
        for (int run = 0; run < 20; ++run) {
            const Vec3 half = scale * Vec3{draw(0.2, 2), draw(0.2, 2), draw(0.01, 1)};
            std::vector<Vec3> points = corners_of_box(half, {scale * draw.direction(), draw.turn()});
            points.push_back(0.5 * (points[0] + points[1]));  // on an edge, on a face, inside, twice
            points.push_back(0.25 * (points[0] + points[1] + points[2] + points[3]));
            points.push_back(0.5 * (points[0] + points[7]));
            points.push_back(points[5]);
            std::shuffle(points.begin(), points.end(), draw.engine);
            const Hull hull = make_hull(points);
            expect_sound(hull, points);
            EXPECT_EQ(hull.faces(), 6u);
            EXPECT_EQ(hull.edges.size(), 12u);
            EXPECT_EQ(hull.vertices.size(), 8u);
        }
}

TEST(Hull, OfPointsOnASphereHasThemAll) {
    test::Draw draw(20261120);
    for (const std::size_t count : {4u, 10u, 100u}) {
        std::vector<Vec3> points;
        for (std::size_t k = 0; k < count; ++k) points.push_back(draw.direction());
        const Hull hull = make_hull(points);
        expect_sound(hull, points);
        EXPECT_EQ(hull.vertices, points);
        EXPECT_EQ(hull.faces(), 2 * count - 4);
    }
}

TEST(Hull, RefusesWhatBoundsNoSolid) {
    const auto message = [](const std::vector<Vec3>& points) -> std::string {
        try {
            make_hull(points);
        } catch (const InputError& error) {
            return error.problems.front().what;
        }
        return {};
    };
    EXPECT_EQ(message({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}), "a hull needs at least four points, not 3");
    EXPECT_EQ(message({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}), "the 4 points of the hull lie in one plane: they bound no solid");
    EXPECT_EQ(message({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}}),
              "the 4 points of the hull lie in one plane, even on one line: they bound no solid");
    EXPECT_EQ(message({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, HUGE_VAL}}), "point 4 of the hull is not finite");
    std::vector<Vec3> prism;
    for (int k = 0; k < 70; ++k)
        for (const double z : {0.0, 1.0})
            prism.push_back({std::cos(2 * std::numbers::pi * k / 70), std::sin(2 * std::numbers::pi * k / 70), z});
    EXPECT_EQ(message(prism), "a face of the hull has 70 corners, more than 64");
    EXPECT_EQ(message({{0, 0, 0}, {1e-3, 0, 0}, {0, 1e-3, 0}, {0, 0, 1e-10}}), "");  // small, but not flat
}

}  // namespace
}  // namespace asperity::geometry::hull_test
