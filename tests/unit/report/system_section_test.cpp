// Three equal spheres in mutual contact that turn as one (Lagrange Resting), in closed form: with d = 2 R, J = 2/5 m R^2 and the rate w,
//   orbital part m d^2 w,  spin part 3 J w,  I = m d^2 + 3 J,  T = I w^2 / 2,  U = -3 G m^2 / d,  E - E_m = 0.
// The plane is tilted, and the common centre is off the origin and moves: none of that may show.
#include "asperity/report/system_section.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <sstream>

#include "asperity/core/quat.h"
#include "asperity/report/page_data.h"
#include "asperity/report/report.h"

namespace asperity::report {
namespace {

constexpr double pi = 3.141592653589793;
constexpr double G = 6.67384e-11, m = 6.7e13, R = 2000, d = 2 * R, J = 0.4 * m * R * R, w = 2.0e-4;
constexpr double inertia = m * d * d + 3 * J;
const Quat tilt = rotation({0.3, -0.7, 0.2});
const Vec3 H_axis = rotate(tilt, {0, 0, 1}), offset{700, -300, 900}, drift{0.02, 0.01, -0.03};

record::Record triangle(int times) {
    record::Record record;
    record.bodies.gravitational_constant = G;
    for (int i = 0; i < 3; ++i)
        record.bodies.rows.push_back(
            {.name = fmt::format("sphere-{}", i + 1), .shape = "sphere", .mass = m, .semi_axes = {R, R, R}, .inertia = {J, J, J}});
    for (int k = 0; k < times; ++k)
        for (int i = 0; i < 3; ++i) {
            const double t = 1000.0 * k, angle = w * t + 2 * pi * i / 3;
            const Vec3 p = rotate(tilt, d / std::sqrt(3.0) * Vec3{std::cos(angle), std::sin(angle), 0}), spin = w * H_axis;
            const Vec3 v = cross(spin, p) + drift;
            record.samples.push_back(
                {.time = t,
                 .body = i,
                 .position = p + offset + t * drift,
                 .velocity = v,
                 .spin = spin,
                 .orientation = rotation(w * t * H_axis) * tilt,
                 .mode = model::Mode::slide,
                 .ledger = {.kinetic = 0.5 * m * squared_norm(v), .rotational = 0.5 * J * w * w, .potential = -G * m * m / d}});
        }
    return record;
}

TEST(SystemHistory, OfATriangleThatTurnsAsOneIsTheClosedForm) {
    const SystemHistory history = system_history(triangle(50));
    ASSERT_EQ(history.moments.size(), 50u);
    EXPECT_LT(norm(history.axis - H_axis), 1e-12);
    for (const SystemMoment& moment : history.moments) {
        ASSERT_EQ(moment.distances.size(), 3u);
        ASSERT_EQ(moment.relative_spins.size(), 6u);
        EXPECT_EQ(moment.contacts, 3);
        for (std::size_t k = 0; k < 3; ++k) {
            EXPECT_NEAR(moment.distances[k], d, 1e-11 * d);
            EXPECT_NEAR(moment.gaps[k], 0, 1e-11 * d);
            EXPECT_NEAR(moment.centre_angles[k], 2 * pi / 3, 1e-11);  // 120 degrees
        }
        EXPECT_NEAR(moment.middle_angle, pi / 3, 1e-11);
        for (const double rate : moment.relative_spins) EXPECT_NEAR(rate, 0, 1e-10 * w);
        EXPECT_LT(norm(moment.orbital - m * d * d * w * H_axis), 1e-11 * m * d * d * w);
        EXPECT_LT(norm(moment.spin - 3 * J * w * H_axis), 1e-11 * J * w);
        const double energy = 0.5 * inertia * w * w - 3 * G * m * m / d;  // the motion of the common centre is not in it
        EXPECT_NEAR(moment.energy, energy, 1e-12 * std::fabs(energy));
        EXPECT_LE(std::fabs(moment.excess), moment.rounding);
    }
    EXPECT_FALSE(least_excess(history).is_violated);
}

// One body that spins by s faster: E - E_m = J s^2 / 2 (1 - J / I), since T grows by J w s + J s^2 / 2 and H by J s.
TEST(SystemHistory, ABodyThatSpinsFasterLiftsTheEnergyAboveItsBound) {
    record::Record record = triangle(1);
    const double s = 0.3 * w;
    record.samples[1].spin += s * H_axis;
    record.samples[1].ledger.rotational = 0.5 * J * (w + s) * (w + s);
    const SystemHistory history = system_history(record);
    const SystemMoment& moment = history.moments.front();
    const double excess = 0.5 * J * s * s * (1 - J / inertia);
    EXPECT_NEAR(moment.excess, excess, 1e-9 * excess);
    const std::vector<double> expected{0, 0, s, s, 0, 0};  // bodies 1, 2, 3 against the two others
    for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(moment.relative_spins[k], expected[k], 1e-10 * w);
}

TEST(SystemHistory, PenetrationAndOpeningAreSeen) {
    record::Record record = triangle(1);
    const Vec3 away = unit(record.samples[2].position - record.samples[0].position);
    record.samples[2].position += 5.0 * away;  // off the first; by half as much off the second
    const SystemMoment open = system_history(record).moments.front();
    EXPECT_EQ(open.contacts, 1);
    EXPECT_NEAR(open.gaps[1], 5, 1e-9);
    EXPECT_FALSE(open.is_touching[1]);
    record = triangle(1);
    record.samples[2].position += -1.504e-3 * away;
    const SystemMoment pressed = system_history(record).moments.front();
    EXPECT_NEAR(pressed.gaps[1], -1.504e-3, 1e-9);
    EXPECT_EQ(pressed.contacts, 3);
}

// On a line: 180 degrees at the middle body and between the outer two; the middle one is at the centre and has no direction from there.
TEST(SystemHistory, OnALineTheMiddleBodyHasNoAngleAtTheCentre) {
    record::Record record = triangle(1);
    for (std::size_t i = 0; i < 3; ++i) record.samples[i].position = offset + (static_cast<double>(i) - 1) * d * rotate(tilt, {1, 0, 0});
    const SystemMoment moment = system_history(record).moments.front();
    EXPECT_NEAR(moment.middle_angle, pi, 1e-7);
    EXPECT_NEAR(moment.centre_angles[1], pi, 1e-7);
    EXPECT_TRUE(std::isnan(moment.centre_angles[0]) && std::isnan(moment.centre_angles[2]));
    EXPECT_EQ(moment.contacts, 2);
}

// Two ellipsoids end to end along their longest axes, each turned by a quarter about z, spinning about their own x axes.
record::Record two_ellipsoids() {
    record::Record record;
    record.bodies.rows.assign(2, {.mass = 3, .semi_axes = {4, 2, 1}, .inertia = {5, 7, 11}});
    const Quat quarter = rotation({0, 0, pi / 2});
    for (std::int64_t i = 0; i < 2; ++i)
        record.samples.push_back({.body = i,
                                  .position = {0, i == 0 ? -4.5 : 4.5, 0},
                                  .spin = {0, 2, 0},
                                  .orientation = quarter,
                                  .ledger = {.rotational = 0.5 * 5 * 4}});
    return record;
}

TEST(SystemHistory, EllipsoidsTurnWithTheirAxes) {
    const SystemHistory history = system_history(two_ellipsoids());
    const SystemMoment& moment = history.moments.front();
    EXPECT_NEAR(moment.gaps[0], 1, 1e-12);
    EXPECT_LT(norm(moment.spin - Vec3{0, 20, 0}), 1e-12);
    EXPECT_EQ(norm(moment.orbital), 0);
    EXPECT_NEAR(moment.excess, 0, 1e-12);  // both turn as one about the line of centres
    EXPECT_TRUE(std::isnan(moment.middle_angle));
}

TEST(SystemHistory, OnlyTimesAtWhichAllBodiesHaveASampleCount) {
    record::Record record = triangle(4);
    record.samples.erase(record.samples.begin() + 4);  // body 2 at the second time
    EXPECT_EQ(system_history(record).moments.size(), 3u);
    record.bodies = {};
    EXPECT_TRUE(system_history(record).moments.empty());
    EXPECT_EQ(system_html(record), "");
}

TEST(SystemSection, EnergyBelowItsBoundIsAnAlarm) {
    record::Record record = triangle(20);
    EXPECT_NE(system_html(record).find("<span class=\"badge good\">E above its bound</span>"), std::string::npos);
    record.samples[31].ledger.rotational *= 0.999;  // body 2 at 10,000 s
    const LeastExcess least = least_excess(system_history(record));
    EXPECT_TRUE(least.is_violated);
    EXPECT_NEAR(least.value, -0.001 * 0.5 * J * w * w, 1e-6 * 0.5 * J * w * w);
    EXPECT_EQ(least.time, 10000);
    EXPECT_NE(system_html(record).find("<span class=\"badge bad\">E below its bound</span>"), std::string::npos);
    record = triangle(20);
    record.samples[31].ledger.rotational = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(least_excess(system_history(record)).is_violated);
}

TEST(SystemSection, PlotsHoldWhatTheySay) {
    const record::Record record = triangle(20);
    const std::vector<SystemPlot> plots = system_plots(record.bodies, system_history(record));
    ASSERT_EQ(plots.size(), 11u);
    EXPECT_EQ(plots[0].marks, std::vector<double>{d});
    EXPECT_EQ(plots[0].curves[1].name, "1–3");
    EXPECT_NEAR(plots[2].curves[0].values[7], 120, 1e-9);
    EXPECT_NEAR(plots[3].curves[1].values[7], 60, 1e-9);
    EXPECT_EQ(plots[4].curves.size(), 6u);
    EXPECT_NE(plots[5].note.find(fmt::format("of which {:.6g}", 100 * 3 * J / inertia)), std::string::npos) << plots[5].note;
    for (const SystemPlot& plot : plots)
        for (const SystemCurve& curve : plot.curves) EXPECT_EQ(curve.values.size(), 20u) << plot.title;
}

// What does not exist is said in words, not drawn as an empty frame.
TEST(SystemSection, APlotWithoutValuesIsItsNote) {
    record::Record record = triangle(20);
    for (model::Sample& sample : record.samples) sample.mode = model::Mode::flight;
    const SystemPlot gaps = system_plots(record.bodies, system_history(record))[1];
    EXPECT_EQ(system_plot_html(gaps, {}),
              "<figure><figcaption>Gap of touching pairs</figcaption><p class=\"note\">No pair touches in any sample.</p></figure>\n");
}

// The ends of a curve and its extremes are in the path of the plot, and nothing is drawn where it has no value.
TEST(SystemSection, CurvesAreDrawnWhereTheyHaveValues) {
    TimeAxis axis;
    SystemPlot plot{.title = "a", .unit = "m", .curves = {{.name = "x < y"}}};
    for (int k = 0; k < 100000; ++k) {
        axis.times.push_back(k * 0.1);
        const bool is_spike = k == 33333, is_gap = k >= 50000 && k < 60000;
        plot.curves[0].values.push_back(is_gap ? std::numeric_limits<double>::quiet_NaN() : is_spike ? 10 : 0);
    }
    axis.collisions = {5000, 5000.1, 20000};  // the last is beyond the end
    const std::string html = system_plot_html(plot, axis);
    // 0 to 10 m with room of 6 % between 198 and 20 px: the spike at 20 + 178 * 0.6 / 11.2
    EXPECT_NE(html.find(fmt::format("{:.2f}", 20 + 178 * 0.6 / 11.2)), std::string::npos);
    const std::size_t begin = html.find("<path class=\"curve\""), end = html.find("/>", begin);
    const std::string path = html.substr(begin, end - begin);
    EXPECT_EQ(std::count(path.begin(), path.end(), 'M'), 2);
    EXPECT_LT(path.size(), 30000u);
    const std::size_t ticks = html.find("<path class=\"collisions\"");
    const std::string collisions = html.substr(ticks, html.find("/>", ticks) - ticks);
    EXPECT_EQ(std::count(collisions.begin(), collisions.end(), 'M'), 1) << collisions;
    EXPECT_NE(html.find("x &lt; y"), std::string::npos);
}

TEST(SystemSection, PicturesAreTakenAtTheStartAtCollisionsAndAtTheEnd) {
    TimeAxis axis;
    for (int k = 0; k <= 1000; ++k) axis.times.push_back(k);
    axis.collisions = {99.5, 100.5, 101, 300, 950.2};
    EXPECT_EQ(shown_rows(axis, 5), (std::vector<std::size_t>{0, 100, 300, 951, 1000}));
    EXPECT_EQ(shown_rows(axis, 4), (std::vector<std::size_t>{0, 100, 300, 1000}));
    EXPECT_EQ(shown_rows(axis, 7), (std::vector<std::size_t>{0, 100, 300, 625, 788, 951, 1000}));
    axis.changes = {295, 500, 955};  // the first and the last belong to what is near them
    EXPECT_EQ(shown_rows(axis, 7), (std::vector<std::size_t>{0, 100, 295, 500, 725, 951, 1000}));
    axis.times = {0, 1, 2};
    axis.collisions = axis.changes = {};
    EXPECT_EQ(shown_rows(axis, 8), (std::vector<std::size_t>{0, 1, 2}));
    EXPECT_TRUE(shown_rows({}, 8).empty());
}

// Seen along y, about which they turn: from the end of their longest axis, so that they are 2 x 2 m wide and 2 x 1 m high. The picture of
// 200 px is 8 m wide, since the longest axis might lie across it.
TEST(SystemSection, PicturesShowTheOutlineOfEllipsoids) {
    const record::Record record = two_ellipsoids();
    const std::string html = system_frames_html(record, system_history(record), {0});
    const std::string start = " d=\"M";
    const std::size_t begin = html.find(start) + start.size();
    std::string path = html.substr(begin, html.find('Z', begin) - begin);
    std::replace(path.begin(), path.end(), 'L', ' ');
    std::istringstream numbers(path);
    double wide = 0, high = 0;
    for (double x = 0, y = 0; numbers >> x >> y;) wide = std::max(wide, x), high = std::max(high, y);
    EXPECT_EQ(wide, 50);
    EXPECT_EQ(high, 25);
}

// A run from 0 to 4000 s: Euler Resting at 0 and 1000 s, V-Rest at 2000 s, Lagrange Resting at 3000 and 4000 s.
TEST(SystemSection, ConfigurationsHaveALaneEachAndNamePictures) {
    using enum model::Configuration;
    record::Record record = triangle(5);
    EXPECT_TRUE(configurations_html(system_history(record), {.times = {0, 4000}, .collisions = {}, .changes = {}}, "").empty());
    const std::array<model::Configuration, 5> names{euler_resting, euler_resting, v_rest, lagrange_resting, lagrange_resting};
    for (std::size_t row = 0; row < record.samples.size(); ++row) record.samples[row].configuration = names[row / 3];
    const SystemHistory history = system_history(record);
    const std::string html = configurations_html(history, {.times = {0, 4000}, .collisions = {}, .changes = {}}, "Euler Resting");
    EXPECT_NE(html.find("they librate about Euler Resting"), std::string::npos);
    std::size_t place = 0;
    std::vector<double> ends;
    for (const char* name : {"Euler Resting", "V-Rest", "Lagrange Resting"}) {
        place = html.find(name, place);
        ASSERT_NE(place, std::string::npos) << name;
        const std::size_t path = html.find(" d=\"M", place) + 5;
        ends.push_back(std::stod(html.substr(path)));
        ends.push_back(std::stod(html.substr(html.find('H', path) + 1)));
        EXPECT_EQ(html.substr(path, html.find('"', path) - path).find('M'), std::string::npos) << "one stretch";
    }
    EXPECT_EQ(ends[1], ends[2]);
    EXPECT_EQ(ends[3], ends[4]);
    EXPECT_NEAR((ends[1] - ends[0]) / (ends[5] - ends[0]), 0.5, 1e-3);
    EXPECT_NEAR((ends[3] - ends[2]) / (ends[5] - ends[0]), 0.25, 1e-3);
    const std::string pictures = system_frames_html(record, history, {0, 2});
    EXPECT_NE(pictures.find("Euler Resting"), std::string::npos);
    EXPECT_NE(pictures.find("V-Rest"), std::string::npos);
    EXPECT_EQ(pictures.find("Lagrange Resting"), std::string::npos);
}

TEST(SystemSection, TimeHasTheUnitThatSuits) {
    EXPECT_STREQ(time_unit(5000).name, "s");
    EXPECT_STREQ(time_unit(500000).name, "h");
    EXPECT_STREQ(time_unit(3e6).name, "d");
    EXPECT_STREQ(time_unit(1e10).name, "yr");
    EXPECT_EQ(time_unit(1e10).size, 365.25 * 86400);
}

TEST(SystemSection, ThePageHasTheBodiesAndHowTheyAreTurned) {
    record::Record record = triangle(20);
    record.events.push_back({.kind = model::EventKind::impact, .time = 5500, .b = 2});
    const nlohmann::json data = nlohmann::json::parse(page_data(record).json);
    ASSERT_EQ(data["figures"].size(), 3u);
    for (const auto& figure : data["figures"]) {
        ASSERT_EQ(figure["parts"].size(), 1u);
        EXPECT_EQ(figure["parts"][0]["kind"], "sphere");
        EXPECT_EQ(figure["parts"][0]["size"], nlohmann::json::parse("[2000,2000,2000]"));
    }
    EXPECT_EQ(data["names"], nlohmann::json::parse("[\"sphere-1\",\"sphere-2\",\"sphere-3\"]"));
    EXPECT_EQ(data["bodies"][0]["path"]["t"].size(), 20u);  // samples alone
    EXPECT_EQ(data["bodies"][2]["path"]["q"].size(), 80u);
    const std::string page = report_text(record, {});
    EXPECT_NE(page.find("<h2>System</h2>"), std::string::npos);
    EXPECT_NE(page.find("class=\"collisions\""), std::string::npos);
    record.surface = {.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, .facets = {{0, 1, 2}}};  // bodies over ground are no system
    EXPECT_EQ(report_text(record, {}).find("<h2>System</h2>"), std::string::npos);
}

}  // namespace
}  // namespace asperity::report
