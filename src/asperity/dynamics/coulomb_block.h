// Signorini's condition and Coulomb's cone at one contact, solved exactly.
//
//   u = q + W p                                         q: velocity that the contact would have without its own impulse       (1)
//   0 <= p_n  _|_  u_n - t >= 0                         t: the normal speed that is asked for                                 (2)
//   |p_t| <= f p_n,  against u_t where it slips                                                                               (3)
//
// W is the block of the Delassus operator that belongs to the contact, symmetric and positive; x is along the normal, y and z across it.
// In turn: it opens (q_n >= t); it holds (W p = (t, 0, 0) - q within the cone); it slips in the direction d = (cos a, sin a), where
//   p_n(a) = (t - q_n) / (W_nn - f W_nt . d),   p_t = -f p_n d,   d x u_t(a) = 0,   d . u_t(a) >= 0                           (4)
// Where the normal passes through both centres, W_nt = 0 and W_tt is a multiple of 1, and (4) is d = q_t / |q_t|. In general the root of
// (4) is the one nearest to the direction that the impulse which holds would oppose: it is unique where friction does not feed its own
// load, f |W_nt| < W_nn. All directions are equal: the cone is not made a pyramid.
// Source: (4) is the polynomial problem of Bonnefon and Daviet, Quartic formulation of Coulomb 3D frictional contact (INRIA RT-0400, 2011).
#pragma once
#include <cmath>

#include "asperity/core/vec3.h"
#include "asperity/numerics/bracket.h"

namespace asperity::dynamics {

struct CoulombBlock {
    double nn = 0, ny = 0, nz = 0, yy = 0, yz = 0, zz = 0;  // 1/kg
    bool is_central = false;                                // ny = nz = yz = 0, yy = zz

    Vec3 times(const Vec3& p) const {
        if (is_central) return {nn * p.x, yy * p.y, yy * p.z};
        return {nn * p.x + ny * p.y + nz * p.z, ny * p.x + yy * p.y + yz * p.z, nz * p.x + yz * p.y + zz * p.z};
    }
    // W p = b
    Vec3 solved(const Vec3& b) const {
        if (is_central) return {b.x / nn, b.y / yy, b.z / yy};
        const double c1 = yy * zz - yz * yz, c2 = nz * yz - ny * zz, c3 = ny * yz - nz * yy;
        const double determinant = nn * c1 + ny * c2 + nz * c3;
        return Vec3{c1 * b.x + c2 * b.y + c3 * b.z, c2 * b.x + (nn * zz - nz * nz) * b.y + (ny * nz - nn * yz) * b.z,
                    c3 * b.x + (ny * nz - nn * yz) * b.y + (nn * yy - ny * ny) * b.z} /
               determinant;
    }
};

// A direction across n, the same for the same n.
inline Vec3 direction_across(const Vec3& n) {
    const Vec3 axis = std::fabs(n.x) <= std::fabs(n.y) && std::fabs(n.x) <= std::fabs(n.z) ? Vec3{1, 0, 0}
                      : std::fabs(n.y) <= std::fabs(n.z)                                   ? Vec3{0, 1, 0}
                                                                                           : Vec3{0, 0, 1};
    return unit(cross(n, axis));
}

namespace detail {

// (4); `hold`: the impulse that would hold.
inline Vec3 slipping(const CoulombBlock& w, const Vec3& q, double target, double friction, const Vec3& hold) {
    constexpr int parts = 64;  // of the circle, in which a root is looked for
    constexpr double pi = 3.14159265358979323846;
    const auto load = [&](double c, double s) { return (target - q.x) / (w.nn - friction * (w.ny * c + w.nz * s)); };
    const auto impulse = [&](double a) {
        const double c = std::cos(a), s = std::sin(a), p = load(c, s);
        return Vec3{p, -friction * p * c, -friction * p * s};
    };
    const auto across = [&](double a) {  // d x u_t
        const Vec3 u = q + w.times(impulse(a));
        return std::cos(a) * u.z - std::sin(a) * u.y;
    };
    const auto is_slip = [&](double a) {
        const Vec3 p = impulse(a), u = q + w.times(p);
        return p.x > 0 && std::cos(a) * u.y + std::sin(a) * u.z >= 0;
    };
    const double first = std::atan2(-hold.z, -hold.y), width = 2 * pi / parts;
    double below = across(first), above = below;
    for (int k = 0; k < parts / 2; ++k)  // outwards, on both sides in turn
        for (const double sign : {1.0, -1.0}) {
            double& last = sign > 0 ? above : below;
            const double a = first + sign * k * width, b = first + sign * (k + 1) * width, fa = last, fb = across(b);
            last = fb;
            if ((fa > 0) == (fb > 0) && fa != 0) continue;
            const double root = numerics::bracketed_root(across, a, b, fa, fb);
            if (is_slip(root)) return impulse(root);
        }
    return {(target - q.x) / w.nn, 0, 0};
}

}  // namespace detail

// (3) where the normal impulse is given: across it the one of most dissipation within a circle of f p_n,
//   (W_tt + c 1) p_t = -(q_t + W_tn p_n),   c >= 0, which is zero where it holds                                            (5)
inline Vec3 pressed_impulse(const CoulombBlock& w, const Vec3& q, double pressing, double friction) {
    const double by = q.y + w.ny * pressing, bz = q.z + w.nz * pressing, most = friction * pressing;
    const double yy = w.yy, zz = w.is_central ? w.yy : w.zz, yz = w.yz;
    const auto across = [&](double c) {
        const double a = yy + c, d = zz + c, determinant = a * d - yz * yz;
        return Vec3{pressing, -(d * by - yz * bz) / determinant, -(a * bz - yz * by) / determinant};
    };
    const auto beyond = [&](double c) {
        const Vec3 p = across(c);
        return std::hypot(p.y, p.z) - most;
    };
    const double holds = beyond(0);
    if (holds <= 0) return across(0);
    if (!(most > 0)) return {pressing, 0, 0};
    const double farthest = std::hypot(by, bz) / most;
    return across(numerics::bracketed_root(beyond, 0, farthest, holds, beyond(farthest)));
}

// p of (1) to (3).
inline Vec3 coulomb_impulse(const CoulombBlock& w, const Vec3& q, double target, double friction) {
    if (q.x >= target) return {};
    if (!(friction > 0)) return {(target - q.x) / w.nn, 0, 0};
    const Vec3 hold = w.solved(Vec3{target, 0, 0} - q);
    const double across = std::hypot(hold.y, hold.z);
    if (across <= friction * hold.x) return hold;
    if (!w.is_central) return detail::slipping(w, q, target, friction, hold);
    const double part = friction * hold.x / across;
    return {hold.x, part * hold.y, part * hold.z};
}

}  // namespace asperity::dynamics
