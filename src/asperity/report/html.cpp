#include "asperity/report/html.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace asperity::report {

std::string escaped(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (const char c : text) {
        switch (c) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '"': out += "&quot;"; break;
            case '\'': out += "&#39;"; break;
            default: out += c;
        }
    }
    return out;
}

std::string json_text(std::string_view text) {
    // to ASCII, with replacement characters for what is not UTF-8
    const std::string quoted = nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
    std::string out;
    for (const char c : quoted) {
        // "</script>" and "<!--" would end or change the element
        if (c == '<')
            out += "\\u003c";
        else
            out += c;
    }
    return out;
}

std::string json_number(double value, int digits) { return std::isfinite(value) ? fmt::format("{:.{}g}", value, digits) : "null"; }

std::string json_numbers(const std::vector<double>& values, int digits) {
    std::string out = "[";
    for (const double value : values) {
        if (out.size() > 1) out += ',';
        out += json_number(value, digits);
    }
    return out + "]";
}

std::string unit_html(std::string_view unit) { return unit.empty() ? "" : fmt::format(" <span class=\"unit\">{}</span>", escaped(unit)); }

std::string shown(double value) { return fmt::format("{:.10g}", value); }

std::string interval_text(const Between& interval, int digits) {
    const bool has_low = std::isfinite(interval.low), has_high = std::isfinite(interval.high);
    if (has_low && has_high) return fmt::format("{} … {}", number_text(interval.low, digits), number_text(interval.high, digits));
    if (has_low) return fmt::format("at least {}", number_text(interval.low, digits));
    return has_high ? fmt::format("at most {}", number_text(interval.high, digits)) : "too few runs to say";
}

std::string number_text(double value, int digits) {
    if (std::isnan(value)) return "–";
    if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
    std::string text = fmt::format("{:.{}g}", value, digits);
    const double size = std::fabs(value);
    if (size >= 1e7 || (size > 0 && size < 1e-3)) {
        text = fmt::format("{:.{}e}", value, digits - 1);
        const std::size_t e = text.find('e');
        std::string head = text.substr(0, e);
        if (head.find('.') != std::string::npos) head.erase(head.find_last_not_of('0') + 1);
        if (head.back() == '.') head.pop_back();
        text = fmt::format("{}e{}", head, std::stoi(text.substr(e + 1)));
    } else if (text.find('e') != std::string::npos) {
        text = fmt::format("{:.0f}", std::stod(text));  // not so long that one would have to count its digits
    }
    for (std::size_t at = text.find('-'); at != std::string::npos; at = text.find('-', at + 1)) text.replace(at, 1, "−");
    return text;
}

TimeUnit time_unit(double span) {
    constexpr double hour = 3600, day = 86400, year = 31557600;
    if (span < 4 * hour) return {"s", 1};
    if (span < 10 * day) return {"h", hour};
    if (span < 3 * year) return {"d", day};
    return {"yr", year};
}

}  // namespace asperity::report
