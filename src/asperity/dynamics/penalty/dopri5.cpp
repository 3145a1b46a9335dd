#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "asperity/dynamics/penalty/penalty.h"
#include "asperity/dynamics/penalty/soft_pairs.h"
#include "asperity/dynamics/watch.h"
#include "asperity/numerics/bracket.h"
#include "asperity/numerics/flat_dopri5.h"
#include "asperity/numerics/step_control.h"

namespace asperity::dynamics {
namespace {

constexpr model::Mode parting = model::Mode::parting;

// The flat vector is all BodyMotion, then all BodyHeat.
constexpr std::size_t of_motion = sizeof(BodyMotion) / sizeof(double), of_heat = sizeof(BodyHeat) / sizeof(double);
static_assert(of_motion == 13 && of_heat == 5);

void unpack(const std::vector<double>& y, Motion& motion) {
    const std::size_t n = motion.bodies.size();
    std::memcpy(static_cast<void*>(motion.bodies.data()), y.data(), n * sizeof(BodyMotion));
    std::memcpy(static_cast<void*>(motion.heat.data()), y.data() + n * of_motion, n * sizeof(BodyHeat));
}

void pack(const Motion& motion, std::vector<double>& y) {
    const std::size_t n = motion.bodies.size();
    std::memcpy(y.data(), motion.bodies.data(), n * sizeof(BodyMotion));
    std::memcpy(y.data() + n * of_motion, motion.heat.data(), n * sizeof(BodyHeat));
}

// The rotation that comes nearest to the motion of all: (sum m r x u) / (sum m r^2), about the centre of mass.
Vec3 common_rotation(const model::Parameters& world, const Motion& motion) {
    double mass = 0, inertia = 0;
    Vec3 centre, velocity, momentum;
    for (std::size_t i = 0; i < world.bodies.size(); ++i) {
        mass += world.bodies[i].mass;
        centre += world.bodies[i].mass * motion.bodies[i].p;
        velocity += world.bodies[i].mass * motion.bodies[i].v;
    }
    centre = centre / mass;
    velocity = velocity / mass;
    for (std::size_t i = 0; i < world.bodies.size(); ++i) {
        const Vec3 r = motion.bodies[i].p - centre;
        momentum += world.bodies[i].mass * cross(r, motion.bodies[i].v - velocity);
        inertia += world.bodies[i].mass * squared_norm(r);
    }
    return momentum / inertia;
}

// Where a step must end: a pair, and its mode afterwards.
struct Switch {
    std::size_t pair = 0;
    model::Mode mode = open;
    double at = 2;  // part of the step; above 1: none
};

// Steps are taken in axes that turn with the common rotation W of the step's start: all vectors are those of the world, but their
// components count along these axes, so that each has a rate -W x besides its own. Bodies that turn as one in contact stand still there;
// in the world their stiff springs would hold steps to a tenth, for the sake of the chord that the first stages take.
class PenaltyByDopri5 final : public Method {
public:
    PenaltyByDopri5(const model::Model& model, const model::Phase& phase)
        : model_(model),
          phase_(phase),
          world_(model.parameters),
          units_(canonical_units(world_)),
          pairs_(pairs_of(world_)),
          loads_(world_.bodies.size()),
          dopri_(world_.bodies.size() * (of_motion + of_heat)) {
        const std::size_t n = world_.bodies.size();
        for (Motion* motion : {&stage_, &slope_, &now_}) {
            motion->bodies.resize(n);
            motion->heat.resize(n);
        }
        elastic_.resize(pairs_.size());
        scale_.resize(n * (of_motion + of_heat));
        noise_.resize(scale_.size());
    }

    void set_phase(const model::Phase& phase) override { phase_ = phase; }

    Advance advance(model::State& state, const Stop& stop, model::Observer& observer) override {
        Watch watch(model_, state, observer);
        const double end = stop.time - state.clock.phase_start;
        now_ = motion_of(state);
        mode_ = pair_modes(state.contacts, world_.bodies.size());
        if (state.clock.time_in_phase == 0) begin_contacts();
        if (watch.is_sample_due(state.clock.time_in_phase)) sample(watch, state);
        while (state.clock.time_in_phase < end) {
            if (auto outcome = watch.trouble(state.clock.time_in_phase, state.clock.steps, now_)) {
                keep(state);
                return {.ended = std::move(outcome)};
            }
            const Switch change = step(state, end);
            ++state.clock.steps;
            tally(state);
            if (change.at <= 1) apply(change, watch, state);
            watch.end_step(state.clock.time_in_phase, state.clock.steps, now_);
            if (watch.is_sample_due(state.clock.time_in_phase)) sample(watch, state);
            if (const std::int64_t guard = watch.fired(state.clock.time_in_phase, now_); guard >= 0) {
                keep(state);
                return {.ended = {}, .guard = guard};
            }
            if (!watch.is_checkpoint_due(state.clock.time_in_phase)) continue;
            keep(state);
            watch.checkpoint(state);
        }
        keep(state);
        return {};
    }

private:
    void keep(model::State& state) const {
        store(now_, state);
        store(mode_, world_.bodies.size(), state.contacts);
    }

    auto rhs() {
        return [this](const std::vector<double>& y, std::vector<double>& slope) { slope_at(y, slope); };
    }

    void begin() {
        turning_ = common_rotation(world_, now_);
        pack(now_, dopri_.y0);
        dopri_.start(rhs());
        set_scale();
        set_noise();
    }

    // Errors count in canonical units: radii, radii per TU, radians per TU; heat as energy per mass. Of a faster body against its own
    // speed.
    void set_scale() {
        const std::size_t n = world_.bodies.size();
        const Vec3 common = common_velocity(world_, now_);
        for (std::size_t i = 0; i < n; ++i) {
            const double factor = units_.speed() / error_speed(world_.bodies[i], now_.bodies[i], units_, common);
            const double length = 1 / units_.length, speed = factor / units_.speed(), rate = factor * units_.time;
            const std::array<double, of_motion> of_body{length, length, length, speed, speed, speed, rate, rate, rate, 1, 1, 1, 1};
            std::copy(of_body.begin(), of_body.end(), scale_.begin() + static_cast<std::ptrdiff_t>(i * of_motion));
            std::fill_n(scale_.begin() + static_cast<std::ptrdiff_t>(n * of_motion + i * of_heat), of_heat, speed * speed);
        }
    }

    // The end of a step, back along the axes of the world.
    void finish(double h) {
        unpack(dopri_.y1, now_);
        const Quat turned = rotation(h * turning_);
        for (BodyMotion& body : now_.bodies)
            body = {rotate(turned, body.p), rotate(turned, body.v), rotate(turned, body.w), unit(turned * body.q_WB)};
    }

    void slope_at(const std::vector<double>& y, std::vector<double>& slope) {
        unpack(y, stage_);
        loads_.clear();
        for (BodyHeat& heat : slope_.heat) heat = {};
        add_gravity(world_, stage_, loads_);
        add_tides(world_, stage_, loads_);
        add_sunlight(world_, stage_, loads_);
        for (std::size_t k = 0; k < pairs_.size(); ++k) {
            if (mode_[k] == open) continue;
            const PairGap gap = pair_gap(world_, pairs_[k].i, pairs_[k].j, stage_);
            const laws::SoftTouch touch = touch_of(pairs_[k], gap, stage_);
            // the law of the mode, continued past where it ends: the step is smooth, and is cut there afterwards
            const laws::SoftContact law = law_of(world_, pairs_[k], gap, stage_);
            const laws::SoftResponse soft = law.response(touch, mode_[k] == pressed ? law.pressure(touch) : 0);
            add_contact(pairs_[k], gap, soft, stage_, loads_);
            add_heat(world_, pairs_[k], soft, 1, slope_.heat);
        }
        for (std::size_t i = 0; i < world_.bodies.size(); ++i) {
            const model::BodyKind& body = world_.bodies[i];
            const BodyMotion& m = stage_.bodies[i];
            const Vec3 torque = body.is_sphere() ? loads_.torque[i] : loads_.torque[i] - cross(m.w, spin_momentum(body, m));
            const Vec3 spin = 0.5 * (m.w - turning_);
            slope_.bodies[i] = {m.v - cross(turning_, m.p), loads_.force[i] / body.mass - cross(turning_, m.v),
                                inverse_inertia_times(body, m.q_WB, torque) - cross(turning_, m.w),
                                Quat{0, spin.x, spin.y, spin.z} * m.q_WB};
            slope_.heat[i].tide = loads_.tide_power[i] / body.mass;
            slope_.heat[i].work = loads_.work_power[i] / body.mass;
        }
        pack(slope_, slope);
    }

    // One accepted step, up to a switch where there is one. On return now_ is its end.
    Switch step(model::State& state, double end) {
        const double time = state.clock.time_in_phase;
        const numerics::StepBounds bounds{phase_.error_ratio_min, phase_.error_ratio_max, phase_.step_min, phase_.step_max};
        double wanted = state.stepper.next_step > 0 ? state.stepper.next_step : std::min(0.01 * units_.time, phase_.step_max);
        wanted = safe_step(world_, now_, std::min(wanted, longest_parting()),
                           [&](std::size_t i, std::size_t j) { return mode_[model::pair_index(i, j, world_.bodies.size())] == open; });
        begin();
        while (true) {
            const double h = std::min(wanted, end - time);
            dopri_.trial(rhs(), h);
            const double ratio = error_ratio();
            const numerics::StepChoice choice = numerics::choose_step(std::isfinite(ratio) ? ratio : 1e10, h, 5, bounds);
            if (!choice.is_accepted && time + 0.1 * h > time) {
                wanted = choice.next;
                continue;
            }
            Switch change = first_switch();
            double taken = h;
            if (change.at < 1) {  // the smooth step again, up to the switch
                taken = change.at * h;
                dopri_.trial(rhs(), taken);
                if (mode_[change.pair] == open) taken = located(change.pair, taken, end - time);
            }
            finish(taken);
            state.stepper.next_step = h < wanted ? std::max(wanted, choice.next) : choice.next;
            state.clock.time_in_phase = taken < end - time ? time + taken : end;
            return change;
        }
    }

    // A step to a touch, again until it ends there, penalty.h (2). The dense output that showed the touch is off by the error of the step,
    // which counts in radii, while the overlap of a stiff contact is a tiny part of one: its spring would begin with energy that nothing
    // paid for. Returns the length of the step, at most `longest`.
    double located(std::size_t k, double taken, double longest) {
        constexpr int most_rounds = 4;  // Newton: the first leaves rounding, where the approach is not nearly grazing
        for (int round = 0; round < most_rounds && taken > 0; ++round) {
            unpack(dopri_.y1, stage_);
            const PairGap gap = pair_gap(world_, pairs_[k].i, pairs_[k].j, stage_);
            const double speed = parting_speed(stage_, pairs_[k].i, pairs_[k].j, gap);
            const double yield = yields_of(world_, pairs_[k], gap, stage_).along;
            const bool is_near = pairs_[k].contact.stiffness * yield * gap.gap * gap.gap <= phase_.tolerance * speed * speed;
            const double next = taken - gap.gap / speed;
            if (is_near || !(speed < 0) || !(next > 0 && next <= longest)) break;
            dopri_.trial(rhs(), taken = next);
        }
        return taken;
    }

    // Pairs that part without force soon are apart: a step must not carry them out and back in again unseen.
    double longest_parting() const {
        double longest = std::numeric_limits<double>::infinity();
        for (std::size_t k = 0; k < pairs_.size(); ++k) {
            if (mode_[k] != parting) continue;
            const PairGap gap = pair_gap(world_, pairs_[k].i, pairs_[k].j, now_);
            const double speed = parting_speed(now_, pairs_[k].i, pairs_[k].j, gap);
            if (gap.gap < 0 && speed > 0) longest = std::min(longest, -1.5 * gap.gap / speed);
        }
        return longest;
    }

    // The largest error, over the tolerance or, where that is more, over the rounding of what it is the error of.
    double error_ratio() const {
        double largest = 0;
        for (std::size_t i = 0; i < scale_.size(); ++i) {
            const double error = std::fabs(dopri_.error[i]) * scale_[i];
            const double rounding = (error_rounding * std::fabs(dopri_.y0[i]) + dopri_.length() * noise_[i]) * scale_[i];
            largest = worse(largest, rounding > phase_.tolerance ? error * (phase_.tolerance / rounding) : error);
        }
        return largest / phase_.tolerance;
    }

    // m/s^2, what the rounding of positions makes of the springs of pairs that touch. Shorter steps do not lessen it: each adds its own.
    void set_noise() {
        std::fill(noise_.begin(), noise_.end(), 0.0);
        for (std::size_t k = 0; k < pairs_.size(); ++k) {
            if (mode_[k] == open) continue;
            for (const std::size_t body : {pairs_[k].i, pairs_[k].j}) {
                const double rounding = std::numeric_limits<double>::epsilon() * norm(now_.bodies[body].p);
                for (std::size_t v = 3; v < 6; ++v)  // of BodyMotion
                    noise_[body * of_motion + v] += pairs_[k].contact.stiffness * rounding / world_.bodies[body].mass;
            }
        }
    }
    static double worse(double a, double b) { return b <= a || std::isnan(a) ? a : b; }  // what is not a number is the worst

    // What is above zero while the mode of the pair lasts: gap of an open pair, pressure of a pressed one, overlap and -pressure of a
    // parting.
    struct Guards {
        double stays[2] = {1, 1};
        model::Mode next[2] = {open, open};
    };
    Guards guards(std::size_t k, const Motion& motion) const {
        const PairGap gap = pair_gap(world_, pairs_[k].i, pairs_[k].j, motion);
        Guards out;
        if (mode_[k] == open) {
            out.stays[0] = gap.gap;
            out.next[0] = pressed;
            return out;
        }
        const laws::SoftContact law = law_of(world_, pairs_[k], gap, motion);
        const double pressure = law.pressure(touch_of(pairs_[k], gap, motion));
        if (mode_[k] == pressed) {
            out.stays[0] = pressure;
            out.next[0] = law.damping > 0 ? parting : open;
        } else {
            out.stays[0] = -gap.gap;
            out.stays[1] = -pressure;
            out.next[1] = pressed;
        }
        return out;
    }

    void at_part(double s, Motion& motion) const {
        double* bodies = reinterpret_cast<double*>(motion.bodies.data());
        for (std::size_t i = 0; i < motion.bodies.size() * of_motion; ++i) bodies[i] = dopri_.value(i, s);
    }

    Switch first_switch() {
        Switch first;
        unpack(dopri_.y1, stage_);
        for (std::size_t k = 0; k < pairs_.size(); ++k) {
            const Guards before = guards(k, now_), after = guards(k, stage_);
            const int pieces = turns_back(k) ? 4 : 1;
            for (int g = 0; g < 2; ++g) {
                const double at = root_of(k, g, pieces, before.stays[g], after.stays[g]);
                if (at < first.at) first = {.pair = k, .mode = after.next[g], .at = at};
            }
        }
        return first;
    }

    // Whether an open pair comes nearer at first and goes away at last, by as much as it could touch in between.
    bool turns_back(std::size_t k) const {
        if (mode_[k] != open) return false;
        const PairGap start = pair_gap(world_, pairs_[k].i, pairs_[k].j, now_), end = pair_gap(world_, pairs_[k].i, pairs_[k].j, stage_);
        const double nearing = parting_speed(now_, pairs_[k].i, pairs_[k].j, start);
        const double leaving = parting_speed(stage_, pairs_[k].i, pairs_[k].j, end);
        return nearing < 0 && leaving > 0 && start.gap + nearing * dopri_.length() < 0;
    }

    // Where in the step a guard comes to zero first, as far as equal pieces of it show; 2: nowhere.
    double root_of(std::size_t k, int g, int pieces, double before, double after) {
        const auto guard = [&](double s) {
            at_part(s, slope_);
            return guards(k, slope_).stays[g];
        };
        double from = 0, value = before;
        for (int piece = 1; piece <= pieces; ++piece) {
            const double to = static_cast<double>(piece) / pieces, next = piece < pieces ? guard(to) : after;
            if (next < 0) {
                // A step that began at a switch has a sign there that is rounding: look a little later.
                for (double s = 1e-6; !(value > 0) && s < to; s *= 2) value = guard(from = s);
                return value > 0 ? numerics::bracketed_root(guard, from, to, value, next) : 0;
            }
            from = to;
            value = next;
        }
        return 2;
    }

    void apply(const Switch& change, Watch& watch, model::State& state) {
        const model::Mode before = mode_[change.pair];
        mode_[change.pair] = change.mode;
        if (change.mode == open) {
            tell(change.pair, model::EventKind::separation, watch, state);
        } else if (before == open) {
            tell(change.pair, model::EventKind::impact, watch, state);
        }
    }

    void tell(std::size_t k, model::EventKind kind, Watch& watch, model::State& state) {
        const PairGap gap = pair_gap(world_, pairs_[k].i, pairs_[k].j, now_);
        const double speed = parting_speed(now_, pairs_[k].i, pairs_[k].j, gap);
        const bool is_impact = kind == model::EventKind::impact;
        watch.event(state.clock.time_in_phase, now_,
                    {.kind = kind,
                     .i = pairs_[k].i,
                     .j = pairs_[k].j,
                     .normal = gap.normal,
                     .normal_speed_in = is_impact ? -speed : 0,
                     .normal_speed_out = is_impact ? 0 : speed},
                    state.tallies);
    }

    // The contacts of the first instant.
    void begin_contacts() {
        loads_.clear();
        add_gravity(world_, now_, loads_);
        for (std::size_t k = 0; k < pairs_.size(); ++k) {
            const PairGap gap = pair_gap(world_, pairs_[k].i, pairs_[k].j, now_);
            const bool is_deep = gap.gap < -touch_grace(world_, pairs_[k].i, pairs_[k].j);
            const bool presses = !is_deep || law_of(world_, pairs_[k], gap, now_).pressure(touch_of(pairs_[k], gap, now_)) > 0;
            mode_[k] = !rests_at_start(world_, pairs_[k], gap, now_, loads_) ? open : presses ? pressed : parting;
        }
    }

    void tally(model::State& state) {
        for (std::size_t k = 0; k < pairs_.size(); ++k) {
            if (mode_[k] == open) continue;
            const double overlap = -pair_gap(world_, pairs_[k].i, pairs_[k].j, now_).gap;
            for (const std::size_t body : {pairs_[k].i, pairs_[k].j})
                state.tallies.deepest_overlap[body] = std::max(state.tallies.deepest_overlap[body], overlap);
        }
    }

    void sample(Watch& watch, const model::State& state) {
        for (std::size_t k = 0; k < pairs_.size(); ++k)
            elastic_[k] = mode_[k] == open ? 0 : pairs_[k].contact.elastic_energy(-pair_gap(world_, pairs_[k].i, pairs_[k].j, now_).gap);
        watch.sample(state.clock.time_in_phase, now_, mode_, elastic_);
    }

    const model::Model& model_;
    model::Phase phase_;
    const model::Parameters& world_;
    CanonicalUnits units_;
    std::vector<Pair> pairs_;
    Loads loads_;
    numerics::FlatDopri5 dopri_;
    Motion stage_, slope_, now_;
    Vec3 turning_;               // W, rad/s
    std::vector<double> scale_;  // of errors, of the step
    std::vector<double> noise_;  // of rates, of the step
    PairModes mode_;
    std::vector<double> elastic_;
};

}  // namespace

std::unique_ptr<Method> make_penalty_by_dopri5(const model::Model& model, const model::Phase& phase) {
    return std::make_unique<PenaltyByDopri5>(model, phase);
}

}  // namespace asperity::dynamics
