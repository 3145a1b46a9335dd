// A figure of a page as data: what is drawn, in which units. How it is drawn, zoomed, read off and exported is the business of the page's
// script (viewer/chart.js); the page is the same text for the same data.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace asperity::report {

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

// A confidence interval; a side without a bound is infinite.
struct Between {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
};

// One kind of marks. Lists that a kind does not use are empty; what is not a number is a gap.
//   line      y over x, or over the figure's own x
//   area      between y and y2
//   dots crosses    at x, y; `runs`: the number of the run of each
//   bars      from x, y to x2, y2, each with its text
//   whiskers  at x from y to y2
//   across upright    lines through the whole figure, at y, at x
//   ticks     at x, on the lower axis
//   texts     at x, y; labels: beside it
//   outline   closed, through x, y
//   contour   lines at `levels` of values at x, y
//   field     value of each point of a grid of columns x rows between x[0], y[0] and x[1], y[1], row by row from y[0] on
struct Layer {
    std::string kind;
    std::string name = {};    // in the key; empty: not there
    std::string colour = {};  // a variable of the style; empty: the next of those for curves
    std::vector<double> x = {}, y = {}, x2 = {}, y2 = {};
    std::vector<std::uint64_t> runs = {};
    std::vector<std::string> texts = {};
    double opacity = 1;
    bool is_dashed = false;
    std::size_t columns = 0;          // of a field
    std::vector<double> value = {};   // of a field; of bars: by how much each is filled, 0 to 1
    std::vector<double> levels = {};  // of a field: lines drawn through
};

struct FigureAxis {
    std::string name = {}, unit = {};
    double low = not_known, high = not_known;  // as its data say where it is not known
    bool is_logarithmic = false;
};

struct Figure {
    std::string title = {}, note = {};
    FigureAxis x = {}, y = {};
    std::vector<double> at = {};  // x of layers that have none
    std::vector<Layer> layers = {};
    bool has_equal_scales = false;
    bool is_wide = false;
    std::int64_t body = -1;  // shown while this body is chosen; -1: always

    bool is_empty() const;  // nothing in it is a number
};

// Over time in seconds; the page's script chooses the unit, the same for all.
Figure over_time(std::string title, std::string unit, std::vector<double> times);

// The placeholder that holds the data. A figure without data is its title and note.
std::string figure_html(const Figure& figure);

// Rows to keep of some series of equal length so that about `most` remain: the first, the last, and in each of equal stretches of rows the
// first and, of every series, the smallest and the largest. Extremes are never lost.
std::vector<std::size_t> thinned_rows(const std::vector<std::vector<double>>& series, std::size_t most);

// Keeps about `most` points of the lines over the figure's own x: extremes, and in each stretch a gap where there is one.
void thin(Figure& figure, std::size_t most);

}  // namespace asperity::report
