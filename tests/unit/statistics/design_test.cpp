// Designs: strata counted one by one, the Sobol sequence against Boost's engine and the net property, uniformity by Kolmogorov and
// chi-square.
#include "asperity/statistics/design.h"

#include <boost/random/sobol.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "asperity/core/errors.h"

namespace asperity::statistics::design_test {
namespace {

using Points = std::vector<std::vector<double>>;

Points points_of(const Design& design) {
    Points points(design.runs(), std::vector<double>(design.spec().axes));
    for (std::uint64_t run = 0; run < design.runs(); ++run) design.sample(run, points[run]);
    return points;
}

Points points_of(const DesignSpec& spec) { return points_of(Design(spec)); }

const std::vector<DesignSpec> every_kind{
    {DesignKind::monte_carlo, 5, 3, 200, {}}, {DesignKind::latin_hypercube, 5, 3, 200, {}},    {DesignKind::sobol, 5, 3, 200, {}},
    {DesignKind::grid, 5, 3, 0, {3, 4, 5}},   {DesignKind::one_at_a_time, 5, 3, 0, {3, 4, 5}}, {DesignKind::sobol_indices, 5, 3, 200, {}}};

TEST(Design, a_point_does_not_depend_on_what_was_asked_before) {
    for (const DesignSpec& spec : every_kind) {
        const Points forwards = points_of(spec);
        const Design again(spec);
        std::vector<double> u(3);
        for (std::uint64_t k = 0; k < again.runs(); ++k) {
            const std::uint64_t run = (k * 7919 + 13) % again.runs();
            again.sample(run, u);
            EXPECT_EQ(u, forwards[run]) << static_cast<int>(spec.kind) << " " << run;
        }
    }
}

TEST(Design, every_coordinate_is_strictly_inside_the_unit_interval) {
    for (DesignSpec spec : every_kind) {
        if (spec.levels.empty()) spec.runs = 20000;
        for (const auto& point : points_of(spec)) {
            for (const double u : point) EXPECT_TRUE(u > 0 && u < 1) << u;
        }
    }
}

TEST(Design, a_longer_design_keeps_the_runs_of_an_extendable_one_and_only_of_those) {
    for (DesignSpec spec : every_kind) {
        if (!spec.levels.empty()) continue;
        const Design shorter(spec);
        const Points first = points_of(shorter);
        spec.runs = 1000;
        Points longer = points_of(spec);
        longer.resize(first.size());
        EXPECT_EQ(longer == first, shorter.is_extendable()) << static_cast<int>(spec.kind);
        EXPECT_EQ(shorter.is_extendable(), spec.kind != DesignKind::latin_hypercube);
    }
    EXPECT_FALSE(Design(every_kind[3]).is_extendable());
    EXPECT_FALSE(Design(every_kind[4]).is_extendable());
}

TEST(Design, another_seed_gives_other_points) {
    for (DesignSpec spec : every_kind) {
        const Points first = points_of(spec);
        spec.seed = 6;
        EXPECT_EQ(points_of(spec) == first, !spec.levels.empty()) << static_cast<int>(spec.kind);
    }
}

double kolmogorov(std::vector<double> sample) {
    std::sort(sample.begin(), sample.end());
    const auto n = static_cast<double>(sample.size());
    double distance = 0;
    for (std::size_t i = 0; i < sample.size(); ++i) {
        const auto k = static_cast<double>(i);
        distance = std::max({distance, sample[i] - k / n, (k + 1) / n - sample[i]});
    }
    return distance;
}

std::vector<double> column(const Points& points, std::size_t axis) {
    std::vector<double> values;
    for (const auto& point : points) values.push_back(point[axis]);
    return values;
}

double correlation(const std::vector<double>& x, const std::vector<double>& y) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += 12 * (x[i] - 0.5) * (y[i] - 0.5);
    return sum / static_cast<double>(x.size());
}

TEST(Design, monte_carlo_is_uniform_and_its_axes_are_independent) {
    const Points points = points_of({DesignKind::monte_carlo, 1, 8, 20000, {}});
    const double root_n = std::sqrt(20000.0);
    for (std::size_t i = 0; i < 8; ++i) {
        const std::vector<double> x = column(points, i);
        EXPECT_LT(root_n * kolmogorov(x), 1.95) << i;
        for (std::size_t k = 0; k < i; ++k) EXPECT_LT(root_n * std::fabs(correlation(x, column(points, k))), 4) << i << " " << k;
        std::vector<double> next(x.begin() + 1, x.end());
        next.push_back(x.front());
        EXPECT_LT(root_n * std::fabs(correlation(x, next)), 4) << i;
    }
}

TEST(Design, latin_hypercube_has_one_point_in_every_stratum_of_every_axis) {
    for (std::uint64_t n = 1; n <= 4100; n = n < 70 ? n + 1 : n * 9 / 8) {
        const Points points = points_of({DesignKind::latin_hypercube, n, 3, n, {}});
        for (std::size_t axis = 0; axis < 3; ++axis) {
            std::vector<int> hits(n);
            for (const auto& point : points) ++hits[static_cast<std::size_t>(point[axis] * static_cast<double>(n))];
            EXPECT_EQ(std::count(hits.begin(), hits.end(), 1), static_cast<std::ptrdiff_t>(n)) << n << " " << axis;
        }
    }
}

TEST(Design, latin_hypercube_stays_in_its_stratum_at_the_largest_size) {
    const std::uint64_t n = std::uint64_t{1} << 32;
    const Design design({DesignKind::latin_hypercube, 3, 1, n, {}});
    std::vector<double> u(1);
    for (std::uint64_t run = 0; run < 2000; ++run) {
        design.sample(run * 2147483, u);
        EXPECT_EQ(static_cast<std::uint64_t>(u[0] * 0x1p32), permuted(run * 2147483, n, 3, 0));
    }
}

TEST(Design, latin_hypercube_axes_are_uncorrelated_and_uniform_within_strata) {
    // Correlation of two random permutations of n has variance 1 / (n - 1); so has that of a permutation with the run number.
    double largest = 0, sum = 0;
    int pairs = 0;
    const std::size_t n = 300, axes = 40;
    const Points points = points_of({DesignKind::latin_hypercube, 11, axes, n, {}});
    std::vector<double> order(n), within;
    for (std::size_t k = 0; k < n; ++k) order[k] = (static_cast<double>(k) + 0.5) / n;
    for (std::size_t i = 0; i < axes; ++i) {
        for (std::size_t k = 0; k <= i; ++k) {
            const double r = std::sqrt(n - 1.0) * correlation(column(points, i), k == i ? order : column(points, k));
            largest = std::max(largest, std::fabs(r));
            sum += r * r;
            ++pairs;
        }
        for (const double u : column(points, i)) within.push_back(u * n - std::floor(u * n));
    }
    EXPECT_LT(largest, 4.2);                                  // of 820 normal numbers
    EXPECT_NEAR(sum / pairs, 1, 5 * std::sqrt(2.0 / pairs));  // neither too large nor too small
    EXPECT_LT(std::sqrt(static_cast<double>(within.size())) * kolmogorov(within), 1.95);
}

TEST(Design, every_permutation_of_four_is_as_likely_as_any_other) {
    std::map<std::vector<std::uint64_t>, int> counts;
    const int trials = 24 * 400;
    for (int seed = 0; seed < trials; ++seed) {
        std::vector<std::uint64_t> image;
        for (std::uint64_t i = 0; i < 4; ++i) image.push_back(permuted(i, 4, static_cast<std::uint64_t>(seed), 2));
        ++counts[image];
    }
    EXPECT_EQ(counts.size(), 24u);
    double chi_square = 0;
    for (const auto& [image, count] : counts) chi_square += std::pow(count - 400.0, 2) / 400;
    EXPECT_LT(chi_square, 49.7);  // 23 degrees of freedom, 0.1 %
    EXPECT_GT(chi_square, 7.5);
}

TEST(Design, the_unscrambled_sequence_is_that_of_boost_and_of_joe_and_kuo) {
    for (const std::size_t axes : {std::size_t{1}, std::size_t{2}, std::size_t{17}, SobolSequence::most_axes}) {
        boost::random::sobol_engine<std::uint32_t, 32> engine(axes);  // leaves out the origin
        const SobolSequence sequence(axes);
        for (std::uint64_t index = 1; index < (axes > 100 ? 300u : 5000u); ++index) {
            for (std::size_t axis = 0; axis < axes; ++axis) ASSERT_EQ(sequence.point(index, axis), engine()) << index << " " << axis;
        }
        engine.seed(0xfffffff0u - 1);  // far out: all 32 direction numbers
        for (std::uint64_t index = 0xfffffff0u; index < 0xfffffff8u; ++index) {
            for (std::size_t axis = 0; axis < axes; ++axis) ASSERT_EQ(sequence.point(index, axis), engine()) << index << " " << axis;
        }
    }
    // The first points in three dimensions as Joe and Kuo print them with their program.
    const double printed[5][3] = {{0, 0, 0}, {0.5, 0.5, 0.5}, {0.75, 0.25, 0.25}, {0.25, 0.75, 0.75}, {0.375, 0.375, 0.625}};
    const SobolSequence sequence(3);
    for (std::uint64_t index = 0; index < 5; ++index) {
        for (std::size_t axis = 0; axis < 3; ++axis) EXPECT_EQ(sequence.point(index, axis) * 0x1p-32, printed[index][axis]);
    }
}

// Points first .. first + 2^m - 1 in boxes of 2^-d_i along axis i: every box must hold 2^(m - sum d).
void expect_even_boxes(const Design& design, std::uint64_t first, int m, const std::vector<int>& d) {
    std::map<std::vector<int>, int> boxes;
    std::vector<double> u(design.spec().axes);
    for (std::uint64_t run = first; run < first + (std::uint64_t{1} << m); ++run) {
        design.sample(run, u);
        std::vector<int> box;
        for (std::size_t i = 0; i < d.size(); ++i) box.push_back(static_cast<int>(std::ldexp(u[i], d[i])));
        ++boxes[box];
    }
    const int sum = std::accumulate(d.begin(), d.end(), 0);
    EXPECT_EQ(boxes.size(), std::size_t{1} << sum) << m << " " << first;
    for (const auto& [box, count] : boxes) ASSERT_EQ(count, 1 << (m - sum)) << m << " " << first;
}

// t of the first s axes is at most the sum of degree - 1 over their polynomials (degrees 1, 1, 2, 3): 0, 0, 1, 3 (Sobol 1967).
TEST(Design, scrambled_sobol_points_fill_every_elementary_interval) {
    const Design design({DesignKind::sobol, 99, 4, 4096, {}});
    for (const int m : {0, 1, 2, 5, 8, 10}) {
        for (const std::uint64_t block : {0u, 1u, 6u}) {
            const std::uint64_t first = block << m;
            for (int a = 0; a <= m; ++a) expect_even_boxes(design, first, m, {a, m - a});
            for (int a = 0; a <= m - 1; ++a) {
                for (int b = 0; a + b <= m - 1; ++b) expect_even_boxes(design, first, m, {a, b, m - 1 - a - b});
            }
            if (m >= 5) expect_even_boxes(design, first, m, {1, 1, m - 5, 0});
            if (m >= 8) expect_even_boxes(design, first, m, {1, 1, 2, m - 7});
        }
    }
    // One axis at a time every axis is a (0, m, 1)-net.
    const Design wide({DesignKind::sobol, 3, 400, 1024, {}});
    const Points points = points_of(wide);
    for (std::size_t axis = 0; axis < 400; ++axis) {
        std::vector<int> hits(1024);
        for (const auto& point : points) ++hits[static_cast<std::size_t>(point[axis] * 1024)];
        EXPECT_EQ(std::count(hits.begin(), hits.end(), 1), 1024) << axis;
    }
}

TEST(Design, scrambling_makes_each_point_uniform_over_the_seeds) {
    const SobolSequence sequence(2);
    std::vector<double> first, second;
    for (std::uint64_t seed = 0; seed < 20000; ++seed) {
        first.push_back(scrambled(sequence.point(37, 0), seed, 0));
        second.push_back(scrambled(sequence.point(37, 1), seed, 1));
    }
    const double root_n = std::sqrt(20000.0);
    EXPECT_LT(root_n * kolmogorov(first), 1.95);
    EXPECT_LT(root_n * kolmogorov(second), 1.95);
    EXPECT_LT(root_n * std::fabs(correlation(first, second)), 4);
    // Two points that share three digits: with the prefix removed they are independent, as under a digital shift they would not be.
    std::vector<double> below, other;
    for (std::uint64_t seed = 0; seed < 20000; ++seed) {
        const double a = 8 * scrambled(0b101'1u << 28, seed, 0), b = 8 * scrambled(0b101'01u << 27, seed, 0);
        EXPECT_EQ(std::floor(a), std::floor(b));
        below.push_back(2 * (a - std::floor(a)) - std::floor(2 * (a - std::floor(a))));
        other.push_back(2 * (b - std::floor(b)) - std::floor(2 * (b - std::floor(b))));
    }
    EXPECT_LT(root_n * std::fabs(correlation(below, other)), 4);
}

// Warnock's formula for the L2 star discrepancy, squared.
double discrepancy(const Points& points) {
    const auto n = static_cast<double>(points.size());
    const std::size_t axes = points[0].size();
    double single = 0, pairs = 0;
    for (const auto& x : points) {
        double product = 1;
        for (const double u : x) product *= (1 - u * u) / 2;
        single += product;
        for (const auto& y : points) {
            double both = 1;
            for (std::size_t i = 0; i < axes; ++i) both *= 1 - std::max(x[i], y[i]);
            pairs += both;
        }
    }
    return std::pow(3, -static_cast<double>(axes)) - 2 * single / n + pairs / (n * n);
}

TEST(Design, discrepancy_falls_from_monte_carlo_over_latin_hypercube_to_sobol) {
    const std::size_t axes = 4;
    const double n = 1024;
    const double random = (std::pow(0.5, axes) - std::pow(1.0 / 3, axes)) / n;  // expected of independent points
    double carlo = 0, latin = 0, sobol = 0;
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        carlo += discrepancy(points_of({DesignKind::monte_carlo, seed, axes, 1024, {}})) / 5;
        latin += discrepancy(points_of({DesignKind::latin_hypercube, seed, axes, 1024, {}})) / 5;
        sobol += discrepancy(points_of({DesignKind::sobol, seed, axes, 1024, {}})) / 5;
    }
    EXPECT_NEAR(carlo / random, 1, 0.7);
    EXPECT_LT(latin, 0.8 * random);
    EXPECT_LT(sobol, random / 20);
}

TEST(Design, a_grid_has_every_combination_with_the_last_axis_fastest) {
    const Points points = points_of(every_kind[3]);
    ASSERT_EQ(points.size(), 60u);
    std::size_t run = 0;
    for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 4; ++b) {
            for (int c = 0; c < 5; ++c) EXPECT_EQ(points[run++], (std::vector<double>{(a + 0.5) / 3, (b + 0.5) / 4, (c + 0.5) / 5}));
        }
    }
}

TEST(Design, one_at_a_time_moves_one_axis_off_the_middle) {
    const Points points = points_of({DesignKind::one_at_a_time, 0, 3, 0, {2, 1, 4}});
    const Points expected{{0.5, 0.5, 0.5},   {0.25, 0.5, 0.5},  {0.75, 0.5, 0.5},  {0.5, 0.5, 0.5},
                          {0.5, 0.5, 0.125}, {0.5, 0.5, 0.375}, {0.5, 0.5, 0.625}, {0.5, 0.5, 0.875}};
    EXPECT_EQ(points, expected);
}

TEST(Design, sobol_indices_come_in_blocks_of_a_b_and_their_mixtures) {
    const std::size_t k = 3;
    const Design design({DesignKind::sobol_indices, 8, k, 64 * (k + 2) - 1, {}});
    ASSERT_EQ(design.runs(), 64 * (k + 2));
    const Design base({DesignKind::sobol, 8, 2 * k, 64, {}});
    const Points points = points_of(design), both = points_of(base);
    for (std::uint64_t run = 0; run < design.runs(); ++run) {
        const SobolBlock block = design.block_of(run);
        EXPECT_EQ(block.base, run / 5);
        EXPECT_EQ(block.role, run % 5 == 0 ? SobolRole::a : run % 5 == 1 ? SobolRole::b : SobolRole::mixed);
        EXPECT_EQ(block.axis, block.role == SobolRole::mixed ? run % 5 - 2 : 0);
        for (std::size_t i = 0; i < k; ++i) {
            const bool is_b = run % 5 == 1 || run % 5 == i + 2;
            EXPECT_EQ(points[run][i], both[block.base][is_b ? k + i : i]);
        }
    }
    EXPECT_THROW(base.block_of(0), Bug);
}

// Saltelli's estimators on x0 + 2 x1 + 4 x0 x2: the closed form is worked out by hand from E[x] = 1/2 and var(x) = 1/12.
TEST(Design, sobol_indices_of_a_polynomial_come_out) {
    const Design design({DesignKind::sobol_indices, 2, 3, 4096 * 5, {}});
    const auto f = [](const std::vector<double>& x) { return x[0] + 2 * x[1] + 4 * x[0] * x[2]; };
    const double v0 = 9.0 / 12, v1 = 4.0 / 12, v2 = 4.0 / 12, v02 = 16.0 / 144, v = v0 + v1 + v2 + v02;
    const double main[3] = {v0 / v, v1 / v, v2 / v}, total[3] = {(v0 + v02) / v, v1 / v, (v2 + v02) / v};
    double first[3] = {}, whole[3] = {};
    std::vector<double> value(design.runs());
    std::vector<double> u(3);
    for (std::uint64_t run = 0; run < design.runs(); ++run) {
        design.sample(run, u);
        value[run] = f(u);
    }
    for (std::uint64_t run = 0; run < design.runs(); ++run) {
        const SobolBlock block = design.block_of(run);
        if (block.role != SobolRole::mixed) continue;
        const double a = value[block.base * 5], b = value[block.base * 5 + 1], ab = value[run];
        first[block.axis] += b * (ab - a) / 4096 / v;
        whole[block.axis] += 0.5 * (a - ab) * (a - ab) / 4096 / v;
    }
    for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(first[i], main[i], 0.01) << i;
        EXPECT_NEAR(whole[i], total[i], 0.01) << i;
    }
}

std::string only_problem(const DesignSpec& spec) {
    const std::vector<std::string> list = problems(spec);
    EXPECT_EQ(list.size(), 1u);
    EXPECT_THROW(Design{spec}, InputError);
    return list.empty() ? "" : list.front();
}

TEST(Design, what_is_impossible_is_said_with_a_way_out) {
    for (const DesignSpec& spec : every_kind) EXPECT_TRUE(problems(spec).empty());
    const std::uint64_t many = (std::uint64_t{1} << 32) + 1;
    EXPECT_EQ(only_problem({DesignKind::sobol, 0, 0, 1, {}}), "no parameter is varied; name at least one");
    EXPECT_EQ(only_problem({DesignKind::monte_carlo, 0, 1, 0, {}}), "0 runs; ask for at least 1");
    EXPECT_EQ(only_problem({DesignKind::latin_hypercube, 0, 1, many, {}}),
              "4294967297 points; this design has at most 2^32, monte_carlo any number");
    EXPECT_EQ(only_problem({DesignKind::sobol_indices, 0, 2, 4 * many, {}}),
              "4294967297 points; this design has at most 2^32, monte_carlo any number");
    EXPECT_EQ(only_problem({DesignKind::sobol, 0, 3668, 1, {}}),
              "3668 parameters; this design has at most 3667, latin_hypercube any number");
    EXPECT_EQ(only_problem({DesignKind::sobol_indices, 0, 1834, 1, {}}),
              "1834 parameters; this design has at most 1833, latin_hypercube any number");
    EXPECT_EQ(only_problem({DesignKind::sobol, 0, 2, 8, {2, 2}}),
              "levels belong to the designs grid and one_at_a_time; leave them out, or choose one of those");
    EXPECT_EQ(only_problem({DesignKind::grid, 0, 2, 0, {3}}), "1 numbers of levels for 2 parameters; give one for each");
    EXPECT_EQ(only_problem({DesignKind::grid, 0, 2, 0, {3, 0}}), "a parameter has 0 levels; give at least 1");
    EXPECT_EQ(only_problem({DesignKind::grid, 0, 3, 0, {1u << 20, 1u << 20, 1u << 20}}),
              "the levels multiply to more than 2^53 runs; give fewer, or use a sobol design");
    EXPECT_TRUE(problems({DesignKind::monte_carlo, 0, 1, many, {}}).empty());
    EXPECT_TRUE(problems({DesignKind::sobol, 0, 3667, many - 1, {}}).empty());
}

}  // namespace
}  // namespace asperity::statistics::design_test
