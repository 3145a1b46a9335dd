#include "asperity/study/campaign_page_data.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "asperity/batch/result_table.h"
#include "asperity/statistics/statistics.h"
#include "asperity/study/campaign_results.h"
#include "unit/record/bouncing_ball.h"

namespace asperity::study::campaign_page_data_test {
namespace {

using batch::ColumnKind;

namespace fs = std::filesystem;

// A study of expressions with a table that is written here, so that everything on its page is known without the engine.
class CampaignPageData : public testing::Test {
protected:
    CampaignPageData()
        : folder_(test::fresh_folder(std::string("campaign_page_") + testing::UnitTest::GetInstance()->current_test_info()->name())) {
        request_.file = (folder_ / "a.toml").string();
    }

    // Rows: u = run, y = 3 u; what `change` makes of them.
    report::CampaignPage page_of(const std::string& more, std::uint64_t runs, const std::function<void(std::uint64_t, Row&)>& change) {
        std::ofstream(request_.file) << "name = \"a\"\nruns = " << runs
                                     << "\n" + more +
                                            "\n[[vary]]\nname = \"u\"\ndistribution = \"uniform\"\nlow = 0\nhigh = 1\n"
                                            "[[metric]]\nname = \"y\"\nunit = \"m\"\nexpression = \"3 * u\"\n";
        const Plan plan = make_plan(request_.file, {});
        std::vector<batch::Column> columns{{"run", "", "", ColumnKind::whole_number},
                                           {"outcome", "", "", ColumnKind::text},
                                           {"success", "", "", ColumnKind::whole_number}};
        columns.insert(columns.end(), plan.columns.begin(), plan.columns.end());
        columns.push_back({"error", "", "", ColumnKind::text});
        batch::TableWriter table(folder_ / "table.csv", folder_ / "table.h5", columns);
        for (std::uint64_t run = 0; run < runs; ++run) {
            const auto u = static_cast<double>(run);
            Row row{.outcome = "done", .error = {}, .is_success = true, .values = {u, 3 * u}};
            change(run, row);
            std::vector<double> numbers{u, row.is_success ? 1.0 : 0.0};
            numbers.insert(numbers.end(), row.values.begin(), row.values.end());
            table.add(numbers, std::vector<std::string>{row.outcome, row.error});
        }
        table.finish();
        write_results(request_, plan, folder_);
        const StudyTable read(plan, folder_ / "table.h5");
        return campaign_page_data(request_, plan, read, campaign_statistics(request_, plan, read));
    }

    std::string page_text() const {
        std::ifstream in(folder_ / "report.html", std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }

    fs::path folder_;
    CampaignRequest request_;
};

std::uint64_t total(const report::Histogram& h) { return std::accumulate(h.counts.begin(), h.counts.end(), h.below + h.above); }

TEST_F(CampaignPageData, IsWhatTheTableHolds) {
    const report::CampaignPage page = page_of("[success]\ny = { at_least = \"0 m\" }", 100, [](std::uint64_t run, Row& row) {
        if (run % 10 == 3) {
            row.error = "broke <down>";
            row.outcome = "failed";
            row.is_success = false;
            row.values[1] = statistics::no_value;
        }
    });
    EXPECT_EQ(page.runs, 100u);
    EXPECT_EQ(page.failed, 10u);
    EXPECT_EQ(page.successes, 90u);
    ASSERT_EQ(page.outcomes.size(), 2u);
    EXPECT_EQ(page.outcomes[0].name, "done");
    EXPECT_EQ(page.outcomes[0].count, 90u);
    ASSERT_EQ(page.columns.size(), 2u);
    EXPECT_EQ(page.columns[1].count, 90u);
    EXPECT_EQ(page.columns[1].missing, 10u);
    EXPECT_EQ(page.columns[1].max, 297);
    EXPECT_EQ(total(page.columns[1].histogram), 90u);
    ASSERT_EQ(page.failures.size(), 10u);
    EXPECT_EQ(page.failures[1].run, 13u);
    EXPECT_EQ(page.failures[1].command, page.command_before + "13");
    // y follows u: the last estimates are those of the whole table, computed here as a plain sum
    ASSERT_EQ(page.convergence.size(), 2u);
    EXPECT_EQ(page.convergence[0].runs.back(), 100);
    EXPECT_DOUBLE_EQ(page.convergence[0].value.back(), 90);
    double sum = 0;
    for (int u = 0; u < 100; ++u) sum += u % 10 == 3 ? 0 : 3 * u;
    EXPECT_NEAR(page.convergence[1].value.back(), sum / 90, 1e-9);
    EXPECT_NE(page_text().find("broke &lt;down&gt;"), std::string::npos);
}

// Without [success] nothing is said of success: not in the summary, not on the page.
TEST_F(CampaignPageData, WithoutADemandThereIsNoSuccessRate) {
    const report::CampaignPage page = page_of("", 20, [](std::uint64_t run, Row& row) {
        if (run == 3) row = {.outcome = "failed", .error = "no", .is_success = false, .values = {3, statistics::no_value}};
    });
    EXPECT_FALSE(page.has_success);
    std::ifstream in(folder_ / "summary.json");
    EXPECT_FALSE(nlohmann::json::parse(in).contains("success"));
    const std::string text = page_text();
    for (const char* part : {"success rate", "successes", "without failure"}) EXPECT_EQ(text.find(part), std::string::npos) << part;
    for (const report::Convergence& c : page.convergence) EXPECT_EQ(c.name, "mean of y");
}

TEST_F(CampaignPageData, OneRunFarAwayDoesNotSqueezeTheOthers) {
    const report::CampaignPage page =
        page_of("", 1000, [](std::uint64_t run, Row& row) { row.values[1] = run == 500 ? 1e9 : static_cast<double>(run % 100) + 0.5; });
    const report::Histogram& h = page.columns[1].histogram;
    EXPECT_FALSE(h.is_logarithmic);
    EXPECT_EQ(h.above, 1u);
    EXPECT_EQ(total(h), 1000u);
    EXPECT_LT(h.high, 300);
    EXPECT_GT(std::count_if(h.counts.begin(), h.counts.end(), [](std::uint64_t n) { return n > 0; }), 5);
}

TEST_F(CampaignPageData, DecadesAreShownAsDecades) {
    // ten values in every decade from 1e-6 on, and a zero
    const report::CampaignPage page = page_of("", 121, [](std::uint64_t run, Row& row) {
        row.values[1] = run == 120 ? 0 : std::pow(10, -6 + (static_cast<double>(run) + 0.5) / 10);
    });
    const report::Histogram& h = page.columns[1].histogram;
    EXPECT_TRUE(h.is_logarithmic);
    EXPECT_EQ(h.below, 1u);
    EXPECT_EQ(total(h), 121u);
    for (const std::uint64_t n : h.counts) EXPECT_NEAR(static_cast<double>(n), 120.0 / static_cast<double>(h.counts.size()), 1.01);
}

TEST_F(CampaignPageData, WholeNumbersHaveABinEach) {
    const report::CampaignPage page = page_of("", 70, [](std::uint64_t run, Row& row) { row.values[1] = static_cast<double>(run % 7); });
    const report::Histogram& h = page.columns[1].histogram;
    EXPECT_EQ(h.counts, std::vector<std::uint64_t>(7, 10));
    EXPECT_EQ(h.low, -0.5);
    EXPECT_EQ(h.high, 6.5);
}

// With 5 % of zeros the quantile at 5 % lies between 0 and 1: decades would leave the zeros out.
TEST_F(CampaignPageData, WholeNumbersKeepTheirZeros) {
    const report::CampaignPage page =
        page_of("", 100, [](std::uint64_t run, Row& row) { row.values[1] = run < 5 ? 0 : static_cast<double>(1 + run % 19); });
    const report::Histogram& h = page.columns[1].histogram;
    EXPECT_FALSE(h.is_logarithmic);
    ASSERT_EQ(h.counts.size(), 20u);
    for (const std::uint64_t n : h.counts) EXPECT_EQ(n, 5u);
}

TEST_F(CampaignPageData, HostileNamesStayTexts) {
    page_of("description = '<script>alert(\"1\")</script>'", 20, [](std::uint64_t, Row& row) { row.outcome = "<b>'\"</b>"; });
    const std::string text = page_text();
    EXPECT_EQ(text.find("<script>alert"), std::string::npos);
    EXPECT_EQ(text.find("<b>'"), std::string::npos);
    EXPECT_NE(text.find("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;"), std::string::npos);
}

TEST_F(CampaignPageData, TheSameTableGivesTheSameBytes) {
    const auto nothing = [](std::uint64_t, Row&) {};
    page_of("", 300, nothing);
    const std::string first = page_text();
    page_of("", 300, nothing);
    EXPECT_EQ(page_text(), first);
    EXPECT_FALSE(first.empty());
}

TEST(SampledRows, AreOneOfEachStretchAndNotInStep) {
    EXPECT_EQ(sampled_rows(3, 5000), (std::vector<std::uint64_t>{0, 1, 2}));
    EXPECT_TRUE(sampled_rows(0, 5000).empty());
    const std::vector<std::uint64_t> rows = sampled_rows(1000000, 5000);
    ASSERT_EQ(rows.size(), 5000u);
    std::vector<int> of_level(10, 0);  // of a grid whose last axis has 10 levels
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(rows[i] / 200, i);
        ++of_level[rows[i] % 10];
    }
    // 500 each on average, with a deviation of sqrt(450): six of them
    for (const int n : of_level) EXPECT_NEAR(n, 500, 128);
}

TEST(PrefixSizes, RiseToTheWhole) {
    EXPECT_EQ(prefix_sizes(3), (std::vector<std::uint64_t>{1, 2, 3}));
    EXPECT_TRUE(prefix_sizes(0).empty());
    for (const std::uint64_t count : {16u, 17u, 512u, 1000000u}) {
        const std::vector<std::uint64_t> sizes = prefix_sizes(count);
        EXPECT_EQ(sizes.back(), count);
        EXPECT_LE(sizes.size(), 121u);
        EXPECT_EQ(std::adjacent_find(sizes.begin(), sizes.end(), std::greater_equal<>()), sizes.end());
    }
    EXPECT_EQ(prefix_sizes(1000000).front(), 16u);
}

}  // namespace
}  // namespace asperity::study::campaign_page_data_test
