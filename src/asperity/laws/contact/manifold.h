// Motion of a ball on a contact manifold of two or three points, each of which holds (no slip) or slips: the rates of velocity and spin.
//
// All quantities per unit mass; symbols, slip velocity u and spin rate s as in rolling.h, contacts i = 1 ... k.
//   v' = a + sum_i (N_i n_i + F_i),   w' = s + (sum_i -r n_i x F_i + L) / (j r^2)                                         (1)
//   n_i . v' = -v . n_i'                            every contact stays closed                                         (2)
//   slips: F_i = -f N_i u_i^                                                                                           (3)
//   holds: (v' - r w' x n_i - r w x n_i') . e = 0   for two tangents e; valid while |F_i| <= f N_i                      (4)
//   turns: L = -C r sum_i N_i w^                                                                                        (5)
//   does not turn (w = 0, every contact slips with u_i = v): w' = 0, L from (1); valid while |L| <= C r sum_i N_i        (6)
// (1)-(5) are linear in N_i and the friction of contacts that hold. Two contacts that hold leave one force open, a stress along the line
// through both points, which moves nothing. With t = n_1 x n_2 / |n_1 x n_2| and c_i = n_i x t it is fixed by
//   F_1 . c_1 = F_2 . c_2                           the friction across the gutter is shared: the smallest that holds    (7)
// Limits: at most three contacts, with linearly independent normals. Friction that depends on N can make (2) singular (Painleve's paradox);
// then is_solved is false, and a time-stepping scheme (Moreau) has to take over.
#pragma once
#include "asperity/laws/contact/rolling.h"

namespace asperity::laws {

inline constexpr int max_manifold = 3;

struct Manifold {
    int count = 0;
    Touch touch[max_manifold];
    bool slips[max_manifold] = {};
    Vec3 slip_direction[max_manifold];  // u^, where it slips
    bool turns = true;
    Vec3 axis;  // w^, where it turns
};

struct ManifoldForces {
    bool is_solved = false;
    Vec3 v_rate;                       // m/s^2
    Vec3 w_rate;                       // rad/s^2
    double normal[max_manifold] = {};  // N_i, m/s^2; its sign is the separation event
    Vec3 friction[max_manifold];       // F_i, m/s^2
    Vec3 torque;                       // L, m^2/s^2
    double heat_friction = 0;          // W/kg
    double heat_rolling = 0;           // W/kg

    ASPERITY_HD double load() const { return normal[0] + normal[1] + normal[2]; }
};

namespace detail {

// A linear system of up to nine unknowns, built row by row from what each unknown does to v' and w'.
struct RateSystem {
    static constexpr int most = 3 * max_manifold;
    int columns = 0, rows = 0;
    Vec3 force[most];   // what a unit of the unknown adds to v'
    Vec3 torque[most];  // and to j r^2 w'
    double at[most][most + 1] = {};

    ASPERITY_HD int add_column(const Vec3& f, const Vec3& l) {
        force[columns] = f;
        torque[columns] = l;
        return columns++;
    }
    // on_v . v' + on_w . w' = value, with v' and w' without any unknown given.
    ASPERITY_HD void add_row(const Vec3& on_v, const Vec3& on_w, double value, const Vec3& free_v, const Vec3& free_w, double inertia) {
        for (int k = 0; k < columns; ++k) at[rows][k] = dot(on_v, force[k]) + dot(on_w, torque[k]) / inertia;
        at[rows++][columns] = value - dot(on_v, free_v) - dot(on_w, free_w);
    }
    // Gaussian elimination with partial pivoting; x in the last column. False where the rows are dependent.
    ASPERITY_HD bool solve(double* x) {
        const int n = columns;
        for (int k = 0; k < n; ++k) {
            int pivot = k;
            for (int i = k + 1; i < n; ++i)
                if (std::fabs(at[i][k]) > std::fabs(at[pivot][k])) pivot = i;
            if (!(std::fabs(at[pivot][k]) > 1e-12)) return false;  // all entries are of order one: forces act at the arm r
            for (int j = k; j <= n; ++j) {
                const double swapped = at[k][j];
                at[k][j] = at[pivot][j];
                at[pivot][j] = swapped;
            }
            for (int i = k + 1; i < n; ++i) {
                const double part = at[i][k] / at[k][k];
                for (int j = k; j <= n; ++j) at[i][j] -= part * at[k][j];
            }
        }
        for (int k = n - 1; k >= 0; --k) {
            x[k] = at[k][n];
            for (int j = k + 1; j < n; ++j) x[k] -= at[k][j] * x[j];
            x[k] /= at[k][k];
        }
        return true;
    }
};

}  // namespace detail

// (1)-(7). spin_rate: s, of a free ball.
ASPERITY_HD inline ManifoldForces forces_on(const Manifold& manifold, const Motion& m, const Vec3& a, const Vec3& spin_rate,
                                            const BallShape& ball, const Limits& limits) {
    const double r = ball.radius, inertia = ball.inertia_factor * r * r;
    const int count = manifold.count;
    ManifoldForces out;
    detail::RateSystem system;
    for (int i = 0; i < count; ++i) {
        const Vec3& n = manifold.touch[i].normal;
        const Vec3 rub = manifold.slips[i] ? -limits.friction * manifold.slip_direction[i] : Vec3{};
        system.add_column(n + rub, manifold.turns ? -r * cross(n, rub) - (limits.rolling * r) * manifold.axis : Vec3{});
    }
    const bool both_hold = count == 2 && !manifold.slips[0] && !manifold.slips[1];
    const Vec3 t = count == 2 ? unit(cross(manifold.touch[0].normal, manifold.touch[1].normal)) : Vec3{};
    int along[max_manifold] = {}, across[max_manifold] = {};
    Vec3 e1[max_manifold], e2[max_manifold];
    for (int i = 0; i < count; ++i) {
        if (manifold.slips[i]) continue;
        const Vec3& n = manifold.touch[i].normal;
        e1[i] = count == 2 ? t : unit(std::fabs(n.x) < 0.9 ? cross(n, Vec3{1, 0, 0}) : cross(n, Vec3{0, 1, 0}));
        e2[i] = cross(n, e1[i]);
        along[i] = system.add_column(e1[i], -r * cross(n, e1[i]));
        if (!both_hold) across[i] = system.add_column(e2[i], -r * cross(n, e2[i]));
    }
    if (both_hold) across[0] = across[1] = system.add_column(e2[0] + e2[1], (2 * r) * t);  // (7); -n x (n x t) = t

    const Vec3 free_w = manifold.turns ? spin_rate : Vec3{};
    const auto row = [&](const Vec3& on_v, const Vec3& on_w, double value) { system.add_row(on_v, on_w, value, a, free_w, inertia); };
    for (int i = 0; i < count; ++i) row(manifold.touch[i].normal, {}, -dot(m.v, manifold.touch[i].normal_rate));  // (2)
    const auto held_row = [&](int i, const Vec3& e, double part) {                                                // (4)
        row(part * e, (-part * r) * cross(manifold.touch[i].normal, e), part * r * dot(e, cross(m.w, manifold.touch[i].normal_rate)));
    };
    for (int i = 0; i < count; ++i) {
        if (manifold.slips[i]) continue;
        held_row(i, e1[i], 1);
        if (!both_hold) held_row(i, e2[i], 1);
    }
    if (both_hold) {  // the two are one condition; their mean keeps rounding small
        const Vec3 &n0 = manifold.touch[0].normal, &n1 = manifold.touch[1].normal;
        const double value = dot(e2[0], cross(m.w, manifold.touch[0].normal_rate)) + dot(e2[1], cross(m.w, manifold.touch[1].normal_rate));
        row(0.5 * (e2[0] + e2[1]), (-0.5 * r) * (cross(n0, e2[0]) + cross(n1, e2[1])), 0.5 * r * value);
    }
    double x[detail::RateSystem::most] = {};
    out.is_solved = system.solve(x);
    if (!out.is_solved) return out;

    double sum = 0;
    Vec3 turning, pushing;
    for (int i = 0; i < count; ++i) {
        const Vec3& n = manifold.touch[i].normal;
        out.normal[i] = x[i];
        out.friction[i] =
            manifold.slips[i] ? (-limits.friction * x[i]) * manifold.slip_direction[i] : x[along[i]] * e1[i] + x[across[i]] * e2[i];
        sum += x[i];
        pushing += x[i] * n + out.friction[i];
        turning -= r * cross(n, out.friction[i]);
        out.heat_friction -= dot(out.friction[i], slip(m, n, r));
    }
    out.torque = manifold.turns ? (-limits.rolling * r * sum) * manifold.axis : -(turning + inertia * spin_rate);  // (5), (6)
    out.v_rate = a + pushing;
    out.w_rate = manifold.turns ? spin_rate + (turning + out.torque) / inertia : Vec3{};
    out.heat_rolling = -dot(out.torque, m.w);
    return out;
}

}  // namespace asperity::laws
