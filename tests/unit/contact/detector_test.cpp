#include "asperity/contact/detector.h"

#include <gtest/gtest.h>

#include <random>

#include "asperity/core/parallel.h"
#include "asperity/geometry/worlds.h"

namespace asperity::contact::detector_test {
namespace {

model::Model balls(const std::vector<double>& radii) {
    model::Model model;
    for (const double radius : radii) model.parameters.bodies.add(model::sphere_kind(radius, 1));
    return model;
}

struct Draw {
    std::mt19937_64 engine{20261118};
    double operator()(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); }
    Vec3 vector(double size) { return {(*this)(-size, size), (*this)(-size, size), (*this)(-size, size)}; }
    Quat turn() { return unit(Quat{(*this)(-1, 1), (*this)(-1, 1), (*this)(-1, 1), (*this)(-1, 1)}); }
};

ContactList all_pairs(const Detector& detector, const std::vector<Vec3>& position) {
    ContactList out;
    for (std::size_t i = 0; i < position.size(); ++i) {
        detector.with_ground(i, {position[i], {}}, 0, out);
        for (std::size_t j = i + 1; j < position.size(); ++j) detector.of_pair(i, j, {position[i], {}}, {position[j], {}}, 0, out);
    }
    return out;
}

void expect_same(const ContactList& got, const ContactList& wanted) {
    ASSERT_EQ(got.size(), wanted.size());
    for (std::size_t k = 0; k < got.size(); ++k) {
        EXPECT_EQ(got[k].key(), wanted[k].key());
        EXPECT_EQ(got[k].gap, wanted[k].gap);
        EXPECT_EQ(got[k].normal, wanted[k].normal);
    }
}

TEST(Detector, CellsFindWhatAllPairsFindInTheSameOrder) {
    Draw draw;
    std::vector<double> radii;
    std::vector<Vec3> position;
    for (int i = 0; i < 600; ++i) {
        radii.push_back(i % 200 == 7 ? draw(3, 6) : draw(0.3, 0.6));  // three are too large for the cells
        position.push_back(draw.vector(5));
    }
    model::Model model = balls(radii);
    model.parameters.ground = {{.shape = model::HalfSpace{}, .pose = {.p = {0, 0, -4.6}, .q = {}}}};
    Detector kept(model);
    const std::vector<Quat> orientation(position.size());
    ContactList found;
    for (int move = 0; move < 30; ++move) {  // candidates are kept for some of the moves, and must not show
        const ContactList wanted = all_pairs(kept, position);
        kept.detect(position, orientation, found);
        expect_same(found, wanted);
        ContactList each;
        kept.for_each(position, orientation, [&](const ContactPoint& contact) { each.push_back(contact); });
        expect_same(each, wanted);
        for (Vec3& p : position) p += draw.vector(0.02);
    }
    EXPECT_GT(found.size(), 500u);
}

TEST(Threads, TheListOfContactsHasTheSameBits) {
    Draw draw;
    std::vector<Vec3> position;
    for (int i = 0; i < 5000; ++i) position.push_back(draw.vector(8));  // more than a batch
    const model::Model model = balls(std::vector<double>(5000, 0.5));
    const std::vector<Quat> orientation(position.size());
    ContactList one, other;
    {
        const ThreadLimit limit(1);
        Detector(model).detect(position, orientation, one);
    }
    const ThreadLimit limit(2);
    Detector(model).detect(position, orientation, other);
    expect_same(other, one);
    EXPECT_GT(one.size(), 1000u);
}

TEST(Detector, ASphereOnATriangulatedPlaneTouchesOnceAsOnAHalfSpace) {
    model::Model model = balls({1.0}), plane = balls({1.0});
    model::Assets assets;
    assets.surface = geometry::make_surface({{-8, -8, 0}, {8, -8, 0}, {8, 8, 0}, {-8, 8, 0}, {0, 0, 0}, {1, 3, 0}},
                                            {{0, 1, 4}, {1, 2, 4}, {2, 5, 4}, {2, 3, 5}, {3, 4, 5}, {3, 0, 4}});
    model.assets = &assets;
    model.parameters.ground = {{.shape = model::MeshShape{}}};
    model.parameters.ground_materials = {0};
    plane.parameters.ground = {{.shape = model::HalfSpace{}}};
    const Detector on_mesh(model), on_plane(plane);
    Draw draw;
    for (int i = 0; i < 2000; ++i) {
        Vec3 p{draw(-6, 6), draw(-6, 6), draw(0.5, 1)};
        if (i % 4 == 1) p = {0, 0, p.z};                                  // over a vertex
        if (i % 4 == 2) p = {p.x, -std::fabs(p.x), p.z};                  // over seams
        if (i % 4 == 3) p = {p.x / 6, p.x / 2 + draw(-1e-9, 1e-9), p.z};  // beside one, by rounding and less
        ContactList a, b;
        on_mesh.with_ground(0, {p, {}}, 0, a);
        on_plane.with_ground(0, {p, {}}, 0, b);
        ASSERT_EQ(a.size(), 1u) << i;
        ASSERT_EQ(b.size(), 1u);
        EXPECT_NEAR(a[0].gap, b[0].gap, 1e-15);
        EXPECT_LT(norm(a[0].normal - b[0].normal), 1e-8) << i;
        EXPECT_LT(norm(a[0].point - b[0].point), 1e-8);
        EXPECT_EQ(a[0].feature, b[0].feature);  // zero: memory of a law goes on over seams
    }
}

TEST(Detector, ASphereInAGutterTouchesBothSides) {
    model::Model model = balls({1.0});
    model::Assets assets;
    assets.surface = geometry::make_surface({{-9, 0, 0}, {9, 0, 0}, {9, 9, 9}, {-9, 9, 9}, {9, -9, 9}, {-9, -9, 9}},
                                            {{0, 1, 2}, {0, 2, 3}, {0, 4, 1}, {0, 5, 4}});
    model.assets = &assets;
    model.parameters.ground = {{.shape = model::MeshShape{}}};
    model.parameters.ground_materials = {0};
    const Detector detector(model);
    ContactList list;
    detector.with_ground(0, {{0.3, 0, 1.4}, {}}, 0, list);  // sqrt(2) is where it would just touch
    ASSERT_EQ(list.size(), 2u);
    EXPECT_LT(list[0].feature, list[1].feature);
    for (const ContactPoint& c : list) EXPECT_NEAR(c.gap, 1.4 / std::sqrt(2.0) - 1, 1e-15);
    EXPECT_NEAR(dot(list[0].normal, list[1].normal), 0, 1e-15);
}

// A pair of shapes that is listed is tested by being listed: invariants that hold whatever the shapes are.
TEST(ShapePairs, EveryPairHoldsItsInvariants) {
    const geometry::SurfaceMesh mesh =
        geometry::make_surface(geometry::generate(geometry::SpikeWorld{.seed = 3, .cells = 8, .height = 0.3}));
    const geometry::SurfaceView view = mesh.view();
    const std::vector<model::Shape> shapes{
        model::Sphere{0.7},
        model::Ellipsoid{{0.9, 0.6, 0.5}},
        model::Markers{{{0.5, 0, 0}, {0, 0.4, 0.2}}},
        model::HalfSpace{},
        model::MeshShape{},
        model::Box{{0.5, 0.4, 0.3}},
        model::Cylinder{0.4, 0.5},
        model::Cone{0.5, 0.9},
        model::Capsule{0.25, 0.4},
        geometry::make_hull({{0.5, 0, 0}, {-0.4, 0.4, 0}, {-0.3, -0.5, 0}, {0, 0, 0.6}, {0.1, 0.1, -0.4}})};
    const auto is_solid = [](const model::Shape& shape) { return shape.index() > model::Shape{model::MeshShape{}}.index(); };
    ASSERT_EQ(shapes.size(), std::variant_size_v<model::Shape>);
    Draw draw;
    int pairs = 0;
    for (const model::Shape& a : shapes)
        for (const model::Shape& b : shapes) {
            EXPECT_EQ(has_narrow_phase(a, b), has_narrow_phase(b, a));
            if (!has_narrow_phase(a, b)) continue;
            ++pairs;
            int seen = 0;
            for (int i = 0; i < 400; ++i) {
                const bool is_flat = std::holds_alternative<model::MeshShape>(a) || std::holds_alternative<model::MeshShape>(b);
                const auto pose = [&](const model::Shape& shape) {
                    return std::holds_alternative<model::MeshShape>(shape) ? Pose{} : Pose{draw.vector(is_flat ? 1.5 : 1.0), draw.turn()};
                };
                const ShapePair pair{a, pose(a), b, pose(b), &view, 0.2}, turned{pair.b, pair.pose_b, pair.a, pair.pose_a, &view, 0.2};
                geometry::TouchPoint found[most_touches], back[most_touches];
                const int count = touches(pair, found);
                // two of one kind: whose face is the reference depends on the order; their gaps are compared in shape_pairs_test.cpp
                if (is_solid(a) && a.index() == b.index()) {
                    seen += count;
                    continue;
                }
                ASSERT_EQ(touches(turned, back), count);
                seen += count;
                for (int k = 0; k < count; ++k) {
                    EXPECT_NEAR(norm(found[k].normal), 1, 1e-12);
                    EXPECT_LT(found[k].gap, 0.2);
                    EXPECT_LT(norm(found[k].normal + back[k].normal), 1e-6) << name(a) << " " << name(b);
                    EXPECT_NEAR(found[k].gap, back[k].gap, 1e-9);
                }
                // moved apart along the normal, a single contact opens by as much
                if (count != 1 || is_solid(a) || is_solid(b) || is_flat || std::holds_alternative<model::Markers>(a) ||
                    std::holds_alternative<model::Markers>(b))
                    continue;
                ShapePair apart{a, {pair.pose_a.p + 1e-6 * found[0].normal, pair.pose_a.q}, b, pair.pose_b, &view, 1};
                ASSERT_EQ(touches(apart, back), 1);
                EXPECT_NEAR(back[0].gap - found[0].gap, 1e-6, 2e-11) << name(a) << " " << name(b);
            }
            EXPECT_GT(seen, 20) << name(a) << " " << name(b);
        }
    EXPECT_EQ(pairs, 81);
}

// Lowest point of an ellipsoid by brute force over its surface.
TEST(ShapePairs, AnEllipsoidOnAPlaneReachesAsFarAsItsSurface) {
    Draw draw;
    for (int i = 0; i < 20; ++i) {
        const model::Ellipsoid body{{draw(0.2, 1), draw(0.2, 1), draw(0.2, 1)}};
        const Pose pose{draw.vector(1), draw.turn()}, plane{draw.vector(1), draw.turn()};
        const Vec3 n = rotate(plane.q, {0, 0, 1});
        double lowest = 1e9;
        for (int u = 0; u <= 300; ++u)
            for (int v = 0; v < 300; ++v) {
                const double theta = 3.14159265358979 * u / 300, phi = 6.28318530717959 * v / 300;
                const Vec3 s{body.semi_axes.x * std::sin(theta) * std::cos(phi), body.semi_axes.y * std::sin(theta) * std::sin(phi),
                             body.semi_axes.z * std::cos(theta)};
                lowest = std::min(lowest, dot(pose * s - plane.p, n));
            }
        geometry::TouchPoint found[most_touches];
        const model::Shape a = body, b = model::HalfSpace{};
        ASSERT_EQ(touches({a, pose, b, plane, nullptr, 100}, found), 1);
        EXPECT_LE(found[0].gap, lowest + 1e-12);
        EXPECT_NEAR(found[0].gap, lowest, 3e-4);  // a mesh of a hundredth of a radian: its square over two
    }
}

// A foot on a boulder of a metre, 60 degrees up its side and 1 cm within it; and one above it, which does not touch.
TEST(ShapePairs, AMarkerOnASphereTouchesAlongTheRadius) {
    const Vec3 up{0.5, 0, std::sqrt(0.75)}, centre{3, 2, 1};
    const model::Shape feet = model::Markers{{0.99 * up, {0, 1.01, 0}}}, boulder = model::Sphere{1};
    geometry::TouchPoint found[most_touches];
    ASSERT_EQ(touches({feet, {centre, {}}, boulder, {centre, {}}, nullptr, 0}, found), 1);
    EXPECT_NEAR(found[0].gap, -0.01, 1e-15);
    EXPECT_LT(norm(found[0].normal - up), 1e-15);
    EXPECT_LT(norm(found[0].point - (centre + 0.99 * up)), 1e-15);
    EXPECT_EQ(found[0].part, 0u);
}

TEST(Detector, APairOfShapesWithoutNarrowPhaseIsNamed) {
    model::Model model = balls({1.0});
    model.parameters.ground = {{.shape = model::HalfSpace{}}};
    EXPECT_EQ(missing_pair(model), "");
    model.parameters.bodies.kinds[0].colliders = {{.shape = model::Markers{{{0, 0, 1}}}}};
    EXPECT_EQ(missing_pair(model), "");
    model.parameters.bodies.add({.mass = 1, .semi_axes = {1, 2, 3}, .inertia = {1, 1, 1}});
    EXPECT_EQ(missing_pair(model),
              "markers and ellipsoid can touch, but there is no narrow phase for this pair of shapes: where they do is not known");
}

}  // namespace
}  // namespace asperity::contact::detector_test
