// Sampled-data controllers: at each tick, k periods after the phase began, they set the throttle of an engine, which is held until the next
// tick (zero-order hold).
#pragma once
#include <cstdint>
#include <variant>
#include <vector>

#include "asperity/model/phase.h"

namespace asperity::model {

// throttle = offset + gain e + integral_gain sum(e period),  e = wanted - signal, kept within 0 and 1. While it is held there the sum
// stands.
struct Proportional {
    Signal signal;
    double wanted = 0;
    double gain = 0;           // per unit of the signal
    double integral_gain = 0;  // per unit of the signal and second
    double offset = 0;
};

// The throttle is that of the last time that has passed; before the first it is zero.
struct Schedule {
    std::vector<double> times;  // s, in the phase, rising
    std::vector<double> throttles;
};

struct Controller {
    std::uint32_t engine = 0;
    double period = 1;  // s
    bool is_running = true;
    std::variant<Proportional, Schedule> law;
};

}  // namespace asperity::model
