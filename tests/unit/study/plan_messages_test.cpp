// Every message about a study that does not fit its scenario or itself, with its place.
#include "asperity/study/plan.h"
#include "unit/scenario/scenario_test_tools.h"

namespace asperity::study::plan_messages_test {
namespace {

using scenario::complete;
using scenario::first_lines;
using scenario::Folder;
using scenario::replaced;

// Lines 1 to 7; whatever a test appends begins on line 8.
const std::string sound = R"(scenario = "ball.toml"
runs = 8
[[vary]]
key = "contact.lander/ground.friction"
distribution = "uniform"
low = 0.1
high = 0.2
)";

// What the user would see, with the folder of the test left out; empty where the study is accepted.
std::string error_of(const std::string& text, const PlanOptions& options = {}) {
    const Folder folder;
    folder.write("ball.toml", complete);
    try {
        make_plan(folder.write("a.toml", text), options);
        return {};
    } catch (const InputError& error) {
        std::string all = error.what();
        for (std::size_t at = 0; (at = all.find(folder.path(""))) != std::string::npos;) all.erase(at, folder.path("").size());
        const std::string end = "\n\n1 error. Nothing was run.";
        return all.ends_with(end) ? all.substr(0, all.size() - end.size()) : all;
    }
}

std::string first(const std::string& text) { return first_lines(error_of(text), 1); }

TEST(PlanMessages, a_sound_study_has_none) { EXPECT_EQ(error_of(sound), ""); }

TEST(PlanMessages, a_scenario_is_no_study) {
    EXPECT_EQ(error_of(complete),
              "error: a.toml is a scenario: one run\n"
              "  asperity run a.toml runs it; a study names it: scenario = \"...\", with `runs` and what is drawn");
}

TEST(PlanMessages, until_needs_something_that_has_a_mean) {
    EXPECT_EQ(first(sound + "[until]\nmetric = \"success\"\nhalf_width = 0.1\n"), "error: the study does not say what a success is");
    EXPECT_EQ(first(sound + "[until]\nmetric = \"stop_facet\"\nhalf_width = 0.1\n"),
              "error: `stop_facet` has no mean whose interval could become narrow");
}

TEST(PlanMessages, an_unknown_key_of_the_scenario_gets_a_suggestion) {
    EXPECT_EQ(error_of(replaced(sound, "contact.lander/ground.friction", "contact.lander/ground.frction")),
              "error: the scenario has no key `contact.lander/ground.frction`\n"
              "  a.toml:4:7   [[vary]] 0\n"
              "  4 | key = \"contact.lander/ground.frction\"\n"
              "    |       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ did you mean `contact.lander/ground.friction`?\n"
              "  `asperity explain` lists all keys; which there are depends on the kinds that the scenario chooses");
    EXPECT_EQ(first_lines(error_of(sound + "[[derive]]\nkey = \"body.ground.shape.depth\"\nexpression = \"1\"\n"), 3),
              "error: the scenario has no key `body.ground.shape.depth`\n"
              "  a.toml:9:7   [[derive]] 0\n"
              "  9 | key = \"body.ground.shape.depth\"");
    EXPECT_EQ(first(replaced(sound, "contact.lander/ground.friction", "name")), "error: `name` holds text, which a study cannot draw");
}

TEST(PlanMessages, of_a_value_in_the_wrong_unit) {
    const std::string radius = replaced(
        replaced(replaced(sound, "contact.lander/ground.friction", "body.lander.shape.sphere"), "0.1", "\"1 cm\""), "0.2", "\"2 cm\"");
    EXPECT_EQ(error_of(radius), "");
    EXPECT_EQ(error_of(replaced(radius, "\"2 cm\"", "\"2 s\"")),
              "error: `high` needs a length, got a time\n"
              "  a.toml:7:8   [[vary]] 0\n"
              "  7 | high = \"2 s\"\n"
              "    |        ^^^^^ write for example \"2 m\"");
    EXPECT_EQ(error_of(replaced(radius, "\"2 cm\"", "2")),
              "error: `high` has no unit\n"
              "  a.toml:7:8   [[vary]] 0\n"
              "  7 | high = 2\n"
              "    |        ^ write for example \"2 m\"");
    EXPECT_EQ(first(replaced(radius, "\"2 cm\"", "\"2 parsec\"")), "error: unknown unit `parsec`");
    EXPECT_EQ(first(replaced(sound, "high = 0.2", "high = \"0.2 m\"")), "error: `high` needs a plain number, got \"0.2 m\"");
    EXPECT_EQ(first(replaced(sound, "high = 0.2", "high = true")), "error: `high` needs a plain number, got \"true\"");
    EXPECT_EQ(first(replaced(sound, "high = 0.2", "high = inf")), "error: `high` needs a plain number, got \"inf\"");
    // without a key, all values of a distribution have one dimension
    const std::string free = "runs = 8\n[[vary]]\nname = \"x\"\ndistribution = \"uniform\"\nlow = \"1 m\"\nhigh = \"2 s\"\n";
    EXPECT_EQ(first(free), "error: `high` needs a length, got a time");
    EXPECT_EQ(first(replaced(free, "\"2 s\"", "2")), "error: `high` has no unit");
    EXPECT_EQ(first(replaced(free, "\"1 m\"", "1")), "error: `high` needs a plain number, got \"2 s\"");
}

TEST(PlanMessages, of_a_name_that_the_key_does_not_know) {
    const std::string law =
        "scenario = \"ball.toml\"\nruns = 8\n[[vary]]\nkey = \"contact.lander/ground.rolling_law\"\ndistribution = \"choice\"\n";
    EXPECT_EQ(error_of(law + "values = [\"coupled\", \"thessi\"]\n"),
              "error: `contact.lander/ground.rolling_law` cannot be \"thessi\"\n"
              "  a.toml:6:10   [[vary]] 0\n"
              "  6 | values = [\"coupled\", \"thessi\"]\n"
              "    |          ^^^^^^^^^^^^^^^^^^^^^ did you mean `thesis`?\n"
              "  known here: coupled, thesis, published");
    EXPECT_EQ(first(law + "values = [\"coupled\", 1]\n"), "error: `contact.lander/ground.rolling_law` cannot be \"1\"");
    EXPECT_EQ(first(law + "values = [\"coupled\", \"thesis\"]\nweights = [1, \"much\"]\n"),
              "error: `weights` needs plain numbers, got \"much\"");
}

TEST(PlanMessages, of_an_impossible_distribution) {
    EXPECT_EQ(first_lines(error_of(replaced(sound, "high = 0.2", "high = 0.05")), 4),
              first(replaced(sound, "high = 0.2", "high = 0.05")) +
                  "\n  a.toml:5:16   [[vary]] 0\n  5 | distribution = \"uniform\"\n    |                ^^^^^^^^^");
    const std::string begin = "scenario = \"ball.toml\"\nruns = 8\n[[vary]]\nkey = \"contact.lander/ground.friction\"\ndistribution = ";
    for (const char* rest : {
             "\"normal\"\nmean = 1\nsigma = -1\n",
             "\"normal\"\nmean = 1\nsigma = 1\nlow = 3\nhigh = 2\n",
             "\"normal\"\nmean = 1\nsigma = 1e-3\nlow = 2\n",  // a thousand sigma away
             "\"log-normal\"\nmedian = -1\nsigma_log = 1\n",
             "\"choice\"\nvalues = []\n",
             "\"choice\"\nvalues = [1, 2]\nweights = [1]\n",
             "\"choice\"\nvalues = [1, 2]\nweights = [0, 0]\n",
             "\"table\"\nvalues = [1, 2]\ncumulative = [0, 0.9]\n",
             "\"table\"\nvalues = [2, 1]\ncumulative = [0, 1]\n",
             "\"table\"\nvalues = []\n",
         }) {
        const std::string error = error_of(begin + rest);
        EXPECT_NE(error.find("\n  a.toml:5:16   [[vary]] 0\n"), std::string::npos) << rest << error;
    }
}

TEST(PlanMessages, of_a_value_that_is_there_twice) {
    const std::string again = sound.substr(sound.find("[[vary]]"));
    EXPECT_EQ(error_of(sound + again),
              "error: `contact.lander/ground.friction` is there twice\n"
              "  a.toml:8:1   [[vary]] 1\n"
              "  8 | [[vary]]\n"
              "    | ^^^^^^^^ a value is varied once; two columns need two names");
    EXPECT_EQ(first(sound + replaced(again, "key = ", "name = \"f\"\nkey = ")), "error: `contact.lander/ground.friction` is set twice");
    EXPECT_EQ(first(sound + "[[derive]]\nkey = \"contact.lander/ground.friction\"\nexpression = \"1\"\n"),
              "error: `contact.lander/ground.friction` is there twice");
    EXPECT_EQ(first(replaced(sound, "key = \"contact.lander/ground.friction\"\n", "")), "error: it has neither `key` nor `name`");
}

TEST(PlanMessages, an_expression_knows_only_the_names_above_it) {
    const std::string named = replaced(sound, "key = ", "name = \"friction\"\nkey = ");
    EXPECT_EQ(error_of(named + "[[derive]]\nname = \"y\"\nexpression = \"2 * fiction\"\n"),
              "error: in \"2 * fiction\", character 5: unknown name `fiction`\n"
              "  a.toml:11:14   [[derive]] 0\n"
              "  11 | expression = \"2 * fiction\"\n"
              "     |              ^^^^^^^^^^^^^ did you mean `friction`?\n"
              "  known here: friction");
    // two that need each other cannot be written: one of them stands first
    const std::string circle = "[[derive]]\nname = \"y\"\nexpression = \"z\"\n[[derive]]\nname = \"z\"\nexpression = \"y\"\n";
    EXPECT_NE(error_of(sound + circle).find("\n  a.toml:10:14   [[derive]] 0\n"), std::string::npos) << error_of(sound + circle);
    EXPECT_NE(error_of(sound + "[[derive]]\nname = \"y\"\nexpression = \"y + 1\"\n"), "");
    EXPECT_NE(error_of(sound + "[[derive]]\nname = \"y\"\nexpression = \"1 +\"\n").find("in \"1 +\", character 4: "), std::string::npos);
    // a parameter cannot follow from a metric
    EXPECT_NE(error_of(sound + "[[derive]]\nname = \"y\"\nexpression = \"stop_time\"\n"), "");
}

TEST(PlanMessages, of_metrics) {
    EXPECT_EQ(first_lines(error_of("metrics = [\"stop_tme\"]\n" + sound), 4),
              "error: there is no metric `stop_tme`\n"
              "  a.toml:1:11\n"
              "  1 | metrics = [\"stop_tme\"]\n"
              "    |           ^^^^^^^^^^^^ did you mean `stop_time`?");
    const std::string metric = "[[metric]]\nname = \"stop_time\"\nexpression = \"1\"\n";
    EXPECT_EQ(error_of(sound + metric),
              "error: there is a column `stop_time` already\n"
              "  a.toml:9:8   [[metric]] 0\n"
              "  9 | name = \"stop_time\"\n"
              "    |        ^^^^^^^^^^^ give it another name");
    EXPECT_EQ(first(sound + replaced(metric, "stop_time", "contact.lander/ground.friction")),
              "error: there is a column `contact.lander/ground.friction` already");
    EXPECT_EQ(first(sound + replaced(metric, "\"stop_time\"", "\"a\"\nunit = \"parsec\"")), "error: unknown unit `parsec`");
    const std::string free =
        replaced(replaced(sound, "scenario = \"ball.toml\"\n", ""), "key = \"contact.lander/ground.friction\"", "name = \"x\"");
    EXPECT_EQ(error_of(free), "");
    EXPECT_EQ(first("metrics = [\"stop_time\"]\n" + free), "error: a study without a scenario has no metrics but those of [[metric]]");
    EXPECT_EQ(first(replaced(free, "name = \"x\"", "key = \"contact.lander/ground.friction\"")),
              "error: the study has no scenario, so that there are no keys");
}

// The table of a campaign has columns of its own beside those of the study.
TEST(PlanMessages, of_a_name_that_the_table_needs_itself) {
    for (const std::string name : {"run", "outcome", "success", "error"}) {
        EXPECT_EQ(first_lines(error_of(sound + "[[metric]]\nname = \"" + name + "\"\nexpression = \"1\"\n"), 2),
                  "error: there is a column `" + name + "` already\n  a.toml:9:8   [[metric]] 0");
        EXPECT_EQ(first(replaced(sound, "key = ", "name = \"" + name + "\"\nkey = ")), "error: there is a column `" + name + "` already");
        EXPECT_EQ(first(sound + "[[derive]]\nname = \"" + name + "\"\nexpression = \"1\"\n"),
                  "error: there is a column `" + name + "` already");
    }
    // a parameter may not be called as a metric is
    EXPECT_EQ(error_of(replaced(sound, "key = ", "name = \"stop_position.y\"\nkey = ")),
              "error: there is a column `stop_position.y` already\n"
              "  a.toml:4:8   [[vary]] 0\n"
              "  4 | name = \"stop_position.y\"\n"
              "    |        ^^^^^^^^^^^^^^^^^ give it another name");
    // unless the study leaves that metric out
    EXPECT_EQ(error_of("metrics = [\"impacts\"]\n" + replaced(sound, "key = ", "name = \"stop_position.y\"\nkey = ")), "");
}

TEST(PlanMessages, of_success) {
    EXPECT_EQ(first_lines(error_of(sound + "[success]\nstop_tme = \"5 s\"\n"), 4),
              "error: there is no metric `stop_tme`\n"
              "  a.toml:9:12   [success]\n"
              "  9 | stop_tme = \"5 s\"\n"
              "    |            ^^^^^ did you mean `stop_time`?");
}

TEST(PlanMessages, of_until) {
    const std::string until = sound + "[until]\nmetric = \"stop_time\"\n";
    EXPECT_EQ(error_of(until + "half_width = \"1 s\"\n"), "");
    EXPECT_EQ(error_of(until + "relative = 0.1\n"), "");
    EXPECT_EQ(error_of(until),
              "error: it does not say how narrow the interval must be\n"
              "  a.toml:8:1   [until]\n"
              "  8 | [until]\n"
              "    | ^^^^^^^ give half_width or relative");
    EXPECT_EQ(first(until + "half_width = \"1 m\"\n"), "error: `half_width` needs a time, got a length");
    EXPECT_EQ(first(until + "half_width = 1\n"), "error: `half_width` has no unit");
    EXPECT_EQ(first(until + "half_width = \"0 s\"\n"), "error: `half_width` must be positive");
    EXPECT_EQ(first(replaced(until, "stop_time", "stop_tme") + "relative = 0.1\n"), "error: there is no column `stop_tme`");
    EXPECT_EQ(error_of(replaced(until, "stop_time", "success") + "half_width = 0.1\n[success]\noutcome = \"rest\"\n"), "");
    EXPECT_EQ(first("design = \"latin-hypercube\"\n" + until + "relative = 0.1\n"),
              "error: only designs monte-carlo, sobol and sobol-indices can go on until an interval is narrow");
}

TEST(PlanMessages, of_the_number_of_runs) {
    EXPECT_EQ(first(replaced(sound, "runs = 8\n", "")), "error: missing key `runs`");
    EXPECT_EQ(error_of(replaced(sound, "runs = 8\n", ""), {.runs = 3}), "");
    EXPECT_EQ(error_of("design = \"grid\"\n" + sound),
              "error: the design counts its runs itself\n"
              "  a.toml:3:8\n"
              "  3 | runs = 8\n"
              "    |        ^ leave out `runs`; `levels` of each [[vary]] says how many there are");
    EXPECT_EQ(first("scenario = \"ball.toml\"\nruns = 8\n"), "error: the study varies nothing");
}

TEST(PlanMessages, all_of_them_at_once) {
    const std::string all =
        error_of(replaced(sound, "high = 0.2", "high = \"x\"") + "[[derive]]\nname = \"y\"\nexpression = \"z\"\n[until]\nmetric = \"w\"\n");
    EXPECT_TRUE(all.ends_with("4 errors. Nothing was run.")) << all;
}

TEST(PlanMessages, of_the_scenario_point_into_its_file) {
    const Folder folder;
    folder.write("ball.toml", replaced(complete, "friction = 0.6", "frction = 0.6"));
    try {
        make_plan(folder.write("a.toml", sound), {});
        FAIL();
    } catch (const InputError& error) {
        EXPECT_EQ(error.problems.front().file, folder.path("ball.toml"));
    }
    EXPECT_NE(error_of(replaced(sound, "ball.toml", "bal.toml")).find("did you mean `ball.toml`?"), std::string::npos);
    EXPECT_NE(error_of("set = [\"contact.lander/ground.frction=1\"]\n" + sound).find("unknown key `frction`"), std::string::npos);
}

}  // namespace
}  // namespace asperity::study::plan_messages_test
