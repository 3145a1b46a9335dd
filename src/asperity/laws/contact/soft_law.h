// The soft contact between two materials: the normal law and friction by slip speed of soft.h, and the forces of soft_forces.h.
#pragma once
#include <cmath>

#include "asperity/core/host_device.h"
#include "asperity/laws/contact/pair_law.h"
#include "asperity/laws/contact/soft.h"
#include "asperity/laws/contact/soft_forces.h"

namespace asperity::laws {

// The law between two materials, ready for any pair of bodies: what does not depend on them is computed once.
struct SoftLaw {
    PairLaw pair;
    double damping_ratio = 0;
    bool has_forces = false;  // any of pair.forces acts

    SoftLaw() = default;
    explicit SoftLaw(const PairLaw& law)
        : pair(law), damping_ratio(law.damping ? 0 : damping_ratio_of_restitution(law.restitution)), has_forces(any_acts(law.forces)) {}

    // With this effective mass 1 / (n . W n), kg, and effective radius, m.
    ASPERITY_HD SoftContact between(double effective_mass, double radius) const {
        SoftContact out{.stiffness = pair.stiffness,
                        .damping = 0,
                        .friction = pair.friction,
                        .static_friction = pair.static_friction.value_or(0),
                        .kinetic_speed = pair.kinetic_speed.value_or(0),
                        .rolling_resistance = pair.rolling_resistance,
                        .spinning_resistance = pair.spinning_resistance,
                        .slip_speed = pair.holds() ? 0 : pair.slip_speed,
                        .is_hertz = pair.normal_law == NormalLaw::hertz,
                        .has_slip_speed = !pair.holds()};
        if (out.is_hertz) {
            out.stiffness = 4.0 / 3.0 * pair.modulus * std::sqrt(radius);
            out.damping = pair.damping ? *pair.damping : damping_ratio * std::sqrt(5 * effective_mass * out.stiffness);  // (7)
        } else {
            out.damping = pair.damping ? *pair.damping : damping_of_ratio(damping_ratio, out.stiffness, effective_mass);
        }
        return out;
    }

    // J, that a contact stores at this overlap, without what its memory does.
    ASPERITY_HD double elastic_energy(double radius, double overlap) const {
        double sum = between(1, radius).elastic_energy(overlap);  // the spring does not depend on masses
        if (has_forces && overlap > 0) sum += energy_of(pair.forces, radius, overlap);
        return sum;
    }
};

}  // namespace asperity::laws
