// [joint.NAME] and [load.NAME]: what they become, and what is told where they do not fit together.
#include "asperity/scenario/links.h"

#include <cmath>
#include <numbers>

#include "asperity/model/joint_place.h"
#include "asperity/scenario/check.h"
#include "asperity/scenario/compile.h"
#include "asperity/scenario/write.h"
#include "scenario_test_tools.h"

namespace asperity::scenario::links_test {
namespace {

using std::numbers::pi;

const std::string two = R"([gravity]
uniform = ["0 m/s^2", "0 m/s^2", "-1 m/s^2"]
[body.base]
shape = { box = ["2 m", "1 m", "1 m"] }
mass = "4 kg"
[body.base.start]
position = ["0 m", "0 m", "0 m"]
velocity = ["0 m/s", "0 m/s", "0 m/s"]
attitude = ["0 deg", "0 deg", "90 deg"]
[body.arm]
shape = { sphere = "10 cm" }
mass = "1 kg"
[body.arm.start]
position = ["0 m", "1.5 m", "0 m"]
velocity = ["0 m/s", "0 m/s", "0 m/s"]
[[phase]]
method = "impulse"
step_max = "1 ms"
[end]
time = "1 s"
[contact."*/*"]
restitution = 0.5
)";

Compiled compiled(const std::string& text) {
    const Scenario scenario = read_scenario_text(text, "a.toml", {});
    static const model::Assets none;
    return compile(scenario, none);
}

std::string told(const std::string& text) {
    try {
        compiled(text);
        return {};
    } catch (const InputError& error) {
        return error.what();
    }
}
void expect_told(const std::string& text, const std::string& what, const std::string& mend) {
    const std::string all = told(two + text);
    EXPECT_NE(all.find(what), std::string::npos) << all;
    EXPECT_NE(all.find(mend), std::string::npos) << all;
}

TEST(Links, AJointIsWhereItsBodiesStart) {
    const Compiled world = compiled(two + R"([joint.elbow]
kind = "hinge"
body = "arm"
at = ["0 m", "-50 cm", "0 m"]
axis = [0, 0, 2]
to = { body = "base", at = ["1 m", "0 m", "0 m"], axis = [0, 0, 1] }
turn = { from = "-90 deg", to = "1 rad", stiffness = "2 N*m/rad", damping = "0.5 N*m*s/rad", rest = "10 deg" }
[joint.elbow.motor]
rate = "3 rad/s"
largest_torque = "4 N*m"
running = false
[load.push]
body = "arm"
force = ["0 N", "0 N", "-20 N"]
ramp = "0.2 s"
)");
    const model::Joint& joint = world.model.parameters.joints.at(0);
    EXPECT_EQ(joint.kind, model::JointKind::hinge);
    EXPECT_EQ(joint.a.body, 1);
    EXPECT_EQ(joint.b.body, 0);
    const model::JointPlace place = model::place_of(joint, world.state.bodies);
    EXPECT_LT(norm(place.of_a - Vec3{0, 1, 0}), 1e-15);
    EXPECT_LT(norm(place.of_a - place.of_b), 1e-15);
    EXPECT_LT(norm(place.z - Vec3{0, 0, 1}), 1e-15);
    EXPECT_NEAR(place.turned, 0, 1e-15);
    EXPECT_DOUBLE_EQ(joint.turn.least, -pi / 2);
    EXPECT_DOUBLE_EQ(joint.turn.stiffness, 2);
    EXPECT_DOUBLE_EQ(*joint.motor->rate, 3);
    EXPECT_DOUBLE_EQ(joint.motor->effort, 4);
    EXPECT_EQ(world.state.joints.is_running[0], 0);
    EXPECT_EQ(world.state.loads.is_running[0], 1);
    EXPECT_DOUBLE_EQ(std::get<model::RampedLoad>(world.model.parameters.loads.at(0).course).duration, 0.2);
}

// Bodies that a joint keeps apart need no law of contact.
TEST(Links, BodiesThatAreKeptApartNeedNoLaw) {
    const std::string free = replaced(two, "[contact.\"*/*\"]\nrestitution = 0.5\n", "");
    EXPECT_NE(told(free).find("nothing says how"), std::string::npos);
    const std::string joint = "[joint.j]\nkind = \"ball\"\nbody = \"arm\"\nto.body = \"base\"\n";
    EXPECT_EQ(told(free + joint), "");
    EXPECT_NE(told(free + joint + "touching = true\n").find("nothing says how"), std::string::npos);
}

TEST(Links, GuardsStartAndStopMotorsAndLoadsByName) {
    const std::string links = R"([joint.j]
kind = "hinge"
body = "arm"
motor = { torque = "1 N*m", running = false }
[load.push]
body = "arm"
force = ["1 N", "0 N", "0 N"]
times = ["0 s", "2 s"]
factors = [1, 0.5]
)";
    const std::string guard = "[[phase.until]]\nwhen = { signal = \"joint angle\", of = \"j\", above = \"1 rad\" }\noutcome = \"there\"\n";
    const std::string with = replaced(two, "[end]", guard + "then = [{ start = \"j\" }, { stop = \"push\" }]\n[end]");
    const Compiled world = compiled(with + links);
    const std::vector<model::Action>& actions = world.model.parameters.phases[0].guards.at(0).actions;
    ASSERT_EQ(actions.size(), 2U);
    EXPECT_EQ(actions[0].kind, model::ActionKind::start_motor);
    EXPECT_EQ(actions[1].kind, model::ActionKind::stop_load);
    EXPECT_EQ(world.state.loads.corner[0], 1);  // that at no time has passed
    const auto told_of = [&](const std::string& action) { return told(replaced(two, "[end]", guard + action + "[end]") + links); };
    EXPECT_NE(told_of("then = [{ start = \"pish\" }]\n").find("there is no engine, controller, motor or load `pish`"), std::string::npos);
    EXPECT_NE(told(two + replaced(links, "load.push", "load.j")).find("a joint has the name `j` as well"), std::string::npos);
    const std::string passive = replaced(links, "motor = { torque = \"1 N*m\", running = false }\n", "");
    EXPECT_NE(told(with + passive).find("the joint `j` has no motor"), std::string::npos);
}

// What methods do not carry they refuse, with what would.
TEST(Links, MethodsRefuseWhatTheyDoNotCarry) {
    const std::string soft = replaced(replaced(two, "\"impulse\"\nstep_max = \"1 ms\"", "\"penalty\""), "restitution = 0.5",
                                      "restitution = 0.5\nstiffness = \"1e4 N/m\"");
    const std::string joint = "[joint.j]\nkind = \"hinge\"\nbody = \"arm\"\n";
    EXPECT_EQ(told(soft + joint), "");
    EXPECT_NE(told(soft + joint + "turn = { to = \"1 rad\" }\n").find("penalty carries no limits of joints"), std::string::npos);
    EXPECT_NE(told(soft + joint + "motor = { rate = \"1 rad/s\", largest_torque = \"1 N*m\" }\n").find("penalty carries no motors"),
              std::string::npos);
}

// Of a body with other principal axes than its file has, at a centre of mass of its own.
TEST(Links, PlacesAreInTheAxesOfTheFile) {
    const Compiled world = compiled(R"([gravity]
uniform = ["0 m/s^2", "0 m/s^2", "-1 m/s^2"]
[body.arm]
mass = "1 kg"
inertia = ["2 kg*m^2", "1 kg*m^2", "1.5 kg*m^2"]
products_of_inertia = ["0.2 kg*m^2", "0.1 kg*m^2", "0 kg*m^2"]
centre_of_mass = ["10 cm", "0 m", "0 m"]
[[body.arm.collider]]
shape = { sphere = "10 cm" }
[body.arm.start]
position = ["0 m", "0 m", "0 m"]
velocity = ["0 m/s", "0 m/s", "0 m/s"]
[joint.hook]
kind = "ball"
body = "arm"
at = ["60 cm", "0 m", "30 cm"]
[[phase]]
method = "impulse"
step_max = "1 ms"
[end]
time = "1 s"
)");
    const model::JointPlace place = model::place_of(world.model.parameters.joints.at(0), world.state.bodies);
    EXPECT_LT(norm(place.of_a - Vec3{0.6, 0, 0.3}), 1e-14);
    EXPECT_LT(norm(place.of_a - place.of_b), 1e-15);
    EXPECT_EQ(world.model.parameters.joints[0].b.body, model::ground);
}

TEST(Links, WhatDoesNotFitIsTold) {
    expect_told(
        "[joint.j]\nkind = \"ball\"\nbody = \"arm\"\nat = [\"0 m\", \"-50 cm\", \"0 m\"]\nto = { body = \"base\", at = [\"1.25 m\", \"0 "
        "m\", \"0 m\"] }\n",
        "the ends of this joint do not meet at the start: they are 0.25 m apart", "leave `to.at` out");
    expect_told(
        "[joint.j]\nkind = \"slider\"\nbody = \"arm\"\naxis = [0, 1, 0]\nto = { body = \"base\", at = [\"1 m\", \"0 m\", \"10 cm\"] }\n",
        "the axis of this joint misses `to.at` by 0.1 m", "move a body");
    expect_told("[joint.j]\nkind = \"hinge\"\nbody = \"arm\"\nto = { body = \"base\", axis = [0, 1, 1] }\n",
                "the axes of this joint are 45 deg apart", "turn a body or an axis");
    expect_told("[joint.j]\nkind = \"ball\"\nbody = \"arm\"\nto = { body = \"arm\" }\n", "this joint holds `arm` to itself",
                "another `body`");
    expect_told("[joint.j]\nkind = \"ball\"\nbody = \"ram\"\n", "there is no body that moves `ram`", "arm");
    expect_told("[joint.j]\nkind = \"weld\"\nbody = \"arm\"\nto.body = \"base\"\nmotor = { torque = \"1 N*m\" }\n",
                "a weld is locked against what this motor does", "take a hinge");
    expect_told("[joint.j]\nkind = \"hinge\"\nbody = \"arm\"\nmotor = { rate = \"1 rad/s\" }\n",
                "a motor with a `rate` needs `largest_torque`", "largest_torque = \"1 N*m\"");
    expect_told("[joint.j]\nkind = \"hinge\"\nbody = \"arm\"\nturn = { from = \"1 rad\", to = \"1 rad\" }\n", "else the joint is locked",
                "\"weld\"");
    expect_told("[joint.j]\nkind = \"hinge\"\nbody = \"arm\"\nturn = { from = \"1 rad\", to = \"2 rad\" }\n",
                "the turn at the start is 0 deg, beyond the limits", "move a body");
    expect_told("[joint.j]\nkind = \"screw\"\nbody = \"arm\"\n", "a screw needs a `pitch`", "pitch = \"8 mm\"");
    expect_told("[joint.j]\nkind = \"ball\"\nbody = \"arm\"\nturn = { damping = \"1 N*m*s/rad\" }\n", "a ball leaves no turn about an axis",
                "leave `turn` out");
    expect_told("[joint.j]\nkind = \"hinge\"\nbody = \"arm\"\naxis = [0, 0, 0]\n", "an axis cannot be zero", "axis = [0, 0, 1]");
    expect_told("[load.l]\nbody = \"arm\"\n", "this load is nothing", "force = ");
    expect_told("[load.l]\nbody = \"arm\"\ntorque = [\"1 N*m\", \"0 N*m\", \"0 N*m\"]\ntimes = [\"1 s\", \"2 s\"]\nfactors = [1]\n",
                "2 times and 1 factors", "one factor for each time");
    expect_told("[load.l]\nbody = \"arm\"\nforce = [\"1 N\", \"0 N\", \"0 N\"]\nramp = \"1 s\"\nperiod = \"2 s\"\n",
                "a load has one course", "give one of");
}

}  // namespace
}  // namespace asperity::scenario::links_test
