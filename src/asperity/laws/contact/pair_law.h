// The parameters of the contact between two materials: one definition for all methods, each of which uses what it needs. Stiffness and
// damping belong to `penalty`; the completion of bounces and the laws of 1-landers to the rigid methods. The laws themselves are in the
// files beside this one.
#pragma once
#include <cmath>
#include <cstdint>
#include <optional>

#include "asperity/core/host_device.h"
#include "asperity/laws/contact/soft_forces.h"

namespace asperity::laws {

// Which rolling-resistance law; see rolling.h. Values are stored in records: append only.
enum class RollingLaw : std::int64_t { coupled = 0, thesis = 1, published = 2 };

// What happens once the outgoing normal speed is small; see completion in dynamics/event_driven.
enum class Completion : std::int64_t {
    series = 0,    // all remaining bounces, in closed form, with the time they take (default)
    virtual_ = 1,  // one virtual bounce that carries their impulse, at once (1-landers 4.5)
    none = 2,      // the normal speed is set to zero
};

// What ends an impact with friction; see dynamics/single_impact.h. All are one where the normal passes through both centres. Values are
// stored in records: append only.
enum class RestitutionLaw : std::int64_t {
    stronge = 0,  // e^2: work of the normal impulse in restitution over that in compression; energy never grows
    poisson = 1,  // e: normal impulse of restitution over that of compression
    newton = 2,   // e: normal speed after over that before; energy can grow
};

// How the elastic force of a soft contact grows with the overlap; see soft.h. Values are stored in records: append only.
enum class NormalLaw : std::int64_t { hooke = 0, hertz = 1 };

struct PairLaw {
    double restitution = 0;  // e, 0..1
    RestitutionLaw restitution_law = RestitutionLaw::stronge;
    double friction = 0;                    // f, Coulomb
    std::optional<double> static_friction;  // of what does not slide; soft contact
    std::optional<double> kinetic_speed;    // m/s; from this slip on the coefficient is `friction`
    double rolling_resistance = 0;          // C: torque across the normal over normal force times effective radius R1 R2 / (R1 + R2)
    double spinning_resistance = 0;         // C_s: the same about the normal; law coupled
    RollingLaw rolling_law = RollingLaw::coupled;
    bool impact_friction = true;  // false: impacts change the normal velocity only (1-landers 8.3.2, 8.3.3)
    Completion completion = Completion::series;
    double bounce_end_speed = 0;       // m/s; > 0: outgoing normal speed below which bouncing is completed
    double bounce_end_height = 1e-6;   // of the effective radius; used where bounce_end_speed is 0: hop height below which it is completed
    double regularisation_speed = 0;   // m/s; > 0: friction and rolling resistance fall linearly to zero below it (1-landers 4.4.4)
    double regularised_end_speed = 0;  // m/s; a regularised run is at rest below it (unregularised runs need none)
    double rest_below_speed = 0;       // m/s; > 0: slower than this counts as rest on slopes below the next, held or not (1-landers 6.3)
    double rest_below_slope = 0;       // rad
    NormalLaw normal_law = NormalLaw::hooke;
    double stiffness = 0;           // N/m, k_e of law hooke; zero: none
    double modulus = 0;             // Pa, E* of law hertz: 1/E* = (1 - nu_1^2)/E_1 + (1 - nu_2^2)/E_2; zero: none
    std::optional<double> damping;  // N s/m, k_d of every pair; none: that of the restitution, each pair its own
    double slip_speed = 0;          // m/s; below it friction under penalty falls linearly to zero
    SoftForces forces;              // further laws of soft contact

    bool has_stiffness() const { return normal_law == NormalLaw::hooke ? stiffness > 0 : modulus > 0; }
    bool holds() const { return std::get<SlidingSprings>(forces).acts(); }  // friction has springs in the place of a slip speed
    bool sticks_more() const { return static_friction && *static_friction > friction; }
    bool has_friction() const { return friction > 0 || rolling_resistance > 0 || spinning_resistance > 0; }
    friend bool operator==(const PairLaw&, const PairLaw&) = default;
};

// Values of single facets, one array each; none where it is null, and where an entry is not a number.
struct FacetValues {
    const double* restitution = nullptr;
    const double* friction = nullptr;
    const double* rolling_resistance = nullptr;

    ASPERITY_HD bool is_empty() const { return restitution == nullptr && friction == nullptr && rolling_resistance == nullptr; }
    ASPERITY_HD void apply(std::int32_t facet, PairLaw& surface) const {
        const auto take = [&](const double* from, double& to) {
            if (from != nullptr && !std::isnan(from[facet])) to = from[facet];
        };
        take(restitution, surface.restitution);
        take(friction, surface.friction);
        take(rolling_resistance, surface.rolling_resistance);
    }
};

}  // namespace asperity::laws
