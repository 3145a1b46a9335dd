// The row of a run is a function of the study and of the number of the run, and it is what `asperity run` would give.
#include "asperity/study/plan.h"

#include <bit>
#include <cmath>
#include <set>
#include <thread>

#include "asperity/scenario/compile.h"
#include "asperity/statistics/statistics.h"
#include "asperity/study/trial.h"
#include "unit/scenario/scenario_test_tools.h"

namespace asperity::study::plan_test {
namespace {

using scenario::complete;
using scenario::Folder;
using scenario::replaced;

// A ball that falls 20 m onto a plain; every kind of drawn value.
const std::string ball_study = R"toml(scenario = "ball.toml"
set = ["end.time='10 h'", "body.ground.shape.side='4 km'"]
runs = 16
metrics = ["impacts", "impact_time", "stop_position", "stop_time"]
[[vary]]
key = "contact.lander/ground.restitution"
name = "restitution"
distribution = "uniform"
low = 0.3
high = 0.5
[[vary]]
key = "body.lander.start.velocity.x"
distribution = "normal"
mean = "3 cm/s"
sigma = "1 mm/s"
[[vary]]
key = "contact.lander/ground.rolling_law"
distribution = "choice"
values = ["coupled", "published"]
[[vary]]
name = "share"
distribution = "log-normal"
median = 0.05
sigma_log = 0.3
[[derive]]
key = "contact.lander/ground.rolling_resistance"
expression = "share * (1 - restitution)"
[[metric]]
name = "way"
unit = "m"
expression = "hypot(stop_position.x, stop_position.y)"
)toml";

class Files {
public:
    Files() { folder_.write("ball.toml", complete); }
    Plan plan(const std::string& text, const PlanOptions& options = {}) const {
        return make_plan(folder_.write("study.toml", text), options);
    }
    const Folder& folder() const { return folder_; }

private:
    Folder folder_;
};

std::vector<std::uint64_t> bits(const std::vector<double>& values) {
    std::vector<std::uint64_t> out;
    for (const double value : values) out.push_back(std::bit_cast<std::uint64_t>(value));
    return out;
}

std::vector<std::string> names(const Plan& plan) {
    std::vector<std::string> out;
    for (const batch::Column& column : plan.columns) out.push_back(column.name + (column.unit.empty() ? "" : " [" + column.unit + "]"));
    return out;
}

double value_of(const Plan& plan, const Row& row, const std::string& name) {
    for (std::size_t i = 0; i < plan.columns.size(); ++i)
        if (plan.columns[i].name == name) return row.values[i];
    ADD_FAILURE() << "no column " << name;
    return statistics::no_value;
}

const char* const every_design[] = {"monte-carlo", "latin-hypercube", "sobol", "sobol-indices", "grid", "one-at-a-time"};

std::string with_design(const std::string& design) {
    const bool counts_itself = design == "grid" || design == "one-at-a-time";
    return replaced("design = \"" + design + "\"\n" + ball_study, "runs = 16\n", counts_itself ? "" : "runs = 16\n");
}

TEST(Plan, values_of_a_run_do_not_depend_on_what_was_asked_before_or_by_whom) {
    const Files files;
    for (const char* design : every_design) {
        SCOPED_TRACE(design);
        const Plan plan = files.plan(with_design(design)), again = files.plan(with_design(design));
        const std::uint64_t runs = plan.design.runs();
        std::vector<std::vector<std::uint64_t>> forwards, others(runs);
        for (std::uint64_t run = 0; run < runs; ++run) forwards.push_back(bits(parameter_values(plan, run)));
        for (std::uint64_t run = runs; run-- > 0;) EXPECT_EQ(bits(parameter_values(again, run)), forwards[run]) << run;
        {
            std::vector<std::jthread> threads;
            for (std::uint64_t k = 0; k < 4; ++k)
                threads.emplace_back([&, k] {
                    for (std::uint64_t run = k; run < runs; run += 4) others[run] = bits(parameter_values(plan, run));
                });
        }
        EXPECT_EQ(others, forwards);
        EXPECT_GT(std::set(forwards.begin(), forwards.end()).size(), 1u);
    }
}

TEST(Plan, rows_do_not_depend_on_the_runs_before_them) {
    const Files files;
    const Plan plan = files.plan(ball_study);
    RowMaker forwards(plan), backwards(plan);
    std::vector<std::string> rows;
    for (std::uint64_t run = 0; run < 8; ++run) rows.push_back(packed(forwards.make(run)));
    for (std::uint64_t run = 8; run-- > 0;) EXPECT_EQ(packed(backwards.make(run)), rows[run]) << run;
    EXPECT_EQ(std::set(rows.begin(), rows.end()).size(), rows.size());
}

TEST(Plan, another_seed_draws_other_values) {
    const Files files;
    const Plan plan = files.plan(ball_study), other = files.plan(ball_study, {.seed = 2});
    EXPECT_NE(bits(parameter_values(plan, 0)), bits(parameter_values(other, 0)));
    EXPECT_EQ(bits(parameter_values(other, 0)), bits(parameter_values(files.plan("seed = 2\n" + ball_study), 0)));
}

TEST(Plan, draws_what_the_distributions_say_in_si_units) {
    const Files files;
    const Plan plan = files.plan("design = \"latin-hypercube\"\n" + replaced(ball_study, "runs = 16", "runs = 2000"));
    statistics::RunningMean e, v, share;
    int published = 0;
    for (std::uint64_t run = 0; run < 2000; ++run) {
        const std::vector<double> values = parameter_values(plan, run);
        ASSERT_EQ(values.size(), 5u);
        EXPECT_TRUE(values[0] > 0.3 && values[0] < 0.5);
        EXPECT_TRUE(values[2] == 0 || values[2] == 2) << values[2];  // places in the list of the key's names
        EXPECT_EQ(values[4], values[3] * (1 - values[0]));
        e.add(values[0]), v.add(values[1]), share.add(std::log(values[3]));
        published += values[2] == 2 ? 1 : 0;
    }
    // one value in each of 2000 strata: a mean is right within the width of a stratum over the density, most of it in the tails
    EXPECT_NEAR(e.mean(), 0.4, 0.2 / 2000);
    EXPECT_NEAR(v.mean(), 0.03, 0.001 * 4.0 / 2000);
    EXPECT_NEAR(std::sqrt(v.variance()), 0.001, 0.001 * 0.01);
    EXPECT_NEAR(share.mean(), std::log(0.05), 0.3 * 4.0 / 2000);
    EXPECT_NEAR(published, 1000, 1);
}

TEST(Plan, integers_are_drawn_whole_and_the_table_has_the_whole_number) {
    const Files files;
    const Plan plan =
        files.plan("scenario = \"ball.toml\"\nruns = 8\n[[vary]]\nkey = \"seed\"\ndistribution = \"uniform\"\nlow = 0\nhigh = 9\n");
    for (std::uint64_t run = 0; run < 8; ++run) {
        const double seed = parameter_values(plan, run)[0];
        EXPECT_EQ(seed, std::round(seed));
    }
}

TEST(Plan, has_a_column_for_each_number) {
    const Files files;
    EXPECT_EQ(
        names(files.plan(ball_study)),
        (std::vector<std::string>{"restitution", "body.lander.start.velocity.x [m/s]", "contact.lander/ground.rolling_law", "share",
                                  "contact.lander/ground.rolling_resistance", "impacts", "impact_time.first [s]", "impact_time.last [s]",
                                  "stop_time [s]", "stop_position.x [m]", "stop_position.y [m]", "stop_position.z [m]", "way [m]"}));
    // all metrics where none is named: as many columns as numbers; the outcome, a text, has its own place in the table
    const Plan all = files.plan(replaced(ball_study, "metrics = [\"impacts\", \"impact_time\", \"stop_position\", \"stop_time\"]\n", ""));
    std::size_t count = 0;
    for (const analysis::MetricEntry& entry : analysis::all_metrics()) {
        using Shape = analysis::MetricShape;
        if (!entry.is_of({.bodies = 1, .has_ground = true})) continue;
        count += entry.shape == Shape::vector ? 3 : entry.shape == Shape::list ? 2 : entry.shape == Shape::text ? 0 : 1;
    }
    EXPECT_EQ(all.metrics.size(), count);
    EXPECT_EQ(all.columns.size(), 5 + count + 1);
    for (const batch::Column& column : all.columns) EXPECT_FALSE(column.text.empty()) << column.name;
    EXPECT_TRUE(all.text_columns.empty());
}

TEST(Plan, metrics_that_are_names_have_columns_of_texts) {
    const std::string file = ASPERITY_SOURCE_DIR "/scenarios/ternary/er-to-am-ensemble.toml";
    const Plan plan = make_plan(file, {.sets = {"metrics=[\"configuration\", \"collisions\"]"}});
    ASSERT_EQ(plan.text_columns.size(), 1u);
    EXPECT_EQ(plan.text_columns[0].name, "configuration");
    const Row row = unpacked_row(packed(RowMaker(plan).make(0)));
    EXPECT_EQ(row.texts, std::vector<std::string>{"Aligned Mixed"});
    EXPECT_EQ(row.values.size(), plan.columns.size());
}

// Metrics of single bodies have columns where they are asked for by name, and not otherwise.
TEST(Plan, metrics_of_one_body_have_columns_where_they_are_asked_for) {
    const std::string file = ASPERITY_SOURCE_DIR "/scenarios/ternary/er-to-am-ensemble.toml";
    const Plan plan = make_plan(file, {.sets = {"metrics=[\"sphere-2.stop_position\", \"sphere-3.first_impact_time\", \"collisions\"]"}});
    EXPECT_EQ(names(plan),
              (std::vector<std::string>{"start.moved.by.x [m]", "start.moved.by.y [m]", "collisions", "sphere-2.stop_position.x [m]",
                                        "sphere-2.stop_position.y [m]", "sphere-2.stop_position.z [m]", "sphere-3.first_impact_time [s]"}));
    const Row row = RowMaker(plan).make(0);
    ASSERT_EQ(row.error, "");
    EXPECT_GT(row.values.at(6), 0);
    const Plan usual = make_plan(file, {.sets = {"metrics=[]"}});
    for (const std::string& name : names(usual)) EXPECT_EQ(name.find("sphere-"), std::string::npos) << name;
    try {
        make_plan(file, {.sets = {"metrics=[\"sphere2.stop_position\"]"}});
        ADD_FAILURE() << "a body that there is not";
    } catch (const InputError& error) {
        EXPECT_EQ(error.problems.front().what, "there is no metric `sphere2.stop_position`");
        EXPECT_EQ(error.problems.front().hint, "did you mean `sphere-2.stop_position`?");
    }
}

// Pairs in the order 1-2, 1-3, 2-3; the first contact of ER -> AM is that of 1 and 3, the only one.
TEST(Plan, metrics_of_each_body_and_of_each_pair_have_columns) {
    const std::string file = ASPERITY_SOURCE_DIR "/scenarios/ternary/er-to-am-ensemble.toml";
    const Plan plan = make_plan(file, {.sets = {"metrics=[\"spin_rate\", \"first_collision_of_pair\", \"first_collision_time\"]"}});
    EXPECT_EQ(names(plan), (std::vector<std::string>{"start.moved.by.x [m]", "start.moved.by.y [m]", "first_collision_time [s]",
                                                     "first_collision_of_pair.pair_1_2 [s]", "first_collision_of_pair.pair_1_3 [s]",
                                                     "first_collision_of_pair.pair_2_3 [s]", "spin_rate.body_1 [rad/s]",
                                                     "spin_rate.body_2 [rad/s]", "spin_rate.body_3 [rad/s]"}));
    const Row row = RowMaker(plan).make(0);
    EXPECT_EQ(value_of(plan, row, "first_collision_of_pair.pair_1_2"), -1);
    EXPECT_EQ(value_of(plan, row, "first_collision_of_pair.pair_1_3"), value_of(plan, row, "first_collision_time"));
    EXPECT_LT(value_of(plan, row, "spin_rate.body_1"), value_of(plan, row, "spin_rate.body_2"));  // tides of the pair are stronger
}

// Four spheres are in none of the configurations of three.
TEST(Plan, refuses_success_that_no_run_can_have) {
    const Files files;
    std::string text = "gravity.mutual = \"points\"\n[contact.\"*/*\"]\nrestitution = 0\n[end]\ntime = \"1 s\"\n";
    for (int i = 0; i < 4; ++i)
        text += fmt::format(
            "[body.b{}]\nshape.sphere = \"1 m\"\ndensity = \"2 g/cm^3\"\nstart.position = [\"{} m\", \"0 m\", \"0 m\"]\n"
            "start.velocity = [\"0 m/s\", \"0 m/s\", \"0 m/s\"]\n",
            i, 3 * i);
    files.folder().write("four.toml", text);
    try {
        files.plan(
            "scenario = \"four.toml\"\nruns = 2\n[success]\nconfiguration = \"Euler Resting\"\n"
            "[[vary]]\nkey = \"body.b0.density\"\ndistribution = \"uniform\"\nlow = \"1 g/cm^3\"\nhigh = \"2 g/cm^3\"\n");
        FAIL() << "a success that cannot be was taken";
    } catch (const InputError& error) {
        EXPECT_EQ(error.problems.at(0).what, "there is no metric `configuration`");
    }
}

TEST(Plan, scatter_of_free_bodies_alone_is_a_study) {
    const Files files;
    const std::string scenario = "include = \"" ASPERITY_SOURCE_DIR "/scenarios/ternary/sun-earth-moon.toml\"\n";
    files.folder().write("alone.toml", scenario);
    const std::string study = "scenario = \"alone.toml\"\nruns = 2\n";
    EXPECT_THROW(files.plan(study), InputError);
    for (const char* scatter : {"position_sigma=[\"1 km\", \"0 km\", \"0 km\"]", "velocity_sigma=[\"0 m/s\", \"1 m/s\", \"0 m/s\"]",
                                "spin_sigma=[\"0 rad/s\", \"0 rad/s\", \"1e-6 rad/s\"]"})
        EXPECT_NO_THROW(files.plan(fmt::format("{}set = ['body.sun.start.{}']\n", study, scatter))) << scatter;
}

TEST(Plan, refuses_metrics_of_another_world) {
    try {
        make_plan(ASPERITY_SOURCE_DIR "/scenarios/ternary/er-to-am-ensemble.toml", {.sets = {"metrics=[\"stop_time\"]"}});
        FAIL() << "a metric of a ball was taken for free bodies";
    } catch (const InputError& error) {
        EXPECT_EQ(error.problems.at(0).what, "there is no metric `stop_time`");
    }
}

TEST(Plan, a_parameter_without_key_has_the_unit_of_its_values) {
    const Files files;
    const Plan plan = files.plan("runs = 4\n[[vary]]\nname = \"v\"\ndistribution = \"uniform\"\nlow = \"1 cm/s\"\nhigh = \"1 km/h\"\n");
    EXPECT_EQ(plan.columns[0].unit, "m/s");
    for (std::uint64_t run = 0; run < 4; ++run) {
        const double v = parameter_values(plan, run)[0];
        EXPECT_TRUE(v > 0.01 && v < 1 / 3.6) << v;
    }
}

// The same values typed into the scenario by hand.
TEST(Plan, a_row_is_what_the_scenario_with_these_values_gives) {
    const Files files;
    const Plan plan = files.plan(ball_study);
    RowMaker maker(plan);
    for (const std::uint64_t run : {0, 3, 11}) {
        const Row row = maker.make(run);
        EXPECT_EQ(row.outcome, "rest");
        EXPECT_EQ(row.error, "");
        const auto plain = [&](const char* name) { return fmt::format("{}={:.17g}", name, value_of(plan, row, name)); };
        const char* const law = value_of(plan, row, "contact.lander/ground.rolling_law") == 0 ? "coupled" : "published";
        const scenario::Scenario by_hand = scenario::read_scenario_text(
            replaced(complete, "\"1 cm/s\", ", fmt::format("\"{:.17g} m/s\", ", value_of(plan, row, "body.lander.start.velocity.x"))),
            "a.toml",
            {.sets = {"contact.lander/ground." + plain("restitution"), plain("contact.lander/ground.rolling_resistance"),
                      fmt::format("contact.lander/ground.rolling_law={}", law), "end.time='10 h'", "body.ground.shape.side='4 km'"},
             .seed = 1});
        const model::Assets assets = scenario::load_assets(by_hand);
        const Trial trial = run_trial(by_hand, assets, run);
        std::map<std::string, analysis::Metric> metrics;
        for (const analysis::Metric& metric : trial.metrics) metrics[metric.name] = metric;
        const auto list = [&](const char* name) { return std::get<std::vector<double>>(metrics.at(name).value); };
        EXPECT_EQ(value_of(plan, row, "impacts"), std::get<double>(metrics.at("impacts").value));
        EXPECT_EQ(value_of(plan, row, "stop_time"), std::get<double>(metrics.at("stop_time").value));
        EXPECT_EQ(value_of(plan, row, "impact_time.first"), list("impact_time").front());
        EXPECT_EQ(value_of(plan, row, "impact_time.last"), list("impact_time").back());
        EXPECT_EQ(value_of(plan, row, "stop_position.x"), list("stop_position")[0]);
        EXPECT_EQ(value_of(plan, row, "stop_position.z"), list("stop_position")[2]);
        EXPECT_NEAR(value_of(plan, row, "way"), std::hypot(list("stop_position")[0], list("stop_position")[1]), 1e-12);
        // 20 m of free fall, less the radius, at 1e-4 m/s^2
        EXPECT_NEAR(value_of(plan, row, "impact_time.first"), std::sqrt(2 * 19.95 / 1e-4), 1e-6);
    }
}

TEST(Plan, what_did_not_happen_is_an_empty_cell) {
    const Files files;
    const Plan plan = files.plan(
        "scenario = \"ball.toml\"\nset = [\"end.time='1 s'\"]\nruns = 2\n[[vary]]\nkey = \"contact.lander/ground.friction\"\n"
        "distribution = \"uniform\"\nlow = 0\nhigh = 1\n[[metric]]\nname = \"late\"\nexpression = \"impact_time.last + 1\"\n");
    const Row row = RowMaker(plan).make(0);
    EXPECT_EQ(row.outcome, "timed_out");
    EXPECT_FALSE(row.is_failed());
    EXPECT_EQ(value_of(plan, row, "impacts"), 0);
    for (const char* name : {"impact_time.first", "impact_time.last", "settle_time", "late"})
        EXPECT_TRUE(std::isnan(value_of(plan, row, name))) << name;
}

TEST(Plan, a_world_that_is_varied_is_made_anew_for_each_run) {
    const Files files;
    const std::string text =
        "scenario = \"ball.toml\"\nset = [\"body.ground.shape.surface=spike\", \"body.ground.shape.rim='5 m'\", \"end.time='20 s'\", "
        "\"body.lander.start.above_surface='0 m'\"]\nruns = 4\n[[vary]]\nkey = \"body.ground.shape.height\"\n"
        "distribution = \"uniform\"\nlow = \"1 m\"\nhigh = \"5 m\"\n";
    const Plan plan = files.plan(text);
    EXPECT_TRUE(plan.varies_world);
    EXPECT_FALSE(files.plan(ball_study).varies_world);
    RowMaker maker(plan);
    std::set<double> heights;
    for (std::uint64_t run = 0; run < 4; ++run) heights.insert(value_of(plan, maker.make(run), "stop_position.z"));
    EXPECT_EQ(heights.size(), 4u);
}

TEST(Plan, success_is_what_the_study_demands_of_columns_and_metrics) {
    const Files files;
    const std::string demands = "[success]\noutcome = \"rest\"\nimpacts = { at_least = 1 }\nway = { at_most = \"80 m\" }\n";
    const Plan plan = files.plan(ball_study + demands), without = files.plan(ball_study);
    RowMaker maker(plan), lenient(without);
    int successes = 0;
    for (std::uint64_t run = 0; run < 16; ++run) {
        const Row row = maker.make(run);
        const bool wanted = row.outcome == "rest" && value_of(plan, row, "way") <= 80;
        EXPECT_EQ(row.is_success, wanted) << run << ": " << value_of(plan, row, "way");
        EXPECT_TRUE(lenient.make(run).is_success);
        successes += row.is_success ? 1 : 0;
    }
    EXPECT_TRUE(successes > 0 && successes < 16) << successes;  // else nothing was tested
}

TEST(Plan, a_demand_on_what_did_not_happen_is_not_met) {
    const Files files;
    const Plan plan = files.plan(
        "scenario = \"ball.toml\"\nset = [\"end.time='1 s'\"]\nruns = 1\n[[vary]]\nkey = \"contact.lander/ground.friction\"\n"
        "distribution = \"uniform\"\nlow = 0\nhigh = 1\n[success]\nsettle_time = { above = \"-1 s\" }\n");
    EXPECT_FALSE(RowMaker(plan).make(0).is_success);
}

std::string vary(const std::string& key, const std::string& low, const std::string& high) {
    return "[[vary]]\nkey = \"" + key + "\"\ndistribution = \"uniform\"\nlow = " + low + "\nhigh = " + high + "\n";
}
const std::string head = "scenario = \"ball.toml\"\nruns = 64\nmetrics = [\"stop_time\"]\n";

TEST(Plan, a_run_that_cannot_start_is_a_failed_row_and_the_next_one_is_sound) {
    const Files files;
    const Plan plan = files.plan(head + vary("body.lander.start.position.z", "\"-10 m\"", "\"10 m\""));
    RowMaker maker(plan);
    int failed = 0;
    for (std::uint64_t run = 0; run < 32; ++run) {
        const Row row = maker.make(run);
        const double z = value_of(plan, row, "body.lander.start.position.z");
        EXPECT_EQ(row.is_failed(), z < 0.05) << z;  // the radius
        EXPECT_EQ(row.outcome, z < 0.05 ? "failed" : "rest");
        EXPECT_EQ(std::isnan(value_of(plan, row, "stop_time")), z < 0.05);
        EXPECT_EQ(row.is_success, z >= 0.05);
        if (row.is_failed()) {
            EXPECT_NE(row.error.find("surface"), std::string::npos) << row.error;
            EXPECT_EQ(row.error.find('\n'), std::string::npos) << row.error;
            ++failed;
        }
        EXPECT_EQ(packed(RowMaker(plan).make(run)), packed(row));  // no trace of the runs before
    }
    EXPECT_TRUE(failed > 4 && failed < 28) << failed;
}

TEST(Plan, a_value_that_the_scenario_cannot_have_is_a_failed_row) {
    const Files files;
    const Plan plan = files.plan(head + vary("contact.lander/ground.restitution", "1.2", "1.3"));
    const Row row = RowMaker(plan).make(0);
    EXPECT_EQ(row.outcome, "failed");
    EXPECT_TRUE(row.error.starts_with("`contact.lander/ground.restitution` must be between 0 and 1, got 1.2")) << row.error;
    EXPECT_FALSE(row.is_success);
    EXPECT_TRUE(value_of(plan, row, "contact.lander/ground.restitution") > 1.2);  // the table says what was drawn
}

TEST(Plan, an_expression_without_value_is_a_failed_row) {
    const Files files;
    const Plan plan = files.plan(head + replaced(vary("contact.lander/ground.friction", "0.1", "0.2"), "key", "name = \"f\"\nkey") +
                                 "[[derive]]\nkey = \"contact.lander/ground.restitution\"\nexpression = \"sqrt(-f)\"\n");
    const Row row = RowMaker(plan).make(0);
    EXPECT_EQ(row.outcome, "failed");
    EXPECT_EQ(row.error, "`contact.lander/ground.restitution`: the expression gives no number");
    const Plan free = files.plan(
        "runs = 4\n[[vary]]\nname = \"x\"\ndistribution = \"uniform\"\nlow = 1\nhigh = 2\n"
        "[[derive]]\nname = \"y\"\nexpression = \"log(-x)\"\n");
    EXPECT_EQ(RowMaker(free).make(3).error, "`y`: the expression gives no number");
}

TEST(Plan, a_study_of_expressions_alone_computes_them_in_order) {
    const Files files;
    const Plan plan = files.plan(
        "runs = 32\n[[vary]]\nname = \"x\"\ndistribution = \"uniform\"\nlow = 1\nhigh = 2\n"
        "[[derive]]\nname = \"y\"\nexpression = \"x^2\"\n[[derive]]\nname = \"z\"\nexpression = \"y - x\"\n"
        "[[metric]]\nname = \"m\"\nexpression = \"z * 2\"\n[[metric]]\nname = \"n\"\nexpression = \"m + x\"\n"
        "[success]\nm = { below = 2 }\n");
    EXPECT_EQ(names(plan), (std::vector<std::string>{"x", "y", "z", "m", "n"}));
    RowMaker maker(plan);
    for (std::uint64_t run = 0; run < 32; ++run) {
        const Row row = maker.make(run);
        const double x = row.values[0];
        EXPECT_EQ(row.outcome, "done");
        EXPECT_EQ(row.values, (std::vector<double>{x, x * x, x * x - x, (x * x - x) * 2, (x * x - x) * 2 + x}));
        EXPECT_EQ(row.is_success, (x * x - x) * 2 < 2);
    }
}

TEST(Plan, rows_survive_packing) {
    const std::vector<Row> rows = {
        {.outcome = "rest", .error = "", .is_success = true, .values = {1.5, -0.0, statistics::no_value, 5e-324, INFINITY}},
        {.outcome = "failed", .error = std::string("é\n\0;", 5), .is_success = false, .values = {}},
        {},
    };
    for (const Row& row : rows) {
        const std::string bytes = packed(row);
        const Row back = unpacked_row(bytes);
        EXPECT_EQ(back.outcome, row.outcome);
        EXPECT_EQ(back.error, row.error);
        EXPECT_EQ(back.is_success, row.is_success);
        EXPECT_EQ(bits(back.values), bits(row.values));
        EXPECT_EQ(back.is_failed(), row.is_failed());
        EXPECT_EQ(packed(back), bytes);
    }
    EXPECT_THROW(unpacked_row(packed(rows[0]).substr(0, 6)), Bug);
    EXPECT_THROW(unpacked_row(""), Bug);
}

TEST(Plan, identity_changes_with_everything_that_a_run_depends_on) {
    const Files files;
    const std::string text = ball_study + "[success]\nimpacts = { at_least = 1 }\n[until]\nmetric = \"way\"\nrelative = 0.1\n";
    const std::string identity = files.plan(text).identity();
    EXPECT_EQ(identity.size(), 32u);
    EXPECT_EQ(files.plan(text).identity(), identity);
    EXPECT_EQ(files.plan("# a word\n" + replaced(text, "runs = 16", "runs = 16  # runs")).identity(), identity);
    const std::pair<const char*, const char*> changes[] = {
        {"runs = 16", "runs = 16\nseed = 2"},
        {"runs = 16", "runs = 16\ndesign = \"sobol\""},
        {"runs = 16", "runs = 16\nconfidence = 0.9"},
        {"10 h", "11 h"},
        {"\"stop_time\"]", "\"sync_time\"]"},
        {"low = 0.3", "low = 0.31"},
        {"\"uniform\"\nlow", "\"uniform\"\nlevels = 3\nlow"},
        {"sigma = \"1 mm/s\"", "sigma = \"2 mm/s\""},
        {"\"published\"]", "\"thesis\"]"},
        {"name = \"share\"", "key = \"body.lander.inertia_factor\"\nname = \"share\""},
        {"median = 0.05", "median = 0.06"},
        {"share * (1", "share * (2"},
        {"expression = \"hypot", "expression = \"2 * hypot"},
        {"at_least = 1", "at_least = 2"},
        {"relative = 0.1", "relative = 0.2"},
        {"relative = 0.1", "relative = 0.1\n[failures]\nmost = 0.2"},
    };
    std::set<std::string> seen = {identity};
    for (const auto& [from, to] : changes) {
        EXPECT_TRUE(seen.insert(files.plan(replaced(text, from, to)).identity()).second) << to;
    }
    files.folder().write("ball.toml", replaced(complete, "\"20 m\"", "\"21 m\""));
    EXPECT_TRUE(seen.insert(files.plan(text).identity()).second) << "the scenario changed";
}

TEST(Plan, identity_holds_the_number_of_runs_only_where_more_runs_are_other_runs) {
    const Files files;
    for (const char* design : {"monte-carlo", "sobol", "sobol-indices", "latin-hypercube"}) {
        const std::string text = with_design(design);
        const bool is_same = files.plan(text, {.runs = 600}).identity() == files.plan(text).identity();
        EXPECT_EQ(is_same, std::string(design) != "latin-hypercube") << design;
    }
}

TEST(Plan, counts_the_runs_of_designs_that_have_levels) {
    const Files files;
    const std::string text = replaced(with_design("grid"), "high = 0.5\n", "high = 0.5\nlevels = 3\n");
    EXPECT_EQ(files.plan(text).design.runs(), 3u * 5 * 5 * 5);
    EXPECT_EQ(files.plan(replaced(text, "\"grid\"", "\"one-at-a-time\"")).design.runs(), 1u + 3 + 5 + 5 + 5);
    EXPECT_EQ(files.plan(with_design("sobol-indices")).design.runs(), 18u);  // whole blocks of 4 + 2
}

}  // namespace
}  // namespace asperity::study::plan_test
