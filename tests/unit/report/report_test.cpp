#include "asperity/report/report.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "asperity/core/errors.h"
#include "asperity/record/text_file.h"
#include "asperity/record/writer.h"
#include "asperity/report/html.h"
#include "asperity/report/page.h"
#include "asperity/report/page_data.h"
#include "unit/record/bouncing_ball.h"
#include "unit/record/write_record.h"

namespace asperity::report::report_test {
namespace {

using record::Record;
using test::bouncing_record;

constexpr const char* hostile = "</script><script>alert(1)</script><img src=x onerror='x()'>&\"--><!--";

// The figures of a page in their order, with their titles.
nlohmann::json figures_of(const std::string& page) {
    nlohmann::json out = nlohmann::json::array();
    const std::string open = "<script type=\"application/json\">", caption = "<figcaption>";
    for (std::size_t at = page.find("<figure class=\"chart"); at != std::string::npos; at = page.find("<figure class=\"chart", at + 1)) {
        const std::size_t title = page.find(caption, at) + caption.size(), begin = page.find(open, at) + open.size();
        out.push_back(nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin)));
        out.back()["title"] = page.substr(title, page.find("</figcaption>", title) - title);
    }
    return out;
}

// The page without the script that all pages share.
std::string own_text(const std::string& page) {
    const std::size_t at = page.find(page_script);
    return page.substr(0, at) + page.substr(at + page_script.size());
}

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

// Elements that must be closed are closed, in order; gives the first that is not. What stands in <script> and <style> is not looked at.
std::string first_open_tag(const std::string& page) {
    std::vector<std::string> open;
    for (std::size_t at = page.find('<'); at != std::string::npos; at = page.find('<', at + 1)) {
        const bool closes = page[at + 1] == '/';
        const std::size_t begin = at + (closes ? 2 : 1);
        const std::string name = page.substr(begin, page.find_first_of(" >/", begin) - begin);
        const std::size_t end = page.find('>', at);
        const bool is_void = name == "meta" || name == "input" || name == "br" || name == "!DOCTYPE" || page[end - 1] == '/';
        if (closes) {
            if (open.empty() || open.back() != name) return name;
            open.pop_back();
        } else if (!is_void) {
            open.push_back(name);
        }
        if (!closes && (name == "script" || name == "style")) at = page.find("</" + name, at) - 1;
    }
    return open.empty() ? "" : open.back();
}

TEST(Report, ShowsWhatTheRecordHolds) {
    const Record record = bouncing_record(0.5);
    const std::string page = report_text(record, {});
    EXPECT_EQ(first_open_tag(page), "");
    EXPECT_NE(page.find("<title>bouncing ball · Asperity</title>"), std::string::npos);
    EXPECT_NE(page.find(record_hash(record)), std::string::npos);
    EXPECT_NE(page.find("at rest in equilibrium"), std::string::npos);
    EXPECT_NE(page.find("<li>a made record</li>"), std::string::npos);
    EXPECT_NE(page.find("restitution = 0.65"), std::string::npos);
    EXPECT_NE(page.find("<h2>landers/8.2 <span class=\"badge bad\">1 of 2 failed</span></h2>"), std::string::npos);
    EXPECT_EQ(count(page, "<tr class=\"failed\">"), 1u);
    // warnings come first
    EXPECT_LT(page.find("<li>a made record</li>"), page.find("<h2>Metrics</h2>"));

    const auto data = data_of(page);
    ASSERT_EQ(data["bodies"].size(), 1u);
    EXPECT_EQ(data["events"].size(), record.events.size());
    EXPECT_EQ(data["surface"]["f"].size(), 3 * record.surface.facets.size());
    const auto figures = figures_of(page);
    EXPECT_EQ(figures.size(), 7u);
    for (const auto& figure : figures) {
        EXPECT_EQ(figure["body"], 0);
        for (const auto& layer : figure["layers"]) EXPECT_EQ(layer["y"].size(), figure["at"].size()) << figure["title"];
    }
}

// A curve for each named signal, and none without.
TEST(Report, NamedSignalsAreCurves) {
    Record record = bouncing_record(0.5);
    EXPECT_EQ(report_text(record, {}).find("<h2>Signals</h2>"), std::string::npos);
    record.signals = {{.name = "time", .unit = "s", .values = std::vector<double>{0, 1, 2}},
                      {.name = "height", .unit = "m", .values = std::vector<double>{5, 3, 4}},
                      {.name = "constant", .values = std::vector<double>{1, 1, 1}},
                      {.name = "nothing", .values = std::vector<double>(3, std::nan(""))}};
    const std::string page = report_text(record, {});
    const std::string section = page.substr(page.find("<h2>Signals</h2>"));
    const auto figures = figures_of(section.substr(0, section.find("</section>")));
    ASSERT_EQ(figures.size(), 2U);
    EXPECT_EQ(figures[0]["y"]["unit"], "m");
    EXPECT_EQ(figures[0]["layers"][0]["y"], nlohmann::json::parse("[5,3,4]"));
    EXPECT_EQ(first_open_tag(page), "");
}

TEST(Report, UsesNothingOutsideItself) {
    const std::string page = report_text(bouncing_record(0.5), {}), own = own_text(page);
    for (const char* part : {"src=", "href=", "@import", "url(http", "http://", "https://"})
        EXPECT_EQ(own.find(part), std::string::npos) << part;
    for (const char* part : {"fetch(", "XMLHttpRequest", "import(", "WebSocket"}) EXPECT_EQ(count(own, part), 0u) << part;
    EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
}

// A run of millions of impacts: the page stays as long as that of thousands, and says what it leaves out.
TEST(Report, TheLengthOfARunDoesNotShowInTheLengthOfItsPage) {
    Record record = bouncing_record(5);
    const auto page_of = [&](std::size_t count) {
        record.events.resize(count, record.events.front());
        for (std::size_t i = 0; i < count; ++i) {
            record.events[i].time = 0.001 * static_cast<double>(i * i % 1000 + 1000 * i);
            record.events[i].mode = i % 2 == 0 ? model::Mode::flight : model::Mode::slide;
        }
        record.metrics = {{"impact_time", std::vector<double>(count, 1.0 / 3), "s"}};
        return report_text(record, {});
    };
    const std::size_t size = page_of(20'000).size();
    const std::string page = page_of(200'000);
    EXPECT_LT(static_cast<double>(page.size()), 1.05 * static_cast<double>(size));
    EXPECT_NE(page.find("200000 values]"), std::string::npos);
    EXPECT_NE(page.find("The first 1000; the record has all."), std::string::npos);
    EXPECT_NE(page.find("The record has 200000 events; the page lists the first 10000."), std::string::npos);
    EXPECT_NE(page.find("Contact modes change"), std::string::npos);
    EXPECT_EQ(first_open_tag(page), "");
}

TEST(Report, ShortBandsGoIntoTheLongOnesBefore) {
    const std::vector<Band> bands{{0, 1, 0}, {1, 5, 1}, {5, 6, 2}, {6, 9, 0}, {9, 9.5, 1}};
    const std::vector<Band> kept = longest_bands(bands, 2);
    ASSERT_EQ(kept.size(), 3u);  // the first, and the two longest
    EXPECT_EQ(kept[0].end, kept[1].begin);
    EXPECT_EQ(kept[1].begin, 1);
    EXPECT_EQ(kept[1].end, 6);
    EXPECT_EQ(kept[2].end, 9.5);
    EXPECT_EQ(longest_bands(bands, 5).size(), 5u);
}

TEST(Report, HostileTextsStayTexts) {
    Record record = bouncing_record(5);
    record.header = {hostile, hostile, hostile, hostile, hostile, hostile};
    record.scenario = hostile;
    record.outcome->message = hostile;
    record.warnings = {hostile};
    record.metrics = {{hostile, std::string(hostile), hostile}};
    record.tables = {{hostile, hostile, {{hostile, hostile, hostile, std::vector<std::string>{hostile}}}}};
    record::Summary summary{
        .asperity = hostile, .scenario_name = hostile, .scenario_file = hostile, .method = hostile, .outcome_kind = hostile};
    summary.metrics = record.metrics;
    summary.expect = {{hostile, std::string(hostile), std::string(hostile), false}};
    summary.warnings = {hostile};
    for (const auto& given : {std::optional<record::Summary>{}, std::optional<record::Summary>{summary}}) {
        const std::string page = report_text(record, given);
        EXPECT_EQ(count(page, "</script>"), 3u + figures_of(page).size());
        EXPECT_EQ(count(page, "alert(1)</"), 0u);
        EXPECT_EQ(count(own_text(page), "<img"), 0u);
        EXPECT_EQ(count(own_text(page), "<!--"), 0u);
        EXPECT_EQ(first_open_tag(page), "");
        EXPECT_NO_THROW(data_of(page));
    }
}

TEST(Report, JsonTextsCannotEndTheirScript) {
    EXPECT_EQ(json_text("</script>\n\"<!--"), "\"\\u003c/script>\\n\\\"\\u003c!--\"");
    EXPECT_EQ(nlohmann::json::parse(json_text(hostile)).get<std::string>(), hostile);
    EXPECT_TRUE(nlohmann::json::accept(json_text("bad \xff utf-8")));
    EXPECT_EQ(json_number(std::numeric_limits<double>::infinity(), 9), "null");
}

TEST(Report, AnEmptyRecordStillGivesAPage) {
    const std::string page = report_text({}, {});
    EXPECT_EQ(first_open_tag(page), "");
    EXPECT_NE(page.find("The record holds no samples and no events."), std::string::npos);
    EXPECT_EQ(data_of(page)["bodies"].size(), 0u);
}

TEST(Report, ARecordOfTablesAloneIsAPageOfTables) {
    Record record;
    record.tables = bouncing_record(5).tables;
    const std::string page = report_text(record, {});
    EXPECT_EQ(page.find("no samples"), std::string::npos);
    EXPECT_EQ(page.find("did not reach its end"), std::string::npos);
    EXPECT_NE(page.find("<h2>landers/8.2"), std::string::npos);
}

// Two numbers that agree in ten digits must not look alike; a difference is a size.
TEST(Report, TablesShowTheDigitsInWhichNumbersDiffer) {
    Record record;
    record.tables.push_back({.name = "t",
                             .description = "",
                             .columns = {{"published", "", "", std::vector<double>{1234.56789012}},
                                         {"ours", "", "", std::vector<double>{1234.56789012345}},
                                         {"ours - published", "", "", std::vector<double>{3.4567e-9}}}});
    const std::string page = report_text(record, {});
    EXPECT_NE(page.find(">1234.56789012<"), std::string::npos);
    EXPECT_NE(page.find(">1234.56789012345<"), std::string::npos);
    EXPECT_NE(page.find(">3.5e-09<"), std::string::npos);
}

TEST(Report, SlipThatIsRoundingIsDrawnAsNone) {
    Record record = bouncing_record(0.5);
    const auto slip_of = [](const Record& of) { return body_figures(0, of.samples, of.samples, Place::plane).at(3); };
    for (model::Sample& sample : record.samples) sample.slip_speed = 1e-3;
    EXPECT_EQ(slip_of(record).note, "");
    EXPECT_EQ(slip_of(record).layers[0].y[0], 1e-3);
    for (model::Sample& sample : record.samples) sample.slip_speed = 1e-18;
    EXPECT_EQ(slip_of(record).note, "No slip: below 1e-9 of the largest speed everywhere.");
    EXPECT_EQ(slip_of(record).layers[0].y[0], 0);
}

TEST(Report, ARunWithoutOutcomeSaysSo) {
    Record record = bouncing_record(5);
    record.outcome.reset();
    EXPECT_NE(report_text(record, {}).find("The run did not reach its end"), std::string::npos);
}

TEST(Report, NonFiniteNumbersAreValidJson) {
    Record record = bouncing_record(5);
    record.samples[3].position.z = std::numeric_limits<double>::quiet_NaN();
    record.samples[4].ledger.kinetic = std::numeric_limits<double>::infinity();
    record.events[1].heat = -std::numeric_limits<double>::infinity();
    const auto data = data_of(report_text(record, {}));
    EXPECT_TRUE(data["events"][1][10].is_null());
}

TEST(Report, ExpectationsAreMarked) {
    record::Summary summary;
    summary.expect = {{"stop_time", 1.0, 1.0, true}, {"bounces", std::string("at least 2"), {}, false}};
    const std::string page = report_text({}, summary);
    EXPECT_NE(page.find("<span class=\"badge bad\">1 of 2 failed</span>"), std::string::npos);
    EXPECT_NE(page.find("<tr class=\"ok\"><td>stop_time</td>"), std::string::npos);
    EXPECT_NE(page.find("<tr class=\"failed\"><td>bounces</td><td>at least 2</td><td>no such metric</td>"), std::string::npos);
}

TEST(Report, LongRunsAreThinnedAndSaySo) {
    Record record = bouncing_record(0.01);
    ASSERT_GT(record.samples.size(), 20000u);
    record.samples[12345].slip_speed = 77;  // one sample alone
    record.samples[23456].ledger.kinetic = 88;
    const std::string page = report_text(record, {});
    EXPECT_NE(page.find("curves are thinned to about 4000 points each, extremes kept"), std::string::npos);
    double slip = 0;
    double kinetic = 0;
    for (const auto& figure : figures_of(page)) {
        EXPECT_LE(figure["at"].size(), 4001u) << figure["title"];
        EXPECT_EQ(figure["at"].back().get<double>(), std::stod(json_number(record.samples.back().time, 12)));
        for (const auto& layer : figure["layers"])
            for (const auto& v : layer["y"]) {
                if (layer["name"] == "slip") slip = std::max(slip, v.get<double>());
                if (layer["name"] == "kinetic") kinetic = std::max(kinetic, v.get<double>());
            }
    }
    EXPECT_EQ(slip, 77);
    EXPECT_EQ(kinetic, 88);
    EXPECT_EQ(report_text(bouncing_record(1), {}).find("thinned to about"), std::string::npos);
}

// Kinetic, potential and heat, drawn as curves, are in every row the curve called total.
TEST(Report, EnergiesByCauseAddUpToTheTotal) {
    Record record = bouncing_record(0.5);
    for (std::size_t i = 0; i < record.samples.size(); ++i) record.samples[i].ledger.work = 1e-3 * static_cast<double>(i);
    const Figure energies = body_figures(0, record.samples, record.samples, Place::plane).at(5);
    EXPECT_EQ(energies.title, "Energies by cause");
    ASSERT_EQ(energies.layers.back().name, "total");
    ASSERT_GE(energies.layers.size(), 5u);
    for (std::size_t i = 0; i < energies.at.size(); ++i) {
        double sum = 0, size = 0;
        for (const Layer& layer : energies.layers)
            if (layer.name != "total") {
                sum += layer.y[i];
                size += std::fabs(layer.y[i]);
            }
        EXPECT_NEAR(sum, energies.layers.back().y[i], 1e-15 * size);  // rounding of a sum of eight
    }
}

TEST(Report, ThinningKeepsEndsAndExtremes) {
    std::vector<double> a(10007);
    std::vector<double> b(10007);
    for (std::size_t i = 0; i < a.size(); ++i) {
        a[i] = std::sin(0.001 * static_cast<double>(i * i % 7919));
        b[i] = std::cos(0.37 * static_cast<double>(i));
    }
    const auto rows = thinned_rows({a, b}, 500);
    EXPECT_LE(rows.size(), 501u);
    EXPECT_GT(rows.size(), 300u);
    EXPECT_EQ(rows.front(), 0u);
    EXPECT_EQ(rows.back(), a.size() - 1);
    EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
    for (const auto* values : {&a, &b}) {
        double least = 9;
        double largest = -9;
        for (const std::size_t row : rows) {
            least = std::min(least, (*values)[row]);
            largest = std::max(largest, (*values)[row]);
        }
        EXPECT_EQ(least, *std::min_element(values->begin(), values->end()));
        EXPECT_EQ(largest, *std::max_element(values->begin(), values->end()));
    }
    EXPECT_EQ(thinned_rows({{1, 2, 3}}, 500).size(), 3u);
    EXPECT_TRUE(thinned_rows({}, 500).empty());
}

// The ball of the made record flies, slides for 40 s, rolls, rests.
TEST(Report, BandsFollowTheEvents) {
    const test::BallMotion motion{test::BouncingBall{}};
    const Record record = bouncing_record(7);
    const auto bands = mode_bands(record.samples, record.events);
    ASSERT_EQ(bands.size(), 4u);
    EXPECT_EQ(bands[0].begin, 0);
    EXPECT_EQ(bands[0].end, motion.impact_time.back());
    EXPECT_EQ(bands[1].mode, static_cast<std::int64_t>(model::Mode::slide));
    EXPECT_EQ(bands[1].end, motion.impact_time.back() + 40);
    EXPECT_EQ(bands[2].mode, static_cast<std::int64_t>(model::Mode::roll));
    EXPECT_EQ(bands[2].end, motion.stop_time);
    EXPECT_EQ(bands[3].mode, static_cast<std::int64_t>(model::Mode::rest));
    EXPECT_TRUE(mode_bands({}, {}).empty());
}

TEST(Report, IsWrittenBesideTheRecord) {
    const auto folder = test::fresh_folder("report");
    EXPECT_THROW(write_report(folder), InputError);
    record::write_record(folder / "record.h5", bouncing_record(0.25));
    record::Summary summary{.asperity = "0.1.0",
                            .scenario_name = "bouncing ball",
                            .scenario_description = "A ball & a plain.",
                            .scenario_file = "ball.toml",
                            .method = "event-driven",
                            .threads = 2,
                            .steps = 1234,
                            .wall_seconds = 0.0123,
                            .outcome_kind = "rest"};
    summary.metrics = bouncing_record(5).metrics;
    summary.expect = {{"stop_time", std::string("300 s to 500 s"), 3.5, true}, {"bounces", std::string("at least 20"), 12.0, false}};
    summary.warnings = {"The last 3 bounces were completed in closed form."};
    record::write_summary(folder / "summary.json", summary);
    EXPECT_EQ(write_report(folder), folder / "report.html");
    const std::string page = record::read_text_file(folder / "report.html");
    EXPECT_NE(page.find("The last 3 bounces"), std::string::npos);
    EXPECT_NE(page.find("<p class=\"question\">A ball &amp; a plain.</p>"), std::string::npos);
    EXPECT_NE(page.find("<dt>threads</dt><dd>2</dd>"), std::string::npos);
    record::write_text_file(folder / "summary.json", "{");
    EXPECT_THROW(write_report(folder), InputError);
}

}  // namespace
}  // namespace asperity::report::report_test
