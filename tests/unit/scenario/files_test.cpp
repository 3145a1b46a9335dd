// Messages about files, includes, overrides and TOML itself; and files that mean harm.
#include <sys/stat.h>

#include "unit/scenario/scenario_test_tools.h"

namespace asperity::scenario::files_test {
namespace {

std::string file_error(const std::string& file, const ReadOptions& options = {}) {
    try {
        read_scenario(file, options);
        return {};
    } catch (const InputError& error) {
        return error.what();
    }
}

TEST(Files, that_cannot_be_read) {
    const Folder folder;
    folder.write("flat.toml", complete);
    EXPECT_EQ(file_error(folder.path("falt.toml")),
              "error: there is no file `" + folder.path("falt.toml") + "`\n  did you mean `flat.toml`?\n\n1 error. Nothing was run.");
    EXPECT_EQ(file_error(folder.path("")),
              "error: `" + folder.path("") + "` is a folder\n  name the scenario file in it\n\n1 error. Nothing was run.");
    ASSERT_EQ(mkfifo(folder.path("pipe").c_str(), 0600), 0);
    EXPECT_EQ(file_error(folder.path("pipe")), "error: `" + folder.path("pipe") + "` is not a regular file\n\n1 error. Nothing was run.");
    folder.write("large.toml", std::string((16 << 20) + 1, '#'));
    EXPECT_EQ(file_error(folder.path("large.toml")),
              "error: `" + folder.path("large.toml") +
                  "` is larger than 16 MiB\n  a scenario is a short text; large data belong in a mesh file\n\n1 error. Nothing was run.");
}

TEST(Files, include_errors_point_at_the_include) {
    const Folder folder;
    const std::string top = folder.write("top.toml", "include = \"bse.toml\"\n");
    folder.write("base.toml", complete);
    EXPECT_EQ(file_error(top),
              "error: there is no file `" + folder.path("bse.toml") + "`\n  " + top +
                  ":1:11\n  1 | include = \"bse.toml\"\n    |           ^^^^^^^^^^ did you mean `base.toml`?\n\n1 error. Nothing was run.");
    EXPECT_EQ(one_error_of("include = 3\n"),
              "error: `include` needs text, got an integer\n  a.toml:1:11\n  1 | include = 3\n    |           ^ write for example include "
              "= \"base.toml\"");
}

TEST(Files, includes_in_a_circle) {
    const Folder folder;
    const std::string a = folder.write("a.toml", "include = \"b.toml\"\n");
    const std::string b = folder.write("b.toml", "include = \"./a.toml\"\n");
    EXPECT_EQ(
        file_error(a),
        "error: include in a circle: " + a + " -> " + b + " -> " + a + "\n  " + b +
            ":1:11\n  1 | include = \"./a.toml\"\n    |           ^^^^^^^^^^ take one of these includes out\n\n1 error. Nothing was run.");
    const std::string self = folder.write("self.toml", "include = \"self.toml\"\n");
    EXPECT_EQ(first_lines(file_error(self), 1), "error: include in a circle: " + self + " -> " + self);
}

TEST(Files, a_chain_of_includes_ends) {
    const Folder folder;
    for (int i = 0; i < 40; ++i) folder.write(std::to_string(i) + ".toml", "include = \"" + std::to_string(i + 1) + ".toml\"\n");
    EXPECT_EQ(first_lines(file_error(folder.path("0.toml")), 1), "error: more than 16 files include each other");
}

TEST(Files, an_error_in_an_included_file_shows_that_file) {
    const Folder folder;
    const std::string base = folder.write("base.toml", replaced(complete, "0.6", "-0.6"));
    const std::string top = folder.write("top.toml", "include = \"base.toml\"\nnmae = \"x\"\n");
    const std::string errors = file_error(top);
    EXPECT_NE(errors.find("error: unknown key `nmae`\n  " + top + ":2:1\n"), std::string::npos) << errors;
    EXPECT_NE(errors.find("error: `friction` must be between 0 and 1000, got -0.6\n  " + base + ":15:12   [contact.\"lander/ground\"]\n"),
              std::string::npos)
        << errors;
    EXPECT_TRUE(errors.ends_with("2 errors. Nothing was run.")) << errors;
}

TEST(Files, overrides_that_cannot_be) {
    EXPECT_EQ(first_lines(one_error_of(complete, {.sets = {"contact.lander/ground.frction=0.5"}}), 3),
              "error: unknown key `frction`\n  --set contact.lander/ground.frction=0.5   [contact.\"lander/ground\"]\n  did you mean "
              "`--set contact.lander/ground.friction=...`?");
    EXPECT_EQ(first_lines(one_error_of(complete, {.sets = {"contct.friction=0.5"}}), 3),
              "error: unknown section `contct`\n  --set contct.friction=0.5\n  did you mean `contact`?");
    EXPECT_EQ(one_error_of(complete, {.sets = {"end.time=5"}}),
              "error: `time` has no unit\n  --set end.time=5   [end]\n  write for example \"5 s\"");
    EXPECT_EQ(one_error_of(complete, {.sets = {"end.time"}}),
              "error: `--set end.time` names no key and value\n  --set end.time\n  write --set key.path=value, for example --set "
              "body.lander.mass=\"5 kg\"");
    EXPECT_EQ(one_error_of(complete, {.sets = {"body.lander.shape.sphere.x=1"}}),
              "error: `body.lander.shape.sphere` is text, not a section\n  --set body.lander.shape.sphere.x=1");
    EXPECT_EQ(one_error_of(complete + "[[phase]]\n", {.sets = {"phase.1.tolerance=1"}}),
              "error: `phase` has no item `1`\n  --set phase.1.tolerance=1\n  it has 1; they are counted from 0, or go by their `name`");
    EXPECT_EQ(one_error_of(complete, {.sets = {"phase.1.tolerance=1e-9"}}),
              "error: `phase` has no item `1`\n  --set phase.1.tolerance=1e-9\n  no file has a list `phase`: set phase.0 first, or write "
              "[[phase]] into the file");
    EXPECT_EQ(one_error_of(complete, {.sets = {"include=b.toml"}}),
              "error: `include` cannot be set from outside\n  --set include=b.toml\n  write it into the file");
    EXPECT_EQ(one_error_of(complete, {.seed = -3}), "error: `--seed` must not be negative, got -3");
    EXPECT_NE(errors_of(complete, {.sets = {"=1"}}), "");
    EXPECT_NE(errors_of(complete, {.sets = {"..=1"}}), "");
    EXPECT_NE(errors_of(complete, {.sets = {"contact.lander/ground.friction=nan"}}), "");
    EXPECT_NE(errors_of(complete, {.sets = {"contact.lander/ground.friction=1\nx = 2"}}), "");
    EXPECT_NE(errors_of(complete, {.sets = {std::string(5000, '.') + "=1"}}), "");
}

TEST(Files, an_override_begins_a_list_that_no_file_has) {
    const Scenario set = read_scenario_text(complete, "a.toml", {.sets = {"phase.0.tolerance=1e-9", "phase.0.step_max=1 s"}});
    const Scenario written = read_scenario_text(complete + "[[phase]]\ntolerance = 1e-9\nstep_max = \"1 s\"\n", "a.toml");
    ASSERT_EQ(set.phases.size(), 1u);
    EXPECT_EQ(set.phases[0].tolerance, 1e-9);
    EXPECT_EQ(set.phases[0].step_max, 1);
    EXPECT_EQ(set.phases[0].name, written.phases[0].name);
    EXPECT_EQ(set.phases[0].method, written.phases[0].method);
    EXPECT_EQ(first_lines(one_error_of(complete, {.sets = {"phase.0.tolernce=1e-9"}}), 3),
              "error: unknown key `tolernce`\n  --set phase.0.tolernce=1e-9   [[phase]] 0\n  did you mean `--set phase.0.tolerance=...`?");
}

TEST(Files, a_quantity_without_quotes_is_told_to_take_them) {
    const auto hint = [](const std::string& line) {
        const std::string all = one_error_of("[body.lander]\n" + line + "\n");
        const std::string under = all.substr(all.rfind('\n'));
        return under.substr(under.find('^') + 1);
    };
    EXPECT_EQ(hint("radius = 5 cm"), " quantities are text: write \"5 cm\", in quotes");
    EXPECT_EQ(hint("radius = 5cm # small"), " quantities are text: write \"5 cm\", in quotes");
    EXPECT_EQ(hint("a = -1.5e-4 m/s^2"), " quantities are text: write \"-1.5e-4 m/s^2\", in quotes");
    EXPECT_EQ(hint("a = [1 m, 2 m, 3 m]"), " quantities are text: write \"1 m\", in quotes");
    EXPECT_EQ(hint("friction = 0,5"), " use a point for decimals");
    EXPECT_EQ(hint("radius = cm"), "");
    EXPECT_EQ(hint("radius = 5 = cm"), "");
}

TEST(Files, toml_errors_have_a_place) {
    EXPECT_EQ(one_error_of("a = 1\nb = [1,\n"),
              "error: not valid TOML, in array: encountered end-of-file\n  a.toml:2:9\n  2 | b = [1,\n    |        ^");
    EXPECT_EQ(one_error_of("a = 1\na = 2\n"),
              "error: not valid TOML, in key-value pair: cannot redefine existing integer 'a'\n  a.toml:2:5\n  2 | a = 2\n    |     ^");
    EXPECT_EQ(one_error_of("\xff\xfe"), "error: not valid TOML: encountered invalid utf-8 sequence\n  a.toml:1:1\n  1 | ??\n    | ^");
    EXPECT_EQ(one_error_of("[body.lander]\n[ =x]\n"),
              "error: not valid TOML, in table header: expected the name of a section\n  a.toml:2:3\n  2 | [ =x]\n    |   ^");
    EXPECT_EQ(first_lines(one_error_of("a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r = 1\n"), 2),
              "error: a key of more than 16 parts\n  a.toml:1:34");
}

TEST(Files, that_mean_harm_are_refused) {
    const std::string deep_array(100000, '[');
    std::string dots = "a";
    for (int i = 0; i < 1000000; ++i) dots += ".a";
    std::string nested = "x = ";
    for (int i = 0; i < 100000; ++i) nested += "{a=";
    std::string mixed = "x = ";
    for (int i = 0; i < 1000; ++i) mixed += "[{a.a.a.a.a.a=";
    std::string unknown;
    for (int i = 0; i < 20000; ++i) unknown += "k" + std::to_string(i) + " = 1\n";
    std::string headers;
    for (int i = 0; i < 20000; ++i) headers += "[[phase]]\nduration = \"1 s\"\n";
    for (const std::string& text : {"a = " + deep_array, deep_array, dots + " = 1", "[" + dots + "]", nested, mixed, unknown,
                                    complete + headers, std::string(1000, '\0'), std::string("\xef\xbb\xbf"),
                                    std::string("x = \"\\u0000\""), std::string(100000, '"'), std::string(100000, '\'')}) {
        EXPECT_NE(errors_of(text), "") << text.substr(0, 40);
    }
}

TEST(Files, dots_in_strings_comments_and_numbers_are_no_parts_of_a_key) {
    const std::string dots(100, '.');
    EXPECT_EQ(errors_of("description = \"" + dots + "\" # " + dots + "\n" + complete), "");
    EXPECT_EQ(errors_of("description = '''\n" + dots + " \"\n" + dots + "'''\n" + complete), "");
    EXPECT_EQ(errors_of("description = \"\"\"\n" + dots + " \\\" ' " + dots + "\"\"\"\n" + complete), "");
}

}  // namespace
}  // namespace asperity::scenario::files_test
