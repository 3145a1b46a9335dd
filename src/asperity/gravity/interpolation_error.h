// How well the fit of harmonic_fit.h (P: from values on the faces; C: cut to the Euclidean degree) follows the gradient of a source outside
// the cube.
//
//   E0(n, D) = max |grad (f - C P f)(p)|,                        f = 1 / |p - s|                                       (1)
//   E1(n, D) = max over unit n of |grad (n.p f - C n.p P f)(p)|                                                        (2)
//   over p in the cube |p|_inf <= 1 and sources |s|_4 >= D,   |s|_4 = (sx^4 + sy^4 + sz^4)^(1/4)
//
// For fixed p both are norms of functions of s that are harmonic outside the cube and vanish at infinity; so their largest value
// for |s|_4 >= D is attained at |s|_4 = D, and that is where they were sampled. (This norm follows their level surfaces: with the maximum
// norm, sources off the corners would count as much as those off the middles of faces, and are worth far less.)
// Derivation and table: docs/theory/fast-field.md. Sampling: tools/sample_fit_error.cpp.
#pragma once

namespace asperity::gravity {

inline constexpr int lowest_fit_degree = 2;
inline constexpr int highest_fit_degree = 15;
// On what was sampled: 3.6 times as many sources and eight times as many points found at most 8 % more.
inline constexpr double sampling_margin = 1.25;

struct FitError {
    double source = 0;  // (1), per half-side^2
    double moment = 0;  // (2), per half-side
};

// The table has steps of distance |s|_4, from 2 half-sides on: the last one that is not beyond it.
inline constexpr int distance_steps = 18;
int distance_step(double distance);
double step_distance(int step);
FitError fit_error(int degree, int step);

// What an error of phi by 1 at the points may grow to, per half-side and (|h(c)| + sqrt 3 half-sides): b_q the fit through 1 at point q,
// max_p of sum_q |grad C b_q| and of sum_q max over unit n |grad C n.p b_q| / sqrt 3, the larger.
double value_amplification(int degree);

}  // namespace asperity::gravity
