// Faces of bodies, and the one that is down.
#include "asperity/analysis/resting_face.h"

#include <gtest/gtest.h>

#include <cmath>

#include "asperity/geometry/hull.h"

namespace asperity::analysis {
namespace {

model::BodyKind body_of(std::vector<model::Collider> colliders) {
    model::BodyKind body = model::sphere_kind(1, 1);
    body.colliders = std::move(colliders);
    return body;
}

std::string down(const model::BodyKind& body, const Vec3& d) {
    const Faces faces(body);
    return faces.name(faces.down(d));
}

TEST(RestingFace, ABoxHasSixNamedByTheAxesInWhichItIsWrittenDown) {
    model::BodyKind box = body_of({{.shape = model::Box{{0.15, 0.1, 0.05}}}});
    EXPECT_EQ(down(box, {0, 0, -1}), "-z");
    EXPECT_EQ(down(box, {0.1, -0.2, 3}), "+z");
    EXPECT_EQ(down(box, {5, 0, 0}), "+x");
    EXPECT_EQ(down(box, {0, -1, 0}), "-y");
    box.principal.q = rotation({0, 0, 0.5 * 3.14159265358979323846});  // its own x is the y of the file
    EXPECT_EQ(down(box, {5, 0, 0}), "+y");
}

// The plumb line of a flat box leaves through its large face up to the angle of the edge, atan(0.15 / 0.05), and not to 45 degrees: so far
// a rough slope can carry it on that face.
TEST(RestingFace, IsWhereThePlumbLineLeavesAndNotTheNearestNormal) {
    const model::BodyKind box = body_of({{.shape = model::Box{{0.15, 0.1, 0.05}}}});
    const double edge = std::atan2(0.15, 0.05);
    for (const double off : {-1e-6, 1e-6})
        EXPECT_EQ(down(box, {std::sin(edge + off), 0, -std::cos(edge + off)}), off < 0 ? "-z" : "+x") << off;
    model::BodyKind high = box;  // the same box, its centre of mass near its upper face
    high.colliders[0].pose.p = {0, 0, -0.04};
    const double nearer = std::atan2(0.15, 0.09);
    for (const double off : {-1e-6, 1e-6})
        EXPECT_EQ(down(high, {std::sin(nearer + off), 0, -std::cos(nearer + off)}), off < 0 ? "-z" : "+x") << off;
}

TEST(RestingFace, HullsAndCompoundsNameFacesByTheirNormals) {
    const geometry::Hull hull = geometry::make_hull({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}});
    EXPECT_EQ(down(body_of({{.shape = hull}}), {1, 1, -1}), "(0.577 0.577 -0.577)");
    // A box on three feet, balls of 5 cm: the plane of the feet is a face, and the box has none there.
    std::vector<model::Collider> lander{{.shape = model::Box{{0.5, 0.5, 0.4}}}};
    for (int k = 0; k < 3; ++k)
        lander.push_back({.shape = model::Sphere{0.05}, .pose = {.p = {1.2 * std::cos(2.0944 * k), 1.2 * std::sin(2.0944 * k), -0.8}}});
    EXPECT_EQ(down(body_of(lander), {0.1, 0.2, -1}), "-z");
    EXPECT_EQ(down(body_of(lander), {0, 0, 1}), "+z");
}

TEST(RestingFace, CylindersHaveTwoEndsAndASideAndBallsNoFace) {
    const model::BodyKind cylinder = body_of({{.shape = model::Cylinder{.radius = 0.1, .half_height = 0.2}}});
    EXPECT_EQ(down(cylinder, {0, 0, 1}), "+z");
    EXPECT_EQ(down(cylinder, {0.3, 0.2, 0.1}), "side");
    EXPECT_TRUE(Faces(body_of({{.shape = model::Sphere{1}}})).empty());
    EXPECT_TRUE(Faces(model::sphere_kind(1, 1)).empty());
    EXPECT_TRUE(Faces(body_of({{.shape = model::Capsule{.radius = 0.1, .half_length = 1}}})).empty());
}

}  // namespace
}  // namespace asperity::analysis
