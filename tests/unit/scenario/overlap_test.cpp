// Bodies that start inside each other are refused, by the gap of their surfaces.
#include <fmt/format.h>

#include "asperity/scenario/compile.h"
#include "asperity/scenario/scenario.h"
#include "unit/scenario/scenario_test_tools.h"

namespace asperity::scenario::overlap_test {
namespace {

// An ellipsoid of 3 : 2 : 1 km that lies along x, or stands up along z by its attitude, and a sphere of 1 km at a distance along z.
std::string refusal(const std::string& distance, const std::string& attitude) {
    const Scenario scenario = read_scenario_text(fmt::format(R"([gravity]
mutual = "points"
[body.a]
shape.ellipsoid = ["3 km", "2 km", "1 km"]
density = "2 g/cm^3"
[body.a.start]
position = ["0 m", "0 m", "0 m"]
velocity = ["0 m/s", "0 m/s", "0 m/s"]
attitude = ["0 deg", "{}", "0 deg"]
[body.b]
shape.sphere = "1 km"
density = "2 g/cm^3"
[body.b.start]
position = ["0 m", "0 m", "{}"]
velocity = ["0 m/s", "0 m/s", "0 m/s"]
[contact."*/*"]
restitution = 0
[end]
time = "1 h"
)",
                                                             attitude, distance),
                                                 "a.toml", {});
    try {
        compile(scenario, {});
        return {};
    } catch (const InputError& error) {
        return error.problems.at(0).what;
    }
}

TEST(FreeOverlap, OfEllipsoidsIsThatOfTheirSurfaces) {
    EXPECT_EQ(refusal("2000 m", "0 deg"), "");
    EXPECT_EQ(refusal("4000 m", "90 deg"), "");
    EXPECT_EQ(refusal("1990 m", "0 deg"), "`a` and `b` start interpenetrated: their centres are 1990 m apart, they overlap by 10 m");
    EXPECT_EQ(refusal("3990 m", "90 deg"), "`a` and `b` start interpenetrated: their centres are 3990 m apart, they overlap by 10 m");
    EXPECT_EQ(refusal("2500 m", "0 deg"), "");  // less than the longest axis, and yet apart
}

}  // namespace
}  // namespace asperity::scenario::overlap_test
