// The table of shape pairs: which pairs it has, that both orders agree, that compounds touch as what they make up.
#include "asperity/contact/shape_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace asperity::contact::shape_pairs_test {
namespace {

using geometry::TouchPoint;

const std::vector<model::Shape>& solids() {
    static const std::vector<model::Shape> all{
        model::Sphere{0.5},        model::Box{{0.5, 0.4, 0.3}},
        model::Cylinder{0.4, 0.5}, model::Cone{0.5, 0.9},
        model::Capsule{0.25, 0.4}, geometry::make_hull({{0.5, 0, 0}, {-0.4, 0.4, 0}, {-0.3, -0.5, 0}, {0, 0, 0.6}, {0.1, 0.1, -0.4}})};
    return all;
}

struct Draw {
    std::mt19937_64 engine{20261119};
    double normal() { return std::normal_distribution<double>()(engine); }
    Vec3 vector() { return {normal(), normal(), normal()}; }
    Quat turn() { return unit(Quat{normal(), normal(), normal(), normal()}); }
};

std::vector<TouchPoint> touch(const model::Shape& a, const Pose& pose_a, const model::Shape& b, const Pose& pose_b, double margin = 0) {
    TouchPoint out[most_touches];
    const int count = touches({a, pose_a, b, pose_b, nullptr, margin}, out);
    return {out, out + count};
}

TEST(ShapePairs, SolidsTouchEachOtherAndTheGround) {
    for (const model::Shape& a : solids()) {
        for (const model::Shape& b : solids()) EXPECT_TRUE(has_narrow_phase(a, b)) << name(a) << " " << name(b);
        EXPECT_TRUE(has_narrow_phase(a, model::HalfSpace{})) << name(a);
        EXPECT_TRUE(has_narrow_phase(a, model::MeshShape{})) << name(a);
        EXPECT_TRUE(has_narrow_phase(a, model::Markers{})) << name(a);
    }
    EXPECT_FALSE(has_narrow_phase(model::Ellipsoid{{1, 1, 1}}, model::Box{{1, 1, 1}}));
    EXPECT_FALSE(has_narrow_phase(model::HalfSpace{}, model::HalfSpace{}));
}

TEST(ShapePairs, BothOrdersAgree) {
    Draw draw;
    int touching = 0;
    for (int run = 0; run < 30; ++run)
        for (const model::Shape& a : solids())
            for (const model::Shape& b : solids()) {
                const Pose pose_a{0.35 * draw.vector(), draw.turn()}, pose_b{0.35 * draw.vector(), draw.turn()};
                const auto one = touch(a, pose_a, b, pose_b), other = touch(b, pose_b, a, pose_a);
                ASSERT_EQ(one.empty(), other.empty());
                if (one.empty()) continue;
                ++touching;
                const auto deepest = [](const auto& list) { return std::ranges::min_element(list, {}, &TouchPoint::gap)->gap; };
                EXPECT_NEAR(deepest(one), deepest(other), 1e-12) << name(a) << " " << name(b) << " " << run;
            }
    EXPECT_GT(touching, 300);
}

TEST(ShapePairs, AMarkerIsTheSmallestOfSpheres) {
    Draw draw;
    int inside = 0;
    for (int run = 0; run < 300; ++run) {
        const Pose pose{draw.vector(), draw.turn()};
        const Vec3 point = pose.p + 0.3 * draw.vector();
        for (const model::Shape& b : solids()) {
            if (std::holds_alternative<model::Sphere>(b)) continue;
            const auto marker = touch(model::Markers{{point}}, {}, b, pose), ball = touch(model::Sphere{1e-9}, {point, {}}, b, pose);
            if (marker.empty()) continue;
            ++inside;
            ASSERT_EQ(ball.size(), 1u);
            EXPECT_NEAR(marker[0].gap, ball[0].gap + 1e-9, 1e-12);
            EXPECT_EQ(marker[0].point, point);  // nothing of a point gives way
        }
    }
    EXPECT_GT(inside, 100);
}

// Eight boxes, the box that they make up and the hull of its corners: the ground is as deep in each.
TEST(ShapePairs, EightBoxesAreABoxIsAHull) {
    const Vec3 half{0.5, 0.4, 0.3};
    std::vector<Vec3> corners;
    for (int k = 0; k < 8; ++k) corners.push_back({k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z});
    const model::Shape box = model::Box{half}, hull = geometry::make_hull(corners), ground = model::HalfSpace{}, ball = model::Sphere{0.6};
    Draw draw;
    for (int run = 0; run < 200; ++run) {
        const Pose pose{{0, 0, 0.4 + 0.1 * draw.normal()}, draw.turn()}, beside{pose.p + 0.8 * unit(draw.vector()), {}};
        const auto of_box = touch(box, pose, ground, {}), of_hull = touch(hull, pose, ground, {});
        ASSERT_EQ(of_box.size(), of_hull.size());
        for (std::size_t k = 0; k < of_box.size(); ++k) {
            EXPECT_NEAR(of_box[k].gap, of_hull[k].gap, 1e-15);
            EXPECT_NEAR(norm(of_box[k].point - of_hull[k].point), 0, 1e-15);
        }
        double deepest = 0, of_parts = 0;
        for (const TouchPoint& t : of_box) deepest = std::fmin(deepest, t.gap);
        for (const Vec3& c : corners)
            for (const TouchPoint& t : touch(model::Box{0.5 * half}, pose * Pose{0.5 * c, {}}, ground, {}))
                of_parts = std::fmin(of_parts, t.gap);
        EXPECT_NEAR(deepest, of_parts, 1e-15);
        const auto ball_on_box = touch(ball, beside, box, pose), ball_on_hull = touch(ball, beside, hull, pose);
        ASSERT_EQ(ball_on_box.size(), ball_on_hull.size());
        if (!ball_on_box.empty()) {
            EXPECT_NEAR(ball_on_box[0].gap, ball_on_hull[0].gap, 1e-14);
        }
    }
}

}  // namespace
}  // namespace asperity::contact::shape_pairs_test
