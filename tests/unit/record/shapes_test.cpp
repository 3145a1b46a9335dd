#include "asperity/record/shapes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "asperity/core/errors.h"
#include "unit/record/bouncing_ball.h"
#include "unit/record/write_record.h"

namespace asperity::record::shapes_test {
namespace {

using test::bouncing_record;

model::Hull box_hull(const Vec3& half) {
    std::vector<Vec3> points;
    for (int k = 0; k < 8; ++k) points.push_back({k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z});
    return geometry::make_hull(points);
}

Shapes some_shapes() {
    const model::Assets assets;
    const model::Model model{.assets = &assets};
    Shapes shapes;
    const auto add = [&](const model::Shape& shape, const Pose& pose = {}) {
        add_shape(model, {.shape = shape, .pose = pose}, {.body = 0, .name = "rover"}, shapes);
    };
    add(model::Box{{1, 2, 3}}, {{4, 5, 6}, {0, 1, 0, 0}});
    add(model::Cylinder{2, 7});
    add(model::Cone{2, 7});
    add(model::Capsule{2, 7});
    add(box_hull({1, 2, 4}));
    add(model::Markers{{{1, 0, 0}, {0, 1, 0}}});
    return shapes;
}

// Six times the volume of tetrahedra from the origin.
TEST(Shapes, TrianglesOfAHullEncloseItsVolume) {
    const Shapes shapes = some_shapes();
    const ShapeRow& hull = shapes.rows[4];
    ASSERT_EQ(hull.kind, "hull");
    ASSERT_EQ(hull.points, 8);
    ASSERT_EQ(hull.facets, 12);
    double volume = 0;
    const auto corner = [&](std::int64_t k) { return shapes.points[static_cast<std::size_t>(k)]; };
    for (const auto& [a, b, c] : shapes.facets) volume += dot(corner(a), cross(corner(b), corner(c))) / 6;
    EXPECT_DOUBLE_EQ(volume, 8.0 * 1 * 2 * 4);  // outwards: positive
}

TEST(Shapes, ComeBackFromARecordAsTheyWere) {
    const auto path = test::fresh_folder("shapes_back") / "record.h5";
    Record record = bouncing_record(20);
    record.shapes = some_shapes();
    record.given = {{.time = 1, .body = 1, .position = {1, 2, 3}, .orientation = {0, 0, 1, 0}}};
    record.cables = {{.from = 0, .from_at = {0, 0, 1}, .to_at = {4, 5, 6}, .is_cut = 1}};
    record.surface.rock_centres = {{1, 2, 3}};
    record.surface.rock_radii = {0.5};
    write_record(path, record);
    const Record back = read_record(path);
    EXPECT_EQ(back.shapes, record.shapes);
    EXPECT_EQ(back.given, record.given);
    EXPECT_EQ(back.cables, record.cables);
    EXPECT_EQ(back.surface, record.surface);
    EXPECT_EQ(record_hash(back), record_hash(record));
    EXPECT_EQ(back.shapes.rows[0].kind, "box");
    EXPECT_EQ(back.shapes.rows[0].position, (Vec3{4, 5, 6}));
    EXPECT_EQ(back.shapes.rows[1].size, (Vec3{2, 2, 7}));
}

// Continued records begin with the shapes of the old one.
TEST(Shapes, GoOnWithAContinuedRecord) {
    const auto folder = test::fresh_folder("shapes_continued");
    Record record = bouncing_record(20);
    record.shapes = some_shapes();
    write_record(folder / "old.h5", record);
    RecordWriter::continue_from(folder / "old.h5", 0, folder / "new.h5").close();
    EXPECT_EQ(read_record(folder / "new.h5").shapes, record.shapes);
}

TEST(Shapes, EachCountsInTheContentHash) {
    const Record plain = bouncing_record(20);
    Record shaped = plain, given = plain, tied = plain, rocky = plain;
    shaped.shapes = some_shapes();
    given.given = {{.time = 1}};
    tied.cables = {{.from = 0}};
    rocky.surface.rock_centres = {{1, 2, 3}}, rocky.surface.rock_radii = {1};
    for (const Record* other : {&shaped, &given, &tied, &rocky}) EXPECT_NE(record_hash(*other), record_hash(plain));
    Record moved = shaped;
    moved.shapes.points[0].x += 1;
    EXPECT_NE(record_hash(moved), record_hash(shaped));
}

TEST(Shapes, RowsThatThereAreNotAreRefused) {
    const auto path = test::fresh_folder("shapes_wrong") / "record.h5";
    const auto said = [&](const auto& change) {
        Record record = bouncing_record(20);
        record.shapes = some_shapes();
        change(record.shapes);
        write_record(path, record);
        try {
            read_record(path);
        } catch (const InputError& error) {
            return error.problems.front().what;
        }
        return std::string("read");
    };
    EXPECT_EQ(said([](Shapes&) {}), "read");
    EXPECT_NE(said([](Shapes& s) { s.rows[4].points = 1000; }).find("counts rows that there are not"), std::string::npos);
    EXPECT_NE(said([](Shapes& s) { s.rows[4].facets = -1; }).find("counts rows that there are not"), std::string::npos);
    EXPECT_NE(said([](Shapes& s) { s.facets[0][0] = 8; }).find("names vertex 8 of 8"), std::string::npos);
}

// Turning at a constant rate, and the last time is that of the end.
TEST(Shapes, GivenPlacesFollowTheMotion) {
    const model::Turning turning{.centre = {1, 0, 0}, .rate = {0, 0, std::numbers::pi / 2}, .attitude = {}};
    const std::vector<GivenRow> rows = given_rows({{"table", {}, turning}}, 3, 1, 2.5);
    ASSERT_EQ(rows.size(), 4u);
    for (std::size_t k = 0; k < 4; ++k) {
        const double time = k < 3 ? static_cast<double>(k) : 2.5;
        EXPECT_EQ(rows[k].time, time);
        EXPECT_EQ(rows[k].body, 3);
        const Vec3 x = rotate(rows[k].orientation, {1, 0, 0});
        EXPECT_NEAR(x.x, std::cos(0.5 * std::numbers::pi * time), 1e-15);
        EXPECT_NEAR(x.y, std::sin(0.5 * std::numbers::pi * time), 1e-15);
    }
    const double never = std::numeric_limits<double>::infinity();
    EXPECT_EQ(given_rows({{"table", {}, turning}}, 3, never, 2.5).size(), 2u);  // start and end, without samples
    EXPECT_LE(given_rows({{"table", {}, turning}}, 3, 1e-6, 1).size(), 4002u);
}

}  // namespace
}  // namespace asperity::record::shapes_test
