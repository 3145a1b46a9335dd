// `asperity equilibria` of a world of kind free: the relative equilibria of two or three spheres.
#pragma once
#include <filesystem>

#include "asperity/scenario/scenario.h"

namespace asperity::cli {

// Prints them; writes equilibria.json and equilibria.html into the folder. Throws InputError.
void tell_resting_equilibria(const scenario::Scenario& scenario, const std::filesystem::path& folder);

}  // namespace asperity::cli
