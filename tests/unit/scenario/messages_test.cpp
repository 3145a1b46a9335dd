// Every message of the scenario reader, word for word.
#include <fmt/format.h>

#include <algorithm>

#include "asperity/core/suggest.h"
#include "asperity/scenario/explain.h"
#include "unit/scenario/scenario_test_tools.h"

namespace asperity::scenario::messages_test {
namespace {

// `bad` stands on line 17, in the section of the contact, and is the only fault.
std::string in_contact(const std::string& bad) { return one_error_of(complete + bad + "\n"); }

// Keys and sections of a section, sorted.
std::vector<std::string> known_in(const std::string& section) {
    const Schema schema = scenario_schema();
    std::vector<std::string> known;
    for (const KeyEntry& key : schema.keys)
        if (key.section == section) known.push_back(key.name);
    for (const SectionEntry& inner : schema.sections)
        if (inner.name.starts_with(section + ".")) known.push_back(inner.name.substr(section.size() + 1));
    std::ranges::sort(known);
    return known;
}

TEST(Messages, three_slips_are_reported_at_once) {
    const std::string text = replaced(replaced(complete, "\"5 cm\"", "\"5 cm/s\""), "friction = 0.6", "frction = 0.6\nfriction = 0.6");
    EXPECT_EQ(errors_of(replaced(text, "restitution = 0.5", "restitution = 1.5")),
              "error: `sphere` needs a length, got a speed\n"
              "  a.toml:6:20   [body.lander].shape\n"
              "   6 | shape = { sphere = \"5 cm/s\" }\n"
              "     |                    ^^^^^^^^ write for example \"5 m\"\n"
              "\n"
              "error: unknown key `frction`\n"
              "  a.toml:15:1   [contact.\"lander/ground\"]\n"
              "  15 | frction = 0.6\n"
              "     | ^^^^^^^ did you mean `friction`?\n"
              "  known here: " +
                  joined(known_in("contact.A/B")) +
                  "\n"
                  "\n"
                  "error: `restitution` must be between 0 and 1, got 1.5\n"
                  "  a.toml:17:15   [contact.\"lander/ground\"]\n"
                  "  17 | restitution = 1.5\n"
                  "     |               ^^^\n"
                  "  restitution: Normal speed after an impact over the one before. Method \"penalty\" takes less than 0.0025 for 0.0025.\n"
                  "\n"
                  "3 errors. Nothing was run.");
}

TEST(Messages, a_missing_key_is_asked_for) {
    EXPECT_EQ(one_error_of(minimal),
              "error: missing key `restitution`\n"
              "  a.toml:13:1   [contact.\"lander/ground\"]\n"
              "  13 | [contact.\"lander/ground\"]\n"
              "     | ^^^^^^^^^^^^^^^^^^^^^^^^^ add for example restitution = 1\n"
              "  restitution: Normal speed after an impact over the one before. Method \"penalty\" takes less than 0.0025 for 0.0025.");
    EXPECT_EQ(one_error_of(replaced(complete, "position = [\"0 m\", \"0 m\", \"20 m\"]\n", "")),
              "error: missing key `position`\n"
              "  a.toml:8:1   [body.lander.start]\n"
              "  8 | [body.lander.start]\n"
              "    | ^^^^^^^^^^^^^^^^^^^ add for example position = [\"0 m\", \"0 m\", \"1 m\"]");
    EXPECT_EQ(one_error_of(replaced(complete, "surface = \"plain\"", "side = \"9 m\"")),
              "error: none of sphere, ellipsoid, builtin, mesh, surface, half_space, markers, box, cylinder, cone, capsule, hull is there\n"
              "  a.toml:3:9   [body.ground].shape\n"
              "  3 | shape = { side = \"9 m\" }\n"
              "    |         ^^^^^^^^^^^^^^^^ write for example { sphere = \"1 m\" }\n"
              "  What the body looks like.");
}

TEST(Messages, a_missing_section_is_asked_for) {
    EXPECT_EQ(one_error_of(replaced(complete, "[end]\ntime = \"1 h\"\n", "")),
              "error: missing section [end]\n"
              "  a.toml\n"
              "  it needs at least: time\n"
              "  end: When the run ends at the latest.");
    EXPECT_EQ(first_lines(errors_of(""), 4),
              "error: missing section [end]\n  a.toml\n  it needs at least: time\n  end: When the run ends at the latest.");
    EXPECT_TRUE(errors_of("").ends_with("2 errors. Nothing was run."));
    EXPECT_EQ(first_lines(one_error_of(replaced(complete, "shape = { sphere = \"5 cm\" }\n", "")), 3),
              "error: `lander` has no `shape`\n  a.toml:5:1   [body.lander]\n  5 | [body.lander]");
}

TEST(Messages, a_key_in_the_wrong_place_is_sent_home) {
    EXPECT_EQ(
        first_lines(in_contact("mass = \"1 kg\""), 4),
        "error: unknown key `mass`\n  a.toml:17:1   [contact.\"lander/ground\"]\n  17 | mass = \"1 kg\"\n     | ^^^^ `mass` belongs in "
        "[body.NAME]");
    EXPECT_EQ(one_error_of(replaced(complete, "surface = \"plain\"", "surface = \"plain\", depth = \"1 m\"")),
              "error: unknown key `depth`\n"
              "  a.toml:3:30   [body.ground].shape\n"
              "  3 | shape = { surface = \"plain\", depth = \"1 m\" }\n"
              "    |                              ^^^^^ `depth` belongs to surface = \"pit\"\n"
              "  known here: cells, side, surface");
    const auto hint_of_set = [](const std::string& text, const std::string& set) {
        const std::string error = first_lines(one_error_of(text, {.sets = {set}}), 3);
        return error.substr(error.rfind('\n') + 3);
    };
    EXPECT_EQ(hint_of_set(complete, "radius=3 m"),
              "`radius` belongs in [body.NAME.shape] with surface = \"pit\", or in [body.NAME.shape.cylinder], or in "
              "[body.NAME.shape.cone], or in [body.NAME.shape.capsule], or in [body.NAME.collider.shape.cylinder], or in "
              "[body.NAME.collider.shape.cone], or in [body.NAME.collider.shape.capsule]: --set body.NAME.shape.radius=...");
    EXPECT_EQ(hint_of_set(complete, "separation=3 m"), "`separation` belongs in [body.NAME.orbit]: --set body.NAME.orbit.separation=...");
}

TEST(Messages, an_unknown_section_is_one_error) {
    EXPECT_EQ(one_error_of(complete + "[outptu]\nsample_every = \"1 s\"\n"),
              "error: unknown section `outptu`\n"
              "  a.toml:17:2\n"
              "  17 | [outptu]\n"
              "     |  ^^^^^^ did you mean `output`?\n"
              "  known here: body, cable, contact, controller, description, end, engine, expect, frame, gravity, include, joint, load, "
              "name, output, "
              "phase, rocks, seed, signal, "
              "spin_transport, start");
}

struct Case {
    const char* bad;
    const char* what;
    const char* under;  // carets and hint
};

TEST(Messages, wrong_types_and_values) {
    const Case cases[] = {
        {"rolling_law = 3", "`rolling_law` needs text, got an integer",
         "^ write for example \"coupled\"\n  known here: coupled, thesis, published"},
        {"rolling_law = \"coupld\"", "`rolling_law` cannot be \"coupld\"",
         "^^^^^^^^ did you mean `coupled`?\n  known here: coupled, thesis, published"},
        {"rolling_law = \"new\"", "`rolling_law` cannot be \"new\"", "^^^^^\n  known here: coupled, thesis, published"},
        {"impact_friction = 1", "`impact_friction` needs true or false, got an integer", "^"},
        {"bounce_end_height = \"1e-6\"", "`bounce_end_height` needs a number, got text",
         "^^^^^^ write the number without quotes and without a unit"},
        {"bounce_end_height = [1]", "`bounce_end_height` needs a number, got an array", "^^^ write for example 1"},
        {"bounce_end_height = inf", "`bounce_end_height` must be finite, got inf", "^^^"},
        {"bounce_end_height = -nan", "`bounce_end_height` must be finite, got nan", "^^^^"},
        {"bounce_end_speed = 1e-5", "`bounce_end_speed` has no unit", "^^^^ write for example \"1e-05 m/s\""},
        {"bounce_end_speed = \"0.1\"", "`bounce_end_speed` has no unit", "^^^^^ write for example \"0.1 m/s\""},
        {"bounce_end_speed = \"slow\"", "`bounce_end_speed` needs a speed, got \"slow\"", "^^^^^^ write for example \"1 m/s\""},
        {"bounce_end_speed = \"1 m/h/s\"", "`bounce_end_speed` needs a speed, got an acceleration",
         "^^^^^^^^^ write for example \"1 m/s\""},
        {"bounce_end_speed = -1", "`bounce_end_speed` has no unit", "^^ write for example \"1 m/s\""},
        {"bounce_end_speed = \"-3 s\"", "`bounce_end_speed` needs a speed, got a time", "^^^^^^ write for example \"3 m/s\""},
        {"bounce_end_speed = \"1,5 m/s\"", "\"1,5 m/s\" has a comma in its number",
         "^^^^^^^^^ use a point for decimals, and nothing between thousands"},
        {"bounce_end_speed = \"1 m/sx\"", "unknown unit `sx`", "^^^^^^^^ did you mean `s`?"},
        {"bounce_end_speed = \"1e9 m/s\"", "`bounce_end_speed` must be between 0 and 3e8 m/s, got 1e9 m/s", nullptr},
        {"bounce_end_speed = \"1 knot\"", "unknown unit `knot`", nullptr},
        {"bounce_end_speed = true", "`bounce_end_speed` needs a speed, got true or false", "^^^^ write for example \"1 m/s\""},
        {"bounce_end_speed = 1979-05-27", "`bounce_end_speed` needs a speed, got a date", "^^^^^^^^^^ write for example \"1 m/s\""},
        {"bounce_end_speed = \"-1 m/s\"", "`bounce_end_speed` must be between 0 and 3e8 m/s, got -1 m/s",
         "^^^^^^^^\n  bounce_end_speed: Outgoing normal speed below which bouncing is completed; zero: `bounce_end_height` decides."},
    };
    for (const Case& c : cases) {
        const std::string bad = c.bad;
        const std::string got = in_contact(bad);
        const int column = static_cast<int>(bad.find("= ")) + 3;
        const std::string wanted = fmt::format("error: {}\n  a.toml:17:{}   [contact.\"lander/ground\"]\n  17 | {}\n     | {:{}}", c.what,
                                               column, bad, "", column - 1);
        EXPECT_EQ(c.under ? got : got.substr(0, wanted.size()), wanted + (c.under ? c.under : ""));
    }
}

TEST(Messages, integers_and_vectors) {
    const auto error = [](const std::string& from, const std::string& to) {
        const std::string text = one_error_of(replaced(complete, from, to));
        return text.substr(0, text.find('\n'));
    };
    EXPECT_EQ(error("surface = \"plain\"", "surface = \"plain\", cells = 0"), "error: `cells` must be between 1 and 512, got 0");
    EXPECT_EQ(error("surface = \"plain\"", "surface = \"plain\", cells = 1e2"), "error: `cells` needs an integer, got a number");
    EXPECT_EQ(error("time = \"1 h\"", "time = \"1 h\"\nstep_budget = 0"), "error: `step_budget` must be at least 1, got 0");
    EXPECT_EQ(error("time = \"1 h\"", "time = \"0 s\""), "error: `time` must be above 0 s and at most 1e15 s, got 0 s");
    EXPECT_EQ(error("\"20 m\"", "\"20 s\""), "error: `position[2]` needs a length, got a time");
    EXPECT_EQ(error("\"20 m\"", "20"), "error: `position[2]` has no unit");
    EXPECT_EQ(error(", \"20 m\"", ""), "error: `position` needs three lengths, got an array of 2");
    EXPECT_EQ(error("[\"0 m\", \"0 m\", \"20 m\"]", "\"20 m\""), "error: `position` needs three lengths, got text");
    EXPECT_EQ(error("\"20 m\"", "\"1e16 m\""), "error: `position[2]` must be between -1e15 and 1e15 m, got 1e16 m");
    EXPECT_EQ(error("\"1 cm/s\"", "\"1e300 m/s\""), "error: `velocity[0]` must be between -3e8 and 3e8 m/s, got 1e300 m/s");
    EXPECT_EQ(error("\"-1e-4 m/s^2\"", "\"-1e300 m/s^2\""), "error: `uniform[2]` must be between -1e9 and 1e9 m/s^2, got -1e300 m/s^2");
    EXPECT_EQ(error("friction = 0.6", "friction = 1e8"), "error: `friction` must be between 0 and 1000, got 100000000");
    EXPECT_EQ(error("rolling_resistance = 0.04", "rolling_resistance = 1001"),
              "error: `rolling_resistance` must be between 0 and 1000, got 1001");
    EXPECT_EQ(error("\"5 cm\"", "\"1e-300 m\""), "error: `sphere` must be between 1e-9 and 1e12 m, got 1e-300 m");
    EXPECT_EQ(error("[body.ground]", "seed = -1\n[body.ground]"), "error: `seed` must not be negative, got -1");
    EXPECT_EQ(error("[body.ground]", "name = 3\n[body.ground]"), "error: `name` needs text, got an integer");
}

TEST(Messages, sections_and_lists_are_told_apart) {
    EXPECT_EQ(one_error_of("output = 3\n" + complete),
              "error: `output` is a section, got an integer\n"
              "  a.toml:1:10\n"
              "  1 | output = 3\n"
              "    |          ^ write [output], and its keys below");
    EXPECT_EQ(one_error_of(complete + "[[output]]\n"),
              "error: there is only one section [output]\n"
              "  a.toml:17:1\n"
              "  17 | [[output]]\n"
              "     | ^^^^^^^^^^ write [output] once, in single brackets");
    EXPECT_EQ(one_error_of(complete + "[phase]\n"),
              "error: `phase` is a list of sections, got a section\n"
              "  a.toml:17:2\n"
              "  17 | [phase]\n"
              "     |  ^^^^^ write [[phase]], once for each");
    EXPECT_EQ(first_lines(one_error_of(complete + "[[phase]]\nduration = \"1 s\"\n[[phase]]\ntolernce = 1\n"), 4),
              "error: unknown key `tolernce`\n  a.toml:20:1   [[phase]] 1\n  20 | tolernce = 1\n     | ^^^^^^^^ did you mean `tolerance`?");
}

TEST(Messages, keys_that_do_not_go_together) {
    const auto error = [](const std::string& text) {
        const std::string all = one_error_of(text);
        return all.substr(0, all.find('\n'));
    };
    EXPECT_EQ(one_error_of(replaced(complete, "restitution = 0.5", "restitution = 1")),
              "error: bounces with `restitution` = 1 never end, so that they cannot be completed\n"
              "  a.toml:16:15   [contact.\"lander/ground\"]\n"
              "  16 | restitution = 1\n"
              "     |               ^ take a smaller one, or completion = \"none\"");
    EXPECT_EQ(errors_of(replaced(complete, "restitution = 0.5", "restitution = 1\ncompletion = \"none\"")), "");
    EXPECT_EQ(one_error_of(complete + "regularisation_speed = \"1e-5 m/s\"\n"),
              "error: `regularisation_speed` needs `regularised_end_speed`: regularised motion never stops by itself\n"
              "  a.toml:17:24   [contact.\"lander/ground\"]\n"
              "  17 | regularisation_speed = \"1e-5 m/s\"\n"
              "     |                        ^^^^^^^^^^ add for example regularised_end_speed = \"1e-9 m/s\"");
    EXPECT_EQ(one_error_of(complete + "rest_below_speed = \"1e-5 m/s\"\n"),
              "error: `rest_below_speed` and `rest_below_slope` belong together: a slow body on a slope may be turning round\n"
              "  a.toml:17:20   [contact.\"lander/ground\"]\n"
              "  17 | rest_below_speed = \"1e-5 m/s\"\n"
              "     |                    ^^^^^^^^^^ add for example rest_below_slope = \"20 deg\"");
    EXPECT_EQ(errors_of(complete + "rest_below_speed = \"1e-5 m/s\"\nrest_below_slope = \"20 deg\"\n"), "");
    const std::string release = replaced(complete, "[body.lander.start]", "[body.lander.start]\nabove_surface = \"1 m\"");
    EXPECT_EQ(error(replaced(release, "[body.lander.start]", "[body.lander.start]\nin_contact = true")),
              "error: `above_surface` and `in_contact` exclude each other");
    EXPECT_EQ(error(replaced(release, "-1e-4", "0")), "error: `above_surface` needs gravity: without it nothing is below");
    EXPECT_EQ(error(replaced(complete, "\"plain\"", "\"table\", wall = \"80 m\"")),
              "error: `wall` must stand between -80 and 80 m, got 80 m");
    EXPECT_EQ(error(replaced(complete, "\"plain\"", "\"pit\", rim = \"8 m\"")), "error: `rim` must be higher than `peak`, 8 m, got 8 m");
    EXPECT_EQ(error(replaced(complete, "\"plain\"", "\"gutter\", cell = \"1 mm\"")),
              "error: this surface would have 1664544032 facets; at most 1048576 are made");
    EXPECT_EQ(error(complete + "[output]\nsample_every = \"1 ns\"\n"),
              "error: `sample_every` would give 3.6e+12 samples; at most 10000000 are kept");
    EXPECT_EQ(error(complete + "[output]\nsample_every = \"1 us\"\n"),
              "error: `sample_every` would give 3.6e+09 samples; at most 10000000 are kept");
    EXPECT_EQ(error(complete + "[output]\ncheckpoint_every = \"1 ms\"\n"),
              "error: `checkpoint_every` would give 3.6e+06 checkpoints; at most 100000 are kept");
}

TEST(Messages, phases_that_cannot_run) {
    const auto error = [](const std::string& phases) {
        const std::string all = one_error_of(complete + phases);
        return all.substr(0, all.find('\n'));
    };
    EXPECT_EQ(error("[[phase]]\nintegrator = \"rk4\"\n"), "error: integrator \"rk4\" has a fixed step and needs `step_max`");
    EXPECT_EQ(error("[[phase]]\nintegrator = \"verlet\"\nstep_max = \"1 s\"\n"),
              "error: method \"event-driven\" cannot use integrator \"verlet\"");
    EXPECT_EQ(error("[[phase]]\nmethod = \"magic\"\n"), "error: `method` cannot be \"magic\"");
    EXPECT_EQ(error("[[phase]]\nduration = \"1 s\"\n"), "error: the last phase goes on to the end and has no `duration`");
    EXPECT_EQ(error("[[phase]]\n[[phase]]\n"), "error: this phase has no `duration`, so that the next one would never begin");
    EXPECT_EQ(error("[[phase]]\nerror_ratio_min = 0.95\n"), "error: `error_ratio_min` must be below `error_ratio_max`, 0.9, got 0.95");
    EXPECT_EQ(error("[[phase]]\nstep_min = \"2 s\"\nstep_max = \"1 s\"\n"), "error: `step_min` must not exceed `step_max`, 1 s, got 2 s");
}

TEST(Messages, a_check_of_several_keys_is_left_out_where_one_of_them_failed) {
    EXPECT_EQ(first_lines(one_error_of(replaced(complete, "restitution = 0.5", "restitution = 1\ncompletion = \"non\"")), 1),
              "error: `completion` cannot be \"non\"");
}

// One error per old section, with the values of the file in its new form, and nothing else.
TEST(Messages, old_sections_show_their_new_form) {
    const std::string old = R"([world]
kind = "body"
shape = "itokawa"
facets = 5000
[gravity]
kind = "body"
density = "1.98 g/cm^3"
period = "12.1324 h"
bound = 1e-5
[ball]
radius = "12.5 cm"
mass = "10 kg"
[release]
position = ["520 m", "-5 m", "0 m"]
start_in_contact = true
[contact]
restitution = 0.65
[companion]
shape = "kw4_alpha"
mass = "1 kg"
separation = "1 km"
)";
    EXPECT_EQ(
        first_lines(errors_of(old), 5),
        "error: [world] is written in another way now\n"
        "  a.toml:1:2   [world]\n"
        "   1 | [world]\n"
        "     |  ^^^^^ write frame = \"itokawa\" at the top of the file, and [body.itokawa] with shape = { builtin = \"itokawa\", facets "
        "= 5000 }\n"
        "  every body is a [body.NAME], and [contact.\"A/B\"] says how two materials touch");
    for (const char* part :
         {"write [body.itokawa] with density = \"1.98 g/cm^3\", spin_period = \"12.1324 h\", attracts = { bound = 1e-05 }",
          "write [body.lander] with shape = { sphere = \"12.5 cm\" }, mass = \"10 kg\"",
          "write [body.lander.start] with position = [\"520 m\", \"-5 m\", \"0 m\"], in_contact = true",
          "write [contact.\"lander/itokawa\"] with restitution = 0.65",
          "write [body.companion] with shape = { builtin = \"kw4_alpha\" }, mass = \"1 kg\", attracts = {}, orbit = { about = \"itokawa\", "
          "separation = \"1 km\" }",
          "6 errors. Nothing was run."})
        EXPECT_NE(errors_of(old).find(part), std::string::npos) << part << "\n" << errors_of(old);
    const std::string free = R"([world]
kind = "free"
[[body]]
count = 3
radius = "2 km"
love_number = 1e-5
spin = ["0 rad/s", "0 rad/s", "1 rad/s"]
[touch]
stiffness = "1e13 N/m"
[tides]
law = "constant-angle"
[start]
moved_body = 2
moved = ["4 m", "0 m", "0 m"]
)";
    for (const char* part : {"write [gravity] with mutual = \"points\"",
                             "write [body.first] with count = 3, shape = { sphere = \"2 km\" }, tide = { love_number = 1e-05 }",
                             "write [body.first.start] with spin = [\"0 rad/s\", \"0 rad/s\", \"1 rad/s\"]",
                             "write [contact.\"*/*\"] with stiffness = \"1e13 N/m\"", "write [gravity.tides] with law = \"constant-angle\"",
                             "write moved = { body = \"NAME\", by = [\"4 m\", \"0 m\", \"0 m\"] }", "5 errors. Nothing was run."})
        EXPECT_NE(errors_of(free).find(part), std::string::npos) << part << "\n" << errors_of(free);
    EXPECT_EQ(first_lines(one_error_of(complete, {.sets = {"ball.radius=3 m"}}), 3),
              "error: [ball] is written in another way now\n  --set ball.radius=3 m   [ball]\n"
              "  write [body.lander] with shape = { sphere = \"3 m\" }");
}

TEST(Messages, of_bodies_that_cannot_be) {
    const auto error = [](const std::string& from, const std::string& to) {
        return first_lines(one_error_of(replaced(complete, from, to)), 1);
    };
    EXPECT_EQ(error("fixed = true\n", ""), "error: `ground` would move, and bodies that move are spheres or ellipsoids so far");
    EXPECT_EQ(error("mass = \"1 kg\"\n", ""), "error: `density` or `mass` is missing");
    EXPECT_EQ(error("fixed = true", "fixed = true\nspin_period = \"1 h\""),
              "error: a body that turns needs `attracts`: its surface feels both");
    EXPECT_EQ(error("gravity.uniform = [\"0 m/s^2\", \"0 m/s^2\", \"-1e-4 m/s^2\"]\n", ""), "error: nothing attracts");
    EXPECT_EQ(error("gravity.uniform", "frame = \"gruond\"\ngravity.uniform"), "error: there is no body `gruond`");
    EXPECT_EQ(error("gravity.uniform", "frame = \"lander\"\ngravity.uniform"),
              "error: `lander` moves; so far the frame is that of a body that stands still in it");
    EXPECT_EQ(error("[body.ground]", "[body.\"a b\"]\n[body.ground]"), "error: \"a b\" cannot be a name");
    EXPECT_EQ(errors_of(replaced(replaced(complete, "gravity.uniform", "frame = \"ground\"\ngravity.uniform"), "fixed = true\n", "")), "");
}

TEST(Messages, of_expect) {
    const auto error = [](const std::string& line) {
        const std::string all = one_error_of(complete + "[expect]\n" + line + "\n");
        return all.substr(0, all.find('\n'));
    };
    EXPECT_EQ(error("a = true"), "error: `a` needs a value or demands, got true or false");
    EXPECT_EQ(error("a = []"), "error: `a` needs a value or demands, got an array");
    EXPECT_EQ(error("a = inf"), "error: `a` must be finite, got inf");
    EXPECT_EQ(error("a = \"5\""), "error: \"5\" has no unit");
    EXPECT_EQ(error("a = \"5 parsec\""), "error: unknown unit `parsec`");
    EXPECT_EQ(error("a = { valu = 5 }"), "error: unknown key `valu`");
    EXPECT_EQ(error("a = {}"), "error: `a` demands nothing");
    EXPECT_EQ(error("a = { index = 0 }"), "error: `a` demands nothing");
    EXPECT_EQ(error("a = { index = -1, value = 3 }"), "error: `a.index` needs a count from 0, got -1");
    EXPECT_EQ(error("a = { length = \"3\" }"), "error: `a.length` needs a count from 0, got text");
    EXPECT_EQ(error("a = { within = 5 }"), "error: `a`: `within` needs `value`");
    EXPECT_EQ(error("a = { value = 5, within = -1 }"), "error: `a`: `within` must not be negative");
    EXPECT_EQ(error("a = { value = \"5 s\", within = 1 }"), "error: `a`: `within` is a plain number, the others are not");
    EXPECT_EQ(error("a = { value = \"rest\", below = 1 }"), "error: `a` demands a text and a number");
    EXPECT_EQ(error("a = { value = [1] }"), "error: `a.value` needs a number or a quantity, got an array");
    EXPECT_EQ(one_error_of(complete + "[expect]\nstop_tme = \"5 s\"\n"),
              "error: there is no metric `stop_tme`\n"
              "  a.toml:18:12   [expect]\n"
              "  18 | stop_tme = \"5 s\"\n"
              "     |            ^^^^^ did you mean `stop_time`?");
    EXPECT_EQ(one_error_of(complete + "[expect]\nstop_time = { above = \"5 m\" }\n"),
              "error: `stop_time` is a time, got a length\n"
              "  a.toml:18:13   [expect]\n"
              "  18 | stop_time = { above = \"5 m\" }\n"
              "     |             ^^^^^^^^^^^^^^^^^ write for example \"5 s\"");
    EXPECT_EQ(error("stop_time = 5"), "error: `stop_time` is a time, got a plain number");
    EXPECT_EQ(error("separation_angle = \"5 m\""), "error: `separation_angle` is an angle, got a length");
    EXPECT_EQ(error("impacts = \"5 s\""), "error: `impacts` is a plain number, got a time");
    EXPECT_EQ(error("impacts = \"rest\""), "error: `impacts` is a plain number, got text");
    EXPECT_EQ(error("outcome = 5"), "error: `outcome` is a word, got a number");
    EXPECT_EQ(error("outcome = \"resting\""), "error: no run ends as \"resting\"");
    EXPECT_EQ(errors_of(complete + "[expect]\nseparation_angle = \"5 rad\"\nimpact_time = { length = 3 }\noutcome = \"rest\"\n"), "");
    EXPECT_EQ(one_error_of(complete + "[expect]\nxyz = [{ index = 0, value = 1 }, { length = 2 }]\n"),
              "error: there is no metric `xyz`\n"
              "  a.toml:18:7   [expect]\n"
              "  18 | xyz = [{ index = 0, value = 1 }, { length = 2 }]\n"
              "     |       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ asperity list metrics names all of them");
}

TEST(Messages, of_a_name_that_leads_elsewhere) {
    for (const char* name : {"../x", "/x", "a/b", ".", "..", "a\\u0000b", "a\\tb"}) {
        const std::string all = one_error_of(std::string("name = \"") + name + "\"\n" + complete);
        EXPECT_EQ(first_lines(all, 1),
                  "error: `name` names the folder of the results: it cannot hold `/` or control characters, nor be `.` or `..`");
    }
    EXPECT_EQ(errors_of("name = \"...é \\\" b\"\n" + complete), "");
}

}  // namespace
}  // namespace asperity::scenario::messages_test
