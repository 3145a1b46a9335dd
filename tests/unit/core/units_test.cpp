#include "asperity/core/units.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <numbers>

#include "asperity/core/random.h"

namespace asperity::units_test {
namespace {

Quantity quantity(std::string_view text) {
    const auto parsed = parse_quantity(text);
    if (const auto* problem = std::get_if<QuantityProblem>(&parsed)) {
        ADD_FAILURE() << text << ": " << problem->what;
        return {};
    }
    return std::get<Quantity>(parsed);
}

std::string problem(std::string_view text) {
    const auto parsed = parse_quantity(text);
    const auto* found = std::get_if<QuantityProblem>(&parsed);
    return found ? found->what + " | " + found->hint : "none";
}

std::string problem_of(std::string_view text, const Unit& unit) {
    const auto parsed = parse_quantity_of(text, unit, "height");
    const auto* found = std::get_if<QuantityProblem>(&parsed);
    return found ? found->what + " | " + found->hint : "none";
}

TEST(Units, text_becomes_si) {
    EXPECT_EQ(quantity("3 cm/s"), (Quantity{0.03, {.length = 1, .time = -1}}));
    EXPECT_EQ(quantity("12.1324 h"), (Quantity{12.1324 * 3600, {.time = 1}}));
    EXPECT_EQ(quantity("-1e-4 m/s^2"), (Quantity{-1e-4, {.length = 1, .time = -2}}));
    EXPECT_EQ(quantity("1.98 g/cm^3"), (Quantity{1980, {.length = -3, .mass = 1}}));
    EXPECT_EQ(quantity("180 deg"), (Quantity{std::numbers::pi, {.angle = 1}}));
    EXPECT_EQ(quantity("0.1 rad/s"), (Quantity{0.1, {.time = -1, .angle = 1}}));
    EXPECT_EQ(quantity("1 N*m"), (Quantity{1, {.length = 2, .mass = 1, .time = -2}}));
    EXPECT_EQ(quantity("2 1/s"), (Quantity{2, {.time = -1}}));
    EXPECT_EQ(quantity("1 yr"), (Quantity{365.25 * 86400, {.time = 1}}));
    EXPECT_EQ(quantity("1 au"), (Quantity{149597870700.0, {.length = 1}}));
    EXPECT_EQ(quantity("5 m*s^-1"), (Quantity{5, {.length = 1, .time = -1}}));
    EXPECT_EQ(quantity("  +7km "), (Quantity{7000, {.length = 1}}));
}

// A decimal unit costs one rounding: "0.07 m" and "7 cm" are the same double, for every number of centimetres.
TEST(Units, decimal_units_round_once) {
    for (int i = 1; i < 10000; ++i) {
        const std::string centimetres = fmt::format("{} cm", i);
        const std::string metres = fmt::format("{}.{:02} m", i / 100, i % 100);
        ASSERT_EQ(quantity(centimetres).value, quantity(metres).value) << centimetres;
    }
}

TEST(Units, every_unit_of_the_list_reads) {
    for (const std::string& name : unit_names()) EXPECT_GT(quantity("1 " + name).value, 0) << name;
}

TEST(Units, what_is_not_a_quantity_says_why) {
    EXPECT_EQ(problem("fast"), "\"fast\" does not begin with a number | write for example \"40 m\"");
    EXPECT_EQ(problem(""), "\"\" does not begin with a number | write for example \"40 m\"");
    EXPECT_EQ(problem("nan m"), "\"nan m\" does not begin with a number | write for example \"40 m\"");
    EXPECT_EQ(problem("inf m"), "\"inf m\" does not begin with a number | write for example \"40 m\"");
    EXPECT_EQ(problem("3"), "\"3\" has no unit | write for example \"3 m\"");
    EXPECT_EQ(problem("3 kmm"), "unknown unit `kmm` | did you mean `km`?");
    EXPECT_EQ(problem("3 M/s"), "unknown unit `M` | did you mean `m`?");
    EXPECT_EQ(problem("3 furlong").substr(0, 40), "unknown unit `furlong` | units: nm, um, ");
    EXPECT_EQ(problem("1,5 cm"), "\"1,5 cm\" has a comma in its number | use a point for decimals, and nothing between thousands");
    EXPECT_EQ(problem("3 m^"), "`m^` is not a unit | write for example kg*m/s^2");
    EXPECT_EQ(problem("3 m^0"), "`m^0` is not a unit | write for example kg*m/s^2");
    EXPECT_EQ(problem("3 m^99"), "`m^99` is not a unit | write for example kg*m/s^2");
    EXPECT_EQ(problem("3 m s"), "`m s` is not a unit | write for example kg*m/s^2");
    EXPECT_EQ(problem("3 m//s"), "`m//s` is not a unit | write for example kg*m/s^2");
    EXPECT_EQ(problem("1e400 m"), "\"1e400 m\" is beyond the range of numbers | numbers reach from about 1e-308 to 1e308");
    EXPECT_EQ(problem("1e307 km"), "\"1e307 km\" is beyond the range of numbers | numbers reach from about 1e-308 to 1e308");
    EXPECT_EQ(problem("1 m*m*m*m*m*m*m*m*m*m*m*m*m"), "`m*m*m*m*m*m*m*m*m*m*m*m*m` is not a unit | write for example kg*m/s^2");
}

TEST(Units, the_wrong_dimension_names_both) {
    EXPECT_EQ(problem_of("40 m/s", si::metre), "`height` needs a length, got a speed | write for example \"40 m\"");
    EXPECT_EQ(problem_of("40", si::metre), "`height` has no unit | write for example \"40 m\"");
    EXPECT_EQ(problem_of("high", si::metre), "`height` needs a length, got \"high\" | write for example \"1 m\"");
    EXPECT_EQ(problem_of("3 m", si::radian), "`height` needs an angle, got a length | write for example \"3 rad\"");
    EXPECT_EQ(problem_of("3 Hz", si::radian_per_second), "`height` needs an angular rate, got a frequency | write for example \"3 rad/s\"");
    EXPECT_EQ(problem_of("3 kg*m/s^3", si::pascal), "`height` needs a pressure, got a value in kg*m/s^3 | write for example \"3 Pa\"");
    EXPECT_EQ(problem_of("3 cm", si::metre), "none");
    EXPECT_EQ(problem_of("-3 s", si::metre), "`height` needs a length, got a time | write for example \"-3 m\"");
    const auto bounded = parse_quantity_of("-3 s", si::metre, "height", between(0, 10));
    EXPECT_EQ(std::get<QuantityProblem>(bounded).hint, "write for example \"3 m\"");
}

TEST(Units, an_unknown_unit_is_near_one_of_the_wanted_dimension) {
    EXPECT_EQ(problem_of("3 nn", si::metre), "unknown unit `nn` | did you mean `nm`?");
    EXPECT_EQ(problem_of("3 nn", si::second), "unknown unit `nn` | did you mean `ns`?");
    EXPECT_EQ(problem_of("3 mm/nn", si::metre_per_second), "unknown unit `nn` | did you mean `ns`?");
    EXPECT_EQ(problem_of("3 xx", si::second), "unknown unit `xx` | units: ns, us, ms, s, min, h, d, yr");
    EXPECT_EQ(quantity("4 ns"), (Quantity{4e-9, {.time = 1}}));
}

TEST(Units, si_text_of_a_dimension_reads_back_as_it_is) {
    for (int length = -3; length <= 3; ++length)
        for (int mass = -1; mass <= 2; ++mass)
            for (int time = -3; time <= 2; ++time)
                for (int angle = -1; angle <= 1; ++angle) {
                    const Dimension dimension{length, mass, time, angle};
                    const auto back = parse_dimension(si_unit_text(dimension));
                    ASSERT_TRUE(std::holds_alternative<Dimension>(back)) << si_unit_text(dimension);
                    EXPECT_EQ(std::get<Dimension>(back), dimension) << si_unit_text(dimension);
                }
}

TEST(Units, written_numbers_read_back_to_the_same_bits) {
    constexpr std::uint64_t seed = 20240607;
    for (std::uint64_t i = 0; i < 20000; ++i) {
        const double value = std::bit_cast<double>(random_bits({.seed = seed}, i));
        if (!std::isfinite(value)) continue;
        ASSERT_EQ(std::bit_cast<std::uint64_t>(quantity(quantity_text(value, "kg*m/s^2")).value), std::bit_cast<std::uint64_t>(value))
            << "seed " << seed << ", number " << i;
    }
}

TEST(Units, names) {
    EXPECT_EQ(with_article({.time = -1, .angle = 1}), "an angular rate");
    EXPECT_EQ(with_article({}), "a plain number");
    EXPECT_EQ(plural({.length = 1}), "lengths");
    EXPECT_EQ(plural({.length = -3, .mass = 1}), "densities");
    EXPECT_EQ(plural({.time = -2}), "values in 1/s^2");
}

}  // namespace
}  // namespace asperity::units_test
