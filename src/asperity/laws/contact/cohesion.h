// Cohesion of dry round surfaces that touch: their van der Waals attraction, a constant pull beside the normal force of soft.h.
//
//   F_c = A R / (6 D^2)                     toward each other along the normal, where x > 0                                 (1)
//   U   = -F_c x                            stored: the force is conservative, and nothing of it becomes heat                (2)
//
// A Hamaker coefficient, J; R effective radius R1 R2 / (R1 + R2), m; x overlap, m; D gap between the surfaces at contact, m. D follows from
// the cleanliness S, 0 to 1: adsorbed molecules keep the surfaces apart by Omega / S, Omega = 0.15 nm the diameter of an oxygen ion:
//   one-layer    D = Omega / S              F_c = A S^2 R / (6 Omega^2)                                                     (3)
//   two-layers   D = 2 Omega / S            F_c = A S^2 R / (24 Omega^2): one on each surface                               (4)
//   published                               F_c = A S^2 R / (48 Omega^2), as 5-anchoring prints it                          (5)
// For two equal spheres of radius a = 2 R, (4) is A S^2 a / (48 Omega^2); (5) puts R for a: half of (4), an eighth of (3).
//
// (1) is the Derjaguin approximation, 2 pi R w with the work of adhesion w = A / (12 pi D^2). Under hertz that is the contact of Derjaguin,
// Muller and Toporov. Friction, rolling and spinning resistance follow the pressing force of soft.h (1), which is larger by F_c at rest.
// The attraction reaches over nanometres, far shorter than soft overlaps: it begins and ends with the overlap, in a jump of the force and
// none of the energy. F_c D, what the attraction would do before the surfaces touch, is left out; taking two bodies at rest apart takes
// F_c^2 / (2 k). Limits: smooth dry surfaces, D << R; small stiff grains (Tabor parameter below 0.1), JKR pulls off with 3/4 of (1);
// roughness lessens it up to a hundredfold (a smaller S). Every contact of a pair pulls by itself; a point that touches (R = 0) does not.
// Sources: Hamaker, Physica 4 (1937) 1058; Derjaguin, Muller and Toporov, J. Colloid Interface Sci. 53 (1975) 314; Perko, Nelson and Sadeh,
// J. Geotech. Geoenviron. Eng. 127 (2001) 371; 5-anchoring, IV.A. docs/theory/soft-contact.md
#pragma once
#include <array>
#include <cstdint>
#include <optional>

#include "asperity/core/describe.h"
#include "asperity/core/host_device.h"
#include "asperity/core/units.h"
#include "asperity/laws/contact/soft.h"

namespace asperity::laws {

// What the cleanliness says of the gap. Values are stored in records: append only.
enum class CohesiveGap : std::int64_t { one_layer = 0, two_layers = 1, published = 2 };

struct VanDerWaals {
    double hamaker = 0;      // A, J
    double cleanliness = 1;  // S
    CohesiveGap gap = CohesiveGap::one_layer;

    static constexpr double ion_diameter = 1.5e-10;  // Omega, m

    ASPERITY_HD double force(double radius) const {  // N, (3) to (5)
        const double clean = cleanliness / ion_diameter;
        const double part = gap == CohesiveGap::one_layer ? 6 : gap == CohesiveGap::two_layers ? 24 : 48;
        return hamaker * clean * clean * radius / part;
    }

    friend bool operator==(const VanDerWaals&, const VanDerWaals&) = default;
};

struct Cohesion {
    std::optional<VanDerWaals> attraction;

    static constexpr bool is_soft_alone = true;   // rigid bodies have no overlap over which it could act
    static constexpr bool ends_in_a_jump = true;  // (1) at x = 0

    ASPERITY_HD bool acts() const { return attraction.has_value(); }

    ASPERITY_HD void respond(const SoftContact&, const SoftTouch& touch, const Vec3*, SoftResponse& out) const {
        const double pull = attraction->force(touch.radius);
        out.normal -= pull;
        out.elastic -= pull;
        out.force -= pull * touch.normal;
    }

    ASPERITY_HD double energy(double radius, double overlap) const { return -attraction->force(radius) * overlap; }

    friend bool operator==(const Cohesion&, const Cohesion&) = default;
};

inline constexpr auto cohesive_gaps = std::to_array<Choice<CohesiveGap>>({
    {"one-layer", CohesiveGap::one_layer, "Omega / S between the surfaces, Omega = 0.15 nm: the force is A S^2 R / (6 Omega^2)."},
    {"two-layers", CohesiveGap::two_layers, "Omega / S on each surface: A S^2 R / (24 Omega^2)."},
    {"published", CohesiveGap::published, "A S^2 R / (48 Omega^2), as 5-anchoring prints it."},
});

template <class Visitor>
void describe(Visitor& v, VanDerWaals& attraction) {
    v.required("hamaker", attraction.hamaker, si::joule, above_up_to(0, 1e-15),
               "Hamaker coefficient A of the two materials; 4.3e-20 J for lunar regolith.");
    v.required("cleanliness", attraction.cleanliness, si::one, above_up_to(0, 1),
               "Surface cleanliness S: near 0.1 in air, near 1 in vacuum; less for rough surfaces.");
    v.optional("gap", attraction.gap, cohesive_gaps, "How far apart surfaces that touch are.");
}

template <class Visitor>
void describe(Visitor& v, Cohesion& cohesion) {
    v.optional_section(
        "cohesion", cohesion.attraction,
        "Van der Waals attraction of round surfaces while they touch, proportional to the effective radius R; method \"penalty\".");
}

}  // namespace asperity::laws
