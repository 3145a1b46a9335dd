#include "asperity/analysis/signals.h"

#include <cmath>

#include "asperity/contact/ground_height.h"
#include "asperity/model/cable_pull.h"
#include "asperity/model/joint_place.h"

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

// Cross and dot product, since the cosine alone has no digits left near 0.
double tilt_of(const model::Model& model, const model::Signal& signal, std::size_t row, const Instant& at) {
    const Vec3 pull = gravity::acceleration(model.parameters.environment.field, at.bodies.position[row], {}, at.time());
    const Vec3 up = pull == Vec3{} ? Vec3{0, 0, 1} : unit(-pull), axis = rotate(at.bodies.orientation[row], signal.axis);
    return std::atan2(norm(cross(axis, up)), dot(axis, up));
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
        case tilt: return tilt_of(model, signal, of, at);
        case tension: return model::cable_pull(world.cables[of], at.state.cables, of, at.bodies, at.time()).tension;
        case cable_length: return at.state.cables.rest_length(of, at.time());
        case contact_force: return of < at.state.forces.contact.size() ? norm(at.state.forces.contact[of]) : 0;
        case joint_force: return of < at.state.forces.joint.size() ? norm(at.state.forces.joint[of]) : 0;
        case joint_torque: return of < at.state.forces.joint_torque.size() ? norm(at.state.forces.joint_torque[of]) : 0;
        case joint_angle: return model::place_of(world.joints[of], at.bodies).angle(at.state.joints.angle[of]);
        case joint_travel: return model::place_of(world.joints[of], at.bodies).travel;
        case throttle: return at.state.engines.throttle[of];
        case propellant: return model::propellant_at(world.engines[of], at.state.engines, of, at.time());
        case time_in_phase: return at.time_in_phase;
        case quiet_time: return at.time() - at.state.settled.time;
        case model::SignalKind::time: break;
    }
    return at.time();
}

void named_signals(const model::Model& model, const Instant& at, std::vector<double>& values) {
    values.clear();
    for (const model::NamedSignal& named : model.parameters.signals) values.push_back(signal(model, named.signal, at));
}

SignalNature nature_of(model::SignalKind kind) {
    using enum model::SignalKind;
    switch (kind) {
        case height: return {"m", "body"};
        case distance: return {"m", "body", true};
        case speed: return {"m/s", "body"};
        case relative_speed: return {"m/s", "body", true};
        case spin: return {"rad/s", "body"};
        case tilt: return {"rad", "body", false, true};
        case tension: return {"N", "cable"};
        case contact_force: return {"N", "body", false, false, true};
        case joint_force: return {"N", "joint", false, false, true};
        case joint_torque: return {"N*m", "joint", false, false, true};
        case joint_angle: return {"rad", "joint"};
        case joint_travel: return {"m", "joint"};
        case cable_length: return {"m", "cable"};
        case throttle: return {"", "engine"};
        case propellant: return {"kg", "engine"};
        case time_in_phase:
        case quiet_time:
        case model::SignalKind::time: break;
    }
    return {};
}

}  // namespace asperity::analysis
