// Dispersion of the points of a campaign: the covariance ellipse (2D) or ellipsoid (3D) that holds a stated share of them, and outliers.
//
//   C = sum (x - m)(x - m)^T / (n - 1) = sum_i l_i a_i a_i^T                                                                    (1)
//   semi-axes k sqrt(l_i) along a_i,  P(chi2_d <= k^2) = probability,  d = 2:  k^2 = -2 ln(1 - probability)                     (2)
//   circular (3D: spherical) error probable: median of |x - m|                                                                  (3)
//   robust z of a value:  |x - median| / (1.4826 MAD),  MAD = median of |x - median|;  1.4826 MAD of normal x is its deviation  (4)
//
// Limits: (2) holds the probability for a normal distribution and many points; the fraction that is really inside stands beside it. An
// axis shorter than 1e-7 of the longest is lost in the rounding of C: it is given as 0, and the points count as lying on it.
// Where more than half of the values are the same, MAD is 0: (4) then takes 1.2533 times the mean of |x - median|, by which at most the
// part 1 / (1.2533 threshold) of a column can stand apart, and none where all are the same.
// Source for (4): Iglewicz, Hoaglin, How to Detect and Handle Outliers (1993), 3.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "asperity/core/vec3.h"
#include "asperity/statistics/statistics.h"

namespace asperity::statistics {

struct DispersionAxis {
    double deviation = no_value;  // standard deviation along it
    double semi_axis = no_value;  // of the ellipse
    Vec3 direction;               // unit; its largest component is positive
};

// In two dimensions every z is 0, and axes[2] is not used.
struct Dispersion {
    int dimension = 2;
    std::uint64_t count = 0;     // points
    std::uint64_t left_out = 0;  // a coordinate is missing
    double probability = 0;      // as requested
    Vec3 mean{no_value, no_value, no_value};
    std::array<Vec3, 3> covariance{};    // rows; from 2 points on
    std::array<DispersionAxis, 3> axes;  // longest first
    double fraction_inside = no_value;   // of the points
    double circular_error_probable = no_value;
};

// Takes points in rows of 2 or 3 coordinates and reads them eight times at most.
Dispersion dispersion(const ColumnSource& points, int dimension, double probability);
Dispersion dispersion(std::span<const double> x, std::span<const double> y, double probability);
Dispersion dispersion(std::span<const double> x, std::span<const double> y, std::span<const double> z, double probability);

struct Outlier {
    std::uint64_t row = 0;
    double value = no_value;
    double robust_z = no_value;
};

struct Outliers {
    double median = no_value;
    double deviation = no_value;   // what |x - median| is divided by
    std::uint64_t count = 0;       // values with a robust z above the threshold
    std::vector<Outlier> largest;  // of them; largest first, equal ones by row
};

struct OutlierOptions {
    double threshold = 3.5;  // as Iglewicz and Hoaglin recommend: one of 2000 normal values passes it
    std::size_t most = 10;
};

Outliers outliers(const ColumnSource& column, const OutlierOptions& options = {});
Outliers outliers(std::span<const double> values, const OutlierOptions& options = {});

}  // namespace asperity::statistics
