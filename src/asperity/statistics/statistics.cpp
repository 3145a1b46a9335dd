#include "asperity/statistics/statistics.h"

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "asperity/core/errors.h"

namespace asperity::statistics {
namespace {

double student(double confidence, std::uint64_t count) {
    return boost::math::quantile(boost::math::students_t(static_cast<double>(count - 1)), 0.5 + confidence / 2);
}

// The order of doubles as an order of integers; -0 counts as 0.
std::uint64_t key_of(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x + 0.0);
    return bits >> 63 != 0 ? ~bits : bits | (std::uint64_t{1} << 63);
}

double value_of(std::uint64_t key) { return std::bit_cast<double>(key >> 63 != 0 ? key & ~(std::uint64_t{1} << 63) : ~key); }

// The values in order, -0 as 0; nothing where they are too many to keep.
std::optional<std::vector<double>> sorted_if_short(const ColumnSource& source) {
    constexpr std::size_t most = 65536;
    std::vector<double> values;
    source([&](std::span<const double> block) {
        for (std::size_t i = 0; i < block.size() && values.size() <= most; ++i)
            if (!std::isnan(block[i])) values.push_back(block[i] + 0.0);
    });
    if (values.size() > most) return {};
    std::sort(values.begin(), values.end());
    return values;
}

constexpr int digit_bits = 16;
constexpr std::size_t digits = std::size_t{1} << digit_bits;

// One reading: for each leading part of a key that still holds a wanted rank, how often each next digit follows it.
using Counts = std::map<std::uint64_t, std::vector<std::uint64_t>>;

void count_digits(const ColumnSource& source, int shift, Counts& counts) {
    std::vector<std::uint64_t> heads;  // sorted, as a map is
    std::vector<std::uint64_t*> tables;
    for (auto& [head, table] : counts) {
        table.assign(digits, 0);
        heads.push_back(head);
        tables.push_back(table.data());
    }
    source([&](std::span<const double> block) {
        for (const double x : block) {
            if (std::isnan(x)) continue;
            const std::uint64_t key = key_of(x), digit = (key >> shift) & (digits - 1);
            const std::uint64_t head = shift + digit_bits == 64 ? 0 : key >> (shift + digit_bits);
            const auto at = std::lower_bound(heads.begin(), heads.end(), head);
            if (at != heads.end() && *at == head) ++tables[static_cast<std::size_t>(at - heads.begin())][digit];
        }
    });
}

struct Search {
    std::uint64_t head = 0;  // of the key: what is known of it
    std::uint64_t rank = 0;  // among the keys with that head
    bool is_beyond = false;
};

// Adds the digit under which the rank lies.
void descend(const std::vector<std::uint64_t>& table, Search& search) {
    for (std::size_t digit = 0; digit < digits; ++digit) {
        if (search.rank < table[digit]) {
            search.head = search.head << digit_bits | digit;
            return;
        }
        search.rank -= table[digit];
    }
    search.is_beyond = true;
}

struct ColumnMoments {
    std::uint64_t count = 0, missing = 0;
    double mean = no_value, deviation = no_value, min = unbounded, max = -unbounded;
};

// (1) in two readings. The second is about the rounded mean, and takes out of the squares what that rounding brought in (Chan, Golub,
// LeVeque, Am. Stat. 37 (1983) 242); it is scaled by a power of two, so that no square over- or underflows.
ColumnMoments column_moments(const ColumnSource& source) {
    ColumnMoments m;
    CompensatedSum sum;
    source([&](std::span<const double> block) {
        for (const double x : block) {
            if (std::isnan(x)) {
                ++m.missing;
                continue;
            }
            ++m.count;
            sum.add(x);
            m.min = std::min(m.min, x);
            m.max = std::max(m.max, x);
        }
    });
    if (m.count == 0) return {.missing = m.missing, .min = no_value, .max = no_value};
    const auto n = static_cast<double>(m.count);
    m.mean = sum.value() / n;
    if (m.min == m.max) {
        m.mean = m.min;
        if (m.count > 1) m.deviation = std::isfinite(m.mean) ? 0 : no_value;
        return m;
    }
    const double reach = std::max(m.max - m.mean, m.mean - m.min);
    if (!std::isfinite(reach)) return m;
    const int exponent = std::ilogb(reach);
    CompensatedSum first, second;
    source([&](std::span<const double> block) {
        for (const double x : block) {
            if (std::isnan(x)) continue;
            const double d = std::ldexp(x - m.mean, -exponent);
            first.add(d);
            second.add(d * d);
        }
    });
    const double squares = second.value() - first.value() * first.value() / n;
    m.deviation = std::ldexp(std::sqrt(std::max(squares, 0.0) / (n - 1)), exponent);
    return m;
}

// (4), counted from 1; l is 0 or u is n + 1 where no order statistic bounds that side.
struct RankInterval {
    std::uint64_t low = 0, high = 0;
};

RankInterval rank_interval(std::uint64_t n, double p, double confidence) {
    const double tail = (1 - confidence) / 2;
    const boost::math::binomial binomial(static_cast<double>(n), p);
    const auto at_most = [&](std::uint64_t k) { return boost::math::cdf(binomial, static_cast<double>(k)); };
    const auto above = [&](std::uint64_t k) { return boost::math::cdf(boost::math::complement(binomial, static_cast<double>(k))); };
    // The least k in [0, n] at which a condition that stays true holds; n + 1 if none.
    const auto least = [n](const auto& holds) {
        std::uint64_t from = 0, to = n + 1;
        while (from < to) {
            const std::uint64_t middle = from + (to - from) / 2;
            if (holds(middle))
                to = middle;
            else
                from = middle + 1;
        }
        return from;
    };
    return {.low = least([&](std::uint64_t k) { return at_most(k) > tail; }),       // P(B <= l - 1) <= a/2 < P(B <= l)
            .high = least([&](std::uint64_t k) { return above(k) <= tail; }) + 1};  // P(B > u - 1) <= a/2
}

struct Place {
    std::uint64_t rank = 0;
    double fraction = 0;
};

// (3)
Place place_of(std::uint64_t count, double p) {
    const double h = static_cast<double>(count - 1) * p, rank = std::floor(h);
    return {.rank = static_cast<std::uint64_t>(rank), .fraction = h - rank};
}

double between(double low, double high, double fraction) { return fraction == 0 || low == high ? low : low + fraction * (high - low); }

// (3) and (4) of all probabilities in the same readings.
void fill_quantiles(const ColumnSource& source, const StatisticsOptions& options, ColumnStatistics& result) {
    const std::uint64_t n = result.count;
    std::vector<std::uint64_t> ranks;
    for (const double p : options.probabilities) {
        ASPERITY_REQUIRE(p >= 0 && p <= 1, "a quantile at {}", p);
        if (n == 0) continue;
        const Place place = place_of(n, p);
        const RankInterval bounds = rank_interval(n, p, options.confidence);
        // Rank n is beyond the last and stands for no bound; below 1 wraps to that too.
        ranks.insert(ranks.end(), {place.rank, std::min(place.rank + 1, n - 1), std::min(bounds.low - 1, n), bounds.high - 1});
    }
    const std::vector<double> found = order_statistics(source, ranks);
    for (std::size_t i = 0; i < options.probabilities.size(); ++i) {
        Quantile q{.probability = options.probabilities[i]};
        if (n > 0) {
            q.value = between(found[4 * i], found[4 * i + 1], place_of(n, q.probability).fraction);
            if (ranks[4 * i + 2] < n) q.interval.low = found[4 * i + 2];
            if (ranks[4 * i + 3] < n) q.interval.high = found[4 * i + 3];
        }
        result.quantiles.push_back(q);
    }
}

}  // namespace

void require_confidence(double confidence) {
    ASPERITY_REQUIRE(confidence > 0 && confidence < 1, "confidence {} is not between 0 and 1", confidence);
}

ColumnSource column_of(std::span<const double> values) {
    return [values](const BlockReader& reader) { reader(values); };
}

ColumnSource rows_of(std::vector<std::span<const double>> columns) {
    for (const auto& column : columns)
        ASPERITY_REQUIRE(column.size() == columns.front().size(), "columns of {} and {} rows", column.size(), columns.front().size());
    return [columns = std::move(columns)](const BlockReader& reader) {
        std::vector<double> row(columns.size());
        for (std::size_t i = 0; !columns.empty() && i < columns.front().size(); ++i) {
            for (std::size_t c = 0; c < columns.size(); ++c) row[c] = columns[c][i];
            reader(row);
        }
    };
}

std::size_t read_rows(const ColumnSource& source, std::size_t width, const BlockReader& row) {
    ASPERITY_REQUIRE(width > 0, "rows without values");
    std::vector<double> begun;  // a row that a block ended in
    source([&](std::span<const double> block) {
        if (!begun.empty()) {
            const std::size_t take = std::min(width - begun.size(), block.size());
            begun.insert(begun.end(), block.begin(), block.begin() + static_cast<std::ptrdiff_t>(take));
            block = block.subspan(take);
            if (begun.size() < width) return;
            row(begun);
            begun.clear();
        }
        for (; block.size() >= width; block = block.subspan(width)) row(block.first(width));
        begun.assign(block.begin(), block.end());
    });
    return begun.size();
}

std::vector<double> order_statistics(const ColumnSource& source, std::span<const std::uint64_t> ranks) {
    if (ranks.empty()) return {};
    if (const auto sorted = sorted_if_short(source)) {
        std::vector<double> found;
        for (const std::uint64_t rank : ranks) found.push_back(rank < sorted->size() ? (*sorted)[rank] : no_value);
        return found;
    }
    std::vector<Search> searches;
    for (const std::uint64_t rank : ranks) searches.push_back({.rank = rank});
    for (int shift = 64 - digit_bits; shift >= 0; shift -= digit_bits) {
        Counts counts;
        for (const Search& search : searches)
            if (!search.is_beyond) counts[search.head];
        count_digits(source, shift, counts);
        for (Search& search : searches)
            if (!search.is_beyond) descend(counts.at(search.head), search);
    }
    std::vector<double> found;
    for (const Search& search : searches) found.push_back(search.is_beyond ? no_value : value_of(search.head));
    return found;
}

std::vector<double> quantiles(const ColumnSource& source, std::uint64_t count, std::span<const double> probabilities) {
    if (count == 0) return std::vector<double>(probabilities.size(), no_value);
    std::vector<std::uint64_t> ranks;
    for (const double p : probabilities) {
        const Place place = place_of(count, p);
        ranks.insert(ranks.end(), {place.rank, std::min(place.rank + 1, count - 1)});
    }
    const std::vector<double> found = order_statistics(source, ranks);
    std::vector<double> values;
    for (std::size_t i = 0; i < probabilities.size(); ++i)
        values.push_back(between(found[2 * i], found[2 * i + 1], place_of(count, probabilities[i]).fraction));
    return values;
}

ColumnStatistics column_statistics(const ColumnSource& source, const StatisticsOptions& options) {
    require_confidence(options.confidence);
    const ColumnMoments m = column_moments(source);
    ColumnStatistics result{
        .count = m.count, .missing = m.missing, .mean = m.mean, .standard_deviation = m.deviation, .min = m.min, .max = m.max};
    const auto n = static_cast<double>(m.count);
    if (!std::isnan(m.deviation)) {
        const double half = student(options.confidence, m.count) * m.deviation / std::sqrt(n);  // (1)
        result.mean_interval = {m.mean - half, m.mean + half};
        const boost::math::chi_squared squares(n - 1);
        const double tail = (1 - options.confidence) / 2;
        const double most = boost::math::quantile(boost::math::complement(squares, tail)), least = boost::math::quantile(squares, tail);
        result.deviation_interval = {m.deviation * std::sqrt((n - 1) / most), m.deviation * std::sqrt((n - 1) / least)};  // (2)
    }
    fill_quantiles(source, options, result);
    return result;
}

ColumnStatistics column_statistics(std::span<const double> values, const StatisticsOptions& options) {
    return column_statistics(column_of(values), options);
}

Interval wilson(std::uint64_t successes, std::uint64_t count, double confidence) {
    require_confidence(confidence);
    ASPERITY_REQUIRE(successes <= count, "{} successes of {}", successes, count);
    if (count == 0) return {0, 1};
    const double z = boost::math::quantile(boost::math::normal(), 0.5 + confidence / 2), z2 = z * z;
    const auto n = static_cast<double>(count), k = static_cast<double>(successes);
    const double half = z * std::sqrt(k * (n - k) / n + z2 / 4);
    Interval interval{(k + z2 / 2 - half) / (n + z2), (k + z2 / 2 + half) / (n + z2)};  // (5)
    if (successes == 0) interval.low = 0;                                               // exactly, not to rounding
    if (successes == count) interval.high = 1;
    return interval;
}

double three_sigma_factor(std::uint64_t count, double probability) {
    const auto n = static_cast<double>(count);
    constexpr double largest = 1e6;  // above, the normal limit is within 0.3 % of its width, and the series have too many terms
    if (n > largest) return 3 + boost::math::quantile(boost::math::normal(), probability) * std::sqrt((1 + 4.5) / n);
    return boost::math::quantile(boost::math::non_central_t(n - 1, 3 * std::sqrt(n)), probability) / std::sqrt(n);  // (6)
}

std::uint64_t runs_for_upper_end(double probability, double confidence) {
    return static_cast<std::uint64_t>(std::ceil(std::log((1 - confidence) / 2) / std::log(probability)));  // (7)
}

void RunningMean::add(double x) {
    if (std::isnan(x)) return;
    if (++count_ == 1) first_ = x;
    const double from_first = x - first_, before = from_first - mean_;
    mean_ += before / static_cast<double>(count_);
    squares_ += before * (from_first - mean_);
}

double RunningMean::half_width(double confidence) const {
    require_confidence(confidence);
    if (count_ < 2) return unbounded;
    return student(confidence, count_) * std::sqrt(variance() / static_cast<double>(count_));
}

double RunningRate::half_width(double confidence) const {
    const Interval interval = wilson(successes_, count_, confidence);
    return (interval.high - interval.low) / 2;
}

}  // namespace asperity::statistics
