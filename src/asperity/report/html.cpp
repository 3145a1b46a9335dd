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

}  // namespace asperity::report
