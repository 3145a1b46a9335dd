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
// ground already, further contacts are looked for at quarters of the step. The step is then taken again up to the touch, until its gap lies
// in
//   -2 delta < gap < 0,   delta = 8 eps (|p| + R)                                                                               (2)
// where the contact counts as begun; k delta^2 is far below the energy of any approach that rounding can tell from rest.
//
// Errors count in radii of the body, and in the largest of its speed, that of its surface, and sqrt(a R), a acceleration of the field.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>

#include "asperity/dynamics/penalty/penalty.h"
#include "asperity/dynamics/penalty/soft_pairs.h"
#include "asperity/dynamics/penalty/soft_run.h"
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
        : phase_(phase),
          world_(model.parameters),
          run_(model),
          detector_(model),
          dopri_(world_.bodies.size() * (motion_width + heat_width) + 1),
          scale_(dopri_.y0.size()),
          noise_(dopri_.y0.size()) {
        stage_ = run_.bodies();
        for (const model::BodyKind& body : world_.bodies.rows()) reach_.push_back(body.reach());
    }

    Advance advance(model::State& state, const Stop& stop, model::Observer& observer) override {
        const double end = stop.time - state.clock.phase_start;
        run_.begin(state, observer);
        while (state.clock.time_in_phase < end) {
            if (auto outcome = run_.ending(state)) return {.ended = std::move(outcome)};
            step(state, end);
            run_.end_step(state, observer);
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
        }
    }

    void slope_at(const std::vector<double>& y, std::vector<double>& slope) {
        unpack(y, stage_);
        const std::size_t n = world_.bodies.size();
        run_.soft().evaluate(phase_start_ + y.back(), stage_);
        run_.soft().set_heat(stage_);
        const SoftRates& rates = run_.soft().rates();
        for (std::size_t i = 0; i < n; ++i) {
            const Vec3 half = 0.5 * stage_.spin[i];
            const BodyMotion motion{stage_.velocity[i], rates.acceleration[i], rates.turning[i],
                                    Quat{0, half.x, half.y, half.z} * stage_.orientation[i]};
            std::memcpy(slope.data() + i * motion_width, &motion, sizeof motion);
            std::memcpy(slope.data() + n * motion_width + i * heat_width, &rates.heat[i], sizeof(BodyHeat));
        }
        slope.back() = 1;
    }

    void begin(const model::State& state) {
        phase_start_ = state.clock.phase_start;
        const std::size_t n = world_.bodies.size();
        const model::Bodies& now = run_.bodies();
        for (std::size_t i = 0; i < n; ++i) {
            const BodyMotion motion{now.position[i], now.velocity[i], now.spin[i], now.orientation[i]};
            std::memcpy(dopri_.y0.data() + i * motion_width, &motion, sizeof motion);
            std::memcpy(dopri_.y0.data() + n * motion_width + i * heat_width, &run_.heat()[i], sizeof(BodyHeat));
        }
        dopri_.y0.back() = state.clock.time_in_phase;
        dopri_.start(rhs());
        known_.clear();
        for (const contact::ContactPoint& c : run_.soft().contacts()) ++known_[{c.a, c.b}];
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
        scale_.back() = 0;
        // what the rounding of positions makes of springs, m/s^2: shorter steps do not lessen it
        for (std::size_t k = 0; k < run_.soft().contacts().size(); ++k) {
            const contact::ContactPoint& c = run_.soft().contacts()[k];
            for (const std::int32_t row : {c.a, c.b}) {
                if (row == model::ground) continue;
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

    void step(model::State& state, double end) {
        const double time = state.clock.time_in_phase;
        const numerics::StepBounds bounds{phase_.error_ratio_min, phase_.error_ratio_max, phase_.step_min, phase_.step_max};
        begin(state);
        double wanted = state.stepper.next_step > 0 ? state.stepper.next_step : first_step();
        while (true) {
            const double h = std::min({wanted, end - time, phase_.step_max});
            dopri_.trial(rhs(), h);
            const double ratio = error_ratio();
            const numerics::StepChoice choice = numerics::choose_step(std::isfinite(ratio) ? ratio : 1e10, h, 5, bounds);
            if (!choice.is_accepted && time + 0.1 * h > time) {
                wanted = choice.next;
                continue;
            }
            const Touch touch = first_touch();
            double taken = h;
            if (touch.at < 1) taken = located(touch, touch.at * h, h);
            state.stepper.next_step = h < wanted && touch.at >= 1 ? std::max(wanted, choice.next) : choice.next;
            if (touch.at < 1) state.stepper.next_step = std::min(choice.next, first_step());
            state.clock.time_in_phase = taken < end - time ? time + taken : end;
            ++state.clock.steps;
            const std::size_t n = world_.bodies.size();
            unpack(dopri_.y1, stage_);
            for (std::size_t i = 0; i < n; ++i) stage_.orientation[i] = unit(stage_.orientation[i]);
            for (std::size_t i = 0; i < n; ++i)
                std::memcpy(static_cast<void*>(&run_.heat()[i]), dopri_.y1.data() + n * motion_width + i * heat_width, sizeof(BodyHeat));
            run_.bodies() = stage_;
            return;
        }
    }

    // s: a hundredth of the shortest period of a contact, or of the time in which the field moves a body by its radius.
    double first_step() const {
        double shortest = std::numeric_limits<double>::infinity();
        const model::Bodies& now = run_.bodies();
        for (std::size_t i = 0; i < world_.bodies.size(); ++i) {
            const Vec3 a = gravity::acceleration(world_.environment.field, now.position[i], now.velocity[i], phase_start_);
            shortest = std::min(shortest, std::sqrt(reach_[i] / std::max(norm(a), std::numeric_limits<double>::min())));
        }
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

    Pose at_part(std::size_t i, double s) const {
        const std::size_t at = i * motion_width;
        const auto value = [&](std::size_t k) { return dopri_.value(at + k, s); };
        return {{value(0), value(1), value(2)}, unit(Quat{value(9), value(10), value(11), value(12)})};
    }

    // m, no point of the body moves farther in the step: speeds at its ends and middle, and half as much again.
    double travel(std::size_t i) const {
        const auto speed = [&](const std::vector<double>& y) {
            const std::size_t at = i * motion_width;
            const Vec3 v{y[at + 3], y[at + 4], y[at + 5]}, w{y[at + 6], y[at + 7], y[at + 8]};
            return norm(v) + (world_.bodies[i].is_sphere() && world_.bodies[i].colliders.empty() ? 0 : reach_[i] * norm(w));
        };
        return 1.5 * std::max(speed(dopri_.y0), speed(dopri_.y1)) * dopri_.length();
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

    double bodies_gap(std::size_t i, std::size_t j, const Pose& a, const Pose& b) const {
        probe_.clear();
        const double bound = norm(a.p - b.p) - reach_[i] - reach_[j];
        if (bound > 0) return bound;
        detector_.of_pair(i, j, a, b, probe_);
        return probe_.empty() ? 1e-3 * (reach_[i] + reach_[j]) : probe_[0].gap;  // apart, but by how much only a contact says
    }

    Touch first_touch() const {
        Touch first;
        const std::size_t n = world_.bodies.size();
        const auto search = [&](std::int32_t a, std::int32_t b, double path, double size, const auto& gap) {
            const double at = advance_to_touch(path, size, gap);
            if (at < first.at) first = {.a = a, .b = b, .at = at};
        };
        for (std::size_t i = 0; i < n; ++i) {
            const auto row = static_cast<std::int32_t>(i);
            const auto known = known_.find({row, model::ground});
            if (!world_.ground.empty() && known != known_.end()) {
                const double at = more_contacts(i, known->second);
                if (at < first.at) first = {.a = row, .b = model::ground, .at = at};
            } else if (!world_.ground.empty()) {
                search(row, model::ground, travel(i), reach_[i], [&](double s) { return ground_gap(i, at_part(i, s), 1.01 * travel(i)); });
            }
            for (std::size_t j = i + 1; j < n; ++j) {
                if (known_.contains({row, static_cast<std::int32_t>(j)})) continue;
                search(row, static_cast<std::int32_t>(j), travel(i) + travel(j), std::min(reach_[i], reach_[j]),
                       [&](double s) { return bodies_gap(i, j, at_part(i, s), at_part(j, s)); });
            }
        }
        return first;
    }

    // (1). path: m, bound on what the gap may lose in the step. size: m, of the smaller body.
    template <class Gap>
    static double advance_to_touch(double path, double size, const Gap& gap) {
        double s = 0, value = gap(0.0);
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

    // Where a body that touches the ground comes to have more contacts with it than `count`.
    double more_contacts(std::size_t i, int count) const {
        const auto has_more = [&](double s) {
            probe_.clear();
            detector_.with_ground(i, at_part(i, s), 0, probe_);
            return static_cast<int>(probe_.size()) > count;
        };
        for (const double to : {0.25, 0.5, 0.75, 1.0}) {
            if (!has_more(to)) continue;
            double low = to - 0.25, high = to;
            for (int k = 0; k < 50; ++k) (has_more(0.5 * (low + high)) ? high : low) = 0.5 * (low + high);
            return high;
        }
        return 2;
    }

    // Takes the step again up to the touch, (2). Returns its length.
    double located(const Touch& touch, double taken, double longest) {
        constexpr int most_rounds = 8;
        const auto a = static_cast<std::size_t>(touch.a);
        dopri_.trial(rhs(), taken);
        if (touch.b == model::ground && known_.contains({touch.a, model::ground})) return taken;
        for (int round = 0; round < most_rounds; ++round) {
            unpack(dopri_.y1, stage_);
            const Pose pose{stage_.position[a], unit(stage_.orientation[a])};
            const double delta = 8 * std::numeric_limits<double>::epsilon() * (norm(pose.p) + reach_[a]);
            probe_.clear();
            if (touch.b == model::ground)
                detector_.with_ground(a, pose, 0.1 * reach_[a], probe_);
            else
                detector_.of_pair(
                    a, static_cast<std::size_t>(touch.b), pose,
                    {stage_.position[static_cast<std::size_t>(touch.b)], unit(stage_.orientation[static_cast<std::size_t>(touch.b)])},
                    probe_);
            if (probe_.empty()) {  // just short of a touch of two bodies
                const double more = std::max(taken * 4 * std::numeric_limits<double>::epsilon(),
                                             delta / std::max(relative_speed(touch), std::numeric_limits<double>::min()));
                if (!(taken + more <= longest)) return taken;
                dopri_.trial(rhs(), taken += more);
                continue;
            }
            const auto nearest = std::ranges::min_element(probe_, {}, &contact::ContactPoint::gap);
            if (nearest->gap < 0 && nearest->gap > -2 * delta) return taken;
            const double speed = dot(SoftWorld::slip(*nearest, stage_), nearest->normal);
            const double next = taken - (nearest->gap + delta) / speed;
            if (!(speed < 0) || !(next > 0 && next <= longest)) return taken;
            dopri_.trial(rhs(), taken = next);
        }
        return taken;
    }

    double relative_speed(const Touch& touch) const {
        const Vec3 v = stage_.velocity[static_cast<std::size_t>(touch.a)];
        return norm(touch.b == model::ground ? v : v - stage_.velocity[static_cast<std::size_t>(touch.b)]);
    }

    const model::Phase phase_;
    const model::Parameters& world_;
    SoftRun run_;
    contact::Detector detector_;
    numerics::FlatDopri5 dopri_;
    model::Bodies stage_;
    double phase_start_ = 0;
    std::vector<double> reach_;                                   // m, of each body
    std::vector<double> scale_, noise_;                           // of errors and rates, of the step
    std::map<std::pair<std::int32_t, std::int32_t>, int> known_;  // contacts at the start of the step, by pair
    mutable contact::ContactList probe_;
};

}  // namespace

std::unique_ptr<Method> make_penalty_by_general_dopri5(const model::Model& model, const model::Phase& phase) {
    return std::make_unique<PenaltyByGeneralDopri5>(model, phase);
}

}  // namespace asperity::dynamics
