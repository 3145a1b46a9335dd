// [[phase.until]], [cable.NAME], [engine.NAME], [controller.NAME]: what they become, and what is told where they do not fit together.
#include "asperity/scenario/guards.h"

#include "asperity/scenario/check.h"
#include "asperity/scenario/compile.h"
#include "asperity/scenario/write.h"
#include "scenario_test_tools.h"

namespace asperity::scenario::guards_test {
namespace {

using model::SignalKind;

const std::string soft = minimal + R"(restitution = 0.5
stiffness = "1e3 N/m"
slip_speed = "0.1 mm/s"
[cable.line]
from = { at = ["0 m", "0 m", "25 m"] }
to = { body = "lander", at = ["0 m", "0 m", "5 cm"] }
length = "4 m"
stiffness = "500 N/m"
damping = "10 N*s/m"
[engine.main]
body = "lander"
direction = [0, 0, 2]
thrust = "0.002 N"
exhaust_speed = "3 km/s"
propellant = "0.1 kg"
[controller.hover]
engine = "main"
period = "2 s"
kind = "proportional"
signal = "height over ground"
wanted = "10 m"
gain = "0.1 1/m"
integral_gain = "1e-3 1/m/s"
[[phase]]
name = "fall"
method = "penalty"
[[phase.until]]
when = { signal = "height over ground", below = "10 m" }
then = [{ reel = "line", to = "2 m", rate = "1 cm/s" }, { stop = "hover" }, { command = "main", throttle = 0.25 }]
lasting = "3 s"
rising = true
next = "down"
[[phase]]
name = "down"
method = "penalty"
until = { rest = "lander", outcome = "landed" }
)";

Scenario scenario_of(const std::string& text) { return read_scenario_text(text, "a.toml", {}); }

TEST(GuardsOfFiles, NamesBecomeRowsAndNumbers) {
    model::Parameters world;
    std::vector<Problem> problems;
    resolve_machinery(scenario_of(soft), world, problems);
    ASSERT_TRUE(problems.empty()) << problems.front().what;
    ASSERT_EQ(world.phases.size(), 2U);
    const model::Guard& guard = world.phases[0].guards.at(0);
    EXPECT_EQ(guard.conditions.at(0).signal.kind, SignalKind::height);
    EXPECT_FALSE(guard.conditions[0].is_above);
    EXPECT_EQ(guard.conditions[0].value, 10);
    EXPECT_EQ(guard.lasting, 3);
    EXPECT_TRUE(guard.is_rising);
    EXPECT_EQ(guard.next, 1);
    ASSERT_EQ(guard.actions.size(), 3U);
    EXPECT_EQ(guard.actions[0].kind, model::ActionKind::reel);
    EXPECT_EQ(guard.actions[0].value, 2);
    EXPECT_EQ(guard.actions[0].rate, 0.01);
    EXPECT_EQ(guard.actions[1].kind, model::ActionKind::stop_controller);
    EXPECT_EQ(guard.actions[2].value, 0.25);
    const model::Guard& rest = world.phases[1].guards.at(0);
    EXPECT_TRUE(rest.is_named());
    EXPECT_EQ(rest.next, -1);
    EXPECT_EQ(rest.outcome, "landed");
    EXPECT_EQ(world.cables.at(0).from.body, model::ground);
    EXPECT_EQ(world.cables[0].to.body, 0);
    EXPECT_EQ(world.engines.at(0).direction, (Vec3{0, 0, 1}));
    const auto& law = std::get<model::Proportional>(world.controllers.at(0).law);
    EXPECT_EQ(law.gain, 0.1);
    EXPECT_EQ(law.integral_gain, 1e-3);
}

const std::string with_signals = replaced(soft, "[[phase]]\nname = \"fall\"", R"([signal.pull]
is = "tension"
of = "line"
[signal.lean]
is = "tilt"
axis = [0, 3, 0]
[signal.altitude]
is = "height over ground"
of = "lander"
[[phase]]
name = "fall")");

TEST(SignalsOfFiles, AreWhatTheySayAndGuardsGoByTheirNames) {
    const std::string by_name =
        replaced(replaced(with_signals, "{ signal = \"height over ground\", below", "{ signal = \"altitude\", below"),
                 "signal = \"height over ground\"\nwanted", "signal = \"altitude\"\nwanted");
    model::Parameters world;
    std::vector<Problem> problems;
    resolve_machinery(scenario_of(by_name), world, problems);
    ASSERT_TRUE(problems.empty()) << problems.front().what;
    ASSERT_EQ(world.signals.size(), 3U);
    EXPECT_EQ(world.signals[0].name, "pull");
    EXPECT_EQ(world.signals[0].signal.kind, SignalKind::tension);
    EXPECT_EQ(world.signals[1].signal.axis, (Vec3{0, 1, 0}));
    EXPECT_EQ(world.phases.at(0).guards.at(0).conditions.at(0).signal.kind, SignalKind::height);
    EXPECT_EQ(std::get<model::Proportional>(world.controllers.at(0).law).signal.kind, SignalKind::height);
    const std::string text = resolved_toml(scenario_of(by_name));
    EXPECT_EQ(resolved_toml(scenario_of(text)), text);
}

TEST(SignalsOfFiles, MetricsOfBodiesAndSignalsCanBeExpected) {
    const std::string expect =
        "[expect]\npull.most = { at_most = \"3 kN\" }\n\"lean.end\" = { below = \"5 deg\" }\naltitude.most_time = "
        "[{ above = \"1 s\" }, { below = \"1 h\" }]\nstop_spin = { index = 2, below = \"1 rad/s\" }\n";
    EXPECT_EQ(errors_of(with_signals + expect), "");
    const Scenario scenario = scenario_of(with_signals + expect);
    ASSERT_EQ(scenario.expect.size(), 5U);
    EXPECT_EQ(scenario.expect[0].metric, "pull.most");
    EXPECT_EQ(scenario_of(resolved_toml(scenario)).expect, scenario.expect);
    const auto expect_told = [&](const std::string& line, const std::string& what) {
        EXPECT_NE(errors_of(with_signals + "[expect]\n" + line + "\n").find(what), std::string::npos)
            << errors_of(with_signals + "[expect]\n" + line + "\n");
    };
    expect_told("pull.most = \"3 m\"", "`pull.most` is a force, got a length");
    expect_told("pull.mots = \"3 N\"", "there is no metric `pull.mots`");
    expect_told("pull.mots = \"3 N\"", "did you mean `pull.most`?");
    expect_told("pul.most = \"3 N\"", "did you mean `pull.most`?");
    expect_told("stop_time = { vale = 5 }", "unknown key `vale`");
    expect_told("stop_tim = { vale = 5 }", "unknown key `vale`");
    expect_told("lander.stop_spin = { index = 0, value = \"1 rad/s\" }", "there is no metric `lander.stop_spin`");  // it moves alone
}

// Of several bodies each has its own, by its name.
TEST(SignalsOfFiles, BodiesHaveTheirMetricsByName) {
    const auto names = [](const std::string& text) {
        std::vector<std::string> out;
        for (const analysis::WorldMetric& metric : metrics_of(scenario_of(text))) out.push_back(metric.name);
        return out;
    };
    const auto has = [](const std::vector<std::string>& all, const char* name) { return std::ranges::find(all, name) != all.end(); };
    const std::vector<std::string> one = names(minimal + "restitution = 0.5\n");
    EXPECT_TRUE(has(one, "stop_position"));
    EXPECT_TRUE(has(one, "stop_spin"));
    EXPECT_EQ(std::ranges::count(one, "stop_position"), 1);
    EXPECT_FALSE(has(one, "lander.stop_position"));
    const std::string free = minimal + "restitution = 0.5\n[contact.\"*/*\"]\nrestitution = 0.5\n";
    const std::vector<std::string> several = names(replaced(free, "[body.lander]\n", "[body.lander]\ncount = 2\n"));
    EXPECT_TRUE(has(several, "lander-1.stop_position"));
    EXPECT_TRUE(has(several, "lander-2.heat_friction"));
    EXPECT_FALSE(has(several, "stop_position"));
    const std::vector<std::string> many = names(replaced(free, "[body.lander]\n", "[body.lander]\ncount = 65\n"));
    EXPECT_FALSE(has(many, "lander-1.stop_position"));
}

TEST(GuardsOfFiles, AreWrittenAsTheyAreRead) {
    const Scenario scenario = scenario_of(soft);
    const std::string text = resolved_toml(scenario);
    EXPECT_EQ(resolved_toml(scenario_of(text)), text);
    EXPECT_NE(text.find("[[phase.until.when]]"), std::string::npos);
}

TEST(GuardsOfFiles, PhasesAreSetByName) {
    const std::string text = soft;
    EXPECT_EQ(read_scenario_text(text, "a.toml", {.sets = {"phase.down.tolerance=1e-7"}}).phases[1].tolerance, 1e-7);
    EXPECT_NE(errors_of(text, {.sets = {"phase.up.tolerance=1e-7"}}).find("`phase` has no item `up`"), std::string::npos);
}

// The text, changed in one place, and how its only error begins.
void expect_error(const std::string& from, const std::string& to, const std::string& what) {
    const std::string error = errors_of(replaced(soft, from, to));
    EXPECT_NE(error.find("error: " + what), std::string::npos) << error;
    EXPECT_NE(error.find("\n\n1 error. "), std::string::npos) << error;
}

TEST(GuardsOfFiles, WhatDoesNotFitIsTold) {
    expect_error("reel = \"line\"", "reel = \"lien\"", "there is no cable `lien`");
    expect_error("stop = \"hover\"", "stop = \"hoover\"", "there is no engine, controller, motor or load `hoover`");
    expect_error("next = \"down\"", "next = \"dawn\"", "there is no phase `dawn`");
    expect_error("below = \"10 m\"", "below = \"10 s\"", "`below` needs a length, got a time");
    expect_error("below = \"10 m\"", "below = 10", "`below`: ");
    expect_error("below = \"10 m\"", "below = \"10 m\", above = \"1 m\"", "a condition needs one of `below` and `above`");
    expect_error(", rate = \"1 cm/s\"", "", "`reel` goes with `to` and `rate`");
    expect_error("{ stop = \"hover\" }", "{ stop = \"hover\", cut = \"line\" }", "an action is one thing");
    expect_error("rest = \"lander\", ", "rest = \"lander\", lasting = \"1 s\", ", "`rest` is an instant");
    expect_error("rest = \"lander\"", "escape = \"lander\"", "method \"penalty\" does not recognise `escape`");
    expect_error("rest = \"lander\"", "last_collision = \"1 h\"", "changes of contact are timed in worlds without ground");
    expect_error("outcome = \"landed\"", "outcome = \"rest\"", "\"rest\" is how the program itself calls an end");
    expect_error(", outcome = \"landed\"", "", "this guard is in the last phase");
    expect_error("gain = \"0.1 1/m\"", "gain = \"0.1 s\"", "`gain` needs");
    expect_error("to = { body = \"lander\"", "to = { body = \"ladder\"", "there is no body that moves `ladder`");
    expect_error("to = { body = \"lander\", at", "to = { at", "both ends of this cable");
    expect_error("signal = \"height over ground\", below", "signal = \"hight over ground\", below",
                 "there is no signal `hight over ground`");
    expect_error("exhaust_speed = \"3 km/s\"\n", "", "`propellant` and `exhaust_speed` belong together");
}

TEST(SignalsOfFiles, WhatDoesNotFitIsTold) {
    const auto expect_told = [](const std::string& section, const std::string& what) {
        const std::string error = errors_of(soft + section);
        EXPECT_NE(error.find("error: " + what), std::string::npos) << error;
        EXPECT_NE(error.find("\n\n1 error. "), std::string::npos) << error;
    };
    expect_told("[signal.speed]\nis = \"spin\"\n", "`speed` is what a signal can be, not the name of one");
    expect_told("[signal.lander]\nis = \"spin\"\n", "a body has the name `lander` as well");
    expect_told("[signal.a]\nis = \"spinn\"\n", "`is` cannot be \"spinn\"");
    expect_told("[signal.a]\nis = \"tension\"\nof = \"lien\"\n", "there is no cable `lien`");
    expect_told("[signal.a]\nis = \"spin\"\naxis = [1, 0, 0]\n", "this signal has no axis");
    expect_told("[signal.a]\nis = \"tilt\"\naxis = [0, 0, 0]\n", "an axis cannot be zero");
    expect_told("[signal.a]\nis = \"time\"\nof = \"lander\"\n", "this signal is of nothing");
}

TEST(GuardsOfFiles, AnOutcomeOfTheirOwnCanBeExpected) {
    EXPECT_EQ(errors_of(soft + "[expect]\noutcome = \"landed\"\n"), "");
    EXPECT_NE(errors_of(soft + "[expect]\noutcome = \"lended\"\n").find("no run ends as \"lended\""), std::string::npos);
}

std::string compile_error(const std::string& text) {
    try {
        const Scenario scenario = scenario_of(text);
        const model::Assets assets = load_assets(scenario);
        compile(scenario, assets, 0);
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

// event-driven carries no cable, and a phase that is reached only after all of them were cut has none.
TEST(GuardsOfFiles, AMethodWithoutCablesMayFollowTheCut) {
    const std::string no_engine = [] {
        std::string text = soft;
        text.erase(text.find("[engine.main]"), text.find("[[phase]]") - text.find("[engine.main]"));
        text = replaced(text, ", { stop = \"hover\" }, { command = \"main\", throttle = 0.25 }", "");
        return replaced(text, "name = \"down\"\nmethod = \"penalty\"", "name = \"down\"\nmethod = \"event-driven\"");
    }();
    EXPECT_NE(compile_error(no_engine).find("event-driven carries neither cables nor engines"), std::string::npos)
        << compile_error(no_engine);
    EXPECT_EQ(compile_error(replaced(no_engine, "{ reel = \"line\", to = \"2 m\", rate = \"1 cm/s\" }", "{ cut = \"line\" }")), "");
}

// An impact that is an instant has no force.
TEST(GuardsOfFiles, AContactForceIsOfMethodsThatTellIt) {
    const std::string signal = "[signal.push]\nis = \"contact force\"\n";
    EXPECT_NE(compile_error(minimal + "restitution = 0.5\n" + signal)
                  .find("event-driven tells no contact force, which a signal is: take penalty"),
              std::string::npos);
    EXPECT_EQ(compile_error(soft + signal), "");
    const std::string guard =
        replaced(soft, "signal = \"height over ground\", below = \"10 m\"", "signal = \"contact force\", above = \"1 N\"");
    EXPECT_EQ(compile_error(guard), "");
    EXPECT_NE(compile_error(replaced(guard, "name = \"down\"\nmethod = \"penalty\"", "name = \"down\"\nmethod = \"event-driven\"")), "");
}

}  // namespace
}  // namespace asperity::scenario::guards_test
