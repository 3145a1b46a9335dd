// Method penalty against closed forms, published numbers and what must not change: momentum, the ledger, the bits of a restart.
#include "asperity/dynamics/penalty/penalty.h"

#include <gtest/gtest.h>

#include "asperity/dynamics/all.h"
#include "asperity/dynamics/forces.h"
#include "asperity/dynamics/penalty/split.h"
#include "asperity/laws/contact/soft.h"
#include "unit/dynamics/spheres.h"

namespace asperity::dynamics::penalty_test {
namespace {

using model::Integrator;

model::Phase phase_of(Integrator integrator, double step_or_tolerance) {
    model::Phase phase{.name = "", .method = penalty.name, .integrator = integrator};
    (integrator == Integrator::dopri5 ? phase.tolerance : phase.step_max) = step_or_tolerance;
    return phase;
}

model::Phase half_steps(double tolerance) {
    return {.name = "", .method = penalty.name, .integrator = Integrator::verlet, .tolerance = tolerance};
}

Advance run(const model::Model& model, const model::Phase& phase, double end, model::State& state, model::Observer& observer) {
    EXPECT_EQ(penalty.carries(model::census_of(model), phase), "");
    return penalty.make(model, phase)->advance(state, {.time = end}, observer);
}

double rate_now(const model::State& state, std::size_t i) {
    return norm(cross(state.bodies.position[i], state.bodies.velocity[i])) / squared_norm(state.bodies.position[i]);
}

double overlap_now(const model::State& state, std::size_t i, std::size_t j) {
    return thesis_diameter - norm(state.bodies.position[i] - state.bodies.position[j]);
}

// Forces of the contacts follow from the balance of one body that goes round; 3-ternary 5.2.
TEST(Penalty, StaticConfigurationsSinkInAsFarAsTheirForcesSay) {
    const model::Model model = thesis_model();
    const double m = model.parameters.bodies[0].mass, d = thesis_diameter, pull = thesis_gravity * m * m / (d * d);
    for (const model::Phase& phase :
         {phase_of(Integrator::verlet, 0.5), phase_of(Integrator::symplectic4, 1), phase_of(Integrator::dopri5, 1e-9), half_steps(1e-8)}) {
        Books books(50);
        model::State lagrange = state_of(lagrange_resting());
        const double slow = rate_of(model.parameters, lagrange.bodies.position, 1);
        turn_as_one(slow, lagrange);
        run(model, phase, 300, lagrange, books);
        EXPECT_NEAR(slow, 2.03357e-4, 5e-10);
        EXPECT_NEAR(rate_now(lagrange, 0), slow, 1e-5 * slow);  // it has sunk in by 4e-7 d
        const double sunk = (pull - m * slow * slow * d / 3) / 1e13;
        EXPECT_NEAR(sunk, 1.504e-3, 5e-7);
        EXPECT_NEAR(overlap_now(lagrange, 0, 1), sunk, 1e-5 * sunk);
        EXPECT_NEAR(overlap_now(lagrange, 1, 2), sunk, 1e-5 * sunk);
        EXPECT_LT(books.drift(), 1e-8);
        EXPECT_TRUE(books.events.empty());  // they touch from the start, and do not hit each other

        model::State euler = state_of(euler_resting());
        const double fast = rate_of(model.parameters, euler.bodies.position, 3.5);
        turn_as_one(fast, euler);
        Books more(50);
        run(model, phase, 300, euler, more);
        EXPECT_NEAR(fast, 2.15035e-4, 5e-10);
        const double held = (1.25 * pull - m * fast * fast * d) / 1e13;
        EXPECT_NEAR(held, 1.10e-3, 5e-6);
        EXPECT_NEAR(overlap_now(euler, 0, 1), held, 1e-5 * held);
        EXPECT_NEAR(rate_now(euler, 1), fast, 1e-5 * fast);
    }
}

// Touches of a pair that was apart: time of the first.
double first_touch(const model::Model& model, model::State state, double end, std::size_t i, std::size_t j) {
    Books books(std::numeric_limits<double>::infinity());
    run(model, phase_of(Integrator::dopri5, 1e-8), end, state, books);
    for (const model::Event& event : books.events)
        EXPECT_TRUE(event.kind != model::EventKind::impact || event.time > 1);  // what touches at the start does not hit
    for (const model::Event& event : books.events)
        if (event.kind == model::EventKind::impact && event.a == static_cast<std::int32_t>(i) && event.b == static_cast<std::int32_t>(j))
            return event.time;
    return -1;
}

// 3-ternary 5.3 with the errata. The body that is moved keeps its velocity: then H2 is the updated one of the thesis.
TEST(Penalty, FirstContactsOfTheTransitions) {
    const model::Model model = thesis_model();
    const model::Parameters& world = model.parameters;
    const double nudge = 1e-3 * thesis_diameter;

    model::State lagrange = state_of(lagrange_resting());
    turn_as_one(rate_of(world, lagrange.bodies.position, 5.2), lagrange);
    lagrange.bodies.position[2].x += nudge;
    const double h2 = squared_norm(momenta(world, motion_of(lagrange)).angular()) /
                      (thesis_gravity * std::pow(world.bodies[0].mass, 3) * thesis_diameter);
    EXPECT_NEAR(h2, 5.204, 1e-5);
    EXPECT_NEAR(first_touch(model, lagrange, 12500, 1, 2), 12290, 0.002 * 12290);

    model::State euler = state_of(euler_resting());
    turn_as_one(rate_of(world, euler.bodies.position, 6.7), euler);
    euler.bodies.position[1].x += nudge;
    EXPECT_NEAR(first_touch(model, euler, 9000, 0, 2), 8892, 0.002 * 8892);

    const double far = 2.33696, m = world.bodies[0].mass, cube = thesis_diameter * thesis_diameter * thesis_diameter;
    model::State aligned = state_of(aligned_mixed(far));
    const double near2 = (far - 0.5) * (far - 0.5), other2 = (far + 0.5) * (far + 0.5);
    turn_as_one(0.99 * std::sqrt(1.5 * thesis_gravity * m / cube * (1 / near2 + 1 / other2) / far), aligned);
    EXPECT_NEAR(first_touch(model, aligned, 64600, 1, 2), 64397, 0.002 * 64397);
}

// The outer bodies of a chain that is too slow roll round the middle one until they meet.
TEST(Penalty, ChainThatIsTooSlowFoldsUp) {
    const model::Model model = thesis_model();
    model::State state = state_of(euler_resting());
    turn_as_one(rate_of(model.parameters, state.bodies.position, 1.8), state);
    state.bodies.position[1].x += 1e-3 * thesis_diameter;
    EXPECT_NEAR(first_touch(model, state, 108500, 1, 2), 108121, 0.002 * 108121);
}

// Two spheres of unequal size hit each other head-on; gravity is far too weak to matter.
TEST(Penalty, RestitutionOfAHeadOnHit) {
    model::Model model;
    model::Parameters& world = model.parameters;
    world.bodies = rows({sphere(1, 1000), sphere(1.5, 700)});
    world.environment.mutual.constant = thesis_gravity;
    world.laws.laws[0].stiffness = 1e6;
    model.parameters.step_budget = 1000000;
    for (const double e : {1.0, 0.6, 0.1}) {
        world.laws.laws[0].restitution = e;
        for (const model::Phase& phase : {phase_of(Integrator::dopri5, 1e-6), phase_of(Integrator::symplectic4, 0.004)}) {
            model::State state = state_of({{0, 0, 0}, {2.6, 0, 0}});
            state.bodies.velocity = {{0.02, 0, 0}, {-0.03, 0, 0}};
            Books books(1);
            run(model, phase, 20, state, books);
            const double parting = state.bodies.velocity[1].x - state.bodies.velocity[0].x;
            EXPECT_NEAR(parting / 0.05, e, 1e-4) << e;
            ASSERT_EQ(books.events.size(), 2U);
            EXPECT_NEAR(books.events[0].time, 2, 1e-5);
            EXPECT_NEAR(books.events[0].normal_speed_in, 0.05, 1e-6);
            EXPECT_EQ(books.events[0].normal.x < -0.99, true);  // towards the first body
            EXPECT_EQ(books.events[1].kind, model::EventKind::separation);
            EXPECT_EQ(state.tallies.impacts[1], 1);
            EXPECT_LT(books.drift(), 1e-4);
        }
    }
}

// An elastic hit gives its speed back however stiff the contact, until the overlap v sqrt(m / k) drowns in the rounding of positions: to
// 30 times eps R over it (measured: 1 to 7), besides 300 tolerances. Gravity bends the approach, so that dense output alone shows the
// touch a billionth of a radius beside where it is: at 1e20 N/m a spring that begins there has 26,000 times the energy of the hit. Nor do
// steps follow the rounding of the spring: they stay below 200.
TEST(Penalty, StiffContactsKeepTheEnergyOfAHit) {
    model::Model model;
    model::Parameters& world = model.parameters;
    const double radius = 0.1, speed = 1e-3, tolerance = 1e-9;
    world.bodies.add(sphere(radius, 2000), 2);
    world.environment.mutual.constant = thesis_gravity;
    world.laws.laws[0].restitution = 1;
    model.parameters.step_budget = 1000000;
    for (const double stiffness : {1e10, 1e14, 1e18, 1e20, 1e22}) {
        world.laws.laws[0].stiffness = stiffness;
        model::State state = state_of({{-2 * radius, 0, 0}, {2 * radius, 0, 0}});
        state.bodies.velocity = {{speed, 0, 0}, {-speed, 0, 0}};
        Books books(10);
        run(model, phase_of(Integrator::dopri5, tolerance), 200, state, books);
        ASSERT_EQ(books.events.size(), 2U) << stiffness;
        const double overlap = 2 * speed * std::sqrt(0.5 * world.bodies[0].mass / stiffness);
        const double in = books.events[0].normal_speed_in, out = books.events[1].normal_speed_out;
        EXPECT_NEAR(out / in, 1, 300 * tolerance + 30 * std::numeric_limits<double>::epsilon() * radius / overlap) << stiffness;
        EXPECT_LT(state.clock.steps, 200) << stiffness;
    }
}

// What is asked comes out for every pair of a world: a heavy body that light ones hit one after the other, each with a radius of its own,
// and a pair of equal ones. Gravity is far too weak to matter; e in 1 %, below 0.1 in 0.005, since no finite damper has e = 0.
TEST(Penalty, RestitutionIsThatAskedForWhateverTheMasses) {
    model::Model model;
    model::Parameters& world = model.parameters;
    world.environment.mutual.constant = thesis_gravity;
    world.laws.laws[0].stiffness = 1e7;
    model.parameters.step_budget = 1000000;
    const auto ball = [](double radius, double mass) { return sphere(radius, mass / (4.0 / 3 * pi * radius * radius * radius)); };
    world.bodies = rows({ball(3, 1000), ball(1, 1000), ball(0.5, 100), ball(0.1, 1)});
    for (const double e : {0.0, 0.05, 0.1, 0.5, 0.9, 1.0}) {
        world.laws.laws[0].restitution = e;
        for (std::size_t light = 1; light < 4; ++light) {
            // 1 / w0; the damper of e = 0 has a rate of 20 w0, which fixed steps must resolve
            const double time = std::sqrt(1 / (1 / world.bodies[0].mass + 1 / world.bodies[light].mass) / world.laws.laws[0].stiffness);
            for (const model::Phase& phase :
                 {phase_of(Integrator::dopri5, 1e-6), half_steps(1e-8), phase_of(Integrator::verlet, 0.02 * time)}) {
                // the others stand far away, the two meet at 0.1 m/s after a tenth of a second
                std::vector<Vec3> places{{0, 0, 0}, {0, 100, 0}, {0, 200, 0}, {0, 300, 0}};
                const double touch = 3 + world.bodies[light].semi_axes.x;
                places[light] = {touch + 0.01, 0, 0};
                model::State state = state_of(places);
                state.bodies.velocity[light] = {-0.1, 0, 0};
                Books books(10);
                run(model, phase, 0.1 + 30 * time, state, books);
                ASSERT_EQ(books.events.size(), 2U) << e << " " << light;
                const double out = books.events[1].normal_speed_out / books.events[0].normal_speed_in;
                EXPECT_NEAR(out, e, e < 0.1 ? 0.005 : 0.01 * e) << light;
                EXPECT_NEAR((state.bodies.velocity[light].x - state.bodies.velocity[0].x) / 0.1, out, 1e-4);
            }
        }
    }
}

// Ellipsoids that hit off their centres turn: the mass that counts is that of the contact, 1 / (n . M^-1 n) with the arms in it.
TEST(Penalty, RestitutionOfEllipsoidsThatHitOffCentre) {
    model::Model model;
    model::Parameters& world = model.parameters;
    world.environment.mutual.constant = thesis_gravity;
    world.laws.laws[0].stiffness = 1e7;
    model.parameters.step_budget = 10000000;
    for (const Vec3& axes : {Vec3{3, 1, 1}, Vec3{0.5, 0.5, 1}}) {
        const double mass = 1000 * 4 / 3 * pi * axes.x * axes.y * axes.z;
        world.bodies.add({.mass = mass, .semi_axes = axes, .inertia = gravity::ellipsoid_inertia(mass, axes)});
    }
    for (const double e : {0.0, 0.1, 0.5, 0.9}) {
        world.laws.laws[0].restitution = e;
        for (const model::Phase& phase : {phase_of(Integrator::dopri5, 1e-6), phase_of(Integrator::verlet, 5e-4)}) {
            model::State state = state_of({{0, 0, 0}, {2.2, 1.35, 0}});
            state.bodies.velocity[1] = {0, -0.1, 0};
            Books books(10);
            run(model, phase, 5, state, books);
            ASSERT_GE(books.events.size(), 2U) << e;
            EXPECT_NEAR(books.events[1].normal_speed_out / books.events[0].normal_speed_in, e, e < 0.1 ? 0.005 : 0.01 * e);
            EXPECT_GT(norm(state.bodies.spin[0]), 1e-3);
        }
    }
}

// In touch to rounding at the start: an impact where they approach, nothing where they part, a contact where they rest and gravity presses.
TEST(Penalty, TouchingAtTheStartIsAnImpactOnlyIfTheyApproach) {
    const model::Model model = thesis_model();
    for (const model::Phase& phase : {phase_of(Integrator::dopri5, 1e-8), phase_of(Integrator::verlet, 0.1)})
        for (const double speed : {-0.1, 0.0, 0.1})
            for (const double gap : {-4e-13, 0.0, 4e-13}) {
                model::State state = state_of({{0, 0, 0}, {0, thesis_diameter + gap, 0}, {1e6, 0, 0}});
                state.bodies.velocity[1].y = speed;
                Books books(10);
                run(model, phase, 0.3, state, books);
                ASSERT_EQ(books.events.size(), speed < 0 ? 1U : 0U) << speed << " " << gap;
                EXPECT_EQ(state.contacts.mode_of(0), speed > 0 ? open : model::Mode::touching) << speed << " " << gap;
                if (speed >= 0) continue;
                EXPECT_NEAR(books.events[0].normal_speed_in, 0.1, 1e-9);
                EXPECT_NEAR(books.events[0].time, 0, 1e-9);
            }
}

// Three spheres of unequal size: the second touches the first, the third is about to; spins and motion in all directions, tides, friction
// and rolling resistance on.
struct Heap {
    model::Model model = thesis_model();
    model::State state = state_of({{0, 0, 0}, 4199.999 * unit(Vec3{4200, 100, -300}), 4403 * unit(Vec3{800, 3300, 700})});

    Heap() {
        model::Parameters& world = model.parameters;
        for (std::size_t i = 0; i < 3; ++i) {
            const double love = world.bodies[i].tidal.love_number, lag = world.bodies[i].tidal.sin_double_lag;
            world.bodies.kinds[i] = sphere(2000 + 200 * static_cast<double>(i), 2000 - 300 * static_cast<double>(i));
            world.bodies.kinds[i].tidal.love_number = love;
            world.bodies.kinds[i].tidal.sin_double_lag = lag;
        }
        world.environment.tides.factor = 1e4;
        world.laws.laws[0].friction = 0.5;
        world.laws.laws[0].rolling_resistance = 0.1;
        world.laws.laws[0].slip_speed = 0.02;
        state.bodies.velocity = {{0.05, -0.02, 0.1}, {0.04, 0.06, -0.05}, {-0.02, -0.08, 0.01}};
        state.bodies.spin = {{1e-4, -2e-4, 3e-4}, {-1e-4, 1e-4, 1e-4}, {2e-4, 0, -3e-4}};
    }
};

TEST(Penalty, MomentaOfAHeapStayTheSame) {
    Heap heap;
    const model::Parameters& world = heap.model.parameters;
    const Momenta before = momenta(world, motion_of(heap.state));
    for (const model::Phase& phase : {phase_of(Integrator::verlet, 1), phase_of(Integrator::symplectic4, 2)}) {
        model::State state = heap.state;
        Books books(100);
        run(heap.model, phase, 5000, state, books);
        const Momenta after = momenta(world, motion_of(state));
        EXPECT_GE(books.events.size(), 3U);
        EXPECT_LT(norm(after.angular() - before.angular()), 1e-12 * norm(before.angular()));
        EXPECT_LT(norm(after.linear - before.linear), 1e-12 * world.bodies[0].mass * 0.1);
        for (const std::vector<double>* heat :
             {&state.tallies.heat_impact, &state.tallies.heat_friction, &state.tallies.heat_rolling, &state.tallies.heat_tide})
            EXPECT_GT((*heat)[0], 0);
    }
}

TEST(Penalty, FrictionOnlyLowersEnergyAndTheLedgerCloses) {
    const Heap heap;
    for (const model::Phase& phase :
         {phase_of(Integrator::verlet, 0.1), phase_of(Integrator::symplectic4, 0.2), phase_of(Integrator::dopri5, 1e-9)}) {
        model::State state = heap.state;
        Books books(5);
        run(heap.model, phase, 1500, state, books);
        const double loss = books.mechanical.front() - books.mechanical.back();
        EXPECT_GT(loss, 0);
        EXPECT_LT(books.drift(), phase.integrator == Integrator::verlet ? 1e-6 : 2e-7);
        for (std::size_t i = 1; i < books.mechanical.size(); ++i) EXPECT_GE(books.heat[i], books.heat[i - 1]);
        // without friction spins stay as they are, but for tides
        model::Model smooth = heap.model;
        smooth.parameters.laws.laws[0].friction = smooth.parameters.laws.laws[0].rolling_resistance = 0;
        smooth.parameters.environment.tides.law = model::TideLaw::none;
        model::State other = heap.state;
        Books plain(5);
        run(smooth, phase, 1500, other, plain);
        EXPECT_LT(norm(other.bodies.spin[0] - heap.state.bodies.spin[0]), 1e-15);
        EXPECT_GT(norm(state.bodies.spin[0] - heap.state.bodies.spin[0]), 1e-6);
    }
}

// Inside a damped contact, with tides, no touch and no parting on the way: orders against a much finer run.
TEST(Penalty, OrdersOfTheSplittings) {
    Heap heap;
    heap.model.parameters.laws.laws[0].slip_speed = 10;  // no corner at the slip speed
    heap.model.parameters.laws.laws[0].stiffness = 3e13;
    const Vec3 along = unit(heap.state.bodies.position[1]), v{0.05, -0.02, 0.1};
    heap.state.bodies.velocity = {v, v + tangential({0, 0.01, 0.02}, along), v};
    const auto end = [&](Integrator integrator, double h) {
        model::State state = heap.state;
        Books books(std::numeric_limits<double>::infinity());
        run(heap.model, phase_of(integrator, h), 16, state, books);
        EXPECT_TRUE(books.events.empty());  // in contact from the start: no impact
        return state.bodies.velocity[0];
    };
    const Vec3 exact = end(Integrator::symplectic4, 0.02);
    const double coarse2 = norm(end(Integrator::verlet, 0.4) - exact), fine2 = norm(end(Integrator::verlet, 0.1) - exact);
    EXPECT_NEAR(std::log2(coarse2 / fine2) / 2, 2, 0.1);
    const double coarse4 = norm(end(Integrator::symplectic4, 0.8) - exact), fine4 = norm(end(Integrator::symplectic4, 0.2) - exact);
    EXPECT_NEAR(std::log2(coarse4 / fine4) / 2, 4, 0.25);
    const double loose = norm(end(Integrator::dopri5, 1e-6) - exact), tight = norm(end(Integrator::dopri5, 1e-9) - exact);
    EXPECT_LT(tight, 0.05 * loose);  // of a thousandth of the tolerance
}

TEST(Penalty, GoesOnFromACheckpointWithTheSameBits) {
    const Heap heap;
    for (const model::Phase& phase : {phase_of(Integrator::verlet, 0.05), phase_of(Integrator::symplectic4, 0.05),
                                      phase_of(Integrator::dopri5, 1e-7), half_steps(1e-9)}) {
        model::State whole = heap.state, again;
        Books books(17, 100);
        run(heap.model, phase, 600, whole, books);
        ASSERT_TRUE(books.saved.has_value());
        again = *books.saved;
        EXPECT_LT(again.clock.time_in_phase, 590);
        Books none(std::numeric_limits<double>::infinity());
        run(heap.model, phase, 600, again, none);
        EXPECT_EQ(again, whole);
        EXPECT_EQ(whole.clock.time_in_phase, 600);
    }
}

// Sun, Earth and Moon from mean elements at perihelion and perigee, 120 days at 80 s. The error of Verlet is that of the eccentric orbit of
// the Earth; it comes back to zero every year.
TEST(Penalty, SunEarthMoon) {
    model::Model model;
    model::Parameters& world = model.parameters;
    world.bodies = rows({sphere(6.957e8, 1408), sphere(6.371e6, 5513), sphere(1.7374e6, 3344)});
    world.bodies.kinds[0].mass = 1.98855e30;
    world.bodies.kinds[1].mass = 5.97219e24;
    world.bodies.kinds[2].mass = 7.34767e22;
    world.environment.mutual.constant = thesis_gravity;
    world.laws.laws[0].stiffness = 1;
    model.parameters.step_budget = 100000000;
    const auto swift = [](double mass, double a, double e) { return std::sqrt(thesis_gravity * mass / a * (1 + e) / (1 - e)); };
    const double a_earth = 1.49598e11, e_earth = 0.0167, a_moon = 3.84399e8, e_moon = 0.0549, tilt = 5.145 * pi / 180;
    const double earth = swift(1.98855e30, a_earth, e_earth), moon = swift(6.04567e24, a_moon, e_moon);
    const double from_sun = a_earth * (1 - e_earth);
    model::State state = state_of({{0, 0, 0}, {from_sun, 0, 0}, {from_sun + a_moon * (1 - e_moon), 0, 0}});
    state.bodies.velocity = {{0, 0, 0}, {0, earth, 0}, {0, earth + moon * std::cos(tilt), moon * std::sin(tilt)}};
    const auto error = [&](Integrator integrator) {
        model::State now = state;
        Books books(86400);
        run(model, phase_of(integrator, 80), 120 * 86400.0, now, books);
        return books.drift();
    };
    const double second = error(Integrator::verlet);
    EXPECT_GT(second, 1e-12);
    EXPECT_LT(second, 1e-11);
    EXPECT_LT(error(Integrator::symplectic4), 1e-14);
}

TEST(Penalty, TidesOfAPairAreThoseOfTheLaw) {
    Heap heap;
    model::Parameters& world = heap.model.parameters;
    for (model::BodyKind& body : world.bodies.kinds) body.tidal.time_lag = 10;
    const Motion motion = motion_of(heap.state);
    for (const model::TideLaw law : {model::TideLaw::constant_angle, model::TideLaw::constant_time_lag}) {
        world.environment.tides.law = law;
        Loads loads(3), expected(3);
        add_tides(world, motion, loads);
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) {
                if (i == j) continue;
                const laws::TidalResponse tide = tide_of_pair(world, motion, i, j);
                expected.force[i] -= world.environment.tides.factor * tide.force_on_companion;
                expected.force[j] += world.environment.tides.factor * tide.force_on_companion;
                expected.torque[i] += world.environment.tides.factor * tide.torque;
                expected.tide_power[i] -= world.environment.tides.factor * tide.power;
            }
        for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_LT(norm(loads.force[i] - expected.force[i]), 1e-14 * norm(expected.force[i]));
            EXPECT_LT(norm(loads.torque[i] - expected.torque[i]), 1e-14 * norm(expected.torque[i]));
            EXPECT_NEAR(loads.tide_power[i], expected.tide_power[i], 1e-14 * expected.tide_power[i]);
        }
    }
}

// An ellipsoid that tumbles beside another, apart: kicks by torques, drifts by turns about principal axes.
TEST(Penalty, SplittingTurnsEllipsoids) {
    model::Parameters world;
    world.environment.mutual.constant = thesis_gravity;
    world.environment.mutual.law = model::MutualLaw::second_order;
    for (const Vec3& axes : {Vec3{3000, 2000, 1500}, Vec3{2500, 2200, 900}}) {
        const double mass = 2000 * 4 / 3 * pi * axes.x * axes.y * axes.z;
        world.bodies.add({.mass = mass, .semi_axes = axes, .inertia = gravity::ellipsoid_inertia(mass, axes)});
    }
    model::State state = state_of({{0, 0, 0}, {9000, 1000, -2000}});
    state.bodies.velocity = {{0, 0.1, 0}, {0.1, -0.9, 0.3}};
    state.bodies.spin = {{2e-4, 5e-4, -1e-4}, {-3e-4, 6e-4, 4e-4}};
    state.bodies.orientation[1] = rotation({0.3, -0.8, 0.5});
    const Motion start = motion_of(state);
    const auto energy = [&](const Motion& motion) {
        double sum = pull_of_pair(world, motion, 0, 1).potential;
        for (std::size_t i = 0; i < 2; ++i)
            sum += 0.5 * world.bodies[i].mass * squared_norm(motion.bodies[i].v) +
                   0.5 * dot(motion.bodies[i].w, spin_momentum(world.bodies[i], motion.bodies[i]));
        return sum;
    };
    const auto error_after = [&](double h) {
        Splitting splitting(world);
        SplitState now = splitting.start(start);
        for (double t = 0; t < 4000; t += h) splitting.step(now, h);
        const Vec3 before = momenta(world, start).angular(), after = momenta(world, now.motion).angular();
        EXPECT_LT(norm(after - before), 1e-12 * norm(before));
        EXPECT_GT(norm(now.motion.bodies[0].w - start.bodies[0].w), 1e-4);  // it does tumble
        return std::fabs((energy(now.motion) - energy(start)) / energy(start));
    };
    const double coarse = error_after(20), fine = error_after(5);
    EXPECT_LT(coarse, 1e-3);
    EXPECT_NEAR(std::log2(coarse / fine) / 2, 2, 0.15);
}

// Sunlight turns a body; the work that it does closes the ledger.
TEST(Penalty, SunlightDoesWork) {
    model::Model model = thesis_model();
    model.parameters.environment.tides.law = model::TideLaw::none;
    model.parameters.bodies.kinds[1].yorp = {0, 0, 1e-8};
    for (const model::Phase& phase : {phase_of(Integrator::verlet, 5), phase_of(Integrator::dopri5, 1e-9)}) {
        model::State state = state_of(aligned_mixed(3));
        turn_as_one(1e-4, state);
        state.bodies.position[0].x -= 500;
        const double inertia = model.parameters.bodies[1].inertia.z, mass = model.parameters.bodies[1].mass;
        Books books(100);
        run(model, phase, 1000, state, books);
        EXPECT_NEAR(state.bodies.spin[1].z, 1e-4 + 1e-5, 1e-13);
        EXPECT_NEAR(state.tallies.work[1] * mass, 0.5 * inertia * (1.1e-4 * 1.1e-4 - 1e-8), 1e-6 * inertia * 1e-9);
    }
}

TEST(Penalty, TroubleIsNamed) {
    const Heap heap;
    model::State state = heap.state;
    state.bodies.velocity[2].y = std::nan("");
    Books books(1);
    const Advance lost = run(heap.model, phase_of(Integrator::verlet, 1), 10, state, books);
    ASSERT_TRUE(lost.ended.has_value());
    EXPECT_EQ(lost.ended->kind, model::OutcomeKind::non_finite);
    EXPECT_EQ(lost.ended->message, "position, velocity or heat of body 3 is no longer a finite number at 0 s");
    model::Model short_of_steps = heap.model;
    short_of_steps.parameters.step_budget = 7;
    for (const model::Phase& phase : {phase_of(Integrator::verlet, 1), phase_of(Integrator::dopri5, 1e-8)}) {
        model::State other = heap.state;
        const Advance stalled = run(short_of_steps, phase, 1000, other, books);
        ASSERT_TRUE(stalled.ended.has_value());
        EXPECT_EQ(stalled.ended->kind, model::OutcomeKind::stalled);
        EXPECT_EQ(stalled.ended->message, "used up the budget of 7 steps; raise end.step_budget");
    }
    model::Model soft = heap.model;
    soft.parameters.laws.laws[0].stiffness *= 1e-9;
    *soft.parameters.laws.laws[0].damping *= 1e-9;
    for (const model::Phase& phase : {phase_of(Integrator::verlet, 1), phase_of(Integrator::dopri5, 1e-8)}) {
        model::State other = heap.state;
        const Advance buried = run(soft, phase, 1e5, other, books);
        ASSERT_TRUE(buried.ended.has_value());
        EXPECT_EQ(buried.ended->kind, model::OutcomeKind::overlap);
        EXPECT_NE(buried.ended->message.find("raise the stiffness of the contact"), std::string::npos) << buried.ended->message;
    }
}

TEST(Penalty, RefusesWhatItCannotCarry) {
    const MethodEntry* entry = find_method("penalty");
    ASSERT_NE(entry, nullptr);
    model::Model model = thesis_model();
    model::Phase phase = phase_of(Integrator::verlet, 1);
    EXPECT_EQ(entry->carries(model::census_of(model), phase), "");
    model::Model in_field = thesis_model();
    in_field.parameters.environment.field = gravity::Uniform{{0, 0, -1}};
    EXPECT_EQ(
        entry->carries(model::census_of(in_field), phase),
        "verlet and symplectic4 need bodies that attract each other, without ground, field, cables, loads and engines: take dopri5, rk4 or "
        "leapfrog");
    phase = {.name = "", .method = penalty.name, .integrator = Integrator::rk4};
    EXPECT_EQ(entry->carries(model::census_of(model), phase), "rk4 and leapfrog have a fixed step under penalty: set step_max");
    phase = {.name = "", .method = penalty.name, .integrator = Integrator::symplectic4};
    EXPECT_EQ(entry->carries(model::census_of(model), phase), "symplectic4 has a fixed step: set step_max");
    model.parameters.laws.laws[0].friction = 0.3;
    EXPECT_EQ(entry->carries(model::census_of(model), phase),
              "penalty needs a slip speed above zero where there is friction, or sliding = \"spring\"");
    model.parameters.laws.laws[0].stiffness = 0;
    EXPECT_EQ(entry->carries(model::census_of(model), phase),
              "penalty needs a stiffness of its contacts above zero (`modulus` under normal_law = \"hertz\")");
}

}  // namespace
}  // namespace asperity::dynamics::penalty_test
