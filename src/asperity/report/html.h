// Escaping for HTML and JSON. Everything that comes from a record passes through here: names and texts of scenarios are untrusted.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "asperity/report/figure.h"

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

// The same with so many digits, a true minus, and a dash where there is none.
std::string number_text(double value, int digits);

// An interval for people: "0.3 … 0.4", a bound where one side is not known, and that nothing can be said where neither is.
std::string interval_text(const Between& interval, int digits);

// Seconds, hours, days or years (365.25 d), whichever gives numbers of a few digits over such a span.
struct TimeUnit {
    const char* name = "s";
    double size = 1;  // s
};
TimeUnit time_unit(double span);

}  // namespace asperity::report
