// Three equal spheres of diameter d: SI from the units d = m = G = 1.
#pragma once
#include <cmath>
#include <numbers>

#include "asperity/analysis/resting_configurations.h"

namespace asperity::analysis {

struct EqualSpheres {
    double diameter = 0;                // d, m
    double density = 0;                 // kg/m^3
    double gravitational_constant = 0;  // m^3/(kg s^2)

    double mass() const { return density * std::numbers::pi / 6 * diameter * diameter * diameter; }          // m, kg
    double energy_unit() const { return gravitational_constant * mass() * mass() / diameter; }               // G m^2 / d, J
    double rate_unit() const { return std::sqrt(gravitational_constant * density * std::numbers::pi / 6); }  // rad/s
    double momentum2_unit() const { return gravitational_constant * mass() * mass() * mass() * diameter; }   // G m^3 d
    Sphere sphere() const { return {mass(), diameter / 2}; }
};

}  // namespace asperity::analysis
