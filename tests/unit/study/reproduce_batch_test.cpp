// Tables that are statistics over many runs, on a ball that falls on a plain from a scattered height.
#include "asperity/study/reproduce_batch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "asperity/core/errors.h"
#include "asperity/record/record.h"
#include "asperity/study/reproduce.h"

namespace asperity::study {
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
        const std::string scatter = R"("release.position_sigma=['0 m', '0 m', '2 m']", "contact.bounce_end_speed=1e-3 m/s")";
        return "\n[[group]]\nname = \"" + name + "\"\nset = [" + scatter + (set.empty() ? "" : ", \"" + set + "\"") + "]\n" + more;
    }
    static std::string compare(const std::string& a, const std::string& b, const std::string& wanted, const std::string& more = "") {
        return "\n[[compare]]\na = \"" + a + "\"\nb = \"" + b + "\"\nquantity = \"stop_time\"\nwanted = \"" + wanted + "\"\n" + more;
    }
    std::vector<TableResult> run(int threads = 2, std::optional<int> runs = 20, bool is_named = true) const {
        Ranks ranks;
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

const std::string bouncier = "contact.restitution=0.55";

TEST_F(BatchPapers, TrueDifferenceIsFoundAndAFalseOneIsNot) {
    // mass moves nothing; restitution does
    write(group("base", "") + group("bouncier", bouncier) + group("heavier", "ball.mass=12 kg") + compare("bouncier", "base", "longer") +
          compare("bouncier", "base", "shorter") + compare("heavier", "base", "longer") +
          compare("heavier", "base", "no_difference", "within = \"0.01\"\n") +
          compare("bouncier", "base", "no_difference", "within = \"0.01\"\n") +
          compare("bouncier", "base", "dominates", "over = [\"heavier\", \"base\"]\n") +
          compare("heavier", "base", "dominates", "over = [\"bouncier\", \"base\"]\n"));
    const BatchResult got = *run().at(0).batch;
    std::vector<std::string> verdicts;
    for (const ComparisonResult& comparison : got.comparisons) verdicts.emplace_back(name(comparison.verdict));
    EXPECT_EQ(verdicts, (std::vector<std::string>{"ok", "failed", "failed", "ok", "failed", "ok", "failed"}));
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
    const Estimate first = cell.figures[static_cast<std::size_t>(BatchQuantity::first_impact_time_mean)];
    EXPECT_LT(first.interval.low, mean);
    EXPECT_GT(first.interval.high, mean);
    EXPECT_NEAR((first.interval.high - first.interval.low) / 2, 1.972 * deviation / std::sqrt(200.0), 0.15 * deviation / std::sqrt(200.0));
    EXPECT_EQ(cell.successes, 200u);
}

TEST_F(BatchPapers, ResultDoesNotDependOnThreads) {
    write(group("base", "", "published = { success_fraction = \"100\", stop_time_mean = \"0.6\", stop_time_sigma = \"0.1\" }\n") +
          group("bouncier", bouncier) + compare("bouncier", "base", "longer"));
    EXPECT_EQ(reproduce_text(run(1)), reproduce_text(run(2)));
}

TEST_F(BatchPapers, IsRunWhereItIsNamedOrAskedFor) {
    write(group("base", ""));
    EXPECT_TRUE(run(1, 2, false).empty());
    Ranks ranks;
    EXPECT_EQ(reproduce(ranks, {.ids = {}, .with_slow = true, .runs = 2, .papers = folder, .out = {}, .threads = 1}).size(), 1u);
}

TEST_F(BatchPapers, TextSaysOverWhichRunsAndThatItIsShortened) {
    write(group("base", "", "published = { success_fraction = \"50\", stop_time_mean = \"9\", stop_time_sigma = \"0.1\" }\n"));
    const std::string text = reproduce_text(run(2, 20));
    EXPECT_NE(text.find("times over the runs that came to rest"), std::string::npos) << text;
    EXPECT_NE(text.find("base: 20 of 20 runs came to rest"), std::string::npos) << text;
    EXPECT_NE(text.find("Shortened: the table asks for 400 runs"), std::string::npos) << text;
    EXPECT_NE(text.find("standard errors off"), std::string::npos) << text;
}

TEST_F(BatchPapers, SuccessAboveAndBelow) {
    // the second ends in mid-air
    write(group("rests", "", "success_above = \"50\"\n") + group("falls", "end.time=10 s", "success_above = \"50\"\n") +
          group("fails as it should", "end.time=10 s", "success_below = \"50\"\n"));
    const BatchResult got = *run().at(0).batch;
    EXPECT_EQ(got.cells[0].verdict, Verdict::ok);
    EXPECT_EQ(got.cells[1].verdict, Verdict::failed);
    EXPECT_EQ(got.cells[2].verdict, Verdict::ok);
    EXPECT_TRUE(std::isnan(got.cells[1].figures[1].value)) << "no run to take a mean of";
}

TEST_F(BatchPapers, KneeIsFound) {
    // runs end before they rest where the ball falls too long
    const auto at = [](const char* place, const char* end) {
        return group(std::string("end ") + place, std::string("end.time=") + end + " s", std::string("place = \"") + place + "\"\n");
    };
    write(at("1", "9000") + at("2", "2400") + at("3", "10") + "[knee]\nlabel = \"end\"\nunit = \"steps\"\nbeyond = \"1.2\"\n");
    const BatchResult got = *run().at(0).batch;
    ASSERT_TRUE(got.knee) << got.knee_note;
    EXPECT_EQ(got.knee_verdict, Verdict::ok);
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
          "`quantity` is one of stop_time, first_impact_time, success, not \"stop\"", "`wanted` is one of", "`within` belongs to",
          "`over` belongs to", "times are longer or shorter", "a knee needs `place` in each group", "`runs` is from 2 to 1000000, not 1",
          "unknown quantity `sucess_fraction`"})
        EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
}

TEST_F(BatchPapers, UnknownKindIsAnError) {
    std::ofstream(folder / "own/1.1.toml")
        << "id = \"own/1.1\"\nkind = \"bach\"\ntitle = \"t\"\nsource = \"s\"\nscenario = \"x\"\ngroup = []\n";
    EXPECT_THROW(run(), InputError);
}

TEST_F(BatchPapers, RunsThatCannotStartAreCounted) {
    // half of the heights lie below the ground
    write(group("buried", "release.position=['-75 m', '0 m', '0.05 m']"));
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
    EXPECT_EQ(record.tables[1].columns[0].name, "verdict");
    EXPECT_EQ(std::get<std::vector<std::string>>(record.tables[1].columns[0].values), (std::vector<std::string>{"ok"}));
}

// What is in papers/ reads, and its scenarios with their changes.
TEST(PublishedBatches, AllRead) {
    const fs::path papers = fs::path(ASPERITY_SOURCE_DIR) / "papers";
    int batches = 0;
    for (const std::string& id : published_ids(papers)) batches += read_published_table(papers / (id + ".toml"), id).is_slow() ? 1 : 0;
    EXPECT_GE(batches, 10);
}

}  // namespace
}  // namespace asperity::study
