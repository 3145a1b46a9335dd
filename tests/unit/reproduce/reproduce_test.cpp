// The engine of `asperity reproduce` on small tables of its own, with right and with wrong numbers, and on all published ones.
#include "asperity/reproduce/reproduce.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "asperity/core/errors.h"
#include "asperity/record/record.h"
#include "asperity/record/text_file.h"
#include "asperity/reproduce/measure.h"
#include "asperity/scenario/read.h"

namespace asperity::reproduce::reproduce_test {
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
        batch::Ranks ranks;
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
const std::string agrees = "standing = \"agrees\"\n";

// Why the run contradicts a row, by basis; empty where it holds.
std::string contradiction(const RowResult& row, Basis basis) {
    for (const Finding& finding : row.findings)
        if (finding.basis == basis) return finding.contradiction;
    return "not compared";
}

TEST_F(Papers, RightRowAgreesWithPrintAndClosedForm) {
    const RowResult row =
        only_row(first_impact + agrees + "published_analytical = \"442.235077930332\"\npublished = \"442.235077917576\"\n" +
                 "published_difference = \"1.2756e-8\"\nwithin_part = \"1e-7\"\n");
    EXPECT_EQ(contradiction(row, Basis::print), "");
    EXPECT_EQ(contradiction(row, Basis::closed_form), "");
    EXPECT_EQ(contradiction(row, Basis::own), "not compared");
    EXPECT_FALSE(row.is_contradicted());
    EXPECT_NEAR(*row.ours, 442.235077930332, 1e-11);
    EXPECT_NEAR(static_cast<double>(*row.published_difference), -1.2756e-8, 1e-12);
}

TEST_F(Papers, PrintThatIsNearerContradictsOurs) {
    // twenty digits of the closed form: no double can be nearer
    const RowResult row = only_row(first_impact + agrees + "published = \"442.23507793033234424\"\nwithin = \"1e-9\"\n");
    EXPECT_EQ(contradiction(row, Basis::closed_form), "farther from the closed form than print");
}

TEST_F(Papers, ClosedFormOfTheFileMustBeOurs) {
    const RowResult row = only_row(first_impact + agrees + "closed_form = \"442.23507794\"\n");
    EXPECT_EQ(contradiction(row, Basis::closed_form), "our closed form is not that of the file, 442.23507794");
}

TEST_F(Papers, ToleranceOfTheClosedFormCounts) {
    const RowResult row = only_row("quantity = \"impact_spin_y[0]\"\nunit = \"rad/s\"\nclosed_form_within = \"1e-30\"\n" + agrees);
    EXPECT_NE(contradiction(row, Basis::closed_form).find("more than 1e-30 rad/s"), std::string::npos);
}

// Each standing, declared rightly and declared wrongly in either direction.
TEST_F(Papers, AgreesIsContradictedByADifference) {
    const std::string row = first_impact + agrees + "published = \"443\"\n";
    EXPECT_EQ(contradiction(only_row(row + "within = \"1\"\n"), Basis::print), "");
    EXPECT_EQ(contradiction(only_row(row + "within = \"0.5\"\n"), Basis::print), "off 443 by -0.7649 s (-0.00173 of it), more than 0.5");
    EXPECT_EQ(contradiction(only_row(row + "within_part = \"0.001\"\n"), Basis::print),
              "off 443 by -0.7649 s (-0.00173 of it), more than 0.001 of it");
}

TEST_F(Papers, OpenStatesItsDifferenceAndIsContradictedByAgreement) {
    const std::string row = first_impact + "published = \"450\"\nwithin = \"1\"\nstanding = \"open\"\ncause = \"not known\"\n";
    EXPECT_EQ(contradiction(only_row(row + "difference = \"-7.8\"\n"), Basis::print), "");
    EXPECT_EQ(contradiction(only_row(row + "difference_part = \"-0.017\"\n"), Basis::print), "");
    EXPECT_EQ(contradiction(only_row(row + "difference = \"-7.5\"\n"), Basis::print), "differs by -7.765 s, stated is -7.5");
    EXPECT_EQ(contradiction(only_row(row + "difference_part = \"0.017\"\n"), Basis::print),
              "differs by -0.01726 of print, stated is 0.017");
    const std::string near = first_impact + "published = \"442\"\nwithin = \"1\"\nstanding = \"open\"\ncause = \"not known\"\n";
    EXPECT_EQ(contradiction(only_row(near + "difference = \"0.2\"\n"), Basis::print), "declared open, but it agrees with print");
}

TEST_F(Papers, RefutedNeedsPrintToBeWrongAndTheProofToHold) {
    const std::string refuted = "within = \"0.01\"\nstanding = \"refuted\"\nerratum = \"A digit is lost.\"\n";
    const RowResult good = only_row(first_impact + "published = \"44.2\"\n" + refuted);
    EXPECT_EQ(contradiction(good, Basis::print), "") << "the closed form proves it";
    EXPECT_EQ(good.note, "A digit is lost.");
    EXPECT_EQ(contradiction(only_row(first_impact + "published = \"442.235\"\n" + refuted), Basis::print),
              "declared refuted, but it agrees with print");
    const std::string corrected = first_impact + "published = \"44.2\"\n" + refuted + "corrected = ";
    EXPECT_EQ(contradiction(only_row(corrected + "\"442.23\"\n"), Basis::print), "");
    EXPECT_EQ(contradiction(only_row(corrected + "\"443\"\n"), Basis::print),
              "not proven: with the corrected number, off 443 by -0.7649 s (-0.00173 of it), more than 0.01");
}

TEST_F(Papers, PrintedColumnsMustFitEachOther) {
    // a digit of the numerical column is lost, which only the printed difference shows
    const std::string row = first_impact + "published_analytical = \"442.235077930332\"\npublished = \"442.23507717576\"\n" +
                            "published_difference = \"1.2756e-8\"\nwithin_part = \"1e-7\"\n";
    EXPECT_EQ(contradiction(only_row(row + agrees), Basis::print),
              "the printed difference 1.2756e-8 is not that of the two columns, 7.5457e-07");
    EXPECT_EQ(contradiction(only_row(row + "standing = \"refuted\"\nerratum = \"A 9 is lost.\"\ncorrected = \"442.235077917576\"\n"),
                            Basis::print),
              "");
    const RowResult analytical = only_row(first_impact + "published_analytical = \"442.235077930432\"\n" + agrees);
    EXPECT_EQ(contradiction(analytical, Basis::print), "the analytical value 442.235077930432 is off the closed form by 1e-10");
}

TEST_F(Papers, PrintedLimitsAndOwnNumbersAreCompared) {
    const std::string bound = first_impact + agrees + "published_bound = ";
    EXPECT_EQ(contradiction(only_row(bound + "\"500\"\n"), Basis::print), "");
    EXPECT_EQ(contradiction(only_row(bound + "\"400\"\n"), Basis::print), "442.2 is above the printed limit of 400");
    const std::string own = first_impact + agrees + "reference_within = \"1\"\nreference_from = \"this test\"\nreference = ";
    EXPECT_EQ(contradiction(only_row(own + "\"442\"\n"), Basis::own), "");
    EXPECT_EQ(contradiction(only_row(own + "\"440\"\n"), Basis::own), "off 440 by +2.235 s (+0.00508 of it), more than 1");
}

TEST_F(Papers, UnitsThatAreNotOurs) {
    EXPECT_NEAR(*only_row(first_impact + agrees + "times = \"3\"\nper = \"2\"\nclosed_form_within = \"1e9\"\n").ours,
                1.5 * 442.235077930332, 1e-9);
    EXPECT_NEAR(*only_row(first_impact + agrees + "from = \"500\"\nclosed_form_within = \"1e9\"\n").ours, 500 - 442.235077930332, 1e-9);
}

TEST_F(Papers, MissingQuantityIsAContradiction) {
    const RowResult row = only_row("quantity = \"wall_velocity_x\"\nunit = \"m/s\"\n" + agrees);
    EXPECT_EQ(contradiction(row, Basis::closed_form), "our run has no such quantity");
}

// Two point masses, 1999 KW4, whose L2 lies 3139.8 m from their common centre; nothing has to run for that.
TEST_F(Papers, EquilibriaAreHeldAgainstPrintWithinATolerance) {
    std::ofstream(folder / "own/o.obj") << "v 1 0 0\nv -1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nv 0 0 -1\nf 1 3 5\nf 3 2 5\nf 2 4 5\nf 4 1 5\n"
                                           "f 3 1 6\nf 2 3 6\nf 4 2 6\nf 1 4 6\n";
    std::ofstream(folder / "own/pair.scenario") << R"(frame = "beta"
[body.beta]
shape = { mesh = "o.obj", unit = "m" }
mass = "0.135e12 kg"
attracts = { field = "point" }
[body.alpha]
shape = { mesh = "o.obj", unit = "m" }
mass = "2.353e12 kg"
attracts = { field = "point" }
orbit = { about = "beta", separation = "2548 m" }
[body.lander]
shape = { sphere = "5 cm" }
mass = "1 kg"
[body.lander.start]
at = "L2"
position = ["0 m", "0 m", "0 m"]
velocity = ["0 m/s", "0 m/s", "0 m/s"]
[contact."lander/beta"]
restitution = 0.5
friction = 0.6
rolling_resistance = 0.04
[end]
time = "1 h"
)";
    const auto row = [](const std::string& what, const std::string& printed) {
        return "[[group.row]]\nquantity = \"equilibrium." + what + "\"\nlabel = \"a\"\nunit = \"m\"\npublished = \"" + printed +
               "\"\nwithin = \"0.5\"\nstanding = \"agrees\"\n";
    };
    std::ofstream(folder / "own/2.1.toml")
        << "id = \"own/2.1\"\ntitle = \"L2\"\nsource = \"us\"\nscenario = \"pair.scenario\"\n[[group]]\nname = \"a\"\n"
        << row("L2.x", "3140") << row("L2.target_x", "730") << row("L2.companion_x", "3278") << row("L1.x", "1777")
        << row("saddle-1.x", "1");
    const GroupResult got = run().at(0).groups.at(0);
    for (const std::size_t i : {0u, 1u, 2u}) EXPECT_EQ(contradiction(got.rows.at(i), Basis::print), "") << i;
    EXPECT_EQ(contradiction(got.rows.at(3), Basis::print), "off 1777 by +19.21 m (+0.0108 of it), more than 0.5");
    EXPECT_EQ(contradiction(got.rows.at(4), Basis::print), "our run has no such quantity");
}

TEST_F(Papers, EquilibriaAndRunsDoNotShareAGroup) {
    const std::string problems =
        problems_of("[[group]]\nname = \"a\"\n[[group.row]]\nlabel = \"t\"\n" + first_impact + agrees +
                    "[[group.row]]\nlabel = \"x\"\nquantity = \"equilibrium.L1.x\"\npublished = \"1\"\nwithin = \"1\"\n" + agrees);
    EXPECT_NE(problems.find("a group has rows of equilibria or rows of a run, not both"), std::string::npos) << problems;
}

TEST_F(Papers, DistanceIsTakenBetweenGroups) {
    const std::string row = "[[group.row]]\nquantity = \"settle_velocity_x\"\nlabel = \"xdot\"\nunit = \"m/s\"\nstanding = \"agrees\"\n";
    write(
        "[[group]]\nname = \"none\"\nset = [\"contact.shell/ground.completion=none\", \"contact.shell/ground.bounce_end_speed=1e-3 "
        "m/s\"]\n" +
        row + row + "distance_from = \"all\"\npublished = \"1.4612e-5\"\nwithin = \"1e-9\"\n[[group]]\nname = \"all\"\n" + row);
    const RowResult got = run().at(0).groups.at(0).rows.at(1);
    EXPECT_FALSE(got.is_contradicted());
    EXPECT_NEAR(*got.ours, 1.46123e-5, 1e-10);
}

TEST_F(Papers, OrderInTheRegularisationSpeedIsMeasured) {
    const auto group = [](const std::string& name, const std::string& speed, const std::string& end) {
        return "[[group]]\nname = \"" + name + "\"\nset = [\"contact.shell/ground.regularisation_speed=" + speed +
               " m/s\", \"contact.shell/ground.regularised_end_speed=" + end +
               " m/s\"]\n[[group.row]]\nquantity = \"stop_time\"\nlabel = \"t\"\nunit = \"s\"\nleast_order = \"0.95\"\nstanding = "
               "\"agrees\"\n";
    };
    write(group("a", "1e-4", "1e-5") + group("b", "1e-5", "1e-6"));
    const auto good = run();
    EXPECT_TRUE(good.at(0).groups.at(0).rows.at(0).findings.empty()) << "what the second is compared with";
    EXPECT_EQ(contradiction(good.at(0).groups.at(1).rows.at(0), Basis::closed_form), "");
    EXPECT_EQ(good.at(0).groups.at(1).rows.at(0).order, "10 times nearer than before, order 1.000");
    // an end speed that falls much faster takes longer: the distance does not fall in proportion
    write(group("a", "1e-4", "1e-5") + group("b", "1e-5", "1e-10"));
    EXPECT_TRUE(run().at(0).groups.at(1).rows.at(0).is_contradicted());
}

TEST_F(Papers, TextEndsWithTheCountsOfEachBasis) {
    const std::string head = "[[group.row]]\nlabel = \"t\"\n" + first_impact;
    write("[[group]]\nname = \"a\"\n" + head + agrees +
          "published = \"442\"\nwithin = \"1\"\nreference = \"442\"\nreference_within = \"1\"\nreference_from = \"x\"\n" + head +
          "published = \"450\"\nwithin = \"1\"\nstanding = \"open\"\ncause = \"c\"\ndifference = \"-7.8\"\n" + head +
          "published = \"44\"\nwithin = \"1\"\nstanding = \"refuted\"\nerratum = \"e\"\n" + head + agrees + "closed_form = \"1\"\n");
    const std::string text = reproduce_text(run());
    EXPECT_TRUE(
        text.ends_with("                  agrees  refuted   open  contradicted\n"
                       "print                  1        1      1             0\n"
                       "closed forms           3        0      0             1\n"
                       "our own numbers        1        0      0             0\n"))
        << text;
    EXPECT_NE(text.find("t: CONTRADICTED (closed forms): our closed form is not that of the file, 1\n"), std::string::npos) << text;
    EXPECT_NE(text.find("t: differs by -7.8 s: c\n"), std::string::npos) << text;
}

TEST_F(Papers, UnknownIdSuggests) {
    write("[[group]]\nname = \"a\"\n[[group.row]]\nlabel = \"t\"\n" + first_impact + agrees);
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
        "published = \"12,5\"\nstanding = \"agree\"\n");
    EXPECT_NE(text.find("unknown key `notse`"), std::string::npos) << text;
    EXPECT_NE(text.find("did you mean `notes`?"), std::string::npos) << text;
    EXPECT_NE(text.find("`set[0]` needs text, got an integer"), std::string::npos) << text;
    EXPECT_NE(text.find("unknown quantity `impact_tme[0]`"), std::string::npos) << text;
    EXPECT_NE(text.find("`published` needs a number in quotes, digit for digit, got \"12,5\""), std::string::npos) << text;
    EXPECT_NE(text.find("`standing` cannot be \"agree\""), std::string::npos) << text;
    EXPECT_NE(text.find("known here: agrees, refuted, open"), std::string::npos) << text;
    EXPECT_NE(text.find("`published` needs `within` or `within_part`: what counts as agreement"), std::string::npos) << text;
}

// As strictly as a scenario, and with the same words; a key of scenarios has no home in a table.
TEST_F(Papers, ProblemsHavePlaceHintAndWhatIsKnown) {
    const std::string head = (folder / "own/1.1.toml").string() + ":";
    EXPECT_EQ(
        problems_of("friction = 1\n[[group]]\nname = \"a\"\n[[group.row]]\nlabel = \"\"\npublishd = \"1\"\n" + first_impact +
                    "standing = \"open\"\npublished = 1.5\ndifference = \"1\"\ncause = \"c\"\nwithin = \"1\"\n[[group]]\n"
                    "name = \"b\"\n[group.row]\n"),
        "error: unknown key `friction`\n  " + head +
            "6:1\n   6 | friction = 1\n     | ^^^^^^^^\n"
            "  known here: group, id, kind, notes, scenario, source, title, within_part\n\n"
            "error: `label` is empty\n  " +
            head + "10:9   [[group.row]] 0\n  10 | label = \"\"\n     |         ^^\n  label: What the table calls it.\n\n" +
            "error: unknown key `publishd`\n  " + head +
            "11:1   [[group.row]] 0\n  11 | publishd = \"1\"\n     | ^^^^^^^^ did you mean `published`?\n"
            "  known here: against, cause, closed_form, closed_form_within, closed_form_within_part, corrected, corrected_analytical, "
            "corrected_difference, difference, difference_part, distance_from, erratum, from, label, least_order, per, proof, "
            "published, published_analytical, published_bound, published_difference, quantity, reference, reference_from, "
            "reference_within, reference_within_part, standing, times, unit, within, within_part\n\n"
            "error: `published` needs a number in quotes, digit for digit, got a number\n  " +
            head + "15:13   [[group.row]] 0\n  15 | published = 1.5\n     |             ^^^ write for example \"0.0051\"\n\n" +
            "error: `row` is a list of sections, got a section\n  " + head +
            "21:8   [[group]] 1\n  21 | [group.row]\n     |        ^^^ write [[group.row]], once for each\n\n"
            "5 errors. Nothing was run.");
}

TEST_F(Papers, ATableNeedsGroupsAndAGroupNeedsRows) {
    EXPECT_NE(problems_of("").find("missing section [[group]]"), std::string::npos);
    const std::string text = problems_of("[[group]]\nname = \"a\"\n");
    EXPECT_NE(text.find("missing section [[group.row]]"), std::string::npos) << text;
    EXPECT_NE(text.find("own/1.1.toml:6"), std::string::npos) << text;
}

// What a standing needs, and what belongs to no other.
TEST_F(Papers, StandingsNeedTheirReasons) {
    const auto of = [&](const std::string& row) { return problems_of("[[group]]\nname = \"a\"\n[[group.row]]\nlabel = \"t\"\n" + row); };
    const std::string print = first_impact + "published = \"1\"\nwithin = \"1\"\n", metric = "quantity = \"metric.impacts\"\n";
    const std::pair<std::string, const char*> wrong[] = {
        {first_impact, "missing key `standing`"},
        {first_impact + "standing = \"open\"\ndifference = \"1\"\ncause = \"c\"\n", "only what is printed can be refuted or open"},
        {print + "standing = \"refuted\"\n", "standing \"refuted\" and `erratum` belong together"},
        {print + agrees + "erratum = \"e\"\n", "standing \"refuted\" and `erratum` belong together"},
        {print + agrees + "corrected = \"2\"\n", "a corrected number without standing \"refuted\""},
        {metric + "published = \"1\"\nwithin = \"1\"\nstanding = \"refuted\"\nerratum = \"e\"\ncorrected = \"2\"\n",
         "`corrected` needs `proof`, where there is no closed form"},
        {metric + "published = \"1\"\nwithin = \"1\"\nstanding = \"refuted\"\nerratum = \"e\"\n", "standing \"refuted\" needs a proof"},
        {print + "standing = \"open\"\ncause = \"c\"\n", "standing \"open\" needs `difference` or `difference_part`, and `cause`"},
        {print + agrees + "difference = \"1\"\n", "standing \"open\" needs `difference` or `difference_part`, and `cause`"},
        {first_impact + agrees + "reference = \"1\"\n",
         "`reference` needs `reference_within` or `reference_within_part`, and `reference_from`"}};
    for (const auto& [row, part] : wrong) {
        const std::string text = of(row);
        EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
    }
}

TEST_F(Papers, DistanceFromNowhereIsAnError) {
    const std::string text = problems_of(
        "[[group]]\nname = \"one\"\n[[group.row]]\nlabel = \"t\"\nstanding = \"agrees\"\nquantity = \"stop_time\"\n[[group.row]]\nlabel = "
        "\"d\"\n"
        "standing = \"agrees\"\nquantity = \"stop_time\"\ndistance_from = \"onne\"\n");
    EXPECT_NE(text.find("`distance_from` names no group: \"onne\""), std::string::npos) << text;
    EXPECT_NE(text.find("did you mean `one`?"), std::string::npos) << text;
}

TEST_F(Papers, NoTablesIsAnError) { EXPECT_THROW(published_ids(folder / "nowhere"), InputError); }

TEST_F(Papers, IdsAreInOrderOfNumbers) {
    for (const char* name : {"8.11", "8.2", "edge", "10.1"}) write("", name);
    EXPECT_EQ(published_ids(folder), (std::vector<std::string>{"own/8.2", "own/8.11", "own/10.1", "own/edge"}));
}

TEST_F(Papers, RecordHoldsStandingsAndContradictions) {
    write("[[group]]\nname = \"a\"\n[[group.row]]\nlabel = \"t\"\n" + first_impact + agrees +
          "[[group.row]]\nlabel = \"bad\"\nclosed_form = \"1\"\n" + first_impact + agrees);
    write_reproduce(run(), folder / "out");
    const record::Record record = record::read_record(folder / "out/record.h5");
    ASSERT_EQ(record.tables.size(), 1u);
    EXPECT_EQ(record.tables[0].name, "own/1.1");
    EXPECT_EQ(record.tables[0].columns[0].name, "standing") << "what one looks for comes first";
    EXPECT_EQ(std::get<std::vector<std::string>>(record.tables[0].columns[0].values), (std::vector<std::string>{"agrees", "agrees"}));
    EXPECT_EQ(std::get<std::vector<std::string>>(record.tables[0].columns[1].values),
              (std::vector<std::string>{"", "closed forms: our closed form is not that of the file, 1"}));
    EXPECT_TRUE(fs::exists(folder / "out/report.html"));
    const auto json = nlohmann::json::parse(record::read_text_file(folder / "out/reproduce.json"));
    EXPECT_EQ(json["own/1.1"]["standing"].dump(), R"(["agrees","agrees"])");
    const auto ours =
        std::find_if(record.tables[0].columns.begin(), record.tables[0].columns.end(), [](const auto& c) { return c.name == "ours"; });
    EXPECT_EQ(json["own/1.1"]["ours"].get<std::vector<double>>(), std::get<std::vector<double>>(ours->values)) << "to the last bit";
    EXPECT_TRUE(json["own/1.1"]["print"][0].is_null());
}

TEST(Printed, KnowsItsLastPlace) {
    const auto place = [](const char* text) { return static_cast<double>(Printed{text, 0}.last_place()); };
    EXPECT_DOUBLE_EQ(place("0.0023"), 1e-4);
    EXPECT_DOUBLE_EQ(place("1.23e3"), 10);
    EXPECT_DOUBLE_EQ(place("-12"), 1);
    EXPECT_DOUBLE_EQ(place("5e-7"), 1e-7);
}

TEST(Quantities, AreKnownByName) {
    EXPECT_TRUE(is_quantity("impact_time[0]"));
    EXPECT_TRUE(is_quantity("impact_time[last]"));
    EXPECT_TRUE(is_quantity("stop_time"));
    for (const char* text :
         {"impact_time", "impact_time[]", "impact_time[-1]", "impact_time[1", "stop_time[0]", "impact_time[12345678]", ""})
        EXPECT_FALSE(is_quantity(text)) << text;
}

// Lagrange Resting at H-bar^2 = 1: an equilateral triangle that turns as one at (G m / d^3)^(1/2) / 1.3 (docs/theory/ternary.md, 15).
TEST(Quantities, OfFreeBodiesFollowTheClosedForm) {
    for (const char* text : {"required_rate", "spin_lack[0]", "form_angle[2]", "angle_max[1]", "widest_angle_min", "relative_spin"})
        EXPECT_TRUE(is_quantity(text)) << text;
    for (const char* text : {"required_rate[0]", "spin_lack", "spin_lack[3]", "form_angle[12]"}) EXPECT_FALSE(is_quantity(text)) << text;
    const Measured run(scenario::read_scenario((root / "scenarios/ternary/lr-static.toml").string(), {.sets = {"end.time=2000 s"}}));
    const double rate = std::sqrt(6.67384e-11 * 2000 * std::acos(-1.0) / 6) / 1.3;
    EXPECT_NEAR(*run.value("required_rate") / rate, 1, 1e-9);
    EXPECT_NEAR(*run.value("spin_lack[1]") / rate, 0, 1e-9);
    EXPECT_NEAR(*run.value("relative_spin") / rate, 0, 1e-9);
    EXPECT_NEAR(*run.value("form_angle[0]"), 120, 1e-9);
    EXPECT_NEAR(*run.value("angle_max[2]"), 60, 1e-9);
    EXPECT_NEAR(*run.value("widest_angle_min"), 60, 1e-9);
    // spun down in a line, to lock as a triangle: two touching neighbours each, k2 = 1e-5, Q = 100, 2 * 3.276e-15 rad/s^2 (7)
    const Measured folding(scenario::read_scenario((root / "scenarios/ternary/er-to-lr.toml").string(), {.sets = {"end.time=200 s"}}));
    ASSERT_TRUE(folding.value("spin_acceleration[0]"));
    EXPECT_NEAR(*folding.value("spin_acceleration[0]"), 6.5517e-15, 1e-19);
    EXPECT_FALSE(run.value("spin_acceleration[0]")) << "nothing is lacking";
}

// All of chapter 8, and the rolling laws. Others take longer: `make validate` runs them; gravity_tables_test.cpp has parts of chapter 7.
TEST(ThreadsReproduce, EveryTableHoldsOnAnyNumberOfThreads) {
    const fs::path before = fs::current_path();
    batch::Ranks ranks;
    std::vector<std::string> ids;
    for (const std::string& id : published_ids(root / "papers"))
        if (id.starts_with("landers/") && !id.starts_with("landers/7") &&
            !read_published_table(root / "papers" / (id + ".toml"), id).is_slow())
            ids.push_back(id);
    const auto one = reproduce(ranks, {.ids = ids, .papers = root / "papers", .out = {}, .threads = 1});
    const auto two = reproduce(ranks, {.ids = ids, .papers = root / "papers", .out = {}, .threads = 2});
    EXPECT_EQ(count(one).all_contradicted(), 0) << reproduce_text(one);
    EXPECT_GE(count(one).all(Standing::agrees), 250);
    EXPECT_EQ(reproduce_text(one), reproduce_text(two));
    EXPECT_EQ(fs::current_path(), before);
}

}  // namespace
}  // namespace asperity::reproduce::reproduce_test
