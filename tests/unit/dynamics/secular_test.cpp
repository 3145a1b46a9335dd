// The averaged evolution against closed forms, under the tide of constant angle: three spheres in mutual contact, and the third body of
// Aligned Mixed, which is what ER -> AM waits for once its pair has come to face it.
//
//   w-dot = 2 Gamma / I of each body towards the orbit,   I_o n + 3 I w = H   =>   w is a straight line until w = n           (1)
//   w-dot = -(Gamma(s - 1/2) + Gamma(s + 1/2)) / I,   (I_o(s) + 2 I) n(s) + I w = H,   n(s) of Aligned Mixed (3-ternary 2.12)  (2)
#include "asperity/dynamics/secular/secular.h"

#include <gtest/gtest.h>

#include <cmath>

#include "asperity/analysis/energy.h"
#include "asperity/dynamics/constraint/constraint.h"
#include "asperity/laws/tide.h"
#include "unit/dynamics/spheres.h"

namespace asperity::dynamics::secular_test {
namespace {

struct Locked {
    Advance got;
    model::State state;
    std::vector<model::Event> events;
    double wanted = 0;  // s, when the spins are within 1e-3 of the last rate, by (1)
    double look = 0;    // s, of the clock, between two looks
};

// The triangle turns at H-bar^2 = 1.8, its bodies spin at half that rate.
Locked run(double speed_up) {
    model::Model model = thesis_model();
    model.parameters.step_budget = 10000000;
    model::State state = state_of(lagrange_resting());
    const model::Parameters& world = model.parameters;
    const double rate = rate_of(world, lagrange_resting(), 1.8), slow = 0.5 * rate;
    turn_as_one(rate, state);
    for (Vec3& w : state.bodies.spin) w = {0, 0, slow};
    state.settled.energy = analysis::energies(world, state.bodies, 0).mechanical();
    const model::Phase phase{
        .name = "tides", .method = "secular", .integrator = model::Integrator::symplectic4, .tolerance = 1e-8, .speed_up = speed_up};
    Locked out{.state = state};
    const laws::ConstantAngleTide tide{world.bodies[0].tidal.love_number, thesis_diameter / 2, world.bodies[0].tidal.sin_double_lag};
    const double gamma =
        norm(tide({{thesis_diameter, 0, 0}, {0, thesis_diameter * rate, 0}, {0, 0, slow}, world.bodies[0].mass, thesis_gravity}).torque);
    const double i = world.bodies[0].inertia.z, orbit = world.bodies[0].mass * thesis_diameter * thesis_diameter;
    const double last = (orbit * rate + 3 * i * slow) / (orbit + 3 * i);
    out.wanted = ((1 - 1e-3) * last - slow) / (2 * gamma / i);
    out.look = 16 * constraint_step(world, phase) * secular_speed_up(world, phase);
    Books books(1e300);
    out.got = secular.make(model, phase)->advance(out.state, {.time = 1e12}, books);
    out.events = books.events;
    return out;
}

TEST(FreeBodiesSecular, ThreeTouchingSpheresLockWhenTheClosedFormSays) {
    for (const double speed_up : {0.0, 4096.0}) {
        const Locked locked = run(speed_up);
        ASSERT_TRUE(locked.got.ended);
        EXPECT_EQ(locked.got.ended->kind, model::OutcomeKind::locked);
        ASSERT_EQ(locked.events.size(), 3u);
        for (const model::Event& event : locked.events) {
            EXPECT_EQ(event.kind, model::EventKind::lock);
            EXPECT_GT(event.time, locked.wanted * (1 - 1e-4));
            EXPECT_LT(event.time, locked.wanted * (1 + 1e-4) + locked.look);
        }
    }
}

// (2) in units d = m = G = 1.
struct SpinDown {
    double momentum = 0;  // H
    double strength = 0;  // (3/2) k2 R^5 sin(2 eps)

    static double rate(double s) { return std::sqrt(1.5 / s * (std::pow(s - 0.5, -2) + std::pow(s + 0.5, -2))); }
    static double locked_part(double s) { return (0.7 + 2 * s * s / 3) * rate(s); }  // of the angular momentum; it grows with s
    double size(double spin) const {
        double low = 2.5, high = 50;
        for (int k = 0; k < 100; ++k) (locked_part(0.5 * (low + high)) < momentum - 0.1 * spin ? low : high) = 0.5 * (low + high);
        return low;
    }
    double last_spin() const {
        double low = 0, high = 1;
        for (int k = 0; k < 100; ++k) (0.5 * (low + high) < rate(size(0.5 * (low + high))) ? low : high) = 0.5 * (low + high);
        return low;
    }
    // From one spin to another, by Simpson's rule.
    double time(double from, double to) const {
        constexpr int intervals = 400;
        double sum = 0;
        for (int k = 0; k <= intervals; ++k) {
            const double s = size(from + (to - from) * k / intervals);
            const double torque = strength * (std::pow(s - 0.5, -6) + std::pow(s + 0.5, -6));
            sum += (k == 0 || k == intervals ? 1 : k % 2 == 1 ? 4 : 2) * 0.1 / torque;
        }
        return sum * (from - to) / intervals / 3;
    }
};

TEST(FreeBodiesSecular, TheThirdBodyOfAlignedMixedLocksWhenTheClosedFormSays) {
    model::Model model = thesis_model();
    model.parameters.step_budget = 10000000;
    const model::Parameters& world = model.parameters;
    const double mass = world.bodies[0].mass;
    const double unit = std::sqrt(thesis_diameter * thesis_diameter * thesis_diameter / (thesis_gravity * mass));  // s
    const double start = 4.15, spin = 1.6 * SpinDown::rate(start);
    const SpinDown closed{.momentum = SpinDown::locked_part(start) + 0.1 * spin,
                          .strength = 1.5 * world.bodies[0].tidal.love_number * world.bodies[0].tidal.sin_double_lag / 32};
    const double wanted = closed.time(spin, (1 + 1e-3) * closed.last_spin()) * unit;
    EXPECT_GT(wanted, 5e5 * 31536000);
    model::State state = state_of(aligned_mixed(start));
    turn_as_one(SpinDown::rate(start) / unit, state);
    state.bodies.spin[2].z = spin / unit;
    state.settled.energy = analysis::energies(world, state.bodies, 0).mechanical();
    const model::Phase phase{
        .name = "tides", .method = "secular", .integrator = model::Integrator::symplectic4, .tolerance = 1e-6, .speed_up = 524288};
    Books books(1e300);
    const Advance got = secular.make(model, phase)->advance(state, {.time = 1e15}, books);
    ASSERT_TRUE(got.ended);
    EXPECT_EQ(got.ended->kind, model::OutcomeKind::locked);
    const double look = 16 * constraint_step(world, phase) * secular_speed_up(world, phase);
    EXPECT_GT(got.ended->time, wanted * (1 - 1e-4));
    EXPECT_LT(got.ended->time, wanted * (1 + 1e-4) + look);
    EXPECT_EQ(books.events.back().a, 2);
}

TEST(FreeBodiesSecular, AccelerationIsAPowerOfTwoAndFollowsTheTide) {
    model::Model model = thesis_model();
    const model::Phase phase{.name = "tides", .method = "secular"};
    const double whole = secular_speed_up(model.parameters, phase);
    EXPECT_EQ(std::exp2(std::round(std::log2(whole))), whole);
    model.parameters.environment.tides.factor *= 16;
    EXPECT_EQ(secular_speed_up(model.parameters, phase), whole / 16);
    EXPECT_EQ(secular_speed_up(model.parameters, {.name = "tides", .method = "secular", .speed_up = 1000}), 512);
}

TEST(FreeBodiesSecular, RefusesWhatIsNotSlow) {
    model::Model model = thesis_model();
    const model::Phase phase{.name = "tides", .method = "secular", .integrator = model::Integrator::symplectic4};
    EXPECT_EQ(secular.carries(model::census_of(model), phase), "");
    model.parameters.laws.laws[0].friction = 0.5;
    EXPECT_NE(secular.carries(model::census_of(model), phase).find("friction"), std::string::npos);
    model.parameters.laws.laws[0].friction = 0;
    model.parameters.environment.tides.law = model::TideLaw::none;
    EXPECT_NE(secular.carries(model::census_of(model), phase).find("tides"), std::string::npos);
}

}  // namespace
}  // namespace asperity::dynamics::secular_test
