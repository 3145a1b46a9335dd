#include "asperity/statistics/margin.h"

#include <boost/math/distributions/normal.hpp>

#include <algorithm>
#include <cmath>

namespace asperity::statistics {
namespace {

void sort_by_factor(std::vector<Tried>& tried) {
    std::sort(tried.begin(), tried.end(), [](const Tried& a, const Tried& b) { return a.factor < b.factor; });
}

// The largest that is sure with all smaller ones tried, and the one after it.
struct Edge {
    std::optional<double> sure, unsure;
};

Edge edge_of(const std::vector<Tried>& sorted, const Requirement& requirement) {
    Edge edge;
    for (const Tried& t : sorted) {
        if (!is_sure(t, requirement)) {
            edge.unsure = t.factor;
            break;
        }
        edge.sure = t.factor;
    }
    return edge;
}

}  // namespace

Interval bounds(const Tried& tried, double confidence) { return wilson(tried.successes, tried.runs, 2 * confidence - 1); }

bool is_sure(const Tried& tried, const Requirement& requirement) {
    return bounds(tried, requirement.confidence).low >= requirement.success;
}

bool is_hopeless(const Tried& tried, const Requirement& requirement) {
    return bounds(tried, requirement.confidence).high < requirement.success;
}

std::uint64_t least_runs(const Requirement& requirement) {
    const double z = boost::math::quantile(boost::math::normal(), requirement.confidence);
    auto runs = static_cast<std::uint64_t>(std::ceil(z * z * requirement.success / (1 - requirement.success)));
    // the formula and the bound round differently; the bound decides
    while (runs > 1 && is_sure({.factor = 1, .successes = runs - 1, .runs = runs - 1}, requirement)) --runs;
    while (!is_sure({.factor = 1, .successes = runs, .runs = runs}, requirement)) ++runs;
    return runs;
}

std::vector<double> falling_fit(std::span<const double> values, std::span<const double> weights) {
    struct Pool {
        double sum, weight;
        std::size_t count;
        double mean() const { return sum / weight; }
    };
    std::vector<Pool> pools;
    for (std::size_t i = 0; i < values.size(); ++i) {
        pools.push_back({values[i] * weights[i], weights[i], 1});
        while (pools.size() > 1 && pools.back().mean() > pools[pools.size() - 2].mean()) {
            const Pool last = pools.back();
            pools.pop_back();
            pools.back() = {pools.back().sum + last.sum, pools.back().weight + last.weight, pools.back().count + last.count};
        }
    }
    std::vector<double> out;
    for (const Pool& pool : pools) out.insert(out.end(), pool.count, pool.mean());
    return out;
}

std::optional<double> next_factor(const std::vector<Tried>& tried, const Requirement& requirement, const SearchOptions& options) {
    if (tried.empty()) return 1.0;
    std::vector<Tried> sorted = tried;
    sort_by_factor(sorted);
    const Edge edge = edge_of(sorted, requirement);
    if (!edge.unsure) return *edge.sure < options.largest ? std::optional(2 * *edge.sure) : std::nullopt;
    if (!edge.sure) {
        if (*edge.unsure == 0) return {};
        return *edge.unsure > options.least ? *edge.unsure / 2 : 0.0;
    }
    if (*edge.sure == 0 || *edge.unsure - *edge.sure <= options.tolerance * *edge.unsure) return {};
    return 0.5 * (*edge.sure + *edge.unsure);
}

Margin margin_of(std::vector<Tried> tried, const Requirement& requirement, const SearchOptions& options) {
    sort_by_factor(tried);
    Margin margin;
    margin.sure = edge_of(tried, requirement).sure;
    margin.is_at_limit = margin.sure && *margin.sure >= options.largest;
    std::vector<double> rates, weights;
    for (const Tried& t : tried) {
        rates.push_back(static_cast<double>(t.successes) / static_cast<double>(t.runs));
        weights.push_back(static_cast<double>(t.runs));
        if (is_hopeless(t, requirement) && !margin.hopeless) margin.hopeless = t.factor;
    }
    margin.fitted = falling_fit(rates, weights);
    for (std::size_t i = 1; i < tried.size(); ++i) {
        const double above = margin.fitted[i - 1], below = margin.fitted[i];
        if (!(above >= requirement.success && below < requirement.success)) continue;
        const double part = (above - requirement.success) / (above - below);
        margin.crossing = tried[i - 1].factor + part * (tried[i].factor - tried[i - 1].factor);
    }
    margin.curve = std::move(tried);
    return margin;
}

}  // namespace asperity::statistics
