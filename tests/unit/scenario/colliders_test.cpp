// What touches of a body, and bodies that fill a region: read, compiled, refused with a place.
#include <numbers>

#include "asperity/contact/detector.h"
#include "asperity/scenario/compile.h"
#include "unit/scenario/scenario_test_tools.h"

namespace asperity::scenario::colliders_test {
namespace {

const std::string lander = R"([gravity]
uniform = ["0 m/s^2", "0 m/s^2", "-1 m/s^2"]
[body.ground]
shape = { half_space = [0, 0, 2] }
fixed = true
[body.lander]
mass = "100 kg"
inertia = ["20 kg*m^2", "20 kg*m^2", "30 kg*m^2"]
[[body.lander.collider]]
shape = { markers = [["1 m", "0 m", "-1 m"], ["-1 m", "0 m", "-1 m"]] }
[[body.lander.collider]]
shape = { sphere = "50 cm" }
position = ["0 m", "0 m", "1 m"]
material = "shell"
[body.lander.start]
position = ["0 m", "0 m", "2 m"]
velocity = ["0 m/s", "0 m/s", "0 m/s"]
[contact."*/*"]
restitution = 0.5
stiffness = "1e5 N/m"
[[phase]]
method = "penalty"
[end]
time = "1 s"
)";

const std::string grains = R"([gravity]
uniform = ["0 m/s^2", "0 m/s^2", "-1 m/s^2"]
[body.box]
fixed = true
[[body.box.collider]]
shape = { half_space = [0, 0, 1] }
[[body.box.collider]]
shape = { half_space = [-1, 0, 0] }
position = ["5 m", "0 m", "0 m"]
[body.grain]
count = 100
shape = { sphere = "10 cm" }
mass = "1 kg"
[body.grain.start]
fill = { lower = ["0 m", "0 m", "0 m"], upper = ["1 m", "1 m", "2 m"], spacing = "25 cm" }
position_spread = ["2 cm", "2 cm", "2 cm"]
[contact."*/*"]
restitution = 0.5
stiffness = "1e4 N/m"
[[phase]]
method = "penalty"
integrator = "leapfrog"
step_max = "0.1 ms"
[end]
time = "1 s"
)";

TEST(Colliders, OfABodyAreItsPointsAndShapesWithTheirMaterials) {
    const Compiled compiled = compile(read_scenario_text(lander, "a.toml", {}), {});
    const model::Parameters& world = compiled.model.parameters;
    const model::BodyKind& body = world.bodies[0];
    ASSERT_EQ(body.colliders.size(), 2u);
    EXPECT_EQ(std::get<model::Markers>(body.colliders[0].shape).points.size(), 2u);
    EXPECT_EQ(std::get<model::Sphere>(body.colliders[1].shape), model::Sphere{0.5});
    EXPECT_EQ(body.colliders[1].pose.p, (Vec3{0, 0, 1}));
    EXPECT_NE(body.colliders[0].material, body.colliders[1].material);
    EXPECT_EQ(body.inertia, (Vec3{20, 20, 30}));
    // A homogeneous ellipsoid has moments m (b^2 + c^2) / 5.
    const Vec3 s = body.semi_axes;
    EXPECT_NEAR(100 * (s.x * s.x + s.y * s.y) / 5, 30, 1e-12);
    EXPECT_NEAR(100 * (s.z * s.z + s.y * s.y) / 5, 20, 1e-12);
    ASSERT_EQ(world.ground.size(), 1u);
    EXPECT_TRUE(std::holds_alternative<model::HalfSpace>(world.ground[0].shape));
}

// A wall whose normal is -x stands at its place: what is beyond it overlaps.
TEST(Colliders, HalfSpacesStandWhereTheirColliderSays) {
    const Compiled compiled = compile(read_scenario_text(grains, "a.toml", {}), {});
    const contact::Detector detector(compiled.model);
    EXPECT_NEAR(detector.height({4.5, 0, 3}, 10), 0.5, 1e-12);
    EXPECT_NEAR(detector.height({1, 0, 0.25}, 10), 0.25, 1e-12);
}

TEST(Colliders, WhatCannotBeIsRefused) {
    const auto error = [](const std::string& from, const std::string& to) { return errors_of(replaced(lander, from, to)); };
    EXPECT_NE(error("mass = \"100 kg\"\n", "").find("`mass` is missing"), std::string::npos);
    EXPECT_NE(error("inertia = [\"20 kg*m^2\", \"20 kg*m^2\", \"30 kg*m^2\"]\n", "").find("`inertia` is missing"), std::string::npos);
    EXPECT_NE(error("\"30 kg*m^2\"", "\"41 kg*m^2\"").find("no body has the principal moments 20, 20 and 41 kg*m^2"), std::string::npos);
    EXPECT_NE(error("mass = \"100 kg\"", "mass = \"100 kg\"\nshape = { sphere = \"1 m\" }").find("follow from `shape`"), std::string::npos);
    EXPECT_NE(error("mass = \"100 kg\"", "shape = { half_space = [0, 0, 1] }\nmass = \"100 kg\"").find("would move"), std::string::npos);
    EXPECT_NE(error("[0, 0, 2]", "[0, 0, 0]").find("the normal of a half-space is not zero"), std::string::npos);
    EXPECT_NE(error("shape = { half_space = [0, 0, 2] }\n", "").find("`ground` has no `shape`"), std::string::npos);
    EXPECT_NE(error("half_space = [0, 0, 2]", "markers = [[\"1 m\", \"0 m\"]]").find("`markers[0]` needs three lengths"),
              std::string::npos);
    EXPECT_NE(error("velocity =", "above_surface = \"1 m\"\nvelocity =").find("the ground has no facets"), std::string::npos);
    const std::string low = replaced(lander, "\"2 m\"]\nvelocity", "\"90 cm\"]\nvelocity");
    try {
        compile(read_scenario_text(low, "a.toml", {}), {});
        ADD_FAILURE();
    } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find("`lander` and the ground start interpenetrated: they overlap by 0.1 m"), std::string::npos);
    }
}

TEST(Fill, PutsEachBodyInTheMiddleOfACell) {
    std::string text = replaced(grains, "position_spread = [\"2 cm\", \"2 cm\", \"2 cm\"]\n", "");
    const Compiled compiled = compile(read_scenario_text(text, "a.toml", {}), {});
    const std::vector<Vec3>& p = compiled.state.bodies.position;
    ASSERT_EQ(p.size(), 100u);
    EXPECT_EQ(p[0], (Vec3{0.125, 0.125, 0.125}));
    EXPECT_EQ(p[5], (Vec3{0.375, 0.375, 0.125}));   // four a row
    EXPECT_EQ(p[16], (Vec3{0.125, 0.125, 0.375}));  // sixteen a layer
    EXPECT_EQ(compiled.state.bodies.velocity[7], Vec3{});
}

TEST(Fill, DrawsFromSeedAndRunAlone) {
    const Scenario scenario = read_scenario_text(grains, "a.toml", {});
    const Compiled one = compile(scenario, {}, 3), same = compile(scenario, {}, 3), other = compile(scenario, {}, 4);
    EXPECT_EQ(one.state, same.state);
    EXPECT_NE(one.state.bodies.position[50], other.state.bodies.position[50]);
    for (const Vec3& p : one.state.bodies.position) EXPECT_TRUE(p.x > 0.1 && p.x < 0.9 && p.z > 0.1 && p.z < 1.9);
}

TEST(Fill, SaysWhereBodiesDoNotFit) {
    const auto error = [](const std::string& from, const std::string& to) {
        try {
            compile(read_scenario_text(replaced(grains, from, to), "a.toml", {}), {});
            return std::string();
        } catch (const InputError& e) {
            return std::string(e.what());
        }
    };
    EXPECT_NE(error("count = 100", "count = 129").find("the region has 4 x 4 x 8 cells of 0.25 m, and does not hold 129 bodies"),
              std::string::npos);
    EXPECT_NE(error("25 cm", "23 cm").find("cells of 0.23 m are too small: the body with its `position_spread` needs 0.24 m"),
              std::string::npos);
    EXPECT_NE(error("upper = [\"1 m\"", "upper = [\"-1 m\"").find("`upper` must be above `lower`"), std::string::npos);
    EXPECT_NE(error("fill =", "position = [\"0 m\", \"0 m\", \"1 m\"]\nfill =").find("`fill` says where"), std::string::npos);
    EXPECT_EQ(error(", spacing = \"25 cm\"", ""), "");  // what a body needs: 24 cm
}

// Bodies of one name are a group where there are many, and their tallies one row.
TEST(Groups, AreManyBodiesOfOneName) {
    const Compiled many = compile(read_scenario_text(grains, "a.toml", {}), {});
    ASSERT_EQ(many.model.parameters.bodies.groups.size(), 1u);
    EXPECT_EQ(many.model.parameters.bodies.groups[0].count, 100u);
    EXPECT_EQ(many.state.tallies.heat_impact.size(), 1u);
    EXPECT_EQ(many.state.bodies.position.size(), 100u);
    const Compiled few = compile(read_scenario_text(replaced(grains, "count = 100", "count = 64"), "a.toml", {}), {});
    EXPECT_EQ(few.model.parameters.bodies.groups.size(), 64u);
    EXPECT_EQ(few.state.tallies.heat_impact.size(), 64u);
    EXPECT_NE(errors_of(grains + "[output.group.grian]\n").find("there are no more than 64 bodies `grian`"), std::string::npos);
    EXPECT_EQ(errors_of(grains + "[output.group.grain]\nevery = 10\nvelocity = true\n"), "");
}

}  // namespace
}  // namespace asperity::scenario::colliders_test
