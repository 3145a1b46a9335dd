// The linear complementarity problem (LCP) of a few contacts: f >= 0, a = A f + b >= 0, f . a = 0 (Signorini condition), with the Delassus
// operator A symmetric and positive semidefinite.
//
//   A_CC x = -A_Cd,     df = (x on C, 1 at d, 0 elsewhere),     da = A df                                               (1)
//
// pivoting(): Baraff's algorithm. Contacts with a_i < 0 are taken up one after the other. The force at d grows, the clamped set C (a_i = 0)
// follows by (1), until a_d = 0; where a clamped force comes to zero on the way it leaves C, where another a_i comes to zero it joins C.
// A_CC stays regular where A is singular: a contact whose column depends on those of C has da = 0 along (1) (df . A df = da_d, and A is
// semidefinite), so that it never blocks; a d with da_d = 0 grows until a clamped force is used up. Where none is, there is no solution.
// f is unique where A is regular; a is always unique. There is no absolute tolerance: a_i counts as zero where it is within the rounding
// error of its terms. Sources: Baraff, Fast contact force computation for nonpenetrating rigid bodies, SIGGRAPH 1994, 23-34; 3-ternary A.5
// to A.10; Cottle, Pang, Stone, The Linear Complementarity Problem (1992), 1.4 and 5.2.
#pragma once
#include <array>
#include <cmath>
#include <limits>

#include "asperity/numerics/dense_solve.h"

namespace asperity::numerics {

struct Complementarity {
    int n = 0;
    DenseMatrix matrix;  // A
    DenseValues b{};

    double& at(int i, int j) { return matrix.at(static_cast<std::size_t>(i), static_cast<std::size_t>(j)); }
    double at(int i, int j) const { return matrix.at(static_cast<std::size_t>(i), static_cast<std::size_t>(j)); }
};

struct ComplementaritySolution {
    DenseValues f{};
    DenseValues a{};
    int pivots = 0;
    bool is_solved = false;
};

namespace detail {

using ContactValues = DenseValues;

struct ContactSet {
    std::array<int, most_contacts> index{};
    int n = 0;

    bool holds(int i) const {
        for (int k = 0; k < n; ++k)
            if (index[static_cast<std::size_t>(k)] == i) return true;
        return false;
    }
    void add(int i) { index[static_cast<std::size_t>(n++)] = i; }
    void remove(int i) {
        int kept = 0;
        for (int k = 0; k < n; ++k)
            if (const int at = index[static_cast<std::size_t>(k)]; at != i) index[static_cast<std::size_t>(kept++)] = at;
        n = kept;
    }
};

inline double& of(ContactValues& values, int i) { return values[static_cast<std::size_t>(i)]; }
inline double of(const ContactValues& values, int i) { return values[static_cast<std::size_t>(i)]; }
inline int of_set(const ContactSet& set, int k) { return set.index[static_cast<std::size_t>(k)]; }

// x with A_SS x_S = right_S, zero outside S.
inline ContactValues solve_on(const Complementarity& problem, const ContactSet& set, const ContactValues& right) {
    ContactValues values{}, out{};
    if (set.n == 0) return out;
    DenseMatrix matrix;
    for (int i = 0; i < set.n; ++i) {
        of(values, i) = of(right, of_set(set, i));
        for (int j = 0; j < set.n; ++j)
            matrix.at(static_cast<std::size_t>(i), static_cast<std::size_t>(j)) = problem.at(of_set(set, i), of_set(set, j));
    }
    const ContactValues x = solved_in_place(matrix, values, static_cast<std::size_t>(set.n));
    for (int i = 0; i < set.n; ++i) of(out, of_set(set, i)) = of(x, i);
    return out;
}

// a = A f + b, and the bound on its rounding error: below that a is zero.
struct Residual {
    ContactValues a{};
    ContactValues rounding{};
};

inline Residual residual(const Complementarity& problem, const ContactValues& f) {
    Residual out;
    for (int i = 0; i < problem.n; ++i) {
        double sum = of(problem.b, i), size = std::fabs(sum);
        for (int j = 0; j < problem.n; ++j) {
            const double term = problem.at(i, j) * of(f, j);
            sum += term;
            size += std::fabs(term);
        }
        of(out.a, i) = sum;
        of(out.rounding, i) = 64 * most_contacts * std::numeric_limits<double>::epsilon() * size;
    }
    return out;
}

// The longest step along (1) and the contact that ends it; -1 if none does.
struct PivotStep {
    double length = std::numeric_limits<double>::infinity();
    int by = -1;
};

inline PivotStep pivot_step(const Complementarity& problem, int d, const ContactSet& clamped, const ContactValues& f,
                            const ContactValues& a, const ContactValues& df, const ContactValues& da) {
    const double small = 64 * most_contacts * std::numeric_limits<double>::epsilon();
    PivotStep step;
    const auto offer = [&step](double length, int by) {
        if (length < step.length) step = {std::fmax(0.0, length), by};
    };
    if (of(da, d) > small * problem.at(d, d)) offer(-of(a, d) / of(da, d), d);
    for (int i = 0; i < problem.n; ++i) {
        if (i == d) continue;
        if (clamped.holds(i)) {
            if (of(df, i) < 0) offer(-of(f, i) / of(df, i), i);
        } else if (of(a, i) >= 0 && of(da, i) < -small * std::sqrt(problem.at(i, i) * problem.at(d, d))) {
            offer(-of(a, i) / of(da, i), i);  // a contact not yet taken up (a_i < 0) does not block
        }
    }
    return step;
}

}  // namespace detail

inline ComplementaritySolution pivoting(const Complementarity& problem) {
    using detail::of;
    ComplementaritySolution out;
    detail::ContactSet clamped;
    detail::Residual now = detail::residual(problem, out.f);
    const int most_pivots = 64 * most_contacts;
    const auto next = [&]() {
        for (int i = 0; i < problem.n; ++i)
            if (!clamped.holds(i) && of(now.a, i) < -of(now.rounding, i)) return i;
        return -1;
    };
    for (int d = next(); d >= 0; d = next()) {
        while (true) {
            if (++out.pivots > most_pivots) return out;
            detail::ContactValues right{}, da{};
            for (int i = 0; i < problem.n; ++i) of(right, i) = -problem.at(i, d);
            detail::ContactValues df = detail::solve_on(problem, clamped, right);
            of(df, d) = 1;
            for (int i = 0; i < problem.n; ++i)
                for (int j = 0; j < problem.n; ++j) of(da, i) += problem.at(i, j) * of(df, j);
            const detail::PivotStep step = detail::pivot_step(problem, d, clamped, out.f, now.a, df, da);
            if (step.by < 0) return out;  // no force at d lifts a_d: no solution
            for (int i = 0; i < problem.n; ++i) of(out.f, i) = std::fmax(0.0, of(out.f, i) + step.length * of(df, i));
            now = detail::residual(problem, out.f);
            const bool was_clamped = clamped.holds(step.by);
            if (was_clamped) {
                of(out.f, step.by) = 0;
                clamped.remove(step.by);
            }
            // d first where another comes to zero with it: their columns may depend on each other
            if (step.by == d || of(now.a, d) >= -of(now.rounding, d)) {
                clamped.add(d);
                break;
            }
            if (!was_clamped) clamped.add(step.by);
        }
        // the forces of C are solved anew from b, so that rounding errors of the steps do not accumulate
        detail::ContactValues right{};
        for (int i = 0; i < problem.n; ++i) of(right, i) = -of(problem.b, i);
        const detail::ContactValues fresh = detail::solve_on(problem, clamped, right);
        bool is_feasible = true;
        for (int i = 0; i < problem.n; ++i) is_feasible = is_feasible && of(fresh, i) >= 0;
        if (is_feasible) {
            out.f = fresh;
            now = detail::residual(problem, out.f);
        }
    }
    out.a = now.a;
    for (int i = 0; i < problem.n; ++i)
        if (clamped.holds(i) || std::fabs(of(out.a, i)) <= of(now.rounding, i)) of(out.a, i) = 0;
    out.is_solved = true;
    return out;
}

}  // namespace asperity::numerics
