#include "asperity/core/describe.h"

#include <gtest/gtest.h>

#include <cmath>

namespace asperity::describe_test {
namespace {

TEST(Bounds, ends_belong_or_not) {
    EXPECT_TRUE(between(0, 1).allows(0) && between(0, 1).allows(1));
    EXPECT_FALSE(between(0, 1).allows(std::nextafter(1, 2)) || between(0, 1).allows(-1e-300));
    EXPECT_FALSE(positive.allows(0));
    EXPECT_TRUE(positive.allows(5e-324));
    EXPECT_TRUE(not_negative.allows(0));
    EXPECT_FALSE(above_up_to(0, 1).allows(0));
    EXPECT_TRUE(above_up_to(0, 1).allows(1));
}

TEST(Bounds, nothing_that_is_not_finite_is_allowed) {
    for (const Bounds& bounds : {any, positive, not_negative, between(0, 1)}) {
        EXPECT_FALSE(bounds.allows(NAN));
        EXPECT_FALSE(bounds.allows(INFINITY));
        EXPECT_FALSE(bounds.allows(-INFINITY));
    }
}

TEST(Bounds, say_what_they_are) {
    EXPECT_EQ(any.text(), "");
    EXPECT_EQ(positive.text("m"), "positive");
    EXPECT_EQ(not_negative.text(), "not negative");
    EXPECT_EQ(between(1e-9, 1e12).text("m"), "between 1e-9 and 1e12 m");
    EXPECT_EQ(between(2.5e-10, 3e8).text(), "between 2.5e-10 and 3e8");
    EXPECT_EQ(positive.example(-3), 3);
    EXPECT_EQ(between(0, 0.5).example(-3), 0.25);
    EXPECT_EQ(any.example(-3), -3);
    EXPECT_EQ(between(0, 1).text(), "between 0 and 1");
    EXPECT_EQ(between(-1e9, 1e9).text("m"), "between -1e9 and 1e9 m");
    EXPECT_EQ(above_up_to(0, 0.5).text(), "above 0 and at most 0.5");
    EXPECT_EQ(must_be("positive"), "must be positive");
    EXPECT_EQ(must_be("not negative"), "must not be negative");
}

TEST(Range, says_what_it_is) {
    EXPECT_EQ(Range{}.text(), "");
    EXPECT_EQ(at_least(0).text(), "not negative");
    EXPECT_EQ(at_least(1).text(), "at least 1");
    EXPECT_EQ(from_to(1, 512).text(), "between 1 and 512");
    EXPECT_TRUE(from_to(1, 512).allows(512));
    EXPECT_FALSE(from_to(1, 512).allows(513) || from_to(1, 512).allows(0));
}

}  // namespace
}  // namespace asperity::describe_test
