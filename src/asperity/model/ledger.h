// The energy ledger of a body: energies, heat and work. It closes if total() stays constant.
#pragma once

namespace asperity::model {

// Energies of a body, and the heat that it has set free.
struct Ledger {
    double kinetic = 0;        // J
    double rotational = 0;     // J
    double potential = 0;      // J
    double heat_impact = 0;    // J
    double heat_friction = 0;  // J
    double heat_rolling = 0;   // J
    double heat_tide = 0;      // J
    double work = 0;           // J, done on the body from outside: bodies that move in the frame, sunlight, engines, winches

    double heat() const { return heat_impact + heat_friction + heat_rolling + heat_tide; }
    double total() const { return kinetic + rotational + potential + heat() - work; }
};

}  // namespace asperity::model
