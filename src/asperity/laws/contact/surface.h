// The parameters of a rigid contact between a ball and a surface; the laws that use them stand beside this file.
#pragma once
#include <cmath>
#include <cstdint>

#include "asperity/core/host_device.h"

namespace asperity::contact {

// Which rolling-resistance law; see rolling.h. Values are stored in records: append only.
enum class RollingLaw : std::int64_t { coupled = 0, thesis = 1, published = 2 };

// What happens once the outgoing normal speed is small; see completion in dynamics/event_driven.
enum class Completion : std::int64_t {
    series = 0,    // all remaining bounces, in closed form, with the time they take (default)
    virtual_ = 1,  // one virtual bounce that carries their impulse, at once (1-landers 4.5)
    none = 2,      // the normal speed is set to zero
};

struct Surface {
    double restitution = 0;          // e, 0..1
    double friction = 0;             // f, Coulomb
    double rolling_resistance = 0;   // C_rr
    double spinning_resistance = 0;  // C_s, of the spin about the normal; law coupled
    RollingLaw rolling_law = RollingLaw::coupled;
    bool impact_friction = true;  // false: impacts change the normal velocity only (1-landers 8.3.2, 8.3.3)
    Completion completion = Completion::series;
    double bounce_end_speed = 0;       // m/s; > 0: outgoing normal speed below which bouncing is completed
    double bounce_end_height = 1e-6;   // of the radius; used where bounce_end_speed is 0: hop height below which it is completed
    double regularisation_speed = 0;   // m/s; > 0: friction and rolling resistance fall linearly to zero below it (1-landers 4.4.4)
    double regularised_end_speed = 0;  // m/s; a regularised run is at rest below it (unregularised runs need none)
    double rest_below_speed = 0;       // m/s; > 0: slower than this counts as rest on slopes below the next, held or not (1-landers 6.3)
    double rest_below_slope = 0;       // rad

    friend bool operator==(const Surface&, const Surface&) = default;
};

// Values of single facets, one array each; none where it is null, and where an entry is not a number.
struct FacetSurfaces {
    const double* restitution = nullptr;
    const double* friction = nullptr;
    const double* rolling_resistance = nullptr;

    ASPERITY_HD bool is_empty() const { return restitution == nullptr && friction == nullptr && rolling_resistance == nullptr; }
    ASPERITY_HD void apply(std::int32_t facet, Surface& surface) const {
        const auto take = [&](const double* from, double& to) {
            if (from != nullptr && !std::isnan(from[facet])) to = from[facet];
        };
        take(restitution, surface.restitution);
        take(friction, surface.friction);
        take(rolling_resistance, surface.rolling_resistance);
    }
};

}  // namespace asperity::contact
