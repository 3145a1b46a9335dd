// What is wrong with a rigid body or a joint is told word for word: what, where, and how to mend it. All of it is an input error, exit 2.
#include "asperity/scenario/compile.h"
#include "unit/scenario/scenario_test_tools.h"

namespace asperity::scenario::rigid_input_test {
namespace {

const std::string world = R"([gravity]
uniform = ["0 m/s^2", "0 m/s^2", "-1 m/s^2"]
[body.ground]
shape = { half_space = [0, 0, 1] }
fixed = true
[body.base]
shape = { box = ["2 m", "1 m", "1 m"] }
mass = "4 kg"
[body.base.start]
position = ["0 m", "0 m", "5 m"]
velocity = ["0 m/s", "0 m/s", "0 m/s"]
[body.arm]
shape = { box = ["1 m", "1 m", "1 m"] }
mass = "1 kg"
[body.arm.start]
position = ["2 m", "0 m", "5 m"]
velocity = ["0 m/s", "0 m/s", "0 m/s"]
[contact."*/*"]
restitution = 0.5
[[phase]]
method = "impulse"
step_max = "1 ms"
[end]
time = "1 s"
)";

const std::string one_error = "\n\n1 error. Nothing was run.";

std::string told(const std::string& text) {
    try {
        compile(read_scenario_text(text, "a.toml", {}), {});
        return {};
    } catch (const InputError& error) {
        return error.what();
    }
}

const std::string arm_shape = "shape = { box = [\"1 m\", \"1 m\", \"1 m\"] }";
std::string with_arm(const std::string& more) { return replaced(world, arm_shape, arm_shape + "\n" + more); }
std::string with_joint(const std::string& joint) { return world + "[joint.elbow]\nbody = \"arm\"\n" + joint; }

TEST(RigidInput, IsAcceptedAsItStands) { EXPECT_EQ(told(world), ""); }

TEST(RigidInput, AHullOfPointsInOnePlane) {
    const std::string flat =
        R"(shape = { hull = [["0 m", "0 m", "0 m"], ["1 m", "0 m", "0 m"], ["0 m", "1 m", "0 m"], ["1 m", "1 m", "0 m"]] })";
    EXPECT_EQ(told(replaced(world, arm_shape, flat)),
              "error: the 4 points of the hull lie in one plane: they bound no solid\n"
              "  a.toml:13:18   [body.arm].shape\n"
              "  13 | shape = { hull = [[\"0 m\", \"0 m\", \"0 m\"], [\"1 m\", \"0 m\", \"0 m\"], [\"0 m\", \"1 m\", \"0 m\"], [\"1 m\", "
              "\"1 m\"…\n"
              "     |                  " +
                  std::string(83, '^') + " add points off that plane" + one_error);
}

TEST(RigidInput, ZeroInertia) {
    EXPECT_EQ(
        told(with_arm("inertia = [\"1 kg*m^2\", \"1 kg*m^2\", \"0 kg*m^2\"]")),
        "error: `inertia[2]` must be above 0 kg*m^2 and at most 1e60 kg*m^2, got 0 kg*m^2\n"
        "  a.toml:14:36   [body.arm]\n"
        "  14 | inertia = [\"1 kg*m^2\", \"1 kg*m^2\", \"0 kg*m^2\"]\n"
        "     |                                    ^^^^^^^^^^\n"
        "  inertia[2]: Moments of inertia of a body that is no sphere or ellipsoid, about its centre of mass, along the axes in which it "
        "is written down: J_xx, J_yy, J_zz. Needs `mass`." +
            one_error);
    // none of the moments of the file, but one about an axis between them
    EXPECT_EQ(
        told(with_arm(
            "inertia = [\"1 kg*m^2\", \"1 kg*m^2\", \"1 kg*m^2\"]\nproducts_of_inertia = [\"2 kg*m^2\", \"0 kg*m^2\", \"0 kg*m^2\"]")),
        "error: no body has the principal moments 3, -1 and 1 kg*m^2\n"
        "  a.toml:14:11   [body.arm]\n"
        "  14 | inertia = [\"1 kg*m^2\", \"1 kg*m^2\", \"1 kg*m^2\"]\n"
        "     |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ each must be above zero, and less than the sum of the other two" +
            one_error);
}

TEST(RigidInput, InertiaThatViolatesTheTriangleInequality) {
    EXPECT_EQ(told(with_arm("inertia = [\"1 kg*m^2\", \"1 kg*m^2\", \"3 kg*m^2\"]")),
              "error: no body has the principal moments 1, 1 and 3 kg*m^2\n"
              "  a.toml:14:11   [body.arm]\n"
              "  14 | inertia = [\"1 kg*m^2\", \"1 kg*m^2\", \"3 kg*m^2\"]\n"
              "     |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ each must be less than the sum of the other two" +
                  one_error);
}

TEST(RigidInput, AJointWhoseEndsDoNotMeet) {
    const std::string ends = "at = [\"-50 cm\", \"0 m\", \"0 m\"]\nto = { body = \"base\", at = [\"1.25 m\", \"0 m\", \"0 m\"] }\n";
    EXPECT_EQ(told(with_joint("kind = \"ball\"\n" + ends)),
              "error: the ends of this joint do not meet at the start: they are 0.25 m apart\n"
              "  a.toml:29:28   [joint.elbow].to\n"
              "  29 | to = { body = \"base\", at = [\"1.25 m\", \"0 m\", \"0 m\"] }\n"
              "     |                            ^^^^^^^^^^^^^^^^^^^^^^^^ move a body or an end, or leave `to.at` out: it is then where "
              "`at` is at "
              "the start" +
                  one_error);
}

TEST(RigidInput, BodiesThatOverlapAtTheStart) {
    const std::string start = R"("2 m", "0 m", "5 m")";
    EXPECT_EQ(told(replaced(world, start, R"("1.4 m", "0 m", "5 m")")),
              "error: `base` and `arm` start interpenetrated: they overlap by 0.1 m\n"
              "  a.toml:15:1   [body.arm.start]\n"
              "  15 | [body.arm.start]\n"
              "     | ^^^^^^^^^^^^^^^^ move one of them" +
                  one_error);
    EXPECT_EQ(told(replaced(world, start, R"("2 m", "0 m", "0.4 m")")),
              "error: `arm` and the ground start interpenetrated: they overlap by 0.1 m\n"
              "  a.toml:15:1   [body.arm.start]\n"
              "  15 | [body.arm.start]\n"
              "     | ^^^^^^^^^^^^^^^^ move it" +
                  one_error);
}

TEST(RigidInput, AMotorWithoutLimitsOnALockedJoint) {
    EXPECT_EQ(told(with_joint("kind = \"weld\"\nmotor = { rate = \"1 rad/s\" }\n")),
              "error: a weld is locked against what this motor does: it leaves no turn\n"
              "  a.toml:28:9   [joint.elbow].motor\n"
              "  28 | motor = { rate = \"1 rad/s\" }\n"
              "     |         ^^^^^^^^^^^^^^^^^^^^ take a hinge, a cylindrical or a screw" +
                  one_error);
    EXPECT_EQ(told(with_joint("kind = \"hinge\"\nmotor = { rate = \"1 rad/s\" }\nturn = { from = \"0 rad\", to = \"0 rad\" }\n")),
              "error: a motor with a `rate` needs `largest_torque`: against a stop it would push without end\n"
              "  a.toml:28:9   [joint.elbow].motor\n"
              "  28 | motor = { rate = \"1 rad/s\" }\n"
              "     |         ^^^^^^^^^^^^^^^^^^^^ add for example largest_torque = \"1 N*m\"\n"
              "\n"
              "error: `to` must be above `from`: else the joint is locked\n"
              "  a.toml:29:31   [joint.elbow].turn\n"
              "  29 | turn = { from = \"0 rad\", to = \"0 rad\" }\n"
              "     |                               ^^^^^^^ take a kind that leaves less, for example \"weld\"\n"
              "\n"
              "2 errors. Nothing was run.");
}

TEST(RigidInput, AGradientOfNothing) {
    EXPECT_EQ(told(replaced(world, "[body.ground]", "gradient = true\n[body.ground]")),
              "error: no body attracts by a field with a gradient, and a uniform one turns nothing\n"
              "  a.toml:3:12   [gravity]\n"
              "  3 | gradient = true\n"
              "    |            ^^^^ leave `gradient` out, or add `attracts` to a body" +
                  one_error);
}

}  // namespace
}  // namespace asperity::scenario::rigid_input_test
