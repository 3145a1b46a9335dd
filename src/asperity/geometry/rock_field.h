// Fixed rocks: placed once on a surface from a seed, so that the same rock can be hit twice and two runs see the same rocks.
//
// Rocks are spheres with their centres on the facets. On a facet of area S with the density factor w they come in descending size: with
// exponential numbers E_1, E_2, ... of mean 1, all functions of (seed, facet, k),
//   w S N(>D_k) = E_1 + ... + E_k     while D_k > smallest                                                                 (1)
// which is the Poisson process of the law N(>D) (core/rock_population.h). A smaller `smallest` adds rocks and keeps those that were there.
// A rock's place is uniform in the facet, by two more numbers of (seed, facet, k).
//
// Search: rocks are kept by octave of size (class 0 holds radii above half of the largest), each class in a tree, eight rocks to a leaf,
// four nodes to a node above, without pointers or stack. A node has the box of its rocks' centres (single precision, rounded outwards) and
// their largest radius. One tree for all sizes was turned down: a few large rocks would widen most of its boxes; so was an order along a
// Morton curve, whose jumps made a search look at twice as many nodes.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "asperity/core/rock_population.h"
#include "asperity/geometry/mesh.h"
#include "asperity/geometry/rock_view.h"

namespace asperity::geometry {

inline constexpr std::size_t most_rocks = std::size_t{1} << 24;
inline constexpr std::uint64_t rock_stream = 0x726f636b73;  // DrawKey::stream of the gaps; places: the next two
inline constexpr std::size_t rock_classes = 24;

struct RockField {
    std::vector<Vec3> centres;         // m
    std::vector<double> radii;         // m
    std::vector<std::int32_t> facets;  // on which the rock was placed
    std::vector<RockNode> nodes;
    std::vector<RockClass> classes;  // those that have rocks, largest first

    RockView view() const;  // valid as long as the field stands where it is
};

// density_factor: one number >= 0 per facet, or none at all for 1 everywhere. The same bits with any number of threads.
// Throws InputError for a population that is none, factors that do not fit, and more than most_rocks rocks.
RockField make_rock_field(const SurfaceMesh& mesh, const RockPopulation& rocks, std::uint64_t seed,
                          std::span<const double> density_factor = {});

}  // namespace asperity::geometry
