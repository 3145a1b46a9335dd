// Step-size control by the error estimate of a step, with the two bounds of 1-landers 6.1.1.
//
//   ratio = error / tolerance,   h* = 0.9 h ratio^(-1/p),   p the order of the method                          (1)
//
//   ratio > 1             the step is repeated with h*
//   ratio > ratio_max     the step stands, the next one is h* (it would probably have been repeated)
//   ratio < ratio_min     the step stands, the next one is h* (it may be longer)
//   otherwise             h stays: equal steps keep the dense output smooth
//
// h* / h is kept within 1/10 and 10, so that one odd estimate does no harm. Source of (1): Montenbruck and Gill, Satellite Orbits, 4.1.5;
// eq. 6.7 of the thesis prints e for epsilon.
#pragma once
#include <cmath>

#include "asperity/core/host_device.h"

namespace asperity::numerics {

struct StepBounds {
    double ratio_min = 0.1;
    double ratio_max = 0.9;
    double step_min = 0;         // s
    double step_max = HUGE_VAL;  // s
};

struct StepChoice {
    bool is_accepted = false;
    double next = 0;  // s
};

ASPERITY_HD inline StepChoice choose_step(double ratio, double h, int order, const StepBounds& bounds) {
    const bool keeps = ratio >= bounds.ratio_min && ratio <= bounds.ratio_max;
    double factor = 1;
    if (!keeps) factor = ratio > 0 ? std::fmin(10.0, std::fmax(0.1, 0.9 * std::pow(ratio, -1.0 / order))) : 10.0;
    const bool is_floor = h <= bounds.step_min;
    StepChoice choice{.is_accepted = ratio <= 1 || is_floor, .next = factor * h};
    choice.next = std::fmin(bounds.step_max, std::fmax(bounds.step_min, choice.next));
    return choice;
}

}  // namespace asperity::numerics
