// Directions on a circle, in degrees: 179 and -179 are neighbours, and their mean is 180.
//
//   C = (1/n) sum cos x,  S = (1/n) sum sin x:   mean direction m = atan2(S, C),  resultant length R = sqrt(C^2 + S^2)          (1)
//   circular deviation sqrt(-2 ln R), that of the normal distribution which, wrapped around the circle, has this R              (2)
//   m -+ asin(z sqrt((1 - R_2) / (2 n R^2))),   R_2 = (1/n) sum cos 2 (x - m)                                                   (3)
// Quantiles are those of the circle cut open opposite to the mean direction, with the intervals of statistics.h (4). Like the least and the
// largest value they are given as m + d with d from -180 to 180, and may lie outside -180 ... 180. Where n R^2 < ln(1 / a), a = 1 -
// confidence, the directions cannot be distinguished from uniform ones (Rayleigh test), and there is no mean. Limits: (3) is for 25
// directions or more, whatever their distribution. Source: Fisher, Statistical Analysis of Circular Data (1993), 2.3, 4.3, 4.4.
#pragma once
#include "asperity/statistics/statistics.h"

namespace asperity::statistics {

ColumnStatistics circular_statistics(const ColumnSource& degrees, const StatisticsOptions& options = {});

// The same column as angles from a direction, in degrees from -180 to 180.
ColumnSource degrees_from(const ColumnSource& source, double direction);

}  // namespace asperity::statistics
