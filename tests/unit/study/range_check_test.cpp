#include "asperity/study/range_check.h"

#include <cmath>

#include "unit/scenario/scenario_test_tools.h"

namespace asperity::study::range_check_test {
namespace {

using scenario::complete;
using scenario::Folder;

Plan plan_of(const Folder& folder, const std::string& vary, int runs = 100) {
    folder.write("ball.toml", complete);
    return make_plan(folder.write("a.toml", "scenario = \"ball.toml\"\nruns = " + std::to_string(runs) + "\n" + vary),
                     {.is_look_only = true});
}

std::string normal(const std::string& key, const std::string& mean, const std::string& sigma) {
    return "[[vary]]\nkey = \"" + key + "\"\ndistribution = \"normal\"\nmean = " + mean + "\nsigma = " + sigma + "\n";
}

std::string uniform(const std::string& key, const std::string& low, const std::string& high) {
    return "[[vary]]\nkey = \"" + key + "\"\ndistribution = \"uniform\"\nlow = " + low + "\nhigh = " + high + "\n";
}

// Restitution is from 0 to 1: of uniform -0.1 ... 1.4 the part (0.1 + 0.4) / 1.5 is refused.
TEST(RangeCheck, says_which_part_of_a_range_a_key_refuses) {
    const Folder folder;
    const std::vector<RefusedRange> found = refused_ranges(plan_of(folder, uniform("contact.lander/ground.restitution", "-0.1", "1.4")));
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NEAR(found[0].share, 1.0 / 3, 1e-12);
    EXPECT_NEAR(found[0].value, -0.1, 1e-12);
    EXPECT_TRUE(refused_ranges(plan_of(folder, uniform("contact.lander/ground.restitution", "0.3", "0.9"))).empty());
    EXPECT_TRUE(refused_ranges(plan_of(folder, uniform("body.lander.start.velocity.x", "\"-1 cm/s\"", "\"1 cm/s\""))).empty());
}

// Friction below zero, 2 sigma under the mean: the tail of a normal distribution, erfc(2 / sqrt 2) / 2.
TEST(RangeCheck, knows_the_tail_of_a_normal_distribution) {
    const Folder folder;
    const std::vector<RefusedRange> found = refused_ranges(plan_of(folder, normal("contact.lander/ground.friction", "0.6", "0.3")));
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NEAR(found[0].share, 0.5 * std::erfc(std::sqrt(2.0)), 1e-9);
    EXPECT_TRUE(refused_ranges(plan_of(folder, normal("contact.lander/ground.friction", "0.6", "0.3") + "low = 0\n")).empty());
}

TEST(RangeCheck, looks_at_each_choice) {
    const Folder folder;
    const std::vector<RefusedRange> found = refused_ranges(plan_of(folder,
                                                                   "[[vary]]\nkey = \"contact.lander/ground.restitution\"\ndistribution = "
                                                                   "\"choice\"\nvalues = [0.5, 1.5, 0.6]\nweights = [1, 1, 2]\n"));
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].share, 0.25);
    EXPECT_EQ(found[0].value, 1.5);
}

// An error where a run would fail more likely than not; a warning where none probably will.
TEST(RangeCheck, tells_errors_with_their_place_and_rare_ones_as_warnings) {
    const Folder folder;
    const RangeCheck often = check_ranges(plan_of(folder, uniform("contact.lander/ground.friction", "-0.1", "0.9")));
    ASSERT_EQ(often.problems.size(), 1u);
    EXPECT_EQ(
        often.problems[0].what,
        "`contact.lander/ground.friction` must be between 0 and 1000, got -0.1: 10 % of the draws would be refused, and their runs fail");
    EXPECT_EQ(often.problems[0].line, 4);
    EXPECT_EQ(often.problems[0].hint, "draw from a narrower range, or cut it off with `low` and `high`");
    // what was typed last is what is wrong
    const std::string file = folder.path("a.toml");
    const RangeCheck set = check_ranges(make_plan(file, {.sets = {"vary.0.high=1e4"}, .is_look_only = true}));
    ASSERT_EQ(set.problems.size(), 1u);
    EXPECT_EQ(set.problems[0].file, "--set vary.0.high=1e4");
    EXPECT_EQ(set.problems[0].line, 0);
    const RangeCheck rare = check_ranges(plan_of(folder, normal("contact.lander/ground.friction", "0.6", "0.1")));
    EXPECT_TRUE(rare.problems.empty());
    ASSERT_EQ(rare.warnings.size(), 1u);
    EXPECT_NE(rare.warnings[0].find("a part of 9.9e-10 of the draws would be refused"), std::string::npos) << rare.warnings[0];
}

}  // namespace
}  // namespace asperity::study::range_check_test
