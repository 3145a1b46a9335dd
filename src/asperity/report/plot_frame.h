// The frame of every plot on a page: two axes with round numbers, grid lines, a border, and the <svg> element around it.
#pragma once
#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

namespace asperity::report {

struct PlotAxis {
    double low = 0, high = 1;   // values at its ends
    double begin = 0, end = 1;  // where they are drawn
    bool is_logarithmic = false;

    double at(double value) const {
        const double part = is_logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
        return begin + part * (end - begin);
    }
    // Values beyond the ends are drawn at them, a little outside.
    double clamped(double value) const {
        if (is_logarithmic && !(value > 0)) return begin;
        const double place = at(value), least = std::min(begin, end) - 4, most = std::max(begin, end) + 4;
        return std::clamp(place, least, most);
    }
    bool holds(double value) const { return value >= low && value <= high; }
};

struct PlotFrame {
    PlotAxis x, y;

    // Lines and numbers of one axis. Returns with them the power of ten by which the numbers are to be multiplied, as text; empty: none.
    std::pair<std::string, std::string> axis(bool is_across, int count) const;
    // A text above the frame, at its left or right end.
    std::string above(bool is_right, std::string_view text) const;
    // A text below the numbers of the axis across.
    std::string below(std::string_view text) const;
    std::string border() const;

private:
    std::string tick(double place, const std::string& text, bool is_across) const;
};

// The start of the element, which the caller closes.
std::string opened_svg(std::string_view kind, double width, double height, std::string_view label);

}  // namespace asperity::report
