// Tables 7.2, 7.3 and 7.5 of 1-landers: what its two shortcuts of gravity cost, a field linearised about points and models with few facets.
//
//   7.2   max over the points of  | |g_lin| - |g| | / |g(first point)|                                    (1)
//   7.3   V_k, the volume of the icosphere of level k cast onto the shape; density times V / V_k
//   7.5   |g V / V_k of the model - g| / |g|  at each point                                               (2)
//
// g attraction of the full model. The thesis gives (1) as "(g / g_0)_max": the definition, and how far ahead a reference is put, are those
// that give its numbers (docs/theory/polyhedron-gravity.md).
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "asperity/core/vec3.h"
#include "asperity/geometry/mesh.h"
#include "asperity/gravity/polyhedron.h"

namespace asperity::reproduce {

// `count` points from first to last, both included.
std::vector<Vec3> points_between(const Vec3& first, const Vec3& last, std::size_t count);

struct LinearisationError {
    double reach = 0;            // m
    double largest = 0;          // (1)
    double largest_vector = 0;   // max of |g_lin - g| / |g|, the sterner measure
    std::size_t references = 0;  // evaluations of the full model
};

// A point moves along `points` in order; the first is the first reference.
std::vector<LinearisationError> linearisation_errors(const gravity::PolyhedronGravity& gravity, std::span<const Vec3> points,
                                                     std::span<const double> reaches);

struct ResolutionModel {
    int level = 0;
    std::size_t facets = 0;
    double volume = 0;           // m^3, V_k
    double density_factor = 1;   // V / V_k
    std::vector<double> errors;  // (2), for each point
};

struct ResolutionErrors {
    std::size_t facets = 0;  // of the full model
    double volume = 0;       // m^3, V
    std::vector<ResolutionModel> models;
};

// Throws InputError where the surface is open.
ResolutionErrors resolution_errors(const geometry::SurfaceMesh& full, std::span<const int> levels, std::span<const Vec3> points);

}  // namespace asperity::reproduce
