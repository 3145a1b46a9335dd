// The history of bodies in empty space as one system: distances, angles, spins, angular momentum and energy, from the samples.
//
//   F_ij  = angle of p_i and p_j, seen from the common centre of mass                                   3-ternary 5.1     (1)
//   F     = largest angle of the triangle of three bodies, at the one in the middle                     3-ternary 5.2     (2)
//   psi'_i - theta'_ij,   psi'_i = w_i . H^,   theta'_ij = H^ . (r x v) / r^2,   r, v of body j relative to body i        (3)
//   H     = sum m p x v + sum J w,   orbital and spin part                                              3-ternary 2.3     (4)
//   E_m   = H^2 / (2 I_H) + U <= E = T + U,   I_H = H^ . (sum m (|p|^2 1 - p p^T) + J) H^               3-ternary 2.6     (5)
//   E - E_m = T - H^2 / (2 I_H)                                                                                           (6)
//
// p, v from the common centre, whose own motion counts for nothing. H^ is the direction of H; in (3) and for plots that at the start. U is
// what the samples hold; energy in springs of contacts is in it, on both sides of (5). Source: 3-ternary ch. 2 and 5 with its errata.
#pragma once
#include <cstddef>
#include <limits>
#include <vector>

#include "asperity/record/record.h"

namespace asperity::report {

inline constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

// Samples say which bodies touch, not what: two that do touch each other if their gap is below this part of the sum of their largest
// semi-axes.
inline constexpr double touching_gap = 1e-6;

struct SystemMoment {
    double time = 0;                    // s
    std::size_t first_row = 0;          // of the record's samples; body i is i rows further
    std::vector<double> distances;      // m, of centres; pairs (0,1), (0,2), ..., (1,2), ...
    std::vector<double> gaps;           // m, negative: overlap
    std::vector<bool> is_touching;      // both touch something, and the gap is below touching_gap
    std::vector<double> centre_angles;  // rad, (1); not a number where a body is at the centre
    double middle_angle = 0;            // rad, (2); not a number unless there are three bodies
    int contacts = 0;                   // pairs that touch
    model::Configuration configuration = model::Configuration::none;
    std::vector<double> relative_spins;  // rad/s, (3); ordered pairs (0,1), (0,2), ..., (1,0), (1,2), ...
    Vec3 orbital;                        // kg m^2/s
    Vec3 spin;                           // kg m^2/s
    double energy = 0;                   // J, E
    double excess = 0;                   // J, (6), never negative but for rounding
    double rounding = 0;                 // J, by how much (6) may be wrong
    double heat_impact = 0;              // J, of all bodies since the start
    double heat_friction = 0;
    double heat_rolling = 0;
    double heat_tide = 0;
    double work = 0;  // done from outside

    double heat() const { return heat_impact + heat_friction + heat_rolling + heat_tide; }
};

struct SystemHistory {
    std::vector<SystemMoment> moments;  // times at which all bodies have a sample
    Vec3 axis{0, 0, 1};                 // H^ at the start
};

// Empty where the record has no bodies.
SystemHistory system_history(const record::Record& record);

}  // namespace asperity::report
