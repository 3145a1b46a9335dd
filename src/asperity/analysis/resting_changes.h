// Where the list of relative equilibria (resting_configurations.h) changes as the angular momentum grows: which begin, end, split and
// become stable, and which has the least energy. For any spheres, by a sweep of all H^2 at which the list is neither that of none nor that
// of very much, with bisection between neighbours whose lists differ: a change and its reverse between two points, 0.8 % apart, are not
// seen. Of three equal spheres closed forms are known (equal_sphere_thresholds), which test this. docs/theory/ternary.md
#pragma once
#include <span>
#include <string>
#include <vector>

#include "asperity/analysis/resting_configurations.h"

namespace asperity::analysis {

// What happens to a configuration of bodies in one order as H^2 grows.
enum class ChangeKind {
    begins,     // it exists above
    ends,       // it exists below
    branches,   // it has another number of branches
    stability,  // as many branches, of which others are stable
    ground,     // it has the least energy below, another one above
};

struct RestingChange {
    double momentum2 = 0;  // H^2, (kg m^2/s)^2, to 1e-12 of it
    ChangeKind kind = ChangeKind::begins;
    Configuration configuration = Configuration::none;
    std::string text;  // "Euler Resting 1-2-3 is stable above"
};

// In the order of H^2. Of two or three spheres.
std::vector<RestingChange> resting_changes(std::span<const Sphere> spheres, double gravitational_constant);

// "1-2-3": the bodies in the order of the equilibrium, counted from 1.
std::string bodies_text(const RestingEquilibrium& equilibrium, std::size_t count);

}  // namespace asperity::analysis
