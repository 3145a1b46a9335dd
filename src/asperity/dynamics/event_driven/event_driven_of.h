// The event-driven method for one kind of gravity; event_driven.cpp and small_body.cpp instantiate it.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

#include "asperity/dynamics/event_driven/advance.h"
#include "asperity/dynamics/event_driven/event_driven.h"
#include "asperity/dynamics/event_driven/hand_over.h"
#include "asperity/dynamics/signal_watch.h"

namespace asperity::event_driven {

// Whether the surface is there: in an inertial frame (1-landers Uni 0, Bin 0) it turns, and is left out.
inline bool touches(const gravity::Uniform&) { return true; }
inline bool touches(const gravity::SmallBody& body) { return !body.is_inertial; }

// The laws between the ball and the ground: [0] everywhere, [k] in patch k.
inline std::vector<laws::PairLaw> ground_laws(const model::Parameters& parameters) {
    std::vector<laws::PairLaw> laws;
    for (const std::uint16_t material : parameters.ground_materials)
        laws.push_back(parameters.laws.of(parameters.bodies[0].material, material));
    return laws;
}

template <class GravityField>
World<GravityField> world_of(const model::Model& model, const std::vector<laws::PairLaw>& laws) {
    const model::Parameters& parameters = model.parameters;
    const model::Assets& assets = *model.assets;
    const laws::BallShape ball{.radius = parameters.bodies[0].radius(), .inertia_factor = parameters.bodies[0].inertia_factor};
    const auto pointer = [](const auto& values) { return values.empty() ? nullptr : values.data(); };
    const GravityField& gravity = std::get<GravityField>(parameters.environment.field);
    SurfaceView view = model.surface().view();
    if (!assets.rocks.centres.empty()) view.rocks = assets.rocks.view();
    return {.view = view,
            .lower = model.surface().lower,
            .upper = model.surface().upper,
            .gravity = gravity,
            .ball = ball,
            .surfaces = laws.data(),
            .patch_of_facet = laws.size() > 1 ? pointer(assets.patch_of_facet) : nullptr,
            .facet_values = {pointer(assets.restitution), pointer(assets.friction), pointer(assets.rolling_resistance)},
            .companion = assets.companion_surface.facets.empty() ? SurfaceView{} : assets.companion_surface.view(),
            .rocks = parameters.rocks,
            .rock_density = pointer(assets.rock_density),
            .draw_key = {.seed = parameters.seed, .run = parameters.run, .stream = rocks_met_stream},
            .has_contact = touches(gravity),
            .step_budget = parameters.step_budget};
}

inline BallState load(const model::State& state) {
    BallState b{.time = state.clock.time_in_phase,
                .p = state.bodies.position[0],
                .v = state.bodies.velocity[0],
                .w = state.bodies.spin[0],
                .q = state.bodies.orientation[0],
                .next_step = state.stepper.next_step,
                .heat_impact = state.tallies.heat_impact[0],
                .heat_friction = state.tallies.heat_friction[0],
                .heat_rolling = state.tallies.heat_rolling[0],
                .work = state.tallies.work[0],
                .rolled = state.tallies.rolled_distance[0],
                .deepest = state.tallies.deepest_overlap[0],
                .impacts = state.tallies.impacts[0],
                .last_touch = state.tallies.last_touch[0],
                .draws = static_cast<std::uint64_t>(state.draws.counter[0]),
                .next_rock = state.draws.next_rock[0],
                .steps = state.clock.steps};
    const model::Contacts& contacts = state.contacts;
    if (contacts.is_empty()) return b;
    b.mode = contacts.mode[0] == Mode::left ? Mode::flight : contacts.mode[0];
    b.feature = model::mesh_feature(contacts.feature[0]);
    if (contacts.slip_direction.empty()) return b;  // the contact comes from another method, or from the start
    b.slip_direction = contacts.slip_direction[0];
    b.roll_axis = contacts.roll_axis[0];
    b.spin_locked = contacts.spin_locked[0] != 0;
    b.drilling = contacts.drilling[0];
    return b;
}

// At most one contact: several at once are found anew from the position.
inline void store_contact(const BallState& b, model::Contacts& contacts) {
    contacts.clear();
    const bool flies = b.mode == Mode::flight;
    if (flies && b.feature.index < 0) return;
    contacts.add(0, model::ground, model::contact_feature(b.feature), flies ? Mode::left : b.mode);
    contacts.slip_direction.push_back(b.slip_direction);
    contacts.roll_axis.push_back(b.roll_axis);
    contacts.spin_locked.push_back(b.spin_locked ? 1 : 0);
    contacts.drilling.push_back(static_cast<std::int8_t>(b.drilling));
}

inline void store(const BallState& b, model::State& state) {
    state.clock.time_in_phase = b.time;
    state.clock.steps = b.steps;
    state.bodies.position[0] = b.p;
    state.bodies.velocity[0] = b.v;
    state.bodies.spin[0] = b.w;
    state.bodies.orientation[0] = b.q;
    store_contact(b, state.contacts);
    state.draws.counter[0] = static_cast<std::int64_t>(b.draws);
    state.draws.next_rock[0] = b.next_rock;
    state.stepper.next_step = b.next_step;
    state.tallies.heat_impact[0] = b.heat_impact;
    state.tallies.heat_friction[0] = b.heat_friction;
    state.tallies.heat_rolling[0] = b.heat_rolling;
    state.tallies.work[0] = b.work;
    state.tallies.rolled_distance[0] = b.rolled;
    state.tallies.deepest_overlap[0] = b.deepest;
    state.tallies.impacts[0] = b.impacts;
    state.tallies.last_touch[0] = b.last_touch;
}

// Hands samples and events to the observer, in SI (energies in J, times of the run).
template <class GravityField>
struct Watch {
    const World<GravityField>& world;
    const model::Parameters& parameters;
    model::Observer& observer;
    double phase_start = 0;
    double next_sample = 0;  // s, of the run
    GuardWatch guards;
    dynamics::SignalWatch signals;
    model::Bodies row = {};  // workspace: the ball where guards and signals look

    const model::Bodies& bodies_at(const BallState& b) {
        row.position.assign(1, b.p);
        row.velocity.assign(1, b.v);
        row.spin.assign(1, b.w);
        row.orientation.assign(1, b.q);
        return row;
    }
    double guard_along(const BallState& before, const FlatDense& dense, double s_end) {
        return guards.along(before.time, dense.h, s_end, [&](double s) -> const model::Bodies& {
            BallState at = before;
            follow(dense, s, at);
            return bodies_at(at);
        });
    }
    bool is_fired(const BallState& b) { return !guards.is_empty() && guards.look(b.time, bodies_at(b)); }

    void step(const BallState& before, const FlatDense& dense, double s_end) {
        signals.along(before.time, dense.h, s_end, [&](double s) -> const model::Bodies& {
            BallState at = before;
            follow(dense, s, at);
            return bodies_at(at);
        });
        const double start = phase_start + before.time, end = start + s_end * dense.h;
        while (next_sample < end) {
            const double s = std::fmin(s_end, std::fmax(0.0, (next_sample - start) / dense.h));
            BallState at = before;
            follow(dense, s, at);
            show(at, next_sample);
        }
    }

    void show(const BallState& b, double time) {
        const double m = parameters.bodies[0].mass, r = world.ball.radius;
        const model::Ledger ledger{.kinetic = 0.5 * m * squared_norm(b.v),
                                   .rotational = 0.5 * m * world.ball.inertia_factor * r * r * squared_norm(b.w),
                                   .potential = m * world.gravity.potential(b.p, time),
                                   .heat_impact = m * b.heat_impact,
                                   .heat_friction = m * b.heat_friction,
                                   .heat_rolling = m * b.heat_rolling,
                                   .work = m * b.work};
        const bool is_wanted = observer.wants().contacts && b.mode != Mode::flight;
        model::ContactRow contact;
        if (is_wanted)
            contact = {
                .a = 0, .b = model::ground, .feature = model::contact_feature(b.feature), .mode = b.mode, .slip_speed = slip_speed(b)};
        const std::span<const double> named =
            signals.is_empty() ? std::span<const double>{} : signals.values(time - phase_start, bodies_at(b));
        observer.sample({.time = time,
                         .position = {&b.p, 1},
                         .velocity = {&b.v, 1},
                         .spin = {&b.w, 1},
                         .orientation = {&b.q, 1},
                         .ledger = {&ledger, 1},
                         .signals = named,
                         .contacts = {&contact, is_wanted ? 1U : 0U}});
        next_sample = observer.next_sample();
    }

    double slip_speed(const BallState& b) const {
        if (b.mode != Mode::slide && b.mode != Mode::roll) return 0;
        const Vec3 n = touch_on(world.view, b.feature, b.p, b.v).normal;
        return norm(tangential(laws::slip({b.v, b.w}, n, world.ball.radius), n));
    }

    void event(EventKind kind, const BallState& b, const Vec3& normal, double speed_in, double speed_out, double heat) {
        observer.event({.kind = kind,
                        .time = phase_start + b.time,
                        .a = 0,
                        .b = model::ground,
                        .feature = model::contact_feature(b.feature),
                        .position = b.p,
                        .velocity = b.v,
                        .spin = b.w,
                        .normal = normal,
                        .normal_speed_in = speed_in,
                        .normal_speed_out = speed_out,
                        .heat = parameters.bodies[0].mass * heat,
                        .mode = b.mode});
    }
};

template <class GravityField>
class EventDriven final : public Method {
public:
    EventDriven(const model::Model& model, const model::Phase& phase)
        : model_(model), laws_(ground_laws(model.parameters)), world_(world_of<GravityField>(model, laws_)) {
        set_phase(phase);
    }

    void set_phase(const model::Phase& phase) override {
        world_.tolerance = phase.tolerance;
        world_.bounds = {
            .ratio_min = phase.error_ratio_min, .ratio_max = phase.error_ratio_max, .step_min = phase.step_min, .step_max = phase.step_max};
        world_.has_fixed_step = phase.integrator == model::Integrator::rk4;
    }

    Advance advance(model::State& state, const Stop& stop, model::Observer& observer) override {
        const double phase_start = state.clock.phase_start;
        world_.phase_start = phase_start;
        set_reference(state.stepper.reference.empty() ? Vec3{} : state.stepper.reference[0]);
        if (is_of_soft_contact(state)) take_out_overlap(model_, state);
        BallState ball = load(state);
        Watch<GravityField> watch{world_,
                                  model_.parameters,
                                  observer,
                                  phase_start,
                                  observer.next_sample(),
                                  GuardWatch(model_, state),
                                  dynamics::SignalWatch(model_, state)};
        Run<GravityField, Watch<GravityField>> run{.world = world_, .watch = watch, .b = ball};
        const bool is_undecided = ball.steps == 0 || ball.mode == Mode::touching;
        if (is_undecided && ball.feature.index >= 0) {  // a start in contact: the mode follows from the laws
            ball.mode = Mode::flight;
            enter(run, feature_at(world_.view, ball.feature, ball.p, grace * run.radius()));
        }
        advance_ball(run, stop.time - phase_start, [&](const BallState& b) {
            if (!watch.signals.is_empty()) watch.signals.look(b.time, watch.bodies_at(b));
            if (watch.is_fired(b)) {
                run.status = Status::at_guard;
                return;
            }
            if (phase_start + b.time < observer.next_checkpoint()) return;
            store(b, state);
            keep_reference(state);
            observer.checkpoint(state);
        });
        const double now = phase_start + ball.time;
        while (watch.next_sample <= now) watch.show(ball, std::isfinite(watch.next_sample) ? watch.next_sample : now);
        store(ball, state);
        keep_reference(state);
        if (run.status == Status::at_guard) return {.ended = {}, .guard = watch.guards.fired()};
        return ending(run.status, run.reason, state);
    }

private:
    // A linearised field is the workspace of this method; what a restart needs of it, its reference, is in the state.
    void set_reference(const Vec3& reference) {
        if constexpr (std::is_same_v<GravityField, gravity::SmallBody>) {
            gravity::BodyField& field = world_.gravity.target.field;
            if (field.kind != gravity::FieldKind::linearised) return;
            field.linear = &linear_;
            linear_.reach = model_.parameters.linear_reach / field.scale;
            if (!(reference == Vec3{})) linear_ = gravity::linearised_at(*field.exact, reference, linear_.reach);
        }
    }
    void keep_reference(model::State& state) const { state.stepper.reference.assign(1, linear_.reference); }

    static Advance ending(Status status, const char* reason, const model::State& state) {
        model::Outcome outcome{.kind = model::OutcomeKind::rest, .time = state.clock.time(), .body = 0, .message = ""};
        switch (status) {
            case Status::at_stop:
            case Status::at_guard:
            case Status::going: return {};
            case Status::at_rest: outcome.message = "at rest, in equilibrium"; break;
            case Status::escaped:
                outcome.kind = model::OutcomeKind::escaped;
                outcome.message = "left the world and cannot come back";
                break;
            case Status::at_companion:
                outcome.kind = model::OutcomeKind::companion;
                outcome.message = "reached the companion";
                break;
            case Status::out_of_steps:
                outcome.kind = model::OutcomeKind::stalled;
                outcome.message = fmt::format("used up the budget of {} steps; raise end.step_budget", state.clock.steps);
                break;
            case Status::stalled:
                outcome.kind = model::OutcomeKind::stalled;
                outcome.message = reason;
                break;
            case Status::non_finite:
                outcome.kind = model::OutcomeKind::non_finite;
                outcome.message = "position, velocity or heat of the ball is no longer a finite number";
                break;
        }
        return {.ended = outcome};
    }

    const model::Model& model_;
    std::vector<laws::PairLaw> laws_;
    World<GravityField> world_;
    gravity::Linearised linear_;
};

}  // namespace asperity::event_driven
