#include "asperity/dynamics/penalty/soft_run.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace asperity::dynamics {
namespace {

constexpr double slow_times = 10;                                     // how often V / a a body must be slow to be at rest
constexpr double creep = 5;                                           // in V: the root mean square speed of a group of many that rests
constexpr double not_yet = std::numeric_limits<double>::quiet_NaN();  // an impact lasts

}  // namespace

SoftRun::SoftRun(const model::Model& model)
    : world_(model.parameters),
      soft_(model),
      run_(model, [this](double time, std::vector<model::Ledger>& out) { fill_energies(time, out); }),
      now_(run_.bodies()) {
    for (const laws::PairLaw& law : world_.laws.laws) most_slip_speed_ = std::fmax(most_slip_speed_, law.slip_speed);
}

void SoftRun::begin(model::State& state, model::Observer& observer) {
    run_.load(state, observer.next_sample());
    soft_.set_parts(state);
    if (soft_.has_joints() && state.clock.steps == 0) {
        soft_.evaluate(state.clock.time(), now_);
        close_joints();
    }
    if (soft_.has_memory()) soft_.memory().load(state.contacts);
    soft_.evaluate(state.clock.time(), now_);
    if (soft_.has_memory() && state.contacts.memory_width == 0) soft_.settle(now_, run_.heat());  // nothing is remembered yet
    if (state.stepper.slow_since >= 0) find_slip_speeds();                                        // ending() asks for them
    if (state.clock.time() == 0) run_.set_contacts(soft_.contacts());                             // of the first instant: no impacts
    find_slip_speeds();
    if (run_.is_sample_due(state.clock.time())) run_.sample(state, soft_.contacts(), observer);
}

// What the run holds of many contacts gives place to the State, which then has what they remember.
void SoftRun::store(model::State& state) {
    soft_.drop_workspace();
    run_.store(state);
    if (!soft_.has_memory()) return;
    soft_.memory().store(state.contacts);
    soft_.memory() = {};
}

std::int64_t SoftRun::end_step(model::State& state, model::Observer& observer, std::int64_t fired) {
    run_.note_contacts(
        soft_.contacts(), soft_.detector(),
        [&](std::size_t k) {
            const double speed = dot(slip_of(soft_.contacts()[k], now_), soft_.contacts()[k].normal);
            return ContactRun::Speeds{.in = std::fmax(0.0, -speed), .out = not_yet, .heat = not_yet};
        },
        state, observer);
    note_rest(state);
    if (soft_.has_joints()) {
        soft_.count_turns(now_, state.joints);
        state.forces.joint = joint_force_;
        state.forces.joint_torque = joint_torque_;
    }
    const auto [guard, is_due] = run_.end_step(soft_.contacts(), state, observer, fired);
    if (!is_due) return guard;
    store(state);
    if (guard >= 0) return guard;
    observer.checkpoint(state);
    if (soft_.has_memory()) soft_.memory().load(state.contacts);
    state.contacts = {};  // written anew when the State is next asked for
    return guard;
}

void SoftRun::fill_energies(double time, std::vector<model::Ledger>& out) {
    soft_.energies(time, now_, out);
    for (const MemoryRow& row : soft_.memory().rows)
        for (const std::int32_t body : {row.a, row.b})
            if (world_.moves(body))
                out[world_.bodies.group[static_cast<std::size_t>(body)]].potential +=
                    (world_.moves(row.b) ? 0.5 : 1.0) * (row.stored.sliding + row.stored.rolling);
}

void SoftRun::finish(model::State& state, model::Observer&) {
    run_.check_balance(state);
    store(state);
}

std::optional<model::Outcome> SoftRun::ending(model::State& state) {
    std::optional<model::Outcome> out = run_.trouble(state.clock);
    const double since = state.stepper.slow_since;
    if (!out && since >= 0 && (!world_.ground.empty() || run_.rests_on_driven())) {
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
    run_.check_balance(state);
    store(state);
    return out;
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
        if (c.b != model::ground && !world_.moves(c.b) && !run_.rests_on_driven()) can_rest = false;
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
    const auto centre = [&](std::size_t i) { return norm(now_.velocity[i] - run_.motion_of_ground(i).first); };
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
        return world_.bodies[i].reach() * norm(tangential(now_.spin[i] - run_.motion_of_ground(i).second, spins_freely_about_[i]));
    };
    bool is_all_slow = soft_.has_memory() || are_slow(most, [](std::size_t) { return 0.0; });
    is_all_slow = is_all_slow && find_slip_speeds() && are_slow([&](std::size_t i) { return slip_speed_[i]; }, rim);
    since = !is_all_slow ? -1 : since < 0 ? state.clock.time() : since;
}

}  // namespace asperity::dynamics
