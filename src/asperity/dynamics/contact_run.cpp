#include "asperity/dynamics/contact_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "asperity/dynamics/guard_watch.h"
#include "asperity/dynamics/signal_watch.h"
#include "asperity/dynamics/smooth_world.h"
#include "asperity/model/cable_pull.h"
#include "asperity/model/census.h"

namespace asperity::dynamics {
namespace {

constexpr std::int64_t steps_a_balance = 64;  // at the balance of energy

}  // namespace

Vec3 slip_of(const contact::ContactPoint& c, const model::Bodies& bodies) {
    const Vec3 u = velocity_at(bodies, static_cast<std::size_t>(c.a), c.point);
    return c.b == model::ground ? u : u - velocity_at(bodies, static_cast<std::size_t>(c.b), c.point);
}

ContactRun::ContactRun(const model::Model& model, Energies energies)
    : model_(model), world_(model.parameters), energies_(std::move(energies)) {
    const std::size_t n = world_.bodies.size();
    rests_on_driven_ =
        world_.ground.empty() && world_.driven.size() == 1 && std::holds_alternative<model::Turning>(world_.driven[0].motion);
    heat_.resize(world_.bodies.groups.size());
    if (!world_.bodies.has_groups() || model::has_signal(world_, model::SignalKind::contact_force)) contact_force_.resize(n);
    now_.position.resize(n);
    now_.orientation.resize(n);
    now_.velocity.resize(n);
    now_.spin.resize(n);
}

void ContactRun::add_heat(double h, const std::vector<BodyHeat>& rates) {
    const auto add = [](double part, const BodyHeat& rate, BodyHeat& heat) {
        heat.impact += part * rate.impact;
        heat.friction += part * rate.friction;
        heat.rolling += part * rate.rolling;
        heat.tide += part * rate.tide;
        heat.work += part * rate.work;
    };
    for (std::size_t g = 0; g < heat_.size(); ++g) {
        const model::Group& group = world_.bodies.groups[g];
        if (group.count == 1) {
            add(h, rates[group.first], heat_[g]);
            continue;
        }
        BodyHeat sum;  // of equal masses
        for (std::uint32_t k = 0; k < group.count; ++k) add(1, rates[group.first + k], sum);
        add(h / group.count, sum, heat_[g]);
    }
}

void ContactRun::load(const model::State& state, double next_sample) {
    now_ = state.bodies;
    model::place_driven(world_.driven, world_.bodies.size(), state.clock.time(), now_);
    for (std::size_t i = 0; i < heat_.size(); ++i)
        heat_[i] = {state.tallies.heat_impact[i], state.tallies.heat_friction[i], state.tallies.heat_rolling[i], state.tallies.heat_tide[i],
                    state.tallies.work[i]};
    touching_.clear();
    for (std::size_t k = 0; k < state.contacts.size(); ++k)
        if (state.contacts.mode[k] != model::Mode::left)
            touching_.emplace_back(state.contacts.a[k], state.contacts.b[k], state.contacts.feature[k]);
    next_sample_ = next_sample;
    last_time_ = state.clock.time();
    const bool is_told = std::ranges::any_of(world_.bodies.groups, [](const model::Group& group) { return group.count == 1; });
    ways_.assign(is_told && (!world_.ground.empty() || rests_on_driven_) ? heat_.size() : 0, {});
    note_touching();
    for (std::size_t g = 0; g < ways_.size(); ++g) ways_[g].last = now_.position[world_.bodies.groups[g].first];
}

void ContactRun::note_touching() {
    if (ways_.empty()) return;
    for (Way& way : ways_) way.touched = std::exchange(way.touches, false);
    for (const auto& [a, b, feature] : touching_)
        for (const std::int32_t row : {a, b})
            if (world_.moves(row)) ways_[world_.bodies.group[static_cast<std::size_t>(row)]].touches = true;
}

// The way of each centre over the ground since the last step, where the body touched before it and after it.
void ContactRun::add_way(model::State& state) {
    note_touching();
    const double h = state.clock.time() - std::exchange(last_time_, state.clock.time());
    for (std::size_t g = 0; g < ways_.size(); ++g) {
        const std::size_t row = world_.bodies.groups[g].first;
        const Vec3 last = std::exchange(ways_[g].last, now_.position[row]);
        if (world_.bodies.groups[g].count == 1 && ways_[g].touched && ways_[g].touches)
            state.tallies.rolled_distance[g] += norm(now_.position[row] - last - h * motion_of_ground(row).first);
    }
}

void ContactRun::set_contacts(const contact::ContactList& contacts) {
    keep(contacts);
    note_touching();
}

void ContactRun::keep(const contact::ContactList& contacts) {
    touching_.clear();
    for (const contact::ContactPoint& c : contacts) touching_.push_back(c.key());
}

void ContactRun::store(model::State& state) const {
    state.bodies = now_;
    const std::size_t n = world_.bodies.size();  // driven rows are no part of State
    state.bodies.position.resize(n);
    state.bodies.orientation.resize(n);
    state.bodies.velocity.resize(n);
    state.bodies.spin.resize(n);
    for (std::size_t i = 0; i < heat_.size(); ++i) {
        state.tallies.heat_impact[i] = heat_[i].impact;
        state.tallies.heat_friction[i] = heat_[i].friction;
        state.tallies.heat_rolling[i] = heat_[i].rolling;
        state.tallies.heat_tide[i] = heat_[i].tide;
        state.tallies.work[i] = heat_[i].work;
    }
    state.contacts.clear();
    for (const auto& [a, b, feature] : touching_) state.contacts.add(a, b, feature, model::Mode::touching);
}

ContactRun::StepEnd ContactRun::end_step(const contact::ContactList& contacts, model::State& state, model::Observer& observer,
                                         std::int64_t fired) {
    const double time = state.clock.time();
    if (state.clock.steps % steps_a_balance == 0) check_balance(state);
    state.forces.contact = contact_force_;
    note_most(state);
    SignalWatch(model_, state).look(state.clock.time_in_phase, now_);
    if (time >= next_sample_) sample(state, contacts, observer);
    GuardWatch guards(model_, state);
    if (fired < 0 && !guards.is_empty() && guards.look(state.clock.time_in_phase, now_)) fired = guards.fired();
    if (fired >= 0) check_balance(state);
    return {.guard = fired, .is_due = fired >= 0 || time >= observer.next_checkpoint()};
}

void ContactRun::note_most(model::State& state) const {
    model::Forces& forces = state.forces;
    const auto raise = [](const std::vector<Vec3>& now, std::vector<double>& most) {
        most.resize(now.size());
        for (std::size_t k = 0; k < now.size(); ++k) most[k] = std::fmax(most[k], norm(now[k]));
    };
    raise(forces.contact, forces.most_contact);
    raise(forces.joint, forces.most_joint);
    forces.most_tension.resize(world_.cables.size());
    for (std::size_t k = 0; k < world_.cables.size(); ++k)
        forces.most_tension[k] =
            std::fmax(forces.most_tension[k], model::cable_pull(world_.cables[k], state.cables, k, now_, state.clock.time()).tension);
}

std::pair<Vec3, Vec3> ContactRun::motion_of_ground(std::size_t i) const {
    if (!rests_on_driven_) return {};
    const std::size_t row = world_.bodies.size();
    return {now_.velocity[row] + cross(now_.spin[row], now_.position[i] - now_.position[row]), now_.spin[row]};
}

// New contacts are impacts, those that are gone separations; both at the end of the step in which they are seen.
void ContactRun::note_contacts(const contact::ContactList& contacts, const contact::Detector& detector, const SpeedsOf& speeds,
                               model::State& state, model::Observer& observer) {
    const double time = state.clock.time();
    for (const contact::ContactPoint& c : contacts) {
        for (const std::int32_t row : {c.a, c.b}) {
            if (!world_.moves(row)) continue;
            const std::size_t group = world_.bodies.group[static_cast<std::size_t>(row)];
            double& deepest = state.tallies.deepest_overlap[group];
            deepest = std::fmax(deepest, -c.gap);
            state.tallies.last_touch[group] = time;
        }
    }
    // A contact that moves to another feature of the same pair goes on: only the number of contacts of a pair is an event.
    std::size_t before = 0, after = 0;
    while (before < touching_.size() || after < contacts.size()) {
        const auto old_pair = [&] { return std::pair{std::get<0>(touching_[before]), std::get<1>(touching_[before])}; };
        const auto new_pair = [&] { return std::pair{contacts[after].a, contacts[after].b}; };
        const bool takes_old = after == contacts.size() || (before < touching_.size() && old_pair() <= new_pair());
        const auto now = takes_old ? old_pair() : new_pair();
        std::size_t old_count = 0, new_count = 0;
        const std::size_t first = after;
        while (before < touching_.size() && old_pair() == now) ++before, ++old_count;
        while (after < contacts.size() && new_pair() == now) ++after, ++new_count;
        if (new_count == old_count) continue;
        const bool is_impact = new_count > old_count;
        const std::size_t group = world_.bodies.group[static_cast<std::size_t>(now.first)];
        const std::size_t other = world_.moves(now.second) ? world_.bodies.group[static_cast<std::size_t>(now.second)] : group;
        if (is_impact) {
            state.tallies.impacts[group] += static_cast<std::int64_t>(new_count - old_count);
            if (other != group) state.tallies.impacts[other] += static_cast<std::int64_t>(new_count - old_count);
        }
        if (world_.bodies.groups[group].count > 1 || world_.bodies.groups[other].count > 1) continue;  // counted, and not told
        if (is_impact) {
            tell(model::EventKind::impact, contacts[after - 1], speeds(after - 1), state, observer);
            continue;
        }
        const contact::ContactPoint left = new_count > 0 ? contacts[first] : parted(now, detector);
        tell(model::EventKind::separation, left, {.out = std::fmax(0.0, dot(slip_of(left, now_), left.normal))}, state, observer);
    }
    keep(contacts);
    add_way(state);
}

// Where two that have just separated are nearest to each other.
contact::ContactPoint ContactRun::parted(std::pair<std::int32_t, std::int32_t> rows, const contact::Detector& detector) const {
    const auto a = static_cast<std::size_t>(rows.first), b = static_cast<std::size_t>(rows.second);
    const Pose here{now_.position[a], now_.orientation[a]};
    const double margin = world_.bodies[a].touching_reach();
    contact::ContactList near;
    if (rows.second == model::ground)
        detector.with_ground(a, here, margin, near);
    else
        detector.of_pair(a, b, here, {now_.position[b], now_.orientation[b]}, margin, near);
    const auto nearest = std::ranges::min_element(near, {}, &contact::ContactPoint::gap);
    return nearest != near.end() ? *nearest : contact::ContactPoint{.a = rows.first, .b = rows.second, .feature = model::no_feature};
}

void ContactRun::tell(model::EventKind kind, const contact::ContactPoint& c, const Speeds& speeds, const model::State& state,
                      model::Observer& observer) const {
    const auto a = static_cast<std::size_t>(c.a);
    observer.event({.kind = kind,
                    .time = state.clock.time(),
                    .a = c.a,
                    .b = c.b,
                    .feature = c.feature,
                    .position = now_.position[a],
                    .velocity = now_.velocity[a],
                    .spin = now_.spin[a],
                    .normal = c.normal,
                    .normal_speed_in = speeds.in,
                    .normal_speed_out = speeds.out,
                    .heat = speeds.heat,
                    .mode = kind == model::EventKind::impact ? model::Mode::touching : model::Mode::flight});
}

void ContactRun::fill_ledger(double time) {
    energies_(time, ledger_);
    for (std::size_t i = 0; i < heat_.size(); ++i) {
        const double m = world_.bodies.mass_of_group(i);
        ledger_[i].heat_impact = m * heat_[i].impact;
        ledger_[i].heat_friction = m * heat_[i].friction;
        ledger_[i].heat_rolling = m * heat_[i].rolling;
        ledger_[i].heat_tide = m * heat_[i].tide;
        ledger_[i].work = m * heat_[i].work;
    }
}

void ContactRun::check_balance(model::State& state) {
    fill_ledger(state.clock.time());
    double sum = 0;
    for (const model::Ledger& ledger : ledger_) sum += ledger.total();
    state.balance.error = std::fmax(state.balance.error, std::fabs(sum - state.balance.start));
}

void ContactRun::sample(const model::State& state, const contact::ContactList& contacts, model::Observer& observer) {
    const double time = state.clock.time();
    fill_ledger(time);
    analysis::named_signals(model_, {.time_in_phase = state.clock.time_in_phase, .bodies = now_, .state = state}, signals_);
    rows_.clear();
    const auto is_told = [&](std::int32_t row) {
        return world_.moves(row) && world_.bodies.groups[world_.bodies.group[static_cast<std::size_t>(row)]].count == 1;
    };
    if (observer.wants().contacts)
        for (const contact::ContactPoint& c : contacts) {
            if (!is_told(c.a) && !is_told(c.b)) continue;
            rows_.push_back({.a = c.a,
                             .b = c.b,
                             .feature = c.feature,
                             .mode = model::Mode::touching,
                             .slip_speed = norm(tangential(slip_of(c, now_), c.normal))});
        }
    const std::size_t n = world_.bodies.size();
    observer.sample({.time = time,
                     .position = std::span(now_.position).first(n),
                     .velocity = std::span(now_.velocity).first(n),
                     .spin = std::span(now_.spin).first(n),
                     .orientation = std::span(now_.orientation).first(n),
                     .ledger = ledger_,
                     .groups = world_.bodies.groups,
                     .signals = signals_,
                     .contacts = rows_});
    next_sample_ = observer.next_sample();
}

std::optional<model::Outcome> ContactRun::trouble(const model::Clock& clock) const {
    for (std::size_t i = 0; i < world_.bodies.size(); ++i)
        if (!is_finite(now_.position[i]) || !is_finite(now_.velocity[i]) || !is_finite(now_.spin[i]))
            return model::Outcome{.kind = model::OutcomeKind::non_finite,
                                  .time = clock.time(),
                                  .body = static_cast<std::int64_t>(i),
                                  .message = "position, velocity or spin of the body is no longer a finite number"};
    if (clock.steps < world_.step_budget) return std::nullopt;
    return model::Outcome{.kind = model::OutcomeKind::stalled,
                          .time = clock.time(),
                          .body = 0,
                          .message = fmt::format("used up the budget of {} steps; raise end.step_budget", clock.steps)};
}

}  // namespace asperity::dynamics
