// The engine of `asperity reproduce` on small tables of its own, with right and with wrong numbers, and on all published ones.
#include "asperity/study/reproduce.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "asperity/core/errors.h"
#include "asperity/record/record.h"
#include "asperity/study/reproduce_measure.h"

namespace asperity::study {
namespace {

namespace fs = std::filesystem;

const fs::path root = ASPERITY_SOURCE_DIR;

// A folder of papers with one table, deleted at the end.
class Papers : public ::testing::Test {
protected:
    Papers() {
        fs::remove_all(folder);
        fs::create_directories(folder / "own");
    }
    ~Papers() override { fs::remove_all(folder); }

    void write(const std::string& groups, const std::string& name = "1.1") const {
        std::ofstream(folder / "own" / (name + ".toml"))
            << "id = \"own/" << name << "\"\ntitle = \"A fall\"\nsource = \"us\"\nscenario = \""
            << (root / "scenarios/landers/flat.toml").string() << "\"\n\n"
            << groups;
    }
    std::vector<TableResult> run(std::vector<std::string> ids = {}) const {
        Ranks ranks;
        return reproduce(ranks, {.ids = std::move(ids), .papers = folder, .out = {}, .threads = 2});
    }
    RowResult only_row(const std::string& row) const {
        write("[[group]]\nname = \"a\"\n[[group.row]]\nlabel = \"t\"\n" + row);
        return run().at(0).groups.at(0).rows.at(0);
    }
    std::string problems_of(const std::string& groups) const {
        write(groups);
        try {
            run();
        } catch (const InputError& error) {
            return error.what();
        }
        return "none";
    }

    const fs::path folder =
        fs::path(::testing::TempDir()) / ("papers_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
};

const std::string first_impact = "quantity = \"impact_time[0]\"\nunit = \"s\"\n";

TEST_F(Papers, RightRowIsOk) {
    const RowResult row =
        only_row(first_impact + "published_analytical = \"442.235077930332\"\npublished_numerical = \"442.235077917576\"\n");
    EXPECT_EQ(row.verdict, Verdict::ok);
    EXPECT_NEAR(*row.ours, 442.235077930332, 1e-11);
    EXPECT_NEAR(static_cast<double>(*row.published_difference), -1.2756e-8, 1e-12);
}

TEST_F(Papers, PublishedValueThatIsNearerFailsOurs) {
    // twenty digits of the closed form: no double can be nearer
    const RowResult row = only_row(first_impact + "published_numerical = \"442.23507793033234424\"\n");
    EXPECT_EQ(row.verdict, Verdict::failed);
    EXPECT_EQ(row.note, "farther from the closed form than the published value");
}

TEST_F(Papers, WrongClosedFormOfTheFileFails) {
    const RowResult row = only_row(first_impact + "closed_form = \"442.23507794\"\n");
    EXPECT_EQ(row.verdict, Verdict::failed);
    EXPECT_EQ(row.note, "our closed form is not that of the file, 442.23507794");
}

TEST_F(Papers, WithinFails) {
    const RowResult row = only_row("quantity = \"impact_spin_y[0]\"\nunit = \"rad/s\"\nwithin = \"1e-30\"\n");
    EXPECT_EQ(row.verdict, Verdict::failed);
    EXPECT_EQ(row.note, "not within 1e-30 rad/s");
}

TEST_F(Papers, MisprintIsNotedAndTheMendedValueCounts) {
    const std::string mended = first_impact + "published_numerical = \"44.2350779\"\nmisprint = \"a digit\"\ncorrected_numerical = ";
    const RowResult good = only_row(mended + "\"442.2350779\"\n");
    EXPECT_EQ(good.verdict, Verdict::misprint);
    EXPECT_EQ(good.note, "misprint: a digit");
    EXPECT_EQ(only_row(mended + "\"442.23507793033234424\"\n").verdict, Verdict::failed);
}

TEST_F(Papers, MissingQuantityFails) {
    const RowResult row = only_row("quantity = \"wall_velocity_x\"\nunit = \"m/s\"\n");
    EXPECT_EQ(row.verdict, Verdict::failed);
    EXPECT_EQ(row.note, "our run has no such quantity");
}

// Two point masses, 1999 KW4, whose L2 lies 3139.8 m from their common centre; nothing has to run for that.
TEST_F(Papers, EquilibriaAreHeldAgainstPrintWithinATolerance) {
    std::ofstream(folder / "own/o.obj") << "v 1 0 0\nv -1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nv 0 0 -1\nf 1 3 5\nf 3 2 5\nf 2 4 5\nf 4 1 5\n"
                                           "f 3 1 6\nf 2 3 6\nf 4 2 6\nf 1 4 6\n";
    std::ofstream(folder / "own/pair.scenario")
        << "[world]\nkind = \"body\"\nshape = \"o.obj\"\n[gravity]\nkind = \"body\"\nfield = \"point\"\nmass = \"0.135e12 kg\"\n"
           "[companion]\nshape = \"o.obj\"\nfield = \"point\"\nmass = \"2.353e12 kg\"\nseparation = \"2548 m\"\n[ball]\nradius = \"5 cm\"\n"
           "[release]\nat = \"L2\"\nposition = [\"0 m\", \"0 m\", \"0 m\"]\nvelocity = [\"0 m/s\", \"0 m/s\", \"0 m/s\"]\n[contact]\n"
           "restitution = 0.5\nfriction = 0.6\nrolling_resistance = 0.04\n[end]\ntime = \"1 h\"\n";
    const auto row = [](const std::string& what, const std::string& printed) {
        return "[[group.row]]\nquantity = \"equilibrium." + what + "\"\nlabel = \"a\"\nunit = \"m\"\npublished_numerical = \"" + printed +
               "\"\nwithin = \"0.5\"\nverdict = \"published\"\n";
    };
    std::ofstream(folder / "own/2.1.toml")
        << "id = \"own/2.1\"\ntitle = \"L2\"\nsource = \"us\"\nscenario = \"pair.scenario\"\n[[group]]\nname = \"a\"\n"
        << row("L2.x", "3140") << row("L2.target_x", "730") << row("L2.companion_x", "3278") << row("L1.x", "1777")
        << row("saddle-1.x", "1");
    const GroupResult got = run().at(0).groups.at(0);
    for (const std::size_t i : {0u, 1u, 2u}) EXPECT_EQ(got.rows.at(i).verdict, Verdict::ok) << i;
    EXPECT_EQ(got.rows.at(3).verdict, Verdict::failed);
    EXPECT_EQ(got.rows.at(3).note, "off by 19.21 m, more than 0.5");
    EXPECT_EQ(got.rows.at(4).note, "our run has no such quantity");
}

TEST_F(Papers, EquilibriaAndRunsDoNotShareAGroup) {
    const std::string problems = problems_of("[[group]]\nname = \"a\"\n[[group.row]]\nlabel = \"t\"\n" + first_impact +
                                             "[[group.row]]\nlabel = \"x\"\nquantity = \"equilibrium.L1.x\"\nverdict = \"published\"\n");
    EXPECT_NE(problems.find("a group has rows of equilibria or rows of a run, not both"), std::string::npos);
    EXPECT_NE(problems.find("needs `published_numerical`, and `within` or `within_part`"), std::string::npos);
}

TEST_F(Papers, DistanceIsTakenBetweenGroups) {
    const std::string row = "[[group.row]]\nquantity = \"settle_velocity_x\"\nlabel = \"xdot\"\nunit = \"m/s\"\n";
    write("[[group]]\nname = \"none\"\nset = [\"contact.completion=none\", \"contact.bounce_end_speed=1e-3 m/s\"]\n" + row + row +
          "distance_from = \"all\"\npublished_numerical = \"1.4612e-5\"\n[[group]]\nname = \"all\"\n" + row);
    const RowResult got = run().at(0).groups.at(0).rows.at(1);
    EXPECT_EQ(got.verdict, Verdict::ok);
    EXPECT_NEAR(*got.ours, 1.46123e-5, 1e-10);
}

TEST_F(Papers, ScalingNeedsOrderOne) {
    const auto group = [](const std::string& name, const std::string& speed, const std::string& end) {
        return "[[group]]\nname = \"" + name + "\"\nset = [\"contact.regularisation_speed=" + speed +
               " m/s\", \"contact.regularised_end_speed=" + end +
               " m/s\"]\n[[group.row]]\nquantity = \"stop_time\"\nlabel = \"t\"\nunit = \"s\"\nverdict = \"scaling\"\n";
    };
    write(group("a", "1e-4", "1e-5") + group("b", "1e-5", "1e-6"));
    const auto good = run();
    EXPECT_EQ(good.at(0).groups.at(0).rows.at(0).verdict, Verdict::shown);
    EXPECT_EQ(good.at(0).groups.at(1).rows.at(0).verdict, Verdict::ok);
    EXPECT_EQ(good.at(0).groups.at(1).rows.at(0).note, "10 times nearer than before, order 1.000");
    // an end speed that falls much faster takes longer: the distance does not fall in proportion
    write(group("a", "1e-4", "1e-5") + group("b", "1e-5", "1e-10"));
    EXPECT_EQ(run().at(0).groups.at(1).rows.at(0).verdict, Verdict::failed);
}

TEST_F(Papers, TextEndsWithTheCount) {
    write("[[group]]\nname = \"a\"\n[[group.row]]\nlabel = \"t\"\n" + first_impact +
          "[[group.row]]\nlabel = \"t again\"\nverdict = \"shown\"\n" + first_impact +
          "[[group.row]]\nlabel = \"bad\"\nclosed_form = \"1\"\n" + first_impact);
    const std::string text = reproduce_text(run());
    EXPECT_TRUE(text.ends_with("\n1 ok, 1 noted, 1 failed\n")) << text;
    EXPECT_NE(text.find("bad: FAILED: our closed form is not that of the file, 1\n"), std::string::npos) << text;
}

TEST_F(Papers, UnknownIdSuggests) {
    write("[[group]]\nname = \"a\"\n[[group.row]]\nlabel = \"t\"\n" + first_impact);
    try {
        run({"own/1.2", "owm/1.1"});
        FAIL();
    } catch (const InputError& error) {
        ASSERT_EQ(error.problems.size(), 2u);
        EXPECT_EQ(error.problems[0].what, "there is no published table `own/1.2`");
        EXPECT_EQ(error.problems[0].hint, "") << "another number is another table";
        EXPECT_EQ(error.problems[0].note, "there are: own/1.1");
        EXPECT_EQ(error.problems[1].hint, "did you mean `own/1.1`?");
    }
}

TEST_F(Papers, EveryProblemOfATableIsReported) {
    const std::string text = problems_of(
        "notse = \"x\"\n[[group]]\nname = \"a\"\nset = [1]\n[[group.row]]\nlabel = \"t\"\nquantity = \"impact_tme[0]\"\n"
        "published_numerical = \"12,5\"\nverdict = \"shwon\"\n");
    EXPECT_NE(text.find("unknown key `notse`"), std::string::npos) << text;
    EXPECT_NE(text.find("did you mean `notes`?"), std::string::npos) << text;
    EXPECT_NE(text.find("`set` holds an integer"), std::string::npos) << text;
    EXPECT_NE(text.find("unknown quantity `impact_tme[0]`"), std::string::npos) << text;
    EXPECT_NE(text.find("`published_numerical` is not a number: \"12,5\""), std::string::npos) << text;
    EXPECT_NE(text.find("`verdict` is one of closed_form, published, scaling, shown, not \"shwon\""), std::string::npos) << text;
}

TEST_F(Papers, DistanceFromNowhereIsAnError) {
    const std::string text = problems_of(
        "[[group]]\nname = \"one\"\n[[group.row]]\nlabel = \"t\"\nquantity = \"stop_time\"\n[[group.row]]\nlabel = \"d\"\nquantity = "
        "\"stop_time\"\ndistance_from = \"onne\"\n");
    EXPECT_NE(text.find("`distance_from` names no group: \"onne\""), std::string::npos) << text;
    EXPECT_NE(text.find("did you mean `one`?"), std::string::npos) << text;
}

TEST_F(Papers, NoTablesIsAnError) { EXPECT_THROW(published_ids(folder / "nowhere"), InputError); }

TEST_F(Papers, IdsAreInOrderOfNumbers) {
    for (const char* name : {"8.11", "8.2", "edge", "10.1"}) write("", name);
    EXPECT_EQ(published_ids(folder), (std::vector<std::string>{"own/8.2", "own/8.11", "own/10.1", "own/edge"}));
}

TEST_F(Papers, RecordHoldsTheVerdicts) {
    write("[[group]]\nname = \"a\"\n[[group.row]]\nlabel = \"t\"\n" + first_impact +
          "[[group.row]]\nlabel = \"bad\"\nclosed_form = \"1\"\n" + first_impact);
    write_reproduce(run(), folder / "out");
    const record::Record record = record::read_record(folder / "out/record.h5");
    ASSERT_EQ(record.tables.size(), 1u);
    EXPECT_EQ(record.tables[0].name, "own/1.1");
    EXPECT_EQ(record.tables[0].columns[0].name, "verdict") << "what one looks for comes first";
    for (const record::Column& column : record.tables[0].columns)
        if (column.name == "verdict") {
            EXPECT_EQ(std::get<std::vector<std::string>>(column.values), (std::vector<std::string>{"ok", "failed"}));
        }
    EXPECT_TRUE(fs::exists(folder / "out/report.html"));
}

TEST(Quantities, AreKnownByName) {
    EXPECT_TRUE(is_quantity("impact_time[0]"));
    EXPECT_TRUE(is_quantity("impact_time[last]"));
    EXPECT_TRUE(is_quantity("stop_time"));
    for (const char* text :
         {"impact_time", "impact_time[]", "impact_time[-1]", "impact_time[1", "stop_time[0]", "impact_time[12345678]", ""})
        EXPECT_FALSE(is_quantity(text)) << text;
}

// All of chapter 8, and the rolling laws. Others take longer: `make validate` runs them; gravity_tables_test.cpp has parts of chapter 7.
TEST(ThreadsReproduce, EveryTableHoldsOnAnyNumberOfThreads) {
    const fs::path before = fs::current_path();
    Ranks ranks;
    std::vector<std::string> ids;
    for (const std::string& id : published_ids(root / "papers"))
        if (id.starts_with("landers/") && !id.starts_with("landers/7") &&
            !read_published_table(root / "papers" / (id + ".toml"), id).is_slow())
            ids.push_back(id);
    const auto one = reproduce(ranks, {.ids = ids, .papers = root / "papers", .out = {}, .threads = 1});
    const auto two = reproduce(ranks, {.ids = ids, .papers = root / "papers", .out = {}, .threads = 2});
    EXPECT_EQ(count(one).failed, 0) << reproduce_text(one);
    EXPECT_GE(count(one).ok, 140);
    EXPECT_EQ(reproduce_text(one), reproduce_text(two));
    EXPECT_EQ(fs::current_path(), before);
}

}  // namespace
}  // namespace asperity::study
