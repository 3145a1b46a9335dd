// Friction between free bodies, as constraint and penalty have it: mechanical energy only falls, and spins come to the orbit in hours,
// where tides need centuries.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include "asperity/dynamics/constraint/constraint.h"
#include "asperity/dynamics/penalty/penalty.h"
#include "unit/dynamics/spheres.h"

namespace asperity::dynamics::friction_test {
namespace {

struct Spun {
    double lag = 0;    // the largest difference between a spin and the rate of the orbit, over that
    double rise = 0;   // the largest rise of the mechanical energy between two samples, over its size
    double drift = 0;  // of energy and heat, relative
};

// Lagrange Resting with spins of 1.3, 0.7 and 1 times the rate of the orbit, 50,000 s.
Spun run(const char* method, double friction, double rolling) {
    model::Model model = thesis_model();
    laws::PairLaw& contact = model.parameters.laws.laws[0];
    contact.friction = friction;
    contact.rolling_resistance = rolling;
    contact.slip_speed = 1e-4;
    model.parameters.step_budget = 10000000;
    model::State state = state_of(lagrange_resting());
    const double rate = rate_of(model.parameters, lagrange_resting(), 1);
    turn_as_one(rate, state);
    for (std::size_t i = 0; i < 3; ++i) state.bodies.spin[i] = {0, 0, std::array{1.3, 0.7, 1.0}[i] * rate};
    const bool is_soft = std::string_view(method) == "penalty";
    const model::Phase phase{.name = "friction",
                             .method = method,
                             .integrator = is_soft ? model::Integrator::dopri5 : model::Integrator::symplectic4,
                             .tolerance = 1e-8};
    Books books(100);
    const auto advance = is_soft ? penalty.make(model, phase) : constraint.make(model, phase);
    EXPECT_FALSE(advance->advance(state, {.time = 50000}, books).ended);
    Spun out{.drift = books.drift()};
    const Vec3 apart = state.bodies.position[1] - state.bodies.position[0], moved = state.bodies.velocity[1] - state.bodies.velocity[0];
    const double orbit = cross(apart, moved).z / squared_norm(apart);
    for (const Vec3& w : state.bodies.spin) out.lag = std::max(out.lag, std::fabs(w.z / orbit - 1));
    for (std::size_t i = 1; i < books.mechanical.size(); ++i)
        out.rise = std::max(out.rise, (books.mechanical[i] - books.mechanical[i - 1]) / std::fabs(books.mechanical[0]));
    return out;
}

TEST(FreeBodiesFriction, SynchronisesSpinsInHoursAndOnlyTakesEnergy) {
    for (const char* method : {"constraint", "penalty"}) {
        const Spun smooth = run(method, 0, 0), rough = run(method, 0.5, 0.05);
        EXPECT_GT(smooth.lag, 0.29) << method;  // tides alone: as they began
        EXPECT_LT(rough.lag, 2e-3) << method;
        EXPECT_LT(rough.rise, 1e-9) << method;
        EXPECT_LT(rough.drift, 1e-6) << method;
    }
}

// Two spheres that their gravity presses together slide about each other in a plane. W is the rate of the line of centres, r its length,
// m the reduced mass, a^2 = G M / r^3: the contact force is N = m r (a^2 - W^2), friction slows W and turns both spheres the same way,
//   W' = -f (a^2 - W^2),   I_i w_i' = R_i f N,   slip u = r W - R_0 w_0 - R_1 w_1
//   W = a tanh(b - f a t),   angle = (ln cosh b - ln cosh(b - f a t)) / f,   tanh b = W_0 / a,   w_i = w_i0 + R_i m r (W_0 - W) / I_i
// until u = 0; from there on they roll with the W of that time.
struct PlanarSlide {
    model::Model model;
    double f = 0.3, r = 0, mass = 0, a = 0, first_rate = 0, last_rate = 0, end = 0;
    std::array<double, 2> spin{-1e-4, 2e-4};

    PlanarSlide() {
        model::Parameters& world = model.parameters;
        world.bodies = rows({sphere(300, 2200), sphere(500, 1800)});
        world.environment.mutual.constant = thesis_gravity;
        world.laws.laws[0].friction = f;
        model.parameters.step_budget = 10000000;
        const model::BodyKind &x = world.bodies[0], &y = world.bodies[1];
        r = x.semi_axes.x + y.semi_axes.x;
        mass = 1 / (1 / x.mass + 1 / y.mass);
        a = std::sqrt(thesis_gravity * (x.mass + y.mass) / (r * r * r));
        first_rate = 0.8 * a;
        const double slip = r * first_rate - x.semi_axes.x * spin[0] - y.semi_axes.x * spin[1];
        const double turning = x.semi_axes.x * x.semi_axes.x / x.inertia.x + y.semi_axes.x * y.semi_axes.x / y.inertia.x;
        last_rate = first_rate - slip / (r * (1 + mass * turning));
        end = (std::atanh(first_rate / a) - std::atanh(last_rate / a)) / (f * a);
    }

    model::State start() const {
        const double m0 = model.parameters.bodies[0].mass, m1 = model.parameters.bodies[1].mass;
        model::State state = state_of({{r * m1 / (m0 + m1), 0, 0}, {-r * m0 / (m0 + m1), 0, 0}});
        for (std::size_t i = 0; i < 2; ++i) {
            state.bodies.velocity[i] = cross({0, 0, first_rate}, state.bodies.position[i]);
            state.bodies.spin[i] = {0, 0, spin[i]};
        }
        return state;
    }

    // The largest error of angle, rate and spins at a time, in radians and parts of a.
    double error(const model::Phase& phase, double time) const {
        model::State state = start();
        Books books(std::numeric_limits<double>::infinity());
        EXPECT_FALSE(constraint.make(model, phase)->advance(state, {.time = time}, books).ended);
        EXPECT_TRUE(books.events.empty());
        const double t = std::min(time, end), b = std::atanh(first_rate / a), rate = a * std::tanh(b - f * a * t);
        const double angle = (std::log(std::cosh(b)) - std::log(std::cosh(b - f * a * t))) / f + last_rate * (time - t);
        const Vec3 apart = state.bodies.position[0] - state.bodies.position[1],
                   moving = state.bodies.velocity[0] - state.bodies.velocity[1];
        double worst = std::fabs(std::remainder(std::atan2(apart.y, apart.x) - angle, 2 * pi));
        worst = std::max(worst, std::fabs(cross(apart, moving).z / squared_norm(apart) - rate) / a);
        for (std::size_t i = 0; i < 2; ++i) {
            const model::BodyKind& body = model.parameters.bodies[i];
            const double due = spin[i] + body.semi_axes.x * mass * r * (first_rate - rate) / body.inertia.x;
            worst = std::max(worst, std::fabs(state.bodies.spin[i].z - due) / a);
        }
        return worst;
    }
};

model::Phase steps_of(double step, model::Integrator integrator = model::Integrator::verlet) {
    return {.name = "", .method = "constraint", .integrator = integrator, .step_max = step};
}

TEST(FreeBodiesFriction, ASlideIsThatOfTheClosedFormToSecondOrder) {
    const PlanarSlide slide;
    EXPECT_GT(slide.end * slide.a, 0.5);  // a good part of a radian
    for (const model::Integrator integrator : {model::Integrator::verlet, model::Integrator::symplectic4}) {
        double last = 0;
        for (const double parts : {50.0, 100.0, 200.0, 400.0}) {
            const double error = slide.error(steps_of(slide.end / parts, integrator), 0.8 * slide.end);
            EXPECT_LT(error, 0.5 / (parts * parts)) << parts;
            if (last > 0) {
                EXPECT_NEAR(std::log2(last / error), 2, 0.1) << parts;
            }
            last = error;
        }
        // Beyond the end of the slide, which lies anywhere in a step: the error of that step is of second order too, and varies.
        for (const double parts : {50.3, 100.7, 201.1, 402.9})
            EXPECT_LT(slide.error(steps_of(slide.end / parts, integrator), 2 * slide.end), 2 / (parts * parts)) << parts;
    }
}

TEST(FreeBodiesFriction, ASlideFollowsTheTolerance) {
    const PlanarSlide slide;
    const auto error = [&](double tolerance) {
        return slide.error({.name = "", .method = "constraint", .integrator = model::Integrator::symplectic4, .tolerance = tolerance},
                           0.8 * slide.end);
    };
    const double loose = error(1e-6), tight = error(1e-10), step = 3.5 * std::pow(1e-9, 0.25);  // times 1 / a
    EXPECT_LT(error(1e-9), slide.f * slide.f / 6 * step * step);  // a symmetric splitting errs by f^2 (h a)^2 / 12 or 24
    EXPECT_NEAR(std::log10(loose / tight), 2, 0.1);               // the square root of the tolerance
}

// Three spheres in mutual contact with spins about all axes: slips turn, contacts come to stick under load, and the friction of one presses
// another. Against a run with steps of an eighth of the finest.
TEST(FreeBodiesFriction, SlipsThatTurnAndContactsThatStickAreOfSecondOrder) {
    model::Model model = thesis_model();
    model::Parameters& world = model.parameters;
    world.environment.tides.law = model::TideLaw::none;
    world.laws.laws[0].friction = 0.4;
    world.laws.laws[0].rolling_resistance = 0.02;
    const double rate = rate_of(world, lagrange_resting(), 1);
    const auto end = [&](double step) {
        model::State state = state_of(lagrange_resting());
        turn_as_one(rate, state);
        state.bodies.spin = {{0.3 * rate, 0, 1.5 * rate}, {0, -0.5 * rate, 0.7 * rate}, {0.2 * rate, 0.4 * rate, 0.9 * rate}};
        Books books(std::numeric_limits<double>::infinity());
        EXPECT_FALSE(constraint.make(model, steps_of(step))->advance(state, {.time = 1600}, books).ended);
        return state.bodies;
    };
    const model::Bodies exact = end(0.2);
    const auto error = [&](double step) {
        const model::Bodies got = end(step);
        double worst = 0;
        for (std::size_t i = 0; i < 3; ++i)
            worst =
                std::max({worst, norm(got.spin[i] - exact.spin[i]) / rate, norm(got.position[i] - exact.position[i]) / thesis_diameter});
        return worst;
    };
    const double coarse = error(25.6), middle = error(6.4), fine = error(1.6);
    EXPECT_LT(coarse, 1e-3);
    EXPECT_GT(std::log2(coarse / middle) / 2, 1.6);
    EXPECT_GT(std::log2(middle / fine) / 2, 1.6);
}

// The same world under both methods: soft contacts sink in by 1e-6 and slip at 1e-5 of the speeds, so that much they may differ.
TEST(FreeBodiesFriction, RigidAndSoftContactsSlideAlike) {
    PlanarSlide slide;
    model::Parameters& world = slide.model.parameters;
    const double pull = thesis_gravity * world.bodies[0].mass * world.bodies[1].mass / (slide.r * slide.r);
    world.laws.laws[0].stiffness = pull / (1e-6 * slide.r);
    world.laws.laws[0].restitution = 0.135;
    world.laws.laws[0].slip_speed = 1e-5 * slide.r * slide.a;
    for (const double time : {0.8 * slide.end, 2 * slide.end}) {
        model::State soft = slide.start(), rigid = slide.start();
        for (model::State* state : {&soft, &rigid}) state->bodies.spin[1] += Vec3{1e-4, 0, 0};  // the slip turns
        Books books(std::numeric_limits<double>::infinity());
        const model::Phase penalty{.name = "", .method = "penalty", .integrator = model::Integrator::dopri5, .tolerance = 1e-8};
        EXPECT_FALSE(dynamics::penalty.make(slide.model, penalty)->advance(soft, {.time = time}, books).ended);
        EXPECT_FALSE(constraint.make(slide.model, steps_of(slide.end / 1000))->advance(rigid, {.time = time}, books).ended);
        for (std::size_t i = 0; i < 2; ++i) {
            EXPECT_LT(norm(soft.bodies.spin[i] - rigid.bodies.spin[i]), 1e-4 * slide.a) << time;
            EXPECT_LT(norm(soft.bodies.position[i] - rigid.bodies.position[i]), 1e-4 * slide.r) << time;
        }
    }
}

}  // namespace
}  // namespace asperity::dynamics::friction_test
