#include "asperity/statistics/circular.h"

#include <boost/math/distributions/normal.hpp>

#include <cmath>

#include "asperity/core/units.h"

namespace asperity::statistics {
namespace {

// Sums of cos k (x - from), sin k (x - from).
struct Resultant {
    std::uint64_t count = 0;
    double cosine = 0, sine = 0;
};

Resultant resultant(const ColumnSource& source, double from, double k) {
    Resultant out;
    CompensatedSum cosine, sine;
    source([&](std::span<const double> block) {
        for (const double x : block) {
            if (std::isnan(x)) continue;
            ++out.count;
            cosine.add(std::cos(k * (x - from) / degrees));
            sine.add(std::sin(k * (x - from) / degrees));
        }
    });
    out.cosine = cosine.value();
    out.sine = sine.value();
    return out;
}

}  // namespace

ColumnSource degrees_from(const ColumnSource& source, double direction) {
    return [source, direction](const BlockReader& read) {
        std::vector<double> kept;
        source([&](std::span<const double> block) {
            kept.assign(block.begin(), block.end());
            for (double& x : kept) x = std::remainder(x - direction, 360.0);
            read(kept);
        });
    };
}

ColumnStatistics circular_statistics(const ColumnSource& source, const StatisticsOptions& options) {
    require_confidence(options.confidence);
    const Resultant all = resultant(source, 0, 1);
    const auto n = static_cast<double>(all.count);
    const double length = all.count > 0 ? std::min(std::hypot(all.cosine, all.sine) / n, 1.0) : no_value;
    const double direction = all.count > 0 ? std::atan2(all.sine, all.cosine) * degrees : 0;  // (1)
    ColumnStatistics result = column_statistics(degrees_from(source, direction), options);
    result.mean = result.standard_deviation = no_value;
    result.mean_interval = {};
    result.deviation_interval = {.low = 0};
    result.resultant_length = length;
    for (double* value : {&result.min, &result.max}) *value += direction;
    for (Quantile& q : result.quantiles) {
        q.value += direction;
        q.interval = {q.interval.low + direction, q.interval.high + direction};
    }
    const bool is_even = all.count > 1 && !(n * length * length >= -std::log(1 - options.confidence));  // Rayleigh
    if (all.count == 0 || is_even) return result;
    result.mean = direction;
    if (all.count < 2) return result;
    result.standard_deviation = std::sqrt(-2 * std::log(length)) * degrees;  // (2)
    const double second = resultant(source, direction, 2).cosine / n;
    const double z = boost::math::quantile(boost::math::normal(), 0.5 + options.confidence / 2);
    const double sine = z * std::sqrt((1 - second) / (2 * n * length * length));
    if (sine < 1) result.mean_interval = {direction - std::asin(sine) * degrees, direction + std::asin(sine) * degrees};  // (3)
    return result;
}

}  // namespace asperity::statistics
