#include "asperity/dynamics/penalty/soft_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "asperity/dynamics/guard_watch.h"
#include "asperity/dynamics/signal_watch.h"

namespace asperity::dynamics {
namespace {

constexpr std::int64_t steps_a_balance = 64;  // at the balance of energy
constexpr double slow_times = 10;             // how often V / a a body must be slow to be at rest
constexpr double creep = 5;                   // in V: the root mean square speed of a group of many that rests

}  // namespace

SoftRun::SoftRun(const model::Model& model) : model_(model), world_(model.parameters), soft_(model) {
    const std::size_t n = world_.bodies.size();
    rests_on_driven_ =
        world_.ground.empty() && world_.driven.size() == 1 && std::holds_alternative<model::Turning>(world_.driven[0].motion);
    heat_.resize(world_.bodies.groups.size());
    now_.position.resize(n);
    now_.orientation.resize(n);
    now_.velocity.resize(n);
    now_.spin.resize(n);
    for (const laws::PairLaw& law : world_.laws.laws) most_slip_speed_ = std::fmax(most_slip_speed_, law.slip_speed);
}

void SoftRun::add_heat(double h, const std::vector<BodyHeat>& rates) {
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

void SoftRun::begin(model::State& state, model::Observer& observer) {
    now_ = state.bodies;
    model::place_driven(world_.driven, world_.bodies.size(), state.clock.time(), now_);
    soft_.set_parts(state);
    for (std::size_t i = 0; i < heat_.size(); ++i)
        heat_[i] = {state.tallies.heat_impact[i], state.tallies.heat_friction[i], state.tallies.heat_rolling[i], state.tallies.heat_tide[i],
                    state.tallies.work[i]};
    touching_.clear();
    for (std::size_t k = 0; k < state.contacts.size(); ++k)
        if (state.contacts.mode[k] != model::Mode::left)
            touching_.emplace_back(state.contacts.a[k], state.contacts.b[k], state.contacts.feature[k]);
    if (soft_.has_memory()) soft_.memory().load(state.contacts);
    soft_.evaluate(state.clock.time(), now_);
    if (soft_.has_memory() && state.contacts.memory_width == 0) soft_.settle(now_, heat_);  // nothing is remembered yet
    if (state.stepper.slow_since >= 0) find_slip_speeds();                                  // ending() asks for them
    if (state.clock.time() == 0) {                                                          // contacts of the first instant are no impacts
        touching_.clear();
        for (const contact::ContactPoint& c : soft_.contacts()) touching_.push_back(c.key());
    }
    find_slip_speeds();
    next_sample_ = observer.next_sample();
    if (state.clock.time() >= next_sample_) sample(state, observer);
}

void SoftRun::store(model::State& state) const {
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
    if (soft_.has_memory()) soft_.memory().store(state.contacts);
}

std::int64_t SoftRun::end_step(model::State& state, model::Observer& observer, std::int64_t fired) {
    const double time = state.clock.time();
    note_contacts(state, observer);
    note_rest(state);
    if (state.clock.steps % steps_a_balance == 0) check_balance(state);
    SignalWatch(model_, state).look(state.clock.time_in_phase, now_);
    if (time >= next_sample_) sample(state, observer);
    GuardWatch guards(model_, state);
    if (fired < 0 && !guards.is_empty() && guards.look(state.clock.time_in_phase, now_)) fired = guards.fired();
    if (fired >= 0) {
        check_balance(state);
        store(state);
        return fired;
    }
    if (time < observer.next_checkpoint()) return -1;
    store(state);
    observer.checkpoint(state);
    return -1;
}

void SoftRun::finish(model::State& state, model::Observer&) {
    check_balance(state);
    store(state);
}

std::optional<model::Outcome> SoftRun::ending(model::State& state) {
    std::optional<model::Outcome> out = trouble(state.clock);
    const double since = state.stepper.slow_since;
    if (!out && since >= 0 && (!world_.ground.empty() || rests_on_driven_)) {
        double lasting = 0;
        for (std::size_t i = 0; i < world_.bodies.size(); ++i) {
            const double pull =
                norm(gravity::acceleration(world_.environment.field, now_.position[i], now_.velocity[i], state.clock.time()));
            lasting = std::fmax(lasting, pull > 0 ? slow_times * slip_speed_[i] / pull : std::numeric_limits<double>::infinity());
        }
        lasting = std::fmax(lasting, longest_period_);
        if (state.clock.time() - since >= lasting)
            out = model::Outcome{.kind = model::OutcomeKind::rest,
                                 .time = since,
                                 .body = 0,
                                 .message = "at rest: slower than the slip speed of the contacts ever since"};
    }
    if (!out) return out;
    check_balance(state);
    store(state);
    return out;
}

std::pair<Vec3, Vec3> SoftRun::motion_of_ground(std::size_t i) const {
    if (!rests_on_driven_) return {};
    const std::size_t row = world_.bodies.size();
    return {now_.velocity[row] + cross(now_.spin[row], now_.position[i] - now_.position[row]), now_.spin[row]};
}

// How slow each body must be, by what it touches: the least of its contacts; zero where it touches nothing. False where one touches a
// driven body that may throw it. Without spinning resistance nothing ever ends the spin of a ball about the normal of its only contact:
// it rests while it spins on the spot, as under rigid methods.
bool SoftRun::find_slip_speeds() {
    bool can_rest = true;
    slip_speed_.assign(world_.bodies.size(), 0);
    contacts_of_.assign(world_.bodies.size(), 0);
    spins_freely_about_.assign(world_.bodies.size(), {});
    longest_period_ = 0;
    for (std::size_t k = 0; k < soft_.contacts().size(); ++k) {
        const contact::ContactPoint& c = soft_.contacts()[k];
        if (c.b != model::ground && !world_.moves(c.b) && !rests_on_driven_) can_rest = false;
        const double slip = soft_.holding_speed(k, now_);
        longest_period_ = std::fmax(longest_period_, soft_.holding_period(k, now_));
        for (const std::int32_t row : {c.a, c.b}) {
            if (!world_.moves(row)) continue;
            const auto i = static_cast<std::size_t>(row);
            const model::BodyKind& body = world_.bodies[i];
            double& least = slip_speed_[i];
            const bool is_only = ++contacts_of_[i] == 1, is_ball = body.is_sphere() && body.colliders.empty();
            spins_freely_about_[i] = is_only && is_ball && !(soft_.pair_law(c).spinning_resistance > 0) ? c.normal : Vec3{};
            least = least > 0 ? std::fmin(least, slip) : slip;
        }
    }
    for (const model::Group& group : world_.bodies.groups) {  // those of many have one for all
        if (group.count == 1) continue;
        const auto begin = slip_speed_.begin() + group.first, end = begin + group.count;
        std::fill(begin, end, creep * std::accumulate(begin, end, 0.0) / group.count);
    }
    return can_rest;
}

// slow(row): the speed below which it counts as slow; of a group of many, that of its root mean square. rim(row): that of its surface.
template <class Slow, class Rim>
bool SoftRun::is_slow(const model::Group& group, const Slow& slow, const Rim& rim) const {
    const auto centre = [&](std::size_t i) { return norm(now_.velocity[i] - motion_of_ground(i).first); };
    if (group.count == 1) return std::fmax(centre(group.first), rim(group.first)) < slow(group.first);
    double sum = 0;
    for (std::uint32_t i = group.first; i < group.first + group.count; ++i) {
        const double of_centre = centre(i), of_rim = rim(i);
        sum += of_centre * of_centre + of_rim * of_rim;
    }
    return sum < group.count * slow(group.first) * slow(group.first);
}

void SoftRun::note_rest(model::State& state) {
    const auto are_slow = [&](const auto& slow, const auto& rim) {
        return std::ranges::all_of(world_.bodies.groups, [&](const model::Group& group) { return is_slow(group, slow, rim); });
    };
    double& since = state.stepper.slow_since;
    // Whatever they touch, and however they spin: most steps of many bodies end here.
    const auto most = [&](std::size_t i) {
        return world_.bodies.groups[world_.bodies.group[i]].count > 1 ? creep * most_slip_speed_ : most_slip_speed_;
    };
    const auto rim = [&](std::size_t i) {
        return world_.bodies[i].reach() * norm(tangential(now_.spin[i] - motion_of_ground(i).second, spins_freely_about_[i]));
    };
    bool is_all_slow = soft_.has_memory() || are_slow(most, [](std::size_t) { return 0.0; });
    is_all_slow = is_all_slow && find_slip_speeds() && are_slow([&](std::size_t i) { return slip_speed_[i]; }, rim);
    since = !is_all_slow ? -1 : since < 0 ? state.clock.time() : since;
}

// New contacts are impacts, those that are gone separations; both at the end of the step in which they are seen.
void SoftRun::note_contacts(model::State& state, model::Observer& observer) {
    const double time = state.clock.time();
    found_.clear();
    for (const contact::ContactPoint& c : soft_.contacts()) {
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
        if (new_count > old_count)
            tell(model::EventKind::impact, now, &soft_.contacts()[after - 1], new_count - old_count, state, observer);
        else if (new_count < old_count)
            tell(model::EventKind::separation, now, new_count > 0 ? &soft_.contacts()[first] : nullptr, old_count - new_count, state,
                 observer);
    }
    touching_.swap(found_);
}

void SoftRun::tell(model::EventKind kind, std::pair<std::int32_t, std::int32_t> rows, const contact::ContactPoint* c, std::size_t count,
                   model::State& state, model::Observer& observer) const {
    const auto a = static_cast<std::size_t>(rows.first), b = static_cast<std::size_t>(rows.second);
    const model::BodyTable& bodies = world_.bodies;
    const std::size_t group = bodies.group[a], other = world_.moves(rows.second) ? bodies.group[b] : group;
    if (kind == model::EventKind::impact) {
        state.tallies.impacts[group] += static_cast<std::int64_t>(count);
        if (other != group) state.tallies.impacts[other] += static_cast<std::int64_t>(count);
    }
    if (bodies.groups[group].count > 1 || bodies.groups[other].count > 1) return;  // counted, and not told
    const double speed = c != nullptr ? dot(SoftWorld::slip(*c, now_), c->normal) : 0;
    observer.event({.kind = kind,
                    .time = state.clock.time(),
                    .a = rows.first,
                    .b = rows.second,
                    .feature = c != nullptr ? c->feature : model::no_feature,
                    .position = now_.position[a],
                    .velocity = now_.velocity[a],
                    .spin = now_.spin[a],
                    .normal = c != nullptr ? c->normal : Vec3{},
                    .normal_speed_in = kind == model::EventKind::impact ? std::fmax(0.0, -speed) : 0,
                    .normal_speed_out = kind == model::EventKind::impact ? 0 : std::fmax(0.0, speed),
                    .heat = 0,
                    .mode = kind == model::EventKind::impact ? model::Mode::touching : model::Mode::flight});
}

void SoftRun::fill_ledger(double time) {
    soft_.energies(time, now_, ledger_);
    for (const MemoryRow& row : soft_.memory().rows)
        for (const std::int32_t body : {row.a, row.b})
            if (world_.moves(body))
                ledger_[world_.bodies.group[static_cast<std::size_t>(body)]].potential +=
                    (world_.moves(row.b) ? 0.5 : 1.0) * (row.stored.sliding + row.stored.rolling);
    for (std::size_t i = 0; i < heat_.size(); ++i) {
        const double m = world_.bodies.mass_of_group(i);
        ledger_[i].heat_impact = m * heat_[i].impact;
        ledger_[i].heat_friction = m * heat_[i].friction;
        ledger_[i].heat_rolling = m * heat_[i].rolling;
        ledger_[i].heat_tide = m * heat_[i].tide;
        ledger_[i].work = m * heat_[i].work;
    }
}

void SoftRun::check_balance(model::State& state) {
    fill_ledger(state.clock.time());
    double sum = 0;
    for (const model::Ledger& ledger : ledger_) sum += ledger.total();
    state.balance.error = std::fmax(state.balance.error, std::fabs(sum - state.balance.start));
}

void SoftRun::sample(const model::State& state, model::Observer& observer) {
    const double time = state.clock.time();
    fill_ledger(time);
    analysis::named_signals(model_, {.time_in_phase = state.clock.time_in_phase, .bodies = now_, .state = state}, signals_);
    rows_.clear();
    if (observer.wants().contacts)
        for (const contact::ContactPoint& c : soft_.contacts())
            rows_.push_back({.a = c.a,
                             .b = c.b,
                             .feature = c.feature,
                             .mode = model::Mode::touching,
                             .slip_speed = norm(tangential(SoftWorld::slip(c, now_), c.normal))});
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

std::optional<model::Outcome> SoftRun::trouble(const model::Clock& clock) const {
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
