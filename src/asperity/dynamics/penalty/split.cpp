#include "asperity/dynamics/penalty/split.h"

#include <cmath>

#include "asperity/dynamics/torque_free.h"
#include "asperity/numerics/splitting.h"

namespace asperity::dynamics {
namespace {

constexpr int most_rounds = 60;
// Of the speeds: once a round changes no more than this, what is left is far below the error of a step.
constexpr double settled = 1e-13;

// A velocity that falls by `most` against itself, but above `ramp` only; below it, by a part of itself.
Vec3 slowed(const Vec3& a, double most, double ramp) {
    const double length = norm(a);
    if (length - most >= ramp) return (1 - most / length) * a;
    return a / (1 + most / ramp);
}

}  // namespace

void SplitState::drop_rests() {
    for (auto* remainders : {&p_remainder, &v_remainder, &w_remainder})
        for (Vec3& remainder : *remainders) remainder = {};
}

Splitting::Splitting(const model::Parameters& world)
    : world_(world),
      pairs_(pairs_of(world)),
      gaps_(pairs_.size()),
      yields_(pairs_.size()),
      laws_(pairs_.size()),
      soft_(pairs_.size()),
      slow_(world.bodies.size()),
      loads_(world.bodies.size()) {
    is_slow_ = world.environment.tides.law != model::TideLaw::none;
    is_slow_ = is_slow_ || world.bodies.has_sunlight();
    mean_.bodies.resize(world.bodies.size());
}

SplitState Splitting::start(const Motion& motion) const {
    const std::size_t n = world_.bodies.size();
    SplitState state;
    state.motion = motion;
    state.p_remainder.resize(n);
    state.v_remainder.resize(n);
    state.w_remainder.resize(n);
    state.gaps.resize(pairs_.size());
    state.loads = Loads(n);
    look(state);
    return state;
}

void Splitting::look(SplitState& state) const {
    state.loads.clear();
    add_gravity(world_, state.motion, state.loads);
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
        const PairGap gap = pair_gap(world_, pairs_[k].i, pairs_[k].j, state.motion);
        state.gaps[k] = gap;
        if (gap.gap < 0)
            add_contact(pairs_[k], gap, {.force = (-pairs_[k].contact.stiffness * gap.gap) * gap.normal}, state.motion, state.loads);
    }
}

void Splitting::step(SplitState& state, double h) {
    kick(state, state.loads, 0.5 * h);
    drift(state, 0.5 * h);
    slow_and_damp(state, h);
    drift(state, 0.5 * h);
    look(state);
    kick(state, state.loads, 0.5 * h);
}

void Splitting::kick(SplitState& state, const Loads& loads, double h) const {
    for (std::size_t i = 0; i < world_.bodies.size(); ++i) {
        BodyMotion& body = state.motion.bodies[i];
        numerics::add_compensated(body.v, (h / world_.bodies[i].mass) * loads.force[i], state.v_remainder[i]);
        numerics::add_compensated(body.w, h * inverse_inertia_times(world_.bodies[i], body.q_WB, loads.torque[i]), state.w_remainder[i]);
    }
}

void Splitting::drift(SplitState& state, double h) const {
    for (std::size_t i = 0; i < world_.bodies.size(); ++i) {
        BodyMotion& body = state.motion.bodies[i];
        numerics::add_compensated(body.p, h * body.v, state.p_remainder[i]);
        if (world_.bodies[i].is_sphere()) {
            body.q_WB = unit(small_turn(h * body.w) * body.q_WB);
        } else {
            turn_freely(world_.bodies[i], body, state.w_remainder[i], h);
        }
    }
}

// T of (1). The outer rounds are for what is slow, which is dear to compute and hardly changes.
void Splitting::slow_and_damp(SplitState& state, double h) {
    touches_ = false;
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
        gaps_[k] = pair_gap(world_, pairs_[k].i, pairs_[k].j, state.motion);
        if (!(gaps_[k].gap < 0)) continue;
        touches_ = true;
        yields_[k] = yields_of(world_, pairs_[k], gaps_[k], state.motion);
        laws_[k] = law_of(world_, pairs_[k], gaps_[k], state.motion);
    }
    if (!touches_ && !is_slow_) return;
    mean_.bodies = state.motion.bodies;
    for (laws::SoftResponse& soft : soft_) soft = {};
    for (int round = 0; round < most_rounds; ++round) {
        if (is_slow_) {
            slow_.clear();
            add_tides(world_, mean_, slow_);
            add_sunlight(world_, mean_, slow_);
        }
        loads_.force = slow_.force;
        loads_.torque = slow_.torque;
        if (touches_) damp_rounds(state, h);
        if (!is_slow_ || set_mean(state, h) <= settled) break;
    }
    take_heat(state, h);
    kick(state, loads_, h);
}

void Splitting::damp_rounds(const SplitState& state, double h) {
    for (int round = 0; round < most_rounds; ++round) {
        loads_.force = slow_.force;
        loads_.torque = slow_.torque;
        for (std::size_t k = 0; k < pairs_.size(); ++k) {
            if (!(gaps_[k].gap < 0)) continue;
            soft_[k] = damped(k, h);
            add_contact(pairs_[k], gaps_[k], soft_[k], mean_, loads_);
        }
        if (set_mean(state, h) <= settled) return;
    }
}

// What a pair does under (2) if the others go on as in the last round; less the spring, which is in the kicks.
laws::SoftResponse Splitting::damped(std::size_t k, double h) const {
    const Pair& pair = pairs_[k];
    const Yields& yields = yields_[k];
    const laws::SoftContact& law = laws_[k];
    const laws::SoftResponse& last = soft_[k];
    laws::SoftTouch touch = touch_of(pair, gaps_[k], mean_);
    const Vec3& n = touch.normal;
    const double spring = law.stiffness * touch.overlap, half = 0.5 * h, last_along = dot(last.force, n);
    double along = dot(touch.velocity, n);
    Vec3 across = (touch.velocity - along * n) - (half * yields.across) * (last.force - last_along * n);
    along -= half * yields.along * last_along;
    const double damped = along / (1 + half * yields.along * law.damping);
    const bool presses = spring - law.damping * damped > 0;
    along = presses ? damped : along - half * yields.along * spring;
    const double normal = presses ? spring - law.damping * damped : 0;
    if (law.friction > 0) across = slowed(across, half * yields.across * law.friction * normal, law.slip_speed);
    if (law.rolling_resistance > 0 || law.spinning_resistance > 0) {
        const Vec3 spin = touch.spin - (half * yields.to_turn) * last.torque, about = dot(spin, n) * n;
        const double strength = half * yields.to_turn * pair.radius * normal, ramp = law.slip_speed / pair.radius;
        touch.spin =
            slowed(spin - about, law.rolling_resistance * strength, ramp) + slowed(about, law.spinning_resistance * strength, ramp);
    }
    touch.velocity = along * n + across;
    laws::SoftResponse out = law.response(touch, normal);
    out.force -= spring * n;
    return out;
}

// The mean velocities of (2) under loads_. Returns their change against the last ones, as a part of the speeds.
double Splitting::set_mean(const SplitState& state, double h) {
    double change = 0, speed = 0;
    for (std::size_t i = 0; i < world_.bodies.size(); ++i) {
        const BodyMotion& body = state.motion.bodies[i];
        const Vec3 v = body.v + (0.5 * h / world_.bodies[i].mass) * loads_.force[i];
        const Vec3 w = body.w + 0.5 * h * inverse_inertia_times(world_.bodies[i], body.q_WB, loads_.torque[i]);
        const double reach = world_.bodies[i].reach(), reach2 = reach * reach;
        BodyMotion& mean = mean_.bodies[i];
        change = std::fmax(change, std::fmax(squared_norm(v - mean.v), reach2 * squared_norm(w - mean.w)));
        speed = std::fmax(speed, std::fmax(squared_norm(v), reach2 * squared_norm(w)));
        mean.v = v;
        mean.w = w;
    }
    return change > 0 ? std::sqrt(change / speed) : 0;
}

// The forces are those of the last round, the mean velocities those that they lead to: their work is the change of energy to rounding.
void Splitting::take_heat(SplitState& state, double h) {
    for (std::size_t k = 0; k < pairs_.size() && touches_; ++k) {
        if (!(gaps_[k].gap < 0)) continue;
        const laws::SoftTouch touch = touch_of(pairs_[k], gaps_[k], mean_);
        laws::SoftResponse done = soft_[k];
        const double along = dot(done.force, touch.normal);
        done.heat_impact = -along * dot(touch.velocity, touch.normal);
        done.heat_friction = -dot(done.force - along * touch.normal, touch.velocity);
        done.heat_rolling = -dot(done.torque, touch.spin);
        add_heat(world_, pairs_[k], done, h, state.motion.heat);
    }
    for (std::size_t i = 0; i < world_.bodies.size() && is_slow_; ++i) {
        const double share = h / world_.bodies[i].mass;
        state.motion.heat[i].tide += share * slow_.tide_power[i];
        state.motion.heat[i].work += share * slow_.work_power[i];
    }
}

}  // namespace asperity::dynamics
