// Escaping for HTML and JSON. Everything that comes from a record passes through here: names and texts of scenarios are untrusted.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace asperity::report {

// Escapes text for the body of an element and for a quoted attribute.
std::string escaped(std::string_view text);

// A JSON string, quotes included, that may also stand inside a <script> element.
std::string json_text(std::string_view text);

// A JSON number of so many digits; null where it is not finite.
std::string json_number(double value, int digits);
std::string json_numbers(const std::vector<double>& values, int digits);

// A unit behind its number; nothing where there is none.
std::string unit_html(std::string_view unit);

// A number for people: ten digits, no trailing zeros.
std::string shown(double value);

}  // namespace asperity::report
