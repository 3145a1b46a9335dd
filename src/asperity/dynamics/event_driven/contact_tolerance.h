// The tolerance of a step of contact motion, from the one asked for.
//
// At most 1e-9: slips and rolls that end are stiff, and with errors larger than what is left of them the ball bounced to and fro between
// two walls 100,000 times. On several contacts at least 1e-10: slips between them end within 1e-8 of the speed (slip_floor()), which a
// smaller tolerance would not mend.
#pragma once
#include <cmath>

#include "asperity/core/host_device.h"

namespace asperity::event_driven {

ASPERITY_HD inline double contact_tolerance(double asked, bool is_on_several) {
    return std::fmin(std::fmax(asked, is_on_several ? 1e-10 : 0), 1e-9);
}

}  // namespace asperity::event_driven
