// The closed forms against what the thesis prints, against each other, and against a brute integration.
#include "asperity/reproduce/closed_form.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <string>

#include "asperity/reproduce/measure.h"
#include "asperity/reproduce/published_table.h"
#include "asperity/scenario/read.h"

namespace asperity::reproduce::closed_form_test {
namespace {

namespace fs = std::filesystem;

const fs::path root = ASPERITY_SOURCE_DIR;

scenario::Scenario landers(const std::string& name, const std::vector<std::string>& sets = {}) {
    return scenario::read_scenario((root / "scenarios/landers" / name).string(), {.sets = sets});
}

// The printed analytical columns were computed in double precision, and some are cut rather than rounded: two units of the last place.
// Not the wall, whose printed columns start from a numerical state, and not what is refuted.
TEST(ClosedForm, GivesThePrintedAnalyticalDigits) {
    int compared = 0;
    for (const char* id : {"landers/8.2", "landers/8.3", "landers/8.4", "landers/8.6", "landers/8.7"}) {
        const PublishedTable table = read_published_table(root / "papers" / (std::string(id) + ".toml"), id);
        for (const PublishedGroup& group : table.groups) {
            const scenario::Scenario scenario = scenario::read_scenario(table.scenario_file(), {.sets = group.sets});
            for (const PublishedRow& row : group.rows) {
                if (!row.analytical || row.corrected_analytical) continue;
                const auto value = closed_form(scenario, row.quantity);
                ASSERT_TRUE(value) << id << ", " << group.name << ", " << row.quantity;
                EXPECT_LE(std::abs(*value - row.analytical->value), 2 * row.analytical->last_place())
                    << id << ", " << group.name << ", " << row.quantity << ": " << static_cast<double>(*value);
                ++compared;
            }
        }
    }
    EXPECT_GE(compared, 60);
}

// The digits of closed_forms.py, computed with 50 digits from decimal numbers; ours start from doubles (1.1e-16 each).
TEST(ClosedForm, AgreesWithTheDecimalOne) {
    int compared = 0;
    for (const std::string& id : published_ids(root / "papers")) {
        const PublishedTable table = read_published_table(root / "papers" / (id + ".toml"), id);
        for (const PublishedGroup& group : table.groups)
            for (const PublishedRow& row : group.rows) {
                if (!row.closed_form || !has_closed_form(row.quantity)) continue;
                const auto value = closed_form(scenario::read_scenario(table.scenario_file(), {.sets = group.sets}), row.quantity);
                ASSERT_TRUE(value) << id << ", " << group.name << ", " << row.quantity;
                EXPECT_LE(std::abs(*value / row.closed_form->value - 1), 3e-15L) << id << ", " << group.name << ", " << row.quantity;
                ++compared;
            }
    }
    EXPECT_GE(compared, 100);
}

// About the contact point only rolling resistance has a moment: v + j q falls by C times the normal impulse, whatever e and f.
// With e > 0.58 the ball would still bounce when it stops.
TEST(ClosedForm, CoupledBallStopsWhereItsMomentumSays) {
    for (const char* e : {"0", "0.3", "0.55"})
        for (const char* f : {"0.05", "0.2", "0.6"}) {
            const auto s =
                landers("flat.toml", {"contact.shell/ground.rolling_law=coupled", std::string("contact.shell/ground.restitution=") + e,
                                      std::string("contact.shell/ground.friction=") + f});
            const auto stop = closed_form(s, "stop_time");
            ASSERT_TRUE(stop);
            EXPECT_NEAR(static_cast<double>(*stop), 2270, 1e-10) << "e = " << e << ", f = " << f;
        }
}

// 1-landers 4.19-4.20 where friction is too weak to turn the ball: it slows by f g (1 + 1/j), from 1 cm/s on.
TEST(ClosedForm, AHeldSpinPushesTheCentreUnderThesis) {
    const auto s = landers("flat-sliding.toml", {"contact.shell/ground.rolling_law=thesis", "contact.shell/ground.friction=0.03"});
    EXPECT_NEAR(static_cast<double>(*closed_form(s, "stop_time")), 442.235077930332 + 0.01 / (3.5 * 0.03 * 1e-4), 1e-9);
    EXPECT_NEAR(static_cast<double>(*closed_form(s, "rest_slope")), 3.5 * 0.03, 1e-15);
}

TEST(ClosedForm, WallTurnsSpinIntoHeight) {
    const auto s = landers("wall.toml");
    const Real v = 0.015L, r = 0.05L, j = 0.4L, c = 0.045L, e = 0.55L, g = 1e-4L;
    const WallImpact wall = wall_impact(s, v);
    const Real spin = -(v / r) * j / (1 + j) * (1 - c * (1 + e) * v / (j * r));
    EXPECT_NEAR(static_cast<double>(wall.spin_y), static_cast<double>(spin), 1e-16);
    EXPECT_NEAR(static_cast<double>(wall.velocity_x), static_cast<double>(e * v), 1e-17);
    EXPECT_NEAR(static_cast<double>(wall.velocity_z), static_cast<double>(-r * spin), 1e-17);
    EXPECT_NEAR(static_cast<double>(wall.height_max), static_cast<double>(r + r * r * spin * spin / (2 * g)), 1e-16);
}

TEST(ClosedForm, EdgeTendsToTheLimitWithoutSlip) {
    const auto at = [](const char* v, double f) {
        auto s = landers("edge.toml", {std::string("body.lander.start.velocity.0=") + v + " m/s"});
        s.contacts[0].law.friction = f;  // a scenario file takes 1000 at most
        return static_cast<double>(*closed_form(s, "separation_angle"));
    };
    const double limit = static_cast<double>(*closed_form(landers("edge.toml"), "separation_angle_limit"));
    EXPECT_NEAR(limit, 53.968120927529, 1e-11);  // acos(2 / 3.4)
    // the push shortens the angle by (1 + j) y0 / ((3 + j) sin): quadratic in v; slip by a part of 1 / f
    EXPECT_NEAR((limit - at("1e-4", 1e9)) / (limit - at("1e-5", 1e9)), 100, 0.2);
    EXPECT_NEAR((limit - at("1e-9", 1e3)) / (limit - at("1e-9", 1e4)), 10, 0.05);
    EXPECT_NEAR(at("1e-4", 50), 53.896, 5e-4);  // the errata's value of the thesis's run
}

// Backspin under law thesis, with C > j f: the force at the centre gains energy. Against small Euler steps.
TEST(ClosedForm, EnergyGainedOnBackspin) {
    const std::vector<std::string> sets = {"contact.shell/ground.rolling_law=thesis", "contact.shell/ground.friction=0.05",
                                           "body.lander.start.in_contact=true", "body.lander.start.velocity=['1 cm/s', '0 m/s', '0 m/s']",
                                           "body.lander.start.spin=['0 rad/s', '-0.2 rad/s', '0 rad/s']"};
    const auto s = landers("flat.toml", sets);
    const double g = 1e-4, j = 0.4, f = 0.05, c = 0.04, h = 1e-3;
    double v = 0.01, q = -0.01, heat = 0, most_heat = 0, drop = 0;
    const auto energy = [&] { return (v * v + j * q * q) / 2; };
    const double start = energy();
    double least = start, rise = 0;
    while (v - q > 0) {
        const double turn = q < 0 ? -1 : 1;
        heat += h * turn * (c * g * q + c * g / j * v);
        v += h * (-f * g - turn * c * g / j);
        q += h * (f * g - turn * c * g) / j;
        least = std::min(least, energy());
        rise = std::max(rise, energy() - least);
        most_heat = std::max(most_heat, heat);
        drop = std::max(drop, most_heat - heat);
    }
    EXPECT_GT(rise / start, 0.1);
    EXPECT_NEAR(static_cast<double>(*closed_form(s, "energy_rise")), rise / start, 1e-5);
    EXPECT_NEAR(static_cast<double>(*closed_form(s, "rolling_heat_drop")), drop / start, 1e-5);
}

TEST(ClosedForm, IsSilentAboutWhatItDoesNotKnow) {
    EXPECT_FALSE(closed_form(landers("flat.toml"), "impact_time[999]"));
    EXPECT_FALSE(closed_form(landers("flat.toml"), "wall_velocity_x"));
    EXPECT_FALSE(closed_form(landers("flat.toml", {"contact.shell/ground.rolling_resistance=0"}), "stop_time"));
    EXPECT_FALSE(closed_form(landers("flat.toml"), "weather"));
}

}  // namespace
}  // namespace asperity::reproduce::closed_form_test
