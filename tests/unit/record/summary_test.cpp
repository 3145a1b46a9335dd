#include "asperity/record/summary.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

#include "asperity/core/errors.h"
#include "asperity/record/text_file.h"
#include "unit/record/bouncing_ball.h"

namespace asperity::record::summary_test {
namespace {

Summary made() {
    return {.asperity = "0.1.0",
            .scenario_name = "flat \"world\"\n",
            .scenario_file = "flat.toml",
            .scenario_hash = "abc",
            .method = "event-driven",
            .seed = std::numeric_limits<std::uint64_t>::max(),
            .threads = 2,
            .steps = 123456789012,
            .wall_seconds = 0.1,
            .state_hash = "s1",
            .event_hash = "e1",
            .sample_hash = "m1",
            .outcome_kind = "rest",
            .outcome_time = 3059.6290000000004,
            .outcome_message = "at rest",
            .metrics = {{"stop_time", 1.0 / 3, "s"},
                        {"impact_time", std::vector<double>{0.1, 1e-300}, "s"},
                        {"where", std::string("facet"), ""}},
            .expect = {{"stop_time", std::string("at least 1 s"), 1.0 / 3, false}, {"bounces", 2.0, {}, false}},
            .warnings = {"careful"}};
}

TEST(Summary, HasTheFieldsOfTheContractInOrder) {
    const auto json = nlohmann::ordered_json::parse(summary_text(made()));
    std::vector<std::string> names;
    for (const auto& [name, value] : json.items()) names.push_back(name);
    EXPECT_EQ(names, (std::vector<std::string>{"asperity", "scenario", "method", "seed", "threads", "steps", "wall_seconds", "state_hash",
                                               "event_hash", "sample_hash", "outcome", "metrics", "expect", "warnings"}));
    EXPECT_EQ(json["scenario"].dump(), R"({"name":"flat \"world\"\n","file":"flat.toml","hash":"abc"})");
    EXPECT_EQ(json["metrics"]["stop_time"].dump(), R"({"value":0.3333333333333333,"unit":"s"})");
    EXPECT_EQ(json["metrics"]["where"].dump(), R"({"value":"facet","unit":""})");
    EXPECT_EQ(json["expect"][0].dump(), R"({"metric":"stop_time","wanted":"at least 1 s","got":0.3333333333333333,"ok":false})");
    EXPECT_EQ(json["expect"][1].dump(), R"({"metric":"bounces","wanted":2.0,"got":null,"ok":false})");
    EXPECT_EQ(json["outcome"].dump(), R"({"kind":"rest","time":3059.6290000000004,"message":"at rest"})");
    EXPECT_EQ(json["seed"].get<std::uint64_t>(), std::numeric_limits<std::uint64_t>::max());
}

TEST(Summary, ComesBackToTheLastBit) {
    const auto path = test::fresh_folder("summary") / "deep" / "summary.json";
    write_summary(path, made());
    const Summary got = read_summary(path);
    EXPECT_EQ(got.metrics, made().metrics);
    EXPECT_EQ(got.outcome_time, made().outcome_time);
    EXPECT_EQ(got.seed, made().seed);
    EXPECT_EQ(got.state_hash, "s1");
    EXPECT_EQ(got.event_hash, "e1");
    EXPECT_EQ(got.sample_hash, "m1");
    EXPECT_EQ(got.scenario_name, made().scenario_name);
    EXPECT_EQ(std::get<std::string>(got.expect[0].wanted), "at least 1 s");
    EXPECT_FALSE(got.expect[1].got);
    EXPECT_EQ(summary_text(got), summary_text(made()));
    // nothing temporary stays behind
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(path.parent_path()), {}), 1);
}

TEST(Summary, NonFiniteNumbersBecomeNullAndAWarning) {
    Summary summary = made();
    summary.metrics = {{"error", std::nan(""), ""}, {"times", std::vector<double>{1, std::numeric_limits<double>::infinity()}, "s"}};
    const auto json = nlohmann::ordered_json::parse(summary_text(summary));
    EXPECT_TRUE(json["metrics"]["error"]["value"].is_null());
    EXPECT_EQ(json["metrics"]["times"]["value"].dump(), "[1.0,null]");
    EXPECT_EQ(json["warnings"].dump(), R"(["careful","error is nan, which JSON cannot hold","times[1] is inf, which JSON cannot hold"])");
}

TEST(Summary, ALongListIsCutAndAWarningSaysSo) {
    Summary summary = made();
    summary.metrics = {{"all", std::vector<double>(most_summary_numbers, 1), "s"}, {"cut", std::vector<double>(12345, 1), "s"}};
    const Summary got = parse_summary(summary_text(summary), "x");
    EXPECT_EQ(std::get<std::vector<double>>(got.metrics[0].value).size(), 10000u);
    EXPECT_EQ(std::get<std::vector<double>>(got.metrics[1].value).size(), 10000u);
    EXPECT_EQ(got.warnings,
              (std::vector<std::string>{"careful", "cut has 12345 values; summary.json holds the first 10000, record.h5 all"}));
}

TEST(Summary, ATextThatIsNotUtf8StillGivesValidJson) {
    Summary summary = made();
    summary.scenario_file = "bad\xff\xfe.toml";
    EXPECT_TRUE(nlohmann::json::accept(summary_text(summary)));
}

TEST(Summary, WhatIsNotASummaryIsAnInputError) {
    const auto folder = test::fresh_folder("not_a_summary");
    EXPECT_THROW(read_summary(folder / "none.json"), InputError);
    EXPECT_THROW(read_summary(folder), InputError);
    for (const char* text : {"", "{", "[]", "{\"asperity\": 3}"}) {
        write_text_file(folder / "bad.json", text);
        EXPECT_THROW(read_summary(folder / "bad.json"), InputError) << text;
    }
    write_text_file(folder / "file", "x");
    EXPECT_THROW(write_summary(folder / "file" / "summary.json", made()), RuntimeError);
}

}  // namespace
}  // namespace asperity::record::summary_test
