#include "asperity/report/campaign_page.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>
#include <regex>

#include "asperity/report/campaign_plots.h"

namespace asperity::report {
namespace {

constexpr const char* hostile = "</script><script>alert(1)</script><img src=x onerror='x()'>&\"--><!--";

nlohmann::json data_of(const std::string& page) {
    const std::string open = "<script type=\"application/json\" id=\"data\">";
    const std::size_t begin = page.find(open) + open.size();
    return nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t n = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
    return n;
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// The value of an attribute of the first element whose text begins so.
double attribute(const std::string& text, const std::string& element, const std::string& name) {
    const std::size_t begin = text.find(element);
    if (begin == std::string::npos) return not_known;
    const std::size_t at = text.find(" " + name + "=\"", begin);
    return std::stod(text.substr(at + name.size() + 3));
}

TEST(CampaignPage, an_interval_says_what_is_not_known) {
    constexpr double none = std::numeric_limits<double>::infinity();
    EXPECT_EQ(interval_text({0.25, 3}, 4), "0.25 … 3");
    EXPECT_EQ(interval_text({0.25, none}, 4), "at least 0.25");
    EXPECT_EQ(interval_text({-none, 3}, 4), "at most 3");
    EXPECT_EQ(interval_text({}, 4), "too few runs to say");
}

// 8 values 1, 2, ... of which a page can be checked by hand.
ColumnShown column(const std::string& name, bool is_parameter) {
    return {.name = name,
            .unit = "m",
            .text = "What it is.",
            .is_parameter = is_parameter,
            .count = 8,
            .mean = 4.5,
            .deviation = 2.449489742783178,
            .min = 1,
            .max = 8,
            .mean_interval = {2.452, 6.548},
            .deviation_interval = {1.62, 4.985},
            .quantiles = {{0.05, 1.35, {}}, {0.5, 4.5, {1, 8}}, {0.95, 7.65, {}}},
            .histogram = {.low = 0, .high = 8, .counts = {1, 3, 4, 0}}};
}

CampaignPage made_page() {
    CampaignPage page{.title = "scatter", .description = "Balls.", .facts = {{"seed", "7"}}, .runs = 8, .failed = 1, .successes = 6};
    page.has_success = true;
    page.success_interval = {0.409, 0.929};
    page.outcomes = {{"rest", 7}, {"failed", 1}};
    page.columns = {column("friction", true), column("way", false)};
    page.correlations = {{"way"}, {"friction"}, {{-0.5, {-0.9, -0.1}}}};
    page.correlated_runs = 8;
    page.sobol = {{"way", 2, 0, {{"friction", 0.25, 0.75, {0.2, 0.3}, {0.7, 0.8}}}}};
    page.convergence = {{"mean of way", "m", "± 1 m", {2, 4, 8}, {1, 2, 3}, {0, 1, 2}, {2, 3, 4}}};
    page.outliers = {{"way", "m", 5, 8, 4.2, "asperity campaign a.toml --only 5"}};
    page.failures = {{3, "no <ball>", "asperity campaign a.toml --only 3"}};
    page.command_before = "asperity campaign a.toml --only ";
    page.study = "runs = 8";
    page.maps = {{.name = "stop", .unit = "m", .x = {-10, 10}, .y = {-10, 10}, .groups = {{"rest", true, {0, 10}, {0, 5}, {0, 1}}}}};
    PointMap& map = page.maps.front();
    map.runs = map.drawn = map.ellipse_runs = 2;
    map.mean_x = 0;
    map.mean_y = 5;
    map.probability = 0.95;
    map.semi_axes[0] = 4;
    map.semi_axes[1] = 2;
    map.direction_x = 0.6;
    map.direction_y = 0.8;
    map.fraction_inside = 1;
    map.error_probable = 1;
    return page;
}

TEST(CampaignPage, AnswersInTheOrderOfTheQuestions) {
    const std::string page = campaign_page_text(made_page());
    std::size_t last = 0;
    for (const char* heading : {"<h2>Outcome</h2>", "<h2>Map of stop</h2>", "<h2>Metrics</h2>", "Parameters as drawn</h2>",
                                "<h2>Sensitivity: rank", "<h2>Sensitivity: Sobol", "<h2>Convergence</h2>", "<h2>Outliers",
                                "<h2>Failures <span class=\"badge bad\">1 of 8 runs", "<h2>Study as run</h2>"}) {
        const std::size_t at = page.find(heading);
        ASSERT_NE(at, std::string::npos) << heading;
        EXPECT_GT(at, last) << heading;
        last = at;
    }
    EXPECT_TRUE(holds(page, "<dd>75.0&#8239;%</dd><dd class=\"below\">40.9 … 92.9 % at 95 % confidence</dd>"));
    EXPECT_TRUE(holds(page, "rest: 7 (87.5 %)"));
    EXPECT_TRUE(holds(page, "no &lt;ball&gt;"));
    EXPECT_EQ(count(page, "<code class=\"command\">asperity campaign a.toml --only 5</code>"), 1u);
    EXPECT_EQ(count(page, "<code class=\"command\">asperity campaign a.toml --only 3</code>"), 1u);
    EXPECT_EQ(page, campaign_page_text(made_page()));
}

TEST(CampaignPage, UsesNothingOutsideItself) {
    const std::string page = campaign_page_text(made_page());
    for (const char* part : {"src=", "href=", "@import", "url(http", "fetch(", "XMLHttpRequest", "import(", "http://", "https://"})
        EXPECT_FALSE(holds(page, part)) << part;
    EXPECT_TRUE(holds(page, "default-src 'none'"));
}

TEST(CampaignPage, HostileTextsStayTexts) {
    CampaignPage page = made_page();
    page.title = page.description = page.study = page.command_before = hostile;
    page.facts = {{hostile, hostile}};
    page.outcomes = {{hostile, 8}};
    for (ColumnShown& c : page.columns) c.name = c.unit = c.text = hostile;
    page.columns.push_back({.name = hostile, .unit = hostile, .count = 8, .min = 1, .max = 1});
    page.columns.push_back({.name = hostile});
    page.correlations.metrics = page.correlations.parameters = {hostile};
    page.sobol.front().metric = page.sobol.front().parameters.front().parameter = hostile;
    page.convergence.front().name = page.convergence.front().unit = page.convergence.front().asked = hostile;
    page.outliers = {{hostile, hostile, 5, 8, 4.2, hostile}};
    page.failures = {{3, hostile, hostile}};
    page.maps.front().name = page.maps.front().unit = page.maps.front().groups.front().outcome = hostile;
    const std::string text = campaign_page_text(page);
    EXPECT_EQ(count(text, "</script>"), 3u);
    EXPECT_EQ(count(text, "alert(1)</"), 0u);
    EXPECT_EQ(count(text, "<img"), 0u);
    EXPECT_EQ(count(text, "<!--"), 0u);
    EXPECT_EQ(count(text, "onerror='"), count(text, "onerror='x()'>&\\\""));  // in the JSON alone
    EXPECT_EQ(data_of(text)["command"].get<std::string>(), hostile);
    EXPECT_EQ(data_of(text)["maps"][0][0]["name"].get<std::string>(), hostile);
}

TEST(CampaignPage, AnEmptyStudyStillGivesAPage) {
    const std::string page = campaign_page_text({.title = "nothing"});
    EXPECT_FALSE(holds(page, "nan"));
    EXPECT_TRUE(holds(page, "No run stands apart."));
    EXPECT_TRUE(data_of(page)["maps"].empty());
}

TEST(CampaignPage, ColumnsThatSayNothingAreOneLine) {
    CampaignPage page = made_page();
    page.columns.push_back({.name = "stop_speed", .unit = "m/s", .count = 8, .min = 0, .max = 0});
    page.columns.push_back({.name = "height", .unit = "m", .count = 8, .min = 3, .max = 3 * (1 + 1e-15)});  // rounding
    page.columns.push_back({.name = "angle", .missing = 8});
    page.columns.push_back({.name = "small", .count = 8, .min = 1e-20, .max = 3e-20});  // small is not rounding
    const std::string text = campaign_page_text(page);
    EXPECT_TRUE(holds(text, "The same in every run: stop_speed = 0 <span class=\"unit\">m/s</span>, height = 3 <span"));
    EXPECT_TRUE(holds(text, "No run has a value of angle."));
    EXPECT_EQ(count(text, "aria-label=\"histogram of stop_speed\""), 0u);
    EXPECT_EQ(count(text, "aria-label=\"histogram of height\""), 0u);
    EXPECT_EQ(count(text, "aria-label=\"histogram of small\""), 1u);
}

TEST(CampaignPage, OneRunThatStandsApartInSeveralMetricsIsOneRow) {
    CampaignPage page = made_page();
    page.outliers = {{"way", "m", 5, 8, 4, "c5"}, {"speed", "", 6, 9, 1e15, "c6"}, {"time", "s", 5, 7, 5, "c5"}};
    const std::string text = campaign_page_text(page);
    EXPECT_EQ(count(text, "<code class=\"command\">c5</code>"), 1u);
    // more metrics come before a z that only says that most values are the same
    EXPECT_LT(text.find("<code class=\"command\">c5</code>"), text.find("<code class=\"command\">c6</code>"));
    EXPECT_TRUE(holds(text, "&gt; 1000"));
}

TEST(CampaignPage, BoldMeansToldFromNone) {
    const auto classes = [](double r, Between interval) {
        CampaignPage page = made_page();
        page.correlations.cells = {{r, interval}};
        const std::string text = campaign_page_text(page);
        std::smatch found;
        std::regex_search(text, found, std::regex("<td class=\"number ([a-z]+ [a-z]+)\""));
        return found[1].str();
    };
    EXPECT_EQ(classes(-0.5, {-0.9, -0.1}), "negative strong");
    EXPECT_EQ(classes(0.5, {0.1, 0.9}), "positive strong");
    EXPECT_EQ(classes(0.5, {-0.1, 0.9}), "positive weak");
}

TEST(CampaignPage, RatesNearOneAreNotCalledOne) {
    CampaignPage page = made_page();
    page.runs = 1000000;
    page.successes = 999999;
    page.success_interval = {0.999994, 0.9999998};
    EXPECT_TRUE(holds(campaign_page_text(page), "<dd>99.99990&#8239;%</dd><dd class=\"below\">99.99940 … 99.99998 %"));
}

TEST(CampaignPlots, NumbersAreShort) {
    EXPECT_EQ(number_text(0, 5), "0");
    EXPECT_EQ(number_text(-1234.5678, 5), "−1234.6");
    EXPECT_EQ(number_text(123456, 5), "123460");
    EXPECT_EQ(number_text(0.00082259, 5), "8.2259e−4");
    EXPECT_EQ(number_text(-2e-19, 5), "−2e−19");
    EXPECT_EQ(number_text(3e12, 5), "3e12");
    EXPECT_EQ(number_text(not_known, 5), "–");
    EXPECT_EQ(number_text(-std::numeric_limits<double>::infinity(), 5), "−∞");
}

TEST(CampaignPlots, TicksAreRoundAndInside) {
    EXPECT_EQ(ticks(-1, 11, 6).values, (std::vector<double>{0, 2, 4, 6, 8, 10}));
    EXPECT_EQ(ticks(0, 1, 5).step, 0.2);
    EXPECT_TRUE(ticks(1, 1, 5).values.empty());
    EXPECT_LE(ticks(1, 1 + 1e-15, 5).values.size(), 100u);
}

// The height of a bar is its share of the runs; an empty bin has none.
TEST(CampaignPlots, BarsAreInProportion) {
    const std::string plot = histogram_svg(column("way", false));
    std::vector<double> heights;
    const std::regex bar("class=\"bar\"[^>]*height=\"([0-9.]+)\"");
    for (auto it = std::sregex_iterator(plot.begin(), plot.end(), bar); it != std::sregex_iterator(); ++it)
        heights.push_back(std::stod((*it)[1]));
    ASSERT_EQ(heights.size(), 3u);
    EXPECT_NEAR(heights[1] / heights[0], 3, 0.02);
    EXPECT_NEAR(heights[2] / heights[0], 4, 0.02);
    // mean and median are the same here, half way across
    EXPECT_NEAR(attribute(plot, "<line class=\"median\"", "x1"), attribute(plot, "<line class=\"average\"", "x1"), 1e-9);
    EXPECT_TRUE(holds(plot, "<title>2 … 4: 3 runs</title>"));
}

// Equal scales: points, ellipse and circle measured in pixels and turned back into metres.
TEST(CampaignPlots, TheMapHasEqualScalesAndYUpwards) {
    const CampaignPage page = made_page();
    const std::string plot = map_svg(page.maps.front(), 0, page.outcomes);
    std::vector<double> at;
    const std::regex point("M(-?[0-9.]+) (-?[0-9.]+)h0");
    for (auto it = std::sregex_iterator(plot.begin(), plot.end(), point); it != std::sregex_iterator(); ++it)
        at.insert(at.end(), {std::stod((*it)[1]), std::stod((*it)[2])});
    ASSERT_EQ(at.size(), 4u);
    const double per_metre = (at[2] - at[0]) / 10;
    EXPECT_GT(per_metre, 0);
    EXPECT_NEAR((at[1] - at[3]) / 5, per_metre, 0.1);
    EXPECT_NEAR(attribute(plot, "<ellipse", "rx"), 4 * per_metre, 0.1);
    EXPECT_NEAR(attribute(plot, "<ellipse", "ry"), 2 * per_metre, 0.1);
    EXPECT_NEAR(attribute(plot, "<circle class=\"probable\"", "r"), per_metre, 0.1);
    EXPECT_TRUE(holds(plot, "rotate(-53.13)"));  // (0.6, 0.8), in a picture whose y points down
}

TEST(CampaignPlots, NoSuccessStandsOutAmongSuccessesOfTheSameOutcome) {
    PointMap map{.groups = {{"rest", true, {}, {}, {}}, {"rest", false, {}, {}, {}}, {"escaped", false, {}, {}, {}}}};
    const std::vector<OutcomeCount> outcomes{{"rest", 3}, {"escaped", 1}};
    EXPECT_EQ(map_colour(map, map.groups[0], outcomes), "--o0");
    EXPECT_EQ(map_colour(map, map.groups[1], outcomes), "--bad");
    EXPECT_EQ(map_colour(map, map.groups[2], outcomes), "--o1");
}

}  // namespace
}  // namespace asperity::report
