#include "asperity/core/describe.h"

#include <fmt/format.h>

#include <cmath>

namespace asperity {
namespace {

// "1e9" rather than "1000000000" or "1e+09", and "1e-9".
std::string bound_text(double value) {
    std::string text = fmt::format("{:.6g}", value);
    const std::size_t power = text.find('e');
    if (power == std::string::npos) return text;
    const std::size_t sign = power + (text[power + 1] == '-' ? 2 : 1);  // a minus stays
    text.erase(sign, text.find_first_not_of("0", power + 2) - sign);
    return text;
}

}  // namespace

bool Bounds::allows(double value) const {
    if (!std::isfinite(value)) return false;
    return (is_low_open ? value > low : value >= low) && (is_high_open ? value < high : value <= high);
}

std::string Bounds::text(std::string_view unit_text) const {
    const bool has_low = std::isfinite(low);
    const bool has_high = std::isfinite(high);
    if (!has_low && !has_high) return {};
    if (low == 0 && !has_high) return is_low_open ? "positive" : "not negative";
    const std::string unit = unit_text.empty() ? std::string{} : fmt::format(" {}", unit_text);
    if (has_low && has_high && !is_low_open && !is_high_open)
        return fmt::format("between {} and {}{}", bound_text(low), bound_text(high), unit);
    std::string text;
    if (has_low) text = fmt::format("{} {}{}", is_low_open ? "above" : "at least", bound_text(low), unit);
    if (has_high) text += fmt::format("{}{} {}{}", has_low ? " and " : "", is_high_open ? "below" : "at most", bound_text(high), unit);
    return text;
}

double Bounds::example(double wish) const {
    if (allows(wish)) return wish;
    if (allows(-wish)) return -wish;
    if (allows(1)) return 1;
    return std::isfinite(low) && std::isfinite(high) ? 0.5 * (low + high) : 0;
}

std::string Range::text() const {
    const bool has_low = low > std::numeric_limits<std::int64_t>::min();
    const bool has_high = high < std::numeric_limits<std::int64_t>::max();
    if (!has_low && !has_high) return {};
    if (!has_high) return low == 0 ? "not negative" : fmt::format("at least {}", low);
    if (!has_low) return fmt::format("at most {}", high);
    return fmt::format("between {} and {}", low, high);
}

std::string must_be(const std::string& bounds_text) {
    return bounds_text.starts_with("not ") ? "must not be " + bounds_text.substr(4) : "must be " + bounds_text;
}

}  // namespace asperity
