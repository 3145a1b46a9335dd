// Built-in shapes of asteroids: sums of spherical harmonics (harmonics.h, eq. 2), meshed at any resolution.
//
//   q = s (p(u) - c'),   s = (V / V')^(1/3)                                                              (1)
//
// p(u): the sum at the vertices of an icosphere; V', c' volume and centre of mass of that mesh; V volume of the mesh that was fitted. So
// every resolution has the same volume, thus the same mass at the same density, and its centre of mass at the origin. Axes are those of the
// source, z the axis of rotation. Coefficients: tools/fit_shape; errors of the fits: docs/theory/shapes.md.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "asperity/geometry/harmonics.h"
#include "asperity/geometry/raw_mesh.h"

namespace asperity::geometry {

struct BuiltinShape {
    std::string_view name;
    std::string_view text;                     // one line
    std::string_view source;                   // whose shape was fitted
    int degree = 0;                            // of the sum: (degree + 1)^2 coefficients
    Vec3 axes;                                 // m, A of the sum
    double volume = 0;                         // m^3, of the source and of every mesh
    double fit_rms = 0;                        // m, distance between source and fit at 200,000 facets
    double fit_largest = 0;                    // m
    double density = 0;                        // kg/m^3, nominal in 1-landers
    double mass = 0;                           // kg, as published; not quite density times volume
    double rotation_period = 0;                // s
    std::span<const std::int32_t> millionths;  // the coefficients times 10^6
};

inline constexpr std::int64_t default_builtin_facets = 50'000;
inline constexpr std::int64_t highest_builtin_facets = 200'000;

std::span<const BuiltinShape> builtin_shapes();

// The shape of that name; a null pointer where there is none.
const BuiltinShape* find_builtin_shape(std::string_view name);

HarmonicShape harmonic_shape(const BuiltinShape& shape);

// (1), with 20 f^2 facets: the f that comes nearest to the number asked for. Closed, outward, star-shaped.
// Throws InputError for a name that is not there, with what may have been meant, and for fewer than 20 or more than 200,000 facets.
RawMesh builtin_shape(std::string_view name, std::int64_t facets = default_builtin_facets);
RawMesh builtin_shape(const BuiltinShape& shape, std::int64_t facets = default_builtin_facets);

// s (p - c'): moved to its centre of mass, scaled to that volume.
RawMesh with_volume(RawMesh mesh, double volume);

}  // namespace asperity::geometry
