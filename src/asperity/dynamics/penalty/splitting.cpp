#include "asperity/numerics/splitting.h"

#include <algorithm>
#include <cmath>

#include "asperity/dynamics/penalty/penalty.h"
#include "asperity/dynamics/penalty/split.h"
#include "asperity/dynamics/watch.h"
#include "asperity/numerics/bracket.h"

namespace asperity::dynamics {
namespace {

class PenaltyBySplitting final : public Method {
public:
    PenaltyBySplitting(const model::Model& model, const model::Phase& phase)
        : model_(model), world_(model.parameters), units_(canonical_units(world_)), splitting_(world_) {
        set_phase(phase);
        elastic_.resize(splitting_.pairs().size());
    }

    void set_phase(const model::Phase& phase) override {
        phase_ = phase;
        is_adaptive_ = !std::isfinite(phase.step_max);
    }

    Advance advance(model::State& state, const Stop& stop, model::Observer& observer) override {
        Watch watch(model_, state, observer);
        now_ = splitting_.start(motion_of(state));
        is_inside_.resize(now_.gaps.size());
        mode_ = pair_modes(state.contacts, world_.bodies.size());
        if (state.clock.time_in_phase == 0) begin();
        for (std::size_t k = 0; k < is_inside_.size(); ++k) is_inside_[k] = mode_[k] != open;
        const double end = stop.time - state.clock.phase_start;
        if (watch.is_sample_due(state.clock.time_in_phase)) sample(watch, state);
        while (state.clock.time_in_phase < end) {
            if (auto outcome = watch.trouble(state.clock.time_in_phase, state.clock.steps, now_.motion)) {
                keep(state);
                return {.ended = std::move(outcome)};
            }
            is_adaptive_ ? step_by_halves(state, end) : step_fixed(state, end, watch);
            ++state.clock.steps;
            note_touches(state.clock.time_in_phase, watch, state);
            watch.end_step(state.clock.time_in_phase, state.clock.steps, now_.motion);
            if (watch.is_sample_due(state.clock.time_in_phase)) sample(watch, state);
            if (const std::int64_t guard = watch.fired(state.clock.time_in_phase, now_.motion); guard >= 0) {
                keep(state);
                return {.ended = {}, .guard = guard};
            }
            if (state.clock.steps % penalty_block != 0) continue;
            now_.drop_rests();
            if (!watch.is_checkpoint_due(state.clock.time_in_phase)) continue;
            keep(state);
            watch.checkpoint(state);
        }
        keep(state);
        return {};
    }

private:
    void keep(model::State& state) const {
        store(now_.motion, state);
        store(mode_, world_.bodies.size(), state.contacts);
    }

    void smooth_step(SplitState& state, double h) {
        if (phase_.integrator == model::Integrator::symplectic4) {
            numerics::suzuki_step([&](double part) { splitting_.step(state, part); }, h);
        } else {
            splitting_.step(state, h);
        }
    }

    // (4) of pair_gap.h
    double safe(const SplitState& state, double h) const {
        return safe_step(world_, state.motion, h,
                         [&](std::size_t i, std::size_t j) { return is_inside_[model::pair_index(i, j, world_.bodies.size())] == 0; });
    }

    // A step up to where a pair touches or parts, at most h. Returns its length. is_inside_ says of each pair which side of its surface it
    // counts as being on.
    double step_to_crossing(SplitState& state, double h) {
        before_ = state;
        smooth_step(state, h);
        double part = 1;
        std::size_t crossing = is_inside_.size();
        for (std::size_t k = 0; k < is_inside_.size(); ++k) {
            if ((state.gaps[k].gap < 0) == (is_inside_[k] != 0)) continue;
            const double at = crossing_of(k, is_inside_[k] != 0, h, state.gaps[k].gap);
            if (crossing < is_inside_.size() && at >= part) continue;
            part = at;
            crossing = k;
        }
        if (crossing == is_inside_.size()) return h;
        is_inside_[crossing] = is_inside_[crossing] == 0;
        if (part < 1) {
            state = before_;
            if (part > 0) smooth_step(state, part * h);
        }
        return part * h;
    }

    // The whole of h, in pieces: what touches or parts does so between them.
    void step(double h, Watch& watch, model::State& state) {
        constexpr int most_pieces = 1000000;
        double left = h;
        for (int piece = 0; piece < most_pieces && left > 0; ++piece) {
            left -= step_to_crossing(now_, safe(now_, left));
            if (!(left > 0)) continue;
            const double time = state.clock.time_in_phase + (h - left);
            note_touches(time, watch, state);
            watch.look(time, now_.motion);
        }
    }

    // The part of the step from before_ after which the gap of pair k is zero; 0 where it leaves the side that it counts as being on at
    // once.
    double crossing_of(std::size_t k, bool is_inside, double h, double gap_after) {
        const auto gap = [&](double part) {
            probe_ = before_;
            smooth_step(probe_, part * h);
            return probe_.gaps[k].gap;
        };
        const double gap_before = before_.gaps[k].gap;
        if ((gap_before < 0) == is_inside) return numerics::bracketed_root(gap, 0.0, 1.0, gap_before, gap_after);
        // The step began at a crossing, where rounding gives a sign that says nothing: look a little later.
        for (double part = 1e-6; part < 1; part *= 2) {
            const double later = gap(part);
            if ((later < 0) == is_inside) return numerics::bracketed_root(gap, part, 1.0, later, gap_after);
        }
        return 0;
    }

    // Times are multiples of the step, not sums of it.
    void step_fixed(model::State& state, double end, Watch& watch) {
        const double h = phase_.step_max, time = state.clock.time_in_phase;
        const double next = (std::floor(time / h + 0.5) + 1) * h;
        if (next < end) {
            step(h, watch, state);
            state.clock.time_in_phase = next;
        } else {
            step(end - time, watch, state);
            state.clock.time_in_phase = end;
        }
    }

    // penalty.h (1). A step ends at a crossing: what comes after is another motion, and needs a step of its own.
    void step_by_halves(model::State& state, double end) {
        const double time = state.clock.time_in_phase;
        double wanted = state.stepper.next_step > 0 ? state.stepper.next_step : 0.01 * units_.time;
        start_ = now_;
        was_inside_ = is_inside_;
        while (true) {
            whole_ = start_;
            is_inside_ = was_inside_;
            const double h = safe(start_, std::min(wanted, end - time));
            const double taken = step_to_crossing(whole_, h);
            now_ = start_;
            if (taken > 0) {
                smooth_step(now_, 0.5 * taken);
                smooth_step(now_, 0.5 * taken);
            }
            const double ratio = difference() / phase_.tolerance;
            const double factor = ratio > 0 ? 0.9 * std::pow(ratio, -0.1) : 2.0;
            const double next = std::max(phase_.step_min, taken * std::min(2.0, std::max(0.1, factor)));
            const bool is_floor = taken <= phase_.step_min || !(time + 0.1 * taken > time);
            if (ratio <= 1 || is_floor || !std::isfinite(ratio)) {
                state.clock.time_in_phase = taken < end - time ? time + taken : end;
                state.stepper.next_step = taken < wanted ? std::max(wanted, next) : next;  // a step cut short says little
                return;
            }
            wanted = next;
        }
    }

    double difference() const {
        double largest = 0;
        const Vec3 common = common_velocity(world_, start_.motion);
        for (std::size_t i = 0; i < world_.bodies.size(); ++i) {
            const BodyMotion &a = now_.motion.bodies[i], &b = whole_.motion.bodies[i];
            const double speed = error_speed(world_.bodies[i], start_.motion.bodies[i], units_, common);
            largest = std::max({largest, part_of(a.p, b.p, units_.length), part_of(a.v, b.v, speed)});
        }
        return largest;
    }

    // The difference of two values in a unit; where their rounding is more than the tolerance, the rounding counts as the tolerance.
    double part_of(const Vec3& a, const Vec3& b, double unit) const {
        const double rounding = error_rounding * norm(a) / unit, part = norm(a - b) / unit;
        return rounding > phase_.tolerance ? part * (phase_.tolerance / rounding) : part;
    }

    // The contacts of the first instant.
    void begin() {
        for (std::size_t k = 0; k < now_.gaps.size(); ++k)
            mode_[k] = rests_at_start(world_, splitting_.pairs()[k], now_.gaps[k], now_.motion, now_.loads) ? pressed : open;
    }

    void note_touches(double time, Watch& watch, model::State& state) {
        for (std::size_t k = 0; k < now_.gaps.size(); ++k) {
            const PairGap& gap = now_.gaps[k];
            const Pair& pair = splitting_.pairs()[k];
            const model::Mode mode = is_inside_[k] != 0 ? pressed : open;
            if (mode == pressed)
                for (const std::size_t body : {pair.i, pair.j})
                    state.tallies.deepest_overlap[body] = std::max(state.tallies.deepest_overlap[body], -gap.gap);
            if (mode == mode_[k]) continue;
            mode_[k] = mode;
            const double parting = parting_speed(now_.motion, pair.i, pair.j, gap);
            const bool is_impact = mode == pressed;
            watch.event(time, now_.motion,
                        {.kind = is_impact ? model::EventKind::impact : model::EventKind::separation,
                         .i = pair.i,
                         .j = pair.j,
                         .normal = gap.normal,
                         .normal_speed_in = is_impact ? -parting : 0,
                         .normal_speed_out = is_impact ? 0 : parting},
                        state.tallies);
        }
    }

    void sample(Watch& watch, const model::State& state) {
        for (std::size_t k = 0; k < elastic_.size(); ++k) elastic_[k] = splitting_.pairs()[k].contact.elastic_energy(-now_.gaps[k].gap);
        watch.sample(state.clock.time_in_phase, now_.motion, mode_, elastic_);
    }

    const model::Model& model_;
    model::Phase phase_;
    const model::Parameters& world_;
    CanonicalUnits units_;
    Splitting splitting_;
    bool is_adaptive_ = false;
    SplitState now_;
    SplitState start_, whole_, before_, probe_;  // workspace of a step
    std::vector<char> is_inside_, was_inside_;   // of each pair
    PairModes mode_;                             // as told by events
    std::vector<double> elastic_;
};

}  // namespace

std::unique_ptr<Method> make_penalty_by_splitting(const model::Model& model, const model::Phase& phase) {
    return std::make_unique<PenaltyBySplitting>(model, phase);
}

}  // namespace asperity::dynamics
