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
#include "asperity/report/html.h"
#include "asperity/report/page_data.h"
#include "asperity/report/report.h"

namespace asperity::report::system_section_test {
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

std::vector<Figure> figures_of(const record::Record& record) { return system_figures(record.bodies, system_history(record), {}, ""); }

TEST(SystemSection, FiguresHoldWhatTheySay) {
    const std::vector<Figure> figures = figures_of(triangle(20));
    ASSERT_EQ(figures.size(), 11u);
    EXPECT_EQ(figures[0].layers.back().kind, "across");
    EXPECT_EQ(figures[0].layers.back().y, std::vector<double>{d});
    EXPECT_EQ(figures[0].layers[1].name, "1–3");
    EXPECT_NEAR(figures[2].layers[0].y[7], 120, 1e-9);
    EXPECT_NEAR(figures[3].layers[1].y[7], 60, 1e-9);
    EXPECT_EQ(figures[4].layers.size(), 6u);
    EXPECT_NE(figures[5].note.find(fmt::format("of which {:.6g}", 100 * 3 * J / inertia)), std::string::npos) << figures[5].note;
    for (const Figure& figure : figures)
        for (const Layer& layer : figure.layers) {
            if (layer.kind == "across") continue;
            EXPECT_EQ(layer.y.size(), 20u) << figure.title;
        }
}

// What does not exist is said in words, not drawn as an empty frame.
TEST(SystemSection, AFigureWithoutValuesIsItsNote) {
    record::Record record = triangle(20);
    for (model::Sample& sample : record.samples) sample.mode = model::Mode::flight;
    EXPECT_EQ(figure_html(figures_of(record)[1]),
              "<figure><figcaption>Gap of touching pairs</figcaption><p class=\"note\">No pair touches in any sample.</p></figure>\n");
}

// A spike of one sample alone and a gap are still there in a hundredth of the points.
TEST(SystemSection, ThinnedCurvesKeepExtremesAndGaps) {
    Figure figure = over_time("a", "m", {});
    Layer curve{.kind = "line", .name = "x < y"};
    for (int k = 0; k < 100000; ++k) {
        figure.at.push_back(k * 0.1);
        const bool is_spike = k == 33333, is_gap = k >= 50000 && k < 60000;
        curve.y.push_back(is_gap ? std::numeric_limits<double>::quiet_NaN() : is_spike ? 10 : 0);
    }
    figure.layers = {curve, {.kind = "ticks", .x = {5000, 20000}}, {.kind = "across", .y = {1}}};
    thin(figure, 900);
    EXPECT_LT(figure.at.size(), 1000u);
    ASSERT_EQ(figure.layers[0].y.size(), figure.at.size());
    EXPECT_EQ(figure.layers[1].x.size(), 2u);
    EXPECT_EQ(figure.layers[2].y.size(), 1u);
    bool has_spike = false, has_gap = false;
    for (std::size_t i = 0; i < figure.at.size(); ++i) {
        has_spike = has_spike || (figure.layers[0].y[i] == 10 && figure.at[i] == 33333 * 0.1);
        has_gap = has_gap || std::isnan(figure.layers[0].y[i]);
    }
    EXPECT_TRUE(has_spike && has_gap);
    EXPECT_NE(figure_html(figure).find("x \\u003c y"), std::string::npos);
}

// A run from 0 to 4000 s: Euler Resting at 0 and 1000 s, V-Rest at 2000 s, Lagrange Resting at 3000 and 4000 s.
TEST(SystemSection, ConfigurationsHaveALaneEach) {
    using enum model::Configuration;
    record::Record record = triangle(5);
    EXPECT_EQ(figures_of(record)[0].title, "Distances of centres");
    const std::array<model::Configuration, 5> names{euler_resting, euler_resting, v_rest, lagrange_resting, lagrange_resting};
    for (std::size_t row = 0; row < record.samples.size(); ++row) record.samples[row].configuration = names[row / 3];
    const Figure lanes = system_figures(record.bodies, system_history(record), {500}, "Euler Resting")[0];
    EXPECT_NE(lanes.note.find("they librate about Euler Resting"), std::string::npos);
    ASSERT_EQ(lanes.layers.size(), 4u);
    EXPECT_EQ(lanes.layers[3].kind, "ticks");
    const std::vector<std::string> wanted{"Euler Resting", "V-Rest", "Lagrange Resting"};
    for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_EQ(lanes.layers[k].name, wanted[k]);
        EXPECT_EQ(lanes.layers[k].x, std::vector<double>{k == 0 ? 0.0 : 1000.0 * static_cast<double>(k + 1)}) << "one stretch";
        EXPECT_EQ(lanes.layers[k].x2, std::vector<double>{k == 0 ? 2000.0 : k == 1 ? 3000.0 : 4000.0});
    }
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
    EXPECT_NE(page.find("{\"kind\":\"ticks\",\"colour\":\"--roll\",\"x\":[5500]}"), std::string::npos);
    record.surface = {.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, .facets = {{0, 1, 2}}};  // bodies over ground are no system
    EXPECT_EQ(report_text(record, {}).find("<h2>System</h2>"), std::string::npos);
}

}  // namespace
}  // namespace asperity::report::system_section_test
