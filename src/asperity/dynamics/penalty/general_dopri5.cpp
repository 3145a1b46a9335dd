// Soft contact by dopri5 for any world: ground, fields, frames that turn, bodies that touch each other.
//
// The right-hand side is that of soft_world.h, with contacts found at each stage. It is smooth but for two things: where a contact begins,
// its damper has a force at once, so the step ends there, located on the dense output and then by whole steps; where the pressure of a
// contact ends, and where it moves over an edge, forces are continuous and only the error estimate sees it.
//
// Location. A contact that is not there at the start of a step is looked for along it by conservative advancement: the gap falls no
// faster than the bound on the speed, taken from the polynomial of the dense output, so that
//   s += gap / (bound h),  at least 1/128, or what moves the body by a tenth of its radius                                       (1)
// passes over no touch but one that begins and ends within the latter, a graze of a hundredth of a radius. Of a body that touches the
// ground already, further contacts are looked for at eighths of the step; where it has none there, they are looked for from there on as for
// any other body. A body that touches something moves by no more than a quarter of its radius in a step, so that it does not leave and
// come back unseen. The step is then taken again up to the touch, until its gap lies in
//   -2 delta < gap < 0,   delta = 8 eps (|p| + R)                                                                               (2)
// where the contact counts as begun; k delta^2 is far below the energy of any approach that rounding can tell from rest. Only contacts of
// pairs that touch at the start of a step act in it: a stage in another one, at the end of a long step, would give its force to all of it.
//
// Separation. A force that is still there at zero overlap (laws/contact/soft_forces.h, ends_in_a_jump) goes on past it in the stages of the
// step, which then is smooth, and the step is cut where a contact is gone on the dense output. Without it error control would shorten steps
// until none of their stages is past the jump; slow bodies then stay an ulp before it.
//
// Of a driven body the place is that of its course, also inside the step, and its speed where another body is counts in the bounds; a step
// ends where the velocity of a course jumps.
//
// A body that touches nothing at the start of a step, and on which no torque acts, turns as a free top does, in closed form (free_top.h):
// its orientation and spin are no part of what is integrated.
//
// Errors count in radii of the body, and in the largest of its speed, that of its surface, and sqrt(a R), a acceleration of the field.
// Memory of contacts is integrated too, in radii; sliders clip it at the end of the step.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <optional>

#include "asperity/dynamics/free_top.h"
#include "asperity/dynamics/guard_watch.h"
#include "asperity/dynamics/penalty/penalty.h"
#include "asperity/dynamics/penalty/soft_pairs.h"
#include "asperity/dynamics/penalty/soft_run.h"
#include "asperity/dynamics/signal_watch.h"
#include "asperity/numerics/bracket.h"
#include "asperity/numerics/flat_dopri5.h"
#include "asperity/numerics/step_control.h"

namespace asperity::dynamics {
namespace {

constexpr std::size_t motion_width = sizeof(BodyMotion) / sizeof(double), heat_width = sizeof(BodyHeat) / sizeof(double);
static_assert(motion_width == 13 && heat_width == 5);

class PenaltyByGeneralDopri5 final : public Method {
public:
    PenaltyByGeneralDopri5(const model::Model& model, const model::Phase& phase)
        : model_(model),
          phase_(phase),
          world_(model.parameters),
          run_(model),
          detector_(model),
          dopri_(world_.bodies.size() * (motion_width + heat_width) + 1),
          scale_(dopri_.y0.size()),
          noise_(dopri_.y0.size()),
          tops_(world_.bodies.size()) {
        stage_ = run_.bodies();
        const gravity::SmallBody* body = model::small_body(world_.environment);
        may_turn_freely_ = !run_.soft().smooth().has_loads() && (body == nullptr || body->transports_spin);
        for (const model::BodyKind& body : world_.bodies.rows()) reach_.push_back(body.reach());
    }

    void set_phase(const model::Phase& phase) override { phase_ = phase; }

    Advance advance(model::State& state, const Stop& stop, model::Observer& observer) override {
        const double end = stop.time - state.clock.phase_start;
        run_.begin(state, observer);
        while (state.clock.time_in_phase < end) {
            if (auto outcome = run_.ending(state)) return {.ended = std::move(outcome)};
            const std::int64_t fired = step(state, end);
            if (const std::int64_t guard = run_.end_step(state, observer, fired); guard >= 0) return {.ended = {}, .guard = guard};
        }
        run_.finish(state, observer);
        return {};
    }

private:
    auto rhs() {
        return [this](const std::vector<double>& y, std::vector<double>& slope) { slope_at(y, slope); };
    }

    void unpack(const std::vector<double>& y, model::Bodies& bodies) const {
        const auto three = [&](std::size_t at) { return Vec3{y[at], y[at + 1], y[at + 2]}; };
        for (std::size_t i = 0; i < world_.bodies.size(); ++i) {
            const std::size_t at = i * motion_width;
            bodies.position[i] = three(at);
            bodies.velocity[i] = three(at + 3);
            bodies.spin[i] = three(at + 6);
            bodies.orientation[i] = {y[at + 9], y[at + 10], y[at + 11], y[at + 12]};
            if (tops_[i]) set_turned(i, y.back() - dopri_.y0.back(), bodies);
        }
        model::place_driven(world_.driven, world_.bodies.size(), std::min(phase_start_ + y.back(), last_of_step_), bodies);
    }

    void set_turned(std::size_t i, double t, model::Bodies& bodies) const {
        const FreeTop::Turned turned = tops_[i]->after(t, run_.soft().smooth().frame_rate());
        bodies.orientation[i] = turned.q_WB;
        bodies.spin[i] = turned.w;
    }

    // Of bodies that are no spheres and touch nothing.
    void find_tops(const model::Bodies& now) {
        if (!may_turn_freely_) return;
        std::vector<double>& slope = dopri_.first_slope();
        for (std::size_t i = 0; i < tops_.size(); ++i) {
            const auto row = static_cast<std::int32_t>(i);
            const bool touches =
                std::ranges::any_of(known_, [&](const auto& of) { return of.first.first == row || of.first.second == row; });
            if (touches || world_.bodies[i].is_sphere()) continue;
            tops_[i] = FreeTop(world_.bodies[i].inertia, now.orientation[i], now.spin[i] + run_.soft().smooth().frame_rate());
            std::fill_n(slope.begin() + static_cast<std::ptrdiff_t>(i * motion_width + 6), motion_width - 6, 0.0);
        }
    }

    // The flat vector: motion, heat, memory of contacts, time.
    std::size_t memory_at() const { return world_.bodies.size() * (motion_width + heat_width); }

    void unpack_memory(const std::vector<double>& y) {
        if (!stage_memory_.empty())
            std::memcpy(static_cast<void*>(stage_memory_.data()), y.data() + memory_at(), stage_memory_.size() * sizeof(Vec3));
    }

    void slope_at(const std::vector<double>& y, std::vector<double>& slope) {
        unpack(y, stage_);
        const std::size_t n = world_.bodies.size();
        unpack_memory(y);
        run_.soft().evaluate(phase_start_ + y.back(), stage_, is_begun_ ? &known_ : nullptr, stage_memory_.data());
        run_.soft().set_heat(stage_);
        const BodyRates& rates = run_.soft().rates();
        for (std::size_t i = 0; i < n; ++i) {
            const Vec3 half = 0.5 * stage_.spin[i];
            const BodyMotion motion{stage_.velocity[i], rates.acceleration[i], rates.turning[i],
                                    Quat{0, half.x, half.y, half.z} * stage_.orientation[i]};
            std::memcpy(slope.data() + i * motion_width, &motion, (tops_[i] ? 6 : motion_width) * sizeof(double));
            if (tops_[i]) std::fill_n(slope.begin() + static_cast<std::ptrdiff_t>(i * motion_width + 6), motion_width - 6, 0.0);
            std::memcpy(slope.data() + n * motion_width + i * heat_width, &rates.heat[i], sizeof(BodyHeat));
        }
        if (!run_.soft().memory_rates().empty())
            std::memcpy(slope.data() + memory_at(), run_.soft().memory_rates().data(), stage_memory_.size() * sizeof(Vec3));
        slope.back() = 1;
    }

    void begin(const model::State& state) {
        phase_start_ = state.clock.phase_start;
        jump_ = std::numeric_limits<double>::infinity();
        for (const model::Driven& driven : world_.driven) jump_ = std::min(jump_, model::next_jump(driven.motion, state.clock.time()));
        last_of_step_ = model::just_before(jump_);
        const std::size_t n = world_.bodies.size();
        const model::Bodies& now = run_.bodies();
        stage_memory_ = run_.soft().memory().values;
        for (auto* array : {&scale_, &noise_}) array->resize(memory_at() + stage_memory_.size() * 3 + 1);
        dopri_.resize(scale_.size());
        if (!stage_memory_.empty()) std::memcpy(dopri_.y0.data() + memory_at(), stage_memory_.data(), stage_memory_.size() * sizeof(Vec3));
        for (std::size_t i = 0; i < n; ++i) {
            const BodyMotion motion{now.position[i], now.velocity[i], now.spin[i], now.orientation[i]};
            std::memcpy(dopri_.y0.data() + i * motion_width, &motion, sizeof motion);
            std::memcpy(dopri_.y0.data() + n * motion_width + i * heat_width, &run_.heat()[i], sizeof(BodyHeat));
        }
        dopri_.y0.back() = state.clock.time_in_phase;
        is_begun_ = false;
        std::ranges::fill(tops_, std::nullopt);
        dopri_.start(rhs());
        is_begun_ = true;
        known_.clear();
        jumping_.clear();
        for (const contact::ContactPoint& c : run_.soft().contacts()) {
            ++known_[{c.a, c.b}];
            if (run_.soft().has_jumps() && laws::any_ends_in_a_jump(run_.soft().pair_law(c).forces)) jumping_[{c.a, c.b}] = 0;
        }
        for (auto& [pair, count] : jumping_) count = known_[pair];
        find_tops(now);
        set_scale(now, state.clock.time());
    }

    void set_scale(const model::Bodies& now, double time) {
        const std::size_t n = world_.bodies.size();
        std::fill(noise_.begin(), noise_.end(), 0.0);
        for (std::size_t i = 0; i < n; ++i) {
            const Vec3 a = gravity::acceleration(world_.environment.field, now.position[i], now.velocity[i], time);
            const double speed = std::max({norm(now.velocity[i]), reach_[i] * norm(now.spin[i]), std::sqrt(norm(a) * reach_[i])});
            const double length = 1 / reach_[i], per_speed = speed > 0 ? 1 / speed : 1 / reach_[i], rate = reach_[i] * per_speed;
            const std::array<double, motion_width> of_body{length, length, length, per_speed, per_speed, per_speed, rate,
                                                           rate,   rate,   1,      1,         1,         1};
            std::copy(of_body.begin(), of_body.end(), scale_.begin() + static_cast<std::ptrdiff_t>(i * motion_width));
            std::fill_n(scale_.begin() + static_cast<std::ptrdiff_t>(n * motion_width + i * heat_width), heat_width, per_speed * per_speed);
        }
        for (std::size_t v = 0; v < 3 * stage_memory_.size(); ++v) {
            const MemoryRow& row = run_.soft().memory().rows[v / (3 * ContactMemory::vectors)];
            scale_[memory_at() + v] = 1 / reach_[static_cast<std::size_t>(row.a)];
        }
        scale_.back() = 0;
        // what the rounding of positions makes of springs, m/s^2: shorter steps do not lessen it
        for (std::size_t k = 0; k < run_.soft().contacts().size(); ++k) {
            const contact::ContactPoint& c = run_.soft().contacts()[k];
            for (const std::int32_t row : {c.a, c.b}) {
                if (!world_.moves(row)) continue;
                const auto i = static_cast<std::size_t>(row);
                const double rounding = std::numeric_limits<double>::epsilon() * norm(now.position[i]);
                for (std::size_t v = 3; v < 6; ++v)
                    noise_[i * motion_width + v] += run_.soft().stiffness(k) * rounding / world_.bodies[i].mass;
            }
        }
    }

    double error_ratio() const {
        double largest = 0;
        for (std::size_t i = 0; i < scale_.size(); ++i) {
            const double error = std::fabs(dopri_.error[i]) * scale_[i];
            const double rounding = (error_rounding * std::fabs(dopri_.y0[i]) + dopri_.length() * noise_[i]) * scale_[i];
            const double counted = rounding > phase_.tolerance ? error * (phase_.tolerance / rounding) : error;
            if (!(counted <= largest)) largest = counted;  // what is not a number is the worst
        }
        return largest / phase_.tolerance;
    }

    // The guard that fires in the step, which ends there; -1: none does.
    std::int64_t step(model::State& state, double end) {
        const double time = state.clock.time_in_phase;
        const numerics::StepBounds bounds{phase_.error_ratio_min, phase_.error_ratio_max, phase_.step_min, phase_.step_max};
        begin(state);
        run_.clear_contact_force();
        run_.add_contact_force(0.5);
        double wanted = state.stepper.next_step > 0 ? state.stepper.next_step : first_step();
        wanted = std::min(wanted, longest_in_contact());
        const double until_jump = jump_ - state.clock.time();
        while (true) {
            const double h = std::min({wanted, end - time, phase_.step_max, until_jump});
            dopri_.trial(rhs(), h);
            const double ratio = error_ratio();
            const numerics::StepChoice choice = numerics::choose_step(std::isfinite(ratio) ? ratio : 1e10, h, 5, bounds);
            if (!choice.is_accepted && time + 0.1 * h > time) {
                wanted = choice.next;
                continue;
            }
            Touch touch = first_touch();
            double until = first_separation();  // part of the step
            if (until < touch.at) touch = {};
            if (touch.at < 1) until = 1;
            double taken = h;
            if (touch.at < 1) taken = located(touch, touch.at * h, h);
            if (touch.at < 1 && !(taken > 0)) {  // it touches at rest: no time passes before the contact acts
                ++known_[{touch.a, touch.b}];
                continue;
            }
            state.stepper.next_step = h < wanted && touch.at >= 1 ? std::max(wanted, choice.next) : choice.next;
            if (touch.at < 1) state.stepper.next_step = std::min(choice.next, first_step());
            GuardWatch guards(model_, state);
            const double fires = guards.along(time, taken, until, [&](double s) -> const model::Bodies& { return bodies_at(s); });
            const double cut = std::min(fires, until);
            SignalWatch(model_, state).along(time, taken, std::min(cut, 1.0), [&](double s) -> const model::Bodies& {
                return bodies_at(s);
            });
            if (cut < 1) {
                for (std::size_t i = 0; i < dopri_.y1.size(); ++i) dopri_.y1[i] = dopri_.value(i, cut);
                taken *= cut;
            }
            state.clock.time_in_phase = taken < end - time ? time + taken : end;
            ++state.clock.steps;
            const std::size_t n = world_.bodies.size();
            unpack(dopri_.y1, stage_);
            for (std::size_t i = 0; i < n; ++i) stage_.orientation[i] = unit(stage_.orientation[i]);
            for (std::size_t i = 0; i < n; ++i)
                std::memcpy(static_cast<void*>(&run_.heat()[i]), dopri_.y1.data() + n * motion_width + i * heat_width, sizeof(BodyHeat));
            run_.bodies() = stage_;
            run_.close_joints();
            stage_ = run_.bodies();
            unpack_memory(dopri_.y1);
            run_.soft().evaluate(state.clock.time(), stage_, nullptr, stage_memory_.data());  // with the contact that has begun
            run_.add_contact_force(0.5, &known_);
            if (run_.soft().has_memory()) run_.soft().settle(stage_, run_.heat());
            return fires < 1 ? guards.fired() : -1;
        }
    }

    // Part of the step up to which no contact with a force that ends in a jump is lost; 1: all of it.
    double first_separation() const {
        double first = 1;
        for (const auto& [pair, count] : jumping_) {
            const auto [a, b] = pair;
            const auto i = static_cast<std::size_t>(a);
            const auto has_lost = [&](double s) {
                const Pose other = b == model::ground ? Pose{} : at_part(static_cast<std::size_t>(b), s);
                return std::ssize(contacts_with(i, b, at_part(i, s), other, 0)) < count;
            };
            if (!has_lost(first)) continue;
            double low = 0;
            for (int k = 0; k < 60; ++k) {
                const double middle = 0.5 * (low + first);
                (has_lost(middle) ? first : low) = middle;
            }
        }
        return first;
    }

    // s, in which no body that touches something moves by more than a quarter of its radius.
    double longest_in_contact() const {
        double longest = std::numeric_limits<double>::infinity();
        for (const auto& [pair, count] : known_)
            for (const std::int32_t row : {pair.first, pair.second}) {
                if (!world_.moves(row)) continue;
                const auto i = static_cast<std::size_t>(row);
                Vec3 velocity = run_.bodies().velocity[i], spin = run_.bodies().spin[i];
                if (row == pair.first && is_driven(pair.second)) {
                    const auto j = static_cast<std::size_t>(pair.second);
                    spin -= run_.bodies().spin[j];
                    velocity -=
                        run_.bodies().velocity[j] + cross(run_.bodies().spin[j], run_.bodies().position[i] - run_.bodies().position[j]);
                }
                const double speed = norm(velocity) + reach_[i] * norm(spin);
                if (speed > 0) longest = std::min(longest, 0.25 * reach_[i] / speed);
            }
        return longest;
    }

    bool is_driven(std::int32_t row) const { return row != model::ground && !world_.moves(row); }

    // s: a hundredth of the shortest period of a contact, or of the time in which the field moves a body by its radius.
    double first_step() const {
        double shortest = std::numeric_limits<double>::infinity();
        const model::Bodies& now = run_.bodies();
        for (std::size_t i = 0; i < world_.bodies.size(); ++i) {
            const Vec3 a = gravity::acceleration(world_.environment.field, now.position[i], now.velocity[i], phase_start_);
            shortest = std::min(shortest, std::sqrt(reach_[i] / std::max(norm(a), std::numeric_limits<double>::min())));
        }
        for (const model::Cable& cable : world_.cables)
            for (const model::CableEnd& end : {cable.from, cable.to})
                if (end.body != model::ground)
                    shortest = std::min(shortest, std::sqrt(world_.bodies[static_cast<std::size_t>(end.body)].mass / cable.law.stiffness));
        for (const laws::PairLaw& law : world_.laws.laws) {
            for (const model::BodyKind& body : world_.bodies.kinds) {
                const double stiffness = law.normal_law == laws::NormalLaw::hooke ? law.stiffness : law.modulus * body.reach();
                if (stiffness > 0) shortest = std::min(shortest, std::sqrt(body.mass / stiffness));
            }
        }
        return std::min(0.01 * shortest, 1e15);
    }

    // A contact that begins in the step.
    struct Touch {
        std::int32_t a = 0;
        std::int32_t b = model::ground;
        double at = 2;  // part of the step; above 1: none
    };

    double time_at(double s) const { return std::min(phase_start_ + dopri_.y0.back() + s * dopri_.length(), last_of_step_); }

    Pose at_part(std::size_t i, double s) const {
        if (i >= world_.bodies.size()) return model::place_at(world_.driven[i - world_.bodies.size()].motion, time_at(s)).pose;
        const std::size_t at = i * motion_width;
        const auto value = [&](std::size_t k) { return dopri_.value(at + k, s); };
        const Vec3 p{value(0), value(1), value(2)};
        if (tops_[i]) return {p, tops_[i]->after(s * dopri_.length(), run_.soft().smooth().frame_rate()).q_WB};
        return {p, unit(Quat{value(9), value(10), value(11), value(12)})};
    }

    const model::Bodies& bodies_at(double s) {
        for (std::size_t i = 0; i < world_.bodies.size(); ++i) {
            const Pose pose = at_part(i, s);
            const auto three = [&](std::size_t k) {
                const std::size_t at = i * motion_width + k;
                return Vec3{dopri_.value(at, s), dopri_.value(at + 1, s), dopri_.value(at + 2, s)};
            };
            stage_.position[i] = pose.p;
            stage_.orientation[i] = pose.q;
            stage_.velocity[i] = three(3);
            stage_.spin[i] = three(6);
            if (tops_[i]) set_turned(i, s * dopri_.length(), stage_);
        }
        model::place_driven(world_.driven, world_.bodies.size(), time_at(s), stage_);
        return stage_;
    }

    // m, no point of the body moves farther in the step: speeds at its ends and middle, and half as much again.
    double travel(std::size_t i) const {
        const auto speed = [&](const std::vector<double>& y) {
            const std::size_t at = i * motion_width;
            const Vec3 v{y[at + 3], y[at + 4], y[at + 5]}, w{y[at + 6], y[at + 7], y[at + 8]};
            if (world_.bodies[i].is_sphere() && world_.bodies[i].colliders.empty()) return norm(v);
            const double turning = tops_[i] ? tops_[i]->fastest() + norm(run_.soft().smooth().frame_rate()) : norm(w);
            return norm(v) + reach_[i] * turning;
        };
        return 1.5 * std::max(speed(dopri_.y0), speed(dopri_.y1)) * dopri_.length();
    }

    // Likewise of the material points of a driven body near body i.
    double travel_near(std::size_t i, const model::Driven& driven) const {
        double speed = 0;
        for (const double s : {0.0, 0.5, 1.0}) {
            const model::GivenPlace place = model::place_at(driven.motion, time_at(s));
            speed = std::max(speed, norm(place.velocity) + norm(place.spin) * (norm(at_part(i, s).p - place.pose.p) + reach_[i]));
        }
        return 1.5 * speed * dopri_.length();
    }

    // The smallest gap between a body and the ground, or `limit`.
    double ground_gap(std::size_t i, const Pose& pose, double limit) const {
        if (!(detector_.height(pose.p, limit + reach_[i]) < limit + reach_[i])) return limit;
        probe_.clear();
        detector_.with_ground(i, pose, limit, probe_);
        double least = limit;
        for (const contact::ContactPoint& c : probe_) least = std::min(least, c.gap);
        return least;
    }

    double bodies_gap(std::size_t i, std::size_t j, const Pose& a, const Pose& b, double limit) const {
        if (j < reach_.size() && !(norm(a.p - b.p) - reach_[i] - reach_[j] < limit)) return limit;
        probe_.clear();
        detector_.of_pair(i, j, a, b, limit, probe_);
        double least = limit;
        for (const contact::ContactPoint& c : probe_) least = std::min(least, c.gap);
        return least;
    }

    Touch first_touch() const {
        Touch first;
        const std::size_t n = world_.bodies.size();
        const auto search = [&](std::int32_t a, std::int32_t b, double path, double size, const auto& gap) {
            const double at = advance_to_touch(path, size, 0, gap);
            if (at < first.at) first = {.a = a, .b = b, .at = at};
        };
        for (std::size_t i = 0; i < n; ++i) {
            const auto row = static_cast<std::int32_t>(i);
            const auto known = known_.find({row, model::ground});
            if (!world_.ground.empty() && known != known_.end()) {
                const double at = more_contacts(i, model::ground, known->second, travel(i));
                if (at < first.at) first = {.a = row, .b = model::ground, .at = at};
            } else if (!world_.ground.empty()) {
                search(row, model::ground, travel(i), reach_[i], [&](double s) { return ground_gap(i, at_part(i, s), 1.01 * travel(i)); });
            }
            for (std::size_t k = 0; k < world_.driven.size(); ++k) {
                const std::size_t j = n + k;
                const auto other = static_cast<std::int32_t>(j);
                const double path = travel(i) + travel_near(i, world_.driven[k]);
                const auto held = known_.find({row, other});
                if (held == known_.end()) {
                    search(row, other, path, reach_[i],
                           [&](double s) { return bodies_gap(i, j, at_part(i, s), at_part(j, s), 1.01 * path); });
                    continue;
                }
                const double at = more_contacts(i, other, held->second, path);
                if (at < first.at) first = {.a = row, .b = other, .at = at};
            }
            for (std::size_t j = i + 1; j < n; ++j) {
                if (known_.contains({row, static_cast<std::int32_t>(j)})) continue;
                search(row, static_cast<std::int32_t>(j), travel(i) + travel(j), std::min(reach_[i], reach_[j]),
                       [&](double s) { return bodies_gap(i, j, at_part(i, s), at_part(j, s), 1.01 * (travel(i) + travel(j))); });
            }
        }
        return first;
    }

    // (1). path: m, bound on what the gap may lose in the step. size: m, of the smaller body.
    template <class Gap>
    static double advance_to_touch(double path, double size, double from, const Gap& gap) {
        double s = from, value = gap(from);
        if (!(value < path)) return 2;
        const double least = std::min(1.0 / 128, 0.1 * size / path);
        while (s < 1) {
            const double next = std::min(1.0, s + std::max(value / path, least));
            const double after = gap(next);
            if (after < 0) return value > 0 ? numerics::bracketed_root(gap, s, next, value, after) : s;
            s = next;
            value = after;
        }
        return 2;
    }

    // The contacts of a body with the ground or a driven body, those with a gap below `margin`.
    const contact::ContactList& contacts_with(std::size_t i, std::int32_t other, const Pose& pose, const Pose& pose_of_other,
                                              double margin) const {
        probe_.clear();
        if (other == model::ground)
            detector_.with_ground(i, pose, margin, probe_);
        else
            detector_.of_pair(i, static_cast<std::size_t>(other), pose, pose_of_other, margin, probe_);
        return probe_;
    }

    // Where a body that touches the ground, or a driven body, with `count` contacts comes to have more, or touches it again after it has
    // left. path: m, as in (1).
    double more_contacts(std::size_t i, std::int32_t other, int count, double path) const {
        const auto pose_of_other = [&](double s) { return other == model::ground ? Pose{} : at_part(static_cast<std::size_t>(other), s); };
        const auto contacts = [&](double s) {
            return static_cast<int>(contacts_with(i, other, at_part(i, s), pose_of_other(s), 0).size());
        };
        for (int eighth = 1; eighth <= 8; ++eighth) {
            const double to = 0.125 * eighth;
            const int now = contacts(to);
            if (now > count) {
                double low = to - 0.125, high = to;
                for (int k = 0; k < 50; ++k) (contacts(0.5 * (low + high)) > count ? high : low) = 0.5 * (low + high);
                return high;
            }
            if (now > 0 || eighth == 8) continue;
            const double limit = 1.01 * path;
            return advance_to_touch(path, reach_[i], to, [&](double s) {
                return other == model::ground ? ground_gap(i, at_part(i, s), limit)
                                              : bodies_gap(i, static_cast<std::size_t>(other), at_part(i, s), pose_of_other(s), limit);
            });
        }
        return 2;
    }

    // The nearest contact of the two at the end of the last trial; none where they are far apart.
    std::optional<contact::ContactPoint> nearest_of(const Touch& touch) {
        unpack(dopri_.y1, stage_);
        const auto pose = [&](std::int32_t row) {
            const auto i = static_cast<std::size_t>(row);
            return Pose{stage_.position[i], unit(stage_.orientation[i])};
        };
        const auto a = static_cast<std::size_t>(touch.a);
        probe_.clear();
        if (touch.b == model::ground)
            detector_.with_ground(a, pose(touch.a), 0.1 * reach_[a], probe_);
        else
            detector_.of_pair(a, static_cast<std::size_t>(touch.b), pose(touch.a), pose(touch.b), 0.1 * reach_[a], probe_);
        if (probe_.empty()) return {};
        return *std::ranges::min_element(probe_, {}, &contact::ContactPoint::gap);
    }

    double delta_of(const Touch& touch) const {
        const auto a = static_cast<std::size_t>(touch.a);
        return 8 * std::numeric_limits<double>::epsilon() * (norm(stage_.position[a]) + reach_[a]);
    }

    // Takes the step again until it ends at the touch, (2). Returns its length.
    double located(const Touch& touch, double taken, double longest) {
        constexpr int most_rounds = 8;
        dopri_.trial(rhs(), taken);
        if (!world_.moves(touch.b) && known_.contains({touch.a, touch.b}) && has_contact(touch))
            return taken;  // a further contact of a body that is held already: steps are short there
        for (int round = 0; round < most_rounds; ++round) {
            const std::optional<contact::ContactPoint> nearest = nearest_of(touch);
            if (!nearest) return taken;
            const double delta = delta_of(touch), speed = dot(slip_of(*nearest, stage_), nearest->normal);
            if (nearest->gap < 0 && nearest->gap > -2 * delta) return taken;
            const double next = taken - (nearest->gap + delta) / speed;
            if (!(speed < 0) || !(next > 0 && next <= longest)) return taken;
            dopri_.trial(rhs(), taken = next);
        }
        return taken;
    }

    // Whether the body touches the ground, or the driven body, at the end of the last trial.
    bool has_contact(const Touch& touch) {
        unpack(dopri_.y1, stage_);
        const auto pose = [&](std::int32_t row) {
            const auto i = static_cast<std::size_t>(row);
            return Pose{stage_.position[i], unit(stage_.orientation[i])};
        };
        const Pose other = touch.b == model::ground ? Pose{} : pose(touch.b);
        return !contacts_with(static_cast<std::size_t>(touch.a), touch.b, pose(touch.a), other, 0).empty();
    }

    const model::Model& model_;
    model::Phase phase_;
    const model::Parameters& world_;
    SoftRun run_;
    contact::Detector detector_;
    numerics::FlatDopri5 dopri_;
    model::Bodies stage_;
    std::vector<Vec3> stage_memory_;
    double phase_start_ = 0;
    double jump_ = 0, last_of_step_ = 0;        // s, of the run: when the velocity of a driven body jumps next, and just before that
    std::vector<double> reach_;                 // m, of each body
    std::vector<double> scale_, noise_;         // of errors and rates, of the step
    SoftWorld::Pairs known_;                    // contacts at the start of the step, by pair: the others act from the next step on
    SoftWorld::Pairs jumping_;                  // those of known_ with a force that ends in a jump, and all their contacts
    bool is_begun_ = false;                     // known_ is that of this step
    bool may_turn_freely_ = false;              // no torque acts but that of contacts
    std::vector<std::optional<FreeTop>> tops_;  // of bodies that turn freely in the step
    mutable contact::ContactList probe_;
};

}  // namespace

std::unique_ptr<Method> make_penalty_by_general_dopri5(const model::Model& model, const model::Phase& phase) {
    return std::make_unique<PenaltyByGeneralDopri5>(model, phase);
}

}  // namespace asperity::dynamics
