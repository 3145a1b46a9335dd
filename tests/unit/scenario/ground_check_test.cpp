#include "asperity/scenario/ground_check.h"

#include <algorithm>
#include <cmath>

#include "unit/scenario/scenario_test_tools.h"

namespace asperity::scenario::ground_check_test {
namespace {

// A globe of 1 km with all mass in the centre: at the equator it holds while w^2 r < G m / r^2, that is for periods above
// 2 pi sqrt(r^3 / G m).
std::string globe(double period) {
    return replaced(R"(
frame = "asteroid"
[body.asteroid]
shape = { mesh = "globe.obj", unit = "km" }
mass = "1e12 kg"
spin_period = "PERIOD s"
attracts = { field = "point" }
material = "ground"
[body.lander]
shape = { sphere = "10 cm" }
mass = "1 kg"
material = "shell"
[body.lander.start]
position = ["0 m", "0 m", "1100 m"]
velocity = ["0 m/s", "0 m/s", "0 m/s"]
[contact."shell/ground"]
restitution = 0.5
friction = 0.6
rolling_resistance = 0.1
[end]
time = "1 h"
)",
                    "PERIOD", std::to_string(period));
}

// A unit sphere in 48 rows of 32 cells, with a small lid on either pole.
std::string globe_obj() {
    constexpr int rows = 48, columns = 32;
    std::string vertices, facets;
    const auto index = [](int i, int j) { return std::to_string(1 + i * columns + j % columns); };
    for (int i = 0; i <= rows; ++i)
        for (int j = 0; j < columns; ++j) {
            const double colatitude = 3.141592653589793 * std::clamp(static_cast<double>(i), 0.1, rows - 0.1) / rows,
                         longitude = 2 * 3.141592653589793 * j / columns;
            vertices += "v " + std::to_string(std::sin(colatitude) * std::cos(longitude)) + " " +
                        std::to_string(std::sin(colatitude) * std::sin(longitude)) + " " + std::to_string(std::cos(colatitude)) + "\n";
        }
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j)
            facets += "f " + index(i, j) + " " + index(i + 1, j) + " " + index(i + 1, j + 1) + "\nf " + index(i, j) + " " +
                      index(i + 1, j + 1) + " " + index(i, j + 1) + "\n";
    std::string north = "f", south = "f";
    for (int j = 0; j < columns; ++j) {
        north += " " + index(0, j);
        south += " " + index(rows, columns - 1 - j);
    }
    return vertices + facets + north + "\n" + south + "\n";
}

GroundCheck check_of(double period) {
    const Folder folder;
    folder.write("globe.obj", globe_obj());
    const Scenario scenario = read_scenario(folder.write("a.toml", globe(period)));
    const model::Assets assets = load_assets(scenario);
    const Compiled compiled = compile(scenario, assets);
    const std::optional<GroundCheck> check = ground_check(compiled);
    EXPECT_TRUE(check);
    return check.value_or(GroundCheck{});
}

// w^2 r cos^2(latitude) against G m / r^2: the ground lifts off between the latitudes -b and b, cos^2 b = G m / (w^2 r^3), and the share of
// a sphere between them is sin b. Facets are flat, rows 3.75 deg high, and 400 are looked at: a few per cent.
TEST(GroundCheck, of_a_globe_that_turns_too_fast) {
    const double limit = 2 * 3.141592653589793 * std::sqrt(1e9 / (6.6743e-11 * 1e12));
    const GroundCheck slow = check_of(1.1 * limit);
    EXPECT_EQ(slow.lifted_share, 0);
    EXPECT_GT(slow.weakest, 0);
    EXPECT_EQ(slow.facets, 400u);
    EXPECT_NE(ground_text(slow).find("holds everywhere"), std::string::npos);
    const GroundCheck fast = check_of(0.8 * limit);
    EXPECT_NEAR(fast.lifted_share, std::sqrt(1 - 0.64), 0.05);
    EXPECT_NEAR(fast.weakest, 6.6743e-5 * (1 - 1 / 0.64), 0.03 * 6.6743e-5);
    EXPECT_NEAR(fast.latitude, 0, 0.07);  // the row next to the equator
    EXPECT_EQ(ground_text(fast).rfind("the ground does not hold on ", 0), 0u) << ground_text(fast);
}

TEST(GroundCheck, is_of_bodies_only) {
    const Scenario scenario = read_scenario_text(complete, "a.toml");
    const model::Assets assets = load_assets(scenario);
    EXPECT_FALSE(ground_check(compile(scenario, assets)));
}

}  // namespace
}  // namespace asperity::scenario::ground_check_test
