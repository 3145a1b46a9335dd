// The least velocity change along up to eight directions that keeps every normal velocity at or above its target.
//
//   find N_i >= 0 with  g_i = n_i . (v + sum_k N_k n_k) - target_i >= 0  and  N_i g_i = 0                      (1)
//
// This is the projection of v onto a convex set, so v + sum N n is unique. Three linearly independent directions are enough to carry it
// in space, so all subsets of at most three are tried, smallest first: exact, and without the slow convergence of an iteration when two
// normals are nearly parallel. Where rounding lets no subset pass, the one with the smallest violation is taken.
#pragma once
#include <cmath>

#include "asperity/core/vec3.h"

namespace asperity::laws {

inline constexpr int max_touching = 8;

namespace detail {

// Solves the Gram system n_a . n_b N_b = need_a of 1 to 3 unit normals; false where they are linearly dependent.
ASPERITY_HD inline bool solve_gram(const Vec3* n, const double* need, int size, double* out) {
    constexpr double least = 1e-24;  // squared sine of the angle between normals that still counts as two directions
    if (size == 1) {
        out[0] = need[0];
        return true;
    }
    const double c01 = dot(n[0], n[1]);
    if (size == 2) {
        const double det = squared_norm(cross(n[0], n[1]));
        if (det < least) return false;
        out[0] = (need[0] - c01 * need[1]) / det;
        out[1] = (need[1] - c01 * need[0]) / det;
        return true;
    }
    // dual basis: N_a = need . (row a of the inverse Gram matrix), inverse = D D^T with D the reciprocal vectors
    const double volume = dot(n[0], cross(n[1], n[2]));
    if (volume * volume < least) return false;
    const Vec3 d[3] = {cross(n[1], n[2]) / volume, cross(n[2], n[0]) / volume, cross(n[0], n[1]) / volume};
    const Vec3 w = need[0] * d[0] + need[1] * d[1] + need[2] * d[2];
    for (int a = 0; a < 3; ++a) out[a] = dot(d[a], w);
    return true;
}

}  // namespace detail

// Fills impulse[0..count) with N of (1). scale: the speed against which rounding is judged.
ASPERITY_HD inline void project_on_normals(const Vec3* normal, const double* target, int count, const Vec3& v, double scale,
                                           double* impulse) {
    const double slack = 1e-15 * scale;
    double best_violation = HUGE_VAL;
    for (int i = 0; i < count; ++i) impulse[i] = 0;

    const auto attempt = [&](const int* pick, int size) {
        Vec3 n[3];
        double need[3] = {}, found[3] = {};
        for (int a = 0; a < size; ++a) {
            n[a] = normal[pick[a]];
            need[a] = target[pick[a]] - dot(n[a], v);
        }
        if (size > 0 && !detail::solve_gram(n, need, size, found)) return false;
        double violation = 0;
        Vec3 after = v;
        for (int a = 0; a < size; ++a) {
            violation = std::fmax(violation, -found[a]);
            after += found[a] * n[a];
        }
        for (int i = 0; i < count; ++i) {
            bool is_picked = false;  // holds by construction: its residual is rounding only
            for (int a = 0; a < size; ++a) is_picked = is_picked || pick[a] == i;
            if (!is_picked) violation = std::fmax(violation, target[i] - dot(normal[i], after));
        }
        if (violation < best_violation) {
            best_violation = violation;
            for (int i = 0; i < count; ++i) impulse[i] = 0;
            for (int a = 0; a < size; ++a) impulse[pick[a]] = std::fmax(0.0, found[a]);
        }
        return violation <= slack;
    };

    if (attempt(nullptr, 0)) return;
    for (int i = 0; i < count; ++i) {
        const int pick[1] = {i};
        if (attempt(pick, 1)) return;
    }
    for (int i = 0; i < count; ++i)
        for (int j = i + 1; j < count; ++j) {
            const int pick[2] = {i, j};
            if (attempt(pick, 2)) return;
        }
    for (int i = 0; i < count; ++i)
        for (int j = i + 1; j < count; ++j)
            for (int k = j + 1; k < count; ++k) {
                const int pick[3] = {i, j, k};
                if (attempt(pick, 3)) return;
            }
}

}  // namespace asperity::laws
