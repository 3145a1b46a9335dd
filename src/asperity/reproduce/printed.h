// A number as printed, digit for digit.
#pragma once
#include <cmath>
#include <cstdlib>
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
};

}  // namespace asperity::reproduce
