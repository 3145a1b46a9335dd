#include "asperity/core/suggest.h"

#include <gtest/gtest.h>

namespace asperity::suggest_test {
namespace {

TEST(Suggest, finds_the_nearest_name) {
    const std::vector<std::string> names{"friction", "restitution", "rolling_resistance", "rolling_law"};
    EXPECT_EQ(nearest_name("frction", names), "friction");         // left out
    EXPECT_EQ(nearest_name("fricttion", names), "friction");       // doubled
    EXPECT_EQ(nearest_name("restituiton", names), "restitution");  // swapped
    EXPECT_EQ(nearest_name("Rolling_Law", names), "rolling_law");  // case
    EXPECT_EQ(nearest_name("rolling_resistence", names), "rolling_resistance");
    EXPECT_EQ(did_you_mean("frction", names), "did you mean `friction`?");
}

TEST(Suggest, is_silent_where_nothing_is_near) {
    const std::vector<std::string> names{"friction", "m", "s"};
    EXPECT_EQ(nearest_name("gravity", names), "");
    EXPECT_EQ(nearest_name("x", names), "");
    EXPECT_EQ(nearest_name("", names), "");
    EXPECT_EQ(nearest_name(std::string(100000, 'f'), names), "");
    EXPECT_EQ(did_you_mean("gravity", names), "");
    EXPECT_EQ(nearest_name("friction", {}), "");
    EXPECT_EQ(nearest_name("a", {""}), "");
}

TEST(Suggest, another_number_or_another_short_word_is_no_slip) {
    EXPECT_EQ(nearest_name("landers/9.9", {"landers/8.2", "landers/8.9", "landers/edge"}), "");
    EXPECT_EQ(nearest_name("landers/82", {"landers/8.2"}), "landers/8.2");
    EXPECT_EQ(nearest_name("dopri", {"dopri5", "rk4"}), "dopri5");
    EXPECT_EQ(nearest_name("file", {"side", "cells"}), "");
}

TEST(Suggest, tells_what_an_old_name_is_called_now) {
    EXPECT_EQ(did_you_mean("release_angle", {"separation_angle", "release"}), "it is called `separation_angle` now");
    EXPECT_EQ(did_you_mean("phase.1.acceleration", {"phase.1.speed_up"}), "it is called `phase.1.speed_up` now");
    EXPECT_EQ(name_now("acceleration", {"velocity"}), "");
    EXPECT_EQ(name_now("my_release_angle", {"separation_angle"}), "");
}

TEST(Suggest, ties_go_to_the_same_first_letter) {
    EXPECT_EQ(nearest_name("kmm", {"mm", "km"}), "km");
    EXPECT_EQ(nearest_name("kmm", {"km", "mm"}), "km");
}

}  // namespace
}  // namespace asperity::suggest_test
