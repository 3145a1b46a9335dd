// f >= 0, a = A f + b >= 0, f . a = 0: both solvers against all 2^n sets of clamped contacts, in long double.
#include "asperity/numerics/complementarity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <random>
#include <vector>

#include "unit/numerics/projection.h"

namespace asperity::numerics::complementarity_test {
namespace {

using Row = std::vector<long double>;

// x with M x = y by Gauss with full row pivoting, nothing where M is singular to `least`.
std::optional<Row> solved(std::vector<Row> m, Row y, long double least) {
    const std::size_t n = y.size();
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t best = k;
        for (std::size_t i = k + 1; i < n; ++i)
            if (std::fabs(m[i][k]) > std::fabs(m[best][k])) best = i;
        if (std::fabs(m[best][k]) < least) return std::nullopt;
        std::swap(m[k], m[best]);
        std::swap(y[k], y[best]);
        for (std::size_t i = k + 1; i < n; ++i) {
            const long double factor = m[i][k] / m[k][k];
            for (std::size_t j = k; j < n; ++j) m[i][j] -= factor * m[k][j];
            y[i] -= factor * y[k];
        }
    }
    for (std::size_t k = n; k-- > 0;) {
        for (std::size_t j = k + 1; j < n; ++j) y[k] -= m[k][j] * y[j];
        y[k] /= m[k][k];
    }
    return y;
}

// a of the first set of clamped contacts that solves the problem; a is unique, f need not be.
std::optional<Row> brute_force(const Complementarity& problem) {
    const auto n = static_cast<std::size_t>(problem.n);
    for (std::size_t set = 0; set < (std::size_t{1} << n); ++set) {
        std::vector<int> in;
        for (std::size_t i = 0; i < n; ++i)
            if ((set >> i & 1) != 0) in.push_back(static_cast<int>(i));
        std::vector<Row> m(in.size(), Row(in.size()));
        Row y(in.size());
        for (std::size_t i = 0; i < in.size(); ++i) {
            y[i] = -problem.b[static_cast<std::size_t>(in[i])];
            for (std::size_t j = 0; j < in.size(); ++j) m[i][j] = problem.at(in[i], in[j]);
        }
        const auto x = solved(m, y, 1e-12L);
        if (!x) continue;
        Row a(n);
        bool is_solution = true;
        for (std::size_t i = 0; i < n; ++i) {
            a[i] = problem.b[i];
            for (std::size_t j = 0; j < in.size(); ++j) a[i] += problem.at(static_cast<int>(i), in[j]) * (*x)[j];
            is_solution = is_solution && a[i] > -1e-13L;
        }
        for (const long double f : *x) is_solution = is_solution && f > -1e-13L;
        if (is_solution) return a;
    }
    return std::nullopt;
}

// B^T B of n columns in `rank` dimensions, b = -B^T c: then a solution exists, as it does for contacts (c: what drives them together).
Complementarity random_problem(std::mt19937_64& random, int n, int rank, double degenerate) {
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> chance;
    std::vector<std::vector<double>> columns(static_cast<std::size_t>(n), std::vector<double>(static_cast<std::size_t>(rank)));
    std::vector<double> c(static_cast<std::size_t>(rank));
    for (double& value : c) value = normal(random);
    for (auto& column : columns)
        for (double& value : column) value = normal(random);
    Complementarity problem{.n = n};
    for (int i = 0; i < n; ++i) {
        auto& column = columns[static_cast<std::size_t>(i)];
        if (i > 0 && chance(random) < degenerate) column = columns[static_cast<std::size_t>(i - 1)];  // the same contact twice
    }
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < rank; ++k) {
            const double value = columns[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)];
            problem.b[static_cast<std::size_t>(i)] -= value * c[static_cast<std::size_t>(k)];
            for (int j = 0; j < n; ++j) problem.at(i, j) += value * columns[static_cast<std::size_t>(j)][static_cast<std::size_t>(k)];
        }
        if (chance(random) < degenerate) problem.b[static_cast<std::size_t>(i)] = std::fmax(0.0, problem.b[static_cast<std::size_t>(i)]);
    }
    return problem;
}

void expect_solves(const Complementarity& problem, const ComplementaritySolution& got, double tolerance) {
    ASSERT_TRUE(got.is_solved);
    for (int i = 0; i < problem.n; ++i) {
        long double a = problem.b[static_cast<std::size_t>(i)];
        for (int j = 0; j < problem.n; ++j) a += static_cast<long double>(problem.at(i, j)) * got.f[static_cast<std::size_t>(j)];
        EXPECT_GE(got.f[static_cast<std::size_t>(i)], 0);
        EXPECT_NEAR(static_cast<double>(a), got.a[static_cast<std::size_t>(i)], tolerance);
        EXPECT_GE(got.a[static_cast<std::size_t>(i)], 0);
        EXPECT_EQ(got.a[static_cast<std::size_t>(i)] * got.f[static_cast<std::size_t>(i)], 0);
    }
}

TEST(Complementarity, PivotingAgreesWithAllSetsOfClampedContacts) {
    std::mt19937_64 random(20260101);
    int most = 0;
    for (int run = 0; run < 400; ++run) {
        const int n = 1 + run % 7;
        const Complementarity problem = random_problem(random, n, n + 1, 0);
        const ComplementaritySolution got = pivoting(problem);
        expect_solves(problem, got, 1e-10);
        const auto wanted = brute_force(problem);
        ASSERT_TRUE(wanted.has_value());
        for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) EXPECT_NEAR(got.a[i], static_cast<double>((*wanted)[i]), 1e-9);
        most = std::max(most, got.pivots);
    }
    EXPECT_LE(most, 40);  // 2^7 sets are looked at by brute force
}

TEST(Complementarity, SingularMatricesAndDegenerateLoads) {
    std::mt19937_64 random(20260102);
    for (int run = 0; run < 400; ++run) {
        const int n = 2 + run % 6;
        const Complementarity problem = random_problem(random, n, 1 + run % 4, run % 2 == 0 ? 0.3 : 0.0);
        const auto wanted = brute_force(problem);
        ASSERT_TRUE(wanted.has_value());
        const ComplementaritySolution got = pivoting(problem);
        expect_solves(problem, got, 1e-9);
        for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) EXPECT_NEAR(got.a[i], static_cast<double>((*wanted)[i]), 1e-8);
    }
}

TEST(Complementarity, ProjectionIsTheSameProblem) {
    std::mt19937_64 random(20260103);
    for (int run = 0; run < 300; ++run) {
        const int n = 1 + run % 16;
        const Complementarity problem = random_problem(random, n, n + 2, 0);
        const ComplementaritySolution pivoted = pivoting(problem), projected = projection(problem);
        expect_solves(problem, pivoted, 1e-8);
        expect_solves(problem, projected, 1e-8);
        for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
            EXPECT_NEAR(pivoted.f[i], projected.f[i], 1e-7 * (1 + pivoted.f[i]));
            EXPECT_NEAR(pivoted.a[i], projected.a[i], 1e-8);
        }
    }
}

TEST(Complementarity, NothingToDoAndNothingThatHelps) {
    Complementarity free{.n = 2};
    free.at(0, 0) = free.at(1, 1) = 1;
    free.b = {1, 0};
    const ComplementaritySolution open = pivoting(free);
    EXPECT_TRUE(open.is_solved);
    EXPECT_EQ(open.pivots, 0);
    EXPECT_EQ(open.f[0], 0);
    EXPECT_EQ(open.a[0], 1);

    Complementarity immovable{.n = 1};  // a force that moves nothing cannot stop what approaches
    immovable.b = {-1};
    EXPECT_FALSE(pivoting(immovable).is_solved);
}

// Three equal spheres in touch on a line and in a triangle, pressed by their own gravity (units G m / d^2 = 1, m = 1): outer forces by
// hand.
TEST(Complementarity, ThreeSpheres) {
    Complementarity line{.n = 2};  // contacts 1-2 and 2-3; the outer ones attract each other with 1/4
    line.at(0, 0) = line.at(1, 1) = 2;
    line.at(0, 1) = line.at(1, 0) = -1;
    line.b = {-1.25, -1.25};
    const ComplementaritySolution on_line = pivoting(line);
    EXPECT_NEAR(on_line.f[0], 1.25, 1e-15);
    EXPECT_NEAR(on_line.f[1], 1.25, 1e-15);

    Complementarity triangle{.n = 3};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) triangle.at(i, j) = i == j ? 2 : 0.5;
    triangle.b = {-3, -3, -3};
    const ComplementaritySolution in_triangle = pivoting(triangle);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(in_triangle.f[i], 1, 1e-15);
}

}  // namespace
}  // namespace asperity::numerics::complementarity_test
