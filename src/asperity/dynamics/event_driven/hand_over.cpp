#include "asperity/dynamics/event_driven/hand_over.h"

#include <algorithm>

#include "asperity/analysis/energy.h"
#include "asperity/geometry/closest.h"

namespace asperity::event_driven {
namespace {

constexpr int most_lifts = 16;  // out of a corner each lifts off one feature; they converge where facets meet at an angle

}  // namespace

void take_out_overlap(const model::Model& model, model::State& state) {
    const double radius = model.parameters.bodies[0].radius(), mass = model.parameters.bodies[0].mass, time = state.clock.time();
    const double before = analysis::energies(model, state).mechanical();
    geometry::SurfaceView surface = model.surface().view();
    if (!model.assets->rocks.centres.empty()) surface.rocks = model.assets->rocks.view();
    Vec3 &p = state.bodies.position[0], &v = state.bodies.velocity[0];
    double overlap = 0;
    geometry::Feature feature;
    Vec3 normal;
    for (int k = 0; k < most_lifts; ++k) {
        const geometry::ClosestPoint near = geometry::nearest(surface, p);
        const Vec3 outward = geometry::feature_normal(surface, near.feature);
        const bool is_below = dot(near.offset, outward) < 0;
        const double depth = radius - (is_below ? -near.distance : near.distance);
        if (k == 0 || depth > 0) {
            feature = near.feature;
            normal = is_below || !(near.distance > 0) ? outward : near.offset / near.distance;
        }
        if (!(depth > 0)) break;
        overlap = std::max(overlap, depth);
        p = near.point + radius * normal;
    }
    const double along = dot(v, normal), pull = -dot(gravity::acceleration(model.parameters.environment.field, p, v, time), normal);
    const bool stays = pull > 0 && along * along <= 2 * pull * overlap;
    if (stays) v -= along * normal;
    state.contacts.clear();
    if (stays || along > 0)
        state.contacts.add(0, model::ground, model::contact_feature(feature), stays ? model::Mode::touching : model::Mode::left);
    // rigid contact stores nothing
    analysis::Energies after = analysis::energies(model, state.bodies, time);
    after.elastic = 0;
    state.tallies.work[0] += (after.mechanical() - before) / mass;
}

}  // namespace asperity::event_driven
