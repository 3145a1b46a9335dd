#include "asperity/report/equilibria_page.h"

#include <gtest/gtest.h>

#include <cmath>

#include "asperity/report/page.h"

namespace asperity::report::equilibria_page_test {
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

TEST(EquilibriaPage, holds_what_it_is_given_and_escapes_it) {
    EquilibriaPage page = bowl(9);
    page.heads = {"kind"};
    page.equilibria = {{.name = "saddle-<1>", .kind = "saddle", .at = {1, 0}, .energy = 1, .cells = {"saddle"}},
                       {.name = "top", .kind = "maximum", .at = {0, 1}, .energy = 1, .cells = {"maximum"}}};
    page.bodies = {{{0, 0}, {0.1, 0}, {0, 0.1}}};
    const std::string without_ridge = equilibria_page_text(page);
    EXPECT_EQ(without_ridge.find("ridge line"), std::string::npos);
    page.ridge = {{1, 0}, {0, 1}, {-1, 0}};
    const std::string whole = equilibria_page_text(page), text = whole.substr(0, whole.find(page_script));
    for (const char* part : {"a &lt;b&gt;", "saddle-&lt;1&gt;", "\"name\":\"ridge line\"", "\"name\":\"bodies\"", "\"columns\":9",
                             "\"levels\":[1]", "{\"kind\":\"crosses\",\"name\":\"saddles\",\"colour\":\"--text\",\"x\":[1],\"y\":[0]}"})
        EXPECT_NE(text.find(part), std::string::npos) << part;
    EXPECT_EQ(text.find("<b>"), std::string::npos);
    EXPECT_EQ(text.find("nan"), std::string::npos);
    EXPECT_EQ(text.find("://"), std::string::npos);
}

}  // namespace
}  // namespace asperity::report::equilibria_page_test
