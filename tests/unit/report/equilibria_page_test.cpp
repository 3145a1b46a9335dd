#include "asperity/report/equilibria_page.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace asperity::report {
namespace {

// x^2 + y^2 on a square.
EquilibriaPage bowl(int side) {
    EquilibriaPage page{.title = "a <b>", .half_width = 2, .side = side};
    for (int j = 0; j < side; ++j)
        for (int i = 0; i < side; ++i) {
            const double x = 4.0 * i / (side - 1) - 2, y = 4.0 * j / (side - 1) - 2;
            page.values.push_back(x * x + y * y);
        }
    return page;
}

TEST(EquilibriaPage, a_contour_of_a_bowl_is_a_circle) {
    const auto pieces = contour(bowl(81), 1.5);
    double length = 0;
    for (const auto& [a, b] : pieces) {
        EXPECT_NEAR(std::hypot(a.x, a.y), std::sqrt(1.5), 1e-3);
        length += std::hypot(a.x - b.x, a.y - b.y);
    }
    EXPECT_NEAR(length, 2 * 3.14159265358979 * std::sqrt(1.5), 5e-3);
    EXPECT_TRUE(contour(bowl(81), -1).empty());
}

// x y has a saddle in the middle of a cell: both branches are there, none crosses the other.
TEST(EquilibriaPage, contours_near_a_saddle_stay_apart) {
    EquilibriaPage page{.half_width = 1, .side = 2, .values = {1, -1, -1, 1}};
    for (const double level : {0.1, -0.1}) {
        const auto pieces = contour(page, level);
        ASSERT_EQ(pieces.size(), 2u);
        for (const auto& [a, b] : pieces) EXPECT_GT((a.x + b.x) * (a.y + b.y) * level, 0);
    }
}

TEST(EquilibriaPage, nothing_is_drawn_through_a_body) {
    EquilibriaPage page = bowl(5);
    page.values[12] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(contour(page, 0.5).empty());
}

TEST(EquilibriaPage, holds_what_it_is_given_and_escapes_it) {
    EquilibriaPage page = bowl(9);
    page.heads = {"kind"};
    page.equilibria = {{.name = "saddle-<1>", .kind = "saddle", .at = {1, 0}, .energy = 1, .cells = {"saddle"}},
                       {.name = "top", .kind = "maximum", .at = {0, 1}, .energy = 1, .cells = {"maximum"}}};
    page.bodies = {{{0, 0}, {0.1, 0}, {0, 0.1}}};
    const std::string without_ridge = equilibria_page_text(page);
    EXPECT_EQ(without_ridge.find("class=\"ridge\""), std::string::npos);
    page.ridge = {{1, 0}, {0, 1}, {-1, 0}};
    const std::string text = equilibria_page_text(page);
    for (const char* part :
         {"a &lt;b&gt;", "saddle-&lt;1&gt;", "class=\"ridge\"", "class=\"body\"", "class=\"stop\"", "class=\"mark maximum\""})
        EXPECT_NE(text.find(part), std::string::npos) << part;
    EXPECT_EQ(text.find("<b>"), std::string::npos);
    EXPECT_EQ(text.find("nan"), std::string::npos);
    EXPECT_EQ(text.find("://"), std::string::npos);
}

}  // namespace
}  // namespace asperity::report
