#include "asperity/report/shape_shown.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "asperity/geometry/icosphere.h"
#include "asperity/report/design_page.h"

namespace asperity::report::shape_shown_test {
namespace {

record::Surface sphere(int level) {
    const geometry::RawMesh mesh = geometry::icosphere(level);
    record::Surface surface{.vertices = mesh.vertices, .facets = {}};
    for (const geometry::Corners& f : mesh.facets) surface.facets.push_back({f[0], f[1], f[2]});
    return surface;
}

double volume(const record::Surface& surface) {
    double six = 0;
    for (const auto& f : surface.facets) {
        const auto at = [&](std::size_t k) { return surface.vertices[static_cast<std::size_t>(f[k])]; };
        six += dot(at(0), cross(at(1), at(2)));
    }
    return six / 6;
}

TEST(ShapeShown, closed_means_two_facets_at_every_edge) {
    record::Surface surface = sphere(1);
    EXPECT_TRUE(is_closed(surface));
    surface.facets.push_back(surface.facets.front());  // three at some
    EXPECT_FALSE(is_closed(surface));
    surface.facets.pop_back();
    surface.facets.pop_back();
    EXPECT_FALSE(is_closed(surface));
    EXPECT_FALSE(is_closed({}));
}

TEST(ShapeShown, only_large_closed_surfaces_are_decimated) {
    const record::Surface large = sphere(4);  // 5120 facets
    const ShownShape shown = shown_shape(large, 1000);
    EXPECT_TRUE(shown.is_closed);
    EXPECT_LE(shown.surface.facets.size(), 1125u);
    EXPECT_GE(shown.surface.facets.size(), 500u);
    EXPECT_TRUE(is_closed(shown.surface));
    EXPECT_NEAR(volume(shown.surface), volume(large), 1e-9);
    EXPECT_NE(shown.note.find("has 5120 facets; the picture shows it with"), std::string::npos) << shown.note;
    EXPECT_EQ(shown_shape(large, 5120).surface.facets.size(), 5120u);
    EXPECT_EQ(shown_shape(large, 5120).note, "");
    record::Surface open = large;
    open.facets.pop_back();
    EXPECT_EQ(shown_shape(open, 1000).surface.facets.size(), 5119u);
}

TEST(ShapeShown, json_has_every_corner) {
    const auto json = nlohmann::json::parse(shape_json(sphere(0), true));
    EXPECT_EQ(json["v"].size(), 36u);
    EXPECT_EQ(json["f"].size(), 60u);
    EXPECT_EQ(json["closed"], true);
}

// The browser draws the line where the success is as required through the success in the middle of each cell.
TEST(DesignPage, corridor_has_its_cells_by_verdict_and_the_required_line) {
    DesignPage page{.title = "a", .success = 0.55};
    page.corridor = CorridorShown{.x = {0, 1, 3}, .y = {0, 2}};
    for (const double y : page.corridor->y)
        for (const double x : page.corridor->x)
            page.corridor->cells.push_back({.success = 1 - 0.1 * x - 0.2 * y, .interval = {}, .verdict = x + y > 4 ? "below" : "sure"});
    const std::string text = design_page_text(page);
    EXPECT_NE(
        text.find("{\"kind\":\"contour\",\"name\":\"55 %\",\"colour\":\"--c1\",\"dashed\":true,\"x\":[0,1,3,0,1,3],\"y\":[0,0,0,2,2,2],"
                  "\"value\":[1,0.9,0.7,0.6,0.5,0.3],\"levels\":[0.55]}"),
        std::string::npos);
    EXPECT_NE(text.find("{\"kind\":\"bars\",\"name\":\"below\",\"colour\":\"--bad\",\"x\":[2],\"y\":[1],\"x2\":[4],\"y2\":[3],"),
              std::string::npos);
}

TEST(DesignPage, tells_what_is_asked_and_nothing_else) {
    DesignPage page{.title = "a <b>", .file = "a.toml", .success = 0.99, .confidence = 0.95, .runs = 300};
    page.curve = ResponseShown{
        .parameter = "factor", .name = "success", .unit = "%", .x = {0.5, 1}, .value = {100, 97}, .low = {99, 95}, .high = {100, 98}};
    page.largest.emplace_back("body.lander.start.position_sigma", "[1, 1, 1] m");
    const std::string text = design_page_text(page);
    EXPECT_NE(text.find("a &lt;b&gt;"), std::string::npos);
    EXPECT_NE(text.find("Largest release errors"), std::string::npos);
    EXPECT_NE(text.find("[1, 1, 1] m"), std::string::npos);
    EXPECT_EQ(text.find("Release corridor"), std::string::npos);
}

}  // namespace
}  // namespace asperity::report::shape_shown_test
