#include "asperity/core/errors.h"

#include <gtest/gtest.h>

namespace asperity::errors_test {
namespace {

Problem wrong_unit() {
    return {.what = "`height` needs a length, got a speed",
            .file = "hopper.toml",
            .line = 7,
            .column = 10,
            .length = 8,
            .source = "height = \"40 m/s\"",
            .section = "[body.hopper]",
            .hint = "write for example \"40 m\""};
}

TEST(FormatProblems, shows_place_source_caret_hint_and_count) {
    Problem unknown{.what = "unknown key `youngs_modulus`",
                    .file = "hopper.toml",
                    .line = 17,
                    .column = 1,
                    .length = 14,
                    .source = "youngs_modulus = \"10 MPa\"",
                    .section = "[material.regolith]",
                    .hint = "did you mean `young_modulus`?",
                    .note = "known here: friction, poisson_ratio, young_modulus"};
    EXPECT_EQ(format_problems({wrong_unit(), unknown}),
              "error: `height` needs a length, got a speed\n"
              "  hopper.toml:7:10   [body.hopper]\n"
              "   7 | height = \"40 m/s\"\n"
              "     |          ^^^^^^^^ write for example \"40 m\"\n"
              "\n"
              "error: unknown key `youngs_modulus`\n"
              "  hopper.toml:17:1   [material.regolith]\n"
              "  17 | youngs_modulus = \"10 MPa\"\n"
              "     | ^^^^^^^^^^^^^^ did you mean `young_modulus`?\n"
              "  known here: friction, poisson_ratio, young_modulus\n"
              "\n"
              "2 errors. Nothing was run.");
}

TEST(FormatProblems, without_a_place) {
    EXPECT_EQ(std::string(InputError("there is no shape `cub`", "did you mean `cube`?").what()),
              "error: there is no shape `cub`\n"
              "  did you mean `cube`?\n"
              "\n"
              "1 error. Nothing was run.");
    EXPECT_EQ(format_problems({{.what = "unknown key `x`", .file = "--set x=1", .section = "[ball]", .note = "known here: radius"}}),
              "error: unknown key `x`\n"
              "  --set x=1   [ball]\n"
              "  known here: radius\n"
              "\n"
              "1 error. Nothing was run.");
}

// Columns count characters, not bytes; a tab takes one column, so that the caret stands right whatever the terminal does with tabs.
TEST(FormatProblems, the_caret_stands_under_its_character) {
    EXPECT_EQ(format_problems({{.what = "x", .file = "f", .line = 1, .column = 6, .length = 2, .source = "\té = äö"}}),
              "error: x\n"
              "  f:1:6\n"
              "  1 |  é = äö\n"
              "    |      ^^\n"
              "\n"
              "1 error. Nothing was run.");
}

TEST(FormatProblems, a_long_line_is_cut_around_its_place) {
    const Problem problem{.what = "x",
                          .file = "f",
                          .line = 1,
                          .column = 301,
                          .length = 1000000,
                          .source = std::string(300, 'a').append(1, 'B').append(300, 'c')};
    EXPECT_EQ(format_problems({problem}), "error: x\n  f:1:301\n  1 | …" + std::string(50, 'a') + "B" + std::string(49, 'c') + "…\n    | " +
                                              std::string(51, ' ') + std::string(50, '^') + "\n\n1 error. Nothing was run.");
}

TEST(FormatProblems, bytes_that_are_no_text_do_not_reach_the_terminal) {
    const std::string text =
        format_problems({{.what = "\x1b[31m", .file = "f", .line = 1, .column = 99, .length = 0, .source = "a\xff\x07\xc3"}});
    EXPECT_EQ(text, "error: ?[31m\n  f:1:99\n  1 | a???\n    |     ^\n\n1 error. Nothing was run.");
}

TEST(FormatProblems, a_flood_is_counted_rather_than_shown) {
    const std::string text = format_problems(std::vector<Problem>(1000, wrong_unit()));
    EXPECT_LT(text.size(), 10000u);
    EXPECT_TRUE(text.ends_with("... and 950 more.\n\n1000 errors. Nothing was run.")) << text.substr(text.size() - 100);
}

}  // namespace
}  // namespace asperity::errors_test
