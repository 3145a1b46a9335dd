#include "asperity/scenario/start_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "asperity/contact/detector.h"
#include "asperity/geometry/pairs/ellipsoid_ellipsoid.h"
#include "asperity/model/census.h"
#include "asperity/scenario/roles.h"

namespace asperity::scenario {
namespace {

constexpr double rounding = 1e-9;  // of the sizes of two bodies: more overlap than that is meant or wrong

// Spheres and ellipsoids, pair by pair: the whole bodies may lie within each other.
void require_few_apart(const Scenario& scenario, const model::Parameters& world, const model::Bodies& start) {
    const auto kept_apart = model::kept_apart(world);
    for (std::size_t i = 0; i < world.bodies.size(); ++i) {
        for (std::size_t j = i + 1; j < world.bodies.size(); ++j) {
            if (std::ranges::binary_search(kept_apart, std::pair{static_cast<std::int32_t>(i), static_cast<std::int32_t>(j)})) continue;
            const model::BodyKind &a = world.bodies[i], &b = world.bodies[j];
            const double reach = a.reach() + b.reach();
            if (squared_norm(start.position[i] - start.position[j]) > reach * reach) continue;
            const geometry::EllipsoidGap between = geometry::ellipsoid_gap({start.position[i], a.semi_axes, start.orientation[i]},
                                                                           {start.position[j], b.semi_axes, start.orientation[j]});
            if (between.gap >= -rounding * (a.mean_radius() + b.mean_radius())) continue;
            const std::vector<MovingRow> rows = moving_rows(scenario);
            throw error_at(scenario.places, scenario.start.moved ? "start.moved.by" : rows[j].path,
                           fmt::format("`{}` and `{}` start interpenetrated: their centres are {:.6g} m apart, they overlap by {:.6g} m",
                                       rows[i].name, rows[j].name, norm(start.position[j] - start.position[i]), -between.gap),
                           "move one of them");
        }
    }
}

// By the broad phase, which costs no more than there are bodies; and all that touches walls.
void require_contacts_apart(const Scenario& scenario, const Compiled& compiled, bool has_pairs) {
    const model::BodyTable& bodies = compiled.model.parameters.bodies;
    const std::vector<model::Collider>& walls = compiled.model.parameters.ground;
    contact::ContactList contacts;
    contact::Detector(compiled.model).detect(compiled.state.bodies.position, compiled.state.bodies.orientation, contacts);
    for (const contact::ContactPoint& c : contacts) {
        const auto a = static_cast<std::size_t>(c.a), b = static_cast<std::size_t>(c.b);
        const bool is_wall = c.b == model::ground;
        if (is_wall) {
            const std::size_t wall = static_cast<std::uint64_t>(c.feature) >> 32 & 0xffff;
            if (std::holds_alternative<model::MeshShape>(walls[wall].shape) && bodies[a].colliders.empty()) continue;
        } else if (!has_pairs) {
            continue;
        }
        if (c.gap >= -rounding * (bodies[a].reach() + (is_wall ? 0 : bodies[b].reach()))) continue;
        const std::vector<MovingRow> rows = moving_rows(scenario);
        const std::string other = is_wall ? "the ground" : fmt::format("`{}`", rows[b].name);
        throw error_at(scenario.places, scenario.start.moved ? "start.moved.by" : rows[is_wall ? a : b].path,
                       fmt::format("`{}` and {} start interpenetrated: they overlap by {:.6g} m", rows[a].name, other, -c.gap),
                       is_wall ? "move it" : "move one of them");
    }
}

}  // namespace

void require_apart(const Scenario& scenario, const Compiled& compiled) {
    const model::Parameters& world = compiled.model.parameters;
    const bool is_few = world.bodies.size() <= contact::Detector::most_in_all_pairs && !model::census_of(compiled.model).has_colliders;
    if (is_few) require_few_apart(scenario, world, compiled.state.bodies);
    const auto is_wall = [](const model::Collider& c) { return !std::holds_alternative<model::MeshShape>(c.shape); };
    if (!is_few || std::ranges::any_of(world.ground, is_wall)) require_contacts_apart(scenario, compiled, !is_few);
}

}  // namespace asperity::scenario
