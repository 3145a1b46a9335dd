#include "asperity/study/rest_map.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "asperity/core/random.h"

namespace asperity::study::rest_map_test {
namespace {

constexpr double degrees = 57.295779513082320877;

std::size_t cell(int longitude, int latitude) { return static_cast<std::size_t>(latitude * rest_longitudes + longitude); }

TEST(RestMap, counts_each_facet) {
    const std::vector<double> facet{0, 2, 2, statistics::no_value, 3, 7, -1};
    const std::vector<std::uint64_t> wanted{1, 0, 2, 1};
    EXPECT_EQ(rests_per_facet(statistics::column_of(facet), 4), wanted);
}

TEST(RestMap, cells_are_those_of_longitude_and_of_the_sine_of_latitude) {
    // the poles, both ends of the turn, the equator's two sides; run 6 flies on
    const std::vector<double> latitude{90, -90, 0.1, -0.1, 30 + 1e-9, 30 - 1e-9, 0.1}, longitude{0, 0, 180, -180, 7, 7, 7};
    const std::vector<double> facet{1, 1, 1, 1, 1, 1, statistics::no_value};
    const auto counts = rests_per_cell(statistics::column_of(facet), statistics::column_of(latitude), statistics::column_of(longitude));
    EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}), 6u);
    EXPECT_EQ(counts[cell(12, 11)], 1u);
    EXPECT_EQ(counts[cell(12, 0)], 1u);
    EXPECT_EQ(counts[cell(23, 6)], 1u);
    EXPECT_EQ(counts[cell(0, 5)], 1u);
    EXPECT_EQ(counts[cell(12, 9)], 1u);  // sine 1/2: the border of bands 8 and 9
    EXPECT_EQ(counts[cell(12, 8)], 1u);
}

// Directions drawn evenly over the sphere fill all cells alike: chi-squared of 287 degrees is 287 +- 24, below 430 but once in 1e7.
TEST(RestMap, cells_have_equal_areas) {
    constexpr std::size_t count = 200000;
    std::vector<double> latitude, longitude, facet(count, 0);
    for (std::size_t i = 0; i < count; ++i) {
        latitude.push_back(degrees * std::asin(2 * random_uniform({.seed = 5}, 2 * i) - 1));
        longitude.push_back(360 * random_uniform({.seed = 5}, 2 * i + 1) - 180);
    }
    const auto counts = rests_per_cell(statistics::column_of(facet), statistics::column_of(latitude), statistics::column_of(longitude));
    const double mean = static_cast<double>(count) / (rest_longitudes * rest_latitudes);
    double chi = 0;
    for (const std::uint64_t n : counts) chi += (static_cast<double>(n) - mean) * (static_cast<double>(n) - mean) / mean;
    EXPECT_LT(chi, 430);
    EXPECT_GT(chi, 180);
}

}  // namespace
}  // namespace asperity::study::rest_map_test
