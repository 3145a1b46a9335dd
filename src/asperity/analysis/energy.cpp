#include "asperity/analysis/energy.h"

#include <algorithm>

#include "asperity/analysis/energy_bound.h"
#include "asperity/contact/detector.h"
#include "asperity/geometry/pairs/ellipsoid_ellipsoid.h"
#include "asperity/gravity/extent.h"
#include "asperity/laws/contact/soft_law.h"
#include "asperity/model/cable_pull.h"
#include "asperity/model/census.h"
#include "asperity/model/joint_place.h"

namespace asperity::analysis {
namespace {

// Zero where they are apart.
double overlap_of(const model::BodyKind& first, const MovingBody& a, const model::BodyKind& second, const MovingBody& b) {
    if (norm(a.p - b.p) >= first.reach() + second.reach()) return 0;
    return std::max(0.0, -geometry::ellipsoid_gap({a.p, first.semi_axes, a.body.q_WB}, {b.p, second.semi_axes, b.body.q_WB}).gap);
}

double mutual_energy(const model::Mutual& mutual, const MovingBody& a, const MovingBody& b) {
    const Vec3 apart = b.p - a.p;
    return mutual.law == model::MutualLaw::points ? gravity::point_pull(a.body.m, b.body.m, apart, mutual.constant).potential
                                                  : gravity::second_order_pull(a.body, b.body, apart, mutual.constant).potential;
}

// (1) without what contacts store.
Energies smooth_energies(const model::Parameters& world, const std::vector<MovingBody>& moving, double time) {
    Energies out;
    const bool has_mutual = world.environment.mutual.constant > 0;
    for (std::size_t i = 0; i < moving.size(); ++i) {
        const MovingBody& a = moving[i];
        const Vec3& j = a.body.inertia;
        const Vec3 w = rotate(conjugate(a.body.q_WB), a.w);
        out.kinetic += 0.5 * a.body.m * squared_norm(a.v);
        out.rotational += 0.5 * (j.x * w.x * w.x + j.y * w.y * w.y + j.z * w.z * w.z);
        out.field += a.body.m * gravity::potential(world.environment.field, a.p, time);
        out.field += energy_of_attitude(world.environment, world.bodies[i], a.p, a.body.q_WB, time);
        for (std::size_t k = i + 1; has_mutual && k < moving.size(); ++k)
            out.mutual += mutual_energy(world.environment.mutual, a, moving[k]);
    }
    return out;
}

double stored_by_contacts(const model::Model& model, const model::Bodies& bodies, double time) {
    const model::Parameters& world = model.parameters;
    const std::vector<laws::SoftLaw> soft(world.laws.laws.begin(), world.laws.laws.end());
    contact::Detector detector(model);
    model::Bodies all = bodies;
    model::place_driven(world.driven, world.bodies.size(), time, all);
    double sum = 0;
    detector.for_each(all.position, all.orientation, [&](const contact::ContactPoint& c) {
        sum += soft[world.laws.index[c.material_a * world.laws.materials + c.material_b]].elastic_energy(c.radius, -c.gap);
    });
    return sum;
}

}  // namespace

double energy_of_attitude(const model::Environment& environment, const model::BodyKind& body, const Vec3& p, const Quat& q, double time) {
    if (body.is_sphere()) return 0;
    if (environment.acts_on_extent)
        return std::visit(
            [&](const auto& field) {
                return gravity::energy_of_extent(field, {body.mass, body.inertia, q}, p, time);
            },
            environment.field);
    const double frame_rate = model::frame_rate(environment);
    if (frame_rate == 0) return 0;
    const Vec3 w = rotate(conjugate(q), {0, 0, frame_rate});
    return -0.5 * (body.inertia.x * w.x * w.x + body.inertia.y * w.y * w.y + body.inertia.z * w.z * w.z);
}

Energies energies(const model::Parameters& world, const model::Bodies& bodies, double time) {
    const std::vector<MovingBody> moving = moving_bodies(world, bodies);
    Energies out = smooth_energies(world, moving, time);
    for (std::size_t i = 0; i < moving.size(); ++i)
        for (std::size_t k = i + 1; k < moving.size(); ++k) {
            const double overlap = overlap_of(world.bodies[i], moving[i], world.bodies[k], moving[k]);
            out.elastic += 0.5 * world.law(i, k).stiffness * overlap * overlap;
        }
    return out;
}

Energies energies(const model::Model& model, const model::Bodies& bodies, double time) {
    const model::Parameters& world = model.parameters;
    const model::Census census = model::census_of(model);
    const bool is_few = census.bodies <= contact::Detector::most_in_all_pairs;
    const bool has_plain_springs = !census.has_hertz && !census.has_soft_forces;
    const bool is_general =
        census.has_ground || census.is_turning || !has_plain_springs || census.has_colliders || census.has_joints || !is_few;
    if (!is_general) return energies(world, bodies, time);
    Energies out = smooth_energies(world, moving_bodies(world, bodies), time);
    if (census.has_stiffness) out.elastic = stored_by_contacts(model, bodies, time);
    return out;
}

Energies energies(const model::Model& model, const model::State& state) {
    const model::Parameters& world = model.parameters;
    const double time = state.clock.time();
    Energies out = energies(model, state.bodies, time);
    for (std::size_t k = 0; k < world.cables.size(); ++k)
        out.elastic += world.cables[k].law.stored(model::cable_pull(world.cables[k], state.cables, k, state.bodies, time).stretch);
    for (std::size_t k = 0; k < world.joints.size(); ++k) out.elastic += model::stored_by(world.joints[k], state.joints, k, state.bodies);
    for (std::size_t i = 0; i < world.bodies.size() && !world.engines.empty(); ++i) {
        const double gone = model::burnt(world, state.engines, i, time);
        out.kinetic -= 0.5 * gone * squared_norm(state.bodies.velocity[i]);
        out.field -= gone * gravity::potential(world.environment.field, state.bodies.position[i], time);
    }
    const model::Contacts& contacts = state.contacts;
    const auto width = static_cast<std::size_t>(contacts.memory_width);
    if (width == 0) return out;
    for (std::size_t k = 0; k < contacts.size(); ++k) out.elastic += contacts.memory[k * width] + contacts.memory[k * width + 1];
    return out;
}

}  // namespace asperity::analysis
