// Physical units in text: "3 cm/s", "12.1324 h", "1.98 g/cm^3", "5 deg"; SI inside.
//
//   quantity := number unit        unit := factor { ("*" | "/") factor }        factor := name [ "^" integer ] | "1"
// "/" divides only by the factor that follows it: J/kg*K is (J/kg) K. An angle has a dimension of its own, so that a length is refused
// where an angle is expected; a frequency (Hz) and an angular rate (rad/s) differ for the same reason. A decimal unit is applied by one
// multiplication or one division by an exact integer: "3 cm" is the double nearest to 0.03.
#pragma once
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "asperity/core/describe.h"

namespace asperity {

// The dimension of a quantity, as integer exponents of the base units.
struct Dimension {
    int length = 0;
    int mass = 0;
    int time = 0;
    int angle = 0;

    friend constexpr bool operator==(const Dimension&, const Dimension&) = default;
};

// "a length", "an angular rate"; "a value in kg*m/s^3" if the dimension has no name; "a plain number" if there is no dimension.
std::string with_article(const Dimension& dimension);

// "lengths", "angular rates".
std::string plural(const Dimension& dimension);

// The coherent SI unit of a quantity, with its name in text.
struct Unit {
    const char* text;
    Dimension dimension;
};

inline constexpr double degrees = 57.295779513082320877;  // in a radian

namespace si {
inline constexpr Unit one{"", {}};
inline constexpr Unit metre{"m", {.length = 1}};
inline constexpr Unit kilogram{"kg", {.mass = 1}};
inline constexpr Unit second{"s", {.time = 1}};
inline constexpr Unit radian{"rad", {.angle = 1}};
inline constexpr Unit metre_per_second{"m/s", {.length = 1, .time = -1}};
inline constexpr Unit metre_per_second_squared{"m/s^2", {.length = 1, .time = -2}};
inline constexpr Unit radian_per_second{"rad/s", {.time = -1, .angle = 1}};
inline constexpr Unit kilogram_per_cubic_metre{"kg/m^3", {.length = -3, .mass = 1}};
inline constexpr Unit per_square_metre{"1/m^2", {.length = -2}};
inline constexpr Unit newton{"N", {.length = 1, .mass = 1, .time = -2}};
inline constexpr Unit pascal{"Pa", {.length = -1, .mass = 1, .time = -2}};
inline constexpr Unit joule{"J", {.length = 2, .mass = 1, .time = -2}};
}  // namespace si

// A value in SI.
struct Quantity {
    double value = 0;
    Dimension dimension;

    friend constexpr bool operator==(const Quantity&, const Quantity&) = default;
};

struct QuantityProblem {
    std::string what;  // "unknown unit `kmm`"
    std::string hint;  // "did you mean `km`?"
};

// Reads any quantity. A plain number ("3") is a problem: it has no unit.
std::variant<Quantity, QuantityProblem> parse_quantity(std::string_view text);

// Reads a quantity of the dimension of `wanted` and gives its value in SI; messages call it `key`, and propose values within `bounds`.
std::variant<double, QuantityProblem> parse_quantity_of(std::string_view text, const Unit& wanted, std::string_view key,
                                                        const Bounds& bounds = any);

// The dimension of a unit ("m/s"); an empty text is dimensionless.
std::variant<Dimension, QuantityProblem> parse_dimension(std::string_view unit_text);

// "kg*m/s^2"; empty for a plain number. Reading it back gives the same dimension and the factor one.
std::string si_unit_text(const Dimension& dimension);

// The names of all units.
std::vector<std::string> unit_names();

// The shortest text that reads back to the same double.
std::string number_text(double value);

// "0.05 m"; the number alone if the unit is empty.
std::string quantity_text(double value, std::string_view unit_text);

}  // namespace asperity
