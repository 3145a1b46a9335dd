// Study files: what is read, and every message about a file that is wrong by itself. What a study gets wrong about its scenario is told by
// the plan (unit/study/plan_messages_test.cpp).
#include <bit>

#include "asperity/scenario/study.h"
#include "unit/scenario/scenario_test_tools.h"

namespace asperity::scenario::study_file_test {
namespace {

// Lines 1 to 6; whatever a test appends begins on line 7, in [[vary]].
const std::string sound = R"(runs = 8
[[vary]]
name = "x"
distribution = "uniform"
low = 0
high = 1
)";

Study read(const std::string& text, const std::vector<std::string>& sets = {}) {
    const Folder folder;
    return read_study(folder.write("a.toml", text), sets);
}

// What the user would see, with the folder of the test left out; empty where the text is accepted.
std::string error_of(const std::string& text, const std::vector<std::string>& sets = {}) {
    const Folder folder;
    try {
        read_study(folder.write("a.toml", text), sets);
        return {};
    } catch (const InputError& error) {
        std::string all = error.what();
        for (std::size_t at = 0; (at = all.find(folder.path(""))) != std::string::npos;) all.erase(at, folder.path("").size());
        const std::string end = "\n\n1 error. Nothing was run.";
        return all.ends_with(end) ? all.substr(0, all.size() - end.size()) : all;
    }
}

// Every value of a study as text, by a visitor of its own: the writer is not asked whether it is right.
class Flattener {
public:
    std::vector<std::string> values;

    template <class T, class... Rest>
    void required(const char*, const T& value, const Rest&...) {
        add(value);
    }
    template <class T, class... Rest>
    void optional(const char*, const T& value, const Rest&...) {
        add(value);
    }
    template <class T, class... Rest>
    void optional(const char*, const std::optional<T>& value, const Rest&...) {
        values.emplace_back(value ? "given" : "not given");
        if (value) add(*value);
    }
    template <class Variant, class Names>
    void kinds(const char*, Variant& value, const Names&, const char*) {
        add(static_cast<std::int64_t>(value.index()));
        std::visit([&](auto& alternative) { describe(*this, alternative); }, value);
    }
    template <class T>
    void section(const char*, T& value, const char*) {
        describe(*this, value);
    }
    template <class T>
    void optional_section(const char*, std::optional<T>& value, const char*) {
        values.emplace_back(value ? "given" : "not given");
        if (value) describe(*this, *value);
    }
    template <class T>
    void list(const char*, std::vector<T>& items, const char*) {
        add(static_cast<std::int64_t>(items.size()));
        for (T& item : items) describe(*this, item);
    }
    void expectations(const char*, const std::vector<Expectation>&, const char*) {}  // compared by ==
    void include(const char*, const char*) {}

private:
    void add(const Path& value) { add(value.text); }
    void add(const std::string& value) { values.push_back(value); }
    void add(const Loose& value) { values.push_back(value.text); }
    void add(const std::vector<Loose>& list) {
        values.push_back(std::to_string(list.size()));
        for (const Loose& value : list) add(value);
    }
    void add(double value) { values.push_back(std::to_string(std::bit_cast<std::uint64_t>(value))); }
    void add(std::int64_t value) { values.push_back(std::to_string(value)); }
    void add(StudyDesign value) { add(static_cast<std::int64_t>(value)); }
};

void expect_same(Study a, Study b) {
    Flattener first, second;
    describe(first, a);
    describe(second, b);
    EXPECT_EQ(first.values, second.values);
    EXPECT_EQ(a.success, b.success);
}

const std::string everything = R"(name = "all \" of it"
description = "é and \\"
scenario = "../flat.toml"
set = ["contact.lander/ground.friction=0.5", "body.lander.shape.sphere='5 cm'"]
seed = 9223372036854775807
design = "sobol"
runs = 4000000000
confidence = 0.99000000000000002
metrics = ["stop_time", "impacts"]
[[vary]]
key = "body.lander.start.velocity.x"
name = "v"
distribution = "normal"
mean = "3 cm/s"
sigma = "1 mm/s"
low = "1 cm/s"
high = "5 cm/s"
levels = 7
[[vary]]
key = "contact.lander/ground.friction"
distribution = "log-normal"
median = 0.30000000000000004
sigma_log = 5e-324
high = 1e3
[[vary]]
key = "contact.lander/ground.rolling_law"
distribution = "choice"
values = ["coupled", "thesis"]
weights = [1, 2.5]
[[vary]]
key = "contact.lander/ground.impact_friction"
distribution = "choice"
values = [true, false]
[[vary]]
name = "t"
distribution = "table"
values = [0, -1.5, 7]
cumulative = [0, 0.25, 1]
[[vary]]
name = "u"
distribution = "uniform"
low = -1e-9
high = "2"
[[derive]]
key = "contact.lander/ground.rolling_resistance"
expression = "0.1 * contact.lander/ground.friction"
[[derive]]
name = "w"
expression = 't + "\"'
[[metric]]
name = "way"
unit = "m"
expression = "stop_position.x"
[success]
outcome = "rest"
impact_time = [{ index = 0, value = "1 h", within = "1 us" }, { length = 4 }]
way = { at_most = "5 km" }
[until]
metric = "way"
half_width = "2 m"
relative = 0.1
first = 128
[failures]
most = 0.25
at_least = 3
)";

TEST(StudyFile, gives_every_value_where_it_belongs) {
    const Study s = read(everything);
    EXPECT_EQ(s.name, "all \" of it");
    EXPECT_EQ(s.description, "é and \\");
    EXPECT_EQ(s.scenario.text, "../flat.toml");
    EXPECT_EQ(s.set, (std::vector<Loose>{{"contact.lander/ground.friction=0.5"}, {"body.lander.shape.sphere='5 cm'"}}));
    EXPECT_EQ(s.seed, 9223372036854775807);
    EXPECT_EQ(s.design, StudyDesign::sobol);
    EXPECT_EQ(s.runs, 4000000000);
    EXPECT_EQ(s.confidence, 0.99);
    EXPECT_EQ(s.metrics, (std::vector<Loose>{{"stop_time"}, {"impacts"}}));
    ASSERT_EQ(s.vary.size(), 6u);
    const auto& normal = std::get<DrawnNormal>(s.vary[0].distribution);
    EXPECT_EQ(s.vary[0].key + " " + s.vary[0].name + " " + normal.mean.text + " " + normal.sigma.text,
              "body.lander.start.velocity.x v 3 cm/s 1 mm/s");
    EXPECT_EQ(normal.low->text + " " + normal.high->text, "1 cm/s 5 cm/s");
    EXPECT_EQ(s.vary[0].levels, 7);
    EXPECT_EQ(s.vary[1].levels, 5);
    const auto& log_normal = std::get<DrawnLogNormal>(s.vary[1].distribution);
    EXPECT_EQ(log_normal.median.text, "0.30000000000000004");
    EXPECT_EQ(log_normal.sigma_log, 5e-324);
    EXPECT_FALSE(log_normal.low);
    const auto& names = std::get<DrawnChoice>(s.vary[2].distribution);
    EXPECT_EQ(names.values, (std::vector<Loose>{{"coupled"}, {"thesis"}}));
    EXPECT_EQ(names.weights, (std::vector<Loose>{{"1"}, {"2.5"}}));
    EXPECT_EQ(std::get<DrawnChoice>(s.vary[3].distribution).values, (std::vector<Loose>{{"true"}, {"false"}}));
    EXPECT_EQ(std::get<DrawnTable>(s.vary[4].distribution).cumulative, (std::vector<Loose>{{"0"}, {"0.25"}, {"1"}}));
    EXPECT_EQ(std::get<DrawnUniform>(s.vary[5].distribution).low.text, "-1e-09");
    ASSERT_EQ(s.derive.size(), 2u);
    EXPECT_EQ(s.derive[0].key + s.derive[0].name + s.derive[0].expression,
              "contact.lander/ground.rolling_resistance0.1 * contact.lander/ground.friction");
    EXPECT_EQ(s.derive[1].name, "w");
    ASSERT_EQ(s.derived_metrics.size(), 1u);
    EXPECT_EQ(s.derived_metrics[0].name + s.derived_metrics[0].unit + s.derived_metrics[0].expression, "waymstop_position.x");
    ASSERT_EQ(s.success.size(), 4u);
    EXPECT_EQ(s.success[0].text, "rest");
    EXPECT_EQ(s.success[3].at_most->value, 5000);
    EXPECT_EQ(s.until->metric + " " + s.until->half_width->text, "way 2 m");
    EXPECT_EQ(*s.until->relative, 0.1);
    EXPECT_EQ(s.until->first, 128);
    EXPECT_EQ(s.failures.most, 0.25);
    EXPECT_EQ(s.failures.at_least, 3);
}

TEST(StudyFile, has_the_defaults_that_the_reference_promises) {
    const Study s = read(sound);
    EXPECT_EQ(s.name, "a");
    EXPECT_EQ(s.seed, 1);
    EXPECT_EQ(s.design, StudyDesign::monte_carlo);
    EXPECT_EQ(s.confidence, 0.95);
    EXPECT_TRUE(s.scenario.empty() && s.metrics.empty() && s.derive.empty() && s.success.empty() && !s.until);
    EXPECT_EQ(s.failures.most, 0.1);
    EXPECT_EQ(s.failures.at_least, 10);
}

TEST(StudyFile, resolved_text_reads_back_to_the_same_study) {
    for (const std::string& text : {everything, sound}) {
        const Study study = read(text);
        const Study back = read(resolved_toml(study));
        expect_same(study, back);
        EXPECT_EQ(resolved_toml(back), resolved_toml(study));
    }
}

TEST(StudyFile, resolved_text_of_every_shipped_study_reads_back) {
    int count = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(ASPERITY_SOURCE_DIR "/scenarios")) {
        if (entry.path().extension() != ".toml" || !is_study(entry.path().string())) continue;
        SCOPED_TRACE(entry.path().filename().string());
        const Study study = read_study(entry.path().string());
        expect_same(study, read(resolved_toml(study)));
        ++count;
    }
    EXPECT_GE(count, 1);
}

TEST(StudyFile, includes_another_and_is_changed_by_set) {
    const Folder folder;
    folder.write("base.toml", everything);
    const std::string file = folder.write("top.toml", "include = \"base.toml\"\nname = \"top\"\nruns = 5\n[failures]\nmost = 0.5\n");
    const Study study = read_study(file, {"seed=3", "vary.0.mean=4 cm/s", "until.first=2"});
    EXPECT_EQ(study.name, "top");
    EXPECT_EQ(study.runs, 5);
    EXPECT_EQ(study.seed, 3);
    EXPECT_EQ(study.failures.most, 0.5);
    EXPECT_EQ(study.failures.at_least, 3);
    EXPECT_EQ(study.vary.size(), 6u);
    EXPECT_EQ(std::get<DrawnNormal>(study.vary[0].distribution).mean.text, "4 cm/s");
    EXPECT_EQ(study.until->first, 2);
}

TEST(StudyFile, is_told_from_a_scenario) {
    const Folder folder;
    EXPECT_TRUE(is_study(folder.write("study.toml", sound)));
    EXPECT_TRUE(is_study(folder.write("include.toml", "include = \"study.toml\"\n")));
    EXPECT_FALSE(is_study(folder.write("scenario.toml", complete)));
    EXPECT_FALSE(is_study(folder.write("broken.toml", "runs = \n")));
    EXPECT_FALSE(is_study(folder.path("none.toml")));
}

TEST(StudyMessages, unknown_keys) {
    EXPECT_EQ(error_of(sound + "levles = 3\n"),
              "error: unknown key `levles`\n"
              "  a.toml:7:1   [[vary]] 0\n"
              "  7 | levles = 3\n"
              "    | ^^^^^^ did you mean `levels`?\n"
              "  known here: distribution, high, key, levels, low, name");
    EXPECT_EQ(first_lines(error_of("desing = \"grid\"\n" + sound), 4),
              "error: unknown key `desing`\n"
              "  a.toml:1:1\n"
              "  1 | desing = \"grid\"\n"
              "    | ^^^^^^ did you mean `design`?");
    // a key of another distribution
    EXPECT_EQ(first_lines(error_of(sound + "sigma = 3\n"), 3), "error: unknown key `sigma`\n  a.toml:7:1   [[vary]] 0\n  7 | sigma = 3");
    EXPECT_EQ(first_lines(error_of(sound + "[failres]\nmost = 1\n"), 4),
              "error: unknown section `failres`\n"
              "  a.toml:7:2\n"
              "  7 | [failres]\n"
              "    |  ^^^^^^^ did you mean `failures`?");
}

TEST(StudyMessages, a_missing_key_is_asked_for) {
    EXPECT_EQ(error_of(replaced(sound, "high = 1\n", "")),
              "error: missing key `high`\n"
              "  a.toml:2:1   [[vary]] 0\n"
              "  2 | [[vary]]\n"
              "    | ^^^^^^^^ add for example high = ...\n"
              "  high: Largest value.");
    EXPECT_EQ(error_of(sound + "[[derive]]\nname = \"y\"\n"),
              "error: missing key `expression`\n"
              "  a.toml:7:1   [[derive]] 0\n"
              "  7 | [[derive]]\n"
              "    | ^^^^^^^^^^ add for example expression = \"...\"\n"
              "  expression: Its value in SI units, from the names of drawn values and of those derived above it.");
    EXPECT_EQ(first_lines(error_of(replaced(sound, "distribution = \"uniform\"\n", "")), 4),
              "error: missing key `distribution`\n"
              "  a.toml:2:1   [[vary]] 0\n"
              "  2 | [[vary]]\n"
              "    | ^^^^^^^^ add for example distribution = \"normal\"");
    EXPECT_EQ(first_lines(error_of(sound + "[until]\nfirst = 9\n"), 1), "error: missing key `metric`");
}

TEST(StudyMessages, of_a_wrong_type_and_a_wrong_name) {
    const auto first = [](const std::string& text) { return first_lines(error_of(text), 1); };
    const auto with_runs = [](const std::string& value) { return replaced(sound, "runs = 8", "runs = " + value); };
    EXPECT_EQ(error_of(with_runs("\"many\"")),
              "error: `runs` needs an integer, got text\n"
              "  a.toml:1:8\n"
              "  1 | runs = \"many\"\n"
              "    |        ^^^^^^ write for example 1");
    EXPECT_EQ(first(with_runs("1.5")), "error: `runs` needs an integer, got a number");
    EXPECT_EQ(error_of(replaced(sound, "high = 1", "high = [1]")),
              "error: `high` needs a number, a quantity or a name, got an array\n"
              "  a.toml:6:8   [[vary]] 0\n"
              "  6 | high = [1]\n"
              "    |        ^^^");
    EXPECT_EQ(first("vary = 3\nruns = 8\n"), "error: `vary` is a list of sections, got an integer");
    EXPECT_EQ(first("[vary]\nname = \"x\"\n"), "error: `vary` is a list of sections, got a section");
    EXPECT_EQ(first("metrics = \"impacts\"\n" + sound), "error: `metrics` needs a list, got text");
    EXPECT_EQ(first("set = [[1]]\n" + sound), "error: `set[0]` needs a number, a quantity or a name, got an array");
    EXPECT_EQ(first("until = 0.1\n" + sound), "error: `until` is a section, got a number");
    EXPECT_EQ(first_lines(error_of(replaced(sound, "\"uniform\"", "\"unifrom\"")), 5),
              "error: `distribution` cannot be \"unifrom\"\n"
              "  a.toml:4:16   [[vary]] 0\n"
              "  4 | distribution = \"unifrom\"\n"
              "    |                ^^^^^^^^^ did you mean `uniform`?\n"
              "  known here: normal, uniform, log-normal, choice, table");
    EXPECT_EQ(first_lines(error_of("design = \"latin\"\n" + sound), 1), "error: `design` cannot be \"latin\"");
}

TEST(StudyMessages, of_a_value_out_of_bounds) {
    const auto first = [](const std::string& text) { return first_lines(error_of(text), 1); };
    EXPECT_EQ(error_of(replaced(sound, "runs = 8", "runs = 0")),
              "error: `runs` must be between 1 and 4000000000, got 0\n"
              "  a.toml:1:8\n"
              "  1 | runs = 0\n"
              "    |        ^\n"
              "  runs: Number of runs; with [until] the most of them; --runs wins over it.");
    EXPECT_EQ(first("seed = -1\n" + sound), "error: `seed` must not be negative, got -1");
    EXPECT_EQ(first("confidence = 1.0\n" + sound), "error: `confidence` must be at least 0.5 and below 1, got 1");
    EXPECT_EQ(first(sound + "levels = 0\n"), "error: `levels` must be between 1 and 1000000, got 0");
    EXPECT_EQ(first(sound + "[until]\nmetric = \"x\"\nrelative = 0\n"), "error: `relative` must be above 0 and at most 1, got 0");
    EXPECT_EQ(first(sound + "[until]\nmetric = \"x\"\nrelative = 0.1\nfirst = 1\n"), "error: `first` must be at least 2, got 1");
    EXPECT_EQ(first(sound + "[failures]\nmost = 1.5\n"), "error: `most` must be between 0 and 1, got 1.5");
}

TEST(StudyMessages, of_demands_that_demand_nothing) {
    EXPECT_EQ(first_lines(error_of(sound + "[success]\nx = {}\n"), 2), "error: `x` demands nothing\n  a.toml:8:5   [success]");
}

TEST(StudyMessages, all_slips_are_reported_at_once_and_in_order) {
    const std::string all = error_of("sed = 1\n" + replaced(sound, "high = 1", "hgh = 1") + "[failures]\nmost = 2\n");
    const std::size_t first = all.find("unknown key `sed`"), second = all.find("missing key `high`"), third = all.find("unknown key `hgh`"),
                      fourth = all.find("`most` must be");
    EXPECT_TRUE(first < second && second < third && third < fourth && fourth != std::string::npos) << all;
    EXPECT_TRUE(all.ends_with("4 errors. Nothing was run.")) << all;
}

TEST(StudyMessages, of_set_name_what_was_typed) {
    EXPECT_EQ(first_lines(error_of(sound, {"sed=3"}), 3), "error: unknown key `sed`\n  --set sed=3\n  did you mean `--set seed=...`?");
}

}  // namespace
}  // namespace asperity::scenario::study_file_test
