#include "asperity/numerics/step_control.h"

#include <gtest/gtest.h>

#include <cmath>

namespace asperity::numerics::test::step_control_test {
namespace {

constexpr StepBounds bounds{.ratio_min = 0.1, .ratio_max = 0.9, .step_min = 1e-6, .step_max = 1e3};
constexpr int order = 5;

double formula(double ratio, double h) { return 0.9 * h * std::pow(ratio, -1.0 / order); }  // 1-landers 6.7

// The four branches of 1-landers 6.1.1; the formula is typed anew, so the comparison is to rounding.
TEST(StepControl, AnErrorAboveTheToleranceRepeatsTheStepWithAShorterOne) {
    const StepChoice choice = choose_step(1.5, 2.0, order, bounds);
    EXPECT_FALSE(choice.is_accepted);
    EXPECT_DOUBLE_EQ(choice.next, formula(1.5, 2.0));
    EXPECT_LT(choice.next, 2.0);
}

TEST(StepControl, AnErrorCloseToTheToleranceStandsAndShortensTheNextStep) {
    const StepChoice choice = choose_step(0.95, 2.0, order, bounds);
    EXPECT_TRUE(choice.is_accepted);
    EXPECT_DOUBLE_EQ(choice.next, formula(0.95, 2.0));
    EXPECT_LT(choice.next, 2.0);
}

TEST(StepControl, AnErrorFarBelowTheToleranceStandsAndLengthensTheNextStep) {
    const StepChoice choice = choose_step(0.01, 2.0, order, bounds);
    EXPECT_TRUE(choice.is_accepted);
    EXPECT_DOUBLE_EQ(choice.next, formula(0.01, 2.0));
    EXPECT_GT(choice.next, 2.0);
}

TEST(StepControl, AnErrorBetweenTheBoundsKeepsTheStepToTheBit) {
    for (const double ratio : {0.1, 0.3, 0.9}) {
        const StepChoice choice = choose_step(ratio, 2.0, order, bounds);
        EXPECT_TRUE(choice.is_accepted);
        EXPECT_EQ(choice.next, 2.0);
    }
}

TEST(StepControl, OneOddErrorChangesTheStepTenfoldAtMost) {
    EXPECT_DOUBLE_EQ(choose_step(0, 2.0, order, bounds).next, 20.0);
    EXPECT_DOUBLE_EQ(choose_step(1e-30, 2.0, order, bounds).next, 20.0);
    EXPECT_DOUBLE_EQ(choose_step(1e30, 2.0, order, bounds).next, 0.2);
    EXPECT_FALSE(choose_step(1e30, 2.0, order, bounds).is_accepted);
}

TEST(StepControl, TheStepStaysWithinItsBounds) {
    EXPECT_EQ(choose_step(1e-30, 500, order, bounds).next, bounds.step_max);
    EXPECT_EQ(choose_step(1e30, 2e-6, order, bounds).next, bounds.step_min);
}

// Without this a step at the floor would be repeated for ever.
TEST(StepControl, AStepAtTheFloorIsTakenWhateverItsError) {
    const StepChoice choice = choose_step(1e30, bounds.step_min, order, bounds);
    EXPECT_TRUE(choice.is_accepted);
    EXPECT_EQ(choice.next, bounds.step_min);
}

TEST(StepControl, AnErrorThatIsNoNumberIsNotAccepted) { EXPECT_FALSE(choose_step(std::nan(""), 1.0, order, bounds).is_accepted); }

}  // namespace
}  // namespace asperity::numerics::test::step_control_test
