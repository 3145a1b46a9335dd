// Worlds of kind free: start states by name have the angular momenta that 3-ternary prints, and what cannot be is refused with its place.
#include "asperity/analysis/energy_bound.h"
#include "asperity/scenario/compile.h"
#include "unit/scenario/scenario_test_tools.h"

namespace asperity::scenario::start_test {
namespace {

const std::string bodies = R"([gravity]
mutual = "points"
constant = "6.67384e-11 m^3/kg/s^2"
[body.sphere]
count = 3
shape = { sphere = "2 km" }
density = "2 g/cm^3"
[contact."*/*"]
restitution = 0
[end]
time = "1 h"
)";

// H^2 / (G m^3 d) of the first state.
double momentum2(const std::string& start) {
    const Scenario scenario = read_scenario_text(bodies + "[start]\n" + start, "a.toml", {});
    const Compiled compiled = compile(scenario, {});
    const model::Parameters& world = compiled.model.parameters;
    const double m = world.bodies[0].mass, g = world.environment.mutual.constant;
    const Vec3 h = analysis::energy_bound(analysis::moving_bodies(world, compiled.state.bodies), g).angular_momentum;
    return squared_norm(h) / (g * m * m * m * 4000);
}

TEST(MovingBodies, StartStatesHaveTheMomentaOfTheThesis) {
    EXPECT_NEAR(momentum2("configuration = \"lagrange-resting\"\nmomentum2 = 1\n"), 1, 1e-12);
    const auto moved = [](int k) { return fmt::format("moved = {{ body = \"sphere-{}\", by = [\"4 m\", \"0 m\", \"0 m\"] }}\n", k); };
    EXPECT_NEAR(momentum2("configuration = \"lagrange-resting\"\nmomentum2 = 5.2\n" + moved(3)), 5.204, 5e-5);        // 5.3.1
    EXPECT_NEAR(momentum2("configuration = \"euler-resting\"\nmomentum2 = 1.8\n" + moved(2)), 1.80157, 5e-6);         // 5.3.2
    EXPECT_NEAR(momentum2("configuration = \"euler-resting\"\nmomentum2 = 6.7\n" + moved(2)), 6.7058, 5e-5);          // 5.3.3
    EXPECT_NEAR(momentum2("configuration = \"aligned-mixed\"\nsize = 3.6\n"), 6.0726, 5e-5);                          // 5.2.3
    EXPECT_NEAR(momentum2("configuration = \"aligned-mixed\"\nsize = 2.33696\nrate_factor = 0.99\n"), 5.2182, 5e-5);  // 5.3.4
}

// Every configuration that exists at a momentum is one when it starts: it has the least energy of its shape.
TEST(MovingBodies, EveryConfigurationTurnsAsOne) {
    for (const char* start : {"configuration = \"v-rest\"\nmomentum2 = 4", "configuration = \"transverse-mixed\"\nmomentum2 = 6",
                              "configuration = \"lagrange-orbiting\"\nmomentum2 = 7", "configuration = \"euler-orbiting\"\nmomentum2 = 7",
                              "configuration = \"aligned-mixed\"\nmomentum2 = 6", "configuration = \"euler-orbiting\"\nsize = 1.5"}) {
        SCOPED_TRACE(start);
        const Scenario scenario = read_scenario_text(bodies + "[start]\n" + start + "\n", "a.toml", {});
        const Compiled compiled = compile(scenario, {});
        const model::Parameters& world = compiled.model.parameters;
        const auto bound = analysis::energy_bound(analysis::moving_bodies(world, compiled.state.bodies), world.environment.mutual.constant);
        EXPECT_NEAR(bound.energy, bound.minimum, 1e-12 * std::fabs(bound.energy));
    }
}

TEST(MovingBodies, WhatCannotBeIsRefused) {
    const auto error = [](const std::string& from, const std::string& to) { return errors_of(replaced(bodies, from, to)); };
    EXPECT_NE(error("density = \"2 g/cm^3\"", "density = \"-2 g/cm^3\"").find("`density` must be between"), std::string::npos);
    for (const char* key : {"friction", "rolling_resistance", "spinning_resistance"})
        EXPECT_NE(error("restitution = 0", std::string("restitution = 0\n") + key + " = 1001")
                      .find(std::string("`") + key + "` must be between 0 and 1000, got 1001"),
                  std::string::npos);
    EXPECT_NE(error("density = \"2 g/cm^3\"", "mass = \"0 kg\"").find("`mass` must be between"), std::string::npos);
    EXPECT_NE(error("density = \"2 g/cm^3\"", "").find("`density` or `mass` is missing"), std::string::npos);
    EXPECT_NE(error("sphere = \"2 km\"", "sphere = \"2 km\", ellipsoid = [\"1 km\", \"1 km\", \"1 km\"]")
                  .find("`sphere` and `ellipsoid` exclude each other"),
              std::string::npos);
    EXPECT_NE(errors_of(bodies + "[gravity.tides]\nlaw = \"constant-angle\"\n").find("`love_number` or `rigidity` is missing"),
              std::string::npos);
}

TEST(MovingBodies, ExpectationsThatCannotBeMetAreRefused) {
    EXPECT_NE(errors_of(bodies + "[expect]\nconfiguration = \"Euler Resing\"\n").find("did you mean `Euler Resting`"), std::string::npos);
    EXPECT_NE(errors_of(bodies + "[expect]\nstop_time = \"1 s\"\n").find("there is no metric `stop_time`"), std::string::npos);
}

TEST(MovingBodies, TellsOfWhatMayNotBeMeant) {
    const std::string start = "[start]\nconfiguration = \"lagrange-resting\"\nmomentum2 = 1\n";
    const auto told = [&](const std::string& text) { return doubts(compile(read_scenario_text(text, "a.toml", {}), {})); };
    EXPECT_TRUE(told(bodies + start).empty());
    const auto lonely = told(replaced(bodies, "count = 3", "count = 3\ntide = { love_number = 1e-5 }") + start);
    ASSERT_EQ(lonely.size(), 1u);
    EXPECT_NE(lonely[0].find("there are no tides"), std::string::npos);
    const auto phases = [&](const std::string& duration) {
        return told(bodies + start + "[[phase]]\nname = \"first\"\nmethod = \"constraint\"\nduration = \"" + duration +
                    "\"\n[[phase]]\nname = \"second\"\nmethod = \"penalty\"\n");
    };
    EXPECT_TRUE(phases("1 min").empty());
    ASSERT_EQ(phases("1 yr").size(), 1u);
    EXPECT_NE(phases("1 yr")[0].find("phase `second` never begins"), std::string::npos);
}

TEST(MovingBodies, StartsThatCannotBeAreRefused) {
    const auto refusal = [](const std::string& text) -> std::string {
        try {
            compile(read_scenario_text(text, "a.toml", {}), {});
            return {};
        } catch (const InputError& error) {
            return error.problems.at(0).what;
        }
    };
    EXPECT_EQ(refusal(bodies), "nothing says how `sphere` starts");
    EXPECT_EQ(refusal(bodies + "[start]\nconfiguration = \"resting-pair\"\nmomentum2 = 1\n"),
              "this configuration has 2 bodies, the scenario has 3");
    EXPECT_EQ(refusal(bodies + "[start]\nconfiguration = \"aligned-mixed\"\nmomentum2 = 5\n"),
              "there is no Aligned Mixed with this angular momentum");
    EXPECT_EQ(refusal(bodies + "[start]\nconfiguration = \"aligned-mixed\"\n"), "this configuration needs `momentum2` or `size`");
    EXPECT_EQ(refusal(bodies + "[start]\nmomentum2 = 1\n"), "`momentum2`, `size` and `rate_factor` belong to a configuration");
    EXPECT_EQ(refusal(replaced(bodies, "count = 3", "start.position = [\"0 m\", \"0 m\", \"0 m\"]\ncount = 3") +
                      "[start]\nconfiguration = \"lagrange-resting\"\nmomentum2 = 1\n"),
              "the configuration of [start] places the bodies: their `position` and `velocity` are not used");
    EXPECT_EQ(refusal(bodies + "[start]\nconfiguration = \"lagrange-resting\"\nmomentum2 = 1\nmoved = { body = \"sphere-4\", by = [\"1 "
                               "m\", \"0 m\", \"0 m\"] }\n"),
              "there is no body `sphere-4` that moves");
    EXPECT_EQ(refusal(bodies + "[start]\nconfiguration = \"lagrange-resting\"\nmomentum2 = 1\n[[phase]]\nmethod = \"event-driven\"\n"),
              "event-driven carries a ball on a surface, not free bodies: take constraint or penalty");
}

// The hint of a momentum at which there is no such configuration.
TEST(MovingBodies, SaysBetweenWhichMomentaAConfigurationExists) {
    const auto hint = [](const char* configuration, double momentum2) -> std::string {
        const std::string start = fmt::format("[start]\nconfiguration = \"{}\"\nmomentum2 = {}\n", configuration, momentum2);
        const Scenario scenario = read_scenario_text(bodies + start, "a.toml", {});
        try {
            compile(scenario, {});
            return {};
        } catch (const InputError& error) {
            return error.problems.at(0).hint;
        }
    };
    EXPECT_EQ(hint("aligned-mixed", 5), "it exists above 5.32417");
    EXPECT_EQ(hint("euler-orbiting", 1), "it exists above 6.6125");
    EXPECT_EQ(hint("v-rest", 1), "it exists between 1.98375 and 5.07");
}

}  // namespace
}  // namespace asperity::scenario::start_test
