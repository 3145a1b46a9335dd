#include "asperity/core/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <optional>

#include "asperity/core/suggest.h"

namespace asperity {
namespace {

// value in SI = value * up / down. Both are exact for decimal units.
struct Scale {
    double up = 1;
    double down = 1;
};

struct NamedUnit {
    const char* name;
    Scale scale;
    Dimension dimension;
};

constexpr Dimension force{.length = 1, .mass = 1, .time = -2};
constexpr Dimension pressure{.length = -1, .mass = 1, .time = -2};
constexpr Dimension energy{.length = 2, .mass = 1, .time = -2};
using std::numbers::pi;

constexpr auto named_units = std::to_array<NamedUnit>({
    {"nm", {1, 1e9}, {.length = 1}},
    {"um", {1, 1e6}, {.length = 1}},
    {"mm", {1, 1e3}, {.length = 1}},
    {"cm", {1, 100}, {.length = 1}},
    {"m", {1, 1}, {.length = 1}},
    {"km", {1e3, 1}, {.length = 1}},
    {"au", {149597870700.0, 1}, {.length = 1}},  // IAU 2012 B2
    {"mg", {1, 1e6}, {.mass = 1}},
    {"g", {1, 1e3}, {.mass = 1}},
    {"kg", {1, 1}, {.mass = 1}},
    {"t", {1e3, 1}, {.mass = 1}},
    {"ns", {1, 1e9}, {.time = 1}},
    {"us", {1, 1e6}, {.time = 1}},
    {"ms", {1, 1e3}, {.time = 1}},
    {"s", {1, 1}, {.time = 1}},
    {"min", {60, 1}, {.time = 1}},
    {"h", {3600, 1}, {.time = 1}},
    {"d", {86400, 1}, {.time = 1}},
    {"yr", {31557600, 1}, {.time = 1}},  // 365.25 d
    {"rad", {1, 1}, {.angle = 1}},
    {"deg", {pi, 180}, {.angle = 1}},
    {"Hz", {1, 1}, {.time = -1}},
    {"N", {1, 1}, force},
    {"kN", {1e3, 1}, force},
    {"Pa", {1, 1}, pressure},
    {"kPa", {1e3, 1}, pressure},
    {"MPa", {1e6, 1}, pressure},
    {"GPa", {1e9, 1}, pressure},
    {"J", {1, 1}, energy},
    {"kJ", {1e3, 1}, energy},
    {"W", {1, 1}, {.length = 2, .mass = 1, .time = -3}},
});

struct NamedDimension {
    const char* name;  // with its article
    Dimension dimension;
};

constexpr auto named_dimensions = std::to_array<NamedDimension>({
    {"a plain number", {}},
    {"a length", {.length = 1}},
    {"an area", {.length = 2}},
    {"a volume", {.length = 3}},
    {"a number per area", {.length = -2}},
    {"a mass", {.mass = 1}},
    {"a time", {.time = 1}},
    {"an angle", {.angle = 1}},
    {"a frequency", {.time = -1}},
    {"a speed", {.length = 1, .time = -1}},
    {"an acceleration", {.length = 1, .time = -2}},
    {"an angular rate", {.time = -1, .angle = 1}},
    {"an angular acceleration", {.time = -2, .angle = 1}},
    {"a density", {.length = -3, .mass = 1}},
    {"a moment of inertia", {.length = 2, .mass = 1}},
    {"a momentum", {.length = 1, .mass = 1, .time = -1}},
    {"a force", force},
    {"a pressure", pressure},
    {"an energy", energy},
    {"a power", {.length = 2, .mass = 1, .time = -3}},
    {"a stiffness", {.mass = 1, .time = -2}},
    {"a damping", {.mass = 1, .time = -1}},
});

constexpr int largest_power = 9;

struct UnitProduct {
    Scale scale;
    Dimension dimension;
};

std::string_view trimmed(std::string_view text) {
    const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

const NamedUnit* find_unit(std::string_view name) {
    const auto found = std::find_if(named_units.begin(), named_units.end(), [&](const NamedUnit& unit) { return unit.name == name; });
    return found == named_units.end() ? nullptr : &*found;
}

void multiply(UnitProduct& product, const NamedUnit& unit, int power) {
    for (int i = 0; i < std::abs(power); ++i) {
        product.scale.up *= power > 0 ? unit.scale.up : unit.scale.down;
        product.scale.down *= power > 0 ? unit.scale.down : unit.scale.up;
    }
    product.dimension.length += power * unit.dimension.length;
    product.dimension.mass += power * unit.dimension.mass;
    product.dimension.time += power * unit.dimension.time;
    product.dimension.angle += power * unit.dimension.angle;
}

QuantityProblem bad_unit_text(std::string_view text) { return {fmt::format("`{}` is not a unit", text), "write for example kg*m/s^2"}; }

// One "name^power" at the front of `text`, which is shortened by it; nothing where there is none.
struct Factor {
    std::string_view name;
    int power = 1;
};
std::optional<Factor> take_factor(std::string_view& text) {
    text = trimmed(text);
    std::size_t length = 0;
    while (length < text.size() && is_letter(text[length])) ++length;
    if (length == 0 && text.starts_with('1')) length = 1;
    if (length == 0) return {};
    Factor factor{.name = text.substr(0, length)};
    text = trimmed(text.substr(length));
    if (!text.starts_with('^')) return factor;
    text = trimmed(text.substr(1));
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), factor.power);
    if (error != std::errc{} || factor.power == 0 || std::abs(factor.power) > largest_power) return {};
    text = trimmed(text.substr(static_cast<std::size_t>(end - text.data())));
    return factor;
}

std::variant<UnitProduct, QuantityProblem> parse_unit(std::string_view whole, const Dimension* wanted = nullptr);

// `name` is a part of `whole`. Only units that would give the wanted dimension in its place are proposed.
QuantityProblem unknown_unit(std::string_view whole, std::string_view name, const Dimension* wanted) {
    std::vector<std::string> fitting;
    const auto at = static_cast<std::size_t>(name.data() - whole.data());
    for (const std::string& candidate : unit_names()) {
        if (wanted) {
            const auto unit = parse_unit(std::string(whole).replace(at, name.size(), candidate));
            const auto* product = std::get_if<UnitProduct>(&unit);
            if (!product || product->dimension != *wanted) continue;
        }
        fitting.push_back(candidate);
    }
    if (fitting.empty()) fitting = unit_names();
    std::string hint = did_you_mean(name, fitting);
    if (hint.empty()) hint = "units: " + joined(fitting);
    return {fmt::format("unknown unit `{}`", name), hint};
}

// Without `wanted`, any dimension is accepted.
std::variant<UnitProduct, QuantityProblem> parse_unit(std::string_view whole, const Dimension* wanted) {
    std::string_view text = trimmed(whole);
    UnitProduct product;
    int sign = 1;
    // Twelve factors are more than any unit has; more would only serve to overflow the powers.
    for (int count = 0; count < 12; ++count) {
        const std::optional<Factor> factor = take_factor(text);
        if (!factor) return bad_unit_text(whole);
        if (factor->name != "1") {
            const NamedUnit* unit = find_unit(factor->name);
            if (!unit) return unknown_unit(whole, factor->name, wanted);
            multiply(product, *unit, sign * factor->power);
        } else if (count > 0 || factor->power != 1) {
            return bad_unit_text(whole);  // "1" only opens "1/s"
        }
        if (text.empty()) return product;
        if (text.front() != '*' && text.front() != '/') return bad_unit_text(whole);
        sign = text.front() == '/' ? -1 : 1;
        text.remove_prefix(1);
    }
    return bad_unit_text(whole);
}

// A number at the front of the text and what follows it; nothing where there is none.
struct NumberAndRest {
    double number = 0;
    bool is_in_range = true;
    std::string_view rest;
};
std::optional<NumberAndRest> take_number(std::string_view text) {
    text = trimmed(text);
    if (text.starts_with('+')) text.remove_prefix(1);
    // from_chars would take "inf", "nan" and "+-1" as numbers.
    const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
    if (digits.empty() || !((digits[0] >= '0' && digits[0] <= '9') || digits[0] == '.')) return {};
    NumberAndRest result;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result.number);
    if (error == std::errc::invalid_argument) return {};
    result.is_in_range = error == std::errc{};
    result.rest = trimmed(text.substr(static_cast<std::size_t>(end - text.data())));
    return result;
}

double in_si(double value, const Scale& scale) {
    if (std::fmod(scale.up, scale.down) == 0) return value * (scale.up / scale.down);
    if (std::fmod(scale.down, scale.up) == 0) return value / (scale.down / scale.up);
    return value * scale.up / scale.down;
}

// The number that was typed, with the right unit; another where there was none, or one that is not allowed.
std::string example_of(std::string_view text, const Unit& wanted, const Bounds& bounds) {
    const std::optional<NumberAndRest> typed = take_number(text);
    const double number = bounds.example(typed && typed->is_in_range ? typed->number : 1);
    if (wanted.dimension == Dimension{}) return fmt::format("write for example {}", number_text(number));
    return fmt::format("write for example \"{}\"", quantity_text(number, wanted.text));
}

// "1,5 cm"
bool has_decimal_comma(const NumberAndRest& number) {
    return number.rest.size() > 1 && number.rest[0] == ',' && number.rest[1] >= '0' && number.rest[1] <= '9';
}

std::variant<Quantity, QuantityProblem> parse_any(std::string_view text, const Dimension* wanted) {
    const std::optional<NumberAndRest> number = take_number(text);
    if (!number) return QuantityProblem{fmt::format("\"{}\" does not begin with a number", text), "write for example \"40 m\""};
    if (has_decimal_comma(*number))
        return QuantityProblem{fmt::format("\"{}\" has a comma in its number", text),
                               "use a point for decimals, and nothing between thousands"};
    if (number->rest.empty())
        return QuantityProblem{fmt::format("\"{}\" has no unit", text), fmt::format("write for example \"{} m\"", trimmed(text))};
    const auto unit = parse_unit(number->rest, wanted);
    if (const auto* problem = std::get_if<QuantityProblem>(&unit)) return *problem;
    const UnitProduct& product = std::get<UnitProduct>(unit);
    const double value = in_si(number->number, product.scale);
    if (!number->is_in_range || !std::isfinite(value)) {
        return QuantityProblem{fmt::format("\"{}\" is beyond the range of numbers", text), "numbers reach from about 1e-308 to 1e308"};
    }
    return Quantity{value, product.dimension};
}

}  // namespace

std::string with_article(const Dimension& dimension) {
    for (const NamedDimension& named : named_dimensions) {
        if (named.dimension == dimension) return named.name;
    }
    return fmt::format("a value in {}", si_unit_text(dimension));
}

std::string plural(const Dimension& dimension) {
    std::string name = with_article(dimension);
    if (name.starts_with("a value")) return "values" + name.substr(7);
    name = name.substr(name.find(' ') + 1);
    if (!name.ends_with('y')) return name + "s";
    return name.substr(0, name.size() - 1) + "ies";
}

std::string si_unit_text(const Dimension& dimension) {
    const std::array<std::pair<const char*, int>, 4> parts{
        {{"kg", dimension.mass}, {"m", dimension.length}, {"rad", dimension.angle}, {"s", dimension.time}}};
    std::string text;
    for (const auto& [name, power] : parts) {
        if (power <= 0) continue;
        text += (text.empty() ? "" : "*") + std::string(name) + (power == 1 ? "" : fmt::format("^{}", power));
    }
    for (const auto& [name, power] : parts) {
        if (power >= 0) continue;
        text += (text.empty() ? "1/" : "/") + std::string(name) + (power == -1 ? "" : fmt::format("^{}", -power));
    }
    return text;
}

std::variant<Quantity, QuantityProblem> parse_quantity(std::string_view text) { return parse_any(text, nullptr); }

std::variant<double, QuantityProblem> parse_quantity_of(std::string_view text, const Unit& wanted, std::string_view key,
                                                        const Bounds& bounds) {
    const std::optional<NumberAndRest> number = take_number(text);
    if (!number)
        return QuantityProblem{fmt::format("`{}` needs {}, got \"{}\"", key, with_article(wanted.dimension), text),
                               example_of(text, wanted, bounds)};
    if (number->rest.empty()) return QuantityProblem{fmt::format("`{}` has no unit", key), example_of(text, wanted, bounds)};
    auto parsed = parse_any(text, &wanted.dimension);
    if (auto* problem = std::get_if<QuantityProblem>(&parsed)) return std::move(*problem);
    const Quantity quantity = std::get<Quantity>(parsed);
    if (quantity.dimension != wanted.dimension) {
        return QuantityProblem{fmt::format("`{}` needs {}, got {}", key, with_article(wanted.dimension), with_article(quantity.dimension)),
                               example_of(text, wanted, bounds)};
    }
    return quantity.value;
}

std::variant<Dimension, QuantityProblem> parse_dimension(std::string_view unit_text) {
    if (trimmed(unit_text).empty()) return Dimension{};
    auto unit = parse_unit(unit_text);
    if (auto* problem = std::get_if<QuantityProblem>(&unit)) return std::move(*problem);
    return std::get<UnitProduct>(unit).dimension;
}

std::vector<std::string> unit_names() {
    std::vector<std::string> names;
    for (const NamedUnit& unit : named_units) names.emplace_back(unit.name);
    return names;
}

std::string number_text(double value) { return fmt::format("{}", value); }

std::string quantity_text(double value, std::string_view unit_text) {
    return unit_text.empty() ? number_text(value) : fmt::format("{} {}", value, unit_text);
}

}  // namespace asperity
