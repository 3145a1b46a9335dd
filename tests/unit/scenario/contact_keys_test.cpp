// Keys of [contact."A/B"] from which springs and friction follow, three turns in the place of an attitude, and the errors where they do not
// fit.
#include <numbers>

#include "asperity/scenario/compile.h"
#include "unit/scenario/scenario_test_tools.h"

namespace asperity::scenario::contact_keys_test {
namespace {

const std::string rover = R"([gravity]
uniform = ["0 m/s^2", "0 m/s^2", "-4 m/s^2"]
[body.ground]
shape = { half_space = [0, 0, 1] }
fixed = true
[body.rover]
mass = "900 kg"
inertia = ["775 kg*m^2", "571 kg*m^2", "405 kg*m^2"]
[[body.rover.collider]]
shape = { markers = [["1 m", "1 m", "-1 m"], ["-1 m", "1 m", "-1 m"], ["0 m", "-1 m", "-1 m"]] }
[[body.rover.collider]]
shape = { sphere = "10 cm" }
[body.rover.start]
position = ["0 m", "0 m", "3 m"]
velocity = ["0 m/s", "0 m/s", "0 m/s"]
[[phase]]
method = "penalty"
[end]
time = "1 s"
[contact."rover/ground"]
restitution = 0
)";
const std::string spring = "rest_penetration = { depth = \"1 cm\", weight_of = \"rover\", damping_ratio = 0.1 }\n";

laws::PairLaw law_of(const std::string& keys) {
    return compile(read_scenario_text(rover + keys, "a.toml", {}), {}).model.parameters.laws.laws[0];
}
std::string error_of(const std::string& keys) {
    const std::string all = one_error_of(rover + keys);
    const std::size_t hint = all.rfind("^ ");
    return all.substr(0, all.find('\n')) + " | " + (hint == std::string::npos ? "" : all.substr(hint + 2));
}

// 2-touchdown 10, 11: K = m g / h, C = 2 d sqrt(m K), as printed each point has all of it; shared, all that touches has it together.
TEST(ContactKeys, ASpringFollowsFromThePenetrationAtRest) {
    const double stiffness = 900 * 4 / 0.01, damping = 2 * 0.1 * std::sqrt(900 * stiffness);
    const laws::PairLaw each = law_of(spring), shared = law_of(replaced(spring, "0.1", "0.1, shared = true")),
                        weaker = law_of(replaced(spring, "0.1", "0.1, gravity = \"1 m/s^2\""));
    EXPECT_DOUBLE_EQ(each.stiffness, stiffness);
    EXPECT_DOUBLE_EQ(*each.damping, damping);
    EXPECT_DOUBLE_EQ(shared.stiffness, stiffness / 4);  // three points and a sphere
    EXPECT_DOUBLE_EQ(*shared.damping, damping / 4);
    EXPECT_DOUBLE_EQ(weaker.stiffness, stiffness / 4);
    EXPECT_DOUBLE_EQ(*weaker.damping, damping / 2);
}

TEST(ContactKeys, FrictionFollowsFromSlopes) {
    const laws::PairLaw law = law_of(spring +
                                     "friction_angle = \"27 deg\"\nstatic_friction_angle = \"45 deg\"\nslip_speed = \"1 mm/s\"\n"
                                     "kinetic_speed = \"2 mm/s\"\n");
    EXPECT_NEAR(law.friction, 0.50952544949442879, 1e-15);
    EXPECT_NEAR(*law.static_friction, 1, 1e-15);
    EXPECT_EQ(*law.kinetic_speed, 2e-3);
}

TEST(ContactKeys, ErrorsSayWhatIsMissingOrSaidTwice) {
    const std::string slow = "slip_speed = \"1 mm/s\"\n";
    EXPECT_EQ(error_of(spring + "stiffness = \"1 N/m\"\n"),
              "error: `stiffness` and `rest_penetration` say the same thing | leave one of them out");
    EXPECT_EQ(error_of(spring + "damping = \"1 N*s/m\"\n"),
              "error: `damping` and `rest_penetration` say the same thing | leave one of them out");
    EXPECT_EQ(error_of(replaced(spring, "\"rover\"", "\"rovr\"")), "error: no body that moves is called `rovr` | did you mean `rover`?");
    EXPECT_EQ(error_of(spring + "normal_law = \"hertz\"\n"),
              "error: `rest_penetration` gives a linear spring, and normal_law = \"hertz\" has none | take normal_law = \"hooke\", or "
              "`modulus` in "
              "its place");
    EXPECT_EQ(error_of(slow + "friction = 0.3\nfriction_angle = \"20 deg\"\n"),
              "error: `friction` and `friction_angle` say the same thing | leave one of them out");
    EXPECT_EQ(error_of(slow + "static_friction = 0.3\nstatic_friction_angle = \"20 deg\"\nkinetic_speed = \"1 cm/s\"\n"),
              "error: `static_friction` and `static_friction_angle` say the same thing | leave one of them out");
    EXPECT_EQ(
        error_of(slow + "friction = 0.3\nkinetic_speed = \"1 cm/s\"\n"),
        "error: `kinetic_speed` belongs to `static_friction`, which is not given | add for example static_friction = 0.6, or leave it out");
    EXPECT_EQ(error_of(slow + "friction = 0.3\nstatic_friction = 0.6\n"),
              "error: `static_friction` needs `kinetic_speed`, the slip from which friction is that of what slides | add for example "
              "kinetic_speed = "
              "\"0.002 m/s\"");
    EXPECT_EQ(error_of(slow + "friction = 0.3\nstatic_friction = 0.2\nkinetic_speed = \"1 cm/s\"\n"),
              "error: the friction of what does not slide, 0.2, is below that of what slides, 0.3 | take at least as much");
    EXPECT_EQ(error_of(slow + "friction = 0.3\nstatic_friction = 0.6\nkinetic_speed = \"1 mm/s\"\n"),
              "error: `kinetic_speed` is not above `slip_speed` | take for example \"0.002 m/s\"");
}

// One coefficient is physics that rigid methods do not tell from two: they refuse, rather than taking one of them.
TEST(ContactKeys, RigidMethodsRefuseTwoCoefficients) {
    const std::string two = "friction = 0.3\nstatic_friction = 0.6\nkinetic_speed = \"1 cm/s\"\n";
    for (const std::string method : {"impulse", "dvi"}) {
        const std::string text = replaced(rover, "method = \"penalty\"", "method = \"" + method + "\"\nstep_max = \"1 ms\"") + two;
        try {
            compile(read_scenario_text(text, "a.toml", {}), {});
            ADD_FAILURE() << method;
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what())
                          .find(method + " has one coefficient of friction, at rest and in motion: take penalty, or "
                                         "leave static_friction out"),
                      std::string::npos)
                << error.what();
        }
    }
}

// 2-touchdown, Table 1: yaw 0, pitch -90, roll 90 degrees, in axes north, east, down: x of the rover is down, its y south, its z west.
TEST(Orientation, IsThreeTurnsAboutAxesThatGoWithTheBody) {
    const auto turned = [](const std::string& axes, const std::string& angles) {
        const std::string start = "[body.rover.start]\norientation = { axes = \"" + axes + "\", angles = [" + angles + "] }";
        const Compiled got = compile(read_scenario_text(replaced(rover, "[body.rover.start]", start) + spring, "a.toml", {}), {});
        return got.state.bodies.orientation[0];
    };
    const auto first_line = [](const std::string& text) {
        const std::string all = one_error_of(text);
        return all.substr(0, all.find('\n'));
    };
    const Quat table = turned("zyx", "\"0 deg\", \"-90 deg\", \"90 deg\"");
    EXPECT_NEAR(norm(rotate(table, {1, 0, 0}) - Vec3{0, 0, 1}), 0, 1e-15);
    EXPECT_NEAR(norm(rotate(table, {0, 1, 0}) - Vec3{-1, 0, 0}), 0, 1e-15);
    EXPECT_NEAR(norm(rotate(table, {0, 0, 1}) - Vec3{0, -1, 0}), 0, 1e-15);
    const Quat precessed = turned("zxz", "\"0.3 rad\", \"0.4 rad\", \"-0.3 rad\"");
    const Vec3 about = 0.4 * Vec3{std::cos(0.3), std::sin(0.3), 0};  // a turn about the line of nodes alone
    EXPECT_NEAR(std::fabs(precessed.w - rotation(about).w) + std::fabs(precessed.x - rotation(about).x), 0, 1e-15);
    const std::string bad = replaced(rover, "[body.rover.start]",
                                     "[body.rover.start]\norientation = { axes = \"zzx\", angles = [\"0 deg\", \"0 deg\", \"0 deg\"] }");
    EXPECT_EQ(first_line(bad + spring), "error: \"zzx\" does not name three axes in turn");
    const std::string twice = replaced(
        rover, "[body.rover.start]",
        "[body.rover.start]\nattitude = [\"1 rad\", \"0 rad\", \"0 rad\"]\norientation = { axes = \"zyx\", angles = [\"0 deg\", \"0 "
        "deg\", \"0 deg\"] }");
    EXPECT_EQ(first_line(twice + spring), "error: `attitude` and `orientation` say the same thing");
}

}  // namespace
}  // namespace asperity::scenario::contact_keys_test
