// Elliptic integrals in Carlson's form and Jacobi's elliptic functions, by the complementary parameter m' = 1 - k^2, which has digits where
// k is near one.
//
//   R_F(x, y, z)    = 1/2 int_0^inf dt / sqrt((t + x)(t + y)(t + z))                                  at most one of them zero     (1)
//   R_J(x, y, z, p) = 3/2 int_0^inf dt / ((t + p) sqrt((t + x)(t + y)(t + z)))                        p > 0                        (2)
//
// By duplication until the arguments are equal to 1e-3 and five terms of a series: to a few roundings.
// Source: Carlson, Numerical Algorithms 10 (1995) 13; Bulirsch, Numer. Math. 7 (1965) 78, for (3).
#pragma once
#include <algorithm>
#include <cmath>

namespace asperity::numerics {

namespace detail {
inline constexpr double carlson_spread = 1e-3;  // relative; the series leaves its sixth power
}

inline double carlson_rf(double x, double y, double z) {
    double mean = 0, dx = 0, dy = 0, dz = 0;
    while (true) {
        mean = (x + y + z) / 3;
        dx = 1 - x / mean, dy = 1 - y / mean, dz = 1 - z / mean;
        if (std::max({std::fabs(dx), std::fabs(dy), std::fabs(dz)}) < detail::carlson_spread) break;
        const double sx = std::sqrt(x), sy = std::sqrt(y), sz = std::sqrt(z), lambda = sx * (sy + sz) + sy * sz;
        x = 0.25 * (x + lambda), y = 0.25 * (y + lambda), z = 0.25 * (z + lambda);
    }
    const double e2 = dx * dy - dz * dz, e3 = dx * dy * dz;
    return (1 - e2 / 10 + e3 / 14 + e2 * e2 / 24 - 3 * e2 * e3 / 44) / std::sqrt(mean);
}

// R_F(x, y, y), y > 0.
inline double carlson_rc(double x, double y) { return carlson_rf(x, y, y); }

inline double carlson_rj(double x, double y, double z, double p) {
    double sum = 0, part = 1, mean = 0, dx = 0, dy = 0, dz = 0, dp = 0;
    while (true) {
        mean = (x + y + z + 2 * p) / 5;
        dx = 1 - x / mean, dy = 1 - y / mean, dz = 1 - z / mean, dp = 1 - p / mean;
        if (std::max({std::fabs(dx), std::fabs(dy), std::fabs(dz), std::fabs(dp)}) < detail::carlson_spread) break;
        const double sx = std::sqrt(x), sy = std::sqrt(y), sz = std::sqrt(z), lambda = sx * (sy + sz) + sy * sz;
        const double a = p * (sx + sy + sz) + sx * sy * sz;
        sum += part * carlson_rc(a * a, p * (p + lambda) * (p + lambda));
        part *= 0.25;
        x = 0.25 * (x + lambda), y = 0.25 * (y + lambda), z = 0.25 * (z + lambda), p = 0.25 * (p + lambda);
    }
    const double xyz = dx * dy * dz, e2 = dx * dy + dx * dz + dy * dz - 3 * dp * dp, e3 = xyz + 2 * e2 * dp + 4 * dp * dp * dp,
                 e4 = (2 * xyz + e2 * dp + 3 * dp * dp * dp) * dp, e5 = xyz * dp * dp;
    const double series = 1 - 3 * e2 / 14 + e3 / 6 + 9 * e2 * e2 / 88 - 3 * e4 / 22 - 9 * e2 * e3 / 52 + 3 * e5 / 26;
    return part * series / (mean * std::sqrt(mean)) + 3 * sum;
}

struct JacobiFunctions {
    double sn = 0, cn = 1, dn = 1;
};

// sn, cn, dn of u at m' = 1 - k^2, 0 <= m' <= 1, by Gauss's descending transformation.                                            (3)
inline JacobiFunctions jacobi_functions(double u, double complementary) {
    if (!(complementary > 0)) {
        const double sech = 1 / std::cosh(u);
        return {std::tanh(u), sech, sech};
    }
    constexpr int most = 16;
    constexpr double spread = 1e-8;  // squared by the next transformation
    double a = 1, m = complementary, dn = 1, geometric[most], arithmetic[most], c = 0;
    int last = 0;
    for (; last < most; ++last) {
        arithmetic[last] = a;
        m = std::sqrt(m);
        geometric[last] = m;
        c = 0.5 * (a + m);
        if (std::fabs(a - m) <= spread * a || last == most - 1) break;
        m *= a;
        a = c;
    }
    const double angle = c * u;
    double sn = std::sin(angle), cn = std::cos(angle);
    if (sn == 0) return {sn, cn, dn};
    a = cn / sn;
    c *= a;
    for (int i = last; i >= 0; --i) {
        const double b = arithmetic[i];
        a *= c;
        c *= dn;
        dn = (geometric[i] + a) / (b + a);
        a = c / b;
    }
    a = 1 / std::sqrt(c * c + 1);
    sn = sn >= 0 ? a : -a;
    return {sn, c * sn, dn};
}

}  // namespace asperity::numerics
