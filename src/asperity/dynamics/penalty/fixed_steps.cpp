// Soft contact by fixed explicit steps, as programs for granular matter take them: changes of contact are not located.
//
//   leapfrog   p += h/2 v;  v += h a(p, v);  p += h/2 v       (drift, kick, drift), spins alike                               (1)
//   rk4        the classical scheme on position, velocity, spin, orientation and heat                                        (2)
//
// Order. Between changes of contact (1) is of order 2 for forces of position alone, and of order 1 where dampers or friction act; (2) is of
// order 4. A contact that begins inside a step costs both to order 1 with a damper, whose force jumps there, and to order 2 without.
// (1) is one evaluation a step and a function of (p, v) alone: a run goes on from a checkpoint with the same bits. The heat of its kick
// is taken with the mean of the velocities before and after, so that kick by kick kinetic energy and heat balance to rounding.
// Memory of contacts goes with the positions under (1), half a step with the velocities before the kick and half with those after it, at
// the places of its middle; under (2) it is a component like the others, and a contact that is born inside a step remembers from its end
// on. Joints are held at the level of accelerations, under (2), and closed after the step. A step must resolve the contact: a fiftieth of
// its duration, pi sqrt(m / k), or less (`check` says how many there are).
#include <algorithm>
#include <cmath>

#include "asperity/dynamics/penalty/penalty.h"
#include "asperity/dynamics/penalty/soft_run.h"
#include "asperity/dynamics/torque_free.h"

namespace asperity::dynamics {
namespace {

class PenaltyByFixedSteps final : public Method {
public:
    PenaltyByFixedSteps(const model::Model& model, const model::Phase& phase)
        : phase_(phase), world_(model.parameters), run_(model), soft_(run_.soft()), now_(run_.bodies()) {
        if (phase.integrator != model::Integrator::rk4) return;
        stage_ = now_;
        for (BodyRates& k : slopes_) k = soft_.rates();
    }

    void set_phase(const model::Phase& phase) override { phase_ = phase; }

    Advance advance(model::State& state, const Stop& stop, model::Observer& observer) override {
        const double end = stop.time - state.clock.phase_start;
        run_.begin(state, observer);
        while (state.clock.time_in_phase < end) {
            if (auto outcome = run_.ending(state)) return {.ended = std::move(outcome)};
            const double h = phase_.step_max, time = state.clock.time_in_phase;
            const double next = std::min((std::floor(time / h + 0.5) + 1) * h, end);  // multiples of the step, not sums of it
            step(state.clock.phase_start + time, next - time);
            state.clock.time_in_phase = next;
            ++state.clock.steps;
            if (const std::int64_t guard = run_.end_step(state, observer); guard >= 0) return {.ended = {}, .guard = guard};
        }
        run_.finish(state, observer);
        return {};
    }

private:
    void step(double time, double h) {
        run_.clear_contact_force();
        if (phase_.integrator == model::Integrator::rk4)
            step_by_rk4(time, h);
        else
            step_by_leapfrog(time, h);
        run_.close_joints();
    }

    void drift(double h) {
        for (std::size_t i = 0; i < world_.bodies.size(); ++i) {
            now_.position[i] += h * now_.velocity[i];
            if (world_.bodies[i].is_sphere()) {
                now_.orientation[i] = unit(rotation(h * now_.spin[i]) * now_.orientation[i]);
                continue;
            }
            BodyMotion body{now_.position[i], now_.velocity[i], now_.spin[i], now_.orientation[i]};
            Vec3 remainder;
            turn_freely(world_.bodies[i], body, remainder, h);
            now_.spin[i] = body.w;
            now_.orientation[i] = body.q_WB;
        }
    }

    // (1). The free turning of a body that is no sphere is part of the drift, so that its gyroscopic torque is no part of the kick.
    void step_by_leapfrog(double time, double h) {
        drift(0.5 * h);
        place_driven(time + 0.5 * h, now_);
        soft_.evaluate(time + 0.5 * h, now_, nullptr, nullptr, 0.5 * h);
        run_.add_contact_force(1);
        const BodyRates& rates = soft_.rates();
        after_velocity_ = now_.velocity;
        after_spin_ = now_.spin;
        for (std::size_t i = 0; i < world_.bodies.size(); ++i) {
            const Vec3 dv = h * rates.acceleration[i], dw = h * without_gyroscopic(i, rates.turning[i]);
            now_.velocity[i] += 0.5 * dv;
            now_.spin[i] += 0.5 * dw;
            after_velocity_[i] += dv;
            after_spin_[i] += dw;
        }
        soft_.set_heat(now_);
        now_.velocity.swap(after_velocity_);
        now_.spin.swap(after_spin_);
        run_.add_heat(h, rates.heat);
        if (soft_.has_memory()) soft_.settle(now_, run_.heat(), 0.5 * h);
        drift(0.5 * h);
        place_driven(time + h, now_);
    }

    void place_driven(double time, model::Bodies& bodies) const { model::place_driven(world_.driven, world_.bodies.size(), time, bodies); }

    Vec3 without_gyroscopic(std::size_t i, const Vec3& turning) const {
        const model::BodyKind& body = world_.bodies[i];
        if (body.is_sphere()) return turning;
        const BodyMotion motion{now_.position[i], now_.velocity[i], now_.spin[i], now_.orientation[i]};
        return turning + inverse_inertia_times(body, motion.q_WB, cross(motion.w, spin_momentum(body, motion)));
    }

    // (2). Slopes of positions are the velocities of the stages: the sums are those of the Nystrom form.
    void step_by_rk4(double time, double h) {
        constexpr double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
        const std::size_t n = world_.bodies.size();
        for (int s = 0; s < 4; ++s) {
            if (s == 0) {
                stage_ = now_;
            } else {
                const double c = part[s] * h;
                for (std::size_t i = 0; i < n; ++i) {
                    stage_.position[i] = now_.position[i] + c * stage_.velocity[i];
                    stage_.orientation[i] = turned_by(now_.orientation[i], quaternion_rates_[i], c);
                    stage_.velocity[i] = now_.velocity[i] + c * slopes_[s - 1].acceleration[i];
                    stage_.spin[i] = now_.spin[i] + c * slopes_[s - 1].turning[i];
                }
            }
            place_driven(time + part[s] * h, stage_);
            soft_.evaluate(time + part[s] * h, stage_, nullptr, stage_memory(s, part[s] * h));
            soft_.set_heat(stage_);
            run_.add_contact_force(weight[s]);
            slopes_[s] = soft_.rates();
            if (soft_.has_memory()) memory_slopes_[s] = soft_.memory_rates();
            stage_velocity_[s] = stage_.velocity;
            quaternion_rates_.resize(n);
            if (s == 0) quaternion_sum_.assign(n, Quat{0, 0, 0, 0});
            for (std::size_t i = 0; i < n; ++i) {
                const Quat rate = Quat{0, stage_.spin[i].x, stage_.spin[i].y, stage_.spin[i].z} * stage_.orientation[i];
                quaternion_rates_[i] = {0.5 * rate.w, 0.5 * rate.x, 0.5 * rate.y, 0.5 * rate.z};
                Quat& sum = quaternion_sum_[i];
                sum = {sum.w + weight[s] * quaternion_rates_[i].w, sum.x + weight[s] * quaternion_rates_[i].x,
                       sum.y + weight[s] * quaternion_rates_[i].y, sum.z + weight[s] * quaternion_rates_[i].z};
            }
        }
        for (int s = 0; s < 4; ++s) run_.add_heat(weight[s] * h, slopes_[s].heat);
        for (std::size_t i = 0; i < n; ++i) {
            Vec3 dp, dv, dw;
            for (int s = 0; s < 4; ++s) {
                dp += weight[s] * stage_velocity_[s][i];
                dv += weight[s] * slopes_[s].acceleration[i];
                dw += weight[s] * slopes_[s].turning[i];
            }
            now_.position[i] += h * dp;
            now_.velocity[i] += h * dv;
            now_.spin[i] += h * dw;
            now_.orientation[i] = unit(turned_by(now_.orientation[i], quaternion_sum_[i], h));
        }
        place_driven(time + h, now_);
        if (!soft_.has_memory()) return;
        std::vector<Vec3>& memory = soft_.memory().values;
        for (std::size_t v = 0; v < memory.size(); ++v)
            for (int s = 0; s < 4; ++s) memory[v] += (weight[s] * h) * memory_slopes_[s][v];
        soft_.evaluate(time + h, now_);
        soft_.settle(now_, run_.heat());
    }

    // Memory at stage s, a time c after the start of the step.
    const Vec3* stage_memory(int s, double c) {
        if (!soft_.has_memory() || s == 0) return nullptr;
        stage_memory_ = soft_.memory().values;
        for (std::size_t v = 0; v < stage_memory_.size(); ++v) stage_memory_[v] += c * memory_slopes_[s - 1][v];
        return stage_memory_.data();
    }

    static Quat turned_by(const Quat& q, const Quat& rate, double h) {
        return {q.w + h * rate.w, q.x + h * rate.x, q.y + h * rate.y, q.z + h * rate.z};
    }

    model::Phase phase_;
    const model::Parameters& world_;
    SoftRun run_;
    SoftWorld& soft_;
    model::Bodies& now_;
    std::vector<Vec3> after_velocity_, after_spin_;  // the kick
    model::Bodies stage_;
    BodyRates slopes_[4];
    std::vector<Vec3> stage_velocity_[4];
    std::vector<Quat> quaternion_rates_, quaternion_sum_;
    std::vector<Vec3> memory_slopes_[4], stage_memory_;
};

}  // namespace

std::unique_ptr<Method> make_penalty_by_fixed_steps(const model::Model& model, const model::Phase& phase) {
    return std::make_unique<PenaltyByFixedSteps>(model, phase);
}

}  // namespace asperity::dynamics
