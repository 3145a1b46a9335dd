// The working state of one ball under the event-driven method, and its flat form for the integrators. Energies are per unit mass.
#pragma once
#include <cstdint>

#include "asperity/core/quat.h"
#include "asperity/geometry/mesh.h"
#include "asperity/model/state.h"
#include "asperity/numerics/runge_kutta.h"

namespace asperity::event_driven {

struct BallState {
    double time = 0;  // s, in the phase
    Vec3 p;           // m
    Vec3 v;           // m/s
    Vec3 w;           // rad/s
    Quat q;
    model::Mode mode = model::Mode::flight;
    geometry::Feature feature;  // of a single contact; in flight, the one that was just left; index -1: none
    Vec3 slip_direction;
    Vec3 roll_axis;
    bool spin_locked = false;
    int drilling = 0;          // -1 or 1: the side to which it turns about the normal; 0: held, or spinning resistance does not act
    double next_step = 0;      // s; 0: choose afresh
    double heat_impact = 0;    // J/kg
    double heat_friction = 0;  // J/kg
    double heat_rolling = 0;   // J/kg
    double work = 0;           // J/kg, by bodies that move in the frame
    double rolled = 0;         // m
    double deepest = 0;        // m
    std::int64_t impacts = 0;
    double last_touch = -1;  // s, of the run; -1: never
    std::uint64_t draws = 0;
    double next_rock = 0;  // m, of `rolled`; 0: not drawn yet
    std::int64_t steps = 0;

    // In flight, away from all that it touched before.
    ASPERITY_HD void forget_contact() {
        feature.index = -1;
        slip_direction = roll_axis = {};
        spin_locked = false;
        drilling = 0;
    }
};

// Where each quantity stands in the flat vector of an integration step.
enum Slot : int {
    position_slot = 0,
    velocity_slot = 3,
    spin_slot = 6,
    friction_slot = 9,
    rolling_slot = 10,
    path_slot = 11,
    work_slot = 12,
    time_slot = 13,
    slots = 14
};

using Flat = numerics::Vector<slots>;
using FlatDense = numerics::Dense<slots>;

ASPERITY_HD inline Flat flat(const BallState& b) {
    Flat y;
    y.set_three(position_slot, b.p);
    y.set_three(velocity_slot, b.v);
    y.set_three(spin_slot, b.w);
    y[friction_slot] = b.heat_friction;
    y[rolling_slot] = b.heat_rolling;
    y[path_slot] = b.rolled;
    y[work_slot] = b.work;
    y[time_slot] = b.time;
    return y;
}

// The rotation over the first part s of a step: Magnus series of order 4 with two Gauss points, exact for a fixed axis.
// Source: Iserles, Munthe-Kaas, Norsett, Zanna, Lie-group methods, Acta Numerica 9 (2000), 7.
ASPERITY_HD inline Quat turned(const Quat& q, const FlatDense& dense, double s) {
    constexpr double offset = 0.28867513459481288;  // sqrt(3) / 6
    const Vec3 w1 = dense.three(spin_slot, s * (0.5 - offset));
    const Vec3 w2 = dense.three(spin_slot, s * (0.5 + offset));
    const double h = s * dense.h;
    const Vec3 angle = 0.5 * h * (w1 + w2) + (h * h * 0.5 * offset) * cross(w2, w1);
    return unit(rotation(angle) * q);
}

// Moves the ball along a step, to its part s.
ASPERITY_HD inline void follow(const FlatDense& dense, double s, BallState& b) {
    const Flat y = dense.value(s);
    b.q = turned(b.q, dense, s);
    b.p = y.three(position_slot);
    b.v = y.three(velocity_slot);
    b.w = y.three(spin_slot);
    b.heat_friction = y[friction_slot];
    b.heat_rolling = y[rolling_slot];
    b.rolled = y[path_slot];
    b.work = y[work_slot];
}

ASPERITY_HD inline bool is_finite(const BallState& b) {
    return asperity::is_finite(b.p) && asperity::is_finite(b.v) && asperity::is_finite(b.w) && std::isfinite(b.time + b.rolled) &&
           std::isfinite(b.q.w + b.q.x + b.q.y + b.q.z) && std::isfinite(b.heat_impact + b.heat_friction + b.heat_rolling + b.work);
}

}  // namespace asperity::event_driven
