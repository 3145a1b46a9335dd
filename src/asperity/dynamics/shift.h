// Places of bodies are changed without velocity, and what that costs is booked.
#pragma once
#include <span>
#include <vector>

#include "asperity/dynamics/smooth_world.h"

namespace asperity::dynamics {

// By so much each, m and rad; the momentum of spin stays.
void shift_bodies(const model::Parameters& world, std::span<const Vec3> moved, std::span<const Vec3> turned, model::Bodies& bodies);

// Kinetic energy that is gained, and that of turning with the frame, less the work of the forces of the last rates on the way, is taken
// from the heat of impacts.
void book_shift(const model::Parameters& world, const SmoothWorld& smooth, const model::Bodies& before, std::span<const Vec3> moved,
                std::span<const Vec3> turned, const model::Bodies& bodies, std::vector<BodyHeat>& heat);

}  // namespace asperity::dynamics
