#include "asperity/analysis/signals.h"

#include <cmath>

#include "asperity/contact/ground_height.h"
#include "asperity/model/cable_pull.h"

namespace asperity::analysis {
namespace {

double height_over_ground(const model::Model& model, const Vec3& point) {
    const auto surface_of = [&](const model::MeshShape& mesh) {
        geometry::SurfaceView surface = model.surface(mesh.surface).view();
        if (mesh.surface == 0 && !model.assets->rocks.centres.empty()) surface.rocks = model.assets->rocks.view();
        return surface;
    };
    return contact::ground_height(model.parameters.ground, surface_of, point, HUGE_VAL);
}

}  // namespace

double signal(const model::Model& model, const model::Signal& signal, const Instant& at) {
    using enum model::SignalKind;
    const model::Parameters& world = model.parameters;
    const auto of = static_cast<std::size_t>(signal.of), to = static_cast<std::size_t>(signal.to);
    switch (signal.kind) {
        case height: return height_over_ground(model, at.bodies.position[of]);
        case distance: return norm(at.bodies.position[of] - at.bodies.position[to]);
        case speed: return norm(at.bodies.velocity[of]);
        case relative_speed: return norm(at.bodies.velocity[of] - at.bodies.velocity[to]);
        case spin: return norm(at.bodies.spin[of]);
        case tension: return model::cable_pull(world.cables[of], at.state.cables, of, at.bodies, at.time()).tension;
        case cable_length: return at.state.cables.rest_length(of, at.time());
        case throttle: return at.state.engines.throttle[of];
        case propellant: return model::propellant_at(world.engines[of], at.state.engines, of, at.time());
        case time_in_phase: return at.time_in_phase;
        case quiet_time: return at.time() - at.state.settled.time;
        case model::SignalKind::time: break;
    }
    return at.time();
}

}  // namespace asperity::analysis
