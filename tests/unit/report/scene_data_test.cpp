#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <random>

#include "asperity/report/page_data.h"

namespace asperity::report::scene_data_test {
namespace {

nlohmann::json scene_of(const record::Record& record, std::size_t named, std::vector<std::string>& notes) {
    return nlohmann::json::parse("{" + scene_json(record, named, notes) + "}");
}

record::Record three_bodies() {
    record::Record record;
    record.bodies.rows = {{.name = "ball", .shape = "sphere", .semi_axes = {2, 2, 2}},
                          {.name = "rover", .shape = "colliders", .semi_axes = {1, 2, 3}},
                          {.name = "moon", .shape = "ellipsoid", .semi_axes = {3, 2, 1}}};
    record.shapes.rows = {{.body = 1, .name = "rover", .kind = "box", .size = {1, 1, 1}},
                          {.body = 1, .name = "rover", .kind = "hull", .points = 4, .facets = 1},
                          {.body = model::ground, .name = "ground", .kind = "box", .size = {5, 5, 5}}};
    record.shapes.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    record.shapes.facets = {{0, 2, 1}};
    return record;
}

TEST(SceneData, EveryBodyHasTheFigureOfItsShapesOrOfItsSemiAxes) {
    std::vector<std::string> notes;
    const auto figures = scene_of(three_bodies(), 3, notes)["figures"];
    ASSERT_EQ(figures.size(), 4u);
    EXPECT_EQ(figures[0]["body"], -1);
    EXPECT_EQ(figures[1]["parts"][0]["kind"], "sphere");
    ASSERT_EQ(figures[2]["parts"].size(), 2u);
    EXPECT_EQ(figures[2]["parts"][0]["kind"], "box");
    EXPECT_EQ(figures[2]["parts"][1]["mesh"]["v"].size(), 12u);
    EXPECT_EQ(figures[3]["parts"][0]["size"], nlohmann::json::parse("[3,2,1]"));
    EXPECT_TRUE(notes.empty());
}

// A record of an older program says of a body with colliders no more than its semi-axes.
TEST(SceneData, WithoutShapesABodyIsItsEllipsoid) {
    record::Record record = three_bodies();
    record.shapes = {};
    std::vector<std::string> notes;
    const auto figures = scene_of(record, 3, notes)["figures"];
    ASSERT_EQ(figures.size(), 3u);
    EXPECT_EQ(figures[1]["parts"][0]["kind"], "ellipsoid");
}

TEST(SceneData, CablesThatWereCutAreLeftOutAndToldOf) {
    record::Record record = three_bodies();
    record.cables = {{.from = 0, .to = 1}, {.from = 0, .to = 2, .is_cut = 1}};
    std::vector<std::string> notes;
    EXPECT_EQ(scene_of(record, 3, notes)["cables"].size(), 1u);
    ASSERT_EQ(notes.size(), 1u);
    EXPECT_NE(notes[0].find("1 cables"), std::string::npos);
}

// Unpacked as the page does it: within half a step of the box.
TEST(SceneData, PackedPlacesAreRightToHalfAStep) {
    const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const Vec3 low{-3, 10, 1e5}, size{7, 1e-3, 0};
    std::mt19937 random(7);
    std::uniform_real_distribution<double> part(0, 1);
    std::vector<Vec3> points{low, low + size};
    for (int k = 0; k < 100; ++k) points.push_back(low + Vec3{part(random) * size.x, part(random) * size.y, part(random) * size.z});
    const std::string text = packed(points, low, size);
    ASSERT_EQ(text.size(), 6 * points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto at = [&](std::size_t k, double begin, double range) {
            const auto step = 64 * letters.find(text[6 * i + 2 * k]) + letters.find(text[6 * i + 2 * k + 1]);
            return begin + range * static_cast<double>(step) / 4095;
        };
        EXPECT_NEAR(at(0, low.x, size.x), points[i].x, 0.5001 * size.x / 4095);
        EXPECT_NEAR(at(1, low.y, size.y), points[i].y, 0.5001 * size.y / 4095);
        EXPECT_EQ(at(2, low.z, size.z), low.z);
    }
    EXPECT_EQ(packed({{std::nan(""), 10, 1e5}}, low, size), "AAAAAA");
}

TEST(SceneData, AGroupIsOneFigureWithItsFrames) {
    record::Record record = three_bodies();
    record.groups.push_back({.head = {.name = "grain", .first = 0, .count = 3}, .frame_times = {0, 1, 2}});
    record.groups[0].shown = {{.time = 0, .position = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}},
                              {.time = 2, .position = {{0, 0, 5}, {1, 0, 0}, {2, 0, 0}}}};
    record.shapes = {};
    std::vector<std::string> notes;
    const auto scene = scene_of(record, 0, notes);
    EXPECT_EQ(scene["figures"].size(), 1u);
    EXPECT_EQ(scene["figures"][0]["count"], 3);
    EXPECT_EQ(scene["groups"][0]["t"], nlohmann::json::parse("[0,2]"));
    EXPECT_EQ(scene["groups"][0]["size"], nlohmann::json::parse("[2,0,5]"));
    EXPECT_EQ(scene["groups"][0]["frames"][1].get<std::string>().size(), 18u);
    ASSERT_EQ(notes.size(), 1u);  // a frame is left out
}

// As many frames of many bodies as fit into a page, the first and the last among them.
TEST(SceneData, FramesToShowAreSpreadOverAll) {
    EXPECT_EQ(record::shown_frames(3, 100), (std::vector<std::size_t>{0, 1, 2}));
    const auto of_many = record::shown_frames(1001, 100'000);
    ASSERT_EQ(of_many.size(), 30u);
    EXPECT_EQ(of_many.front(), 0u);
    EXPECT_EQ(of_many.back(), 1000u);
    EXPECT_EQ(record::shown_frames(1001, 100).size(), 300u);
    EXPECT_TRUE(record::shown_frames(0, 10).empty());
}

}  // namespace
}  // namespace asperity::report::scene_data_test
