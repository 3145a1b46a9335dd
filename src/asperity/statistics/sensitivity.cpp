#include "asperity/statistics/sensitivity.h"

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "asperity/core/errors.h"

namespace asperity::statistics {
namespace {

struct Pairs {
    std::vector<double> x, y;
};

Pairs whole_pairs(std::span<const double> x, std::span<const double> y) {
    ASPERITY_REQUIRE(x.size() == y.size(), "columns of {} and {} rows", x.size(), y.size());
    Pairs pairs;
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (std::isnan(x[i]) || std::isnan(y[i])) continue;
        pairs.x.push_back(x[i]);
        pairs.y.push_back(y[i]);
    }
    return pairs;
}

// Equal values share the mean of the ranks that they take together; the first rank is 1.
void replace_by_ranks(std::vector<double>& values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    std::vector<double> ranks(values.size());
    for (std::size_t from = 0, to = 0; from < order.size(); from = to) {
        while (to < order.size() && values[order[to]] == values[order[from]]) ++to;
        for (std::size_t i = from; i < to; ++i) ranks[order[i]] = (static_cast<double>(from + to) + 1) / 2;
    }
    values = std::move(ranks);
}

// x - mean, in units of the largest, so that no square over- or underflows; false where the values are all the same.
bool centre(std::vector<double>& values) {
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    if (values.empty() || *least == *most) return false;
    const double from = *least;
    const int exponent = std::ilogb(*most - from);
    CompensatedSum sum;
    for (double& x : values) {
        x = std::ldexp(x - from, -exponent);
        sum.add(x);
    }
    const double mean = sum.value() / static_cast<double>(values.size());
    for (double& x : values) x -= mean;
    return true;
}

double product(const std::vector<double>& x, const std::vector<double>& y) {
    CompensatedSum sum;
    for (std::size_t i = 0; i < x.size(); ++i) sum.add(x[i] * y[i]);
    return sum.value();
}

// (1), of pairs that are used up.
double coefficient_of(Pairs& pairs) {
    if (!centre(pairs.x) || !centre(pairs.y)) return no_value;
    const double r = product(pairs.x, pairs.y) / std::sqrt(product(pairs.x, pairs.x) * product(pairs.y, pairs.y));
    return std::clamp(r, -1.0, 1.0);
}

// (2) with the square of w (n - 3), (3)
Correlation correlation(std::uint64_t count, double r, double spread, double confidence) {
    Correlation result{.count = count, .coefficient = r};
    if (std::isnan(r) || count < 3) return result;
    const auto n = static_cast<double>(count);
    if (count > 3) {
        const double z = boost::math::quantile(boost::math::normal(), 0.5 + confidence / 2), half = z * std::sqrt(spread / (n - 3));
        result.interval = {std::tanh(std::atanh(r) - half), std::tanh(std::atanh(r) + half)};
    }
    const double t = std::abs(r) * std::sqrt((n - 2) / ((1 - r) * (1 + r)));
    result.p_value = std::isinf(t) ? 0 : 2 * boost::math::cdf(boost::math::complement(boost::math::students_t(n - 2), t));
    return result;
}

// Whole base points, each as (y - m) in units of a power of two near the largest, so that no square over- or underflows.
struct BasePoints {
    std::uint64_t count = 0, left_out = 0;
    double mean = 0;
    int exponent = 0;
};

bool is_whole(std::span<const double> row) {
    return std::none_of(row.begin(), row.end(), [](double y) { return std::isnan(y); });
}

BasePoints survey(const ColumnSource& column, std::size_t width) {
    BasePoints points;
    CompensatedSum sum;
    double least = unbounded, most = -unbounded;
    const std::size_t rest = read_rows(column, width, [&](std::span<const double> row) {
        if (!is_whole(row)) {
            ++points.left_out;
            return;
        }
        ++points.count;
        for (const double y : row.first(2)) {
            sum.add(y);
            least = std::min(least, y);
            most = std::max(most, y);
        }
    });
    if (rest > 0) ++points.left_out;
    points.mean = sum.value() / (2 * static_cast<double>(points.count));
    if (most > least) points.exponent = std::ilogb(most - least);
    return points;
}

template <class Visit>
void visit(const ColumnSource& column, std::size_t width, const BasePoints& points, const Visit& use) {
    std::vector<double> scaled(width);
    read_rows(column, width, [&](std::span<const double> row) {
        if (!is_whole(row)) return;
        for (std::size_t i = 0; i < width; ++i) scaled[i] = std::ldexp(row[i] - points.mean, -points.exponent);
        use(scaled);
    });
}

double first_term(const std::vector<double>& y, std::size_t i) { return y[1] * (y[2 + i] - y[0]); }
double total_term(const std::vector<double>& y, std::size_t i) { return (y[2 + i] - y[0]) * (y[2 + i] - y[0]) / 2; }

// Sums over base points: S = first / count / variance.
struct Sums {
    double count = 0;
    double values = 0, squares = 0;  // of y_a and y_b
    std::vector<double> first, total;

    double variance() const { return (squares - values * values / (2 * count)) / (2 * count - 1); }
};

Sums sums_of(const ColumnSource& column, std::size_t width, const BasePoints& points) {
    CompensatedSum values, squares;
    std::vector<CompensatedSum> first(width - 2), total(width - 2);
    visit(column, width, points, [&](const std::vector<double>& y) {
        values.add(y[0] + y[1]);
        squares.add(y[0] * y[0] + y[1] * y[1]);
        for (std::size_t i = 0; i < first.size(); ++i) {
            first[i].add(first_term(y, i));
            total[i].add(total_term(y, i));
        }
    });
    Sums sums{.count = static_cast<double>(points.count), .values = values.value(), .squares = squares.value()};
    for (const CompensatedSum& sum : first) sums.first.push_back(sum.value());
    for (const CompensatedSum& sum : total) sums.total.push_back(sum.value());
    return sums;
}

// (6) of one index: the spread of its values without one base point each, taken from the value with all.
struct Jackknife {
    void add(double difference) {
        sum.add(difference);
        squares.add(difference * difference);
    }
    Interval interval(double value, double n, double t) const {
        const double error = std::sqrt((n - 1) / n * std::max(squares.value() - sum.value() * sum.value() / n, 0.0));
        return std::isfinite(error) ? Interval{value - t * error, value + t * error} : Interval{};
    }

    CompensatedSum sum, squares;
};

void fill_intervals(const ColumnSource& column, const BasePoints& points, const Sums& all, double confidence, SobolIndices& result) {
    const std::size_t parameters = result.parameters.size();
    std::vector<Jackknife> first(parameters), total(parameters);
    visit(column, parameters + 2, points, [&](const std::vector<double>& y) {
        // m stays that of all points: (4) depends on it by the mean of y_ci - y_a, which is small of the order of the error itself.
        const Sums rest{.count = all.count - 1, .values = all.values - (y[0] + y[1]), .squares = all.squares - (y[0] * y[0] + y[1] * y[1])};
        const double scale = 1 / (rest.count * rest.variance());
        for (std::size_t i = 0; i < parameters; ++i) {
            first[i].add((all.first[i] - first_term(y, i)) * scale - result.parameters[i].first);
            total[i].add((all.total[i] - total_term(y, i)) * scale - result.parameters[i].total);
        }
    });
    const double t = boost::math::quantile(boost::math::students_t(all.count - 1), 0.5 + confidence / 2);
    for (std::size_t i = 0; i < parameters; ++i) {
        SobolIndex& index = result.parameters[i];
        index.first_interval = first[i].interval(index.first, all.count, t);
        index.total_interval = total[i].interval(index.total, all.count, t);
    }
}

}  // namespace

Correlation pearson(std::span<const double> x, std::span<const double> y, double confidence) {
    require_confidence(confidence);
    Pairs pairs = whole_pairs(x, y);
    return correlation(pairs.x.size(), coefficient_of(pairs), 1, confidence);
}

Correlation spearman(std::span<const double> x, std::span<const double> y, double confidence) {
    require_confidence(confidence);
    Pairs pairs = whole_pairs(x, y);
    replace_by_ranks(pairs.x);
    replace_by_ranks(pairs.y);
    const double r = coefficient_of(pairs);
    return correlation(pairs.x.size(), r, 1 + r * r / 2, confidence);
}

SobolIndices sobol_indices(const ColumnSource& column, std::size_t parameters, double confidence) {
    require_confidence(confidence);
    const BasePoints points = survey(column, parameters + 2);
    SobolIndices result{.base_points = points.count, .left_out = points.left_out};
    result.parameters.resize(parameters);
    if (points.count == 0) return result;
    const Sums sums = sums_of(column, parameters + 2, points);
    const double variance = sums.variance();
    result.mean = points.mean;
    result.variance = std::ldexp(variance, 2 * points.exponent);
    if (points.count < 2 || !(variance > 0)) return result;
    for (std::size_t i = 0; i < parameters; ++i) {
        result.parameters[i].first = sums.first[i] / (sums.count * variance);  // (4)
        result.parameters[i].total = sums.total[i] / (sums.count * variance);  // (5)
    }
    fill_intervals(column, points, sums, confidence, result);
    return result;
}

}  // namespace asperity::statistics
