// Four doubles at a time: logarithm of a ratio and arc tangent, for sums over many facets.
//
//   log_ratio(s, l) = ln((s + l) / (s - l)),   0 <= l < s                                          (1)
//   angle(y, x)     = atan2(y, x)                                                                   (2)
//
// Both reduce their argument and end in one odd polynomial, fitted at Chebyshev points (error below 4e-17 of the value):
// (1) is e ln 2 + 2 artanh f, with 2^e the power of two nearest to the ratio, |f| <= 3 - 2 sqrt 2; e = 0 and f = l / s where the ratio is
// near one, so that small results keep their digits; (2) turns (x, y) by a multiple of pi/8, |f| <= tan(pi/16).
// A lane's result depends on that lane alone: what skips the reduction does so only where it would change no lane.
// Error: below 6 units in the last place (tested).
#pragma once
#include <immintrin.h>

#include <cstdint>

namespace asperity::gravity {

// GCC's vector types: operators act lane by lane; a comparison gives -1 (true) or 0 in each lane. Intrinsics where there is no operator;
// the baseline has them.
using Double4 = double __attribute__((vector_size(32)));
using Mask4 = std::int64_t __attribute__((vector_size(32)));

inline Double4 splat(double value) { return Double4{value, value, value, value}; }
inline bool any(Mask4 mask) { return _mm256_movemask_pd(__m256d(mask)) != 0; }
inline Double4 absolute(Double4 x) { return Double4(Mask4(x) & Mask4{INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX}); }
// a b + c, rounded once: asked for by name it is the same everywhere, unlike one that the compiler puts where it likes.
inline Double4 fused(Double4 a, Double4 b, Double4 c) { return _mm256_fmadd_pd(a, b, c); }
inline Double4 square_root(Double4 x) { return _mm256_sqrt_pd(x); }

namespace detail {

// artanh f for |f| <= 3 - 2 sqrt 2.
inline Double4 artanh_small(Double4 f) {
    const Double4 s = f * f;
    const Double4 t = s * s;
    const Double4 low = fused(s, splat(0.1999999999994965534), splat(0.33333333333333348465));
    const Double4 middle = fused(s, splat(0.11111105560224649243), splat(0.14285714313031690182));
    const Double4 high = fused(t, splat(0.073084394595149103772), fused(s, splat(0.076658434343192141265), splat(0.09091445085156985107)));
    return fused(f * s, fused(t, fused(t, high, middle), low), f);
}

// arctan f for |f| <= tan(pi/16).
inline Double4 arctan_small(Double4 f) {
    const Double4 s = f * f;
    const Double4 t = s * s;
    const Double4 low = fused(s, splat(0.19999999999760880906), splat(-0.3333333333333323682));
    const Double4 middle = fused(s, splat(0.11111096368570511459), splat(-0.14285714188846439045));
    const Double4 high =
        fused(t, splat(-0.059098033124104312712), fused(s, splat(0.07652125072623028558), splat(-0.090898376629589403321)));
    return fused(f * s, fused(t, fused(t, high, middle), low), f);
}

}  // namespace detail

inline constexpr double tan_pi_16 = 0.19891236737965800691;

inline Double4 log_ratio(Double4 s, Double4 l) {
    constexpr double near_one = 0.17157287525380990240;   // l / s where the ratio is sqrt 2
    constexpr double ln2_high = 0.693147180369123816490;  // 32 bits: e times it is exact
    constexpr double ln2_low = 1.90821492927058770002e-10;
    const Mask4 is_large = l > near_one * s;
    if (!any(is_large)) [[likely]]
        return 2.0 * detail::artanh_small(l / s);

    const Double4 top = s + l;
    const Double4 bottom = s - l;
    // The exponent of the ratio times sqrt 2 is that of the nearest power of two.
    const Mask4 bits = Mask4(top / bottom * 1.41421356237309504880);
    const Mask4 e = is_large ? (bits >> 52) - 1023 : Mask4{};
    const Double4 power = Double4((e + 1023) << 52);
    const Double4 exponent = __builtin_convertvector(e, Double4);
    const Double4 scaled = bottom * power;
    const Double4 f = is_large ? (top - scaled) / (top + scaled) : l / s;
    return exponent * ln2_high + (2.0 * detail::artanh_small(f) + exponent * ln2_low);
}

inline Double4 angle(Double4 y, Double4 x) {
    const Mask4 is_turned = absolute(y) > tan_pi_16 * x;
    if (!any(is_turned)) [[likely]]
        return detail::arctan_small(y / x);

    // Into the octant 0 <= v <= u, then by 0, pi/8 or pi/4.
    constexpr double tan_3pi_16 = 0.66817863791929891999;
    constexpr double pi_8 = 0.39269908169872415481;
    const Double4 zero{};
    const Double4 size_x = absolute(x);
    const Double4 size_y = absolute(y);
    const Mask4 is_steep = size_y > size_x;
    const Double4 u = is_steep ? size_y : size_x;
    const Double4 v = is_steep ? size_x : size_y;
    const Mask4 first = v > tan_pi_16 * u;
    const Mask4 second = v > tan_3pi_16 * u;
    const Double4 c = second ? splat(0.70710678118654752440) : first ? splat(0.92387953251128675613) : splat(1.0);
    const Double4 d = second ? splat(0.70710678118654752440) : first ? splat(0.38268343236508977173) : zero;
    const Double4 turn = second ? splat(2 * pi_8) : first ? splat(pi_8) : zero;
    Double4 result = turn + detail::arctan_small((v * c - u * d) / (u * c + v * d));
    result = is_steep ? 4 * pi_8 - result : result;
    result = x < zero ? 8 * pi_8 - result : result;
    return y < zero ? -result : result;
}

}  // namespace asperity::gravity
