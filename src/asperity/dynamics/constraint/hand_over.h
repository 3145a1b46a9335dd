// Hand-over from soft to rigid contact: bodies that the phase before left overlapping a little are moved apart until they just touch.
//
//   p_i += s n / m_i,   p_j -= s n / m_j        until the gap is zero, all such pairs at once                              (1)
//   v_i -= c u_t / m_i, v_j += c u_t / m_j,     c = s / |p_i - p_j|: the pair's own angular momentum stays                 (2)
//
// n normal, u_t relative velocity of the centres across p_i - p_j. (1) keeps the centre of mass. What (2), of first order in s, leaves of
// the total angular momentum (second order: 1e-12 of it) goes to the spins of the bodies that were moved, so that it is kept to rounding.
// Energy: where it falls, since springs are set free, that is heat of impacts; where it rises, since gravity had pressed the bodies into
// each other, that is work from outside: rigid bodies are not the soft ones.
#pragma once
#include <cstddef>

#include "asperity/dynamics/motion.h"

namespace asperity::dynamics {

inline constexpr double most_overlap = 1e-5;  // of the sum of the radii: more is no matter of stiffness

// Kinetic energy, gravity and springs, J.
double mechanical_energy(const model::Parameters& world, const Motion& motion);

// Parts all pairs that overlap by more than rounding, by at most most_overlap. Returns how many there were.
std::size_t take_out_overlaps(const model::Parameters& world, Motion& motion);

}  // namespace asperity::dynamics
