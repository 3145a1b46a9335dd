#include "asperity/statistics/paired.h"

#include <boost/math/special_functions/erf.hpp>

#include <algorithm>
#include <cmath>

#include "asperity/core/errors.h"
#include "asperity/core/random.h"

namespace asperity::statistics {
namespace {

// The quantile of a normal distribution beyond which both tails together have 1 - confidence.
double normal_quantile(double confidence) { return std::sqrt(2.0) * boost::math::erf_inv(confidence); }

// (3): without the given part at each end; `values` sorted.
double trimmed_mean(std::span<const double> values, double part) {
    const auto cut = static_cast<std::size_t>(part * static_cast<double>(values.size()));
    CompensatedSum sum;
    for (std::size_t i = cut; i < values.size() - cut; ++i) sum.add(values[i]);
    return sum.value() / static_cast<double>(values.size() - 2 * cut);
}

// First place where straight lines through (place, rate) fall through the level.
std::optional<double> first_fall(std::span<const double> places, std::span<const double> rates, double level) {
    for (std::size_t k = 0; k + 1 < rates.size(); ++k)
        if (rates[k] >= level && rates[k + 1] < level)
            return places[k] + (places[k + 1] - places[k]) * (rates[k] - level) / (rates[k] - rates[k + 1]);
    return {};
}

}  // namespace

PairedDifference paired_mean(std::span<const double> first, std::span<const double> second, double confidence) {
    ASPERITY_REQUIRE(first.size() == second.size(), "{} and {} runs cannot be paired", first.size(), second.size());
    std::vector<double> differences(first.size());
    for (std::size_t i = 0; i < first.size(); ++i) differences[i] = first[i] - second[i];
    const ColumnStatistics got = column_statistics(differences, {.confidence = confidence, .probabilities = {}});
    return {.difference = {.value = got.mean, .interval = got.mean_interval}, .pairs = got.count};
}

PairedDifference paired_rate(std::span<const double> first, std::span<const double> second, double confidence) {
    ASPERITY_REQUIRE(first.size() == second.size(), "{} and {} runs cannot be paired", first.size(), second.size());
    double only_first = 0, only_second = 0;
    for (std::size_t i = 0; i < first.size(); ++i) {
        only_first += first[i] > 0.5 && !(second[i] > 0.5) ? 1 : 0;
        only_second += second[i] > 0.5 && !(first[i] > 0.5) ? 1 : 0;
    }
    PairedDifference result{.difference = {}, .pairs = first.size()};
    if (first.empty()) return result;
    const double n = static_cast<double>(first.size()), p = (only_first + 1) / (n + 2), q = (only_second + 1) / (n + 2);
    const double half = normal_quantile(confidence) * std::sqrt((p + q - (p - q) * (p - q)) / (n + 2));  // (2)
    result.difference = {.value = (only_first - only_second) / n, .interval = {std::max(-1.0, p - q - half), std::min(1.0, p - q + half)}};
    return result;
}

Estimate deviation(std::span<const double> values, double confidence) {
    std::vector<double> sorted;
    for (const double value : values)
        if (!std::isnan(value)) sorted.push_back(value);
    const ColumnStatistics plain = column_statistics(sorted, {.confidence = confidence, .probabilities = {}});
    Estimate result{.value = plain.standard_deviation, .interval = {.low = 0}};
    const double n = static_cast<double>(sorted.size()), z = normal_quantile(confidence);
    if (sorted.size() < 5 || !(plain.standard_deviation > 0)) return result;
    std::sort(sorted.begin(), sorted.end());
    const double middle = trimmed_mean(sorted, 1 / (2 * std::sqrt(n - 4)));
    CompensatedSum fourth, second;
    for (const double value : sorted) {
        fourth.add(std::pow(value - middle, 4));
        second.add((value - plain.mean) * (value - plain.mean));
    }
    const double kurtosis = n * fourth.value() / (second.value() * second.value()), c = n / (n - z);
    const double half = z * c * std::sqrt(std::max(0.0, kurtosis - (n - 3) / n) / (n - 1));  // (3), of ln s^2
    const double size = result.value * std::sqrt(c);
    result.interval = {size * std::exp(-half / 2), size * std::exp(half / 2)};
    return result;
}

std::optional<Knee> knee(std::span<const double> places, std::span<const std::vector<double>> success, double level, double confidence,
                         int resamples) {
    ASPERITY_REQUIRE(places.size() == success.size() && !places.empty(), "{} places, {} columns", places.size(), success.size());
    const std::size_t runs = success[0].size();
    std::vector<double> rates(places.size());
    // one run more or less of each place at once, so that the places keep what they share
    const auto rates_of = [&](const auto& pick) {
        for (std::size_t k = 0; k < places.size(); ++k) {
            std::size_t count = 0;
            for (std::size_t i = 0; i < runs; ++i) count += success[k][pick(i)] > 0.5 ? 1 : 0;
            rates[k] = static_cast<double>(count) / static_cast<double>(runs);
        }
    };
    if (runs == 0) return {};
    rates_of([](std::size_t i) { return i; });
    const std::optional<double> found = first_fall(places, rates, level);
    if (!found) return {};
    std::vector<double> falls;
    std::vector<std::size_t> picked(runs);
    for (int r = 0; r < resamples; ++r) {
        const DrawKey key{.seed = 1, .run = static_cast<std::uint64_t>(r), .stream = 0};
        for (std::size_t i = 0; i < runs; ++i) picked[i] = static_cast<std::size_t>(random_uniform(key, i) * static_cast<double>(runs));
        rates_of([&](std::size_t i) { return picked[i]; });
        if (const auto fall = first_fall(places, rates, level)) falls.push_back(*fall);
    }
    const double ends[] = {(1 - confidence) / 2, (1 + confidence) / 2};
    const std::vector<double> interval = quantiles(column_of(falls), falls.size(), ends);
    return Knee{.place = {.value = *found, .interval = {interval[0], interval[1]}},
                .existence = static_cast<double>(falls.size()) / resamples,
                .runs = runs};
}

}  // namespace asperity::statistics
