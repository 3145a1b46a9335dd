#include "asperity/analysis/system_metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "asperity/analysis/energy.h"
#include "asperity/analysis/energy_bound.h"
#include "asperity/analysis/ledger.h"
#include "asperity/analysis/metric_list.h"
#include "asperity/analysis/recognition.h"

namespace asperity::analysis {
namespace {

using model::Event;
using model::EventKind;

Vec3 yorp_torque(const model::Parameters& world, const model::Bodies& bodies) {
    Vec3 sum;
    for (std::size_t i = 0; i < world.bodies.size(); ++i) {
        const Vec3& j = world.bodies[i].inertia;
        const Quat& q = bodies.orientation[i];
        const Vec3 a = rotate(Quat{q.w, -q.x, -q.y, -q.z}, world.bodies[i].yorp);
        sum += rotate(q, {j.x * a.x, j.y * a.y, j.z * a.z});
    }
    return sum;
}

// The rate at which the centres turn about the common centre of mass, about the axis of the angular momentum.
double orbit_rate(const std::vector<MovingBody>& bodies, const Vec3& axis) {
    Vec3 centre, drift;
    double mass = 0, momentum = 0, inertia = 0;
    for (const MovingBody& b : bodies) centre += b.body.m * b.p, drift += b.body.m * b.v, mass += b.body.m;
    for (const MovingBody& b : bodies) {
        const Vec3 p = b.p - centre / mass;
        momentum += b.body.m * dot(axis, cross(p, b.v - drift / mass));
        inertia += b.body.m * squared_norm(cross(axis, p));
    }
    return inertia > 0 ? momentum / inertia : 0;
}

// Of bodies i and j of n.
double distance_of(const RestingEquilibrium& q, std::size_t n, std::size_t i, std::size_t j) {
    return q.distances[n == 2 || i + j == 1 ? 0 : i + j == 3 ? 1 : 2];  // 0-1, 1-2, 2-0
}

constexpr double rounding = 1e-12;  // of a spin, after many steps

// (3): each body of the ground state, slowed or sped up by the tides of the others at its places.
std::vector<double> lock_times(const model::Parameters& world, const model::Bodies& bodies, const std::vector<Sphere>& spheres,
                               const RestingEquilibrium& ground, const Vec3& axis) {
    std::vector<double> out;
    const std::size_t n = spheres.size();
    for (std::size_t i = 0; i < n; ++i) {
        const double lag = ground.rate - dot(axis, bodies.spin[i]);
        if (std::fabs(lag) <= rounding * std::fabs(ground.rate)) continue;  // it is locked
        double torque = 0;
        for (std::size_t j = 0; j < n; ++j) {
            if (i == j) continue;
            const double r = distance_of(ground, n, i, j);
            const laws::TidalPair pair{.separation = {r, 0, 0},
                                       .velocity = {0, r * ground.rate, 0},
                                       .spin = {0, 0, ground.rate - lag},
                                       .companion_mass = world.bodies[j].mass,
                                       .gravitational_constant = world.environment.mutual.constant};
            torque += world.environment.tides.factor * model::tide_on(world.environment.tides.law, world.bodies[i], pair).torque.z;
        }
        if (torque != 0) out.push_back(lag * world.bodies[i].inertia.z / torque);
    }
    return out;
}

// The ground state with the bodies in the order in which they are, by their distances: equal spheres have it in several.
const RestingEquilibrium& ground_in_order(std::span<const RestingEquilibrium> equilibria, const RestingEquilibrium& ground,
                                          const std::vector<Vec3>& places) {
    const RestingEquilibrium* nearest = &ground;
    double least = std::numeric_limits<double>::infinity();
    for (const RestingEquilibrium& e : equilibria) {
        if (e.configuration != ground.configuration || !is_ground(e, ground)) continue;
        double off = 0;
        for (std::size_t i = 0; i < places.size(); ++i)  // of two bodies twice the one distance
            off += std::fabs(distance_of(e, places.size(), i, (i + 1) % places.size()) - norm(places[(i + 1) % places.size()] - places[i]));
        if (off < least) least = off, nearest = &e;
    }
    return *nearest;
}

// What a change of angular momentum is measured by: the angular momentum, or, of bodies that have none, that of all their mass on an orbit
// as wide as the largest radius.
double momentum_scale(const model::Parameters& world, const EnergyBound& start) {
    double mass = 0, length = 0;
    for (const model::BodyKind& body : world.bodies.rows()) {
        mass += body.mass;
        length = std::max(length, body.mean_radius());
    }
    const double of_orbit = mass * std::sqrt(world.environment.mutual.constant * mass * length), own = norm(start.angular_momentum);
    return own > 1e-9 * of_orbit ? own : of_orbit;
}

// When each pair first came into touch.
std::vector<double> first_collisions(const model::Parameters& world, std::span<const Event> events) {
    std::vector<double> out(model::pairs_of_bodies(world.bodies.size()), -1.0);
    for (const Event& event : events) {
        if (event.kind != EventKind::impact) continue;
        const auto i = static_cast<std::size_t>(event.a), j = static_cast<std::size_t>(event.b);
        double& first = out[model::pair_index(std::min(i, j), std::max(i, j), world.bodies.size())];
        if (first < 0) first = event.time;
    }
    return out;
}

double deepest_overlap(const model::Parameters& world, const model::Bodies& bodies) {
    double deepest = 0;
    for (std::size_t i = 0; i < world.bodies.size(); ++i)
        for (std::size_t j = i + 1; j < world.bodies.size(); ++j)
            deepest = std::max(deepest,
                               world.bodies[i].semi_axes.x + world.bodies[j].semi_axes.x - norm(bodies.position[j] - bodies.position[i]));
    return deepest;
}

void add_configuration(const model::Model& model, const model::State& last, const EnergyBound& bound, MetricList& list) {
    const model::Parameters& world = model.parameters;
    if (!has_configurations(world)) return;
    const std::vector<MovingSphere> moving = moving_spheres(world, last.bodies);
    std::vector<Sphere> spheres;
    for (const MovingSphere& m : moving) spheres.push_back(m.sphere);
    const double momentum2 = squared_norm(bound.angular_momentum), g = world.environment.mutual.constant;
    const std::vector<RestingEquilibrium> equilibria = resting_equilibria(spheres, momentum2, g);
    const Recognised now = recognise(moving, g);
    // Friction may hold what would else slide into a valley.
    list.add("configuration", std::string(name(world.laws.has_friction() ? now.configuration : librates_about(moving, now, equilibria))));
    if (std::none_of(equilibria.begin(), equilibria.end(), [](const RestingEquilibrium& e) { return e.is_stable; })) return;
    const RestingEquilibrium& ground = ground_state(equilibria);
    list.add("ground_configuration", std::string(name(ground.configuration)));
    list.add("ground_energy", ground.energy);
    list.add("energy_excess", (bound.energy + energies(model, last).elastic - ground.energy) / std::fabs(ground.energy));
    list.add("contacts", static_cast<double>(now.contacts));
    if (world.environment.tides.law != model::TideLaw::none) {
        const RestingEquilibrium* here = rests_in(moving, now, equilibria);
        const RestingEquilibrium& end =
            here != nullptr && here->is_stable ? *here : ground_in_order(equilibria, ground, last.bodies.position);
        std::vector<double> times = lock_times(world, last.bodies, spheres, end, unit(bound.angular_momentum));
        if (times.size() == spheres.size()) list.add("lock_time", std::move(times));
    }
}

void add_tidal_power(const model::Model& model, const model::State& last, MetricList& list) {
    const model::Parameters& world = model.parameters;
    const double span = last.clock.time() - last.settled.time;
    if (world.environment.tides.law == model::TideLaw::none || !(span > 0)) return;
    list.add("tidal_power", -(summed(world, last.tallies.heat_tide) - last.settled.heat_tide) / span);  // (2)
}

// The last time that each body came to the rate of the ground state.
void add_locked_times(std::size_t bodies, std::span<const Event> events, MetricList& list) {
    std::vector<double> times(bodies, 0.0);
    for (const Event& event : events)
        if (event.kind == EventKind::lock) times[static_cast<std::size_t>(event.a)] = event.time;
    list.add("last_locked_time", *std::max_element(times.begin(), times.end()));
    list.add("locked_time", std::move(times));
}

}  // namespace

std::vector<Metric> system_metrics(const model::Model& model, const model::State& first, const model::State& last,
                                   std::span<const model::Event> events, const model::Outcome& outcome) {
    const model::Parameters& world = model.parameters;
    const std::vector<MovingBody> moving = moving_bodies(world, last.bodies);
    const EnergyBound start = energy_bound(moving_bodies(world, first.bodies), world.environment.mutual.constant);
    const EnergyBound end = energy_bound(moving, world.environment.mutual.constant);
    const double balance = energy_change(model, first, last);
    const Vec3 turned = last.clock.time() * yorp_torque(world, first.bodies);
    MetricList list;
    list.add("outcome", outcome.label());
    add_configuration(model, last, end, list);
    list.add("energy", end.energy + energies(model, last).elastic);
    list.add("energy_above_minimum", end.energy - end.minimum);
    list.add("angular_momentum", norm(end.angular_momentum));
    list.add("energy_drift", std::fabs(balance) / std::fabs(start.energy));
    list.add("energy_error", std::max(last.balance.error, std::fabs(balance)) / std::fabs(start.energy));
    list.add("angular_momentum_drift", norm(end.angular_momentum - start.angular_momentum - turned) / momentum_scale(world, start));
    std::vector<double> times, speeds, spins;
    for (const Event& event : events) {
        if (event.kind != EventKind::impact) continue;
        times.push_back(event.time);
        speeds.push_back(event.normal_speed_in);
    }
    for (const Vec3& w : last.bodies.spin) spins.push_back(dot(unit(end.angular_momentum), w));
    list.add("collisions", static_cast<double>(times.size()));
    if (!times.empty()) list.add("first_collision_time", times.front());
    if (!times.empty()) list.add("last_collision_time", times.back());
    list.add("collision_time", std::move(times));
    list.add("first_collision_of_pair", first_collisions(world, events));
    list.add("collision_speed", std::move(speeds));
    add_tidal_power(model, last, list);
    if (outcome.kind == model::OutcomeKind::locked) add_locked_times(world.bodies.size(), events, list);
    list.add("orbit_rate", orbit_rate(moving, unit(end.angular_momentum)));
    list.add("spin_rate", std::move(spins));
    list.add("heat_impact", summed(world, last.tallies.heat_impact));
    list.add("heat_friction", summed(world, last.tallies.heat_friction));
    list.add("heat_rolling", summed(world, last.tallies.heat_rolling));
    list.add("heat_tide", summed(world, last.tallies.heat_tide));
    if (world.bodies.has_only_spheres()) list.add("end_penetration", deepest_overlap(world, last.bodies));
    list.add("max_penetration", std::max(0.0, *std::max_element(last.tallies.deepest_overlap.begin(), last.tallies.deepest_overlap.end())));
    return std::move(list.all);
}

}  // namespace asperity::analysis
