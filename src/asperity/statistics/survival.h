// Survival analysis of times to an event. Runs that were cut off before the event are right-censored, never left out silently.
//
//   survival   S(t) = product over event times t_i <= t of (1 - d_i / n_i),  d_i events, n_i runs at risk (Kaplan, Meier)       (1)
//   interval   S^exp(-+ z v),  v^2 = sum d_i / (n_i (n_i - d_i)) / ln(S)^2   (Greenwood, in ln(-ln S))                          (2)
//   quantile   the first t with S(t) <= 1 - p;  all t at which (2) holds 1 - p (Brookmeyer, Crowley)                            (3)
//
// Where every cut is later than every event, as with one end time for all runs, (1) is one minus the share of events, a cut run counts as
// infinitely late, and the exact ranks of statistics.h (3, 4) stand for (3).
//
// A run that was cut off may never see the event (a lander that escapes never rests), and a run that cannot see it any more does not
// count: quantities are those of the runs that do, in the end. How many of the cut ones are such is not known. An interval therefore
// reaches from the lower end that holds if none of them is to the upper end that holds if all are, and covers whatever comes true.
// Nothing bounds a mean from above, nor a deviation; from below, with w' of the share w cut off still to come, all after the cut c:
//   mean       >= (1 - w') m + w' c,   variance >= (1 - w') s^2 + w' (1 - w') (c - m)^2,   m, s of the events seen                (4)
// which is linear and concave in w', as mean + 3 sigma is: the least is at w' = 0, the events seen, or at w' = w, times cut at c.
// What can be said as a number is the restricted mean, of min(T, c), c the earliest cut: every run has it, statistics.h (1).
//
// Limits: (2) is for some ten events or more; (3) keeps its times in memory where cuts lie between events.
// Sources: Kaplan, Meier, J. Am. Stat. Assoc. 53 (1958) 457; Kalbfleisch, Prentice, The Statistical Analysis of Failure Time Data (2002),
// 1.4; Brookmeyer, Crowley, Biometrics 38 (1982) 29; Manski, Am. Econ. Rev. 80 (1990) 319, for bounds without assumptions.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "asperity/statistics/statistics.h"

namespace asperity::statistics {

// The columns have a row for each run; NaN where the run has no value.
struct TimeColumn {
    ColumnSource sure;     // when it happened, of runs that count
    ColumnSource perhaps;  // the same of runs that may count; infinite: it did not happen before they were cut off
    ColumnSource cut_off;  // the times at which those were cut off
};

// Statistics of the runs that count, with all intervals as above; without cut runs they are those of `sure`. A mean, a deviation and a
// quantile have no value where no number is the best guess.
ColumnStatistics time_statistics(const TimeColumn& column, const StatisticsOptions& options = {});

// m + 3 s of the times; the interval is that of statistics.h (6), or its lower end by (4) alone where runs were cut off.
struct ThreeSigma {
    double value = no_value;
    Interval interval;
};
ThreeSigma mean_and_three_sigma(const TimeColumn& column, double confidence);

struct SurvivalStep {
    double time = 0;
    double survival = 1;  // from this time on
    Interval interval{0, 1};
};

// The Kaplan-Meier curve (1) with its interval (2), a step for each event time.
std::vector<SurvivalStep> kaplan_meier(std::vector<double> times, std::vector<double> cut_off, double confidence);

// (3); there is no value if the curve does not fall that far.
Quantile survival_quantile(std::span<const SurvivalStep> curve, double probability);

}  // namespace asperity::statistics
