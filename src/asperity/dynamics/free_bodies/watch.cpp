#include "asperity/dynamics/free_bodies/watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "asperity/analysis/free_bodies.h"
#include "asperity/dynamics/free_bodies/forces.h"
#include "asperity/dynamics/free_bodies/pair_gap.h"
#include "asperity/geometry/mesh.h"

namespace asperity::dynamics::free_bodies {
namespace {

bool is_finite(const BodyMotion& body, const BodyHeat& heat) {
    const double quaternion = body.q_WB.w + body.q_WB.x + body.q_WB.y + body.q_WB.z;
    const double heats = heat.impact + heat.friction + heat.rolling + heat.tide + heat.work;
    return std::isfinite((body.p.x + body.p.y + body.p.z) + (body.v.x + body.v.y + body.v.z) + (body.w.x + body.w.y + body.w.z) +
                         quaternion + heats);
}

// What tides alone change from here on.
model::Settled settled_at(const model::FreeBodies& world, const Motion& motion, double time) {
    model::Bodies bodies;
    model::Settled now{.time = time};
    for (std::size_t i = 0; i < motion.bodies.size(); ++i) {
        const BodyMotion& body = motion.bodies[i];
        const BodyHeat& heat = motion.heat[i];
        bodies.position.push_back(body.p);
        bodies.velocity.push_back(body.v);
        bodies.spin.push_back(body.w);
        bodies.orientation.push_back(body.q_WB);
        now.energy += world.bodies[i].mass * (heat.impact + heat.friction + heat.rolling);
        now.heat_tide += world.bodies[i].mass * heat.tide;
    }
    now.energy += analysis::free_energies(world, bodies).mechanical();
    return now;
}

}  // namespace

Watch::Watch(const model::Model& model, model::State& state, model::Observer& observer)
    : model_(model),
      observer_(observer),
      settled_(state.settled),
      phase_start_(state.clock.phase_start),
      next_sample_(observer.next_sample()) {}

void Watch::sample(double time_in_phase, const Motion& motion, std::span<const std::int64_t> mode, std::span<const double> elastic) {
    const model::FreeBodies& world = model_.parameters.free;
    const std::size_t n = world.bodies.size();
    constexpr auto open = static_cast<std::int64_t>(model::Mode::flight);
    const double time = phase_start_ + time_in_phase;
    for (std::size_t i = 0; i < n; ++i) {
        const BodyMotion& body = motion.bodies[i];
        const BodyHeat& heat = motion.heat[i];
        const double m = world.bodies[i].mass;
        double potential = 0, slip = 0;
        bool touches = false;
        for (std::size_t j = 0; j < n; ++j) {
            if (j == i) continue;
            const std::size_t first = std::min(i, j), second = std::max(i, j), pair = model::pair_index(first, second, n);
            potential += 0.5 * pull_of_pair(world, motion, first, second).potential;
            if (!elastic.empty()) potential += 0.5 * elastic[pair];
            if (mode[pair] == open) continue;
            const PairGap gap = pair_gap(world, first, second, motion);
            slip = std::max(slip, norm(tangential(slip_at(motion, first, second, gap.point), gap.normal)));
            touches = true;
        }
        observer_.sample({.time = time,
                          .body = static_cast<std::int64_t>(i),
                          .position = body.p,
                          .velocity = body.v,
                          .spin = body.w,
                          .orientation = body.q_WB,
                          .mode = touches ? model::Mode::slide : model::Mode::flight,
                          .slip_speed = slip,
                          .kinetic = 0.5 * m * squared_norm(body.v),
                          .rotational = 0.5 * dot(body.w, spin_momentum(world.bodies[i], body)),
                          .potential = potential,
                          .heat_impact = m * heat.impact,
                          .heat_friction = m * heat.friction,
                          .heat_rolling = m * heat.rolling,
                          .heat_tide = m * heat.tide});
    }
    next_sample_ = observer_.next_sample();
}

void Watch::event(double time_in_phase, const Motion& motion, const PairEvent& event, model::Tallies& tallies) {
    const double time = phase_start_ + time_in_phase;
    const bool is_impact = event.kind == model::EventKind::impact;
    for (const std::size_t body : {event.i, event.j}) {
        if (is_impact) ++tallies.impacts[body];
        tallies.last_touch[body] = time;
    }
    settled_ = settled_at(model_.parameters.free, motion, time);
    observer_.event({.kind = event.kind,
                     .time = time,
                     .body = static_cast<std::int64_t>(event.i),
                     .position = motion.bodies[event.i].p,
                     .velocity = motion.bodies[event.i].v,
                     .spin = motion.bodies[event.i].w,
                     .normal = event.normal,
                     .normal_speed_in = event.normal_speed_in,
                     .normal_speed_out = event.normal_speed_out,
                     .heat = event.heat,
                     .feature_kind = static_cast<std::int64_t>(geometry::FeatureKind::body),
                     .feature = static_cast<std::int64_t>(event.j),
                     .mode = is_impact ? model::Mode::slide : model::Mode::flight});
}

void Watch::settle(double time_in_phase, const Motion& motion) {
    settled_ = settled_at(model_.parameters.free, motion, phase_start_ + time_in_phase);
}

std::optional<model::Outcome> Watch::trouble(double time_in_phase, std::int64_t steps, const Motion& motion) const {
    const double time = phase_start_ + time_in_phase;
    for (std::size_t i = 0; i < motion.bodies.size(); ++i)
        if (!is_finite(motion.bodies[i], motion.heat[i]))
            return model::Outcome{
                .kind = model::OutcomeKind::non_finite,
                .time = time,
                .body = static_cast<std::int64_t>(i),
                .message = fmt::format("position, velocity or heat of body {} is no longer a finite number at {} s", i, time)};
    if (steps >= model_.parameters.step_budget)
        return model::Outcome{.kind = model::OutcomeKind::stalled,
                              .time = time,
                              .body = 0,
                              .message = fmt::format("used up the budget of {} steps; raise end.step_budget", steps)};
    return {};
}

}  // namespace asperity::dynamics::free_bodies
