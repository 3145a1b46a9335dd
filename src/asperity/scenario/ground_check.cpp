#include "asperity/scenario/ground_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "asperity/core/units.h"
#include "asperity/geometry/patches.h"

namespace asperity::scenario {

std::optional<GroundCheck> ground_check(const Compiled& compiled) {
    constexpr std::size_t most = 400;
    const model::Parameters& parameters = compiled.model.parameters;
    const gravity::SmallBody* body = model::small_body(parameters.environment);
    if (body == nullptr || body->is_inertial) return {};
    const geometry::SurfaceMesh& surface = compiled.model.surface();
    GroundCheck out{.weakest = std::numeric_limits<double>::infinity()};
    double all = 0, lifted = 0;
    const std::size_t count = std::min(most, surface.facets.size());
    for (std::size_t i = 0; i < count; ++i) {
        const geometry::Facet& facet = surface.facets[i * surface.facets.size() / count];
        const auto corner = [&](std::size_t k) { return surface.vertices[static_cast<std::size_t>(facet.vertex[k])]; };
        const Vec3 middle = (corner(0) + corner(1) + corner(2)) / 3;
        const double area = 0.5 * norm(cross(corner(1) - corner(0), corner(2) - corner(0)));
        const double holding = -dot(gravity::acceleration(parameters.environment.field, middle, {}, 0), facet.normal);  // (1)
        all += area;
        if (!(holding > 0)) lifted += area;
        if (holding < out.weakest) {
            out.weakest = holding;
            out.latitude = geometry::latitude(middle);
            out.longitude = geometry::longitude(middle);
        }
    }
    out.facets = count;
    out.lifted_share = all > 0 ? lifted / all : 0;
    return out;
}

std::string ground_text(const GroundCheck& check) {
    const std::string where = fmt::format("at latitude {:.3g}, longitude {:.3g} deg", check.latitude * degrees, check.longitude * degrees);
    if (check.lifted_share > 0)
        return fmt::format(
            "the ground does not hold on {:.3g} % of the surface: gravity and rotation together point away from it, most {}, by {:.3g} "
            "m/s^2; what lies there lifts off. Is `spin_period` right?",
            100 * check.lifted_share, where, -check.weakest);
    return fmt::format("holds everywhere, least {}: {:.3g} m/s^2 into the surface ({} facets)", where, check.weakest, check.facets);
}

}  // namespace asperity::scenario
