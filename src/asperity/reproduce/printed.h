// A number as a publication prints it, digit by digit.
#pragma once
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>

namespace asperity::reproduce {

struct Printed {
    std::string text;
    long double value = 0;

    // One unit of the last digit: 1e-4 of "0.0023", 10 of "1.23e3".
    long double last_place() const {
        const std::size_t e = text.find_first_of("eE"), point = text.find('.');
        const std::string mantissa = text.substr(0, e);
        const long exponent = e == std::string::npos ? 0 : std::strtol(text.c_str() + e + 1, nullptr, 10);
        const long decimals = point == std::string::npos ? 0 : static_cast<long>(mantissa.size() - point - 1);
        return std::pow(10.0L, static_cast<long double>(exponent - decimals));
    }

    static constexpr const char* wanted = "a number in quotes, digit for digit";
    static constexpr const char* example = "0.0051";
    static std::optional<Printed> from_text(const std::string& text) {
        char* end = nullptr;
        const long double value = std::strtold(text.c_str(), &end);
        if (text.empty() || *end != 0 || !std::isfinite(value)) return {};
        return Printed{text, value};
    }
};

// The same, or "none", whose value is not a number.
struct PrintedOrNone {
    Printed number;

    static constexpr const char* wanted = "a number in quotes, digit for digit, or \"none\"";
    static constexpr const char* example = Printed::example;
    static std::optional<PrintedOrNone> from_text(const std::string& text) {
        if (text == "none") return PrintedOrNone{{text, std::numeric_limits<long double>::quiet_NaN()}};
        const std::optional<Printed> number = Printed::from_text(text);
        return number ? std::optional(PrintedOrNone{*number}) : std::nullopt;
    }
};

}  // namespace asperity::reproduce
