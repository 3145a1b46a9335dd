#include "asperity/dynamics/lcp/lcp.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "asperity/dynamics/constraint/constraint.h"
#include "asperity/dynamics/forces.h"
#include "asperity/dynamics/touching.h"
#include "asperity/dynamics/watch.h"
#include "asperity/numerics/runge_kutta.h"
#include "asperity/numerics/step_control.h"

namespace asperity::dynamics {
namespace {

constexpr std::size_t most_bodies = 6;  // 15 pairs: what the pivoting takes

// One body in the flat vector: p, v, w, q, heat of tides, work of sunlight.
constexpr std::size_t row_size = 15;

// What drives the bodies, with contact forces by pivoting. `mode` says which pairs rest on each other.
class Drive {
public:
    explicit Drive(const model::Parameters& world) : touching(world), loads_(world.bodies.size()), world_(world), a_(world.bodies.size()) {}

    // Accelerations of gravity, tides and contact; torques and powers are in loads().
    std::span<const Vec3> accelerations(const Motion& motion, std::span<const model::Mode> mode) {
        solution = touching.forces(without_contact(motion), motion, mode);
        const std::span<const Contact> contacts = touching.contacts();
        for (std::size_t k = 0; k < contacts.size(); ++k) {
            const Contact& c = contacts[k];
            a_[c.i] += (solution.f[k] / world_.bodies[c.i].mass) * c.normal;
            a_[c.j] -= (solution.f[k] / world_.bodies[c.j].mass) * c.normal;
        }
        return a_;
    }

    std::span<const Vec3> without_contact(const Motion& motion) {
        loads_.clear();
        add_gravity(world_, motion, loads_);
        add_tides(world_, motion, loads_);
        add_sunlight(world_, motion, loads_);
        for (std::size_t i = 0; i < a_.size(); ++i) a_[i] = loads_.force[i] / world_.bodies[i].mass;
        return a_;
    }

    const Loads& loads() const { return loads_; }

    Touching touching;
    numerics::ComplementaritySolution solution;  // of the last accelerations()

private:
    Loads loads_;
    const model::Parameters& world_;
    std::vector<Vec3> a_;  // m/s^2
};

template <std::size_t Bodies>
class Lcp final : public Method {
    static constexpr int n = static_cast<int>(row_size * Bodies);
    using Flat = numerics::Vector<n>;

public:
    Lcp(const model::Model& model, const model::Phase& phase) : model_(model), world_(model.parameters), phase_(phase), drive_(world_) {
        double largest = 0, heaviest = 0;
        for (const model::BodyKind& body : world_.bodies.kinds) {
            largest = std::fmax(largest, 2 * body.semi_axes.x);
            heaviest = std::fmax(heaviest, body.mass);
        }
        length_ = largest;
        speed_ = std::sqrt(world_.environment.mutual.constant * heaviest / largest);
    }

    void set_phase(const model::Phase& phase) override { phase_ = phase; }

    Advance advance(model::State& state, const Stop& stop, model::Observer& observer) override {
        Watch watch(model_, state, observer);
        start_ = trial_ = stage_ = motion_of(state);
        mode_ = pair_modes(state.contacts, Bodies);
        time_ = state.clock.time_in_phase;
        next_ = state.stepper.next_step > 0 ? state.stepper.next_step : first_step();
        Advance got;
        if (time_ == 0) got = touch(-1, watch, state);
        if (watch.is_sample_due(time_)) watch.sample(time_, start_, mode_, {});
        const double end = stop.time - state.clock.phase_start;
        while (!got.ended && got.guard < 0 && time_ < end) {
            got = step(end, watch, state);
            watch.end_step(time_, state.clock.steps, start_);
            if (watch.is_sample_due(time_)) watch.sample(time_, start_, mode_, {});
            if (!got.ended) got.guard = watch.fired(time_, start_);
            if (!got.ended && got.guard < 0 && watch.is_checkpoint_due(time_)) {
                keep(state);
                watch.checkpoint(state);
            }
        }
        keep(state);
        return got;
    }

private:
    bool is_adaptive() const { return phase_.integrator == model::Integrator::dopri5; }

    double first_step() const {
        if (!is_adaptive()) return constraint_step(world_, phase_);
        return std::fmin(phase_.step_max, 1e-2 * length_ / speed_);
    }

    void keep(model::State& state) const {
        dynamics::store(start_, state);
        dynamics::store(mode_, Bodies, state.contacts);
        state.clock.time_in_phase = time_;
        state.stepper.next_step = next_;
    }

    Flat slope(const Flat& y) {
        unpack(y, stage_);
        const std::span<const Vec3> a = drive_.accelerations(stage_, mode_);
        const Loads& loads = drive_.loads();
        Flat out;
        for (std::size_t i = 0; i < Bodies; ++i) {
            const BodyMotion& body = stage_.bodies[i];
            const Quat turn = Quat{0, 0.5 * body.w.x, 0.5 * body.w.y, 0.5 * body.w.z} * body.q_WB;
            write(out, i, {.p = body.v, .v = a[i], .w = loads.torque[i] / world_.bodies[i].inertia.x, .q_WB = turn},
                  {.tide = loads.tide_power[i] / world_.bodies[i].mass, .work = loads.work_power[i] / world_.bodies[i].mass});
        }
        return out;
    }

    static void write(Flat& y, std::size_t i, const BodyMotion& body, const BodyHeat& heat) {
        const std::array<double, row_size> values{body.p.x,    body.p.y,    body.p.z,    body.v.x,  body.v.y,
                                                  body.v.z,    body.w.x,    body.w.y,    body.w.z,  body.q_WB.w,
                                                  body.q_WB.x, body.q_WB.y, body.q_WB.z, heat.tide, heat.work};
        for (std::size_t k = 0; k < row_size; ++k) y[static_cast<int>(row_size * i + k)] = values[k];
    }

    static void unpack(const Flat& y, Motion& motion) {
        for (std::size_t i = 0; i < Bodies; ++i) {
            const auto at = [&](std::size_t k) { return y[static_cast<int>(row_size * i + k)]; };
            motion.bodies[i] = {{at(0), at(1), at(2)}, {at(3), at(4), at(5)}, {at(6), at(7), at(8)}, {at(9), at(10), at(11), at(12)}};
            motion.heat[i].tide = at(13);
            motion.heat[i].work = at(14);
        }
    }

    Flat packed(const Motion& motion) const {
        Flat y;
        for (std::size_t i = 0; i < Bodies; ++i) write(y, i, motion.bodies[i], motion.heat[i]);
        return y;
    }

    // trial_ becomes start_ a time h later; returns the error over the tolerance.
    double attempt(double h) {
        trial_ = start_;
        if (!is_adaptive()) return verlet(h), 0;
        const Flat y = packed(start_);
        const auto f = [this](const Flat& at) { return slope(at); };
        const auto got = numerics::Dopri5::step<n>(f, y, slope(y), h);
        unpack(got.y1, trial_);
        double error = 0;
        for (std::size_t i = 0; i < Bodies; ++i) {
            trial_.bodies[i].q_WB = unit(trial_.bodies[i].q_WB);
            for (std::size_t k = 0; k < 6; ++k)
                error = std::fmax(error, std::fabs(got.error[static_cast<int>(row_size * i + k)]) / (k < 3 ? length_ : speed_));
        }
        return error / phase_.tolerance;
    }

    void verlet(double h) {
        half_kick(0.5 * h);
        for (BodyMotion& body : trial_.bodies) {
            body.p += h * body.v;
            body.q_WB = unit(rotation(h * body.w) * body.q_WB);
        }
        half_kick(0.5 * h);
    }

    void half_kick(double dt) {
        const std::span<const Vec3> a = drive_.accelerations(trial_, mode_);
        for (std::size_t i = 0; i < Bodies; ++i) {
            trial_.bodies[i].v += dt * a[i];
            trial_.bodies[i].w += (dt / world_.bodies[i].inertia.x) * drive_.loads().torque[i];
            trial_.heat[i].tide += dt * drive_.loads().tide_power[i] / world_.bodies[i].mass;
            trial_.heat[i].work += dt * drive_.loads().work_power[i] / world_.bodies[i].mass;
        }
    }

    Advance step(double end, Watch& watch, model::State& state) {
        bool is_last = false;
        double h =
            safe_step(world_, start_, next_, [&](std::size_t i, std::size_t j) { return mode_[model::pair_index(i, j, Bodies)] == open; });
        while (true) {
            is_last = !(time_ + h < end);
            if (is_last) h = end - time_;
            const numerics::StepChoice choice = numerics::choose_step(attempt(h), h, 5,
                                                                      {.ratio_min = phase_.error_ratio_min,
                                                                       .ratio_max = phase_.error_ratio_max,
                                                                       .step_min = phase_.step_min,
                                                                       .step_max = phase_.step_max});
            if (is_adaptive() && !(is_last && choice.is_accepted)) next_ = choice.next;
            if (!is_adaptive() || choice.is_accepted) break;
            h = next_;
        }
        double at = h;
        std::ptrdiff_t pair = -1;
        for (std::size_t i = 0; i < Bodies; ++i)
            for (std::size_t j = i + 1; j < Bodies; ++j) {
                const std::size_t index = model::pair_index(i, j, Bodies);
                if (mode_[index] != open) continue;
                const double touch_at = drive_.touching.closing(start_, trial_, {i, j}, at, [this](double length) { attempt(length); });
                if (!(touch_at <= at)) continue;
                at = touch_at;
                pair = static_cast<std::ptrdiff_t>(index);
                attempt(at);
            }
        start_ = trial_;
        time_ = pair < 0 && is_last ? end : time_ + at;
        at_once_ = at > 0 ? 0 : at_once_ + 1;
        ++state.clock.steps;
        Advance got = pair < 0 ? part(watch, state) : touch(pair, watch, state);
        drive_.touching.tally(start_, mode_, state.clock.phase_start + time_, state.tallies);
        if (got.ended) return got;
        if (at_once_ > 1000)
            return {.ended = model::Outcome{.kind = model::OutcomeKind::stalled,
                                            .time = state.clock.phase_start + time_,
                                            .message = "touches follow each other without time going on"}};
        return {.ended = watch.trouble(time_, state.clock.steps, start_)};
    }

    // The impulses of a touch of `pair` (-1: of whatever touches), and which contacts rest from there on.
    Advance touch(std::ptrdiff_t pair, Watch& watch, model::State& state) {
        watch.look(time_, start_);
        Touching& touching = drive_.touching;
        touching.collect(start_, mode_, pair);  // at most 15
        touching.bounce(drive_.without_contact(start_), start_);
        touching.decide(drive_.without_contact(start_), start_, -1, mode_);
        for (const PairEvent& event : touching.events()) watch.event(time_, start_, event, state.tallies);
        return {};
    }

    // Pairs that (1) lets part, and that do.
    Advance part(Watch& watch, model::State& state) {
        drive_.accelerations(start_, mode_);
        const std::span<const Contact> contacts = drive_.touching.contacts();
        for (std::size_t k = 0; k < contacts.size(); ++k) {
            const Contact& c = contacts[k];
            if (!(drive_.solution.a[k] > 0 && normal_speed(c, start_) > 0)) continue;
            mode_[model::pair_index(c.i, c.j, Bodies)] = open;
            watch.event(time_, start_, {.kind = model::EventKind::separation, .i = c.i, .j = c.j, .normal = c.normal}, state.tallies);
        }
        return {};
    }

    const model::Model& model_;
    const model::Parameters& world_;
    model::Phase phase_;
    Drive drive_;
    Motion start_, trial_, stage_;
    PairModes mode_;
    double length_ = 0;  // m, scale of errors in position
    double speed_ = 0;   // m/s, of errors in velocity
    double time_ = 0;    // s, in the phase
    double next_ = 0;    // s, step
    int at_once_ = 0;
};

}  // namespace

namespace {

std::string lcp_carries(const model::Census& census, const model::Phase& phase) {
    if (census.has_groups) return "lcp carries few bodies: more than 64 of one name need penalty with leapfrog or rk4";
    if (census.has_colliders) return "lcp needs bodies that touch as the spheres or ellipsoids that they are";
    if (census.has_ground || census.has_field || !census.has_mutual_gravity) return "lcp needs bodies in empty space";
    if (census.has_cables || census.has_engines) return "lcp carries neither cables nor engines: take penalty";
    if (census.has_joints || census.has_loads) return "lcp carries neither joints nor loads: take penalty, impulse or dvi";
    if (census.bodies < 2 || census.bodies > most_bodies) return "lcp carries two to six bodies: pivoting is written for 16 contacts";
    if (!census.has_only_spheres) return "lcp finds contact forces of spheres; ellipsoids need constraint or penalty";
    if (census.has_friction) return "lcp has no friction: pivoting solves for normal forces; use constraint or penalty";
    if (phase.integrator != model::Integrator::dopri5 && phase.integrator != model::Integrator::verlet) return "lcp needs dopri5 or verlet";
    if (census.has_static_friction)
        return "lcp has one coefficient of friction, at rest and in motion: take penalty, or leave static_friction out";
    if (census.has_force_of_soft_contact) return "lcp is rigid contact, without forces that act over an overlap: take penalty";
    return {};
}

std::unique_ptr<Method> make_lcp(const model::Model& model, const model::Phase& phase) {
    switch (model.parameters.bodies.size()) {
        case 2: return std::make_unique<Lcp<2>>(model, phase);
        case 3: return std::make_unique<Lcp<3>>(model, phase);
        case 4: return std::make_unique<Lcp<4>>(model, phase);
        case 5: return std::make_unique<Lcp<5>>(model, phase);
        default: return std::make_unique<Lcp<6>>(model, phase);
    }
}

}  // namespace

const MethodEntry lcp{
    "lcp",
    "Rigid contact forces of spheres by Baraff's pivoting, without a hold on the distance, which drifts (3-ternary 3.4.1).",
    model::Integrator::dopri5,
    1e-9,
    lcp_carries,
    make_lcp};

}  // namespace asperity::dynamics
