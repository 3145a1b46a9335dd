// Composition of splitting steps (symplectic if the steps are), and compensated summation.
// Suzuki's composition replaces one step by five steps S of a symmetric method of order 2,
//
//   S4(h) = S(p h) S(p h) S((1 - 4 p) h) S(p h) S(p h),   p = 1 / (4 - 4^(1/3))                                            (1)
// It is of order 4, symmetric, and symplectic where S is. It holds for every symmetric S, also with forces that depend on velocity. Schemes
// for p'' = a(p) alone have smaller errors (Blanes and Moan, J. Comp. Appl. Math. 142 (2002) 313), but fall back to order 2 with such
// forces. One of the five steps goes backwards in time, as in every such scheme beyond order 2. Source: Suzuki, Phys. Lett. A 146 (1990)
// 319.
#pragma once
#include <initializer_list>

#include "asperity/core/vec3.h"

namespace asperity::numerics {

template <class Step>
void suzuki_step(const Step& step, double h) {
    constexpr double outer = 0.41449077179437573714;
    constexpr double inner = 1 - 4 * outer;
    for (const double part : {outer, outer, inner, outer, outer}) step(part * h);
}

// a += b, where `rest` carries the rounding error of the sum so far: a million small steps err by the rounding of one. Kahan (1965).
inline void add_compensated(Vec3& a, const Vec3& b, Vec3& rest) {
    const Vec3 add = b + rest, sum = a + add;
    rest = add - (sum - a);
    a = sum;
}

}  // namespace asperity::numerics
