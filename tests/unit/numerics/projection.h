// A second opinion on numerics/complementarity.h: the same problem as the least f . A f / 2 + b . f over f >= 0 (its conditions are those
// of the first), by coordinate descent with steps on the set of the positive forces in between. `pivots` counts sweeps.
#pragma once
#include <cmath>

#include "asperity/numerics/complementarity.h"

namespace asperity::numerics {

inline ComplementaritySolution projection(const Complementarity& problem) {
    using detail::of;
    ComplementaritySolution out;
    const int most_sweeps = 100000;
    while (out.pivots < most_sweeps) {
        ++out.pivots;
        for (int i = 0; i < problem.n; ++i) {
            if (!(problem.at(i, i) > 0)) continue;
            double a = of(problem.b, i);
            for (int j = 0; j < problem.n; ++j) a += problem.at(i, j) * of(out.f, j);
            of(out.f, i) = std::fmax(0.0, of(out.f, i) - a / problem.at(i, i));
        }
        // the positive forces as if they stayed so: as far towards that as they do
        detail::ContactSet positive;
        detail::ContactValues right{};
        for (int i = 0; i < problem.n; ++i) {
            if (of(out.f, i) > 0) positive.add(i);
            of(right, i) = -of(problem.b, i);
        }
        const detail::ContactValues wanted = detail::solve_on(problem, positive, right);
        double part = 1;
        for (int i = 0; i < problem.n; ++i)
            if (of(wanted, i) < 0) part = std::fmin(part, of(out.f, i) / (of(out.f, i) - of(wanted, i)));
        detail::ContactValues trial = out.f;
        for (int i = 0; i < problem.n; ++i) of(trial, i) = std::fmax(0.0, of(out.f, i) + part * (of(wanted, i) - of(out.f, i)));
        const detail::Residual now = detail::residual(problem, trial);
        bool is_solved = part == 1;
        for (int i = 0; i < problem.n; ++i)
            is_solved = is_solved && (of(trial, i) > 0 ? std::fabs(of(now.a, i)) : -of(now.a, i)) <= of(now.rounding, i);
        out.f = trial;
        out.a = now.a;
        if (is_solved) {
            for (int i = 0; i < problem.n; ++i)
                if (std::fabs(of(out.a, i)) <= of(now.rounding, i)) of(out.a, i) = 0;
            out.is_solved = true;
            return out;
        }
    }
    return out;
}

}  // namespace asperity::numerics
