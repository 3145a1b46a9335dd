// Magnitudes beyond which a value must be a typing error; squares and quotients of values within them stay in the range of double
// precision.
#pragma once
#include "asperity/core/constants.h"
#include "asperity/core/describe.h"
#include "asperity/core/units.h"

namespace asperity::scenario {

inline constexpr double largest_length = 1e12;    // m
inline constexpr double largest_distance = 1e15;  // m, from the origin
inline constexpr double largest_speed = 3e8;      // m/s
inline constexpr double largest_time = 1e15;      // s
inline constexpr double largest_spin = 1e9;       // rad/s
inline constexpr Bounds lengths = between(-largest_length, largest_length);
inline constexpr Bounds places_in_space = between(-largest_distance, largest_distance);
inline constexpr Bounds distances = between(0, largest_length);
inline constexpr Bounds velocities = between(-largest_speed, largest_speed);
inline constexpr Bounds speeds = between(0, largest_speed);
inline constexpr Bounds spins = between(-largest_spin, largest_spin);
inline constexpr Bounds accelerations = between(-1e9, 1e9);
inline constexpr Bounds masses = between(1e-30, 1e40);
inline constexpr Bounds densities = between(1e-6, 1e18);
inline constexpr Bounds angles = between(-1e6, 1e6);
inline constexpr Bounds periods = between(1e-6, 1e15);
inline constexpr Bounds times = above_up_to(0, largest_time);
inline constexpr Bounds coefficients = between(0, largest_contact_coefficient);
inline constexpr Range body_counts = from_to(1, 1000000);

inline constexpr Unit newton_per_metre{"N/m", {.mass = 1, .time = -2}};
inline constexpr Unit kilogram_square_metre{"kg*m^2", {.length = 2, .mass = 1}};
inline constexpr Unit newton_second_per_metre{"N*s/m", {.mass = 1, .time = -1}};
inline constexpr Unit radian_per_second_squared{"rad/s^2", {.time = -2, .angle = 1}};

}  // namespace asperity::scenario
