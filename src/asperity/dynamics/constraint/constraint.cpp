#include "asperity/dynamics/constraint/constraint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "asperity/dynamics/constraint/hand_over.h"
#include "asperity/dynamics/constraint/kicks.h"
#include "asperity/dynamics/constraint/rattle.h"
#include "asperity/dynamics/constraint/rigid_rattle.h"
#include "asperity/dynamics/pair_gap.h"
#include "asperity/dynamics/touching.h"
#include "asperity/dynamics/watch.h"
#include "asperity/numerics/bracket.h"

namespace asperity::dynamics {
namespace {

// Steps from one place where a run can go on to the next. What sums cannot hold is dropped there: at most an ulp each time.
constexpr std::int64_t block = 64;

// Of (2): motion this many times slower than that of a touching pair may have longer steps than h. The margin keeps what a change of the
// step does to the energy of an eccentric orbit, of the order of the error of R there, far below that of touching bodies.
constexpr double far = 8;

// t of (2), s.
double touching_time(const model::Parameters& world) {
    double time = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < world.bodies.size(); ++i)
        for (std::size_t j = i + 1; j < world.bodies.size(); ++j) {
            const model::BodyKind &a = world.bodies[i], &b = world.bodies[j];
            time = std::fmin(
                time, std::sqrt(std::pow(a.mean_radius() + b.mean_radius(), 3) / (world.environment.mutual.constant * (a.mass + b.mass))));
        }
    return time;
}

// What ends a step early. pair: -1, nothing does.
struct Found {
    std::ptrdiff_t pair = -1;
    bool is_closing = false;
    double h = 0;  // s
};

template <class Stepper>  // Rattle, or RigidRattle where a body is no sphere
class Constraint final : public Method {
public:
    Constraint(const model::Model& model, const model::Phase& phase)
        : model_(model),
          world_(model.parameters),
          has_kicks_(has_slow_forces(world_)),
          has_friction_(world_.laws.has_friction()),
          slow_rate2_(std::pow(2 * far * touching_time(world_), -2)),
          rattle_(world_),
          touching_(world_),
          linear_(world_.bodies.size()),
          angular_(world_.bodies.size()) {
        set_phase(phase);
    }

    void set_phase(const model::Phase& phase) override {
        is_fourth_order_ = phase.integrator == model::Integrator::symplectic4;
        h_ = constraint_step(world_, phase);
        has_fixed_step_ = std::isfinite(phase.step_max);
    }

    Advance advance(model::State& state, const Stop& stop, model::Observer& observer) override {
        Watch watch(model_, state, observer);
        start_ = motion_of(state);
        start_.remainders.resize(start_.bodies.size());
        trial_ = start_;
        mode_ = pair_modes(state.contacts, world_.bodies.size());
        time_ = state.clock.time_in_phase;
        Advance got = time_ == 0 ? begin(watch, state) : Advance{};
        const double end = stop.time - state.clock.phase_start;
        rattle_.hold(mode_);
        if (watch.is_sample_due(time_)) watch.sample(time_, start_, mode_, {});
        while (!got.ended && got.guard < 0 && time_ < end) {
            got = step(end, watch, state);
            watch.end_step(time_, state.clock.steps, start_);
            if (watch.is_sample_due(time_)) watch.sample(time_, start_, mode_, {});
            if (!got.ended) got.guard = watch.fired(time_, start_);
            if (state.clock.steps % block != 0) continue;
            start_.drop_rests();
            if (!got.ended && got.guard < 0 && watch.is_checkpoint_due(time_)) {
                keep(state);
                watch.checkpoint(state);
            }
        }
        keep(state);
        return got;
    }

private:
    void keep(model::State& state) const {
        store(start_, state);
        store(mode_, world_.bodies.size(), state.contacts);
        state.clock.time_in_phase = time_;
    }

    Advance stalled(const model::State& state, std::string message) const {
        return {
            .ended = model::Outcome{
                .kind = model::OutcomeKind::stalled, .time = state.clock.phase_start + time_, .body = 0, .message = std::move(message)}};
    }

    // The contacts of the first instant. Those that a phase before hands over go on: they are no impacts.
    Advance begin(Watch& watch, model::State& state) {
        const std::size_t n = world_.bodies.size();
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = i + 1; j < n; ++j)
                if (const double gap = touching_.gap(start_, i, j); gap < -most_overlap * touch_distance(world_, i, j))
                    return stalled(
                        state, fmt::format("bodies {} and {} overlap by {:.3g} m where `constraint` begins: it holds rigid bodies", i + 1,
                                           j + 1, -gap));
        if (take_out_overlaps(world_, start_) > 0) watch.settle(time_, start_);
        const PairModes before = mode_;
        if (Advance got = resolve(-1, false, state); got.ended) return got;
        for (const PairEvent& event : touching_.events())
            if (event.kind != model::EventKind::impact || before[model::pair_index(event.i, event.j, n)] == open)
                watch.event(time_, start_, event, state.tallies);
        rattle_.hold(mode_);
        return {};
    }

    // trial_ becomes start_ a time h later.
    bool attempt(double h) {
        trial_ = start_;
        if (has_kicks_) slow(0.5 * h, false);
        if (rubs()) rub_on(0.5 * h);
        if (!rattle_.step(trial_, h, is_fourth_order_)) has_failed_ = true;
        if (rubs()) rub_back(0.5 * h);
        if (has_kicks_) slow(0.5 * h, true);
        return !has_failed_;
    }

    void slow(double dt, bool backwards) {
        slow_kick(world_, dt, backwards, trial_);
        if (rattle_.held() > 0) hold_speed(world_, rattle_.contacts(trial_), &BodyHeat::tide, trial_);
    }

    bool rubs() const { return has_friction_ && rattle_.held() > 0; }

    numerics::DenseValues impulses(double dt) {
        numerics::DenseValues out = rattle_.forces(trial_);
        for (double& p : out) p *= dt;
        return out;
    }

    // F of (1), at the start of a step.
    void rub_on(double dt) {
        const numerics::DenseValues force = rattle_.forces(trial_);
        accelerate(force);
        const std::span<const Contact> contacts = rattle_.contacts(trial_);
        Rubbings aims;
        numerics::DenseValues impulse{};
        for (std::size_t k = 0; k < contacts.size(); ++k) {
            const Contact& c = contacts[k];
            // Slip and spin that end within a millionth of a step are what F* leaves where it ends them.
            const laws::PairLaw& law = world_.law(c.i, c.j);
            const double pressed = 1e-6 * h_ * std::fmax(0.0, force[k]);
            const Vec3 slip = tangential(slip_of(c, trial_), c.normal);
            const Vec3 spin = tangential(trial_.bodies[c.i].w - trial_.bodies[c.j].w, c.normal);
            if (norm(slip) > tangential_mobility(world_, c) * law.friction * pressed)
                aims[k].slip = unit(slip);
            else
                aims[k].slip_lead = dt * slip_acceleration(world_, trial_, c.i, c.j, acceleration(c.i), acceleration(c.j));
            if (norm(spin) > turning_mobility(world_, c) * law.rolling_resistance * c.effective_radius * pressed)
                aims[k].spin = unit(spin);
            else  // the normal turns, and with it what of the relative spin lies across it
                aims[k].spin_lead =
                    -dt * dot(trial_.bodies[c.i].w - trial_.bodies[c.j].w, c.normal) * normal_rate(world_, trial_, c.i, c.j);
            const double about = dot(trial_.bodies[c.i].w - trial_.bodies[c.j].w, c.normal);
            if (std::fabs(about) > turning_mobility(world_, c) * law.spinning_resistance * c.effective_radius * pressed)
                aims[k].drilling = (about > 0 ? 1 : -1) * c.normal;
            else
                aims[k].drilling_lead =
                    dt * dot(trial_.bodies[c.i].w - trial_.bodies[c.j].w, normal_rate(world_, trial_, c.i, c.j)) * c.normal;
            impulse[k] = force[k] * dt;
        }
        rub(world_, contacts, impulse, aims, trial_);
    }

    // F* of (1), at the end of a step, by rounds: forces depend on the velocities that friction leaves.
    void rub_back(double dt) {
        constexpr int most_rounds = 20;
        before_ = trial_;
        numerics::DenseValues impulse = impulses(dt);
        for (int round = 0; round < most_rounds; ++round) {
            if (round > 0) trial_ = before_;
            rub(world_, rattle_.contacts(trial_), impulse, {}, trial_);
            const numerics::DenseValues next = impulses(dt);
            double change = 0, most = 0;
            for (std::size_t k = 0; k < rattle_.held(); ++k) {
                change = std::fmax(change, std::fabs(next[k] - impulse[k]));
                most = std::fmax(most, std::fabs(next[k]));
            }
            if (change <= 1e-13 * most) return;
            impulse = next;
        }
    }

    // Of trial_ under gravity and the forces of the held contacts, without friction.
    void accelerate(const numerics::DenseValues& force) {
        const Accelerations gravity = rattle_.accelerations(trial_);
        for (std::size_t i = 0; i < world_.bodies.size(); ++i) {
            linear_[i] = gravity.of(i).linear;
            angular_[i] = gravity.of(i).angular;
        }
        const std::span<const Contact> contacts = rattle_.contacts(trial_);
        for (std::size_t k = 0; k < contacts.size(); ++k) {
            const Contact& c = contacts[k];
            const Vec3 push = force[k] * c.normal;
            linear_[c.i] += push / world_.bodies[c.i].mass;
            linear_[c.j] -= push / world_.bodies[c.j].mass;
            angular_[c.i] += inverse_inertia_times(world_.bodies[c.i], trial_.bodies[c.i].q_WB, cross(c.arm_i, push));
            angular_[c.j] -= inverse_inertia_times(world_.bodies[c.j], trial_.bodies[c.j].q_WB, cross(c.arm_j, push));
        }
    }
    BodyAcceleration acceleration(std::size_t i) const { return {linear_[i], angular_[i]}; }

    // (3): h_, or, where all motion is slow, 2^k of it.
    double length() const {
        if (has_fixed_step_ || rattle_.held() > 0) return h_;
        double rate2 = 0;  // 1/s^2
        for (std::size_t i = 0; i < world_.bodies.size(); ++i) {
            const BodyMotion& a = start_.bodies[i];
            if (!world_.bodies[i].is_sphere()) rate2 = std::fmax(rate2, squared_norm(a.w));
            for (std::size_t j = i + 1; j < world_.bodies.size(); ++j) {
                const BodyMotion& b = start_.bodies[j];
                const double r2 = squared_norm(a.p - b.p);
                const double pull =
                    world_.environment.mutual.constant * (world_.bodies[i].mass + world_.bodies[j].mass) / (r2 * std::sqrt(r2));
                rate2 = std::fmax(rate2, std::fmax(pull, 0.25 * squared_norm(a.v - b.v) / r2));
                if (!(rate2 <= slow_rate2_)) return h_;
            }
        }
        return std::ldexp(h_, 1 + std::ilogb(std::sqrt(slow_rate2_ / rate2)));
    }

    // One step, to the next multiple of its length, to the end, or to what happens before.
    Advance step(double end, Watch& watch, model::State& state) {
        const double whole = length(), n = std::round(time_ / whole);
        const bool is_on_grid = n * whole == time_;
        double next = (is_on_grid ? n + 1 : std::floor(time_ / whole) + 1) * whole, h = is_on_grid ? whole : next - time_;
        if (!(next < end)) next = end, h = end - time_;
        const double safe = safe_step(
            world_, start_, h, [&](std::size_t i, std::size_t j) { return mode_[model::pair_index(i, j, world_.bodies.size())] == open; });
        if (safe < h) next = time_ + safe, h = safe;
        attempt(h);
        const Found found = earliest(h);
        if (has_failed_) return stalled(state, fmt::format("the contacts cannot be held over a step of {} s: lower step_max", h));
        time_ = found.pair < 0 ? next : time_ + found.h;
        start_ = trial_;
        at_once_ = h > 0 && (found.pair < 0 || found.h > 0) ? 0 : at_once_ + 1;
        ++state.clock.steps;
        Advance got;
        if (found.pair >= 0) got = found.is_closing ? touch(found.pair, found.h == 0, watch, state) : part(found.pair, watch, state);
        if (got.ended) return got;
        touching_.tally(start_, mode_, state.clock.phase_start + time_, state.tallies);
        if (auto trouble = watch.trouble(time_, state.clock.steps, start_)) return {.ended = std::move(trouble)};
        if (at_once_ > 1000) return stalled(state, "touches follow each other without time going on");
        return {};
    }

    // The first touch or parting in the step from start_ to trial_; leaves trial_ there.
    Found earliest(double h) {
        Found found{.h = h};
        const std::size_t n = world_.bodies.size();
        auto force = rattle_.forces(trial_);
        for (std::size_t k = 0; k < rattle_.held() && !has_failed_; ++k)
            if (force[k] < 0 && opens()) {
                if (const double at = opening(k, found.h); at < found.h || found.pair < 0)
                    found = {static_cast<std::ptrdiff_t>(rattle_.pair(k)), false, at};
                attempt(found.h);
                force = rattle_.forces(trial_);
            }
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = i + 1; j < n && !has_failed_; ++j) {
                const std::size_t pair = model::pair_index(i, j, n);
                if (mode_[pair] != open) continue;
                const double at = touching_.closing(start_, trial_, {i, j}, found.h, [this](double length) { attempt(length); });
                if (!(at <= found.h)) continue;
                found = {static_cast<std::ptrdiff_t>(pair), true, at};
                attempt(found.h);
            }
        return found;
    }

    // Whether a held pair parts since contacts cannot pull: a negative force among contacts that depend on each other is no proof.
    bool opens() {
        const auto solution = touching_.forces(rattle_.accelerations(trial_), trial_, mode_);
        return std::any_of(solution.a.begin(), solution.a.end(), [](double a) { return a > 0; });
    }

    // When the force of the held contact k is zero; it is negative at `upper`.
    double opening(std::size_t k, double upper) {
        const auto force = [&](double h) {
            attempt(h);
            return rattle_.forces(trial_)[k];
        };
        const double first = rattle_.forces(start_)[k], last = force(upper);
        if (!(first > 0)) return upper;  // held although it parts, by the lines below: at the end of the step it parts clearly
        return last < 0 ? numerics::bracketed_root(force, 0.0, upper, first, last) : upper;
    }

    // The impulses of a touch of `pair` (-1: of whatever touches), and which contacts hold from there on: this one in any case where the
    // step takes it back.
    Advance resolve(std::ptrdiff_t pair, bool is_taken_back, const model::State& state) {
        if (!touching_.collect(start_, mode_, pair))
            return stalled(state, "more than 16 contacts at once: `constraint` resolves so many; take the method penalty");
        touching_.bounce(rattle_.accelerations(start_), start_);
        touching_.decide(rattle_.accelerations(start_), start_, -1, mode_);
        if (is_taken_back) mode_[static_cast<std::size_t>(pair)] = model::Mode::touching;
        return {};
    }

    Advance touch(std::ptrdiff_t pair, bool is_taken_back, Watch& watch, model::State& state) {
        watch.look(time_, start_);
        Advance got = resolve(pair, is_taken_back, state);
        if (!got.ended) show(watch, state);
        return got;
    }

    Advance part(std::ptrdiff_t pair, Watch& watch, model::State& state) {
        touching_.collect_held(start_, mode_);
        touching_.decide(rattle_.accelerations(start_), start_, pair, mode_);
        show(watch, state);
        return {};
    }

    void show(Watch& watch, model::State& state) {
        for (const PairEvent& event : touching_.events()) watch.event(time_, start_, event, state.tallies);
        rattle_.hold(mode_);
    }

    const model::Model& model_;
    const model::Parameters& world_;
    bool is_fourth_order_ = false;
    const bool has_kicks_;
    const bool has_friction_;
    double h_ = 0;  // s
    bool has_fixed_step_ = false;
    const double slow_rate2_;  // 1/s^2; motion that is slower has longer steps than h_
    Stepper rattle_;
    Touching touching_;
    Motion start_, trial_, before_;
    std::vector<Vec3> linear_, angular_;  // workspace: accelerations
    PairModes mode_;
    double time_ = 0;  // s, in the phase
    int at_once_ = 0;
    bool has_failed_ = false;
};

}  // namespace

double constraint_step(const model::Parameters& world, const model::Phase& phase) {
    if (std::isfinite(phase.step_max)) return phase.step_max;
    const bool is_fourth = phase.integrator == model::Integrator::symplectic4;
    return touching_time(world) * (is_fourth ? 3.5 * std::pow(phase.tolerance, 0.25) : 2.0 * std::sqrt(phase.tolerance));
}

namespace {

std::string constraint_carries(const model::Census& census, const model::Phase& phase) {
    if (census.has_groups) return "constraint carries few bodies: more than 64 of one name need penalty with leapfrog or rk4";
    if (census.has_colliders) return "constraint needs bodies that touch as the spheres or ellipsoids that they are";
    if (census.has_ground || census.has_field || !census.has_mutual_gravity) return "constraint needs bodies in empty space";
    if (census.has_cables || census.has_engines) return "constraint carries neither cables nor engines: take penalty";
    if (census.has_joints || census.has_loads) return "constraint carries neither joints nor loads: take penalty, impulse or dvi";
    if (phase.integrator != model::Integrator::verlet && phase.integrator != model::Integrator::symplectic4)
        return "constraint steps by RATTLE: its integrators are verlet (order 2) and symplectic4";
    if (census.has_static_friction)
        return "constraint has one coefficient of friction, at rest and in motion: take penalty, or leave static_friction out";
    if (census.has_force_of_soft_contact) return "constraint is rigid contact, without forces that act over an overlap: take penalty";
    return {};
}

std::unique_ptr<Method> make_constraint(const model::Model& model, const model::Phase& phase) {
    if (model.parameters.bodies.has_only_spheres()) return std::make_unique<Constraint<Rattle>>(model, phase);
    return std::make_unique<Constraint<RigidRattle>>(model, phase);
}

}  // namespace

const MethodEntry constraint{
    "constraint",
    "Rigid contact: touching bodies are held at their distance by RATTLE, collisions are impulses, touches and partings are located.",
    model::Integrator::symplectic4,
    1e-9,
    constraint_carries,
    make_constraint};

}  // namespace asperity::dynamics
