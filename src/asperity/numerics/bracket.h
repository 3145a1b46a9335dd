// Root finding in a bracket, to rounding, for event location: Brent's method (bisection, secant and inverse quadratic steps).
// f(a) and f(b) must have opposite signs (or be zero). The search ends when the bracket cannot be halved any more in double precision, so
// that the answer does not depend on a tolerance. It returns the end of the bracket with the sign of f(a): an event located by it has not
// happened yet.
//
// Source: Brent, Algorithms for Minimization without Derivatives (1973), ch. 4.
#pragma once
#include <cmath>

#include "asperity/core/host_device.h"

namespace asperity::numerics {

template <class Function>
ASPERITY_HD double bracketed_root(const Function& f, double a, double b, double fa, double fb) {
    const bool rises = fb > fa;
    double c = a, fc = fa, d = b - a, e = d;
    for (int i = 0; i < 200 && fb != 0; ++i) {
        if ((fb > 0) == (fc > 0)) {
            c = a;
            fc = fa;
            d = e = b - a;
        }
        if (std::fabs(fc) < std::fabs(fb)) {
            a = b, b = c, c = a;
            fa = fb, fb = fc, fc = fa;
        }
        const double tolerance = 2.3e-16 * std::fabs(b);
        const double middle = 0.5 * (c - b);
        if (std::fabs(middle) <= tolerance) break;
        if (std::fabs(e) < tolerance || std::fabs(fa) <= std::fabs(fb)) {
            d = e = middle;
        } else {
            const double s = fb / fa;
            double p, q;
            if (a == c) {
                p = 2 * middle * s;
                q = 1 - s;
            } else {
                const double u = fa / fc, v = fb / fc;
                p = s * (2 * middle * u * (u - v) - (b - a) * (v - 1));
                q = (u - 1) * (v - 1) * (s - 1);
            }
            if (p > 0) q = -q;
            p = std::fabs(p);
            const bool is_safe = 2 * p < std::fmin(3 * middle * q - std::fabs(tolerance * q), std::fabs(e * q));
            e = is_safe ? d : middle;
            d = is_safe ? p / q : middle;
        }
        a = b;
        fa = fb;
        b += std::fabs(d) > tolerance ? d : std::copysign(tolerance, middle);
        fb = f(b);
    }
    if (fb == 0) return b;
    const bool is_before = rises ? fb < 0 : fb > 0;
    return is_before ? b : c;
}

}  // namespace asperity::numerics
