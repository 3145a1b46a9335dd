// The energy of bodies that attract each other, and the least energy that their angular momentum and places allow.
//
//   E_m = H^2 / (2 I_H) + U <= E = T + U,      I_H = H^ . (sum m (|p|^2 1 - p p^T) + J) H^                                (1)
//
// p, v from the common centre of mass, whose own motion counts for nothing; J inertia of each body in the world, H = sum m p x v + J w. By
// the inequality of Cauchy and Schwarz, body by body: H = H^ . H <= sqrt(I_H) sqrt(2 T). Equal only where all turns as one about H^. U is
// that of gravity/mutual.h: of points for spheres, to second order otherwise; contacts store nothing. Source: Scheeres, Celest. Mech. Dyn.
// Astron. 113 (2012); 3-ternary 2.6. docs/theory/ternary.md
#pragma once
#include <span>
#include <vector>

#include "asperity/core/vec3.h"
#include "asperity/gravity/mutual.h"
#include "asperity/model/model.h"
#include "asperity/model/state.h"

namespace asperity::analysis {

struct MovingBody {
    gravity::MassiveBody body;
    Vec3 p;  // m
    Vec3 v;  // m/s
    Vec3 w;  // rad/s, in the world
};

struct EnergyBound {
    double energy = 0;      // E, J
    double minimum = 0;     // E_m, J
    double kinetic = 0;     // T, J
    Vec3 angular_momentum;  // H, kg m^2/s
    double inertia = 0;     // I_H, kg m^2; zero where H is
};

std::vector<MovingBody> moving_bodies(const model::Parameters& world, const model::Bodies& bodies);

EnergyBound energy_bound(std::span<const MovingBody> bodies, double gravitational_constant);

}  // namespace asperity::analysis
