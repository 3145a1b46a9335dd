// Ellipsoids that hit each other, lean on each other and rest, under every method that carries them.
#include <gtest/gtest.h>

#include <array>

#include "asperity/analysis/energy.h"
#include "asperity/analysis/ledger.h"
#include "asperity/dynamics/constraint/constraint.h"
#include "asperity/dynamics/constraint/rattle.h"
#include "asperity/dynamics/constraint/rigid_rattle.h"
#include "asperity/dynamics/forces.h"
#include "asperity/dynamics/pair_gap.h"
#include "asperity/dynamics/penalty/penalty.h"
#include "unit/dynamics/spheres.h"

namespace asperity::dynamics::ellipsoids_test {
namespace {

using model::Integrator;

model::BodyKind ellipsoid(const Vec3& axes, double density) {
    const double mass = density * 4 / 3 * pi * axes.x * axes.y * axes.z;
    return {.mass = mass, .semi_axes = axes, .inertia = gravity::ellipsoid_inertia(mass, axes)};
}

// Two of 2 : 1.5 : 1 and a smaller one, which hit each other off their centres; second-order gravity.
struct Hit {
    model::Model model;
    model::State state = state_of({{0, 0, 0}, {5200, 1500, -400}});

    explicit Hit(double damping = 0) {
        model::Parameters& world = model.parameters;
        world.bodies = rows({ellipsoid({3000, 2250, 1500}, 2000), ellipsoid({2400, 1800, 1200}, 2400)});
        world.environment.mutual.constant = thesis_gravity;
        world.environment.mutual.law = model::MutualLaw::second_order;
        world.laws.laws[0].stiffness = 1e11;
        world.laws.laws[0].damping = damping;
        model.parameters.step_budget = 10000000;
        state.bodies.velocity = {{0.5, 0, 0.1}, {-1.1, -0.2, 0}};
        state.bodies.spin = {{2e-4, -1e-4, 3e-4}, {-1e-4, 4e-4, 1e-4}};
        state.bodies.orientation = {rotation({0.2, 0.4, -0.1}), rotation({-0.5, 0.3, 0.9})};
    }
};

model::Phase phase_of(Integrator integrator, double step_or_tolerance) {
    model::Phase phase{.name = "", .method = penalty.name, .integrator = integrator};
    (integrator == Integrator::dopri5 ? phase.tolerance : phase.step_max) = step_or_tolerance;
    return phase;
}

const std::array<model::Phase, 3> phases{phase_of(Integrator::verlet, 1), phase_of(Integrator::symplectic4, 2),
                                         phase_of(Integrator::dopri5, 1e-10)};

Advance run(const model::Model& model, const model::Phase& phase, double end, model::State& state, model::Observer& observer) {
    EXPECT_EQ(penalty.carries(model::census_of(model), phase), "");
    return penalty.make(model, phase)->advance(state, {.time = end}, observer);
}

bool has_impact(const std::vector<model::Event>& events) {
    return std::any_of(events.begin(), events.end(), [](const model::Event& e) { return e.kind == model::EventKind::impact; });
}

TEST(Ellipsoids, TheRateOfTheGapIsTheSpeedOfTheSurfaces) {
    const Hit hit;
    const model::Parameters& world = hit.model.parameters;
    const Motion motion = motion_of(hit.state);
    const BodyAcceleration pull{{1e-4, 2e-4, -3e-4}, {2e-8, -1e-8, 3e-8}}, none{};
    const auto after = [&](double t) {
        Motion later = motion;
        for (std::size_t i = 0; i < 2; ++i) {
            const BodyAcceleration& a = i == 0 ? pull : none;
            later.bodies[i] =
                detail::moved(motion.bodies[i], a.linear, a.angular + detail::gyroscopic(world.bodies[i], motion.bodies[i]), t);
        }
        return pair_gap(world, 0, 1, later).gap;
    };
    const double dt = 0.1, now = after(0);
    EXPECT_NEAR(parting_speed(motion, 0, 1, pair_gap(world, 0, 1, motion)), (after(dt) - after(-dt)) / (2 * dt), 1e-9);
    const double wanted = (after(5) - 2 * now + after(-5)) / 25;
    EXPECT_NEAR(gap_acceleration(world, motion, 0, 1, pull, none), wanted, 1e-4 * std::fabs(wanted));
}

TEST(Ellipsoids, AnOffCentreHitKeepsMomentumAndClosesTheLedger) {
    for (const double damping : {0.0, 1e12})
        for (const model::Phase& phase : phases) {
            Hit hit(damping);
            const model::Parameters& world = hit.model.parameters;
            const Momenta before = momenta(world, motion_of(hit.state));
            const Vec3 spin = hit.state.bodies.spin[0];
            Books books(20);
            const double first = analysis::energies(world, hit.state.bodies, 0).mechanical();
            ASSERT_FALSE(run(hit.model, phase, 4000, hit.state, books).ended);
            const Momenta after = momenta(world, motion_of(hit.state));
            EXPECT_TRUE(has_impact(books.events));
            EXPECT_GT(norm(hit.state.bodies.spin[0] - spin), 1e-4);  // the arm turns it
            const double small = phase.integrator == Integrator::dopri5 ? 1e-9 : 1e-12;
            EXPECT_LT(norm(after.angular() - before.angular()), small * norm(before.angular()));
            EXPECT_LT(norm(after.linear - before.linear), 1e-12 * world.bodies[0].mass);
            // a contact lasts 60 s: the steps' errors inside it
            const double error = phase.integrator == Integrator::verlet ? 5e-3 : phase.integrator == Integrator::symplectic4 ? 1e-5 : 1e-8;
            EXPECT_LT(books.drift(), error) << damping;
            const double last = analysis::energies(world, hit.state.bodies, 0).mechanical();
            const double heat = analysis::contact_heat(world, hit.state.tallies);
            EXPECT_EQ(heat > 0, damping > 0);
            EXPECT_NEAR((last + heat) / first, 1, error);
        }
}

TEST(Ellipsoids, TheErrorOfAHitFallsWithTheOrder) {
    const auto error = [](Integrator integrator, double h) {
        Hit hit;
        Books books(20);
        run(hit.model, phase_of(integrator, h), 1600, hit.state, books);
        return books.drift();
    };
    EXPECT_NEAR(std::log2(error(Integrator::verlet, 2) / error(Integrator::verlet, 0.5)) / 2, 2, 0.2);
    EXPECT_NEAR(std::log2(error(Integrator::symplectic4, 6) / error(Integrator::symplectic4, 1.5)) / 2, 4, 0.4);
}

// A boulder stood askew on a large sphere falls over, rocks, and comes to rest on its flat side: the short axis upright.
TEST(Ellipsoids, ABoulderSettlesOnItsFlatSide) {
    model::Model model;
    model::Parameters& world = model.parameters;
    world.bodies = rows({sphere(2000, 2000), ellipsoid({400, 320, 200}, 2000)});
    world.environment.mutual.constant = thesis_gravity;
    world.environment.mutual.law = model::MutualLaw::second_order;
    world.laws.laws[0] = {
        .friction = 0.8, .rolling_resistance = 0.02, .spinning_resistance = 0.02, .stiffness = 1e9, .damping = 1e10, .slip_speed = 1e-3};
    model.parameters.step_budget = 10000000;
    model::State state = state_of({{0, 0, 0}, {0, 0, 2300}});
    state.bodies.orientation[1] = rotation({0.6, 0.3, 0});
    for (int k = 0; k < 100; ++k) state.bodies.position[1].z -= pair_gap(world, 0, 1, motion_of(state)).gap;
    Books books(100);
    ASSERT_FALSE(run(model, phase_of(Integrator::verlet, 2), 30000, state, books).ended);
    const Vec3 up = unit(state.bodies.position[1] - state.bodies.position[0]);
    EXPECT_NEAR(std::fabs(dot(up, rotate(state.bodies.orientation[1], {0, 0, 1}))), 1, 1e-3);
    EXPECT_LT(norm(state.bodies.spin[1] - state.bodies.spin[0]), 5e-6);  // it creeps: below the slip speed nothing sticks
    EXPECT_GT(state.tallies.heat_rolling[1], 0);
    EXPECT_LT(books.drift(), 1e-3);  // of a potential of which the fall is a hundredth
    const double weight = norm(pull_of_pair(world, motion_of(state), 0, 1).force_on_second);
    EXPECT_NEAR(-pair_gap(world, 0, 1, motion_of(state)).gap / (weight / 1e9), 1, 1e-3);
    EXPECT_NEAR(analysis::energies(world, state.bodies, 0).elastic / (0.5 * weight * weight / 1e9), 1, 2e-3);
}

TEST(Ellipsoids, GoesOnFromACheckpointWithTheSameBits) {
    for (const model::Phase& phase : {phase_of(Integrator::verlet, 0.1), phases[2]}) {
        Hit hit(1e12);
        model::State whole = hit.state;
        Books books(17, 300);
        run(hit.model, phase, 900, whole, books);
        ASSERT_TRUE(books.saved.has_value());
        model::State again = *books.saved;
        EXPECT_LT(again.clock.time_in_phase, 890);
        Books none(std::numeric_limits<double>::infinity());
        run(hit.model, phase, 900, again, none);
        EXPECT_EQ(again, whole);
    }
}

TEST(Ellipsoids, NothingDependsOnTheFrame) {
    const Quat turn = rotation({0.7, -1.1, 0.4});
    const Vec3 shift{3000, -8000, 500};
    for (const model::Phase& phase : phases) {
        Hit plain(1e12), turned(1e12);
        for (std::size_t i = 0; i < 2; ++i) {
            turned.state.bodies.position[i] = rotate(turn, plain.state.bodies.position[i]) + shift;
            turned.state.bodies.velocity[i] = rotate(turn, plain.state.bodies.velocity[i]);
            turned.state.bodies.spin[i] = rotate(turn, plain.state.bodies.spin[i]);
            turned.state.bodies.orientation[i] = turn * plain.state.bodies.orientation[i];
        }
        Books books(1e9);
        run(plain.model, phase, 3000, plain.state, books);
        run(turned.model, phase, 3000, turned.state, books);
        EXPECT_GT(plain.state.tallies.impacts[0], 0);
        for (std::size_t i = 0; i < 2; ++i) {
            EXPECT_LT(norm(rotate(turn, plain.state.bodies.position[i]) + shift - turned.state.bodies.position[i]), 1e-5);
            EXPECT_LT(norm(rotate(turn, plain.state.bodies.spin[i]) - turned.state.bodies.spin[i]), 1e-12);
        }
    }
}

// A 2 : 1.5 : 1 ellipsoid laid askew on another, no friction: held in touch it slides and rocks, with the motion of both.
struct Rocking {
    model::Model model = Hit().model;
    model::State state = Hit().state;

    Rocking() {
        model.parameters.laws.laws[0] = {};
        state.bodies.position = {{0, 0, 0}, {300, 200, 4500}};
        state.bodies.velocity.assign(2, Vec3{0.1, 0, 0.02});
        state.bodies.spin.assign(2, Vec3{});
        for (int k = 0; k < 60; ++k) state.bodies.position[1].z -= pair_gap(model.parameters, 0, 1, motion_of(state)).gap;
    }
};

Advance hold(const model::Model& model, Integrator integrator, double step, double end, model::State& state, model::Observer& observer) {
    const model::Phase phase{.name = "", .method = "constraint", .integrator = integrator, .step_max = step};
    EXPECT_EQ(constraint.carries(model::census_of(model), phase), "");
    return constraint.make(model, phase)->advance(state, {.time = end}, observer);
}

TEST(Ellipsoids, HeldInTouchTheyKeepEnergyMomentumAndGap) {
    const auto error = [](Integrator integrator, double h) {
        Rocking rocking;
        const model::Parameters& world = rocking.model.parameters;
        const Momenta before = momenta(world, motion_of(rocking.state));
        Books books(40);
        EXPECT_FALSE(hold(rocking.model, integrator, h, 1200, rocking.state, books).ended);
        const Motion last = motion_of(rocking.state);
        const Momenta after = momenta(world, last);
        EXPECT_EQ(rocking.state.contacts.mode_of(0), model::Mode::touching);
        EXPECT_TRUE(books.events.empty());
        EXPECT_LT(std::fabs(pair_gap(world, 0, 1, last).gap), 1e-11);
        EXPECT_LT(std::fabs(parting_speed(last, 0, 1, pair_gap(world, 0, 1, last))), 1e-14);
        EXPECT_GT(norm(last.bodies[1].w), 1e-4);  // it does rock
        const double arm = 4000;
        EXPECT_LT(norm(after.angular() - before.angular()), 1e-13 * world.bodies[0].mass * arm * 0.1);
        EXPECT_LT(norm(after.linear - before.linear), 1e-15 * world.bodies[0].mass);
        return books.drift();
    };
    const double coarse2 = error(Integrator::verlet, 40), fine2 = error(Integrator::verlet, 10);
    EXPECT_NEAR(std::log2(coarse2 / fine2) / 2, 2, 0.2);
    const double coarse4 = error(Integrator::symplectic4, 80), fine4 = error(Integrator::symplectic4, 20);
    EXPECT_NEAR(std::log2(coarse4 / fine4) / 2, 4, 0.5);
    EXPECT_LT(error(Integrator::symplectic4, 4), 1e-10);
}

TEST(Ellipsoids, HeldTheyMoveAsStiffSpringsLetThem) {
    Rocking rigid, soft;
    soft.model.parameters.laws.laws[0] = {.stiffness = 1e15, .damping = 1e14};
    Books books(1e9);
    hold(rigid.model, Integrator::symplectic4, 10, 1000, rigid.state, books);
    run(soft.model, phase_of(Integrator::dopri5, 1e-7), 1000, soft.state, books);
    for (std::size_t i = 0; i < 2; ++i) {
        const Vec3 x{1, 1, 1};
        EXPECT_LT(norm(rigid.state.bodies.position[i] - soft.state.bodies.position[i]), 1e-3);
        EXPECT_LT(norm(rotate(rigid.state.bodies.orientation[i], x) - rotate(soft.state.bodies.orientation[i], x)), 1e-6);
    }
}

TEST(Ellipsoids, RigidRattleOfSpheresIsRattle) {
    const model::Model model = thesis_model();
    model::State state = state_of(euler_resting());
    turn_as_one(2.1e-4, state);
    state.bodies.velocity[1].y += 0.01;
    Motion a = motion_of(state), b = a;
    const PairModes mode{model::Mode::touching, model::Mode::touching, open};
    Rattle plain(model.parameters);
    RigidRattle rigid(model.parameters);
    plain.hold(mode);
    rigid.hold(mode);
    for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(rigid.forces(a)[k] / plain.forces(a)[k], 1, 1e-13);
    for (int k = 0; k < 50; ++k) ASSERT_TRUE(plain.step(a, 100, true) && rigid.step(b, 100, true));
    for (std::size_t i = 0; i < 3; ++i) EXPECT_LT(norm(a.bodies[i].p - b.bodies[i].p), 1e-9);
}

// Off-centre hits, rests and partings of rigid ellipsoids with friction and tides.
TEST(Ellipsoids, RigidHitsKeepMomentumAndOnlyLoseEnergy) {
    Hit hit;
    model::Parameters& world = hit.model.parameters;
    world.laws.laws[0] = {.restitution = 0.4, .friction = 0.3, .rolling_resistance = 0.02};
    world.environment.tides.law = model::TideLaw::constant_angle;
    world.environment.tides.factor = 1e4;
    for (model::BodyKind& body : world.bodies.kinds) body.tidal.love_number = 1e-5, body.tidal.sin_double_lag = 0.01;
    const Momenta before = momenta(world, motion_of(hit.state));
    model::State whole = hit.state;
    Books books(50, 10000);
    ASSERT_FALSE(hold(hit.model, Integrator::symplectic4, 20, 30000, whole, books).ended);
    EXPECT_TRUE(has_impact(books.events));
    EXPECT_GT(whole.tallies.heat_friction[0], 0);
    EXPECT_GT(whole.tallies.heat_tide[0], 0);
    const Momenta after = momenta(world, motion_of(whole));
    EXPECT_LT(norm(after.angular() - before.angular()), 1e-12 * norm(before.angular()));
    EXPECT_LT(books.drift(), 1e-5);
    for (std::size_t i = 1; i < books.heat.size(); ++i) EXPECT_GE(books.heat[i], books.heat[i - 1] * (1 - 1e-12));
    ASSERT_TRUE(books.saved.has_value());
    model::State again = *books.saved;
    Books rest(1e9);
    hold(hit.model, Integrator::symplectic4, 20, 30000, again, rest);
    EXPECT_EQ(again, whole);
}

}  // namespace
}  // namespace asperity::dynamics::ellipsoids_test
