// A cable that pulls and never pushes: a Kelvin-Voigt element (spring and damper in parallel) while it is taut, no force while it is slack.
//
//   T = max(0, k x + c x')   for x > 0,   T = 0   for x <= 0;   x: stretch beyond the rest length                            (1)
//
// The spring stores k x^2 / 2. What it takes from the ends, T x', less what is stored, k x x', is heat: (T - k x) x' >= 0. Where the rest
// length l changes, a winch does the work -T l' on the cable.
#pragma once
#include <cmath>

#include "asperity/core/host_device.h"

namespace asperity::laws {

struct CableLaw {
    double stiffness = 0;  // N/m
    double damping = 0;    // N s/m

    ASPERITY_HD double tension(double stretch, double rate) const {  // N
        return stretch > 0 ? std::fmax(0.0, stiffness * stretch + damping * rate) : 0;
    }
    ASPERITY_HD double stored(double stretch) const {  // J
        return stretch > 0 ? 0.5 * stiffness * stretch * stretch : 0;
    }
    // W, the heat that a tension from that stretch produces at that rate of stretch.
    ASPERITY_HD double heat(double tension, double stretch, double rate) const {
        return stretch > 0 ? (tension - stiffness * stretch) * rate : 0;
    }
};

}  // namespace asperity::laws
