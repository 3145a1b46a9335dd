#include "asperity/scenario/expect.h"

#include <cmath>

#include "unit/scenario/scenario_test_tools.h"

namespace asperity::scenario::expect_test {
namespace {

const std::vector<analysis::Metric> metrics{
    {"outcome", std::string("rest"), ""},
    {"impacts", 5.0, ""},
    {"stop_time", 3059.629, "s"},
    {"impact_time", std::vector<double>{442.235, 1114.47}, "s"},
    {"sync_time", NAN, "s"},
};

std::string line_of(const record::Expectation& r) {
    return r.metric + " | " + std::get<std::string>(r.wanted) + " | " + std::get<std::string>(*r.got) + " | " + (r.ok ? "ok" : "no");
}

// "metric | wanted | got | ok", one line each.
std::string results(const std::string& lines) {
    const Scenario scenario = read_scenario_text(complete + "[expect]\n" + lines, "a.toml");
    std::string text;
    for (const record::Expectation& r : check_expectations(scenario.expect, metrics)) text += (text.empty() ? "" : "\n") + line_of(r);
    return text;
}

TEST(Expect, holds_and_fails) {
    EXPECT_EQ(results("outcome = \"rest\""), "outcome | rest | rest | ok");
    EXPECT_EQ(results("outcome = \"escaped\""), "outcome | escaped | rest | no");
    EXPECT_EQ(results("impacts = 5"), "impacts | 5 | 5 | ok");
    EXPECT_EQ(results("impacts = 4"), "impacts | 4 | 5 | no");
    EXPECT_EQ(results("stop_time = { value = \"1 h\", within = \"10 min\" }"), "stop_time | 3600 s within 600 s | 3059.629 s | ok");
    EXPECT_EQ(results("stop_time = { value = \"1 h\", within = \"9 min\" }"), "stop_time | 3600 s within 540 s | 3059.629 s | no");
    EXPECT_EQ(results("impacts = { at_least = 5, at_most = 5 }"), "impacts | at least 5 and at most 5 | 5 | ok");
    EXPECT_EQ(results("impacts = { at_least = 6 }"), "impacts | at least 6 | 5 | no");
    EXPECT_EQ(results("impacts = { at_most = 4 }"), "impacts | at most 4 | 5 | no");
    EXPECT_EQ(results("impacts = { below = 5 }"), "impacts | below 5 | 5 | no");
    EXPECT_EQ(results("impacts = { below = 5.1 }"), "impacts | below 5.1 | 5 | ok");
    EXPECT_EQ(results("impacts = { above = 5 }"), "impacts | above 5 | 5 | no");
    EXPECT_EQ(results("impacts = { above = 4.9 }"), "impacts | above 4.9 | 5 | ok");
}

TEST(Expect, arrays) {
    EXPECT_EQ(results("impact_time = [{ index = 1, above = \"1000 s\" }, { length = 2 }, { length = 3 }, { index = 2, above = \"0 s\" }, { "
                      "above = \"0 s\" }]"),
              "impact_time[1] | above 1000 s | 1114.47 s | ok\n"
              "impact_time | length 2 | an array of 2 | ok\n"
              "impact_time | length 3 | an array of 2 | no\n"
              "impact_time[2] | above 0 s | an array of 2 | no\n"
              "impact_time | above 0 s | an array of 2; say which with `index` | no");
    EXPECT_EQ(results("stop_time = { index = 0, above = \"0 s\" }"), "stop_time[0] | above 0 s | 3059.629 s, a single number | no");
}

TEST(Expect, what_cannot_be_compared_fails_and_says_why) {
    EXPECT_EQ(results("settle_time = \"5 s\""), "settle_time | 5 s | nothing: it did not come to that | no");
    // The reader refuses these; whoever builds them by hand gets no false "ok".
    const auto of = [](const Expectation& expectation) { return line_of(check_expectations({expectation}, metrics)[0]); };
    EXPECT_EQ(of({.metric = "stop_time", .value = Quantity{5, {.length = 1}}}), "stop_time | 5 m | 3059.629 s, which is a time | no");
    EXPECT_EQ(of({.metric = "stop_time", .value = Quantity{3059.629}}), "stop_time | 3059.629 | 3059.629 s, which is a time | no");
    EXPECT_EQ(of({.metric = "stop_time", .text = "rest"}), "stop_time | rest | 3059.629 s, a single number | no");
    EXPECT_EQ(of({.metric = "impact_time", .text = "rest"}), "impact_time | rest | an array of 2 | no");
    EXPECT_EQ(of({.metric = "outcome", .value = Quantity{5}}), "outcome | 5 | rest | no");
    EXPECT_EQ(results("sync_time = { at_least = \"-1e300 s\" }"), "sync_time | at least -1e+300 s | nan s | no");
}

}  // namespace
}  // namespace asperity::scenario::expect_test
