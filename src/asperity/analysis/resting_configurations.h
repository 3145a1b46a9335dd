// Relative equilibria of two or three spheres that attract each other and may touch: all of them, for a given angular momentum.
//
//   E(r)  = H^2 / (2 I) + U <= energy of any motion with that H,  with equality where all turns as one                      (1)
//   I     = sum_pairs mu_ij r_ij^2 + sum (2/5) m_i R_i^2,   U = -sum_pairs G m_i m_j / r_ij,   mu_ij = m_i m_j / M            (2)
//   e_ij  = dE/dr_ij = mu_ij r_ij (G M / r_ij^3 - w^2),     w = H / I the common rate,  M the total mass                    (3)
//
// An equilibrium is a critical point of E on the set r_ij >= d_ij = R_i + R_j: the slope is zero along what is free, and presses where a
// contact holds. Its multipliers are the forces of the contacts. Energetically stable: a strict local minimum along
// what is free. With three spheres off a line the three distances are coordinates; on a line a - c - b they are r_ac, r_cb
// and the bend, along which r_ab = r_ac + r_cb - r_ac r_cb bend^2 / (2 (r_ac + r_cb)) to second order.
//   off a line   a free distance has w^2 = G M / r^3: all free distances are equal                                          (4)
//   on a line    the slope along it is zero; E'' of the bend is -e_ab r_ac r_cb / r_ab                                       (5)
// so that every kind of equilibrium has one unknown s, and H^2 = I(s)^2 w^2(s) is solved on its monotone pieces, to rounding.
//
// Equal spheres, in units d = m = G = 1 (3-ternary 2.9 with 1/r, 2.10 to 2.12): seven configurations, thresholds below.
// Limits: spheres, rigid; axis of rotation across the plane of the centres (any other has a smaller I, thus a larger E).
// Source: Scheeres, Celest. Mech. Dyn. Astron. 113 (2012); 104 (2009) for two; 3-ternary ch. 2. docs/theory/ternary.md
#pragma once
#include <array>
#include <span>
#include <vector>

#include "asperity/core/vec3.h"
#include "asperity/model/configuration.h"

namespace asperity::analysis {

using model::Configuration;

struct Sphere {
    double m = 0;  // kg
    double r = 0;  // m
};

// Distances: of bodies 0-1, 1-2, 2-0; of two bodies only the first.
using Distances = std::array<double, 3>;

struct RestingEquilibrium {
    Configuration configuration{};
    std::array<int, 3> order{};  // on a line: along it; V-Rest: the middle body second; Transverse Mixed: the pair in contact, the third
    Distances distances{};       // m
    Distances contact_force{};   // N, pressing; zero where there is no contact
    double size = 0;             // m. V-Rest: of the outer two; mixed: from the pair's centre of mass to the third; orbiting: least; else 0
    double energy = 0;           // E, J
    double rate = 0;             // w, rad/s
    bool is_stable = false;
};

// All equilibria of two or three spheres with H^2 = momentum2 ((kg m^2/s)^2): each permutation of the bodies and each branch, mirror images
// once; sorted by Configuration, then by bodies, then by size.
std::vector<RestingEquilibrium> resting_equilibria(std::span<const Sphere> spheres, double momentum2, double gravitational_constant);

// The stable equilibrium of least energy; there always is one.
const RestingEquilibrium& ground_state(const std::vector<RestingEquilibrium>& list);
// Whether it is that one, or has the same energy to rounding, as mirror images and distant bodies in another order have.
bool is_ground(const RestingEquilibrium& equilibrium, const RestingEquilibrium& ground);

// Centres in the plane z = 0, common centre of mass at the origin; on the x-axis where they lie on a line.
std::array<Vec3, 3> positions(std::span<const Sphere> spheres, const RestingEquilibrium& equilibrium);

// r_cb / r_ac at which three point masses on a line a - c - b turn as one: the positive root of Euler's quintic.
double euler_ratio(double m_a, double m_c, double m_b);

// Three equal spheres of mass m and diameter d, in units d = m = G = 1: H-bar^2 = H^2 / (G m^3 d).
//
// The H-bar^2 at which a configuration of this size (RestingEquilibrium) is in equilibrium. Not for Lagrange and Euler Resting, which have
// no size.
double equal_sphere_momentum2(Configuration configuration, double size);

// H-bar^2 at which the list of their equilibria changes, and sizes (in d) where a pair of branches begins. To 1e-12 or better.
struct EqualSphereThresholds {
    double euler_resting_stable = 0;   // above; V-Rest begins
    double lagrange_equals_euler = 0;  // Lagrange Resting has less energy below, Euler Resting above
    double transverse_mixed = 0;       // exists above
    double transverse_mixed_size = 0;
    double lagrange_resting_ends = 0;  // exists below, as V-Rest; Lagrange Orbiting exists above
    double aligned_mixed = 0;          // exists above
    double aligned_mixed_size = 0;
    double euler_equals_aligned = 0;  // Aligned Mixed has the least energy above
    double euler_resting_ends = 0;    // exists below; Euler Orbiting exists above
};
EqualSphereThresholds equal_sphere_thresholds();

}  // namespace asperity::analysis
