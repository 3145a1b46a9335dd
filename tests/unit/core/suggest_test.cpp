#include "asperity/core/suggest.h"

#include <gtest/gtest.h>

namespace asperity {
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

TEST(Suggest, ties_go_to_the_same_first_letter) {
    EXPECT_EQ(nearest_name("kmm", {"mm", "km"}), "km");
    EXPECT_EQ(nearest_name("kmm", {"km", "mm"}), "km");
}

}  // namespace
}  // namespace asperity
