#include "asperity/analysis/energy.h"

#include <algorithm>

#include "asperity/analysis/energy_bound.h"
#include "asperity/contact/detector.h"
#include "asperity/geometry/pairs/ellipsoid_ellipsoid.h"
#include "asperity/laws/contact/soft_law.h"
#include "asperity/model/census.h"

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

}  // namespace

Energies energies(const model::Parameters& world, const model::Bodies& bodies, double time) {
    Energies out;
    const std::vector<MovingBody> moving = moving_bodies(world, bodies);
    for (std::size_t i = 0; i < moving.size(); ++i) {
        const MovingBody& a = moving[i];
        const Vec3& j = a.body.inertia;
        const Quat& q = a.body.q_WB;
        const Vec3 w = rotate(Quat{q.w, -q.x, -q.y, -q.z}, a.w);
        out.kinetic += 0.5 * a.body.m * squared_norm(a.v);
        out.rotational += 0.5 * (j.x * w.x * w.x + j.y * w.y * w.y + j.z * w.z * w.z);
        out.field += a.body.m * gravity::potential(world.environment.field, a.p, time);
        for (std::size_t k = i + 1; k < moving.size(); ++k) {
            out.mutual += mutual_energy(world.environment.mutual, a, moving[k]);
            const double overlap = overlap_of(world.bodies[i], a, world.bodies[k], moving[k]);
            out.elastic += 0.5 * world.law(i, k).stiffness * overlap * overlap;
        }
    }
    return out;
}

double energy_of_turning(const model::BodyKind& body, const Quat& q, double frame_rate) {
    if (body.is_sphere() || frame_rate == 0) return 0;
    const Vec3 w = rotate(conjugate(q), {0, 0, frame_rate});
    return -0.5 * (body.inertia.x * w.x * w.x + body.inertia.y * w.y * w.y + body.inertia.z * w.z * w.z);
}

Energies energies(const model::Model& model, const model::Bodies& bodies, double time) {
    const model::Parameters& world = model.parameters;
    const model::Census census = model::census_of(model);
    const bool has_plain_springs = !census.has_hertz && !census.has_soft_forces;
    if (!census.has_ground && !census.is_turning && has_plain_springs && census.bodies <= contact::Detector::most_in_all_pairs)
        return energies(world, bodies, time);
    Energies out;
    const std::vector<MovingBody> moving = moving_bodies(world, bodies);
    for (std::size_t i = 0; i < moving.size(); ++i) {
        const MovingBody& a = moving[i];
        const Vec3& j = a.body.inertia;
        const Vec3 w = rotate(conjugate(a.body.q_WB), a.w);
        out.kinetic += 0.5 * a.body.m * squared_norm(a.v);
        out.rotational += 0.5 * (j.x * w.x * w.x + j.y * w.y * w.y + j.z * w.z * w.z);
        out.field += a.body.m * gravity::potential(world.environment.field, a.p, time);
        out.field += energy_of_turning(world.bodies[i], a.body.q_WB, model::frame_rate(world.environment));
        for (std::size_t k = i + 1; k < moving.size() && census.has_mutual_gravity; ++k)
            out.mutual += mutual_energy(world.environment.mutual, a, moving[k]);
    }
    if (!census.has_stiffness) return out;
    contact::Detector detector(model);
    model::Bodies all = bodies;
    model::place_driven(world.driven, world.bodies.size(), time, all);
    for (const contact::ContactPoint& c : detector.detect(all.position, all.orientation)) {
        const laws::SoftLaw law(world.laws.of(c.material_a, c.material_b));
        out.elastic += law.elastic_energy(c.radius, -c.gap);
    }
    return out;
}

Energies energies(const model::Model& model, const model::State& state) {
    Energies out = energies(model, state.bodies, state.clock.time());
    const model::Contacts& contacts = state.contacts;
    const auto width = static_cast<std::size_t>(contacts.memory_width);
    if (width == 0) return out;
    for (std::size_t k = 0; k < contacts.size(); ++k) out.elastic += contacts.memory[k * width] + contacts.memory[k * width + 1];
    return out;
}

}  // namespace asperity::analysis
