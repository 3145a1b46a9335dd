// Times that were cut off, with the landers of the demo: 1000 runs to an end of 64 h, by which all are at rest, and the same table cut at
// earlier ends. Every interval of a cut study must hold what the uncut one has. Prints the table of docs/theory/statistics.md.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>

#include "asperity/batch/result_table.h"
#include "asperity/core/parallel.h"
#include "asperity/statistics/statistics.h"
#include "asperity/study/campaign.h"
#include "asperity/study/campaign_results.h"
#include "asperity/study/plan.h"
#include "unit/record/bouncing_ball.h"

namespace asperity::study::cut_times_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const std::string study = "scenario = \"" ASPERITY_SOURCE_DIR
                          "/scenarios/landers/itokawa.toml\"\nset = [\"end.time=END h\"]\nruns = 1000\n"
                          "metrics = [\"stop_time\", \"first_impact_time\", \"stop_position\", \"stop_longitude\"]\n"
                          "[success]\noutcome = \"rest\"\n";

class CutTimes : public testing::Test {
protected:
    CutTimes() : folder_(test::fresh_folder("cut_times")) {}

    CampaignRequest request_of(int hours) const {
        CampaignRequest request;
        request.file = (folder_ / ("end-" + std::to_string(hours) + ".toml")).string();
        request.out = (folder_ / ("end-" + std::to_string(hours))).string();
        request.is_quiet = true;
        std::string text = study;
        text.replace(text.find("END"), 3, std::to_string(hours));
        std::ofstream(request.file) << text;
        return request;
    }
    static Json summary(const CampaignRequest& request) {
        std::ifstream in(fs::path(request.out) / "summary.json");
        return Json::parse(in);
    }

    // The table of the whole study as it would be with an earlier end.
    void write_cut(const CampaignRequest& whole, const CampaignRequest& cut, double end) const {
        const fs::path from = fs::path(whole.out) / "table.h5", to = cut.out;
        fs::create_directories(to);
        const batch::TableShape shape = batch::read_table_shape(from);
        std::map<std::string, std::vector<double>> numbers;
        std::map<std::string, std::vector<std::string>> texts;
        for (const batch::Column& column : shape.columns) {
            if (column.kind == batch::ColumnKind::text)
                batch::read_table_texts(from, column.name, [&](auto block) {
                    texts[column.name].insert(texts[column.name].end(), block.begin(), block.end());
                });
            else
                batch::read_table_column(from, column.name, [&](auto block) {
                    numbers[column.name].insert(numbers[column.name].end(), block.begin(), block.end());
                });
        }
        batch::TableWriter table(to / "table.csv", to / "table.h5", shape.columns);
        for (std::size_t run = 0; run < shape.rows; ++run) {
            const bool is_cut = numbers["stop_time"][run] > end;
            if (is_cut) {
                numbers["stop_time"][run] = end;
                numbers["success"][run] = 0;
                texts["outcome"][run] = "timed_out";
            }
            if (numbers["first_impact_time"][run] > end) numbers["first_impact_time"][run] = statistics::no_value;
            std::vector<double> row;
            std::vector<std::string> words;
            for (const batch::Column& column : shape.columns)
                column.kind == batch::ColumnKind::text ? words.push_back(texts[column.name][run])
                                                       : row.push_back(numbers[column.name][run]);
            table.add(row, words);
        }
        table.finish();
        write_results(cut, make_plan(cut.file, {}), to);
    }

    fs::path folder_;
};

double or_infinite(const Json& json, double sign) { return json.is_null() ? sign * HUGE_VAL : json.get<double>(); }

void expect_holds(const Json& interval, const Json& value, const std::string& what) {
    if (value.is_null()) return;  // the whole study has no number either
    EXPECT_LE(or_infinite(interval[0], -1), value.get<double>()) << what;
    EXPECT_GE(or_infinite(interval[1], 1), value.get<double>()) << what;
}

std::string hours(const Json& value, const Json& interval) {
    const auto text = [](const Json& json) {
        char out[32];
        std::snprintf(out, sizeof out, "%.2f", json.is_null() ? 0.0 : json.get<double>() / 3600);
        return std::string(out);
    };
    if (interval[1].is_null()) return (value.is_null() ? "" : text(value) + ", ") + "at least " + text(interval[0]);
    return text(value) + " (" + text(interval[0]) + " ... " + text(interval[1]) + ")";
}

TEST_F(CutTimes, IntervalsOfCutStudiesHoldWhatTheWholeOneHas) {
    const CampaignRequest request = request_of(64);
    batch::Ranks ranks;
    campaign(ranks, request);
    const Json whole = summary(request);
    EXPECT_EQ(whole["outcomes"]["rest"], 1000);
    for (const int end : {8, 16, 32, 64}) {
        const CampaignRequest cut_request = end == 64 ? request : request_of(end);
        if (end != 64) write_cut(request, cut_request, 3600.0 * end);
        const Json cut = summary(cut_request);
        const Json &a = cut["metrics"]["stop_time"], &b = whole["metrics"]["stop_time"];
        const std::string at = "end at " + std::to_string(end) + " h, ";
        expect_holds(a["mean_interval"], b["mean"], at + "mean");
        expect_holds(a["standard_deviation_interval"], b["standard_deviation"], at + "deviation");
        for (std::size_t i = 0; i < b["quantiles"].size(); ++i) {
            expect_holds(a["quantiles"][i]["interval"], b["quantiles"][i]["value"], at + b["quantiles"][i]["probability"].dump());
            EXPECT_TRUE(a["quantiles"][i]["value"].is_null() || a["quantiles"][i]["value"] == b["quantiles"][i]["value"]);
        }
        for (const char* name : {"stop_time_mean", "stop_time_sigma", "first_impact_time_mean"})
            expect_holds(cut["metrics"][name]["interval"], whole["metrics"][name]["value"], at + name);
        const Json& sum = cut["design"]["battery_time_mean_3_sigma"];
        for (const auto& [name, answer] : whole["design"].items())
            expect_holds(cut["design"][name]["interval"], answer["value"], at + name);
        std::printf("| %d h | %d | %s | %s | %s | %s |\n", end, cut["outcomes"]["rest"].get<int>(),
                    hours(a["quantiles"][2]["value"], a["quantiles"][2]["interval"]).c_str(),
                    hours(a["quantiles"][4]["value"], a["quantiles"][4]["interval"]).c_str(), hours(a["mean"], a["mean_interval"]).c_str(),
                    hours(sum["value"], sum["interval"]).c_str());
    }
}

}  // namespace
}  // namespace asperity::study::cut_times_test
