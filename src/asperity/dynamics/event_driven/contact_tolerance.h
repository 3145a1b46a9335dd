// The error tolerance of a step of contact motion, derived from the one that the phase sets.
// It is at most 1e-9: the end of a slip or a roll is stiff, and with errors larger than the remaining slip the ball bounced to and fro
// between two walls 100,000 times. On several contacts it is at least 1e-10: slips between them end within 1e-8 of the speed
// (slip_floor()), which a smaller tolerance does not improve.
#pragma once
#include <cmath>

#include "asperity/core/host_device.h"

namespace asperity::event_driven {

ASPERITY_HD inline double contact_tolerance(double asked, bool is_on_several) {
    return std::fmin(std::fmax(asked, is_on_several ? 1e-10 : 0), 1e-9);
}

}  // namespace asperity::event_driven
