#include "asperity/analysis/ledger.h"

#include <algorithm>
#include <cmath>

#include "asperity/analysis/energy.h"
#include "asperity/model/cable_pull.h"
#include "asperity/model/census.h"
#include "asperity/model/only_row.h"

namespace asperity::analysis {
namespace {

// In the axes of the body; of a sphere they do not matter.
double rotational_energy(const model::BodyKind& body, const Quat& q, const Vec3& spin) {
    if (body.is_sphere()) return 0.5 * (body.inertia_factor * body.mass * body.radius() * body.radius()) * squared_norm(spin);
    const Vec3 w = rotate(Quat{q.w, -q.x, -q.y, -q.z}, spin);
    return 0.5 * (body.inertia.x * w.x * w.x + body.inertia.y * w.y * w.y + body.inertia.z * w.z * w.z);
}

// In uniform gravity: what the start could set free, its motion and its height above the lowest place that the body can take.
double energy_at_stake(const model::Model& model, const gravity::Uniform& gravity, std::size_t row, const model::Ledger& start) {
    const model::BodyKind& body = model.parameters.bodies[row];
    const Vec3 down = unit(gravity.acceleration_vector);
    const Vec3 &lower = model.surface().lower, &upper = model.surface().upper;
    const Vec3 lowest{down.x > 0 ? upper.x : lower.x, down.y > 0 ? upper.y : lower.y, down.z > 0 ? upper.z : lower.z};
    const double floor = body.mass * gravity.potential(lowest - body.radius() * down, 0);
    return start.kinetic + start.rotational + std::max(0.0, start.potential - floor);
}

// At a body: what changed hands between motion, height, heat and other bodies, but at least the motion of the start.
double energy_exchanged(const model::Ledger& start, const model::Ledger& end) {
    const double moved = std::fabs(end.kinetic - start.kinetic) + std::fabs(end.rotational - start.rotational) +
                         std::fabs(end.potential - start.potential) + std::fabs(end.heat() - start.heat()) +
                         std::fabs(end.work - start.work);
    return std::max(0.5 * moved, start.kinetic + start.rotational);
}

}  // namespace

model::Ledger ledger(const model::Model& model, const model::State& state, std::size_t row) {
    const model::BodyKind& body = model.parameters.bodies[row];
    const model::Tallies& tallies = state.tallies;
    const auto of = [&](const std::vector<double>& tally) { return row < tally.size() ? body.mass * tally[row] : 0; };
    const bool has_engines = !model.parameters.engines.empty();
    const double mass = has_engines ? body.mass - model::burnt(model.parameters, state.engines, row, state.clock.time()) : body.mass;
    return {.kinetic = 0.5 * mass * squared_norm(state.bodies.velocity[row]),
            .rotational = rotational_energy(body, state.bodies.orientation[row], state.bodies.spin[row]),
            .potential = mass * gravity::potential(model.parameters.environment.field, state.bodies.position[row], state.clock.time()) +
                         energy_of_attitude(model.parameters.environment, body, state.bodies.position[row], state.bodies.orientation[row],
                                            state.clock.time()),
            .heat_impact = of(tallies.heat_impact),
            .heat_friction = of(tallies.heat_friction),
            .heat_rolling = of(tallies.heat_rolling),
            .heat_tide = of(tallies.heat_tide),
            .work = of(tallies.work)};
}

double energy_balance(const model::Model& model, const model::State& first, const model::State& last) {
    const std::size_t row = model::only_row(model.parameters);
    model::Ledger start = ledger(model, first, row), end = ledger(model, last, row);
    if (model::census_of(model).has_stiffness || !model.parameters.cables.empty() ||
        !model.parameters.joints.empty()) {  // springs store energy
        start.potential += energies(model, first).elastic;
        end.potential += energies(model, last).elastic;
    }
    const auto* uniform = std::get_if<gravity::Uniform>(&model.parameters.environment.field);
    const double scale =
        uniform != nullptr && !model.surface().facets.empty() ? energy_at_stake(model, *uniform, row, start) : energy_exchanged(start, end);
    const double error = end.total() - start.total();
    return scale > 0 ? error / scale : error;
}

double energy_change(const model::Model& model, const model::State& first, const model::State& last) {
    const model::Parameters& world = model.parameters;
    const double heat = contact_heat(world, last.tallies) + summed(world, last.tallies.heat_tide);
    return energies(model, last).mechanical() + heat - summed(world, last.tallies.work) - energies(model, first).mechanical();
}

double summed(const model::Parameters& world, const std::vector<double>& per_mass) {
    double sum = 0;
    for (std::size_t g = 0; g < world.bodies.groups.size(); ++g) sum += world.bodies.mass_of_group(g) * per_mass[g];
    return sum;
}

double contact_heat(const model::Parameters& world, const model::Tallies& tallies) {
    return summed(world, tallies.heat_impact) + summed(world, tallies.heat_friction) + summed(world, tallies.heat_rolling);
}

}  // namespace asperity::analysis
