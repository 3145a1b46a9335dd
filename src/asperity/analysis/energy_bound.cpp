#include "asperity/analysis/energy_bound.h"

namespace asperity::analysis {
namespace {

// J a of a body, in the world.
Vec3 inertia_times(const gravity::MassiveBody& body, const Vec3& a) {
    const Quat& q = body.q_WB;
    const Vec3 along = rotate(Quat{q.w, -q.x, -q.y, -q.z}, a);
    return rotate(q, {body.inertia.x * along.x, body.inertia.y * along.y, body.inertia.z * along.z});
}

}  // namespace

std::vector<MovingBody> moving_bodies(const model::Parameters& world, const model::Bodies& bodies) {
    std::vector<MovingBody> out;
    for (std::size_t i = 0; i < world.bodies.size(); ++i)
        out.push_back({.body = {world.bodies[i].mass, world.bodies[i].inertia, bodies.orientation[i]},
                       .p = bodies.position[i],
                       .v = bodies.velocity[i],
                       .w = bodies.spin[i]});
    return out;
}

EnergyBound energy_bound(std::span<const MovingBody> bodies, double gravitational_constant) {
    Vec3 centre, drift;
    double total = 0, potential = 0;
    for (const MovingBody& b : bodies) {
        centre += b.body.m * b.p;
        drift += b.body.m * b.v;
        total += b.body.m;
    }
    centre *= 1 / total;
    drift *= 1 / total;
    EnergyBound out;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const MovingBody& b = bodies[i];
        const Vec3 spin_momentum = inertia_times(b.body, b.w);
        out.kinetic += 0.5 * (b.body.m * squared_norm(b.v - drift) + dot(b.w, spin_momentum));
        out.angular_momentum += b.body.m * cross(b.p - centre, b.v - drift) + spin_momentum;
        for (std::size_t j = i + 1; j < bodies.size(); ++j)
            potential += gravity::second_order_pull(b.body, bodies[j].body, bodies[j].p - b.p, gravitational_constant).potential;
    }
    const Vec3 axis = unit(out.angular_momentum);
    for (const MovingBody& b : bodies)
        out.inertia += b.body.m * squared_norm(cross(axis, b.p - centre)) + dot(axis, inertia_times(b.body, axis));
    out.energy = out.kinetic + potential;
    out.minimum = potential + (out.inertia > 0 ? squared_norm(out.angular_momentum) / (2 * out.inertia) : 0);  // (1)
    return out;
}

}  // namespace asperity::analysis
