#include "asperity/report/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "asperity/report/page_data.h"

namespace asperity::report {
namespace {

constexpr double view_width = 600;  // px, of one view
constexpr double height = 300;      // px
constexpr double margin = 20;       // px

// A line through the points (a, b), as large as fits into one view; both axes to the same scale.
std::string view(const std::vector<double>& a, const std::vector<double>& b, double left, const char* title) {
    const auto [a_least, a_most] = std::minmax_element(a.begin(), a.end());
    const auto [b_least, b_most] = std::minmax_element(b.begin(), b.end());
    const double size = std::max({(*a_most - *a_least) / (view_width - 2 * margin), (*b_most - *b_least) / (height - 3 * margin),
                                  std::numeric_limits<double>::min()});
    std::string points;
    for (const std::size_t i : thinned_rows({a, b}, 1000)) {
        const double x = left + 0.5 * view_width + (a[i] - 0.5 * (*a_least + *a_most)) / size;
        const double y = 0.5 * (height + margin) - (b[i] - 0.5 * (*b_least + *b_most)) / size;
        if (std::isfinite(x) && std::isfinite(y)) points += fmt::format("{:.1f},{:.1f} ", x, y);
    }
    return fmt::format("<text x=\"{}\" y=\"16\">{}</text><polyline points=\"{}\"/>", left + margin, title, points);
}

}  // namespace

std::string static_picture(const record::Record& record) {
    if (record.samples.empty()) return {};
    std::vector<double> x;
    std::vector<double> y;
    std::vector<double> z;
    for (const model::Sample& s : record.samples) {
        if (s.body != record.samples.front().body) continue;
        x.push_back(s.position.x);
        y.push_back(s.position.y);
        z.push_back(s.position.z);
    }
    return fmt::format("<svg class=\"still\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"trajectory\">{}{}</svg>", 2 * view_width,
                       height, view(x, z, 0, "from the side: x, z"), view(x, y, view_width, "from above: x, y"));
}

}  // namespace asperity::report
