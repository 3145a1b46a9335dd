#include "asperity/statistics/distribution.h"

#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstddef>
#include <numbers>
#include <numeric>

namespace asperity::statistics {
namespace {

constexpr double smallest = std::numeric_limits<double>::min();  // below it a probability loses digits

// Errors as values (NaN, infinity), never as exceptions; and no detour through long double, which costs three times as much.
using Quiet = boost::math::policies::policy<boost::math::policies::promote_double<false>,
                                            boost::math::policies::domain_error<boost::math::policies::ignore_error>,
                                            boost::math::policies::overflow_error<boost::math::policies::ignore_error>>;

// An interval of the standard normal, in sigmas.
struct SigmaRange {
    double low;
    double high;
};

SigmaRange range_of(const Normal& d) { return {(d.low - d.mean) / d.sigma, (d.high - d.mean) / d.sigma}; }

SigmaRange range_of(const LogNormal& d) {
    const double low = d.low > 0 ? std::log(d.low / d.median) / d.sigma_log : -unbounded;
    return {low, std::log(d.high / d.median) / d.sigma_log};
}

bool is_truncated(const SigmaRange& z) { return z.low > -unbounded || z.high < unbounded; }

double tail(double z) { return std::erfc(z / std::numbers::sqrt2); }

double probability_of(const SigmaRange& z) {
    if (z.low > 0) return 0.5 * (tail(z.low) - tail(z.high));
    if (z.high < 0) return 0.5 * (tail(-z.high) - tail(-z.low));
    return 0.5 * (std::erf(z.high / std::numbers::sqrt2) - std::erf(z.low / std::numbers::sqrt2));
}

// (2) where the answer is in a tail, its mirror image in the other, erf between: the relative error is rounding everywhere.
double normal_quantile(const SigmaRange& z, double u) {
    const double middle = (1 - u) * std::erf(z.low / std::numbers::sqrt2) + u * std::erf(z.high / std::numbers::sqrt2);
    double x = 0;
    if (middle > 0.5) {
        x = boost::math::erfc_inv((1 - u) * tail(z.low) + u * tail(z.high), Quiet());
    } else if (middle < -0.5) {
        x = -boost::math::erfc_inv((1 - u) * tail(-z.low) + u * tail(-z.high), Quiet());
    } else {
        x = boost::math::erf_inv(middle, Quiet());
    }
    return std::clamp(std::numbers::sqrt2 * x, z.low, z.high);
}

double value_at(const Normal& d, double u) {
    if (d.sigma == 0) return d.mean;
    return std::clamp(d.mean + d.sigma * normal_quantile(range_of(d), u), d.low, d.high);
}

double value_at(const Uniform& d, double u) { return std::lerp(d.low, d.high, u); }  // never falls, and cannot overflow

double value_at(const LogNormal& d, double u) {
    if (d.sigma_log == 0) return d.median;
    return std::clamp(d.median * std::exp(d.sigma_log * normal_quantile(range_of(d), u)), d.low, d.high);
}

double weight_at(const Choice& d, std::size_t i) { return d.weights.empty() ? 1 : d.weights[i]; }

double total_weight(const Choice& d) {
    double total = 0;
    for (std::size_t i = 0; i < d.values.size(); ++i) total += weight_at(d, i);
    return total;
}

double value_at(const Choice& d, double u) {
    const double wanted = u * total_weight(d);
    double sum = 0;
    std::size_t chosen = 0;
    for (std::size_t i = 0; i < d.values.size(); ++i) {
        if (weight_at(d, i) == 0) continue;  // never chosen, not even by rounding
        chosen = i;
        sum += weight_at(d, i);
        if (wanted < sum) break;
    }
    return d.values[chosen];
}

double value_at(const Table& d, double u) {
    const auto above = std::upper_bound(d.cumulative.begin(), d.cumulative.end(), u);
    const auto i = static_cast<std::size_t>(above - d.cumulative.begin());  // cumulative[i - 1] <= u < cumulative[i]
    const double along = (u - d.cumulative[i - 1]) / (d.cumulative[i] - d.cumulative[i - 1]);
    return std::lerp(d.values[i - 1], d.values[i], along);
}

struct Moments {
    double mean = 0;
    double variance = 0;
};

// Where the density of an interval is largest.
double nearest_to_zero(const SigmaRange& z) { return std::clamp(0.0, z.low, z.high); }

// Mean and variance of a value over an interval of the standard normal, by Gauss-Legendre in t = z - nearest_to_zero. The textbook forms
// with densities at the ends are differences of nearly equal numbers in a tail or a narrow interval, down to no digit at all.
//   rooted(t, h)  value(t) exp(h): the caller multiplies, since the value alone may overflow
//   reach         z where value^2 times the density has its peak
template <class Rooted>
Moments moments_over(const SigmaRange& z, double reach, const Rooted& rooted) {
    constexpr double margin = 10;  // sigmas beyond the peaks: a density of e^-50 there
    const double nearest = nearest_to_zero(z);
    const double from = std::max(z.low, std::min(nearest, reach) - margin) - nearest;
    const double to = std::min(z.high, std::max(nearest, reach) + margin) - nearest;
    const int panels = static_cast<int>(std::ceil(4 * (to - from)));
    const auto integral = [&](const auto& f) {
        double sum = 0;
        for (int i = 0; i < panels; ++i) {
            const double a = std::lerp(from, to, static_cast<double>(i) / panels), b = std::lerp(from, to, (i + 1.0) / panels);
            sum += boost::math::quadrature::gauss<double, 20>::integrate(f, a, b);
        }
        return sum;
    };
    const auto half = [&](double t) { return -0.25 * t * (t + 2 * nearest); };  // of the exponent of the density, 0 at the nearest end
    const double total = integral([&](double t) { return std::exp(2 * half(t)); });
    const double mean = integral([&](double t) { return rooted(t, half(t)) * std::exp(half(t)); }) / total;
    const auto squared_deviation = [&](double t) {
        const double deviation = rooted(t, half(t)) - mean * std::exp(half(t));
        return deviation * deviation;
    };
    return {mean, integral(squared_deviation) / total};
}

Moments moments_of(const Normal& d) {
    if (d.sigma == 0) return {d.mean, 0};
    const SigmaRange z = range_of(d);
    if (!is_truncated(z)) return {d.mean, d.sigma * d.sigma};
    const double nearest = nearest_to_zero(z);
    const Moments m = moments_over(z, nearest, [](double t, double h) { return t * std::exp(h); });
    return {d.mean + d.sigma * (nearest + m.mean), d.sigma * d.sigma * m.variance};
}

Moments moments_of(const LogNormal& d) {
    if (d.sigma_log == 0) return {d.median, 0};
    const SigmaRange z = range_of(d);
    const double s = d.sigma_log * d.sigma_log;
    if (!is_truncated(z)) {
        const double mean = d.median * std::exp(0.5 * s);
        return {mean, mean * mean * std::expm1(s)};
    }
    // In units of the value at the end nearest to zero.
    const double unit = d.median * std::exp(d.sigma_log * nearest_to_zero(z));
    const double peak = std::clamp(2 * d.sigma_log, z.low, z.high);
    const Moments m = moments_over(z, peak, [&](double t, double h) { return std::exp(d.sigma_log * t + h); });
    return {unit * m.mean, unit * unit * m.variance};
}

Moments moments_of(const Uniform& d) {
    const double width = d.high - d.low;
    return {std::midpoint(d.low, d.high), width * width / 12};
}

Moments moments_of(const Choice& d) {
    const double total = total_weight(d);
    Moments m;
    for (std::size_t i = 0; i < d.values.size(); ++i) m.mean += weight_at(d, i) / total * d.values[i];
    for (std::size_t i = 0; i < d.values.size(); ++i) m.variance += weight_at(d, i) / total * std::pow(d.values[i] - m.mean, 2);
    return m;
}

// Each segment is a uniform distribution.
Moments moments_of(const Table& d) {
    Moments m;
    const auto share = [&](std::size_t i) { return d.cumulative[i + 1] - d.cumulative[i]; };
    for (std::size_t i = 0; i + 1 < d.values.size(); ++i) m.mean += share(i) * std::midpoint(d.values[i], d.values[i + 1]);
    for (std::size_t i = 0; i + 1 < d.values.size(); ++i) {
        const double a = d.values[i] - m.mean, b = d.values[i + 1] - m.mean;
        m.variance += share(i) * (a * a + a * b + b * b) / 3;
    }
    return m;
}

using Texts = std::vector<std::string>;

void require_finite(Texts& found, const char* name, double value) {
    if (!std::isfinite(value)) found.push_back(fmt::format("`{}` is {}; give a finite number", name, value));
}

// `centre` and `width` are finite, and width is not negative.
template <class D>
void check_truncation(Texts& found, const D& d, const char* name, double centre, double width) {
    if (std::isnan(d.low) || std::isnan(d.high)) {
        found.push_back("`low` or `high` is not a number; leave it out where there is no bound");
    } else if (d.low >= d.high) {
        found.push_back(fmt::format("`low` = {} is not below `high` = {}; exchange them, or move them apart", d.low, d.high));
    } else if (width == 0 && (centre < d.low || centre > d.high)) {
        found.push_back(
            fmt::format("without spread every value is the {0} = {1}, which is not within [{2}, {3}]; move the {0} or the bounds", name,
                        centre, d.low, d.high));
    } else if (width > 0 && !(probability_of(range_of(d)) >= smallest)) {
        const SigmaRange z = range_of(d);
        found.push_back(
            fmt::format("no probability is left within [{}, {}]: from {:.3g} to {:.3g} sigma off the {}; move the bounds nearer, "
                        "or use a uniform distribution between them",
                        d.low, d.high, z.low, z.high, name));
    }
}

Texts problems_of(const Normal& d) {
    Texts found;
    require_finite(found, "mean", d.mean);
    require_finite(found, "sigma", d.sigma);
    if (d.sigma < 0) found.push_back(fmt::format("`sigma` = {} is negative; a standard deviation is zero or more", d.sigma));
    if (found.empty()) check_truncation(found, d, "mean", d.mean, d.sigma);
    if (found.empty() && !(std::isfinite(value_at(d, 0x1p-54)) && std::isfinite(value_at(d, 1 - 0x1p-53)))) {
        found.push_back("values overflow; give a smaller `mean` and `sigma`");
    }
    return found;
}

Texts problems_of(const Uniform& d) {
    Texts found;
    require_finite(found, "low", d.low);
    require_finite(found, "high", d.high);
    if (d.low >= d.high)
        found.push_back(fmt::format("`low` = {} is not below `high` = {}; exchange them, or move them apart", d.low, d.high));
    return found;
}

Texts problems_of(const LogNormal& d) {
    Texts found;
    require_finite(found, "median", d.median);
    require_finite(found, "sigma_log", d.sigma_log);
    if (d.median <= 0) found.push_back(fmt::format("`median` = {} is not positive; a log-normal value always is", d.median));
    if (d.sigma_log < 0) found.push_back(fmt::format("`sigma_log` = {} is negative; a standard deviation is zero or more", d.sigma_log));
    if (d.high <= 0) found.push_back(fmt::format("`high` = {} is not positive; a log-normal value always is", d.high));
    if (found.empty()) check_truncation(found, d, "median", d.median, d.sigma_log);
    if (found.empty() && !std::isfinite(moments_of(LogNormal{d.median, d.sigma_log}).variance)) {
        found.push_back(fmt::format(
            "`sigma_log` = {} makes the variance overflow; it is the standard deviation of ln(value), 0.1 for about 10 %", d.sigma_log));
    }
    return found;
}

Texts problems_of(const Choice& d) {
    Texts found;
    if (d.values.empty()) found.push_back("there is nothing to choose from; give at least one of `values`");
    for (const double value : d.values) require_finite(found, "values", value);
    for (const double weight : d.weights) require_finite(found, "weights", weight);
    if (!d.weights.empty() && d.weights.size() != d.values.size()) {
        found.push_back(fmt::format("{} `weights` for {} `values`; give one for each, or none at all", d.weights.size(), d.values.size()));
        return found;
    }
    for (const double weight : d.weights) {
        if (weight < 0) found.push_back(fmt::format("the weight {} is negative; a weight is zero or more", weight));
    }
    if (found.empty() && total_weight(d) == 0) found.push_back("all `weights` are zero; at least one must be positive");
    if (found.empty() && !std::isfinite(total_weight(d))) found.push_back("the sum of `weights` overflows; give smaller ones");
    return found;
}

Texts problems_of(const Table& d) {
    Texts found;
    if (d.values.size() != d.cumulative.size()) {
        found.push_back(fmt::format("{} `values` for {} `cumulative`; give as many of both", d.values.size(), d.cumulative.size()));
    }
    if (d.values.size() < 2) found.push_back("a table needs at least two points, at `cumulative` 0 and 1");
    for (const double value : d.values) require_finite(found, "values", value);
    for (const double value : d.cumulative) require_finite(found, "cumulative", value);
    if (!found.empty()) return found;
    const auto say_fall = [&](const char* name, const std::vector<double>& list, const char* hint) {
        const auto fall = std::adjacent_find(list.begin(), list.end(), std::greater<>());
        if (fall != list.end()) found.push_back(fmt::format("`{}` falls from {} to {}; {}", name, fall[0], fall[1], hint));
    };
    say_fall("values", d.values, "put the points in rising order");
    say_fall("cumulative", d.cumulative, "it is the probability of a value up to this one, and can only rise");
    if (d.cumulative.front() != 0 || d.cumulative.back() != 1) {
        found.push_back(fmt::format("`cumulative` goes from {} to {}; it must go from 0 to 1", d.cumulative.front(), d.cumulative.back()));
    }
    return found;
}

Moments moments(const Distribution& distribution) {
    return std::visit([](const auto& d) { return moments_of(d); }, distribution);
}

}  // namespace

Table table_of_samples(std::span<const double> samples) {
    Table table{.values = {samples.begin(), samples.end()}, .cumulative = {}};
    // An order of all doubles: what is not a number is left for problems() to find.
    std::sort(table.values.begin(), table.values.end(), [](double a, double b) { return std::strong_order(a, b) < 0; });
    if (table.values.size() == 1) table.values.push_back(table.values.front());
    const std::size_t n = table.values.size();
    for (std::size_t i = 0; i < n; ++i) table.cumulative.push_back(static_cast<double>(i) / static_cast<double>(n - 1));
    return table;
}

std::vector<std::string> problems(const Distribution& distribution) {
    return std::visit([](const auto& d) { return problems_of(d); }, distribution);
}

double quantile(const Distribution& distribution, double u) {
    const double inside = std::clamp(u, 0x1p-54, 1 - 0x1p-53);
    return std::visit([inside](const auto& d) { return value_at(d, inside); }, distribution);
}

double mean(const Distribution& distribution) { return moments(distribution).mean; }

double variance(const Distribution& distribution) { return moments(distribution).variance; }

}  // namespace asperity::statistics
