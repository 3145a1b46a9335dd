// How a leaf of the fast field lies in memory, and its polynomial at a point.
//
// LeafHead, indices of near facets, coefficients. Coefficients lie in groups of four i: for each group, k, j the up to four that belong to
// the index set; so that a row is one load and the sums over j and k run in registers. The terms 1, x, y, z are in the head, in double
// precision, so that the potentials of neighbours join; their places among the coefficients hold zero.
#pragma once
#include <immintrin.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "asperity/core/vec3.h"
#include "asperity/gravity/cube_polynomial.h"
#include "asperity/gravity/simd_math.h"

namespace asperity::gravity {

struct LeafHead {
    double low[4];  // of 1, x, y, z, m^2
    std::int32_t degree;
    std::int32_t near;  // number of facets, filled up to a multiple of four
};
static_assert(sizeof(LeafHead) == 40);

inline constexpr std::uint64_t leaf_bit = std::uint64_t{1} << 63;
inline constexpr std::uint64_t absent_cell = ~std::uint64_t{0};

namespace detail {

// The order of the rows of a degree: how many j there are for each group of i and each k, and how many coefficients in each row.
struct RowPlan {
    std::uint8_t counts[(highest_degree / 4 + 1) * (highest_degree + 1)] = {};
    std::uint8_t widths[800] = {};
    std::int32_t terms = 0;
};

constexpr RowPlan make_row_plan(int n) {
    RowPlan plan;
    std::size_t group = 0, row = 0;
    for (int first = 0; first <= n; first += 4)
        for (int k = 0; k <= n; ++k) {
            std::uint8_t count = 0;
            for (int j = 0; j <= n; ++j) {
                std::uint8_t width = 0;
                for (int i = first; i < first + 4; ++i)
                    if (i * i + j * j + k * k <= n * n) ++width;
                if (width == 0) break;
                plan.widths[row++] = width;
                plan.terms += width;
                ++count;
            }
            plan.counts[group++] = count;
        }
    return plan;
}

template <std::size_t... n>
constexpr std::array<RowPlan, sizeof...(n)> make_row_plans(std::index_sequence<n...>) {
    return {make_row_plan(static_cast<int>(n))...};
}
inline constexpr std::array<RowPlan, highest_degree + 1> row_plans = make_row_plans(std::make_index_sequence<highest_degree + 1>());

alignas(32) inline constexpr std::int32_t float_masks[5][4] = {
    {0, 0, 0, 0}, {-1, 0, 0, 0}, {-1, -1, 0, 0}, {-1, -1, -1, 0}, {-1, -1, -1, -1}};
alignas(32) inline constexpr std::int64_t double_masks[5][4] = {
    {0, 0, 0, 0}, {-1, 0, 0, 0}, {-1, -1, 0, 0}, {-1, -1, -1, 0}, {-1, -1, -1, -1}};

// Always loads four; those of the next row are masked out. Behind the last leaf there is room.
inline Double4 row_of(const float* row, std::size_t width) {
    const __m128i mask = _mm_load_si128(reinterpret_cast<const __m128i*>(float_masks[width]));
    return _mm256_cvtps_pd(_mm_and_ps(_mm_loadu_ps(row), _mm_castsi128_ps(mask)));
}
inline Double4 row_of(const double* row, std::size_t width) {
    const __m256i mask = _mm256_load_si256(reinterpret_cast<const __m256i*>(double_masks[width]));
    return _mm256_and_pd(_mm256_loadu_pd(row), _mm256_castsi256_pd(mask));
}

inline double lane_sum(Double4 v) { return (v[0] + v[1]) + (v[2] + v[3]); }

}  // namespace detail

// visit(i, j, k) in the order of the coefficients.
template <class Visit>
void for_each_coefficient(int degree, Visit&& visit) {
    for (int first = 0; first <= degree; first += 4)
        for (int k = 0; k <= degree; ++k)
            for (int j = 0; j <= degree; ++j)
                for (int i = first; i < first + 4; ++i)
                    if (i * i + j * j + k * k <= degree * degree) visit(i, j, k);
}

// Coefficients of a polynomial, by degree.
inline std::int32_t term_count(int degree) { return detail::row_plans[static_cast<std::size_t>(degree)].terms; }

struct PolynomialValue {
    double value;
    Vec3 slope;
};

// At x, y, z in [-1, 1]; slopes per half-side.
template <class Number>
PolynomialValue polynomial_value(int degree, const Number* row, const Vec3& x) {
    using Lanes = double[4];
    alignas(32) Lanes value[highest_degree + 2] = {}, slope[highest_degree + 2] = {};  // of T_i at x, y, z
    alignas(32) double value_x[highest_degree + 4] = {}, slope_x[highest_degree + 4] = {};
    const Double4 at{x.x, x.y, x.z, 0};
    Double4 t0 = splat(1), t1 = at, d0{}, d1 = splat(1);
    const auto n = static_cast<std::size_t>(degree);
    for (std::size_t i = 0; i <= n; ++i) {
        _mm256_store_pd(value[i], t0);
        _mm256_store_pd(slope[i], d0);
        value_x[i] = t0[0];
        slope_x[i] = d0[0];
        const Double4 t2 = fused(2.0 * at, t1, -t0);
        const Double4 d2 = fused(2.0 * at, d1, fused(splat(2), t1, -d0));
        t0 = t1;
        t1 = t2;
        d0 = d1;
        d1 = d2;
    }
    const detail::RowPlan& plan = detail::row_plans[n];
    const std::uint8_t *width = plan.widths, *count = plan.counts;
    Double4 sums[4] = {};
    for (std::size_t first = 0; first <= n; first += 4) {
        Double4 plain{}, in_y{}, in_z{};
        for (std::size_t k = 0; k <= n; ++k) {
            const std::size_t rows = *count++;
            Double4 even{}, odd{}, even_y{}, odd_y{};  // sums over even and odd j, so that one need not wait for the other
            for (std::size_t j = 0; j < rows; j += 2) {
                const Double4 c = detail::row_of(row, width[0]);
                const Double4 d = j + 1 < rows ? detail::row_of(row + width[0], width[1]) : Double4{};
                row += width[0] + (j + 1 < rows ? width[1] : 0);
                width += j + 1 < rows ? 2 : 1;
                even = fused(c, splat(value[j][1]), even);
                even_y = fused(c, splat(slope[j][1]), even_y);
                odd = fused(d, splat(value[j + 1][1]), odd);
                odd_y = fused(d, splat(slope[j + 1][1]), odd_y);
            }
            even += odd;
            plain = fused(even, splat(value[k][2]), plain);
            in_y = fused(even_y + odd_y, splat(value[k][2]), in_y);
            in_z = fused(even, splat(slope[k][2]), in_z);
        }
        const Double4 tx = _mm256_load_pd(value_x + first), dx = _mm256_load_pd(slope_x + first);
        sums[0] = fused(plain, tx, sums[0]);
        sums[1] = fused(plain, dx, sums[1]);
        sums[2] = fused(in_y, tx, sums[2]);
        sums[3] = fused(in_z, tx, sums[3]);
    }
    return {detail::lane_sum(sums[0]), {detail::lane_sum(sums[1]), detail::lane_sum(sums[2]), detail::lane_sum(sums[3])}};
}

}  // namespace asperity::gravity
