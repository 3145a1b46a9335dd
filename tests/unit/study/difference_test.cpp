#include "asperity/study/difference.h"

#include <gtest/gtest.h>

namespace asperity::study::difference_test {
namespace {

const std::string before = R"(runs = 10

[[vary]]
key = "a"
low = 1
high = 2

[[vary]]
key = "b"
low = 1
high = 3

[until]
first = 5
)";

std::string with(std::string text, const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
    return text;
}

TEST(Difference, nothing_where_texts_are_equal) { EXPECT_EQ(difference(before, before), ""); }

TEST(Difference, names_the_entry_of_a_list) {
    EXPECT_EQ(difference(before, with(before, "high = 3", "high = 4")), "\n  [[vary]] key = \"b\"\n  - high = 3\n  + high = 4");
}

// As sets of lines the two texts are equal.
TEST(Difference, sees_values_that_were_exchanged) {
    const std::string now = with(with(before, "high = 2", "high = 3"), "high = 3\n\n[until]", "high = 2\n\n[until]");
    EXPECT_EQ(difference(before, now),
              "\n  [[vary]] key = \"a\"\n  - high = 2\n  + high = 3\n  [[vary]] key = \"b\"\n  - high = 3\n  + high = 2");
}

TEST(Difference, before_all_sections) { EXPECT_EQ(difference(before, with(before, "10", "11")), "\n  - runs = 10\n  + runs = 11"); }

TEST(Difference, a_whole_section) {
    EXPECT_EQ(difference(before, before.substr(0, before.find("[until]"))), "\n  - [until]\n  - first = 5");
    EXPECT_EQ(difference("", "a = 1\n"), "\n  + a = 1");
}

}  // namespace
}  // namespace asperity::study::difference_test
