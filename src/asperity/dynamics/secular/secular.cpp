#include "asperity/dynamics/secular/secular.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "asperity/analysis/energy_bound.h"
#include "asperity/analysis/recognition.h"
#include "asperity/dynamics/constraint/constraint.h"
#include "asperity/dynamics/guard_watch.h"
#include "asperity/dynamics/signal_watch.h"
#include "asperity/laws/tide.h"

namespace asperity::dynamics {
namespace {

constexpr double accuracy = 1e-3;          // a of (2)
constexpr double lock_tolerance = 1e-3;    // of the rate, and of the energy
constexpr std::int64_t steps_a_look = 16;  // between looks at the lock

// Times of the phase as they are, outside, from those of the shorter phase, inside.
struct Scale {
    double start = 0;   // s, of the phase
    double factor = 1;  // K

    double outside(double inside) const { return inside > start ? start + factor * (inside - start) : inside; }
    double inside(double outside) const { return outside > start ? start + (outside - start) / factor : outside; }
};

class ScaledObserver final : public model::Observer {
public:
    ScaledObserver(const model::Model& model, const model::State& inner, model::Observer& outer, const Scale& scale)
        : model_(model), inner_(inner), outer_(outer), scale_(scale) {}

    double next_sample() const override { return scale_.inside(outer_.next_sample()); }
    model::Wants wants() const override { return outer_.wants(); }
    void sample(const model::Look& look) override {
        model::Look scaled = look;
        scaled.time = scale_.outside(look.time);
        const std::vector<double> signals = signals_of(scaled);
        scaled.signals = signals;
        outer_.sample(scaled);
    }
    void event(const model::Event& event) override {
        model::Event scaled = event;
        scaled.time = scale_.outside(event.time);
        outer_.event(scaled);
    }
    double next_checkpoint() const override { return scale_.inside(outer_.next_checkpoint()); }
    void checkpoint(const model::State& state) override { outer_.checkpoint(scaled(state, scale_.factor)); }

    // The state with times of the phase multiplied: K to the outside, 1 / K to the inside.
    model::State scaled(model::State state, double factor) const {
        const auto time = [&](double& t) { t = t > scale_.start ? scale_.start + factor * (t - scale_.start) : t; };
        state.clock.time_in_phase *= factor;
        time(state.settled.time);
        for (double& t : state.tallies.last_touch) time(t);
        return state;
    }

private:
    // In true time, which the inner run does not know.
    std::vector<double> signals_of(const model::Look& look) const {
        std::vector<double> out;
        if (model_.parameters.signals.empty()) return out;
        const model::Bodies bodies{.position = {look.position.begin(), look.position.end()},
                                   .orientation = {look.orientation.begin(), look.orientation.end()},
                                   .velocity = {look.velocity.begin(), look.velocity.end()},
                                   .spin = {look.spin.begin(), look.spin.end()}};
        const model::State state = scaled(inner_, scale_.factor);
        analysis::named_signals(model_, {.time_in_phase = look.time - scale_.start, .bodies = bodies, .state = state}, out);
        return out;
    }

    const model::Model& model_;
    const model::State& inner_;
    model::Observer& outer_;
    Scale scale_;
};

class Secular final : public Method {
public:
    Secular(const model::Model& model, const model::Phase& phase) : outer_(model) {
        for (const model::BodyKind& body : model.parameters.bodies.rows()) spheres_.push_back({body.mass, body.mean_radius()});
        set_phase(phase);
    }

    void set_phase(const model::Phase& phase) override {
        phase_ = phase;
        factor_ = secular_speed_up(outer_.parameters, phase);
        model_ = outer_;
        model::Parameters& world = model_.parameters;
        world.environment.tides.factor *= factor_;
        for (model::BodyKind& body : world.bodies.kinds) body.yorp *= factor_;
        for (model::Phase& inner : world.phases) inner.guards.clear();  // they see true time, and so do signals
        world.signals.clear();
        look_ = static_cast<double>(steps_a_look) * constraint_step(world, phase_);
    }

    Advance advance(model::State& state, const Stop& stop, model::Observer& observer) override {
        const Scale scale{.start = state.clock.phase_start, .factor = factor_};
        model::State inner = state;
        ScaledObserver scaled(outer_, inner, observer, scale);
        inner = scaled.scaled(state, 1 / factor_);
        const double end = scale.inside(stop.time) - scale.start;
        const auto method = constraint.make(model_, phase_);
        std::vector<bool> was_locked = locked_bodies(inner);
        Advance got;
        if (!(inner.clock.time_in_phase < end)) method->advance(inner, {.time = -std::numeric_limits<double>::infinity()}, scaled);
        try {
            while (!got.ended && got.guard < 0 && inner.clock.time_in_phase < end) {
                const double next = (std::floor(inner.clock.time_in_phase / look_ + 1e-6) + 1) * look_;  // a look may end a rounding early
                got = method->advance(inner, {.time = scale.start + std::min(next, end)}, scaled);
                note_signals(inner, scaled);
                if (!got.ended) got = look(inner, was_locked, scaled);
                if (!got.ended) got.guard = fired(inner, scaled);
            }
        } catch (...) {  // the observer may stop a run where its state is complete
            state = scaled.scaled(inner, factor_);
            throw;
        }
        state = scaled.scaled(inner, factor_);
        if (got.ended) got.ended->time = scale.outside(got.ended->time);
        return got;
    }

private:
    // Extremes of named signals, at looks.
    void note_signals(model::State& inner, const ScaledObserver& scaled) const {
        if (outer_.parameters.signals.empty()) return;
        model::State outside = scaled.scaled(inner, factor_);
        SignalWatch(outer_, outside).look(outside.clock.time_in_phase, outside.bodies);
        inner.extremes = outside.extremes;
    }

    // The guard that fires at a look, in true time; -1: none does.
    std::int64_t fired(model::State& inner, const ScaledObserver& scaled) const {
        if (GuardWatch(outer_, inner).is_empty()) return -1;
        model::State outside = scaled.scaled(inner, factor_);
        GuardWatch guards(outer_, outside);
        const bool is_fired = guards.look(outside.clock.time_in_phase, outside.bodies);
        inner.controls = outside.controls;
        return is_fired ? guards.fired() : -1;
    }

    // The end state of the tidal evolution: the stable equilibrium that the bodies are at, else the one of least energy.
    analysis::RestingEquilibrium last_state(const model::State& state) const {
        const model::Parameters& world = model_.parameters;
        const auto bound = analysis::energy_bound(analysis::moving_bodies(world, state.bodies), world.environment.mutual.constant);
        const std::vector<analysis::RestingEquilibrium> list =
            analysis::resting_equilibria(spheres_, squared_norm(bound.angular_momentum), world.environment.mutual.constant);
        const std::vector<analysis::MovingSphere> moving = analysis::moving_spheres(world, state.bodies);
        const analysis::RestingEquilibrium* here =
            analysis::rests_in(moving, analysis::recognise(moving, world.environment.mutual.constant), list);
        return here != nullptr && here->is_stable ? *here : analysis::ground_state(list);
    }

    std::vector<bool> locked_bodies(const model::State& state) const {
        const double rate = last_state(state).rate;
        std::vector<bool> out;
        for (const Vec3& w : state.bodies.spin) out.push_back(std::fabs(norm(w) - rate) <= lock_tolerance * rate);
        return out;
    }

    // Tells of bodies whose spin has come to the last rate; ends the run where all have, and the energy is near its own.
    Advance look(const model::State& state, std::vector<bool>& was_locked, model::Observer& observer) const {
        const std::vector<bool> is_locked = locked_bodies(state);
        const double time = state.clock.time();
        for (std::size_t i = 0; i < is_locked.size(); ++i)
            if (is_locked[i] && !was_locked[i])
                observer.event({.kind = model::EventKind::lock,
                                .time = time,
                                .a = static_cast<std::int32_t>(i),
                                .position = state.bodies.position[i],
                                .velocity = state.bodies.velocity[i],
                                .spin = state.bodies.spin[i]});
        was_locked = is_locked;
        if (model_.parameters.bodies.has_sunlight() || !std::all_of(is_locked.begin(), is_locked.end(), [](bool b) { return b; }))
            return {};
        const model::Parameters& world = model_.parameters;
        const double energy =
            analysis::energy_bound(analysis::moving_bodies(world, state.bodies), world.environment.mutual.constant).energy;
        const analysis::RestingEquilibrium last = last_state(state);
        if (std::fabs(energy - last.energy) > lock_tolerance * std::fabs(last.energy)) return {};
        return {.ended = model::Outcome{.kind = model::OutcomeKind::locked,
                                        .time = time,
                                        .body = 0,
                                        .message = fmt::format("all bodies turn as one, as {}", name(last.configuration))}};
    }

    const model::Model& outer_;
    model::Model model_;  // with tides and sunlight as much stronger
    double factor_ = 1;   // K
    model::Phase phase_;
    std::vector<analysis::Sphere> spheres_;
    double look_ = 0;  // s, inside
};

}  // namespace

double secular_speed_up(const model::Parameters& world, const model::Phase& phase) {
    double ratio = 0;  // Gamma / (I w^2), the largest
    for (std::size_t i = 0; i < world.bodies.size(); ++i)
        for (std::size_t j = 0; j < world.bodies.size(); ++j) {
            if (i == j) continue;
            const model::BodyKind &a = world.bodies[i], &b = world.bodies[j];
            const double d = a.mean_radius() + b.mean_radius(), w2 = world.environment.mutual.constant * (a.mass + b.mass) / (d * d * d);
            const laws::TidalPair pair{.separation = {d, 0, 0},
                                       .velocity = {},
                                       .spin = {0, 0, std::sqrt(w2)},
                                       .companion_mass = b.mass,
                                       .gravitational_constant = world.environment.mutual.constant};
            const double torque = world.environment.tides.factor * norm(model::tide_on(world.environment.tides.law, a, pair).torque);
            ratio = std::max({ratio, torque / (a.inertia.z * w2), norm(a.yorp) / w2});
        }
    const double wanted = phase.speed_up > 0 ? phase.speed_up : accuracy / ratio;
    return std::exp2(std::max(0.0, std::floor(std::log2(wanted))));
}

namespace {

std::string secular_carries(const model::Census& census, const model::Phase& phase) {
    if (census.has_groups) return "secular carries few bodies: more than 64 of one name need penalty with leapfrog or rk4";
    if (census.has_colliders) return "secular needs bodies that touch as the spheres or ellipsoids that they are";
    if (census.has_ground || census.has_field || !census.has_mutual_gravity) return "secular needs bodies in empty space";
    if (census.has_cables || census.has_engines) return "secular carries neither cables nor engines: take penalty";
    if (census.has_joints || census.has_loads) return "secular carries neither joints nor loads: take penalty, impulse or dvi";
    if (census.bodies > 3 || !census.has_only_spheres) return "secular knows the locked states of two or three spheres";
    if (!census.has_tides && !census.has_sunlight) return "secular needs tides or sunlight: nothing else is slow";
    if (census.has_friction) return "secular does not carry friction: it is not slow, take constraint or penalty";
    return constraint.carries(census, phase);
}

constexpr model::OutcomeKind secular_recognises[] = {model::OutcomeKind::locked};

std::unique_ptr<Method> make_secular(const model::Model& model, const model::Phase& phase) {
    return std::make_unique<Secular>(model, phase);
}

}  // namespace

const MethodEntry secular{"secular",
                          "The slow evolution of bodies under tides and sunlight, averaged by a change of scale, to tidal lock.",
                          model::Integrator::symplectic4,
                          1e-9,
                          secular_carries,
                          make_secular,
                          false,
                          secular_recognises};

}  // namespace asperity::dynamics
