#include "asperity/dynamics/rigid_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "asperity/contact/detector.h"
#include "asperity/dynamics/contact_run.h"
#include "asperity/dynamics/flight.h"
#include "asperity/dynamics/guard_watch.h"
#include "asperity/dynamics/overlaps.h"
#include "asperity/dynamics/several_impacts.h"
#include "asperity/dynamics/signal_watch.h"
#include "asperity/dynamics/torque_free.h"
#include "asperity/numerics/bracket.h"

namespace asperity::dynamics {
namespace {

constexpr double slow_part = 0.01;          // of the velocity that contacts take from a body in a step: slower counts as standing still
constexpr double slow_steps = 100;          // for so long
constexpr double lull_part = 3;             // of h a: a body that is no ball and no faster may stand still, if the static problem says so
constexpr double touching_falls = 2;        // steps of free fall, by which contacts may overlap that no impact has been located for
constexpr double given_part = 0.1;          // of the energy of a body: contacts that give more are no solution
constexpr int rounds_of_turning = 2;        // of solves that take up what impulses change of Coriolis' force
constexpr double least_part = 1e-3;         // of a step, between two located impacts
constexpr std::size_t impulse_numbers = 8;  // of a contact in State: two that store nothing, the impulse, its torque

class RigidSteps final : public Method {
public:
    RigidSteps(const model::Model& model, const model::Phase& phase, RigidSolver solver)
        : model_(model),
          phase_(phase),
          world_(model.parameters),
          smooth_(model),
          detector_(model),
          solver_(std::move(solver)),
          held_(model),
          overlaps_(model),
          joints_(model),
          run_(model, [this](double time, std::vector<model::Ledger>& out) { fill_energies(time, out); }),
          now_(run_.bodies()),
          flight_(model, smooth_, detector_),
          suits_flights_(Flight::suits(world_)),
          locates_(suits_flights_ && phase.flight_tolerance > 0 && !solver_.looks_ahead) {
        contact_heat_.resize(world_.bodies.size());
        smooth_.leave_out_dampers();
    }

    void set_phase(const model::Phase& phase) override {
        phase_ = phase;
        locates_ = may_fly() && !solver_.looks_ahead;
    }

    Advance advance(model::State& state, const Stop& stop, model::Observer& observer) override {
        const double end = stop.time - state.clock.phase_start;
        begin(state, observer);
        while (state.clock.time_in_phase < end) {
            if (auto outcome = ending(state)) return {.ended = std::move(outcome)};
            if (flies(state)) {
                if (const std::int64_t guard = fly(state, observer, end); guard >= 0) return {.ended = {}, .guard = guard};
                continue;
            }
            const double h = phase_.step_max, time = state.clock.time_in_phase;
            const double next = std::min((std::floor(time / h + 0.5) + 1) * h, end);  // multiples of the step, not sums of it
            const double whole = next - time, taken = step_to_touch(state.clock.phase_start + time, whole);
            state.clock.time_in_phase = taken < whole ? time + taken : next;
            ++state.clock.steps;
            if (taken < whole) strike_or_leave(state.clock.time(), taken);
            joints_.count_turns(now_, state.joints);
            if (!joints_.is_empty()) joints_.tell_forces(state.forces.joint, state.forces.joint_torque);
            state.stepper.residual = std::max(state.stepper.residual, solved_.residual);
            if (const std::int64_t guard = end_step(state, observer); guard >= 0) return {.ended = {}, .guard = guard};
        }
        run_.check_balance(state);
        store(state);
        return {};
    }

private:
    void begin(model::State& state, model::Observer& observer) {
        run_.load(state, observer.next_sample());
        smooth_.set_parts(state);
        solved_ = {};
        load_impulses(state.contacts);
        detector_.detect(now_.position, now_.orientation, contacts_);
        if (state.clock.steps == 0) {
            run_.set_contacts(contacts_);  // of the first instant: no impacts
            std::vector<model::Ledger> energies;
            fill_energies(state.clock.time(), energies);
            state.balance.start = 0;
            for (const model::Ledger& ledger : energies) state.balance.start += ledger.total();
        }
        if (run_.is_sample_due(state.clock.time())) {
            run_.sample(state, contacts_, observer);
        }
    }

    void load_impulses(const model::Contacts& contacts) {
        last_.clear();
        if (contacts.memory_width != static_cast<std::int64_t>(impulse_numbers)) return;
        for (std::size_t k = 0; k < contacts.size(); ++k) {
            const double* from = contacts.memory.data() + k * impulse_numbers + 2;
            last_.push_back({.a = contacts.a[k],
                             .b = contacts.b[k],
                             .feature = contacts.feature[k],
                             .linear = {from[0], from[1], from[2]},
                             .angular = {from[3], from[4], from[5]}});
        }
    }

    void store(model::State& state) const {
        run_.store(state);
        model::Contacts& contacts = state.contacts;
        contacts.memory_width = impulse_numbers;
        contacts.memory.assign(contacts.size() * impulse_numbers, 0);
        std::size_t row = 0;
        for (std::size_t k = 0; k < contacts.size(); ++k) {
            const std::tuple key{contacts.a[k], contacts.b[k], contacts.feature[k]};
            while (row < last_.size() && last_[row].key() < key) ++row;
            if (row == last_.size() || last_[row].key() != key) continue;
            double* to = contacts.memory.data() + k * impulse_numbers + 2;
            for (const Vec3& v : {last_[row].linear, last_[row].angular})
                for (const double x : {v.x, v.y, v.z}) *to++ = x;
        }
    }

    void place_driven(double time) { model::place_driven(world_.driven, world_.bodies.size(), time, now_); }

    void drift(double h) {
        for (std::size_t i = 0; i < world_.bodies.size(); ++i) {
            now_.position[i] += h * now_.velocity[i];
            if (world_.bodies[i].is_sphere()) {
                now_.orientation[i] = unit(rotation(h * now_.spin[i]) * now_.orientation[i]);
                continue;
            }
            turn_in_frame(world_.bodies[i], i, h);
        }
    }

    // Freely in inertial space, then seen from axes that have turned by h times their rate.
    void turn_in_frame(const model::BodyKind& kind, std::size_t i, double h) {
        const Vec3& rate = smooth_.frame_rate();
        const bool is_turning = rate != Vec3{};
        BodyMotion body{now_.position[i], now_.velocity[i], is_turning ? now_.spin[i] + rate : now_.spin[i], now_.orientation[i]};
        if (may_fly()) {  // in closed form, as in flight
            const FreeTop::Turned turned = FreeTop(kind.inertia, body.q_WB, body.w).after(h);
            body.w = turned.w;
            body.q_WB = turned.q_WB;
        } else {
            Vec3 rest;
            turn_freely(kind, body, rest, h);
        }
        if (is_turning) {
            const Quat back = rotation(-h * rate);
            body.w = rotate(back, body.w) - rate;
            body.q_WB = unit(back * body.q_WB);
        }
        now_.spin[i] = body.w;
        now_.orientation[i] = body.q_WB;
    }

    // Fastest that a point of a body moves, m/s, seen from what is driven too.
    double fastest(double h) const {
        double of_bodies = 0, of_driven = 0;
        const std::size_t n = world_.bodies.size();
        for (std::size_t i = 0; i < n; ++i)
            of_bodies = std::fmax(of_bodies, norm(now_.velocity[i]) + world_.bodies[i].touching_reach() * norm(now_.spin[i]) +
                                                 h * norm(smooth_.rates().acceleration[i]));
        for (std::size_t d = n; d < now_.position.size(); ++d)
            for (std::size_t i = 0; i < n; ++i)
                of_driven = std::fmax(of_driven, norm(now_.velocity[d]) + norm(now_.spin[d]) * norm(now_.position[i] - now_.position[d]));
        return of_bodies + std::fmax(of_bodies, of_driven);
    }

    // Overlaps, and ahead what can close within the step: at most the relative velocity with what forces add, and as much again by which
    // friction of dvi parts what slips.
    void find_contacts(double h) {
        if (!solver_.looks_ahead) {
            detector_.detect(now_.position, now_.orientation, contacts_);
            return;
        }
        detector_.detect(now_.position, now_.orientation, contacts_, 2 * h * fastest(h));
        const std::vector<Vec3>& a = smooth_.rates().acceleration;
        std::erase_if(contacts_, [&](const contact::ContactPoint& c) {
            double speed = norm(slip_of(c, now_));
            for (const std::int32_t row : {c.a, c.b})
                if (world_.moves(row)) speed += h * norm(a[static_cast<std::size_t>(row)]);
            return !(c.gap < 2 * h * speed);
        });
    }

    // m, how deep a contact that has begun within a step may be: where forces press, as far as they bring bodies together in two.
    double touching_depth() const {
        double fall = 0;
        for (std::size_t i = 0; i < world_.bodies.size(); ++i) fall = std::fmax(fall, fall_speed(i));
        return touching_falls * phase_.step_max * fall + flight_.slack(now_);
    }

    static double deepest(const contact::ContactList& contacts, double margin) {
        double least = margin;
        for (const contact::ContactPoint& c : contacts) least = std::fmin(least, c.gap);
        return -least;
    }

    // A step up to the first touch in it: where a contact comes to be deeper than touching_depth() at its end, or would be but for its
    // impulse, it is taken anew, so much shorter that none does. Returns its length.
    double step_to_touch(double time, double h) {
        if (!locates_) {
            step(time, h);
            return h;
        }
        keep_start();
        const auto depth_after = [&](double length, double margin) {
            step(time, length);
            detector_.detect(now_.position, now_.orientation, ends_, margin);
            double depth = deepest(ends_, margin);
            for (const HeldContact& held : held_.all()) depth = std::fmax(depth, 0.5 * length * -held.before.x - held.gap);
            return depth;
        };
        const double depth = depth_after(h, 0), allowed = touching_depth();
        if (!(depth > allowed)) return h;
        detector_.detect(start_.bodies.position, start_.bodies.orientation, ends_, 2 * depth);
        const double at_start = deepest(ends_, 2 * depth), wanted = 0.5 * (allowed + std::clamp(at_start, 0.0, allowed));
        if (!(at_start < wanted)) return h;  // bodies that overlap already
        const double least = std::fmin(h, least_part * phase_.step_max);
        const auto excess = [&](double length) {
            go_back_to_start();
            const double over = depth_after(length, 2 * depth) - wanted;
            return std::fabs(over) <= 0.25 * allowed ? 0 : over;
        };
        double taken = numerics::bracketed_root(excess, 0, h, at_start - wanted, depth - wanted);
        taken = std::fmax(taken, least);
        excess(taken);
        return taken;
    }

    void step(double time, double h) {
        std::fill(contact_heat_.begin(), contact_heat_.end(), BodyHeat{});
        if (!joints_.is_empty()) {
            smooth_.set_time(time);
            joints_.suit(smooth_, now_, contact_heat_);
        }
        drift(0.5 * h);
        place_driven(time + 0.5 * h);
        smooth_.set_time(time + 0.5 * h);
        smooth_.set_loads(now_);
        smooth_.set_rates(now_, [](std::size_t, Vec3&, Vec3&) {});
        find_contacts(h);
        held_.begin(contacts_, smooth_, now_, last_);
        if (!joints_.is_empty()) {
            joints_.begin(h, smooth_, now_);
            for (HeldContact& held : held_.all()) joints_.reduce(held);
        }
        mean_ = now_;
        kick(h);
        loaded_ = now_.velocity;
        solved_ = impacts_.solve(solver_, {h, phase_, smooth_, joints_}, held_, now_);
        const bool is_turning = smooth_.frame_rate() != Vec3{} && !held_.all().empty() && joints_.is_empty();
        if (is_turning && std::ranges::none_of(held_.all(), &HeldContact::bounces)) {
            turned_.assign(loaded_.size(), {});
            for (int round = 0; round < rounds_of_turning; ++round) {
                turn_with_impulses(h);
                solved_ = solver_.solve({h, phase_, smooth_, joints_}, held_, now_);
                held_.settle(now_);
            }
        }
        if (locates_ && gives_energy(h)) {
            forget_impulses();
            solved_ = solver_.solve({h, phase_, smooth_, joints_}, held_, now_);
            held_.settle(now_);
            if (gives_energy(h)) solved_.has_converged = false;
        }
        if (solver_.looks_ahead) held_.drop_idle(contacts_);
        held_.add_heat(now_, contact_heat_);
        if (!joints_.is_empty()) joints_.settle(now_, contact_heat_);
        held_.remember(contacts_, last_);
        for (std::size_t i = 0; i < world_.bodies.size(); ++i) {
            mean_.velocity[i] = 0.5 * (mean_.velocity[i] + now_.velocity[i]);
            mean_.spin[i] = 0.5 * (mean_.spin[i] + now_.spin[i]);
        }
        smooth_.add_heat(mean_);
        run_.add_heat(h, smooth_.rates().heat);
        taken_ = now_.velocity;
        for (std::size_t i = 0; i < world_.bodies.size(); ++i) taken_[i] -= loaded_[i];
        std::vector<Vec3>& force = run_.contact_force();
        for (std::size_t i = 0; i < force.size(); ++i)
            force[i] = (smooth_.mass_of(i) / h) * (joints_.is_empty() ? taken_[i] : taken_[i] - joints_.given()[i]);
        drift(0.5 * h);
        place_driven(time + h);
        overlaps_.separate(h, held_.all(), joints_, smooth_, now_, contact_heat_);
        if (!joints_.is_empty()) joints_.close(smooth_, now_, contact_heat_);
        run_.add_heat(1, contact_heat_);
    }

    bool may_fly() const { return suits_flights_ && phase_.flight_tolerance > 0; }

    // A flight goes on while State has a step for it; one begins where nothing touched in the last step, nor is about to.
    bool flies(model::State& state) {
        if (!may_fly()) return false;
        double& wanted = state.stepper.next_step;
        if (wanted == 0 && run_.touches_nothing() && flight_.is_clear(now_, state.clock.time(), phase_.step_max)) wanted = phase_.step_max;
        return wanted > 0;
    }

    // A step of a flight, and the impact at its end. The guard that fires; -1: none does.
    std::int64_t fly(model::State& state, model::Observer& observer, double end) {
        const double time = state.clock.time_in_phase;
        const Flight::Step flown = flight_.step(phase_, state.clock, state.stepper.next_step, end - time, now_, run_.heat());
        const auto bodies_at = [&](double s) -> const model::Bodies& { return flight_.bodies_at(s); };
        GuardWatch guards(model_, state);
        const double fires = flown.length > 0 ? guards.along(time, flown.length, 1, bodies_at) : 2, cut = std::min(fires, 1.0);
        if (flown.length > 0) SignalWatch(model_, state).along(time, flown.length, cut, bodies_at);
        contacts_.clear();
        sample_along(state, observer, time, cut * flown.length, flown.length);
        now_ = flight_.bodies_at(cut);
        flight_.heat_at(cut, run_.heat());
        state.clock.time_in_phase = flown.is_whole && cut == 1 ? end : time + cut * flown.length;
        ++state.clock.steps;
        state.stepper.next_step = flown.next;
        last_.clear();
        solved_ = {};
        std::ranges::fill(run_.contact_force(), Vec3{});
        if (flown.touches && fires > 1) touch_down(state, observer, flown.length);
        return end_step(state, observer, fires > 1 ? -1 : guards.fired());
    }

    // Samples are those of the dense output.
    void sample_along(model::State& state, model::Observer& observer, double time, double until, double length) {
        while (run_.next_sample() < state.clock.phase_start + time + until) {
            const double due = run_.next_sample(), s = std::fmax(0.0, (due - state.clock.phase_start - time) / length);
            now_ = flight_.bodies_at(s);
            flight_.heat_at(s, run_.heat());
            state.clock.time_in_phase = time + s * length;
            run_.sample(state, contacts_, observer);
            if (!(run_.next_sample() > due)) break;
        }
    }

    // The impact at the end of a flight, at its instant. Bodies that all part fly on.
    void touch_down(model::State& state, model::Observer& observer, double flown) {
        strike(state.clock.time(), flight_.slack(now_), flown);
        state.stepper.residual = std::max(state.stepper.residual, solved_.residual);
        if (!(flown > 0) || !held_.all_part(phase_.tolerance)) {
            state.stepper.next_step = 0;
            return;
        }
        note_contacts(state, observer);
        contacts_.clear();
    }

    // The impact at a touch in a step. One whose impulses do not converge is left to the next step, which solves for it with its forces.
    void strike_or_leave(double time, double taken) {
        keep_start();
        const Solved of_step = solved_;
        const contact::ContactList contacts = contacts_;
        const std::vector<Vec3> force = run_.contact_force();
        strike(time, touching_depth(), taken);
        if (solved_.has_converged) return;
        go_back_to_start();
        solved_ = of_step;
        contacts_ = contacts;
        run_.contact_force() = force;
    }

    void keep_start() {
        start_.bodies = now_;
        start_.last = last_;
        start_.heat = run_.heat();
    }
    void go_back_to_start() {
        now_ = start_.bodies;
        last_ = start_.last;
        run_.heat() = start_.heat;
    }

    // The impact of an instant: impulses without forces, of all contacts with a gap below the margin. `taken`: s, of the step that ends
    // there.
    void strike(double time, double margin, double taken) {
        smooth_.set_time(time);
        smooth_.set_loads(now_);
        smooth_.set_rates(now_, [](std::size_t, Vec3&, Vec3&) {});
        detector_.detect(now_.position, now_.orientation, contacts_, margin);
        for (contact::ContactPoint& c : contacts_) c.gap = std::fmin(c.gap, -std::numeric_limits<double>::min());
        held_.begin(contacts_, smooth_, now_, last_);
        held_.end_bounces(phase_.step_max, smooth_);
        loaded_ = now_.velocity;
        solved_ = impacts_.solve(solver_, {0, phase_, smooth_, joints_}, held_, now_);
        std::fill(contact_heat_.begin(), contact_heat_.end(), BodyHeat{});
        held_.add_heat(now_, contact_heat_);
        run_.add_heat(1, contact_heat_);
        taken_ = now_.velocity;
        for (std::size_t i = 0; i < world_.bodies.size(); ++i) taken_[i] -= loaded_[i];
        std::vector<Vec3>& force = run_.contact_force();
        if (taken > 0)
            for (std::size_t i = 0; i < force.size(); ++i) force[i] += (smooth_.mass_of(i) / taken) * taken_[i];
    }

    // Where a body is wedged, impulses can grow along a stress that moves nothing until what a solve leaves of them, relative to their
    // size, is as fast as the body. Whether contacts give more energy than the tolerance is of what bodies have, and forces give them in a
    // step.
    bool gives_energy(double h) const {
        double heat = 0, scale = 0;
        for (const HeldContact& held : held_.all()) {
            const HeldHeat of = heat_of(held);
            heat += of.impact + of.friction + of.rolling;
        }
        for (std::size_t i = 0; i < world_.bodies.size(); ++i) {
            const double speed = norm(mean_.velocity[i]) + world_.bodies[i].touching_reach() * norm(mean_.spin[i]) +
                                 h * norm(smooth_.rates().acceleration[i]);
            scale += smooth_.mass_of(i) * speed * speed;
        }
        return heat < -given_part * scale;
    }

    void forget_impulses() {
        for (HeldContact& held : held_.all()) {
            apply(held, -held.impulse, -held.torque, now_);
            held.impulse = held.torque = {};
        }
    }

    // x of x + s r x x = a, r the rate of the frame: so that Coriolis' force is that of the mean velocity.
    Vec3 of_mean(const Vec3& a, double s) const {
        const Vec3& r = smooth_.frame_rate();
        return (a - s * cross(r, a) + (s * s * dot(r, a)) * r) / (1 + s * s * squared_norm(r));
    }

    // The mean velocity of the step has half of what impulses change: without that Coriolis' force would do work. Impulses answer to it in
    // turn, by a part h |r| of themselves, so that each round leaves about that part of what the one before left.
    void turn_with_impulses(double h) {
        for (std::size_t i = 0; i < world_.bodies.size(); ++i) {
            const Vec3 given = now_.velocity[i] - loaded_[i], turned = of_mean(given, h) - given, more = turned - turned_[i];
            now_.velocity[i] += more;
            loaded_[i] += more;
            turned_[i] = turned;
        }
    }

    // Velocities after the forces of the step, (2). The free turning of a body that is no sphere is part of the drift, so that its
    // gyroscopic torque is no part of it.
    void kick(double h) {
        BodyRates& rates = smooth_.rates();
        const Vec3& r = smooth_.frame_rate();
        const bool is_turning = r != Vec3{};
        if (is_turning) rates.standing.resize(world_.bodies.size());
        for (std::size_t i = 0; i < world_.bodies.size(); ++i) {
            const model::BodyKind& body = world_.bodies[i];
            if (!body.is_sphere()) {
                const Vec3 spin = is_turning ? now_.spin[i] + r : now_.spin[i];
                const BodyMotion motion{now_.position[i], now_.velocity[i], spin, now_.orientation[i]};
                rates.turning[i] += inverse_inertia_times(body, motion.q_WB, cross(motion.w, spin_momentum(body, motion)));
                if (is_turning) rates.turning[i] -= spin_rate_of_frame(now_.spin[i]);
            }
            if (is_turning) {
                rates.standing[i] = rates.acceleration[i] + 2.0 * cross(r, now_.velocity[i]);
                rates.acceleration[i] = of_mean(rates.acceleration[i], h);
                if (body.is_sphere()) rates.turning[i] = of_mean(rates.turning[i], 0.5 * h);
            }
            now_.velocity[i] += h * rates.acceleration[i];
            now_.spin[i] += h * rates.turning[i];
        }
    }

    // By which axes that turn change the components of a spin that stays.
    Vec3 spin_rate_of_frame(const Vec3& spin) const {
        return std::visit([&](const auto& field) { return field.spin_rate(spin); }, world_.environment.field);
    }

    void note_contacts(model::State& state, model::Observer& observer) {
        run_.note_contacts(
            contacts_, detector_,
            [&](std::size_t k) {
                const HeldContacts::Met met = held_.met(k);
                return ContactRun::Speeds{.in = met.in, .out = met.out, .heat = met.heat};
            },
            state, observer);
    }

    std::int64_t end_step(model::State& state, model::Observer& observer, std::int64_t fired = -1) {
        note_contacts(state, observer);
        note_rest(state);
        const auto [guard, is_due] = run_.end_step(contacts_, state, observer, fired);
        if (!is_due) return guard;
        store(state);
        if (guard < 0) observer.checkpoint(state);
        return guard;
    }

    void note_rest(model::State& state) {
        double& since = state.stepper.slow_since;
        if (!stands_still() && !is_lull(since >= 0))
            since = -1;
        else if (since < 0)
            since = state.clock.time();
    }

    // Where flights are located, bodies that are no balls can go on rocking from corner to corner at some h a for ever: they may be at rest
    // where they are no faster than that, and short hops do not end it.
    bool is_lull(bool has_begun) {
        if (!may_fly() || (world_.ground.empty() && !run_.rests_on_driven()) || (contacts_.empty() && !has_begun)) return false;
        for (const contact::ContactPoint& c : contacts_)
            if (c.b != model::ground && !world_.moves(c.b) && !run_.rests_on_driven()) return false;
        for (std::size_t i = 0; i < world_.bodies.size(); ++i)
            if (!(speed_over_ground(i) < (is_ball(i) ? slow_part : lull_part) * fall_speed(i))) return false;
        return true;
    }

    bool is_ball(std::size_t i) const { return world_.bodies[i].is_sphere() && world_.bodies[i].colliders.empty(); }
    double speed_over_ground(std::size_t i) const {
        const auto [velocity, spin] = run_.motion_of_ground(i);
        return norm(now_.velocity[i] - velocity) + world_.bodies[i].touching_reach() * norm(now_.spin[i] - spin);
    }
    double fall_speed(std::size_t i) const { return phase_.step_max * norm(smooth_.rates().acceleration[i]); }

    // The static problem: whether forces within the cones of the contacts carry all bodies where they are: those that touch now, from
    // the last impulses, or all that bodies come to touch while they rock.
    bool is_equilibrium(double time) {
        double fall = 0;
        for (std::size_t i = 0; i < world_.bodies.size(); ++i) fall = std::fmax(fall, fall_speed(i));
        const double rocking = lull_part * lull_part * phase_.step_max * fall;
        return stays(time, touching_depth(), last_) || stays(time, rocking, {});
    }

    // Whether a step from standstill, with the contacts of gaps below the margin, leaves all bodies there.
    bool stays(double time, double margin, const std::vector<LastImpulse>& guess) {
        const model::Bodies moving = now_;
        const double h = phase_.step_max;
        for (std::size_t i = 0; i < world_.bodies.size(); ++i) std::tie(now_.velocity[i], now_.spin[i]) = run_.motion_of_ground(i);
        smooth_.set_time(time);
        smooth_.set_loads(now_);
        smooth_.set_rates(now_, [](std::size_t, Vec3&, Vec3&) {});
        contact::ContactList near;
        detector_.detect(now_.position, now_.orientation, near, margin);
        for (contact::ContactPoint& c : near) c.gap = std::fmin(c.gap, -std::numeric_limits<double>::min());
        held_.begin(near, smooth_, now_, guess);
        kick(h);
        held_.press(h, phase_.tolerance, smooth_, now_);
        bool is_still = solver_.solve({h, phase_, smooth_, joints_}, held_, now_).has_converged;
        for (std::size_t i = 0; i < world_.bodies.size(); ++i) is_still = is_still && speed_over_ground(i) < slow_part * fall_speed(i);
        now_ = moving;
        return is_still;
    }

    bool stands_still() {
        const bool hangs = joints_.holds_to_ground();
        if (!hangs && (contacts_.empty() || (world_.ground.empty() && !run_.rests_on_driven()))) return false;
        for (std::size_t k = 0; k < world_.loads.size(); ++k)
            if (!model::is_steady(world_.loads[k], smooth_.parts().loads, k)) return false;
        find_free_spins();
        for (const contact::ContactPoint& c : contacts_)
            if (c.b != model::ground && !world_.moves(c.b) && !run_.rests_on_driven()) return false;
        return std::ranges::all_of(world_.bodies.groups, [&](const model::Group& group) {
            double moves = 0, taken = 0;
            for (std::uint32_t i = group.first; i < group.first + group.count; ++i) {
                const auto [velocity, spin] = run_.motion_of_ground(i);
                const double rim = world_.bodies[i].touching_reach() * norm(tangential(now_.spin[i] - spin, spins_freely_about_[i]));
                moves += squared_norm(now_.velocity[i] - velocity) + rim * rim;
                taken += squared_norm(taken_[i]);
            }
            return moves < slow_part * slow_part * taken;
        });
    }

    // The axes of spins that nothing ends.
    void find_free_spins() {
        spins_freely_about_.assign(world_.bodies.size(), {});
        contacts_of_.assign(world_.bodies.size(), 0);
        for (const contact::ContactPoint& c : contacts_)
            for (const std::int32_t row : {c.a, c.b}) {
                if (!world_.moves(row)) continue;
                const auto i = static_cast<std::size_t>(row);
                const model::BodyKind& body = world_.bodies[i];
                const bool spins_freely =
                    ++contacts_of_[i] == 1 && body.is_sphere() && body.colliders.empty() && !(held_.law(c).spinning_resistance > 0);
                spins_freely_about_[i] = spins_freely ? c.normal : Vec3{};
            }
    }

    std::optional<model::Outcome> ending(model::State& state) {
        std::optional<model::Outcome> out = run_.trouble(state.clock);
        // A phase that follows a rest may start a motor: its own rest is none that was before it.
        const double slow = state.stepper.slow_since, since = slow < 0 ? slow : std::fmax(slow, state.clock.phase_start);
        const double time = state.clock.time();
        if (!out && !solved_.has_converged)
            out = model::Outcome{.kind = model::OutcomeKind::stalled,
                                 .time = time,
                                 .body = 0,
                                 .message = solver_.why_stalled(held_.all().size(), solved_.residual, phase_)};
        if (!out && since >= 0 && time - since >= slow_steps * phase_.step_max && may_fly() && !is_equilibrium(time))
            state.stepper.slow_since = time;
        else if (!out && since >= 0 && time - since >= slow_steps * phase_.step_max)
            out = model::Outcome{.kind = model::OutcomeKind::rest,
                                 .time = since,
                                 .body = 0,
                                 .message = "at rest: slower than a hundredth of what contacts take in a step ever since"};
        if (!out) return out;
        run_.check_balance(state);
        store(state);
        return out;
    }

    void fill_energies(double time, std::vector<model::Ledger>& out) {
        smooth_.energies(time, now_, out);
        smooth_.add_shared_energies(time, now_, out);
    }

    const model::Model& model_;
    model::Phase phase_;
    const model::Parameters& world_;
    SmoothWorld smooth_;
    contact::Detector detector_;
    contact::ContactList contacts_;  // of the middle of the last step
    RigidSolver solver_;
    SeveralImpacts impacts_;
    HeldContacts held_;
    Overlaps overlaps_;
    JointHold joints_;
    ContactRun run_;
    model::Bodies& now_;  // of run_
    Flight flight_;
    bool suits_flights_ = false;
    bool locates_ = false;  // touches, where contact lasts
    struct Start {
        model::Bodies bodies;
        std::vector<LastImpulse> last;
        std::vector<BodyHeat> heat;
    };
    Start start_;                // of a step
    contact::ContactList ends_;  // of the end of a step, or its start
    model::Bodies mean_;
    std::vector<Vec3> loaded_, taken_;  // m/s, after the forces of the step; what contacts have changed
    std::vector<Vec3> turned_;          // m/s, Coriolis' force of what contacts change, in a step
    std::vector<BodyHeat> contact_heat_;
    std::vector<LastImpulse> last_;
    Solved solved_;  // of the last step
    std::vector<Vec3> spins_freely_about_;
    std::vector<std::uint32_t> contacts_of_;
};

}  // namespace

std::string rigid_steps_refuse(const char* name, const model::Census& census, const model::Phase& phase) {
    if (census.has_named_rolling_law) return fmt::format("{} has the rolling law \"coupled\" alone: take event-driven", name);
    if (census.has_static_friction)
        return fmt::format("{} has one coefficient of friction, at rest and in motion: take penalty, or leave static_friction out", name);
    if (census.has_force_of_soft_contact)
        return fmt::format("{} is rigid contact, without forces that act over an overlap: take penalty", name);
    if (census.has_propellant && census.has_mutual_gravity)
        return fmt::format("{} carries engines that burn propellant where bodies do not attract each other", name);
    if (phase.integrator != model::Integrator::leapfrog) return fmt::format("{} steps by leapfrog alone", name);
    if (!std::isfinite(phase.step_max)) return fmt::format("{} has a fixed step: set step_max", name);
    if (!(phase.tolerance > 0)) return fmt::format("{} needs a tolerance above zero, of its impulses", name);
    return {};
}

std::unique_ptr<Method> rigid_steps(const model::Model& model, const model::Phase& phase, RigidSolver solver) {
    return std::make_unique<RigidSteps>(model, phase, std::move(solver));
}

}  // namespace asperity::dynamics
