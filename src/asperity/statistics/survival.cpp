#include "asperity/statistics/survival.h"

#include <boost/math/distributions/normal.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace asperity::statistics {
namespace {

struct Cuts {
    std::uint64_t count = 0;
    double first = unbounded, last = -unbounded;
};

Cuts cuts_of(const ColumnSource& cut_off) {
    Cuts cuts;
    cut_off([&](std::span<const double> block) {
        for (const double t : block) {
            if (std::isnan(t)) continue;
            ++cuts.count;
            cuts.first = std::min(cuts.first, t);
            cuts.last = std::max(cuts.last, t);
        }
    });
    return cuts;
}

// The runs that count and those that may count, as two parts of one column.
ColumnSource all_of(const TimeColumn& column) {
    return [&column](const BlockReader& read) {
        column.sure(read);
        column.perhaps(read);
    };
}

ColumnSource restricted_to(const ColumnSource& source, double horizon) {
    return [&source, horizon](const BlockReader& read) {
        std::vector<double> kept;
        source([&](std::span<const double> block) {
            kept.assign(block.begin(), block.end());
            for (double& t : kept)
                if (t > horizon) t = horizon;
            read(kept);
        });
    };
}

std::vector<double> finite_values(const ColumnSource& source) {
    std::vector<double> values;
    source([&](std::span<const double> block) {
        std::copy_if(block.begin(), block.end(), std::back_inserter(values), [](double t) { return std::isfinite(t); });
    });
    return values;
}

ColumnSource finite_only(const ColumnSource& source) {
    return [&source](const BlockReader& read) {
        std::vector<double> kept;
        source([&](std::span<const double> block) {
            kept.assign(block.begin(), block.end());
            for (double& t : kept)
                if (!std::isfinite(t)) t = no_value;
            read(kept);
        });
    };
}

std::uint64_t values_of(const ColumnSource& source) {
    std::uint64_t count = 0;
    source([&](std::span<const double> block) {
        count += static_cast<std::uint64_t>(std::count_if(block.begin(), block.end(), [](double x) { return !std::isnan(x); }));
    });
    return count;
}

Interval hull(const Interval& a, const Interval& b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }

// The statistics if all runs that may count do: exact ranks, or (3) where some events come after a cut.
std::vector<Quantile> quantiles_with_all(const TimeColumn& column, const ColumnSource& all, const Cuts& cuts, double last_event,
                                         const StatisticsOptions& options) {
    if (!(cuts.first < last_event)) return column_statistics(all, options).quantiles;
    const std::vector<SurvivalStep> curve = kaplan_meier(finite_values(all), finite_values(column.cut_off), options.confidence);
    std::vector<Quantile> out;
    for (const double p : options.probabilities) out.push_back(survival_quantile(curve, p));
    return out;
}

}  // namespace

ColumnStatistics time_statistics(const TimeColumn& column, const StatisticsOptions& options) {
    const StatisticsOptions without_quantiles{.confidence = options.confidence, .probabilities = {}};
    ColumnStatistics result = column_statistics(column.sure, options);
    const std::uint64_t open = values_of(column.perhaps);
    if (open == 0) return result;
    const Cuts cuts = cuts_of(column.cut_off);
    const ColumnSource all = all_of(column);
    const ColumnStatistics seen = column_statistics(finite_only(all), without_quantiles);
    const ColumnStatistics restricted = column_statistics(restricted_to(all, cuts.first), without_quantiles);
    result.min = seen.min;
    result.max = seen.max;
    result.mean = seen.mean;
    result.standard_deviation = seen.standard_deviation;
    result.mean_interval = hull(result.mean_interval, restricted.mean_interval);                 // (4)
    result.deviation_interval = hull(result.deviation_interval, restricted.deviation_interval);  // (4)
    result.cut_off.count = open;
    if (cuts.count > 0) {
        result.mean = result.standard_deviation = no_value;
        result.mean_interval.high = result.deviation_interval.high = unbounded;
        result.cut_off = {.count = open,
                          .first = cuts.first,
                          .last = cuts.last,
                          .restricted_mean = restricted.mean,
                          .restricted_interval = restricted.mean_interval};
    }
    const std::vector<Quantile> with_all = quantiles_with_all(column, all, cuts, seen.max, options);
    for (std::size_t i = 0; i < result.quantiles.size(); ++i) {
        Quantile& q = result.quantiles[i];
        q.interval = hull(q.interval, with_all[i].interval);
        q.value = std::isfinite(with_all[i].value) ? with_all[i].value : no_value;
    }
    return result;
}

ThreeSigma mean_and_three_sigma(const TimeColumn& column, double confidence) {
    const Cuts cuts = cuts_of(column.cut_off);
    const auto of = [&](const ColumnSource& source) -> ThreeSigma {
        const ColumnStatistics s = column_statistics(source, {.confidence = confidence, .probabilities = {}});
        if (s.count < 2) return {.value = s.count == 1 ? s.mean : no_value};
        const auto at = [&](double probability) { return s.mean + three_sigma_factor(s.count, probability) * s.standard_deviation; };
        return {.value = s.mean + 3 * s.standard_deviation, .interval = {at((1 - confidence) / 2), at((1 + confidence) / 2)}};
    };
    ThreeSigma result = of(column.sure);
    const ColumnSource all = all_of(column);
    const ThreeSigma restricted = of(restricted_to(all, cuts.first));
    result.interval = hull(result.interval, restricted.interval);
    result.value = restricted.value;
    if (cuts.count > 0) {
        result.value = no_value;
        result.interval.high = unbounded;  // (4)
    }
    return result;
}

std::vector<SurvivalStep> kaplan_meier(std::vector<double> times, std::vector<double> cut_off, double confidence) {
    require_confidence(confidence);
    std::sort(times.begin(), times.end());
    std::sort(cut_off.begin(), cut_off.end());
    const double z = boost::math::quantile(boost::math::normal(), 0.5 + confidence / 2);
    std::vector<SurvivalStep> curve;
    double survival = 1, variance = 0;  // of ln S
    Interval interval{0, 1};
    for (std::size_t i = 0; i < times.size();) {
        const double t = times[i];
        std::size_t next = i;
        while (next < times.size() && times[next] == t) ++next;
        // A run that is cut off at t was still at risk then.
        const auto gone = static_cast<std::size_t>(std::lower_bound(cut_off.begin(), cut_off.end(), t) - cut_off.begin());
        const auto events = static_cast<double>(next - i), at_risk = static_cast<double>(times.size() - i + cut_off.size() - gone);
        i = next;
        survival *= 1 - events / at_risk;  // (1)
        if (events < at_risk) {
            variance += events / (at_risk * (at_risk - events));
            const double spread = std::exp(z * std::sqrt(variance) / -std::log(survival));
            interval = {std::pow(survival, spread), std::pow(survival, 1 / spread)};  // (2)
        } else {
            interval.low = 0;  // all are gone: (2) has no value, and the upper end stays
        }
        curve.push_back({.time = t, .survival = survival, .interval = interval});
    }
    return curve;
}

Quantile survival_quantile(std::span<const SurvivalStep> curve, double probability) {
    Quantile q{.probability = probability};
    constexpr double rounding = 1e-12;  // of S, a product of some 10^4 factors at most in practice
    const double wanted = 1 - probability;
    const auto first = [&](const auto& value_of) {
        const auto at =
            std::find_if(curve.begin(), curve.end(), [&](const SurvivalStep& s) { return value_of(s) <= wanted * (1 + rounding); });
        return at == curve.end() ? unbounded : at->time;
    };
    const double value = first([](const SurvivalStep& s) { return s.survival; });
    if (std::isfinite(value)) q.value = value;
    q.interval = {first([](const SurvivalStep& s) { return s.interval.low; }),
                  first([](const SurvivalStep& s) { return s.interval.high; })};
    return q;
}

}  // namespace asperity::statistics
