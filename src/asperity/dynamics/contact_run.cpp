#include "asperity/dynamics/contact_run.h"

#include <fmt/format.h>

#include <cmath>

#include "asperity/dynamics/guard_watch.h"
#include "asperity/dynamics/signal_watch.h"
#include "asperity/dynamics/smooth_world.h"

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
}

void ContactRun::set_contacts(const contact::ContactList& contacts) {
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
    SignalWatch(model_, state).look(state.clock.time_in_phase, now_);
    if (time >= next_sample_) sample(state, contacts, observer);
    GuardWatch guards(model_, state);
    if (fired < 0 && !guards.is_empty() && guards.look(state.clock.time_in_phase, now_)) fired = guards.fired();
    if (fired >= 0) check_balance(state);
    return {.guard = fired, .is_due = fired >= 0 || time >= observer.next_checkpoint()};
}

std::pair<Vec3, Vec3> ContactRun::motion_of_ground(std::size_t i) const {
    if (!rests_on_driven_) return {};
    const std::size_t row = world_.bodies.size();
    return {now_.velocity[row] + cross(now_.spin[row], now_.position[i] - now_.position[row]), now_.spin[row]};
}

// New contacts are impacts, those that are gone separations; both at the end of the step in which they are seen.
void ContactRun::note_contacts(const contact::ContactList& contacts, const SpeedsOf& speeds, model::State& state,
                               model::Observer& observer) {
    const double time = state.clock.time();
    found_.clear();
    for (const contact::ContactPoint& c : contacts) {
        found_.push_back(c.key());
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
    while (before < touching_.size() || after < found_.size()) {
        const auto pair = [](const Key& key) { return std::pair{std::get<0>(key), std::get<1>(key)}; };
        const bool takes_old = after == found_.size() || (before < touching_.size() && pair(touching_[before]) <= pair(found_[after]));
        const auto now = takes_old ? pair(touching_[before]) : pair(found_[after]);
        std::size_t old_count = 0, new_count = 0;
        const std::size_t first = after;
        while (before < touching_.size() && pair(touching_[before]) == now) ++before, ++old_count;
        while (after < found_.size() && pair(found_[after]) == now) ++after, ++new_count;
        const auto told = [&](model::EventKind kind, std::size_t count, std::size_t k) {
            const contact::ContactPoint* c = k < contacts.size() ? &contacts[k] : nullptr;
            tell(kind, now, c, c != nullptr ? speeds(kind, k) : Speeds{}, count, state, observer);
        };
        if (new_count > old_count)
            told(model::EventKind::impact, new_count - old_count, after - 1);
        else if (new_count < old_count)
            told(model::EventKind::separation, old_count - new_count, new_count > 0 ? first : contacts.size());
    }
    touching_.swap(found_);
}

void ContactRun::tell(model::EventKind kind, std::pair<std::int32_t, std::int32_t> rows, const contact::ContactPoint* c,
                      const Speeds& speeds, std::size_t count, model::State& state, model::Observer& observer) const {
    const auto a = static_cast<std::size_t>(rows.first), b = static_cast<std::size_t>(rows.second);
    const model::BodyTable& bodies = world_.bodies;
    const std::size_t group = bodies.group[a], other = world_.moves(rows.second) ? bodies.group[b] : group;
    if (kind == model::EventKind::impact) {
        state.tallies.impacts[group] += static_cast<std::int64_t>(count);
        if (other != group) state.tallies.impacts[other] += static_cast<std::int64_t>(count);
    }
    if (bodies.groups[group].count > 1 || bodies.groups[other].count > 1) return;  // counted, and not told
    observer.event({.kind = kind,
                    .time = state.clock.time(),
                    .a = rows.first,
                    .b = rows.second,
                    .feature = c != nullptr ? c->feature : model::no_feature,
                    .position = now_.position[a],
                    .velocity = now_.velocity[a],
                    .spin = now_.spin[a],
                    .normal = c != nullptr ? c->normal : Vec3{},
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
    if (observer.wants().contacts)
        for (const contact::ContactPoint& c : contacts)
            rows_.push_back({.a = c.a,
                             .b = c.b,
                             .feature = c.feature,
                             .mode = model::Mode::touching,
                             .slip_speed = norm(tangential(slip_of(c, now_), c.normal))});
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
