#include "asperity/report/campaign_page.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <regex>

#include "asperity/report/campaign_figures.h"
#include "asperity/report/html.h"
#include "asperity/report/page.h"

namespace asperity::report::campaign_page_test {
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

// The page without the script that all pages share.
std::string own_text(const std::string& page) {
    const std::size_t at = page.find(page_script);
    return page.substr(0, at) + page.substr(at + page_script.size());
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
    const std::string page = own_text(campaign_page_text(made_page()));
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
    const std::string text = own_text(campaign_page_text(page));
    EXPECT_EQ(count(text, "</script>"), 3u + count(text, "<figure class=\"chart"));
    EXPECT_EQ(count(text, "alert(1)</"), 0u);
    EXPECT_EQ(count(text, "<img"), 0u);
    EXPECT_EQ(count(text, "<!--"), 0u);
    EXPECT_EQ(count(text, "onerror='"), count(text, "onerror='x()'>&\\\""));  // in the JSON alone
    EXPECT_EQ(data_of(text)["command"].get<std::string>(), hostile);
}

TEST(CampaignPage, AnEmptyStudyStillGivesAPage) {
    const std::string page = campaign_page_text({.title = "nothing"});
    EXPECT_FALSE(holds(own_text(page), "nan"));
    EXPECT_TRUE(holds(page, "No run stands apart."));
    EXPECT_TRUE(data_of(page)["body"].is_null());
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
    EXPECT_EQ(count(text, "<figcaption>stop_speed</figcaption>"), 0u);
    EXPECT_EQ(count(text, "<figcaption>height</figcaption>"), 0u);
    EXPECT_EQ(count(text, "<figcaption>small</figcaption>"), 1u);
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

TEST(CampaignFigures, NumbersAreShort) {
    EXPECT_EQ(number_text(0, 5), "0");
    EXPECT_EQ(number_text(-1234.5678, 5), "−1234.6");
    EXPECT_EQ(number_text(123456, 5), "123460");
    EXPECT_EQ(number_text(0.00082259, 5), "8.2259e−4");
    EXPECT_EQ(number_text(-2e-19, 5), "−2e−19");
    EXPECT_EQ(number_text(3e12, 5), "3e12");
    EXPECT_EQ(number_text(not_known, 5), "–");
    EXPECT_EQ(number_text(-std::numeric_limits<double>::infinity(), 5), "−∞");
}

// The height of a bar is its share of the runs; an empty bin has none.
TEST(CampaignFigures, BarsAreInProportion) {
    const Figure figure = histogram_figure(column("way", false));
    const auto layer = [&](const std::string& name) {
        return *std::find_if(figure.layers.begin(), figure.layers.end(), [&](const Layer& of) { return of.name == name; });
    };
    EXPECT_EQ(layer("runs").y2, (std::vector<double>{12.5, 37.5, 50}));
    EXPECT_EQ(layer("runs").x, (std::vector<double>{0, 2, 4}));
    EXPECT_EQ(layer("runs").texts[1], "3 runs");
    EXPECT_EQ(layer("median").x, layer("mean").x);  // the same here
}

// Of times of which some were cut off, where the first of them was.
TEST(CampaignFigures, CutOffRunsAreMarked) {
    ColumnShown cut = column("stop_time", false);
    cut.cut_off = 2, cut.cut_off_at = 6;
    const Figure figure = histogram_figure(cut);
    EXPECT_EQ(figure.layers.back().name, "first cut off");
    EXPECT_EQ(figure.layers.back().x, std::vector<double>{6});
    EXPECT_EQ(figure.note, "2 runs were cut off before, the first at 6 m. ");
}

// Points of the ellipse lie where its equation is one: 4 m along (0.6, 0.8), 2 m across, about (0, 5) m; the circle is 1 m from it.
TEST(CampaignFigures, TheMapHasItsEllipseAndItsCircle) {
    const CampaignPage page = made_page();
    const Figure figure = map_figure(page.maps.front(), page.outcomes);
    EXPECT_TRUE(figure.has_equal_scales);
    EXPECT_EQ(figure.layers[0].runs, (std::vector<std::uint64_t>{0, 1}));
    for (std::size_t i = 0; i < figure.layers[1].x.size(); ++i) {
        const double x = figure.layers[1].x[i], y = figure.layers[1].y[i] - 5;
        EXPECT_NEAR(std::pow((0.6 * x + 0.8 * y) / 4, 2) + std::pow((-0.8 * x + 0.6 * y) / 2, 2), 1, 1e-12);
        EXPECT_NEAR(std::hypot(figure.layers[2].x[i], figure.layers[2].y[i] - 5), 1, 1e-12);
    }
}

TEST(CampaignFigures, NoSuccessStandsOutAmongSuccessesOfTheSameOutcome) {
    PointMap map{.groups = {{"rest", true, {}, {}, {}}, {"rest", false, {}, {}, {}}, {"escaped", false, {}, {}, {}}}};
    const std::vector<OutcomeCount> outcomes{{"rest", 3}, {"escaped", 1}};
    EXPECT_EQ(map_colour(map, "rest", true, outcomes), "--o0");
    EXPECT_EQ(map_colour(map, "rest", false, outcomes), "--bad");
    EXPECT_EQ(map_colour(map, "escaped", false, outcomes), "--o1");
}

}  // namespace
}  // namespace asperity::report::campaign_page_test
