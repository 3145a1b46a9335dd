#include "asperity/dynamics/watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "asperity/analysis/energy.h"
#include "asperity/analysis/energy_bound.h"
#include "asperity/analysis/recognition.h"
#include "asperity/core/errors.h"
#include "asperity/dynamics/forces.h"
#include "asperity/dynamics/pair_gap.h"

namespace asperity::dynamics {
namespace {

model::Bodies bodies_of(const Motion& motion) {
    model::Bodies out;
    for (const BodyMotion& body : motion.bodies) {
        out.position.push_back(body.p);
        out.velocity.push_back(body.v);
        out.spin.push_back(body.w);
        out.orientation.push_back(body.q_WB);
    }
    return out;
}

// (1) of energy_bound.h holds for any motion whatever, to rounding: a sample that breaks it has energies that are computed wrongly.
void require_least_energy(const model::Parameters& world, const model::Bodies& bodies, double time) {
    const analysis::EnergyBound bound = analysis::energy_bound(analysis::moving_bodies(world, bodies), world.environment.mutual.constant);
    const bool is_below = bound.energy - bound.minimum < -1e-12 * (bound.kinetic + std::fabs(bound.energy - bound.kinetic));
    ASPERITY_REQUIRE(!is_below, "the energy at {} s is {} J, below the least that its angular momentum allows, {} J", time, bound.energy,
                     bound.minimum);
}

bool is_finite(const BodyMotion& body, const BodyHeat& heat) {
    const double quaternion = body.q_WB.w + body.q_WB.x + body.q_WB.y + body.q_WB.z;
    const double heats = heat.impact + heat.friction + heat.rolling + heat.tide + heat.work;
    return std::isfinite((body.p.x + body.p.y + body.p.z) + (body.v.x + body.v.y + body.v.z) + (body.w.x + body.w.y + body.w.z) +
                         quaternion + heats);
}

// A body whose centre lies in the sphere inside another one, and that one: no contact law means that. The same twice: none.
std::pair<std::size_t, std::size_t> buried(const model::Parameters& world, const Motion& motion) {
    const auto reach = [&](std::size_t i) {
        const Vec3& s = world.bodies[i].semi_axes;
        return std::min({s.x, s.y, s.z});
    };
    for (std::size_t i = 0; i < motion.bodies.size(); ++i)
        for (std::size_t j = i + 1; j < motion.bodies.size(); ++j) {
            const double a = reach(i), b = reach(j), most = std::max(a, b);
            if (squared_norm(motion.bodies[j].p - motion.bodies[i].p) < most * most) return a < b ? std::pair{i, j} : std::pair{j, i};
        }
    return {0, 0};
}

}  // namespace

Watch::Watch(const model::Model& model, model::State& state, model::Observer& observer)
    : model_(model),
      observer_(observer),
      settled_(state.settled),
      balance_(state.balance),
      guards_(model, state),
      signals_(model, state),
      phase_start_(state.clock.phase_start),
      next_sample_(observer.next_sample()) {}

// What tides alone change from here on.
model::Settled Watch::settled_at(double time, const Motion& motion) const {
    const model::Parameters& world = model_.parameters;
    model::Settled now{.time = time, .energy = analysis::energies(world, bodies_of(motion), time).mechanical()};
    for (std::size_t i = 0; i < motion.bodies.size(); ++i) {
        const BodyHeat& heat = motion.heat[i];
        now.energy += world.bodies[i].mass * (heat.impact + heat.friction + heat.rolling - heat.work);
        now.heat_tide += world.bodies[i].mass * heat.tide;
    }
    return now;
}

void Watch::keep_error(const model::Settled& now) {
    balance_.error = std::fmax(balance_.error, std::fabs(now.energy + now.heat_tide - balance_.start));
}

void Watch::sample(double time_in_phase, const Motion& motion, std::span<const model::Mode> mode, std::span<const double> elastic) {
    const model::Parameters& world = model_.parameters;
    const std::size_t n = world.bodies.size();
    const double time = phase_start_ + time_in_phase;
    const model::Bodies bodies = bodies_of(motion);
    require_least_energy(world, bodies, time);
    ledger_.clear();
    for (std::size_t i = 0; i < n; ++i) {
        const BodyMotion& body = motion.bodies[i];
        const BodyHeat& heat = motion.heat[i];
        const double m = world.bodies[i].mass;
        double potential = 0;
        for (std::size_t j = 0; j < n; ++j) {
            if (j == i) continue;
            const std::size_t first = std::min(i, j), second = std::max(i, j);
            potential += 0.5 * pull_of_pair(world, motion, first, second).potential;
            if (!elastic.empty()) potential += 0.5 * elastic[model::pair_index(first, second, n)];
        }
        ledger_.push_back({.kinetic = 0.5 * m * squared_norm(body.v),
                           .rotational = 0.5 * dot(body.w, spin_momentum(world.bodies[i], body)),
                           .potential = potential,
                           .heat_impact = m * heat.impact,
                           .heat_friction = m * heat.friction,
                           .heat_rolling = m * heat.rolling,
                           .heat_tide = m * heat.tide,
                           .work = m * heat.work});
    }
    contacts_.clear();
    if (observer_.wants().contacts) find_contacts(motion, mode);
    observer_.sample({.time = time,
                      .position = bodies.position,
                      .velocity = bodies.velocity,
                      .spin = bodies.spin,
                      .orientation = bodies.orientation,
                      .ledger = ledger_,
                      .signals = signals_.values(time_in_phase, bodies),
                      .contacts = contacts_,
                      .configuration = analysis::configuration_at(world, bodies)});
    next_sample_ = observer_.next_sample();
}

void Watch::find_contacts(const Motion& motion, std::span<const model::Mode> mode) {
    const std::size_t n = motion.bodies.size();
    for (std::size_t i = 0, pair = 0; i < n; ++i)
        for (std::size_t j = i + 1; j < n; ++j, ++pair) {
            if (mode[pair] == open) continue;
            const PairGap gap = pair_gap(model_.parameters, i, j, motion);
            contacts_.push_back({.a = static_cast<std::int32_t>(i),
                                 .b = static_cast<std::int32_t>(j),
                                 .feature = model::contact_feature(0, 0, 0),
                                 .mode = mode[pair],
                                 .slip_speed = norm(tangential(slip_at(motion, i, j, gap.point), gap.normal))});
        }
}

void Watch::event(double time_in_phase, const Motion& motion, const PairEvent& event, model::Tallies& tallies) {
    const double time = phase_start_ + time_in_phase;
    const bool is_impact = event.kind == model::EventKind::impact;
    for (const std::size_t body : {event.i, event.j}) {
        if (is_impact) ++tallies.impacts[body];
        tallies.last_touch[body] = time;
    }
    settled_ = settled_at(time, motion);
    keep_error(settled_);
    observer_.event({.kind = event.kind,
                     .time = time,
                     .a = static_cast<std::int32_t>(event.i),
                     .b = static_cast<std::int32_t>(event.j),
                     .feature = model::contact_feature(0, 0, 0),
                     .position = motion.bodies[event.i].p,
                     .velocity = motion.bodies[event.i].v,
                     .spin = motion.bodies[event.i].w,
                     .normal = event.normal,
                     .normal_speed_in = event.normal_speed_in,
                     .normal_speed_out = event.normal_speed_out,
                     .heat = event.heat,
                     .mode = is_impact ? model::Mode::touching : model::Mode::flight});
}

void Watch::look(double time_in_phase, const Motion& motion) {
    if (!signals_.is_empty()) signals_.look(time_in_phase, bodies_of(motion));
}

std::int64_t Watch::fired(double time_in_phase, const Motion& motion) {
    return !guards_.is_empty() && guards_.look(time_in_phase, bodies_of(motion)) ? guards_.fired() : -1;
}

void Watch::settle(double time_in_phase, const Motion& motion) {
    settled_ = settled_at(phase_start_ + time_in_phase, motion);
    keep_error(settled_);
}

std::optional<model::Outcome> Watch::trouble(double time_in_phase, std::int64_t steps, const Motion& motion) const {
    const double time = phase_start_ + time_in_phase;
    for (std::size_t i = 0; i < motion.bodies.size(); ++i)
        if (!is_finite(motion.bodies[i], motion.heat[i]))
            return model::Outcome{
                .kind = model::OutcomeKind::non_finite,
                .time = time,
                .body = static_cast<std::int64_t>(i),
                .message = fmt::format("position, velocity or heat of body {} is no longer a finite number at {} s", i + 1, time)};
    const auto [inner, outer] = buried(model_.parameters, motion);
    if (inner != outer)
        return model::Outcome{
            .kind = model::OutcomeKind::overlap,
            .time = time,
            .body = static_cast<std::int64_t>(inner),
            .message = fmt::format("the centre of body {} is inside body {}: their contact is too soft for the speed at which "
                                   "they meet; raise the stiffness of the contact, or take the method constraint",
                                   inner + 1, outer + 1)};
    if (steps >= model_.parameters.step_budget)
        return model::Outcome{.kind = model::OutcomeKind::stalled,
                              .time = time,
                              .body = 0,
                              .message = fmt::format("used up the budget of {} steps; raise end.step_budget", steps)};
    return {};
}

}  // namespace asperity::dynamics
