// Contacts of method "penalty" that its steps, or the rounding of positions, cannot resolve: refused or doubted, with the numbers.
#include "asperity/scenario/soft_contact_check.h"

#include <fmt/format.h>

#include "unit/scenario/scenario_test_tools.h"

namespace asperity::scenario::soft_contact_check_test {
namespace {

// Two balls of 1000 kg, 2 m apart, that meet at 0.2 m/s: m = 500 kg, pi sqrt(m / k) = 0.0702 s with 1e6 N/m.
const std::string pair = R"([gravity]
mutual = "points"
[body.a]
shape = { sphere = "1 m" }
mass = "1000 kg"
[body.a.start]
position = ["-2 m", "0 m", "0 m"]
velocity = ["0.1 m/s", "0 m/s", "0 m/s"]
[body.b]
shape = { sphere = "1 m" }
mass = "1000 kg"
[body.b.start]
position = ["2 m", "0 m", "0 m"]
velocity = ["-0.1 m/s", "0 m/s", "0 m/s"]
[contact."*/*"]
restitution = 0
stiffness = "1e6 N/m"
[[phase]]
method = "penalty"
integrator = "verlet"
step_max = "1 ms"
[end]
time = "100 s"
)";

std::vector<std::string> doubts_of(const std::string& text, const std::vector<std::string>& sets) {
    const Scenario scenario = read_scenario_text(text, "a.toml", {.sets = sets});
    return doubts(compile(scenario, {}));
}

std::string error_of(const std::string& text, const std::vector<std::string>& sets) {
    try {
        doubts_of(text, sets);
        return {};
    } catch (const InputError& error) {
        return error.what();
    }
}

TEST(SoftContactCheck, StepsThatPassOverACertainContactAreRefused) {
    EXPECT_EQ(error_of(pair, {"phase.0.step_max=0.3 s"}),
              "error: steps of 0.3 s pass over the contact of bodies 1 and 2, which lasts 0.0702 s, pi sqrt(m / k)\n"
              "  --set phase.0.step_max=0.3 s   [[phase]] 0\n"
              "  take step_max = \"0.0014 s\" (50 steps in a contact), a stiffness up to 22 N/m, or integrator = \"dopri5\", which "
              "chooses its steps\n"
              "\n1 error. Nothing was run.");
    EXPECT_NE(error_of(pair, {"phase.0.step_max=0.3 s", "phase.0.integrator=symplectic4"}), "");
    EXPECT_NE(error_of(pair, {"phase.0.step_max=36 ms"}), "");  // two steps in a contact end at 35.1 ms
    EXPECT_EQ(error_of(pair, {"phase.0.step_max=35 ms"}), "");
    EXPECT_EQ(error_of(pair, {"phase.0.step_max=0.3 s", "phase.0.integrator=dopri5"}), "");  // chooses its steps
    EXPECT_EQ(error_of(pair, {"phase.0.step_max=0.3 s", "phase.0.method=constraint"}), "");
    EXPECT_EQ(error_of(pair, {"phase.0.step_max=0.3 s", "end.time=9 s"}), "");  // they meet after 10 s
    EXPECT_EQ(error_of(pair, {"phase.0.step_max=0.3 s", "body.b.start.velocity=[\"0.1 m/s\", \"0 m/s\", \"0 m/s\"]"}), "");
}

// Bodies that rest on each other are in contact, however many there are.
TEST(SoftContactCheck, StepsThatABodyAtRestCannotTakeAreRefused) {
    const std::string resting = R"([gravity]
mutual = "points"
[body.sphere]
count = 3
shape = { sphere = "2 km" }
density = "2 g/cm^3"
[start]
configuration = "lagrange-resting"
momentum2 = 1
[contact."*/*"]
restitution = 0
stiffness = "1e13 N/m"
[[phase]]
method = "penalty"
integrator = "verlet"
step_max = "3 s"
[end]
time = "1 h"
)";
    EXPECT_NE(error_of(resting, {}).find("steps of 3 s pass over the contact of bodies 1 and 2, which lasts 5.75 s"), std::string::npos);
    EXPECT_EQ(error_of(resting, {"phase.0.step_max=0.1 s"}), "");
    EXPECT_TRUE(doubts_of(resting, {"phase.0.step_max=0.1 s"}).empty());
}

TEST(SoftContactCheck, FewStepsInAContactAreDoubted) {
    const auto doubts = doubts_of(pair, {"phase.0.step_max=10 ms"});
    ASSERT_EQ(doubts.size(), 1U);
    EXPECT_EQ(doubts[0],
              "phase `phase 1`: a contact of bodies 1 and 2 lasts 0.0702 s, pi sqrt(m / k), 7 of its steps of 0.01 s: energy is off by per "
              "cents; take step_max = \"0.0014 s\" (50 steps in a contact), a stiffness up to 2e+04 N/m, or integrator = \"dopri5\", "
              "which chooses its steps");
    EXPECT_TRUE(doubts_of(pair, {}).empty());
    const auto late = doubts_of(pair, {"phase.0.step_max=0.3 s", "end.time=9 s"});  // not certain, but near
    ASSERT_EQ(late.size(), 1U);
    EXPECT_NE(late[0].find("contacts are passed over or gain energy"), std::string::npos);
}

// The lightest pair counts; an ellipsoid that can be hit off its centre is lighter than its mass says.
TEST(SoftContactCheck, TheShortestContactCounts) {
    EXPECT_TRUE(doubts_of(pair, {"phase.0.step_max=3 ms"}).empty());
    EXPECT_EQ(doubts_of(pair, {"phase.0.step_max=3 ms", "body.b.mass=100 kg"}).size(), 1U);
    const std::string egg = replaced(pair, "sphere = \"1 m\"", "ellipsoid = [\"1 m\", \"1 m\", \"0.2 m\"]");
    EXPECT_EQ(doubts_of(egg, {"phase.0.step_max=3 ms", "gravity.mutual=second-order"}).size(), 1U);
}

// Bodies that stay far from each other have no contact to resolve: Sun, Earth and Moon at steps of 80 s.
TEST(SoftContactCheck, BodiesThatDoNotMeetAreLeftAlone) {
    const Scenario scenario = read_scenario(ASPERITY_SOURCE_DIR "/scenarios/ternary/sun-earth-moon.toml");
    EXPECT_TRUE(doubts(compile(scenario, {})).empty());
}

TEST(SoftContactCheck, AnOverlapBelowRoundingIsRefused) {
    const std::vector<std::string> by_dopri5{"phase.0.integrator=dopri5"};
    const auto with = [&](const char* set) { return std::vector<std::string>{by_dopri5[0], set}; };
    EXPECT_EQ(error_of(pair, with("contact.*/*.stiffness=1e26 N/m")),
              "error: a stiffness of 1e+26 N/m is too high for bodies 1 and 2: where they meet at 0.2 m/s they overlap by 4.5e-13 m, and "
              "their positions are rounded to 8.9e-16 m\n"
              "  --set contact.*/*.stiffness=1e26 N/m   [contact.\"*/*\"]\n"
              "  take at most 2.5e+25 N/m, or the method \"constraint\", whose contacts are rigid\n"
              "\n1 error. Nothing was run.");
    EXPECT_EQ(error_of(pair, with("contact.*/*.stiffness=2.5e25 N/m")), "");
    EXPECT_EQ(error_of(pair, {"phase.0.method=constraint", "contact.*/*.stiffness=1e26 N/m"}), "");
}

}  // namespace
}  // namespace asperity::scenario::soft_contact_check_test
