// A study of landers on a body: its page, its rest map, its trajectories.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "asperity/batch/result_table.h"
#include "asperity/record/record.h"
#include "asperity/study/campaign.h"
#include "asperity/study/campaign_page_data.h"
#include "asperity/study/run.h"
#include "asperity/study/trajectories.h"
#include "asperity/study/trial.h"
#include "unit/record/bouncing_ball.h"

namespace asperity::study::body_study_test {
namespace {

namespace fs = std::filesystem;

// A small moon with all mass in its centre: no field to be built, and landers that stop within a minute of computing a thousand.
constexpr const char* moon = R"(
frame = "beta"
[body.beta]
shape = { builtin = "kw4_beta", facets = 1280 }
density = "2 g/cm^3"
attracts = { field = "point" }
material = "ground"
[body.lander]
shape = { sphere = "20 cm" }
mass = "1 kg"
material = "shell"
[body.lander.start]
position = ["320 m", "0 m", "0 m"]
velocity = ["0 cm/s", "1 cm/s", "0 cm/s"]
position_sigma = ["2 m", "2 m", "2 m"]
velocity_sigma = ["3 mm/s", "3 mm/s", "3 mm/s"]
[contact."shell/ground"]
restitution = 0.4
friction = 0.75
rolling_resistance = 0.2
[[body.beta.patch]]
latitude_from = "-10 deg"
latitude_to = "20 deg"
longitude_from = "170 deg"
longitude_to = "190 deg"
material = "sand"
[contact."shell/sand"]
restitution = 0.2
friction = 0.75
rolling_resistance = 0.2
[end]
time = "4 h"
)";

class BodyStudy : public testing::Test {
protected:
    BodyStudy() : folder_(test::fresh_folder(std::string("body_study_") + testing::UnitTest::GetInstance()->current_test_info()->name())) {
        std::ofstream(folder_ / "moon.toml") << moon;
        request_.file = (folder_ / "study.toml").string();
        request_.out = (folder_ / "out").string();
        request_.is_quiet = true;
    }

    CampaignResult run(const std::string& study, int threads = 1) {
        std::ofstream(request_.file) << "scenario = \"moon.toml\"\n" + study;
        request_.threads = threads;
        batch::Ranks ranks;
        return campaign(ranks, request_);
    }
    std::string text(const std::string& name) const {
        std::ifstream in(fs::path(request_.out) / name, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    nlohmann::json summary() const { return nlohmann::json::parse(text("summary.json")); }
    Plan plan() const { return make_plan(request_.file, {}); }
    report::CampaignPage page_of_study() const {
        const Plan study = plan();
        const StudyTable table(study, fs::path(request_.out) / "table.h5");
        return campaign_page_data(request_, study, table, campaign_statistics(request_, study, table));
    }

    fs::path folder_;
    CampaignRequest request_;
};

TEST_F(BodyStudy, trajectories_are_those_of_the_runs) {
    run("runs = 3\n[success]\noutcome = \"rest\"\n");
    const Plan study = plan();
    const std::vector<Trajectory> paths = sampled_trajectories(study, 3, 200);
    ASSERT_EQ(paths.size(), 3u);
    for (std::uint64_t i = 0; i < 3; ++i) {
        const Trial trial = run_trial(*study.scenario, study.assets, i);
        EXPECT_EQ(paths[i].run, i);
        EXPECT_EQ(paths[i].points.front(), trial.first.bodies.position[0]);
        EXPECT_EQ(paths[i].points.back(), trial.last.bodies.position[0]);  // looking changes nothing, to the bit
        EXPECT_LE(paths[i].points.size(), 210u);
        ASSERT_TRUE(paths[i].first_impact);
        EXPECT_EQ(*paths[i].first_impact, find_event(trial, model::EventKind::impact)->position);
    }
}

TEST_F(BodyStudy, page_has_shape_paths_and_maps) {
    run("runs = 12\n[success]\noutcome = \"rest\"\n");
    const report::CampaignPage page = page_of_study();
    ASSERT_TRUE(page.body);
    const report::BodyPage& body = *page.body;
    EXPECT_EQ(body.paths.size(), 10u);
    EXPECT_EQ(body.starts.size(), 12u);
    EXPECT_TRUE(body.shape.is_closed);
    std::size_t stops = 0, places = 0;
    for (const report::StopGroup& group : body.stops) stops += group.points.size();
    for (const report::PointGroup& group : body.places.groups) places += group.runs.size();
    EXPECT_EQ(stops, 12u);
    EXPECT_EQ(places, 12u);
    ASSERT_EQ(body.patches.size(), 1u);
    EXPECT_NEAR(body.patches[0].west, 170, 1e-9);
    EXPECT_NEAR(body.patches[0].east, 190, 1e-9);
    std::uint64_t rests = 0;
    for (const report::RestCell& cell : body.cells) rests += cell.count;
    EXPECT_EQ(rests, summary()["outcomes"]["rest"].get<std::uint64_t>());
    EXPECT_EQ(page.metrics.front().name, "success_fraction");
    const std::string html = text("report.html");
    for (const char* part : {"Trajectories over the shape", "Stop map", "patch 1", "For the design"})
        EXPECT_NE(html.find(part), std::string::npos) << part;
    EXPECT_LT(html.find("Stop map"), html.find("Map of start_<wbr>position"));
}

// A time that is cut off is later, not never: the same landers with an end of 4 h, in which all rest, and one at which half of them do.
TEST_F(BodyStudy, runs_cut_off_count_as_still_moving) {
    const std::string study = "runs = 24\n[success]\noutcome = \"rest\"\n";
    run(study);
    const nlohmann::json whole = summary();
    fs::remove_all(request_.out);
    const double end = std::floor(whole["metrics"]["stop_time"]["quantiles"][2]["value"].get<double>());
    const CampaignResult cut_result = run("set = [\"end.time=" + std::to_string(end) + " s\"]\n" + study);
    const nlohmann::json cut = summary();
    const auto rests = cut["outcomes"]["rest"].get<int>(), moving = cut["still_moving"].get<int>();
    ASSERT_EQ(whole["outcomes"]["rest"], 24);
    ASSERT_GT(rests, 3);
    ASSERT_GT(moving, 3);
    EXPECT_EQ(rests + moving, 24);
    const nlohmann::json &a = cut["metrics"]["stop_time"], &b = whole["metrics"]["stop_time"];
    EXPECT_EQ(a["count"], rests);
    EXPECT_EQ(a["cut_off"]["count"], moving);
    EXPECT_EQ(a["cut_off"]["first"], end);
    EXPECT_TRUE(a["mean"].is_null());
    EXPECT_TRUE(a["mean_interval"][1].is_null());
    EXPECT_LT(a["mean_interval"][0].get<double>(), b["mean"].get<double>());
    for (std::size_t i = 0; i < 5; ++i) {  // what was seen is the same, and what was not is covered
        const nlohmann::json &p = a["quantiles"][i], &q = b["quantiles"][i];
        EXPECT_TRUE(p["value"].is_null() || p["value"] == q["value"]);
        EXPECT_TRUE(p["interval"][0].is_null() || p["interval"][0].get<double>() <= q["value"].get<double>());
        EXPECT_TRUE(p["interval"][1].is_null() || p["interval"][1].get<double>() >= q["value"].get<double>());
    }
    EXPECT_EQ(cut["metrics"]["stop_latitude"]["count"], rests);
    EXPECT_EQ(cut["metrics"]["stop_position.x"]["over"], "runs that came to rest");
    EXPECT_FALSE(cut["metrics"]["stop_facet"].contains("mean"));
    EXPECT_GE(cut["metrics"]["stop_facet"]["most_frequent"]["count"].get<int>(), 1);
    EXPECT_EQ(cut["metrics"]["stop_longitude"]["kind"], "direction");
    const std::string line = std::to_string(moving) + " of 24 runs were still moving at their end time";
    EXPECT_NE(cut_result.text.find(line), std::string::npos) << cut_result.text;
    EXPECT_NE(text("report.html").find(line), std::string::npos);
    EXPECT_NE(cut["note"].get<std::string>().find(line), std::string::npos);
    EXPECT_EQ(whole.value("note", ""), "");
    // The landing ellipse is that of the landers at rest, on the ground: across the mean normal, about their mean.
    const nlohmann::json& plane = cut["dispersion"]["stop_position"]["plane"];
    if (!plane.is_null()) {
        EXPECT_EQ(plane["count"], rests);
        EXPECT_NEAR(plane["mean"][0].get<double>(), 0, 1e-9);
        const auto dot = [&](const char* u, const char* v) {
            double sum = 0;
            for (std::size_t i = 0; i < 3; ++i) sum += plane[u][i].get<double>() * plane[v][i].get<double>();
            return sum;
        };
        EXPECT_NEAR(dot("x_axis", "y_axis"), 0, 1e-12);
        EXPECT_NEAR(dot("x_axis", "x_axis"), 1, 1e-12);
    }
}

// One unit of time on a page, whatever the columns have.
TEST_F(BodyStudy, page_has_one_unit_of_time) {
    run("runs = 12\n[success]\noutcome = \"rest\"\n");
    report::CampaignPage page = page_of_study();
    const auto units = [&] {
        std::set<std::string> found{page.body->times.unit};
        for (const report::ColumnShown& c : page.columns)
            if (c.is == report::ColumnIs::time) found.insert(c.unit);
        for (const std::vector<report::AnswerShown>* answers : {&page.metrics, &page.answers})
            for (const report::AnswerShown& a : *answers)
                if (a.name.find("time") != std::string::npos) found.insert(a.unit);
        return found;
    };
    EXPECT_EQ(units(), std::set<std::string>{"s"});  // stops within four hours
    page.columns.push_back({.name = "more", .unit = "s", .count = 2, .min = 0, .max = 36000});
    const double mean = page.metrics[1].value, high = page.metrics[1].interval.high, first = page.body->times.groups[0].x[0];
    report::use_one_time_unit(page);
    EXPECT_EQ(units(), std::set<std::string>{"h"});
    EXPECT_DOUBLE_EQ(page.metrics[1].value, mean / 3600);
    EXPECT_DOUBLE_EQ(page.metrics[1].interval.high, high / 3600);
    EXPECT_DOUBLE_EQ(page.body->times.groups[0].x[0], first / 3600);
    EXPECT_DOUBLE_EQ(page.columns.back().max, 10);
}

TEST_F(BodyStudy, rest_map_has_every_run_that_rests) {
    run("runs = 12\n[success]\noutcome = \"rest\"\n");
    std::istringstream csv(text("rest.csv"));
    std::string line;
    std::getline(csv, line);
    EXPECT_EQ(line, "facet,latitude [deg],longitude [deg],area [m^2],count,probability,low,high");
    double rests = 0, probability = 0;
    while (std::getline(csv, line)) {
        std::vector<double> cells;
        std::istringstream row(line);
        for (std::string cell; std::getline(row, cell, ',');) cells.push_back(std::stod(cell));
        ASSERT_EQ(cells.size(), 8u);
        rests += cells[4];
        probability += cells[5];
        EXPECT_LT(cells[6], cells[5]);
        EXPECT_GT(cells[7], cells[5]);
    }
    const double wanted = summary()["outcomes"]["rest"].get<double>();
    EXPECT_GT(wanted, 0);
    EXPECT_EQ(rests, wanted);
    EXPECT_NEAR(probability, wanted / 12, 1e-7);
    const std::string vtp = text("rest.vtp");
    EXPECT_NE(vtp.find("NumberOfPolys=\"" + std::to_string(plan().assets.surface.facets.size()) + "\""), std::string::npos);
    EXPECT_NE(vtp.find("Name=\"probability\""), std::string::npos);
}

TEST_F(BodyStudy, is_the_same_on_any_number_of_threads) {
    run("runs = 12\n[success]\noutcome = \"rest\"\n", 1);
    const std::string html = text("report.html"), csv = text("rest.csv"), json = text("summary.json");
    fs::remove_all(request_.out);
    run("runs = 12\n[success]\noutcome = \"rest\"\n", 3);
    EXPECT_TRUE(html == text("report.html"));
    EXPECT_EQ(csv, text("rest.csv"));
    EXPECT_EQ(json, text("summary.json"));
}

TEST_F(BodyStudy, metrics_left_out_leave_the_rest_of_the_page) {
    run("runs = 3\nmetrics = [\"stop_time\"]\n[success]\noutcome = \"rest\"\n");
    const report::CampaignPage page = page_of_study();
    ASSERT_TRUE(page.body);
    EXPECT_EQ(page.body->paths.size(), 3u);
    EXPECT_TRUE(page.body->places.groups.empty());
    EXPECT_FALSE(fs::exists(fs::path(request_.out) / "rest.csv"));
    EXPECT_EQ(text("report.html").find("Stop map"), std::string::npos);
}

// A scaled body costs no new field, and where it is larger landers touch earlier.
TEST_F(BodyStudy, scale_varies_and_matters) {
    run("runs = 24\n[[vary]]\nkey = \"body.beta.scale\"\ndistribution = \"uniform\"\nlow = 0.7\nhigh = 1.2\n[success]\noutcome = "
        "\"rest\"\n");
    const Plan study = plan();
    EXPECT_FALSE(study.varies_world);
    const nlohmann::json correlation = summary()["rank_correlations"]["first_impact_time"]["body.beta.scale"];
    EXPECT_LT(correlation["coefficient"].get<double>(), -0.6);
    EXPECT_NE(text("report.html").find("varies the body itself"), std::string::npos);
}

// What a named file holds is part of the study, be it a shape, a companion's shape or a table of facets.
TEST_F(BodyStudy, identity_changes_with_the_contents_of_every_file_that_is_named) {
    const auto write_cube = [&](const char* name, double half) {
        std::ofstream out(folder_ / name);
        for (const int z : {-1, 1})
            for (const auto& [x, y] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}})
                out << "v " << x * half << ' ' << y * half << ' ' << z * half << '\n';
        out << "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 2 3 7 6\nf 4 1 5 8\n";
    };
    const auto write_values = [&](double friction) { std::ofstream(folder_ / "facets.csv") << "facet,friction\n0," << friction << '\n'; };
    write_cube("body.obj", 100);
    write_cube("companion.obj", 50);
    write_values(0.5);
    std::string scenario = moon;
    const std::string shape = "{ builtin = \"kw4_beta\", facets = 1280 }";
    scenario.replace(scenario.find(shape), shape.size(), "{ mesh = \"body.obj\", unit = \"m\" }\nfacet_values = \"facets.csv\"");
    scenario +=
        "[body.companion]\nshape = { mesh = \"companion.obj\", unit = \"m\" }\ndensity = \"2 g/cm^3\"\nattracts = { field = \"point\" }\n"
        "orbit = { about = \"beta\", separation = \"2 km\" }\n";
    std::ofstream(folder_ / "moon.toml") << scenario;
    std::ofstream(request_.file) << "scenario = \"moon.toml\"\nruns = 4\n";
    std::set<std::string> seen = {plan().identity()};
    EXPECT_FALSE(seen.insert(plan().identity()).second);
    write_values(0.6);
    EXPECT_TRUE(seen.insert(plan().identity()).second) << "values of facets";
    write_cube("companion.obj", 51);
    EXPECT_TRUE(seen.insert(plan().identity()).second) << "shape of the companion";
    write_cube("body.obj", 101);
    EXPECT_TRUE(seen.insert(plan().identity()).second) << "shape of the body";
}

// A record shows the body in its true size.
TEST_F(BodyStudy, a_run_records_the_surface_that_it_touches) {
    const auto farthest = [&](const char* scale) {
        const std::string out = (folder_ / scale).string();
        study::run({.file = (folder_ / "moon.toml").string(),
                    .sets = {std::string("body.beta.scale=") + scale, "end.time=1 s"},
                    .out = out,
                    .is_quiet = true});
        double most = 0;
        for (const Vec3& vertex : record::read_record(out + "/record.h5").surface.vertices) most = std::max(most, norm(vertex));
        return most;
    };
    EXPECT_DOUBLE_EQ(farthest("1.1"), 1.1 * farthest("1"));
}

TEST_F(BodyStudy, parameters_with_few_values_become_figures) {
    run("design = \"grid\"\n[[vary]]\nname = \"speed\"\ndistribution = \"uniform\"\nlow = \"0 cm/s\"\nhigh = \"4 cm/s\"\nlevels = 2\n"
        "[[vary]]\nname = \"repetition\"\ndistribution = \"uniform\"\nlow = 0\nhigh = 1\nlevels = 4\n"
        "[[derive]]\nkey = \"body.lander.start.velocity.y\"\nexpression = \"speed\"\n[success]\noutcome = \"rest\"\n");
    const report::CampaignPage page = page_of_study();
    std::vector<std::string> names;
    for (const report::ResponseShown& response : page.responses) names.push_back(response.name + " / " + response.parameter);
    // start.velocity.y has two values as well; repetition sets nothing
    const std::vector<std::string> wanted{"success / speed", "mean stop_time / speed", "success / body.lander.start.velocity.y",
                                          "mean stop_time / body.lander.start.velocity.y"};
    EXPECT_EQ(names, wanted);
    EXPECT_EQ(page.responses[0].x, (std::vector<double>{0.01, 0.03}));
}

}  // namespace
}  // namespace asperity::study::body_study_test
