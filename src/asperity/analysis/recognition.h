// Names the configuration of two or three spheres at one instant.
//
// By contacts (gap <= contact d), then by shape, all differences relative or in rad and at most `shape`:
//   3 contacts  Lagrange Resting
//   2           Euler Resting where the bend is small, else V-Rest
//   1           the third leaves: escaping pair; near the axis of the pair: Aligned Mixed; equally far from both: Transverse Mixed; else
//   bound 0           one leaves a bound pair: escaping pair; one leaves and the others are unbound: dispersing; equilateral, or on a line
//   with Euler's
//               ratio, and turning as one at the rate that this asks for: Lagrange or Euler Orbiting; else bound
// A body leaves the rest where its energy relative to their centre of mass,
//   (1/2) mu v^2 - sum G m m_i / r_i,                                                                                   (1)
// is not negative and it recedes. That is where it goes, not a proof: it takes the others for fixed, and no later encounter.
// A name says where the bodies are, not that they are locked or stay: what librates about a configuration passes through its neighbours.
// Source: 3-ternary 2.1, Fig. 2.3. docs/theory/ternary.md
#pragma once
#include <array>
#include <span>
#include <vector>

#include "asperity/analysis/resting_configurations.h"
#include "asperity/core/vec3.h"
#include "asperity/model/model.h"
#include "asperity/model/state.h"

namespace asperity::analysis {

struct MovingSphere {
    Sphere sphere;
    Vec3 p;  // m
    Vec3 v;  // m/s
};

struct RecognitionTolerance {
    double contact = 1e-3;  // of the sum of radii
    double shape = 0.05;    // rad, or relative
};

struct Recognised {
    Configuration configuration{};
    std::array<int, 3> order{0, 1, 2};  // as in RestingEquilibrium; escaping pair, and one contact: the pair, then the third
    int contacts = 0;
};

std::vector<MovingSphere> moving_spheres(const model::Parameters& world, const model::Bodies& bodies);

// Whether configurations have names here: two or three spheres in empty space, which attract each other.
bool has_configurations(const model::Parameters& world);
// The configuration in which the bodies are; none in worlds without named configurations.
Configuration configuration_at(const model::Parameters& world, const model::Bodies& bodies);

// Recognises the configuration of two or three spheres.
Recognised recognise(std::span<const MovingSphere> spheres, double gravitational_constant, const RecognitionTolerance& tolerance = {});

// The equilibrium in which the bodies are: it has the recognised kind and order, and their distances differ from its own by less than
// `shape` and change slower than `shape` times its rate. A null pointer where there is none.
const RestingEquilibrium* rests_in(std::span<const MovingSphere> spheres, const Recognised& now,
                                   std::span<const RestingEquilibrium> equilibria, const RecognitionTolerance& tolerance = {});

// The configuration in which the bodies are, or in whose valley of the potential they librate or tumble. For the order of the bodies,
//   two contacts   the unstable V-Rest is the ridge between Lagrange Resting (more bent) and what is stable beyond, V-Rest or Euler Resting
//   one contact    Aligned Mixed where it exists as a stable equilibrium
// else what was recognised.
Configuration librates_about(std::span<const MovingSphere> spheres, const Recognised& now, std::span<const RestingEquilibrium> equilibria);

}  // namespace asperity::analysis
