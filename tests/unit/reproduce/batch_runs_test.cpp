// Tables that are statistics over many runs, on a ball that falls on a plain from a scattered height.
#include "asperity/reproduce/batch_runs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "asperity/core/errors.h"
#include "asperity/record/record.h"
#include "asperity/reproduce/kept.h"
#include "asperity/reproduce/reproduce.h"

namespace asperity::reproduce::batch_runs_test {
namespace {

namespace fs = std::filesystem;

class BatchPapers : public ::testing::Test {
protected:
    BatchPapers() {
        fs::remove_all(folder);
        fs::create_directories(folder / "own");
    }
    ~BatchPapers() override { fs::remove_all(folder); }

    void write(const std::string& rest, const std::string& head = "") const {
        std::ofstream(folder / "own/1.1.toml") << "id = \"own/1.1\"\nkind = \"batch\"\ntitle = \"Falls\"\nsource = \"us\"\nscenario = \""
                                               << (fs::path(ASPERITY_SOURCE_DIR) / "scenarios/landers/flat.toml").string() << "\"\n"
                                               << head << rest;
    }
    static std::string group(const std::string& name, const std::string& set, const std::string& more = "") {
        const std::string scatter =
            R"("body.lander.start.position_sigma=['0 m', '0 m', '2 m']", "contact.shell/ground.bounce_end_speed=1e-3 m/s")";
        return "\n[[group]]\nname = \"" + name + "\"\nset = [" + scatter + (set.empty() ? "" : ", \"" + set + "\"") + "]\n" + more;
    }
    static std::string compare(const std::string& a, const std::string& b, const std::string& wanted, const std::string& more = "") {
        const std::string standing = more.find("standing") == std::string::npos ? "standing = \"agrees\"\n" : "";
        return "\n[[compare]]\na = \"" + a + "\"\nb = \"" + b + "\"\nquantity = \"stop_time\"\n" +
               (wanted.empty() ? "" : "wanted = \"" + wanted + "\"\n") + standing + more;
    }
    std::vector<TableResult> run(int threads = 2, std::optional<int> runs = 20, bool is_named = true) const {
        batch::Ranks ranks;
        return reproduce(ranks, {.ids = is_named ? std::vector<std::string>{"own/1.1"} : std::vector<std::string>{},
                                 .runs = runs,
                                 .papers = folder,
                                 .out = {},
                                 .threads = threads});
    }
    std::string problems_of(const std::string& rest, const std::string& head = "") const {
        write(rest, head);
        try {
            run();
        } catch (const InputError& error) {
            return error.what();
        }
        return "none";
    }

    const fs::path folder =
        fs::path(::testing::TempDir()) / ("batch_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
};

const std::string bouncier = "contact.shell/ground.restitution=0.55";

TEST_F(BatchPapers, TrueDifferenceIsFoundAndAFalseOneIsNot) {
    // mass moves nothing; restitution does
    write(group("base", "") + group("bouncier", bouncier) + group("heavier", "body.lander.mass=12 kg") +
              compare("bouncier", "base", "longer") + compare("bouncier", "base", "shorter") + compare("heavier", "base", "longer") +
              compare("heavier", "base", "no_difference", "within = \"0.01\"\n") +
              compare("bouncier", "base", "no_difference", "within = \"0.01\"\n") +
              compare("bouncier", "base", "dominates", "over = [\"heavier\", \"base\"]\n") +
              compare("heavier", "base", "dominates", "over = [\"bouncier\", \"base\"]\n"),
          "runs = 20\n");
    const BatchResult got = *run().at(0).batch;
    std::vector<bool> held;
    for (const ComparisonResult& comparison : got.comparisons) held.push_back(comparison.finding.holds());
    EXPECT_EQ(held, (std::vector<bool>{true, false, false, true, false, true, false}));
    EXPECT_EQ(got.comparisons[2].got.difference.value, 0) << "the same draws, the same motion";
    EXPECT_EQ(got.comparisons[0].got.pairs, 20u);
}

TEST_F(BatchPapers, FirstImpactFollowsTheClosedForm) {
    // t = (sqrt(v^2 + 2 g h) - v) / g, h = z - r, z ~ N(20 m, 2 m); mean to second order in the scatter, deviation to first
    write(group("base", ""));
    const BatchResult got = *run(2, 200).at(0).batch;
    const CellResult& cell = got.cells[0];
    const double g = 1e-4, v = 0.023, w = std::sqrt(v * v + 2 * g * 19.95), s = 2;
    const double mean = ((w - v) / g - g * s * s / (2 * w * w * w)) / 3600, deviation = s / w / 3600;
    const statistics::Estimate first = cell.figures[static_cast<std::size_t>(BatchQuantity::first_impact_time_mean)];
    EXPECT_LT(first.interval.low, mean);
    EXPECT_GT(first.interval.high, mean);
    EXPECT_NEAR((first.interval.high - first.interval.low) / 2, 1.972 * deviation / std::sqrt(200.0), 0.15 * deviation / std::sqrt(200.0));
    EXPECT_EQ(cell.successes, 200u);
}

// The ball falls for some 450 s and rests after some 2200 s: cut at 60 s it has touched nothing, at 1000 s the ground but not come to rest.
TEST_F(BatchPapers, ReachedCountsRunsThatTouchTheGroundWhetherOrNotTheyRest) {
    write(group("falling", "end.time=60 s") + group("bouncing", "end.time=1000 s") + group("resting", "") +
          "[[compare]]\na = \"bouncing\"\nb = \"falling\"\nquantity = \"reached\"\nwanted = \"higher\"\nstanding = \"agrees\"\n" +
          "[[compare]]\na = \"bouncing\"\nb = \"falling\"\nquantity = \"success\"\nwanted = \"higher\"\nstanding = \"agrees\"\n");
    const std::vector<TableResult> tables = run(2, 20);
    const BatchResult& got = *tables.at(0).batch;
    const auto share = [&](std::size_t cell, BatchQuantity quantity) {
        return got.cells[cell].figures[static_cast<std::size_t>(quantity)].value;
    };
    EXPECT_EQ(share(0, BatchQuantity::reached_fraction), 0);
    EXPECT_EQ(share(1, BatchQuantity::reached_fraction), 100);
    EXPECT_EQ(share(1, BatchQuantity::success_fraction), 0);
    EXPECT_EQ(share(2, BatchQuantity::reached_fraction), 100);
    EXPECT_EQ(share(2, BatchQuantity::success_fraction), 100);
    EXPECT_EQ(got.comparisons[0].got.difference.value, 1);
    EXPECT_EQ(got.comparisons[1].got.difference.value, 0);
    EXPECT_NE(reproduce_text(tables).find("reached the ground [%]"), std::string::npos);
}

TEST_F(BatchPapers, ResultDoesNotDependOnThreads) {
    write(group("base", "", "published = { success_fraction = \"100\" }\nstanding = { success_fraction = \"agrees\" }\n") +
          group("bouncier", bouncier) + compare("bouncier", "base", "longer"));
    EXPECT_EQ(reproduce_text(run(1)), reproduce_text(run(2)));
}

TEST_F(BatchPapers, IsRunWhereItIsNamedOrAskedFor) {
    write(group("base", ""));
    EXPECT_TRUE(run(1, 2, false).empty());
    batch::Ranks ranks;
    EXPECT_EQ(reproduce(ranks, {.ids = {}, .with_slow = true, .runs = 2, .papers = folder, .out = {}, .threads = 1}).size(), 1u);
}

TEST_F(BatchPapers, TextSaysOverWhichRunsAndThatItIsShortened) {
    write(group("base", "",
                "published = { success_fraction = \"50\", stop_time_mean = \"9\", stop_time_sigma = \"0.1\" }\n"
                "standing = { success_fraction = \"agrees\", stop_time_mean = \"agrees\", stop_time_sigma = \"agrees\" }\n"));
    const std::string text = reproduce_text(run(2, 20));
    EXPECT_NE(text.find("times over the runs that came to rest"), std::string::npos) << text;
    EXPECT_NE(text.find("base: 20 of 20 runs came to rest"), std::string::npos) << text;
    EXPECT_NE(text.find("Shortened: the table asks for 400 runs"), std::string::npos) << text;
    EXPECT_NE(text.find("standard errors off"), std::string::npos) << text;
}

// A mean of print against ours: each standing, declared rightly and declared wrongly in either direction.
TEST_F(BatchPapers, StandingsOfPublishedMeansAreChecked) {
    const auto cell = [](const std::string& name, const std::string& mean, const std::string& standing, const std::string& more = "") {
        return group(name, "",
                     "published = { stop_time_mean = \"" + mean + "\", stop_time_sigma = \"0.05\" }\nstanding = { stop_time_mean = \"" +
                         standing + "\", stop_time_sigma = \"open\" }\ncause = \"c\"\nerratum = \"e\"\n" + more);
    };
    write(group("base", ""));
    const CellResult base = run().at(0).batch->cells[0];
    const double ours = base.figures[1].value, off = ours - 0.4;
    const std::string mean = fmt::format("{:.4f}", ours), difference = fmt::format("{:.4f}", off),
                      sigma = fmt::format("{:.4f}", base.figures[2].value - 0.05);
    const auto stated = [&](const std::string& of_mean) { return "difference = { " + of_mean + "stop_time_sigma = \"" + sigma + "\" }\n"; };
    const auto open = [&](const std::string& d) { return stated("stop_time_mean = \"" + d + "\", "); };
    const auto corrected = [&](const std::string& c) { return stated("") + "corrected = { stop_time_mean = \"" + c + "\" }\n"; };
    write(cell("agrees", mean, "agrees", stated("")) + cell("does not", "0.4", "agrees", stated("")) +
              cell("open", "0.4", "open", open(difference)) + cell("open by another amount", "0.4", "open", open("9")) +
              cell("open, but agrees", mean, "open", open("0")) + cell("refuted", "0.4", "refuted", corrected(mean)) +
              cell("refuted, but agrees", mean, "refuted", corrected(mean)) +
              cell("refuted, not proven", "0.4", "refuted", corrected("0.3")) +
              cell("there is a mean", "0.4", "refuted", corrected("none")),
          "runs = 20\n");
    std::vector<bool> held;
    const BatchResult got = *run().at(0).batch;
    for (const CellResult& c : got.cells) held.push_back(c.findings[1]->holds());
    EXPECT_EQ(held, (std::vector<bool>{true, false, true, false, false, true, false, false, false})) << reproduce_text(run());
    EXPECT_NE(got.cells[1].findings[1]->contradiction.find("standard errors off"), std::string::npos);
    EXPECT_EQ(got.cells[4].findings[1]->contradiction, "declared open, but print agrees within the sampling errors of both");
}

TEST_F(BatchPapers, StandingsOfComparisonsAreChecked) {
    write(group("base", "") + group("bouncier", bouncier));
    const auto with = [&](const std::string& more) {
        write(group("base", "") + group("bouncier", bouncier) + more, "runs = 20\n");
        return run().at(0).batch->comparisons.at(0);
    };
    const std::string open = "standing = \"open\"\ncause = \"c\"\n", refuted = "standing = \"refuted\"\nerratum = \"e\"\n";
    const double d = with(compare("bouncier", "base", "longer")).got.difference.value;
    const std::string stated = fmt::format("difference = \"{:.4f}\"\n", d);
    EXPECT_TRUE(with(compare("bouncier", "base", "shorter", refuted)).finding.holds());
    EXPECT_FALSE(with(compare("bouncier", "base", "longer", refuted)).finding.holds());
    EXPECT_TRUE(with(compare("bouncier", "base", "shorter", open + stated)).finding.holds());
    EXPECT_FALSE(with(compare("bouncier", "base", "shorter", open + "difference = \"9\"\n")).finding.holds());
    EXPECT_FALSE(with(compare("bouncier", "base", "longer", open + stated)).finding.holds());
    const ComparisonResult own = with(compare("bouncier", "base", "", "basis = \"ours\"\n" + stated));
    EXPECT_TRUE(own.finding.holds());
    EXPECT_EQ(own.finding.basis, Basis::own);
    EXPECT_FALSE(with(compare("bouncier", "base", "", "basis = \"ours\"\ndifference = \"9\"\n")).finding.holds());
}

// What was kept is held against later batches, short ones too: same draws, same runs.
TEST_F(BatchPapers, KeptResultsHoldShortBatches) {
    write(group("base", "") + group("bouncier", bouncier), "runs = 20\n");
    const std::vector<TableResult> whole = run();
    keep(whole.at(0).table, *whole.at(0).batch);
    EXPECT_EQ(kept_file(whole.at(0).table), folder / "own/results/1.1.txt");
    const std::vector<KeptCell> kept = read_kept(folder / "own/results/1.1.txt");
    ASSERT_EQ(kept.size(), 2u);
    EXPECT_EQ(kept[1].name, "bouncier");
    EXPECT_EQ(kept[1].successes, 20u);
    EXPECT_EQ(kept[1].first.size(), 16u);
    EXPECT_NEAR(kept[1].figures[1].value, whole.at(0).batch->cells[1].figures[1].value, 1e-8);
    BatchResult shorter = *run(2, 4).at(0).batch;
    EXPECT_TRUE(shorter.cells[1].kept->holds());
    EXPECT_EQ(shorter.cells[1].kept_note, "4 of the first 4 runs are as kept");
    // the cells change places: other runs, and other means
    write(group("bouncier", "") + group("base", bouncier) + group("new", ""), "runs = 20\n");
    const BatchResult other = *run().at(0).batch;
    EXPECT_NE(other.cells[0].kept->contradiction.find("stop_time_mean is"), std::string::npos) << other.cells[0].kept_note;
    EXPECT_NE(other.cells[2].kept->contradiction.find("--keep"), std::string::npos);
    EXPECT_EQ(other.cells[0].kept->basis, Basis::own);
    std::ofstream(folder / "own/results/1.1.txt") << "[bouncier]\nrun 1 x\n";
    EXPECT_THROW(run(), InputError);
}

TEST_F(BatchPapers, SuccessAboveAndBelow) {
    // the second ends in mid-air
    const std::string above = "success_above = \"50\"\nstanding = { success_above = \"agrees\" }\n",
                      below = "success_below = \"50\"\nstanding = { success_below = \"agrees\" }\n",
                      open = "success_above = \"50\"\nstanding = { success_above = \"open\" }\n";
    write(group("rests", "", above) + group("falls", "end.time=10 s", above) + group("fails as it should", "end.time=10 s", below) +
              group("open", "end.time=10 s", open) + group("not open", "", open),
          "runs = 20\n");
    const BatchResult got = *run().at(0).batch;
    std::vector<bool> held;
    for (const CellResult& cell : got.cells) held.push_back(cell.claims.at(0).holds());
    EXPECT_EQ(held, (std::vector<bool>{true, false, true, true, false}));
    EXPECT_TRUE(std::isnan(got.cells[1].figures[1].value)) << "no run to take a mean of";
}

TEST_F(BatchPapers, KneeIsFound) {
    // runs end before they rest where the ball falls too long
    const auto at = [](const char* place, const char* end) {
        return group(std::string("end ") + place, std::string("end.time=") + end + " s", std::string("place = \"") + place + "\"\n");
    };
    write(at("1", "9000") + at("2", "2400") + at("3", "10") +
          "[knee]\nlabel = \"end\"\nunit = \"steps\"\nbeyond = \"1.2\"\nstanding = \"agrees\"\n");
    const BatchResult got = *run().at(0).batch;
    ASSERT_TRUE(got.knee) << got.knee_note;
    EXPECT_TRUE(got.knee_finding->holds());
    EXPECT_GT(got.knee->place.value, 1);
    EXPECT_LT(got.knee->place.value, 3);
}

TEST_F(BatchPapers, EveryProblemIsReportedWithItsPlace) {
    const std::string text = problems_of(group("base", "", "published = { stop_time_men = \"1\" }\n") +
                                             "[[compare]]\na = \"bse\"\nb = \"base\"\nquantity = \"stop\"\nwanted = "
                                             "\"longest\"\n" +
                                             compare("base", "base", "no_difference") + compare("base", "base", "dominates") +
                                             compare("base", "base", "higher") + "[knee]\nlabel = \"x\"\n",
                                         "runs = 1\nquantities = [\"sucess_fraction\"]\n");
    for (const char* part :
         {"own/1.1.toml:", "unknown key `stop_time_men`", "`a` names no group: \"bse\"", "did you mean `base`?",
          "`quantity` cannot be \"stop\"", "known here: stop_time, first_impact_time, success, reached", "`wanted` cannot be \"longest\"",
          "missing key `standing`", "`within` belongs to", "`over` belongs to", "times are longer or shorter",
          "a knee needs `place` in each group", "`runs` must be between 2 and 1000000, got 1",
          "`quantities[0]` cannot be \"sucess_fraction\"", "did you mean `success_fraction`?"})
        EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
}

TEST_F(BatchPapers, UnknownKindIsAnError) {
    std::ofstream(folder / "own/1.1.toml")
        << "id = \"own/1.1\"\nkind = \"bach\"\ntitle = \"t\"\nsource = \"s\"\nscenario = \"x\"\ngroup = []\n";
    EXPECT_THROW(run(), InputError);
}

TEST_F(BatchPapers, RunsThatCannotStartAreCounted) {
    // half of the heights lie below the ground
    write(group("buried", "body.lander.start.position=['-75 m', '0 m', '0.05 m']"));
    const BatchResult got = *run().at(0).batch;
    EXPECT_GT(got.cells[0].troubled, 2u);
    EXPECT_LT(got.cells[0].troubled, 18u);
    EXPECT_NE(got.cells[0].trouble.find("inside the surface"), std::string::npos) << got.cells[0].trouble;
    EXPECT_EQ(got.cells[0].successes + got.cells[0].troubled, 20u);
}

TEST_F(BatchPapers, RecordHoldsGroupsAndComparisons) {
    write(group("base", "") + group("bouncier", bouncier) + compare("bouncier", "base", "longer"));
    write_reproduce(run(), folder / "out");
    const record::Record record = record::read_record(folder / "out/record.h5");
    ASSERT_EQ(record.tables.size(), 2u);
    EXPECT_EQ(record.tables[1].columns[0].name, "standing");
    EXPECT_EQ(std::get<std::vector<std::string>>(record.tables[1].columns[0].values), (std::vector<std::string>{"agrees"}));
}

// What is in papers/ reads, and its scenarios with their changes.
TEST(PublishedBatches, AllRead) {
    const fs::path papers = fs::path(ASPERITY_SOURCE_DIR) / "papers";
    int batches = 0;
    for (const std::string& id : published_ids(papers)) batches += read_published_table(papers / (id + ".toml"), id).is_slow() ? 1 : 0;
    EXPECT_GE(batches, 10);
}

}  // namespace
}  // namespace asperity::reproduce::batch_runs_test
