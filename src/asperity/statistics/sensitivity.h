// Sensitivity of an outcome to the parameters: correlations of two columns, and shares of the variance (Sobol indices).
//
//   Pearson      r = sum (x - mx)(y - my) / sqrt(sum (x - mx)^2 sum (y - my)^2);   Spearman: r of the mid-ranks                (1)
//   interval     tanh(atanh r -+ z w),  w = 1 / sqrt(n - 3) Pearson,  sqrt((1 + r^2/2) / (n - 3)) Spearman (Bonett, Wright)    (2)
//   p value      t = r sqrt((n - 2) / (1 - r^2)) of Student with n - 2 degrees, both sides                                     (3)
//
//   y = f(p_1 ... p_k). A base point: two independent draws a, b of all parameters, and k mixed ones: c_i is a with its i-th from b.
//   first order  S_i = V(E(y | p_i)) / V(y)           = mean of (y_b - m)(y_ci - y_a) / V   (Saltelli et al. 2010)             (4)
//   total        T_i = E(V(y | all but p_i)) / V(y)   = mean of (y_a - y_ci)^2 / 2 / V      (Jansen 1999)                      (5)
//   m, V         mean and variance of all y_a and y_b together
//   interval     S -+ t e,  e^2 = (N - 1)/N sum_j (S_(j) - mean S_(j))^2,  S_(j): S without base point j (jackknife)           (6)
//
// (4) is taken about m: otherwise the square of the mean enters its error. It is exact for a parameter without effect (y_ci = y_a), which
// is what most parameters of a study are; estimators that are exact for a parameter that does everything have an error of 1/sqrt(N) there.
// (6) rather than a bootstrap: (4), (5) are smooth functions of means, for which both estimate the same error; (6) takes one more reading
// and no memory, where a bootstrap would keep the whole column and go through it a thousand times.
// Limits: (2), (3) are approximations for n of 10 or more; r = -+1 gives an interval of no width. (2) Pearson holds for normal pairs.
// (6) assumes independent base points: with a low-discrepancy design it is too wide. S is not cut to 0...1: an interval around 0 shows it.
// Sources: Bonett, Wright, Psychometrika 65 (2000) 23; Saltelli et al., Comput. Phys. Commun. 181 (2010) 259; Jansen, Comput. Phys.
// Commun. 117 (1999) 35; Efron, Stein, Ann. Stat. 9 (1981) 586.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "asperity/statistics/statistics.h"

namespace asperity::statistics {

struct Correlation {
    std::uint64_t count = 0;        // rows that have both values
    double coefficient = no_value;  // NaN where a column does not vary
    Interval interval{-1, 1};
    double p_value = no_value;  // of no correlation
};

// The columns have the same length. Spearman sorts, and so needs memory for all rows: of a long campaign pass the first million, whose
// interval is narrower than 0.005.
Correlation pearson(std::span<const double> x, std::span<const double> y, double confidence);
Correlation spearman(std::span<const double> x, std::span<const double> y, double confidence);

struct SobolIndex {
    double first = no_value, total = no_value;
    Interval first_interval, total_interval;
};

struct SobolIndices {
    std::uint64_t base_points = 0;  // used
    std::uint64_t left_out = 0;     // a value of theirs is missing, or the column ended within them
    double mean = no_value, variance = no_value;
    std::vector<SobolIndex> parameters;  // NaN where the outcome does not vary, or fewer than 2 base points are whole
};

// The column holds base points one after another: y_a, y_b, y_c1 ... y_ck. Three readings.
SobolIndices sobol_indices(const ColumnSource& column, std::size_t parameters, double confidence);

}  // namespace asperity::statistics
