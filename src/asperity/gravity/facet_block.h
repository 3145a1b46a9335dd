// Facets, four side by side: the potential of each and its gradient, in double precision, for sums over the few facets near a point.
//
//   u = 1/2 h phi,   phi = sum_k (m_k . r_k) L_k - h w                              potential of a facet, G rho = 1         (1)
//   grad u = 1/2 (h w - phi) n - 1/2 h sum_k m_k L_k                                its gradient, exactly                   (2)
//
//   r_k  from the point to corner k, m                 e_k = r_k+1 - r_k, l_k its length; m_k = e_k x n / l_k, outwards in the plane
//   h    n . r_k, m                                    L_k, w  as in polyhedron.h;   sum_k (m_k . r_k) l_k = 2 A
//
// Over a closed surface (1) and (2) sum up to (1) and (2) of polyhedron.h; but here each facet stands for itself, so that some of them may
// be summed and the others approximated, and the attraction stays the gradient of the potential.
//
// On the surface: both are continuous there; L of an edge that the point lies on counts 0, as it has no part in (1) and (2).
#pragma once
#include <cmath>
#include <cstdint>

#include "asperity/core/vec3.h"
#include "asperity/gravity/simd_math.h"

namespace asperity::gravity {

// One facet, as it lies in memory. One that stands for nothing has a zero normal and zero m.
struct FacetRecord {
    double corner[3][3];  // m
    double normal[3];
    double across[3][3];  // m_k
    double length[3];     // l_k, m
};
static_assert(sizeof(FacetRecord) == 24 * sizeof(double));

// Four facets, for one point.
struct FacetBlock4 {
    Double4 corner[3][3];
    Double4 normal[3];
    Double4 across[3][3];
    Double4 length[3];
};
static_assert(sizeof(FacetBlock4) == 4 * sizeof(FacetRecord));

// By loads of halves and shuffles: lane by lane it would take as long as the sums.
inline FacetBlock4 side_by_side(const FacetRecord& a, const FacetRecord& b, const FacetRecord& c, const FacetRecord& d) {
    const auto load = [](const FacetRecord& low, const FacetRecord& high, int from) {
        const double* const first = reinterpret_cast<const double*>(&low) + from;
        const double* const second = reinterpret_cast<const double*>(&high) + from;
        return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(first)), _mm_loadu_pd(second), 1);
    };
    FacetBlock4 block;
    Double4* const out = reinterpret_cast<Double4*>(&block);
#pragma GCC unroll 12
    for (int k = 0; k < 24; k += 2) {
        const __m256d even = load(a, c, k), odd = load(b, d, k);
        out[k] = _mm256_unpacklo_pd(even, odd);
        out[k + 1] = _mm256_unpackhi_pd(even, odd);
    }
    return block;
}

struct Lanes3 {
    Double4 x, y, z;
};

namespace detail {

inline Double4 dot(const Lanes3& a, const Lanes3& b) { return fused(a.x, b.x, fused(a.y, b.y, a.z * b.z)); }

// log_ratio(s, l) of simd_math.h with one division and no branch, for few facets, most of them near: the exponent comes from the
// difference of the bits, so that 2^-e ratio lies within 2^+-0.59 instead of 2^+-0.5. Error: below 2e-14 of the value (tested).
inline Double4 quick_log_ratio(Double4 s, Double4 l) {
    using Bits4 = std::uint64_t __attribute__((vector_size(32)));
    constexpr double ln2 = 0.693147180559945309417;
    constexpr double magic = 0x1p52;  // a whole number below it, put into its last bits, becomes a double by subtraction
    const Double4 top = s + l, bottom = s - l;
    const Bits4 steps = (Bits4(top) - Bits4(bottom) + (std::uint64_t{1} << 51)) >> 52;
    const Double4 scaled = bottom * Double4((steps + 1023) << 52);
    // Near one the difference is 2 l, without rounding.
    const Double4 above = steps == 0 ? l + l : top - scaled;
    const Double4 exponent = Double4(steps | Bits4(splat(magic))) - magic;
    return fused(exponent, splat(ln2), 2.0 * artanh_small(above / (top + scaled)));
}

// L where a + b - l has lost its digits: (a + b)^2 - l^2 = 2 (a b + a.b), the last bracket from the cross product.
[[gnu::cold, gnu::noinline]] inline void mend_log(const Lanes3& a, const Lanes3& b, const Double4& length, Mask4 is_close, Double4& log) {
    for (int lane = 0; lane < 4; ++lane) {
        if (!is_close[lane]) continue;
        const Vec3 u{a.x[lane], a.y[lane], a.z[lane]};
        const Vec3 v{b.x[lane], b.y[lane], b.z[lane]};
        const double product = norm(u) * norm(v), inner = asperity::dot(u, v);
        const double gap = inner >= 0 ? product + inner : squared_norm(asperity::cross(u, v)) / (product - inner);
        const double sum = norm(u) + norm(v) + length[lane];
        log[lane] = gap > 0 ? std::log(sum * sum / (2 * gap)) : 0.0;
    }
}

}  // namespace detail

// Adds (1) and (2), lane by lane.
inline void add_facets(const FacetBlock4& block, const Lanes3& p, Double4& potential, Lanes3& gradient) {
    Lanes3 r[3];
    Double4 size[3];
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k) {
        r[k] = {block.corner[k][0] - p.x, block.corner[k][1] - p.y, block.corner[k][2] - p.z};
        size[k] = square_root(detail::dot(r[k], r[k]));
    }
    const Lanes3 n{block.normal[0], block.normal[1], block.normal[2]};
    const Double4 h = detail::dot(n, r[0]);
    Double4 two_areas{}, phi{}, taken{};
    Lanes3 edges{};  // sum m_k L_k
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k) {
        const int next = (k + 1) % 3;
        const Double4 sum = size[k] + size[next], length = block.length[k];
        Double4 log = detail::quick_log_ratio(sum, length);
        // Below 2^-30 the point is within 1e-4 l of the edge, where L counts with that factor.
        const Mask4 is_close = ~(sum - length > 0x1p-30 * sum);
        if (any(is_close)) [[unlikely]]
            detail::mend_log(r[k], r[next], length, is_close, log);
        const Lanes3 m{block.across[k][0], block.across[k][1], block.across[k][2]};
        const Double4 distance = detail::dot(m, r[k]);
        phi = fused(distance, log, phi);
        two_areas = fused(distance, length, two_areas);
        taken = fused(size[(k + 2) % 3], length * length, taken);
        edges.x = fused(m.x, log, edges.x);
        edges.y = fused(m.y, log, edges.y);
        edges.z = fused(m.z, log, edges.z);
    }
    const Double4 product = (size[0] + size[1]) * (size[1] + size[2]) * (size[2] + size[0]);
    // In the plane of the facet h w is zero; on a side or a corner w has no value.
    const Double4 across = 2.0 * two_areas * h;
    const Double4 hw = across != Double4{} ? 2.0 * h * angle(across, product - taken) : Double4{};
    phi -= hw;
    const Double4 half = 0.5 * h, along = 0.5 * (hw - phi);
    potential = fused(half, phi, potential);
    gradient.x = fused(along, n.x, fused(-half, edges.x, gradient.x));
    gradient.y = fused(along, n.y, fused(-half, edges.y, gradient.y));
    gradient.z = fused(along, n.z, fused(-half, edges.z, gradient.z));
}

}  // namespace asperity::gravity
