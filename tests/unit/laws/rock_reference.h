// Closed forms of docs/theory/rocks.md, integrated over the sizes by Simpson's rule: what samplers are compared with.
#pragma once
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "asperity/core/rock_population.h"

namespace asperity::laws::test {

// int n(a) f(a) da, with the rocks of the largest size.
template <class F>
double over_rocks(const RockPopulation& rocks, double least, F&& f, int parts = 2000) {
    const auto number = [&](double a) { return rocks.number_per_area * std::pow(2 * a / rocks.reference_diameter, -rocks.exponent); };
    const double low = std::max(least, rocks.smallest / 2), high = rocks.largest / 2;
    double sum = 0;
    if (low < high)
        for (int k = 0; k <= parts; ++k) {
            const double a = std::min(high, low * std::pow(high / low, static_cast<double>(k) / parts));
            sum += (k == 0 || k == parts ? 1 : k % 2 == 1 ? 4 : 2) * rocks.exponent * number(a) * f(a);
        }
    sum *= std::log(high / low) / (3 * parts);
    return (low < high ? sum : 0) + (low <= high ? number(high) * f(high) : 0);
}

// The area of the places at which a rock is met above height z (docs/theory/rocks.md, 4 and 5); b = R + a.
inline double met_area(double b, double z, double angle) {
    if (z >= b) return 0;
    const double cos_cap = z / b, sin2_cap = 1 - cos_cap * cos_cap;
    const double disc = std::numbers::pi * b * b * sin2_cap;
    if (cos_cap >= std::sin(angle)) return disc;
    const double limb = std::acos(cos_cap / std::sin(angle));
    const double rim = std::acos(cos_cap / std::sqrt(sin2_cap) / std::tan(angle));
    const double half_moon = (limb - std::sin(limb) * std::cos(limb)) / std::cos(angle);
    return b * b * (sin2_cap * (std::numbers::pi - rim + std::sin(rim) * std::cos(rim)) + half_moon);
}

// How many rocks are met above height z, on average.
inline double met_above(const RockPopulation& rocks, double radius, double z, double angle) {
    return over_rocks(
        rocks, z - radius, [&](double a) { return met_area(radius + a, z, angle); }, 200);
}

// sqrt(n) times the largest difference between two distributions of heights; above 2.23 once in 10,000 where they are the same.
// `not_above(z)`: the probability that nothing is met above z. Heights are those of rocks only, out of `count` draws.
template <class F>
double kolmogorov(std::vector<double> heights, std::size_t count, double low, double high, F&& not_above) {
    std::sort(heights.begin(), heights.end());
    double most = 0;
    constexpr int places = 300;
    for (int k = 0; k < places; ++k) {
        const double part = static_cast<double>(k) / places, z = low + (high - low) * part * part * part;  // most are met low
        const auto above = static_cast<double>(heights.end() - std::upper_bound(heights.begin(), heights.end(), z));
        most = std::max(most, std::fabs(1 - above / static_cast<double>(count) - not_above(z)));
    }
    return most * std::sqrt(static_cast<double>(count));
}

inline constexpr double kolmogorov_limit = 2.23;

}  // namespace asperity::laws::test
